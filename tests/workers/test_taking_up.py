"""What a node left running in a data directory that others share: who takes it up and when, and what the one does that wakes."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from games.core.rerun import verify
from server.matches.record import Held, hold, is_held
from server.nodes.directory import DEAD_MS
from tests.server.house import PLAYED, House, Talk, eventually, hosted
from tests.stores import written

LONG = {"turn_ms": 60_000, "absence": "plays"}


def begun(house: House) -> tuple[str, list[dict[str, Any]], list[Talk]]:
    """A match of one round that the database knows, its seats and who sits there."""
    lobby, taken = house.seated("duel", clock=LONG, config={"rounds": 1})
    talks = [house.seat(one) for one in taken]
    for talk in talks:
        talk.until("view")
    eventually(lambda: written(house.data, "select id from matches where id = ?", lobby))
    return lobby, taken, talks


def ended(*talks: Talk) -> dict[str, Any]:
    for bid, talk in enumerate(talks):
        talk.answer(0, bid)
    first, _ = (talk.until("end")["outcome"] for talk in talks)
    return first  # type: ignore[no-any-return]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What others left is looked for at once."""
    monkeypatch.setattr("server.lobbies.recovery.DEAD_MS", 50)
    monkeypatch.setattr("server.lobbies.recovery.BEAT_MS", 50)


def test_a_journal_is_one_process_s_as_long_as_it_is_open(tmp_path: Path):
    path = tmp_path / "a"
    first = hold(path, os.O_CREAT | os.O_EXCL)
    with pytest.raises(Held):
        hold(path)
    assert is_held(path)
    os.close(first)

    assert not is_held(path)
    os.close(hold(path))


def test_each_node_that_comes_back_goes_on_with_its_own_matches(tmp_path: Path):
    with hosted(tmp_path, node="1") as one, hosted(tmp_path, node="2") as two:
        left = [begun(house) for house in (one, two)]
    with hosted(tmp_path, node="1") as one, hosted(tmp_path, node="2") as two:
        for house, (lobby, taken, _) in zip((one, two), left, strict=True):
            outcome = ended(*[house.seat(seat) for seat in taken])
            assert house.row(lobby)["state"] == "over"
            assert house.verified(lobby).kind == "ok"
            assert all(each.get(f"/matches/{lobby}").json()["outcome"] == outcome for each in (one, two))


def test_what_a_node_left_that_does_not_come_back_another_one_takes_up(tmp_path: Path, impatient: None):
    with hosted(tmp_path, node="1") as one:
        lobby, taken, _ = begun(one)
    with hosted(tmp_path, node="2") as two:
        found = eventually(lambda: two.get(f"/matches/{lobby}").status_code == 200 and two.get(f"/matches/{lobby}").json())
        assert found["watch_url"] == f"ws{two.url.removeprefix('http')}/ws/watch"
        ended(*[two.seat(seat) for seat in taken])
        assert two.verified(lobby).kind == "ok"
        assert [attempt["state"] for attempt in two.get(f"/matches/{lobby}").json()["attempts"]] == ["interrupted", "over"]


def test_what_a_node_left_at_its_very_end_the_one_that_takes_it_up_tells(tmp_path: Path, impatient: None):
    with hosted(tmp_path, node="1") as one:
        lobby, _, talks = begun(one)
        outcome = ended(*talks)
        one.row(lobby)
    with hosted(tmp_path, node="2") as two:
        written(tmp_path, "update matches set state = 'running', outcome = null, head = null where id = ?", lobby)
        written(tmp_path, "update attempts set state = 'running' where match = ?", lobby)

        assert two.row(lobby)["head"] == verify(two.journal_text(lobby), PLAYED).head
        assert two.get(f"/matches/{lobby}").json()["outcome"] == outcome


def test_a_server_that_starts_while_the_one_before_it_still_plays_takes_up_what_that_leaves(tmp_path: Path, impatient: None):
    with ExitStack() as first:
        one = first.enter_context(hosted(tmp_path))
        lobby, taken, _ = begun(one)
        with hosted(tmp_path) as two:
            assert two.get(f"/lobbies/{lobby}").status_code == 404
            first.close()
            eventually(lambda: two.get(f"/lobbies/{lobby}").status_code == 200)
            ended(*[two.seat(seat) for seat in taken])
            assert two.verified(lobby).kind == "ok"


def claimed_by_another(data: Path, lobby: str) -> None:
    """As it is where locks do not hold: on a network, after a long sleep."""
    eventually(lambda: written(data, "select id from lobbies where id = ? and state = 'running'", lobby))
    assert not written(data, "update lobbies set node = '2', life = 'another' where id = ?", lobby)


def test_where_no_lock_holds_whoever_wakes_writes_no_line_of_what_another_one_has_claimed(tmp_path: Path):
    with hosted(tmp_path, node="1") as one:
        lobby, _, talks = begun(one)
        before = one.journal_text(lobby)
        claimed_by_another(tmp_path, lobby)

        assert {talk.refused() for talk in talks} == {(1012, "restart", True)}
        assert one.get(f"/matches/{lobby}").json()["code"] == "node_down"
        assert one.arena.lobbies.get(lobby) is None
    assert (tmp_path / "matches" / f"{lobby}.journal.jsonl").read_text() == before


def test_where_no_lock_holds_the_end_that_a_sleeper_saw_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("server.nodes.directory.NEW_BEAT_MS", 10 * DEAD_MS)
    with hosted(tmp_path, node="1") as one:
        lobby, _, talks = begun(one)
        claimed_by_another(tmp_path, lobby)
        ended(*talks)
        eventually(lambda: not one.arena.archive.telling(lobby))
    assert written(tmp_path, "select state from matches where id = ?", lobby) == [("running",)]
