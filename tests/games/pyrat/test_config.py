"""RULES §2 and §9: the configuration."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.contract import BadSetup
from games.core.match import Match
from games.core.parameters import MAX_SEED, configure, described
from games.pyrat import GAME
from games.pyrat.rules import CONFIG_ERRORS, PRESETS, TIME_CONTROLS
from games.pyrat.state import SEATS, State, body
from tests.games.pyrat.table import left

SMALL = {"width": 5, "height": 5, "cheese_count": 4}
STARTS = {"rat_start": [0, 0], "python_start": [4, 4]}
CORNER_OFF = [[[0, 0], [1, 0]], [[0, 0], [0, 1]]]

FAULTY: list[tuple[str, dict[str, Any]]] = [
    ("bad_flag", {"symmetric": 1}),
    ("bad_flag", {"connected": "true"}),
    ("bad_flag", {"cheese_symmetric": 0}),
    ("bad_flag", {"maze_every_turn": "no"}),
    ("bad_choice", {"fault_policy": "kind"}),
    ("bad_choice", {"time_control": "blitz"}),
    ("bad_choice", {"time_control": ["ladder"]}),
    ("bad_seed", {"maze_seed": -1}),
    ("bad_seed", {"cheese_seed": 1.5}),
    ("bad_seed", {"players_seed": MAX_SEED + 1}),
    ("bad_seed", {"players_seed": True}),
    ("bad_time", {"move_timeout_ms": -1}),
    ("bad_time", {"preprocessing_timeout_ms": 0.5}),
    ("bad_time", {"network_grace_ms": "50"}),
    ("bad_time", {"startup_timeout_ms": True}),
    ("unknown_preset", {"preset": "gigantic"}),
    ("unknown_preset", {"preset": 3}),
    ("unknown_option", {"wall_densty": 0.5}),
    ("unknown_option", {"seed": 1}),
    ("bad_dimensions", {"width": 1}),
    ("bad_dimensions", {"height": 65}),
    ("bad_dimensions", {"width": 5.0}),
    ("bad_dimensions", {"width": True}),
    ("bad_dimensions", {"width": "5"}),
    ("bad_max_turns", {"max_turns": 0}),
    ("bad_max_turns", {"max_turns": 100_001}),
    ("bad_max_turns", {"max_turns": True}),
    ("bad_mud_timing", {"mud_timing": "sometimes"}),
    ("bad_density", {"wall_density": 1.01}),
    ("bad_density", {"mud_density": -0.1}),
    ("bad_density", {"mud_density": float("nan")}),
    ("bad_density", {"mud_density": True}),
    ("bad_mud_range", {"mud_min": 1}),
    ("bad_mud_range", {"mud_range": 256}),
    ("bad_mud_range", {"mud_min": 4}),
    ("bad_mud_range", {"mud_min": 9, "mud_range": 8}),
    ("bad_mud_range", {"mud_range": 2.5}),
    ("bad_position", {"rat_start": [0, 0]}),
    ("bad_position", {"python_start": [0, 0]}),
    ("bad_position", {"rat_start": [5, 0], "python_start": [0, 0]}),
    ("bad_position", {"rat_start": [0, 0], "python_start": [0, -1]}),
    ("bad_position", {"rat_start": [0, 0], "python_start": [0, True]}),
    ("bad_position", {"rat_start": [0, 0, 0], "python_start": [0, 0]}),
    ("bad_position", {"rat_start": 7, "python_start": [0, 0]}),
    ("bad_position", {"start_positions": "anywhere"}),
    ("bad_position", {"start_positions": ["corners"]}),
    ("bad_wall", {"walls": [[[0, 0], [2, 0]]]}),
    ("bad_wall", {"walls": [[[0, 0], [1, 1]]]}),
    ("bad_wall", {"walls": [[[4, 4], [5, 4]]]}),
    ("bad_wall", {"walls": [[[0, 0], [0, 0]]]}),
    ("bad_wall", {"walls": [[[0, 0], [1, 0], 2]]}),
    ("bad_wall", {"walls": [[0, 0, 1, 0]]}),
    ("bad_wall", {"walls": 5}),
    ("bad_wall", {"walls": {"0": 1}}),
    ("duplicate_wall", {"walls": [[[0, 0], [1, 0]], [[1, 0], [0, 0]]]}),
    ("bad_mud", {"mud": [[[0, 0], [1, 0], 1]]}),
    ("bad_mud", {"mud": [[[0, 0], [1, 0], 256]]}),
    ("bad_mud", {"mud": [[[0, 0], [1, 0], True]]}),
    ("bad_mud", {"mud": [[[0, 0], [1, 0], 2.0]]}),
    ("bad_mud", {"mud": [[[0, 0], [1, 0]]]}),
    ("bad_mud", {"mud": [[[0, 0], [1, 1], 3]]}),
    ("bad_mud", {"mud": "deep"}),
    ("duplicate_mud", {"mud": [[[0, 0], [1, 0], 3], [[1, 0], [0, 0], 2]]}),
    ("mud_on_wall", {"walls": [[[0, 0], [1, 0]]], "mud": [[[1, 0], [0, 0], 3]]}),
    ("not_connected", {"walls": CORNER_OFF}),
    ("bad_cheese", {"cheese": [[5, 0]], "cheese_count": None}),
    ("bad_cheese", {"cheese": [[0]], "cheese_count": None}),
    ("bad_cheese", {"cheese": {"x": 1}, "cheese_count": None}),
    ("bad_cheese", {"cheese": "all", "cheese_count": None}),
    ("duplicate_cheese", {"cheese": [[1, 0], [1, 0]], "cheese_count": None}),
    ("bad_cheese_count", {"cheese": [], "cheese_count": None}),
    ("bad_cheese_count", {"cheese": [[1, 0]], "cheese_count": 2}),
    ("bad_cheese_count", {"cheese_count": 0}),
    ("bad_cheese_count", {"cheese_count": 26}),
    ("bad_cheese_count", {"cheese_count": True}),
    ("bad_cheese_count", {"cheese_count": 4.0}),
    ("bad_cheese_count", {"cheese_count": [4]}),
    ("cheese_parity", {"width": 4, "cheese_count": 5}),
    (
        "cheese_parity",
        {"width": 4, "cheese_count": 5, "symmetric": False, "cheese_symmetric": True},
    ),
    ("cheese_center_blocked", {"cheese_count": 5, "rat_start": [2, 2], "python_start": [0, 0]}),
    ("cheese_center_blocked", {"cheese_count": 5, "rat_start": [0, 0], "python_start": [2, 2]}),
    ("cheese_center_blocked", {"cheese_count": 23, "rat_start": [2, 2], "python_start": [0, 0]}),
]


def code_of(config: dict[str, Any], map_text: str | None = None) -> str:
    try:
        Match.begin(GAME, config, 1, map_text)
    except BadSetup as fault:
        return fault.code
    return "ok"


def begun(config: dict[str, Any], map_text: str | None = None, seed: int = 1) -> State:
    state: State = Match.begin(GAME, config, seed, map_text).state
    return state


@pytest.mark.parametrize(("code", "config"), FAULTY, ids=lambda value: str(value)[:60])
def test_a_bad_configuration_has_its_code(code: str, config: dict[str, Any]) -> None:
    assert code_of(SMALL | config) == code


@pytest.mark.parametrize(("code", "config"), FAULTY, ids=lambda value: str(value)[:60])
def test_a_fault_is_reported_with_its_field_expected_and_got(
    code: str, config: dict[str, Any]
) -> None:
    with pytest.raises(BadSetup) as fault:
        Match.begin(GAME, SMALL | config, 1)

    assert fault.value.field in {*SMALL, *config, "python_start", "rat_start", "cheese"}
    assert (
        "expected" in fault.value.why
        or "listed already" in fault.value.why
        or code in ("unknown_option", "duplicate_cheese")
    )


@pytest.mark.parametrize(
    ("config", "named"),
    [
        ({"rat_start": [0, 0]}, "python_start"),
        ({"python_start": [0, 0]}, "rat_start"),
        ({"walls": [[[0, 0], [2, 0]]]}, "two adjacent cells"),
        ({"mud": [[[0, 0], [2, 0], 2]]}, "cost 2 to 255"),
        ({"walls": CORNER_OFF}, "[0, 1]"),
    ],
)
def test_a_fault_names_what_is_missing_expected_or_cut_off(
    config: dict[str, Any], named: str
) -> None:
    with pytest.raises(BadSetup) as fault:
        Match.begin(GAME, SMALL | config, 1)

    assert named in fault.value.why


def test_every_code_is_tested() -> None:
    assert {code for code, _ in FAULTY} == set(CONFIG_ERRORS)


def test_the_first_code_in_order_is_reported() -> None:
    """Each fault beside each later one, as far as the two do not share a parameter."""
    compared = 0
    for code, config in FAULTY:
        for later, other in FAULTY:
            if (
                CONFIG_ERRORS.index(code) < CONFIG_ERRORS.index(later)
                and not config.keys() & other.keys()
            ):
                compared += 1
                assert code_of(SMALL | other | config) == code, (config, other)
    assert compared > 1000


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"cheese_count": 25},
        {"cheese_count": 24},
        {"cheese_count": 25, "rat_start": [2, 2], "python_start": [0, 0]},
        {"cheese_count": 5, "rat_start": [2, 2], "python_start": [0, 0], "cheese_symmetric": False},
        {"cheese_count": 5, "rat_start": [2, 2], "python_start": [0, 0], "symmetric": False},
        {
            "cheese_count": None,
            "cheese": [[2, 2], [0, 0]],
            "rat_start": [2, 2],
            "python_start": [2, 2],
        },
        {"cheese_count": 2, "cheese": [[2, 2], [0, 0]]},
        {"walls": CORNER_OFF, "connected": False},
        {"walls": [], "wall_density": 1.0},
        {"mud": [[[0, 0], [1, 0], 255]]},
        {"wall_density": 1, "mud_density": 1, "mud_min": 255, "mud_range": 255},
        {"max_turns": 100_000},
        {"width": None, "preset": None, "walls": None, "move_timeout_ms": None},
        {"width": 2, "height": 2, "cheese_count": 1, "cheese_symmetric": False},
        {"width": 64, "height": 64, "wall_density": 1.0},
    ],
    ids=str,
)
def test_a_good_configuration_sets_a_match_up(config: dict[str, Any]) -> None:
    assert code_of(SMALL | config) == "ok"


CLASSIC = {"wall_density": 0.7, "mud_density": 0.1, "mud_min": 2, "mud_range": 3}


@pytest.mark.parametrize(
    ("preset", "board", "cheese", "turns", "maze"),
    [
        ("tiny", (11, 9), 13, 150, {}),
        ("small", (15, 13), 21, 200, {}),
        ("medium", (21, 15), 41, 300, {}),
        ("default", (21, 15), 41, 300, {}),
        ("large", (31, 21), 85, 400, {}),
        ("huge", (41, 31), 165, 500, {}),
        ("open", (21, 15), 41, 300, {"wall_density": 0, "mud_density": 0, "mud_range": 2}),
        ("asymmetric", (21, 15), 41, 300, {"symmetric": False, "cheese_symmetric": False}),
        ("no_mud", (21, 15), 41, 300, {"mud_density": 0}),
        ("swamp", (21, 15), 41, 300, {"mud_density": 0.4, "mud_range": 10}),
        ("classic_v1", (21, 15), 41, 2000, {"mud_range": 10}),
    ],
)
def test_every_preset_has_its_board_its_cheese_its_turns_and_its_maze(
    preset: str, board: tuple[int, int], cheese: int, turns: int, maze: dict[str, Any]
) -> None:
    state, rules = begun({"preset": preset}), configure(GAME, {"preset": preset})

    assert (state.maze.width, state.maze.height, state.maze.max_turns) == (*board, turns)
    assert left(state) == state.maze.total_cheese == cheese
    expected = CLASSIC | {"symmetric": True, "cheese_symmetric": True, "connected": True} | maze
    assert {key: getattr(rules, key) for key in expected} == expected
    assert rules.start_positions == "corners"


def test_every_preset_and_time_control_is_tested() -> None:
    for test, names in (
        (test_every_preset_has_its_board_its_cheese_its_turns_and_its_maze, PRESETS),
        (test_a_time_control_sets_the_clock, TIME_CONTROLS),
    ):
        assert [case[0] for case in test.pytestmark[0].args[1]] == list(names)


def test_no_configuration_equals_medium_and_default() -> None:
    rules = [
        described(configure(GAME, config))
        for config in ({}, {"preset": "medium"}, {"preset": "default"})
    ]

    assert [one | {"preset": None} for one in rules] == [rules[0]] * 3


def test_explicit_values_override_a_preset() -> None:
    rules = configure(GAME, {"preset": "tiny", "max_turns": 40})

    assert (rules.width, rules.max_turns) == (11, 40)


def test_the_default_time_control_is_standard_without_a_time_bank() -> None:
    pacing = GAME.pacing(configure(GAME, {}))

    assert (pacing.turn_ms, pacing.preprocessing_ms) == (1000, 10_000)
    assert (pacing.grace_ms, pacing.startup_ms) == (50, 30_000)
    assert (pacing.bank_ms, pacing.increment_ms) == (0, 0)


@pytest.mark.parametrize(
    ("name", "turn_ms", "preprocessing_ms"),
    [
        ("standard", 1000, 10_000),
        ("ladder", 200, 2000),
        ("classic", 100, 3000),
        ("relaxed", 3000, 10_000),
        ("analysis", 0, 0),
    ],
)
def test_a_time_control_sets_the_clock(name: str, turn_ms: int, preprocessing_ms: int) -> None:
    pacing = GAME.pacing(configure(GAME, {"time_control": name, "network_grace_ms": 7}))

    assert (pacing.turn_ms, pacing.preprocessing_ms) == (turn_ms, preprocessing_ms)
    assert pacing.grace_ms == 7


def test_a_time_given_beside_a_time_control_wins() -> None:
    pacing = GAME.pacing(configure(GAME, {"time_control": "ladder", "move_timeout_ms": 250}))

    assert (pacing.turn_ms, pacing.preprocessing_ms) == (250, 2000)


def test_lenient_plays_on_without_a_late_or_absent_seat_and_strict_forfeits() -> None:
    lenient, strict = (
        GAME.pacing(configure(GAME, {"fault_policy": policy})) for policy in ("lenient", "strict")
    )

    assert (lenient.late_ready, lenient.absence, lenient.absence_ms, lenient.strikes) == (
        "plays",
        "plays",
        60_000,
        0,
    )
    assert (strict.late_ready, strict.absence, strict.strikes) == ("forfeits", "forfeits", 0)


def test_cheese_is_as_symmetric_as_the_maze_by_default() -> None:
    assert configure(GAME, {}).cheese_symmetric is True
    assert configure(GAME, {"symmetric": False}).cheese_symmetric is False
    assert configure(GAME, {"preset": "asymmetric"}).cheese_symmetric is False
    assert configure(GAME, {"symmetric": False, "cheese_symmetric": True}).cheese_symmetric is True


def test_a_list_of_cheese_overrides_a_presets_count() -> None:
    state = begun({"preset": "tiny", "cheese": [[1, 1], [2, 2], [3, 3]]})

    assert state.maze.total_cheese == left(state) == 3
    assert configure(GAME, {"preset": "tiny", "cheese": [[1, 1]]}).cheese_count == 1


def test_explicit_starts_can_be_equal() -> None:
    state = begun(SMALL | {"rat_start": [1, 1], "python_start": [1, 1]})

    assert [body(state.now, seat).cell for seat in SEATS] == [state.maze.cell(1, 1)] * 2


def test_explicit_mud_alone_gives_an_open_maze() -> None:
    state = begun(SMALL | {"mud": [[[0, 1], [0, 0], 7]]})

    assert (state.maze.walls, state.maze.mud) == ((), ((0, 1, 7),))


def test_an_explicit_maze_is_played_as_given_whatever_symmetry_and_densities_say() -> None:
    state = begun(
        SMALL
        | {"walls": [[[0, 0], [1, 0]]], "symmetric": True, "wall_density": 1, "mud_density": 1}
    )

    assert (state.maze.walls, state.maze.mud) == (((0, 5),), ())


def test_an_explicit_cheese_list_may_be_unsymmetric_odd_and_on_start_cells() -> None:
    cheese = [[0, 0], [1, 0], [2, 0]]
    state = begun({"width": 4, "height": 4, "cheese": cheese} | {"cheese_symmetric": True})

    assert [
        list(state.maze.xy(cell)) for cell, there in enumerate(state.now[-1]) if there
    ] == cheese


MAP = (
    '{"width":3,"height":2,"walls":[[[0,0],[1,0]]],"cheese":[[1,1]],'
    '"rat_start":[2,1],"python_start":[0,0]}'
)


def test_a_map_counts_as_explicit_values() -> None:
    state = begun({"preset": "huge"}, MAP)

    assert (state.maze.width, state.maze.height, state.maze.walls) == (3, 2, ((0, 2),))
    assert (state.maze.total_cheese, state.maze.max_turns) == (1, 500)


def test_the_configuration_takes_precedence_over_a_map() -> None:
    config = {"cheese": [[0, 1], [2, 0]], "walls": [], "rat_start": [0, 0], "python_start": [2, 1]}
    state = begun(config, MAP)

    assert (state.maze.walls, state.maze.total_cheese) == ((), 2)
    assert [body(state.now, seat).cell for seat in SEATS] == [0, 5]


def test_a_map_without_cheese_gets_the_number_in_the_rules() -> None:
    assert left(begun({"cheese_count": 3}, '{"width":3,"height":3}')) == 3
    assert code_of({"cheese_count": 3}, '{"width":4,"height":3}') == "cheese_parity"
    assert code_of({}, '{"width":4,"height":3}') == "bad_cheese_count"


def test_a_disconnected_map_is_refused_unless_allowed() -> None:
    text = '{"width":3,"height":3,"walls":[[[0,0],[1,0]],[[0,0],[0,1]]],"cheese":[[1,1]]}'

    assert code_of({}, text) == "not_connected"
    assert code_of({"connected": False}, text) == "ok"


def test_the_rules_are_hashable_and_described_as_given() -> None:
    config = {
        "cheese": [[1, 1]],
        "walls": [[[0, 0], [1, 0]]],
        "mud": [[[1, 1], [1, 2], 4]],
        **STARTS,
    }
    rules = configure(GAME, config)

    assert hash(rules) == hash(configure(GAME, config))
    assert {key: described(rules)[key] for key in config} == config
    assert configure(GAME, described(rules)) == rules


@pytest.mark.parametrize(
    ("config", "code"),
    [
        ({"symmetric": 1}, "bad_flag"),
        ({"time_control": "blitz"}, "bad_choice"),
        ({"move_timeout_ms": -1}, "bad_seed"),
        ({"preset": "gigantic"}, "bad_seed"),
        ({"width": 1}, "bad_seed"),
    ],
)
def test_a_bad_seed_has_its_place_in_the_order_of_faults(config: dict[str, Any], code: str) -> None:
    with pytest.raises(BadSetup) as fault:
        Match.begin(GAME, config, -1)

    assert fault.value.code == code


@pytest.mark.parametrize(
    ("config", "count"),
    [
        ({}, 41),
        ({"width": 20}, 40),
        ({"width": 20, "symmetric": False}, 41),
        ({"width": 20, "cheese_symmetric": False}, 41),
        ({"rat_start": [10, 7], "python_start": [0, 0]}, 40),
        ({"width": 7, "height": 5}, 17),
        ({"width": 6, "height": 5}, 14),
        ({"width": 2, "height": 2}, 2),
        ({"width": 3, "height": 2, "symmetric": False}, 3),
        ({"width": 20, "cheese_count": 12}, 12),
    ],
)
def test_the_default_number_of_cheese_fits_the_board(config: dict[str, Any], count: int):
    match = Match.begin(GAME, config, 5)

    assert len(match.view(None)["cheese"]) == count


@pytest.mark.parametrize("symmetric", [True, False])
def test_a_match_can_be_made_on_a_board_of_every_size(symmetric: bool):
    for width in range(2, 65, 3):
        for height in (2, 3, 4, 5, 12, 33, 64):
            rules = configure(GAME, {"width": width, "height": height, "symmetric": symmetric})
            assert 1 <= rules.cheese_count <= width * height
