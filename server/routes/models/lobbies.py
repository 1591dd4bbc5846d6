"""Lobbies, and seats in them."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict

from games.core.contract import Json, OutcomeKind, SeatResult
from server.routes.models.answer import Model

PlayerKind = Literal["bot", "human"]


class LobbySeat(Model):
    seat: int
    role: str
    taken: bool
    name: str | None
    kind: PlayerKind | None
    bot: str | None
    """The house bot that plays it."""
    account: str | None
    connected: bool


class SeatOutcome(Model):
    """One seat's line of a result; more fields are the game's own."""

    model_config = ConfigDict(extra="allow")

    seat: int
    score: float
    placement: int | None
    """From 1; equal numbers share a place. null: there is no result."""
    outcome: SeatResult | None


class Outcome(Model):
    """Who won and why; more fields are the game's own."""

    model_config = ConfigDict(extra="allow")

    outcome: OutcomeKind
    winner: int | None
    reason: str
    seats: list[SeatOutcome]


class Lobby(Model):
    """A lobby, also while its match runs and after it."""

    lobby: str
    name: str | None
    game: str
    state: Literal["open", "running", "over", "cancelled"]
    reason: str | None
    """Why it was cancelled."""
    private: bool
    password: bool
    """Joining takes one."""
    rated: bool
    countdown_ms: int | None
    """Until an open lobby is cancelled, or a match begins without those that are missing."""
    seats: list[LobbySeat]
    config: dict[str, Json]
    """The game's parameters with the values that they have."""
    map: str | None
    faults: str | None
    """The policy for silence, where the lobby named one."""
    commitment: str
    """SHA-256 of seed and salt."""
    turn: int | None
    created_ms: int
    started_ms: int | None
    ended_ms: int | None
    outcome: Outcome | None
    watch_url: str | None = None
    """Where viewers connect, on a server of several processes."""


class CreatedLobby(Lobby):
    owner_token: str
    """Starts the lobby and adds bots."""
    invite: str | None
    """Lets others join a private lobby."""


class AdminLobby(Lobby):
    viewers: int


class TakenSeat(Model):
    lobby: str
    seat: int
    token: str
    """For the hello on the websocket: it is the seat."""
    url: str
    """The websocket's address."""


class BotSeat(Model):
    lobby: str
    seat: int
    bot: str


class LeftSeat(Model):
    lobby: str
    seat: int
