"""Every game's bot has a board to search on, in the position that it sees."""

from __future__ import annotations

from typing import Any

import pytest

from client_sdk.api import botstack, catastrophe, cookoff, pyrat, zooscape
from client_sdk.start import start_of
from games import GAMES
from games.core.dice import Seeded
from games.core.match import Match
from tests.games.boards import BOARDS, without


class InPyrat(pyrat.Bot):
    def think(self, state: pyrat.GameState, ctx: pyrat.Context) -> pyrat.Direction:
        self.board = self.scratch()
        return pyrat.Direction.UP


class InZooscape(zooscape.Bot):
    def on_state(self, state: zooscape.GameState) -> zooscape.Action:
        self.board = self.scratch()
        return zooscape.Action.UP


class InCookoff(cookoff.Bot):
    def play_turn(self, controller: cookoff.RobotController) -> None:
        for bot_id in controller.get_team_bot_ids():
            controller.move(bot_id, 1, 0)
            controller.move(bot_id, 0, 1)
        self.board = self.scratch()


class InCatastrophe(catastrophe.AI):
    def run_turn(self) -> bool:
        for unit in self.player.units:
            unit.move(unit.tile.tile_east or unit.tile.tile_west)
        self.board = self.scratch()
        return True


class InBotstack(botstack.Bot):
    def abstain(self, *about: object) -> bool:
        self.board = self.scratch(Seeded(7))
        return False

    def item(self, *about: object) -> int:
        self.board = self.scratch(Seeded(7))
        return 0

    def action(self, *about: object) -> int:
        self.board = self.scratch(Seeded(7))
        return 1


BOTS: dict[str, Any] = {
    "pyrat": InPyrat,
    "zooscape": InZooscape,
    "cookoff": InCookoff,
    "catastrophe": InCatastrophe,
    "botstack": InBotstack,
}


@pytest.mark.parametrize("name", BOTS)
def test_scratch_is_in_the_position_that_the_bot_sees(name: str) -> None:
    game = GAMES[name]
    match = Match.begin(game, {}, 3)
    bots = [BOTS[name]() for _ in range(match.seats)]
    for seat, bot in enumerate(bots):
        bot.on_start(start_of(match, seat))
    for _ in range(12):
        asked = sorted(match.awaited)
        for seat in asked:
            commands = [*bots[seat].decide(match.view(seat))]
            acted = commands[:-1] if game.end_turn is not None else []
            for command in acted:
                match.apply(seat, command)
            seen = game.view(bots[seat].board.freeze(), seat)
            assert without(seen, BOARDS[name].shown) == without(
                match.view(seat), BOARDS[name].shown
            )
            for command in commands[len(acted) :]:
                match.apply(seat, command)
        if len(asked) != 1:
            match.advance()


@pytest.mark.parametrize("name", BOTS)
def test_there_is_no_board_before_on_start(name: str) -> None:
    with pytest.raises(RuntimeError, match="on_start"):
        BOTS[name]().scratch()


def test_dice_decide_what_a_bot_does_not_see() -> None:
    match = Match.begin(GAMES["botstack"], {}, 3)
    (seat,) = match.awaited
    bot = InBotstack()
    bot.on_start(start_of(match, seat))
    bot.decide(match.view(seat))
    orders = {bot.scratch(Seeded(seed)).freeze().magazine for seed in range(40)}

    assert len(orders) > 2
    assert len({"".join(sorted(order)) for order in orders}) == 1
