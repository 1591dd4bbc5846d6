"""RULES §4: maps from chance."""

from __future__ import annotations

from collections import Counter
from statistics import fmean

import pytest

from games.catastrophe import GAME
from games.catastrophe.board import judge
from games.catastrophe.generate import drawn, food_chance, harvest_rate
from games.catastrophe.rules import Rules
from games.core.contract import BadSetup
from games.core.dice import Seeded
from games.core.match import Match
from games.core.parameters import configure
from tests.games.catastrophe.table import reaches_road

LENGTHS = [pytest.param(150, id="short"), pytest.param(4_000, id="long", marks=pytest.mark.soak)]

CONFIGS = (
    {},
    {
        "map_width": 8,
        "map_height": 6,
        "min_food_chance": 0.3,
        "max_food_chance": 0.5,
        "structure_chance": 0.3,
        "starting_humans": 1,
    },
    {"map_width": 40, "map_height": 12, "starting_humans": 8},
    {"structure_chance": 0.4, "max_food_chance": 0.4},
)


def made(config, seed):
    rules: Rules = configure(GAME, config)
    return Seeded(seed).at(0).draw("map", lambda stream: drawn(rules, stream))


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_a_generated_map_is_valid(config):
    rules: Rules = configure(GAME, config)
    half = rules.map_width // 2
    for seed in range(20):
        board = made(config, seed)
        judge(board)
        assert (rules.map_width, rules.map_height) == (board.width, board.height)
        west = [
            [one for one in entries if one.x < half]
            for entries in (board.tiles, board.structures, board.units)
        ]
        tiles, structures, units = west
        ruins = {(one.x, one.y) for one in structures if one.type == "neutral"}
        cat, *humans = units
        assert len(tiles) >= rules.min_food_tiles_per_half
        assert len(ruins) >= rules.min_neutral_per_half
        assert rules.starting_humans == len(humans)
        assert all(max(abs(one.x - cat.x), abs(one.y - cat.y)) == 1 for one in humans)
        assert cat.x < half / 2
        assert min(cat.y, board.height - cat.y) < half / 2
        assert not {(one.x, one.y) for one in units} & ({(one.x, one.y) for one in tiles} | ruins)
        assert all(
            rules.min_harvest_rate <= one.harvest_rate <= rules.max_harvest_rate for one in tiles
        )


@pytest.mark.parametrize("seed", range(15))
def test_every_unit_of_a_generated_map_can_walk_to_the_road(seed):
    state = Match.begin(GAME, {"structure_chance": 0.4, "max_food_chance": 0.4}, seed).state

    assert all(reaches_road(state, unit.cell) for unit in state.units.values())


def test_food_is_likelier_and_richer_towards_the_centre_by_the_formula():
    places = [(0, 0), (12, 7), (6, 12)]

    assert [harvest_rate(Rules(), x, y) for x, y in places] == [30, 134, 93]
    assert [food_chance(Rules(), x, y) for x, y in places] == pytest.approx(
        [0.01, 0.01 + 0.09 * (12**2 + 7**2) / 250, 0.01 + 0.09 * (6**2 + 6**2) / 250]
    )


@pytest.mark.parametrize("count", LENGTHS)
def test_food_is_in_the_middle_and_overlords_are_anywhere_in_their_corners(count):
    boards = [made({}, seed) for seed in range(count)]
    wider = (4_000 / count) ** 0.5

    assert abs(fmean(len(board.tiles) / 2 for board in boards) - 7.6) < 0.25 * wider
    assert abs(fmean(len(board.structures) / 2 - 1 for board in boards) - 5.0) < 0.25 * wider
    columns, rows = (Counter(getattr(board.units[0], axis) for board in boards) for axis in "xy")
    assert set(range(7)) == set(columns)
    assert set(range(7)) | set(range(12, 18)) == set(rows)
    assert all(abs(columns[x] / count - 1 / 7) < 0.04 * wider for x in columns)
    inner = fmean(
        sum(8 <= tile.x < 18 for tile in board.tiles) / len(board.tiles) for board in boards
    )
    chances = [
        [food_chance(Rules(), x, y) for x in range(13)] for y in range(18) if y not in (8, 9)
    ]
    assert abs(inner - sum(sum(row[8:]) for row in chances) / sum(map(sum, chances))) < 0.02 * wider


def test_equal_seeds_generate_equal_maps_and_others_do_not():
    boards = [made({}, seed) for seed in range(20)]

    assert boards == [made({}, seed) for seed in range(20)]
    assert len({repr(board) for board in boards}) == 20


@pytest.mark.parametrize(
    "config",
    [
        {"min_food_tiles_per_half": 4096},
        {"max_food_chance": 0.01, "min_food_chance": 0.0, "structure_chance": 1.0},
    ],
)
def test_after_a_thousand_maps_rules_that_none_can_satisfy_are_refused(config):
    with pytest.raises(BadSetup) as refused:
        Match.begin(GAME, config, 1)

    assert refused.value.code == "no_map"


@pytest.mark.parametrize(
    ("code", "field", "config"),
    [
        ("bad_size", "map_width", {"map_width": 9}),
        ("bad_size", "map_height", {"map_height": 7}),
        ("bad_size", "map_height", {"map_height": 4}),
        ("bad_food_chance", "min_food_chance", {"min_food_chance": 0.2}),
        ("bad_harvest_rate", "min_harvest_rate", {"min_harvest_rate": 151}),
        ("bad_chance", "structure_chance", {"structure_chance": 1.5}),
        ("bad_choice", "upkeep_phase", {"upkeep_phase": "never"}),
        ("bad_time", "time_bank_s", {"time_bank_s": -1}),
        ("bad_number", "starting_humans", {"starting_humans": 9}),
    ],
)
def test_a_bad_configuration_has_a_code(code, field, config):
    with pytest.raises(BadSetup) as refused:
        Match.begin(GAME, config, 1)

    assert (code, field) == (refused.value.code, refused.value.field)


def test_the_clock_is_a_bank_that_loses_when_it_is_empty():
    pacing = GAME.pacing(
        configure(GAME, {"time_bank_s": 2.5, "max_bad_messages": 7, "reconnect_grace_ms": 20})
    )

    assert (
        pacing.turn_ms,
        pacing.bank_ms,
        pacing.increment_ms,
        pacing.grace_ms,
        pacing.strikes,
    ) == (0, 2_500, 1_000, 0, 1)
    assert (pacing.bad_frames, pacing.absence, pacing.absence_ms) == (7, "limited", 20)
