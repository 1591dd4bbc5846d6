"""Cookoff's house bots: what they do in a kitchen, and who wins."""

from __future__ import annotations

from collections import Counter

import pytest

from client_sdk.api.cookoff import Bot, Map, Team
from client_sdk.api.cookoff.map import Layout
from client_sdk.bot import house, play_headless
from client_sdk.bots.cookoff.ways import FAR, Ways
from games import GAMES
from games.cookoff.board import parse_board
from games.cookoff.rules import Rules
from games.cookoff.state import Plan
from games.core import maps
from games.core.match import Match

MAPS = [*maps.names("cookoff")]


def played(one, other, text, **config):
    """A match; what was done how often, by seat, kind and code."""
    match = Match.begin(GAMES["cookoff"], config, 1, text)
    done: Counter = Counter()
    apply = match.apply

    class Watched:
        def __getattr__(self, name):
            return getattr(match, name)

        def apply(self, seat, raw):
            reply = apply(seat, raw)
            done[seat, raw["type"], reply.code] += 1
            return reply

    play_headless(Watched(), [one, other])
    return match, done


@pytest.mark.parametrize(
    "rules",
    [("seed", "awap2026"), pytest.param(("awap2026", "seed"), marks=pytest.mark.soak)],
    ids="-".join,
)
@pytest.mark.parametrize(
    "name", [*MAPS[:2], *(pytest.param(name, marks=pytest.mark.soak) for name in MAPS[2:])]
)
def test_greedy_wins_on_every_map_in_either_seat(name, rules):
    """By one set of rules on seat 0, by the other on seat 1."""
    for seat in (0, 1):
        bots = [house("cookoff", "greedy" if at == seat else "noodles") for at in (0, 1)]
        match, done = played(*bots, maps.text("cookoff", name), rules=rules[seat])

        assert (match.outcome.winner, match.outcome.reason) == (seat, "max_turns")
        assert {code for _, _, code in done} == {"ok"}


def test_greedy_chops_cooks_plates_submits_and_washes():
    _, done = played(
        house("cookoff", "greedy"), house("cookoff", "noodles"), maps.text("cookoff", "canteen")
    )

    kinds = (
        "chop",
        "start_cook",
        "take_from_pan",
        "add_food_to_plate",
        "submit",
        "wash_sink",
        "take_clean_plate",
    )
    assert [kind for kind in kinds if not done[0, kind, "ok"]] == []


def test_noodles_submits_noodles_and_sauce_and_never_chops_or_cooks():
    match, done = played(
        house("cookoff", "noodles"), house("cookoff", "noodles"), maps.text("cookoff", "canteen")
    )
    served = {
        name
        for order, fate in zip(match.state.orders[0], match.state.fates[0], strict=True)
        if fate.completed_turn is not None
        for name in order.required
    }

    assert {"NOODLES", "SAUCE"} == served
    assert not done[0, "start_cook", "ok"]
    assert not done[0, "chop", "ok"]


class Rich(Bot):
    """Only places a plate on a counter, for another bot to take."""

    def play_turn(self, controller):
        for name, x, y in (("buy", 1, 4), ("place", 3, 4)):
            args = (2, "PLATE", x, y) if name == "buy" else (2, x, y)
            getattr(controller, name)(*args)


NOTHING_TO_WIN = """
########
#$KC#.C#
#SbCT.K#
#UR...$#
#.b....#
########

SWITCH: turn=20 duration=60

ORDERS:
start=0 duration=10 required=MEAT,MEAT,MEAT reward=1 penalty=30
"""


def test_greedy_switches_when_it_is_behind_and_has_no_order_to_win():
    """An order that neither team can fill costs greedy more than its opponent."""
    match = Match.begin(GAMES["cookoff"], {"total_turns": 60}, 1, NOTHING_TO_WIN)
    behind = match.state._replace(money=(100, 150))
    match.state = behind
    away = []
    play_headless(
        match,
        [house("cookoff", "greedy"), Rich()],
        shown=lambda now: away.append(now.state.switched[0]),
    )

    assert match.state.switch_used == (True, False)
    assert away.count(True) >= 60
    assert match.state.failed == (None, None)


def test_greedy_stays_at_home_when_it_is_ahead():
    match = Match.begin(GAMES["cookoff"], {"total_turns": 60}, 1, NOTHING_TO_WIN)
    match.state = match.state._replace(money=(200, 150))
    play_headless(match, [house("cookoff", "greedy"), Rich()])

    assert match.state.switch_used == (False, False)


# --- ways

ROOMS = """
#########
#.C.#...#
#...#..$#
#...#...#
#.......#
#########
"""
COUNTER, SHOP = (2, 4), (7, 3)


@pytest.fixture
def ways():
    plan = Plan(Rules(), parse_board(ROOMS).rows, 1, 1)
    return Ways(Map(Layout(plan), plan.pristine, Team.RED))


def test_a_tile_is_reachable_from_any_cell_around_it(ways):
    assert [ways.steps(cell, COUNTER) for cell in ((1, 3), (1, 2), (1, 1))] == [0, 1, 2]
    assert ways.steps((3, 4), SHOP) == 5
    assert ways.between(COUNTER, SHOP) == 4
    assert ways.steps((4, 3), SHOP) == FAR  # no bot stands in a wall


def test_a_step_goes_around_bots_in_the_way(ways):
    assert ways.step((2, 2), SHOP, ()) == (1, 0)
    assert ways.step((2, 2), SHOP, {(3, 2)}) == (1, -1)
    assert ways.step((3, 3), SHOP, {(3, 2)}) == (-1, -1)
    assert ways.step((3, 2), SHOP, {(4, 1)}) is None
    assert ways.step((6, 2), SHOP, ()) is None
