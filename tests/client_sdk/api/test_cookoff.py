"""Cookoff's controller: private copies, calls that never raise, and commands that the match
executes in order."""

from __future__ import annotations

import copy
import logging
import pickle
import sys
from enum import Enum
from types import SimpleNamespace

import pytest

from client_sdk.api.cookoff import (
    Bot,
    Cooker,
    Counter,
    Food,
    FoodType,
    GameConstants,
    Interactable,
    Map,
    Pan,
    Placeable,
    Plate,
    Shop,
    ShopCosts,
    Tile,
    TileType,
)
from client_sdk.api.cookoff import Team as Teams
from client_sdk.bot import house, load, play_headless, start_of
from games import GAMES
from games.core.contract import Reply
from games.core.match import Match
from tests.client_sdk.cookoff_bots import KITCHEN

AWAP = {"rules": "awap2026", "total_turns": 6, "starting_money": 300}


class Asked(Bot):
    """Does in its first turn what a test wants."""

    def __init__(self, does):
        self.does = does
        self.error = None

    def prepare(self, map_copy):
        self.kitchen = map_copy

    def play_turn(self, controller):
        if controller.get_turn() == 1:
            self.does(controller)


def first_turn(does, seat=1, **config):
    """Let `does` play BLUE's first turn; the match, with RED's part of it open."""
    match = Match.begin(GAMES["cookoff"], AWAP | config, 1, KITCHEN)
    bot = Asked(does)
    bot.on_start(start_of(match, seat))
    match.advance()
    if seat == 0:
        match.apply(1, {"type": "end_turn"})
    results = [match.apply(seat, command) for command in bot.decide(match.view(seat))]
    bot.on_results(results)
    assert results[-1].ok
    assert bot._turn == 1
    assert match.state.failed == (None, None)
    return match


def seen(look, **config):
    """What `look` returns of a first turn."""
    found = []
    first_turn(lambda controller: found.append(look(controller)), **config)
    return found[0]


# --- copies


def test_a_bot_that_changes_what_it_gets_does_not_affect_later_calls():
    def scribbles(c):
        for _ in range(2):
            one, other = c.get_map(), c.get_map()
            assert one is not other
            assert {"COOKER", "SHOP"} <= {tile.tile_name for column in one.tiles for tile in column}
            assert one.tiles[2][4].item.food is None
            assert one.tiles[1][4].shop_items == {*FoodType, *ShopCosts}
            assert (one.width, one.orders, one.tiles[3][4].item) == (8, [], None)
            one.tiles[2][4].item.food = Food(FoodType.EGG)
            one.tiles[1][4].shop_items.clear()
            one.tiles[3][4].item = Plate()
            one.tiles[5][4].is_walkable = False
            one.tiles[0][0] = one.tiles[1] = None
            one.orders.append(1)
            one.width = 0
            assert other.tiles[2][4].item.food is None
            assert other.tiles[5][4].is_walkable
            tile = c.get_tile(c.get_team(), 2, 4)
            tile.cook_progress, tile.item = 7, None
            assert c.get_tile(c.get_team(), 2, 4).cook_progress == 0
            state = c.get_bot_state(2)
            state["x"] = 77
            c.get_orders()[0]["required"].append("EGG")
            c.get_switch_info().clear()
            c.get_team_bot_ids().clear()
            assert c.get_bot_state(2)["x"] == 2
            assert c.get_orders()[0]["required"] == ["SAUCE"]
            assert c.get_team_bot_ids() == [2, 3]
            assert c.get_switch_info()["turn"] == 1

    first_turn(scribbles)


def test_a_map_is_a_snapshot_of_its_moment():
    """Though its columns are made when they are looked at."""

    def keeps(c):
        before = c.get_map()
        assert c.buy(2, ShopCosts.PLATE, 1, 4)
        assert c.place(2, 3, 4) is False  # its action is spent
        c._state = c._state._replace(bots=tuple(bot._replace(acted=False) for bot in c._state.bots))
        assert c.place(2, 3, 4)
        assert before.tiles[3][4].item is None
        assert isinstance(c.get_map().tiles[3][4].item, Plate)

    match = Match.begin(GAMES["cookoff"], AWAP, 1, KITCHEN)
    bot = Asked(keeps)
    bot.on_start(start_of(match, 1))
    match.advance()
    assert list(bot.decide(match.view(1)))[-1] == {"type": "end_turn"}


COLUMNS = [
    lambda t: [column[0].tile_name for column in t],
    lambda t: [column[0].tile_name for column in t[1:4]],
    lambda t: t[-1][0].tile_name,
    lambda t: [column[0].tile_name for column in reversed(t)],
    lambda t: [row[0].tile_name for row in zip(*t, strict=True)],
    lambda t: [column[4].tile_name for column in copy.deepcopy(t)],
    lambda t: [column[4].tile_name for column in [*t, *t] + t],  # noqa: RUF005  the other way is another call
    lambda t: [column[4].tile_name for column in t.copy()],
    lambda t: len(t.pop()),
    lambda t: (len(t), isinstance(t, list)),
    lambda t: t.index(t[3]),
    lambda t: None in t,
]


@pytest.mark.parametrize("use", COLUMNS)
def test_the_columns_of_a_map_are_a_list_of_lists(use):
    def plainly(c):
        kitchen = c.get_map()
        plain = SimpleNamespace(
            columns=[[c.get_tile(c.get_team(), x, y) for y in range(6)] for x in range(8)]
        )
        assert use(c.get_map().tiles) == use(plain.columns)
        assert use(kitchen.tiles) is not None

    first_turn(plainly)


def test_numpy_gets_the_columns_and_not_their_list_methods(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", SimpleNamespace(array=lambda columns, dtype: columns))
    columns = seen(lambda c: c.get_map().tiles.__array__())

    assert columns[2][4].tile_name == "COOKER"


def test_a_whole_map_can_be_copied():
    kitchen = seen(lambda c: copy.deepcopy(c.get_map()))

    assert isinstance(kitchen, Map)
    assert kitchen.tiles[2][4].tile_name == "COOKER"
    assert kitchen.is_tile_name(2, 4, "COOKER")


# --- what it tells


def test_tiles_have_the_classes_and_flags_of_the_rules():
    kitchen = seen(lambda c: c.get_map())
    for column in kitchen.tiles:
        for tile in column:
            kind = TileType[tile.tile_name]
            flags = ("tile_id", "is_walkable", "is_dangerous", "is_placeable", "is_interactable")
            assert [getattr(kind, flag) for flag in flags] == [
                getattr(tile, flag) for flag in flags
            ]
            assert isinstance(tile, Tile)
            assert isinstance(tile, Placeable) == kind.is_placeable
            assert isinstance(tile, Interactable) == kind.is_interactable
            assert getattr(tile, "pan", None) is None
    assert isinstance(kitchen.tiles[2][4], Cooker)
    assert isinstance(kitchen.tiles[2][4].item, Pan)
    assert isinstance(kitchen.tiles[3][4], Counter)
    assert isinstance(kitchen.tiles[1][4], Shop)


def test_a_map_answers_false_outside_its_bounds():
    kitchen = seen(lambda c: c.get_map())
    asked = ("is_tile_walkable", "is_tile_dangerous", "is_tile_placeable", "is_tile_interactable")

    assert [getattr(kitchen, name)(-1, 2) for name in asked] == [False] * 4
    assert [getattr(kitchen, name)(2, 2) for name in asked] == [True, False, False, False]
    assert not kitchen.is_tile_name(0, 99, "WALL")
    assert kitchen.in_bounds(7, 5)
    assert not kitchen.in_bounds(8, 5)
    assert kitchen.to_2d_list()[2][4] == "COOKER"
    assert kitchen.team is Teams.BLUE


def test_a_team_equals_its_name_and_a_kitchen_is_a_string():
    state = seen(lambda c: c.get_bot_state(2))

    assert isinstance(state["team"], str)
    assert "BLUE" == state["team"] == Teams.BLUE == state["team"]
    assert Teams.RED != state["team"] != Teams.RED
    assert {Teams.BLUE: 1, "RED": 2}[state["team"]] == 1
    assert {"BLUE": 1}[state["team"]] == 1
    assert (state["team"].name, state["team"].value) == ("BLUE", 1)
    assert isinstance(state["team"], Teams)
    assert isinstance(state["team"], str)
    assert not isinstance(state["map_team"], Teams)
    assert copy.deepcopy(state) == pickle.loads(pickle.dumps(state)) == state
    assert type(state["map_team"]) is str
    assert "BLUE" == state["map_team"] != Teams.BLUE
    assert {"bot_id", "team", "x", "y", "team_money", "holding", "map_team"} == state.keys()


def test_bots_orders_and_money_default_to_ones_own_team():
    def look(c):
        teams = (None, Teams.BLUE, "BLUE", Teams.RED, "RED")
        assert [c.get_team_bot_ids(team) for team in teams] == [
            [2, 3],
            [2, 3],
            [2, 3],
            [0, 1],
            [0, 1],
        ]
        assert [c.get_team_money(team) for team in teams] == [301] * 5
        assert [c.get_map(team).team for team in teams] == [Teams.BLUE] * 3 + [Teams.RED] * 2
        assert [c.get_map(odd).team for odd in ("red", 7, 2.5, [], c)] == [Teams.BLUE] * 5
        assert c.get_orders() == c.get_orders(Teams.RED)
        assert (c.get_bot_state(0)["team"], c.get_bot_state(3)["team"]) == ("RED", "BLUE")
        assert (c.get_team(), c.get_enemy_team(), c.get_turn()) == (Teams.BLUE, Teams.RED, 1)

    first_turn(look)


@pytest.mark.parametrize(("rules", "visible"), [("awap2026", [1, 2, 3, 4, 5, 6]), ("seed", [1, 2])])
def test_orders_are_visible_as_far_as_the_rules_allow(rules, visible):
    orders = seen(lambda c: c.get_orders(), rules=rules)

    assert visible == [order["order_id"] for order in orders]
    keys = (
        "order_id required created_turn expires_turn reward penalty claimed_by completed_turn "
        "is_active"
    )
    assert set(keys.split()) == orders[0].keys()


def test_switch_info_has_both_sides():
    keys = "turn switch_turn switch_duration window_active window_end_turn"
    keys += " my_team_switched enemy_team_switched has_switched enemy_has_switched"

    assert set(keys.split()) == seen(lambda c: c.get_switch_info()).keys()


def test_items_are_dicts():
    food = Food(FoodType.MEAT, chopped=True, cooked_stage=1)
    expected = {
        "type": "Food",
        "food_name": "MEAT",
        "food_id": 2,
        "chopped": True,
        "cooked_stage": 1,
    }

    assert expected == food.to_dict()
    assert {"type": "Plate", "dirty": False, "food": [expected]} == Plate([food]).to_dict()
    assert Plate(dirty=True).to_dict() == {"type": "Plate", "dirty": True, "food": []}
    assert {"type": "Pan", "food": expected} == Pan(food).to_dict()
    assert [expected, None, None] == seen(
        lambda c: [c.item_to_public_dict(item) for item in (food, None, "x")]
    )
    assert (food.can_chop, food.can_cook, food.buy_cost) == (True, True, 80)


def test_enums_have_the_numbers_of_the_rules():
    assert [team.value for team in Teams] == [0, 1]
    assert FoodType["EGG"] is FoodType.EGG
    assert [food.food_id for food in FoodType] == [0, 1, 2, 3, 4]
    assert [item.buy_cost for item in ShopCosts] == [2, 4]
    assert {n: TileType[n].tile_id for n in ("FLOOR", "TRASH", "SHOP")} == {
        "FLOOR": 0,
        "TRASH": 9,
        "SHOP": 11,
    }


def test_constants_come_from_the_match_and_are_read_only():
    seen(lambda c: None, cook_progress=7, burn_progress=9)

    values = (
        GameConstants.TOTAL_TURNS,
        GameConstants.STARTING_MONEY,
        GameConstants.COOK_PROGRESS,
        GameConstants.BURN_PROGRESS,
    )
    assert values == (6, 300, 7, 9)
    assert (GameConstants.MIDGAME_SWITCH_TURN, GameConstants.MIDGAME_SWITCH_DURATION) == (40, 30)
    with pytest.raises(AttributeError, match="the match sets it"):
        GameConstants.TOTAL_TURNS = 1
    assert GameConstants.TOTAL_TURNS == 6


# --- what it does


def test_every_call_acts_at_once_as_in_the_match():
    def plays(c):
        assert c.can_buy(2, FoodType.SAUCE, 1, 4)
        assert c.buy(2, FoodType.SAUCE, target_x=1, target_y=4)
        assert c.get_bot_state(2)["holding"]["food_name"] == "SAUCE"
        assert c.get_team_money() == 291
        assert not c.buy(2, FoodType.SAUCE, 1, 4)
        assert c.can_move(2, 0, -1)
        assert c.move(2, 0, -1)
        assert (c.get_bot_state(2)["x"], c.get_bot_state(2)["y"]) == (2, 2)

    match = first_turn(plays)

    assert match.state.money == (301, 291)
    assert match.state.plan.xy(match.state.bots[2].cell) == (2, 2)


@pytest.mark.parametrize(
    "odd",
    [
        None,
        "x",
        2.5,
        True,
        [],
        {},
        -1,
        99,
        10**30,
        float("nan"),
        float("inf"),
        object(),
        Teams.RED,
        1j,
    ],
    ids=lambda odd: type(odd).__name__,
)
def test_odd_arguments_raise_nothing(odd):
    def plays(c):
        for team in (Teams.RED, odd):
            c.get_map(team), c.get_orders(team), c.get_team_bot_ids(team), c.get_team_money(team)
            c.get_tile(team, odd, 1), c.get_tile(team, 1, odd)
        c.get_bot_state(odd), c.item_to_public_dict(odd)
        acts = [
            "pickup",
            "place",
            "trash",
            "chop",
            "start_cook",
            "take_from_pan",
            "take_clean_plate",
        ]
        acts += [
            "put_dirty_plate_in_sink",
            "wash_sink",
            "add_food_to_plate",
            "submit",
            "can_start_cook",
            "can_submit",
        ]
        for act in acts:
            assert getattr(c, act)(odd) is False
            assert getattr(c, act)(0) is False
            getattr(c, act)(2, odd, odd)
        for act in ("move", "can_move"):
            assert getattr(c, act)(odd, 0, -1) is False
            getattr(c, act)(2, odd, -1)
        for act in ("buy", "can_buy"):
            assert getattr(c, act)(2, odd, 1, 4) is False
            assert getattr(c, act)(odd, FoodType.EGG, 1, 4) is False

    first_turn(plays)


def test_numbers_of_other_libraries_and_enums_of_other_files_are_accepted():
    class Whole:
        def __index__(self):
            return 2

    class FoodType(Enum):
        SAUCE = 1

        @property
        def food_name(self):
            return self.name

    match = first_turn(lambda c: [c.buy(Whole(), FoodType.SAUCE, 1.0, 4), c.move(Whole(), 0, -1)])

    assert match.state.bots[2].holding == ("SAUCE", False, 0)


def test_calls_beyond_the_turns_limit_return_false_and_are_not_sent():
    counts = []

    def plays(c):
        counts.extend(c.move(2, 0, 0) for _ in range(20))
        counts.append(c.move(3, 1, 0))

    match = first_turn(plays, max_commands_per_turn=20)

    assert counts == [False] * 21
    assert match.state.bots[3].cell == match.state.bots[1].cell


def test_after_the_turn_a_controller_does_nothing():
    kept = []
    match = first_turn(kept.append)

    assert kept[0].move(2, 0, -1) is False
    assert kept[0].get_turn() == 1
    assert not match.state.bots[2].moved


def test_one_controller_lasts_for_the_whole_match():
    class Keeps(Bot):
        def prepare(self, map_copy):
            self.kept = []

        def play_turn(self, controller):
            self.kept.append((controller, controller.get_turn()))

    match = Match.begin(GAMES["cookoff"], AWAP, 1, KITCHEN)
    bot = Keeps()
    play_headless(match, [bot, house("cookoff", "noodles")])

    assert [turn for _, turn in bot.kept] == [1, 2, 3, 4, 5, 6]
    assert len({id(controller) for controller, _ in bot.kept}) == 1


def test_a_result_that_differs_from_the_mirrors_is_reported(caplog):
    match = Match.begin(GAMES["cookoff"], AWAP, 1, KITCHEN)
    bot = Asked(lambda c: c.move(2, 0, -1))
    bot.on_start(start_of(match, 1))
    match.advance()
    list(bot.decide(match.view(1)))
    with caplog.at_level(logging.WARNING):
        bot.on_results([Reply("refused", "blocked"), Reply()])

    assert "turn 1, command 1: ok here, but blocked in the match" in caplog.text


def test_a_bots_failure_is_recorded_and_its_earlier_commands_count(caplog):
    class Fails(Bot):
        def play_turn(self, controller):
            controller.move(0, 0, -1)
            raise ValueError("burnt")

    match = Match.begin(GAMES["cookoff"], AWAP, 1, KITCHEN)
    play_headless(match, [Fails(), house("cookoff", "noodles")])

    assert (match.outcome.reason, match.outcome.winner) == ("bot_error", 1)
    assert match.state.plan.xy(match.state.bots[0].cell) == (2, 2)
    assert "turn 1: the bot failed in play_turn" in caplog.text
    assert "ValueError: burnt" in caplog.text


def test_a_bot_whose_preparation_fails_has_not_started():
    class Fails(Bot):
        def prepare(self, map_copy):
            raise ValueError

    match = Match.begin(GAMES["cookoff"], AWAP, 1, KITCHEN)
    bot = Fails()
    with pytest.raises(ValueError):  # noqa: PT011  the bot's own
        bot.on_start(start_of(match, 1))
    match.advance()

    assert list(bot.decide(match.view(1))) == [{"type": "team_failed", "reason": "init_failed"}]


# --- contest files in this very process


def test_the_contests_module_names_lead_to_ours_and_are_removed_again(tmp_path):
    file = tmp_path / "mine.py"
    (tmp_path / "item.py").write_text("Food = None")
    file.write_text(
        "import map, src.tiles\nfrom item import Food\nfrom src.game_constants import Team\nfrom "
        "src import robot_controller\n"
        "class BotPlayer:\n    seen = Food, Team, map.Map\n    def play_turn(self, "
        "controller):\n        pass\n"
    )
    bot = load(file, "cookoff")

    assert (Food, Teams, Map) == bot._cls.seen
    assert not {"map", "item", "src", "src.tiles", "robot_controller"} & sys.modules.keys()


@pytest.mark.parametrize("own", [False, True])
def test_the_module_game_state_is_ours_unless_the_bot_has_one(tmp_path, own):
    file = tmp_path / "mine.py"
    if own:
        (tmp_path / "game_state.py").write_text("class GameState:\n    mine = True\n")
    file.write_text(
        "from game_state import GameState\nclass BotPlayer:\n    seen = GameState\n"
        "    def play_turn(self, controller):\n        pass\n"
    )

    assert hasattr(load(file, "cookoff")._cls.seen, "mine") == own


def test_a_class_of_another_name_is_not_a_bot(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "class Other:\n    def play_turn(self, controller):\n        raise ValueError\n"
        "class BotPlayer(Other):\n    def __init__(self, whatever, /):\n        pass\n"
        "    def play_turn(self, controller):\n        pass\n"
    )
    match = Match.begin(GAMES["cookoff"], AWAP, 1, KITCHEN)
    play_headless(match, [load(file, "cookoff"), load(file)])

    assert match.outcome.reason == "max_turns"
