"""Invitations to games, ladders and ratings."""

from __future__ import annotations

from typing import Literal

from server.routes.models.answer import Model
from server.routes.models.lobbies import Outcome
from server.store.challenges import Accepts, ChallengeState
from server.store.ladders import Why


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
    why: Why | None = None
    """Why the players of a ladder's game were paired."""


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


class FirstSeat(Model):
    """What seat 0 is worth in a game of two."""

    worth: float
    """The estimate, in points of the rating, fitted together with the ratings."""
    low: float
    """With a probability of 95 % it is between `low` and `high`."""
    high: float
    """See `low`."""


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
    first_seat: FirstSeat | None
    """What seat 0 is worth; null: it is not known, or a match has more than two seats."""
    ratings: list[PlayerRating]
    """The players, the best first."""


class ChallengeRule(Model):
    """Which challenges a bot accepts."""

    accepts: Accepts
    """`window`: of bots whose rating is at most `window` points away."""
    window: int
    """Points of the rating."""
    per_day: int
    """The maximum of challenges that it accepts within 24 hours."""
    rated: bool
    """Their games count for the ratings."""


class ChallengePlayer(Model):
    """A side of a challenge."""

    name: str
    """Its name."""
    account: str | None
    """The id of its account; null: a house bot."""
    bot: str | None
    """The house bot; null: it belongs to an account."""


class Challenge(Model):
    """A challenge of one bot on a ladder to another."""

    challenge: str
    """Its id."""
    game: str
    """The game whose ladder it is."""
    challenger: ChallengePlayer
    """Who has sent it."""
    challenged: ChallengePlayer
    """Who has received it."""
    rated: bool
    """Its games count for the ratings."""
    state: ChallengeState
    """`open`: it waits until both bots are free; `begun`: they were invited to its games."""
    created_ms: int
    """When it was sent, ms since 1970."""
    ended_ms: int | None
    """When it was no longer open; null: it is."""


class LadderBot(Model):
    """A bot on a ladder."""

    name: str
    """Its name."""
    bot: str | None
    """The house bot; null: it belongs to an account."""
    account: str | None
    """The id of its account."""
    submitted: str | None
    """The name under which it was handed in: the server plays it; null: it connects."""
    version: int | None
    """The version that plays; null: none does, or it was not handed in."""
    concurrency: int | None
    """The maximum of games that it plays at a time; null: the server plays it."""
    present: bool
    """It requests invitations, or the server plays it and has a version that plays."""
    expected_wait_ms: int | None
    """How long it waits for a game when it is free, by the last pairings; null: it is absent, the
    server plays it, or nothing is known."""
    accepts: ChallengeRule | None
    """Which challenges it accepts; null: a house bot, which accepts all and plays them unrated."""


class PoolMap(Model):
    """A map of a pool."""

    map: str | None
    """Its name; null: a board that the game generates."""
    weight: int
    """Twice the weight: it is drawn twice as often."""


class MapPool(Model):
    """A version of a ladder's map pool."""

    version: int
    """1, 2, ..."""
    maps: list[PoolMap]
    """The maps, with their weights."""
    created_ms: int
    """When it was set, ms since 1970."""


class LadderBots(Model):
    """A ladder."""

    game: str
    """The name of the game."""
    on: bool
    """Games are played on it."""
    pool: MapPool | None
    """The maps that are played; null: the game generates its boards."""
    bots: list[LadderBot]
    """The bots on it."""


class LadderPlayer(Model):
    """A player of a ladder's game."""

    name: str
    """Its name."""
    bot: str | None
    """The house bot; null: it belongs to an account."""
    account: str | None
    """The id of its account."""
    version: int | None
    """The version that plays; null: it was not handed in."""
    waited_ms: int | None
    """How long it had been free when the game was paired; null: the server plays it."""


class LadderMatch(Model):
    """A game of a ladder."""

    match: str
    """The id of the match."""
    begun_ms: int
    """When its players were invited, ms since 1970."""
    why: Why
    """Why they were paired."""
    rated: bool
    """It counts for the ratings."""
    pool: int | None
    """The version of the map pool from which its map was drawn; null: there was none."""
    map: str | None
    """The map; null: the game has generated a board."""
    state: Literal["open", "running", "over"]
    """The state of the match; `open`: it waits for its players."""
    players: list[LadderPlayer]
    """The players, by seat."""
    outcome: Outcome | None
    """The outcome of a match that is over; null: it is not."""


class LadderPlace(Model):
    """An account's place on a ladder."""

    game: str
    """The name of the game."""
    account: str
    """The id of the account."""
    submitted: str | None
    """The name of the bot that was handed in; null: the account's bot connects."""
    concurrency: int | None
    """The maximum of games that it plays at a time; null: the server plays it."""
    expected_wait_ms: int | None
    """How long it waits for a game when it is free, by the last pairings; null: there were none, or
    the server plays it."""
