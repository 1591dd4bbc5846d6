"""RULES §7: what is seen, what a command has changed, and a moment read back from what is seen of
it."""

from __future__ import annotations

import json

import pytest

from games.catastrophe import GAME
from games.catastrophe.state import Tile
from games.catastrophe.view import CONSTANT_FIELDS, loaded
from games.core.journal import fingerprint
from games.core.match import Match
from tests.games.catastrophe.players import CONFIGS, played
from tests.games.catastrophe.table import (
    CAT,
    END,
    FIRST,
    HUMAN,
    applied,
    command,
    rules,
    stranger,
    structure,
    table,
    unit,
)


def test_every_viewer_sees_everything():
    state = table(
        stranger(5, 3, turns_to_die=4, target=71),
        tiles={(6, 1): Tile(61, 2, 3, 4), (2, 0): Tile(food=1)},
    )

    seen = GAME.view(state, 0)
    assert seen == GAME.view(state, 1) == GAME.view(state, None)
    assert seen["units"][-1] == {
        "id": FIRST,
        "owner": None,
        "job": "fresh human",
        "x": 5,
        "y": 3,
        "energy": 100.0,
        "moves": 4,
        "acted": False,
        "food": 0,
        "materials": 0,
        "starving": False,
        "turns_to_die": 4,
        "movement_target": [11, 5],
        "squad": [FIRST],
    }
    assert seen["structures"][0] == {
        "id": 1,
        "type": "shelter",
        "owner": 0,
        "x": 0,
        "y": 0,
        "materials": 50,
        "effect_radius": 1,
    }
    assert seen["tiles"] == [
        {"x": 2, "y": 0, "harvest_rate": 0, "turns_to_harvest": 0, "food": 1, "materials": 0},
        {"x": 6, "y": 1, "harvest_rate": 61, "turns_to_harvest": 2, "food": 3, "materials": 4},
    ]
    assert seen["players"][1] == {"seat": 1, "food": 50, "upkeep": 1, "cat": 5}


def test_the_view_contains_the_games_numbers():
    seen = GAME.view(table(config={"wall_materials": 9, "monument_radius": 5}), 0)

    assert seen["map"] == {"width": 12, "height": 8, "road_rows": [3, 4]}
    assert seen["structure_types"]["wall"] == {"materials": 9, "effect_radius": 0}
    assert seen["structure_types"]["monument"] == {"materials": 100, "effect_radius": 5}
    assert (
        set(CONSTANT_FIELDS)
        == set(GAME.constant_fields)
        == set(GAME.start_only(rules()))
        <= set(seen)
    )


def test_jobs_and_structures_have_the_numbers_of_the_rules():
    seen = GAME.view(table(), 0)
    names = ("moves", "action_cost", "regen_rate", "carry_limit", "upkeep")

    assert {job: tuple(row[name] for name in names) for job, row in seen["jobs"].items()} == {
        "cat overlord": (2, 75, 10, 10, 0),
        "soldier": (3, 25, 25, 10, 3),
        "gatherer": (4, 75, 50, 100, 1),
        "builder": (4, 75, 50, 75, 2),
        "missionary": (4, 75, 50, 10, 2),
        "fresh human": (4, 0, 50, 10, 1),
    }
    assert {kind: tuple(row.values()) for kind, row in seen["structure_types"].items()} == {
        "wall": (75, 0),
        "shelter": (50, 1),
        "monument": (100, 3),
        "neutral": (200, 0),
    }


def changes(state, raw):
    _, reply = applied(state, raw)
    assert reply.ok, reply.code
    return reply.changes


def test_a_command_reports_exactly_its_changes():
    state = table(unit("builder", 5, 1), stranger(4, 1), tiles={(6, 1): Tile(61, materials=120)})

    assert changes(state, command("move", HUMAN, 1, 1)) == {"units": {"4": {"moves": 3, "x": 1}}}
    assert changes(state, command("construct", FIRST, 6, 1, type="monument")) == {
        "next_id": FIRST + 3,
        "units": {"7": {"energy": 62.5, "acted": True}},
        "new_structures": [
            {
                "id": 9,
                "type": "monument",
                "owner": 0,
                "x": 6,
                "y": 1,
                "materials": 100,
                "effect_radius": 3,
            }
        ],
        "tiles": [{"x": 6, "y": 1, "harvest_rate": 0, "materials": 20}],
    }
    assert changes(state, command("drop", FIRST, 6, 1, resource="food")) == {}


def test_a_removed_object_is_reported_by_its_id():
    state = table(
        unit("soldier", 5, 1),
        stranger(4, 1, energy=1.0),
        structures=[structure("wall", 6, 1, 1, 20)],
    )

    assert changes(state, command("attack", 8, 6, 1)) == {
        "removed_structures": [7],
        "units": {"8": {"energy": 75.0, "acted": True, "moves": 0}},
    }
    assert changes(state, command("attack", 8, 4, 1))["removed_units"] == [9]


def test_a_change_of_squads_is_reported_for_all_their_members_and_neighbours():
    state = table(
        unit("soldier", 4, 1),
        unit("soldier", 5, 1),
        unit("builder", 5, 2),
        unit("soldier", 5, 0, 1),
    )

    assert changes(state, command("move", 7, 3, 1))["units"] == {
        "7": {"moves": 2, "x": 3, "squad": [7]},
        "8": {"squad": [8]},
        "9": {"squad": [8, 9]},
    }


def test_the_end_of_a_turn_announces_the_next_one():
    found = changes(table(turn=30, config={"max_turns": 40}), END)

    assert (found["turn"], found["current_player"], found["players"]) == (
        31,
        1,
        {"1": {"food": 49}},
    )
    assert found["new_units"][0]["id"] == FIRST
    assert "result" not in found


def test_the_end_of_the_match_is_announced():
    assert changes(table(changed={CAT: {"energy": 0.0}}), END)["result"] == {
        "winner": 1,
        "reason": "cat_defeated",
        "via": None,
    }


def test_the_changes_of_a_unit_and_a_tile_have_an_order() -> None:
    """A frame has the same bytes in every version; `x` and `y` of a unit come late."""
    tiles = {(6, 0): Tile(61, 2, food=1)}
    state = table(unit("gatherer", 6, 1, moves=1, acted=True), tiles=tiles)
    moved = changes(state, command("move", FIRST, 6, 0))["units"][str(FIRST)]
    picked = changes(state, command("pickup", FIRST, 6, 0, resource="food", amount=1))

    assert [*moved] == ["moves", "y"]
    assert [*picked["units"][str(FIRST)]] == ["energy", "food"]
    assert [*picked["tiles"][0]] == ["x", "y", "food"]


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_changes_are_the_whole_difference_of_two_views(config):
    """Applied to a copy of the view they lead to the next view, and none of them says what was so
    before."""
    compared = 0
    for before, raw, reply, following in played(config, seed=3, turns=60):
        if raw is not None and reply.ok:
            assert kept(GAME.view(following, None)) == changed(
                kept(GAME.view(before, None)), json.loads(json.dumps(reply.changes))
            )
            compared += 1
    assert compared > 100


def kept(seen):
    lists = {"players": "seat", "units": "id", "structures": "id"}
    by_id = {name: {str(one[key]): one for one in seen[name]} for name, key in lists.items()}
    tiles = {(tile["x"], tile["y"]): tile for tile in seen["tiles"]}
    return (
        {key: seen[key] for key in ("turn", "current_player", "next_id", "result")}
        | by_id
        | {"tiles": tiles}
    )


def changed(seen, changes):
    changes = dict(changes)
    for name in ("players", "units", "structures"):
        for number, fields in changes.pop(name, {}).items():
            assert fields
            assert all(seen[name][number][field] != value for field, value in fields.items()), (
                name,
                number,
                fields,
            )
            seen[name][number] |= fields
        for one in changes.pop(f"new_{name}", ()):
            seen[name][str(one["id"])] = one
        for number in changes.pop(f"removed_{name}", ()):
            del seen[name][str(number)]
    bare = {"harvest_rate": 0, "turns_to_harvest": 0, "food": 0, "materials": 0}
    for fields in changes.pop("tiles", ()):
        place = (fields["x"], fields["y"])
        tile = bare | seen["tiles"].get(place, {}) | fields
        seen["tiles"][place] = tile
        if not any(tile[name] for name in bare):
            del seen["tiles"][place]
    assert all(seen[key] != value for key, value in changes.items())
    return seen | changes


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_a_state_read_from_its_view_plays_on_alike(config):
    for _, _, _, state in played(config, seed=5, turns=20):
        if state.commands == 0:
            again = loaded(state.ground.rules, json.loads(json.dumps(GAME.view(state, None))))
            assert again == state
            assert fingerprint(again) == fingerprint(state)


def test_the_text_of_a_state_leaves_out_constants_and_derived_values():
    state = Match.begin(GAME, {}, 1).state

    assert "Rules" not in repr(state)
    assert repr(state) == repr(state._replace(at={}, built={}, squads={}))
    assert repr(state) != repr(state._replace(commands=1))


def test_the_order_in_which_tiles_changed_does_not_matter():
    state = table(tiles={(1, 1): Tile(food=1), (2, 1): Tile(food=2)})

    assert repr(state) == repr(state._replace(tiles=dict(reversed(state.tiles.items()))))


def test_views_are_small():
    """A default map in its first turn, with the tables and without them."""
    seen = Match.begin(GAME, {}, 1).view(0)
    size = len(
        json.dumps(
            {key: value for key, value in seen.items() if key not in CONSTANT_FIELDS},
            separators=(",", ":"),
        )
    )

    assert 3_000 < size < 8_000


def test_the_random_player_of_these_tests_uses_every_command():
    done = {
        raw["cmd"]
        for config in CONFIGS
        for _, raw, reply, _ in played(config, seed=3, turns=60)
        if raw is not None and reply.ok
    }

    assert {
        "move",
        "attack",
        "change_job",
        "construct",
        "convert",
        "deconstruct",
        "harvest",
        "rest",
        "drop",
        "pickup",
        "end_turn",
    } == done
