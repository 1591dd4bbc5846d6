"""RULES §2: the parameters and the two rule sets."""

from __future__ import annotations

import pytest

from games.core.contract import BadSetup
from tests.games.cookoff.scene import rules


def test_the_contests_text_is_the_default() -> None:
    given = rules()

    assert given == rules(rules="seed")
    assert (given.move_order, given.placement, given.orders_visible) == (
        "move_first",
        "placeable_only",
        "active",
    )
    assert given.require_chop_before_cook


def test_the_contests_engine_is_a_rule_set() -> None:
    given = rules(rules="awap2026")

    assert (given.move_order, given.placement, given.orders_visible) == ("any", "anywhere", "all")
    assert not given.require_chop_before_cook


def test_explicit_values_override_a_rule_set() -> None:
    assert rules(rules="awap2026", move_order="move_first").move_order == "move_first"


@pytest.mark.parametrize(
    ("config", "code"),
    [
        ({"rules": "awap2025"}, "bad_choice"),
        ({"bots_per_team": 9}, "bad_number"),
        ({"bots_per_team": 0}, "bad_number"),
        ({"total_turns": 0}, "bad_number"),
        ({"turn_time_ms": -1}, "bad_time"),
        ({"require_chop_before_cook": 1}, "bad_flag"),
        ({"first_team": "RED", "teams": 2}, "unknown_option"),
    ],
)
def test_a_bad_configuration_is_refused(config: dict[str, object], code: str) -> None:
    with pytest.raises(BadSetup) as refused:
        rules(**config)
    assert refused.value.code == code
