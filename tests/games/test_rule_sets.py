"""Every game has the rule sets `contest` and `document`; where they differ, both are tested."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from client_sdk.bot import house, play_headless
from client_sdk.bots import HOUSE
from games import GAMES
from games.catastrophe.board import parse_board
from games.catastrophe.generate import drawn
from games.catastrophe.generate import setup as catastrophe_setup
from games.catastrophe.state import Tile
from games.cookoff.rules import RULE_SETS as COOKOFF
from games.cookoff.state import Food, Plate
from games.core.contract import Json
from games.core.dice import Scripted, Seeded
from games.core.match import Match
from games.core.parameters import configure, parameters, schema
from games.core.rerun import verify
from games.zooscape.maze import RIGHT
from games.zooscape.rules import RULE_SETS as ZOOSCAPE
from tests.core.records import begun
from tests.games.botstack import table as botstack
from tests.games.catastrophe import table as catastrophe
from tests.games.catastrophe.test_maps import EXAMPLE
from tests.games.cookoff import scene as cookoff
from tests.games.zooscape import table as zooscape

DEFAULTS = {
    "botstack": "contest",
    "catastrophe": "contest",
    "cookoff": "seed",
    "pyrat": "contest",
    "zooscape": "seed",
}
every_game = pytest.mark.parametrize("name", list(DEFAULTS))
OLD_NAMES = {"cookoff": ("awap2026", "contest")}


def rules(name: str, **config: Json) -> Any:
    return configure(GAMES[name], config)


@every_game
def test_a_game_names_its_rule_sets_and_its_default(name: str) -> None:
    shape = schema(GAMES[name])["properties"]["rules"]

    assert {"contest", "document"} <= set(shape["enum"])
    assert shape["enum"] == list(GAMES[name].bundles["rules"])
    assert shape["default"] == DEFAULTS[name]
    assert GAMES[name].bundles["rules"][DEFAULTS[name]] == {}


@every_game
def test_a_rule_set_gives_its_values_and_a_key_beside_it_wins(name: str) -> None:
    known = parameters(GAMES[name].rules)
    for chosen, values in GAMES[name].bundles["rules"].items():
        given = rules(name, rules=chosen)
        for key, value in values.items():
            assert getattr(given, key) == value
            default = known[key].schema["default"]
            if default is not None:
                assert getattr(rules(name, rules=chosen, **{key: default}), key) == default


@pytest.mark.parametrize(("name", "names"), OLD_NAMES.items())
def test_old_names_of_rule_sets_stay_valid(name: str, names: tuple[str, str]) -> None:
    old, new = names
    assert replace(rules(name, rules=old), rules=new) == rules(name, rules=new)


@every_game
@pytest.mark.parametrize("chosen", ["contest", "document"])
def test_house_bots_play_each_rule_set_to_its_end(name: str, chosen: str) -> None:
    config = {**GAMES[name].short, "rules": chosen}
    match, written = begun(GAMES[name], config, 7)
    bots = list(HOUSE[name])
    play_headless(match, [house(name, bots[seat % len(bots)]) for seat in range(match.seats)])

    assert match.outcome is not None
    assert verify("".join(written), GAMES).kind == "ok"


# --- BotStack -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chosen", "windows"), [("contest", [False, False]), ("document", [False, True])]
)
def test_in_botstack_an_answer_closes_no_window_by_the_document(
    chosen: str, windows: list[bool]
) -> None:
    asked = botstack.table(
        "LBBL", phase="abstain_request", windows=(True, True), config={"rules": chosen}
    )
    state = botstack.after(botstack.after(asked, botstack.YES), botstack.NO)

    assert [player.can_abstain for player in state.players] == windows


# --- Catastrophe ----------------------------------------------------------------------------------


def humans(chosen: str, turn: int) -> set[int]:
    """The cells of the neutral humans that the end of this turn brings."""
    state = catastrophe.after(
        catastrophe.table(turn=turn, config={"rules": chosen}), catastrophe.END
    )
    return {unit.cell for unit in state.units.values() if unit.owner is None}


def test_in_catastrophe_the_document_brings_both_humans_in_one_turn_from_turn_30() -> None:
    west, east = catastrophe.cell(0, 3), catastrophe.cell(11, 4)

    assert [humans("contest", turn) for turn in (0, 1, 30, 31)] == [{west}, {east}, {west}, {east}]
    assert [humans("document", turn) for turn in (0, 1, 30, 31)] == [
        set(),
        set(),
        {west, east},
        set(),
    ]


@pytest.mark.parametrize(
    ("chosen", "rates"), [("contest", [40, 50, 40]), ("document", [50, 50, 40])]
)
def test_in_catastrophe_harvest_rates_first_fall_at_turn_60_by_the_document(
    chosen: str, rates: list[int]
) -> None:
    def rate(turn: int) -> int:
        tiles = {(5, 1): Tile(harvest_rate=50)}
        state = catastrophe.table(turn=turn, tiles=tiles, config={"rules": chosen})
        return catastrophe.lies(catastrophe.after(state, catastrophe.END), 5, 1).harvest_rate

    assert [rate(turn) for turn in (0, 59, 60)] == rates


def test_in_catastrophe_a_defeated_neutral_human_starts_again_by_the_document() -> None:
    def fought(chosen: str) -> Any:
        state = catastrophe.table(
            catastrophe.unit("soldier", 4, 1),
            catastrophe.stranger(5, 1, energy=25.0, food=4),
            config={"rules": chosen},
        )
        return catastrophe.after(state, catastrophe.command("attack", 7, 5, 1))

    assert 8 not in fought("contest").units
    state = fought("document")
    assert (state.units[8].energy, state.units[8].food, state.units[8].owner) == (100.0, 0, None)
    assert catastrophe.lies(state, 5, 1) == Tile(food=4)


@pytest.mark.parametrize(("chosen", "reply"), [("contest", "ok"), ("document", "not_adjacent")])
def test_in_catastrophe_the_own_tile_is_not_adjacent_by_the_document(
    chosen: str, reply: str
) -> None:
    state = catastrophe.table(
        catastrophe.unit("gatherer", 5, 1), tiles={(5, 1): Tile(food=5)}, config={"rules": chosen}
    )
    pickup = catastrophe.command("pickup", 7, 5, 1, resource="food")

    assert catastrophe.code(state, pickup) == reply


@pytest.mark.parametrize(
    ("chosen", "foods"),
    [("contest", [(50, 50), (50, 50), (49, 50)]), ("document", [(99, 100), (99, 99), (98, 99)])],
)
def test_in_catastrophe_upkeep_is_due_in_the_first_turns_too_by_the_document(
    chosen: str, foods: list[tuple[int, int]]
) -> None:
    board = parse_board(json.dumps(EXAMPLE))
    state = catastrophe_setup(rules("catastrophe", rules=chosen), board, Scripted())
    found = [state.food]
    for _ in range(2):
        state = catastrophe.after(state, catastrophe.END)
        found.append(state.food)

    assert found == foods


def test_in_catastrophe_overlords_start_in_any_row_off_the_road_by_the_document() -> None:
    def rows(chosen: str) -> set[int]:
        given = rules("catastrophe", rules=chosen, map_width=12, map_height=16)
        boards = (
            Seeded(seed).at(0).draw("map", lambda stream: drawn(given, stream))
            for seed in range(60)
        )
        return {board.units[0].y for board in boards}

    assert not rows("contest") & set(range(3, 13))
    assert rows("document") & set(range(3, 13))
    assert not rows("document") & {7, 8}


# --- Cookoff --------------------------------------------------------------------------------------

DIRTY = Plate(dirty=True)


def submitted(chosen: str) -> Any:
    state = cookoff.scene(
        cookoff.bot(4, 3, Plate(False, (Food("NOODLES"),))),
        orders=[cookoff.order("NOODLES", start=5, end=8)],
        turn=5,
        rules=chosen,
    )
    return cookoff.done(state, "submit", target=cookoff.SUBMIT)


def test_in_cookoff_the_plate_of_an_order_stays_in_the_hand_by_the_document() -> None:
    assert cookoff.hand(submitted("seed")) is None
    assert cookoff.tile(submitted("seed"), cookoff.SINK).amount == 1

    state = submitted("document")
    assert cookoff.hand(state) == DIRTY
    assert cookoff.tile(state, cookoff.SINK).amount == 0
    assert state.money == submitted("seed").money
    carried = cookoff.scene(cookoff.bot(4, 2, DIRTY), rules="document")
    washed = cookoff.done(carried, "put_dirty_plate_in_sink", target=cookoff.SINK)
    assert cookoff.hand(washed) is None
    assert cookoff.tile(washed, cookoff.SINK).amount == 1


@pytest.mark.parametrize(("chosen", "last"), [("seed", 349), ("document", 350)])
def test_in_cookoff_the_switch_window_lasts_through_turn_350_by_the_document(
    chosen: str, last: int
) -> None:
    def answer(turn: int) -> str:
        state = cookoff.scene(cookoff.bot(2, 3), turn=turn, rules=chosen)
        return str(cookoff.tried(state, "can_switch_maps", None)[1])

    assert [answer(turn) for turn in (249, 250, last, last + 1)] == ["no", "ok", "ok", "no"]


def test_in_cookoff_each_team_has_two_bots_by_the_document() -> None:
    assert COOKOFF["document"]["bots_per_team"] == 2
    for seed in range(3):
        match = Match.begin(GAMES["cookoff"], {"rules": "document"}, seed)
        assert len(match.state.bots) == 4


# --- Zooscape -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edge", "direction", "opposite"),
    [
        ((0, 1), "left", (2, 1)),
        ((2, 1), "right", (0, 1)),
        ((1, 0), "up", (1, 2)),
        ((1, 2), "down", (1, 0)),
    ],
)
def test_in_zooscape_an_animal_stops_at_the_edge_by_the_document(
    edge: tuple[int, int], direction: str, opposite: tuple[int, int]
) -> None:
    for chosen, place in (("seed", opposite), ("document", edge)):
        animal = {"at": edge, "cage": (0, 0), "is_viable": True}
        state = zooscape.table("401", "000", "101", animals=(animal,), rules=chosen)
        assert zooscape.at(zooscape.tick(zooscape.sent(state, direction))) == place


@pytest.mark.parametrize("size", [15, 51])
def test_a_drawn_board_of_zooscape_has_no_portals_by_the_document(size: int) -> None:
    match = Match.begin(GAMES["zooscape"], {"rules": "document", "map_size": size}, 3)
    board = match.view(None)["map"]

    edge = {*board[0], *board[-1], *(row[0] for row in board), *(row[-1] for row in board)}
    assert edge == {"1"}


def meeting(chosen: str, *, passes: bool) -> Any:
    """An animal steps onto a zookeeper that is after it, or `passes` it after another one."""
    animals = (
        {"at": (3, 0), "cage": (0, 0), "direction": RIGHT, "is_viable": True},
        {"at": (1, 0), "cage": (0, 0), "is_viable": True},
    )
    keeper = {"at": (4, 0), "target": 1 if passes else 0}
    state = zooscape.table("4000000", animals=animals, zookeepers=(keeper,), tick=1, rules=chosen)
    return zooscape.tick(zooscape.sent(state, "right"))


def test_in_zooscape_captures_are_at_the_end_of_the_tick_alone_by_the_document() -> None:
    def captures(chosen: str, *, passes: bool) -> int:
        return int(meeting(chosen, passes=passes).animals[0].captured_count)

    assert [captures("seed", passes=passes) for passes in (True, False)] == [1, 1]
    assert [captures("document", passes=passes) for passes in (True, False)] == [0, 1]
    passed = meeting("document", passes=True)
    assert (zooscape.at(passed), zooscape.keeper_at(passed)) == ((4, 0), (3, 0))


def test_in_zooscape_zookeepers_look_for_a_target_every_20_ticks_of_the_game() -> None:
    def looking(chosen: str, tick: int) -> int | None:
        animals = (
            {"at": (2, 0), "cage": (0, 0), "is_viable": True},
            {"at": (11, 0), "cage": (0, 0), "is_viable": True},
        )
        state = zooscape.table(
            "4000000000004",
            animals=animals,
            zookeepers=({"at": (9, 0), "target": 0},),
            rules=chosen,
            tick=tick,
        )
        return zooscape.tick(state).zookeepers[0].target

    assert [looking("seed", tick) for tick in (19, 20, 21)] == [0, 0, 0]
    assert [looking("document", tick) for tick in (19, 20, 21)] == [0, 1, 0]


def test_release_2025_0_of_zooscape_has_no_power_ups_streaks_or_respawn_and_one_zookeeper() -> None:
    given = rules("zooscape", rules="2025.0")
    assert (given.power_up_spawning, given.zookeepers_max) == (False, 1)
    assert ZOOSCAPE["document"].items() <= ZOOSCAPE["2025.0"].items()

    animal = {"at": (1, 0), "cage": (0, 0), "direction": RIGHT, "is_viable": True}
    state = zooscape.table("4022222", animals=(animal,), rules="2025.0")
    state = zooscape.tick(zooscape.tick(zooscape.sent(state, "right")))
    assert state.animals[0].score == 2 * 64
    assert state.animals[0].streak_multiplier == 1.0
    assert state.respawns == ()
