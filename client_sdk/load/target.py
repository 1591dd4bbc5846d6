"""What load is played on: a Botarena server, whose lobbies and records REST has."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Protocol

from client_sdk.errors import ServerRefused
from client_sdk.load.worker import UrlAndHello
from client_sdk.rest import RestClient
from client_sdk.wire.codes import PROTOCOL
from games.core.contract import Json

RECORD_S: Final = 30.0
"""The records of all matches must be there this long after the end of the last one."""
IDLE_IN_A_LOBBY: Final = 400
"""Idle connections of one lobby; a server takes 500 viewers of one match by default."""
SEATED_MS: Final = 30_000
"""Lobbies that are given back after a refusal do not count for longer than this."""
STARTUP_MS: Final = 300_000
"""Seats say hello when the seats of all matches are taken."""
IDLE_MS: Final = 3_600_000
"""A lobby waits this long for its seats."""


@dataclass(frozen=True, slots=True)
class Load:
    """What is asked of the generator."""

    game: str
    config: Mapping[str, Json] = field(default_factory=dict)
    map_text: str | None = None
    seed: int | None = None
    """Of the first match; the others count up. None: each has its own, at random."""
    viewers: int = 0
    """Of all matches together."""
    idle: int = 0
    """Connections that watch lobbies in which nothing happens."""
    think_s: float = 0.0
    """How long a seat waits before it answers a view."""
    processes: int = 1
    hello: Mapping[str, Json] = field(default_factory=dict)
    """Further fields of the hello of seats."""


@dataclass(slots=True)
class SeatedMatches:
    """Matches whose seats are all taken, and who connects to them."""

    ids: list[str] = field(default_factory=list)
    seats: list[list[UrlAndHello]] = field(default_factory=list)
    viewers: list[UrlAndHello] = field(default_factory=list)
    idle: list[UrlAndHello] = field(default_factory=list)
    tokens: list[tuple[str, str]] = field(default_factory=list)
    """Lobbies and the tokens of their seats, to give them back."""


class Target(Protocol):
    """A server under load."""

    def seat(self, load: Load, matches: int) -> SeatedMatches:
        """Make that number of matches. Raises ServerRefused or ConnectionLost."""

    def lost(self, seated: SeatedMatches, outcomes: Sequence[Json]) -> Sequence[str]:
        """Compare the records of these matches with the outcomes that the seats got: a sentence for
        each that has no record, or another one. An outcome of None is not compared."""


class BotarenaTarget:
    """A Botarena server, by its REST API."""

    def __init__(self, rest: RestClient) -> None:
        self._rest = rest

    def seat(self, load: Load, matches: int) -> SeatedMatches:
        seated = SeatedMatches()
        try:
            watch = [self._seat_one(load, number, seated) for number in range(matches)]
            seated.viewers = [watch[number % matches] for number in range(load.viewers)]
            for begin in range(0, load.idle, IDLE_IN_A_LOBBY):
                one = self._idle_lobby(load, seated)
                seated.idle += [one] * min(IDLE_IN_A_LOBBY, load.idle - begin)
        except ServerRefused:
            self._give_back(seated)
            raise
        return seated

    def _seat_one(self, load: Load, number: int, seated: SeatedMatches) -> UrlAndHello:
        """Make a match; returns what a viewer of it connects to."""
        seed = secrets.randbelow(2**53) if load.seed is None else load.seed + number
        config, board = dict(load.config), load.map_text
        made = self._rest.create(
            load.game,
            config=config,
            map_text=board,
            seed=seed,
            start_timeout_ms=SEATED_MS,
            clock={"startup_ms": STARTUP_MS},
        )
        lobby, seats = made["lobby"], []
        for _ in made["seats"]:
            joined = self._rest.join(lobby, load.game, "load")
            seated.tokens.append((lobby, joined["token"]))
            seats.append((joined["url"], hello(token=joined["token"], **load.hello)))
        seated.ids.append(lobby)
        seated.seats.append(seats)
        return _watching(seats[0][0], lobby)

    def _idle_lobby(self, load: Load, seated: SeatedMatches) -> UrlAndHello:
        made = self._rest.create(load.game, start_timeout_ms=IDLE_MS)
        joined = self._rest.join(made["lobby"], load.game, "load")
        seated.tokens.append((made["lobby"], joined["token"]))
        return _watching(joined["url"], made["lobby"])

    def _give_back(self, seated: SeatedMatches) -> None:
        """Leave all seats of matches that are not over."""
        for lobby, token in seated.tokens:
            with suppress(ServerRefused):
                self._rest.leave(lobby, token)

    def lost(self, seated: SeatedMatches, outcomes: Sequence[Json]) -> Sequence[str]:
        problems = []
        until = time.monotonic() + RECORD_S
        over = set()
        for match, outcome in zip(seated.ids, outcomes, strict=True):
            if outcome is None:
                continue
            over.add(match)
            record = self._record(match, until)
            if record is None:
                problems.append("no record of the match")
            elif record["outcome"] != outcome:
                problems.append("the record has another result than the seats got")
        seated.tokens = [seat for seat in seated.tokens if seat[0] not in over]
        self._give_back(seated)
        return problems

    def _record(self, match: str, until: float) -> Json:
        """The match once it is recorded; None if it is not in time."""
        while (record := self._rest.match(match))["state"] != "over":
            if time.monotonic() > until:
                return None
            time.sleep(0.05)
        return record


def _watching(url: str, match: str) -> UrlAndHello:
    return url.removesuffix("play") + "watch", hello(match=match)


def hello(**fields: Json) -> bytes:
    """A first frame with these fields."""
    return json.dumps({"type": "hello", "protocol": PROTOCOL, **fields}).encode()
