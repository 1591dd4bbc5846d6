"""RULES §2: options and numbers other than the defaults."""

from __future__ import annotations

import pytest

from games.botstack import GAME
from games.core.contract import BadSetup
from games.core.dice import Scripted
from games.core.match import Match
from games.core.parameters import described, schema
from tests.games.botstack.table import AT_OPPONENT, NEW_ROUND, after, events, rules, slot, table

RELOADER = (("reload_gun", "peek_current"), ("empty", "empty"))


def fault(**config):
    with pytest.raises(BadSetup) as refused:
        Match.begin(GAME, config, 1)
    return refused.value.code, refused.value.field


def test_the_reload_item_can_deal_items():
    draws = [("magazine", "BBBL"), ("item/0", "skip_enemy"), ("item/1", "health_kit")]
    state = after(
        table("LB", phase="item", items=RELOADER, config={"reload_item_deals_items": True}),
        slot(1),
        *draws,
    )

    assert [player.items for player in state.players] == [
        ("skip_enemy", "peek_current"),
        ("health_kit", "empty"),
    ]
    assert [event["e"] for event in events(state)] == ["item", "load", "deal", "deal"]


def test_the_reload_item_can_open_both_windows():
    before = table(
        "LB", phase="item", items=RELOADER, config={"reload_item_reopens_abstention": True}
    )
    state = after(before, slot(1), ("magazine", "BBBL"))

    assert state.phase == "shoot"
    assert [player.can_abstain for player in state.players] == [True, True]


def test_several_items_can_be_used_before_a_shot():
    before = table(
        "LBB",
        phase="item",
        items=(("health_kit",) * 2, ("empty",) * 2),
        config={"items_per_action": 3},
    )
    once = after(before, slot(1))
    twice = after(once, slot(2))

    assert (once.phase, twice.phase, twice.players[0].health) == ("item", "item", 5)
    assert after(twice, slot(0)).phase == "shoot"
    assert after(twice, slot(1)).phase == "shoot"


def test_choices_are_counted_per_action():
    before = table(
        "BBB",
        phase="item",
        items=(("health_kit",) * 2, ("empty",) * 2),
        config={"items_per_action": 2},
    )
    state = after(after(after(before, slot(1)), slot(0)), {"type": "shoot", "target": "self"})

    assert after(state, slot(1)).phase == "item"


@pytest.mark.parametrize(
    ("item", "draws"), [("eject_current", []), ("reload_gun", [("magazine", "LBB")])]
)
def test_a_peeked_bullet_is_forgotten_when_it_leaves_the_gun(item, draws):
    before = table(
        "LBB",
        phase="item",
        items=(("peek_current", item), ("empty",) * 2),
        config={"items_per_action": 2},
    )
    peeked = after(before, slot(1))
    state = after(peeked, slot(2), *draws)

    assert (peeked.known_next, state.known_next) == ("live", None)
    assert events(state, "peek") == []


def test_without_items_per_action_there_is_no_item_question():
    assert after(table("BB", config={"items_per_action": 0}), AT_OPPONENT).phase == "shoot"


@pytest.mark.parametrize(
    ("slots", "start", "dealt"), [(3, 2, 2), (1, 2, 1), (0, 2, 0), (4, 4, 4), (2, 0, 0)]
)
def test_start_items_are_dealt_while_slots_are_free(slots, start, dealt):
    draws = [("item/0", "peek_current")] * dealt + [("item/1", "health_kit")] * dealt
    dice = Scripted([("starter", 0), *draws, ("magazine", "LBB")])
    state = GAME.setup(rules(item_slots=slots, start_items=start), None, dice)
    dice.finish()

    assert ("peek_current",) * dealt + ("empty",) * (slots - dealt) == state.players[0].items


def test_two_items_per_reload_are_dealt_seat_by_seat():
    draws = [
        ("magazine", "LLB"),
        ("item/0", "skip_enemy"),
        ("item/0", "peek_current"),
        ("item/1", "health_kit"),
    ]
    before = table(
        "B", items=(("empty",) * 2, ("reload_gun", "empty")), config={"items_per_reload": 2}
    )
    state = after(before, AT_OPPONENT, *draws)

    assert [player.items for player in state.players] == [
        ("skip_enemy", "peek_current"),
        ("reload_gun", "health_kit"),
    ]


def test_with_one_load_per_round_the_round_ends_when_it_is_fired():
    state = after(table("B", config={"gun_loads": 1}), AT_OPPONENT, *NEW_ROUND)

    assert state.rounds[0].reason == "out_of_bullets"


def test_a_short_match_ends_by_its_own_numbers():
    won = after(table("LB", health=(3, 1), config={"wins_to_win": 1}), AT_OPPONENT)
    lost = after(table("LB", health=(3, 1), config={"rounds_per_match": 1}), AT_OPPONENT)

    assert GAME.outcome(won).reason == "two_wins"
    assert GAME.outcome(lost).reason == "three_rounds"


@pytest.mark.parametrize(
    ("config", "code", "field"),
    [
        ({"pace": 1}, "unknown_option", "pace"),
        ({"seed": 1}, "unknown_option", "seed"),
        ({"rounds_per_match": 0}, "bad_number", "rounds_per_match"),
        ({"wins_to_win": True}, "bad_number", "wins_to_win"),
        ({"start_health": 2.5}, "bad_number", "start_health"),
        ({"health_cap": 0}, "bad_number", "health_cap"),
        ({"item_slots": 9}, "bad_number", "item_slots"),
        ({"items_per_reload": 3}, "bad_number", "items_per_reload"),
        ({"points_win": "3"}, "bad_number", "points_win"),
        ({"max_timeouts": -1}, "bad_number", "max_timeouts"),
        ({"abstain_on_first_load": 1}, "bad_flag", "abstain_on_first_load"),
        ({"decision_timeout_ms": -1}, "bad_time", "decision_timeout_ms"),
        ({"min_bullets": 5, "max_bullets": 4}, "bad_bullets", "min_bullets"),
        ({"max_bullets": 33}, "bad_number", "max_bullets"),
        ({"max_bullets": 8}, "bad_live_range", "live_range"),
    ],
)
def test_a_bad_value_is_reported_with_its_name(config, code, field):
    assert (code, field) == fault(**config)


GOOD = {"3": [1, 2], "4": [1, 3], "5": [2, 3], "6": [2, 4], "7": [3, 4]}


@pytest.mark.parametrize(
    "table",
    [
        [],
        "3",
        7,
        {},
        {"3": [1, 2]},
        GOOD | {"0": [0, 0]},
        GOOD | {"03": [1, 2]},
        GOOD | {"33": [1, 2]},
        GOOD | {"x": [1, 2]},
        GOOD | {"3": 1},
        GOOD | {"3": [1]},
        GOOD | {"3": [1, 2, 3]},
        GOOD | {"3": [1, 2.0]},
        GOOD | {"3": [True, 2]},
        GOOD | {"3": ["1", "2"]},
        GOOD | {"3": None},
        GOOD | {"3": {"least": 1}},
        GOOD | {"3": [-1, 2]},
        GOOD | {"3": [2, 1]},
        GOOD | {"3": [1, 4]},
        GOOD | {"9": [5, 4]},
        GOOD | {"3": [1, 10**5000]},
        GOOD | {"3" * 10**6: [1, 2]},
    ],
    ids=lambda table: type(table).__name__,
)
def test_a_live_range_must_be_possible_for_every_size(table):
    assert fault(live_range=table) == ("bad_live_range", "live_range")


def test_a_live_range_can_be_all_blank_all_live_or_larger_than_needed():
    config = {
        "min_bullets": 1,
        "max_bullets": 2,
        "live_range": {"1": [0, 1], "2": [0, 2], "9": [3, 4]},
    }

    assert Match.begin(GAME, config, 1).state.total < 3


def test_faults_are_reported_in_order():
    assert fault(abstain_on_first_load=1, rounds_per_match=0, pace=1) == ("unknown_option", "pace")
    assert fault(abstain_on_first_load=1, rounds_per_match=0) == ("bad_number", "rounds_per_match")
    assert fault(time_bank_ms=-1, live_range=1) == ("bad_time", "time_bank_ms")


def test_the_effective_parameters_give_the_same_rules():
    fields = described(rules(health_cap=4, live_range=GOOD))

    assert fields["live_range"] == GOOD
    assert rules(health_cap=4) == rules(**fields)


def test_a_later_change_of_a_configuration_does_not_change_the_rules():
    config = {"live_range": {size: list(limits) for size, limits in GOOD.items()}}
    made = rules(**config)
    config["live_range"]["3"][0] = 3

    assert rules() == made


def test_null_is_the_default():
    assert rules() == rules(health_cap=None, live_range=None)


def test_every_parameter_is_described():
    assert all(field["description"] for field in schema(GAME)["properties"].values())


def test_a_map_is_refused():
    with pytest.raises(BadSetup) as refused:
        Match.begin(GAME, {}, 1, "#####")
    assert (refused.value.code, refused.value.field) == ("no_maps", "map")


def test_the_time_limits_the_third_timeout_and_the_fifth_reject_set_the_clocks():
    pacing = GAME.pacing(
        rules(
            decision_timeout_ms=7, time_bank_ms=8, human_decision_timeout_ms=9, reconnect_grace_ms=0
        )
    )

    assert (
        pacing.tick_ms,
        pacing.turn_ms,
        pacing.bank_ms,
        pacing.human_turn_ms,
        pacing.grace_ms,
    ) == (None, 7, 8, 9, 0)
    assert (pacing.strikes, pacing.rejects, pacing.absence, pacing.absence_ms) == (3, 5, "waits", 0)
    assert pacing.preprocessing_ms == 0
