"""Who is to blame that an attempt to play a match did not end by the game's own rules.

    broken off by         because                            to blame
    a forfeit of seats    disconnect, not_ready, timeout,    bot: these seats
                          protocol, resignation, abandoned
    an abort              no_show                            bot: the seats that never came
    an abort              idle                               bot: every seat
    an abort              any reason of OURS                 infrastructure
    an abort              any other reason                   organiser, who has given the reason
    a crash, or a stop    interrupted                        infrastructure
    nothing               the rules ended the match          no one

For a seat that is not to blame itself, what a bot did is a peer's doing.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from games.core.contract import Outcome, Seat

Blame = Literal["bot", "infrastructure", "organiser"]
BY_TIME = frozenset({"timeout", "not_ready", "init_failed"})
"""Reasons that say that a seat ran out of time: in a turn, or before the first one."""
OURS = ("server_fault", "server_stopped", "interrupted", "disk_full", "too_many_files")
"""Reasons of an abort that are the server's own fault."""


@dataclass(frozen=True, slots=True)
class BrokenOff:
    """`seats`: a forfeit of these; None: an abort. `missing`: the seats that never came."""

    reason: str
    seats: tuple[Seat, ...] | None = None
    missing: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class BlameVerdict:
    blame: Blame
    guilty: tuple[Seat, ...] = ()
    """Where a bot is to blame."""

    def by_seat(self, seats: int) -> list[str]:
        """What the blame is to each seat: `bot` its own, `peer` another's, else the match's."""
        if self.blame != "bot":
            return [self.blame] * seats
        return ["bot" if seat in self.guilty else "peer" for seat in range(seats)]


INTERRUPTED = BlameVerdict("infrastructure")


def verdict(broken: BrokenOff | None, seats: int) -> BlameVerdict | None:
    """Of a match with `seats` seats. None: no one is to blame."""
    if broken is None:
        return None
    if broken.seats is not None:
        return BlameVerdict("bot", _ordered(broken.seats))
    if broken.reason == "no_show":
        return BlameVerdict("bot", _ordered(broken.missing))
    if broken.reason == "idle":
        return BlameVerdict("bot", tuple(range(seats)))
    return BlameVerdict("infrastructure" if broken.reason in OURS else "organiser")


def _ordered(seats: Collection[Seat]) -> tuple[Seat, ...]:
    return tuple(sorted(seats))


def lost_on_time(outcome: Outcome) -> bool:
    """Whether the rules made at least one seat lose because it ran out of time.

    A game whose seats may fail for different reasons names each seat's in its `failed`. The reason
    of an aborted match is the organiser's own words.
    """
    reasons = {outcome.reason, *(seat.details.get("failed") for seat in outcome.seats)}
    return outcome.kind != "aborted" and not reasons.isdisjoint(BY_TIME)
