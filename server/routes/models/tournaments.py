"""Tournaments: their state, standings, brackets, games and decisions."""

from __future__ import annotations

from typing import Literal

from games.contest.facts import Kind, Stage
from games.core.contract import Json
from server.routes.models.answer import Model

TournamentState = Literal[
    "entries_open", "checking", "round_robin", "seeded", "bracket", "finished", "cancelled"
]
EntrantStatus = Literal["active", "withdrawn", "disqualified", "left_out"]


class Entered(Model):
    tournament: str
    entry: int
    """The entrant's number."""
    name: str
    bot: str | None
    account: str | None
    concurrency: int


class Decided(Model):
    """A tournament after a decision."""

    tournament: str
    state: TournamentState
    paused: bool
    facts: int
    """The number of its last fact."""


class TournamentSummary(Model):
    tournament: str
    name: str
    game: str
    format: str
    state: TournamentState
    created_ms: int
    ended_ms: int | None
    commitment: str
    """SHA-256 of seed and salt."""


class Entrant(Model):
    entry: int
    id: str
    """What the tables call it."""
    status: EntrantStatus
    why: str
    bot: str | None
    account: str | None
    concurrency: int


class Standing(Model):
    """One line of the table of stage 1. One whose results are annulled has no counts."""

    rank: int | None
    id: str
    entry: int
    status: str
    annulled: bool | None = None
    played: int | None = None
    wins: int | None = None
    draws: int | None = None
    losses: int | None = None
    both_lost: int | None = None
    forfeits: int | None = None
    points: int | None = None
    score_for: float | None = None
    score_against: float | None = None
    tie_break: list[str] | None = None
    """The criteria that split the groups this entrant was in, in the order applied."""


class Pairing(Model):
    """What one entrant has against another."""

    id: str
    against: str
    wins: int
    draws: int
    losses: int
    both_lost: int
    points: int


class BracketGame(Model):
    game: int
    seats: list[str | None]
    seed: int | None = None
    """When the tournament is over."""
    winner: str | None
    """An entrant; without one `draw` or `both_lost`."""
    score_by_seed: list[float]
    forfeit: list[str]


class BracketMatch(Model):
    match: str
    best_of: int
    players: list[str | None]
    sources: list[str]
    waits: bool
    games: list[BracketGame]
    winner: str | None
    loser: str | None
    decided_by: str | None
    wins: list[float] | None = None


class Heat(Model):
    heat: str
    seats: list[str]
    seed: int | None = None
    """When the tournament is over."""
    waits: bool
    placement: list[int] | None = None
    score: list[float] | None = None
    forfeit: list[bool] | None = None


class FinalRow(Model):
    id: str
    points: float
    pair_results: float
    placements: list[int]
    score: float
    tie_break: list[str]


class GameResult(Model):
    """By seat."""

    placement: list[int]
    score: list[float]
    forfeit: list[bool]
    both_lost: bool


class GameAttempt(Model):
    attempt: int
    state: Literal["running", "over", "dropped"]
    match: str | None


class TournamentGame(Model):
    game: str
    stage: Stage
    round: int
    of: str | None
    """The match of the bracket that it is a game of."""
    seats: list[str]
    state: Literal["due", "running", "over", "off"]
    match: str | None
    """The last match that was played for it."""
    result: GameResult | None
    how: Literal["played", "forfeit", "override"] | None
    attempts: list[GameAttempt]


class Fact(Model):
    """What happened: a decision or a result. Empty fields are left out."""

    number: int
    kind: Kind
    void: bool
    """It was undone."""
    at_ms: int
    account: str | None
    """Whose decision it was."""
    entry: int | None = None
    name: str | None = None
    ok: bool | None = None
    game: str | None = None
    seats: list[int] | None = None
    attempt: int | None = None
    result: GameResult | None = None
    stage: Stage | None = None
    round: int | None = None
    match: str | None = None
    fact: int | None = None
    by: str | None = None
    why: str | None = None
    at: str | None = None
    about: Json = None


class TournamentDetails(TournamentSummary):
    paused: bool
    entrants: list[Entrant]
    provisional: bool
    """The standings are not final."""
    standings: list[Standing]
    crosstable: list[Pairing]
    seeds: list[str]
    """In the order of the bracket's seeding."""
    bracket: list[BracketMatch]
    heat_bracket: list[Heat] | None = None
    """This and the two that follow: of a final of several seats."""
    finalists: list[str] | None = None
    final_table: list[FinalRow] | None = None
    placings: list[str] | None
    """Entrants by their final places."""
    open: list[str]
    """Games that may be played now."""
    parameters: dict[str, Json]
    """Of the format."""
    config: dict[str, Json]
    map: str | None
    clock: dict[str, Json]
    seed: int | None
    """When it is over; and so the salt."""
    salt: str | None
    games: list[TournamentGame]
    log: list[Fact]
