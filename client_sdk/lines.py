"""A bot that is a program and speaks JSON lines on standard input and output (PROTOCOL.md §7).

The program gets `start`, then `view` for each decision, `results` and `end`; it answers each view
with its commands. Its standard error is its log."""

from __future__ import annotations

import contextlib
import logging
from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct

from client_sdk.answers import COMMANDS, whole_turn
from client_sdk.bounds import Bounds
from client_sdk.errors import BotGone
from client_sdk.isolated_process import DEPTH, deeper
from client_sdk.line_process import LINE_BYTES, LOOK_S, TOO_LONG, Ended, LineProcess
from client_sdk.output import LogFile
from client_sdk.process import printable
from client_sdk.remote import RemoteBot, WhySilent
from client_sdk.running import running_s
from client_sdk.start import Start
from client_sdk.wire.messages import (
    CommandResult,
    End,
    Error,
    Info,
    Provisional,
    Ready,
    Results,
    View,
)
from games.core.contract import AnyGame, Json, Reply

STARTUP_S: Final = 10.0
"""Without a server the time of the first turn begins when the program has read its view, or after
this time: it may still be starting."""
LONGEST_S: Final = 60.0
"""The time of a turn where a match has no limit."""
EARLY_S: Final = 0.2
"""A program that does not say that it is ready counts as ready this long before the time is up."""
MALFORMED: Final = 1000
"""Lines that are no message, in one turn; a bot that writes more of them is ended."""
NOT_READY: Final = "not ready"
NEVER_READY: Final = "never said ready"
"""How the log begins that `check-bot` reads."""
SHOWN: Final = 80
"""Characters of a line that is no answer, in messages."""

_Other: Final[Any] = Ready | Info | Provisional

log = logging.getLogger("botarena")


class LinesAnswer(Struct, frozen=True):
    """Commands, and the turn that they answer if it is named."""

    commands: list[Any]
    turn: int | None = None


class NotUnderstood(Exception):
    """A line that is no answer. The text says why."""


class LinesBot(RemoteBot):
    """Plays what the program answers. Leaving it ends the program."""

    def __init__(
        self,
        command: str,
        game: AnyGame,
        log_file: LogFile | None = None,
        *,
        limit_s: float | None = None,
        bounds: Bounds | None = None,
        cwd: Path | None = None,
    ) -> None:
        """Starts the program. `log_file`: for its standard error. `bounds`: what it may use; in a
        sandbox it works in a copy of the folder `cwd`. Raises BadBot, NoSandbox."""
        super().__init__(game, limit_s, LONGEST_S)
        self.game = game.name  # type: ignore[misc]  # of this bot, as of a class
        self._ready = False
        self._open: deque[int] = deque()
        """The turns whose views have had no answer; the last one is the open turn."""
        self._realtime = False
        self._skipped = 0
        """Views left out since the last one that was sent."""
        self._chattered = False
        self._malformed = 0
        """Lines that were no message, in this turn."""
        self._viewed = False
        """Whether it has had a view."""
        self._turn = 0
        self._child = LineProcess(
            command, game.name, log=log_file, cwd=cwd, bounds=bounds, take=self._sends
        )

    @property
    def pid(self) -> int:
        """The process that is above all of the bot's."""
        return self._child.pid

    def settle(self) -> None:
        self._child.settle()

    def close(self) -> None:
        """End the program's input, and the program. Doing it twice is no fault."""
        self._child.close()

    # --- the bot ----------------------------------------------------------------------------------

    def on_start(self, start: Start) -> None:
        super().on_start(start)
        self._realtime = self._pacing.realtime
        self._turn = start.turn
        self._begin(start)

    def _begin(self, start: Start) -> None:
        """Send the start, and wait until the program is ready or the time is up."""
        begun = running_s()
        self._tell(start_message(start))
        if start.within_ms is None:
            return
        within_s = start.within_ms / 1000
        until = begun + within_s - min(EARLY_S, within_s / 10)
        try:
            while not self._ready and (line := self._line(until)) is not None:
                self._taken(line)
        except Ended as ended:
            self._gone(NOT_READY, ended, "not_ready")
        else:
            if not self._ready and self._on_server():
                log.warning("%s: the first turn waited %.1f s", NEVER_READY, running_s() - begun)

    def decide(self, view: Json) -> Iterable[Json]:
        turn = self.link.turn()
        self._turn = self._turn if turn is None else turn
        if self._silence is not None:
            return self._after_the_end(self._silence)
        if self._sends_at_once() and not self._child.has_read():
            self._skipped += 1  # the next view or none: a slow bot must not run behind the world
            return []
        within_s = self._within_s()
        self._open.append(self._turn)
        self._tell(self._view_message(view, within_s))
        if not (self._viewed or self._on_server()):  # it may still be starting
            self._child.await_reader(running_s() + STARTUP_S)
        self._viewed, self._malformed = True, 0
        begun = running_s()
        until = None if within_s is None else begun + within_s
        late = self._late()
        try:
            if self._sends_at_once():
                self._child.receive(0)
                return []
            answer = self._answer(until)
            self._took(running_s() - begun)
        except Ended as ended:
            self._gone(late, ended, "disconnect")
            return self._after_the_end("disconnect")
        if answer is not None:
            self._missed = 0
            return answer
        if within_s is None or self.link.stopped():
            log.error("%s before the server closed the turn", late, extra={"late": True})
        else:
            log.error("%s within %.0f ms", late, within_s * 1000, extra={"late": True})
        if self._hangs():
            self._silence = "timeout"
            self._child.end()
        return self._silent("timeout")

    def on_results(self, results: Sequence[Reply]) -> None:
        if not self._missed:  # else they are of what was played in its place
            self._tell(Results(self._turn, tuple(_result(reply) for reply in results)))

    def on_end(self, outcome: dict[str, Json]) -> None:
        self._tell(End(outcome))

    # --- the form ---------------------------------------------------------------------------------

    def _late(self) -> str:
        """How the log of a turn without an answer begins."""
        return f"turn {self._turn}: no answer"

    def _view_message(self, view: Json, within_s: float | None) -> Any:
        bank_s, banks_s = self._bank_s(), self.link.banks_s()
        skipped, self._skipped = self._skipped, 0
        return View(
            self._turn,
            self._turn,
            view,
            act=True,
            within_ms=None if within_s is None else round((within_s - (bank_s or 0)) * 1000),
            bank_ms=_ms(bank_s),
            skipped=skipped,
            banks_ms=UNSET if banks_s is None else tuple([_ms(bank) for bank in banks_s]),
        )

    def _read(self, value: Json) -> LinesAnswer | Info | Provisional | Ready | None:
        """What a line says; None: nothing that matters here. Raises msgspec.ValidationError,
        NotUnderstood."""
        kind = value.get("type") if isinstance(value, dict) else None
        if kind == "commands" or (kind is None and isinstance(value, dict) and "commands" in value):
            return msgspec.convert(value, LinesAnswer)
        if kind in ("ready", "info", "provisional"):
            message: Ready | Info | Provisional = msgspec.convert(value, _Other)
            return message
        if kind in ("hello", "seen", "resync"):
            return None
        return LinesAnswer(value if isinstance(value, list) else [value])

    # --- lines ------------------------------------------------------------------------------------

    def _tell(self, message: Any) -> None:
        if self._silence is None:
            self._child.send(msgspec.json.encode(message))

    def _answer(self, until: float | None) -> list[Json] | None:
        """The commands for the open turn; None: none have come in time. Raises Ended."""
        while (line := self._line(until)) is not None:
            answer = self._taken(line)
            if answer is not None and self._is_open(answer):
                return whole_turn(self._game, answer.commands)
            if self._malformed > MALFORMED:
                self._child.end()
                raise Ended(f"has written more than {MALFORMED} malformed lines in one turn")
        return None

    def _line(self, until: float | None) -> bytes | None:
        """The next line; None: the time is up here or on the server. Raises Ended."""
        while True:
            left = LOOK_S if until is None else min(LOOK_S, until - running_s())
            if left <= 0 or (self.link.stopped() and self._open):
                return None
            if (line := self._child.receive(left)) is not None:
                return line

    def _taken(self, line: bytes) -> LinesAnswer | None:
        """Act on a line; the answer that it is. What is no answer gets an error back."""
        try:
            message = self._understood(line)
        except NotUnderstood as fault:
            self._malformed += 1
            self._refuse("malformed", str(fault))
            if not self._chattered:
                self._chattered = True
                log.warning("turn %s: the bot wrote %s", self._turn, fault)
            return None
        if isinstance(message, LinesAnswer):
            return message
        with contextlib.suppress(ValueError):  # more than a frame can hold
            if isinstance(message, Info):
                self.link.info(message.data)
            elif isinstance(message, Provisional):
                self.link.provisional(message.commands)
        self._ready = self._ready or isinstance(message, Ready)
        return None

    def _understood(self, line: bytes) -> LinesAnswer | Info | Provisional | Ready | None:
        """Raises NotUnderstood."""
        if line == TOO_LONG:
            raise NotUnderstood(f"a line of more than {LINE_BYTES >> 20} MB")
        try:
            value = msgspec.json.decode(line)
        except (msgspec.DecodeError, RecursionError):
            shown = printable(line[:SHOWN].decode(errors="replace"))
            raise NotUnderstood(
                f"what is no JSON: {shown!r}; log to standard error instead"
            ) from None
        try:
            found = self._read(value)
        except msgspec.ValidationError as fault:
            raise NotUnderstood(f"a message that is none: {fault}") from None
        if isinstance(found, LinesAnswer):
            if len(found.commands) > COMMANDS:
                raise NotUnderstood(f"more than {COMMANDS} commands in one answer")
            if deeper(found.commands, DEPTH):
                raise NotUnderstood(f"commands nested deeper than {DEPTH}")
        return found

    def _is_open(self, answer: LinesAnswer) -> bool:
        """Whether this answers the open turn. One without a turn answers the oldest view that has
        had no answer; commands of a realtime game belong to no turn."""
        if self._realtime:
            return True
        turn = answer.turn if answer.turn is not None or not self._open else self._open[0]
        if turn is None or turn > self._turn:
            code, what = "future_turn", "this turn is not open yet"
        else:
            while self._open and self._open[0] <= turn:
                self._open.popleft()
            if turn == self._turn:
                return True
            code, what = "stale_turn", "this turn is over"
        self._refuse(code, what if turn is None else f"turn {turn}: {what}")
        return False

    def _sends(self, line: bytes) -> bool:
        """Called for each line by the thread that reads them: whether it is dealt with. In a
        realtime match on a server commands are sent when they come."""
        if not self._sends_at_once():
            return False
        answer = self._taken(line)
        if answer is not None:
            with contextlib.suppress(ValueError):
                self.link.send_out_of_turn(whole_turn(self._game, answer.commands))
        return True

    def _refuse(self, code: str, text: str) -> None:
        self._child.send(msgspec.json.encode(Error(code, text)))

    def _sends_at_once(self) -> bool:
        return self._realtime and self._on_server()

    def _gone(self, late: str, ended: Ended, reason: WhySilent) -> None:
        log.error("%s, for the bot %s%s", late, ended, _indented(self._child.last_words()))
        self._silence = reason

    def _after_the_end(self, reason: WhySilent) -> list[Json]:
        """The answer of a program that has ended. Raises BotGone on a server, whose rules say what
        becomes of a seat without a bot."""
        if self._on_server() and reason != "timeout":
            raise BotGone
        return self._silent(reason)


def start_message(start: Start) -> dict[str, Json]:
    """The start as a message: what the server's has, without what only a connection needs."""
    return {"type": "start", **msgspec.to_builtins(start)}


def _result(reply: Reply) -> CommandResult:
    return CommandResult(reply.code, reply.why or UNSET)


def _ms(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1000)


def _indented(text: str) -> str:
    return "".join(f"\n  {line}" for line in text.splitlines())
