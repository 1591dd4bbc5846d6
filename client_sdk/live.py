"""Play one match on a server with a bot: `run` finds the server and a seat, `play` talks.

Server and seat come from the arguments, else from BOTARENA_URL and BOTARENA_TOKEN, else from the
command line of the bot's own file; without a token a seat is taken in a lobby first."""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from msgspec import UnsetType

from client_sdk.address import LOCAL, socket_url
from client_sdk.connection import Connection
from client_sdk.conversation import Conversation
from client_sdk.errors import BadBot, ConnectionLost, ServerRefused
from client_sdk.start import start_from
from client_sdk.wire.codes import BAD_TOKEN, CLOSES, MALFORMED, MATCH_OVER
from client_sdk.wire.messages import (
    Clock,
    CommandResult,
    End,
    Error,
    Event,
    MatchStart,
    Results,
    ServerHello,
    View,
)
from games.core.contract import Json, Reply

if TYPE_CHECKING:
    import argparse

    from client_sdk.link import Linked


LAST_WORDS: Final = {close.code for close in CLOSES.values()} - {MALFORMED.code}
"""Errors after which the server closes: they are reported with the end of the connection."""
PART: Final = 500
"""Commands of one frame: a longer answer travels in several."""
WINDOW: Final = 50
"""Unanswered frames at which nothing more is sent ahead: after a reconnect the server remembers no
more."""

OVER: Final = 0
"""Exit code: the match was played."""
BAD_BOT: Final = 1
USAGE: Final = 2
REFUSED: Final = 3
LOST: Final = 4
INTERRUPTED: Final = 130

log = logging.getLogger("botarena")


def run(
    bot: Linked, url: str | None = None, token: str | None = None, argv: Sequence[str] | None = None
) -> int:
    """Play one match; returns the exit code. `argv`: what stands behind the program's name, by
    default the real one."""
    log_to_stderr()
    bot.name = bot.name or type(bot).__name__
    given = sys.argv[1:] if argv is None and url is None else list(argv or ())
    asked = _read(given) if given else Asked()
    url = url or asked.url or os.environ.get("BOTARENA_URL") or LOCAL
    token = token or asked.token or os.environ.get("BOTARENA_TOKEN")
    try:
        if asked.options:
            from client_sdk.options import set_options

            set_options(bot, asked.options)
        if token is None:
            url, token = _join(bot, url, asked)
        play(bot, socket_url(url), token)
    except (BadBot, ValueError) as fault:
        log.error("%s", fault)
        return USAGE
    except ServerRefused as fault:
        log.error("the server refuses: %s", fault)
        return REFUSED
    except ConnectionLost as fault:
        log.error("%s", fault)
        return LOST
    except KeyboardInterrupt:
        log.info("interrupted; the seat stays taken until the server gives it up")
        return INTERRUPTED
    return OVER


def play(bot: Linked, url: str, token: str) -> dict[str, Json] | None:
    """Play the match that this seat belongs to; returns the result record, None if the match ended
    while we were away.

    `url` is the websocket endpoint. Raises ServerRefused, ConnectionLost.
    """
    conversation = Conversation(
        token=token, client=f"botarena-python {bot.name}", once=bot.once, changes=bot.wants_changes
    )
    with Connection(url, conversation) as connection:
        bot.link = link = Live(connection)
        try:
            return _Seat(bot, connection, link).play()
        except ServerRefused as fault:
            if (
                fault.code in (MATCH_OVER.code, BAD_TOKEN.code) and conversation.started
            ):  # a token is good until the end
                log.warning("the match ended while the connection was lost")
                return None
            raise


class Live:
    """A bot's link to a server. It belongs to one turn at a time: what is sent for an older one is
    dropped."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._turn: int | None = None
        self._deadline: float | None = None
        self._bank_s: float | None = None

    def open(self, turn: int) -> None:
        """The bot turns to this turn."""
        self._turn = turn
        self._deadline = self._connection.conversation.deadline
        self._bank_s = self._bank()

    def deadline(self, begun: float, clock: Clock) -> float | None:
        return self._deadline

    def stopped(self) -> bool:
        conversation = self._connection.conversation
        return conversation.stopped or conversation.turn != self._turn

    def provisional(self, commands: Iterable[Json]) -> None:
        if self._turn is not None:
            self._connection.provisional(self._turn, commands)

    def info(self, data: Json) -> None:
        self._connection.info(data)

    def now(self, commands: Iterable[Json]) -> bool:
        return self._connection.commands(None, commands)

    def say(self, commands: Iterable[Json]) -> bool:
        if self._turn is None or self._connection.conversation.unanswered >= WINDOW:
            return False
        return self._connection.commands(self._turn, commands)

    def heard(self) -> list[list[Reply]]:
        return [_replies(message) for message in self._connection.results()]

    def look(self) -> Json | None:
        if self.stopped():
            return None
        message = self._connection.look()
        if message is None:
            return None
        self._bank_s = self._bank()
        return message.view

    def bank_s(self) -> float | None:
        return self._bank_s

    def _bank(self) -> float | None:
        bank_ms = self._connection.conversation.bank_ms
        return None if bank_ms is None else bank_ms / 1000


class _Seat:
    """One match of one bot, message by message."""

    def __init__(self, bot: Linked, connection: Connection, link: Live) -> None:
        self._bot = bot
        self._connection = connection
        self._link = link
        self._started = False
        self._realtime = False
        self._seat: int | None = None
        self._decided: int | None = None
        """The turn that was answered last."""
        self._shown: int | None = None
        """The turn whose view the bot saw last."""

    def play(self) -> dict[str, Json]:
        while True:
            message = self._connection.next()
            match message:
                case View():
                    self._view(message)
                case MatchStart():
                    self._start(message)
                case Results():
                    self._results(message)
                case Event():
                    self._event(message)
                case ServerHello():
                    log.info(
                        "connected to match %s of %s, seat %s",
                        message.match,
                        message.game,
                        message.seat,
                    )
                case Error() if message.code not in LAST_WORDS:
                    log.warning("the server says: %s (%s)", message.text, message.code)
                case End():
                    log.info("over: %s", _summary(message.outcome))
                    self._guarded("on_end", message.outcome)
                    return message.outcome

    def _start(self, message: MatchStart) -> None:
        if self._started:
            log.info("back in the match, turn %s", message.turn)
        else:
            self._started = True
            self._realtime = message.clock.tick_ms is not None or message.clock.lockstep
            self._seat = message.seat
            log.info(
                "the match starts: %s",
                " against ".join(f"{seat.name} ({seat.role})" for seat in message.seats),
            )
            self._guarded("on_start", start_from(message))
        if message.within_ms is not None:
            self._connection.ready()

    def _view(self, message: View) -> None:
        if self._realtime and self._connection.overtaken(message):
            return  # the newest state or none: a slow bot must not run behind the world
        if not message.act:
            if message.turn != self._shown:
                self._shown = message.turn
                self._guarded("on_view", message.view)
            return
        if message.turn == self._decided:
            return
        self._shown = message.turn
        if not self._realtime and self._connection.conversation.turn != message.turn:
            log.warning("turn %s was over before the bot came to it", message.turn)
            self._guarded("on_view", message.view)
            return
        commands = self._decision(message)
        if commands and self._sent(message.turn, commands):
            self._decided = message.turn

    def _decision(self, message: View) -> list[Json]:
        begun = time.monotonic()
        self._link.open(message.turn)
        try:
            return list(self._bot.decide(message.view))
        except Exception:  # the bot's own fault costs its turn, no more
            log.exception("turn %s: the bot failed and says nothing", message.turn)
            return []
        finally:
            log.debug("turn %s took %.1f ms", message.turn, (time.monotonic() - begun) * 1000)

    def _sent(self, turn: int, commands: list[Json]) -> bool:
        try:
            answers = None if self._realtime else turn
            sent = all(
                self._connection.commands(answers, commands[first : first + PART])
                for first in range(0, len(commands), PART)
            )
        except ValueError as fault:
            log.error("turn %s: these commands cannot be sent: %s", turn, fault)
            return False
        if not sent:
            log.warning("turn %s: too late, the turn is over", turn)
        return sent

    def _results(self, message: Results) -> None:
        for number, result in enumerate(message.results, start=1):
            if result.code != "ok":
                why = result.why if isinstance(result.why, str) else ""
                log.warning(
                    "turn %s, command %s was not carried out: %s %s",
                    message.turn,
                    number,
                    result.code,
                    why,
                )
        self._guarded("on_results", _replies(message))

    def _event(self, message: Event) -> None:
        if message.seat == self._seat and message.event in ("timeout", "silent", "not_ready"):
            log.warning("turn %s: %s", message.turn, message.event)
        event = {
            "e": message.event,
            "turn": message.turn,
            "seat": message.seat,
            "data": message.data,
        }
        self._guarded("on_event", event)

    def _guarded(self, hook: str, argument: object) -> None:
        try:
            getattr(self._bot, hook)(argument)
        except Exception:  # a hook that fails is the bot's fault; the match goes on
            log.exception("the bot failed in %s", hook)


def _replies(message: Results) -> list[Reply]:
    return [_reply(result) for result in message.results]


def _reply(result: CommandResult) -> Reply:
    why = result.why if isinstance(result.why, str) else ""
    changes = None if isinstance(result.changes, UnsetType) else result.changes
    return Reply("ok" if result.code == "ok" else "refused", result.code, why, changes)


def _summary(outcome: dict[str, Json]) -> str:
    scores = " : ".join(f"{seat['score']:.10g}" for seat in outcome.get("seats", ()))
    winner = outcome.get("winner")
    who = "" if winner is None else f" for seat {winner}"
    return f"{outcome.get('outcome')}{who} ({outcome.get('reason')}), scores {scores}"


def _join(bot: Linked, url: str, asked: Asked) -> tuple[str, str]:
    """Take a seat in a lobby; returns where to play and the token. Raises ServerRefused,
    ConnectionLost, BadBot."""
    from client_sdk.rest import RestClient

    game = asked.game or bot.game or os.environ.get("BOTARENA_GAME")
    if not game:
        raise BadBot("this bot plays any game: say which one with --game")
    with RestClient(url, key=asked.key or os.environ.get("BOTARENA_KEY")) as rest:
        seat = rest.join(
            asked.lobby, game, asked.name or bot.name, invite=asked.invite, password=asked.password
        )
    log.info("took seat %s in lobby %s of %s", seat["seat"], seat["lobby"], url)
    return seat["url"], seat["token"]


@dataclass(slots=True)
class Asked:
    """What a command line says: a field per option, hence their number."""

    url: str | None = None
    token: str | None = None
    lobby: str = "*"
    name: str | None = None
    game: str | None = None
    invite: str | None = None
    password: str | None = None
    key: str | None = None
    options: dict[str, str] = field(default_factory=dict)


def _read(argv: Sequence[str]) -> Asked:
    """The command line of a bot's file. Leaves the program with status 2 and a usage text if it is
    wrong."""
    parser = _parser()
    found = parser.parse_args(argv)
    options = {}
    for pair in found.set:
        name, equals, value = pair.partition("=")
        if not equals:
            parser.error(f"--set: expected NAME=VALUE, got {pair!r}")
        options[name] = value
    if found.verbose:
        log.setLevel(logging.DEBUG)
    return Asked(
        url=found.url,
        token=found.token,
        lobby=found.lobby,
        name=found.name,
        game=found.game,
        invite=found.invite,
        password=found.password,
        key=found.key,
        options=options,
    )


def _parser() -> argparse.ArgumentParser:
    import argparse

    parser = argparse.ArgumentParser(description="Play one match on a Botarena server.")
    parser.add_argument(
        "--url", help=f"the server, such as {LOCAL} (default: BOTARENA_URL, else that)"
    )
    parser.add_argument(
        "--lobby",
        default="*",
        help="id or name of a lobby, * for any open one (default), new for a new one",
    )
    parser.add_argument("--name", help="what the others see (default: the bot's own name)")
    parser.add_argument("--game", help="for bots that play any game")
    parser.add_argument("--invite", help="for a private lobby")
    parser.add_argument("--password", help="for a lobby that asks for one")
    parser.add_argument("--key", help="of your account (better: BOTARENA_KEY)")
    parser.add_argument("--token", help="a seat that is taken already (better: BOTARENA_TOKEN)")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set an option that the bot declares",
    )
    parser.add_argument("--verbose", action="store_true", help="tell of every turn")
    return parser


def log_to_stderr() -> None:
    if not log.hasHandlers():
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("botarena: %(message)s"))
        log.addHandler(handler)
        log.setLevel(logging.INFO)
