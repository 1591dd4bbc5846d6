"""A seat's clock: plain arithmetic on times that are passed in. Nobody here looks at a clock.

Times are ns of one monotonic clock, lengths ns. A turn is paid from its own limit first, then from the bank. Without limit, bank
and increment there is no time limit at all.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from enum import Enum

from games.core.contract import Pacing

MS = 1_000_000
"""ns in a ms."""


class Stage(Enum):
    """How far a seat is with its turn."""

    IDLE = "idle"
    """Nothing is awaited of it, or its clock stands still."""
    RUNNING = "running"
    STOPPED = "stopped"
    """Its time is up: the grace runs."""


@dataclass(slots=True)
class SeatClock:
    limit: int
    """What a turn may take before the bank is used."""
    bank: int
    """What is left for the whole match."""
    increment: int
    """Added to the bank when a turn of this seat begins, the first one of the match excepted."""
    grace: int
    """After the limit answers are taken for so long."""
    stage: Stage = Stage.IDLE
    spent: int = 0
    """Of this turn, up to `since`."""
    since: int = 0
    _unlimited: bool = field(init=False)
    _banked: bool = field(init=False)

    def __post_init__(self) -> None:
        self._banked = bool(self.bank or self.increment)
        self._unlimited = not (self.limit or self._banked)

    def open(self, at: int, *, first: bool) -> None:
        """A turn begins, perhaps the match's `first`: the view is handed over."""
        if not first:
            self.bank += self.increment
        self.stage = Stage.RUNNING
        self.spent = 0
        self.since = at

    def pause(self, at: int) -> None:
        """The seat is away and is waited for. Its grace, if that runs already, begins anew when it is back."""
        self.spent = self.charged(at)
        self.stage = Stage.IDLE

    def resume(self, at: int) -> None:
        self.stage = Stage.RUNNING
        self.since = at

    def told(self, received: int, at: int) -> None:
        """An answer that leaves the turn open was received, and what came of it is handed over now: between the two the seat
        waited for us."""
        if self.stage is not Stage.IDLE:
            self.spent = self.charged(received)
            self.since = max(self.since, at)

    def spare(self, begun: int, ended: int, leeway: int) -> None:
        """What lies between was not the seat's time, nor, if its time is nearly up, the moment that it takes to read what it
        has sent meanwhile."""
        self.since += ended - max(begun, self.since)
        due = self.due()
        if due is not None and due < ended + leeway:
            self.since = min(ended, self.since + ended + leeway - due)

    def stop(self) -> None:
        """The limit is reached: now the grace runs."""
        self.stage = Stage.STOPPED

    def due(self) -> int | None:
        """When the next thing happens to a running clock: the limit, then the end of the grace. None: never."""
        if self.stage is Stage.IDLE or self._unlimited:
            return None
        limit = self.since + self.limit + self.bank - self.spent
        return limit if self.stage is Stage.RUNNING else limit + self.grace

    @property
    def has_bank(self) -> bool:
        return self._banked

    def charged(self, at: int) -> int:
        """What the turn has taken up to this moment. What was received while we worked on something before it came at no
        cost, but the clock never runs backwards for it."""
        return self.spent + (max(0, at - self.since) if self.stage is not Stage.IDLE else 0)

    def left(self, at: int) -> tuple[int | None, int]:
        """What is left at this moment of the turn's limit (None: no limit) and of the bank."""
        if self._unlimited:
            return None, 0
        spent = self.charged(at)
        return max(0, self.limit - spent), max(0, self.bank - max(0, spent - self.limit))

    def close(self, at: int) -> int:
        """The turn is answered or given up: pay for it. Returns what it took; the grace is not charged."""
        self.spent = self.charged(at)
        self.stage = Stage.IDLE
        charged = self.spent if self._unlimited else min(self.spent, self.limit + self.bank)
        self.bank -= max(0, charged - self.limit)
        return charged


def seat_clock(pacing: Pacing, kind: str) -> SeatClock:
    """The clock of a seat of this kind. A person gets a long limit and no bank."""
    if kind == "human":
        return SeatClock(pacing.human_turn_ms * MS, 0, 0, pacing.grace_ms * MS)
    return SeatClock(pacing.turn_ms * MS, pacing.bank_ms * MS, pacing.increment_ms * MS, pacing.grace_ms * MS)


def charged_ms(length: int) -> float:
    """ns as ms with three decimals, as stamps and results show them."""
    return round(length / MS, 3)


def whole_ms(length: int) -> int:
    """ns as whole ms, rounded down: a promise of time never names more than there is."""
    return length // MS


class Grid:
    """Realtime ticks: t0 + n*dt. A late tick is played at once and the beats it missed are dropped; no tick ever is."""

    __slots__ = ("_beat", "_start", "_step")

    def __init__(self, start: int, step: int) -> None:
        self._start = start
        self._step = step
        self._beat = 1

    @property
    def due(self) -> int:
        return self._start + self._beat * self._step

    def next(self, now: int) -> None:
        """A tick was played at `now`: the next one is due at the next point of the grid."""
        self._beat = max(self._beat + 1, (now - self._start) // self._step + 1)


class Lateness:
    """How late the ticks of one match were."""

    __slots__ = ("_us",)

    def __init__(self) -> None:
        self._us = array("Q")

    def of(self, length: int) -> float:
        """Note one tick's, ns; returns it in ms."""
        self._us.append(max(0, length) // 1_000)
        return charged_ms(length)

    def json(self) -> dict[str, float]:
        """ms: the middle one, the one that 99 % keep below, the greatest."""
        ordered = sorted(self._us)
        if not ordered:
            return {}
        last = len(ordered) - 1
        return {name: ordered[last * share // 100] / 1_000 for name, share in (("p50", 50), ("p99", 99), ("max", 100))}


def phase(number: int, step: int) -> int:
    """Where in a period the `number`-th match of this process stands: spread evenly, however many there are (golden ratio)."""
    return int(number * 0.6180339887498949 % 1 * step)
