"""RULES §2: the parameters."""

from __future__ import annotations

import pytest

from games.core.contract import BadSetup
from tests.games.cookoff.scene import rules


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
