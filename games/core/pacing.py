"""The time limits of a match, and what silence and absence cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Pacing:
    """When `advance` is called, the time limits of a match, and the effects of silence and absence.

    Times are in milliseconds. 0 means no limit, except for preprocessing, bank, increment, grace
    and absence, where it means no time.

    With `tick_ms` the clock calls `advance` (realtime). Without it the turn lock does, when no seat
    is awaited any more or the time is up. A seat has `turn_ms` for a turn, then its bank. The bank
    grows by `increment_ms` at the start of each of the seat's turns, except the first turn of the
    match. When the time is up, the driver sends stop and accepts answers for another
    `grace_ms`."""

    tick_ms: int | None = None
    lockstep: bool = False
    """Play a realtime game without its clock.

    A tick is played when no seat is awaited any more, or after `turn_ms`. Commands name no turn and
    are never late."""
    startup_ms: int = 30_000
    preprocessing_ms: int = 0
    turn_ms: int = 1_000
    human_turn_ms: int = 120_000
    bank_ms: int = 0
    increment_ms: int = 0
    grace_ms: int = 50
    strikes: int = 0
    """The number of timed-out turns at which a seat forfeits; 0: never. Human seats are exempt."""
    rejects: int = 0
    """The number of rejected commands in a turn at which a seat counts as silent; 0: never."""
    late_ready: Literal["plays", "forfeits"] = "plays"
    """What happens to a seat that is not ready when preprocessing ends."""
    bad_frames: int = 0
    """The number of malformed frames at which a seat forfeits; 0: never."""
    absence: Literal["plays", "misses", "waits", "limited", "forfeits"] = "plays"
    """What happens to a disconnected seat.

    plays     its clock runs, and it is silent in its turns
    misses    its turns are skipped immediately, as long as any seat is connected
    waits     its open turn waits with its clock stopped
    limited   its clock runs, and the total of its absences is limited to `absence_ms`
    forfeits  it forfeits immediately
    """
    absence_ms: int = 60_000
    """The limit of absence.

    For `waits` and `limited`: the total absence of one seat in a match. For `plays` and `misses`:
    how long all seats may be absent before the match ends."""

    @property
    def clocked(self) -> bool:
        """Whether the match has any time limit."""
        return bool(self.tick_ms or self.turn_ms or self.bank_ms or self.increment_ms)

    @property
    def realtime(self) -> bool:
        """Whether commands belong to no turn, so that none is ever late."""
        return self.tick_ms is not None or self.lockstep

    def forfeit_for(self, silence: Literal["timeout", "not_ready", "disconnect"]) -> str | None:
        """The reason for which a seat forfeits that stays silent; None: it plays on in silence.

        `silence` is why it says nothing: it answers no more, was not ready, or does not come
        back."""
        if silence == "timeout":
            return silence if self.strikes else None
        if silence == "not_ready" and self.late_ready == "forfeits":
            return silence
        return "disconnect" if self.absence in ("waits", "limited", "forfeits") else None
