"""RULES §6: what is asked, the order of the checks, and every code."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.catastrophe import GAME
from games.catastrophe.commands import KINDS, REFUSALS, Malformed, parse
from games.catastrophe.state import Tile
from games.core.match import Match
from tests.games.catastrophe.table import (
    CAT,
    END,
    ENEMY_HUMAN,
    FIRST,
    HUMAN,
    after,
    applied,
    code,
    command,
    stranger,
    structure,
    table,
    unit,
)

SOLDIER, GATHERER, BUILDER, MISSIONARY = 11, 12, 13, 14
WALL, OWN_SHELTER, ENEMY_SHELTER, RUIN = 7, 8, 9, 10
BUSY = table(
    unit("soldier", 4, 1),
    unit("gatherer", 6, 1),
    unit("builder", 2, 6),
    unit("missionary", 8, 1),
    stranger(4, 0),
    unit("gatherer", 2, 0, food=100),
    unit("soldier", 5, 3, acted=True, moves=0),
    unit("builder", 9, 1, energy=10),
    unit("gatherer", 1, 0, energy=0.5),
    structures=(
        structure("wall", 2, 5),
        structure("shelter", 1, 6),
        structure("shelter", 6, 2, 1),
        structure("neutral", 3, 6, None),
    ),
    tiles={
        (7, 1): Tile(harvest_rate=60),
        (6, 0): Tile(harvest_rate=60, turns_to_harvest=3),
        (2, 1): Tile(harvest_rate=60, materials=3),
        (2, 7): Tile(materials=10),
    },
)

CASES = {
    "no_such_unit": command("move", 99, 0, 0),
    "no_such_tile": command("move", SOLDIER, 12, 0),
    "not_owner": command("move", ENEMY_HUMAN, 10, 6),
    "already_acted": command("attack", 17, 5, 2),
    "not_enough_energy": command("deconstruct", 18, 9, 0),
    "tile_occupied": command("move", SOLDIER, 4, 0),
    "out_of_moves": command("move", 17, 6, 3),
    "not_adjacent": command("move", SOLDIER, 6, 2),
    "structure_blocks_move": command("move", BUILDER, 2, 5),
    "wrong_job": command("attack", GATHERER, 6, 0),
    "nothing_to_attack": command("attack", SOLDIER, 3, 1),
    "friendly_target": command("attack", FIRST, 5, 1),
    "unknown_job": command("change_job", HUMAN, job="wizard"),
    "overlord_job": command("change_job", HUMAN, job="cat overlord"),
    "same_job": command("change_job", HUMAN, job="fresh human"),
    "energy_not_full": command("change_job", 19, job="soldier"),
    "too_far_from_overlord": command("change_job", SOLDIER, job="builder"),
    "tile_has_structure": command("construct", BUILDER, 2, 5, type="wall"),
    "unknown_structure": command("construct", BUILDER, 2, 7, type="road"),
    "not_enough_materials": command("construct", BUILDER, 2, 7, type="wall"),
    "no_unit_on_tile": command("convert", MISSIONARY, 8, 0),
    "unit_already_owned": command("convert", MISSIONARY, 9, 1),
    "no_structure": command("deconstruct", BUILDER, 2, 7),
    "cannot_deconstruct_road": command("deconstruct", BUILDER, 2, 4),
    "friendly_structure": command("deconstruct", BUILDER, 2, 5),
    "carry_full": command("pickup", 16, 2, 1, resource="materials"),
    "not_enemy_shelter": command("harvest", FIRST, 0, 0),
    "no_food": command("harvest", GATHERER, 5, 1),
    "harvest_not_ready": command("harvest", GATHERER, 6, 0),
    "energy_full": command("rest", HUMAN),
    "not_in_shelter_range": command("rest", 18),
    "unknown_resource": command("drop", GATHERER, 6, 1, resource="gold"),
    "enemy_shelter": command("drop", GATHERER, 6, 2, resource="food"),
    "shelter_food_only": command("drop", BUILDER, 1, 6, resource="materials"),
    "structure_blocks_drop": command("drop", BUILDER, 2, 5, resource="food"),
    "nothing_to_pickup": command("pickup", GATHERER, 7, 1, resource="food"),
    "bad_command": {"cmd": "fly"},
}

MOMENTS = {
    "friendly_target": table(unit("soldier", 4, 1), unit("builder", 5, 1)),
    "not_enemy_shelter": table(unit("gatherer", 1, 0)),
}
"""Where the busy moment does not do."""


@pytest.mark.parametrize("expected", sorted(CASES))
def test_every_refusal_has_its_code(expected):
    assert expected == code(MOMENTS.get(expected, BUSY), CASES[expected])


def test_every_code_has_a_test():
    assert REFUSALS.keys() | {"bad_command"} == CASES.keys() | {"too_many_commands"}


def test_whose_turn_it_is_is_checked_before_the_form_of_a_command():
    for raw in ({"cmd": "fly"}, None, END, command("rest", ENEMY_HUMAN)):
        assert code(BUSY, raw, seat=1) == "not_your_turn"


def test_after_the_end_every_command_is_game_over():
    match = Match.begin(GAME, {"max_turns": 1}, 1)
    match.apply(0, END)

    assert [match.apply(seat, raw).code for seat in (0, 1) for raw in (END, {"cmd": "fly"})] == [
        "game_over"
    ] * 4


@pytest.mark.parametrize(
    "raw",
    [
        None,
        7,
        True,
        "rest",
        [],
        [END],
        {},
        {"cmd": None},
        {"cmd": 7},
        {"cmd": ["rest"]},
        {"cmd": "Rest"},
    ],
)
def test_an_unknown_command_is_a_bad_command(raw):
    assert code(BUSY, raw) == "bad_command"


NUMBERS = ("unit", "x", "y", "amount")
WORDS = ("job", "type", "resource")
COMPLETE = {
    "unit": HUMAN,
    "x": 0,
    "y": 0,
    "job": "soldier",
    "type": "wall",
    "resource": "food",
    "amount": 1,
}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_documented_argument_is_required_and_typed_and_others_are_ignored(kind):
    read = ("unit", *KINDS[kind].needs)
    for name in COMPLETE:
        for odd in (None, True, "3", 2.5, [], {}, math.inf, math.nan, 10**400):
            fits = name in WORDS and isinstance(odd, str)
            malformed = isinstance(parse({"cmd": kind} | COMPLETE | {name: odd}), Malformed)
            assert malformed is (name in read and not fits), (name, odd)
        left_out = {key: value for key, value in COMPLETE.items() if key != name}
        assert isinstance(parse({"cmd": kind} | left_out), Malformed) is (
            name in read and name != "amount"
        )


@pytest.mark.parametrize("x", [1, 1.0])
def test_an_integer_can_have_any_json_notation(x):
    assert after(BUSY, command("move", float(HUMAN), x, 1.0)).units[HUMAN].cell % 12 == 1


def test_an_empty_word_is_unknown_and_not_malformed():
    assert code(BUSY, command("change_job", HUMAN, job="")) == "unknown_job"
    assert code(BUSY, command("construct", BUILDER, 2, 7, type="")) == "unknown_structure"
    assert code(BUSY, command("drop", HUMAN, 0, 1, resource="")) == "unknown_resource"


def test_distant_places_and_huge_numbers_are_not_tiles_or_units():
    assert code(BUSY, command("move", HUMAN, -1, 0)) == "no_such_tile"
    assert code(BUSY, command("move", HUMAN, 10**300, 0)) == "no_such_tile"
    assert code(BUSY, command("move", -(10**300), 0, 0)) == "no_such_unit"
    assert code(BUSY, command("rest", WALL)) == "no_such_unit"


def test_the_common_checks_have_their_order():
    assert code(BUSY, command("attack", 99, -1, -1)) == "no_such_unit"
    assert code(BUSY, command("attack", ENEMY_HUMAN, -1, -1)) == "no_such_tile"
    assert code(BUSY, command("attack", ENEMY_HUMAN, 0, 0)) == "not_owner"


STRONG, LADEN, BUILDS, PREACHES, TIRED, SPENT, WEAK = range(11, 18)
CROWDED = table(
    unit("soldier", 4, 1),
    unit("gatherer", 6, 1, food=100),
    unit("builder", 2, 6, materials=75),
    unit("missionary", 8, 1),
    unit("builder", 9, 1, energy=10.0),
    unit("soldier", 10, 1, energy=10.0, acted=True, moves=0),
    unit("soldier", 3, 1, energy=0.5, food=10),
    structures=(
        structure("wall", 2, 5),
        structure("neutral", 9, 5, None),
        structure("shelter", 4, 2, 1),
        structure("shelter", 6, 2),
    ),
    tiles={(7, 1): Tile(harvest_rate=60, turns_to_harvest=3)},
)


@pytest.mark.parametrize(
    ("expected", "raw"),
    [
        ("tile_occupied", command("move", SPENT, 0, 0)),
        ("out_of_moves", command("move", SPENT, 2, 5)),
        ("not_adjacent", command("move", STRONG, 2, 5)),
        ("already_acted", command("construct", SPENT, 9, 0, type="castle")),
        ("not_enough_energy", command("convert", TIRED, 9, 0)),
        ("wrong_job", command("attack", LADEN, 0, 5)),
        ("not_adjacent", command("attack", STRONG, 9, 0)),
        ("not_adjacent", command("attack", STRONG, 2, 6)),
        ("unknown_job", command("change_job", CAT, job="wizard")),
        ("overlord_job", command("change_job", CAT, job="cat overlord")),
        ("same_job", command("change_job", TIRED, job="builder")),
        ("energy_not_full", command("change_job", TIRED, job="soldier")),
        ("wrong_job", command("construct", STRONG, 2, 5, type="castle")),
        ("tile_has_structure", command("construct", BUILDS, 2, 5, type="castle")),
        ("unknown_structure", command("construct", BUILDS, 4, 1, type="castle")),
        ("tile_occupied", command("construct", BUILDS, 4, 1, type="wall")),
        ("not_adjacent", command("construct", BUILDS, 9, 0, type="wall")),
        ("wrong_job", command("convert", STRONG, 9, 0)),
        ("not_adjacent", command("convert", PREACHES, 0, 7)),
        ("not_adjacent", command("convert", PREACHES, 4, 1)),
        ("no_structure", command("deconstruct", STRONG, 9, 0)),
        ("cannot_deconstruct_road", command("deconstruct", STRONG, 0, 3)),
        ("wrong_job", command("deconstruct", STRONG, 2, 5)),
        ("friendly_structure", command("deconstruct", BUILDS, 2, 5)),
        ("carry_full", command("deconstruct", BUILDS, 9, 5)),
        ("wrong_job", command("harvest", STRONG, 9, 0)),
        ("not_adjacent", command("harvest", LADEN, 0, 5)),
        ("not_enemy_shelter", command("harvest", LADEN, 6, 2)),
        ("no_food", command("harvest", LADEN, 6, 0)),
        ("harvest_not_ready", command("harvest", LADEN, 7, 1)),
        ("energy_full", command("rest", STRONG)),
        ("not_adjacent", command("drop", STRONG, 9, 0, resource="gold")),
        ("unknown_resource", command("drop", STRONG, 4, 2, resource="gold")),
        ("not_adjacent", command("pickup", WEAK, 9, 0, resource="gold")),
        ("unknown_resource", command("pickup", WEAK, 3, 0, resource="gold")),
        ("not_enough_energy", command("pickup", WEAK, 3, 0, resource="food")),
        ("carry_full", command("pickup", LADEN, 6, 0, resource="food")),
    ],
    ids=lambda value: value if isinstance(value, str) else value["cmd"],
)
def test_the_checks_of_each_command_have_their_order(expected, raw):
    """Each of these fails the named check and a later one."""
    assert expected == code(CROWDED, raw)


ACTIONS = ("attack", "change_job", "construct", "convert", "deconstruct", "harvest", "rest")


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_unit_acts_once_a_turn_and_moves_drops_and_picks_up_all_the_same(kind):
    state = table(unit("gatherer", 5, 1, acted=True, energy=99.0))
    found = code(state, {"cmd": kind} | COMPLETE | {"unit": FIRST})

    assert (found == "already_acted") is (kind in ACTIONS)


@pytest.mark.parametrize("kind", ACTIONS)
def test_only_four_actions_need_the_energy_of_the_job_before_all_else(kind):
    state = table(unit("gatherer", 5, 1, energy=74.0))
    found = code(state, {"cmd": kind} | COMPLETE | {"unit": FIRST})

    needs = kind in ("construct", "convert", "deconstruct", "harvest")
    assert (found == "not_enough_energy") is needs


def test_refused_and_malformed_commands_are_counted_and_only_end_turn_works_beyond_the_most():
    state = table(config={"max_commands_per_turn": 3})
    for raw in ({"cmd": "fly"}, command("rest", 99), command("move", HUMAN, 1, 1)):
        assert applied(state, raw)[1].code != "too_many_commands"
        state, _ = applied(state, raw)

    assert code(state, command("move", HUMAN, 1, 2)) == "too_many_commands"
    assert code(state, {"cmd": "fly"}) == "bad_command"
    assert applied(state, command("rest", 99))[0] is state
    assert after(state, END).commands == 0


def test_commands_of_the_other_seat_do_not_count():
    match = Match.begin(GAME, {"max_commands_per_turn": 1}, 1)
    for _ in range(5):
        match.apply(1, command("rest", 1))

    assert match.apply(0, command("rest", 10**6)).code == "no_such_unit"


@given(st.text())
def test_no_command_makes_the_game_fail(word):
    for raw in (
        command("change_job", HUMAN, job=word),
        command("construct", BUILDER, 2, 7, type=word),
        command("drop", HUMAN, 0, 1, resource=word),
        {"cmd": word},
    ):
        code(BUSY, raw)


def test_the_overlord_moves_and_rests_but_has_no_job():
    state = table(changed={CAT: {"energy": 50.0}})

    assert code(state, command("change_job", CAT, job="soldier")) == "overlord_job"
    assert after(state, command("rest", CAT)).units[CAT].energy == 70.0
    assert after(state, command("move", CAT, 1, 0)).units[CAT].moves == 1
