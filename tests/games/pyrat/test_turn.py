"""RULES §5: the turn."""

from __future__ import annotations

import pytest

from games.pyrat.board import MOVES
from games.pyrat.state import PYTHON, RAT, body
from tests.games.pyrat.table import at, deed, left, mud_turns, scores, table, turn, turns

MUD_3 = (((1, 0), (2, 0), 3),)


def test_a_legal_move_moves_at_once() -> None:
    state = turn(table("...", "R.P", cheese=((0, 1),)), "UP", "LEFT")

    assert at(state, RAT) == (0, 1)
    assert at(state, PYTHON) == (1, 0)
    assert deed(state, RAT) == deed(state, PYTHON) == "moved"


@pytest.mark.parametrize(
    ("move", "cell"),
    [("UP", (1, 2)), ("RIGHT", (2, 1)), ("DOWN", (1, 0)), ("LEFT", (0, 1)), ("STAY", (1, 1))],
)
def test_every_move_has_the_direction_of_its_name(move: str, cell: tuple[int, int]) -> None:
    assert at(turn(table("*..", ".R.", "..P"), move), RAT) == cell


def test_a_wall_blocks_from_both_sides() -> None:
    state = turn(table("*...", "R.P.", walls=(((1, 0), (2, 0)),)), "RIGHT", "LEFT")
    state = turn(state, "RIGHT")

    assert (at(state, RAT), at(state, PYTHON)) == ((1, 0), (2, 0))
    assert (deed(state, RAT), deed(state, PYTHON)) == ("blocked", "stayed")


def test_walls_and_mud_can_name_their_cells_in_either_order() -> None:
    state = table("*...", "R..P", walls=(((1, 0), (0, 0)),), mud=(((3, 0), (2, 0), 2),))
    state = turn(state, "RIGHT", "LEFT")

    assert (deed(state, RAT), deed(state, PYTHON)) == ("blocked", "entered_mud")


def test_the_border_blocks() -> None:
    state = turn(table("*.P", "R.."), "LEFT", "UP")

    assert deed(state, RAT) == deed(state, PYTHON) == "blocked"
    assert body(state.now, RAT).misses == body(state.now, PYTHON).misses == 1


def test_a_blocked_move_is_the_last_move_and_a_silent_seats_is_stay() -> None:
    state = turn(table("*.P", "R.."), "LEFT", None)

    assert [body(state.now, seat).last_move for seat in (RAT, PYTHON)] == [
        MOVES.index("LEFT"),
        MOVES.index("STAY"),
    ]


def test_mud_costs_the_same_both_ways_and_players_can_pass_each_other_in_it() -> None:
    state = turn(table("*..", "RP.", mud=(((0, 0), (1, 0), 3),)), "RIGHT", "LEFT")

    assert (at(state, RAT), at(state, PYTHON)) == ((1, 0), (0, 0))
    assert mud_turns(state, RAT) == mud_turns(state, PYTHON) == 2


def test_players_can_swap_cells_and_share_one() -> None:
    swapped = turn(table("*..", "RP."), "RIGHT", "LEFT")
    shared = turn(table("*..", "R.P"), "RIGHT", "LEFT")

    assert (at(swapped, RAT), at(swapped, PYTHON)) == ((1, 0), (0, 0))
    assert at(shared, RAT) == at(shared, PYTHON) == (1, 0)


def test_mud_of_cost_three_takes_three_turns() -> None:
    state = table("*...", ".R.P", mud=MUD_3)
    first = turn(state, "RIGHT")
    second = turn(first)
    third = turn(second)

    assert [at(played, RAT) for played in (first, second, third)] == [(2, 0)] * 3
    assert [mud_turns(played, RAT) for played in (first, second, third)] == [2, 1, 0]
    assert [deed(played, RAT) for played in (first, second, third)] == [
        "entered_mud",
        "in_mud",
        "left_mud",
    ]
    assert at(turn(third, "RIGHT"), RAT) == (3, 0)


def test_mud_remembers_the_origin_until_it_is_crossed() -> None:
    state = turn(table("*...", ".R.P", mud=MUD_3), "RIGHT")

    assert state.maze.xy(body(state.now, RAT).mud_from) == [1, 0]
    assert body(turns(state, (None, None), (None, None)).now, RAT).mud_from == -1


def test_plus_one_takes_one_turn_more() -> None:
    state = turn(table("*...", ".R.P", mud=MUD_3, mud_timing="plus_one"), "RIGHT")
    assert mud_turns(state, RAT) == 3

    state = turns(state, ("RIGHT", None), ("RIGHT", None), ("RIGHT", None))
    assert (at(state, RAT), mud_turns(state, RAT)) == ((2, 0), 0)
    assert at(turn(state, "RIGHT"), RAT) == (3, 0)


def test_a_command_in_mud_is_ignored_but_remembered() -> None:
    state = turn(table("*...", ".R.P", mud=MUD_3), "RIGHT")
    state = turn(state, "UP")

    assert at(state, RAT) == (2, 0)
    assert body(state.now, RAT).last_move == 0


def test_turns_in_mud_count_as_misses_and_the_entering_turn_does_not() -> None:
    state = turns(table("*...", ".R.P", mud=MUD_3), ("RIGHT", None), (None, None), (None, None))

    assert body(state.now, RAT).misses == 2


def test_two_players_on_one_cheese_get_half_a_point_each() -> None:
    """RULES §5.6"""
    state = turn(table("R*P", "*.*"), "RIGHT", "LEFT")

    assert scores(state) == (0.5, 0.5)
    assert left(state) == 2


def test_one_player_on_a_cheese_gets_it() -> None:
    state = turn(table("R*P", "*.*"), "RIGHT", "STAY")

    assert scores(state) == (1.0, 0.0)
    assert state.collected == (state.maze.cell(1, 1),)


def test_both_players_can_take_a_cheese_of_their_own() -> None:
    state = turn(table("R**P", "*..*"), "RIGHT", "LEFT")

    assert scores(state) == (1.0, 1.0)
    assert state.collected == (state.maze.cell(1, 1), state.maze.cell(2, 1))


def test_collected_cells_are_listed_in_order_for_both_players() -> None:
    state = turn(table("P**R", "*..*"), "LEFT", "RIGHT")

    assert state.collected == (state.maze.cell(1, 1), state.maze.cell(2, 1))


def test_a_turn_without_cheese_collects_nothing() -> None:
    state = turn(table("R*P", "*.*"), "RIGHT", "STAY")

    assert turn(state, "STAY", "STAY").collected == ()


def test_a_player_in_mud_neither_collects_nor_halves() -> None:
    muddy = (((0, 0), (1, 0), 2),)
    state = turn(table("*..", "R*P", mud=muddy), "RIGHT", "LEFT")

    assert scores(state) == (0.0, 1.0)


def test_a_player_who_leaves_mud_shares_with_one_who_walks_in() -> None:
    muddy = (((0, 0), (1, 0), 2),)
    state = turns(table("*..", "R*P", mud=muddy), ("RIGHT", "STAY"), (None, "LEFT"))

    assert scores(state) == (0.5, 0.5)


def test_two_players_who_leave_mud_in_one_turn_share_the_cheese() -> None:
    muddy = (((0, 0), (1, 0), 3), ((1, 0), (2, 0), 2))
    state = turns(table("*..", "R*P", mud=muddy), ("RIGHT", "STAY"), (None, "LEFT"), (None, None))

    assert (deed(state, RAT), deed(state, PYTHON)) == ("left_mud", "left_mud")
    assert scores(state) == (0.5, 0.5)


def test_the_cheese_of_the_cell_left_for_mud_stays() -> None:
    muddy = (((0, 0), (1, 0), 2),)
    state = turn(table("*..", "R.P", cheese=((0, 0), (0, 1)), mud=muddy), "RIGHT", "STAY")

    assert left(state) == 2


def test_cheese_on_a_start_cell_is_taken_by_staying() -> None:
    state = table("*..", "R.P", cheese=((0, 0), (0, 1), (1, 1)))

    assert scores(turn(state, "STAY", None)) == (1.0, 0.0)
    assert scores(turn(state, "DOWN", None)) == (1.0, 0.0)
    assert scores(turn(state, "RIGHT", None)) == (0.0, 0.0)


def test_a_silent_seat_stays_and_is_listed() -> None:
    state = turn(table("*..", "R.P"), None, "LEFT")

    assert at(state, RAT) == (0, 0)
    assert deed(state, RAT) == "stayed"
    assert state.silent == (RAT,)


def test_a_player_in_mud_is_not_silent() -> None:
    state = turn(table("*...", ".R.P", mud=MUD_3), "RIGHT", "STAY")

    assert turn(state, None, None).silent == (PYTHON,)


def test_the_seats_are_symmetric() -> None:
    one = turns(table("R*P", "*.*"), ("RIGHT", "LEFT"), ("DOWN", "STAY"))
    other = turns(table("P*R", "*.*"), ("LEFT", "RIGHT"), ("STAY", "DOWN"))

    assert scores(one) == scores(other)[::-1]
    assert (at(one, RAT), at(one, PYTHON)) == (at(other, PYTHON), at(other, RAT))


def test_the_counters_of_misses_add_up() -> None:
    state = table("*...", ".R.P", mud=MUD_3)
    state = turns(
        state, ("DOWN", "RIGHT"), ("STAY", "LEFT"), ("RIGHT", None), (None, None), (None, None)
    )

    for seat in (RAT, PYTHON):
        moved, entered, waited, out, blocked, stayed = state.tally[6 * seat : 6 * seat + 6]
        assert waited + out + blocked + stayed == body(state.now, seat).misses
        assert moved + entered + waited + out + blocked + stayed == state.now[0] == 5
