"""Invitations to games, ladders and ratings."""

from __future__ import annotations

from typing import Literal

from server.routes.models.answer import Model


class Invitation(Model):
    """A seat that is kept for the bot of an account."""

    number: int
    """Rises; the greatest that is known goes into `after`."""
    match: str
    game: str
    seat: int
    role: str
    name: str | None
    token: str
    url: str
    within_ms: int | None
    """Until the seat has to say hello; null: the match is running."""
    tournament: str | None = None
    fixture: str | None = None
    """The game of the tournament."""
    ladder: str | None = None
    """The game whose ladder it is of."""


class Rating(Model):
    rank: int | None
    """null: not rated."""
    name: str
    bot: str | None
    """A house bot's."""
    account: str | None
    rating: float | None
    low: float | None
    """With 95 % probability the rating lies between low and high."""
    high: float | None
    games: int
    wins: int
    draws: int
    losses: int
    provisional: bool
    """Few games, or none that connects with the anchor."""


class RatingTable(Model):
    game: str
    method: Literal["bradley-terry", "plackett-luce"]
    anchor: str | None
    """The house bot whose rating is fixed."""
    matches: int
    ratings: list[Rating]
    """The best first."""


class LadderBot(Model):
    name: str
    bot: str | None
    account: str | None
    concurrency: int | None
    present: bool


class LadderBots(Model):
    game: str
    on: bool
    """Games are played on it."""
    bots: list[LadderBot]


class LadderPlace(Model):
    game: str
    account: str
    concurrency: int
