"""One match: results of commands, steps, turns, endings."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.core.contract import AnyGame, BadSetup, Reply
from games.core.journal import Journal, fingerprint
from games.core.match import Match
from games.core.parameters import MAX_SEED
from tests.core.throw_in import DUEL, END_TURN, RACE, WALK


def test_an_accepted_command_is_one_step() -> None:
    match = Match.begin(DUEL, {}, 1)

    assert match.apply(0, 4) == Reply()
    assert (match.step, match.turn) == (2, 0)


@pytest.mark.parametrize("raw", [10, -1, "4", None, True, [4], {"bid": 4}])
def test_a_rejected_command_leaves_the_state_unchanged(raw: Any) -> None:
    match = Match.begin(DUEL, {}, 1)
    state = match.state
    reply = match.apply(0, raw)

    assert reply.verdict == "rejected"
    assert reply.code in ("bad_bid", "too_high")
    assert reply.why
    assert match.state is state
    assert match.step == 1


def test_a_refused_command_costs_what_the_game_defines() -> None:
    match = Match.begin(WALK, {"budget": 2}, 1)

    assert match.apply(0, {"do": "step", "by": 5}).code == "too_far"
    assert match.apply(0, {"do": "step", "by": 1}).ok
    assert match.apply(0, {"do": "step", "by": 1}).code == "no_budget"
    assert match.state.places == (1, 0)


def test_a_query_changes_nothing_and_is_no_step() -> None:
    match = Match.begin(WALK, {"budget": 2}, 1)
    was = match.step
    reply = match.apply(0, {"do": "ask"})

    assert reply == Reply(changes={"place": 0})
    assert match.step == was + 1  # it is counted, which is a change of this game's state
    assert match.apply(1, {"do": "ask"}).code == "not_your_turn"
    assert match.step == was + 1


def test_a_turn_has_many_steps_and_the_game_decides_when_it_advances() -> None:
    match = Match.begin(WALK, {}, 1)
    for _ in range(2):
        match.apply(0, {"do": "step", "by": 1})
    assert (match.turn, match.step) == (0, 3)

    match.apply(0, END_TURN)
    assert (match.turn, match.step) == (1, 4)
    assert match.awaited == {1}


def test_advance_answers_for_a_silent_seat() -> None:
    match = Match.begin(WALK, {}, 1)
    match.apply(0, {"do": "step", "by": 1})
    match.advance()

    assert match.state.failed == (1, 0)
    assert match.state.places == (1, 0)
    assert match.awaited == {1}


def test_in_realtime_all_seats_are_awaited_and_only_the_clock_advances() -> None:
    match = Match.begin(RACE, {"seats": 2}, 1)
    for _ in range(3):
        match.apply(0, {"action": "run"})

    assert match.pacing.tick_ms == 200
    assert match.awaited == {0, 1}
    assert match.turn == 0
    assert match.apply(0, {"action": "run"}) == Reply(
        "refused", "queue_full", "it was numbered all the same"
    )
    match.advance()
    assert match.turn == 1
    assert match.state.places == (2, 0)
    assert match.apply(1, {"action": "walk"}).ok
    assert match.state.queues[1] == ((5, 1),)


def test_a_realtime_game_can_wait_for_its_bots() -> None:
    match = Match.begin(RACE, {"seats": 2, "tick_ms": 0}, 1)

    assert match.pacing.tick_ms is None
    match.apply(0, {"action": "run"})
    assert match.awaited == {1}
    match.apply(1, {"action": "run"})
    assert match.awaited == frozenset()


def test_after_the_end_no_seat_is_awaited() -> None:
    match = Match.begin(RACE, {"seats": 2, "max_ticks": 1}, 1)
    match.advance()

    assert match.outcome is not None
    assert match.outcome.reason == "max_ticks"
    assert match.awaited == frozenset()


@pytest.mark.parametrize(
    ("game", "raw", "code"),
    [
        (DUEL, 3, "over"),
        (DUEL, None, "over"),
        (RACE, {"action": "run"}, "game_not_running"),
        (RACE, {"action": "fly"}, "unknown_action"),
        (RACE, None, "bad_command"),
    ],
)
def test_after_the_end_every_command_gets_the_games_code(
    game: AnyGame, raw: Any, code: str
) -> None:
    """RACE looks at the command first, DUEL does not."""
    match = Match.begin(game, {"max_ticks": 1} if game is RACE else {"rounds": 1}, 1)
    match.advance()
    state = match.state
    reply = match.apply(0, raw)

    assert (reply.verdict, reply.code) == ("rejected", code)
    assert match.state is state


def test_after_the_end_nothing_changes_a_match() -> None:
    match = Match.begin(RACE, {"max_ticks": 1}, 1)
    match.advance()

    for move in (
        match.advance,
        lambda: match.abort("x"),
        lambda: match.forfeit(frozenset({0}), "x"),
    ):
        with pytest.raises(RuntimeError, match="over"):
            move()


def test_a_forfeit_gives_the_games_outcome() -> None:
    match = Match.begin(DUEL, {}, 1)
    outcome = match.forfeit(frozenset({0}), "timeout")

    assert (outcome.kind, outcome.winner, outcome.reason) == ("forfeit", 1, "timeout")
    assert [seat.outcome for seat in outcome.seats] == ["loss", "win"]
    assert match.outcome is outcome


def test_an_aborted_match_has_no_result() -> None:
    match = Match.begin(RACE, {}, 1)
    outcome = match.abort("platform")

    assert (outcome.kind, outcome.winner, outcome.reason) == ("aborted", None, "platform")
    assert [(seat.placement, seat.outcome) for seat in outcome.seats] == [(None, None)] * 4


def test_every_change_is_one_step() -> None:
    match = Match.begin(DUEL, {"rounds": 2}, 1)
    steps = [match.step]
    for _ in range(2):
        match.apply(0, 1)
        match.apply(0, 1)  # rejected: already bid
        match.apply(1, 2)
        match.advance()
        steps.append(match.step)

    assert steps == [1, 4, 7]


@pytest.mark.parametrize("seed", [-1, MAX_SEED + 1, 1.0, "1", None, True])
def test_a_seed_is_an_integer_of_63_bits(seed: Any) -> None:
    with pytest.raises(BadSetup) as fault:
        Match.begin(DUEL, {}, seed)

    assert (fault.value.code, fault.value.field) == ("bad_seed", "seed")


def test_a_map_that_the_game_refuses_is_reported() -> None:
    with pytest.raises(BadSetup, match="no_maps"):
        Match.begin(DUEL, {}, 1, "a map")


def test_equal_seeds_give_equal_states_and_others_do_not() -> None:
    first, again, other = (
        fingerprint(Match.begin(DUEL, {"highest": 100}, seed).state) for seed in (1, 1, 2)
    )

    assert first == again != other


def test_every_change_is_recorded_before_the_command_is_answered() -> None:
    match, written = Match.begin(DUEL, {}, 1), []
    match.journal = Journal(written.append)

    for count, move in enumerate(
        [lambda: match.apply(0, 4), lambda: match.apply(0, 4), lambda: match.apply(1, 99)], start=1
    ):
        move()
        assert len(written) == count


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ({"do": "step", "by": 9}, {"do": "step", "by": 9}),
        (["x" * 5_000], '["' + "x" * 198),
        ({"do": "step", "by": 9, "and": "x" * 5_000}, {"do": "step", "by": 9, "and": "x" * 5_000}),
    ],
)
def test_a_long_refused_command_is_kept_as_far_as_needed(raw: Any, kept: Any) -> None:
    written: list[str] = []
    match = Match.begin(WALK, {}, 1)
    match.journal = Journal(written.append)

    assert match.apply(0, raw).verdict == "refused"
    assert json.loads(written[0])["c"] == kept


def test_legal_commands_are_the_games_and_none_after_the_end() -> None:
    match = Match.begin(DUEL, {"highest": 2, "rounds": 1}, 1)
    assert match.legal(0) == [0, 1, 2]
    match.apply(0, 1)
    assert (match.legal(0), match.legal(1)) == ([], [0, 1, 2])
    match.apply(1, 1)
    match.advance()
    assert (match.legal(0), match.legal(1)) == ([], [])
    assert Match.begin(WALK, {}, 1).legal(0) is None
