"""RULES §5.E"""

from __future__ import annotations

import pytest

from tests.games.botstack.table import AT_OPPONENT, AT_SELF, NEW_ROUND, after, events, table


@pytest.mark.parametrize(
    ("magazine", "command", "health", "turn"),
    [
        ("LB", AT_OPPONENT, [3, 2], 1),
        ("BL", AT_OPPONENT, [3, 3], 1),
        ("LB", AT_SELF, [2, 3], 1),
        ("BL", AT_SELF, [3, 3], 0),
    ],
    ids=[
        "a live hit passes the turn",
        "a blank at the opponent too",
        "a live self-shot too",
        "a blank self-shot does not",
    ],
)
def test_only_a_blank_at_oneself_keeps_the_turn(magazine, command, health, turn):
    state = after(table(magazine), command)

    assert health == [player.health for player in state.players]
    assert (turn, turn, "item") == (state.turn, state.acting, state.phase)
    assert magazine[1:] == state.magazine


def test_every_viewer_sees_bullet_and_target_of_a_shot():
    state = after(table("LB", turn=1), AT_SELF)

    assert events(state) == [{"e": "shot", "seat": 1, "target": 1, "bullet": "live"}]


@pytest.mark.parametrize("command", [AT_SELF, AT_OPPONENT])
def test_the_survivor_wins_the_round(command):
    state = after(table("LB", health=(1, 1)), command, *NEW_ROUND)

    survivor = 1 if command is AT_SELF else 0
    assert [1, 0][:: 1 if survivor == 0 else -1] == [player.rounds_won for player in state.players]
    assert ("win", survivor, "death") == (
        state.rounds[0].result,
        state.rounds[0].winner,
        state.rounds[0].reason,
    )


def test_a_death_on_the_last_bullet_of_the_last_load_counts():
    state = after(table("L", load=3, health=(3, 1)), AT_OPPONENT, *NEW_ROUND)

    assert state.rounds[0].reason == "death"


def test_a_death_with_a_pending_skip_counts_and_removes_the_skip():
    state = after(table("LB", health=(1, 3), skips=(True, False)), AT_SELF, *NEW_ROUND)

    assert state.rounds[0].reason == "death"
    assert [player.skip_pending for player in state.players] == [False, False]


def test_an_empty_gun_on_the_last_load_ends_the_round_without_credit():
    state = after(table("B", load=3), AT_OPPONENT, *NEW_ROUND)

    assert (state.rounds[0].result, state.rounds[0].winner, state.rounds[0].reason) == (
        "none",
        None,
        "out_of_bullets",
    )
    assert (state.draws, [player.rounds_won for player in state.players]) == (0, [0, 0])


@pytest.mark.parametrize(("command", "keeps"), [(AT_OPPONENT, False), (AT_SELF, True)])
def test_a_pending_skip_gives_another_turn_but_outlasts_a_blank_at_oneself(command, keeps):
    state = after(table("BLL", skips=(True, False)), command)

    assert state.turn == 0
    assert keeps is state.players[0].skip_pending


def test_a_peeked_bullet_is_forgotten_when_the_action_ends():
    assert after(table("BL", known_next="blank"), AT_SELF).known_next is None
