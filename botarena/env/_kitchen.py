"""Carnegie Cookoff as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Final

import numpy as np

from botarena.env._encoding import Array, ArrayObservation, vector
from games.cookoff.actions import ACTIONS
from games.cookoff.rules import BY_SYMBOL, FOODS, PRICES, TEAMS
from games.cookoff.state import STEPS
from games.core.contract import Json, Seat

MOVES: Final = sorted(STEPS)
CELLS: Final = list(product((-1, 0, 1), repeat=2))
"""At and around a bot: x and y relative to it."""
DEEDS: Final = (
    *((kind, None) for kind in ACTIONS if kind != "buy"),
    *(("buy", item) for item in PRICES),
)
"""What a bot may do to a cell."""
EACH: Final = len(MOVES) + len(CELLS) * len(DEEDS)
"""Actions of a bot."""
TEAM_COMMANDS: Final = ({"type": "end_turn"}, {"type": "switch_maps"})
COUNTERS: Final = ("cook_progress", "num_dirty_plates", "num_clean_plates", "count")
ITEM: Final = len(FOODS) + 4
"""Numbers of an item."""
ORDERS: Final = 8


class Cookoff:
    """`kitchens` (2, 23, width, height), the seat's own kitchen first: each of the ten kinds of
    tile, in the order of RULES; the item there as nine numbers; the tile's counter; plates in
    work; the seat's bots, those of the other team. `bots` (bots, 14): x, y, whether it is away,
    has moved, has acted; what it holds as nine numbers. `orders` (2, 8, 8), the first eight that
    are active: how many of each of five foods, turns left, reward, penalty. `numbers` (9): turn,
    own turn, commands, money of the two teams, whether a switch is possible now, is used, whether
    the two teams are away.

    An item is nine numbers: how many of each of five foods, chopped ones, the sum of the stages,
    plate (1 clean, 2 dirty), pan. Smaller boards are filled up with 0.

    Actions: end_turn, switch_maps; then for each of the seat's bots the eight steps and, for each
    of the nine cells at and around it, the eleven actions without an argument and `buy` of each of
    seven goods."""

    def __init__(self, views: list[Json]) -> None:
        self._bots = max(len(view["bot_ids"]) for view in views)
        width = max(view["map"]["width"] for view in views)
        height = max(view["map"]["height"] for view in views)
        self.actions = len(TEAM_COMMANDS) + self._bots * EACH
        self.shapes: Mapping[str, tuple[int, ...]] = {
            "kitchens": (2, len(BY_SYMBOL) + ITEM + 4, width, height),
            "bots": (self._bots, 5 + ITEM),
            "orders": (2, ORDERS, 3 + len(FOODS)),
            "numbers": (9,),
        }
        self._kinds: dict[Seat, tuple[Json, Array]] = {}
        """By seat, whose views all have the same rows: what was made of them."""

    def observe(self, view: Json, seat: Seat) -> ArrayObservation:
        seen = {name: np.zeros(shape, np.float32) for name, shape in self.shapes.items()}
        team, enemy = TEAMS[seat], TEAMS[1 - seat]
        kitchens, kinds, item = seen["kitchens"], len(BY_SYMBOL), len(BY_SYMBOL) + ITEM
        kitchens[:, :kinds] = self._kinds_of(view["map"]["rows"], seat)
        for number, owner in enumerate((team, enemy)):
            for tile in view["tiles"][owner]:
                x, y = tile["x"], tile["y"]
                kitchens[number, kinds:item, x, y] = _item(tile["item"])
                kitchens[number, item, x, y] = sum(tile.get(name, 0) for name in COUNTERS)
                kitchens[number, item + 1, x, y] = tile.get("curr_dirty_plate_progress", 0)
            for place, order in enumerate(_active(view["orders"][owner])):
                seen["orders"][number, place] = [
                    *(order["required"].count(name) for name in FOODS),
                    *(order["expires_turn"] - view["turn"], order["reward"], order["penalty"]),
                ]
        for bot in view["bots"]:
            plane = item + (2 if bot["team"] == team else 3)
            kitchens[0 if bot["map_team"] == team else 1, plane, bot["x"], bot["y"]] = 1
        for place, bot_id in enumerate(view["bot_ids"]):
            bot = view["bots"][bot_id]
            away = bot["map_team"] != team
            about = (bot["x"], bot["y"], away, bot["moved"], bot["acted"])
            seen["bots"][place] = [*about, *_item(bot["holding"])]
        switch, money = view["switch"], view["team_money"]
        seen["numbers"] = vector(
            (
                *(view["turn"], view["acting"] == team, view["commands"]),
                *(money[team], money[enemy]),
                *(switch["window_active"] and not switch["has_switched"], switch["has_switched"]),
                *(view["switched"][team], view["switched"][enemy]),
            )
        )
        return seen

    def command(self, view: Json, action: int) -> Json:
        if action < len(TEAM_COMMANDS):
            return TEAM_COMMANDS[action]
        place, action = divmod(action - len(TEAM_COMMANDS), EACH)
        if place >= len(view["bot_ids"]):
            return None
        bot_id = view["bot_ids"][place]
        if action < len(MOVES):
            dx, dy = MOVES[action]
            return {"type": "move", "bot_id": bot_id, "dx": dx, "dy": dy}
        cell, deed = divmod(action - len(MOVES), len(DEEDS))
        (dx, dy), (kind, item), bot = CELLS[cell], DEEDS[deed], view["bots"][bot_id]
        command = {"type": kind, "bot_id": bot_id, "x": bot["x"] + dx, "y": bot["y"] + dy}
        return command if item is None else command | {"item": item}

    def numbers(self, view: Json, commands: Iterable[Json]) -> list[int]:
        return [self._number(view, command) for command in commands]

    def _number(self, view: Json, command: Json) -> int:
        if command in TEAM_COMMANDS:
            return TEAM_COMMANDS.index(command)
        bot = view["bots"][command["bot_id"]]
        first: int = len(TEAM_COMMANDS) + EACH * view["bot_ids"].index(command["bot_id"])
        if command["type"] == "move":
            return first + MOVES.index((command["dx"], command["dy"]))
        cell = CELLS.index((command["x"] - bot["x"], command["y"] - bot["y"]))
        deed = DEEDS.index((command["type"], command.get("item")))
        return first + len(MOVES) + cell * len(DEEDS) + deed

    def _kinds_of(self, rows: Json, seat: Seat) -> Array:
        """The kind of each tile as one of ten, (10, width, height)."""
        if seat not in self._kinds or self._kinds[seat][0] is not rows:
            kinds = np.zeros((len(BY_SYMBOL), *self.shapes["kitchens"][2:]), np.float32)
            symbols = list(BY_SYMBOL)
            for y, row in enumerate(reversed(rows)):
                for x, symbol in enumerate(row):
                    kinds[symbols.index(symbol), x, y] = 1
            self._kinds[seat] = rows, kinds
        return self._kinds[seat][1]


def _active(orders: list[Json]) -> list[Json]:
    return [order for order in orders if order["is_active"]][:ORDERS]


def _item(item: Json) -> list[float]:
    """An item as nine numbers."""
    if item is None:
        return [0] * ITEM
    plate = 0 if item["type"] != "Plate" else 2 if item["dirty"] else 1
    foods = [*_foods(item)]
    return [
        *(sum(food["food_name"] == name for food in foods) for name in FOODS),
        sum(food["chopped"] for food in foods),
        sum(food["cooked_stage"] for food in foods),
        plate,
        item["type"] == "Pan",
    ]


def _foods(item: Json) -> Iterator[Json]:
    if item["type"] == "Food":
        yield item
    elif item["type"] == "Plate":
        yield from item["food"]
    elif item["food"] is not None:
        yield item["food"]
