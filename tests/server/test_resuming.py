"""A server answers at once after a restart, and resumes its matches behind that."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from client_sdk.replay import JOURNAL_SUFFIX
from games import GAMES
from server.matches.importer import Importer, UnfinishedMatch
from server.matches.resume import interrupted
from server.offload import Offload
from server.store.store import Store
from tests.accounts.people import person
from tests.core.throw_in import DUEL, WALK
from tests.server.left import left_running
from tests.server.live_server import LiveServer, SocketClient, eventually, hosted
from tests.stores import database
from tests.workers.nodes import together

LONG = {"turn_ms": 60_000, "absence": "plays"}
RUN = Offload.run
NO_CLOCK = {"turn_ms": 0, "bank_ms": 0, "increment_ms": 0}


class Gate:
    """Holds matches back that are to be resumed, each until it is let through."""

    def __init__(self) -> None:
        self.order: list[str] = []
        """As they came."""
        self._open: set[str] = set()
        self._all = False

    def let(self, *ids: str) -> None:
        self._open.update(ids)
        self._all = not ids

    async def run(self, offload: Offload, work: Callable[..., Any], *arguments: Any) -> Any:
        if work is interrupted:
            id_ = arguments[0].name.removesuffix(JOURNAL_SUFFIX)
            self.order.append(id_)
            while not (self._all or id_ in self._open):
                await asyncio.sleep(0.005)
        return await RUN(offload, work, *arguments)

    def close(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Offload, "run", lambda *arguments: self.run(*arguments))  # noqa: PLW0108  it becomes a method


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    gate = Gate()
    gate.close(monkeypatch)
    yield gate
    gate.let()


def restarted(data: Path, **settings: Any) -> Any:
    """A server that answers, and has perhaps resumed nothing yet."""
    return hosted(data, resumed=False, **settings)


def reasons(live_server: LiveServer) -> dict[str, str]:
    answer = live_server.http.get("/readyz")
    assert answer.status_code == (503 if answer.json()["reasons"] else 200)
    return answer.json()["reasons"]


def test_the_server_answers_at_once_and_is_ready_when_all_matches_are_resumed(
    tmp_path: Path, gate: Gate
):
    for id_ in ("one", "two"):
        left_running(tmp_path, id_, DUEL, {}, advances=1, clock=LONG)
    with restarted(tmp_path) as live_server:
        assert live_server.http.get("/healthz").json()["status"] == "ok"
        assert reasons(live_server) == {"resuming": "0 of 2 matches are resumed"}
        eventually(lambda: gate.order)
        gate.let(gate.order[0])
        eventually(lambda: reasons(live_server) == {"resuming": "1 of 2 matches are resumed"})
        gate.let()
        eventually(lambda: reasons(live_server) == {})


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/lobbies/late"),
        ("GET", "/lobbies/friends"),
        ("POST", "/lobbies/late/join"),
        ("POST", "/lobbies/friends/join"),
        ("POST", "/lobbies/late/leave"),
        ("POST", "/lobbies/late/start"),
        ("POST", "/lobbies/late/bots"),
        ("GET", "/matches/late"),
        ("GET", "/matches/late/seat"),
        ("GET", "/matches/late/seats/0"),
        ("GET", "/matches/late/journal"),
        ("GET", "/replays/late"),
        ("POST", "/admin/matches/late/abort"),
    ],
)
def test_a_request_about_an_unresumed_match_is_to_be_retried(
    waiting: LiveServer, method: str, path: str
):
    answer = waiting.http.request(method, f"/api/v1{path}")

    assert (answer.status_code, answer.json()["code"], answer.headers["Retry-After"]) == (
        503,
        "resuming",
        "1",
    )


@contextlib.contextmanager
def unresumed(data: Path) -> Iterator[LiveServer]:
    """A server with one match, `late`, in the lobby `friends`, that is not resumed before the
    end."""
    gate = Gate()
    left_running(data, "late", DUEL, {}, advances=1, clock=LONG, name="friends")
    with pytest.MonkeyPatch.context() as monkeypatch:
        gate.close(monkeypatch)
        with restarted(data) as live_server:
            eventually(lambda: gate.order)
            monkeypatch.undo()
            yield live_server


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with unresumed(tmp_path_factory.mktemp("waiting")) as live_server:
        yield live_server


def test_other_lobbies_are_created_joined_and_played_meanwhile(tmp_path: Path):
    """Also in the name of one that is not resumed yet."""
    with unresumed(tmp_path) as live_server:
        lobby, clients = live_server.started(
            "duel", name="friends", config={"rounds": 1}, clock=LONG
        )
        for bid, client in enumerate(clients):
            client.answer(0, bid)

        assert live_server.over(lobby)["reason"] == "rounds"
        made = live_server.create("duel", name="friends")
        assert made["lobby"] == live_server.lobby("friends")["lobby"]
        assert "resuming" in reasons(live_server)


def test_a_drain_counts_matches_that_are_not_resumed_yet(waiting: LiveServer):
    left = waiting.get("/admin/drain", person(waiting.data, "organiser").key).json()["left"]

    assert left >= 1


def test_a_hello_waits_for_its_match(tmp_path: Path, gate: Gate):
    tokens = left_running(tmp_path, "late", DUEL, {}, advances=1, clock=LONG)
    with restarted(tmp_path) as live_server:
        seats = [live_server.socket() for _ in tokens]
        for seat, token in zip(seats, tokens, strict=True):
            seat.say("hello", protocol=1, token=token)
        viewer = live_server.socket("watch")
        viewer.say("hello", protocol=1, match="late")
        assert [client.silent_for(0.1) for client in (*seats, viewer)] == [True] * 3
        gate.let()

        for client in (*seats, viewer):
            assert client.expect("hello")["match"] == "late"
            assert client.expect("start")["turn"] == 1
        assert [seat.until("view", act=True)["turn"] for seat in seats] == [1, 1]


def test_messages_after_a_waiting_hello_are_answered_in_order(tmp_path: Path, gate: Gate):
    tokens = left_running(tmp_path, "late", WALK, {}, advances=1, clock=LONG)
    with restarted(tmp_path) as live_server:
        red, blue = live_server.socket(), live_server.socket()
        red.say("hello", protocol=1, token=tokens[0])
        step = {"do": "step", "by": 1}
        commands = [
            {"type": "commands", "turn": 1, "commands": [step], "id": id_} for id_ in range(4)
        ]
        in_one_piece(blue, {"type": "hello", "protocol": 1, "token": tokens[1]}, *commands[:2])
        assert blue.silent_for(0.1)
        in_one_piece(blue, commands[2])
        gate.let()
        blue.expect("hello")
        in_one_piece(blue, commands[3])

        assert [blue.until("results")["id"] for _ in commands] == [0, 1, 2, 3]


def in_one_piece(client: SocketClient, *messages: dict[str, Any]) -> None:
    with client.socket.protocol_mutex:
        for message in messages:
            client.socket.protocol.send_text(json.dumps(message).encode())
        client.socket.socket.sendall(b"".join(client.socket.protocol.data_to_send()))


def test_a_hello_that_waits_too_long_is_closed_for_a_retry(tmp_path: Path, gate: Gate):
    tokens = left_running(tmp_path, "late", DUEL, {}, advances=1, clock=LONG)
    with restarted(tmp_path, hello_ms=100) as live_server:
        for role, hello in (("play", {"token": tokens[0]}), ("watch", {"match": "late"})):
            client = live_server.socket(role)
            client.say("hello", protocol=1, **hello)
            assert client.refused() == (1012, "restart", True)
        gate.let()
        eventually(lambda: reasons(live_server) == {})
        seat = live_server.socket()
        seat.say("hello", protocol=1, token=tokens[0])
        assert seat.expect("hello")["match"] == "late"


def test_invalid_tokens_are_refused_at_once(waiting: LiveServer):
    client = waiting.socket()
    client.say("hello", protocol=1, token="s_unknown")

    assert client.refused() == (4401, "bad_token", False)


def test_the_grace_begins_when_the_match_is_resumed(tmp_path: Path, gate: Gate):
    tokens = left_running(tmp_path, "late", DUEL, {}, advances=1, clock=LONG | {"startup_ms": 300})
    begun = time.monotonic()
    with restarted(tmp_path) as live_server:
        seats = [live_server.socket() for _ in tokens]
        seats[0].say("hello", protocol=1, token=tokens[0])
        eventually(lambda: time.monotonic() - begun > 0.4)
        gate.let()

        seats[0].expect("hello")
        assert 0 < seats[0].until("event", event="resumed")["data"]["within_ms"] <= 300
        seats[1].say("hello", protocol=1, token=tokens[1])
        assert seats[1].expect("hello")["seat"] == 1
        assert seats[0].until("view", act=True)["turn"] == 1


def test_matches_with_clocks_are_resumed_first_and_short_ones_before_long_ones(
    tmp_path: Path, gate: Gate
):
    left_running(tmp_path, "a-timeless", WALK, {}, advances=1, clock=NO_CLOCK)
    left_running(tmp_path, "b-long", GAMES["pyrat"], {}, advances=40)
    left_running(tmp_path, "c-short", WALK, {}, advances=1, clock=LONG)
    left_running(tmp_path, "d-tick", GAMES["zooscape"], {"seats": 2, "map_size": 9}, advances=3)
    gate.let()
    with hosted(tmp_path):
        order = gate.order

    assert order.index("c-short") < order.index("b-long")
    assert order[-1] == "a-timeless"
    assert sorted(order) == ["a-timeless", "b-long", "c-short", "d-tick"]


def test_a_server_stopped_meanwhile_leaves_the_records_to_the_next_one(tmp_path: Path, gate: Gate):
    for id_ in ("one", "two", "three"):
        left_running(tmp_path, id_, DUEL, {}, advances=1, clock=LONG)
    before = records(tmp_path)
    with restarted(tmp_path):
        eventually(lambda: gate.order)
        first = gate.order[0]
        gate.let(first)
        eventually(lambda: len(gate.order) == 2)
        stopped = time.monotonic()
    assert time.monotonic() - stopped < 5
    assert {id_ for id_, record in records(tmp_path).items() if record != before[id_]} == {first}

    gate.let()
    with hosted(tmp_path) as live_server:
        assert {id_: live_server.lobby(id_)["state"] for id_ in before} == dict.fromkeys(
            before, "running"
        )


def records(data: Path) -> dict[str, bytes]:
    return {
        path.name.removesuffix(JOURNAL_SUFFIX): path.read_bytes()
        for path in (data / "matches").iterdir()
    }


def test_seats_of_a_match_that_cannot_resume_get_its_end(tmp_path: Path, gate: Gate):
    tokens = left_running(tmp_path, "late", DUEL, {}, advances=1, clock=LONG)
    path = tmp_path / "matches" / f"late{JOURNAL_SUFFIX}"
    path.write_bytes(
        path.read_bytes().replace(b'"k":"turn","n":0,"h":"', b'"k":"turn","n":0,"h":"0')
    )
    with restarted(tmp_path) as live_server:
        early = live_server.socket()
        early.say("hello", protocol=1, token=tokens[0])
        gate.let()
        eventually(lambda: reasons(live_server) == {})
        late = live_server.socket()
        late.say("hello", protocol=1, token=tokens[1])

        for client in (early, late):
            assert client.expect("end")["outcome"]["reason"] == "interrupted"
            assert client.refused()[:2] == (4410, "match_over")


def test_a_database_that_does_not_answer_delays_little(
    tmp_path: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("server.lobbies.recovery.RETRY_S", 0.05)
    left_running(tmp_path, "late", DUEL, {}, advances=1, clock=LONG)
    path = tmp_path / "matches" / f"late{JOURNAL_SUFFIX}"
    path.write_bytes(
        path.read_bytes().replace(b'"k":"turn","n":0,"h":"', b'"k":"turn","n":0,"h":"0')
    )
    with restarted(tmp_path) as live_server:
        monkeypatch.setattr(
            Store, "examine", still_lost
        )  # the server looks at its database now and then
        live_server.arena.storage.store.lost = (
            "gone for a while"  # it cannot be written that this match is given up
        )
        gate.let()
        eventually(lambda: len(gate.order) > 1)
        assert "resuming" in reasons(live_server)
        monkeypatch.setattr(Store, "examine", found_again)
        eventually(lambda: "resuming" not in reasons(live_server))


def test_a_match_is_resumed_though_the_database_cannot_store_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("server.lobbies.recovery.RETRY_S", 0.05)
    import_end, failed = Importer.import_end, []

    async def fails_once(importer: Importer, left: UnfinishedMatch) -> bool:
        if not failed:
            failed.append(left.id)
            raise OperationalError("insert", {}, Exception("gone"))
        return await import_end(importer, left)

    monkeypatch.setattr(Importer, "import_end", fails_once)
    left_running(tmp_path, "late", DUEL, {}, advances=1, clock=LONG)
    with hosted(tmp_path) as live_server:
        assert (failed, live_server.lobby("late")["state"]) == (["late"], "running")


async def still_lost(store: Store) -> str | None:
    return store.lost


async def found_again(store: Store) -> None:
    store.lost = None


def test_resumed_matches_are_served_while_long_records_are_replayed(tmp_path: Path):
    tokens = left_running(tmp_path, "quick", WALK, {"turns": 50}, advances=1, clock=LONG)
    left_running(tmp_path, "slow", GAMES["pyrat"], {"max_turns": 30_000}, advances=24_000)
    with restarted(tmp_path) as live_server:
        _, blue = [live_server.seat({"token": token}) for token in tokens]
        blue.until("view", act=True)
        answered = 0
        while reasons(live_server):
            assert blue.answer(1, {"do": "step", "by": 7})
            answered += 1
            time.sleep(0.002)  # it is the records that are slow, not the server

    assert answered > 20


def test_another_node_gives_the_same_answer_about_an_unresumed_match(tmp_path: Path, gate: Gate):
    gate.let()
    with database("sqlite", tmp_path) as url, ExitStack() as leave:
        settings = {name: own | {"database_url": url} for name, own in together("1", "2").items()}
        one = leave.enter_context(hosted(tmp_path / "1", **settings["1"]))
        with hosted(tmp_path / "2", **settings["2"]) as two:
            lobby, _ = two.started("duel", clock=LONG)
            eventually(lambda: one.get(f"/lobbies/{lobby}").json().get("state") == "running")
        gate._all = False
        leave.enter_context(restarted(tmp_path / "2", **settings["2"]))
        answer = eventually(
            lambda: (
                found
                if (found := one.get(f"/lobbies/{lobby}")).json()["code"] != "node_down"
                else None
            )
        )
        assert (answer.status_code, answer.json()["code"], answer.headers["Retry-After"]) == (
            503,
            "resuming",
            "1",
        )
        gate.let()
        eventually(lambda: one.get(f"/lobbies/{lobby}").json().get("state") == "running")
