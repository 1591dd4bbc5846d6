"""The seats of one live match: their connections, their open turns, and counts for the result."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from client_sdk.wire.messages import Commands, FrameId, SeatInfo
from games.core.contract import Json, Reply, Seat
from games.core.journal import shortened
from server.matches.clock import IDLE, SeatClock, TimeParts, charged_ms

if TYPE_CHECKING:
    from server.matches.client import Client  # the child process needs no sockets

Silence = Literal["timeout", "rejects"]

REPEATS = 100
"""How many frames of a seat are remembered, so that a repeated one is not carried out again."""


@dataclass(slots=True)
class SeatCounts:
    """What the result says about a seat besides what the game says."""

    timeouts: int = 0
    rejects: int = 0
    """Commands that the game rejected."""
    late: int = 0
    """Commands for a turn that was closed."""
    dropped: int = 0
    """Commands that were beyond all limits, and written down nowhere else."""
    bad_frames: int = 0
    """Frames that were no message."""
    skipped: int = 0
    """Views left out because the client had not taken them before newer ones came."""
    absences: int = 0
    think_total: int = 0
    """ns, as charged."""
    think_max: int = 0
    lag: int = 0
    """ns of its turns that were the network's."""
    bank: int | None = None
    """ns that are left of it after the turns so far; None: there is none."""

    def thought(self, charged: int, lag: int = 0) -> None:
        """Count a turn: what was charged, and the network's share (ns)."""
        self.lag += lag
        self.think_total += charged
        self.think_max = max(self.think_max, charged)

    @property
    def unrecorded(self) -> dict[str, int] | None:
        """The counts that no line of the journal has, for that of a hand-over; None: none."""
        counts = {"dropped": self.dropped, "skipped": self.skipped}
        return counts if any(counts.values()) else None

    def json(self) -> dict[str, Json]:
        return {
            "timeouts": self.timeouts,
            "rejects": self.rejects,
            "late": self.late,
            "dropped": self.dropped,
            "bad_frames": self.bad_frames,
            "skipped": self.skipped,
            "absences": self.absences,
            "think_ms_total": charged_ms(self.think_total),
            "think_ms_max": charged_ms(self.think_max),
            "lag_ms_total": charged_ms(self.lag),
        } | ({} if self.bank is None else {"bank_ms": charged_ms(self.bank)})


@dataclass(slots=True)
class Absence:
    """Whether a seat is away, and how long the match waits for it. Moments are monotonic ns."""

    left: int = 0
    """ns that the match may still wait for it."""
    since: int | None = None
    """When it lost its connection."""
    dismissed: bool = False
    """The server closed that connection, so the match does not wait."""
    excused_until: int | None = None
    """A pause of this process broke its connection: its clock stands until then."""
    waits_since: int | None = None
    """Since when the match waits for it."""

    @property
    def lost_at(self) -> int | None:
        """When the seat loses, because the match has waited for long enough."""
        return None if self.waits_since is None else self.waits_since + self.left

    def end(self, at: int) -> bool:
        """The seat is connected again; whether it was away."""
        if self.waits_since is not None:
            self.left -= max(0, at - self.waits_since)
        was_away = self.since is not None
        self.since = self.waits_since = self.excused_until = None
        self.dismissed = False
        return was_away

    def postpone(self, length: int) -> None:
        """A pause moves the moments by this many ns."""
        if self.since is not None:
            self.since += length
        if self.waits_since is not None:
            self.waits_since += length
        if self.excused_until is not None:
            self.excused_until += length


@dataclass(slots=True)
class SeatTurn:
    """What a seat has sent in the open turn."""

    silent: Silence | None = None
    """Why nothing more is taken from it in this turn."""
    provisional: tuple[Json, ...] | None = None
    rejected: int = 0
    refused: int = 0
    """All commands that were of no use, those for other turns among them."""
    uncounted: int = 0
    """Commands that the game refused and did not even count."""
    infos: int = 0
    frame: FrameId | None = None
    """The id of the frame that is judged now, where a turn is many commands."""


class FrameMemory:
    """The newest frames of a seat and their results, where a turn is many commands. `recorded`:
    what the frames of the turn that was open when the server stopped led to, by turn and id:
    commands as they were recorded, and their replies."""

    __slots__ = ("_judged", "_recorded")

    def __init__(self, recorded: dict[tuple[int, FrameId], list[tuple[Json, Reply]]]) -> None:
        self._recorded = recorded
        self._judged: dict[FrameId, tuple[Client, Commands, bytes]] = {}

    def keep(self, client: Client, frame: Commands, results: bytes) -> None:
        """The results may get lost with the connection."""
        if frame.id is not None:
            self._judged.pop(frame.id, None)
            self._judged[frame.id] = client, frame, results
            if len(self._judged) > REPEATS:
                del self._judged[next(iter(self._judged))]

    def repeated(self, client: Client, frame: Commands) -> bytes | None:
        """The results of this very frame, if another connection sent it before."""
        judged = None if frame.id is None else self._judged.get(frame.id)
        if judged is None:
            return None
        before, known, results = judged
        sent = frame.turn, frame.commands, frame.end_turn
        same = (known.turn, known.commands, known.end_turn) == sent
        return results if same and before is not client else None

    def recalled(self, frame: Commands, end_turn: Json) -> list[Reply]:
        """What the first commands of this frame led to before the server stopped: they are not
        carried out again."""
        if frame.turn is None or frame.id is None:
            return []
        known = self._recorded.pop((frame.turn, frame.id), [])
        sent = [*frame.commands, end_turn] if frame.end_turn else frame.commands
        pairs = zip(known, sent, strict=False)
        same = [written in (raw, shortened(raw)) for (written, _), raw in pairs]
        return [reply for _, reply in known] if len(same) == len(known) and all(same) else []


@dataclass(slots=True)
class MatchSeat:
    number: Seat
    role: str
    name: str
    kind: str
    """bot or human."""
    clock: SeatClock
    client: Client | None = None
    """The connection that plays it now."""
    ready: bool = False
    handed: int = 0
    """When its newest view was given to the transport (monotonic ns)."""
    absence: Absence = field(default_factory=Absence)
    turn: SeatTurn = field(default_factory=SeatTurn)
    tally: SeatCounts = field(default_factory=SeatCounts)
    memory: FrameMemory = field(default_factory=lambda: FrameMemory({}))

    def grant_lag(self) -> None:
        """The network's share of the open turn, as soon as the connection has measured it."""
        clock = self.clock
        if clock.lag is None and clock.stage is not IDLE and self.client is not None:
            lag = self.client.lag
            if lag is not None:
                clock.grant_lag(lag)

    def account(self, at: int) -> TimeParts | None:
        """The clock's at this moment; None: it stands."""
        return None if self.clock.stage is IDLE else self.clock.account(at)

    def close_clock(self, at: int, account: TimeParts | None = None) -> TimeParts:
        """The turn is answered or given up. `account`: the clock's of this moment, if known."""
        account = self.clock.close(at, account)
        self.tally.thought(account.charged, account.lag)
        if self.clock.has_bank:
            self.tally.bank = self.clock.bank
        return account

    def disconnect(self) -> None:
        if self.client is not None:
            self.tally.skipped += self.client.skipped
            self.client = None

    def info(self) -> SeatInfo:
        return SeatInfo(self.number, self.role, self.name, self.kind)
