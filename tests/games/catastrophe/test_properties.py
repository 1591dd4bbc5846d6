"""What holds in every match, whatever is asked: nothing raises, nothing is changed in place, every
moment is sound."""

from __future__ import annotations

import json
import pickle
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.catastrophe import GAME
from games.catastrophe.rules import JOBS, NEUTRAL
from games.catastrophe.state import BARE, State, squads_of
from games.core.dice import Seeded
from games.core.journal import fingerprint
from games.core.match import Match
from tests.games.catastrophe.players import CONFIGS, crowded, played, random_command
from tests.games.catastrophe.table import END
from tests.games.checks import printed_in_every_process

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-2, 40)
    | st.floats()
    | st.text(max_size=4)
    | st.just(10**400)
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
)
NEAR_MISSES = st.fixed_dictionaries(
    {
        "cmd": st.sampled_from(
            [
                "move",
                "attack",
                "change_job",
                "construct",
                "convert",
                "harvest",
                "rest",
                "drop",
                "pickup",
            ]
        )
    },
    optional=dict.fromkeys(("unit", "x", "y", "job", "type", "resource", "amount"), ANYTHING),
)


def sound(state: State) -> None:
    """One unit a tile, energies and goods within their limits, every index as the board says, ids
    unique and counted."""
    ground, rules = state.ground, state.ground.rules
    for unit in state.units.values():
        job = JOBS[unit.job]
        assert 0 <= unit.energy <= rules.max_energy
        assert 0 <= unit.moves <= job.moves
        assert min(unit.food, unit.materials) >= 0
        assert unit.food + unit.materials <= job.carry_limit
        assert unit.owner is None or (unit.turns_to_die, unit.target) == (-1, None)
    assert {unit.cell: number for number, unit in state.units.items()} == state.at
    assert len(state.at) == len(state.units)
    assert {one.cell: number for number, one in state.structures.items()} == state.built
    assert len(state.built) == len(state.structures)
    for one in state.structures.values():
        assert one.materials > 0
        assert not ground.road[one.cell]
        assert (one.owner is None) is (one.type == NEUTRAL)
        standing = state.at.get(one.cell)
        assert standing is None or one.type == "shelter"
    assert all(tile != BARE and min(tile) >= 0 for tile in state.tiles.values())
    assert min(state.food) >= 0
    assert not state.units.keys() & state.structures.keys()
    assert state.next_id > max(*state.units, *state.structures)
    assert [*state.units] == sorted(state.units)
    assert [*state.structures] == sorted(state.structures)
    assert squads_of(ground, state.units, state.at, state.units) == state.squads
    assert state.commands <= rules.max_commands_per_turn
    assert all(
        state.units[cat].job == "cat overlord" and state.units[cat].owner == seat
        for seat, cat in enumerate(state.cats)
    )


@pytest.mark.parametrize("config", CONFIGS, ids=str)
@pytest.mark.parametrize(
    "seeds", [pytest.param(4, id="short"), pytest.param(200, id="long", marks=pytest.mark.soak)]
)
def test_every_state_of_every_match_is_valid(config, seeds):
    for seed in range(seeds):
        for _, _, _, state in played(config, seed, turns=40):
            sound(state)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), odd=st.lists(ANYTHING | NEAR_MISSES, max_size=40))
def test_any_json_is_answered_and_leaves_a_valid_state(seed, odd):
    chance = Random(seed)
    config = chance.choice(CONFIGS)
    state = crowded(config, chance)
    match = Match(GAME, state.ground.rules, state, Seeded(seed))
    for raw in odd:
        before = match.state
        reply = match.apply(chance.randrange(2), raw)
        assert reply.ok or before._replace(commands=0) == match.state._replace(commands=0)
        assert reply.code != "not_your_turn" or match.state is before
        match.apply(
            match.state.current_player, chance.choice((END, random_command(match.view(0), chance)))
        )
    sound(match.state)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_no_command_changes_a_state_in_place(config):
    kept: list[tuple[State, bytes]] = []
    for _, _, _, state in played(config, seed=9, turns=12):
        GAME.view(state, None)
        kept.append((state, pickle.dumps(state)))

    assert len(kept) > 50
    assert all(pickle.dumps(state) == text for state, text in kept)
    assert pickle.loads(kept[-1][1]) == kept[-1][0]


def test_a_silent_match_is_lost_and_turn_ends_reach_the_last_turn():
    silent, patient = (Match.begin(GAME, {}, 5) for _ in range(2))
    silent.advance()
    while patient.outcome is None:
        patient.apply(patient.state.current_player, END)
        sound(patient.state)

    assert (silent.outcome.kind, silent.outcome.winner, silent.outcome.reason) == (
        "forfeit",
        1,
        "timeout",
    )
    assert (patient.turn, patient.outcome.details["via"]) == (719, "max_turns")


PRINT = """
import json
from games.catastrophe import GAME
from games.core.journal import fingerprint
from tests.games.catastrophe.players import CONFIGS, played
for config in CONFIGS:
    for _, _, reply, state in played(config, 7, 12):
        view, changes = GAME.view(state, None), reply and reply.changes
        print(fingerprint(state), json.dumps(view), json.dumps(changes))
"""


def test_equal_inputs_give_equal_states_views_and_changes_in_every_process():
    assert printed_in_every_process(PRINT).count("\n") > 200


def test_no_state_contains_the_seed():
    seed = 1_234_567_890_123_456_789
    state = Match.begin(GAME, {}, seed).state

    assert str(seed) not in repr(state)
    assert str(seed) not in json.dumps(GAME.view(state, None))


def test_different_states_have_different_hashes():
    assert len({fingerprint(Match.begin(GAME, {}, seed).state) for seed in range(20)}) == 20


def test_the_game_is_registered():
    from games import GAMES

    assert GAMES["catastrophe"] is GAME
    assert (GAME.name, GAME.seats(GAME.rules()), len(GAME.roles)) == ("catastrophe", 2, 2)
