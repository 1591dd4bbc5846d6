"""Catastrophe for bots in Python, in the style of its contest: objects that are always up to date,
and calls that return at once whether they worked.

    class Mine(AI):
        def run_turn(self):
            for unit in self.player.units:
                way = self.find_path(unit.tile, self.player.cat.tile)
                if way:
                    unit.move(way[0])
            return True

Every call is carried out at once on a copy of the match, and sent to the server together with
others; no call waits for the network. A call that does not work returns False, logs the reason, and
is not sent. (0, 0) is at the top left, y grows downwards.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import client_sdk.base
from client_sdk.api.catastrophe_clock import Clock
from client_sdk.api.catastrophe_game import Game
from client_sdk.api.catastrophe_mirror import Mirror
from client_sdk.api.catastrophe_objects import Player, Structure, Tile, Unit
from client_sdk.api.catastrophe_orders import Job
from client_sdk.options import Check, Combo, Spin, Str, options
from client_sdk.start import Start
from games.catastrophe import GAME
from games.catastrophe.scratch import Scratch
from games.core.contract import Json, Reply
from games.core.dice import Source
from games.core.parameters import configure

__all__ = [
    "AI",
    "Check",
    "Combo",
    "Game",
    "Job",
    "Player",
    "Scratch",
    "Spin",
    "Start",
    "Str",
    "Structure",
    "Tile",
    "Unit",
]


LAST_S: Final = 1.0
"""With so little time left a turn is ended, whatever `run_turn` says."""

log = logging.getLogger("botarena")


class AI(client_sdk.base.Bot):
    """The base class of a bot. It keeps its attributes for the whole match."""

    wants_changes = True
    """The results have the changes, which `on_results` compares."""
    if TYPE_CHECKING:
        game: Game  # type: ignore[assignment,misc]
        """The match; before it the name of the game."""
        name: str
    else:
        game = "catastrophe"
        _required = "run_turn"

        @property
        def name(self) -> str:
            return self.__dict__.get("_name") or self.get_name()

        @name.setter
        def name(self, name: str) -> None:
            self.__dict__["_name"] = name

    player: Player
    """The bot's own side."""
    list_roads = Spin(0, min=0, max=1)
    """Whether `game.structures` lists the roads too."""

    _mirror: Mirror

    def get_name(self) -> str:
        """The name of the bot; empty: that of its file."""
        return ""

    def start(self) -> None:
        """Called once, before the first turn."""

    def game_updated(self) -> None:
        """Called with every new view: at the beginning of every turn, and at the end."""

    def run_turn(self) -> bool:
        """Play the turn. True ends the turn; after False it is called again.

        An exception ends the turn too; what was done before it counts.
        """
        why = f"{type(self).__name__} does not say what it does: define run_turn"
        raise NotImplementedError(why)

    def end(self, won: bool, reason: str) -> None:
        """Called when the match is over."""

    def invalid(self, message: str) -> None:
        """Called with the reason when a call did not work. By default it is logged."""
        log.warning("turn %s: %s", self._mirror.state.turn, message)

    def find_path(
        self, start: Tile | None, goal: Tile | Iterable[Tile | None] | None
    ) -> list[Tile]:
        """A shortest way to a tile, or to the nearest of several: its first tile is adjacent to the
        start, its last one is the goal.

        It is empty if there is no way, or if the start is a goal. Units can walk on all its tiles,
        except perhaps on the goal.
        """
        goals = (
            {goal._cell}
            if isinstance(goal, Tile)
            else {tile._cell for tile in goal or () if tile is not None}
        )
        if start is None or start._cell in goals:
            return []
        tiles = self.game.tiles
        return [tiles[cell] for cell in self._mirror.path(start._cell, goals)]

    def scratch(self, dice: Source | None = None) -> Scratch:
        """The engine's board to search on, in the present position: with what the calls of this
        turn have done. `dice` are for the coin of a last tie-break."""
        if not hasattr(self, "_mirror"):
            raise RuntimeError("on_start comes before the first board")
        return Scratch.of(self._mirror.state, dice)

    def get_setting(self, key: str) -> str | None:
        """The value of a setting of the bot (`depth = Spin(3, min=1, max=9)`) as text; None if it
        has none of this name."""
        declared = options(self)
        return str(getattr(self, key)) if key in declared else None

    # --- what the driver calls --------------------------------------------------------------------

    def on_start(self, start: Start) -> None:
        """Calls `start`."""
        self._mirror = Mirror(configure(GAME, start.config), start.seat, start.view)
        clock = Clock(start)
        clock.see(self.link.banks_s())
        self.game = Game(start, self._mirror, clock, self.invalid, bool(self.list_roads))
        self.player = self.game.players[start.seat]
        self.start()

    def decide(self, view: Json) -> Iterable[Json]:
        """Calls `game_updated` and `run_turn`."""
        mirror, clock = self._mirror, self.game.clock
        mirror.begin(view, self.link)
        clock.see(self.link.banks_s())
        clock.begin(self.link.bank_s())
        self.game.update()
        try:
            self.game_updated()
            for _ in self._goes():
                if self.run_turn() is not False:
                    break
        except Exception:
            log.exception("turn %s: the bot failed; its turn ends here", mirror.state.turn)
        finally:
            clock.end()
        return mirror.end()

    def on_view(self, view: Json) -> None:
        """Calls `game_updated`."""
        self._mirror.show(view)
        self.game.clock.see(self.link.banks_s())
        self.game_updated()

    def on_results(self, results: Sequence[Reply]) -> None:
        """Compares the results with those of the calls."""
        self._mirror.check(results)

    def on_end(self, outcome: Mapping[str, Json]) -> None:
        """Calls `end`."""
        winner, reason = outcome["winner"], outcome["reason"]
        for player in self.game.players:
            player.won = winner == player.seat
            player.lost = not player.won and outcome["outcome"] != "aborted"
            player.reason_won = reason if player.won else ""
            player.reason_lost = reason if player.lost else ""
        self.end(self.player.won, reason)

    def _goes(self) -> Iterator[None]:
        """As often as `run_turn` may be called for one turn: a bot that never says True must not
        lose by that."""
        mirror, most = self._mirror, self.game.rules.max_commands_per_turn
        yield
        for _ in range(most):
            mirror.keep_pace()
            left = self.game.clock.left()
            if mirror.calls >= most or (left is not None and left < LAST_S):
                break
            if not mirror.open:
                return
            yield
        log.warning("turn %s: run_turn never says True; the turn ends here", mirror.state.turn)
