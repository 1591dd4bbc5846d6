"""`botarena join`, `start` and `watch`: matches on a server."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from urllib.parse import urlsplit

import typer

from client_sdk.cli.arguments import (
    BotArgument,
    ConfigOption,
    GameOfBotOption,
    MapOption,
    SetOption,
    game_of,
    parameters_of,
)
from client_sdk.console import UserError, note, say
from client_sdk.local.lookup import game_called, known_game, map_text
from games.core.contract import Json
from games.core.turns import turn_text

if TYPE_CHECKING:
    from client_sdk.bot import Bot
    from client_sdk.cli.screen import ShowView
    from client_sdk.local.players import PlayerSpec
    from client_sdk.rest import RestClient

T = TypeVar("T")

WATCH = "/watch/"
PAGES = (WATCH, "/match/")
"""What a match's id follows in an address."""
ID = re.compile(r"\w[\w.-]*")
"""What may be an id of a match: nothing that leads to another folder."""
ServerArgument = Annotated[
    str, typer.Argument(help="The server, such as http://127.0.0.1:8000.", show_default=False)
]
MatchArgument = Annotated[
    str,
    typer.Argument(
        help="A match's page (http://host:port/match/ID), or the server.", show_default=False
    ),
]
MatchOption = Annotated[
    str | None, typer.Option(help="The match, if the URL does not name it.", show_default=False)
]
TokenOption = Annotated[
    str | None,
    typer.Option(help="For a private match: a seat's or the owner's.", envvar="BOTARENA_TOKEN"),
]
KeyOption = Annotated[
    str | None,
    typer.Option(
        help="Of your account (better: the variable).", envvar="BOTARENA_KEY", show_default=False
    ),
]


def join(
    url: ServerArgument,
    bot: BotArgument,
    game: GameOfBotOption = None,
    lobby: Annotated[
        str, typer.Option(help="A lobby's id or name, * for any open one, new for a new one.")
    ] = "*",
    map_: MapOption = None,
    set_: SetOption = None,
    config: ConfigOption = None,
    seed: Annotated[
        int | None, typer.Option(help="Of the match of a new lobby.", show_default="random")
    ] = None,
    spectator_delay: Annotated[
        int | None,
        typer.Option(
            metavar="S",
            min=0,
            help="The public learns of a turn of a new lobby's match after this, s.",
            show_default="0",
        ),
    ] = None,
    owner_starts: Annotated[
        bool,
        typer.Option(
            "--owner-starts",
            help="A new lobby's match begins with `botarena start`, not when all seats are taken.",
        ),
    ] = False,
    name: Annotated[
        str | None, typer.Option(help="What the others see.", show_default="the bot's name")
    ] = None,
    invite: Annotated[
        str | None, typer.Option(help="For a private lobby.", show_default=False)
    ] = None,
    password: Annotated[
        str | None, typer.Option(help="For a lobby that asks for one.", show_default=False)
    ] = None,
    key: KeyOption = None,
) -> None:
    """Play one match on a server with a bot of any kind.

    With --set, --config, --map, --seed, --spectator-delay or --owner-starts it creates the lobby,
    under the name that --lobby gives.

    \b
    botarena join http://127.0.0.1:8000 mybot.py
    botarena join arena.example:8000 --game pyrat --lobby new "node mybot.js"
    botarena join 127.0.0.1:8000 --lobby friends --set preset=tiny mybot.py
    """
    from client_sdk.local.players import opened, player_spec, plays_apart

    game = game_of(bot, game)
    chosen = game_called(game)
    player = player_spec(game, bot)
    log = None
    if plays_apart(game, player, None) and not player.connects:
        log = Path(tempfile.mkdtemp(prefix="botarena-logs-")) / f"{game}-{player.label}.log"
    with ExitStack() as stack:
        made = None
        if not player.connects:  # a bot that cannot be had takes no seat
            made = stack.enter_context(opened(chosen, player, log))
        with rest_of(url, key) as rest:
            asked = config, map_, seed, spectator_delay
            if set_ or owner_starts or any(given is not None for given in asked):
                usual: dict[str, Any] = (
                    {} if spectator_delay is None else {"spectator_delay": spectator_delay}
                )
                if owner_starts:
                    usual["start_when_full"] = False
                created = rest.create(
                    game,
                    name=None if lobby in ("*", "new") else lobby,
                    config=parameters_of(set_, config),
                    map_text=None if map_ is None else map_text(game, map_),
                    seed=seed,
                    password=password,
                    **usual,
                )
                lobby = created["lobby"]
                if owner_starts:
                    owner = created["owner_token"]
                    note(f"begin it with: BOTARENA_TOKEN={owner} botarena start {url} {lobby}")
            seat = rest.join(lobby, game, name or player.label, invite=invite, password=password)
            waits = _waits(rest, seat)
        say(
            f"{name or player.label} has seat {seat['seat']} in lobby {seat['lobby']}; watch it at "
            f"{watch_url(url, seat['lobby'])}"
        )
        if waits:
            note(waits)
        if log is not None:
            note(f"what {player.label} prints goes to {log}")
        if made is None:
            _run_command(game, player, seat)
        else:
            _run_here(made, seat)


def _waits(rest: RestClient, seat: dict[str, Json]) -> str:
    """What the lobby of this seat still waits for, in words; nothing if it is full, or the server
    does not say."""
    from client_sdk.errors import ServerRefused

    try:
        lobby = rest.lobby(seat["lobby"], seat["token"])
    except ServerRefused:
        return ""
    free = sum(not one["taken"] for one in lobby["seats"])
    if lobby["state"] != "open" or not free:
        return ""
    seats = "one seat is" if free == 1 else f"{free} seats are"
    left = lobby["countdown_ms"]
    closes = "" if left is None else f"; without more players the lobby closes in {left // 1000} s"
    return f"{seats} still free (join with another bot, or add a house bot on the page){closes}"


def _run_here(bot: Bot, seat: dict[str, Json]) -> None:
    from client_sdk.run import run

    status = run(bot, url=seat["url"], token=seat["token"])
    if status:
        raise typer.Exit(status)


def _run_command(game: str, player: PlayerSpec, seat: dict[str, Json]) -> None:
    """The program's output goes to stderr as it comes."""
    from client_sdk.process import BotProcess

    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "output"
        with BotProcess(
            player.spec, url=seat["url"], token=seat["token"], game=game, log=log
        ) as process:
            shown = 0
            while True:
                try:
                    status: int | None = process.wait(timeout=0.2)
                except subprocess.TimeoutExpired:
                    status = None
                text = process.output
                sys.stderr.write(text[shown:])
                shown = len(text)
                if status is not None:
                    break
    if status:
        note(f"{player.spec} ended with status {status}")
        raise typer.Exit(status if status > 0 else 1)


def start(
    url: ServerArgument,
    lobby: Annotated[str, typer.Argument(help="The lobby's id.", show_default=False)],
    token: Annotated[
        str, typer.Option(help="The owner's.", envvar="BOTARENA_TOKEN", show_default=False)
    ],
) -> None:
    """Start the match of a lobby that you own; house bots take the free seats.

    \b
    botarena start http://127.0.0.1:8000 p7k2abcdefgh
    """
    with rest_of(url) as rest:
        rest.start(lobby, token)
    say(f"it starts when all seats are ready; watch it at {watch_url(url, lobby)}")


def watch(
    url: MatchArgument,
    match: MatchOption = None,
    token: TokenOption = None,
    key: KeyOption = None,
) -> None:
    """Watch a match: redrawn in place on a terminal, one line a turn in a pipe.

    \b
    botarena watch http://127.0.0.1:8000/match/p7k2abcdefgh
    botarena watch 127.0.0.1:8000 --match p7k2abcdefgh
    """
    server, found = match_at(url, match)
    from client_sdk.cli.screen import showing

    with rest_of(server) as rest:
        # a server that is not there is said at once; one that goes away later is tried again
        rest.health()
    with showing() as show:
        outcome = follow(
            server, found, token or key, show, ready=lambda: note(f"watching match {found}")
        )
    say(outcome)


def follow(
    server: str,
    match: str,
    token: str | None,
    show: ShowView,
    ready: Callable[[], object] | None = None,
) -> str:
    """Show a match until it is over; returns how it ended, in words. `ready` is called when the
    server knows us.

    Raises ServerRefused, ConnectionLost, UserError.
    """
    from client_sdk.address import socket_url
    from client_sdk.connection import Connection
    from client_sdk.conversation import Conversation
    from client_sdk.local.results import ending
    from client_sdk.wire.messages import End, Event, MatchStart, ServerHello, View

    game = ""
    names: tuple[str, ...] = ()
    conversation = Conversation(match=match, token=token, client="botarena watch", deltas=True)
    with Connection(
        _played_at(server, match, token) or _address(socket_url, server, "watch"), conversation
    ) as connection:
        while True:
            message = connection.next()
            match message:
                case ServerHello() if ready is not None:
                    ready()
                    ready = None
                case MatchStart():
                    game, names = message.game, tuple(seat.name for seat in message.seats)
                    show(game, message.view, names)
                case View():
                    show(game, message.view, names)
                case Event() if message.event not in ("info", "back", "stall", "clock"):
                    who = "" if message.seat is None else f" ({names[message.seat]})"
                    turn = turn_text(known_game(game), message.turn)
                    note(f"turn {turn}: {message.event.replace('_', ' ')}{who}")
                case End():  # a viewer that joins after the end has seen no start
                    return ending(names or _players(server, match, token), message.outcome)


def _players(server: str, match: str, token: str | None) -> tuple[str, ...]:
    """The names at the seats of a match that is over; nothing if the server does not say."""
    from client_sdk.errors import ServerRefused

    with rest_of(server) as rest:
        try:
            return tuple(player["name"] for player in rest.match(match, token)["players"])
        except ServerRefused:
            return ()


def _played_at(server: str, match: str, token: str | None) -> str | None:
    """Where the process listens that plays it, if the server is several ones."""
    from client_sdk.errors import ServerRefused

    with rest_of(server) as rest:
        try:
            return rest.lobby(match, token).get("watch_url")
        except ServerRefused:
            return None


def match_at(url: str, match: str | None) -> tuple[str, str]:
    """The server, and this match or the one that the address names. Raises UserError if there is
    none, and for what is no id: files are called after it."""
    server, named = match_of(url)
    found = match or named
    if found is None:
        raise UserError(f"{url} names no match: give a match's page, or --match ID")
    if not ID.fullmatch(found):
        raise UserError(f"{found[:40]}: this is no id of a match; it stands in its page's address")
    return server, found


def match_of(url: str) -> tuple[str, str | None]:
    """Server and match that a page's address names."""
    whole = url if "://" in url else f"http://{url}"
    path = _address(urlsplit, whole).path
    page = next((page for page in PAGES if page in path), None)
    if page is None:
        return url, None
    before, _, match = path.partition(page)
    return urlsplit(whole)._replace(path=before, query="", fragment="").geturl(), match.strip(
        "/"
    ) or None


def watch_url(server: str, match: str) -> str:
    """A match's page. Raises UserError."""
    from client_sdk.address import http_url

    return f"{_address(http_url, server)}{WATCH}{match}"


def rest_of(url: str, key: str | None = None) -> RestClient:
    """Raises UserError for what is no address."""
    from client_sdk.rest import RestClient

    return _address(lambda: RestClient(url, key=key))


def _address(made: Callable[..., T], *about: object) -> T:
    try:
        return made(*about)
    except ValueError as fault:
        raise UserError(str(fault)) from None
