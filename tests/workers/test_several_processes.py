"""`botarena serve --workers`: several processes that form one server, tested from outside."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import sqlite3
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import client_sdk.cli
from client_sdk.errors import ConnectionLost, ServerRefused
from client_sdk.rest import RestClient
from games import GAMES
from games.core.rerun import verify
from server.store.store import FILE
from server.tokens import home_name
from tests.accounts.people import person
from tests.e2e.arena import Arena, connected, eventually, hello, receive, started
from tests.tournaments.stage import SHORT, played

SERVE = ("-m", "client_sdk.cli", "serve", "--workers", "2")


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with started(tmp_path_factory.mktemp("workers"), program=SERVE) as running:
        eventually(lambda: len(addresses(running)) == 2)
        with contextlib.ExitStack() as stack:
            each = [stack.enter_context(RestClient(url)) for url in addresses(running)]
            for rest in each:
                assert rest.lobbies("pyrat") == []
        yield running
    assert running.process.returncode == 0
    assert not any(alive(pid) for pid in addresses(running).values())


def asked(arena: Arena, what: Any) -> Any:
    """Over a connection of its own, which any of the processes may take."""
    with RestClient(arena.url) as rest:
        return what(rest)


def made_by_each(arena: Arena, count: int, make: Any) -> list[Any]:
    """This number from each process, asked at its own address."""
    made: list[Any] = []
    for url in addresses(arena):
        with RestClient(url) as rest:
            made += [make(rest, number) for number in range(len(made), len(made) + count)]
    return made


def addresses(arena: Arena) -> dict[str, int]:
    """Pids of the processes that listen now, by their own addresses."""
    counts = [
        re.search(r'event="a process listens".* pid=(\d+) at=(\S+)', line) for line in arena.log
    ]
    return {one[2]: int(one[1]) for one in counts if one is not None}


def rows(arena: Arena, query: str) -> list[Any]:
    with sqlite3.connect(arena.data / FILE) as database:
        found = database.execute(query).fetchall()
    database.close()
    return found


def test_every_process_knows_every_lobby_and_its_process(arena: Arena):
    made = made_by_each(
        arena, 2, lambda rest, number: rest.create("zooscape", name=f"lobby {number}")
    )

    assert {lobby["watch_url"] for lobby in made} == {
        f"ws{url.removeprefix('http')}/ws/watch" for url in addresses(arena)
    }
    for lobby in made:
        for _ in range(3):
            found = asked(arena, lambda rest, lobby=lobby: rest.lobby(lobby["lobby"]))
            assert (found["lobby"], found["watch_url"]) == (lobby["lobby"], lobby["watch_url"])
        assert (
            asked(arena, lambda rest, lobby=lobby: rest.lobby(lobby["name"]))["lobby"]
            == lobby["lobby"]
        )
        seat = asked(
            arena, lambda rest, lobby=lobby: rest.join(lobby["lobby"], "zooscape", "someone")
        )
        assert seat["url"].removesuffix("play") == lobby["watch_url"].removesuffix("watch")
    assert {lobby["lobby"] for lobby in made} == {
        lobby["lobby"] for lobby in asked(arena, lambda rest: rest.lobbies("zooscape"))
    }


def test_concurrent_requests_for_any_seat_meet_in_one_lobby(arena: Arena):
    with ThreadPoolExecutor(8) as pool:
        seats = list(
            pool.map(
                lambda _: asked(arena, lambda rest: rest.join("*", "botstack", "anybody")),
                range(16),
            )
        )

    assert set(Counter(seat["lobby"] for seat in seats).values()) == {2}
    assert len({seat["token"] for seat in seats}) == 16


def test_new_lobbies_at_the_shared_port_are_distributed_evenly(arena: Arena):
    made = [asked(arena, lambda rest: rest.create("pyrat", seed=5)) for _ in range(8)]

    assert sorted(Counter(home_name(one["lobby"]) for one in made)) == ["1", "2"]
    assert max(Counter(one["watch_url"] for one in made).values()) <= 5
    assert all(home_name(one["owner_token"]) == home_name(one["lobby"]) for one in made)
    assert {
        asked(arena, lambda rest, made=one: rest.lobby(made["lobby"]))["watch_url"] for one in made
    } == {one["watch_url"] for one in made}
    with pytest.raises(ServerRefused, match="unknown_option"):
        asked(arena, lambda rest: rest.create("pyrat", config={"nonsense": 1}))


def test_an_idempotency_key_creates_one_lobby_at_any_process(arena: Arena):
    made = {
        asked(arena, lambda rest: rest.create("pyrat", key="the same for all of them"))["lobby"]
        for _ in range(6)
    }

    assert len(made) == 1


def test_bots_are_invited_to_their_games_at_any_process(arena: Arena):
    organiser = person(arena.data, "organiser").key
    keys = [person(arena.data, "bot", f"bot {number}").key for number in range(2)]
    format_ = {"format": "round-robin", "matches_per_pairing": 2, "check": False}
    with RestClient(arena.url, key=organiser) as rest:
        id_ = rest.create_tournament("Spring", **SHORT, format=format_)["tournament"]
        for key in keys:
            with RestClient(arena.url, key=key) as own:
                own.enter(id_)
        rest.lead(id_, "start")
        with ThreadPoolExecutor(2) as pool:
            called = [
                pool.submit(plays, url, key, 2)
                for url, key in zip(addresses(arena), keys, strict=True)
            ]
            assert [future.result() for future in called] == [2, 2]
        found = eventually(lambda: (now := rest.tournament(id_))["state"] == "finished" and now)

    assert [game["how"] for game in found["games"]] == ["played", "played"]
    assert rows(
        arena, f"select count(*) from pairings where tournament = '{id_}' and state = 'over'"
    ) == [(2,)]


def test_a_bot_is_present_at_each_process_until_its_connection_to_any_of_them_ends(arena: Arena):
    ada = person(arena.data, "bot", "Ada")
    with contextlib.ExitStack() as stack:
        each = [stack.enter_context(RestClient(url, key=ada.key)) for url in addresses(arena)]
        each[0].climb("pyrat")

        def seen() -> list[bool]:
            """What each process says."""
            bots = [rest.ladder("pyrat")["bots"] for rest in each]
            return [bot["present"] for answer in bots for bot in answer if bot["account"] == ada.id]

        for url in addresses(arena):
            with socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2]))) as waiting:
                ask = (
                    "GET /api/v1/bots/me/invitations?wait_s=25 HTTP/1.1\r\nHost: "
                    f"x\r\nAuthorization: Bearer {ada.key}\r\n\r\n"
                )
                waiting.sendall(ask.encode())
                eventually(lambda: seen() == [True, True])
            eventually(lambda: seen() == [False, False], within_s=20)
        each[1].leave_ladder("pyrat")
        assert seen() == []


def plays(url: str, key: str, games: int) -> int:
    """Play games to which this process invites, up to this number; how many they were."""
    count, after = 0, 0
    with RestClient(url, key=key) as rest:
        while count < games:
            for invitation in rest.invitations(after, wait_s=20):
                after = invitation["number"]
                played(invitation["game"], "greedy", invitation["url"], invitation["token"])
                count += 1
    return count


def test_a_seat_at_the_shared_port_reaches_its_match_or_is_redirected(
    arena: Arena,
):
    config = {"preset": "tiny", "preprocessing_timeout_ms": 0}
    match = asked(
        arena,
        lambda rest: rest.create("pyrat", config=config, clock={"turn_ms": 60_000}),
    )["lobby"]
    taken = [asked(arena, lambda rest: rest.join(match, "pyrat", "someone")) for _ in range(2)]
    with contextlib.ExitStack() as stack:
        for one in taken:
            seat = stack.enter_context(connected(one["url"]))
            hello(seat, token=one["token"])
        receive(seat, "view")
        eventually(lambda: rows(arena, f"select id from matches where id = '{match}'"))
        replies = []
        while {one["type"] for one in replies} != {"hello", "error"}:
            with arena.socket("play") as seat:
                replies.append(hello(seat, token=taken[0]["token"]))

    assert {(one["code"], one["url"]) for one in replies if one["type"] == "error"} == {
        ("elsewhere", taken[0]["url"])
    }


def test_a_killed_process_restarts_and_its_matches_resume(arena: Arena):
    config = {"max_turns": 400, "move_timeout_ms": 100}
    made = made_by_each(
        arena,
        2,
        lambda rest, _: rest.create(
            "pyrat", bots=["random", "random"], config=config, clock={"turn_ms": 100}
        ),
    )
    ids = [lobby["lobby"] for lobby in made]
    victim = {lobby["watch_url"]: lobby["lobby"] for lobby in made}.popitem()
    address = f"http{victim[0].removeprefix('ws').removesuffix('/ws/watch')}"
    for id_ in ids:  # a lobby is no match yet, and not known as one by the others
        state = eventually(
            lambda id_=id_: rows(arena, f"select state from matches where id = '{id_}'")
        )
        assert state == [("running",)]
    pid = addresses(arena)[address]
    os.kill(pid, signal.SIGKILL)
    eventually(lambda: addresses(arena)[address] != pid)
    for id_ in ids:
        match = eventually(lambda id_=id_: over(arena, id_))
        assert match["outcome"]["outcome"] in ("win", "draw"), match["outcome"]
        journal = Path(arena.data / "matches" / f"{id_}.journal.jsonl").read_text()
        assert verify(journal, GAMES).kind == "ok"
    known = {
        id_: state for id_, state in rows(arena, "select id, state from matches") if id_ in ids
    }
    assert known == dict.fromkeys(ids, "over")
    per_match = Counter(
        match for (match,) in rows(arena, "select match from attempts where state != 'interrupted'")
    )
    assert all(per_match[id_] == 1 for id_ in ids)


def over(arena: Arena, match: str) -> Any:
    """The match, once it is over. While its process is away the others say so."""
    try:
        found = asked(arena, lambda rest: rest.match(match))
    except ConnectionLost:
        return None
    except ServerRefused as no:
        if no.code not in ("node_down", "resuming"):
            raise
        return None
    return found if found["state"] == "over" else None


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_processes_without_their_own_addresses_do_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("BOTARENA_PUBLIC_URL", "https://arena.example")

    assert (
        client_sdk.cli.run(["serve", "--workers", "2", "--port", "0", "--data-dir", str(tmp_path)])
        == 2
    )
    assert "BOTARENA_PUBLIC_URL needs {node}" in capfd.readouterr().err
    assert list(tmp_path.iterdir()) == []
