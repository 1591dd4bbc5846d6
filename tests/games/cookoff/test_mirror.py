"""RULES §7: a state made again from a view answers every command as the first one does."""

from __future__ import annotations

import json
import pickle
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from games.cookoff import GAME
from games.cookoff.mirror import from_view, item_of, plan_of
from games.cookoff.rules import SEATS
from games.cookoff.state import NO_TEAM, Food, Item, Pan, Plate, State, Tile
from games.cookoff.view import item_json, view
from games.core.contract import Json, Viewer
from games.core.match import Match
from tests.games.cookoff.scene import DICE
from tests.games.entries import cookoff_command

foods = st.builds(
    Food,
    st.sampled_from(["EGG", "ONIONS", "MEAT", "NOODLES", "SAUCE"]),
    st.booleans(),
    st.integers(0, 2),
)
items = st.one_of(
    st.none(),
    foods,
    st.builds(Plate, st.booleans(), st.lists(foods, max_size=3).map(tuple)),
    st.builds(Pan, foods),
    st.just(Pan()),
)


def mirrored(state: State, viewer: Viewer) -> State:
    """The way over the wire: nothing but JSON, and the rules."""
    seen = json.loads(json.dumps(view(state, viewer)))
    return from_view(plan_of(seen, state.plan.rules), seen)


@given(items)
def test_an_item_can_be_read_from_its_json(item: Item | None) -> None:
    assert item_of(item_json(item)) == item


def littered(match: Match, chance: Random) -> None:
    """Things in hands and on tiles, so that a random play meets more than bare counters."""
    state: State = match.state
    plan = state.plan
    things: list[Item] = [
        Food("EGG"),
        Food("MEAT", True, 1),
        Food("ONIONS"),
        Plate(),
        Plate(False, (Food("SAUCE"),)),
        Pan(),
    ]
    bots = tuple(bot._replace(holding=chance.choice([None, *things])) for bot in state.bots)
    kitchens = []
    for _ in SEATS:
        kitchen = list(plan.pristine)
        for cell in plan.stations:
            name = plan.kinds[cell].name
            if name == "COOKER":
                kitchen[cell] = Tile(
                    chance.choice([None, Pan(), Pan(Food("EGG"))]), chance.randrange(40)
                )
            elif name in ("COUNTER", "BOX") and chance.random() < 0.5:
                kitchen[cell] = Tile(
                    chance.choice(things), 0 if name == "COUNTER" else chance.randint(1, 3)
                )
            elif name in ("SINK", "SINKTABLE"):
                kitchen[cell] = Tile(None, chance.randrange(3))
        kitchens.append(tuple(kitchen))
    match.state = state._replace(bots=bots, kitchens=tuple(kitchens))


def near(state: State, command: Json, chance: Random) -> Json:
    """The command at something that the bot can reach, more often than not."""
    bot_id = command["bot_id"]
    if bot_id >= len(state.bots) or chance.random() < 0.2:
        return command
    x, y = state.plan.xy(state.bots[bot_id].cell)
    reach = [cell for cell in state.plan.around(x, y, 1) if cell in state.plan.stations]
    if not reach:
        return command
    x, y = state.plan.xy(chance.choice(reach))
    return command | {"x": x, "y": y}


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["seed", "awap2026"]))
def test_within_a_part_the_mirror_answers_as_the_server_does(seed: int, rule_set: str) -> None:
    chance = Random(seed)
    match = Match.begin(
        GAME, {"rules": rule_set, "total_turns": 12, "switch_turn": 2, "starting_money": 500}, seed
    )
    littered(match, chance)
    while match.outcome is None:
        if not match.awaited:
            match.advance()
            continue
        (seat,) = match.awaited
        mirror = mirrored(match.state, seat)
        for _ in range(chance.randint(0, 12)):
            command = near(match.state, cookoff_command(chance), chance)
            if command["type"] == "end_turn":
                continue
            reply = match.apply(seat, command)
            mirror, mirror_reply = GAME.apply(mirror, seat, GAME.parse(command), DICE)
            assert mirror_reply == reply
            if chance.random() < 0.1:
                mirror = mirrored(match.state, chance.choice([seat, None]))
        assert view(mirror, seat) == view(match.state, seat)
        match.apply(seat, GAME.end_turn)


def test_any_state_can_be_mirrored() -> None:
    match = Match.begin(GAME, {"orders_visible": "all"}, 3)
    for _ in range(4):
        state, again = match.state, mirrored(match.state, None)
        assert (again.turn, again.acting, again.bots, again.kitchens) == (
            state.turn,
            state.acting,
            state.bots,
            state.kitchens,
        )
        assert again.orders == state.orders
        assert again.plan == state.plan
        if state.acting == NO_TEAM:
            match.advance()
        else:
            match.apply(state.acting, GAME.end_turn)


def test_a_plan_can_be_pickled_and_hashed() -> None:
    plan = Match.begin(GAME, {}, 3).state.plan

    assert pickle.loads(pickle.dumps(plan)) == plan
    assert hash(plan) == hash(pickle.loads(pickle.dumps(plan)))
    assert repr(plan).startswith("<Plan ")


def test_an_order_that_is_late_costs_its_penalty_once_in_the_mirror_too() -> None:
    match = Match.begin(GAME, {"orders_visible": "all"}, 3)
    while not any(fate.penalized for fate in match.state.fates[0]):
        if match.awaited:
            match.apply(match.state.acting, GAME.end_turn)
        else:
            match.advance()
    mirror = mirrored(match.state, None)
    assert mirror.fates == match.state.fates
    for _ in range(2):
        mirror, _ = GAME.apply(mirror, mirror.acting, GAME.parse(GAME.end_turn), DICE)
        match.apply(match.state.acting, GAME.end_turn)
    match.advance()

    assert GAME.advance(mirror, DICE).money == match.state.money
