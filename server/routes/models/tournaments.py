"""Tournaments: their state, standings, brackets, games and decisions."""

from __future__ import annotations

from typing import Literal

from games.contest.facts import FactKind, Stage
from games.contest.tournament import TournamentState
from games.core.contract import Json
from server.routes.models.answer import Model

EntrantStatus = Literal["active", "withdrawn", "disqualified", "left_out"]


class Entered(Model):
    """A new entrant."""

    tournament: str
    """The id of the tournament."""
    entry: int
    """The entrant's number."""
    name: str
    """Its name in the tables."""
    bot: str | None
    """The house bot; null: it belongs to an account."""
    account: str | None
    """The id of its account."""
    concurrency: int
    """The maximum of games that it plays at a time."""


class Decided(Model):
    """A tournament after a decision."""

    tournament: str
    """The id of the tournament."""
    state: TournamentState
    """Its stage."""
    paused: bool
    """No further games begin."""
    facts: int
    """The number of its last fact."""


class TournamentSummary(Model):
    """A tournament in a list."""

    tournament: str
    """Its id."""
    name: str
    """Its name."""
    game: str
    """The name of the game."""
    format: str
    """How it is played."""
    state: TournamentState
    """Its stage."""
    created_ms: int
    """When it was created, ms since 1970."""
    ended_ms: int | None
    """When it ended, ms since 1970."""
    commitment: str
    """SHA-256 of the seed and a salt, which are revealed at the end."""
    freeze_ms: int | None
    """Versions of bots that are handed in later do not play in it, ms since 1970."""


class Entrant(Model):
    """An entrant."""

    entry: int
    """Its number."""
    id: str
    """Its name in the tables."""
    status: EntrantStatus
    """Whether it still takes part."""
    why: str
    """Why it does not."""
    bot: str | None
    """The house bot; null: it belongs to an account."""
    account: str | None
    """The id of its account."""
    concurrency: int
    """The maximum of games that it plays at a time."""


class Faults(Model):
    """What an entrant did wrong in all of its games."""

    late: int
    """Turns on which it gave no answer in time."""
    crashed: int
    """Turns on which it failed."""
    illegal: int
    """Answers that were not valid."""
    no_show: int
    """Games that it did not come to."""


class StandingsRow(Model):
    """One line of the table of stage 1. An entrant whose results are annulled has no counts."""

    rank: int | None
    """The place, from 1."""
    id: str
    """The entrant."""
    entry: int
    """The entrant's number."""
    status: str
    """Whether it still takes part."""
    annulled: bool | None = None
    """Its results do not count."""
    played: int | None = None
    """Games played."""
    wins: int | None = None
    """Games won."""
    draws: int | None = None
    """Games drawn."""
    losses: int | None = None
    """Games lost."""
    both_lost: int | None = None
    """Games that both sides lost."""
    forfeits: int | None = None
    """Games lost by forfeit."""
    points: int | None = None
    """Points for the results."""
    score_for: float | None = None
    """The sum of its scores."""
    score_against: float | None = None
    """The sum of its opponents' scores."""
    tie_break: list[str] | None = None
    """The criteria that broke its ties, in the order in which they were applied."""
    faults: Faults
    """What it did wrong, in the bracket too."""


class CrosstableCell(Model):
    """The results of one entrant against another."""

    id: str
    """The entrant."""
    against: str
    """The other entrant."""
    wins: int
    """Games won."""
    draws: int
    """Games drawn."""
    losses: int
    """Games lost."""
    both_lost: int
    """Games that both lost."""
    points: int
    """Points for the results."""


class BracketGame(Model):
    """A game of a match of the bracket."""

    game: int
    """Its number, from 1."""
    seats: list[str | None]
    """The entrants by seat."""
    seed: int | None = None
    """Its seed, once the tournament is over."""
    winner: str | None
    """An entrant, `draw` or `both_lost`."""
    score_by_seed: list[float]
    """The scores, the better seeded entrant first."""
    forfeit: list[str]
    """The entrants that forfeited."""


class BracketMatch(Model):
    """A match of the bracket, of one or several games."""

    match: str
    """Its name."""
    best_of: int
    """The maximum of games."""
    players: list[str | None]
    """The entrants; null: not known yet."""
    sources: list[str]
    """Where the entrants come from: a seed, or the winner or loser of a match."""
    waits: bool
    """It waits for earlier matches."""
    games: list[BracketGame]
    """Its games so far."""
    winner: str | None
    """The entrant that has won."""
    loser: str | None
    """The entrant that has lost."""
    decided_by: str | None
    """How it was decided."""
    wins: list[float] | None = None
    """Games won by each entrant; a draw counts a half."""


class Heat(Model):
    """A game of a final of several seats."""

    heat: str
    """Its name."""
    seats: list[str]
    """The entrants by seat."""
    seed: int | None = None
    """Its seed, once the tournament is over."""
    waits: bool
    """It is not over."""
    placement: list[int] | None = None
    """The places by seat."""
    score: list[float] | None = None
    """The scores by seat."""
    forfeit: list[bool] | None = None
    """The forfeits by seat."""


class FinalRow(Model):
    """One line of the table of a final of several seats."""

    id: str
    """The entrant."""
    points: float
    """Points for its places."""
    pair_results: float
    """The number of its results against single opponents."""
    placements: list[int]
    """Its places in the games, sorted."""
    score: float
    """The sum of its scores."""
    tie_break: list[str]
    """The criteria that broke its ties, in the order in which they were applied."""


class GameResult(Model):
    """The result of a game, by seat."""

    placement: list[int]
    """The places, from 1; equal numbers share a place."""
    score: list[float]
    """The scores."""
    forfeit: list[bool]
    """Whether the seat forfeited."""
    both_lost: bool
    """Both seats lost."""


class GameAttempt(Model):
    """An attempt to play a game of a tournament."""

    attempt: int
    """Its number, from 1."""
    state: Literal["running", "over", "dropped"]
    """Whether it counts: a dropped one does not."""
    match: str | None
    """The id of the match."""


class TournamentGame(Model):
    """A game of a tournament."""

    game: str
    """Its name."""
    stage: Stage
    """The stage of the tournament."""
    round: int
    """The round of the stage."""
    of: str | None
    """The match of the bracket that it belongs to."""
    seats: list[str]
    """The entrants by seat."""
    state: Literal["due", "running", "over", "off"]
    """To be played, running, over, or not to be played."""
    match: str | None
    """The id of its last match."""
    result: GameResult | None
    """Its result."""
    how: Literal["played", "forfeit", "override"] | None
    """How the result came about."""
    attempts: list[GameAttempt]
    """The attempts to play it."""


class Fact(Model):
    """A line of the log: a decision or a result. Fields without a value are left out."""

    number: int
    """Its number, from 1."""
    kind: FactKind
    """What happened."""
    void: bool
    """It was undone."""
    at_ms: int
    """When it happened, ms since 1970."""
    account: str | None
    """The account that decided it."""
    entry: int | None = None
    """The number of the entrant."""
    name: str | None = None
    """The name of the entrant."""
    ok: bool | None = None
    """Whether a check was passed."""
    game: str | None = None
    """The name of the game."""
    seats: list[int] | None = None
    """The numbers of the entrants of a game, by seat."""
    attempt: int | None = None
    """The attempt to play the game."""
    result: GameResult | None = None
    """The result of the game."""
    stage: Stage | None = None
    """The stage."""
    round: int | None = None
    """The round."""
    match: str | None = None
    """The id of the match."""
    fact: int | None = None
    """The number of the fact that was undone."""
    by: str | None = None
    """The name of the account that decided it."""
    why: str | None = None
    """The reason that it gave."""
    at: str | None = None
    """When it happened, as text, if the log has it."""
    about: Json = None
    """Further facts."""


class TournamentDetails(TournamentSummary):
    """A tournament."""

    paused: bool
    """No further games begin."""
    entrants: list[Entrant]
    """All entrants."""
    provisional: bool
    """The standings are not final."""
    standings: list[StandingsRow]
    """The table of stage 1."""
    crosstable: list[CrosstableCell]
    """The results between each two entrants."""
    seeds: list[str]
    """The entrants in the order of the seeding of the bracket."""
    bracket: list[BracketMatch]
    """The matches of the bracket."""
    heat_bracket: list[Heat] | None = None
    """A final of several seats: its games."""
    finalists: list[str] | None = None
    """A final of several seats: its entrants."""
    final_table: list[FinalRow] | None = None
    """A final of several seats: its table."""
    placings: list[str] | None
    """The entrants by their final places."""
    open: list[str]
    """Games that may be played now."""
    parameters: dict[str, Json]
    """The parameters of the format."""
    config: dict[str, Json]
    """The game's parameters."""
    map: str | None
    """The name of the map."""
    clock: dict[str, Json]
    """The limits that were overridden."""
    seed: int | None
    """The seed, once the tournament is over."""
    salt: str | None
    """The salt, once the tournament is over."""
    games: list[TournamentGame]
    """All games."""
    log: list[Fact]
    """All facts, in order."""
