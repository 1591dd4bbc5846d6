"""The names that the documents of the contests give to bots exist, in the documents' spelling."""

from __future__ import annotations

import importlib
from operator import attrgetter

import pytest

from client_sdk.api.adapters import GIVEN

NAMES = {
    "botarena.botstack": """ITEM_Empty ITEM_PeekCurrent ITEM_EjectCurrent ITEM_SkipEnemy
        ITEM_HealthKit ITEM_ResetGun BULLET_Blank BULLET_Live BULLET_Unknown ACTION_NoItem
        ACTION_Item1 ACTION_Item2 ACTION_ShootSelf ACTION_ShootOther Bot.abstain Bot.item Bot.action
        Bot.on_start Bot.on_round_start Bot.on_event Bot.on_end""",
    "botarena.catastrophe": """AI.get_name AI.start AI.game_updated AI.run_turn AI.end AI.invalid
        AI.find_path AI.get_setting Unit.attack Unit.change_job Unit.construct Unit.convert
        Unit.deconstruct Unit.drop Unit.harvest Unit.move Unit.pickup Unit.rest Unit.squad
        Tile.get_neighbors Tile.has_neighbor Tile.is_pathable Player.time_remaining Player.opponent
        Structure.effect_radius Game.get_tile_at""",
    "botarena.cookoff": """RobotController.get_turn RobotController.get_team
        RobotController.get_enemy_team RobotController.get_map RobotController.get_orders
        RobotController.get_team_bot_ids RobotController.get_team_money
        RobotController.get_bot_state RobotController.get_tile RobotController.can_move
        RobotController.move RobotController.pickup RobotController.place RobotController.trash
        RobotController.can_buy RobotController.buy RobotController.chop
        RobotController.can_start_cook RobotController.start_cook RobotController.take_from_pan
        RobotController.take_clean_plate RobotController.put_dirty_plate_in_sink
        RobotController.wash_sink RobotController.add_food_to_plate RobotController.can_submit
        RobotController.submit RobotController.get_switch_info RobotController.can_switch_maps
        RobotController.switch_maps RobotController.item_to_public_dict Map.in_bounds
        Map.is_tile_name Map.is_tile_walkable Map.is_tile_dangerous Map.is_tile_placeable
        Map.is_tile_interactable Map.to_2d_list GameConstants.TOTAL_TURNS
        GameConstants.MONEY_PER_TURN GameConstants.COOK_PROGRESS GameConstants.BURN_PROGRESS
        GameConstants.PLATE_WASH_PROGRESS GameConstants.MIDGAME_SWITCH_DURATION
        Team.RED TileType.SINKTABLE FoodType.EGG ShopCosts.PLATE
        GameConstants.MIDGAME_SWITCH_TURN GameConstants.STARTING_MONEY Item Food Plate Pan Tile
        Placeable Interactable Floor Wall Counter Box Sink SinkTable Cooker Trash Submit Shop
        Map""",
    "botarena.pyrat": """Bot.think Bot.preprocess Bot.on_game_over Bot.run Direction.STAY
        Direction.apply_to Player.PLAYER1 GameResult.DRAW Context.should_stop Context.send_info
        GameState.effective_moves GameState.move_cost GameState.shortest_path
        GameState.nearest_cheese GameState.nearest_cheeses GameState.distances_from
        GameState.to_sim GameState.my_position GameState.opponent_position GameState.my_score
        GameState.opponent_score GameState.my_mud_turns GameState.opponent_mud_turns
        GameState.my_last_move GameState.opponent_last_move GameState.player1_position
        GameState.player2_score GameState.cheese_matrix GameState.movement_matrix
        GameState.state_hash GameSim.make_move GameSim.unmake_move GameSim.cheese_positions
        GameSim.is_game_over GameSim.state_hash Context.time_remaining_ms
        Context.think_elapsed_ms Context.send_provisional Spin Check Combo Str""",
    "client_sdk.api.pyrat_sdk": "HivemindBot MoveUndo PathResult __version__",
    "botarena.zooscape": """BotAction.Up BotAction.UseItem BotAction.USE_ITEM CellContent.Empty
        CellContent.ZookeeperSpawn CellContent.PowerPellet CellContent.ChameleonCloak
        CellContent.Scavenger CellContent.BigMooseJuice PowerUpType.PowerPellet
        PowerUpType.ChameleonCloak PowerUpType.Scavenger PowerUpType.BigMooseJuice BotCommand
        GameState""",
}
MODULES = (
    "robot_controller",
    "game_constants",
    "item",
    "tiles",
    "map",
    "src",
    "src.item",
    "pyrat_sdk",
    "pyrat_sdk.bot",
    "pyrat_sdk.options",
    "pyrat_sdk.state",
)


@pytest.mark.parametrize("module", NAMES)
def test_every_name_of_a_document_is_there(module: str) -> None:
    api = importlib.import_module(module)
    for name in NAMES[module].split():
        attrgetter(name)(api)


@pytest.mark.parametrize("name", MODULES)
def test_every_module_that_a_contest_gives_to_bots_is_there(name: str) -> None:
    (module,) = {given[name] for given in GIVEN.values() if name in given}

    assert importlib.import_module(module)
