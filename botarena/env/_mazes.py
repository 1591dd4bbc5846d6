"""PyRat and Zooscape as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from botarena.env._encoding import Array, ArrayObservation, FixedActions, vector
from games.core.contract import Json, Seat
from games.pyrat.board import DELTAS, MOVES
from games.pyrat.state import ROLES
from games.zooscape.board import DIGITS
from games.zooscape.commands import ACTIONS

POWER_UPS: Final = ("power_pellet", "chameleon_cloak", "scavenger", "big_moose_juice")
IDLE_FIRST: Final = ("idle", "up", "down", "left", "right")


class PyRat(FixedActions):
    """`board` (7, width, height): the cost of a step up, right, down and left, 0 where it is
    closed; cheese; the seat; its opponent. `numbers` (6): turns of mud of the two, scores of the
    two, turn, last turn. Actions: UP, RIGHT, DOWN, LEFT, STAY."""

    def __init__(self, views: list[Json]) -> None:
        super().__init__(MOVES)
        maze = views[0]["maze"]
        self.shapes: Mapping[str, tuple[int, ...]] = {
            "board": (3 + len(DELTAS), maze["width"], maze["height"]),
            "numbers": (6,),
        }
        self._costs: dict[Seat, tuple[Json, Array]] = {}
        """By seat, whose views all have the same maze: what was made of it."""

    def observe(self, view: Json, seat: Seat) -> ArrayObservation:
        maze, costs = self._costs.get(seat, (None, None))
        if maze is not view["maze"]:
            maze, costs = self._costs[seat] = view["maze"], _costs(view["maze"])
        board = np.zeros(self.shapes["board"], np.float32)
        board[:4] = costs
        for x, y in view["cheese"]:
            board[4, x, y] = 1
        me, other = view[ROLES[seat]], view[ROLES[1 - seat]]
        board[5][tuple(me["position"])] = 1
        board[6][tuple(other["position"])] = 1
        numbers = (me["mud_turns"], other["mud_turns"], me["score"], other["score"])
        return {
            "board": board,
            "numbers": vector((*numbers, view["turn"], view["max_turns"])),
        }


def _costs(maze: Json) -> Array:
    """Per direction and cell: the turns that a step takes, 0 where it is closed."""
    width, height = maze["width"], maze["height"]
    costs = np.ones((len(DELTAS), width, height), np.float32)
    for move, (dx, dy) in enumerate(DELTAS):
        for x in range(width):
            for y in range(height):
                if not (0 <= x + dx < width and 0 <= y + dy < height):
                    costs[move, x, y] = 0
    for (x, y), (x2, y2), cost in (*((a, b, 0) for a, b in maze["walls"]), *maze["mud"]):
        costs[DELTAS.index((x2 - x, y2 - y)), x, y] = cost
        costs[DELTAS.index((x - x2, y - y2)), x2, y2] = cost
    return costs


class Zooscape(FixedActions):
    """`board` (12, height, width): one plane for each digit of the map, 0 to 8; the seat's animal;
    the number of other animals; the number of zookeepers. `numbers` (21): tick, last tick, score,
    best score of the others, captures, streak multiplier, queue length, viable; the direction as
    one of five; the power-up held and the one that works as one of four each. Actions: up, down,
    left, right, use_item, skip."""

    def __init__(self, views: list[Json]) -> None:
        super().__init__([{"action": name} for name in ACTIONS])
        self.shapes: Mapping[str, tuple[int, ...]] = {
            "board": (len(DIGITS) + 3, views[0]["height"], views[0]["width"]),
            "numbers": (21,),
        }

    def observe(self, view: Json, seat: Seat) -> ArrayObservation:
        board = np.zeros(self.shapes["board"], np.float32)
        digits = np.frombuffer("".join(view["map"]).encode(), np.uint8).reshape(board.shape[1:])
        for plane, digit in enumerate(DIGITS.encode()):
            board[plane] = digits == digit
        you = view["you"]
        me = view["animals"][seat]
        others = [animal for animal in view["animals"] if animal is not me]
        board[9, me["y"], me["x"]] = 1
        for animal in others:
            board[10, animal["y"], animal["x"]] += 1
        for zookeeper in view["zookeepers"]:
            board[11, zookeeper["y"], zookeeper["x"]] += 1
        best = max((animal["score"] for animal in others), default=0)
        held, active = me["held_power_up"], me["active_power_up"]
        numbers = (view["tick"], view["max_ticks"], me["score"], best, me["captured_count"])
        return {
            "board": board,
            "numbers": vector(
                (
                    *numbers,
                    you["streak_multiplier"],
                    you["queue_length"],
                    me["is_viable"],
                    *(you["direction"] == name for name in IDLE_FIRST),
                    *(held == kind for kind in POWER_UPS),
                    *(active is not None and active["kind"] == kind for kind in POWER_UPS),
                )
            ),
        }
