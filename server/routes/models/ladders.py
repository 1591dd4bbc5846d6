"""Invitations to games, ladders and ratings."""

from __future__ import annotations

from typing import Literal

from server.routes.models.answer import Model


class Invitation(Model):
    """A seat that is held for the bot of an account."""

    number: int
    """Rises with each invitation. Send the greatest that you have seen as `after`."""
    match: str
    """The id of the match."""
    game: str
    """The name of the game."""
    seat: int
    """The number of the seat."""
    role: str
    """What the game calls the seat."""
    name: str | None
    """The bot's name in the match."""
    token: str
    """The token for the hello."""
    url: str
    """The address of the websocket."""
    within_ms: int | None
    """The time left to say hello; null: the match is running."""
    tournament: str | None = None
    """The id of the tournament."""
    fixture: str | None = None
    """The name of the game in the tournament."""
    ladder: str | None = None
    """The game whose ladder it is."""


class PlayerRating(Model):
    """The rating of one player."""

    rank: int | None
    """The place, from 1; null: not rated."""
    name: str
    """The account's name, or the house bot's."""
    bot: str | None
    """The house bot; null: it is another player."""
    account: str | None
    """The id of the account; null: it has none."""
    rating: float | None
    """The estimate; null: not rated."""
    low: float | None
    """With a probability of 95 % the rating is between `low` and `high`."""
    high: float | None
    """See `low`."""
    games: int
    """The number of rated games."""
    wins: int
    """Games won."""
    draws: int
    """Games drawn."""
    losses: int
    """Games lost."""
    provisional: bool
    """There are few games, or none that connects the player with the anchor."""


class RatingTable(Model):
    """The ratings of a game."""

    game: str
    """The name of the game."""
    method: Literal["bradley-terry", "plackett-luce"]
    """The statistical model."""
    anchor: str | None
    """The house bot whose rating is fixed."""
    matches: int
    """The number of matches that count."""
    ratings: list[PlayerRating]
    """The players, the best first."""


class LadderBot(Model):
    """A bot on a ladder."""

    name: str
    """Its name."""
    bot: str | None
    """The house bot; null: it belongs to an account."""
    account: str | None
    """The id of its account."""
    concurrency: int | None
    """The maximum of games that it plays at a time."""
    present: bool
    """It requests invitations."""


class LadderBots(Model):
    """A ladder."""

    game: str
    """The name of the game."""
    on: bool
    """Games are played on it."""
    bots: list[LadderBot]
    """The bots on it."""


class LadderPlace(Model):
    """An account's place on a ladder."""

    game: str
    """The name of the game."""
    account: str
    """The id of the account."""
    concurrency: int
    """The maximum of games that it plays at a time."""
