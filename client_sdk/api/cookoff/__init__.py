"""Carnegie Cookoff for bots in Python, as in its contest: a controller whose calls act at once.

    class Mine(Bot):
        def play_turn(self, controller):
            for bot_id in controller.get_team_bot_ids():
                if not controller.buy(bot_id, ShopCosts.PLATE, 4, 2):
                    controller.move(bot_id, 1, 0)

The calls act on a copy of the match; their commands are sent to the server as one list when
`play_turn` returns. A file of the contest (`class BotPlayer`) plays unchanged. Coordinates are (x,
y) from the bottom left corner; y grows upwards.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import client_sdk.base
from client_sdk.api.cookoff.game_constants import (
    FoodType,
    GameConstants,
    ShopCosts,
    Team,
    TeamName,
    TileType,
    set_constants,
)
from client_sdk.api.cookoff.item import Food, Item, Pan, Plate
from client_sdk.api.cookoff.map import Layout, Map
from client_sdk.api.cookoff.robot_controller import RobotController, differing
from client_sdk.api.cookoff.tiles import (
    Box,
    Cooker,
    Counter,
    Floor,
    Interactable,
    Placeable,
    Shop,
    Sink,
    SinkTable,
    Submit,
    Tile,
    Trash,
    Wall,
)
from client_sdk.options import Check, Combo, Spin, Str
from client_sdk.start import Start
from games.cookoff import GAME
from games.cookoff.commands import END_TURN, TEAM_FAILED
from games.cookoff.mirror import from_view, plan_of
from games.cookoff.scratch import Scratch
from games.core.contract import Json
from games.core.parameters import configure

if TYPE_CHECKING:
    from games.cookoff.state import Plan
    from games.core.contract import Reply

__all__ = [
    "Bot",
    "Box",
    "Check",
    "Combo",
    "Cooker",
    "Counter",
    "Floor",
    "Food",
    "FoodType",
    "GameConstants",
    "Interactable",
    "Item",
    "Map",
    "Pan",
    "Placeable",
    "Plate",
    "RobotController",
    "Scratch",
    "Shop",
    "ShopCosts",
    "Sink",
    "SinkTable",
    "Spin",
    "Start",
    "Str",
    "Submit",
    "Team",
    "TeamName",
    "Tile",
    "TileType",
    "Trash",
    "Wall",
]


log = logging.getLogger("botarena")


class Bot(client_sdk.base.Bot):
    """The base class of a bot, which plays a team's turns. An instance plays the whole match."""

    game = "cookoff"
    _required = "play_turn"

    _plan: Plan | None = None
    _controller: RobotController | None = None
    _ready = False
    _turn = 0
    _codes: Sequence[str] = ()

    def prepare(self, map_copy: Map) -> None:
        """Called once, before turn 1, with the team's kitchen. An exception loses the match."""

    def play_turn(self, controller: RobotController) -> None:
        """Play one turn of the team. An exception fails the turn; calls before it count."""
        why = f"{type(self).__name__} does not say what it does: define play_turn"
        raise NotImplementedError(why)

    def scratch(self) -> Scratch:
        """The engine's board to search on, in the present position: with what the calls of this
        turn have done. It has the orders that the bot sees."""
        if self._controller is None:
            raise RuntimeError("on_start comes before the first board")
        return Scratch.of(self._controller.state)

    def on_start(self, start: Start) -> None:
        """Calls `prepare`."""
        self._ready = False
        self._plan = plan_of(start.view, configure(GAME, start.config))
        set_constants(self._plan.rules, self._plan.switch_turn, self._plan.switch_duration)
        state, layout = from_view(self._plan, start.view), Layout(self._plan)
        self._controller = RobotController(layout, start.seat, state)
        self.prepare(Map(layout, state.kitchens[start.seat], self._controller.get_team()))
        self._ready = True

    def decide(self, view: Json) -> Iterable[Json]:
        """Calls `play_turn`."""
        if self._plan is None or self._controller is None or not self._ready:
            return [_failed("init_failed")]
        self._turn = view["turn"]
        self._controller.begin(from_view(self._plan, view))
        last: Json = END_TURN
        try:
            self.play_turn(self._controller)
        except (Exception, SystemExit):
            log.exception("turn %s: the bot failed in play_turn", self._turn)
            last = _failed("bot_error")
        commands, self._codes = self._controller.end()
        return [*commands, last]

    def on_results(self, results: Sequence[Reply]) -> None:
        """Compares the results with those of the calls."""
        number = differing(self._codes, [reply.code for reply in results])
        if number is not None:
            codes = self._codes[number - 1], results[number - 1].code
            log.warning(
                "turn %s, command %s: %s here, but %s in the match", self._turn, number, *codes
            )


def _failed(reason: str) -> Json:
    return {"type": TEAM_FAILED, "reason": reason}
