"""Zooscape as its competitors know it: what a bot is shown, what its answers mean, and the ways on
a board drawn by hand."""

from __future__ import annotations

import asyncio
import copy
import threading

import pytest

from client_sdk.api import zooscape as api
from client_sdk.api.zooscape import Action, Animal, Bot, CellContent, GameState, Me, PowerUpType
from client_sdk.api.zooscape_paths import UNREACHABLE, Grid
from client_sdk.bot import house, play_headless, start_of
from games import GAMES
from games.core.match import Match

# x   0123456
MAP = [
    "1111111",
    "1400041",  # 1
    "1010101",
    "0223220",  # 3: the border is open at both ends
    "1010101",
    "1450041",  # 5
    "1111111",
]
ANIMAL = {
    "seat": 0,
    "x": 3,
    "y": 3,
    "spawn_x": 1,
    "spawn_y": 1,
    "score": 198,
    "captured_count": 2,
    "distance_covered": 7,
    "is_viable": True,
    "held_power_up": "scavenger",
    "active_power_up": None,
}
JUICE = {"kind": "big_moose_juice", "ticks_remaining": 4, "value": 3}
OTHER = ANIMAL | {
    "seat": 1,
    "x": 6,
    "y": 3,
    "spawn_y": 5,
    "held_power_up": None,
    "active_power_up": JUICE,
}
KEEPER = {"id": 0, "name": "zk0", "x": 2, "y": 1, "spawn_x": 3, "spawn_y": 3}
OWN = {
    "seat": 0,
    "direction": "right",
    "streak_multiplier": 3.2,
    "ticks_on_spawn": 10,
    "power_ups_used": 1,
    "queue_length": 0,
    "events": ["no_item"],
}
VIEW = {
    "tick": 12,
    "max_ticks": 2000,
    "game_over": False,
    "map": MAP,
    "animals": [ANIMAL, OTHER],
    "zookeepers": [KEEPER],
    "you": OWN,
}


def shown(**changes):
    return GameState(VIEW | changes, Grid(MAP), ("ann", "bob"))


def standing(x, y, direction="idle", **changes):
    """A state in which one's own animal stands there."""
    return shown(
        animals=[ANIMAL | {"x": x, "y": y}, OTHER], you=OWN | {"direction": direction}, **changes
    )


class Answers(Bot):
    """Answers one thing after the other, then None; keeps what it was shown."""

    def __init__(self, *answers):
        self.answers = [*answers]
        self.states = []

    def on_state(self, state):
        self.states.append(state)
        return self.answers.pop(0) if self.answers else None


def begun(bot, **config):
    """The bot in a match of its own, and that match."""
    match = Match.begin(GAMES["zooscape"], {"seats": 1, "map_size": 9} | config, 1)
    bot.on_start(start_of(match, 0, ["me"]))
    return match


def decided(bot, **config):
    match = begun(bot, **config)
    return list(bot.decide(match.view(0)))


# --- what a state shows ---------------------------------------------------------------------------


def test_a_state_has_the_world_and_all_positions():
    state = shown()

    assert (
        state.tick,
        state.max_ticks,
        state.game_over,
        state.width,
        state.height,
        state.skipped,
    ) == (12, 2000, False, 7, 7, 0)
    assert [(one.id, one.name, one.position) for one in state.animals] == [
        (0, "ann", (3, 3)),
        (1, "bob", (6, 3)),
    ]
    assert [(one.id, one.name, one.position) for one in state.zookeepers] == [(0, "zk0", (2, 1))]


def test_me_is_ones_own_animal_with_private_fields():
    state = shown()

    assert state.me is state.animals[0]
    assert isinstance(state.me, Me)
    assert type(state.animals[1]) is Animal
    assert (
        state.me.direction,
        state.me.streak_multiplier,
        state.me.ticks_on_spawn,
        state.me.power_ups_used,
        state.me.queue_length,
        state.me.events,
    ) == (Action.RIGHT, 3.2, 10, 1, 0, ("no_item",))
    assert shown(you=OWN | {"direction": "idle"}).me.direction is None


@pytest.mark.parametrize("kind", [Action, CellContent, PowerUpType])
def test_the_contests_spelling_names_the_same_values(kind):
    for member in kind:
        spelled = "".join(word.capitalize() for word in member.name.split("_"))
        assert kind[spelled] is member


def test_power_ups_have_the_known_numbers():
    state = shown()
    active = state.animals[1].active_power_up

    assert state.me.held_power_up == PowerUpType.SCAVENGER
    assert (active.type, active.ticks_remaining, active.value) == (
        PowerUpType.BIG_MOOSE_JUICE,
        4,
        3,
    )
    assert [
        PowerUpType[name]
        for name in ("POWER_PELLET", "CHAMELEON_CLOAK", "SCAVENGER", "BIG_MOOSE_JUICE")
    ] == [0, 1, 2, 3]


def test_an_animal_on_its_spawn_is_in_its_cage():
    assert standing(1, 1).me.in_cage
    assert not shown().me.in_cage


def test_cells_are_listed_column_by_column():
    cells = shown().cells

    assert [(x, y) for x in range(7) for y in range(7)] == [(cell.x, cell.y) for cell in cells]
    assert cells[3] == (0, 3, CellContent.EMPTY)
    assert cells[shown().number(2, 5)] == shown().cell(2, 5) == (2, 5, CellContent.POWER_PELLET)


@pytest.mark.parametrize(("x", "y"), [(-1, 0), (7, 0), (0, 7), (0, -1)])
def test_a_cell_outside_the_board_raises(x, y):
    with pytest.raises(ValueError, match="expected a cell of a board of 7x7"):
        shown().content(x, y)


def test_walls_and_cages_are_not_open():
    state = shown()

    assert [state.is_open(*cell) for cell in ((0, 0), (1, 1), (2, 1), (3, 3))] == [
        False,
        False,
        True,
        True,
    ]


def test_the_contests_own_names_work_too():
    state = shown()
    bob = state.animals[1]

    assert (
        bob.nickname,
        bob.spawnX,
        bob.spawnY,
        bob.capturedCounter,
        bob.distanceCovered,
        bob.isViable,
        bob.heldPowerUp,
    ) == ("bob", 1, 5, 2, 7, True, None)
    assert (bob.activePowerUp.ticksRemaining, bob.activePowerUp.type) == (
        4,
        PowerUpType.BIG_MOOSE_JUICE,
    )
    assert state.zookeepers[0].nickname == "zk0"
    assert state.timeStamp > 0
    with pytest.raises(AttributeError, match="'Me' object has no attribute 'nick'"):
        _ = state.me.nick


# --- ways -----------------------------------------------------------------------------------------


def test_one_step_leads_to_adjacent_cells_and_over_an_open_border():
    assert shown().neighbours((6, 3)) == [(Action.LEFT, (5, 3)), (Action.RIGHT, (0, 3))]
    assert (shown().neighbours((5, 3))) == [
        (Action.UP, (5, 2)),
        (Action.DOWN, (5, 4)),
        (Action.LEFT, (4, 3)),
        (Action.RIGHT, (6, 3)),
    ]


def test_a_cage_can_be_left_but_not_entered():
    assert shown().neighbours((1, 1)) == [(Action.DOWN, (1, 2)), (Action.RIGHT, (2, 1))]
    assert (1, 1) not in [cell for _, cell in shown().neighbours((1, 2))]
    assert shown().distances()[shown().number(1, 1)] == UNREACHABLE


def test_a_path_leads_to_the_nearest_of_several_contents_or_positions():
    state = standing(3, 1)

    assert state.way_to([(4, 1), (2, 5)])[:3] == ((4, 1), 1, Action.RIGHT)
    assert state.way_to(CellContent.POWER_PELLET)[:3] == ((2, 5), 5, Action.DOWN)
    assert state.way_to([CellContent.PELLET, CellContent.POWER_PELLET]).target in state.find(
        CellContent.PELLET
    )
    assert state.way_to(CellContent.SCAVENGER) is None


def test_a_path_crosses_the_border_where_that_is_shorter():
    way = standing(6, 3).way_to([(1, 3)])

    assert way == ((1, 3), 2, Action.RIGHT, [(0, 3), (1, 3)])


def test_no_path_leads_through_avoided_cells():
    state = standing(6, 3)

    assert state.way_to([(1, 3)], avoid=[(0, 3)]).action == Action.LEFT
    assert state.way_to([(1, 3)], avoid=[(0, 3), (5, 3)]) is None
    assert state.way_to([(1, 3)], avoid=[(1, 3)]) is None


@pytest.mark.parametrize("direction", ["left", "right"])
def test_of_equally_near_goals_the_one_straight_ahead_is_chosen(direction):
    assert direction.upper() == standing(3, 3, direction).way_to(CellContent.PELLET).action.name


def test_on_the_target_there_is_no_next_step():
    assert shown().way_to([(3, 3)]) == ((3, 3), 0, None, [])


def test_distances_follow_shortest_paths():
    """And as long as the ways back, where no cage is an end of them."""
    state = shown()
    distances = state.distances((2, 1))

    for x in range(7):
        for y in range(7):
            way = state.way_to([(x, y)], start=(2, 1))
            assert distances[state.number(x, y)] == (UNREACHABLE if way is None else way.distance)
            if state.is_open(x, y):
                assert way.distance == state.distances((x, y))[state.number(2, 1)]


def test_distances_go_around_avoided_cells():
    state = standing(6, 3)
    distances = state.distances(avoid=[(0, 3)])

    assert tuple(distances[state.number(*cell)] for cell in ((0, 3), (5, 3), (6, 3))) == (
        UNREACHABLE,
        1,
        0,
    )
    assert distances[state.number(1, 3)] == 5


def test_near_zookeepers_cover_the_cells_within_straight_line_range():
    near = shown().near_zookeepers(2)

    assert near == {(x, y) for x in range(7) for y in range(7) if abs(x - 2) + abs(y - 1) <= 2}


def test_zookeepers_walk_around_walls_and_not_across_the_border():
    state = shown(zookeepers=[KEEPER | {"x": 1, "y": 3}])

    assert state.zookeeper_steps(1) == {(1, 3): 0, (0, 3): 1, (2, 3): 1, (1, 2): 1, (1, 4): 1}
    assert state.zookeeper_steps(99)[6, 3] == 5
    assert set(state.zookeeper_steps(99)) == {
        cell for cell in state.find(*CellContent) if state.is_open(*cell)
    }


# --- answers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [*Action])
def test_an_action_is_a_command(action):
    assert [{"action": action.name}] == decided(Answers(action))
    assert action == GAMES["zooscape"].parse({"action": action.name})


def test_none_sends_nothing():
    assert decided(Answers(None)) == []


def test_without_a_clock_none_is_sent_so_that_the_tick_does_not_wait():
    assert decided(Answers(None), tick_ms=0) == [{"action": "SKIP"}]
    assert decided(Answers(Action.UP), tick_ms=0) == [{"action": "UP"}]


@pytest.mark.parametrize("answer", ["UP", 0, 6, True, 1.0, [Action.UP]])
def test_an_invalid_answer_sends_nothing_and_warns(answer, caplog):
    assert decided(Answers(answer)) == []
    assert f"tick 0: expected an Action or None, got {answer!r}" in caplog.text


def test_an_exception_sends_nothing_and_shows_its_traceback(caplog):
    class Failing(Bot):
        def on_state(self, state):
            raise RuntimeError("out of ideas")

    assert decided(Failing()) == []
    assert "out of ideas" in caplog.text


def test_on_state_can_be_asynchronous_and_its_tasks_go_on():
    class Dreaming(Bot):
        def __init__(self):
            self.dreams = None

        async def on_state(self, state):
            if self.dreams is None:
                self.dreams = asyncio.create_task(asyncio.sleep(0, Action.LEFT))
                return None
            return await self.dreams

    bot = Dreaming()
    match = begun(bot)

    assert list(bot.decide(match.view(0))) == []
    assert list(bot.decide(match.view(0))) == [{"action": "LEFT"}]


def test_a_bot_learns_how_many_states_it_missed():
    bot = Answers()
    match = begun(bot)
    for tick in range(5):
        if tick in (0, 1, 4):
            list(bot.decide(match.view(0)))
        match.advance()

    assert [state.skipped for state in bot.states] == [0, 0, 2]


def test_prepare_gets_the_first_state_and_its_failure_costs_nothing_else(caplog):
    class Preparing(Answers):
        def prepare(self, state):
            self.prepared = state.tick, state.me.name
            raise RuntimeError("too early")

    bot = Preparing(Action.UP)

    assert decided(bot) == [{"action": "UP"}]
    assert bot.prepared == (0, "me")
    assert "too early" in caplog.text


class Wire:
    """A link as a server gives it: it keeps what is sent at once."""

    def __init__(self):
        self.sent = []

    def send_out_of_turn(self, commands):
        self.sent += commands
        return True


def test_on_a_server_commands_are_sent_at_once():
    class Sending(Answers):
        def on_state(self, state):
            self.send(Action.UP, Action.USE_ITEM)

    bot = Sending()
    bot.link = Wire()

    assert decided(bot, tick_ms=0) == []
    assert bot.link.sent == [{"action": "UP"}, {"action": "USE_ITEM"}]


def test_headless_commands_from_any_thread_go_with_the_next_answer():
    bot = Answers(Action.DOWN)
    match = begun(bot)
    thread = threading.Thread(target=bot.send, args=(Action.UP,))
    thread.start()
    thread.join()

    assert list(bot.decide(match.view(0))) == [{"action": "UP"}, {"action": "DOWN"}]
    assert list(bot.decide(match.view(0))) == []


def test_an_invalid_action_cannot_be_sent():
    bot = Answers()
    begun(bot)

    with pytest.raises(ValueError, match="expected an Action"):
        bot.send("UP")


def test_a_bot_without_a_known_method_is_refused(caplog):
    assert decided(Bot()) == []
    assert "Bot does not say what it does: define on_state" in caplog.text


def test_states_do_not_share_mutable_data():
    """A whole match in which a bot asks for everything leaves no view changed."""

    class Curious(Bot):
        def decide(self, view):
            before = copy.deepcopy(view)
            answer = list(super().decide(view))
            assert view == before
            return answer

        def on_state(self, state):
            assert len(state.cells) == state.width * state.height
            assert len(state.animals) == 4
            way = state.way_to(
                [CellContent.PELLET], avoid=state.near_zookeepers(2) - {state.me.position}
            )
            return way.action if way else None

    match = Match.begin(GAMES["zooscape"], {"map_size": 15, "max_ticks": 60}, 5)
    play_headless(match, [Curious(), *(house("zooscape", "wanderer") for _ in range(3))])

    assert match.outcome.seats[0].score > 0


def test_enums_have_the_known_numbers():
    assert api.BotAction is Action
    assert [Action[name] for name in ("UP", "DOWN", "LEFT", "RIGHT", "USE_ITEM")] == [1, 2, 3, 4, 5]
    assert [content.name for content in sorted(CellContent)] == [
        "EMPTY",
        "WALL",
        "PELLET",
        "ZOOKEEPER_SPAWN",
        "ANIMAL_SPAWN",
        "POWER_PELLET",
        "CHAMELEON_CLOAK",
        "SCAVENGER",
        "BIG_MOOSE_JUICE",
    ]
