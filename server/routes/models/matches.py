"""Matches and their results."""

from __future__ import annotations

from typing import Literal

from games.core.contract import Json
from server.matches.setup import PlayerKind
from server.routes.models.answer import Model
from server.routes.models.lobbies import Outcome


class SeatedPlayer(Model):
    """A player of a match."""

    seat: int
    """The number of the seat."""
    role: str | None
    """What the game calls the seat."""
    name: str | None
    """The player's name."""
    kind: PlayerKind | None
    """What the player is."""
    bot: str | None
    """The name of the house bot."""
    account: str | None
    """The id of the player's account."""
    version: int | None
    """The version that played, of a bot that was handed in."""


class Attempt(Model):
    """One attempt to play a match. A crash of the server ends an attempt, and the next one
    continues."""

    number: int
    """Its number, from 1."""
    state: Literal["running", "over", "interrupted"]
    """How it ended."""
    blame: Literal["bot", "peer", "infrastructure", "organiser"] | None
    """Who broke the match off or decided it beside the rules."""
    blamed: list[str | None] | None
    """By seat."""
    reason: str | None
    """Why it ended, as a word."""
    started_ms: int
    """When it started, ms since 1970."""
    ended_ms: int | None
    """When it ended, ms since 1970."""


class Match(Model):
    """A match that is running or over."""

    match: str
    """Its id."""
    name: str | None
    """The name of its lobby."""
    game: str
    """The name of the game."""
    state: Literal["running", "over"]
    """Whether it is running."""
    private: bool
    """It is not listed."""
    rated: bool
    """It counts for ratings."""
    players: list[SeatedPlayer]
    """Its players, by seat."""
    config: dict[str, Json]
    """The game's parameters with the values that they have."""
    map: str | None
    """The name of the map."""
    faults: str | None
    """The policy for silence that the lobby has chosen."""
    commitment: str
    """SHA-256 of the seed and a salt, which the journal reveals."""
    created_ms: int
    """When its lobby was created, ms since 1970."""
    started_ms: int | None
    """When it started, ms since 1970."""
    outcome: Outcome | None
    """The result."""
    released: bool
    """Its journal and replay are public: every match with the same seed is over."""
    turn: int | None = None
    """Running matches: the turn that is open."""
    watch_url: str | None = None
    """Running matches, on a server of several processes: the address for viewers."""
    rules_version: int | None = None
    """Finished matches: the version of the rules that it was played by."""
    ended_ms: int | None = None
    """Finished matches: when it ended, ms since 1970."""
    journal: str | None = None
    """Finished matches: the last digest of the journal's chain, for `botarena verify --head`."""
    seed: int | None = None
    """Released matches: the seed."""
    attempts: list[Attempt] | None = None
    """Finished matches, with `get_match`: the attempts to play it."""


class TurnClocks(Model):
    """The clocks of one turn, by seat. What is null is explained with the event `clock`."""

    turn: int
    """The turn."""
    within_ms: list[int | None]
    """The time of the turn, of a seat that was asked and had a limit."""
    bank_ms: list[int | None] | None
    """What was left of the bank when the turn opened; null: the match had no banks."""
    used_ms: list[float | None]
    """What the seat was charged for the turn; null: it was not asked, or has not answered."""
