"""Clients of the Cadre protocol play on a live server, through the gateway."""

from __future__ import annotations

import contextlib
import errno
import itertools
import random
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import websockets.exceptions
import websockets.sync.client
from websockets.protocol import Protocol, Side
from websockets.sync.connection import Connection
from websockets.typing import Origin

from client_sdk.gateway import connections
from client_sdk.gateway.cadre import front
from client_sdk.gateway.kinds import GATEWAYS, Gateway
from client_sdk.gateway.running import listeners_at
from client_sdk.gateway.seats import SeatSource
from tests.client_sdk.gateway.joueur import Joueur, Line, Tcp, Websocket, ref
from tests.server.live_server import LiveServer, eventually, hosted
from tests.waiting import PATIENCE_S

SHORT = "mapWidth=12&mapHeight=8&maxTurns=12&randomSeed=3"
HOST = "127.0.0.1"
ROOMS = itertools.count(1)


@dataclass
class Gate:
    """A gateway in this process."""

    server: LiveServer
    gateway: Gateway
    ports: list[int]

    def tcp(self, style: str = "Python", source: str = HOST) -> Tcp:
        return Tcp(HOST, self.ports[0], style, source)

    def websocket(self) -> Websocket:
        return Websocket(HOST, self.ports[1])


@contextlib.contextmanager
def opened(server: LiveServer, **options: Any) -> Iterator[Gate]:
    kind, seats = GATEWAYS["catastrophe"], SeatSource(server.url, **options)
    with contextlib.ExitStack() as sockets:
        listeners = [sockets.enter_context(one) for one in listeners_at(kind, f"{HOST}:0")]
        gateway = kind.open(listeners, seats)
        try:
            yield Gate(server, gateway, [one.getsockname()[1] for one in listeners])
        finally:
            gateway.close("the test is over")


@pytest.fixture
def gate(live_server: LiveServer) -> Iterator[Gate]:
    with opened(live_server) as gate:
        yield gate


def room() -> str:
    """A name that no other lobby has."""
    return f"cup {next(ROOMS)}"


def together(*clients: Joueur) -> list[tuple[str, Any]]:
    """All play to the end; their last messages. A client that would have died fails the test."""
    ends: list[Any] = [None] * len(clients)

    def play(place: int) -> None:
        try:
            ends[place] = clients[place].run()
        except BaseException as fault:  # noqa: BLE001  raised again below
            ends[place] = fault

    threads = [threading.Thread(target=play, args=(place,)) for place in range(len(clients))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for end in ends:
        if isinstance(end, BaseException):
            raise end
    return ends


def wanders(client: Joueur) -> bool:
    """Moves, works and talks at random; half of it is refused."""
    dice = random.Random(client.orders[-1])
    for unit in client.units():
        for _ in range(4):
            here = client.object(unit["tile"])
            there = ref(dice.choice(list(client.around(here)))["id"])
            client.call(unit["id"], dice.choice(["move", "move", "harvest", "convert"]), tile=there)
        client.call(unit["id"], "changeJob", job=dice.choice(["soldier", "builder", "gatherer"]))
        client.call(unit["id"], "log", message="mu\u0308de \U0001f63a")
    return True


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (lambda gate: gate.tcp("Java"), lambda gate: gate.tcp("c++")),
        (lambda gate: gate.websocket(), lambda gate: gate.tcp("Python")),
    ],
    ids=["Java and C++", "websocket and Python"],
)
def test_strict_clients_play_a_whole_match_and_its_journal_verifies(
    gate: Gate,
    first: Callable[[Gate], Line],
    second: Callable[[Gate], Line],
):
    cup = room()
    clients = [
        Joueur(first(gate), wanders, requestedSession=cup, gameSettings=SHORT),
        Joueur(second(gate), wanders, requestedSession=cup, gameSettings=SHORT, playerName="Wau"),
    ]
    ends = together(*clients)
    assert [event for event, _ in ends] == ["over", "over"], ends
    (match,) = [one for one in gate.server.get("/matches").json() if one["name"] == cup]
    assert gate.server.verified(match["match"]).kind == "ok"
    assert {player["name"] for player in match["players"]} == {"Miaow", "Wau"}
    winner = match["outcome"]["winner"]
    for client in clients:
        assert client.me["won"] is (client.player == str(winner))
        assert client.me["lost"] is not client.me["won"]
        assert client.me["reasonWon" if client.me["won"] else "reasonLost"].startswith("max turns")
        assert client.end[1]["message"].startswith("You won" if client.me["won"] else "You lost")
        assert f"/watch/{match['match']}" in client.end[1]["message"]


def test_the_last_delta_has_the_final_board(gate: Gate):
    cup = room()
    clients = [
        Joueur(gate.tcp(), wanders, requestedSession=cup, gameSettings=SHORT) for _ in range(2)
    ]
    together(*clients)
    (match,) = [one for one in gate.server.get("/matches").json() if one["name"] == cup]
    for client in clients:
        for seat in match["outcome"]["seats"]:
            player = client.object(str(seat["seat"]))
            assert player["food"] == seat["food"]
            assert len(player["units"]) == seat["units"]
            assert len(player["structures"]) == seat["structures"]


# --- joining


def waiting(gate: Gate, **play: Any) -> Joueur:
    """A client in a lobby that still waits for a player."""
    client = Joueur(gate.tcp(), **play)
    client.join()
    return client


def refused(gate: Gate, **play: Any) -> str:
    """Why a client is sent away as it joins."""
    client = Joueur(gate.tcp(), **play)
    event, data = client.run()
    assert event == "fatal"
    return data["message"]


def test_asking_for_the_name_of_the_game_takes_no_seat(gate: Gate):
    """C++ opens a connection for this alone, and plays on another."""
    before = len(gate.server.get("/lobbies").json())
    first = Joueur(gate.tcp("c++"))
    first.say("alias", "MEGAMINERAI-20-CATASTROPHE")
    assert first.hear("named")[1] == "Catastrophe"
    first.line.close()
    assert len(gate.server.get("/lobbies").json()) == before
    client = waiting(gate, requestedSession="new")
    assert len(gate.server.get("/lobbies").json()) == before + 1
    client.line.close()


def test_a_session_is_a_lobby_by_name_which_is_created_if_it_is_unknown(gate: Gate):
    cup = room()
    one = waiting(gate, requestedSession=cup, gameSettings="maxTurns=30")
    assert one.lobby["gameSession"] == cup
    (lobby,) = [lobby for lobby in gate.server.get("/lobbies").json() if lobby["name"] == cup]
    assert lobby["config"]["max_turns"] == 30
    other = waiting(gate, requestedSession=cup, gameSettings="maxTurns=90")
    assert other.lobby["gameSession"] == cup
    for client in (one, other):
        client.begin()
    assert {one.player, other.player} == {"0", "1"}
    assert other.model.game["maxTurns"] == 30
    assert other.model.game["session"] == cup
    assert "lobby_full" in refused(gate, requestedSession=cup)
    one.line.close()
    other.line.close()


def test_new_is_always_a_new_room_and_any_is_an_open_one(gate: Gate):
    one = waiting(gate, requestedSession="new")
    other = waiting(gate, requestedSession="new")
    assert one.lobby["gameSession"] != other.lobby["gameSession"]
    before = len(gate.server.get("/lobbies").json())
    third = waiting(gate, requestedSession=None)
    assert len(gate.server.get("/lobbies").json()) == before
    for client in (one, other, third):
        client.line.close()


def test_a_client_that_leaves_a_lobby_gives_its_seat_back(gate: Gate):
    cup = room()
    waiting(gate, requestedSession=cup, playerIndex="1").line.close()
    eventually(lambda: not any(seat["taken"] for seat in gate.server.lobby(cup)["seats"]))
    client = waiting(gate, requestedSession=cup, playerIndex=1)
    assert [seat["taken"] for seat in gate.server.lobby(cup)["seats"]] == [False, True]
    assert "seat_taken" in refused(gate, requestedSession=cup, playerIndex=1)
    client.line.close()


@pytest.mark.parametrize(
    ("play", "why"),
    [
        ({"gameName": "Chess"}, "gameName"),
        ({"playerIndex": 2}, "playerIndex"),
        ({"gameSettings": "speed=9"}, "maxTurns"),
        ({"gameSettings": "mapWidth=7"}, "map_width"),
        ({"password": "secret"}, "bad_token"),
    ],
)
def test_a_wish_that_cannot_be_met_is_fatal(gate: Gate, play: dict[str, Any], why: str):
    client = Joueur(gate.tcp(), requestedSession="new", **play)
    client.say("play", client.play_data)
    assert client.ending()[0] == "fatal"
    assert why in client.end[1]["message"]
    client.line.close()


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"event":"run","data":{}}', '{"event":"alias","data":"chess"}']
)
def test_a_client_that_does_not_ask_to_play_is_sent_away(gate: Gate, text: str):
    client = Joueur(gate.websocket())
    client.line.send(text)
    assert client.ending()[0] == "fatal"
    client.line.close()


def test_a_page_of_another_host_cannot_open_the_websocket(gate: Gate):
    with pytest.raises(websockets.exceptions.InvalidStatus):
        opened_by("https://example.org", gate)
    with opened_by(f"http://{HOST}:8000", gate):
        pass


def opened_by(origin: str, gate: Gate) -> Any:
    """The websocket as a page opens it."""
    return websockets.sync.client.connect(
        f"ws://{HOST}:{gate.ports[1]}", origin=Origin(origin), proxy=None
    )


# --- a seat by its token


def seats(gate: Gate, **config: Any) -> tuple[str, list[str]]:
    """The tokens of both seats of a lobby."""
    match, taken = gate.server.seated("catastrophe", config=TINY | config)
    return match, [one["token"] for one in taken]


TINY = {"map_width": 12, "map_height": 8, "max_turns": 12}


def started(gate: Gate, **config: Any) -> tuple[str, Joueur, Joueur]:
    """A match that has begun: whose turn it is, and the other."""
    match, tokens = seats(gate, **config)
    clients = [Joueur(gate.tcp(), password=token) for token in tokens]
    for client in clients:
        client.say("play", client.play_data)
    for client in clients:
        assert client.hear("lobbied")[1]["gameSession"] == match
        client.begin()
    return match, *clients


@pytest.mark.parametrize("name", ["Origin", "Host"])
def test_a_websocket_with_a_header_twice_is_refused(
    gate: Gate, name: str, caplog: pytest.LogCaptureFixture
):
    headers = [(name, f"http://{HOST}"), (name, f"http://{HOST}")]
    with pytest.raises(websockets.exceptions.InvalidStatus) as refused:
        websockets.sync.client.connect(
            f"ws://{HOST}:{gate.ports[1]}", additional_headers=headers, proxy=None
        )
    assert refused.value.response.status_code == 400
    assert name.encode() in refused.value.response.body
    assert not caplog.records


@pytest.mark.parametrize("session", ["x" * 70_000, "a/b", ".."])
def test_a_session_that_no_lobby_can_be_called_is_fatal(gate: Gate, session: str):
    event, data = Joueur(gate.tcp(), wanders, requestedSession=session).run()
    assert event == "fatal"
    assert "name: expected" in data["message"] or "at most 200" in data["message"]


def test_a_password_is_the_token_of_a_seat(gate: Gate):
    match, first, second = started(gate)
    assert (first.player, second.player) == ("0", "1")
    assert first.me["clientType"] == "Python"
    assert first.object("1")["clientType"] == "Botarena"
    assert gate.server.lobby(match)["seats"][0]["name"] == "player 0"
    first.line.close()
    second.line.close()


def test_a_token_of_another_game_is_refused(gate: Gate):
    _, taken = gate.server.seated("botstack")
    rival = gate.server.seat(taken[1])
    client = Joueur(gate.tcp(), password=taken[0]["token"])
    client.say("play", client.play_data)
    client.ending()
    assert "botstack" in client.end[1]["message"]
    client.line.close()
    rival.close()


def test_clients_without_a_token_have_that_of_the_bridge(live_server: LiveServer):
    match, taken = live_server.seated("catastrophe", config=TINY)
    with opened(live_server, token=taken[1]["token"]) as gate:
        other = Joueur(gate.tcp(), password=taken[0]["token"])
        client = Joueur(gate.tcp())
        together(client, other)
    assert client.player == "1"
    assert live_server.over(match)["outcome"] == "win"


def test_a_client_that_comes_back_with_its_token_gets_the_open_order_again(gate: Gate):
    match, first, second = started(gate)
    first.await_order()
    calls = (
        first.call(unit["id"], "move", tile=ref(tile["id"]))
        for unit in first.units()
        for tile in first.around(first.object(unit["tile"]))
    )
    assert any(calls)
    before = {one["id"]: one["tile"] for one in first.units()}
    live = gate.server.arena.matches.lobbies.get(match).live
    eventually(lambda: live.match.state.commands > 0)  # the server has the call
    first.line.close()

    back = Joueur(gate.tcp(), wanders, password=first.token)
    back.say("play", back.play_data)
    back.hear("lobbied")
    back.begin()
    assert {one["id"]: one["tile"] for one in back.units()} == before
    back.await_order()
    assert [event for event in back.events if event != "delta"] == ["lobbied", "start", "order"]
    assert back.events[:3] == ["lobbied", "delta", "start"]
    second.line.close()
    back.line.close()


def test_a_second_client_with_the_same_token_replaces_the_first(gate: Gate):
    _, first, second = started(gate)
    first.await_order()
    other = Joueur(gate.tcp(), password=first.token)
    other.say("play", other.play_data)
    other.hear("lobbied")
    assert first.ending()[0] == "fatal"
    for client in (first, second, other):
        client.line.close()


# --- turns


def test_a_call_is_answered_by_invalid_and_false_or_by_a_delta_and_true(gate: Gate):
    _, first, second = started(gate)
    first.await_order()
    unit = first.me["cat"]
    first.events.clear()
    assert first.call(unit, "changeJob", job="pope") is False
    assert first.events == ["invalid", "ran"]
    assert "job" in first.invalid[-1]
    first.events.clear()
    assert first.call(unit, "log", message="here") is None
    assert first.events == ["delta", "ran"]
    assert first.object(unit)["logs"] == ["here"]
    first.events.clear()
    assert first.call(unit, "move", tile=ref(first.object(unit)["tile"])) is False
    assert first.events == ["invalid", "ran"]
    first.line.close()
    second.line.close()


def test_false_asks_again_and_true_ends_the_turn(gate: Gate):
    _, first, second = started(gate)
    first.await_order()
    first.finish(False)
    first.await_order()
    assert first.model.game["currentTurn"] == 0
    first.finish(True)
    second.await_order()
    assert second.model.game["currentTurn"] == 1
    assert first.hear("delta")
    assert first.model.game["currentPlayer"] == "1"
    first.line.close()
    second.line.close()


def test_what_is_no_boolean_asks_again_and_too_often_is_fatal(gate: Gate):
    match, first, second = started(gate)
    for _ in range(11):
        first.await_order()
        first.finish("true")
    assert first.ending()[0] == "fatal"
    assert second.ending()[0] == "over"
    assert gate.server.over(match)["winner"] == 1
    first.line.close()
    second.line.close()


def test_a_call_outside_the_turn_is_invalid(gate: Gate):
    _, first, second = started(gate)
    assert second.call(second.me["cat"], "rest") is False
    assert "not_your_turn" in second.invalid[-1]
    first.await_order()
    first.finish(True)
    second.await_order()
    first.line.close()
    second.line.close()


def test_malformed_messages_are_refused_and_too_many_lose_the_match(gate: Gate):
    match, first, second = started(gate, max_bad_messages=5)
    first.await_order()
    assert first.call("x", "fly") is False
    assert first.call(first.me["cat"], "fly") is False
    first.line.send("no JSON")
    first.say("dance", None)
    assert first.call(first.me["cat"], "log", message="still here") is None
    first.say("run", None)
    assert first.ending("invalid", "ran")[0] == "fatal"
    assert gate.server.over(match)["winner"] == 1
    first.line.close()
    second.line.close()


def test_the_time_is_in_nanoseconds_and_who_has_none_left_gets_a_fatal_that_says_so(gate: Gate):
    match, first, second = started(gate, time_bank_s=0.6, time_added_per_turn_s=0.4)
    assert first.me["timeRemaining"] == 600_000_000
    first.await_order()
    assert first.ending()[0] == "fatal"
    assert "out of time" in first.end[1]["message"]
    assert second.ending()[0] == "over"
    assert second.me["won"]
    assert second.object("0")["lost"]
    assert second.object("0")["reasonLost"] == "timeout"
    assert gate.server.over(match)["reason"] == "timeout"
    first.line.close()
    second.line.close()


def test_both_clients_see_the_time_that_the_server_has_for_each_of_them(gate: Gate):
    match, first, second = started(gate)
    first.await_order()
    first.finish(True)
    second.await_order()
    second.finish(True)
    first.await_order()

    (spent,) = (
        line["t"]["charged"]
        for line in gate.server.journal(match)
        if line["k"] == "command" and line["n"] == 0
    )
    left = second.object("0")["timeRemaining"] / 1_000_000
    assert left == pytest.approx(60_000 - spent, abs=1)
    assert first.object("1")["timeRemaining"] > 60_000_000_000
    first.line.close()
    second.line.close()


def test_a_client_that_leaves_and_cannot_come_back_loses_at_once(gate: Gate):
    cup = room()
    first = Joueur(gate.tcp(), requestedSession=cup, playerIndex=0)
    second = Joueur(gate.tcp(), requestedSession=cup, playerIndex=1)
    for client in (first, second):
        client.join()
    for client in (first, second):
        client.begin()
    first.line.close()
    assert second.ending()[0] == "over"
    assert second.me["won"]
    second.line.close()


def test_after_over_the_connection_stays_open_until_the_client_leaves_or_two_seconds_pass(
    gate: Gate,
):
    _, first, second = started(gate, max_turns=1)
    first.await_order()
    first.finish(True)
    began = time.monotonic()  # before the end: the test may be late to see it
    for client in (first, second):
        assert client.ending()[0] == "over"
    assert first.line.receive() is None
    assert time.monotonic() - began > 0.5
    first.line.close()
    second.line.close()


def test_a_gateway_that_stops_sends_every_client_a_fatal(live_server: LiveServer):
    with opened(live_server) as gate:
        cup = room()
        playing = [Joueur(gate.tcp(), requestedSession=cup) for _ in range(2)]
        for client in playing:
            client.join()
        for client in playing:
            client.begin()
        lobby = waiting(gate, requestedSession="new")
        new = Joueur(gate.websocket())
        new.say("alias", "catastrophe")
        new.hear("named")
        clients = [*playing, lobby, new]
        closing = threading.Thread(target=gate.gateway.close, args=["the gateway stops"])
        closing.start()
        for client in clients:
            assert client.ending("order") == ("fatal", {"message": "the gateway stops"})
            client.line.close()
        closing.join()


class Unread:
    """A client that reads nothing: who sends to it waits until the wire is cut."""

    def __init__(self) -> None:
        self.sends = threading.Event()
        self._ended = threading.Event()

    def messages(self) -> Iterator[str]:
        yield '{"event": "alias", "data": "catastrophe"}'

    def send(self, text: str) -> None:
        self.sends.set()
        self._ended.wait()
        raise ConnectionError("cut")

    def close(self) -> None:
        self._ended.wait()

    def cut(self) -> None:
        self._ended.set()


def test_a_gateway_stops_although_a_client_does_not_read(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(front, "LINGER_S", 0.5)
    with opened(live_server) as gate:
        new = Joueur(gate.tcp())
        new.say("alias", "catastrophe")
        new.hear("named")
        unread = Unread()
        assert isinstance(gate.gateway, front.CadreGateway)
        serving = threading.Thread(target=gate.gateway._serve, args=(unread, HOST), daemon=True)
        serving.start()
        assert unread.sends.wait(PATIENCE_S)
        closing = threading.Thread(target=gate.gateway.close, args=["it stops"], daemon=True)
        closing.start()
        assert new.ending() == ("fatal", {"message": "it stops"})
        new.line.close()
        for thread in (closing, serving):
            thread.join(PATIENCE_S)
            assert not thread.is_alive()


def test_a_websocket_that_does_not_read_is_closed_after_a_time(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(front, "SEND_TIMEOUT", struct.pack("ll", 0, 50_000))
    ours, theirs = socket.socketpair()
    with ours, theirs:
        connection: Any = Connection(ours, Protocol(Side.SERVER))
        with pytest.raises(ConnectionError):
            front.WebsocketWire(connection).send("x" * 10_000_000)


def test_the_servers_limits_count_the_address_of_a_client_of_its_own_gateway(tmp_path: Path):
    limits = {"lobbies_per_address": 1, "connections_per_address": 1}
    with hosted(tmp_path, gateway_secret="open sesame", **limits) as server:
        with opened(server, secret="open sesame") as gate:
            one = Joueur(gate.tcp(source="127.0.0.5"), requestedSession="new")
            one.join()
            same = Joueur(gate.tcp(source="127.0.0.5"), requestedSession="new")
            assert "too_many_lobbies" in same.run()[1]["message"]
            other = Joueur(gate.tcp(source="127.0.0.6"), requestedSession="new")
            other.join()
            eventually(lambda: connected(server) == 2)
            one.line.close()
            other.line.close()
        with opened(server, secret="wrong") as gate:
            one = Joueur(gate.tcp(source="127.0.0.7"), requestedSession="new")
            one.join()
            same = Joueur(gate.tcp(source="127.0.0.8"), requestedSession="new")
            assert "too_many_lobbies" in same.run()[1]["message"]
            one.line.close()


def connected(server: LiveServer) -> int:
    """Seats of open lobbies that have a connection."""
    lobbies = server.get("/lobbies?state=open").json()
    return sum(seat["connected"] for lobby in lobbies for seat in lobby["seats"])


def refusal_at(port: int) -> bytes:
    """What a connection gets that asks for nothing."""
    with socket.create_connection((HOST, port), PATIENCE_S) as line:
        return line.recv(65536)


class NoDescriptor(socket.socket):
    """A listening socket whose first connections cannot be accepted."""

    fails = 2

    def accept(self) -> tuple[socket.socket, Any]:
        if self.fails:
            self.fails -= 1
            raise OSError(errno.EMFILE, "no descriptor is free")
        return super().accept()


def test_a_gateway_goes_on_after_a_connection_that_cannot_be_accepted(live_server: LiveServer):
    kind = GATEWAYS["catastrophe"]
    listeners = [NoDescriptor(fileno=one.detach()) for one in listeners_at(kind, f"{HOST}:0")]
    gateway = kind.open(listeners, SeatSource(live_server.url))
    try:
        gate = Gate(live_server, gateway, [one.getsockname()[1] for one in listeners])
        for line in (gate.tcp, gate.websocket):
            client = Joueur(line())
            client.say("alias", "catastrophe")
            client.hear("named")
            client.line.close()
    finally:
        gateway.close("the test is over")
        for one in listeners:
            one.close()


def test_a_gateway_goes_on_after_a_thread_that_cannot_be_started(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
):
    def fail(thread: threading.Thread) -> None:
        if thread.name == "cadre-client":
            raise RuntimeError("can't start new thread")
        start(thread)

    start = threading.Thread.start
    for line, port in (
        (gate.tcp, gate.ports[0]),
        (gate.websocket, gate.ports[1]),
    ):
        with monkeypatch.context() as without:
            without.setattr(threading.Thread, "start", fail)
            assert b"too many clients" in refusal_at(port)
        client = Joueur(line())
        client.say("alias", "catastrophe")
        client.hear("named")
        client.line.close()


def test_a_connection_is_counted_before_its_handshake(gate: Gate, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(front, "PER_ADDRESS", 1)
    with socket.create_connection((HOST, gate.ports[1]), PATIENCE_S):
        assert b"503" in refusal_at(gate.ports[1])


def test_the_system_watches_the_connections_of_clients():
    with socket.socket() as connection:
        connections.keep_alive(connection)
        assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        for name, value in connections.KEEP_ALIVE.items():
            option = getattr(socket, name, None)
            assert option is None or connection.getsockopt(socket.IPPROTO_TCP, option) == value


def test_a_gateway_takes_no_more_clients_than_it_may_and_says_so(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(front, "PER_ADDRESS", 1)
    one = waiting(gate, requestedSession="new")
    refused = Joueur(gate.tcp())
    refused.say("alias", "catastrophe")  # unread bytes do not discard the answer
    assert "too many clients" in refused.ending()[1]["message"]
    refused.line.close()
    assert b"too many clients" in refusal_at(gate.ports[1])
    one.line.close()
    eventually(lambda: not gate.gateway._addresses)
    again = waiting(gate, requestedSession="new")
    again.line.close()
