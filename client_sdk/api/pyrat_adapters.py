"""What plays PyRat bots of the courses (RULES §10): a module with `turn` of the first course, a
module with `turn` of 2022 and 2023, a class with `turn`."""

from __future__ import annotations

import logging
import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Final, TypeAlias

from client_sdk.answers import shown
from client_sdk.api import pyrat_course as course
from client_sdk.api.pyrat import ROLES, Bot, Context, Direction, GameState
from client_sdk.api.pyrat_calls import arguments, call, imported, logged, mixed, package_of
from games.core.contract import Json

log = logging.getLogger("botarena")

_LETTERS: Final = {
    "U": Direction.UP,
    "R": Direction.RIGHT,
    "D": Direction.DOWN,
    "L": Direction.LEFT,
}
_ACTIONS: Final = {
    "NOTHING": Direction.STAY,
    "NORTH": Direction.UP,
    "EAST": Direction.RIGHT,
    "SOUTH": Direction.DOWN,
    "WEST": Direction.LEFT,
}
_WORDS: Final = {name.lower(): move for name, move in _ACTIONS.items()}
"""`possible_actions` of the functions, in their order."""

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
    infinite without a limit. `postprocessing` gets what `turn` gets. None and "" stay; any other
    answer than U, D, L and R stays with a warning."""

    _costs: Costs

    def __init__(self, module: ModuleType) -> None:
        self._module = module
        self._functions = vars(module)
        team = self._functions.get("TEAM_NAME")
        self.name = team if isinstance(team, str) else ""

    def preprocess(self, state: GameState, ctx: Context) -> None:
        self._state = state
        self._costs = _costs(state)
        self._call(
            "preprocessing",
            *self._board(state),
            _pairs(state.cheese),
            ctx.time_remaining_ms() / 1000,
        )

    def think(self, state: GameState, ctx: Context) -> Direction:
        answer = self._call("turn", *self._position(state), ctx.time_remaining_ms() / 1000)
        if answer is None or answer == "":
            return Direction.STAY
        return _direction(state, _LETTERS, answer, answer)

    def on_end(self, outcome: dict[str, Json]) -> None:
        if self._state is not None:
            with logged("postprocessing"):
                self._call("postprocessing", *self._position(self._state), math.inf)

    def _call(self, name: str, *about: Any) -> Any:
        """What the function returns, None if there is none. Meanwhile `import player` imports the
        bot's module, as in the course."""
        if name not in self._functions:
            return None
        with imported(self._module):
            return call(self._functions[name], *about)

    def _position(self, state: GameState) -> tuple[Any, ...]:
        return (*self._board(state), state.my_score, state.opponent_score, _pairs(state.cheese))

    def _board(self, state: GameState) -> tuple[Any, ...]:
        return (
            self._costs,
            state.width,
            state.height,
            *_pairs([state.my_position, state.opponent_position]),
        )


class _Numbered(_Course):
    """The later courses: cells are numbers, players go by names."""

    _kinds: tuple[type[course.Maze], type[course.GameState]] = (course.Maze, course.GameState)
    _seen: course.Maze

    def __init__(self) -> None:
        self._names: list[str] = []
        """By seat."""
        self._moves: list[Counter[str]] = [Counter(), Counter()]
        """The moves that changed a cell, as far as views have shown them, and misses; by seat."""
        self._counted = 0
        """The newest turn that they hold."""
        self._durations: list[float] = []
        """Seconds: of preprocessing, then of each turn."""

    def begun(self, game_state: course.GameState) -> None:
        """Before turn 1."""
        raise NotImplementedError

    def answered(self, state: GameState, game_state: course.GameState) -> Direction:
        """The move of a turn."""
        raise NotImplementedError

    def ended(self, game_state: course.GameState, stats: dict[str, Any]) -> None:
        """The match is over."""
        raise NotImplementedError

    def preprocess(self, state: GameState, ctx: Context) -> None:
        self._state = state
        self._seen = _numbered(state, self._kinds[0])
        start = state.start
        self._names = [
            self.name if seat == start.seat else _other(name, self.name)
            for seat, name in enumerate(start.names)
        ]
        with self._timed():
            self.begun(self._course_state(state, 0))

    def think(self, state: GameState, ctx: Context) -> Direction:
        with self._timed():
            return self.answered(state, self._course_state(state, state.turn + 1))

    def decide(self, view: Json) -> Iterable[Json]:
        self._count(view)
        return super().decide(view)

    def on_view(self, view: Json) -> None:
        self._count(view)
        super().on_view(view)

    def on_end(self, outcome: dict[str, Json]) -> None:
        if self._state is not None:
            with logged("postprocessing"):
                turn = self._state.turn
                stats = {
                    "turns": turn,
                    "players": {
                        self._names[seat["seat"]]: self._stats(seat) for seat in outcome["seats"]
                    },
                }
                self.ended(self._course_state(self._state, turn, over=True), stats)

    @contextmanager
    def _timed(self) -> Iterator[None]:
        begun = time.perf_counter()
        try:
            yield
        finally:
            self._durations.append(time.perf_counter() - begun)

    def _count(self, view: Json) -> None:
        for role, moves in zip(ROLES, self._moves, strict=True):
            seen = view[role]
            if view["turn"] > self._counted and seen["misses"] == moves["misses"]:
                moves[seen["last_move"]] += 1
            moves["misses"] = seen["misses"]
        self._counted = view["turn"]

    def _stats(self, seat: dict[str, Json]) -> dict[str, Any]:
        """What `postprocessing` gets about a seat; durations of the opponent are unknown."""
        number = seat["seat"]
        moves = self._moves[number]
        mine = self._start is not None and number == self._start.seat
        return {
            **seat,
            "team": ROLES[number],
            "actions": {
                "mud": seat["mud_turns_spent"],
                "wall": seat["blocked"],
                "nothing": seat["stayed"],
                **{
                    name.lower(): moves[move.name]
                    for name, move in _ACTIONS.items()
                    if move != Direction.STAY
                },
            },
            "preprocessing_duration": sum(self._durations[:1]) if mine else 0.0,
            "turn_durations": self._durations[1:] if mine else [],
        }

    def _course_state(self, state: GameState, turn: int, over: bool = False) -> course.GameState:
        players = {
            name: (state.view["rat"], state.view["python"])[seat]
            for seat, name in enumerate(self._names)
        }

        def number(cell: Iterable[int]) -> int:
            x, y = cell
            return _number(state, x, y)

        return self._kinds[1](
            turn=turn,
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
            teams={role: [name] for role, name in zip(ROLES, self._names, strict=True)},
            cheese=sorted(number(cell) for cell in state.cheese),
            over=over,
        )


class OfFunctions(_Numbered):
    """The course of 2022 and 2023: functions of a module, which get dicts and a `memory` whose
    attributes are theirs."""

    def __init__(self, module: ModuleType) -> None:
        super().__init__()
        self._functions = vars(module)
        self._memory = SimpleNamespace()
        self.name = Path(module.__file__ or "player.py").stem

    def begun(self, game_state: course.GameState) -> None:
        self._costs = self._seen.as_dict()
        if "preprocessing" in self._functions:
            call(
                self._functions["preprocessing"],
                *self._board(game_state),
                game_state.cheese,
                [*_WORDS],
                self._memory,
            )

    def answered(self, state: GameState, game_state: course.GameState) -> Direction:
        answer = call(self._functions["turn"], *self._moment(game_state))
        return _direction(state, _WORDS, answer, answer)

    def ended(self, game_state: course.GameState, stats: dict[str, Any]) -> None:
        if "postprocessing" in self._functions:
            call(self._functions["postprocessing"], *self._moment(game_state), stats)

    def _moment(self, game_state: course.GameState) -> tuple[Any, ...]:
        return (
            *self._board(game_state),
            game_state.score_per_player,
            game_state.muds,
            game_state.cheese,
            [*_WORDS],
            self._memory,
        )

    def _board(self, game_state: course.GameState) -> tuple[Any, ...]:
        return (
            self._costs,
            int(self._seen.width),
            int(self._seen.height),
            self.name,
            game_state.teams,
            game_state.player_locations,
        )


class OfPlayer(_Numbered):
    """The course of 2024 and later: a class that gets a maze and a game state of `pyrat_course`, or
    of the package that it comes from, and answers with an Action.

    Actions count by their names, so those of another package will do.
    """

    def __init__(self, cls: type) -> None:
        super().__init__()
        package = package_of(cls)
        self._kinds = (
            mixed(course.Maze, package.Maze, _actions=package.Action),
            mixed(course.GameState, package.GameState),
        )
        self._player = call(cls, *arguments(cls))
        name = getattr(self._player, "name", None)
        if not isinstance(name, str) and hasattr(self._player, "get_name"):
            name = self._player.get_name()
        self.name = name if isinstance(name, str) and name else cls.__name__

    def begun(self, game_state: course.GameState) -> None:
        if hasattr(self._player, "preprocessing"):
            call(self._player.preprocessing, self._seen, game_state)

    def answered(self, state: GameState, game_state: course.GameState) -> Direction:
        answer = call(self._player.turn, self._seen, game_state)
        return _direction(state, _ACTIONS, getattr(answer, "name", None), answer)

    def ended(self, game_state: course.GameState, stats: dict[str, Any]) -> None:
        if hasattr(self._player, "postprocessing"):
            call(self._player.postprocessing, self._seen, game_state, stats)


def _direction(
    state: GameState, known: dict[str, Direction], word: object, answer: object
) -> Direction:
    """What the answer means; one that means nothing stays, with a warning."""
    if isinstance(word, str) and word in known:
        return known[word]
    log.warning(
        "turn %s: expected one of %s, got %s; the bot stays",
        state.turn,
        ", ".join(known),
        shown(answer),
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


def _numbered(state: GameState, kind: type[course.Maze]) -> course.Maze:
    """The maze with its cells numbered row by row from the top."""
    costs = {
        _number(state, *cell): {_number(state, *near): cost for near, cost in around.items()}
        for cell, around in _costs(state).items()
    }
    return kind(
        state.width,
        state.height,
        {cell: dict(sorted(costs[cell].items())) for cell in sorted(costs)},
    )


def _number(state: GameState, x: int, y: int) -> int:
    return (state.height - 1 - y) * state.width + x
