"""Lobbies, and seats in them."""

from __future__ import annotations

from pydantic import ConfigDict

from games.core.contract import Json, OutcomeKind, SeatResult
from server.matches.lobby import LobbyState
from server.matches.setup import PlayerKind
from server.routes.models.answer import Model


class LobbySeat(Model):
    """A seat of a lobby."""

    seat: int
    """Its number, from 0."""
    role: str
    """What the game calls it."""
    taken: bool
    """It has a player."""
    name: str | None
    """The player's name."""
    kind: PlayerKind | None
    """What the player is."""
    bot: str | None
    """The house bot that plays it."""
    account: str | None
    """The id of the player's account."""
    connected: bool
    """The player is connected."""


class SeatOutcome(Model):
    """The result of one seat. Further fields are the game's own."""

    model_config = ConfigDict(extra="allow")

    seat: int
    """Its number, from 0."""
    score: float
    """Its score."""
    placement: int | None
    """Its place, from 1; equal numbers share a place. null: there is no result."""
    outcome: SeatResult | None
    """Its result."""


class Outcome(Model):
    """Who won and why. Further fields are the game's own."""

    model_config = ConfigDict(extra="allow")

    outcome: OutcomeKind
    """The kind of the end."""
    winner: int | None
    """The seat that has won; null: none has."""
    reason: str
    """Why the match ended, as a word."""
    seats: list[SeatOutcome]
    """The results by seat."""


class Lobby(Model):
    """A lobby, also while its match runs and after it."""

    lobby: str
    """Its id, which is also that of the match."""
    name: str | None
    """Its name."""
    game: str
    """The name of the game."""
    state: LobbyState
    """open, its match is running or over, or it was cancelled."""
    reason: str | None
    """Why it was cancelled."""
    private: bool
    """It is not listed."""
    password: bool
    """Joining requires a password."""
    rated: bool
    """The match counts for ratings."""
    countdown_ms: int | None
    """The time until an open lobby is cancelled, or a match begins without the missing seats."""
    seats: list[LobbySeat]
    """Its seats, in order."""
    config: dict[str, Json]
    """The game's parameters with the values that they have."""
    map: str | None
    """The name of the map."""
    faults: str | None
    """The policy for silence that the lobby has chosen."""
    commitment: str
    """SHA-256 of the seed and a salt, which the journal reveals."""
    spectator_delay: int
    """How long after a turn viewers, and the public, learn of it, s. A match is running until they
    have learnt of its end, and its seats count as connected."""
    start_when_full: bool
    """The match starts when all seats are taken and ready; false: it waits for its owner, who has
    not started it."""
    turn: int | None
    """The turn that is open, as viewers know it."""
    created_ms: int
    """When it was created, ms since 1970."""
    started_ms: int | None
    """When the match started, ms since 1970."""
    ended_ms: int | None
    """When it ended, ms since 1970."""
    outcome: Outcome | None
    """The result of the match."""
    watch_url: str | None = None
    """On a server of several processes: the address for viewers."""


class CreatedLobby(Lobby):
    """A new lobby with its tokens."""

    owner_token: str
    """The token that starts the lobby and adds bots."""
    invite: str | None
    """The token that admits others to a private lobby."""


class AdminLobby(Lobby):
    """A lobby for organisers."""

    viewers: int
    """The number of viewers."""


class TakenSeat(Model):
    """A seat that was taken."""

    lobby: str
    """The id of the lobby."""
    seat: int
    """The number of the seat."""
    token: str
    """The token for the hello. It grants the seat, so keep it secret."""
    url: str
    """The address of the websocket."""


class BotSeat(Model):
    """A seat with a house bot."""

    lobby: str
    """The id of the lobby."""
    seat: int
    """The number of the seat."""
    bot: str
    """The name of the house bot."""


class LeftSeat(Model):
    """A seat that was given back."""

    lobby: str
    """The id of the lobby."""
    seat: int
    """The number of the seat."""
