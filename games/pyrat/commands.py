"""What a bot may ask: the five moves (RULES §6)."""

from __future__ import annotations

from typing import Final

from games.core.contract import OK, Json, Rejected, Reply, Seat, refused
from games.core.dice import Dice
from games.pyrat.board import MOVES, Move
from games.pyrat.state import PYTHON, PYTHON_MUD, RAT, RAT_MUD, State, as_state

_CODES: Final = {name: code for code, name in enumerate(MOVES)}
_FINAL: Final = refused("already_acted", "the first valid move of a turn is final")
_NO_SEATS: Final[frozenset[Seat]] = frozenset()
_OWING: Final = (_NO_SEATS, frozenset({RAT}), frozenset({PYTHON}), frozenset({RAT, PYTHON}))


def from_shorthand(raw: Json) -> Json:
    """A frame may say a move's code, 0 to 4, or {"move": name or code}; here it becomes the name.
    The rest stays as it is."""
    if isinstance(raw, dict) and "move" in raw:
        raw = raw["move"]
    if isinstance(raw, int) and not isinstance(raw, bool) and 0 <= raw < len(MOVES):
        return MOVES[raw]
    return raw


def parse(raw: Json) -> Move:
    """A move's name, read. Raises Rejected; a wall ahead is no error but acts as STAY, so that is
    for `advance` to say (§5.3)."""
    try:
        return _CODES[raw]
    except (KeyError, TypeError):
        why = f"expected one of {', '.join(MOVES)}, got {_cut(repr(raw))}"
        raise Rejected("bad_action", why) from None


def _cut(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."


def apply(state: State, seat: Seat, move: Move, dice: Dice) -> tuple[State, Reply]:
    """Seal this turn's move; the first is final. In mud it is sealed too and ignored when the turn
    is played (§5.2)."""
    maze, now, sealed, tally, collected, silent = state
    rat, python = sealed
    if (rat if seat == RAT else python) is not None:
        return state, _FINAL
    sealed = (move, python) if seat == RAT else (rat, move)
    return as_state((maze, now, sealed, tally, collected, silent)), OK


def awaited(state: State) -> frozenset[Seat]:
    """Who owes a move: the seats that are not in mud and have sealed none."""
    now, (rat, python) = state.now, state.sealed
    return _OWING[(rat is None and not now[RAT_MUD]) + 2 * (python is None and not now[PYTHON_MUD])]
