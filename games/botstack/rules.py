"""Every number of BotStack 01 (RULES §2): the parameters, what they allow together, and what they
mean for the clocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from games.core.contract import BadSetup, Json, Pacing
from games.core.parameters import flag, free, milliseconds, rule_set, whole

SEATS = 2
MOST_BULLETS = 32

RULE_SETS: Final[dict[str, dict[str, Json]]] = {
    "contest": {},
    "document": {"reply_closes_own_window": False},
}

LIVE_RANGE_SCHEMA: dict[str, Json] = {
    "type": "object",
    "additionalProperties": {
        "type": "array",
        "items": {"type": "integer", "minimum": 0},
        "minItems": 2,
        "maxItems": 2,
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The configuration of one match; times in ms, 0 = no limit unless stated otherwise."""

    rules: Literal["contest", "document"] = rule_set(
        "contest", RULE_SETS, "document: an answer to a request for abstention uses up nothing"
    )
    rounds_per_match: int = whole(3, "most rounds in a match", low=1, high=25)
    wins_to_win: int = whole(2, "round wins that win the match", low=1, high=25)
    draws_to_draw: int = whole(2, "draw credits that end the match as a draw", low=1, high=25)
    start_health: int = whole(3, "health at the start of each round", low=1, high=99)
    health_cap: int | None = whole(
        None, "a health kit at or above it is spent without effect; null: no cap", low=1, high=99
    )
    item_slots: int = whole(2, "item slots per player", low=0, high=8)
    start_items: int = whole(
        2, "items dealt to each player at the start of each round", low=0, high=8
    )
    items_per_reload: int = whole(
        1, "items dealt to each player at each counted reload", low=0, high=2
    )
    items_per_action: int = whole(1, "items a player may use before each shot", low=0, high=8)
    gun_loads: int = whole(3, "counted loads per round, the first included", low=1, high=20)
    min_bullets: int = whole(3, "fewest bullets per load", low=1, high=MOST_BULLETS)
    max_bullets: int = whole(7, "most bullets per load", low=1, high=MOST_BULLETS)
    live_range: Mapping[str, tuple[int, int]] = free(
        {"3": [1, 2], "4": [1, 3], "5": [2, 3], "6": [2, 4], "7": [3, 4]},
        "least and most live bullets for each load size; the sizes are the keys",
        LIVE_RANGE_SCHEMA,
    )
    points_win: int = whole(3, "match points for a win", low=-1000, high=1000)
    points_loss: int = whole(0, "match points for a loss", low=-1000, high=1000)
    points_draw: int = whole(1, "match points for a draw", low=-1000, high=1000)
    points_both_lost: int = whole(-1, "match points for each when both lost", low=-1000, high=1000)
    declined_abstain_passes_turn: bool = flag(
        True, "a declined request ends the requester's turn; false: the requester plays on"
    )
    reply_closes_own_window: bool = flag(
        True, "answering a request uses up the replier's own abstention window of this load"
    )
    abstain_on_first_load: bool = flag(
        True, "the load at the start of a round opens the abstention windows too"
    )
    reload_item_deals_items: bool = flag(False, "the reload item also deals items_per_reload items")
    reload_item_reopens_abstention: bool = flag(
        False, "the reload item also reopens both abstention windows"
    )
    decision_timeout_ms: int = milliseconds(1_000, "thinking time per decision of a bot")
    time_bank_ms: int = milliseconds(10_000, "extra thinking time per match and bot; 0: none")
    human_decision_timeout_ms: int = milliseconds(
        120_000, "thinking time per decision of a human seat, which has no bank"
    )
    max_timeouts: int = whole(
        3, "this timed-out decision of a match forfeits it; 0: never", low=0, high=1_000_000
    )
    max_rejects_per_decision: int = whole(
        5,
        "after this rejected command for one decision the default choice is made; 0: never",
        low=0,
        high=1_000_000,
    )
    reconnect_grace_ms: int = milliseconds(
        10_000,
        "how long open decisions of a disconnected seat wait, in total per match and seat; 0: "
        "forfeit at once",
    )


CONFIG_ERRORS = (
    "unknown_option",
    "bad_choice",
    "bad_number",
    "bad_flag",
    "bad_time",
    "bad_bullets",
    "bad_live_range",
)
"""Configuration error codes in the order in which they are checked."""


def check_rules(rules: Rules) -> None:
    """Bullets and live bullets must fit together (RULES §2). Raises BadSetup."""
    if rules.min_bullets > rules.max_bullets:
        why = (
            f"min_bullets: expected at most {rules.max_bullets} (max_bullets), "
            f"got {rules.min_bullets}"
        )
        raise BadSetup(
            "bad_bullets", why, field="min_bullets", allowed={"maximum": rules.max_bullets}
        )
    fault = _live_range_fault(rules)
    if fault is not None:
        why = f"live_range: {fault}"
        raise BadSetup("bad_live_range", why, field="live_range", allowed=LIVE_RANGE_SCHEMA)


def live_limits(rules: Rules, size: int) -> tuple[int, int]:
    """The least and the most live bullets in a load of this size."""
    return rules.live_range[str(size)]


def _live_range_fault(rules: Rules) -> str | None:
    table: Json = rules.live_range
    if not isinstance(table, Mapping):
        return "expected an object with the load sizes as keys"
    sizes = {str(size): size for size in range(1, MOST_BULLETS + 1)}
    for key, limits in table.items():
        if key not in sizes:
            return f"expected sizes 1 to {MOST_BULLETS} as keys, got {key[:40]!r}"
        if not isinstance(limits, tuple) or [type(limit) for limit in limits] != [int, int]:
            return f"size {key}: expected two whole numbers, least and most"
        least, most = limits
        if not 0 <= least <= most <= sizes[key]:
            return f"size {key}: expected 0 <= least <= most <= {key}"
    low, high = rules.min_bullets, rules.max_bullets
    if missing := [size for size in range(low, high + 1) if str(size) not in table]:
        return f"expected a range for every size {low} to {high}, got none for {missing}"
    return None


def seats(rules: Rules) -> int:
    return SEATS


def pacing(rules: Rules) -> Pacing:
    """An alternating turn lock; an absent seat's open decision waits (RULES §9)."""
    return Pacing(
        turn_ms=rules.decision_timeout_ms,
        bank_ms=rules.time_bank_ms,
        human_turn_ms=rules.human_decision_timeout_ms,
        grace_ms=0,
        strikes=rules.max_timeouts,
        rejects=rules.max_rejects_per_decision,
        absence="waits",
        absence_ms=rules.reconnect_grace_ms,
    )
