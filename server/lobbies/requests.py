"""What clients and tournaments ask of lobbies, and what they get."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from games.core import names
from games.core.contract import Json, Pacing, Seat
from games.core.match import Match
from server.errors import Refusal
from server.lobbies.begun import Begun
from server.matches.lobby import Lobby
from server.matches.setup import PlayerKind, Setup
from server.tokens import digest, masked

ANY = "*"
NEW = "new"


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyRequest:
    game: str
    name: str | None = None
    config: Mapping[str, Json] = field(default_factory=dict)
    map: str | None = None
    map_text: str | None = None
    seed: int | None = None
    private: bool = False
    password: str | None = field(default=None, repr=False)
    rated: bool = False
    bots: Sequence[str] = ()
    start_timeout_ms: int = 120_000
    faults: str | None = None
    clock: Mapping[str, Json] = field(default_factory=dict)
    spectator_delay: int = 0
    start_when_full: bool = True
    begun: Begun | None = field(default=None, repr=False)
    """The match, if it is set up already."""

    @property
    def digest(self) -> str:
        """The same for the same request."""
        names = [one.name for one in dataclasses.fields(self) if one.name != "begun"]
        given = {name: getattr(self, name) for name in names}
        return digest(json.dumps(given, sort_keys=True))

    def checked(self) -> LobbyRequest:
        """With the name as it is kept. Raises Refusal."""
        if self.password is not None and not 1 <= len(self.password) <= 200:
            text = "password: expected 1 to 200 characters"
            raise Refusal(422, "bad_password", text, field="password")
        if self.name is None:
            return self
        name = checked_name(self.name)
        if name in (ANY, NEW):
            text = f"name: {name!r} means something else here"
            raise Refusal(422, "bad_name", text, field="name")
        if "/" in name or name in (".", ".."):
            text = "name: expected one that fits in an address: without '/', and not '.' or '..'"
            raise Refusal(422, "bad_name", text, field="name")
        return replace(self, name=name)

    def setup(self, match: Match, pacing: Pacing, seed: int, map_text: str | None) -> Setup:
        return Setup(
            match=match,
            pacing=pacing,
            config=self.config,
            seed=seed,
            map_name=self.map,
            map_text=map_text,
            name=self.name,
            private=self.private,
            rated=self.rated,
            start_timeout_ms=self.start_timeout_ms,
            faults=self.faults,
            clock=self.clock,
            spectator_delay=self.spectator_delay,
            start_when_full=self.start_when_full,
        )


@dataclass(frozen=True, slots=True)
class CreatedLobby:
    """With the tokens that only its creator gets."""

    lobby: Lobby
    owner: str
    invite: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRequest:
    """`address`: the client's, as limits count it."""

    name: str
    kind: PlayerKind = "bot"
    seat: Seat | None = None
    """None or -1: any free one."""
    invite: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)
    address: str = ""

    def checked(self) -> SeatRequest:
        """With the name as it is kept, and None for any seat. Raises Refusal."""
        seat = None if self.seat == -1 else self.seat
        return replace(self, name=checked_name(self.name), seat=seat)


@dataclass(frozen=True, slots=True)
class TakenSeat:
    """`token` plays it."""

    lobby: Lobby
    seat: Seat
    token: str


@dataclass(frozen=True, slots=True)
class HostedPlayer:
    """One that the server seats itself: a house bot, or an account's bot."""

    name: str
    bot: str | None = None
    account: str | None = None


def checked_name(name: str, longest: int = names.LONGEST) -> str:
    """A name as it is kept. Raises Refusal."""
    if masked(name) != name:
        text = "name: this looks like a token, and names are public"
        raise Refusal(422, "bad_name", text, field="name")
    try:
        return names.checked_name(name, longest)
    except names.BadName as fault:
        raise Refusal(422, "bad_name", f"name: {fault}", field="name") from None
