"""Catastrophe's house bots: no faults under any rules, and greedy's army ends the match."""

from __future__ import annotations

import pytest

from client_sdk.bot import house, play_headless
from games import GAMES
from games.core import maps
from games.core.match import Match
from tests.client_sdk.bots.test_house_bots import fates

CATASTROPHE = GAMES["catastrophe"]
MAPS = sorted(maps.names("catastrophe"))


def outcome(names, seed, board=None, **config):
    match = Match.begin(CATASTROPHE, config, seed, board)
    play_headless(match, [house("catastrophe", name) for name in names])
    return match.outcome


@pytest.mark.soak
@pytest.mark.parametrize("seat", [0, 1])
def test_greedy_beats_the_gatherers_nine_times_of_ten_on_either_seat(seat):
    names = ["gatherers", "gatherers"]
    names[seat] = "greedy"
    ends = [outcome(names, seed) for seed in range(10)]

    assert sum(end.winner == seat for end in ends) >= 9
    assert sum(end.winner == seat and end.reason == "cat_defeated" for end in ends) >= 6


@pytest.mark.parametrize(
    "name", [MAPS[0], *(pytest.param(name, marks=pytest.mark.soak) for name in MAPS[1:])]
)
def test_greedy_beats_the_gatherers_on_our_maps(name):
    board = maps.text("catastrophe", name)

    for seat, names in enumerate((["greedy", "gatherers"], ["gatherers", "greedy"])):
        assert outcome(names, 1, board).winner == seat


def test_greedy_has_every_job_and_builds_its_monument():
    jobs, built = set(), set()

    def shown(match):
        jobs.update(one["job"] for one in match.view(0)["units"] if one["owner"] == 0)
        built.update(one["type"] for one in match.view(0)["structures"] if one["owner"] == 0)

    match = Match.begin(CATASTROPHE, {"max_turns": 200}, 1)
    play_headless(
        match, [house("catastrophe", "greedy"), house("catastrophe", "gatherers")], shown=shown
    )

    assert jobs == {"cat overlord", "fresh human", "missionary", "gatherer", "builder", "soldier"}
    assert built == {"shelter", "monument"}


@pytest.mark.parametrize(
    "config",
    [
        {
            "map_width": 8,
            "map_height": 6,
            "min_food_tiles_per_half": 0,
            "min_neutral_per_half": 0,
            "starting_humans": 1,
        },
        {"map_width": 12, "map_height": 8, "starting_humans": 8, "min_neutral_per_half": 0},
        {"max_energy": 40},
        {"max_energy": 300},
        {"own_tile_counts": False, "harvest_requires_gatherer": False, "upkeep_phase": "turn_end"},
        {"turns_to_create_human": 2, "starting_food": 0},
        {"shelter_radius": 0, "monument_radius": 0},
        {"structure_chance": 0.3, "max_food_chance": 0.5},
        {"max_commands_per_turn": 5},
        {"defeated_turns_to_die": 1, "cat_energy_mult": 0.0},
    ],
    ids=str,
)
def test_house_bots_send_no_refused_commands_under_any_rules(config, caplog):
    """A call that does not work would be in the log, and so would an exception."""
    pairs = [("greedy", "gatherers"), ("missionaries", "greedy"), ("rush", "counter")]
    for seed, names in enumerate(pairs):
        match, replies = fates(Match.begin(CATASTROPHE, {"max_turns": 120} | config, seed))
        play_headless(match, [house("catastrophe", name) for name in names])

        assert match.outcome is not None
        assert {"ok"} == {code for _, _, _, code in replies}
    assert [
        record.getMessage()
        for record in caplog.records
        if "too_many_commands" not in record.getMessage()
    ] == []
