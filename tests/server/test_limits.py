"""The limits of one seat, of one address and of all together. A client beyond a limit gets an
error, and no other is affected."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode

from client_sdk.bot import house as bot
from client_sdk.run import play
from server.net.limits import FULL_NS, Crowd, Rates, neighbourhood
from server.settings import Settings
from tests.server.line import held_for
from tests.server.live_server import PATIENCE_S, LiveServer, SocketClient, eventually, hosted
from tests.server.numbers import number

HOSTING = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")
LONG = {"turn_ms": 20_000}


def rows(chapter: str) -> list[list[str]]:
    """The cells of a chapter's table, its head left out."""
    text = HOSTING.partition(f"## {chapter}\n")[2].partition("\n##")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def quoted(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


# --- the table


def test_the_table_has_exactly_the_limits_with_their_defaults():
    limits = {
        name: field.default
        for name, field in Settings.model_fields.items()
        if field.json_schema_extra
    }

    assert {quoted(row[1])[0].lower(): int(row[2]) for row in rows("Limits")} == limits


def test_every_limit_has_a_metric():
    known = {quoted(row[0])[0] for row in rows("Watching the server")}

    assert all(quoted(row[4])[0] in known for row in rows("Limits"))


def test_every_code_in_the_table_is_sent_by_the_server():
    source = "".join(
        path.read_text(encoding="utf-8")
        for path in (Path(__file__).parents[2] / "server").rglob("*.py")
    )
    source += (Path(__file__).parents[2] / "client_sdk" / "wire" / "codes.py").read_text(
        encoding="utf-8"
    )
    codes = [code for row in rows("Limits") for code in quoted(row[3])]

    assert codes
    assert [code for code in codes if f'"{code}"' not in source] == []


# --- a seat's frames


def test_reconnecting_does_not_reset_a_seats_rate_limit(tmp_path, monkeypatch: pytest.MonkeyPatch):
    """Of the frames of one connection only two count, which no rate of 2 with a burst of 4 would
    ever refuse."""
    monkeypatch.setattr("server.matches.client.HELD_S", 0.01)
    with hosted(tmp_path, frames_per_second=2) as live_server:
        _, taken = live_server.seated("duel", clock=LONG)
        live_server.seat(taken[1])
        for _ in range(20):
            client = live_server.seat(taken[0])
            client.until("view")
            for frame in (
                {"type": "seen", "turn": 0},
                {"type": "seen", "turn": 0},
                {"type": "resync"},
            ):
                client.raw(json.dumps(frame))
            if client.until("start", "error")["type"] == "error":
                break
            client.close()

        assert client.rest() == []
        assert client.close_code == 4429


@pytest.mark.parametrize(
    "opcode", [Opcode.PING, Opcode.PONG, Opcode.CONT], ids=["pings", "pongs", "parts of a message"]
)
def test_invalid_frames_count_as_frames(live_server: LiveServer, opcode: Opcode):
    _, (client, other) = live_server.started("duel", clock=LONG)
    if opcode is Opcode.CONT:
        client.socket.socket.sendall(Frame(Opcode.TEXT, b'"', fin=False).serialize(mask=True))
    with contextlib.suppress(ConnectionClosed, OSError):
        client.socket.socket.sendall(
            Frame(opcode, b"", fin=opcode is not Opcode.CONT).serialize(mask=True) * 1000
        )

    assert client.refused() == (4429, "too_fast", True)
    assert other.until("event")["event"] == "away"


def test_a_bucket_is_kept_until_it_is_full():
    rates = Rates(10)
    assert rates.of("a", 0).allows(0, 20)
    assert not rates.of("a", 1_000).allows(1_000)
    assert rates.of("b", FULL_NS // 2).allows(FULL_NS // 2)

    assert not rates.of("a", FULL_NS // 100).allows(FULL_NS // 100)
    assert rates.of("b", 2 * FULL_NS).allows(2 * FULL_NS, 20)
    assert len(rates) == 1


# --- addresses


def test_websockets_per_address_are_limited_and_freed(tmp_path):
    with hosted(tmp_path, connections_per_address=2) as live_server:
        first, _ = live_server.socket(), live_server.socket("watch")
        with pytest.raises(InvalidStatus) as refused:
            live_server.socket()

        assert refused.value.response.status_code == 429
        assert json.loads(refused.value.response.body)["code"] == "too_many_connections"
        assert (
            number(live_server, "botarena_connections_refused_total", code="too_many_connections")
            == 1
        )
        first.close()
        eventually(lambda: number(live_server, "botarena_connections") == 1)
        live_server.socket()


def test_a_bot_beyond_the_limit_waits(tmp_path):
    with hosted(tmp_path, connections_per_address=2) as live_server:
        lobby, taken = live_server.seated("pyrat", config={"preset": "tiny"})
        others = [live_server.socket("watch"), live_server.socket("watch")]
        bots = [
            threading.Thread(target=play, args=(bot("pyrat", "greedy"), one["url"], one["token"]))
            for one in taken
        ]
        for one in bots:
            one.start()
        eventually(
            lambda: (
                number(
                    live_server, "botarena_connections_refused_total", code="too_many_connections"
                )
                >= 2
            )
        )
        for other in others:
            other.close()
        for one in bots:
            one.join(PATIENCE_S)

        assert [seat["absences"] for seat in live_server.over(lobby)["seats"]] == [0, 0]


def test_without_a_limit_per_address_there_is_none():
    crowd = Crowd(per_address=0, viewers=0)

    assert all(crowd.enter("127.0.0.1") for _ in range(10_000))


def test_lobbies_per_address_are_limited_and_freed(tmp_path):
    with hosted(tmp_path, lobbies_per_address=2, proxies="127.0.0.1") as live_server:
        first, _ = live_server.create(config={"rounds": 1}), live_server.create()
        refused = [
            live_server.post("/lobbies", {"game": "duel"}),
            live_server.post("/lobbies/new/join", {"game": "duel", "name": "me"}),
            live_server.post("/lobbies", {"game": "walk"}, **{"Idempotency-Key": "again"}),
        ]
        elsewhere = live_server.post(
            "/lobbies", {"game": "duel"}, **{"X-Forwarded-For": "192.0.2.7"}
        )

        assert [(answer.status_code, answer.json()["code"]) for answer in refused] == [
            (429, "too_many_lobbies")
        ] * 3
        assert elsewhere.status_code == 201
        clients = [live_server.seat(live_server.join(first["lobby"], "me")) for _ in range(2)]
        for client in clients:
            client.until("view")
            client.say("commands", turn=0, commands=[1])
        live_server.over(first["lobby"])
        assert (
            live_server.post(
                "/lobbies", {"game": "walk"}, **{"Idempotency-Key": "again"}
            ).status_code
            == 201
        )


def test_a_refused_lobby_does_not_count(tmp_path):
    with hosted(tmp_path, lobbies_per_address=1) as live_server:
        assert [
            live_server.post("/lobbies", {"game": "duel", "config": {"rounds": 0}}).status_code
            for _ in range(3)
        ] == [422] * 3
        live_server.create()


@pytest.mark.parametrize(
    ("address", "whose"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9%eth0", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("unknown", "unknown"),
    ],
)
def test_an_ipv6_network_is_one_address(address: str, whose: str):
    assert neighbourhood(address) == whose


# --- all together


def test_viewers_of_all_matches_are_limited(tmp_path):
    with hosted(tmp_path, spectators_in_all=2) as live_server:
        lobbies = [live_server.create()["lobby"] for _ in range(3)]
        first, _ = live_server.viewer(lobbies[0]), live_server.viewer(lobbies[1])
        third = live_server.socket("watch")
        third.say("hello", protocol=1, match=lobbies[2])

        assert third.refused() == (4429, "too_fast", True)
        assert number(live_server, "botarena_viewers") == 2
        first.close()
        eventually(lambda: number(live_server, "botarena_viewers") == 1)
        live_server.viewer(lobbies[2])


def test_house_bots_are_limited(tmp_path):
    with hosted(tmp_path, house_bot_processes=1) as live_server:
        lobby = live_server.create("pyrat", bots=["greedy"])
        asked = live_server.post(
            f"/lobbies/{lobby['lobby']}/bots", {"bot": "greedy"}, lobby["owner_token"]
        )
        made = live_server.post("/lobbies", {"game": "pyrat", "bots": ["greedy"]})
        other = live_server.create("pyrat")
        begun = live_server.post(f"/lobbies/{other['lobby']}/start", None, other["owner_token"])

        assert (begun.status_code, begun.json()["code"]) == (503, "too_many_house_bots")
        assert not any(seat["taken"] for seat in live_server.lobby(other["lobby"])["seats"])
        assert (asked.status_code, asked.json()["code"]) == (503, "too_many_house_bots")
        assert (made.status_code, made.json()["code"]) == (503, "too_many_house_bots")
        assert (
            number(live_server, "botarena_requests_refused_total", code="too_many_house_bots") == 3
        )
        assert number(live_server, "botarena_house_bots") == 1


def test_a_request_beyond_the_limit_is_refused_and_creates_nothing(tmp_path):
    with hosted(tmp_path, body_bytes=2048) as live_server:
        refused = live_server.post("/lobbies", {"game": "duel", "config": {"x": "y" * 4000}})

        assert (refused.status_code, refused.json()["code"]) == (413, "too_big")
        assert live_server.get("/lobbies").json() == []
        assert number(live_server, "botarena_requests_refused_total", code="too_big") == 1


# --- those who do not read, and those who are gone


def deaf(live_server: LiveServer, lobby: str) -> SocketClient:
    """A viewer that reads nothing but the server's hello."""
    client = live_server.socket("watch", max_queue=1)
    client.say("hello", protocol=1, match=lobby)
    client.expect("hello")
    return client


def held(live_server: LiveServer, lobby: str) -> int:
    """Bytes that the server holds for the viewers of a match."""
    (viewer,) = live_server.arena.matches.lobbies.unfinished[lobby].viewers
    return held_for(viewer)


def test_a_stalled_viewer_holds_little_memory_and_does_not_affect_the_seats(
    tmp_path,
):
    turns = 600
    with hosted(tmp_path, send_buffer=4096) as live_server:
        config = {
            "preset": "tiny",
            "preprocessing_timeout_ms": 0,
            "max_turns": turns,
            "cheese_count": 1,
        }
        lobby, taken = live_server.seated("pyrat", config=config, seed=3, clock={"turn_ms": 0})
        deaf(live_server, lobby)
        seats = [live_server.seat(one, once=["maze"]) for one in taken]
        most = 0
        for turn in range(turns):
            for seat in seats:
                seat.until("view", turn=turn)
            most = max(most, held(live_server, lobby))
            for seat in seats:
                seat.say("commands", turn=turn, commands=["STAY"])

        result = live_server.over(lobby)
        assert most < 64 * 1024 + 8192
        assert [
            seat["timeouts"] + seat["absences"] + seat["skipped"] for seat in result["seats"]
        ] == [0, 0]
        assert live_server.verified(lobby).kind == "ok"


def test_a_stalled_viewer_that_needs_every_frame_is_closed_with_4430(
    tmp_path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("server.net.transport.PATIENCE_S", 0.2)
    with hosted(tmp_path, send_buffer=4096, outbox_frames=20) as live_server:
        lobby, (left, right) = live_server.started("duel", config={"rounds": 100}, clock=LONG)
        deaf(live_server, lobby)
        turn = 0
        while (
            number(
                live_server, "botarena_connections_closed_total", role="watch", code="slow_consumer"
            )
            == 0
        ):
            for _ in range(10):
                left.say("info", data="x" * 4000)
            assert left.answer(turn, 1) == right.answer(turn, 1) == ["ok"]
            turn += 1

        assert number(live_server, "botarena_viewers") == 0
        assert turn < 100


SILENT = """
import sys, websockets.sync.client as ws
with ws.connect(sys.argv[1], compression=None, proxy=None) as socket:
    socket.send(sys.argv[2])
    print(socket.recv(), flush=True)
    for message in socket:
        pass
"""


def test_a_silently_lost_connection_is_freed_within_the_documented_time(tmp_path):
    """The peer is stopped, so that its system goes on to take our bytes and nothing ever comes
    back."""
    with hosted(tmp_path, ping_ms=50, quiet_ms=400) as live_server:
        lobby, (taken, _) = live_server.seated("duel")
        url = f"ws{live_server.url.removeprefix('http')}/ws/play"
        hello = json.dumps({"type": "hello", "protocol": 1, "token": taken["token"]})
        peer = subprocess.Popen(
            [sys.executable, "-c", SILENT, url, hello], stdout=subprocess.PIPE, text=True
        )
        assert peer.stdout is not None
        try:
            assert '"hello"' in peer.stdout.readline()
            os.kill(peer.pid, signal.SIGSTOP)
            eventually(
                lambda: number(live_server, "botarena_connections_closed_total", code="quiet") == 1
            )
            assert number(live_server, "botarena_connections") == 0
            assert live_server.lobby(lobby)["seats"][0]["connected"] is False
        finally:
            peer.kill()
            peer.wait(PATIENCE_S)
            peer.stdout.close()
