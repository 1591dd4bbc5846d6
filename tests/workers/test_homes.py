"""Which process is the home of a match, and that it goes on there after a restart, whatever became
of the other processes."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from games.core.rerun import verify
from server.cluster.peers import Peers
from server.matches.record import Held, hold, is_held
from server.settings import Settings
from server.tokens import home_name, masked, new_id, new_token
from tests.server.live_server import PLAYED, LiveServer, SocketClient, eventually, hosted
from tests.stores import written
from tests.workers.nodes import nodes

LONG = {"turn_ms": 60_000, "absence": "plays"}


def begun(live_server: LiveServer) -> tuple[str, list[dict[str, Any]], list[SocketClient]]:
    """A match of one round that the database knows, its seats and who sits there."""
    lobby, taken = live_server.seated("duel", clock=LONG, config={"rounds": 1})
    clients = [live_server.seat(one) for one in taken]
    for client in clients:
        client.until("view")
    eventually(lambda: written(live_server.data, "select id from matches where id = ?", lobby))
    return lobby, taken, clients


def ended(*clients: SocketClient) -> dict[str, Any]:
    for bid, client in enumerate(clients):
        client.answer(0, bid)
    first, _ = (client.until("end")["outcome"] for client in clients)
    return first


def peers(name: str, *names: str) -> Peers:
    return Peers(name, {one: f"http://{one}.example" for one in names or (name,)})


def test_an_open_journal_belongs_to_one_process(tmp_path: Path):
    path = tmp_path / "a"
    first = hold(path, os.O_CREAT | os.O_EXCL)
    with pytest.raises(Held):
        hold(path)
    assert is_held(path)
    os.close(first)

    assert not is_held(path)
    os.close(hold(path))


def test_an_id_and_its_tokens_name_their_process_and_are_masked():
    id_ = new_id("a.1")
    tokens = [new_token(kind, id_) for kind in ("seat", "owner", "invite")]

    assert {home_name(text) for text in (id_, *tokens)} == {"a.1"}
    assert [masked(f"<{token}>") for token in tokens] == ["<s_…>", "<o_…>", "<i_…>"]
    assert (home_name(new_id()), home_name(new_token("key"))) == ("", "")


@pytest.mark.parametrize("now", [("1", "2", "3"), ("1", "2"), ("2",), ("a.1", "a.2", "b.1")])
def test_every_match_has_one_process_even_after_the_processes_changed(now: tuple[str, ...]):
    made = [new_id(name) for name in ("", "1", "2", "3", "a.3") for _ in range(20)]
    processes = [peers(name, *now) for name in now]

    for id_ in made:
        homes = [each.name for each in processes if each.is_home(id_)]
        assert len(homes) == 1
        assert {
            (peer.name if (peer := each.home(id_)) else each.name) for each in processes
        } == set(homes)
        if (name := home_name(id_)) in now or name == "":
            assert homes == [name or now[0]]
        if now[0] == "a.1" and name == "a.3":
            assert homes[0] in ("a.1", "a.2")
    assert all(Peers().is_home(id_) for id_ in made)


def test_only_a_seat_s_token_is_sent_to_its_process():
    one = peers("1", "1", "2")
    seat = new_token("seat", new_id("2"))

    assert (found := one.home_of_seat(seat)) is not None
    assert found.name == "2"
    for token in (
        new_token("owner", new_id("2")),
        new_token("seat", new_id("1")),
        "s_unknown's",
        f"{seat} ",
    ):
        assert one.home_of_seat(token) is None


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"peers": "1=http://a,2=http://b"}, "BOTARENA_NODE is not the name"),
        ({"node": "3", "peers": "1=http://a,2=http://b"}, "BOTARENA_NODE is not the name"),
        ({"node": "1", "peers": "1=http://a,2=http://b"}, "need it"),
        ({"node": "1", "peers": "1=a"}, "expected name="),
        ({"node": "1", "peers": "1=http://a,1=http://b"}, "each name once"),
        ({"node": "a~1"}, "should match pattern"),
    ],
)
def test_an_invalid_list_of_processes_is_refused(given: dict[str, str], problem: str):
    with pytest.raises(ValueError, match=problem):
        Settings(**given)


def test_each_restarted_node_resumes_its_own_matches(tmp_path: Path):
    with nodes(tmp_path, None, "1", "2", shared=True) as both:
        left = [begun(both.start(name)) for name in "12"]
        for name in "12":
            both.stop(name)
        assert [home_name(lobby) for lobby, _, _ in left] == ["1", "2"]
        one, two = (both.start(name) for name in "12")
        for live_server, (lobby, taken, _) in zip((one, two), left, strict=True):
            assert [token_home(seat) for seat in taken] == [home_name(lobby)] * 2
            outcome = ended(*[live_server.seat(seat) for seat in taken])
            assert live_server.row(lobby)["state"] == "over"
            assert live_server.verified(lobby).kind == "ok"
            assert all(
                each.get(f"/matches/{lobby}").json()["outcome"] == outcome for each in (one, two)
            )


def token_home(taken: dict[str, Any]) -> str:
    return home_name(taken["token"])


def test_a_node_does_not_resume_matches_of_a_node_that_is_down(tmp_path: Path):
    with nodes(tmp_path, None, "1", "2", shared=True) as both:
        lobby, taken, _ = begun(both.start("1"))
        both.stop("1")
        two = both.start("2")
        assert two.arena.matches.lobbies.get(lobby) is None
        assert two.get(f"/matches/{lobby}").json()["code"] == "node_down"
        one = both.start("1")
        ended(*[one.seat(seat) for seat in taken])
        eventually(lambda: two.get(f"/matches/{lobby}").json()["state"] == "over")


@pytest.mark.parametrize(
    ("before", "after"),
    [(("1", "2"), ("1",)), (("1",), ("2", "3")), (("1",), ()), ((), ("1", "2"))],
)
def test_matches_resume_when_the_server_is_started_with_other_processes(
    tmp_path: Path, before: tuple[str, ...], after: tuple[str, ...]
):
    with nodes(tmp_path, None, *before, shared=True) as first, ExitStack() as alone:
        live_server = first.start(before[-1]) if before else alone.enter_context(hosted(tmp_path))
        lobby, taken, _ = begun(live_server)
    with nodes(tmp_path, None, *after, shared=True) as then, ExitStack() as alone:
        houses = [then.start(name) for name in after] or [alone.enter_context(hosted(tmp_path))]
        homes = [
            live_server
            for live_server in houses
            if live_server.arena.matches.lobbies.get(lobby) is not None
        ]
        assert len(homes) == 1
        ended(*[homes[0].seat(seat) for seat in taken])
        assert homes[0].verified(lobby).kind == "ok"
        for live_server in houses:
            assert (
                live_server.get(f"/matches/{lobby}").json()["attempts"][0]["state"] == "interrupted"
            )


def test_results_that_a_node_had_not_stored_are_stored_when_it_returns(tmp_path: Path):
    with hosted(tmp_path, node="1") as one:
        lobby, _, clients = begun(one)
        outcome = ended(*clients)
        one.row(lobby)
    written(
        tmp_path,
        "update matches set state = 'running', outcome = null, head = null where id = ?",
        lobby,
    )
    written(tmp_path, "update attempts set state = 'running' where match = ?", lobby)
    with hosted(tmp_path, node="1") as one:
        assert one.row(lobby)["head"] == verify(one.journal_text(lobby), PLAYED).head
        assert one.get(f"/matches/{lobby}").json()["outcome"] == outcome


@pytest.mark.parametrize("node", [None, "1"])
def test_a_server_started_while_the_previous_one_still_plays_resumes_what_it_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, node: str | None
):
    """The lock on the journal decides, and no clock."""
    monkeypatch.setattr("server.lobbies.recovery.RETRY_S", 0.05)
    with ExitStack() as first:
        one = first.enter_context(hosted(tmp_path, node=node))
        lobby, taken, _ = begun(one)
        with hosted(tmp_path, node=node) as two:
            assert two.get(f"/lobbies/{lobby}").status_code == 404
            first.close()
            eventually(lambda: two.get(f"/lobbies/{lobby}").status_code == 200)
            ended(*[two.seat(seat) for seat in taken])
            assert two.verified(lobby).kind == "ok"
