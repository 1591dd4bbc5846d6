"""Play one match on a server with a bot."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from msgspec import UNSET, UnsetType

from client_sdk.answers import commands_of
from client_sdk.connection import Connection
from client_sdk.conversation import Conversation
from client_sdk.errors import BotGone, ServerRefused
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
    from client_sdk.link import LiveBot

LAST_WORDS: Final = {close.code for close in CLOSES.values()} - {MALFORMED.code}
"""Errors after which the server closes: they are reported with the end of the connection."""
CLIENT_NAME: Final = 80
"""Characters of what a program calls itself in its hello."""
PART: Final = 500
"""Commands of one frame: a longer answer travels in several."""
WINDOW: Final = 50
"""Unanswered frames at which nothing more is sent ahead: a server that the bot reconnects to
remembers no more."""

log = logging.getLogger("botarena")


def play(bot: LiveBot, url: str, token: str) -> dict[str, Json] | None:
    """Play the match that this seat belongs to; returns the result record, None if the match ended
    while we were away.

    `url` is the websocket endpoint. Raises ServerRefused, ConnectionLost, BotGone.
    """
    with Connection(url, conversation_of(bot, token)) as connection:
        return play_on(bot, connection)


def conversation_of(bot: LiveBot, token: str) -> Conversation:
    """A seat's conversation, as this bot wants it."""
    return Conversation(
        token=token,
        client=f"botarena-python {bot.name}"[:CLIENT_NAME],
        once=bot.start_only,
        changes=bot.wants_changes,
    )


def play_on(bot: LiveBot, connection: Connection) -> dict[str, Json] | None:
    """`play` on a connection of the caller's, which can close it from another thread: that raises
    ConnectionLost here."""
    bot.link = link = LiveLink(connection)
    try:
        return _Seat(bot, connection, link).play()
    except ServerRefused as fault:
        # A token is valid until the end of the match.
        if connection.conversation.started and fault.code in (MATCH_OVER.code, BAD_TOKEN.code):
            log.warning("the match ended while the connection was lost")
            return None
        raise


class LiveLink:
    """A bot's link to a server, for one turn at a time: commands for an older one are dropped."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._turn: int | None = None
        self._deadline: float | None = None
        self._bank_s: float | None = None
        self._banks_s: tuple[float | None, ...] | None = None

    def see(self, message: MatchStart | View) -> None:
        """The bot gets this message."""
        banks = message.banks_ms
        seconds = None if banks is UNSET else tuple([_seconds(bank) for bank in banks])
        self._banks_s = seconds

    def open(self, turn: int) -> None:
        """The bot turns to this turn."""
        self._turn = turn
        self._deadline = self._connection.conversation.deadline
        self._bank_s = self._bank()

    def turn(self) -> int | None:
        return self._turn

    def deadline(self, begun: float, clock: Clock) -> float | None:
        return self._deadline

    def stopped(self) -> bool:
        conversation = self._connection.conversation
        return (
            conversation.stopped
            or conversation.turn != self._turn
            or self._connection.over  # perhaps another client has taken the seat
        )

    def provisional(self, commands: Iterable[Json]) -> None:
        if self._turn is not None:
            self._connection.provisional(self._turn, commands)

    def info(self, data: Json) -> None:
        self._connection.info(data)

    def send_out_of_turn(self, commands: Iterable[Json]) -> bool:
        return self._connection.commands(None, commands)

    def send_early(self, commands: Iterable[Json]) -> bool:
        if self._turn is None or self._connection.conversation.unanswered >= WINDOW:
            return False
        return self._connection.commands(self._turn, commands)

    def pending_results(self) -> list[list[Reply]]:
        return [_replies(message) for message in self._connection.results()]

    def fresh_view(self) -> Json | None:
        if self.stopped():
            return None
        message = self._connection.fresh_view()
        if message is None:
            return None
        self._bank_s = self._bank()
        self.see(message)
        return message.view

    def bank_s(self) -> float | None:
        return self._bank_s

    def banks_s(self) -> tuple[float | None, ...] | None:
        return self._banks_s

    def _bank(self) -> float | None:
        return _seconds(self._connection.conversation.bank_ms)


class _Seat:
    """One match of one bot, message by message."""

    def __init__(self, bot: LiveBot, connection: Connection, link: LiveLink) -> None:
        self._bot = bot
        self._connection = connection
        self._link = link
        self._started = False
        self._realtime = False
        self._seat: int | None = None
        self._decided: int | None = None
        """The turn that was answered last."""
        self._shown: int | None = None
        """The number of the view that the bot saw last."""

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
                    where = (message.match, message.game, message.seat)
                    log.info("connected to match %s of %s, seat %s", *where)
                case Error() if message.code not in LAST_WORDS:
                    log.warning("the server says: %s (%s)", message.text, message.code)
                case End():
                    log.info("over: %s", _summary(message.outcome))
                    self._guarded("on_end", message.outcome)
                    return message.outcome

    def _start(self, message: MatchStart) -> None:
        self._link.see(message)
        if self._started:
            log.info("back in the match, turn %s", message.turn)
        else:
            self._started = True
            self._realtime = message.clock.tick_ms is not None or message.clock.lockstep
            self._seat = message.seat
            seats = [f"{seat.name} ({seat.role})" for seat in message.seats]
            log.info("the match starts: %s", " against ".join(seats))
            self._guarded("on_start", start_from(message))
        if message.within_ms is not None:
            self._connection.ready()

    def _view(self, message: View) -> None:
        if self._realtime and self._connection.overtaken(message):
            return  # the newest state or none: a slow bot must not run behind the world
        self._link.see(message)
        if not message.act:
            if message.seq != self._shown:
                self._shown = message.seq
                self._guarded("on_view", message.view)
            return
        if message.turn == self._decided:
            return
        self._shown = message.seq
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
            return commands_of(self._bot.decide(message.view))
        except BotGone:
            raise
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
                what = f"turn {message.turn}, command {number}"
                log.warning("%s was not carried out: %s %s", what, result.code, _why(result))
        self._guarded("on_results", _replies(message))

    def _event(self, message: Event) -> None:
        if message.seat == self._seat and message.event in ("timeout", "silent", "not_ready"):
            log.warning("turn %s: %s", message.turn, message.event)
        place = {"turn": message.turn, "seat": message.seat}
        self._guarded("on_event", {"e": message.event, **place, "data": message.data})

    def _guarded(self, hook: str, argument: object) -> None:
        try:
            getattr(self._bot, hook)(argument)
        except Exception:  # a hook that fails is the bot's fault; the match goes on
            log.exception("the bot failed in %s", hook)


def _seconds(ms: int | None) -> float | None:
    return None if ms is None else ms / 1000


def _replies(message: Results) -> list[Reply]:
    return [_reply(result) for result in message.results]


def _reply(result: CommandResult) -> Reply:
    changes = None if isinstance(result.changes, UnsetType) else result.changes
    return Reply("ok" if result.code == "ok" else "refused", result.code, _why(result), changes)


def _why(result: CommandResult) -> str:
    return result.why if isinstance(result.why, str) else ""


def _summary(outcome: dict[str, Json]) -> str:
    scores = " : ".join(f"{seat['score']:.10g}" for seat in outcome.get("seats", ()))
    winner = outcome.get("winner")
    who = "" if winner is None else f" for seat {winner}"
    return f"{outcome.get('outcome')}{who} ({outcome.get('reason')}), scores {scores}"
