"""One turn: all walk at once, then all eat (RULES §5)."""

from __future__ import annotations

from games.core.dice import Dice
from games.pyrat.board import STAY
from games.pyrat.commands import awaited
from games.pyrat.scratch import Scratch, collected
from games.pyrat.state import NONE_SEALED, PYTHON_DEED, RAT_DEED, State, as_state


def advance(state: State, dice: Dice) -> State:
    """Play the sealed moves. A seat without one stays, and is silent if it owed one."""
    maze, before, (rat, python), tally, _, _ = state
    board = Scratch(maze, before)
    board.make(STAY if rat is None else rat, STAY if python is None else python)
    after = board.now
    counts = [*tally]
    counts[after[RAT_DEED]] += 1
    counts[6 + after[PYTHON_DEED]] += 1
    silent = () if rat is not None and python is not None else tuple(sorted(awaited(state)))
    return as_state((maze, after, NONE_SEALED, tuple(counts), collected(before, after), silent))
