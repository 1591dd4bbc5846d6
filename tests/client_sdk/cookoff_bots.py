"""Three bots in the style of Cookoff's contest, which import nothing of ours, and a kitchen in
which every call has a use."""

from __future__ import annotations

KITCHEN = """
########
#$KC#.C#
#SbCT.K#
#U.R..$#
#.b....#
########

SWITCH: turn=40 duration=30

ORDERS:
start=0 duration=60 required=SAUCE reward=40 penalty=3
start=0 duration=80 required=EGG reward=90 penalty=5
start=10 duration=90 required=ONIONS reward=90 penalty=5
start=30 duration=90 required=EGG reward=90 penalty=5
start=50 duration=60 required=SAUCE,SAUCE reward=60 penalty=3
start=90 duration=60 required=MEAT reward=200 penalty=7
"""

LINE_COOK = '''
"""Works through a list; goes on when the call says True."""
from game_constants import FoodType, GameConstants, ShopCosts, Team
from map import Map
from robot_controller import RobotController

SHOP, COOKER, COUNTER, SINK = (1, 4), (2, 4), (3, 4), (1, 3)
TABLE, OUT, TRASH = (4, 3), (1, 2), (3, 2)


class BotPlayer:
    def __init__(self, map_copy):
        assert isinstance(map_copy, Map) and map_copy.is_tile_name(*SHOP, "SHOP")
        self.at = 0
        self.waits = 0

    def steps(self, c, b):
        return [
            lambda: c.buy(b, ShopCosts.PLATE, *SHOP), lambda: c.place(b, *COUNTER),
            lambda: c.buy(b, FoodType.EGG, target_x=SHOP[0], target_y=SHOP[1]),
            lambda: c.can_start_cook(b, *COOKER) and c.start_cook(b, *COOKER),
            lambda: self.cooked(c) and c.take_from_pan(b, *COOKER),
            lambda: c.add_food_to_plate(b, *COUNTER), lambda: c.pickup(b, *COUNTER),
            lambda: c.can_submit(b, *OUT) and c.submit(b, *OUT),
            lambda: c.wash_sink(b, *SINK), lambda: c.wash_sink(b, *SINK),
            lambda: c.move(b, 0, -1), lambda: c.move(b, 1, -1), lambda: c.move(b, 1, 1),
            lambda: c.take_clean_plate(b, *TABLE),
            lambda: c.put_dirty_plate_in_sink(b, *SINK) or True, lambda: c.trash(b, *TRASH),
            lambda: c.move(b, -1, -1), lambda: c.move(b, -1, 1), lambda: c.move(b, 0, 1),
            lambda: c.place(b, *COUNTER), lambda: c.pickup(b, *COUNTER),
            lambda: c.place(b, *COUNTER), lambda: c.buy(b, FoodType.SAUCE, *SHOP),
            lambda: c.add_food_to_plate(b, *COUNTER), lambda: c.pickup(b, *COUNTER),
            lambda: c.submit(b, *OUT) or c.trash(b, *TRASH) or True, lambda: self.empty(c, b),
            lambda: c.buy(b, FoodType.ONIONS, *SHOP), lambda: c.place(b, *COUNTER),
            lambda: c.chop(b, *COUNTER), lambda: c.pickup(b, *COUNTER), lambda: c.move(b, 0, -1),
            lambda: c.trash(b, *TRASH), lambda: c.move(b, 0, 1),
            lambda: c.buy(b, ShopCosts.PAN, *SHOP),
            lambda: c.place(b, *COOKER) or c.place(b, *COUNTER),
            lambda: self.empty(c, b), lambda: self.put_away(c, b),
        ]

    def cooked(self, c):
        pan = c.get_tile(c.get_team(), *COOKER).item
        return pan is not None and pan.food is not None and pan.food.cooked_stage > 0

    def empty(self, c, b):
        """Another bot may have been here: the hand is empty at the end of this step."""
        state = c.get_bot_state(b)
        if state["holding"] is None:
            return True
        if state["y"] == 3:
            c.move(b, 0, -1)
        return c.trash(b, *TRASH) and c.get_bot_state(b)["holding"] is None or c.place(b, 1, 1)

    def put_away(self, c, b):
        if c.get_bot_state(b)["y"] != 3:
            return c.move(b, 0, 1)
        c.pickup(b, *COUNTER)
        return True

    def play_turn(self, controller: RobotController):
        assert controller.get_team() in Team
        bot = controller.get_team_bot_ids(controller.get_team())[0]
        if controller.get_bot_state(bot)["map_team"] != controller.get_team().name:
            return
        steps = self.steps(controller, bot)
        if steps[self.at % len(steps)]():
            self.at += 1
            self.waits = 0
        else:
            self.waits += 1
            if self.waits > (GameConstants.COOK_PROGRESS + 5 if self.at % len(steps) == 4 else 3):
                self.at += 1
'''

SCHOLAR = '''
"""Reads everything there is, and lets a checksum of all it has read say what is tried next."""
import zlib
from src.game_constants import FoodType, ShopCosts, TileType
from src.item import Food, Item, Pan, Plate
from src.robot_controller import RobotController
from src.tiles import Box, Cooker, Counter, Interactable, Placeable, Sink, SinkTable, Tile

GOODS = list(FoodType) + list(ShopCosts)


class BotPlayer:
    def __init__(self, anything):
        self.kitchen = anything
        self.sum = 1

    def read(self, *things):
        for thing in things:
            self.sum = zlib.crc32(repr(thing).encode(), self.sum)

    def draw(self, below):
        self.sum = zlib.crc32(b".", self.sum)
        return self.sum % below

    def look(self, c):
        for team in (c.get_team(), c.get_enemy_team()):
            kitchen = c.get_map(team)
            for x in range(kitchen.width):
                for y in range(kitchen.height):
                    tile, same = kitchen.tiles[x][y], c.get_tile(team, x, y)
                    assert isinstance(tile, Tile) and tile is not same
                    assert vars(tile).keys() == vars(same).keys()
                    kinds = isinstance(tile, Placeable), isinstance(tile, Interactable)
                    self.read(tile.tile_name, tile.is_walkable, *kinds)
                    pan = getattr(tile, "pan", None)
                    self.read(c.item_to_public_dict(tile.item), tile.using, pan)
                    if isinstance(tile, (Box, Cooker, Sink, SinkTable)):
                        self.read(sorted(pair for pair in vars(same).items() if pair[0] != "item"))
                    tile.item = Plate([Food(FoodType.EGG)], dirty=True)
                    kitchen.tiles[x][y] = None
            states = [c.get_bot_state(b) for b in c.get_team_bot_ids(team)]
            self.read(c.get_orders(team), c.get_team_money(team), states)
        self.read(c.get_turn(), c.get_switch_info(), c.can_switch_maps(), c.get_bot_state(99))
        self.read(c.get_tile(c.get_team(), -1, 0))
        self.read(c.get_map().width, len(c.get_orders()))

    def play_turn(self, controller: RobotController):
        c = controller
        self.look(c)
        for bot in c.get_team_bot_ids():
            for _ in range(6):
                state = c.get_bot_state(bot)
                dx, dy = self.draw(3) - 1, self.draw(3) - 1
                at = {"target_x": state["x"] + dx, "target_y": state["y"] + dy}
                goods = GOODS[self.draw(len(GOODS))]
                self.read(c.can_move(bot, dx, dy), c.can_buy(bot, goods, **at))
                self.read(c.can_start_cook(bot, **at), c.can_submit(bot))
                name = c.get_tile(state["map_team"], x=at["target_x"], y=at["target_y"])
                calls = [
                    lambda: c.move(bot, dx, dy), lambda: c.move(bot, dx, dy),
                    lambda: c.pickup(bot, **at), lambda: c.place(bot, **at),
                    lambda: c.trash(bot, **at), lambda: c.buy(bot, goods, **at),
                    lambda: c.chop(bot, **at), lambda: c.start_cook(bot, **at),
                    lambda: c.take_from_pan(bot, **at), lambda: c.take_clean_plate(bot, **at),
                    lambda: c.put_dirty_plate_in_sink(bot, **at), lambda: c.wash_sink(bot, **at),
                    lambda: c.add_food_to_plate(bot, **at), lambda: c.submit(bot, **at),
                    lambda: c.submit(bot + 7),
                ]
                self.read(name is None, calls[self.draw(len(calls))]())
                self.look(c)
'''

RAIDER = '''
"""Goes over as soon as it may and carries things off; at home it lays plates on the floor."""
from game_constants import ShopCosts, Team
import tiles


class BotPlayer:
    def __init__(self, map):
        self.map = map

    def play_turn(self, controller):
        if controller.can_switch_maps():
            assert controller.switch_maps() and not controller.switch_maps()
        enemy = controller.get_enemy_team()
        for number, bot in enumerate(controller.get_team_bot_ids()):
            state = controller.get_bot_state(bot)
            team = controller.get_team()
            assert state["team"] == team and state["map_team"] != team
            around = [(state["x"] + dx, state["y"] + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
            if controller.get_switch_info()["my_team_switched"]:
                for x, y in around:
                    tile = controller.get_tile(enemy, x, y)
                    if isinstance(tile, tiles.Cooker):
                        controller.take_from_pan(bot, x, y) or controller.pickup(bot, x, y)
                    elif tile is not None and tile.item is not None:
                        controller.pickup(bot, x, y)
                    elif isinstance(tile, tiles.Trash):
                        controller.trash(bot, x, y)
            elif state["holding"]:
                for x, y in around:
                    controller.place(bot, x, y)
            else:
                for x, y in around:
                    controller.buy(bot, ShopCosts.PLATE, x, y)
            turn = controller.get_turn() + 3 * number
            controller.move(bot, (turn % 3) - 1, (turn // 3 % 3) - 1)
'''

BOTS = {"line_cook": LINE_COOK, "scholar": SCHOLAR, "raider": RAIDER}
