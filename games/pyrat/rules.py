"""Every number of the game: its parameters, the named bundles, and what a configuration must hold
(RULES §2, §9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from games.core.contract import BadSetup, Json, Pacing
from games.core.parameters import (
    choice,
    flag,
    free,
    milliseconds,
    number,
    rule_set,
    seed_part,
    whole,
)
from games.pyrat.board import (
    CHEAPEST_MUD,
    DEAREST_MUD,
    LARGEST,
    SMALLEST,
    Cell,
    Mud,
    Wall,
    judge_cheese,
    judge_connection,
    judge_maze,
    judge_starts,
)

CONFIG_ERRORS: Final = (
    "bad_flag",
    "bad_choice",
    "bad_seed",
    "bad_time",
    "unknown_preset",
    "unknown_option",
    "bad_dimensions",
    "bad_max_turns",
    "bad_mud_timing",
    "bad_density",
    "bad_mud_range",
    "bad_position",
    "bad_wall",
    "duplicate_wall",
    "bad_mud",
    "duplicate_mud",
    "mud_on_wall",
    "not_connected",
    "bad_cheese",
    "duplicate_cheese",
    "bad_cheese_count",
    "cheese_parity",
    "cheese_center_blocked",
)

CHEESE: Final = 41
"""How many cheese there are by default on a board that is large enough."""
START_POSITIONS: Final = ("corners", "random_symmetric", "random")

_MEDIUM: Final[dict[str, Json]] = {"width": 21, "height": 15, "cheese_count": 41, "max_turns": 300}

PRESETS: Final[dict[str, dict[str, Json]]] = {
    "tiny": {"width": 11, "height": 9, "cheese_count": 13, "max_turns": 150},
    "small": {"width": 15, "height": 13, "cheese_count": 21, "max_turns": 200},
    "medium": _MEDIUM,
    "default": _MEDIUM,
    "large": {"width": 31, "height": 21, "cheese_count": 85, "max_turns": 400},
    "huge": {"width": 41, "height": 31, "cheese_count": 165, "max_turns": 500},
    "open": _MEDIUM | {"wall_density": 0.0, "mud_density": 0.0, "mud_range": 2},
    "asymmetric": _MEDIUM | {"symmetric": False},
    "no_mud": _MEDIUM | {"mud_density": 0.0},
    "swamp": _MEDIUM | {"mud_density": 0.4, "mud_range": 10},
    "classic_v1": _MEDIUM | {"mud_range": 10, "max_turns": 2000},
}

RULE_SETS: Final[dict[str, dict[str, Json]]] = {"contest": {}, "document": {}}

TIME_CONTROLS: Final[dict[str, dict[str, Json]]] = {
    "standard": {"move_timeout_ms": 1000, "preprocessing_timeout_ms": 10_000},
    "ladder": {"move_timeout_ms": 200, "preprocessing_timeout_ms": 2000},
    "classic": {"move_timeout_ms": 100, "preprocessing_timeout_ms": 3000},
    "relaxed": {"move_timeout_ms": 3000, "preprocessing_timeout_ms": 10_000},
    "analysis": {"move_timeout_ms": 0, "preprocessing_timeout_ms": 0},
}

ABANDONED_AFTER_MS: Final = 60_000
"""Lenient: how long both seats may be away before the match ends."""
HUMAN_TURN_MS: Final = 120_000
"""A person thinks longer than a bot; no limit for bots means none for people (RULES §9)."""
CONSTANT_FIELDS: Final = ("maze",)

_CELL: Final[dict[str, Json]] = {
    "type": "array",
    "prefixItems": [{"type": "integer"}] * 2,
    "minItems": 2,
    "maxItems": 2,
}
_WALL: Final[dict[str, Json]] = {
    "type": "array",
    "prefixItems": [_CELL, _CELL],
    "minItems": 2,
    "maxItems": 2,
}
_MUD_COST: Final[dict[str, Json]] = {
    "type": "integer",
    "minimum": CHEAPEST_MUD,
    "maximum": DEAREST_MUD,
}
_MUD: Final[dict[str, Json]] = {
    "type": "array",
    "prefixItems": [_CELL, _CELL, _MUD_COST],
    "minItems": 3,
    "maxItems": 3,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The configuration of a match (RULES §2). Explicit walls or mud replace the generated maze."""

    rules: Literal["contest", "document"] = rule_set(
        "contest", RULE_SETS, "The document says what the contest's program plays"
    )
    preset: str | None = choice(
        None,
        "a named bundle of parameters; single ones override it",
        tuple(PRESETS),
        code="unknown_preset",
    )
    width: int = whole(21, "board width, cells", low=SMALLEST, high=LARGEST, code="bad_dimensions")
    height: int = whole(
        15, "board height, cells", low=SMALLEST, high=LARGEST, code="bad_dimensions"
    )
    max_turns: int = whole(300, "turn limit", low=1, high=100_000, code="bad_max_turns")
    cheese_count: int = free(
        None,
        "number of cheese, 1 to width*height; null: 41, or fewer where these do not fit the board",
        {"type": "integer", "minimum": 1, "maximum": LARGEST**2},
    )
    cheese_symmetric: bool = flag(None, "mirror the cheese by 180 degrees; null: as `symmetric`")
    cheese: tuple[Cell, ...] | None = free(
        None,
        "the cells with cheese, instead of a number of them",
        {"type": "array", "items": _CELL},
        instead_of="cheese_count",
    )
    symmetric: bool = flag(True, "mirror walls and mud by 180 degrees")
    connected: bool = flag(True, "every cell can be reached from every other")
    wall_density: float = number(
        0.7,
        "probability that a border is a wall before the board is connected",
        low=0,
        high=1,
        code="bad_density",
    )
    mud_density: float = number(
        0.1, "probability that a passage is muddy", low=0, high=1, code="bad_density"
    )
    mud_min: int = whole(
        2, "smallest cost of mud, turns", low=CHEAPEST_MUD, high=DEAREST_MUD, code="bad_mud_range"
    )
    mud_range: int = whole(
        3, "largest cost of mud, turns", low=CHEAPEST_MUD, high=DEAREST_MUD, code="bad_mud_range"
    )
    walls: tuple[Wall, ...] | None = free(
        None, "an explicit maze: its walls", {"type": "array", "items": _WALL}
    )
    mud: tuple[Mud, ...] | None = free(
        None, "an explicit maze: its mud", {"type": "array", "items": _MUD}
    )
    start_positions: str = free(
        "corners", "where the players start", {"enum": list(START_POSITIONS)}
    )
    rat_start: Cell | None = free(None, "the Rat's start cell; both starts or none", _CELL)
    python_start: Cell | None = free(None, "the Python's start cell; both starts or none", _CELL)
    mud_timing: Literal["exact", "plus_one"] = choice(
        "exact",
        "exact: mud of cost N takes N turns; plus_one: N+1",
        ("exact", "plus_one"),
        code="bad_mud_timing",
    )
    maze_seed: int | None = seed_part("fixes walls and mud")
    cheese_seed: int | None = seed_part("fixes the cheese")
    players_seed: int | None = seed_part("fixes random start cells")
    time_control: str = choice(
        "standard", "named thinking times; single ones override them", tuple(TIME_CONTROLS)
    )
    move_timeout_ms: int = milliseconds(1000, "thinking time per turn, ms; 0: no limit")
    preprocessing_timeout_ms: int = milliseconds(10_000, "thinking time before turn 1, ms; 0: none")
    network_grace_ms: int = milliseconds(50, "extra time for delivery on top of both, ms")
    startup_timeout_ms: int = milliseconds(30_000, "time to connect and say ready, ms")
    fault_policy: Literal["lenient", "strict"] = choice(
        "lenient",
        "lenient: an absent seat stays in place; strict: it forfeits",
        ("lenient", "strict"),
    )
    maze_every_turn: bool = flag(
        True, "tell the maze in every view; false: in the start message only"
    )

    def __post_init__(self) -> None:
        if self.cheese_symmetric is None:
            object.__setattr__(self, "cheese_symmetric", self.symmetric)
        if self.cheese_count is None:
            given = isinstance(self.cheese, tuple)
            count = len(self.cheese or ()) if given else self._fitting_count()
            object.__setattr__(self, "cheese_count", count)

    def _fitting_count(self) -> int:
        """CHEESE, or half of a board with fewer cells; even where symmetric cheese has to be."""
        count = CHEESE if self.cells >= CHEESE else max(1, self.cells // 2)
        if count % 2 and self.cheese_symmetric and self.lonely_cell is None:
            count = max(2, count - 1)
        return count

    @property
    def lonely_cell(self) -> Cell | None:
        """The cell that is its own mirror image, unless a player starts there."""
        centre = (self.width // 2, self.height // 2)
        free = self.cells % 2 and centre not in (self.rat_start, self.python_start)
        return centre if free else None

    @property
    def cells(self) -> int:
        return self.width * self.height

    @property
    def explicit(self) -> bool:
        """The maze is given, not generated."""
        return self.walls is not None or self.mud is not None


def check_rules(rules: Rules) -> None:
    """What concerns several parameters, in the order of the codes. Raises BadSetup."""
    if rules.mud_min > rules.mud_range:
        why = f"mud_min: expected at most mud_range ({rules.mud_range}), got {rules.mud_min}"
        raise BadSetup(
            "bad_mud_range",
            why,
            field="mud_min",
            allowed={"minimum": CHEAPEST_MUD, "maximum": rules.mud_range},
        )
    judge_starts(rules.width, rules.height, rules.rat_start, rules.python_start)
    if rules.start_positions not in START_POSITIONS:
        expected = f"expected one of {', '.join(START_POSITIONS)}"
        why = f"start_positions: {expected}, got {rules.start_positions!r}"
        raise BadSetup("bad_position", why, field="start_positions", allowed=list(START_POSITIONS))
    if rules.explicit:
        walls = () if rules.walls is None else rules.walls
        judge_maze(rules.width, rules.height, walls, () if rules.mud is None else rules.mud)
        if rules.connected:
            judge_connection(rules.width, rules.height, walls)
    if rules.cheese is not None:
        judge_cheese(rules.width, rules.height, rules.cheese)
    _check_cheese_count(rules)


def _check_cheese_count(rules: Rules) -> None:
    count: Any = rules.cheese_count
    allowed = {"type": "integer", "minimum": 1, "maximum": rules.cells}
    if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= rules.cells:
        why = f"cheese_count: expected a whole number, 1 to {rules.cells}, got {count!r}"
        raise BadSetup("bad_cheese_count", why, field="cheese_count", allowed=allowed)
    if rules.cheese is not None:
        if count != len(rules.cheese):
            listed = len(rules.cheese)
            why = f"cheese_count: expected nothing or {listed}, the length of `cheese`, got {count}"
            raise BadSetup("bad_cheese_count", why, field="cheese_count", allowed=[listed])
        return
    if not (rules.cheese_symmetric and count % 2):
        return
    even = allowed | {"multipleOf": 2}
    if rules.cells % 2 == 0:
        board = f"a {rules.width}x{rules.height} board has no centre cell"
        why = f"cheese_count: expected an even number, as {board}, got {count}"
        raise BadSetup("cheese_parity", why, field="cheese_count", allowed=even)
    starts = {rules.rat_start, rules.python_start} - {None}
    centre = (rules.width // 2, rules.height // 2)
    free_cells = rules.cells - len(starts)
    if centre in starts and count <= free_cells:
        start = f"a player starts on the centre cell {list(centre)}"
        why = f"cheese_count: expected an even number, as {start}, got {count}"
        raise BadSetup("cheese_center_blocked", why, field="cheese_count", allowed=even)


def pacing(rules: Rules) -> Pacing:
    """A turn lock; silence is a STAY and never costs the match (RULES §9)."""
    strict = rules.fault_policy == "strict"
    return Pacing(
        startup_ms=rules.startup_timeout_ms,
        preprocessing_ms=rules.preprocessing_timeout_ms,
        turn_ms=rules.move_timeout_ms,
        human_turn_ms=HUMAN_TURN_MS if rules.move_timeout_ms else 0,
        grace_ms=rules.network_grace_ms,
        late_ready="forfeits" if strict else "plays",
        absence="forfeits" if strict else "plays",
        absence_ms=ABANDONED_AFTER_MS,
    )


def start_only(rules: Rules) -> tuple[str, ...]:
    """A parameter decides whether the maze, which never changes, is sent every turn (RULES §7)."""
    return () if rules.maze_every_turn else CONSTANT_FIELDS
