"""Configurations: what fits, what is refused, with which code, field and allowed values, and in
which order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import GAMES
from games.core.contract import AnyGame, BadSetup, Game
from games.core.parameters import (
    LONGEST_GUESS,
    MAX_MS,
    MAX_SEED,
    choice,
    configure,
    described,
    flag,
    free,
    milliseconds,
    number,
    parameters,
    schema,
    seed_part,
    whole,
)
from tests.core.throw_in import DUEL, RACE


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    preset: str | None = choice(
        None, "named values", ("tiny", "tall", "quick"), code="unknown_preset"
    )
    pace: str = choice("slow", "named times", ("slow", "fast"), code="unknown_pace")
    width: int = whole(5, "cells", low=2, high=9, code="bad_size")
    height: int = whole(5, "cells", low=2, code="bad_size")
    depth: int | None = whole(None, "cells; null: flat", low=1, code="bad_size")
    density: float = number(0.5, "part of the cells", low=0, high=1, code="bad_density")
    open: bool = flag(True, "whether it is open")
    part: int | None = seed_part("seed of one part")
    turn_ms: int = milliseconds(1000, "a turn's time")
    cells: tuple[tuple[int, int], ...] = free(
        ((0, 1),), "pairs", {"type": "array", "items": {"type": "array"}}
    )
    names: dict[str, Any] | None = free(None, "by number", {"type": "object"})
    derived: int = 3


def check_rules(rules: Rules) -> None:
    if rules.width > rules.height:
        raise BadSetup("too_wide", "wider than high")


def game(**changes: Any) -> AnyGame:
    fields: dict[str, Any] = {
        name: getattr(DUEL, name)
        for name in (
            "parse_board",
            "seats",
            "pacing",
            "setup",
            "turn",
            "awaited",
            "parse",
            "apply",
            "advance",
            "view",
            "outcome",
            "forfeit",
        )
    }
    fields |= {
        "name": "sizes",
        "title": "Sizes",
        "rules_version": 1,
        "roles": (),
        "over_code": "over",
        "rules": Rules,
        "check_rules": check_rules,
        "bundles": {
            "preset": {
                "tiny": {"width": 2, "height": 2},
                "tall": {"height": 9, "cells": [[1, 2], [3, 4]]},
                "quick": {"pace": "fast"},
            },
            "pace": {"slow": {}, "fast": {"turn_ms": 10}},
        },
        "config_errors": ("unknown_preset", "unknown_option", "bad_density", "bad_size"),
    }
    return Game(**(fields | changes))


SIZES = game()


def fault(config: Any) -> BadSetup:
    with pytest.raises(BadSetup) as caught:
        configure(SIZES, config)
    return caught.value


def test_an_empty_configuration_gives_the_defaults() -> None:
    assert configure(SIZES, {}) == Rules()


@pytest.mark.parametrize(
    "config",
    [
        {"width": 2},
        {"width": 5, "height": 10**30},
        {"depth": 1},
        {"density": 0},
        {"density": 1},
        {"density": 0.25},
        {"open": False},
        {"part": 0},
        {"part": MAX_SEED},
        {"turn_ms": 0},
        {"turn_ms": MAX_MS},
        {"pace": "fast"},
    ],
    ids=str,
)
def test_values_within_the_limits_are_accepted(config: dict[str, Any]) -> None:
    rules = configure(SIZES, config)

    assert {name: getattr(rules, name) for name in config} == config


@pytest.mark.parametrize(
    ("config", "code", "allowed"),
    [
        ({"width": 1}, "bad_size", {"type": "integer", "minimum": 2, "maximum": 9, "default": 5}),
        ({"width": 10}, "bad_size", {"type": "integer", "minimum": 2, "maximum": 9, "default": 5}),
        ({"width": 3.0}, "bad_size", None),
        ({"width": "3"}, "bad_size", None),
        ({"width": True}, "bad_size", None),
        ({"width": [3]}, "bad_size", None),
        ({"width": {}}, "bad_size", None),
        ({"width": 10**400}, "bad_size", None),
        ({"depth": 0}, "bad_size", None),
        ({"density": -0.01}, "bad_density", None),
        ({"density": 1.01}, "bad_density", None),
        ({"density": math.nan}, "bad_density", None),
        ({"density": math.inf}, "bad_density", None),
        ({"density": 10**400}, "bad_density", None),
        ({"density": False}, "bad_density", None),
        ({"open": 1}, "bad_flag", None),
        ({"open": "true"}, "bad_flag", None),
        ({"part": -1}, "bad_seed", None),
        ({"part": MAX_SEED + 1}, "bad_seed", None),
        ({"turn_ms": -1}, "bad_time", None),
        ({"turn_ms": 10**400}, "bad_time", None),
        ({"turn_ms": 0.5}, "bad_time", None),
        ({"pace": "Slow"}, "unknown_pace", ["slow", "fast"]),
        ({"pace": 1}, "unknown_pace", ["slow", "fast"]),
        ({"pace": ["slow"]}, "unknown_pace", ["slow", "fast"]),
        ({"preset": "huge"}, "unknown_preset", ["tiny", "tall", "quick"]),
        ({"wdith": 3}, "unknown_option", sorted(parameters(Rules))),
        ({"derived": 3}, "unknown_option", sorted(parameters(Rules))),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_wrong_value_is_reported_with_field_code_and_limits(
    config: dict[str, Any], code: str, allowed: Any
) -> None:
    found = fault(config)

    assert (found.code, found.field) == (code, *config)
    assert allowed is None or found.allowed == allowed
    assert found.allowed is not None
    assert next(iter(config)) in found.why


@pytest.mark.parametrize("config", [None, [], "width=3", 3, True])
def test_a_configuration_is_an_object(config: Any) -> None:
    assert fault(config).code == "bad_config"


def test_of_several_faults_the_first_in_the_games_order_is_reported() -> None:
    everything = {"turn_ms": -1, "width": 1, "density": 2, "wdith": 3, "preset": "huge"}
    found = []
    for _ in range(len(everything)):
        named = fault(everything)
        found.append(named.code)
        del everything[named.field]

    assert found == ["unknown_preset", "unknown_option", "bad_density", "bad_size", "bad_time"]


def test_rules_across_parameters_are_checked_after_single_ones() -> None:
    assert fault({"width": 6}).code == "too_wide"
    assert fault({"width": 6, "density": 2}).code == "bad_density"


def test_null_is_absent() -> None:
    assert configure(SIZES, dict.fromkeys(parameters(Rules))) == Rules()


def test_null_next_to_a_preset_keeps_the_presets_value() -> None:
    assert configure(SIZES, {"preset": "tiny", "width": None}).width == 2


def test_an_unknown_name_is_refused_even_with_null() -> None:
    assert fault({"wdith": None}).code == "unknown_option"


def test_only_the_first_unknown_name_gets_a_suggestion(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[str] = []

    def compare(word: str, *_: Any, **__: Any) -> list[str]:
        compared.append(word)
        return []

    monkeypatch.setattr("difflib.get_close_matches", compare)

    assert fault({f"wdith{number}": 1 for number in range(1000)}).field == "wdith0"
    assert compared == ["wdith0"]


def test_a_long_unknown_name_gets_no_suggestion() -> None:
    assert "Did you mean width?" in fault({"width" + "_" * 3: 1}).why
    assert "Did you mean" not in fault({"width" + "_" * LONGEST_GUESS: 1}).why


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("zooscape", {"TickDuration": "tick_ms", "MaxTicks": "max_ticks"}),
        (
            "catastrophe",
            {"startingFood": "starting_food", "startTime": "time_bank_s"},
        ),
        ("cookoff", {"MIDGAME_SWITCH_TURN": "switch_turn", "TOTAL_TURNS": "total_turns"}),
        ("botstack", {"N_ROUNDS": "rounds_per_match", "MIN_BULLETS": "min_bullets"}),
        ("pyrat", {"maxTurns": "max_turns", "randomSeed": "the seed, which is no parameter"}),
    ],
)
def test_a_contests_own_name_of_a_setting_is_answered_with_ours(
    game: str, names: dict[str, str]
) -> None:
    for theirs, ours in names.items():
        with pytest.raises(BadSetup, match=f"Did you mean {ours}") as refusal:
            configure(GAMES[game], {theirs: 1})
        assert (refusal.value.code, refusal.value.field) == ("unknown_option", theirs)


@pytest.mark.parametrize("game", list(GAMES))
def test_every_other_name_of_a_setting_leads_to_a_parameter(game: str) -> None:
    assert set(GAMES[game].setting_names.values()) <= parameters(GAMES[game].rules).keys()


def test_a_preset_sets_its_values() -> None:
    rules = configure(SIZES, {"preset": "tiny"})

    assert (rules.preset, rules.width, rules.height) == ("tiny", 2, 2)


def test_explicit_values_override_a_preset() -> None:
    assert configure(SIZES, {"height": 4, "preset": "tiny"}).height == 4


def test_a_preset_can_choose_another_bundle_unless_one_is_given() -> None:
    assert configure(SIZES, {"preset": "quick"}).turn_ms == 10
    assert configure(SIZES, {"preset": "quick", "pace": "slow"}).turn_ms == 1000
    assert configure(SIZES, {"preset": "quick", "turn_ms": 7}).turn_ms == 7


def test_the_default_bundle_sets_its_values() -> None:
    paced = game(bundles={"pace": {"slow": {"turn_ms": 5000}, "fast": {}}})

    assert configure(paced, {}).turn_ms == 5000


def test_rules_cannot_be_changed_through_the_configuration_they_came_from() -> None:
    cells = [[1, 2]]
    rules = configure(SIZES, {"cells": cells, "names": {"1": ["a"]}})
    cells.append([3, 4])

    assert rules.cells == ((1, 2),)
    assert rules.names == {"1": ("a",)}
    assert hash(rules) == hash(configure(SIZES, {"cells": [[1, 2]], "names": {"1": ["a"]}}))


def test_described_rules_configure_the_same_rules() -> None:
    rules = configure(SIZES, {"preset": "tall", "part": 4, "names": {"1": ["a"]}})

    assert described(rules)["cells"] == [[1, 2], [3, 4]]
    assert configure(SIZES, described(rules)) == rules


@pytest.mark.parametrize("some", [SIZES, RACE, DUEL], ids=lambda some: some.name)
def test_the_schema_is_json_schema_and_accepts_the_defaults(some: AnyGame) -> None:
    found = schema(some)
    jsonschema_rs.meta.validate(found)
    validator = jsonschema_rs.Draft202012Validator(found)

    assert list(found["properties"]) == list(parameters(some.rules))
    assert all(one["description"] for one in found["properties"].values())
    assert {name: one["default"] for name, one in found["properties"].items()} == described(
        some.rules()
    )
    validator.validate(described(some.rules()))
    assert not validator.is_valid({"wdith": 3})


values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-1, 11),
    st.sampled_from(["slow", "tiny", "x"]),
)


@given(
    st.dictionaries(
        st.sampled_from([name for name in parameters(Rules) if name not in ("cells", "names")]),
        values,
    )
)
def test_the_schema_accepts_the_same_values(config: dict[str, Any]) -> None:
    """Null is absent, and takes no part. Fractions apart: JSON Schema takes 3.0 for a whole number,
    here it is none."""
    config = {name: value for name, value in config.items() if value is not None}
    valid = jsonschema_rs.Draft202012Validator(schema(SIZES)).is_valid(config)

    assert taken(game(check_rules=DUEL.check_rules), config) is valid


def taken(some: AnyGame, config: dict[str, Any]) -> bool:
    try:
        configure(some, config)
    except BadSetup:
        return False
    return True
