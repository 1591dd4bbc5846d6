"""A match as one value, whatever it is read from: a live match, a journal, a worker's game or a row
of the database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal, cast

import msgspec

from games.core.contract import Json, Seat, SeatResult
from server.blame import BlameVerdict, BrokenOff

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection  # the child process needs no database

TokenDigests = tuple[str, Sequence[str], str]
"""A match, the salted digests of its tokens (its owner's, its invite's, its seats'), the salt."""


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """Who has a seat."""

    seat: Seat
    role: str | None
    name: str | None
    kind: str | None
    bot: str | None = None
    account: str | None = None
    version: int | None = None
    """Of the account's bot, if it was handed in."""

    @classmethod
    def from_journal(cls, seat: Mapping[str, Json]) -> SeatedPlayer:
        """`seat`: an entry of a header's `seats`."""
        values: list[Any] = [seat.get(name) for name in PLAYER]  # early versions wrote less
        return cls(*values)


PLAYER = tuple(field.name for field in fields(SeatedPlayer))


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRecord:
    """A match that is running or over, everything secret included. Moments are ms since 1970."""

    id: str
    name: str | None
    """The lobby's."""
    game: str
    rules_version: int
    state: Literal["running", "over"]
    private: bool
    rated: bool
    players: Sequence[SeatedPlayer]
    config: Json
    """The parameters; text of the database stays text (`msgspec.Raw`), for it is only passed on."""
    map: str | None
    faults: str | None
    seed: int
    salt: str
    doors: Sequence[str]
    commitment: str
    created_ms: int
    started_ms: int
    ended_ms: int | None = None
    head: str | None = None
    """The last digest of the journal's chain; None: the journal has no end."""
    outcome: Json = None
    """As `config`."""
    file: str
    """The journal, relative to the data directory."""

    @classmethod
    def from_journal(
        cls, id_: str, file: str, header: Mapping[str, Json], ending: JournalEnding | None
    ) -> MatchRecord:
        """Without an ending the match is running. Raises LookupError, TypeError or AttributeError
        for no header of a match."""
        seats = header["seats"]
        return cls(
            id=id_,
            name=header.get("lobby"),
            game=header["game"],
            rules_version=header["rules_version"],
            state="running" if ending is None else "over",
            private=header.get("private", True),
            rated=header.get("rated", False),
            players=[SeatedPlayer.from_journal(seat) for seat in seats],
            config=header["config"],
            map=header.get("map_name"),
            faults=header.get("faults"),
            seed=header["seed"],
            salt=header["salt"],
            doors=[*header.get("doors", ()), *(seat.get("token") for seat in seats)],
            commitment=header["commitment"],
            created_ms=header.get("created", header["started"]),
            started_ms=header["started"],
            ended_ms=None if ending is None else ending.ended_ms,
            head=None if ending is None else ending.head,
            outcome=None if ending is None else ending.result,
            file=file,
        )

    @property
    def digests(self) -> TokenDigests:
        return self.id, self.doors, self.salt

    @property
    def result(self) -> dict[str, Json]:
        """The outcome of a match that is over, as plain JSON."""
        outcome = self.outcome
        if isinstance(outcome, msgspec.Raw):
            outcome = msgspec.json.decode(outcome)
        return cast(dict[str, Json], outcome)

    @property
    def age(self) -> tuple[int, str]:
        """Sorts matches that are over by their ends."""
        assert self.ended_ms is not None
        return self.ended_ms, self.id

    def has(self, bot: str | None, result: SeatResult | None) -> bool:
        """Whether a player has this name and this result; None: any."""
        results = {} if result is None else {one["seat"]: one for one in self.result["seats"]}
        return (bot is None and result is None) or any(
            bot in (None, player.name)
            and (result is None or results.get(player.seat, {}).get("outcome") == result)
            for player in self.players
        )

    def running_json(self, turn: int | None) -> dict[str, Json]:
        """What is public of a match that is running."""
        return self._json() | {"released": False, "turn": turn}

    def finished_json(self, *, released: bool) -> dict[str, Json]:
        """What is public of a match that is over. `released`: with its seed."""
        ended = {
            "rules_version": self.rules_version,
            "ended_ms": self.ended_ms,
            "journal": self.head,
            "released": released,
        }
        return self._json() | ended | ({"seed": self.seed} if released else {})

    def _json(self) -> dict[str, Json]:
        return {
            "match": self.id,
            "name": self.name,
            "game": self.game,
            "state": self.state,
            "private": self.private,
            "rated": self.rated,
            "players": self.players,
            "config": self.config,
            "map": self.map,
            "faults": self.faults,
            "commitment": self.commitment,
            "created_ms": self.created_ms,
            "started_ms": self.started_ms,
            "outcome": self.outcome,
        }

    def row(self) -> dict[str, Json]:
        """The columns of `matches` but for `node`; the players have rows of their own."""
        row = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name != "players"
        }
        return row | {"journal": row.pop("file")}


@dataclass(frozen=True, slots=True)
class JournalEnding:
    """What a journal's last lines say of a match that is over."""

    head: str
    result: dict[str, Json]
    ended_ms: int
    broken: BrokenOff | None


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The end of a match. `missing`: seats that never came, so that it was called off."""

    record: MatchRecord
    verdict: BlameVerdict | None
    missing: Sequence[Seat] = ()
    counts: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """What the bots did wrong, by kind (`games.contest.faults`) and seat, if a worker played it."""


@dataclass(frozen=True, slots=True)
class EndHandlers:
    """What is called when a match ends. `server.app` names the handlers."""

    storing: Sequence[Callable[[AsyncConnection, MatchEnded], Awaitable[None]]] = ()
    """In the transaction that stores the match; also for one that is imported from its journal.
    Raises Behind to be called again in a new transaction."""
    stored: Sequence[Callable[[MatchEnded], None]] = ()
    """After the commit."""
