"""`botarena human`: a person at a seat, in the terminal."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from client_sdk.bot import Bot
from client_sdk.cli.arguments import (
    ConfigOption,
    GameArgument,
    MapOption,
    SetOption,
    parameters_of,
)
from client_sdk.console import UserError, say, show
from client_sdk.local.lookup import game_called, map_text
from games.core.contract import Json, Reply

if TYPE_CHECKING:
    from client_sdk.bot import Start
    from games.core.contract import AnyGame


def human(
    game: GameArgument,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="BOT",
            help="A house bot, a .py or a .c file.",
            show_default="the best house bot",
        ),
    ] = None,
    seat: Annotated[int, typer.Option(min=0, help="Where you sit.")] = 0,
    url: Annotated[
        str | None, typer.Option(help="Play on this server instead.", show_default=False)
    ] = None,
    lobby: Annotated[
        str,
        typer.Option(
            help="--url: a lobby's id or name, * for any open one, new for one with a house bot."
        ),
    ] = "new",
    name: Annotated[str, typer.Option(help="--url: what the others see.")] = "human",
    invite: Annotated[
        str | None, typer.Option(help="--url: for a private lobby.", show_default=False)
    ] = None,
    seed: Annotated[int | None, typer.Option(show_default="random")] = None,
    map_: MapOption = None,
    set_: SetOption = None,
    config: ConfigOption = None,
) -> None:
    """Play a seat yourself: you are asked, you type, Enter sends.

    \b
    botarena human botstack
    botarena human botstack --against mybot.py --seat 1
    botarena human pyrat --set preset=tiny
    botarena human botstack --url http://arena.example:8000 --lobby friends
    """
    chosen = game_called(game)
    person = Person(chosen)
    try:
        if url is None:
            text = None if map_ is None else map_text(game, map_)
            _here(chosen, person, against, seat, seed, text, parameters_of(set_, config))
        elif set_ or any(given is not None for given in (seed, map_, config, against)):
            why = "seed, map, parameters and opponents are the lobby's; leave those options away"
            raise UserError(f"--url: {why}")
        else:
            _on_server(chosen, person, url, lobby, name, invite)
    except InputEnded:
        raise UserError("the input has ended; you have left the match") from None


class Person(Bot):
    """Shows a view, asks, and sends what was typed."""

    def __init__(self, game: AnyGame) -> None:
        from client_sdk.api import terminal

        screen = terminal.screen(game.name)
        if screen is None:
            games = ", ".join(terminal.SCREENS)
            raise UserError(f"{game.title} cannot be played in a terminal; {games} can")
        self._screen = screen
        self._memory = terminal.Memory(game.name)
        self.name = "human"
        self._names: tuple[str, ...] = ()
        self._said = ""

    def on_start(self, start: Start) -> None:
        self._names = start.names
        self._memory.whole(start.view)
        say(f"You are {start.role}. {' against '.join(start.names)}.")

    def decide(self, view: Json) -> Iterable[Json]:
        show(self._screen.draw(self._memory.whole(view), self._names))
        question = self._screen.question(view)
        say(question.text)
        while True:
            typed = self._typed(" / ".join(choice.words for choice in question.choices))
            command = question.answer(typed)
            if command is not None:
                return command if isinstance(command, list) else [command]
            say(f"{typed!r} is none of: {', '.join(choice.words for choice in question.choices)}")

    def on_results(self, results: Sequence[Reply]) -> None:
        for reply in results:
            if not reply.ok:
                say(f"* not done: {reply.why or reply.code}")

    def on_view(self, view: Json) -> None:
        line = self._screen.line(self._memory.whole(view), self._names)
        if line != self._said:
            say(line)
        self._said = line

    def on_event(self, event: dict[str, Json]) -> None:
        who = "" if event["seat"] is None else f" ({self._names[event['seat']]})"
        if event["e"] != "info":
            say(f"* {event['e'].replace('_', ' ')}{who}")

    def on_end(self, outcome: dict[str, Json]) -> None:
        from client_sdk.local.results import ending

        say(ending(self._names, outcome))

    def _typed(self, choices: str) -> str:
        try:
            return input(f"[{choices}] ")
        except EOFError:
            raise InputEnded from None


class InputEnded(BaseException):
    """The person's input has ended: no more questions can be asked."""


def _here(
    game: AnyGame,
    person: Person,
    against: str | None,
    seat: int,
    seed: int | None,
    board: str | None,
    config: dict[str, Json],
) -> None:
    """Without a server, and without a clock."""
    from client_sdk.bot import play_headless
    from client_sdk.bots import HOUSE, default_opponent
    from client_sdk.local.players import opened, player_spec
    from games.core.match import Match

    seed = secrets.randbelow(10**9) if seed is None else seed
    match = Match.begin(game, config, seed, board)
    if seat >= match.seats:
        raise UserError(f"--seat: expected 0 to {match.seats - 1}, got {seat}")
    opponent = player_spec(game.name, against or default_opponent(HOUSE[game.name]))
    if opponent.connects:
        why = "a program that connects to a server plays there (--url)"
        raise UserError(f"--against {opponent.spec}: {why}")
    seats = range(match.seats)
    with contextlib.ExitStack() as stack:
        bots = [
            person if s == seat else stack.enter_context(opened(game, opponent, apart=False))
            for s in seats
        ]
        say(f"{game.title}, seed {seed}")
        play_headless(match, bots, ["human" if s == seat else opponent.label for s in seats])


def _on_server(
    game: AnyGame, person: Person, url: str, lobby: str, name: str, invite: str | None
) -> None:
    from client_sdk.address import socket_url
    from client_sdk.bots import HOUSE, default_opponent
    from client_sdk.cli.online import rest_of, watch_url
    from client_sdk.run import play

    with rest_of(url) as rest:
        seat = rest.join(lobby, game.name, name, kind="human", invite=invite)
        watch = watch_url(url, seat["lobby"])
        say(f"You have a seat in lobby {seat['lobby']}; others can watch at {watch}")
        if lobby == "new":
            rest.add_bot(seat["lobby"], default_opponent(HOUSE[game.name]), seat["token"])
    play(person, socket_url(seat["url"]), seat["token"])
