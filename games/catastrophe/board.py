"""Maps: reading them, writing them, and saying what is wrong with one (RULES §4)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from games.catastrophe.rules import (
    CAT,
    JOBS,
    LARGEST,
    MONUMENT,
    NEUTRAL,
    SEATS,
    SHELTER,
    SMALLEST_HEIGHT,
    SMALLEST_WIDTH,
    WALL,
)
from games.core.contract import BadSetup, Json, Seat

Place: TypeAlias = tuple[int, int]
"""x, y."""


class TilePlan(NamedTuple):
    """A tile that is not bare."""

    x: int
    y: int
    harvest_rate: int = 0
    turns_to_harvest: int = 0
    food: int = 0
    materials: int = 0


class StructurePlan(NamedTuple):
    """A structure; without `materials` it has those of a new one."""

    type: str
    owner: Seat | None
    x: int
    y: int
    materials: int | None = None


class UnitPlan(NamedTuple):
    """A unit; without `energy` and `moves` it is rested."""

    job: str
    owner: Seat | None
    x: int
    y: int
    energy: float | None = None
    moves: int | None = None
    acted: bool = False
    food: int = 0
    materials: int = 0
    starving: bool = False
    turns_to_die: int = -1
    movement_target: Place | None = None


Plan: TypeAlias = TilePlan | StructurePlan | UnitPlan


@dataclass(frozen=True, slots=True)
class Board:
    """A map, read: valid, its lists in the map's order, which is that of the ids."""

    width: int
    height: int
    tiles: tuple[TilePlan, ...]
    structures: tuple[StructurePlan, ...]
    units: tuple[UnitPlan, ...]


def board(text: str) -> Board:
    """A map file, read and judged. Raises BadSetup with the first fault in the order of RULES
    §4."""
    try:
        raw = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise BadSetup(
            "bad_map", "expected a map as JSON, got something else", field="map"
        ) from None
    return from_json(raw)


def from_json(raw: Json) -> Board:
    """A map from what its JSON says. Raises BadSetup."""
    if not isinstance(raw, dict):
        raise _fault(
            "bad_map",
            "expected an object with width, height, tiles, structures and units, got something "
            "else",
        )
    if surplus := sorted(raw.keys() - {"width", "height", *_LISTS}):
        raise _fault(
            "bad_map", f"expected width, height, {', '.join(_LISTS)}, got {_said(surplus[0])} too"
        )
    width, height = (
        _size(side, raw.get(side), least)
        for side, least in (("width", SMALLEST_WIDTH), ("height", SMALLEST_HEIGHT))
    )
    read: dict[str, list[Any]] = {}
    for name, (code, plan, fields, needed) in _LISTS.items():
        entries = raw.get(name)
        if not isinstance(entries, list):
            raise _fault("bad_map", f"{name}: expected a list, got {_said(entries)}")
        read[name] = [
            _entry(f"{name}[{index}]", code, entry, plan, fields, needed, width, height)
            for index, entry in enumerate(entries)
        ]
    made = Board(
        width, height, tuple(read["tiles"]), tuple(read["structures"]), tuple(read["units"])
    )
    judge(made)
    return made


def judge(board: Board) -> None:
    """What concerns several entries, or a whole map. Raises BadSetup."""
    _judge_units(board)
    _judge_places(board)
    for seat in range(SEATS):
        own = [unit for unit in board.units if unit.owner == seat]
        cats = [unit for unit in own if unit.job == CAT]
        if len(cats) != 1:
            raise _fault(
                "bad_overlord", f"units: expected one {CAT} of seat {seat}, got {len(cats)}"
            )
        shelters = {
            (one.x, one.y) for one in board.structures if (one.type, one.owner) == (SHELTER, seat)
        }
        if (cats[0].x, cats[0].y) not in shelters:
            raise _fault(
                "bad_overlord",
                f"units: expected the {CAT} of seat {seat} on a shelter of that seat",
            )
        if len(own) == 1:
            raise _fault(
                "no_humans", f"units: expected at least one human of seat {seat}, got none"
            )
    for name, plans in (
        ("tiles", board.tiles),
        ("structures", board.structures),
        ("units", board.units),
    ):
        there = {_key(plan) for plan in plans}
        for index, plan in enumerate(plans):
            if _key(turned(plan, board.width, board.height)) not in there:
                why = (
                    f"{name}[{index}]: expected its like, seats swapped, on the tile half a turn "
                    "around the centre"
                )
                raise _fault("not_symmetric", why)


def turned(plan: Any, width: int, height: int) -> Any:
    """An entry as it lies after half a turn of the map, the seats swapped."""
    changes: dict[str, Any] = {"x": width - 1 - plan.x, "y": height - 1 - plan.y}
    if getattr(plan, "owner", None) is not None:
        changes["owner"] = 1 - plan.owner
    if getattr(plan, "movement_target", None) is not None:
        x, y = plan.movement_target
        changes["movement_target"] = (width - 1 - x, height - 1 - y)
    return plan._replace(**changes)


def written(board: Board) -> str:
    """A map's text, an entry a line; what has its start value is left out."""
    lists = []
    for name, (_, _, _, needed) in _LISTS.items():
        lines = ",\n".join(f"  {_written(plan, needed)}" for plan in getattr(board, name))
        lists.append(f' "{name}": [\n{lines}\n ]' if lines else f' "{name}": []')
    return (
        f'{{\n "width": {board.width},\n "height": {board.height},\n' + ",\n".join(lists) + "\n}\n"
    )


def _written(plan: Any, needed: Sequence[str]) -> str:
    fields = {
        name: value
        for name, value in plan._asdict().items()
        if name in needed or value != plan._field_defaults.get(name)
    }
    if fields.get("owner", 0) is None:
        del fields["owner"]
    return json.dumps(fields)


def _judge_units(board: Board) -> None:
    for index, unit in enumerate(board.units):
        where = f"units[{index}]"
        limit = JOBS[unit.job].carry_limit
        if unit.food + unit.materials > limit:
            raise _fault(
                "bad_unit",
                f"{where}: expected at most {limit} carried, got {unit.food + unit.materials}",
            )
        if unit.owner is None and unit.job == CAT:
            raise _fault("bad_unit", f"{where}: expected a {CAT} with an owner")
        if unit.owner is not None and (unit.turns_to_die != -1 or unit.movement_target is not None):
            raise _fault(
                "bad_unit",
                f"{where}: expected turns_to_die and movement_target of neutral units only",
            )
        if unit.turns_to_die == 0:
            raise _fault("bad_unit", f"{where}.turns_to_die: expected -1, or 1 or more, got 0")
        if unit.movement_target is not None and unit.movement_target[1] != unit.y:
            raise _fault("bad_unit", f"{where}.movement_target: expected a tile of its row")
    for index, structure in enumerate(board.structures):
        if (structure.type == NEUTRAL) is not (structure.owner is None):
            why = (
                f"structures[{index}].owner: expected a seat, and none for a neutral structure; "
                f"got {structure.owner}"
            )
            raise _fault("bad_structure", why)


def _judge_places(board: Board) -> None:
    lists: tuple[tuple[str, Sequence[Plan]], ...] = (
        ("tiles", board.tiles),
        ("structures", board.structures),
        ("units", board.units),
    )
    road = (board.height // 2 - 1, board.height // 2)
    for name, plans in lists[:2]:
        for index, plan in enumerate(plans):
            if plan.y in road:
                raise _fault(
                    "on_road",
                    f"{name}[{index}]: expected nothing but units in the rows {road[0]} and "
                    f"{road[1]}",
                )
    for name, plans in lists:
        seen: set[Place] = set()
        for index, plan in enumerate(plans):
            if (plan.x, plan.y) in seen:
                raise _fault(
                    f"duplicate_{name[:-1]}",
                    f"{name}[{index}]: [{plan.x}, {plan.y}] is listed already",
                )
            seen.add((plan.x, plan.y))


def _key(plan: Any) -> Any:
    """What makes two entries alike: everything; a number may be written as a fraction."""
    return tuple(plan)


Reads: TypeAlias = Callable[[Any, int, int], bool]
"""Whether a value is one of this field, on a map of this width and height."""


def _whole_field(low: int, high: int = 10**6) -> tuple[str, Reads]:
    return f"a whole number, {low} to {high}", lambda value, width, height: _is_whole(
        value, low, high
    )


def _word_field(words: Sequence[str]) -> tuple[str, Reads]:
    return (
        f"one of {', '.join(words)}",
        lambda value, width, height: isinstance(value, str) and value in words,
    )


_X: Final = ("a column of the map", lambda value, width, height: _is_whole(value, 0, width - 1))
_Y: Final = ("a row of the map", lambda value, width, height: _is_whole(value, 0, height - 1))
_OWNER: Final = (
    "a seat or null",
    lambda value, width, height: value is None or _is_whole(value, 0, SEATS - 1),
)
_FLAG: Final = ("true or false", lambda value, width, height: isinstance(value, bool))
_ENERGY: Final = (
    f"a number, 0 to {10**6}",
    lambda value, width, height: (
        isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 10**6
    ),
)
_TARGET: Final = (
    "[x, y] of a tile of the map, or null",
    lambda value, width, height: (
        value is None
        or (
            isinstance(value, list)
            and len(value) == 2
            and _is_whole(value[0], 0, width - 1)
            and _is_whole(value[1], 0, height - 1)
        )
    ),
)

_Fields: TypeAlias = Mapping[str, tuple[str, Reads]]

_LISTS: Final[Mapping[str, tuple[str, type[Any], _Fields, tuple[str, ...]]]] = {
    "tiles": (
        "bad_tile",
        TilePlan,
        {
            "x": _X,
            "y": _Y,
            "harvest_rate": _whole_field(0),
            "turns_to_harvest": _whole_field(0),
            "food": _whole_field(0),
            "materials": _whole_field(0),
        },
        ("x", "y"),
    ),
    "structures": (
        "bad_structure",
        StructurePlan,
        {
            "type": _word_field((SHELTER, MONUMENT, WALL, NEUTRAL)),
            "owner": _OWNER,
            "x": _X,
            "y": _Y,
            "materials": _whole_field(1),
        },
        ("type", "x", "y"),
    ),
    "units": (
        "bad_unit",
        UnitPlan,
        {
            "job": _word_field(tuple(JOBS)),
            "owner": _OWNER,
            "x": _X,
            "y": _Y,
            "energy": _ENERGY,
            "moves": _whole_field(0),
            "acted": _FLAG,
            "food": _whole_field(0),
            "materials": _whole_field(0),
            "starving": _FLAG,
            "turns_to_die": _whole_field(-1),
            "movement_target": _TARGET,
        },
        ("job", "x", "y"),
    ),
}
"""The lists of a map: the code of a faulty entry, what an entry becomes, its fields, and those of
them that it must have."""


def _entry(
    where: str,
    code: str,
    raw: Any,
    plan: type[Any],
    fields: _Fields,
    needed: Sequence[str],
    width: int,
    height: int,
) -> Any:
    if not isinstance(raw, dict):
        raise _fault(code, f"{where}: expected an object, got {_said(raw)}")
    if surplus := sorted(raw.keys() - fields.keys()):
        raise _fault(code, f"{where}: expected {', '.join(fields)}, got {_said(surplus[0])}")
    for name in needed:
        if name not in raw:
            raise _fault(code, f"{where}.{name}: expected {fields[name][0]}, got nothing")
    for name, value in raw.items():
        expected, reads = fields[name]
        if not reads(value, width, height):
            raise _fault(code, f"{where}.{name}: expected {expected}, got {_said(value)}")
    values = {
        name: tuple(value) if isinstance(value, list) else value for name, value in raw.items()
    }
    if "owner" in fields:
        values.setdefault("owner", None)
    return plan(**values)


def _size(side: str, value: Any, least: int) -> int:
    if not _is_whole(value, least, LARGEST) or value % 2:
        raise _fault(
            "bad_size", f"{side}: expected an even number, {least} to {LARGEST}, got {_said(value)}"
        )
    return int(value)


def _fault(code: str, why: str) -> BadSetup:
    return BadSetup(code, why, field="map")


def _is_whole(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _no_number(text: str) -> Json:
    raise ValueError(f"{text} is no number of JSON")


def _said(value: Any) -> str:
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        text = type(value).__name__
    return text if len(text) <= 60 else f"{text[:57]}..."
