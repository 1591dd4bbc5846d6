"""Catastrophe as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Final

import numpy as np

from botarena.env._encoding import Array, ArrayObservation, vector
from games.catastrophe.actions import BUILDABLE
from games.catastrophe.legal import RESOURCES
from games.catastrophe.rules import JOBS, MONUMENT, NEUTRAL, SHELTER, WALL
from games.core.contract import Json, Seat

SIDES: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""North, east, south, west."""
REACH: Final = (*SIDES, (0, 0))
TYPES: Final = (SHELTER, MONUMENT, WALL, NEUTRAL)
UNIT: Final = ("energy", "moves", "acted", "food", "materials", "starving", "turns_to_die")
TILE: Final = ("harvest_rate", "turns_to_harvest", "food", "materials")
VARIANTS: Final = (
    *(("move", *side, "") for side in SIDES),
    *(("attack", *side, "") for side in SIDES),
    *(("convert", *side, "") for side in SIDES),
    *(("deconstruct", *side, "") for side in REACH),
    *(("harvest", *side, "") for side in REACH),
    *(("construct", *side, kind) for side, kind in product(SIDES, BUILDABLE)),
    *(("pickup", *side, kind) for side, kind in product(REACH, RESOURCES)),
    *(("drop", *side, kind) for side, kind in product(REACH, RESOURCES)),
    *(("change_job", 0, 0, job) for job in JOBS),
    ("rest", 0, 0, ""),
)
"""The commands of a unit: name, x and y relative to it, and the word."""
NUMBER: Final = {variant: number for number, variant in enumerate(VARIANTS)}
WORDS: Final = {"construct": "type", "pickup": "resource", "drop": "resource", "change_job": "job"}
END_TURN: Final = {"cmd": "end_turn"}


class Catastrophe:
    """`board` (36, height, width): units of the seat, of the enemy and neutral ones, by each of
    six jobs; of the unit there energy, moves, acted, food, materials, starving and turns to die;
    each of four types of structure, its owner (1 the seat, -1 the enemy) and its materials;
    harvest rate, turns to harvest, food and materials of the tile; road. `numbers` (6): turn, own
    turn, food of the two, upkeep of the two.

    Actions: end_turn; then for each tile, row by row, the 61 commands that a unit there may get
    (`VARIANTS`)."""

    def __init__(self, views: list[Json]) -> None:
        plan = views[0]["map"]
        self._width: int = plan["width"]
        self.actions = 1 + plan["width"] * plan["height"] * len(VARIANTS)
        planes = 3 * len(JOBS) + len(UNIT) + len(TYPES) + 2 + len(TILE) + 1
        self.shapes: Mapping[str, tuple[int, ...]] = {
            "board": (planes, plan["height"], plan["width"]),
            "numbers": (6,),
        }

    def observe(self, view: Json, seat: Seat) -> ArrayObservation:
        board: Array = np.zeros(self.shapes["board"], np.float32)
        jobs, owners = list(JOBS), (seat, 1 - seat, None)
        first = 3 * len(jobs)
        for unit in view["units"]:
            x, y = unit["x"], unit["y"]
            board[owners.index(unit["owner"]) * len(jobs) + jobs.index(unit["job"]), y, x] = 1
            board[first : first + len(UNIT), y, x] = [unit[name] for name in UNIT]
        first += len(UNIT)
        for built in view["structures"]:
            x, y, owner = built["x"], built["y"], built["owner"]
            board[first + TYPES.index(built["type"]), y, x] = 1
            board[first + len(TYPES), y, x] = 0 if owner is None else 1 if owner == seat else -1
            board[first + len(TYPES) + 1, y, x] = built["materials"]
        first += len(TYPES) + 2
        for tile in view["tiles"]:
            board[first : first + len(TILE), tile["y"], tile["x"]] = [tile[name] for name in TILE]
        board[-1, view["map"]["road_rows"]] = 1
        me, enemy = view["players"][seat], view["players"][1 - seat]
        numbers = (view["turn"], view["current_player"] == seat, me["food"], enemy["food"])
        return {"board": board, "numbers": vector((*numbers, me["upkeep"], enemy["upkeep"]))}

    def command(self, view: Json, action: int) -> Json:
        if action == 0:
            return END_TURN
        cell, variant = divmod(action - 1, len(VARIANTS))
        y, x = divmod(cell, self._width)
        name, dx, dy, word = VARIANTS[variant]
        for unit in view["units"]:
            if (unit["x"], unit["y"]) == (x, y):
                said = {} if name in ("change_job", "rest") else {"x": x + dx, "y": y + dy}
                words = {WORDS[name]: word} if word else {}
                return {"cmd": name, "unit": unit["id"], **said, **words}
        return None

    def numbers(self, view: Json, commands: Iterable[Json]) -> list[int]:
        places = {unit["id"]: (unit["x"], unit["y"]) for unit in view["units"]}
        return [self._number(places, command) for command in commands]

    def _number(self, places: Mapping[int, tuple[int, int]], command: Json) -> int:
        name = command["cmd"]
        if name == "end_turn":
            return 0
        x, y = places[command["unit"]]
        dx, dy = command.get("x", x) - x, command.get("y", y) - y
        variant = NUMBER[name, dx, dy, command.get(WORDS.get(name, ""), "")]
        return 1 + (x + y * self._width) * len(VARIANTS) + variant
