"""One suite for every game there is, and for the throw-in games that stand for those to come."""

from __future__ import annotations

import json
import math
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import GAMES
from games.core import maps
from games.core.contract import AnyGame, BadSetup
from games.core.match import Match
from games.core.parameters import (
    MAX_MS,
    MAX_SEED,
    Parameter,
    configure,
    described,
    parameters,
    schema,
)
from games.core.rerun import verify
from tests.core.records import begun, fields_of, forged
from tests.games.checks import (
    check_ends,
    check_forfeits,
    check_legal,
    check_pure,
    check_recorded,
    check_spoken,
    check_sturdy,
    check_tight,
    check_views,
    plain,
    random_play,
)
from tests.games.entries import ENTRIES
from tests.games.faulty import FAULTY

ROOT = Path(__file__).parents[2]

every_game = pytest.mark.parametrize("name", sorted(ENTRIES))
seeds = st.integers(0, 2**32)

junk = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.just(10**400)
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)


def test_every_game_has_an_entry_here() -> None:
    assert set(GAMES) <= set(ENTRIES)


@every_game
def test_a_game_can_be_sent_to_another_process(name: str) -> None:
    game = ENTRIES[name].game

    assert pickle.loads(pickle.dumps(game)).name == game.name


@every_game
def test_a_game_has_its_name_and_its_range_of_seats(name: str) -> None:
    game = ENTRIES[name].game
    assert GAMES.get(name, game) is game
    assert game.name == name
    for config in ENTRIES[name].configs:
        match = Match.begin(game, config, 0)
        assert len(game.roles) >= match.seats >= 1


@every_game
@settings(max_examples=8)
@given(seeds)
def test_no_function_changes_a_state(name: str, seed: int) -> None:
    check_pure(ENTRIES[name], seed)


@every_game
@settings(max_examples=10)
@given(seeds)
def test_a_match_ends_within_a_bound_and_counts_its_turns(name: str, seed: int) -> None:
    check_ends(ENTRIES[name], seed)


@every_game
@settings(max_examples=10)
@given(seeds)
def test_a_seat_that_is_out_does_not_win(name: str, seed: int) -> None:
    check_forfeits(ENTRIES[name], seed)


@every_game
@settings(max_examples=8)
@given(seeds)
def test_views_are_plain_json_and_not_shared(name: str, seed: int) -> None:
    check_views(ENTRIES[name], seed)


@pytest.mark.parametrize("name", sorted(name for name, entry in ENTRIES.items() if entry.twins))
def test_no_viewer_gets_hidden_information(name: str) -> None:
    assert sum(check_tight(ENTRIES[name], seed) for seed in range(6)) > 100


@pytest.mark.parametrize("name", sorted(name for name, entry in ENTRIES.items() if entry.every))
@pytest.mark.parametrize(
    "seeds", [pytest.param(3, id="short"), pytest.param(300, id="long", marks=pytest.mark.soak)]
)
def test_exactly_the_commands_that_are_listed_are_accepted(name: str, seeds: int) -> None:
    for seed in range(seeds):
        check_legal(ENTRIES[name], seed)


@every_game
@given(seeds, junk)
def test_any_json_has_one_outcome_and_breaks_nothing(name: str, seed: int, raw: Any) -> None:
    check_sturdy(ENTRIES[name], seed, raw)
    check_spoken(ENTRIES[name].game, raw)


@every_game
@given(seeds, junk, st.data())
def test_an_almost_valid_command_has_one_outcome_and_breaks_nothing(
    name: str, seed: int, odd: Any, data: st.DataObject
) -> None:
    raw = ENTRIES[name].command(Random(seed))
    if isinstance(raw, dict):
        raw = raw | {data.draw(st.sampled_from(sorted(raw))): odd}
    check_sturdy(
        ENTRIES[name], seed, data.draw(st.sampled_from([raw, [raw], {"": raw}, json.dumps(raw)]))
    )
    check_spoken(ENTRIES[name].game, raw)


@every_game
@settings(max_examples=15)
@given(seeds)
def test_the_record_of_random_play_verifies(name: str, seed: int) -> None:
    check_recorded(ENTRIES[name], seed)


@every_game
@given(
    seeds, st.sampled_from(["c", "s", "n", "r", "v", "h", "config", "seed", "map", "outcome"]), junk
)
def test_a_forged_record_gets_a_verdict(name: str, seed: int, field: str, odd: Any) -> None:
    entry, chance = ENTRIES[name], Random(seed)
    match, written = begun(entry.game, entry.configs[0], seed % 5)
    for _ in random_play(entry, match, Random(seed % 5), 30):
        pass

    def change(lines: list[dict[str, Any]]) -> None:
        having = [line for line in lines if field in line]
        if having:
            chance.choice(having)[field] = odd

    record = "".join(written)
    assert fields_of(record)
    assert verify(forged(record, change), {name: entry.game}).kind in (
        "cut",
        "ok",
        "differs",
        "unreadable",
    )


def test_equal_seeds_give_equal_histories_in_every_process() -> None:
    """And the check can fail: a game that walks through a set of words differs."""
    found = [histories(hash_seed) for hash_seed in ("0", "1", "4242")]
    ordered_by_a_set = [one.pop("ordered_by_a_set") for one in found]

    assert set(found[0]) == set(ENTRIES)
    assert found[0] == found[1] == found[2]
    assert ordered_by_a_set[0] != ordered_by_a_set[1]


def histories(hash_seed: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.games.histories", "1", "2", "3"]
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


@pytest.mark.soak
@pytest.mark.parametrize(
    "check", [check_pure, check_ends, check_forfeits, check_views, check_recorded]
)
@every_game
def test_a_game_is_correct_for_many_seeds(name: str, check: Callable[..., object]) -> None:
    for seed in range(400):
        check(ENTRIES[name], seed)


# --- configuration --------------------------------------------------------------------------------


@every_game
def test_the_schema_is_json_schema_and_accepts_the_defaults(name: str) -> None:
    game = ENTRIES[name].game
    jsonschema_rs.meta.validate(schema(game))
    validator = jsonschema_rs.Draft202012Validator(schema(game))

    validator.validate(described(configure(game, {})))
    for config in ENTRIES[name].configs:
        validator.validate(config)


@every_game
def test_every_documented_value_sets_a_match_up(name: str) -> None:
    game = ENTRIES[name].game
    for key, named in game.bundles.items():
        assert set(parameters(game.rules)[key].schema["enum"]) == set(named)
        for word in named:
            match = Match.begin(game, {key: word}, 3)
            assert match.outcome is None
            plain(match.view(None))


@every_game
def test_a_stored_configuration_sets_the_same_match_up(name: str) -> None:
    game = ENTRIES[name].game
    for config in ENTRIES[name].configs:
        match = Match.begin(game, config, 3)
        again = Match.begin(game, json.loads(plain(config)), 3)

        assert repr(match.rules) == repr(again.rules)
        assert repr(match.state) == repr(again.state)


@every_game
@pytest.mark.parametrize("seed", [0, 1, MAX_SEED])
def test_any_seed_sets_a_match_up(name: str, seed: int) -> None:
    assert Match.begin(ENTRIES[name].game, ENTRIES[name].configs[0], seed).outcome is None


def values(parameter: Parameter) -> st.SearchStrategy[Any]:
    """Of one parameter: often right, on the borders, or wrong."""
    known = parameter.schema
    if "enum" in known:
        return st.sampled_from([*known["enum"], "no such word", 1, None])
    if known.get("type") == "boolean":
        return st.sampled_from([True, False, 1, "true", None])
    if known.get("type") in ("integer", "number"):
        low, high = known.get("minimum", -5), min(known.get("maximum", 100), 100)
        inside = st.integers(math.ceil(low), max(math.ceil(low), math.floor(high)))
        return st.one_of(
            inside,
            st.sampled_from(
                [low - 1, known.get("maximum", MAX_MS) + 1, 0.5, True, "1", math.nan, 10**400, None]
            ),
        )
    return junk


@every_game
@settings(max_examples=60)
@given(st.data())
def test_any_configuration_sets_a_match_up_or_is_refused(name: str, data: st.DataObject) -> None:
    game = ENTRIES[name].game
    known = parameters(game.rules)
    names = data.draw(st.lists(st.sampled_from(sorted(known)), max_size=4, unique=True))
    config = {key: data.draw(values(known[key]), label=key) for key in names}
    try:
        match = Match.begin(game, config, 1)
    except BadSetup as fault:
        refusal = fault
    else:
        plain(match.view(None))
        return
    assert refusal.code in (
        *game.config_errors,
        "bad_number",
        "bad_choice",
        "bad_flag",
        "bad_seed",
        "bad_time",
        "unknown_option",
    )
    assert refusal.field is None or refusal.field in known
    assert refusal.why
    plain(refusal.allowed)


@every_game
@given(st.one_of(st.text(), st.text(' #.\nRPCxX0123456789{}[]":,'), junk.map(json.dumps)))
def test_any_map_is_read_or_refused(name: str, text: str) -> None:
    check_map(ENTRIES[name].game, text)


@pytest.mark.parametrize(
    ("name", "board"), [(name, board) for name in sorted(GAMES) for board in maps.names(name)]
)
def test_a_damaged_map_is_refused_or_another_map(name: str, board: str) -> None:
    game, text, chance = GAMES[name], maps.text(name, board), Random(board)
    assert Match.begin(game, {}, 1, text).outcome is None
    for _ in range(20):
        place = chance.randrange(len(text))
        check_map(
            game,
            text[:place] + chance.choice(["", "#", "0", "\n", '"', "}", "-1"]) + text[place + 1 :],
        )
        check_map(game, text[:place])


def check_map(game: AnyGame, text: str) -> None:
    """It sets a match up, or it is refused with a code and a sentence."""
    try:
        Match.begin(game, {}, 1, text)
    except BadSetup as fault:
        refusal = fault
    else:
        return
    assert refusal.code
    assert refusal.why


# --- each check can fail --------------------------------------------------------------------------


def some_play(name: str, check: Callable[..., object], *rest: Any) -> None:
    for seed in range(30):
        check(FAULTY[name], seed, *rest)


@pytest.mark.parametrize(
    ("name", "check", "says"),
    [
        ("applies_in_place", check_pure, "apply changed the state"),
        ("advances_in_place", check_pure, "advance changed the state"),
        ("looks_in_place", check_pure, "view changed the state"),
        ("shows_the_other_card", check_tight, "sees what is hidden"),
        ("shows_the_spectator_a_card", check_tight, "None sees what is hidden"),
        ("shows_who_has_bid", check_tight, "sees what is hidden"),
        ("tells_the_sum", check_tight, "gets what is hidden"),
        ("tuple_in_a_view", check_views, "on its way through JSON"),
        ("shares_its_list", check_views, "shares parts"),
        ("shows_less_when_read_only", check_views, "a read-only view is another one"),
        ("legal_after_the_bid", check_legal, "is listed and not accepted"),
        ("legal_but_for_the_highest", check_legal, "is accepted and not listed"),
        ("legal_by_the_other_card", check_legal, "the list tells what is hidden"),
        ("endless", check_ends, "is not over"),
        ("counts_by_two", check_ends, "is followed by turn"),
        ("remembers", check_recorded, "differs"),
        ("the_loser_wins", check_forfeits, "who is out wins"),
    ],
)
def test_each_check_finds_its_fault(name: str, check: Callable[..., object], says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        some_play(name, check)


def test_a_number_that_is_not_finite_is_found() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        some_play("nan_in_a_view", check_views)


def test_a_game_that_raises_is_found() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        some_play("raises", check_sturdy, "x")


def test_a_rejected_command_that_changes_the_state_is_found() -> None:
    def flooded(entry: Any, seed: int) -> None:
        match = Match.begin(entry.game, {}, seed)
        for _ in range(3):
            match.apply(0, {"action": "run"})
        state = match.state
        assert match.apply(0, {"action": "run"}).verdict == "rejected"
        assert match.state is state, "a rejected command changed the state"

    with pytest.raises(AssertionError, match="a rejected command changed the state"):
        some_play("changes_and_rejects", flooded)
