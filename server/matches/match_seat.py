"""The seats of one running match: who sits there, how the turn stands, and what is counted for the result.

Before the match they are the chairs of room.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from client_sdk.wire.messages import Commands, FrameId, SeatInfo
from games.core.contract import Reply, Seat
from games.core.journal import shortened
from server.matches.client import Client
from server.matches.clock import Account, SeatClock, charged_ms

Json = Any
Silence = Literal["timeout", "rejects"]

REPEATS = 100
"""So many frames are known again when a client sends them once more."""


@dataclass(slots=True)
class Tally:
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
    """Views left out because newer ones had come before the client took them."""
    absences: int = 0
    think_total: int = 0
    """ns, as charged."""
    think_max: int = 0

    lag: int = 0
    """ns that the network was given of its turns."""

    bank: int | None = None
    """ns that are left of it after the turns so far; None: there is none."""

    def thought(self, charged: int, lag: int = 0) -> None:
        """What a turn was charged, and how much of it the network had."""
        self.lag += lag
        self.think_total += charged
        self.think_max = max(self.think_max, charged)

    @property
    def told_by_no_line(self) -> dict[str, int] | None:
        """What a journal does not tell again, for the line that a server writes when it stops; None: nothing."""
        return {"dropped": self.dropped, "skipped": self.skipped} if self.dropped or self.skipped else None

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
class MatchSeat:
    """One seat of a running match."""

    seat: Seat
    role: str
    name: str
    kind: str
    """bot or human."""
    clock: SeatClock
    client: Client | None = None
    """The connection that plays it now."""
    away_since: int | None = None
    """When it lost its connection (monotonic ns)."""
    kicked: bool = False
    """We closed that connection: nobody waits for it."""
    excused_until: int | None = None
    """Its connection broke by a pause of this process: until then the match waits for it with its clock stopped."""
    waits_since: int | None = None
    """Since when the match waits for this seat to come back."""
    absence: int = 0
    """ns: what the match may still wait for it."""
    ready: bool = False
    tally: Tally = field(default_factory=Tally)

    # the turn
    silent: Silence | None = None
    """Why nothing more is taken from it in this turn."""
    provisional: tuple[Json, ...] | None = None
    handed: int = 0
    """When its view was given to the transport (monotonic ns)."""
    rejected: int = 0
    refused: int = 0
    """All commands of this turn that were no use, those for other turns among them."""
    uncounted: int = 0
    """Commands of this turn that the game refused and did not even count."""
    infos: int = 0
    frame: FrameId | None = None
    """The id of the frame that is judged now, where a turn is many commands."""

    recorded: dict[tuple[int, FrameId], list[tuple[Json, Reply]]] = field(default_factory=dict)
    """What the frames of the turn that was open when the server died had led to, by turn and id: commands as they were written
    down, and their fates."""
    _judged: dict[FrameId, tuple[Client, Commands, bytes]] = field(default_factory=dict)
    """Its newest frames with what they were told, where a turn is many commands."""

    def answered(self, client: Client, frame: Commands, results: bytes) -> None:
        """Keep this in case that the results get lost with the connection."""
        if frame.id is not None:
            self._judged.pop(frame.id, None)
            self._judged[frame.id] = client, frame, results
            if len(self._judged) > REPEATS:
                del self._judged[next(iter(self._judged))]

    def repeated(self, client: Client, frame: Commands) -> bytes | None:
        """The results of this very frame, if it was judged before it came once more over a new connection."""
        judged = None if frame.id is None else self._judged.get(frame.id)
        if judged is None:
            return None
        before, known, results = judged
        same = (known.turn, known.commands, known.end_turn) == (frame.turn, frame.commands, frame.end_turn)
        return results if same and before is not client else None

    def recalled(self, frame: Commands, end_turn: Json) -> list[Reply]:
        """What the first commands of this frame led to before the server died: they are not carried out again."""
        if frame.turn is None or frame.id is None:
            return []
        known = self.recorded.pop((frame.turn, frame.id), [])
        said = [*frame.commands, end_turn] if frame.end_turn else frame.commands
        same = [written in (raw, shortened(raw)) for (written, _), raw in zip(known, said, strict=False)]
        return [reply for _, reply in known] if len(same) == len(known) and all(same) else []

    def grant_lag(self) -> None:
        """What the network may take of the open turn, as soon as its connection knows how long the way is."""
        if self.clock.lag is None and self.client is not None and self.client.connection.lag is not None:
            self.clock.grant_lag(self.client.connection.lag)

    def close_clock(self, at: int) -> Account:
        """The turn is answered or given up."""
        account = self.clock.close(at)
        self.tally.thought(account.charged, account.lag)
        if self.clock.has_bank:
            self.tally.bank = self.clock.bank
        return account

    def later(self, length: int) -> None:
        """A pause moves all deadlines of this seat that are not its clock's, by so many ns."""
        if self.away_since is not None:
            self.away_since += length
        if self.waits_since is not None:
            self.waits_since += length
        if self.excused_until is not None:
            self.excused_until += length

    def end_excuse(self) -> None:
        """It is away from now on."""
        if self.clock.paused and self.excused_until is not None:
            self.clock.resume(self.excused_until)
        self.excused_until = None

    def turn_over(self) -> None:
        """Forget what concerns one turn only."""
        self.silent = None
        self.provisional = None
        self.rejected = self.refused = self.uncounted = self.infos = 0

    def part(self) -> None:
        """Without its connection, whose skipped views are counted."""
        if self.client is not None:
            self.tally.skipped += self.client.skipped
            self.client = None

    def info(self) -> SeatInfo:
        return SeatInfo(self.seat, self.role, self.name, self.kind)
