"""The server as a process: it reports its address, ends on a signal, and house bots end with it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from client_sdk.rest import RestClient
from games import GAMES
from games.core.rerun import verify
from tests.forked_process import ForkedProcess
from tests.server.live_server import PATIENCE_S, eventually, hosted

pytestmark = pytest.mark.e2e

PROGRAM = [sys.executable, "-m", "client_sdk.cli"]


@contextmanager
def serving(
    data: Path, *options: str, program: bool = False, **environment: str
) -> Iterator[tuple[subprocess.Popen[str] | ForkedProcess, str]]:
    """A server process and the address that it named; its log is `data/log`."""
    data.mkdir(exist_ok=True)
    words = ["serve", "--port", "0", "--data-dir", str(data), *options]
    process: subprocess.Popen[str] | ForkedProcess
    if program:
        with (data / "log").open("a") as log:
            process = subprocess.Popen(
                [*PROGRAM, *words],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=os.environ | environment,
            )
    else:
        process = ForkedProcess(words, environment=os.environ | environment, errors=data / "log")
    assert process.stdout is not None
    try:
        yield process, process.stdout.readline().removeprefix("listening on ").strip()
    finally:
        process.kill()
        process.wait(PATIENCE_S)
        process.stdout.close()


def refusal_of(data: Path, *options: str, **environment: str) -> tuple[int, str]:
    """The status of a server that does not start, and what it says."""
    words = ["serve", "--port", "0", "--data-dir", data, *options]
    process = ForkedProcess(words, environment=os.environ | environment, errors=True)
    out, err = process.communicate(timeout=PATIENCE_S)
    assert out == ""
    return process.wait(), err


@pytest.mark.parametrize("options", [(), ("--workers", "2")], ids=["alone", "a family"])
def test_a_data_directory_in_use_is_refused(tmp_path, options):
    with serving(tmp_path, *options):
        for others in ((), ("--workers", "2")):
            status, text = refusal_of(tmp_path, *others)
            assert status == 1
            assert "another server works in it" in text


def test_a_data_directory_in_use_is_refused_to_a_named_process_too(tmp_path):
    with serving(tmp_path):
        status, text = refusal_of(tmp_path, BOTARENA_NODE="a")
        assert status == 1
        assert "another server works in it" in text


def test_a_data_directory_is_free_when_its_server_is_killed(tmp_path):
    for _ in range(2):
        with serving(tmp_path) as (process, url), RestClient(url) as rest:
            assert rest.health()["status"] == "ok"
            process.kill()


@pytest.mark.parametrize(("number", "program"), [(signal.SIGTERM, True), (signal.SIGINT, False)])
def test_a_signal_keeps_matches_for_the_next_start_and_exits_with_0(tmp_path, number, program):
    with (
        serving(tmp_path, program=program, BOTARENA_DRAIN_MS="50") as (process, url),
        RestClient(url) as rest,
    ):
        assert rest.health()["status"] == "ok"
        lobby = rest.create("pyrat", bots=["greedy"], clock={"turn_ms": 0})["lobby"]
        rest.join(lobby, "pyrat", "never connects")
        waiting = rest.join(rest.create("pyrat")["lobby"], "pyrat", "waits")
        running = rest.create("botstack", bots=["greedy"], config={"decision_timeout_ms": 60_000})[
            "lobby"
        ]
        seat = rest.join(running, "botstack", "thinks for ever")
        with hello(url, seat["token"]) as socket, hello(url, waiting["token"]) as early:
            eventually(lambda: rest.lobby(running)["state"] == "running")
            bots = children(process.pid)
            assert len(bots) == 2
            process.send_signal(number)

            assert process.wait(PATIENCE_S) == 0
            assert last_word(socket) == (1012, "restart", True)
            assert last_word(early) == (1001, "leaving", True)
        assert not [pid for pid in bots if alive(pid)]
        journal = (tmp_path / "matches" / f"{running}.journal.jsonl").read_text()
        assert verify(journal, GAMES).kind == "cut"
    with serving(tmp_path) as (_, url), RestClient(url) as rest:
        with hello(url, seat["token"]) as socket:
            assert json.loads(socket.recv())["seat"] == seat["seat"]
            assert rest.lobby(running)["state"] == "running"
        assert (tmp_path / "matches" / f"{running}.journal.jsonl").read_text().startswith(journal)


def test_after_a_second_signal_the_server_does_not_wait_for_matches(tmp_path):
    with serving(tmp_path, BOTARENA_DRAIN_MS="600000") as (process, url), RestClient(url) as rest:
        waiting = rest.join(rest.create("pyrat")["lobby"], "pyrat", "waits")
        running = rest.create("botstack", bots=["greedy"], config={"decision_timeout_ms": 60_000})[
            "lobby"
        ]
        seat = rest.join(running, "botstack", "thinks for ever")
        with hello(url, seat["token"]) as socket, hello(url, waiting["token"]) as early:
            eventually(lambda: rest.lobby(running)["state"] == "running")
            process.send_signal(signal.SIGTERM)
            assert last_word(early) == (1001, "leaving", True)
            assert process.poll() is None
            process.send_signal(signal.SIGTERM)

            assert process.wait(PATIENCE_S) == 0
            assert last_word(socket) == (1012, "restart", True)
        journal = (tmp_path / "matches" / f"{running}.journal.jsonl").read_text()
        assert (verify(journal, GAMES).kind, journal[-1]) == ("cut", "\n")


def test_a_port_in_use_is_reported_without_a_traceback(tmp_path):
    with serving(tmp_path / "one") as (_, url):
        status, text = refusal_of(tmp_path / "two", "--port", url.rpartition(":")[2])

    assert status == 1
    assert text.startswith("botarena: ")
    assert "Traceback" not in text


@pytest.mark.parametrize(
    ("options", "environment", "message"),
    [
        (["--port", "99999"], {}, "BOTARENA_PORT: "),
        (["--port", "-1"], {}, "BOTARENA_PORT: "),
        ([], {"BOTARENA_LOBBIES": "-5"}, "BOTARENA_LOBBIES: "),
        ([], {"BOTARENA_HOUSE_BOTS": "maybe"}, "BOTARENA_HOUSE_BOTS: "),
        (["--host", "no.such.host.invalid"], {}, "no.such.host.invalid:0: "),
    ],
)
def test_an_invalid_setting_is_reported_in_one_line(tmp_path, options, environment, message):
    status, text = refusal_of(tmp_path, *options, **environment)

    assert status in (1, 2)
    (line,) = text.splitlines()
    assert line.startswith(f"botarena: {message}")


def test_no_token_is_logged(tmp_path):
    with serving(tmp_path, "--log-level", "debug") as (process, url), RestClient(url) as rest:
        made = rest.create("botstack", private=True)
        lobby = made["lobby"]
        seats = [rest.join(lobby, "botstack", "me", invite=made["invite"]) for _ in range(2)]
        tokens = [
            made["owner_token"],
            made["invite"],
            *(seat["token"] for seat in seats),
            "s_wrong-token",
        ]
        for token in [*tokens, *tokens[2:4]]:
            with hello(url, token):
                pass
        rest.leave(lobby, seats[0]["token"])
        process.terminate()
        process.wait(PATIENCE_S)
    log = (tmp_path / "log").read_text()

    assert lobby in log
    assert not [token for token in tokens if token in log]


def test_house_bots_play_and_leave_no_process_behind(tmp_path):
    with hosted(tmp_path) as live_server:
        before = children(os.getpid())
        lobby = live_server.create(
            "pyrat", bots=["greedy"], config={"preset": "tiny", "max_turns": 30}
        )["lobby"]
        owner = live_server.join(lobby, "me")
        assert (
            live_server.post(f"/lobbies/{lobby}/bots", {"bot": "greedy"}, owner["token"]).json()[
                "code"
            ]
            == "lobby_full"
        )
        seat = live_server.seat(owner)
        seat.until("start")
        seat.say("ready")
        bots = {*children(os.getpid())} - {*before}
        while (message := seat.until("view", "end"))["type"] == "view":
            if message["act"]:
                seat.say("commands", turn=message["turn"], commands=["STAY"])

        eventually(lambda: not [pid for pid in bots if alive(pid)])
        assert len(bots) == 1
        assert live_server.verified(lobby).kind == "ok"


def test_the_owner_starts_and_house_bots_fill_the_free_seats(tmp_path):
    with hosted(tmp_path) as live_server:
        made = live_server.create("botstack")
        lobby = made["lobby"]
        assert live_server.post(f"/lobbies/{lobby}/start").json()["code"] == "wrong_token"
        assert (
            live_server.post(f"/lobbies/{lobby}/bots", {"bot": "greedy"}).json()["code"]
            == "wrong_token"
        )
        assert (
            live_server.post(
                f"/lobbies/{lobby}/bots", {"bot": "unknown"}, made["owner_token"]
            ).json()["code"]
            == "unknown_bot"
        )
        assert (
            live_server.post(
                f"/lobbies/{lobby}/bots", {"bot": "trivial", "seat": 1}, made["owner_token"]
            ).json()["seat"]
            == 1
        )
        assert (
            live_server.post(f"/lobbies/{lobby}/start", token=made["owner_token"]).status_code
            == 200
        )

        outcome = live_server.over(lobby)

        assert outcome["outcome"] in ("win", "draw", "both_lost")
        assert [seat["bot"] for seat in live_server.lobby(lobby)["seats"]] == ["greedy", "trivial"]
        again = live_server.post(f"/lobbies/{lobby}/start", token=made["owner_token"])
        assert (again.status_code, again.json()["code"]) == (409, "not_open")


def test_a_game_without_house_bots_is_not_started_with_free_seats(tmp_path):
    with hosted(tmp_path) as live_server:
        made = live_server.create("duel")

        assert (
            live_server.post(f"/lobbies/{made['lobby']}/start", token=made["owner_token"]).json()[
                "code"
            ]
            == "no_bots"
        )


def test_house_bots_can_be_switched_off(tmp_path):
    with hosted(tmp_path, house_bots=False) as live_server:
        assert live_server.get("/bots").json() == []
        assert (
            live_server.post("/lobbies", {"game": "pyrat", "bots": ["greedy"]}).json()["code"]
            == "unknown_bot"
        )


def test_a_cancelled_lobby_ends_its_bots(tmp_path):
    with hosted(tmp_path) as live_server:
        lobby = live_server.create("botstack", bots=["greedy"], start_timeout_ms=2_500)["lobby"]
        eventually(lambda: live_server.lobby(lobby)["seats"][0]["connected"])
        bots = children(os.getpid())
        eventually(lambda: live_server.lobby(lobby)["state"] == "cancelled")

        eventually(lambda: not [pid for pid in bots if alive(pid)])


@contextmanager
def hello(url: str, token: str):
    import websockets.sync.client as ws

    with ws.connect(
        f"ws{url.removeprefix('http')}/ws/play", compression=None, proxy=None, close_timeout=1
    ) as socket:
        socket.send(json.dumps({"type": "hello", "protocol": 1, "token": token}))
        socket.recv(PATIENCE_S)
        yield socket


def last_word(socket) -> tuple[int | None, str, bool]:
    """How the server closes: status, the error's code, and whether coming back can help."""
    from websockets.exceptions import ConnectionClosed

    heard = {}
    try:
        while True:
            heard = json.loads(socket.recv(PATIENCE_S))
    except ConnectionClosed:
        return socket.protocol.close_code, heard["code"], heard["retry"]


def children(pid: int) -> list[int]:
    """The bots among the processes that this one has started."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += [int(child) for child in (task / "children").read_text().split()]
    return [
        child for child in found if b"client_sdk.run" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_background_task_that_fails_once_is_restarted(tmp_path, monkeypatch):
    tried = []

    def disk_problem(folder: Path, least: int) -> None:
        tried.append(folder)
        if len(tried) == 1:
            raise ZeroDivisionError("a fault of ours")

    monkeypatch.setattr("server.watch.disk_problem", disk_problem)
    monkeypatch.setattr("server.chores.RESTART_S", 0.001)
    with hosted(tmp_path):
        assert eventually(lambda: len(tried) > 1)
