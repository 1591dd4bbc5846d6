"""A bot at a seat of a game without a server: guarded, timed and counted."""

from __future__ import annotations

import contextlib
import logging
import os
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from client_sdk.answers import commands_of
from client_sdk.base import Bot
from client_sdk.local.limits import CALL_S, HANGS_S, TIMES, OpenCall, Watchdog
from client_sdk.process import printable
from client_sdk.running import running_s
from client_sdk.turn_limit import TurnLimit
from games.core.contract import Json, Reply

if TYPE_CHECKING:
    from client_sdk.link import Link
    from client_sdk.start import Start

Fault = BaseException | str
"""What a bot did wrong: what it raised, or what was said of its answer."""

KEPT_FRAMES = 3
"""Lines of a traceback that are shown: where the bot failed, not how it came there."""


@dataclass(slots=True)
class SeatStats:
    """What one seat did in one game. Times in seconds."""

    turns: int = 0
    total_s: float = 0.0
    longest_s: float = 0.0
    failed: int = 0
    """How often its code raised an exception, or its process failed."""
    illegal: int = 0
    """How often it gave an answer or a command that is not valid, also if its API mended it."""
    late: int = 0
    """Answers over the time limit: they are not played."""


class Seated:
    """A bot at a seat. What it does wrong costs its own turn and is reported: `tell` is called with
    what it did, as what follows its name, and the fault.

    `watch`: takes the calls of this bot, each with the time that it may take. `when`: says where
    the match is."""

    def __init__(
        self,
        bot: Bot,
        limit: TurnLimit | None,
        ear: Ear,
        tell: Callable[[str, Fault], None],
        watch: Watchdog | None,
        when: Callable[[], str],
    ) -> None:
        self.bot = bot
        self.stats = SeatStats()
        self._limit = limit
        self._clock = time.perf_counter if limit is None and watch is None else running_s
        self._ear = ear
        self._tell = tell
        self._watch = watch
        self._when = when

    @property
    def name(self) -> str:
        return self.bot.name

    @property
    def link(self) -> Link:
        return self.bot.link

    @link.setter
    def link(self, link: Link) -> None:
        self.bot.link = link

    def on_start(self, start: Start) -> None:
        self._guarded("on_start", start)

    def on_view(self, view: Json) -> None:
        self._guarded("on_view", view)

    def on_end(self, outcome: dict[str, Json]) -> None:
        self._guarded("on_end", outcome)

    def heard(self, record: logging.LogRecord) -> None:
        """Count what the bot's API has caught and mended, and what is wrong with its process: both
        are written into the log."""
        raised = record.exc_info[1] if record.exc_info else None
        text = record.getMessage()
        fault = text if raised is None else f"{text}\n{format_fault(raised)}"
        if getattr(record, "late", False):
            self.stats.late += 1
            self._tell("was late", fault)
        elif record.levelno >= logging.ERROR:
            self.stats.failed += 1
            self._tell("failed", fault)
        else:
            self.stats.illegal += 1
            self._tell("gave an answer that is not valid", fault)

    def decide(self, view: Json) -> Iterable[Json]:
        stats = self.stats
        self._ear.seated = self
        limit_s = None if self._limit is None else self._limit.begin()
        begun = self._clock()
        try:
            with self._watched("decide", limit_s):
                commands = commands_of(self.bot.decide(view))
        except BaseException as fault:  # the bot's own fault costs its turn, no more
            if self._is_interrupt(fault):
                raise
            stats.failed += 1
            self._tell("failed in decide, so its turn passes in silence", fault)
            commands = []
        taken = self._clock() - begun
        stats.turns += 1
        stats.total_s += taken
        stats.longest_s = max(stats.longest_s, taken)
        if self._limit is not None and limit_s is not None:
            self._limit.end(taken)
            if taken > limit_s:
                stats.late += 1
                took = f"the answer took {taken * 1000:.0f} ms, the limit is {limit_s * 1000:.0f}"
                self._tell("was late, so its turn passes in silence", f"{took} ms")
                return []
        return commands

    def on_results(self, results: Sequence[Reply]) -> None:
        for reply in results:
            if reply.verdict == "rejected":
                self.stats.illegal += 1
                self._tell("gave a command that is not valid", f"{reply.code}: {reply.why}")
        self._guarded("on_results", results)

    def _guarded(self, hook: str, argument: object) -> None:
        self._ear.seated = self
        try:
            with self._watched(hook, CALL_S):
                getattr(self.bot, hook)(argument)
        except BaseException as fault:  # as above
            if self._is_interrupt(fault):
                raise
            self._tell(f"failed in {hook}", fault)

    def _is_interrupt(self, fault: BaseException) -> bool:
        """Whether this is Ctrl-C; a bot that is watched may raise the same."""
        watch = self._watch
        return isinstance(fault, KeyboardInterrupt) and (watch is None or watch.interrupted)

    @contextlib.contextmanager
    def _watched(self, hook: str, limit_s: float | None) -> Iterator[None]:
        """Around a call that may take this long."""
        process = os.getpid()
        if self._watch is not None and limit_s is not None:
            allowed_s = max(HANGS_S, TIMES * limit_s)
            self._watch.call = OpenCall(self.name, hook, self._when(), self._clock(), allowed_s)
        try:
            yield
        finally:
            if os.getpid() != process:
                os._exit(0)  # a process that the bot forked: this one alone plays on
            if self._watch is not None:
                self._watch.call = None
                if self._watch.interrupted:  # also if the bot has caught it
                    raise KeyboardInterrupt


class Ear(logging.Handler):
    """Hears what bots write into the log of the SDK, instead of the terminal: it belongs to the
    seat whose bot is at work."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.seated: Seated | None = None

    def emit(self, record: logging.LogRecord) -> None:
        if self.seated is not None:
            self.seated.heard(record)

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        log = logging.getLogger("botarena")
        log.addHandler(self)
        log.propagate, before = False, log.propagate
        try:
            yield
        finally:
            log.removeHandler(self)
            log.propagate = before


def format_fault(fault: Fault) -> str:
    """A sentence as it is; of a traceback the last lines, without our own."""
    if isinstance(fault, str):
        return fault
    # the last alone: an endless recursion has millions
    last = traceback.extract_tb(fault.__traceback__, -2 * KEPT_FRAMES)
    frames = [frame for frame in last if frame.filename != __file__]
    where = traceback.format_list(frames[-KEPT_FRAMES:])
    return printable("".join([*where, *traceback.format_exception_only(fault)]).rstrip())
