"""`botarena play-for`: a bot that a server calls to its games."""

from __future__ import annotations

import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from client_sdk.cli.arguments import BotArgument, game_of
from client_sdk.cli.ladder import wait_text, why_text
from client_sdk.cli.online import KeyOption, ServerArgument, rest_of
from client_sdk.console import UserError, note, say, status
from client_sdk.local.lookup import game_called
from client_sdk.retry import jittered
from games.core.contract import Json

if TYPE_CHECKING:
    from client_sdk.local.players import PlayerSpec
    from client_sdk.process import BotProcess
    from client_sdk.rest import RestClient


WAIT_S: Final = 25.0
"""How long a request waits for an answer."""
LOOK_S: Final = 0.5
"""While games are played, it is looked after them this often."""
SHOWN_LINES: Final = 8
"""Of what a failed program has said."""


def play_for(
    url: ServerArgument,
    bot: BotArgument,
    game: Annotated[
        str | None,
        typer.Option(
            "--game", help="Which game.", show_default="the tournament's, or that of the bot's file"
        ),
    ] = None,
    enter: Annotated[
        str | None,
        typer.Option(metavar="TOURNAMENT", help="Enter this one first.", show_default=False),
    ] = None,
    ladder: Annotated[bool, typer.Option("--ladder", help="Be on the game's ladder.")] = False,
    name: Annotated[
        str | None, typer.Option(help="In the tournament.", show_default="the account's name")
    ] = None,
    games: Annotated[
        int | None, typer.Option(min=1, help="Stop after this many.", show_default="never")
    ] = None,
    at_once: Annotated[int, typer.Option(min=1, max=64, help="Games that it plays at a time.")] = 1,
    key: KeyOption = None,
) -> None:
    """Play the games that a server calls your bot to, in tournaments and on ladders.

    Each game has a process of its own. The account's key is best kept in the variable.

    \b
    botarena play-for http://127.0.0.1:8000 mybot.py --enter p7k2abcdefgh
    botarena play-for arena.example "node mybot.js" --game pyrat --ladder --at-once 2
    """
    from client_sdk.local.players import player_spec

    if key is None:
        raise UserError("this takes your account's key: BOTARENA_KEY")
    with rest_of(url, key) as rest:
        if game is None and enter is not None:
            game = rest.tournament(enter)["game"]
        played = game_called(game_of(bot, game)).name
        player = player_spec(played, bot)
        _try(played, player)
        if enter is not None:
            entered = rest.enter(enter, name=name, concurrency=at_once)
            say(f"{entered['name']} has entered {enter} as number {entered['entry']}")
        if ladder:
            place = rest.climb(played, at_once)
            wait = wait_text(place["expected_wait_ms"])
            say(f"on the ladder of {played}; expected wait for a game: {wait}")
        try:
            _Caller(rest, played, player, games).play()
        except KeyboardInterrupt:
            note("interrupted; games under way are lost unless you come back to them at once")
            raise typer.Exit(130) from None


def _try(name: str, player: PlayerSpec) -> None:
    """Let the bot play a game on this machine before it enters anything, unless it is a program
    that needs a server for that. Raises UserError."""
    from client_sdk.bots import HOUSE
    from client_sdk.local.games import Task, passed
    from client_sdk.local.games import play as play_game
    from client_sdk.local.players import player_spec

    game = game_called(name)
    if player.connects or player.kind == "house" or name not in HOUSE:
        return
    other = player_spec(name, next(iter(HOUSE[name])))
    with tempfile.TemporaryDirectory(prefix="botarena-trial-") as folder:
        trial = Task(
            record="trial",
            game=name,
            config={},
            map_text=None,
            seed=1,
            players=(player, *[other] * (game.seats(game.rules()) - 1)),
            limit_s=None,
            games=None,
            logs=Path(folder),
        )
        with status(f"{player.label} plays a game on this machine first"):
            why = passed(play_game(trial), 0)
        if why is not None:
            faults = [file.read_text(errors="replace") for file in Path(folder).glob("*.txt")]
            shown = "\n".join("".join(faults).splitlines()[:SHOWN_LINES])
            raise UserError(f"{player.label} is not entered: {why}\n{shown}".rstrip())


class _Caller:
    """Asks for invitations, and has a process for each."""

    def __init__(self, rest: RestClient, game: str, player: PlayerSpec, games: int | None) -> None:
        self._rest = rest
        self._game = game
        self._player = player
        self._left = games
        self._after = 0
        self._failures = 0
        self._lost = 0.0
        """When the first of them happened (monotonic s)."""
        self._delay = jittered()
        self._running: dict[str, BotProcess] = {}
        """By the match."""

    def play(self) -> None:
        """Until all games are played; without a number, for ever."""
        with ExitStack() as stack:
            while self._left != 0 or self._running:
                if self._left == 0:
                    time.sleep(LOOK_S)
                else:
                    for invitation in self._asked():
                        self._after = max(self._after, invitation["number"])
                        if invitation["game"] == self._game and self._left != 0:
                            self._begin(invitation, stack)
                self._look()

    def _asked(self) -> list[Json]:
        """New invitations. A server that is away is waited for; any other no is raised."""
        from client_sdk.errors import ConnectionLost, ServerRefused

        try:
            found: list[Json] = self._rest.invitations(
                self._after, LOOK_S if self._running else WAIT_S
            )
        except (ConnectionLost, ServerRefused) as fault:
            if isinstance(fault, ServerRefused) and not fault.retry:
                raise
            if self._failures == 0:
                note(f"{fault}; trying again")
                self._lost = time.monotonic()
            time.sleep(self._delay(self._failures, time.monotonic() - self._lost, None))
            self._failures += 1
            return []
        self._failures = 0
        return found

    def _begin(self, invitation: Json, stack: ExitStack) -> None:
        from client_sdk.local.players import command
        from client_sdk.process import BotProcess

        try:
            process = BotProcess(
                command(self._game, self._player),
                url=invitation["url"],
                token=invitation["token"],
                game=self._game,
            )
        except OSError as fault:
            raise UserError(f"{self._player.spec} cannot be started: {fault}") from None
        self._running[invitation["match"]] = stack.enter_context(process)
        if self._left is not None:
            self._left -= 1
        what = invitation.get("fixture") or "a game of the ladder"
        why = f" ({why_text(invitation['why'])})" if "why" in invitation else ""
        say(f"{what}: seat {invitation['seat']} of match {invitation['match']}{why}")

    def _look(self) -> None:
        """Whose process has ended."""
        for match, process in list(self._running.items()):
            status = process.returncode
            if status is None:
                continue
            del self._running[match]
            if status:
                ended = f"match {match}: {self._player.label} ended with status {status}"
                note("\n".join([ended, *process.output.splitlines()[-SHOWN_LINES:]]).rstrip())
            process.end()
