"""Matches and their results."""

from __future__ import annotations

from typing import Literal

from games.core.contract import Json
from server.routes.models.answer import Model
from server.routes.models.lobbies import Outcome, PlayerKind


class Player(Model):
    """Who has a seat."""

    seat: int
    role: str | None
    name: str | None
    kind: PlayerKind | None
    bot: str | None
    account: str | None


class Attempt(Model):
    """One attempt to play a match: a crash of the server ends one, and the next goes on."""

    number: int
    state: Literal["running", "over", "interrupted"]
    blame: Literal["bot", "peer", "infrastructure", "organiser"] | None
    """What broke the match off or decided it beside the rules."""
    blamed: list[str | None] | None
    """By seat."""
    reason: str | None
    started_ms: int
    ended_ms: int | None


class Match(Model):
    """A match that is running or over."""

    match: str
    name: str | None
    game: str
    state: Literal["running", "over"]
    private: bool
    rated: bool
    players: list[Player]
    config: dict[str, Json]
    map: str | None
    faults: str | None
    commitment: str
    created_ms: int
    started_ms: int | None
    outcome: Outcome | None
    released: bool
    """Journal and replay may be had: no match with the same seed is still to end."""
    turn: int | None = None
    """Of a running match."""
    watch_url: str | None = None
    """Of a running match, on a server of several processes: where viewers connect."""
    rules_version: int | None = None
    """This and what follows: of a match that is over."""
    ended_ms: int | None = None
    journal: str | None = None
    """The last digest of the journal's chain, for `botarena verify --head`."""
    seed: int | None = None
    """After the release."""
    attempts: list[Attempt] | None = None
    """Where one match is asked for."""
