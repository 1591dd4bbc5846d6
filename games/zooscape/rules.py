"""Every number of the game: its parameters, its two profiles, and what a configuration must hold
(RULES §2, §9, §12)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from games.core.contract import BadSetup, Json, Pacing
from games.core.parameters import choice, flag, free, number, rule_set, whole
from games.zooscape.board import GENERATOR, MAP_ERRORS, check_no_generator, validate_map

CONFIG_ERRORS: Final = (
    "unknown_option",
    "bad_number",
    "bad_flag",
    "bad_choice",
    "bad_time",
    "bad_seed",
    "bad_interval",
    "bad_weights",
    "bad_map_size",
    "bad_map",
    *MAP_ERRORS,
    "map_is_given",
)
"""Configuration error codes in the order in which they are checked."""

SHORTEST_TICK_MS: Final = 10
LONGEST_TICK_MS: Final = 10_000
LOCKSTEP_MS: Final = 1_000
"""Without a clock: how long a tick waits for the seats that have sent nothing."""
NEVER_MS: Final = 10**10
"""Longer than any match lasts: one whose bots are all away goes on to its end (RULES §9)."""
LARGE: Final = 1_000_000
"""Where a number needs some limit and the game knows none."""

MOST_TIMES: Final = 100
"""What multiplies points, or adds to what does."""
MOST_POINTS: Final = 10**8
"""Of a power pellet at the end of a streak. Within these limits every score fits into 64 bits."""

ALONE: Final = (*GENERATOR, "map_rooms")
"""What says how a board is made, and nothing where one is given."""

POWER_UPS: Final = ("power_pellet", "chameleon_cloak", "scavenger", "big_moose_juice")

_DOCUMENT: Final[dict[str, Json]] = {
    "portals": False,
    "zookeeper_retarget": "game",
    "captures": "tick_end",
}
RULE_SETS: Final[dict[str, dict[str, Json]]] = {
    "seed": {},
    "contest": {"rules_profile": "reference"},
    "document": _DOCUMENT,
    "2025.0": _DOCUMENT
    | {
        "power_up_spawning": False,
        "streak_growth": 0.0,
        "pellets_respawn": False,
        "zookeepers_max": 1,
    },
}

_ENDS: Final = ("mean", "std_dev", "min", "max")
_INTERVAL: Final[dict[str, Json]] = {
    "type": "object",
    "properties": {key: {"type": "number", "minimum": 0, "maximum": LARGE} for key in _ENDS},
    "required": list(_ENDS),
    "additionalProperties": False,
}
_WEIGHTS: Final[dict[str, Json]] = {
    "type": "object",
    "properties": {kind: {"type": "integer", "minimum": 0, "maximum": LARGE} for kind in POWER_UPS},
    "required": list(POWER_UPS),
    "additionalProperties": False,
}


def interval(mean: float, std_dev: float, low: int, high: int, about: str) -> Any:
    """A parameter that says how a number of ticks is drawn."""
    return free(
        {"mean": mean, "std_dev": std_dev, "min": low, "max": high},
        f"{about}: a clipped normal distribution",
        _INTERVAL,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The configuration of a match (RULES §2)."""

    rules: Literal["seed", "contest", "document", "2025.0"] = rule_set(
        "seed",
        RULE_SETS,
        "contest: as its program played; document: no portals, captures at the end of a tick; "
        "2025.0: the document before power-ups and streaks",
    )
    seats: int = whole(4, "animals", low=1, high=4)
    tick_ms: int = whole(
        200,
        "real time between ticks, ms; 0: without a clock, in step with the bots",
        low=0,
        high=LONGEST_TICK_MS,
        code="bad_time",
    )
    max_ticks: int = whole(2000, "the match ends after this tick", low=1, high=100_000)
    command_queue_size: int = whole(10, "commands that may wait per animal", low=1, high=100)
    points_per_pellet: int = whole(64, "base value of a pellet", low=0, high=10_000)
    score_loss_percentage: int = whole(
        10, "share of its score that a captured animal loses, %", low=0, high=100
    )
    streak_growth: float = number(
        1.1, "what a pellet adds to the streak multiplier", low=0, high=MOST_TIMES
    )
    streak_max: float = number(4.0, "cap of the streak multiplier", low=1, high=LARGE)
    streak_reset_ticks: int = whole(
        3, "ticks in a row without a pellet that end a streak", low=1, high=LARGE
    )
    zookeepers_max: int = whole(
        4, "zookeepers at most; the first is there from the start", low=0, high=4
    )
    zookeeper_interval: Mapping[str, float] = interval(
        250, 5, 225, 275, "ticks between further zookeepers"
    )
    zookeeper_retarget_ticks: int = whole(
        20, "ticks of chasing before a zookeeper chooses again", low=1, high=LARGE
    )
    zookeeper_retarget: Literal["chase", "game"] = choice(
        "chase",
        "which ticks count for that: those of chasing, or those of the game, for all zookeepers",
        ("chase", "game"),
    )
    captures: Literal["contact", "tick_end"] = choice(
        "contact",
        "when a zookeeper captures an animal: as they meet, or where they stand as the tick ends",
        ("contact", "tick_end"),
    )
    portals: bool = flag(
        True, "who leaves the board comes in on the other side; false: an animal stops at the edge"
    )
    pellets_respawn: bool = flag(True, "a collected pellet comes back")
    pellet_respawn_interval: Mapping[str, float] = interval(
        100, 10, 50, 150, "ticks until a collected pellet comes back"
    )
    respawn_blocked_pellets: bool = flag(
        False, "a pellet whose cell is not free when it is due waits; false: it is lost"
    )
    power_up_spawning: bool = flag(True, "power-ups appear")
    power_up_interval: Mapping[str, float] = interval(50, 7.5, 25, 75, "ticks between power-ups")
    power_up_distance_from_animals: int = whole(
        10,
        "no power-up appears this near to an animal or nearer, in a straight line",
        low=0,
        high=LARGE,
    )
    power_up_distance_from_power_ups: int = whole(
        20,
        "no power-up appears within a square of this many cells around another, to each side",
        low=0,
        high=LARGE,
    )
    power_up_weights: Mapping[str, int] = free(
        {"power_pellet": 10, "chameleon_cloak": 6, "scavenger": 2, "big_moose_juice": 4},
        "how often each kind appears",
        _WEIGHTS,
    )
    power_pellet_value: int = whole(
        10, "pellets that a power pellet is worth", low=0, high=MOST_TIMES
    )
    chameleon_cloak_duration: int = whole(20, "ticks that a cloak hides", low=1, high=LARGE)
    scavenger_radius: int = whole(
        5, "cells that a scavenger reaches to each side", low=0, high=LARGE
    )
    scavenger_duration: int = whole(5, "ticks that a scavenger collects", low=1, high=LARGE)
    big_moose_juice_multiplier: float = number(
        3, "factor of what a pellet gives under juice", low=0, high=MOST_TIMES
    )
    big_moose_juice_duration: int = whole(5, "ticks that juice lasts", low=1, high=LARGE)
    map: tuple[str, ...] | None = free(
        None,
        "an explicit board: its rows, instead of a generated one",
        {"type": "array", "items": {"type": "string"}},
    )
    map_size: int = whole(51, "side of a generated board, odd", low=9, high=99, code="bad_map_size")
    map_teleports: int = whole(6, "portal lines of a generated board", low=0, high=20)
    map_smoothness: float = number(
        0.0, "how straight the ways of a generated board are", low=0, high=1
    )
    map_openness: float = number(0.5, "how many forks a generated board has", low=0, high=1)
    map_rooms: Literal["pellets", "empty"] = choice(
        "pellets",
        "what lies in the rooms around cages and the zookeeper spawn",
        ("pellets", "empty"),
    )
    rules_profile: Literal["seed", "reference"] = choice(
        "seed",
        "seed: the published rules; reference: as the contest's own program played them",
        ("seed", "reference"),
    )


def check_rules(rules: Rules) -> None:
    """What no single limit says, in the order of the codes. Raises BadSetup."""
    allowed: dict[str, Json]
    points = rules.points_per_pellet * max(rules.power_pellet_value, 1)
    if points * rules.streak_max > MOST_POINTS:
        most = MOST_POINTS // points
        why = (
            f"streak_max: expected at most {most} where a streak multiplies {points} points, "
            f"got {rules.streak_max}"
        )
        allowed = {"minimum": 1, "maximum": most}
        raise BadSetup("bad_number", why, field="streak_max", allowed=allowed)
    if 0 < rules.tick_ms < SHORTEST_TICK_MS:
        low, high = SHORTEST_TICK_MS, LONGEST_TICK_MS
        why = f"tick_ms: expected 0, or {low} to {high}, got {rules.tick_ms}"
        allowed = {"minimum": low, "maximum": high}
        raise BadSetup("bad_time", why, field="tick_ms", allowed=allowed)
    for name in ("zookeeper_interval", "pellet_respawn_interval", "power_up_interval"):
        if (fault := _interval_fault(getattr(rules, name))) is not None:
            raise BadSetup("bad_interval", f"{name}: {fault}", field=name, allowed=_INTERVAL)
    if (fault := _weights_fault(rules.power_up_weights)) is not None:
        why = f"power_up_weights: {fault}"
        raise BadSetup("bad_weights", why, field="power_up_weights", allowed=_WEIGHTS)
    if rules.map_size % 2 == 0:
        allowed = {"minimum": 9, "maximum": 99, "not": {"multipleOf": 2}}
        why = f"map_size: expected an odd number, got {rules.map_size}"
        raise BadSetup("bad_map_size", why, field="map_size", allowed=allowed)
    if rules.map is not None:
        _check_rows(rules.map)
        check_alone(rules)


def check_alone(rules: Rules) -> None:
    """A board that is given leaves nothing to say about how one is made. Raises BadSetup."""
    for name in ALONE:
        default = getattr(Rules(), name)
        if getattr(rules, name) != default:
            why = f"{name}: expected nothing beside a map, got {getattr(rules, name)!r}"
            raise BadSetup("map_is_given", why, field=name, allowed=[default])


def _check_rows(rows: Json) -> None:
    if isinstance(rows, str):
        check_no_generator(rows)
    if not (isinstance(rows, tuple) and all(isinstance(row, str) for row in rows)):
        raise BadSetup(
            "bad_map",
            "map: expected a list of rows",
            field="map",
            allowed={"type": "array", "items": {"type": "string"}},
        )
    try:
        validate_map(rows)
    except BadSetup as fault:
        raise BadSetup(fault.code, fault.why, field="map", allowed=fault.allowed) from None


def _interval_fault(given: Json) -> str | None:
    if not (isinstance(given, Mapping) and given.keys() == set(_ENDS)):
        return f"expected an object with {', '.join(_ENDS)}"
    for key in _ENDS:
        if not _counts(given[key], int, float):
            return f"{key}: expected a number, 0 to {LARGE}"
    if not given["min"] <= given["mean"] <= given["max"]:
        return f"expected min <= mean <= max, got {given['min']}, {given['mean']}, {given['max']}"
    return None


def _weights_fault(given: Json) -> str | None:
    if not (isinstance(given, Mapping) and given.keys() == set(POWER_UPS)):
        return f"expected an object with {', '.join(POWER_UPS)}"
    for kind in POWER_UPS:
        if not _counts(given[kind], int):
            return f"{kind}: expected a whole number, 0 to {LARGE}"
    return None if any(given.values()) else "expected at least one that is not 0"


def _counts(value: Json, *types: type) -> bool:
    return type(value) in types and bool(0 <= value <= LARGE)


def seats(rules: Rules) -> int:
    return rules.seats


def pacing(rules: Rules) -> Pacing:
    """The clock calls the ticks, or without one the bots do; absent animals play on (RULES §9)."""
    if rules.tick_ms:
        return Pacing(tick_ms=rules.tick_ms, absence="plays", absence_ms=NEVER_MS)
    return Pacing(
        lockstep=True, turn_ms=LOCKSTEP_MS, grace_ms=0, absence="misses", absence_ms=NEVER_MS
    )
