"""What plays PyRat bots of the two courses (RULES §10): a module with `turn`, and a class with
`turn`."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable
from types import ModuleType
from typing import Any, Final, TypeAlias

from client_sdk.api import pyrat_course as course
from client_sdk.api.pyrat import Bot, Context, Direction, GameState
from games.core.contract import Json

log = logging.getLogger("botarena")

_LETTERS: Final = {
    "U": Direction.UP,
    "R": Direction.RIGHT,
    "D": Direction.DOWN,
    "L": Direction.LEFT,
}
_ACTIONS: Final = {
    "NORTH": Direction.UP,
    "EAST": Direction.RIGHT,
    "SOUTH": Direction.DOWN,
    "WEST": Direction.LEFT,
    "NOTHING": Direction.STAY,
}

Pair: TypeAlias = tuple[int, int]
Costs: TypeAlias = dict[Pair, dict[Pair, int]]


class _Course(Bot):
    """Keeps the newest state, for when the match is over."""

    _state: GameState | None = None

    def on_view(self, view: Json) -> None:
        if self._start is not None and self._maze is not None:
            self._state = GameState(view, self._maze, self._start)


class OfModule(_Course):
    """The first course: functions of a module, which get plain tuples, dicts and numbers.

    The maze is `{cell: {neighbour: cost}}`; cells are (x, y), y grows upwards. Times are seconds,
    infinite without a limit. `postprocessing` gets what `turn` gets. An answer other than U, D, L
    and R stays, with a warning."""

    _costs: Costs

    def __init__(self, module: ModuleType) -> None:
        self._functions = vars(module)
        team = self._functions.get("TEAM_NAME")
        self.name = team if isinstance(team, str) else ""

    def preprocess(self, state: GameState, ctx: Context) -> None:
        self._state = state
        self._costs = _costs(state)
        if "preprocessing" in self._functions:
            self._functions["preprocessing"](
                *self._board(state), _pairs(state.cheese), ctx.time_remaining_ms() / 1000
            )

    def think(self, state: GameState, ctx: Context) -> Direction:
        answer = self._functions["turn"](*self._position(state), ctx.time_remaining_ms() / 1000)
        return _direction(state, _LETTERS, answer, answer)

    def on_end(self, outcome: dict[str, Json]) -> None:
        if "postprocessing" in self._functions and self._state is not None:
            self._functions["postprocessing"](*self._position(self._state), math.inf)

    def _position(self, state: GameState) -> tuple[Any, ...]:
        return (*self._board(state), state.my_score, state.opponent_score, _pairs(state.cheese))

    def _board(self, state: GameState) -> tuple[Any, ...]:
        return (
            self._costs,
            state.width,
            state.height,
            *_pairs([state.my_position, state.opponent_position]),
        )


class OfPlayer(_Course):
    """The second course: a class that gets a maze and a game state of `pyrat_course` and answers
    with an Action.

    Actions count by their names, so those of another package will do.
    """

    _seen: course.Maze

    def __init__(self, cls: type) -> None:
        self._player = cls()
        self.name = getattr(self._player, "name", "") or cls.__name__
        self._names: list[str] = []
        """By seat."""

    def preprocess(self, state: GameState, ctx: Context) -> None:
        self._state = state
        self._seen = _numbered(state)
        start = state.start
        self._names = [
            self.name if seat == start.seat else _other(name, self.name)
            for seat, name in enumerate(start.names)
        ]
        if hasattr(self._player, "preprocessing"):
            self._player.preprocessing(self._seen, self._course_state(state))

    def think(self, state: GameState, ctx: Context) -> Direction:
        answer = self._player.turn(self._seen, self._course_state(state))
        return _direction(state, _ACTIONS, getattr(answer, "name", None), answer)

    def on_end(self, outcome: dict[str, Json]) -> None:
        if hasattr(self._player, "postprocessing") and self._state is not None:
            players = {self._names[seat["seat"]]: seat for seat in outcome["seats"]}
            stats = {"turns": self._state.turn, "players": players}
            self._player.postprocessing(self._seen, self._course_state(self._state), stats)

    def _course_state(self, state: GameState) -> course.GameState:
        players = {
            name: (state.view["rat"], state.view["python"])[seat]
            for seat, name in enumerate(self._names)
        }

        def number(cell: Iterable[int]) -> int:
            x, y = cell
            return _number(state, x, y)

        return course.GameState(
            turn=state.turn,
            player_locations={
                name: number(seen["mud_from"] or seen["position"]) for name, seen in players.items()
            },
            score_per_player={name: seen["score"] for name, seen in players.items()},
            muds={
                name: {
                    "target": number(seen["position"]) if seen["mud_turns"] else None,
                    "count": seen["mud_turns"],
                }
                for name, seen in players.items()
            },
            cheese=sorted(number(cell) for cell in state.cheese),
        )


def _direction(
    state: GameState, known: dict[str, Direction], word: object, answer: object
) -> Direction:
    """What the answer means; one that means nothing stays, with a warning."""
    if isinstance(word, str) and word in known:
        return known[word]
    log.warning(
        "turn %s: expected one of %s, got %r; the bot stays", state.turn, ", ".join(known), answer
    )
    return Direction.STAY


def _other(name: str, mine: str) -> str:
    """The opponent's name, made distinct from one's own."""
    return f"{name} (opponent)" if name == mine else name


def _pairs(cells: Iterable[Pair]) -> list[Pair]:
    """Plain tuples."""
    return [(x, y) for x, y in cells]


def _costs(state: GameState) -> Costs:
    """Every cell, and where one step leads to at what cost."""
    return {
        cell: {
            (*move.apply_to(cell),): state.move_cost(move, cell) or 0
            for move in state.effective_moves(cell)
        }
        for cell in ((x, y) for x in range(state.width) for y in range(state.height))
    }


def _numbered(state: GameState) -> course.Maze:
    """The maze with its cells numbered row by row from the top."""
    costs = {
        _number(state, *cell): {_number(state, *near): cost for near, cost in around.items()}
        for cell, around in _costs(state).items()
    }
    return course.Maze(
        state.width,
        state.height,
        {cell: dict(sorted(costs[cell].items())) for cell in sorted(costs)},
    )


def _number(state: GameState, x: int, y: int) -> int:
    return (state.height - 1 - y) * state.width + x
