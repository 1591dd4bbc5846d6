"""`botarena check-bot`: whether a bot keeps to the protocol, phase by phase, on a real server."""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from client_sdk.cli.arguments import (
    BotArgument,
    ConfigOption,
    GameOfBotOption,
    QuietOption,
    SetOption,
    game_of,
    parameters_of,
)
from client_sdk.console import UserError, out, say, status
from client_sdk.local.lookup import game_called

if TYPE_CHECKING:
    from client_sdk.local.check.phases import Report
    from client_sdk.local.players import PlayerSpec

COLOURS: Final = {"pass": "green", "warn": "yellow", "fail": "bold red", "skip": "dim"}


def check_bot(
    bot: BotArgument,
    game: GameOfBotOption = None,
    against: Annotated[
        str | None, typer.Option(metavar="BOT", help="A house bot.", show_default="the best one")
    ] = None,
    set_: SetOption = None,
    config: ConfigOption = None,
    full: Annotated[
        bool, typer.Option("--full", help="A match of the game's default length and pace.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Of the match.")] = 1,
    max_time: Annotated[
        int, typer.Option(min=1, metavar="S", help="A match that takes longer is ended.")
    ] = 120,
    as_json: Annotated[bool, typer.Option("--json", help="The grades as JSON.")] = False,
    quiet: QuietOption = False,
) -> None:
    """Play one short match with a bot and grade each phase: pass, warn or fail.

    A bot whose commands are all rejected, or that raises on every turn, fails. Exit status 1: a
    phase fails.

    \b
    botarena check-bot mybot.py
    botarena check-bot "node mybot.js" --game botstack
    """
    from client_sdk.bots import HOUSE, default_opponent
    from client_sdk.local.check.match import observe
    from client_sdk.local.check.phases import Report, judge
    from client_sdk.local.players import known, player_spec
    from client_sdk.local.server import local_server

    game = game_of(bot, game)
    called = game_called(game)
    player = player_spec(game, bot)
    opponents = HOUSE.get(game, {})
    if not opponents:
        raise UserError(f"{game} has no house bot, and check-bot needs one to play against")
    opponent = against or default_opponent(opponents)
    known(f"house bot of {game}", opponent, opponents)
    report = Report()
    if _loads(game, player, report):
        chosen = ({} if full else dict(called.short)) | parameters_of(set_, config)
        with (
            status(f"checking {player.label}") as progress,
            tempfile.TemporaryDirectory() as folder,
            local_server(Path(folder)) as url,
        ):
            seen = observe(called, player, opponent, chosen, seed, max_time, progress, url)
        judge(seen, report)
    failed = any(phase.grade == "fail" for phase in report.phases)
    if as_json:
        phases = [asdict(phase) for phase in report.phases]
        say(json.dumps({"bot": player.label, "game": game, "ready": not failed, "phases": phases}))
        raise typer.Exit(failed)
    for phase in report.phases:
        say_grade(phase.name, phase.grade, phase.why)
    say(f"{player.label}: {'not ready' if failed else 'ready'} for a match of {game}")
    if failed:
        raise typer.Exit(1)


def say_grade(name: str, grade: str, why: str) -> None:
    """A line of a report."""
    out().print(f"{grade:<5}", style=COLOURS.get(grade), end="")
    say(f"{name:<16}{why}")


def _loads(game: str, player: PlayerSpec, report: Report) -> bool:
    """Whether the bot's file can be read at all; of a command only its start can tell."""
    from client_sdk.errors import BadBot
    from client_sdk.leaving import process_restored
    from client_sdk.loading import misspelt
    from client_sdk.local.players import is_compiled, opened

    if player.is_program:
        return True
    try:
        with process_restored(), opened(game_called(game), player, apart=False) as bot:
            pass
    except BadBot as fault:
        return report.fails("load", str(fault))
    what = "a C file" if is_compiled(player) else type(bot).__name__
    if doubtful := [f"is {name} meant to be {hook}?" for name, hook in misspelt(bot)]:
        return report.warns("load", f"{what}: {' '.join(doubtful)}")
    return report.passes("load", f"{what}, called {bot.name or player.label}")
