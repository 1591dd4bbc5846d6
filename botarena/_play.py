"""One match in this process, from a function call."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from client_sdk.api.adapters import FILES
from client_sdk.base import Bot
from client_sdk.console import UserError
from client_sdk.loading import house
from client_sdk.local.headless import Setting, play_one
from client_sdk.local.lookup import read_text
from client_sdk.local.players import PlayerSpec, is_prefixed, opened, player_spec
from client_sdk.local.seated import Fault, format_fault
from games.core import maps
from games.core.contract import AnyGame, BadSetup
from games.core.match import Match
from games.core.parameters import MAX_SEED, configure
from games.every import GAMES

BotLike: TypeAlias = Bot | type[Bot] | str | Path
"""A bot, its class, the path of its Python or C file, the name of a house bot, or what names a
program or a webhook on the command line: `"lines:./mybot"`."""


@dataclass(frozen=True, slots=True)
class Result:
    """A match that is over."""

    game: str
    """The name of the game."""
    seed: int
    """The seed of the match."""
    names: tuple[str, ...]
    """The names of the players, by seat."""
    outcome: dict[str, Any]
    """The outcome as JSON: `outcome`, `winner`, `reason`, and for each of the `seats` its `score`,
    `placement` and `outcome`."""
    turns: int
    """The number of turns."""
    journal: str
    """The record of the match, which `verify` checks."""
    faults: tuple[str, ...]
    """The exceptions of the bots: the seat, the turn and the place."""

    @property
    def winner(self) -> int | None:
        """The seat that has won; None: none has."""
        seat: int | None = self.outcome["winner"]
        return seat


def play(
    game: str,
    *players: BotLike,
    seed: int | None = None,
    map: str | Path | None = None,  # noqa: A002  the word of the command and of REST
    config: Mapping[str, Any] | None = None,
) -> Result:
    """Play one match without a server and without clocks, and return when it is over.

    Arguments:
        game: the name of a game, such as "pyrat".
        players: one for each seat, in order: a bot, its class, the path of its file, the name of a
            house bot, or a program's or a webhook's word such as "lines:./mybot".
        seed: 0 to 2**63 - 1; by default a random one.
        map: the name of a map of the game, or the path of a map file.
        config: parameters of the rules, such as `{"preset": "tiny"}`.

    An exception of a bot costs its turn, as on a server, and is in `faults` of the result.
    Raises BadSetup if no match can be made of the arguments, and BadBot if a bot cannot be loaded.
    """
    chosen, config = game_called(game), config or {}
    seats = chosen.seats(configure(chosen, config))
    if len(players) != seats:
        why = f"this match has {seats} seats, not {len(players)}"
        raise BadSetup("wrong_seats", why, field="players")
    with contextlib.ExitStack() as stack:
        bots = [opened_bot(game, player, stack) for player in players]
        return _played(chosen, bots, seed, map, config)


def game_called(name: str) -> AnyGame:
    """The game of this name. Raises BadSetup."""
    if name not in GAMES:
        why = f"no game is called {name!r}"
        raise BadSetup("unknown_game", why, field="game", allowed=sorted(GAMES))
    return GAMES[name]


def _played(
    game: AnyGame,
    bots: Sequence[Bot],
    seed: int | None,
    map_: str | Path | None,
    config: Mapping[str, Any],
) -> Result:
    names = tuple(bot.name or type(bot).__name__ for bot in bots)
    text = None if map_ is None else map_text(game.name, map_)
    setting = Setting(game=game, config=config, map_text=text, names=names, record=True)
    number = secrets.randbelow(MAX_SEED + 1) if seed is None else seed
    faults: list[str] = []

    def note(seat: int, what: str, fault: Fault, match: Match) -> None:
        faults.append(f"seat {seat}, turn {match.turn}, {what}: {format_fault(fault)}")

    played = play_one(setting, 1, number, tuple(range(len(bots))), bots, tell=note)
    assert played.journal is not None
    return Result(
        game.name, number, names, played.outcome, played.turns, played.journal, tuple(faults)
    )


def opened_bot(game: str, player: BotLike, stack: contextlib.ExitStack) -> Bot:
    """Raises BadBot."""
    if isinstance(player, type):
        return player()
    if isinstance(player, Bot):
        return player
    if isinstance(player, str) and is_prefixed(player):
        return stack.enter_context(opened(GAMES[game], player_spec(game, player)))
    if isinstance(player, Path) or player.endswith(FILES):
        spec = PlayerSpec(Path(player).stem, str(player), "file")
        return stack.enter_context(opened(GAMES[game], spec, apart=False))
    return house(game, player)


def map_text(game: str, map_: str | Path) -> str:
    """Raises BadSetup."""
    if isinstance(map_, str) and map_ in maps.names(game):
        return maps.text(game, map_)
    try:
        return read_text(Path(map_))
    except UserError as fault:
        why = f"map {fault}"
        raise BadSetup("unknown_map", why, field="map", allowed=maps.names(game)) from None
