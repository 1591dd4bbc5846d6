"""What can be played."""

from __future__ import annotations

from games.core.contract import Json
from server.routes.models.answer import Model


class GameSummary(Model):
    """A game."""

    game: str
    """Its name in requests."""
    title: str
    """Its name for people."""
    seats: int
    """The number of seats with the default parameters."""
    roles: list[str]
    """What the game calls its seats, by seat."""
    realtime: bool
    """It advances by a clock; otherwise a turn closes when its seats have answered."""


class ClockLimits(Model):
    """The limits of a match; times in ms. 0 means no limit, except for preprocessing, bank,
    increment, grace and absence, where it means no time."""

    tick_ms: int | None
    """The time between two ticks; null: the game does not advance by a clock."""
    lockstep: bool
    """A realtime game whose next tick comes when every seat has answered."""
    startup_ms: int
    """How long a match waits for its seats."""
    preprocessing_ms: int
    """The time between the start and the first turn."""
    turn_ms: int
    """The time of a bot for a turn."""
    human_turn_ms: int
    """The time of a person for a turn."""
    bank_ms: int
    """The further time of a seat for the whole match."""
    increment_ms: int
    """The bank grows by this when a turn of the seat begins."""
    grace_ms: int
    """After the time of a turn an answer is still accepted for this time."""
    strikes: int
    """The n-th timed-out turn of a seat forfeits the match; 0: never."""
    rejects: int
    """After the n-th rejected command for one turn the seat counts as silent; 0: never."""
    late_ready: str
    """What happens to a seat that is not ready when preprocessing ends: `plays` or `forfeits`."""
    bad_frames: int
    """The n-th frame of a seat that is not a message forfeits the match; 0: never."""
    absence: str
    """What happens to a disconnected seat: `plays`, `misses`, `waits`, `limited` or `forfeits`."""
    absence_ms: int
    """How long a seat, or all seats, may be away."""


class NamedBot(Model):
    """A house bot of a game."""

    bot: str
    """Its name."""
    about: str
    """What it does, in a sentence."""


class HouseBot(NamedBot):
    """A house bot."""

    game: str
    """The game that it plays."""


class GameDetails(GameSummary):
    """A game with its parameters."""

    rules_version: int
    """Changes with the behaviour of the game only."""
    parameters: dict[str, Json]
    """JSON Schema of a lobby's `config`."""
    tournament: dict[str, Json]
    """JSON Schema of a tournament's `format`."""
    presets: dict[str, dict[str, dict[str, Json]]]
    """Named values of parameters, by the parameter that chooses them."""
    clock: ClockLimits
    """The limits that apply unless a lobby's `config` or `clock` overrides them."""
    maps: list[str]
    """The names of its maps."""
    bots: list[NamedBot]
    """Its house bots."""


class GameMap(Model):
    """A map of the catalogue."""

    game: str
    """The game that it is for."""
    map: str
    """Its name."""
