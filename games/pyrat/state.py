"""The state of a match (RULES §3): the maze, which never changes, and one flat tuple.

Matches spend most of their time here, so a position is a plain tuple of whole numbers: building one
costs a tenth of a named tuple or dataclass. `body` and the names below read it where speed does not
matter."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial
from hashlib import sha256
from itertools import compress
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from games.core.contract import Json, Seat, Viewer
from games.core.shared import Shared, by_size, interned
from games.pyrat.board import CLOSED, DELTAS, FREE, STAY, Board, Cell, Move

RAT, PYTHON = range(2)
ROLES: Final = ("rat", "python")
SEATS: Final = (RAT, PYTHON)

MOVED, ENTERED_MUD, IN_MUD, LEFT_MUD, BLOCKED, STAYED, NOTHING = range(7)
DEEDS: Final = ("moved", "entered_mud", "in_mud", "left_mud", "blocked", "stayed", None)
"""What became of a seat's turn, by code; the last: no turn was played yet."""

NOWHERE: Final = -1
"""`mud_from` of a free player."""

Position: TypeAlias = tuple[
    int,  # turn: turns played
    int,  # rat: cell; in mud the destination
    int,  # turns of mud still to wait; 0: free
    int,  # the cell left when the mud was entered, or NOWHERE
    int,  # score, half points
    int,  # misses: turns that changed no cell
    Move,  # last move, also one that was blocked or ignored
    int,  # deed: what became of the last turn
    int,  # python: the same seven
    int,
    int,
    int,
    int,
    Move,
    int,
    bytes,  # cheese: one byte per cell, 0 or 1
]
"""Everything that changes, flat."""

TURN: Final = 0
RAT_CELL: Final = 1
RAT_MUD: Final = 2
RAT_HALF_POINTS: Final = 4
RAT_DEED: Final = 7
PYTHON_CELL: Final = 8
PYTHON_MUD: Final = 9
PYTHON_HALF_POINTS: Final = 11
PYTHON_DEED: Final = 14
CHEESE: Final = -1
"""Places in a position."""


class Body(NamedTuple):
    """One player's part of a position."""

    cell: int
    mud: int
    mud_from: int
    half_points: int
    misses: int
    last_move: Move
    deed: int


def body(now: Position, seat: Seat) -> Body:
    """The player at this seat, by names."""
    return Body(*now[1 + 7 * seat : 8 + 7 * seat])  # type: ignore[arg-type]


def position(turn: int, rat: Body, python: Body, cheese: bytes) -> Position:
    """A position from its parts."""
    return (turn, *rat, *python, cheese)


Row: TypeAlias = tuple[int, int, int, int, int]
"""What a move from a cell does to a free player: its cell, mud, mud_from, misses to add, deed."""

Border: TypeAlias = tuple[int, int]
"""The cells on its two sides, the smaller one first."""


class Grid:
    """What mazes of one size have in common, cell by cell."""

    def __init__(self, width: int, height: int) -> None:
        cells = range(width * height)
        self.corners: list[Cell] = [divmod(cell, height) for cell in cells]
        self.texts = [f"{x},{y}" for x, y in self.corners]
        self.borders: list[Border] = [
            (cell, near)
            for cell, (x, y) in enumerate(self.corners)
            for near, inside in ((cell + 1, y + 1 < height), (cell + height, x + 1 < width))
            if inside
        ]
        """All that lie between two cells, sorted."""
        self.blocked: list[Row] = [(cell, 0, NOWHERE, 1, BLOCKED) for cell in cells]
        self.stayed: tuple[Row, ...] = tuple([(cell, 0, NOWHERE, 1, STAYED) for cell in cells])
        self.entered: list[Row] = [(cell, 0, NOWHERE, 0, MOVED) for cell in cells]
        """Coming to this cell, without mud."""

    @cached_property
    def shown(self) -> list[list[list[int]]]:
        """The borders as views have them; a cell is the same list in each."""
        xy = [*map(list, self.corners)]
        return [[xy[one], xy[other]] for one, other in self.borders]


grid_of: Final = by_size(Grid)


class Maze(Shared):
    """Everything that never changes in a match: walls, mud, the limits; and tables made of them.
    Shared, never copied.

    Walls and mud are kept as the cost of each border, one byte each: a server has a maze for every
    match that it runs."""

    def __init__(
        self,
        width: int,
        height: int,
        costs: bytes,
        total_cheese: int,
        max_turns: int,
        mud_timing: Literal["exact", "plus_one"] = "exact",
    ) -> None:
        """`costs`: by border of the grid CLOSED, FREE or the cost of its mud (`border_costs`)."""
        self.width = width
        self.height = height
        self.cells = width * height
        self.total_cheese = total_cheese
        self.max_turns = max_turns
        self.mud_timing = mud_timing
        self._border_costs = costs
        self._grid = grid_of(width, height)
        self.corners = self._grid.corners
        """Per cell its x and y."""
        self._texts = self._grid.texts
        self._shown: dict[Viewer, dict[str, Json]] = {}
        self._last_left: tuple[bytes, list[list[int]], str, str] = (b"", [], "", "")
        self._last_hash: tuple[Position | None, str] = (None, "")

    @property
    def walls(self) -> tuple[Border, ...]:
        """The borders that are closed, sorted."""
        costed = zip(self._grid.borders, self._border_costs, strict=True)
        return tuple([border for border, cost in costed if cost == CLOSED])

    @property
    def mud(self) -> tuple[tuple[int, int, int], ...]:
        """The muddy borders with their costs, sorted."""
        costed = zip(self._grid.borders, self._border_costs, strict=True)
        return tuple([(*border, cost) for border, cost in costed if cost > FREE])

    def _ways(self) -> tuple[bytearray, ...]:
        """By direction and cell: what a step costs, CLOSED at a wall or the board's border."""
        up, right, down, left = (bytearray(self.cells) for _ in DELTAS)
        for (one, other), cost in zip(self._grid.borders, self._border_costs, strict=True):
            if other == one + 1:
                up[one] = down[other] = cost
            else:
                right[one] = left[other] = cost
        return up, right, down, left

    @cached_property
    def costs(self) -> list[tuple[int, ...]]:
        """Per cell and direction: 0 closed, 1 free, else the cost of the mud."""
        return interned(zip(*self._ways(), strict=True))

    @cached_property
    def rows(self) -> tuple[tuple[Row, ...], ...]:
        """By move and cell: what it does to a free player."""
        rows = [tuple(self._rows(move, way)) for move, way in enumerate(self._ways())]
        return (*rows, self._grid.stayed)

    def _rows(self, move: Move, way: Iterable[int]) -> list[Row]:
        grid, waits = self._grid, 0 if self.mud_timing == "plus_one" else 1
        rows: list[Row] = []
        for cell, cost in enumerate(way):
            if cost == CLOSED:
                rows.append(grid.blocked[cell])
            elif cost == FREE:
                rows.append(grid.entered[self.near(cell, move)])
            else:
                rows.append((self.near(cell, move), cost - waits, cell, 0, ENTERED_MUD))
        return rows

    def near(self, cell: int, move: Move) -> int:
        """The neighbour in this direction; the caller knows that there is one."""
        return cell + (1, self.height, -1, -self.height)[move]

    def cell(self, x: int, y: int) -> int:
        return x * self.height + y

    def xy(self, cell: int) -> list[int]:
        """[x, y], a list of its own."""
        return [*divmod(cell, self.height)]

    def cheese(self, cells: Iterable[Cell]) -> bytes:
        """One byte per cell, 1 on these."""
        bits = bytearray(self.cells)
        for cell in cells:
            bits[self.cell(*cell)] = 1
        return bytes(bits)

    def listed(self, cheese: bytes) -> list[list[int]]:
        """The cells with cheese as [x, y], sorted. Read-only: the list is kept."""
        return self._left(cheese)[1]

    def repr_of(self, cheese: bytes) -> str:
        """The repr of the cheese."""
        return self._left(cheese)[3]

    def _left(self, cheese: bytes) -> tuple[bytes, list[list[int]], str, str]:
        """The cheese, its cells, their text, its repr. The last answer is kept: few turns change
        the cheese, many viewers ask."""
        left = self._last_left
        if left[0] is not cheese:
            cells = [*map(list, compress(self.corners, cheese))]
            text = ";".join(compress(self._texts, cheese))
            self._last_left = left = (cheese, cells, text, repr(cheese))
        return left

    @cached_property
    def passages(self) -> list[list[tuple[int, int]]]:
        """Per cell the neighbours that it is open to, each with the cost of the way."""
        return [
            [(self.near(cell, move), cost) for move, cost in enumerate(costs) if cost]
            for cell, costs in enumerate(self.costs)
        ]

    @cached_property
    def exits(self) -> bytes:
        """Per cell the directions that no wall or border closes, a bit each."""
        return bytes(
            sum(1 << move for move, cost in enumerate(costs) if cost != CLOSED)
            for costs in zip(*self._ways(), strict=True)
        )

    @property
    def _prefix(self) -> str:
        texts = self._texts
        walls = ";".join(f"{texts[one]}-{texts[other]}" for one, other in self.walls)
        mud = ";".join(f"{texts[one]}-{texts[other]}:{cost}" for one, other, cost in self.mud)
        size = f"{self.width}|{self.height}"
        rules = f"{self.max_turns}|{self.mud_timing}|{self.total_cheese}"
        return f"pyrat|{size}|{rules}|{walls}|{mud}|"

    @cached_property
    def _digest(self) -> Any:
        return sha256(self._prefix.encode())

    def canonical(self, now: Position) -> str:
        """The text that `state_hash` is taken of (RULES §7)."""
        return self._prefix + self._suffix(now)

    def state_hash(self, now: Position) -> str:
        """16 hex digits of SHA-256 over the canonical text."""
        hashed = self._last_hash
        if hashed[0] is not now:
            digest = self._digest.copy()
            digest.update(self._suffix(now).encode())
            self._last_hash = hashed = (now, digest.hexdigest()[:16])
        return hashed[1]

    def _suffix(self, now: Position) -> str:
        turn, rat, mud_1, _, half_1, _, _, _, python, mud_2, _, half_2, _, _, _, cheese = now
        texts, left = self._texts, self._left(cheese)[2]
        return f"{turn}|{texts[rat]},{mud_1},{half_1}|{texts[python]},{mud_2},{half_2}|{left}"

    def shown(self, viewer: Viewer) -> dict[str, Json]:
        """The maze as plain JSON, per viewer: one that writes into it misleads only itself. A cell
        is the same list wherever it is in it."""
        if viewer not in self._shown:
            xy = [*map(list, self.corners)]
            self._shown[viewer] = {
                "width": self.width,
                "height": self.height,
                "walls": [[xy[one], xy[other]] for one, other in self.walls],
                "mud": [[xy[one], xy[other], cost] for one, other, cost in self.mud],
            }
        return self._shown[viewer]

    @cached_property
    def read_only_shown(self) -> dict[str, Json]:
        """The same for readers that change nothing in it: mazes of one size share their cells and
        walls, so that it takes an eighth of the memory."""
        costed = [*zip(self._grid.shown, self._border_costs, strict=True)]
        return {
            "width": self.width,
            "height": self.height,
            "walls": [border for border, cost in costed if cost == CLOSED],
            "mud": [[*border, cost] for border, cost in costed if cost > FREE],
        }

    @property
    def parts(self) -> tuple[Any, ...]:
        return (
            self.width,
            self.height,
            self._border_costs,
            self.total_cheese,
            self.max_turns,
            self.mud_timing,
        )


NONE_SEALED: Final = (None, None)


class State(NamedTuple):
    """A match between two verbs. Its repr leaves the maze out: that is hashed every turn and the
    maze never changes."""

    maze: Maze
    now: Position
    sealed: tuple[Move | None, Move | None] = NONE_SEALED
    """The open turn's moves, hidden from every viewer until it closes."""
    tally: tuple[int, ...] = (0,) * 12
    """How often each deed was done: the Rat's six, then the Python's."""
    collected: tuple[int, ...] = ()
    """The cells whose cheese was taken last turn, sorted."""
    silent: tuple[Seat, ...] = ()
    """The seats that owed last turn a move and gave none."""

    def __repr__(self) -> str:
        # as `f"State{self[1:]!r}"` writes it, in less than half the time
        maze, now, sealed, tally, collected, silent = self
        cheese = maze.repr_of(now[CHEESE])
        return _REPR % (*now[:CHEESE], cheese, sealed, *tally, collected, silent)


_REPR: Final = f"State(({'%d, ' * 15}%s), %r, ({', '.join(['%d'] * 12)}), %r, %r)"


as_state: Final[Callable[[tuple[Any, ...]], State]] = partial(tuple.__new__, State)
"""A state of all its fields in their order, in half the time that `State` takes."""


def maze_of(
    board: Board,
    *,
    total_cheese: int,
    max_turns: int,
    mud_timing: Literal["exact", "plus_one"] = "exact",
) -> Maze:
    """The maze of a map and the limits that a match adds."""

    def number(cell: Cell) -> int:
        return cell[0] * board.height + cell[1]

    return Maze(
        board.width,
        board.height,
        border_costs(
            board.width,
            board.height,
            ((number(one), number(other)) for one, other in board.walls),
            ((number(one), number(other), cost) for one, other, cost in board.mud),
        ),
        total_cheese,
        max_turns,
        mud_timing,
    )


def border_costs(
    width: int, height: int, walls: Iterable[Border], mud: Iterable[tuple[int, int, int]]
) -> bytes:
    """What a maze with these walls and this mud is made of; each has the smaller cell first."""
    costs = dict.fromkeys(grid_of(width, height).borders, FREE)
    for wall in walls:
        costs[wall] = CLOSED
    for one, other, cost in mud:
        costs[one, other] = cost
    return bytes(costs.values())


def opening(maze: Maze, rat: Cell, python: Cell, cheese: Iterable[Cell]) -> Position:
    """Turn 0: both free on their start cells, no points, this cheese."""
    return position(0, standing(maze.cell(*rat)), standing(maze.cell(*python)), maze.cheese(cheese))


def standing(cell: int, *, mud: int = 0, half_points: int = 0, misses: int = 0) -> Body:
    """A player that has done nothing yet."""
    return Body(cell, mud, NOWHERE, half_points, misses, STAY, NOTHING)
