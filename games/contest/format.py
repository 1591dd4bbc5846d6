"""How a tournament is played: its parameters, each with a default, and named formats of these.

    contest      full round robins, then the best into a bracket; the two last matches are longer
    round-robin  the round robins alone
    gauntlet     a few against all others
    swiss        rounds in which those meet who stand alike
    knock-out    the bracket alone, seeded by entry

The default is `contest`. A game with more than two seats is played in heats.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.core.contract import AnyGame, BadSetup, Json
from games.core.parameters import (
    choice,
    configure,
    described,
    faults_in,
    flag,
    free,
    frozen,
    parameters,
    schema_of,
    whole,
)

FORMATS: Final = ("contest", "round-robin", "gauntlet", "swiss", "knock-out")
PAIRED: Final = ("gauntlet", "swiss")
"""What only two at a time can play."""
POINTS: Final = ("win", "draw", "loss", "both_lost")
SIZES: Final = (2, 4, 8, 16)
HEATS_SIZE: Final = 8
"""The most who qualify for a bracket that is played in heats."""
DUEL: Final = 2
HEAT: Final = 4
"""Bots in a heat of the bracket."""
MOST_POINTS: Final = 1_000_000

POINTS_SCHEMA: Final[Json] = {
    "type": "object",
    "properties": {word: {"type": "integer"} for word in POINTS},
    "additionalProperties": False,
}
SCORE_SCHEMA: Final[Json] = {
    "type": "array",
    "items": {"type": "integer"},
    "minItems": 2,
    "maxItems": 2,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """The parameters. `read` makes one from JSON and knows a game's own defaults."""

    format: str = choice("contest", "how it is played", FORMATS)
    matches_per_pairing: int = whole(
        4, "games of each pair in stage 1; even numbers balance the seats", low=1, high=1000
    )
    points: Mapping[str, int] = free(
        {"win": 3, "draw": 1, "loss": 0, "both_lost": -1},
        "what a game is worth in stage 1",
        POINTS_SCHEMA,
    )
    bracket_size: int = whole(
        8, "who qualifies for the bracket: 2, 4, 8 or 16; in heats 8 at most", low=2, high=16
    )
    best_of: int = whole(1, "games of a bracket match, an odd number", low=1, high=99)
    best_of_final: int = whole(
        3, "games of the final and of the match for third place, an odd number", low=1, high=99
    )
    max_extra_games: int = whole(
        4, "undecided games that are replayed in one bracket match", low=0, high=100
    )
    forfeit_score: tuple[int, int] = free(
        (1, 0), "what a forfeit books for winner and loser", SCORE_SCHEMA
    )
    round_robin_public: bool = flag(False, "whether stage 1 is shown while it is played")
    bracket_public: bool = flag(True, "whether the bracket is shown while it is played")
    hide_first_stage: bool = flag(
        False,
        "on a server: whether games, results and table of stage 1 are hidden until it is over, "
        "from all but organisers and, of its own games, each bot",
    )
    bracket_waits: bool = flag(False, "whether the bracket begins when the organiser says so")
    wait_for_screen_s: int = whole(
        0,
        "on a server: bracket games are played one at a time, and each waits until the big screen "
        "has shown the one before, for at most this number of seconds; 0: none waits",
        low=0,
        high=3600,
    )
    spectator_delay: int = whole(
        0, "on a server: seconds after a turn until the public learns of it", low=0, high=1_800
    )
    seats_per_match: int = whole(
        2, "bots in one game of stage 1; more than two: heats", low=2, high=16
    )
    bracket_seats: int = whole(
        2, "bots in one game of the bracket: 2, or 4 in heats", low=2, high=4
    )
    check: bool = flag(True, "whether each bot has to finish a game against a house bot first")
    rounds: int | None = whole(
        None, "swiss: rounds; null: as many as tell the best from the rest", low=1, high=1000
    )
    challengers: int = whole(
        1, "gauntlet: how many meet all others, the first to enter", low=1, high=1000
    )

    @property
    def heats(self) -> bool:
        """Whether stage 1 is played in heats."""
        return self.seats_per_match > DUEL

    @property
    def staged(self) -> bool:
        """Whether there is a stage 1."""
        return self.format != "knock-out"

    @property
    def bracketed(self) -> bool:
        """Whether there is a bracket."""
        return self.format in ("contest", "knock-out")

    @property
    def seats(self) -> dict[str, int]:
        """How many play in one game, by the parameter that says so."""
        stages = (("seats_per_match", self.staged), ("bracket_seats", self.bracketed))
        return {name: getattr(self, name) for name, played in stages if played}

    def public(self, stage: str) -> bool:
        """Whether the games of this stage may be watched while they are played (T1). A check game
        is between bot and host."""
        return {"round_robin": self.round_robin_public, "bracket": self.bracket_public}.get(
            stage, False
        )

    def delay(self, stage: str) -> int:
        """How long after a turn of this stage's games the public learns of it, s."""
        return 0 if stage == "check" else self.spectator_delay


def read(given: Json, game: AnyGame | None = None, config: Json = None) -> Format:
    """The format that a JSON object means; null is absent.

    With a game, what is left out is as this game and its configuration have it: its contest's own
    defaults, and its seats. A bracket is played by two wherever the game can be. Raises BadSetup,
    which names the field."""
    if not isinstance(given, Mapping):
        raise BadSetup("bad_format", f"expected an object of parameters, got {given!r}")
    known = parameters(Format)
    for fault in faults_in(given, known):
        raise fault
    pairs = given.get("format") in PAIRED
    defaults = {} if game is None else {**game.contest, **_seats(game, config or {}, pairs=pairs)}
    values = defaults | {key: value for key, value in given.items() if value is not None}
    points = values.get("points")
    if isinstance(points, Mapping):
        values["points"] = {**Format().points, **points}
    made = Format(**{key: frozen(value) for key, value in values.items()})
    _check(made)
    return made


def to_json(format_: Format) -> dict[str, Json]:
    """The parameters as plain JSON: what `read` makes the same format of."""
    return described(format_)


def schema(game: AnyGame) -> dict[str, Json]:
    """JSON Schema of the parameters, with the defaults that this game's contest has."""
    made = schema_of(Format, f"{game.title} tournament")
    usual = to_json(read({}, game))
    properties = {
        name: shape | {"default": usual[name]} for name, shape in made["properties"].items()
    }
    return made | {"properties": properties}


def _seats(game: AnyGame, config: Mapping[str, Json], *, pairs: bool) -> dict[str, Json]:
    seats = max(game.seats(configure(game, config)), DUEL)
    fewest = DUEL if plays_with(game, config, DUEL) else seats
    return {"seats_per_match": fewest if pairs else seats, "bracket_seats": fewest}


def plays_with(game: AnyGame, config: Mapping[str, Json], seats: int) -> bool:
    """Whether this configuration can be played with this number of seats."""
    try:
        return bool(game.seats(configure(game, for_seats(game, config, seats))) == seats)
    except BadSetup:
        return False


def check_playable(game: AnyGame, config: Mapping[str, Json], format_: Format) -> None:
    """Raises BadSetup if some game of the tournament has a number of seats that the configuration
    does not allow."""
    for name, seats in format_.seats.items():
        if not plays_with(game, config, seats):
            raise _bad(name, f"{game.name} cannot be played by {seats} with this config")


def check_seats(game: AnyGame, config: Mapping[str, Json], format_: Format) -> int:
    """How many play in a check game: two if the game allows that."""
    return DUEL if plays_with(game, config, DUEL) else format_.seats_per_match


def for_seats(game: AnyGame, config: Mapping[str, Json], seats: int) -> dict[str, Json]:
    """The configuration with this number of seats, where the game leaves it open."""
    open_ = any(field.name == "seats" for field in dataclasses.fields(game.rules))
    return {**config, "seats": seats} if open_ else dict(config)


def _check(format_: Format) -> None:
    """What concerns the values themselves, or several at once. Raises BadSetup."""
    _check_points(format_.points)
    score, seats, size = format_.forfeit_score, format_.bracket_seats, format_.bracket_size
    if not (isinstance(score, tuple) and len(score) == DUEL and all(map(_is_whole, score))):
        raise _bad("forfeit_score", f"expected two whole numbers, got {score!r}", SCORE_SCHEMA)
    for name in ("best_of", "best_of_final"):
        if getattr(format_, name) % 2 == 0:
            raise _bad(name, f"expected an odd number, got {getattr(format_, name)}")
    if size not in SIZES:
        why = f"expected one of {', '.join(map(str, SIZES))}, got {size}"
        raise _bad("bracket_size", why, list(SIZES))
    if format_.bracketed and seats not in (DUEL, HEAT):
        raise _bad("bracket_seats", f"expected {DUEL} or {HEAT}, got {seats}", [DUEL, HEAT])
    if format_.format == "contest" and seats > DUEL and size > HEATS_SIZE:
        raise _bad("bracket_size", f"expected {HEATS_SIZE} or fewer in heats")
    if format_.hide_first_stage and not format_.staged:
        raise _bad("hide_first_stage", f"a {format_.format} has no stage 1 to hide")
    if format_.hide_first_stage and format_.round_robin_public:
        why = "stage 1 cannot be hidden and shown; leave out round_robin_public"
        raise _bad("hide_first_stage", why)
    if format_.heats and format_.format in PAIRED:
        raise _bad("seats_per_match", f"expected 2, for a {format_.format} is played by pairs")


def _check_points(points: Any) -> None:
    if not isinstance(points, Mapping):
        raise _bad("points", f"expected an object, got {points!r}", POINTS_SCHEMA)
    for word, worth in points.items():
        if word not in POINTS:
            raise _bad("points", f"expected {', '.join(POINTS)}, got {word!r}")
        if not _is_whole(worth):
            raise _bad("points", f"expected whole numbers, got {worth!r} for {word}")


def _bad(field: str, why: str, allowed: Json = None) -> BadSetup:
    return BadSetup("bad_format", f"{field}: {why}", field=field, allowed=allowed)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MOST_POINTS
