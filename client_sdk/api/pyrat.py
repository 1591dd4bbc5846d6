"""PyRat as its competitors know it: think, a state seen from one's own side, ways through the maze, a board to search on.

    class Mine(Bot):
        def think(self, state, ctx):
            best = state.nearest_cheese()
            return best.first_moves[0] if best else Direction.STAY

Player 1 starts bottom left and is our `python`, player 2 starts top right and is our `rat`. Cells are (x, y), y grows upwards.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Iterable
from enum import Enum, IntEnum
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple, NotRequired, TypeAlias, TypedDict, cast

import client_sdk.base
from client_sdk.link import Link
from client_sdk.options import Check, Combo, Spin, Str
from client_sdk.start import Start
from games.pyrat import paths
from games.pyrat.board import MOVES
from games.pyrat.scratch import Scratch, collected
from games.pyrat.state import CHEESE, NOTHING, NOWHERE, PYTHON, RAT, TURN, Body, Maze, Position, body, position
from games.pyrat.state import ROLES as ROLES

__all__ = [
    "Bot",
    "Cell",
    "Check",
    "Combo",
    "Context",
    "Direction",
    "GameResult",
    "GameSim",
    "GameState",
    "MazeView",
    "PathResult",
    "Player",
    "PlayerView",
    "Spin",
    "Start",
    "Str",
    "Undo",
    "View",
]

Json: TypeAlias = Any

log = logging.getLogger("botarena")

MARGIN_MS: Final = 5.0
"""`should_stop` turns true so long before the deadline."""


class Cell(NamedTuple):
    """A place on the board; equal to the plain pair (x, y)."""

    x: int
    y: int


class Direction(IntEnum):
    UP = 0
    RIGHT = 1
    DOWN = 2
    LEFT = 3
    STAY = 4

    def apply_to(self, pos: tuple[int, int]) -> Cell:
        """The cell that lies in this direction, whether or not one can go there."""
        dx, dy = _STEPS[self]
        return Cell(pos[0] + dx, pos[1] + dy)


_STEPS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0), (0, 0))


class Player(IntEnum):
    PLAYER1 = 0
    """Starts bottom left: our `python`."""
    PLAYER2 = 1
    """Starts top right: our `rat`."""


class GameResult(Enum):
    PLAYER1 = "player1"
    PLAYER2 = "player2"
    DRAW = "draw"


_SEATS: Final = (PYTHON, RAT)
"""Our seat of player 1 and of player 2."""


class PlayerView(TypedDict):
    """One player, as a view tells of it."""

    position: list[int]
    mud_turns: int
    mud_from: list[int] | None
    score: float
    misses: int
    last_move: str


class MazeView(TypedDict):
    """The maze, as a view tells of it: pairs of cells, mud with its cost."""

    width: int
    height: int
    walls: list[list[list[int]]]
    mud: list[Json]


class View(TypedDict):
    """A seat's view (RULES §7)."""

    turn: int
    max_turns: int
    you: str
    must_act: bool
    moves: list[str]
    rat: PlayerView
    python: PlayerView
    cheese: list[list[int]]
    collected: list[list[int]]
    total_cheese: int
    state_hash: str
    maze: NotRequired[MazeView]


class PathResult(NamedTuple):
    """A shortest way. Free passages cost 1, mud of cost N costs N."""

    target: Cell
    path: list[Direction]
    """The moves, one per passage; in mud the following turns are waited, not moved."""
    first_moves: list[Direction]
    """All moves that some shortest way begins with; none on the target itself."""
    cost: int
    cells: list[Cell]
    """The cells of the way, without the start."""


class Context:
    """The time of one turn, and what can be said while thinking."""

    def __init__(self, link: Link, begun: float, deadline: float | None) -> None:
        """Times are seconds of `time.monotonic`; no deadline: no limit."""
        self._link = link
        self._begun = begun
        self._deadline = deadline

    def time_remaining_ms(self) -> float:
        """Infinite without a limit; never below 0."""
        return math.inf if self._deadline is None else max(0.0, (self._deadline - time.monotonic()) * 1000)

    def should_stop(self) -> bool:
        """True 5 ms before the deadline, when the server says stop, and when the turn is over."""
        return self.time_remaining_ms() <= MARGIN_MS or self._link.stopped()

    def think_elapsed_ms(self) -> float:
        return (time.monotonic() - self._begun) * 1000

    def send_provisional(self, direction: Direction) -> None:
        """The best move so far: played if no answer comes in time."""
        self._link.provisional([MOVES[direction]])

    def send_info(
        self,
        *,
        player: Player,
        multipv: int = 0,
        target: tuple[int, int] | None = None,
        depth: int = 0,
        nodes: int = 0,
        score: float | None = None,
        pv: Iterable[Direction] | None = None,
        message: str = "",
    ) -> None:
        """Show viewers what the bot thinks of; they see it when the turn is closed."""
        self._link.info(
            {
                "player": "player1" if player == Player.PLAYER1 else "player2",
                "multipv": multipv,
                "target": None if target is None else [*target],
                "depth": depth,
                "nodes": nodes,
                "score": score,
                "pv": [MOVES[move] for move in pv or ()],
                "message": message,
            }
        )


class _Bodies:
    """The raw `player1_*` and `player2_*` fields of a position."""

    __slots__ = ()

    @property
    def _at(self) -> tuple[Maze, Position]:
        raise NotImplementedError

    def _body(self, player: Player) -> Body:
        return body(self._at[1], _SEATS[player])

    def _cell(self, cell: int) -> Cell:
        return Cell(*divmod(cell, self._at[0].height))

    @property
    def player1_position(self) -> Cell:
        return self._cell(self._body(Player.PLAYER1).cell)

    @property
    def player2_position(self) -> Cell:
        return self._cell(self._body(Player.PLAYER2).cell)

    @property
    def player1_score(self) -> float:
        return self._body(Player.PLAYER1).half_points / 2

    @property
    def player2_score(self) -> float:
        return self._body(Player.PLAYER2).half_points / 2

    @property
    def player1_mud_turns(self) -> int:
        return self._body(Player.PLAYER1).mud

    @property
    def player2_mud_turns(self) -> int:
        return self._body(Player.PLAYER2).mud

    @property
    def player1_misses(self) -> int:
        return self._body(Player.PLAYER1).misses

    @property
    def player2_misses(self) -> int:
        return self._body(Player.PLAYER2).misses

    @property
    def player1_last_move(self) -> Direction:
        return Direction(self._body(Player.PLAYER1).last_move)

    @property
    def player2_last_move(self) -> Direction:
        return Direction(self._body(Player.PLAYER2).last_move)

    @property
    def turn(self) -> int:
        """Turns played so far."""
        return self._at[1][TURN]

    @property
    def max_turns(self) -> int:
        return self._at[0].max_turns

    @property
    def width(self) -> int:
        return self._at[0].width

    @property
    def height(self) -> int:
        return self._at[0].height

    @property
    def total_cheese(self) -> int:
        """The number of cheese at the start."""
        return self._at[0].total_cheese


class GameState(_Bodies):
    """A moment of the match, seen from one's own side."""

    def __init__(self, view: View, maze: Maze, start: Start) -> None:
        self.view = view
        self.maze = maze
        self.start = start
        self.my_player = Player.PLAYER1 if view["you"] == ROLES[PYTHON] else Player.PLAYER2
        self._me: PlayerView = view["python"] if self.my_player == Player.PLAYER1 else view["rat"]
        self._opponent: PlayerView = view["rat"] if self.my_player == Player.PLAYER1 else view["python"]

    @cached_property
    def _now(self) -> Position:
        rat, python = (_standing(self.maze, self.view[role]) for role in ("rat", "python"))
        cheese = self.maze.cheese((x, y) for x, y in self.view["cheese"])
        return position(self.view["turn"], rat, python, cheese)

    @property
    def _at(self) -> tuple[Maze, Position]:
        return self.maze, self._now

    @property
    def my_position(self) -> Cell:
        """In mud: the destination."""
        return Cell(*self._me["position"])

    @property
    def opponent_position(self) -> Cell:
        return Cell(*self._opponent["position"])

    @property
    def my_score(self) -> float:
        return self._me["score"]

    @property
    def opponent_score(self) -> float:
        return self._opponent["score"]

    @property
    def my_mud_turns(self) -> int:
        """Turns still to wait; 0: free."""
        return self._me["mud_turns"]

    @property
    def opponent_mud_turns(self) -> int:
        return self._opponent["mud_turns"]

    @property
    def my_misses(self) -> int:
        return self._me["misses"]

    @property
    def opponent_misses(self) -> int:
        return self._opponent["misses"]

    @property
    def my_last_move(self) -> Direction:
        return Direction[self._me["last_move"]]

    @property
    def opponent_last_move(self) -> Direction:
        return Direction[self._opponent["last_move"]]

    @cached_property
    def cheese(self) -> list[Cell]:
        """The cheese that is left, sorted."""
        return [Cell(x, y) for x, y in self.view["cheese"]]

    @cached_property
    def cheese_matrix(self) -> list[list[int]]:
        """[x][y]: 1 where there is cheese."""
        return paths.cheese_matrix(self.maze, self._now[CHEESE])

    @cached_property
    def movement_matrix(self) -> list[list[list[int]]]:
        """[x][y][UP, RIGHT, DOWN, LEFT]: -1 closed, 0 free, N the cost of mud."""
        return paths.movement_matrix(self.maze)

    @property
    def move_timeout_ms(self) -> int:
        """Thinking time per turn; 0: no limit."""
        return self.start.clock.turn_ms

    @property
    def preprocessing_timeout_ms(self) -> int:
        return self.start.clock.preprocessing_ms

    @property
    def state_hash(self) -> str:
        return self.view["state_hash"]

    def effective_moves(self, pos: tuple[int, int] | None = None) -> list[Direction]:
        """The directions that no wall or border closes; without a cell: from one's own."""
        costs = self.maze.costs[self._number(pos)]
        return [Direction(move) for move, cost in enumerate(costs) if cost]

    def move_cost(self, direction: Direction, pos: tuple[int, int] | None = None) -> int | None:
        """Turns that this move takes: 1, or the cost of the mud; None if it is closed."""
        if direction == Direction.STAY:
            return 1
        return self.maze.costs[self._number(pos)][direction] or None

    def shortest_path(self, start: tuple[int, int], goal: tuple[int, int]) -> PathResult | None:
        """None if there is no way."""
        found = paths.shortest_path(self.maze, self._number(start), self._number(goal))
        return None if found is None else self._way(self._number(start), found)

    def nearest_cheese(self, pos: tuple[int, int] | None = None) -> PathResult | None:
        """The way to the nearest cheese, the smallest cell of several; None if none can be reached."""
        return next(iter(self.nearest_cheeses(pos)), None)

    def nearest_cheeses(self, pos: tuple[int, int] | None = None) -> list[PathResult]:
        """The ways to the nearest cheese, all ties, sorted by target."""
        start = self._number(pos)
        return [self._way(start, found) for found in paths.nearest_cheeses(self.maze, self._now[CHEESE], start)]

    def distances_from(self, pos: tuple[int, int] | None = None) -> dict[Cell, int]:
        """The cost of the shortest way to every cell that can be reached."""
        distances = paths.distances_from(self.maze, self._number(pos))
        cells = _cells(self.maze.width, self.maze.height)
        return {cell: cost for cell, cost in zip(cells, distances, strict=True) if cost != paths.UNREACHABLE}

    def to_sim(self) -> GameSim:
        """A board in this position to search on."""
        return GameSim(Scratch(self.maze, self._now))

    def _number(self, pos: tuple[int, int] | None) -> int:
        x, y = self._me["position"] if pos is None else pos
        if not (0 <= x < self.maze.width and 0 <= y < self.maze.height):
            raise ValueError(f"expected a cell of a board of {self.maze.width}x{self.maze.height}, got {(x, y)}")
        return self.maze.cell(x, y)

    def _way(self, start: int, found: paths.Path) -> PathResult:
        cells = [self._cell(cell) for cell in found.cells]
        moves, here = [], self._cell(start)
        for there in cells:
            moves.append(_DIRECTIONS[there.x - here.x, there.y - here.y])
            here = there
        return PathResult(self._cell(found.target), moves, [Direction(move) for move in found.first_moves], found.cost, cells)


@lru_cache(maxsize=8)
def _cells(width: int, height: int) -> tuple[Cell, ...]:
    """The cells of a board, by their numbers."""
    return tuple(Cell(x, y) for x in range(width) for y in range(height))


_DIRECTIONS: Final = {step: Direction(move) for move, step in enumerate(_STEPS)}


class Undo(_Bodies):
    """What `unmake_move` takes: the position before a move, with its values, and the cheese that the move took."""

    __slots__ = ("_after", "_before", "_maze")

    def __init__(self, maze: Maze, before: Position, after: Position) -> None:
        self._maze = maze
        self._before = before
        self._after = after

    @property
    def _at(self) -> tuple[Maze, Position]:
        return self._maze, self._before

    @property
    def collected_cheese(self) -> list[Cell]:
        return [self._cell(cell) for cell in collected(self._before, self._after)]


class GameSim(_Bodies):
    """A board to search on: moves are made and, in reverse order, taken back. `copy.copy` gives an independent one."""

    __slots__ = ("scratch",)

    def __init__(self, scratch: Scratch) -> None:
        self.scratch = scratch
        """The engine's own board: faster, in its own terms (`games.pyrat.scratch`)."""

    @property
    def _at(self) -> tuple[Maze, Position]:
        return self.scratch.maze, self.scratch.now

    def make_move(self, p1: Direction, p2: Direction) -> Undo:
        """Play one turn: the move of player 1, the move of player 2. Moves into walls and in mud act as STAY."""
        scratch = self.scratch
        before = scratch.make(p2, p1)
        return Undo(scratch.maze, before, scratch.now)

    def unmake_move(self, undo: Undo) -> None:
        self.scratch.unmake(undo._before)

    def copy(self) -> GameSim:
        return GameSim(self.scratch.copy())

    __copy__ = copy

    @property
    def cheese_positions(self) -> list[Cell]:
        return [Cell(x, y) for x, y in self.scratch.maze.listed(self.scratch.now[CHEESE])]

    @property
    def is_game_over(self) -> bool:
        return self.scratch.ending is not None

    @property
    def state_hash(self) -> str:
        return self.scratch.state_hash


class Bot(client_sdk.base.Bot):
    """Thinks of one move per turn. What it keeps in itself stays for the whole match."""

    game = "pyrat"
    once = ("maze",)

    _start: Start | None = None
    _maze: Maze | None = None

    def think(self, state: GameState, ctx: Context) -> Direction:
        """The move of this turn. An exception or anything that is no direction plays STAY."""
        raise NotImplementedError(f"{type(self).__name__} does not say where it goes: define think")

    def preprocess(self, state: GameState, ctx: Context) -> None:
        """Before turn 1, for as long as `ctx` says."""

    def on_game_over(self, result: GameResult, scores: tuple[float, float]) -> None:
        """The match is over: who won, and the scores of player 1 and player 2."""

    def on_start(self, start: Start) -> None:
        self._start = start
        self._maze = _maze(start)
        begun = time.monotonic()
        deadline = None if start.within_ms is None else begun + start.within_ms / 1000
        try:
            self.preprocess(GameState(start.view, self._maze, start), Context(self.link, begun, deadline))
        except Exception:
            log.exception("the bot failed in preprocess")

    def decide(self, view: Json) -> Iterable[Json]:
        if not view["must_act"]:
            return ()
        if self._start is None or self._maze is None:
            raise RuntimeError("on_start comes before the first turn")
        begun = time.monotonic()
        context = Context(self.link, begun, self.link.deadline(begun, self._start.clock))
        try:
            move = self.think(GameState(view, self._maze, self._start), context)
        except Exception:
            log.exception("turn %s: the bot failed in think; it stays", view["turn"])
            return (MOVES[Direction.STAY],)
        if isinstance(move, bool) or not isinstance(move, int) or not 0 <= move < len(MOVES):
            log.warning("turn %s: expected a Direction, got %r; the bot stays", view["turn"], move)
            return (MOVES[Direction.STAY],)
        return (MOVES[move],)

    def on_end(self, outcome: dict[str, Json]) -> None:
        scores = {seat["seat"]: float(seat["score"]) for seat in outcome["seats"]}
        winner = outcome["winner"]
        result = GameResult.DRAW if winner is None else GameResult.PLAYER1 if winner == PYTHON else GameResult.PLAYER2
        self.on_game_over(result, (scores[PYTHON], scores[RAT]))


def _maze(start: Start) -> Maze:
    """The maze that the start message shows."""
    view = cast(View, start.view)
    shown = view["maze"]
    height = shown["height"]

    def border(one: list[int], other: list[int]) -> tuple[int, int]:
        first, second = sorted((one[0] * height + one[1], other[0] * height + other[1]))
        return first, second

    return Maze(
        shown["width"],
        height,
        tuple(sorted(border(one, other) for one, other in shown["walls"])),
        tuple(sorted((*border(one, other), cost) for one, other, cost in shown["mud"])),
        total_cheese=view["total_cheese"],
        max_turns=view["max_turns"],
        mud_timing=start.config.get("mud_timing", "exact"),
    )


def _standing(maze: Maze, seen: PlayerView) -> Body:
    mud_from = seen["mud_from"]
    return Body(
        maze.cell(*seen["position"]),
        seen["mud_turns"],
        NOWHERE if mud_from is None else maze.cell(*mud_from),
        round(seen["score"] * 2),
        seen["misses"],
        Direction[seen["last_move"]],
        NOTHING,
    )
