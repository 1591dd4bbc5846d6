"""A seat's clock: plain arithmetic on times that are passed in. It never reads a clock.

Times are ns of one monotonic clock, lengths ns. A turn is paid from its own limit first, then from
the bank. Without limit, bank and increment there is no time limit at all.

From the hand-over of its view to the receipt of its answer every moment of a turn belongs to one
stretch, with a time at which it began and one at which it ended: the seat thought, the process was
held up, the match waited for the seat to come back, or we worked on what it had sent. Of the
thinking, `lag` is what the network may have taken."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Literal, NamedTuple

from games.core.contract import Json, Pacing

MS = 1_000_000
"""ns in a ms."""


class TimeParts(NamedTuple):
    """Where the time since the hand-over of a turn's view went, ns: the parts sum to it."""

    charged: int
    lag: int
    """The network's share, as far as it was used."""
    grace: int
    """Beyond all time there was: taken, and not charged."""
    stalled: int
    """The process was held up."""
    waited: int
    """The seat was away, and its clock stood."""
    worked: int
    """We worked on frames that left the turn open."""

    def json(self) -> dict[str, Json]:
        """ms; parts that are zero are left out, except `charged`."""
        parts = {"charged": charged_ms(self.charged)}
        if self.lag:
            parts["lag"] = charged_ms(self.lag)
        if any(self[2:]):
            rare = zip(_RARE, self[2:], strict=True)
            parts |= {name: charged_ms(length) for name, length in rare if length}
        return parts


_RARE = TimeParts._fields[2:]
_as_parts: Callable[[tuple[int, ...]], TimeParts] = partial(tuple.__new__, TimeParts)
"""Of all fields in their order, in a third of the time that `TimeParts` takes."""


class ClockState(Enum):
    """How far a seat is with its turn."""

    IDLE = "idle"
    """Nothing is awaited of it, or its clock stands still."""
    RUNNING = "running"
    STOPPED = "stopped"
    """Its time is up: the grace runs."""


IDLE, RUNNING, STOPPED = ClockState
"""Found by their class it takes three times as long, and a turn of two seats asks twenty times."""

MatchPhase = Literal["preprocessing", "gathering"]
THOUGHT, STALLED, WAITED, WORKED = range(4)
UNSENT = 5 * MS
UNREAD = 20 * MS
"""A view that was handed over so shortly before a stall may have lain in it, and so may an answer
that was read so shortly after one. What was further away was on the network meanwhile."""


@dataclass(slots=True)
class SeatClock:
    """Flat, with more than fifteen fields: its account is made for each command, and a deadline
    after each message."""

    limit: int
    """What a turn may take before the bank is used."""
    bank: int
    """What is left for the whole match."""
    increment: int
    """Added to the bank when a turn of this seat begins, the first one of the match excepted."""
    grace: int
    """How long after the limit an answer is still accepted."""
    stage: ClockState = IDLE
    since: int = 0
    """Where the stretch begins that runs now; all before it is in the books."""
    lag: int | None = None
    """What the network may take of this turn; None: not known yet."""
    lag_used: int = 0
    """What it has taken of the match."""
    _lag_turn: int = 0
    _lag_match: int = 0
    paused: bool = False
    """The seat is waited for."""
    _handed: int = 0
    _eased: int = 0
    """What of this turn's stalls is the leeway, taken off its thinking."""
    _spent: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    """Of this turn, up to `since`, by kind of stretch."""
    _stretches: list[tuple[int, int, int]] = field(default_factory=list)
    """This turn's: kind, begun, ended."""
    _unlimited: bool = field(init=False)
    _banked: bool = field(init=False)

    def __post_init__(self) -> None:
        self._banked = bool(self.bank or self.increment)
        self._unlimited = not (self.limit or self._banked)

    def open(self, at: int, *, first: bool) -> None:
        """A turn begins, perhaps the match's `first`."""
        if not first:
            self.bank += self.increment
        self.stage = RUNNING
        self.paused = False
        self.lag = None
        self._spent = [0, 0, 0, 0]
        self._stretches.clear()
        self._eased = 0
        self.since = self._handed = at

    def bound_lag(self, turn: int, match: int) -> None:
        """The most that the network may take of a turn, and of the match."""
        self._lag_turn, self._lag_match = turn, match

    def grant_lag(self, measured: int) -> None:
        """The round trip to the seat was measured. What a turn was granted once stays."""
        if self.lag is None:
            self.lag = max(0, min(measured, self._lag_turn, self._lag_match - self.lag_used))

    def handed(self, at: int) -> None:
        """The view of the turn that was just opened is handed over."""
        self.since = self._handed = at

    def pause(self, at: int) -> None:
        """The match waits for an absent seat. Its grace restarts when it is back."""
        self._until(at, THOUGHT)
        self.stage = IDLE
        self.paused = True

    def resume(self, at: int) -> None:
        self._until(at, WAITED)
        self.stage = RUNNING
        self.paused = False

    def book_work(self, received: int, at: int) -> None:
        """An answer that leaves the turn open was received, and its results are handed over `at`
        this moment: in between the seat waited for the server."""
        if self.stage is not IDLE:
            self._until(received, THOUGHT)
            self._until(at, WORKED)

    def spare(self, begun: int, ended: int, leeway: int = 0) -> None:
        """What lies between was not the seat's time, nor, if its time is nearly up, the `leeway`
        that it takes to read what it has sent meanwhile."""
        self._until(begun, THOUGHT)
        self._until(ended, STALLED)
        due = self.due()
        if due is not None and due < ended + leeway:
            spared = min(self._spent[THOUGHT], ended + leeway - due)
            self._ease(self._spent, spared)
            self._eased += spared

    @staticmethod
    def _ease(spent: list[int], length: int) -> None:
        spent[THOUGHT] -= length
        spent[STALLED] += length

    def _until(self, at: int, kind: int) -> None:
        """The stretch that ran until now was of this kind. What is booked already stays."""
        if at > self.since:
            self._spent[kind] += at - self.since
            self._stretches.append((kind, self.since, at))
            self.since = at

    def stop(self) -> None:
        """The limit is reached: now the grace runs."""
        self.stage = STOPPED

    def due(self) -> int | None:
        """When a running clock reaches its limit, then the end of the grace. None: never.

        What says that the limit is reached takes one way over the network, as the view did; the
        answer's comes on top of the grace, so that is where the network's share stands."""
        if self.stage is IDLE or self._unlimited:
            return None
        limit = self.since + self.limit + self.bank - self._spent[THOUGHT]
        return limit if self.stage is RUNNING else limit + (self.lag or 0) + self.grace

    @property
    def turn_ms(self) -> int | None:
        """What a turn may take before the bank is used, ms; None: there is no limit."""
        return None if self._unlimited else whole_ms(self.limit)

    @property
    def has_bank(self) -> bool:
        return self._banked

    def account(self, at: int) -> TimeParts:
        """Where the turn's time has gone up to this moment. What was received while we worked on
        something before it came at no cost."""
        if self._stretches or at < self.since or self.stage is IDLE:
            thought, stalled, waited, worked = self._booked(at)
        else:
            thought, stalled, waited, worked = at - self.since, 0, 0, 0
        lag = self.lag or 0
        if lag and stalled:
            lag -= self._stalled_on_the_way(at, lag // 2)
        lag = min(lag, thought)
        charged = thought - lag
        grace = 0 if self._unlimited else max(0, charged - self.limit - self.bank)
        return _as_parts((charged - grace, lag, grace, stalled, waited, worked))

    def _stalled_on_the_way(self, at: int, way: int) -> int:
        """How long the process was held up while the view, and then the answer, was on the network,
        `way` ns each. A stall is not charged anyway, so the lag must not cover it a second time."""
        stalls = [
            (begun, min(ended, at))
            for kind, begun, ended in self._stretches
            if kind == STALLED and begun < at
        ]
        stalls.sort()
        sent, said = self._handed, at
        for begun, ended in stalls:
            sent = ended if begun <= sent + UNSENT else sent
        for begun, ended in reversed(stalls):
            said = begun if ended >= said - UNREAD else said
        there, left = sent + way, max(sent + way, said - way)
        total = 0
        for begun, ended in stalls:
            total += max(0, min(ended, there) - max(begun, sent))
            total += max(0, min(ended, said) - max(begun, left))
        return total

    def charged(self, at: int) -> int:
        return self.account(at).charged

    def _booked(self, at: int) -> list[int]:
        """The stretches up to this moment, by kind."""
        spent = self._spent.copy()
        if at >= self.since:
            if self.stage is not IDLE:
                spent[THOUGHT] += at - self.since
            return spent
        self._ease(spent, -self._eased)
        for kind, begun, ended in reversed(self._stretches):
            if ended <= at:
                break
            spent[kind] -= ended - max(begun, at)
        self._ease(spent, min(self._eased, spent[THOUGHT]))
        return spent

    def left(self, at: int) -> tuple[int | None, int]:
        """What is left at this moment of the turn's limit (None: no limit) and of the bank. The
        network's share is not the seat's to think in, so it is not in there."""
        if self._unlimited:
            return None, 0
        thought = self._booked(at)[THOUGHT]
        return max(0, self.limit - thought), max(0, self.bank - max(0, thought - self.limit))

    def bank_left(self, at: int) -> int:
        """What is left of the bank at this moment, whether a turn is open or not."""
        is_open = self.stage is not IDLE or self.paused
        return self.left(at)[1] if is_open else self.bank

    def close(self, at: int, account: TimeParts | None = None) -> TimeParts:
        """The turn is answered or given up: pay for it. `account`: that of this moment, if it is
        known."""
        if account is None:
            account = self.account(at)
        self.stage = IDLE
        self.paused = False
        self.lag_used += account.lag
        if not self._unlimited:
            self.bank -= max(0, account.charged - self.limit)
        return account


def seat_clock(pacing: Pacing, kind: str) -> SeatClock:
    """The clock of a seat of this kind. A person gets a long limit and no bank."""
    grace = pacing.grace_ms * MS
    if kind == "human":
        return SeatClock(pacing.human_turn_ms * MS, 0, 0, grace)
    return SeatClock(pacing.turn_ms * MS, pacing.bank_ms * MS, pacing.increment_ms * MS, grace)


def charged_ms(length: int) -> float:
    """ns as ms with three decimals, as stamps and results show them."""
    return (length + 500) // 1_000 / 1_000


def whole_ms(length: int) -> int:
    """ns as whole ms, rounded down: a promise of time never names more than there is."""
    return length // MS


class Countdown:
    """How long a match waits for its seats: to prepare, or to come back after a crash."""

    __slots__ = ("_ends", "_grace", "_phase")

    def __init__(self) -> None:
        self._phase: MatchPhase | None = None
        self._ends = 0
        self._grace = 0

    def start(self, phase: MatchPhase, ends: int, grace: int = 0) -> None:
        """`ends`: as clients know it. The match waits for another `grace` ns."""
        self._phase, self._ends, self._grace = phase, ends, grace

    def stop(self) -> None:
        self._phase = None

    def postpone(self, length: int) -> None:
        """A pause moves the end by this many ns."""
        self._ends += length

    @property
    def phase(self) -> MatchPhase | None:
        """What is waited for now."""
        return self._phase

    @property
    def due(self) -> int:
        return self._ends + self._grace

    def left_ms(self, phase: MatchPhase, at: int) -> int | None:
        """Until the end of this phase, without the grace; None: it is not this phase."""
        return max(0, whole_ms(self._ends - at)) if phase == self._phase else None


class TickGrid:
    """Realtime ticks: t0 + n*dt. A late tick is played at once and the beats it missed are dropped;
    no tick ever is."""

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
        last, shares = len(ordered) - 1, {"p50": 50, "p99": 99, "max": 100}
        return {name: ordered[last * share // 100] / 1_000 for name, share in shares.items()}


def phase(number: int, step: int) -> int:
    """Where in a period the `number`-th match of this process stands: spread evenly, however many
    there are (golden ratio)."""
    return int(number * 0.6180339887498949 % 1 * step)
