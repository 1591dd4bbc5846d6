"""Clients that cost little: the seats of a match, viewers of one, connections without a hello."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from time import perf_counter_ns
from typing import Any, Final

from client_sdk.bots.cheap import CheapAnswer
from client_sdk.load.frames import FrameSocket

VIEW: Final = b'{"type":"view","turn":'
START: Final = b'{"type":"start",'
END: Final = b'{"type":"end",'
ERROR: Final = b'{"type":"error",'
TAIL: Final = 120
"""A view message ends with the fields around `act`, which have less than this many bytes."""
READY: Final = b'{"type":"ready"}'


class LoadMatch:
    """One match as the generator sees it. All of its seats are in one process."""

    def __init__(self, seats: int, on_over: Callable[[], None]) -> None:
        """`on_over` is called when no seat is connected any more."""
        self.tick_ms: int | None = None
        """Of a match in real time; known from its start message."""
        self.answered: dict[int, int] = {}
        """When the last answer to a turn was sent (ns), by turn."""
        self.turns = 0
        """Turns that have closed."""
        self.first_ns = self.last_ns = 0
        """When the first and the last view came."""
        self.turn_ns: list[int] = []
        """From the last answer to a turn until a seat has the next view."""
        self.arrivals_ns: list[int] = []
        """In real time: when a view came, minus the time of its tick on a grid from 0."""
        self.outcome: dict[str, Any] | None = None
        self.failure: str | None = None
        self._left = seats
        self._on_over = on_over

    def viewed(self, turn: int, before: int | None, now: int) -> None:
        """A seat has got the view of a turn; its last one was that of the turn `before`."""
        if turn > self.turns:
            self.turns = turn
        self.last_ns = now
        if before is None:
            self.first_ns = self.first_ns or now
        elif self.tick_ms:
            self.arrivals_ns.append(now - turn * self.tick_ms * 1_000_000)
        elif (sent := self.answered.get(before)) is not None and turn != before:
            self.turn_ns.append(now - sent)

    def ended(self, outcome: dict[str, Any]) -> None:
        self.outcome = outcome
        if outcome["outcome"] == "aborted":
            self.fail(f"aborted: {outcome['reason']}")

    def left(self) -> None:
        """A seat's connection has ended."""
        self._left -= 1
        if self._left == 0:
            self._on_over()

    def fail(self, why: str) -> None:
        """The first reason stands."""
        self.failure = self.failure or why

    @property
    def late_ns(self) -> list[int]:
        """How late each view came, beside the one that came earliest on the match's grid."""
        earliest = min(self.arrivals_ns, default=0)
        return [arrival - earliest for arrival in self.arrivals_ns]


class LoadSeat(FrameSocket):
    """A seat that answers each view at once, or after `think_s`."""

    def __init__(
        self,
        url: str,
        hello: bytes,
        match: LoadMatch,
        answer: CheapAnswer,
        dice: Random,
        think_s: float,
        call_later: Callable[..., object],
    ) -> None:
        super().__init__(url)
        self.match = match
        self._hello = hello
        self._answer = answer
        self._dice = dice
        self._think_s = think_s
        self._call_later = call_later
        self._turn: int | None = None

    def hello(self) -> None:
        self.send(self._hello)

    def failed(self, why: str) -> None:
        self.match.fail(why)

    def received(self, text: bytes) -> None:
        if text.startswith(VIEW):
            now = perf_counter_ns()
            turn = int(text[len(VIEW) : text.index(b",", len(VIEW))])
            self.match.viewed(turn, self._turn, now)
            self._turn = turn
            if text.find(b'"act":true', len(text) - TAIL) > 0:
                if self._think_s:
                    self._call_later(self._think_s, self._reply, turn, text)
                else:
                    self._reply(turn, text)
        elif text.startswith(START):
            start = json.loads(text)
            self.match.tick_ms = start["clock"]["tick_ms"]
            if start["within_ms"] is not None:
                self.send(READY)
        elif text.startswith(END):
            self.match.ended(json.loads(text)["outcome"])
        elif text.startswith(ERROR):
            error = json.loads(text)
            self.match.fail(f"{error['code']}: {error['text']}")

    def _reply(self, turn: int, view: bytes) -> None:
        commands = self._answer(view, self._dice)
        if self.match.tick_ms is None:
            self.send(b'{"type":"commands","turn":%d,"commands":%b}' % (turn, commands))
        else:
            self.send(b'{"type":"commands","commands":%b}' % commands)
        self.match.answered[turn] = perf_counter_ns()

    def closed(self) -> None:
        if self.match.outcome is None:
            self.match.fail(f"a seat was closed with {self.close_code}")
        self.match.left()


class Waves:
    """When the viewers of one match have got its views."""

    def __init__(self) -> None:
        self.seen: dict[int, tuple[int, int]] = {}
        """By number of the view: when the first and the last of them had it (ns)."""
        self.views = 0

    def got(self, number: int, now: int) -> None:
        self.views += 1
        first, _ = self.seen.get(number, (now, now))
        self.seen[number] = first, now

    @property
    def took_ns(self) -> list[int]:
        return [last - first for first, last in self.seen.values()]


class LoadViewer(FrameSocket):
    """A viewer of a match."""

    def __init__(self, url: str, hello: bytes, waves: Waves) -> None:
        super().__init__(url)
        self._hello = hello
        self._waves = waves
        self.failure: str | None = None
        self.is_over = False

    def closed(self) -> None:
        self.is_over = True

    def opened(self) -> None:
        self.send(self._hello)

    def failed(self, why: str) -> None:
        self.failure = why

    def received(self, text: bytes) -> None:
        if text.startswith(VIEW):
            begin = text.index(b'"seq":', len(VIEW)) + 6
            self._waves.got(int(text[begin : text.index(b",", begin)]), perf_counter_ns())
        elif text.startswith(ERROR):
            error = json.loads(text)
            self.failure = f"{error['code']}: {error['text']}"
