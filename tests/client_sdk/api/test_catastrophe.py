"""Catastrophe's API: objects on a mirror of the match, calls with an immediate result, and the
server's results (RULES §10)."""

from __future__ import annotations

import json
import logging
import math
import operator
from types import SimpleNamespace

import pytest

from client_sdk.api import catastrophe_mirror
from client_sdk.api.catastrophe import AI
from client_sdk.bot import Bot, Start, house, play_headless, start_of
from client_sdk.wire.delta import diff, patch
from games import GAMES
from games.catastrophe.commands import apply, parse
from games.catastrophe.state import Tile as Ground
from games.catastrophe.view import loaded
from games.core.contract import Reply
from games.core.dice import Scripted, Seeded
from games.core.match import Match
from tests.games.catastrophe.table import (
    CAT,
    END,
    ENEMY_CAT,
    ENEMY_HUMAN,
    FIRST,
    HUMAN,
    stranger,
    structure,
    table,
    unit,
)

CATASTROPHE = GAMES["catastrophe"]
SHELTER, ENEMY_SHELTER = 1, 2


class Planned(AI):
    """Executes a prepared plan in each turn and records the callbacks."""

    def __init__(self, *turns):
        self.turns = list(turns)
        self.heard = []

    def run_turn(self):
        return self.turns.pop(0)(self) if self.turns else True

    def invalid(self, message):
        self.heard.append(message)

    def game_updated(self):
        self.heard.append(self.game.current_turn)

    def end(self, won, reason):
        self.heard.append((won, reason))


def match_of(state):
    return Match(CATASTROPHE, state.ground.rules, state, Seeded(1))


def seated(match, *turns, seat=0, bot=Planned):
    ai = bot(*turns)
    ai.on_start(start_of(match, seat, ("ann", "bob")))
    return ai


def turn(ai, match, seat=0):
    """One turn of it in this match; the commands that it gave."""
    commands = list(ai.decide(match.view(seat)))
    ai.on_results([match.apply(seat, command) for command in commands])
    return commands


def done(state, *turns, bot=Planned):
    """What a bot gave as commands in one turn, and what it has heard."""
    match = match_of(state)
    ai = seated(match, *turns, bot=bot)
    return turn(ai, match), ai


# --- the objects ----------------------------------------------------------------------------------


def test_the_game_has_the_competitors_names():
    ai = seated(match_of(table(config={"max_turns": 99, "turns_between_harvests": 7})))
    game = ai.game

    assert (
        game.map_width,
        game.map_height,
        len(game.tiles),
        game.max_turns,
        game.current_turn,
    ) == (12, 8, 96, 99, 2)
    assert [one.id for one in game.units] == [CAT, HUMAN, ENEMY_CAT, ENEMY_HUMAN]
    assert [one.id for one in game.structures] == [SHELTER, ENEMY_SHELTER]
    assert (game.harvest_cooldown, game.turns_between_harvests) == (7, 7)
    assert (game.cat_energy_mult, game.starving_energy_mult, game.monument_cost_mult) == (
        2.0,
        0.25,
        0.5,
    )
    assert (
        game.lower_harvest_amount,
        game.turns_to_lower_harvest,
        game.turns_to_create_human,
        game.starting_food,
    ) == (10, 60, 30, 50)
    assert (
        game.wall_materials,
        game.shelter_materials,
        game.monument_materials,
        game.neutral_materials,
    ) == (75, 50, 100, 200)
    assert (game.time_added_per_turn, game.session) == (1.0, "")
    assert game.current_player is ai.player is game.players[0]
    assert {"cat overlord", "soldier", "gatherer", "builder", "missionary", "fresh human"} == {
        job.title for job in game.jobs
    }


def test_players_know_their_units():
    ai = seated(match_of(table(unit("soldier", 5, 5, 1), stranger(5, 3))), seat=1)
    me, other = ai.player, ai.player.opponent

    assert (me.name, other.name) == ("bob", "ann")
    assert other.opponent is me
    assert [one.id for one in me.units] == [ENEMY_CAT, ENEMY_HUMAN, FIRST]
    assert [one.id for one in me.structures] == [ENEMY_SHELTER]
    assert (me.cat.id, me.food, me.upkeep) == (ENEMY_CAT, 50, 1)


def test_units_have_the_fields_of_the_state():
    walker = stranger(5, 3, turns_to_die=9, target=3 * 12 + 11)
    ai = seated(
        match_of(
            table(unit("soldier", 5, 5, energy=60.0, acted=True), unit("soldier", 6, 5), walker)
        )
    )
    soldier, mate, walks = (ai.game.units[place] for place in (4, 5, 6))

    assert (soldier.owner, soldier.job.title, soldier.energy, soldier.acted) == (
        ai.player,
        "soldier",
        60.0,
        True,
    )
    assert (soldier.tile.x, soldier.tile.y, soldier.moves, soldier.starving) == (5, 5, 3, False)
    assert (soldier.job.moves, soldier.job.action_cost, soldier.job.regen_rate) == (3, 25, 25)
    assert (soldier.job.carry_limit, soldier.job.upkeep) == (10, 3)
    assert [soldier, mate] == soldier.squad
    assert (walks.owner, walks.turns_to_die, walks.movement_target) == (
        None,
        9,
        ai.game.get_tile_at(11, 3),
    )
    assert (soldier.turns_to_die, soldier.movement_target, soldier.food, soldier.materials) == (
        -1,
        None,
        0,
        0,
    )


def test_tiles_know_their_neighbours_and_contents():
    lying = {(4, 1): Ground(61, 5, 2, 3)}
    ai = seated(match_of(table(tiles=lying)))
    corner, tile = ai.game.get_tile_at(0, 0), ai.game.get_tile_at(4, 1)

    assert (tile.harvest_rate, tile.turns_to_harvest, tile.food, tile.materials) == (61, 5, 2, 3)
    assert [
        (one.x, one.y) for one in (tile.tile_north, tile.tile_east, tile.tile_south, tile.tile_west)
    ] == [
        (4, 0),
        (5, 1),
        (4, 2),
        (3, 1),
    ]
    assert tile.get_neighbors() == [
        tile.tile_north,
        tile.tile_east,
        tile.tile_south,
        tile.tile_west,
    ]
    assert [corner.tile_north, corner.tile_west] == [None, None]
    assert corner.get_neighbors() == [corner.tile_east, corner.tile_south]
    assert corner.has_neighbor(corner.tile_east)
    assert not corner.has_neighbor(tile)
    assert not corner.has_neighbor(None)
    assert (corner.unit, corner.structure) == (ai.player.cat, ai.game.structures[0])
    assert [ai.game.get_tile_at(*place) for place in ((-1, 0), (12, 0), (0, 8))] == [None] * 3


def test_a_road_tile_has_one_road_object_that_is_in_no_list():
    ai = seated(match_of(table()))
    road = ai.game.get_tile_at(2, 3).structure

    assert (road.type, road.owner, road.materials, road.effect_radius) == ("road", None, 0, 0)
    assert ai.game.get_game_object(road.id) is road
    assert road is ai.game.get_tile_at(2, 3).structure
    assert road.tile is ai.game.get_tile_at(2, 3)
    assert 24 == len(ai.game.road_tiles) == len({id(tile.structure) for tile in ai.game.road_tiles})
    assert "road" not in {one.type for one in [*ai.game.structures, *ai.player.structures]}


def test_roads_are_listed_if_list_roads_is_set():
    ai = Planned()
    ai.list_roads = 1
    ai.on_start(start_of(match_of(table()), 0))

    assert len(ai.game.structures) == 2 + 24
    assert ai.get_setting("list_roads") == "1"
    assert ai.get_setting("nothing") is None
    assert "road" not in {one.type for one in ai.player.structures}


def test_a_tile_with_a_unit_or_a_blocking_structure_is_not_pathable():
    ai = seated(
        match_of(
            table(
                stranger(5, 3), structures=[structure("wall", 5, 5), structure("shelter", 6, 5, 1)]
            )
        )
    )

    asked = {"bare": (5, 6), "road": (4, 3), "shelter": (6, 5), "unit": (5, 3), "wall": (5, 5)}
    assert {"bare", "road", "shelter"} == {
        name for name, place in asked.items() if ai.game.get_tile_at(*place).is_pathable()
    }


def test_a_path_excludes_its_start_and_includes_its_goal():
    walls = [structure("wall", 1, y) for y in range(3)]
    ai = seated(match_of(table(structures=walls)))
    human, goal = ai.game.units[1].tile, ai.game.get_tile_at(2, 0)

    path = ai.find_path(human, goal)

    assert [(tile.x, tile.y) for tile in path] == [
        (0, 2),
        (0, 3),
        (1, 3),
        (2, 3),
        (2, 2),
        (2, 1),
        (2, 0),
    ]
    assert ai.find_path(human, human) == []
    assert [] == ai.find_path(None, goal) == ai.find_path(human, None)
    assert ai.find_path(human, [goal, ai.game.get_tile_at(0, 4)]) == [
        *path[:2],
        ai.game.get_tile_at(0, 4),
    ]


def test_the_goal_of_a_path_may_be_occupied_and_an_enclosed_one_has_no_path():
    ai = seated(match_of(table(structures=[structure("wall", 1, 1), structure("wall", 0, 2)])))
    human = ai.game.units[1].tile

    assert ai.find_path(human, ai.game.get_tile_at(1, 1)) == [ai.game.get_tile_at(1, 1)]
    assert ai.find_path(human, ai.game.get_tile_at(5, 5)) == []


def test_objects_persist_through_the_match_and_show_the_current_state():
    match = match_of(table())
    ai = seated(match)
    human = ai.game.units[1]
    ai.turns = [lambda ai: human.move(human.tile.tile_south)]
    turn(ai, match)

    assert ai.game.units[1] is human
    assert (human.tile, human.moves) == (ai.game.get_tile_at(0, 2), 3)
    ai.on_view(match.view(0))
    assert ai.game.current_turn == 3
    assert (ai.game.units[1], human.moves) == (human, 4)


def test_a_removed_object_keeps_its_last_values_but_has_no_tile():
    state = table(
        unit("soldier", 5, 5),
        stranger(6, 5, energy=10.0),
        structures=[structure("wall", 5, 6, 1, 20)],
    )
    match = match_of(state)

    def strike(ai):
        soldier, victim, wall = ai.game.units[4], ai.game.units[5], ai.game.structures[2]
        assert victim.energy == 10.0
        assert soldier.attack(victim.tile)
        assert (victim.tile, victim.owner, victim.squad, victim.job.title) == (
            None,
            None,
            [],
            "fresh human",
        )
        assert not victim.move(ai.game.get_tile_at(6, 6))
        assert ai.heard[-1].startswith("<Unit 9 fresh human>: move x 6, y 6: no_such_unit")
        assert (wall.tile, wall.materials) == (ai.game.get_tile_at(5, 6), 20)

    ai = seated(match, strike)
    wall = ai.game.structures[2]
    turn(ai, match)
    view = match.view(0)
    view["structures"] = [one for one in view["structures"] if one["id"] != wall.id]
    ai.on_view(view)

    assert (wall.tile, wall.materials, wall.type, wall.owner) == (
        None,
        0,
        "wall",
        ai.game.players[1],
    )


# --- the calls ------------------------------------------------------------------------------------

BUSY = (
    unit("soldier", 5, 5),
    unit("gatherer", 3, 1, food=4),
    unit("builder", 7, 1),
    unit("missionary", 5, 2),
    stranger(5, 3),
    unit("fresh human", 6, 5, 1),
)
LYING = {(3, 2): Ground(40), (8, 1): Ground(0, 0, 0, 60), (7, 2): Ground(0, 0, 3, 0)}


def everything(ai):
    soldier, gatherer, builder, missionary = ai.game.units[4:8]
    human, at = ai.game.units[1], ai.game.get_tile_at
    assert soldier.attack(at(6, 5))
    assert gatherer.harvest(at(3, 2))
    assert gatherer.food == 44
    assert gatherer.drop(at(2, 1), "food", 5)
    assert builder.construct(at(8, 1), "shelter")
    assert at(8, 1).structure is ai.player.structures[-1]
    assert builder.pickup(at(7, 2), "food")
    assert builder.move(at(7, 0))
    assert builder.tile is at(7, 0)
    assert missionary.convert(at(5, 3))
    assert at(5, 3).unit.owner is ai.player
    assert human.change_job(ai.game.jobs[2])
    assert human.job.title == "soldier"
    return True


def test_every_call_has_the_same_effect_locally_and_on_the_server():
    match = match_of(table(*BUSY, tiles=LYING))
    ai = seated(match, everything)
    commands = turn(ai, match)

    assert [command["cmd"] for command in commands] == [
        "attack",
        "harvest",
        "drop",
        "construct",
        "pickup",
        "move",
        "convert",
        "change_job",
        "end_turn",
    ]
    assert ai.heard == [2]
    assert match.turn == 3


def test_rest_and_deconstruct_have_the_same_effect_too():
    ruin = structure("neutral", 7, 2, None, 200)
    state = table(unit("builder", 7, 1), structures=[ruin], changed={HUMAN: {"energy": 30.0}})

    def work(ai):
        assert ai.game.units[1].rest()
        assert ai.game.units[4].deconstruct(ai.game.get_tile_at(7, 2))
        assert (
            ai.game.units[1].energy,
            ai.game.units[4].materials,
            ai.game.structures[2].materials,
        ) == (100.0, 75, 125)

    commands, _ = done(state, work)

    assert [command["cmd"] for command in commands] == ["rest", "deconstruct", "end_turn"]


def test_an_invalid_call_returns_false_gives_a_reason_and_is_not_sent():
    def wrong(ai):
        human, at = ai.game.units[1], ai.game.get_tile_at
        before = ai._mirror.state
        assert not human.move(at(5, 5))
        assert not human.move(None)
        assert not human.change_job("king")
        assert not ai.player.opponent.cat.rest()
        assert not human.drop(at(0, 2), "gold")
        assert ai._mirror.state is before

    commands, ai = done(table(), wrong)

    assert commands == [END]
    assert [message.split(": ")[2] for message in ai.heard[1:]] == [
        "not_adjacent",
        "bad_command",
        "unknown_job",
        "not_owner",
        "unknown_resource",
    ]
    assert ai.heard[1].startswith(
        "<Unit 4 fresh human>: move x 5, y 5: not_adjacent: x, y: expected a tile"
    )


def test_the_reason_is_printed_unless_the_bot_reads_it(caplog):
    class Silent(Planned):
        invalid = AI.invalid

    done(table(), lambda ai: ai.player.cat.rest(), bot=Silent)

    (record,) = caplog.records
    assert (
        record.levelno,
        record.getMessage().rpartition(":")[0],
    ) == (logging.WARNING, "turn 2: <Unit 3 cat overlord>: rest: energy_full")


def test_calls_outside_a_turn_do_nothing():
    match = match_of(table())
    ai = seated(match)
    human = ai.game.units[1]

    assert not human.move(human.tile.tile_south)
    assert ai.heard[-1].split(": ")[2] == "not_your_turn"
    assert turn(ai, match) == [END]


# --- a turn ---------------------------------------------------------------------------------------


def test_a_turn_goes_on_after_false_and_ends_after_any_other_value():
    def step(answer):
        def south(ai):
            ai.game.units[1].move(ai.game.units[1].tile.tile_south)
            return answer

        return south

    commands, ai = done(table(), step(False), step(False), step(None), step(True))

    assert [command["cmd"] for command in commands] == ["move", "move", "move", "end_turn"]
    assert len(ai.turns) == 1


@pytest.mark.parametrize("asks", [True, False], ids=["asks in vain", "does nothing"])
def test_a_bot_that_never_returns_true_still_ends_its_turn(asks, caplog):
    class Stuck(Planned):
        goes = 0

        def run_turn(self):
            self.goes += 1
            if asks:
                self.player.cat.rest()
            return False

    commands, ai = done(table(config={"max_commands_per_turn": 30}), bot=Stuck)

    assert commands == [END]
    assert 30 <= ai.goes <= 31
    assert [record.getMessage() for record in caplog.records] == [
        "turn 2: run_turn never says True; the turn ends here"
    ]


def test_a_bot_that_never_returns_true_stops_before_its_bank_is_empty(caplog):
    class Slow(Planned):
        goes = 0

        def run_turn(self):
            self.goes += 1
            self.game.clock._since -= 20.0
            return False

    commands, ai = done(table(), bot=Slow)

    assert (commands, ai.goes) == ([END], 3)
    assert ai.player.time_remaining < 1


def test_an_exception_ends_the_turn_and_keeps_earlier_commands(caplog):
    def fail(ai):
        ai.game.units[1].move(ai.game.units[1].tile.tile_south)
        raise ZeroDivisionError

    commands, _ = done(table(), fail)

    assert [command["cmd"] for command in commands] == ["move", "end_turn"]
    assert "the bot failed; its turn ends here" in caplog.text


def test_the_bank_runs_in_a_bots_own_turns_and_grows_with_each():
    match = match_of(table())
    ai = seated(match)
    assert ai.player.time_remaining == 60.0

    def think(ai):
        ai.game.clock._since -= 5.0
        assert 54.0 < ai.player.time_remaining <= 55.0

    ai.turns = [think]
    turn(ai, match)
    rested = ai.player.time_remaining
    ai.on_view(match.view(0))
    match.apply(1, END)
    ai.turns = [lambda ai: None]
    turn(ai, match)

    assert 54.0 < rested <= 55.0
    assert rested + 0.9 < ai.player.time_remaining <= rested + 1.0


def test_without_a_server_the_opponents_time_is_unknown():
    match = match_of(table())
    ai = seated(match)
    turn(ai, match)

    assert ai.player.opponent.time_remaining is None


def test_the_end_gives_winner_and_reason():
    match = Match.begin(CATASTROPHE, {"max_turns": 4}, 3)
    bots = [Planned(), Planned()]
    play_headless(match, bots, ("ann", "bob"))
    winner, reason = match.outcome.winner, match.outcome.reason

    for seat, ai in enumerate(bots):
        won = seat == winner
        assert ai.heard[-1] == (won, reason)
        assert (ai.player.won, ai.player.lost) == (won, not won)
        assert (ai.player.reason_won, ai.player.reason_lost) == (
            (reason, "") if won else ("", reason)
        )
        assert (ai.player.opponent.won, ai.player.opponent.lost) == (not won, won)


def test_updates_are_called_with_every_view():
    match = Match.begin(CATASTROPHE, {"max_turns": 4}, 3)
    bots = [Planned(), Planned()]
    play_headless(match, bots)

    for ai in bots:
        assert ai.heard[:-1] == [0, 1, 2, 3, 3]


def test_a_bot_has_its_own_name_or_that_of_its_file():
    class Named(AI):
        def get_name(self):
            return "mine"

    nameless = AI()
    assert (Named().name, nameless.name) == ("mine", "")
    nameless.name = "file"
    assert nameless.name == "file"


# --- the mirror -----------------------------------------------------------------------------------


def test_the_mirror_equals_the_match_for_all_house_bots():
    """Every result of whole matches is what the mirror made of the command; a difference would be
    an error in the log."""
    checked = 0

    class Careful(type(house("catastrophe", "greedy"))):
        def on_results(self, results):
            nonlocal checked
            checked += len(results)
            assert self._mirror.check(results)
            assert not self._mirror._sent

    for seed in range(2):
        match = Match.begin(CATASTROPHE, {"max_turns": 300}, seed)
        play_headless(match, [Careful(), Careful()])

    assert checked > 1000


def test_a_view_is_converted_to_the_state_that_it_shows():
    match = Match.begin(CATASTROPHE, {"max_turns": 200}, 4)
    seen = []

    def shown(match):
        state = loaded(match.rules, match.view(0))
        assert state == match.state
        assert repr(state) == repr(match.state)
        seen.append(match.turn)

    play_headless(
        match, [house("catastrophe", "greedy"), house("catastrophe", "gatherers")], shown=shown
    )
    assert len(seen) > 150


def test_a_spectator_that_applies_deltas_has_exactly_the_view():
    match = Match.begin(CATASTROPHE, {"max_turns": 200}, 4)
    held, sizes = match.view(None), []

    def shown(match):
        nonlocal held
        whole = match.view(None)
        change = diff(held, whole)
        held = patch(held, change)
        assert held == whole
        sizes.append(len(json.dumps(change)) / len(json.dumps(whole)))

    play_headless(
        match, [house("catastrophe", "greedy"), house("catastrophe", "gatherers")], shown=shown
    )
    assert sum(sizes) / len(sizes) < 0.2


def asked(state):
    """Everything that could be asked of any unit, sensible or not: all commands, at the tiles
    around it and far away."""
    for number, one in state.units.items():
        for place in (one.cell, *state.ground.near[one.cell], 0):
            x, y = state.ground.xy[place]
            at = {"unit": number, "x": x, "y": y}
            for cmd in ("move", "attack", "convert", "deconstruct", "harvest"):
                yield at | {"cmd": cmd}
            for kind in ("wall", "shelter"):
                yield at | {"cmd": "construct", "type": kind}
            for cmd in ("drop", "pickup"):
                yield at | {"cmd": cmd, "resource": "food"}
        yield {"cmd": "rest", "unit": number}
        yield {"cmd": "change_job", "unit": number, "job": "soldier"}


def test_a_state_from_a_view_answers_every_command_as_the_match_does():
    match = Match.begin(CATASTROPHE, {"max_turns": 180}, 4)
    codes = set()

    def shown(match):
        if match.outcome is not None or match.turn % 13:
            return
        read, seat = loaded(match.rules, match.view(0)), match.state.current_player
        for command in asked(match.state):
            here, there = (
                apply(state, seat, parse(command), Scripted()) for state in (match.state, read)
            )
            assert here == there
            codes.add(here[1].code)

    play_headless(
        match, [house("catastrophe", "greedy"), house("catastrophe", "gatherers")], shown=shown
    )
    assert {"ok", "not_owner", "not_enough_energy", "wrong_job", "tile_occupied"} <= codes


class Wire(SimpleNamespace):
    """A link to a server that the test plays."""

    def __init__(self, match, seat=0, **words):
        super().__init__(
            match=match,
            seat=seat,
            sent=[],
            results=[],
            looks=0,
            takes=True,
            banks=(30.0, 20.0),
            tamper=lambda reply: reply,
            **words,
        )

    def bank_s(self):
        return 30.0

    def banks_s(self):
        return self.banks

    def send_early(self, commands):
        if self.takes:
            self.sent.append(list(commands))
            self.results.append(
                [self.tamper(self.match.apply(self.seat, command)) for command in self.sent[-1]]
            )
        return self.takes

    def pending_results(self):
        results, self.results = self.results, []
        return results

    def fresh_view(self):
        self.looks += 1
        self.results = []
        return self.match.view(self.seat)


@pytest.fixture
def impatient(monkeypatch):
    """Every command goes out at once."""
    monkeypatch.setattr(catastrophe_mirror, "FRESH_S", -1.0)


@pytest.fixture
def patient(monkeypatch):
    """No command goes out because time has passed, however slow the machine is."""
    monkeypatch.setattr(catastrophe_mirror, "FRESH_S", math.inf)


def wired(*turns, state=None, bot=Planned):
    match = match_of(state or table())
    ai = seated(match, *turns, bot=bot)
    ai.link = Wire(match)
    return ai, match


def south(ai):
    human = ai.game.units[1]
    return human.move(human.tile.tile_south)


def test_commands_are_sent_while_the_bot_thinks_and_the_rest_with_the_end(impatient):
    def steps(ai):
        assert south(ai)
        assert south(ai)
        ai.link.takes = False
        assert south(ai)

    ai, match = wired(steps)
    commands = turn(ai, match)

    assert [len(frame) for frame in ai.link.sent] == [1, 1]
    assert [command["cmd"] for command in commands] == ["move", "end_turn"]
    assert (match.turn, ai.link.looks) == (3, 0)


def test_a_quick_turn_is_one_frame(patient):
    ai, match = wired(lambda ai: (south(ai), south(ai)))

    assert len(turn(ai, match)) == 3
    assert ai.link.sent == []


def test_many_commands_are_sent_without_delay(monkeypatch, patient):
    monkeypatch.setattr(catastrophe_mirror, "FULL", 2)
    ai, match = wired(lambda ai: (south(ai), south(ai), south(ai)))

    assert len(turn(ai, match)) == 2
    assert [len(frame) for frame in ai.link.sent] == [2]


@pytest.mark.parametrize(
    "wrong",
    [Reply("refused", "out_of_moves", "so it says"), Reply(changes={"units": {"4": {"y": 3}}})],
    ids=["refused", "another change"],
)
def test_a_result_that_differs_from_the_mirrors_is_logged_and_the_servers_view_counts(
    wrong, impatient, caplog
):
    def steps(ai):
        units = ai.link.match.state.units
        units[HUMAN] = units[HUMAN]._replace(food=7)  # only the server knows
        ai.link.tamper = lambda reply: wrong
        assert south(ai)
        ai.link.tamper = lambda reply: reply
        assert south(ai)

    ai, match = wired(steps)
    commands = list(ai.decide(match.view(0)))

    (record,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert (
        "the server and this bot's mirror differ about {'cmd': 'move', 'unit': 4, 'x': 0, 'y': 2}"
        in record.getMessage()
    )
    assert ai.link.looks == 1
    assert ai.game.units[1].food == 7
    assert commands[-1] == END


def test_commands_that_wait_for_a_new_view_are_sent_or_reported(caplog):
    """The second step waited to be sent; on the server's board there is a wall in its way."""

    def steps(ai):
        mirror = ai._mirror
        assert south(ai)
        mirror._sent_at = -1.0
        ai.link.results = [[Reply("refused", "nonsense")]]
        mirror._sent.append(({"cmd": "rest", "unit": CAT}, {}))
        ai.link.takes = False
        state = ai.link.match.state
        state.structures[99] = structure("wall", 0, 2, 1)
        state.built[state.structures[99].cell] = 99
        mirror.keep_pace()
        assert ai.game.units[1].tile is ai.game.get_tile_at(0, 1)

    ai, match = wired(steps)

    assert list(ai.decide(match.view(0))) == [END]
    assert "on the board as the server has it" in caplog.text
    assert "structure_blocks_move" in caplog.text


def test_without_a_view_the_turn_is_over(impatient, caplog):
    def steps(ai):
        ai.link.tamper = lambda reply: Reply("refused", "nonsense")
        ai.link.fresh_view = lambda: None
        assert south(ai)
        assert not south(ai)
        assert ai.heard[-1].split(": ")[2] == "not_your_turn"

    ai, match = wired(steps)

    assert list(ai.decide(match.view(0))) == []
    assert "this turn is over" in caplog.text


def test_the_last_results_of_a_turn_are_compared_too(caplog):
    ai, match = wired(south)
    list(ai.decide(match.view(0)))
    ai.on_results([Reply("refused", "not_adjacent"), Reply()])

    assert "differ about" in caplog.text


def test_a_servers_bank_reaches_the_bot():
    ai, match = wired(lambda ai: ai.heard.append(ai.player.time_remaining))
    turn(ai, match)

    assert 29.0 < ai.heard[-1] <= 30.0


def test_the_opponents_time_is_what_the_server_sent_with_the_newest_view():
    heard = []
    ai, match = wired(lambda ai: heard.append(ai.player.opponent.time_remaining))
    ai.game_updated = lambda: heard.append(ai.player.opponent.time_remaining)
    turn(ai, match)
    ai.link.banks = (29.0, 12.5)
    ai.on_view(match.view(0))
    ai.link.banks = (29.0, None)
    ai.on_view(match.view(0))

    assert heard == [20.0, 20.0, 12.5, None]


# --- without the idiom ----------------------------------------------------------------------------


class Plain(Bot):
    """JSON and nothing else: its first human walks to the road and back."""

    game = "catastrophe"

    def on_start(self, start: Start):
        self.seat = start.seat
        self.codes = []

    def decide(self, view):
        human = next(
            one
            for one in view["units"]
            if one["owner"] == self.seat and one["job"] != "cat overlord"
        )
        way = 1 if view["turn"] % 4 < 2 else -1
        return [{"cmd": "move", "unit": human["id"], "x": human["x"], "y": human["y"] + way}, END]

    def on_results(self, results):
        self.codes += [reply.code for reply in results]


def test_a_plain_json_bot_works():
    match = Match.begin(CATASTROPHE, {"max_turns": 40}, 2)
    plain = Plain()
    play_headless(match, [plain, house("catastrophe", "gatherers")])

    assert match.outcome.details["turns"] == 39
    assert plain.codes.count("ok") > 30


def test_every_object_has_an_id_of_its_own_and_is_found_by_it():
    game = seated(match_of(table())).game
    roads = [tile.structure for tile in game.road_tiles]
    objects = [*game.tiles, *roads, *game.units, *game.structures, *game.players, *game.jobs]

    assert len({one.id for one in objects}) == len(objects) == len(game.game_objects)
    assert all(game.get_game_object(one.id) is one is game.game_objects[one.id] for one in objects)
    assert game.get_game_object(99_999) is None
    assert {one.game_object_name for one in objects} == {
        "Tile",
        "Structure",
        "Unit",
        "Player",
        "Job",
    }


def test_a_log_stays_with_its_object():
    unit = seated(match_of(table())).player.cat

    assert unit.log("here") is None
    assert unit.logs == ["here"]
    assert unit.owner.logs == []


def test_kept_lists_show_what_a_call_has_changed():
    kept = {}

    def converts(ai):
        kept.update(own=ai.player.units, objects=ai.game.game_objects)
        before = [*kept["own"]]
        missionary, human = ai.game.units[-2:]
        assert missionary.convert(human.tile)
        assert kept["own"] == ai.player.units == [*before, human]
        assert (len(kept["own"]), human in kept["own"]) == (len(before) + 1, True)
        assert kept["objects"] is ai.game.game_objects
        return True

    done(table(unit("missionary", 5, 2), stranger(5, 3)), converts)

    assert kept


def test_a_loop_over_a_list_goes_through_what_it_held_at_first():
    rounds = []

    def converts(ai):
        missionary, human = ai.game.units[-2:]
        for one in ai.player.units:
            rounds.append(one)
            missionary.convert(human.tile)
        return True

    done(table(unit("missionary", 5, 2), stranger(5, 3)), converts)

    assert len(rounds) == 3


def test_a_list_that_the_bot_changes_is_its_own():
    def empties(ai):
        todo = ai.player.units
        while todo:
            one = todo.pop()
            one.move(one.tile.tile_east)
        assert len(ai.player.units) == 3
        return True

    done(table(unit("missionary", 5, 2)), empties)


def test_live_lists_add_up_to_plain_lists():
    game = seated(match_of(table())).game
    one, other = game.players

    assert one.units + other.units == [*game.units]
    assert operator.add([one.cat], other.units) == [one.cat, *other.units]
    assert sorted(game.units, key=lambda unit: -unit.id) == [*reversed(game.units)]
    assert type(game.units.copy()) is list


def test_a_player_has_a_client_type():
    ai = seated(match_of(table(*BUSY)), lambda ai: True)

    assert {player.client_type for player in ai.game.players} == {"Botarena"}


def test_the_jobs_are_in_the_contests_order():
    ai = seated(match_of(table(*BUSY)), lambda ai: True)

    assert [job.title for job in ai.game.jobs] == [
        "fresh human",
        "cat overlord",
        "soldier",
        "gatherer",
        "builder",
        "missionary",
    ]
