"""Every number of Catastrophe (RULES §2): the parameters, the jobs and the clocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from games.core.contract import BadSetup, Json, Pacing
from games.core.parameters import choice, flag, free, milliseconds, number, rule_set, whole

SEATS: Final = 2

SMALLEST_WIDTH, SMALLEST_HEIGHT, LARGEST = 8, 6, 64
"""Limits of the map's sizes, tiles."""

MOST: Final = 1_000_000
"""Where a number needs some limit and the game knows none."""

CAT: Final = "cat overlord"
SOLDIER, GATHERER, BUILDER, MISSIONARY, FRESH = (
    "soldier",
    "gatherer",
    "builder",
    "missionary",
    "fresh human",
)
SHELTER, MONUMENT, WALL, NEUTRAL, ROAD = "shelter", "monument", "wall", "neutral", "road"


RULE_SETS: Final[dict[str, dict[str, Json]]] = {
    "contest": {},
    "document": {
        "starting_food": 100,
        "own_tile_counts": False,
        "first_human_turn": 30,
        "road_humans": "together",
        "first_lower_harvest_turn": 60,
        "start_rows": "any",
        "defeated_neutral": "fresh",
        "first_turn_upkeep": True,
    },
}


class Job(NamedTuple):
    """What a unit of this job can do; energies in points, `upkeep` in food a turn."""

    moves: int
    action_cost: int
    regen_rate: int
    carry_limit: int
    upkeep: int


JOBS: Final[dict[str, Job]] = {
    CAT: Job(2, 75, 10, 10, 0),
    SOLDIER: Job(3, 25, 25, 10, 3),
    GATHERER: Job(4, 75, 50, 100, 1),
    BUILDER: Job(4, 75, 50, 75, 2),
    MISSIONARY: Job(4, 75, 50, 10, 2),
    FRESH: Job(4, 0, 50, 10, 1),
}


_JOB: Final[dict[str, Json]] = {
    "type": "object",
    "properties": {
        number: {"type": "integer", "minimum": 0, "maximum": MOST} for number in Job._fields
    },
    "additionalProperties": False,
}
_TABLE: Final[dict[str, Json]] = {
    "type": "object",
    "properties": dict.fromkeys(JOBS, _JOB),
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The configuration of a match. Times in ms but for the bank, whose two numbers are seconds."""

    rules: Literal["contest", "document"] = rule_set(
        "contest",
        RULE_SETS,
        "document: more food, two humans on the road at once, upkeep from the first turn and more",
    )
    map_width: int = whole(
        26,
        "map width, tiles, even; a map file has its own",
        low=SMALLEST_WIDTH,
        high=LARGEST,
        code="bad_size",
    )
    map_height: int = whole(
        18,
        "map height, tiles, even; a map file has its own",
        low=SMALLEST_HEIGHT,
        high=LARGEST,
        code="bad_size",
    )
    max_turns: int = whole(720, "turns of both seats together", low=1, high=100_000)
    starting_food: int = whole(50, "food pool at the start", low=0, high=MOST)
    starting_humans: int = whole(3, "fresh humans per seat on a drawn map", low=1, high=8)
    max_energy: int = whole(100, "energy at the start, and its cap", low=1, high=MOST)
    cat_energy_mult: float = number(
        2.0, "rest multiplier when unit and overlord are in range of one shelter", low=0, high=1000
    )
    starving_energy_mult: float = number(0.25, "rest multiplier while starving", low=0, high=1000)
    monument_cost_mult: float = number(
        0.5, "multiplier of energy costs and losses near an own monument", low=0, high=1
    )
    turns_between_harvests: int = whole(
        10, "turns until a harvested tile is ready again", low=0, high=100_000
    )
    turns_to_lower_harvest: int = whole(
        60, "turns between two decays of the harvest rates", low=1, high=100_000
    )
    first_lower_harvest_turn: int = whole(
        0, "no decay of the harvest rates before this turn", low=0, high=100_000
    )
    lower_harvest_amount: int = whole(
        10, "what a decay takes from every harvest rate", low=0, high=MOST
    )
    turns_to_create_human: int = whole(
        30, "turns between two humans on each road row; 1: on one row only", low=1, high=100_000
    )
    first_human_turn: int = whole(
        0, "no human appears on the road before this turn", low=0, high=100_000
    )
    road_humans: Literal["in_turn", "together"] = choice(
        "in_turn",
        "when the second road row brings its human: one turn after the first, or in the same turn",
        ("in_turn", "together"),
    )
    defeated_turns_to_die: int = whole(
        10, "turns that a unit defeated in combat stays on the map", low=1, high=100_000
    )
    defeated_neutral: Literal["gone", "fresh"] = choice(
        "gone",
        "a neutral unit defeated in combat leaves the map, or starts again as a fresh human",
        ("gone", "fresh"),
    )
    jobs: Mapping[str, Mapping[str, int]] = free(
        {},
        'numbers of jobs that differ from the table, such as {"soldier": {"upkeep": 2}}',
        _TABLE,
    )
    wall_materials: int = whole(75, "materials of a wall", low=1, high=MOST)
    shelter_materials: int = whole(50, "materials of a shelter", low=1, high=MOST)
    monument_materials: int = whole(100, "materials of a monument", low=1, high=MOST)
    neutral_materials: int = whole(200, "materials of a neutral structure", low=1, high=MOST)
    shelter_radius: int = whole(1, "range of a shelter, tiles, diagonals too", low=0, high=LARGEST)
    monument_radius: int = whole(
        3, "range of a monument, tiles, diagonals too", low=0, high=LARGEST
    )
    structure_chance: float = number(
        0.025,
        "probability of a neutral structure on a tile without food",
        low=0,
        high=1,
        code="bad_chance",
    )
    min_food_chance: float = number(
        0.01, "probability of food on a tile of the edge", low=0, high=1, code="bad_chance"
    )
    max_food_chance: float = number(
        0.10, "probability of food on a tile of the centre", low=0, high=1, code="bad_chance"
    )
    min_harvest_rate: int = whole(30, "harvest rate at the edge", low=1, high=MOST)
    max_harvest_rate: int = whole(150, "harvest rate at the centre", low=1, high=MOST)
    min_food_tiles_per_half: int = whole(
        3, "fewer food tiles on a half: the map is drawn again", low=0, high=LARGEST**2
    )
    min_neutral_per_half: int = whole(
        2, "fewer neutral structures on a half: the map is drawn again", low=0, high=LARGEST**2
    )
    start_rows: Literal["corners", "any"] = choice(
        "corners",
        "where a drawn map puts the overlords: near a corner, or in any row off the road",
        ("corners", "any"),
    )
    upkeep_phase: Literal["turn_start", "turn_end"] = choice(
        "turn_start",
        "when a seat pays its upkeep: as its turn begins, or as it ends",
        ("turn_start", "turn_end"),
    )
    first_turn_upkeep: bool = flag(
        False, "with turn_start: each seat pays its upkeep in its first turn too"
    )
    harvest_requires_gatherer: bool = flag(
        True, "only gatherers harvest and steal; false: every job does"
    )
    own_tile_counts: bool = flag(
        True,
        "harvest, pickup, drop and deconstruct reach the unit's own tile too; false: the four "
        "neighbours only",
    )
    time_bank_s: float = number(
        60.0, "thinking time per seat at the start, s", low=0, high=MOST, code="bad_time"
    )
    time_added_per_turn_s: float = number(
        1.0,
        "added to a seat's bank when its turn begins, s; not on turn 0",
        low=0,
        high=MOST,
        code="bad_time",
    )
    reconnect_grace_ms: int = milliseconds(
        10_000, "how long a seat may be away in a whole match; 0: not at all"
    )
    max_commands_per_turn: int = whole(
        2000, "later commands of a turn are refused", low=1, high=MOST
    )
    max_bad_messages: int = whole(
        100, "the unreadable message of a match that loses it", low=1, high=MOST
    )


CONFIG_ERRORS: Final = (
    "unknown_option",
    "bad_number",
    "bad_flag",
    "bad_choice",
    "bad_seed",
    "bad_time",
    "bad_chance",
    "bad_size",
    "bad_food_chance",
    "bad_harvest_rate",
    "bad_jobs",
    "no_map",
)
"""Configuration error codes in the order of the checks; the last one is the generator's."""


def check_rules(rules: Rules) -> None:
    """Sizes are even, and what is drawn has a least and a most in this order. Raises BadSetup."""
    for field, size in (("map_width", rules.map_width), ("map_height", rules.map_height)):
        if size % 2:
            why = f"{field}: expected an even number, got {size}"
            raise BadSetup("bad_size", why, field=field, allowed={"multipleOf": 2})
    _ordered("bad_food_chance", "food_chance", rules.min_food_chance, rules.max_food_chance)
    _ordered("bad_harvest_rate", "harvest_rate", rules.min_harvest_rate, rules.max_harvest_rate)
    if (fault := _jobs_fault(rules.jobs)) is not None:
        raise BadSetup("bad_jobs", f"jobs: {fault}", field="jobs", allowed=_TABLE)


def _jobs_fault(given: Json) -> str | None:
    if not isinstance(given, Mapping) or not given.keys() <= JOBS.keys():
        return f"expected an object with some of {', '.join(JOBS)}"
    for job, numbers in given.items():
        if not isinstance(numbers, Mapping) or not numbers.keys() <= set(Job._fields):
            return f"{job}: expected an object with some of {', '.join(Job._fields)}"
        for name, value in numbers.items():
            if type(value) is not int or not 0 <= value <= MOST:
                return f"{job}.{name}: expected a whole number, 0 to {MOST}"
    return None


def job_table(rules: Rules) -> dict[str, Job]:
    """Every job with its numbers in this match."""
    return {name: job._replace(**rules.jobs.get(name, {})) for name, job in JOBS.items()}


def _ordered(code: str, what: str, least: float, most: float) -> None:
    if least > most:
        why = f"min_{what}: expected at most max_{what} ({most}), got {least}"
        raise BadSetup(code, why, field=f"min_{what}", allowed={"maximum": most})


def seats(rules: Rules) -> int:
    return SEATS


def pacing(rules: Rules) -> Pacing:
    """An alternating turn lock that the bank alone pays for; an empty bank loses, and so does a
    long absence (RULES §9)."""
    return Pacing(
        turn_ms=0,
        bank_ms=round(rules.time_bank_s * 1000),
        increment_ms=round(rules.time_added_per_turn_s * 1000),
        grace_ms=0,
        strikes=1,
        bad_frames=rules.max_bad_messages,
        absence="limited",
        absence_ms=rules.reconnect_grace_ms,
    )
