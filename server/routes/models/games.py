"""What can be played."""

from __future__ import annotations

from games.core.contract import Json
from server.routes.models.answer import Model


class Game(Model):
    game: str
    """Its name, as requests give it."""
    title: str
    seats: int
    """Of its usual match."""
    roles: list[str]
    """What the game calls its seats, by seat."""
    realtime: bool
    """Ticks come by the clock; else the bots' answers close a turn."""


class ClockLimits(Model):
    """The limits of one match; times in ms. 0: no limit."""

    tick_ms: int | None
    lockstep: bool
    startup_ms: int
    preprocessing_ms: int
    turn_ms: int
    human_turn_ms: int
    bank_ms: int
    increment_ms: int
    grace_ms: int
    strikes: int
    """The n-th timed-out turn of a seat forfeits the match."""
    rejects: int
    """After the n-th rejected command for one turn the seat counts as silent."""
    late_ready: str
    """What a seat that is not ready when preprocessing ends does: plays or forfeits."""
    bad_frames: int
    """The n-th frame of a seat that is no message forfeits the match."""
    absence: str
    """What becomes of a disconnected seat: plays, misses, waits, limited or forfeits."""
    absence_ms: int


class NamedBot(Model):
    bot: str
    about: str


class HouseBot(NamedBot):
    game: str


class GameDetails(Game):
    rules_version: int
    parameters: dict[str, Json]
    """JSON Schema of a lobby's `config`."""
    tournament: dict[str, Json]
    """JSON Schema of a tournament's `format`."""
    presets: dict[str, dict[str, dict[str, Json]]]
    """Named values of parameters, by the parameter that chooses them."""
    clock: ClockLimits
    """What applies unless a lobby's `config` or `clock` says otherwise."""
    maps: list[str]
    bots: list[NamedBot]


class GameMap(Model):
    game: str
    map: str
