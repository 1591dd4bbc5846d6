"""RULES §6: what comes before a command's own checks."""

from __future__ import annotations

from typing import Any

import pytest

from games.cookoff import GAME
from games.cookoff.actions import ACTIONS, Command
from games.cookoff.commands import NEEDS, Malformed, parse, perform
from games.cookoff.rules import BLUE, RED
from games.cookoff.state import NO_TEAM, Food, Plate
from games.core.contract import Rejected
from tests.games.cookoff.scene import COUNTER, DICE, SHOP, bot, command, done, refusal, scene, tried

COOKS = (bot(2, 3), bot(4, 3), bot(2, 3, team=BLUE), bot(4, 3, team=BLUE))


def test_only_the_team_of_the_current_part_is_accepted() -> None:
    for acting, why in ((BLUE, "BLUE's"), (NO_TEAM, "no team's")):
        with pytest.raises(Rejected, match=f"not_your_turn: it is {why} part of the turn"):
            GAME.apply(scene(*COOKS, acting=acting), RED, parse(command("move", dx=1, dy=0)), DICE)


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (None, "expected an object with a type"),
        ("move", "expected an object with a type"),
        ({"bot_id": 0}, "type: expected one of "),
        ({"type": ["move"]}, "type: expected one of "),
        ({"type": "fly", "bot_id": 0}, "type: expected one of "),
        ({"type": "move", "dx": 1, "dy": 0}, "bot_id: expected a whole number"),
        ({"type": "move", "bot_id": None, "dx": 1, "dy": 0}, "bot_id: expected a whole number"),
        ({"type": "move", "bot_id": True, "dx": 1, "dy": 0}, "bot_id: expected a whole number"),
        ({"type": "move", "bot_id": 0, "dx": 1.0, "dy": 0}, "dx: expected a whole number"),
        ({"type": "move", "bot_id": 0, "dx": 1}, "dy: expected a whole number"),
        ({"type": "chop", "bot_id": 0, "x": "3"}, "x: expected a whole number"),
        ({"type": "can_submit", "bot_id": 0, "y": False}, "y: expected a whole number"),
        ({"type": "buy", "bot_id": 0}, "item: expected a text"),
        ({"type": "can_buy", "bot_id": 0, "item": 4}, "item: expected a text"),
        (
            {"type": "team_failed", "reason": "hunger"},
            "reason: expected one of bot_error, init_failed",
        ),
    ],
)
def test_a_malformed_command_states_what_was_expected_and_costs_nothing(raw: Any, why: str) -> None:
    read = parse(raw)
    after, reply = GAME.apply(scene(*COOKS), RED, read, DICE)

    assert isinstance(read, Malformed)
    assert read.why.startswith(why)
    assert (reply.verdict, reply.code) == ("refused", "bad_command")
    assert after == scene(*COOKS)._replace(counted=1)


def test_null_counts_as_missing_and_other_keys_are_ignored() -> None:
    assert (
        parse({"type": "chop", "bot_id": 0, "x": None, "mood": 1})
        == parse({"type": "chop", "bot_id": 0})
        == Command("chop", 0)
    )


def test_every_command_can_be_read() -> None:
    whole = {"bot_id": 0, "dx": 1, "dy": 0, "item": "EGG", "reason": "timeout"}

    for kind in NEEDS:
        assert isinstance(parse({"type": kind, **whole}), Command)
    assert set(ACTIONS) < set(NEEDS)


def test_commands_to_unknown_and_foreign_bots_cost_nothing() -> None:
    state = scene(*COOKS)

    for kind in ("move", *ACTIONS):
        for bot_id, code in (
            (-1, "unknown_bot"),
            (4, "unknown_bot"),
            (10**30, "unknown_bot"),
            (2, "not_your_bot"),
        ):
            after, answered = tried(state, kind, bot_id, dx=1, dy=0, item="EGG")
            assert answered == code
            assert after == state._replace(counted=1)


def test_each_bot_has_one_move_and_one_action() -> None:
    state = done(scene(*COOKS), "move", dx=0, dy=-1)

    assert refusal(state, "move", dx=0, dy=1) == "move_used"
    assert done(state, "move", 1, dx=0, dy=-1).bots[1].moved


def test_a_refused_command_costs_its_budget() -> None:
    state, _ = tried(scene(*COOKS), "move", dx=5, dy=0)
    assert refusal(state, "move", dx=0, dy=-1) == "move_used"

    state, _ = tried(scene(*COOKS), "pickup", target=COUNTER)
    for kind in ACTIONS:
        assert refusal(state, kind, item="EGG") == "action_used"


def test_a_bot_that_has_acted_cannot_move_but_keeps_its_move() -> None:
    acted = done(scene(*COOKS), "buy", target=SHOP, item="EGG")
    after, code = tried(acted, "move", dx=0, dy=-1)

    assert code == "move_after_action"
    assert not after.bots[0].moved


def test_what_is_used_up_is_checked_before_the_order_and_the_order_before_the_step() -> None:
    moved = done(done(scene(*COOKS), "move", dx=-1, dy=0), "buy", target=SHOP, item="EGG")
    acted = done(scene(*COOKS), "buy", target=SHOP, item="EGG")

    assert refusal(moved, "move", dx=5, dy=0) == "move_used"
    assert refusal(acted, "move", dx=5, dy=0) == "move_after_action"


def test_in_any_order_a_bot_that_has_acted_can_move() -> None:
    state = scene(*COOKS, move_order="any")

    assert done(done(state, "buy", target=SHOP, item="EGG"), "move", dx=0, dy=-1).bots[0].moved


def test_commands_beyond_the_limit_are_not_checked() -> None:
    state = scene(*COOKS, max_commands_per_turn=3)
    state, _ = tried(state, "can_move", dx=1, dy=0)
    state, _ = tried(state, "fly")
    state = done(state, "move", dx=1, dy=0)

    for kind in ("move", "can_move", "fly"):
        after, code = tried(state, kind, 1, dx=0, dy=-1)
        assert code == "too_many_commands"
        assert after is state
    assert GAME.apply(state, RED, parse(GAME.end_turn), DICE)[1].ok


def test_queries_answer_what_the_command_would_and_cost_nothing() -> None:
    plate = Plate()
    state = scene(
        bot(2, 3),
        bot(4, 3, plate),
        bot(1, 3, Food("EGG")),
        bot(3, 3, Food("MEAT")),
        bot(2, 3, team=BLUE),
    )
    asked = [
        ("can_move", 0, {"dx": 0, "dy": -1}, "ok"),
        ("can_move", 0, {"dx": 1, "dy": 0}, "no"),
        ("can_move", 0, {"dx": 0, "dy": 0}, "no"),
        ("can_move", 4, {"dx": 0, "dy": -1}, "no"),
        ("can_move", 9, {"dx": 0, "dy": -1}, "no"),
        ("can_buy", 0, {"target": SHOP, "item": "EGG"}, "ok"),
        ("can_buy", 0, {"target": SHOP, "item": "BREAD"}, "no"),
        ("can_buy", 0, {"item": "EGG"}, "no"),
        ("can_start_cook", 2, {"target": (1, 2)}, "ok"),
        ("can_start_cook", 0, {"target": (1, 2)}, "no"),
        ("can_submit", 1, {"target": (5, 4)}, "ok"),
        ("can_submit", 3, {"target": (5, 4)}, "no"),
    ]

    for kind, bot_id, arguments, code in asked:
        after, answered = tried(state, kind, bot_id, **arguments)
        assert answered == code, (kind, bot_id, arguments)
        assert after == state._replace(counted=1)


def test_a_query_ignores_the_budget() -> None:
    acted = done(scene(*COOKS), "buy", target=SHOP, item="EGG")

    assert tried(acted, "can_move", dx=0, dy=-1)[1] == "ok"


def test_can_start_cook_requires_chopping_where_the_cooker_does() -> None:
    meat = bot(2, 3, Food("MEAT"))

    assert tried(scene(meat), "can_start_cook", target=(1, 2))[1] == "no"
    assert (
        tried(scene(meat, require_chop_before_cook=False), "can_start_cook", target=(1, 2))[1]
        == "ok"
    )


def test_a_mirror_can_execute_commands_without_counting() -> None:
    state = scene(*COOKS)

    assert perform(state, RED, Command("move", 0, dx=0, dy=-1))[0].counted == 0
    assert perform(state, RED, Command("move", 0, dx=9, dy=0))[1] == "bad_step"
