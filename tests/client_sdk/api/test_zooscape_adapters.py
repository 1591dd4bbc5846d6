"""Zooscape bots of the contest (RULES §10): what a BotService gets and what its answers mean."""

from __future__ import annotations

import sys
import uuid
from dataclasses import dataclass
from enum import Enum, IntEnum

import pytest

from client_sdk.api.zooscape import Action, BotCommand
from client_sdk.api.zooscape_adapters import OfService
from client_sdk.bot import house, load, play_headless, start_of
from client_sdk.errors import BadBot
from games import GAMES
from games.core.match import Match
from tests.client_sdk.files import ZOOSCAPE_SERVICE


class Number(IntEnum):
    LEFT = 3


class Plain(Enum):
    LEFT = 3


@dataclass
class Holder:
    Action: object


def service(answer):
    class Mine:
        def process_state(self, game_state):
            return answer

    return OfService(Mine)


def decided(bot, seat=1, **config):
    match = Match.begin(GAMES["zooscape"], {"seats": 2, "map_size": 9} | config, 1)
    bot.on_start(start_of(match, seat, ["one", "two"]))
    return list(bot.decide(match.view(seat)))


@pytest.fixture
def written(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])

    def write(text):
        path = tmp_path / "mybot.py"
        path.write_text(text)
        return path

    return write


@pytest.mark.parametrize(
    "answer",
    [
        BotCommand(Action.LEFT),
        BotCommand(3),
        BotCommand(Number.LEFT),
        Holder(Plain.LEFT),
        {"action": 3},
        {"Action": 3},
        {"Action": "Left"},
        {"action": "left"},
        Action.LEFT,
        Number.LEFT,
        Plain.LEFT,
        3,
        "left",
        "LEFT",
    ],
    ids=repr,
)
def test_an_action_is_a_number_or_a_name_with_or_without_a_command_around_it(answer):
    assert decided(service(answer)) == [{"action": "LEFT"}]


@pytest.mark.parametrize("name", ["use_item", "UseItem", "USE_ITEM"])
def test_using_an_item_has_several_spellings(name):
    assert decided(service(BotCommand(name))) == [{"action": "USE_ITEM"}]


@pytest.mark.parametrize("answer", [None, BotCommand(None)], ids=repr)
def test_none_sends_nothing_and_skips_without_a_clock(answer, caplog):
    assert decided(service(answer)) == []
    assert decided(service(answer), tick_ms=0) == [{"action": "SKIP"}]
    assert caplog.records == []


@pytest.mark.parametrize("answer", [BotCommand(0), BotCommand(6), "north", {}, [3]], ids=repr)
def test_an_invalid_answer_sends_nothing_and_warns(answer, caplog):
    assert decided(service(answer)) == []
    assert "expected an Action or None" in caplog.text


@pytest.mark.parametrize("spelling", ["set_bot_id", "SetBotId", "setBotId"])
def test_a_bots_id_is_a_guid_and_that_of_its_own_animal(spelling):
    bot_ids, seen = [], []

    class Mine:
        def ProcessState(self, state):  # noqa: N802
            seen.append(state)

    setattr(Mine, spelling, lambda self, bot_id: bot_ids.append(bot_id))
    decided(OfService(Mine))

    (bot_id,), (state,) = bot_ids, seen
    assert str(uuid.UUID(bot_id)) == bot_id
    assert [animal.id == bot_id for animal in state.animals] == [False, True]
    assert state.me.id == bot_id
    assert len({one.id for one in (*state.animals, *state.zookeepers)}) == 3


@pytest.mark.parametrize("attribute", ["bot_id", "BotId"])
def test_an_attribute_for_the_id_is_set_where_no_method_does(attribute):
    class Mine:
        def process_state(self, state):
            return 1 if getattr(self, attribute) == state["Animals"][1]["Id"] else None

    setattr(Mine, attribute, None)

    assert decided(OfService(Mine)) == [{"action": "UP"}]


@pytest.mark.parametrize(
    "keys",
    [
        ("Animals", "SpawnX", "CapturedCounter", "HeldPowerUp", "Nickname", "IsViable"),
        ("animals", "spawnX", "capturedCounter", "heldPowerUp", "nickname", "isViable"),
        ("animals", "spawn_x", "captured_counter", "held_power_up", "nickname", "is_viable"),
    ],
    ids=["Pascal", "camel", "snake"],
)
def test_a_state_is_read_in_every_spelling_by_attribute_and_by_item(keys):
    animals, *fields = keys
    seen = []

    class Mine:
        def process_state(self, state):
            by_item = [state[animals][0][field] for field in fields]
            by_get = [state.get(animals)[0].get(field) for field in fields]
            by_attribute = [getattr(getattr(state, animals)[0], field) for field in fields]
            seen.extend([by_item, by_get, by_attribute])

    decided(OfService(Mine))

    by_item, by_get, by_attribute = seen
    assert by_item == by_get == by_attribute
    assert by_item[1:] == [0, None, "one", False]


def test_a_cell_is_read_by_name_by_item_and_as_a_tuple():
    seen = []

    class Mine:
        def process_state(self, state):
            seen.extend(state["Cells"])

    decided(OfService(Mine))
    cell = seen[0]

    assert cell == (0, 0, 1)
    assert (cell["X"], cell.get("y"), cell["Content"], cell.content, cell[2]) == (0, 0, 1, 1, 1)
    assert cell in seen


def test_what_a_state_lacks_is_missing_by_item_as_in_a_dict():
    seen = []

    class Mine:
        def process_state(self, state):
            seen.append(state)

    decided(OfService(Mine))
    (state,) = seen

    assert (state.get("Fences"), state.get("Fences", 3)) == (None, 3)
    assert ("Cells" in state, "Fences" in state, "_names" in state) == (True, False, False)
    with pytest.raises(KeyError, match="Fences"):
        state["Fences"]
    with pytest.raises(AttributeError, match="Fences"):
        _ = state.Fences


HELPERS = {
    "with the hook alone": "class Memory:\n    def set_bot_id(self, bot_id): pass\n",
    "with the call alone": "class Logic:\n    def process_state(self, state): return 2\n",
    "with another call": "class Path:\n    def process_state(self, a, b, c): pass\n",
}


@pytest.mark.parametrize("helper", HELPERS.values(), ids=HELPERS)
def test_a_helper_class_beside_the_bot_is_not_the_bot(written, helper):
    assert load(written(helper + ZOOSCAPE_SERVICE), "zooscape").name == "BotService"


def test_two_classes_that_may_be_the_bot_are_named(written):
    text = "class {}:\n    def process_state(self, state): return 2\n"

    with pytest.raises(BadBot, match=r"2 bots in this file \(One, Other\)"):
        load(written(text.format("One") + text.format("Other")), "zooscape")


def test_an_asynchronous_service_is_awaited():
    class Mine:
        async def process_state(self, game_state):
            return BotCommand(Action.DOWN)

    assert decided(OfService(Mine)) == [{"action": "DOWN"}]


def test_a_file_plays_a_whole_match_without_warnings(written, caplog):
    bot = load(written(ZOOSCAPE_SERVICE), "zooscape")
    match = Match.begin(GAMES["zooscape"], {"map_size": 15, "max_ticks": 120}, 3)

    play_headless(
        match,
        [house("zooscape", "wanderer"), bot, *(house("zooscape", "greedy") for _ in range(2))],
    )

    assert (bot.game, bot.name) == ("zooscape", "BotService")
    assert match.outcome.seats[1].score > 0
    assert caplog.records == []


def test_both_spellings_in_one_class_are_one_bot(written):
    text = (
        ZOOSCAPE_SERVICE
        + "    def ProcessState(self, game_state):\n        return self.process_state(game_state)\n"
    )

    assert load(written(text), "zooscape").name == "BotService"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "class BotService:\n    def set_bot_id(self, bot_id): pass\n",
            "the bot needs process_state(game_state)",
        ),
        (
            "class BotService:\n    def process_state(self): pass\n",
            "expected process_state(game_state)",
        ),
        ("class BotService:\n    def play(self): pass\n", "no bot in this file"),
    ],
)
def test_a_fault_in_a_file_is_reported(written, text, why):
    with pytest.raises(BadBot) as refused:
        load(written(text), "zooscape")

    assert why in str(refused.value)
