"""What a lobby is created with, and its seats."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from games.core.contract import Json, Pacing, Seat
from games.core.match import Match
from server.errors import Refusal
from server.matches.client import Client
from server.matches.referee import Limits
from server.matches.stalls import Stalls
from server.metrics import Metrics

PlayerKind = Literal["bot", "human"]


@dataclass(slots=True)
class LobbySeat:
    """A seat of a lobby, and who has taken it."""

    number: Seat
    role: str
    name: str | None = None
    """None: the seat is free."""
    kind: PlayerKind = "bot"
    bot: str | None = None
    """The house bot that sits here."""
    account: str | None = None
    """Whose seat it is, by the key that took it: an id, whatever the name says."""
    token: str = ""
    """The token's digest."""
    salted: str = ""
    client: Client | None = None

    @property
    def free(self) -> bool:
        return self.name is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a lobby was created with. The match is set up already, so that it cannot fail later."""

    match: Match
    pacing: Pacing
    config: Mapping[str, Json]
    """The parameters as they were given."""
    seed: int
    map_name: str | None = None
    map_text: str | None = None
    name: str | None = None
    private: bool = False
    rated: bool = False
    """Whether the result was wished to count."""
    start_timeout_ms: int
    faults: str | None = None
    clock: Mapping[str, Json] = field(default_factory=dict)
    """The limits that the lobby has chosen itself."""
    spectator_delay: int = 0
    """How long after a turn the public learns of it, s."""
    start_when_full: bool = True
    """Whether the match starts when all seats are ready, or waits for its owner too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyContext:
    """What all lobbies of a server share."""

    folder: Path
    limits: Limits
    stalls: Stalls
    metrics: Metrics
    empty_ms: int
    """How long a lobby waits for a first seat."""
    numbers: Iterator[int] = field(default_factory=itertools.count)
    """One for each match of this process."""


def check_seat(seat: Seat | None, seats: int) -> None:
    """Check that a match of `seats` seats has this one; None: any. Raises Refusal."""
    if seat is not None and not 0 <= seat < seats:
        allowed = list(range(seats))
        text = f"seat: expected one of {allowed}, got {seat}"
        raise Refusal(422, "bad_seat", text, field="seat", allowed=allowed)
