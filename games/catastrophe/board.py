"""Maps: reading them, writing them, and saying what is wrong with one (RULES §4)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.catastrophe.entries import (
    KINDS,
    Place,
    Plan,
    StructurePlan,
    TilePlan,
    UnitPlan,
    fault,
    is_whole,
    read,
    shown,
)
from games.catastrophe.entries import written as written_entry
from games.catastrophe.rules import (
    CAT,
    JOBS,
    LARGEST,
    NEUTRAL,
    SEATS,
    SHELTER,
    SMALLEST_HEIGHT,
    SMALLEST_WIDTH,
)
from games.core.contract import Json


@dataclass(frozen=True, slots=True)
class Board:
    """A map, read: valid, its lists in the map's order, which is that of the ids."""

    width: int
    height: int
    tiles: tuple[TilePlan, ...]
    structures: tuple[StructurePlan, ...]
    units: tuple[UnitPlan, ...]

    @property
    def lists(self) -> dict[str, Sequence[Plan]]:
        return {"tiles": self.tiles, "structures": self.structures, "units": self.units}


def parse_board(text: str) -> Board:
    """Read and judge a map file. Raises BadSetup with the first fault in the order of RULES §4."""
    try:
        raw = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise fault("bad_map", "expected a map as JSON, got something else") from None
    return from_json(raw)


def from_json(raw: Json) -> Board:
    """A map from what its JSON says. Raises BadSetup."""
    expected = ", ".join(("width", "height", *KINDS))
    if not isinstance(raw, dict):
        raise fault("bad_map", f"expected an object with {expected}, got something else")
    if surplus := sorted(raw.keys() - {"width", "height", *KINDS}):
        raise fault("bad_map", f"expected {expected}, got {shown(surplus[0])} too")
    width = _size("width", raw.get("width"), SMALLEST_WIDTH)
    height = _size("height", raw.get("height"), SMALLEST_HEIGHT)
    lists: dict[str, tuple[Any, ...]] = {}
    for name, kind in KINDS.items():
        entries = raw.get(name)
        if not isinstance(entries, list):
            raise fault("bad_map", f"{name}: expected a list, got {shown(entries)}")
        lists[name] = tuple(
            read(f"{name}[{index}]", entry, kind, width, height)
            for index, entry in enumerate(entries)
        )
    made = Board(width, height, **lists)
    judge(made)
    return made


def judge(board: Board) -> None:
    """What concerns several entries, or a whole map. Raises BadSetup."""
    _judge_units(board)
    _judge_structures(board)
    _judge_places(board)
    for seat in range(SEATS):
        _judge_seat(board, seat)
    for name, plans in board.lists.items():
        there = set(plans)
        for index, plan in enumerate(plans):
            if turned(plan, board.width, board.height) not in there:
                why = "expected its like, seats swapped, on the tile half a turn around the centre"
                raise fault("not_symmetric", f"{name}[{index}]: {why}")


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
    parts = [f' "width": {board.width}', f' "height": {board.height}']
    for name, plans in board.lists.items():
        lines = ",\n".join(f"  {written_entry(plan, KINDS[name])}" for plan in plans)
        parts.append(f' "{name}": [\n{lines}\n ]' if lines else f' "{name}": []')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _judge_units(board: Board) -> None:
    for index, unit in enumerate(board.units):
        where = f"units[{index}]"
        limit, carried = JOBS[unit.job].carry_limit, unit.food + unit.materials
        neutral = unit.owner is None
        if carried > limit:
            raise fault("bad_unit", f"{where}: expected at most {limit} carried, got {carried}")
        if neutral and unit.job == CAT:
            raise fault("bad_unit", f"{where}: expected a {CAT} with an owner")
        if not neutral and (unit.turns_to_die != -1 or unit.movement_target is not None):
            why = "expected turns_to_die and movement_target of neutral units only"
            raise fault("bad_unit", f"{where}: {why}")
        if unit.turns_to_die == 0:
            raise fault("bad_unit", f"{where}.turns_to_die: expected -1, or 1 or more, got 0")
        if unit.movement_target is not None and unit.movement_target[1] != unit.y:
            raise fault("bad_unit", f"{where}.movement_target: expected a tile of its row")


def _judge_structures(board: Board) -> None:
    for index, structure in enumerate(board.structures):
        if (structure.type == NEUTRAL) is not (structure.owner is None):
            expected = "expected a seat, and none for a neutral structure"
            why = f"structures[{index}].owner: {expected}; got {structure.owner}"
            raise fault("bad_structure", why)


def _judge_places(board: Board) -> None:
    """Nothing but units on the road; no two entries of a list on one tile."""
    road = (board.height // 2 - 1, board.height // 2)
    for name in ("tiles", "structures"):
        for index, plan in enumerate(board.lists[name]):
            if plan.y in road:
                why = f"expected nothing but units in the rows {road[0]} and {road[1]}"
                raise fault("on_road", f"{name}[{index}]: {why}")
    for name, plans in board.lists.items():
        seen: set[Place] = set()
        for index, plan in enumerate(plans):
            if (plan.x, plan.y) in seen:
                why = f"{name}[{index}]: [{plan.x}, {plan.y}] is listed already"
                raise fault(f"duplicate_{name[:-1]}", why)
            seen.add((plan.x, plan.y))


def _judge_seat(board: Board, seat: int) -> None:
    own = [unit for unit in board.units if unit.owner == seat]
    cats = [unit for unit in own if unit.job == CAT]
    if len(cats) != 1:
        raise fault("bad_overlord", f"units: expected one {CAT} of seat {seat}, got {len(cats)}")
    shelters = {
        (one.x, one.y) for one in board.structures if (one.type, one.owner) == (SHELTER, seat)
    }
    if (cats[0].x, cats[0].y) not in shelters:
        why = f"units: expected the {CAT} of seat {seat} on a shelter of that seat"
        raise fault("bad_overlord", why)
    if len(own) == 1:
        raise fault("no_humans", f"units: expected at least one human of seat {seat}, got none")


def _size(side: str, value: Any, least: int) -> int:
    if not is_whole(value, least, LARGEST) or value % 2:
        why = f"{side}: expected an even number, {least} to {LARGEST}, got {shown(value)}"
        raise fault("bad_size", why)
    return int(value)


def _no_number(text: str) -> Json:
    raise ValueError(f"{text} is no number of JSON")
