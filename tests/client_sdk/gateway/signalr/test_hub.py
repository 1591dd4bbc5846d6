"""The hub: order of events, seats and ids, returning clients, the end. Without sockets."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest

from client_sdk.api.zooscape_values import contest_id
from client_sdk.errors import ConnectionLost, ServerRefused
from client_sdk.gateway.seats import ClientSeat
from client_sdk.gateway.signalr import client
from client_sdk.gateway.signalr import hub as hub_module
from client_sdk.gateway.signalr.calls import Register
from client_sdk.gateway.signalr.client import HubClient
from client_sdk.gateway.signalr.hub import Hub
from client_sdk.gateway.signalr.protocol import END, PING_S, SILENCE_S
from client_sdk.gateway.signalr.seats import Deliver
from client_sdk.gateway.signalr.visitors import HubSeat
from client_sdk.wire.messages import Clock, End, MatchStart, SeatInfo, ServerHello, View
from tests.waiting import PATIENCE_S

GUID = "6f9619ff-8b86-d011-b42d-00cf4fc964ff"
MADE = "00000000-0000-0000-0000-000000000002"
"""The id of a bot without a token."""
OTHER = "00000000-0000-0000-0000-000000000001"


class ScriptedPlay:
    """One connection to a seat; the test says what the server sends."""

    def __init__(self, deliver: Deliver) -> None:
        self.deliver = deliver
        self.commands: list[Any] = []
        self.closed = False
        self.closes = threading.Event()
        """Whether the connection can be closed; `close` waits for it."""
        self.closes.set()

    def ready(self) -> None:
        self.commands.append("ready")

    def command(self, command: Any) -> None:
        self.commands.append(command)

    def close(self) -> None:
        self.closes.wait(PATIENCE_S)
        self.closed = True


@dataclass
class ScriptedSeats:
    """A server of one lobby."""

    public: bool = True
    fault: Exception | None = None
    """Instead of a seat."""
    refusal: Exception | None = None
    """Instead of the server's hello."""
    refuses_once: Exception | None = None
    """The same, for the next connection only."""
    names: list[str | None] = field(default_factory=list)
    plays: list[ScriptedPlay] = field(default_factory=list)
    left: list[HubSeat] = field(default_factory=list)

    def key_of(self, call: Register) -> str | None:
        return call.key

    def take(self, call: Register, address: str) -> HubSeat:
        if self.fault is not None:
            raise self.fault
        self.names.append(call.nickname)
        own_id = call.token or MADE
        key = Register(own_id, None).key
        assert key is not None
        seat = ClientSeat("ws://server", f"s_{len(self.names)}", address)
        return HubSeat(seat, own_id, key)

    def leave(self, seat: HubSeat) -> None:
        self.left.append(seat)

    def is_public(self, match: str) -> bool:
        return self.public

    def play(self, seat: HubSeat, deliver: Deliver) -> ScriptedPlay:
        play = ScriptedPlay(deliver)
        self.plays.append(play)
        refusal, self.refuses_once = self.refuses_once or self.refusal, None
        deliver(ServerHello("test", "m", "zooscape", 0) if refusal is None else refusal)
        return play


class HubTester:
    """A client of the hub without a socket: what it was sent so far is in `got`."""

    def __init__(self, hub: Hub, connection_id: str | None = None, cookie: str | None = None):
        self.hub = hub
        self.got: list[Any] = []
        name, visitor = hub.visitors.connect(connection_id, cookie)
        self.client = HubClient(name, visitor, "127.0.0.1", self._sent)
        self.cookie = visitor.cookie

    async def _sent(self, text: str) -> None:
        self.got.append(json.loads(text.removesuffix(END)))

    async def says(self, *messages: Any) -> list[Any]:
        """What the hub answers."""
        before = len(self.got)
        text = "".join(json.dumps(message) + END for message in messages)
        await self.hub.receive(self.client, text)
        return self.got[before:]

    async def opens(self) -> HubTester:
        await self.says({"protocol": "json", "version": 1})
        return self

    async def calls(self, target: str, *arguments: Any, id_: str | None = None) -> list[Any]:
        about = {} if id_ is None else {"invocationId": id_}
        return await self.says({"type": 1, "target": target, "arguments": arguments} | about)

    async def takes(self) -> list[Any]:
        """What the hub sent by itself since the last call."""
        before = len(self.got)
        for _ in range(3):
            await asyncio.sleep(0)
        await self.client.flush()
        return self.got[before:]


def event(target: str, *arguments: Any) -> dict[str, Any]:
    return {"type": 1, "target": target, "arguments": list(arguments)}


def view(tick: int, queue_length: int = 0) -> Any:
    animal = {"x": 0, "y": 0, "spawn_x": 0, "spawn_y": 0, "score": 0, "captured_count": 0}
    animal |= {"distance_covered": 0, "is_viable": True}
    animal |= {"held_power_up": None, "active_power_up": None}
    return {
        "tick": tick,
        "map": ["12"],
        "animals": [animal | {"seat": seat} for seat in range(2)],
        "zookeepers": [],
        "you": {"queue_length": queue_length},
    }


def start(seat: int = 0, tick: int = 0, match: str = "m", lockstep: bool = False) -> MatchStart:
    seats = tuple(SeatInfo(number, "animal", f"bot{number}", "bot") for number in range(2))
    clock = Clock(None if lockstep else 200, 0, 0, 0, 0, 0, 0, 0, lockstep=lockstep)
    config = {"command_queue_size": 10}
    return MatchStart(match, "zooscape", seat, seats, config, clock, "", tick, 0, view(tick))


def turn(tick: int, queue_length: int = 0) -> View:
    return View(tick, tick, view(tick, queue_length), act=True)


def ticks(messages: list[Any]) -> list[int]:
    return [one["arguments"][0]["tick"] for one in messages if one["target"] == "GameState"]


def ids(message: Any) -> list[str]:
    return [animal["id"] for animal in message["arguments"][0]["animals"]]


OVER = End({"outcome": "win", "reason": "max_ticks"})
END_OF_MATCH = [event("Disconnect", "Game complete"), {"type": 7}]


@pytest.fixture
def seats() -> ScriptedSeats:
    return ScriptedSeats()


@pytest.fixture
def hub(seats: ScriptedSeats) -> Hub:
    return Hub(seats)


async def registered(hub: Hub, token: str | None = GUID) -> HubTester:
    bot = await HubTester(hub).opens()
    await bot.calls("Register", token, "Baloo")
    return bot


async def test_the_first_events_are_connect_and_registered_and_then_the_completion(
    hub: Hub, seats: ScriptedSeats
) -> None:
    bot = HubTester(hub)

    assert await bot.says({"protocol": "json", "version": 1}) == [
        {},
        event("Connect", bot.client.id),
    ]
    assert await bot.calls("Register", GUID, "Baloo", id_="0") == [
        event("Registered", GUID),
        {"type": 3, "invocationId": "0"},
    ]
    assert seats.names == ["Baloo"]


async def test_a_client_may_register_in_the_frame_of_its_handshake(hub: Hub) -> None:
    bot = HubTester(hub)

    answers = await bot.says(
        {"protocol": "json", "version": 1},
        {"type": 1, "target": "Register", "arguments": [GUID, "Baloo"]},
    )

    assert answers == [{}, event("Connect", bot.client.id), event("Registered", GUID)]


async def test_a_bot_without_a_token_gets_a_seat_and_an_id(hub: Hub) -> None:
    bot = await HubTester(hub).opens()

    assert await bot.calls("Register", None, None) == [event("Registered", MADE)]


async def test_a_visualiser_is_registered_with_null(hub: Hub, seats: ScriptedSeats) -> None:
    viewer = await HubTester(hub).opens()

    assert await viewer.calls("RegisterVisualiser", id_="0") == [
        event("Registered", None),
        {"type": 3, "invocationId": "0"},
    ]
    assert seats.plays == []


async def test_a_second_register_gets_a_completion_and_nothing_else(
    hub: Hub, seats: ScriptedSeats
) -> None:
    bot = await registered(hub)

    for token in (GUID, OTHER, None):
        assert await bot.calls("Register", token, "Kaa", id_="1") == [
            {"type": 3, "invocationId": "1"}
        ]
    assert seats.names == ["Baloo"]


async def test_a_token_that_another_connection_uses_gets_a_completion_and_nothing_else(
    hub: Hub, seats: ScriptedSeats
) -> None:
    await registered(hub)
    other = await HubTester(hub).opens()

    assert await other.calls("Register", GUID.upper(), "Kaa", id_="0") == [
        {"type": 3, "invocationId": "0"}
    ]
    assert seats.names == ["Baloo"]


async def test_a_full_lobby_gets_a_completion_and_nothing_else(
    hub: Hub, seats: ScriptedSeats
) -> None:
    seats.fault = ServerRefused("lobby_full", "all seats are taken")
    bot = await HubTester(hub).opens()

    assert await bot.calls("Register", GUID, "Baloo", id_="0") == [{"type": 3, "invocationId": "0"}]


@pytest.mark.parametrize(
    "fault", [ServerRefused("bad_name", "the name is empty"), ConnectionLost("not reached")]
)
async def test_a_seat_that_the_server_refuses_is_a_completion_with_its_reason(
    hub: Hub, seats: ScriptedSeats, fault: Exception
) -> None:
    seats.fault = fault
    bot = await HubTester(hub).opens()

    [completion] = await bot.calls("Register", GUID, "Baloo", id_="0")

    assert completion["error"] == str(fault)
    seats.fault = None
    assert await bot.calls("Register", GUID, "Baloo") == [event("Registered", GUID)]


async def test_a_token_that_the_server_does_not_know_is_a_completion_with_its_reason(
    hub: Hub, seats: ScriptedSeats
) -> None:
    seats.refusal = ServerRefused("bad_token", "no seat has this token")
    bot = await HubTester(hub).opens()

    [completion] = await bot.calls("Register", "s_" + "a" * 32, "Baloo", id_="0")

    assert "no seat has this token" in completion["error"]
    assert not bot.client.protocol.closed


async def test_a_token_that_is_no_guid_is_a_completion_with_an_error(hub: Hub) -> None:
    bot = await HubTester(hub).opens()

    [completion] = await bot.calls("Register", "Baloo", "Baloo", id_="0")

    assert "GUID" in completion["error"]


async def test_the_first_state_is_that_after_tick_1(hub: Hub, seats: ScriptedSeats) -> None:
    bot = await registered(hub)
    deliver = seats.plays[0].deliver

    deliver(start())
    deliver(turn(0))
    assert await bot.takes() == []
    deliver(turn(1))

    assert ticks(await bot.takes()) == [1]


async def test_each_bot_sees_its_own_id_as_registered_and_derived_ids_of_others(
    hub: Hub, seats: ScriptedSeats
) -> None:
    one, other = await registered(hub), await registered(hub, OTHER)
    for seat, play in enumerate(seats.plays):
        play.deliver(start(seat))
        play.deliver(turn(1))

    [seen], [seen_by_other] = await one.takes(), await other.takes()

    assert ids(seen) == [GUID, contest_id("m", "animal", 1)]
    assert ids(seen_by_other) == [contest_id("m", "animal", 0), OTHER]


async def test_connections_that_did_not_register_get_every_state_once_without_own_ids(
    hub: Hub, seats: ScriptedSeats
) -> None:
    await registered(hub)
    await registered(hub, OTHER)
    viewer = await HubTester(hub).opens()
    for seat, play in enumerate(seats.plays):
        play.deliver(start(seat))
    await until(lambda: hub._shown() is not None)
    for tick in (1, 2):
        for play in seats.plays:
            play.deliver(turn(tick))
        [state] = await viewer.takes()
        assert ticks([state]) == [tick]
        assert ids(state) == [contest_id("m", "animal", seat) for seat in range(2)]


async def test_a_private_match_is_shown_to_its_bots_only(hub: Hub, seats: ScriptedSeats) -> None:
    seats.public = False
    bot = await registered(hub)
    viewer = await HubTester(hub).opens()
    seats.plays[0].deliver(start())
    await until(lambda: not hub._checks)
    seats.plays[0].deliver(turn(1))

    assert await viewer.takes() == []
    assert ticks(await bot.takes()) == [1]


async def test_a_client_that_reads_slowly_gets_the_newest_state_only(
    hub: Hub, seats: ScriptedSeats
) -> None:
    bot = await registered(hub)
    seats.plays[0].deliver(start())
    for tick in range(1, 9):
        seats.plays[0].deliver(turn(tick))

    assert ticks(await bot.takes()) == [8]


async def test_commands_go_to_the_server_by_number(hub: Hub, seats: ScriptedSeats) -> None:
    bot = await registered(hub)
    seats.plays[0].deliver(start())
    seats.plays[0].deliver(turn(1))
    await bot.takes()

    assert await bot.calls("BotCommand", {"Action": "USE_ITEM"}, id_="7") == [
        {"type": 3, "invocationId": "7"}
    ]
    await bot.calls("botcommand", {"action": 1.0})
    await bot.calls("BotCommand", {"action": 0})

    assert seats.plays[0].commands == [{"action": 5}, {"action": 1}]


async def test_commands_beyond_the_queue_are_dropped_and_never_close(
    hub: Hub, seats: ScriptedSeats
) -> None:
    bot = await registered(hub)
    seats.plays[0].deliver(start())
    seats.plays[0].deliver(turn(1, queue_length=3))
    await bot.takes()
    for _ in range(100):
        await bot.calls("BotCommand", {"action": 1})

    assert len(seats.plays[0].commands) == 7
    seats.plays[0].deliver(turn(2, queue_length=9))
    await bot.takes()
    for _ in range(100):
        await bot.calls("BotCommand", {"action": 1})

    assert len(seats.plays[0].commands) == 8
    assert not bot.client.protocol.closed


async def test_a_command_before_the_match_or_without_a_seat_is_ignored(
    hub: Hub, seats: ScriptedSeats
) -> None:
    bot = await HubTester(hub).opens()
    assert await bot.calls("BotCommand", {"action": 1}) == []
    await bot.calls("Register", GUID, "Baloo")

    assert await bot.calls("BotCommand", {"action": 1}) == []
    assert seats.plays[0].commands == []


async def test_without_a_clock_the_hub_plays_the_tick_before_the_first_state(
    hub: Hub, seats: ScriptedSeats
) -> None:
    bot = await registered(hub)
    seats.plays[0].deliver(start(lockstep=True))
    seats.plays[0].deliver(turn(0))
    await bot.takes()

    assert seats.plays[0].commands == [{"action": "skip"}]


async def test_after_the_last_state_come_disconnect_and_a_close_without_reconnect(
    hub: Hub, seats: ScriptedSeats
) -> None:
    bot = await registered(hub)
    viewer, visualiser = await HubTester(hub).opens(), await HubTester(hub).opens()
    await visualiser.calls("RegisterVisualiser")
    seats.plays[0].deliver(start())
    await until(lambda: hub._shown() is not None)
    seats.plays[0].deliver(turn(1))
    seats.plays[0].deliver(OVER)

    state, *end = await bot.takes()
    assert ticks([state]) == [1]
    assert end == END_OF_MATCH
    assert (await visualiser.takes())[1:] == END_OF_MATCH
    assert ticks(await viewer.takes()) == [1]
    assert not viewer.client.protocol.closed


async def test_a_match_that_is_called_off_ends_with_the_reason(
    hub: Hub, seats: ScriptedSeats
) -> None:
    bot = await registered(hub)
    seats.plays[0].deliver(End({"outcome": "aborted", "reason": "no_show"}))

    assert await bot.takes() == [event("Disconnect", "no_show"), {"type": 7}]


async def test_a_seat_that_is_lost_ends_with_the_reason(hub: Hub, seats: ScriptedSeats) -> None:
    bot = await registered(hub)
    seats.plays[0].deliver(ServerRefused("replaced", "a newer connection took the seat"))

    disconnect, close = await bot.takes()

    assert "a newer connection took the seat" in disconnect["arguments"][0]
    assert close == {"type": 7}


async def test_a_seat_of_another_game_ends_with_the_reason(hub: Hub, seats: ScriptedSeats) -> None:
    bot = await registered(hub, "s_" + "x" * 32)

    seats.plays[0].deliver(msgspec.structs.replace(start(), game="pyrat", config={}))
    seats.plays[0].deliver(View(1, 1, {"turn": 1}, act=True))

    assert await bot.takes() == [
        event("Disconnect", "this is a seat of pyrat, not zooscape"),
        {"type": 7},
    ]
    await hub.leave(bot.client)
    assert seats.plays[0].closed


async def test_the_server_sees_a_bot_that_disconnects_as_away(
    hub: Hub, seats: ScriptedSeats
) -> None:
    bot = await registered(hub)

    await hub.leave(bot.client)

    assert seats.plays[0].closed


@pytest.mark.parametrize("by", ["cookie", "id"])
async def test_a_client_that_returns_keeps_its_seat_and_gets_the_current_state(
    hub: Hub, seats: ScriptedSeats, by: str
) -> None:
    bot = await registered(hub)
    seats.plays[0].deliver(start())
    seats.plays[0].deliver(turn(1))
    await bot.takes()
    await hub.leave(bot.client)

    if by == "cookie":
        connection_id, _ = hub.visitors.negotiate(None, bot.cookie)
    else:
        connection_id, _ = hub.visitors.negotiate(bot.client.id, None)
    again = await HubTester(hub, connection_id).opens()
    assert again.got == [{}, event("Connect", connection_id)]
    assert connection_id != bot.client.id
    seats.plays[1].deliver(start(tick=5))

    [state] = await again.takes()
    assert ticks([state]) == [5]
    assert ids(state)[0] == GUID
    seats.plays[1].deliver(turn(6))
    await again.takes()
    await again.calls("BotCommand", {"action": 2})
    assert seats.plays[1].commands == [{"action": 2}]
    assert seats.names == ["Baloo"]


async def test_a_client_that_returns_before_its_old_connection_ends_replaces_it(
    hub: Hub, seats: ScriptedSeats
) -> None:
    bot = await registered(hub)

    await HubTester(hub, bot.client.id).opens()

    assert bot.client.protocol.closed
    assert [play.closed for play in seats.plays] == [True, False]
    await hub.leave(bot.client)
    assert not seats.plays[1].closed


async def test_of_two_clients_that_return_at_once_one_plays_the_seat_to_the_end(
    hub: Hub, seats: ScriptedSeats
) -> None:
    bot = await registered(hub)
    seats.plays[0].closes.clear()
    pair = [HubTester(hub, cookie=bot.cookie) for _ in range(2)]
    opening = [asyncio.create_task(one.opens()) for one in pair]
    while not pair[1].got:  # the first waits until the old connection is closed
        await asyncio.sleep(0)
    seats.plays[0].closes.set()
    await asyncio.gather(*opening)

    (plays,) = [one for one in pair if not one.client.protocol.closed]
    assert [play.closed for play in seats.plays].count(False) == 1
    seats.plays[-1].deliver(start())
    for play in seats.plays[:-1]:
        play.deliver(ConnectionLost("replaced"))
    seats.plays[-1].deliver(turn(1))
    assert ticks(await plays.takes()) == [1]


@pytest.mark.parametrize("token", [GUID, None])
async def test_a_client_that_returns_may_register_again(
    hub: Hub, seats: ScriptedSeats, token: str | None
) -> None:
    bot = await registered(hub, token)
    own_id = bot.got[-1]["arguments"][0]
    await hub.leave(bot.client)
    again = await HubTester(hub, cookie=bot.cookie).opens()

    assert await again.calls("Register", token, "Baloo", id_="0") == [
        event("Registered", own_id),
        {"type": 3, "invocationId": "0"},
    ]
    assert seats.names == ["Baloo"]


async def test_a_bot_that_starts_again_gets_its_seat_back_by_its_token(
    hub: Hub, seats: ScriptedSeats
) -> None:
    bot = await registered(hub)
    await hub.leave(bot.client)
    again = await HubTester(hub).opens()

    assert await again.calls("Register", GUID, "Baloo") == [event("Registered", GUID)]
    assert seats.names == ["Baloo"]
    assert len(seats.plays) == 2


async def test_after_a_match_the_same_token_gets_a_new_seat_and_the_cookie_none(
    hub: Hub, seats: ScriptedSeats
) -> None:
    bot = await registered(hub)
    seats.plays[0].deliver(OVER)
    await bot.takes()
    await hub.leave(bot.client)
    again = await HubTester(hub, cookie=bot.cookie).opens()
    assert len(seats.plays) == 1

    assert await again.calls("Register", GUID, "Baloo") == [event("Registered", GUID)]
    assert seats.names == ["Baloo", "Baloo"]


@pytest.mark.parametrize("token", [GUID, None])
async def test_a_bot_may_register_again_with_the_id_that_it_was_given(
    hub: Hub, seats: ScriptedSeats, token: str | None
) -> None:
    bot = await registered(hub, token)
    own_id = bot.got[-1]["arguments"][0]
    await hub.leave(bot.client)
    again = await HubTester(hub).opens()

    assert await again.calls("Register", own_id, "Baloo") == [event("Registered", own_id)]
    assert seats.names == ["Baloo"]


async def test_a_client_gets_pings_and_is_dropped_after_30_s_of_silence(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = await registered(hub)
    began = client.running_s()
    late_s = 0.0
    monkeypatch.setattr(client, "running_s", lambda: began + late_s)
    monkeypatch.setattr(client, "LOOK_S", 0.001)
    kept = asyncio.create_task(bot.client.keep())

    late_s = PING_S + 1
    await until(lambda: bot.got[-1] == {"type": 6})
    assert not kept.done()
    late_s = SILENCE_S + 1
    async with asyncio.timeout(60):
        await kept


async def until(found: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not found():
            await asyncio.sleep(0.001)


async def test_a_bot_whose_match_ended_while_it_was_away_gets_a_new_seat_at_once(
    hub: Hub, seats: ScriptedSeats
) -> None:
    bot = await registered(hub)
    await hub.leave(bot.client)
    seats.refuses_once = ServerRefused("match_over", "the match is over")
    again = await HubTester(hub).opens()

    assert await again.calls("Register", GUID, "Baloo") == [event("Registered", GUID)]
    assert len(seats.names) == 2


async def test_a_client_that_does_not_read_is_given_up_after_the_time_of_silence(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = await HubTester(hub).opens()
    monkeypatch.setattr(client, "SILENCE_S", 0.01)

    async def wait(text: str) -> None:
        await asyncio.Event().wait()

    bot.client._send = wait
    bot.client.protocol.send("Connect", "again")
    bot.client._wake.set()
    kept = asyncio.create_task(bot.client.keep())
    await until(kept.done)
    assert isinstance(kept.exception(), TimeoutError)


async def test_bad_invocations_fill_no_log(hub: Hub, caplog: pytest.LogCaptureFixture) -> None:
    bot = await HubTester(hub).opens()
    with caplog.at_level(logging.INFO, "botarena"):
        await bot.calls("Register", "Baloo", "Baloo")
        await bot.calls("Unknown")
    assert not caplog.records


async def test_a_client_that_leaves_while_its_seat_is_taken_leaves_no_seat_behind(
    hub: Hub, seats: ScriptedSeats, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken, go_on, take = threading.Event(), threading.Event(), seats.take

    def slow(call: Register, address: str) -> HubSeat:
        taken.set()
        go_on.wait(60)
        return take(call, address)

    monkeypatch.setattr(seats, "take", slow)
    bot = await HubTester(hub).opens()
    calling = asyncio.create_task(bot.calls("Register", GUID, "Baloo"))
    await until(taken.is_set)
    calling.cancel()
    await asyncio.wait([calling])
    await hub.leave(bot.client)
    go_on.set()

    await until(lambda: len(seats.left) == 1)
    assert not hub._holders


async def test_a_bot_that_leaves_before_the_match_gives_its_seat_back_after_a_time(
    hub: Hub, seats: ScriptedSeats, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_module, "BACK_S", 0.01)
    bot = await registered(hub)
    await hub.leave(bot.client)

    await until(lambda: len(seats.left) == 1)
    again = await HubTester(hub, cookie=bot.cookie).opens()
    assert len(seats.plays) == 1
    await again.calls("Register", GUID, "Baloo")
    assert seats.names == ["Baloo", "Baloo"]


async def test_a_bot_that_returns_in_time_or_whose_match_has_begun_keeps_its_seat(
    hub: Hub, seats: ScriptedSeats
) -> None:
    bot = await registered(hub)
    await hub.leave(bot.client)
    [waits] = hub._away.values()
    again = await HubTester(hub, cookie=bot.cookie).opens()
    assert waits.cancelled()
    assert not hub._away

    seats.plays[1].deliver(start())
    await again.takes()
    await hub.leave(again.client)
    assert not hub._away
    assert seats.left == []


async def test_a_bot_that_leaves_while_its_older_connection_is_closed_gives_its_seat_back(
    hub: Hub, seats: ScriptedSeats, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_module, "BACK_S", 0.01)
    bot = await registered(hub)
    seats.plays[0].closes.clear()
    again = HubTester(hub, cookie=bot.cookie)
    returning = asyncio.create_task(again.opens())
    await until(lambda: bot.client.protocol.closed)
    returning.cancel()
    await asyncio.wait([returning])
    for one in (again, bot):
        await hub.leave(one.client)
    seats.plays[0].closes.set()

    await until(lambda: len(seats.left) == 1 and seats.plays[0].closed)


async def test_a_bot_that_takes_another_seat_before_the_match_gives_the_first_one_back(
    hub: Hub, seats: ScriptedSeats, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_module, "BACK_S", 0.01)
    bot = await registered(hub)
    again = await HubTester(hub, cookie=bot.cookie).opens()
    await again.calls("Register", OTHER, "Kaa")

    await until(lambda: [one.own_id for one in seats.left] == [GUID])
