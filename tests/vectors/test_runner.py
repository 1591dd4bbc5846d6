"""The runner and its adapters: what they must notice, and what a vector may leave out."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.vectors.runner import adapter_of, differences, read, run

HERE = Path(__file__).parent
Place = tuple[str | int, ...]


def failures(game: str, vector: Any) -> list[str]:
    return [str(difference) for difference in run(adapter_of(game), vector)]


def vector(game: str, name: str) -> Any:
    return deepcopy(read(HERE / game / f"{name}.json"))


# What the runner notices


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (1, 2),
        (1, True),
        (False, 0),
        (0, None),
        (None, 0),
        (float("nan"), float("nan")),
        ("1", 1),
        ([], [1]),
        ([1, 2], [2, 1]),
        ([[0]], [[False]]),
        ({"a": None}, {}),
        ({"a": 1}, [1]),
        ({}, []),
        ([], {}),
    ],
)
def test_different_values_are_reported(expected: Any, got: Any) -> None:
    assert list(differences(expected, got))


@pytest.mark.parametrize(
    ("expected", "got"),
    [(1, 1.0), (0.5, 0.5), ([1], (1,)), ({}, {"more": 1}), ({"a": {"b": []}}, {"a": {"b": ()}})],
)
def test_equal_values_are_not_reported(expected: Any, got: Any) -> None:
    assert not list(differences(expected, got))


def leaves(value: Any, place: Place = ()) -> Iterator[Place]:
    """The place of every number, text, flag and null; of a list also the place behind its last
    entry."""
    if isinstance(value, dict):
        for key in value:
            yield from leaves(value[key], (*place, key))
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            yield from leaves(entry, (*place, index))
        yield (*place, len(value))
    else:
        yield place


def spoilt(whole: Any, place: Place) -> Any:
    """A copy in which what stands at this place is something else of its own kind."""
    copy = deepcopy(whole)
    spot = copy
    for step in place[:-1]:
        spot = spot[step]
    if isinstance(spot, list) and place[-1] == len(spot):
        spot.append(0)
    else:
        was = spot[place[-1]]
        spot[place[-1]] = (
            not was
            if isinstance(was, bool)
            else was + 3
            if isinstance(was, int | float)
            else f"not {was}"
        )
    return copy


COMPARED = (
    "expect",
    "final",
    "presets",
    "error",
    "movement_matrix",
    "cheese_matrix",
    "hashes",
    "distances",
    "nearest_cheeses",
    "path",
    "candidates",
    "placements",
    "schedule",
    "byes",
    "standings",
    "bracket",
    "placings",
    "heats",
    "heat_bracket",
    "finalists",
    "final_table",
)

SAMPLES = [
    ("pyrat", "illegal_commands"),
    ("pyrat", "mud_both"),
    ("pyrat", "end_draw_one_and_half"),
    ("pyrat", "presets"),
    ("pyrat", "config_checks"),
    ("pyrat", "elo"),
    ("pyrat", "observation_small"),
    ("pyrat", "paths_tiny"),
    ("zooscape", "capture_clears_queue"),
    ("zooscape", "queue_overflow"),
    ("zooscape", "end_max_ticks_tie_breaks"),
    ("zooscape", "power_up_candidates"),
    ("zooscape", "ranking"),
    ("zooscape", "zookeeper_paths"),
    ("botstack", "peek"),
    ("botstack", "errors"),
    ("botstack", "views_round_end"),
    ("botstack", "match_win_2_0"),
    ("catastrophe", "attack_neutrals"),
    ("catastrophe", "steal_rules"),
    ("catastrophe", "tie_coin_1"),
    ("catastrophe", "too_many_commands"),
    ("tournament", "full_5_bots"),
    ("tournament", "standings_withdrawn_early"),
    ("tournament", "bracket_forfeit_and_disqualification"),
    ("tournament", "heats_9_bots_standings"),
    ("tournament", "heats_final_8_seeds"),
]


@pytest.mark.parametrize(("game", "name"), SAMPLES)
def test_every_wrong_expectation_is_found(game: str, name: str) -> None:
    whole = vector(game, name)
    places = [place for place in leaves(whole) if set(place) & {*COMPARED}]

    overlooked = [
        place
        for place in places[:: 1 + len(places) // 60]
        if not failures(game, spoilt(whole, place))
    ]

    assert not overlooked


def test_a_contradictory_initial_state_is_found() -> None:
    whole = vector("botstack", "peek")
    places = [
        place for place in leaves(whole["initial"]) if place[-1] != len(whole["initial"]["players"])
    ]

    overlooked = [
        place for place in places if not failures("botstack", spoilt(whole, ("initial", *place)))
    ]

    assert [place for place in overlooked if place[0] in ("total", "live", "reloads_left")] == []


@pytest.mark.parametrize(
    "vector", [[], {}, None, "x", {"kind": "unknown"}, {"kind": []}, {"steps": [], "config": {}}]
)
@pytest.mark.parametrize("game", ["pyrat", "zooscape", "botstack", "tournament"])
def test_an_invalid_vector_fails(game: str, vector: Any) -> None:
    assert failures(game, vector)


@pytest.mark.parametrize("game", ["pyrat", "zooscape", "botstack"])
def test_a_trace_without_expectations_fails(game: str) -> None:
    whole = vector(game, {"pyrat": "walls", "zooscape": "portals", "botstack": "peek"}[game])
    whole |= {"steps": [], "final": None}

    assert failures(game, whole)


def test_an_unreadable_file_fails_alone(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{", encoding="utf-8")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "b.json").write_text(
        json.dumps(vector("pyrat", "walls")), encoding="utf-8"
    )

    ran = subprocess.run(
        [sys.executable, "-m", "tests.vectors", "pyrat", tmp_path],
        capture_output=True,
        text=True,
        cwd=HERE.parent.parent,
        timeout=60,
    )

    assert ran.returncode == 1
    assert ran.stdout.splitlines()[-1] == "1 passed, 1 failed"


# PyRat: what a vector may say and leave out


def board(**more: Any) -> Any:
    """A 3x1 corridor on two rows: the upper one is walled off."""
    return {
        "width": 3,
        "height": 2,
        "walls": [[[x, 0], [x, 1]] for x in range(3)],
        "mud": [],
        "cheese": [[2, 0]],
    } | more


def trace(steps: list[Any], final: Any = None, config: Any = None, **initial: Any) -> Any:
    return {
        "game": "pyrat",
        "config": {
            "width": 3,
            "height": 2,
            "max_turns": 9,
            "cheese_count": 2,
            "mud_timing": "exact",
        }
        | (config or {}),
        "initial": {"turn": 0, "walls": [], "mud": [], "cheese": [[0, 1], [2, 1]]} | initial,
        "steps": steps,
        "final": final,
    }


FREE = {"rat": {"position": [2, 0]}, "python": {"position": [0, 0]}}


def test_pyrat_a_trace_may_omit_defaults() -> None:
    whole = trace(
        [
            {
                "commands": {"rat": "UP"},
                "expect": {"turn": 1, "rat": {"score": 1.0}, "timeouts": ["python"]},
            }
        ],
        **FREE,
    )
    del whole["config"]["mud_timing"], whole["config"]["max_turns"], whole["config"]["cheese_count"]
    del whole["initial"]["walls"], whole["initial"]["mud"], whole["initial"]["turn"]

    assert failures("pyrat", whole) == []


def test_pyrat_a_trace_may_begin_in_mud() -> None:
    mud = [[[0, 0], [0, 1], 4]]
    python = {
        "position": [0, 1],
        "mud_turns": 2,
        "mud_from": [0, 0],
        "score": 0.5,
        "misses": 3,
        "last_move": "UP",
    }
    waiting = {
        "position": [0, 1],
        "mud_turns": 1,
        "mud_from": [0, 0],
        "score": 0.5,
        "misses": 4,
        "moves": [],
        "last_move": "DOWN",
    }
    free = {
        "position": [0, 1],
        "mud_turns": 0,
        "mud_from": None,
        "score": 1.5,
        "misses": 5,
        "moves": ["RIGHT", "DOWN"],
    }
    steps = [
        {
            "commands": {"rat": "STAY", "python": "DOWN"},
            "expect": {"turn": 6, "python": waiting, "timeouts": []},
        },
        {
            "commands": {"rat": "STAY", "python": "fly"},
            "expect": {"python": free, "errors": {"python": "bad_action"}, "timeouts": []},
        },
    ]

    assert failures("pyrat", trace(steps, mud=mud, turn=5, **FREE | {"python": python})) == []


def test_pyrat_an_unexpected_error_is_found() -> None:
    steps = [{"commands": {"rat": "STAY", "python": "fly"}, "expect": {"errors": {}}}]

    assert failures("pyrat", trace(steps, **FREE))


def test_pyrat_a_step_after_the_end_is_refused_and_changes_nothing() -> None:
    over = {
        "turn": 9,
        "rat": {"position": [2, 0], "misses": 1},
        "game_over": True,
        "cheese_left": 2,
    }
    refused = {
        "errors": {"rat": "game_over", "python": "game_over"},
        "error": "game_over",
        "timeouts": [],
    }
    steps = [
        {"commands": {"rat": "STAY", "python": "STAY"}, "expect": over},
        {"commands": {"rat": "UP", "python": "RIGHT"}, "expect": over | refused},
        {"commands": {"rat": None, "python": None}, "expect": over},
    ]

    assert (
        failures("pyrat", trace(steps, {"turns": 9, "reason": "max_turns"}, turn=8, **FREE)) == []
    )


def test_pyrat_null_omits_a_part_of_a_case() -> None:
    cases = [
        {"config": None, "preset": "tiny", "seeds": [1]},
        {"config": {"width": 5, "height": 5, "cheese_count": 2}, "preset": None, "seeds": [1]},
    ]

    assert failures("pyrat", {"kind": "generation_rules", "cases": cases}) == []


def test_pyrat_a_board_with_an_explicit_maze_may_be_unsymmetric() -> None:
    config = {
        "width": 3,
        "height": 3,
        "cheese_count": 2,
        "walls": [[[0, 0], [1, 0]]],
        "mud": [[[1, 1], [1, 2], 200]],
    }

    assert (
        failures("pyrat", {"kind": "generation_rules", "cases": [{"config": config, "seeds": [1]}]})
        == []
    )


def test_pyrat_an_unreachable_cell_has_no_cost_and_no_first_move() -> None:
    query = {
        "from": [0, 1],
        "distances": [[0, 1, 0], [1, 1, 1], [2, 1, 2]],
        "nearest_cheeses": [],
        "shortest_paths": [
            {"to": [2, 0], "cost": None, "first_moves": []},
            {"to": [0, 1], "cost": 0, "first_moves": []},
        ],
    }

    assert failures("pyrat", {"kind": "pathfinding", "initial": board(), "queries": [query]}) == []


def test_pyrat_a_hash_overrides_single_fields_of_the_initial_state() -> None:
    players = {
        "rat": {"position": [2, 1], "mud_turns": 0, "score": 1.5},
        "python": {"position": [0, 0]},
    }
    walls = "0,0-0,1;1,0-1,1;2,0-2,1"
    hashes = [
        {"canonical": f"pyrat|3|2|300|exact|1|{walls}||0|2,1,0,3|0,0,0,0|2,0"},
        {
            "rat": {"mud_turns": 1},
            "cheese": [],
            "turn": 4,
            "canonical": f"pyrat|3|2|300|exact|1|{walls}||4|2,1,1,3|0,0,0,0|",
        },
        {
            "walls": [],
            "mud_timing": "plus_one",
            "max_turns": 7,
            "canonical": "pyrat|3|2|7|plus_one|1|||0|2,1,0,3|0,0,0,0|2,0",
        },
    ]

    assert (
        failures("pyrat", {"kind": "observation", "initial": board(**players), "hashes": hashes})
        == []
    )


def test_pyrat_a_bad_seed_has_its_place_in_the_order_of_faults() -> None:
    rejected = [
        {"config": {"seed": -1}, "error": "bad_seed"},
        {"config": {"seed": 2**63}, "error": "bad_seed"},
        {"config": {"seed": True}, "error": "bad_seed"},
        {"config": {"seed": "7", "symmetric": 1}, "error": "bad_flag"},
        {"config": {"seed": 0.5, "time_control": "blitz"}, "error": "bad_choice"},
        {"config": {"seed": -1, "network_grace_ms": -1}, "error": "bad_seed"},
        {"config": {"seed": -1, "preset": "gigantic"}, "error": "bad_seed"},
    ]

    assert (
        failures(
            "pyrat",
            {
                "kind": "config_checks",
                "rejected": rejected,
                "accepted": [{"config": {"seed": None}}],
            },
        )
        == []
    )


def test_elo_omitted_options_have_their_defaults() -> None:
    whole = vector("pyrat", "elo")
    case = whole["cases"][1]
    for option in ("anchor_elo", "prior_games", "draw_weight"):
        del case[option]
    del case["records"][0]["draws"]

    assert failures("pyrat", whole | {"cases": [case]}) == []


def test_elo_equal_ratings_may_have_any_order() -> None:
    records = [
        {"player_a": "m", "player_b": other, "wins_a": 3, "wins_b": 1, "draws": 0}
        for other in ("b", "a")
    ]
    ratings = [{"player": "m", "elo": 1000.0}, {"player": "b"}, {"player": "a"}]
    case = {"anchor": "m", "records": records, "expect": {"ratings": ratings}}

    assert failures("pyrat", {"kind": "elo", "cases": [case]}) == []
    ratings[0], ratings[1] = ratings[1], ratings[0]
    assert failures("pyrat", {"kind": "elo", "cases": [case]})


# BotStack: what a vector may say and leave out


def test_botstack_a_vector_may_omit_null_or_empty_fields() -> None:
    whole = vector("botstack", "peek")
    del whole["config"], whole["initial"]["pending_request"], whole["initial"]["known_next"]
    for step in whole["steps"]:
        step.setdefault("random", None)

    assert failures("botstack", whole) == []


# Zooscape: what a vector may say and leave out


def test_zooscape_a_vector_may_omit_defaults() -> None:
    whole = vector("zooscape", "portals")
    del whole["config"]["pellet_respawn_interval"]
    for key in (
        "tick",
        "zookeepers",
        "zookeeper_spawn",
        "pellet_respawns",
        "power_up_timer",
        "zookeeper_timer",
    ):
        del whole["initial"][key]
    for animal in whole["initial"]["animals"]:
        for key in animal.keys() - {"seat", "x", "y", "spawn_x", "spawn_y"}:
            del animal[key]

    assert failures("zooscape", whole) == []


def test_zooscape_animals_may_be_listed_in_any_order() -> None:
    whole = vector("zooscape", "retarget_every_20")
    whole["initial"]["animals"].reverse()

    assert failures("zooscape", whole) == []


def test_zooscape_a_configuration_may_contain_lobby_settings() -> None:
    whole = vector("zooscape", "portals")
    whole["config"] |= {"seed": 7, "start_timeout_s": 5, "tick_ms": 0, "map_size": 21}

    assert failures("zooscape", whole) == []


def test_zooscape_a_malformed_command_is_sent_unchanged() -> None:
    whole = vector("zooscape", "portals")
    wrong = [
        {"seat": 1, "error": "bad_command"},
        {"seat": 1, "action": None, "error": "bad_command"},
        {"seat": 1, "action": 2.0, "error": "bad_command"},
        {"seat": 1, "action": "JUMP", "error": "unknown_action"},
        {"seat": 1, "action": 0, "error": "unknown_action"},
    ]
    whole["steps"][0]["commands"] = [*wrong, *whole["steps"][0]["commands"]]

    assert failures("zooscape", whole) == []
    del wrong[0]["error"]
    assert failures("zooscape", whole | {"steps": [{"commands": wrong[:1], "expect": {}}]})


def test_zooscape_after_the_end_commands_are_refused_and_no_tick_passes() -> None:
    whole = vector("zooscape", "end_both_reasons")
    whole["steps"].append({"commands": [{"seat": 0, "action": "UP", "error": "game_not_running"}]})

    assert failures("zooscape", whole) == []


def test_zooscape_a_map_may_be_a_text_and_rows_are_checked_unchanged() -> None:
    rows = ["1112111", "1422241", "1212121", "2223222", "1212121", "1422241", "1112111"]
    cases = [
        {
            "map": "\ufeff" + "\r\n".join(rows) + "\r\n",
            "valid": True,
            "width": 7,
            "portal_rows": [3],
            "pellets": 20,
        },
        {"map": rows, "valid": True, "error": None, "height": 7, "portal_columns": [3]},
        {"map": [*rows, ""], "valid": False, "error": "map_not_rectangular"},
        {"map": "", "valid": False, "error": "map_empty"},
    ]

    assert failures("zooscape", {"kind": "maps", "cases": cases}) == []


def test_zooscape_a_case_may_omit_its_config_and_a_first_seq() -> None:
    equal = {"score": 1, "captured_count": 0, "ticks_on_spawn": 0, "distance_covered": 0}
    animals = [{"seat": 0} | equal, {"seat": 1, "first_command_seq": 9} | equal]
    spots = [
        {
            "map": ["11111", "14341", "12221", "14141", "11111"],
            "animals": [[1, 1]],
            "candidates": [],
        }
    ]

    assert (
        failures(
            "zooscape", {"kind": "ranking", "cases": [{"animals": animals, "placements": [2, 1]}]}
        )
        == []
    )
    assert failures("zooscape", {"kind": "power_up_candidates", "cases": spots}) == []


# Catastrophe: what a vector may say and leave out


def test_catastrophe_a_vector_may_omit_or_contain_null_or_empty_fields() -> None:
    whole = vector("catastrophe", "attack_neutrals")
    assert whole["final"]["result"] is None
    del whole["config"]["max_turns"], whole["initial"]["result"], whole["final"]["result"]
    for step in whole["steps"]:
        step.setdefault("random", None)
        for key in ("error", "changes"):
            step["expect"].setdefault(key, None)

    assert failures("catastrophe", whole) == []
    del whole["final"], whole["config"]["starting_food"], whole["steps"][1]["expect"]
    assert failures("catastrophe", whole) == []


def test_catastrophe_an_unexpected_change_or_error_is_found() -> None:
    whole = vector("catastrophe", "attack_neutrals")
    for number, step in enumerate(whole["steps"]):
        for key in step["expect"].keys() & {"error", "changes"}:
            for other in ({}, {key: None}):
                spoilt_steps = deepcopy(whole["steps"])
                spoilt_steps[number]["expect"].pop(key)
                spoilt_steps[number]["expect"] |= other
                assert failures("catastrophe", whole | {"steps": spoilt_steps})


# Tournament: what a vector may say and leave out


def test_tournament_results_may_come_in_any_order() -> None:
    whole = vector("tournament", "full_9_bots")
    whole["results"].reverse()

    assert failures("tournament", whole) == []


def test_tournament_irrelevant_parts_may_be_null_or_absent() -> None:
    whole = vector("tournament", "full_9_bots")
    for part in ("bracket", "placings", "schedule"):
        whole[part] = None
    del whole["byes"], whole["status"]

    assert failures("tournament", whole) == []
    del whole["standings"], whole["seeds"]
    assert failures("tournament", whole)


def test_tournament_parameters_have_the_defaults_of_a_game_for_two() -> None:
    whole = vector("tournament", "bracket_8_upsets")
    for name in ("points", "bracket_size", "max_extra_games"):
        del whole["config"][name]

    assert failures("tournament", whole) == []
    assert failures("tournament", whole | {"config": whole["config"] | {"bracket_size": 3}})
