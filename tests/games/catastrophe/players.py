"""Random play that gets somewhere: commands made from the view, mostly in order, and matches on
crowded tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from games.catastrophe import GAME
from games.catastrophe.state import State, Tile
from games.core.contract import Json, Reply
from games.core.dice import Seeded
from games.core.match import Match
from tests.games.catastrophe.table import stranger, structure, table, unit

CONFIGS: tuple[dict[str, Json], ...] = (
    {},
    {"upkeep_phase": "turn_end", "starting_food": 0, "max_commands_per_turn": 20},
    {
        "own_tile_counts": False,
        "harvest_requires_gatherer": False,
        "monument_cost_mult": 0.0,
        "turns_to_create_human": 3,
        "shelter_radius": 12,
    },
    {
        "max_energy": 60,
        "monument_cost_mult": 1.0,
        "monument_radius": 1,
        "shelter_radius": 6,
        "turns_to_lower_harvest": 5,
    },
)

JOBS = ("soldier", "soldier", "gatherer", "builder", "missionary", "fresh human")
SKILLS = {
    "soldier": ("attack",),
    "gatherer": ("harvest",),
    "builder": ("construct", "deconstruct"),
    "missionary": ("convert",),
    "fresh human": ("change_job", "harvest"),
    "cat overlord": ("rest",),
}
"""What is worth trying, by job."""


def crowded(config: Mapping[str, Json], chance: Random) -> State:
    """A table full of units, structures and goods."""
    full = float(config.get("max_energy", 100))
    places = [
        (x, y)
        for x in range(12)
        for y in range(8)
        if (x, y) not in ((0, 0), (0, 1), (11, 6), (11, 7))
    ]
    chance.shuffle(places)
    units = [
        unit(
            chance.choice(JOBS),
            *places.pop(),
            number % 2,
            energy=chance.choice((full, full, full / 2, 12.5)),
            materials=number % 9,
        )
        for number in range(20)
    ]
    units += [
        stranger(*places.pop(), energy=full, turns_to_die=chance.randint(1, 9)) for _ in range(4)
    ]
    free = [(x, y) for x, y in places if y not in (3, 4)]
    built = [
        structure(kind, *free.pop(), None if kind == "neutral" else number % 2)
        for number, kind in enumerate(
            (
                "monument",
                "shelter",
                "monument",
                "shelter",
                "wall",
                "wall",
                "neutral",
                "neutral",
                "neutral",
            )
        )
    ]
    tiles = {
        place: Tile(chance.choice((0, 30, 61)), 0, chance.randint(0, 9), chance.choice((0, 300)))
        for place in free[:16]
    }
    carried = {3: {"energy": full}, 4: {"energy": full}, 5: {"energy": full}, 6: {"energy": full}}
    return table(
        *units, structures=built, tiles=tiles, config=config, changed=carried, food=(30, 30)
    )


def random_command(seen: Json, chance: Random) -> Json:
    """A command of the seat whose turn it is: one of its units, a tile beside it that matters,
    sometimes off the mark."""
    own = [one for one in seen["units"] if one["owner"] == seen["current_player"]]
    one = chance.choice(own if chance.random() < 0.95 else seen["units"])
    cmd = chance.choice(
        ("move", "move", "rest", "drop", "pickup", "change_job", *SKILLS[one["job"]] * 4)
    )
    x, y = one["x"], one["y"]
    near = [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y), (x, y)]
    things = (
        seen["structures"]
        + seen["tiles"]
        + [unit for unit in seen["units"] if unit["owner"] != one["owner"]]
    )
    there = {(thing["x"], thing["y"]) for thing in things}
    worth = [place for place in near if (place in there) is not (cmd == "move")]
    x, y = chance.choice(worth if worth and chance.random() < 0.9 else near)
    return {
        "cmd": cmd,
        "unit": one["id"],
        "x": x,
        "y": y,
        "job": chance.choice(JOBS),
        "type": chance.choice(("wall", "shelter", "monument")),
        "resource": chance.choice(("food", "materials")),
        "amount": chance.randint(-1, 12),
    }


def played(
    config: Mapping[str, Json], seed: int, turns: int
) -> Iterator[tuple[State, Json, Reply | None, State]]:
    """Every (before, command, reply, after) of a match of at most this number of turns; the first
    one has no command."""
    chance = Random(seed)
    state = crowded(config, chance)
    match = Match(GAME, state.ground.rules, state, Seeded(seed))
    yield state, None, None, state
    while match.outcome is None and match.turn < 2 + turns:
        seen = match.view(None)
        for raw in [
            *(random_command(seen, chance) for _ in range(chance.randint(0, 30))),
            {"cmd": "end_turn"},
        ]:
            before: Any = match.state
            reply = match.apply(before.current_player, raw)
            yield before, raw, reply, match.state
