"""Deltas, merged by a strict client: after each step it holds what the match is."""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from client_sdk.gateway.cadre.deltas import LOGS, DeltaWriter, PlayerState
from client_sdk.gateway.cadre.objects import ObjectIds
from games.catastrophe import GAME
from games.catastrophe.commands import END_TURN, apply, parse
from games.catastrophe.rules import Rules
from games.catastrophe.state import State
from games.catastrophe.view import view
from games.core.contract import Json
from games.core.dice import Seeded
from tests.client_sdk.gateway.joueur import Model

RULES = Rules(map_width=12, map_height=8, starting_humans=6, turns_to_create_human=4)


COMMANDS = [
    *["move", "move", "move", "attack", "attack", "change_job", "construct", "convert"],
    *["deconstruct", "harvest", "rest", "drop", "pickup"],
]


class Followed:
    """A match, and a client that follows it."""

    def __init__(self, seed: int = 1) -> None:
        self.dice = Seeded(seed)
        self.state: State = GAME.setup(RULES, None, self.dice.at(0))
        self.ids = ObjectIds(self.state.ground)
        players = [PlayerState(name, "Python", 60_000_000_000) for name in ("a", "b")]
        self.writer = DeltaWriter(RULES, "cup", players, self.ids)
        self.model = Model()
        self.deltas: list[Any] = []
        self.steps = 0
        self.send()

    def send(self, *, between_turns: bool = True) -> Any:
        delta = self.writer.delta(self.state, between_turns=between_turns)
        self.deltas.append(delta)
        self.model.merge(json.loads(json.dumps(delta)))
        return delta

    def do(self, command: Json) -> str:
        self.steps += 1
        seat = self.state.current_player
        self.state, reply = apply(self.state, seat, parse(command), self.dice.at(self.steps))
        return reply.code

    def check(self, *, between_turns: bool) -> None:
        """The client holds what a viewer sees."""
        seen, game, objects = view(self.state, None), self.model.game, self.model.objects
        tile_at = {(x, y): self.ids.tile(cell) for cell, (x, y) in enumerate(self.state.ground.xy)}
        title = {id_: one["title"] for id_, one in objects.items() if "title" in one}
        assert game["currentTurn"] == seen["turn"]
        assert game["currentPlayer"] == str(seen["current_player"])
        for player in seen["players"]:
            known = objects[str(player["seat"])]
            assert (known["food"], known["upkeep"]) == (player["food"], player["upkeep"])
            assert known["cat"] == self.ids.thing(player["cat"])
        for unit in seen["units"]:
            known = objects[self.ids.thing(unit["id"])]
            for mine, theirs in (
                ("acted", "acted"),
                ("energy", "energy"),
                ("food", "food"),
                ("materials", "materials"),
                ("moves", "moves"),
                ("starving", "starving"),
                ("turns_to_die", "turnsToDie"),
            ):
                assert known[theirs] == unit[mine]
            assert known["tile"] == tile_at[unit["x"], unit["y"]]
            assert known["owner"] == (None if unit["owner"] is None else str(unit["owner"]))
            assert title[known["job"]] == unit["job"]
            assert known["squad"] == [*map(self.ids.thing, unit["squad"])]
            target = unit["movement_target"]
            assert known["movementTarget"] == (None if target is None else tile_at[*target])
        for built in seen["structures"]:
            known = objects[self.ids.thing(built["id"])]
            assert (known["type"], known["materials"]) == (built["type"], built["materials"])
            assert known["tile"] == tile_at[built["x"], built["y"]]
        units = {tile_at[one["x"], one["y"]]: self.ids.thing(one["id"]) for one in seen["units"]}
        structures = {
            tile_at[one["x"], one["y"]]: self.ids.thing(one["id"]) for one in seen["structures"]
        } | {self.ids.tile(cell): self.ids.road(cell) for cell in self.ids.roads}
        lying = {tile_at[one["x"], one["y"]]: one for one in seen["tiles"]}
        for id_ in game["tiles"]:
            tile, there = objects[id_], lying.get(id_, {})
            assert tile["unit"] == units.get(id_)
            assert tile["structure"] == structures.get(id_)
            assert tile["harvestRate"] == there.get("harvest_rate", 0)
            assert tile["turnsToHarvest"] == there.get("turns_to_harvest", 0)
            assert (tile["food"], tile["materials"]) == (
                there.get("food", 0),
                there.get("materials", 0),
            )
        gone = [
            one
            for one in objects.values()
            if one["gameObjectName"] in ("Unit", "Structure")
            and one["id"] not in {*units.values(), *structures.values()}
        ]
        assert all(one["tile"] is None for one in gone)
        if between_turns:
            self.check_lists(seen)

    def check_lists(self, seen: Any) -> None:
        game, objects = self.model.game, self.model.objects
        for name in ("units", "structures"):
            every = [self.ids.thing(one["id"]) for one in seen[name]]
            roads = [*map(self.ids.road, self.ids.roads)] if name == "structures" else []
            assert game[name] == roads + every
            for seat in (0, 1):
                own = [self.ids.thing(one["id"]) for one in seen[name] if one["owner"] == seat]
                assert objects[str(seat)][name] == own


def some_command(state: State, chance: random.Random) -> Json:
    """A command of the seat whose turn it is, often one that works."""
    own = [n for n, unit in state.units.items() if unit.owner == state.current_player]
    number = chance.choice(own)
    cell = chance.choice(state.ground.reach[state.units[number].cell])
    x, y = state.ground.xy[cell]
    name = chance.choice(COMMANDS)
    command = {"cmd": name, "unit": number, "x": x, "y": y}
    command["job"] = chance.choice(["soldier", "soldier", "builder", "gatherer", "missionary"])
    command["type"] = chance.choice(["wall", "shelter", "monument"])
    command["resource"] = chance.choice(["food", "materials"])
    return command


@given(st.integers(0, 2**32))
def test_after_each_step_the_client_holds_what_the_match_is(seed: int):
    chance, match = random.Random(seed), Followed(seed % 5)
    match.check(between_turns=True)
    for _ in range(5):
        for _ in range(8):
            if match.do(some_command(match.state, chance)) == "ok":
                match.send(between_turns=False)
                match.check(between_turns=False)
            else:
                assert match.writer.delta(match.state, between_turns=False) == {}
        match.do(END_TURN)
        match.send()
        match.check(between_turns=True)
        if match.state.result is not None:
            break


def test_the_lists_of_units_and_structures_change_between_turns_only():
    match = Followed()
    number = next(n for n, unit in match.state.units.items() if unit.owner == 0)
    unit = match.state.units[number]
    converted = {**match.state.units, number: unit._replace(owner=1)}
    match.state = match.state._replace(units=converted)
    delta = match.send(between_turns=False)
    assert delta == {"gameObjects": {match.ids.thing(number): {"owner": {"id": "1"}}}}
    delta = match.send()
    assert set(delta["gameObjects"]) == {"0", "1"}
    assert all(set(one) == {"units"} for one in delta["gameObjects"].values())


def test_a_list_has_its_length_and_only_what_has_changed():
    match = Followed()
    match.do(END_TURN)
    units = match.send()["units"]
    number = len(match.model.game["units"])
    assert units == {"&LEN": number, str(number - 1): {"id": match.model.game["units"][-1]}}


def test_a_new_object_has_all_fields_and_lists_with_their_length():
    match = Followed()
    match.do(END_TURN)
    delta = match.send()
    (new,) = [one for one in delta["gameObjects"].values() if "gameObjectName" in one]
    assert (new["gameObjectName"], new["id"]) == ("Unit", match.model.game["units"][-1])
    assert new["logs"] == {"&LEN": 0}
    assert new["squad"] == {"&LEN": 1, "0": {"id": new["id"]}}
    assert new["owner"] is None


def test_integral_values_are_written_without_a_point_and_others_as_they_are():
    match = Followed()
    number = next(iter(match.state.units))
    unit = match.state.units[number]._replace(energy=37.5)
    match.state = match.state._replace(units=match.state.units | {number: unit})
    assert json.dumps(match.deltas[0]).count("100.0") == 0
    assert '"energy": 37.5' in json.dumps(match.send(between_turns=False))


def test_a_logged_message_is_added_to_its_object_and_their_number_is_limited():
    match = Followed()
    match.writer.log("8", "one")
    assert match.send(between_turns=False) == {
        "gameObjects": {"8": {"logs": {"&LEN": 1, "0": "one"}}}
    }
    match.writer.log("8", "two")
    assert match.send(between_turns=False) == {
        "gameObjects": {"8": {"logs": {"&LEN": 2, "1": "two"}}}
    }
    for _ in range(LOGS):
        match.writer.log("9", "x")
    match.send()
    assert len(match.model.objects["9"]["logs"]) == LOGS - 2


def test_the_first_delta_has_roads_as_structures():
    match = Followed()
    roads = [one for one in match.model.objects.values() if one.get("type") == "road"]
    assert len(roads) == 24
    assert all(one["id"] in match.model.game["structures"] for one in roads)
    assert all((one["materials"], one["owner"]) == (0, None) for one in roads)
    assert all(match.model.objects[one["tile"]]["structure"] == one["id"] for one in roads)


def test_jobs_are_in_the_order_of_the_contest():
    match = Followed()
    titles = [match.model.objects[id_]["title"] for id_ in match.model.game["jobs"]]
    assert titles == ["fresh human", "cat overlord", "soldier", "gatherer", "builder", "missionary"]
