"""RULES §5, §8, §9: the order of a turn, failures, the endings."""

from __future__ import annotations

import pytest

from games.cookoff import GAME
from games.cookoff.commands import command_for_silence, from_shorthand
from games.cookoff.rules import BLUE, RED, pacing
from games.cookoff.state import NO_TEAM, REASONS
from games.core.contract import outcome_json
from games.core.match import Match
from tests.games.cookoff.scene import (
    bot,
    done,
    ended,
    match,
    next_turn,
    order,
    played,
    rules,
    scene,
)

ROOM = "bb$U\n....\n"


def test_between_two_turns_no_seat_is_awaited_then_blue_plays_then_red() -> None:
    playing = match(ROOM)
    seen = []
    for _ in range(2):
        playing.advance()
        for seat in (BLUE, RED):
            seen.append((playing.state.turn, playing.turn, playing.awaited))
            ended(playing, seat)
        seen.append((playing.state.turn, playing.turn, playing.awaited))

    none, red, blue = frozenset(), frozenset({RED}), frozenset({BLUE})
    assert seen == [
        (1, 0, blue),
        (1, 1, red),
        (1, 2, none),
        (2, 2, blue),
        (2, 3, red),
        (2, 4, none),
    ]


def test_red_sees_what_blue_did_in_the_same_turn() -> None:
    playing = match(ROOM)
    playing.advance()
    assert playing.apply(BLUE, {"type": "buy", "bot_id": 3, "item": "EGG", "x": 2, "y": 1}).ok
    ended(playing, BLUE)

    seen = playing.view(RED)
    assert seen["team_money"] == {"RED": 151, "BLUE": 131}
    assert seen["bots"][3]["holding"]["food_name"] == "EGG"


def test_red_plays_first_if_the_rules_say_so() -> None:
    playing = match(ROOM, first_team="RED")
    playing.advance()
    assert playing.awaited == {RED}
    ended(playing, RED)
    assert playing.awaited == {BLUE}


def test_each_turn_brings_both_teams_money_and_resets_what_bots_have_used() -> None:
    state = done(scene(bot(2, 3), money_per_turn=4), "move", dx=0, dy=-1)
    later = next_turn(state)

    assert later.turn == 2
    assert later.money == (154, 154)
    assert not later.bots[0].moved


def test_the_income_comes_before_the_penalties() -> None:
    assert next_turn(
        scene(orders=[order(end=1, penalty=10)], money=(0, 0), money_per_turn=10)
    ).money == (0, 0)


def test_commands_are_counted_per_part() -> None:
    playing = match(ROOM, max_commands_per_turn=1)
    playing.advance()
    for seat, bot_id in ((BLUE, 2), (RED, 0)):
        step = {"type": "move", "bot_id": bot_id, "dx": 0, "dy": -1}
        assert [playing.apply(seat, step).code for _ in range(2)] == ["ok", "too_many_commands"]
        ended(playing, seat)


# --- endings --------------------------------------------------------------------------------------


def result(playing: Match) -> tuple[str, int | None, str]:
    assert playing.outcome is not None
    return playing.outcome.kind, playing.outcome.winner, playing.outcome.reason


def test_after_the_last_turn_more_money_wins() -> None:
    playing = match(ROOM, total_turns=2)
    played(playing)
    playing.advance()
    assert (
        playing.apply(BLUE, {"type": "buy", "bot_id": 2, "item": "EGG", "x": 2, "y": 1}).code
        == "out_of_range"
    )
    assert playing.apply(BLUE, {"type": "buy", "bot_id": 3, "item": "EGG", "x": 2, "y": 1}).ok
    ended(playing, BLUE)
    assert playing.outcome is None
    ended(playing, RED)

    assert result(playing) == ("win", RED, "max_turns")
    assert playing.outcome is not None
    record = outcome_json(playing.outcome)
    assert record["turns"] == 2
    assert record["seats"][RED] == {
        "seat": 0,
        "score": 152,
        "placement": 1,
        "outcome": "win",
        "team": "RED",
        "money": 152,
        "orders_completed": 0,
        "orders_expired": 0,
        "failed": None,
        "reason": "max_turns",
    }
    assert [record["seats"][BLUE][key] for key in ("score", "placement", "outcome")] == [
        132,
        2,
        "loss",
    ]


def test_equal_money_is_a_draw() -> None:
    playing = match(ROOM, total_turns=1)
    played(playing)

    assert result(playing) == ("draw", None, "max_turns")
    assert playing.outcome is not None
    assert [seat.placement for seat in playing.outcome.seats] == [1, 1]


def test_an_order_whose_last_turn_is_the_last_one_is_not_penalised() -> None:
    playing = match(
        f"{ROOM}ORDERS:\nstart=0 duration=2 required=EGG penalty=9\nstart=0 duration=1 "
        "required=EGG penalty=5",
        total_turns=2,
    )
    played(playing)
    played(playing)

    assert playing.state.money == (147, 147)
    assert playing.outcome is not None
    assert [seat.details["orders_expired"] for seat in playing.outcome.seats] == [1, 1]


@pytest.mark.parametrize("reason", REASONS)
def test_a_failed_team_loses_whatever_the_money_and_the_other_still_plays_the_turn(
    reason: str,
) -> None:
    playing = match(ROOM)
    playing.advance()
    assert playing.apply(BLUE, {"type": "team_failed", "reason": reason}).ok
    assert playing.outcome is None
    assert playing.apply(RED, {"type": "buy", "bot_id": 1, "item": "EGG", "x": 2, "y": 1}).ok
    ended(playing, RED)

    assert result(playing) == ("forfeit", RED, reason)
    assert playing.outcome is not None
    assert [seat.details["reason"] for seat in playing.outcome.seats] == ["opponent_failed", reason]
    assert [seat.details["failed"] for seat in playing.outcome.seats] == [None, reason]
    assert [seat.score for seat in playing.outcome.seats] == [131, 151]


def test_the_second_team_can_fail_too() -> None:
    playing = match(ROOM)
    played(playing, (RED, "bot_error"))

    assert result(playing) == ("forfeit", BLUE, "bot_error")


def test_both_teams_can_fail_in_one_turn() -> None:
    playing = match(ROOM)
    played(playing, (BLUE, "timeout"), (RED, "bot_error"))

    assert result(playing) == ("both_lost", None, "both_failed")
    assert playing.outcome is not None
    assert [seat.placement for seat in playing.outcome.seats] == [2, 2]
    assert [seat.details["failed"] for seat in playing.outcome.seats] == ["bot_error", "timeout"]


def test_a_failure_is_checked_before_the_last_turn() -> None:
    playing = match(ROOM, total_turns=1)
    played(playing, (RED, "timeout"))

    assert result(playing) == ("forfeit", BLUE, "timeout")


def test_a_silent_team_has_timed_out_and_its_commands_remain() -> None:
    playing = match(ROOM)
    playing.advance()
    assert playing.apply(BLUE, {"type": "move", "bot_id": 2, "dx": 0, "dy": -1}).ok
    playing.advance()

    assert playing.awaited == {RED}
    assert playing.state.failed == (None, "timeout")
    assert playing.state.plan.xy(playing.state.bots[2].cell) == (0, 0)


@pytest.mark.parametrize(
    ("silent", "reason"),
    [
        ("timeout", "timeout"),
        ("rejects", "timeout"),
        ("disconnect", "disconnected"),
        ("not_ready", "init_failed"),
    ],
)
def test_the_platforms_reasons_for_silence_are_the_games(silent: str, reason: str) -> None:
    assert command_for_silence(silent) == {"type": "team_failed", "reason": reason}


@pytest.mark.parametrize("reason", [*REASONS, "hunger", None, ["bot_error"]])
def test_a_team_can_report_only_its_own_failure(reason: object) -> None:
    playing = match(ROOM)
    playing.advance()

    reply = playing.apply(BLUE, from_shorthand({"type": "team_failed", "reason": reason}))

    assert (reply.code, playing.state.acting) == (
        ("ok", RED) if reason in ("bot_error", "init_failed") else ("bad_command", BLUE)
    )


def test_a_forfeit_by_the_host_gets_the_games_reason() -> None:
    state = match(ROOM).state

    late = GAME.forfeit(state, frozenset({RED}), "not_ready")
    assert (late.kind, late.winner, late.reason) == ("forfeit", BLUE, "init_failed")
    assert GAME.forfeit(state, frozenset({RED, BLUE}), "abandoned").kind == "both_lost"
    assert (
        GAME.forfeit(state, frozenset({BLUE}), "resignation").seats[BLUE].details["reason"]
        == "resignation"
    )


# --- skipping -------------------------------------------------------------------------------------


def test_with_skip_a_failed_turn_passes_and_the_game_goes_on() -> None:
    playing = match(ROOM, failure_policy="skip", total_turns=3)
    for reason in ("timeout", "disconnected", "bot_error"):
        assert playing.outcome is None
        played(playing, (BLUE, reason))

    assert result(playing) == ("draw", None, "max_turns")


def test_too_many_skips_in_a_row_lose() -> None:
    playing = match(ROOM, failure_policy="skip", max_skips=3)
    for reason in ("timeout", "timeout", "disconnected"):
        assert playing.outcome is None
        played(playing, (RED, reason))

    assert result(playing) == ("forfeit", BLUE, "disconnected")


def test_a_played_turn_resets_the_count() -> None:
    playing = match(ROOM, failure_policy="skip", max_skips=2)
    for failing in ((RED, "timeout"), None, (RED, "timeout"), None):
        played(playing, *[failing] if failing else [])
        assert playing.outcome is None


def test_each_team_has_its_own_count() -> None:
    playing = match(ROOM, failure_policy="skip", max_skips=2)
    played(playing, (RED, "timeout"))
    played(playing, (BLUE, "timeout"))

    assert playing.state.skips == (0, 1)


def test_a_team_that_never_started_is_out_under_any_policy() -> None:
    playing = match(ROOM, failure_policy="skip")
    played(playing, (RED, "init_failed"))

    assert result(playing) == ("forfeit", BLUE, "init_failed")


def test_after_the_end_every_command_is_game_over() -> None:
    playing = match(ROOM, total_turns=1)
    played(playing)

    assert playing.apply(RED, GAME.end_turn).code == "game_over"
    assert playing.state.acting == NO_TEAM


def test_a_part_has_500_ms_and_the_preparation_5000_unless_the_rules_say_otherwise() -> None:
    lenient = pacing(rules(failure_policy="skip", turn_time_ms=70, init_time_ms=0))

    assert (lenient.turn_ms, lenient.preprocessing_ms, lenient.late_ready) == (70, 0, "plays")
    assert (
        pacing(rules()).turn_ms,
        pacing(rules()).preprocessing_ms,
        pacing(rules()).late_ready,
    ) == (500, 5000, "forfeits")
    assert pacing(rules()).absence == "misses"
