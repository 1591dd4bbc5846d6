"""Tournaments a page at a time: an overview, and parts of their tables."""

from __future__ import annotations

from games.contest.facts import Stage
from games.core.contract import Json
from server.routes.models.answer import Model
from server.routes.models.tournaments import (
    BracketMatch,
    CrosstableCell,
    Entrant,
    Fact,
    Heat,
    StandingsRow,
    TournamentGame,
    TournamentSummary,
)


class RunningGame(Model):
    """A game of a tournament that runs now."""

    game: str
    """Its name."""
    stage: Stage
    """The stage of the tournament."""
    match: str | None
    """The id of its match."""
    seats: list[str]
    """The entrants by seat."""


class DueGame(Model):
    """A game of a tournament that is due."""

    game: str
    """Its name."""
    stage: Stage
    """The stage of the tournament."""
    seats: list[str]
    """The entrants by seat."""


class PlayedMatch(BracketMatch):
    """A match of the bracket, of one or several games."""

    match_id: str | None
    """The id of the match in which its last game was played, or is."""


class TournamentOverview(TournamentSummary):
    """A tournament without the tables that grow with it."""

    paused: bool
    """No further games begin."""
    provisional: bool
    """The standings are not final."""
    entrants: int
    """The number of entrants."""
    games: int
    """The number of games that are known."""
    played: int
    """The number of games that have a result."""
    facts: int
    """The number of the last fact."""
    parameters: dict[str, Json]
    """The parameters of the format."""
    bracket: list[PlayedMatch]
    """The matches of the bracket, of a large one from the round of 16 on. No seed is in it."""
    heat_bracket: list[Heat] | None = None
    """A final of several seats: its games."""
    finalists: list[str] | None = None
    """A final of several seats: its entrants."""
    ranking: list[str]
    """The entrants by their places in the standings; empty with more than 32 of them."""
    crosstable: list[CrosstableCell]
    """The results between each two entrants; empty with more than 32 of them."""
    placings: list[str] | None
    """The first entrants by their final places."""
    running: list[RunningGame]
    """The games that began last and run."""
    running_games: int
    """The number of games that run."""
    due: list[DueGame]
    """The first games that are due or run."""


class TablePage(Model):
    """A page of a table of a tournament."""

    tournament: str
    """The id of the tournament."""
    facts: int
    """The number of the last fact that the table counts."""
    total: int
    """The number of lines in all, or of those that were found."""
    offset: int
    """The number of lines before this page."""


class StandingsPage(TablePage):
    """A page of the table of stage 1, the best first."""

    rows: list[StandingsRow]
    """Its lines."""


class EntrantsPage(TablePage):
    """A page of the entrants, by their numbers."""

    rows: list[Entrant]
    """Its lines."""


class GamesPage(TablePage):
    """A page of the games, the last one of the schedule first."""

    rows: list[TournamentGame]
    """Its lines."""


class LoggedFact(Fact):
    """A line of the log with the names of the entrants in it."""

    names: dict[str, str]
    """The names of the entrants in this line, by their numbers."""


class LogPage(TablePage):
    """A page of the log, the last fact first."""

    rows: list[LoggedFact]
    """Its lines."""
