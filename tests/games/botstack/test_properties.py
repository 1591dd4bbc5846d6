"""What holds in every match: nothing is changed in place, it ends, it is the same in every
process."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.botstack import GAME
from games.botstack.commands import apply, parse
from games.botstack.legal import legal
from games.core.dice import Seeded
from games.core.journal import fingerprint
from games.core.match import Match
from tests.games.botstack.table import random_match, rules
from tests.games.checks import printed_in_every_process

CONFIGS = st.fixed_dictionaries(
    {},
    optional={
        "rounds_per_match": st.integers(1, 5),
        "wins_to_win": st.integers(1, 3),
        "draws_to_draw": st.integers(1, 3),
        "start_health": st.integers(1, 4),
        "health_cap": st.integers(1, 5),
        "item_slots": st.integers(0, 4),
        "start_items": st.integers(0, 4),
        "items_per_reload": st.integers(0, 2),
        "items_per_action": st.integers(0, 3),
        "gun_loads": st.integers(1, 4),
        "declined_abstain_passes_turn": st.booleans(),
        "reply_closes_own_window": st.booleans(),
        "abstain_on_first_load": st.booleans(),
        "reload_item_deals_items": st.booleans(),
        "reload_item_reopens_abstention": st.booleans(),
    },
)
SEEDS = st.integers(0, 2**63 - 1)


@given(seed=SEEDS, config=CONFIGS)
def test_no_function_changes_a_state_in_place(seed, config):
    random = Random(seed)
    dice = Seeded(seed)
    state = GAME.setup(rules(**config), None, dice.at(0))
    step = 0
    while GAME.outcome(state) is None:
        step += 1
        before = pickle.dumps(state), repr(state)
        if random.random() < 0.3:
            following = GAME.advance(state, dice.at(step))
        else:
            following, _ = apply(
                state, state.acting, parse(random.choice(legal(state, state.acting))), dice.at(step)
            )
        for viewer in (0, 1, None):
            GAME.view(following, viewer)
        assert before == (pickle.dumps(state), repr(state))
        assert pickle.loads(pickle.dumps(following)) == following
        state = following


@given(seed=SEEDS, config=CONFIGS)
def test_every_state_of_every_match_is_valid(seed, config):
    for number, state in enumerate(random_match(seed, silence=0.1, **config)):
        settled = state.ending is not None
        assert number == state.decision
        assert settled is (state.phase == "finished") is (state.acting is None)
        assert 1 <= state.load <= state.rules.gun_loads
        assert 0 <= state.live <= state.total
        assert settled or state.total > 0
        assert settled or all(player.health > 0 for player in state.players)
        assert settled or state.acting == (
            state.turn if state.phase != "abstain_reply" else 1 - state.turn
        )
        assert (state.pending_request is None) is (state.phase != "abstain_reply")
        assert not state.players[1 - state.turn].skip_pending
        assert all(len(player.items) == state.rules.item_slots for player in state.players)
        assert state.items_used <= state.rules.items_per_action
        loads = [dict(event.about) for event in state.events if event.name == "load"]
        assert all(
            (load["total"], load["live"]) == (state.total, state.live) for load in loads[-1:]
        )


@pytest.mark.parametrize("seed", range(20))
def test_each_load_has_at_most_two_abstention_questions_and_one_reply(seed):
    asked = Counter(
        (state.round, state.load, state.phase)
        for state in random_match(seed)
        if state.phase in ("abstain_request", "abstain_reply")
    )

    assert asked
    for (_, _, phase), times in asked.items():
        assert times <= (2 if phase == "abstain_request" else 1)


def shots(states):
    """Shots fired in each round, the last one included."""
    counts: dict[int, int] = {}
    for before, state in pairwise(states):
        counts[before.round] = counts.get(before.round, 0) + sum(
            event.name == "shot" for event in state.events
        )
    return counts.values()


@pytest.mark.parametrize(
    "seeds", [pytest.param(300, id="short"), pytest.param(5_000, id="long", marks=pytest.mark.soak)]
)
def test_a_round_has_at_most_69_shots_and_a_match_fewer_than_450_decisions(seeds):
    for seed in range(seeds):
        states = random_match(seed)
        assert max(shots(states)) <= 69
        assert len(states) < 450


def test_the_longest_possible_round_has_69_shots():
    """Every item is a reload, every magazine has seven bullets, and each is thrown away when one is
    left."""

    class Longest:
        def draw(self, purpose, sample):
            if purpose == "starter":
                return 0
            return "LLLLBBB" if purpose == "magazine" else "reload_gun"

    dice = Longest()
    state = GAME.setup(rules(start_health=99), None, dice)
    count = 0
    while not state.rounds:
        command = {"type": "abstain", "value": False}
        if state.phase == "item":
            held = state.players[state.acting].items
            worth = state.total == 1 and "reload_gun" in held
            command = {"type": "item", "slot": held.index("reload_gun") + 1 if worth else 0}
        elif state.phase == "shoot":
            target = (
                "self"
                if state.total == 2 and "reload_gun" in state.players[state.turn].items
                else "opponent"
            )
            command = {"type": "shoot", "target": target}
            count += 1
        state, _ = apply(state, state.acting, parse(command), dice)

    assert count == 69


def test_a_silent_match_ends():
    match = Match.begin(GAME, {}, 5)
    while match.outcome is None:
        match.advance()

    assert match.outcome.kind in ("win", "both_lost")


PRINT = """
from games.core.journal import fingerprint
from tests.games.botstack.table import random_match
import json
from games.botstack import GAME
for seed in range(20):
    for state in random_match(seed, silence=0.1):
        print(fingerprint(state), json.dumps([GAME.view(state, viewer) for viewer in (0, 1, None)]))
"""


def test_equal_inputs_give_equal_states_and_views_in_every_process():
    assert printed_in_every_process(PRINT).count("\n") > 500


def test_the_hash_of_a_state_covers_secrets_and_not_the_rules():
    first, other = (random_match(seed)[0] for seed in (1, 2))

    assert fingerprint(first) != fingerprint(other)
    assert "Rules(" not in repr(first)


def test_no_state_contains_the_seed():
    seed = 1_234_567_890_123_456_789

    for state in random_match(seed):
        assert str(seed) not in repr(state)
        assert seed.to_bytes(8, "little") not in pickle.dumps(state)


def test_the_game_is_registered():
    from games import GAMES

    assert GAMES["botstack"] is GAME
    assert (GAME.name, GAME.seats(rules()), len(GAME.roles)) == ("botstack", 2, 2)
