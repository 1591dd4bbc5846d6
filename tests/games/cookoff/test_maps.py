"""The maps of ours: what RULES §4 promises of each, and what a record of a match without a map
rests on."""

from __future__ import annotations

from hashlib import sha256

import pytest

from games.cookoff import GAME
from games.cookoff.board import check_upload, parse_board
from games.cookoff.rules import FOODS, KINDS, POOL, RED
from games.cookoff.state import Plan
from games.core import maps
from games.core.match import Match

NAMES = maps.names("cookoff")
STATIONS = {kind.name for kind in KINDS} - {"FLOOR", "WALL", "COUNTER"}


def plan_of(name: str) -> Plan:
    return Match.begin(GAME, {}, 0, maps.text("cookoff", name)).state.plan


def reached(plan: Plan, start: int) -> set[int]:
    """The cells to which a bot can walk."""
    cells, ends = {start}, [start]
    while ends:
        for near in plan.around(*plan.xy(ends.pop()), 1):
            if plan.walkable[near] and near not in cells:
                cells.add(near)
                ends.append(near)
    return cells


@pytest.mark.parametrize("name", NAMES)
def test_all_our_maps_can_be_uploaded_and_have_two_bots(name: str) -> None:
    read = parse_board(maps.text("cookoff", name))

    check_upload(read)
    assert len(read.spawns) == 2
    assert 10 <= read.width <= 20
    assert read.orders


@pytest.mark.parametrize("name", NAMES)
def test_every_bot_can_walk_everywhere_and_reach_every_station(name: str) -> None:
    state = Match.begin(GAME, {}, 0, maps.text("cookoff", name)).state
    plan, cells = state.plan, reached(state.plan, state.bots[0].cell)

    assert len(cells) == sum(plan.walkable)
    for cell, kind in enumerate(plan.kinds):
        if kind.name in STATIONS:
            assert cells & set(plan.around(*plan.xy(cell), 1)), (kind.name, plan.xy(cell))


@pytest.mark.parametrize("name", POOL)
def test_every_map_of_the_pool_has_all_stations(name: str) -> None:
    kinds = [kind.name for kind in plan_of(name).kinds]

    assert set(kinds) >= STATIONS
    assert kinds.count("COOKER") >= 2
    assert kinds.count("COUNTER") >= 2


@pytest.mark.parametrize("name", POOL)
def test_every_order_of_the_pool_pays_for_its_ingredients(name: str) -> None:
    for one in Match.begin(GAME, {}, 0, maps.text("cookoff", name)).state.orders[RED]:
        assert 1 <= len(one.required) <= 3
        assert one.reward >= sum(FOODS[food].cost for food in one.required)
        assert 0 <= one.penalty <= one.reward // 5 + 1
        assert 50 <= one.expires_turn - one.created_turn <= 100


def test_the_pool_depends_on_the_rules_version() -> None:
    """Who changes it changes what records without a map mean, and says so in `rules_version`."""
    digest = sha256("".join(maps.text("cookoff", name) for name in POOL).encode()).hexdigest()

    assert (GAME.rules_version, digest[:16]) == (1, "17533588e6acaa70")
