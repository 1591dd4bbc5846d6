"""What stays of a match: the journal, the result, the replay, and when they may be seen."""

from __future__ import annotations

import json
import os
import threading
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from client_sdk.replay import read
from games.core.journal import commitment, encode, fingerprint
from server import upkeep
from server.matches import dispatcher
from server.matches import record as records
from server.matches.record import JournalFile, LateChain, ascii_texts, write_whole
from server.net.outbox import Outbox
from tests.server.live_server import PATIENCE_S, LiveServer, eventually, hosted


def played(live_server: LiveServer, **options) -> tuple[str, list[dict]]:
    """A match that is over."""
    lobby, taken = live_server.seated("walk", config={"turns": 1}, **options)
    red, blue = (live_server.seat(one) for one in taken)
    red.until("view")
    red.answer(0, {"do": "step", "by": 1}, end_turn=True)
    blue.rest()
    return lobby, taken


NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
"""Those that JSON has."""
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | NUMBERS | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(st.lists(JSON, max_size=3))
@example([1e16, "plain"])
@example([-1.5e300, 1e-7, 0.1])
@example(["\x7f"])
@example(["\x1c\r\n\u2028"])
def test_the_lines_of_a_journal_have_the_bytes_of_the_standard_library(values):
    lines: list = [
        {"k": "command", "n": 7, "s": 0, "c": value, "t": {"handed": 1234.567}} for value in values
    ]
    assert ascii_texts(lines) == [encode(line) for line in lines]


def test_a_finished_match_is_listed_with_its_result_and_its_seed(live_server: LiveServer):
    lobby, _ = played(live_server, seed=77)
    record = live_server.get(f"/matches/{lobby}").json()

    assert (record["state"], record["released"], record["seed"]) == ("over", True, 77)
    assert record["outcome"]["winner"] == 0
    assert [player["name"] for player in record["players"]] == ["player 0", "player 1"]
    assert lobby in [one["match"] for one in live_server.get("/matches?game=walk").json()]
    assert "salt" not in record
    assert "doors" not in record


def test_matches_are_found_by_player_and_result(live_server: LiveServer):
    won, _ = played(live_server)

    def found(query: str) -> bool:
        return won in [one["match"] for one in live_server.get(f"/matches?{query}").json()]

    for query in ("bot=player 0", "bot=player 0&result=win&game=walk", "result=win"):
        assert found(query), query
    for query in ("bot=player 1&result=win", "bot=player", "result=draw"):
        assert not found(query), query
    assert live_server.get("/matches?result=victory").json()["field"] == "result"


def test_the_result_has_the_journals_head_and_a_matching_commitment(live_server: LiveServer):
    lobby, _ = played(live_server)
    row = live_server.row(lobby)

    assert row["head"] == live_server.verified(lobby).head
    assert row["commitment"] == commitment(row["seed"], row["salt"])


def test_the_journal_contains_salted_hashes_and_no_token(live_server: LiveServer):
    lobby, taken = played(live_server)
    text = live_server.journal_text(lobby) + str(live_server.row(lobby))

    assert not any(one["token"] in text for one in taken)
    assert len({seat["token"] for seat in live_server.journal(lobby)[0]["seats"]}) == 2


def test_journal_and_replay_are_served_after_the_end(live_server: LiveServer):
    lobby, _ = played(live_server)

    assert live_server.get(f"/matches/{lobby}/journal").text == live_server.journal_text(lobby)
    replay = read(live_server.get(f"/replays/{lobby}").text)
    assert not replay.cut
    assert lobby in [one["match"] for one in live_server.get("/replays").json()]


def test_no_record_is_released_before_every_match_of_the_same_seed_has_ended(tmp_path):
    with hosted(tmp_path) as live_server:
        other, taken = live_server.seated("walk", config={"turns": 1}, seed=5)
        lobby, _ = played(live_server, seed=5)
        unrelated, _ = played(live_server, seed=6)
        for path in (f"/matches/{lobby}/journal", f"/matches/{lobby}/history", f"/replays/{lobby}"):
            response = live_server.get(path)
            assert (response.status_code, response.json()["code"]) == (409, "not_released")
        shown = live_server.get(f"/matches/{lobby}").json()
        assert not shown["released"]
        assert "seed" not in shown
        assert live_server.get(f"/replays/{unrelated}").status_code == 200

        for one in taken:
            live_server.post(f"/lobbies/{other}/leave", token=one["token"])
        red, blue = (live_server.seat(live_server.join(other)) for _ in range(2))
        red.until("view")
        red.answer(0, end_turn=True)
        blue.rest()

        assert live_server.get(f"/matches/{lobby}/journal").status_code == 200
        assert not (tmp_path / "matches" / f"{lobby}.replay.jsonl").exists(), (
            "a client makes it that asks for it first"
        )
        assert live_server.get(f"/replays/{lobby}").status_code == 200
        assert (tmp_path / "matches" / f"{lobby}.replay.jsonl").exists()


def test_a_running_match_has_no_record(live_server: LiveServer):
    lobby, _ = live_server.started("duel", clock={"turn_ms": 60_000})

    assert live_server.get(f"/matches/{lobby}").json()["state"] == "running"
    assert "seed" not in live_server.get(f"/matches/{lobby}").json()
    assert live_server.get(f"/matches/{lobby}/journal").status_code == 404


def test_an_answer_is_written_before_it_is_acknowledged(live_server: LiveServer):
    lobby, (left, _) = live_server.started("duel", clock={"turn_ms": 60_000})
    left.expect("view")
    left.answer(0, 3)

    last = live_server.journal(lobby)[-1]
    assert (last["k"], last["c"], last["r"]) == ("command", 3, "ok")


@pytest.mark.parametrize("kept_ms", [0, dispatcher.KEPT_MS])
def test_nothing_leaves_that_the_journal_does_not_lead_to(live_server, monkeypatch, kept_ms):
    """Lines are written late, but before results of their commands and views of what follows."""
    monkeypatch.setattr(dispatcher, "KEPT_MS", kept_ms)
    lobby, (left, right) = live_server.started(
        "duel", clock={"turn_ms": 60_000}, config={"rounds": 30}
    )
    left_early: list[dict] = []
    answers: Counter[int] = Counter()
    flush = Outbox.flush

    def checked(self: Outbox) -> None:
        for message in [json.loads(frame[frame.index(b"{") :]) for frame in self._batch]:
            turn, kind = message.get("turn"), message["type"]
            if kind == "view" and live_server.played_again(lobby).turn < turn:
                left_early.append(message)
            if kind == "results":
                answers[turn] += 1
                written = live_server.journal(lobby)
                if answers[turn] > [line.get("n") for line in written if "c" in line].count(turn):
                    left_early.append(message)
        flush(self)

    monkeypatch.setattr(Outbox, "flush", checked)
    for turn in range(30):
        for client in (left, right):
            client.say("commands", turn=turn, commands=[99])
            client.say("commands", turn=turn, commands=[1])
            if turn % 4 == 0:
                client.socket.ping()
                client.say("nonsense")
        for client in (left, right):
            client.until("view", turn=turn + 1)
    live_server.over(lobby)
    assert sum(answers.values()) == 120
    assert left_early == []


def test_what_is_kept_of_a_turn_is_written_though_no_one_answers(live_server: LiveServer):
    lobby, (left, right) = live_server.started("duel", clock={"turn_ms": 60_000})
    for client in (left, right):
        client.until("view")
        client.answer(0, 3)
    eventually(lambda: live_server.journal(lobby)[-1]["k"] == "turn")
    left.say("commands", turn=1, commands=[3])
    eventually(lambda: live_server.journal(lobby)[-1].get("n") == 1)
    assert left.until("results", turn=1)["results"] == [{"code": "ok"}]


def test_only_the_newest_line_waits_for_its_hash():
    lines: list[str] = []
    chain = LateChain(lines.append)
    chain.put({"k": "advance", "n": 1})
    chain.put_hashed({"k": "turn", "n": 1}, "state 1")
    chain.settle(hashed=False)
    assert [json.loads(line)["k"] for line in lines] == ["advance"]
    assert chain.waits

    chain.put({"k": "advance", "n": 2})
    chain.put_hashed({"k": "turn", "n": 2}, "state 2")
    chain.settle(hashed=False)
    assert [json.loads(line)["k"] for line in lines] == ["advance", "turn", "advance"]
    chain.settle()
    assert [json.loads(line).get("h") for line in lines] == [
        None,
        fingerprint("state 1"),
        None,
        fingerprint("state 2"),
    ]
    assert not chain.waits


def test_finished_matches_are_listed_again_after_a_restart(tmp_path):
    with hosted(tmp_path) as live_server:
        lobby, _ = played(live_server, seed=9)
        before = live_server.get(f"/matches/{lobby}").json()
    with hosted(tmp_path) as live_server:
        assert live_server.get(f"/matches/{lobby}").json() == before
        assert live_server.get(f"/replays/{lobby}").status_code == 200


def test_a_match_that_ended_just_before_a_crash_keeps_its_outcome(tmp_path):
    with hosted(tmp_path) as live_server:
        lobby, _ = played(live_server, seed=9)
        before = live_server.get(f"/matches/{lobby}").json()
    for path in tmp_path.glob("botarena.sqlite3*"):
        path.unlink()
    with hosted(tmp_path) as live_server:
        record = live_server.get(f"/matches/{lobby}").json()

        assert (record["outcome"]["winner"], record["outcome"]["reason"]) == (
            0,
            before["outcome"]["reason"],
        )
        assert (record["released"], record["seed"], record["journal"]) == (
            True,
            9,
            before["journal"],
        )
        assert live_server.get(f"/replays/{lobby}").status_code == 200


def test_an_interrupted_private_match_that_cannot_resume_opens_to_its_owner(tmp_path):
    with hosted(tmp_path) as live_server:
        made = live_server.create("duel", private=True, clock={"turn_ms": 60_000})
        lobby = made["lobby"]
        seats = [live_server.seat(live_server.join(lobby, invite=made["invite"])) for _ in range(2)]
        seats[0].until("view")
        text = live_server.journal_text(lobby).replace('"rules_version":3', '"rules_version":2')
    for path in (tmp_path / "matches").iterdir():
        path.unlink()
    (tmp_path / "matches" / f"{lobby}.journal.jsonl").write_text(text)
    with hosted(tmp_path) as live_server:
        assert live_server.get(f"/matches/{lobby}").status_code == 403
        for token in (made["owner_token"], made["invite"]):
            assert (
                live_server.get(f"/matches/{lobby}", token).json()["outcome"]["reason"]
                == "interrupted"
            )


def test_an_invalid_record_file_does_not_stop_the_server(tmp_path):
    folder = tmp_path / "matches"
    folder.mkdir()
    (folder / "odd.journal.jsonl").write_text("nonsense\n")
    (folder / "none.journal.jsonl").write_bytes(b"\xff\x00")
    (folder / "cut.journal.jsonl").write_text('{"k":"match"}\n')
    (folder / "bad.journal.jsonl").write_text("{}\n")
    (folder / "half.journal.jsonl").write_text(
        '{"k":"match","seats":["x"],"game":"duel","rules_version":1}\n'
    )
    (folder / "bad.result.json").write_text("[]")
    with hosted(tmp_path) as live_server:
        assert live_server.get("/matches").json() == []
        played(live_server)


def test_a_full_disk_aborts_one_match_only(tmp_path, monkeypatch):
    with hosted(tmp_path) as live_server:
        lobby, (left, right) = live_server.started("duel", clock={"turn_ms": 60_000})
        other, (one, _) = live_server.started("duel", clock={"turn_ms": 60_000})
        left.expect("view")
        one.expect("view")
        file = live_server.arena.matches.lobbies.unfinished[lobby].file

        def full() -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(
            JournalFile, "flush", lambda self: full() if self is file else flush(self)
        )
        left.say("commands", turn=0, commands=[1])

        assert right.until("end")["outcome"]["reason"] == "disk_full"
        assert one.answer(0, 1) == ["ok"]
        assert live_server.lobby(other)["state"] == "running"
        monkeypatch.undo()
        eventually(lambda: live_server.get(f"/matches/{lobby}/journal").status_code == 200)
        assert [line["r"] for line in live_server.journal(lobby) if line["k"] == "break"] == [
            "disk_full"
        ]
        assert live_server.verified(lobby).kind == "ok"


flush = JournalFile.flush


def test_a_failing_engine_aborts_its_match_only(tmp_path):
    import dataclasses

    from tests.core.throw_in import DUEL

    def broken(state, dice):
        raise ZeroDivisionError("an engine's fault")

    games = {"duel": DUEL, "broken": dataclasses.replace(DUEL, name="broken", advance=broken)}
    with hosted(tmp_path, games) as live_server:
        lobby, (left, right) = live_server.started("broken")
        left.expect("view")
        left.answer(0, 1)
        right.say("commands", turn=0, commands=[1])
        outcome = left.until("end")["outcome"]

        assert (outcome["outcome"], outcome["reason"]) == ("aborted", "server_fault")
        assert live_server.verified(lobby).kind == "ok"
        assert live_server.started("duel")[1][0].expect("view")["act"]


@pytest.mark.parametrize("blind", [None, 0, 1])
def test_a_match_with_a_failing_view_ends_for_all(tmp_path, blind):
    import dataclasses

    from tests.core.throw_in import DUEL

    def view(state, viewer):
        if viewer == blind and DUEL.turn(state) > 0:
            raise ZeroDivisionError("an engine's fault")
        return DUEL.view(state, viewer)

    with hosted(
        tmp_path, {"broken": dataclasses.replace(DUEL, name="broken", view=view)}
    ) as live_server:
        lobby, (left, right) = live_server.started("broken")
        watcher = live_server.viewer(lobby)
        left.expect("view")
        left.answer(0, 1)
        right.say("commands", turn=0, commands=[1])

        for client in (left, right, watcher):
            assert client.until("end")["outcome"]["reason"] == "server_fault"
        assert live_server.over(lobby)["reason"] == "server_fault"
        assert live_server.row(lobby)["head"] == live_server.verified(lobby).head


def test_a_second_sync_waits_for_the_first_and_retries_failures(tmp_path, monkeypatch):
    """A match ends while the server syncs its journals: the result may be published when all of it
    is on the disk."""
    file = JournalFile(tmp_path / "a")
    file.event(0, None, "away", 1)
    file.flush()
    begun, go_on, done = threading.Event(), threading.Event(), []
    sync = os.fsync

    def slow(number: int) -> None:
        if not os.path.samestat(os.fstat(number), (tmp_path / "a").stat()):
            sync(number)  # of a server that another test of this process shares
            return
        begun.set()
        assert go_on.wait(PATIENCE_S)
        done.append("disk")
        if len(done) == 1:
            raise OSError(5, "Input/output error")

    def first() -> None:
        with pytest.raises(OSError, match="Input/output"):
            file.sync()

    def second() -> None:
        file.sync()
        done.append("stored")

    monkeypatch.setattr(records.os, "fsync", slow)
    failed = threading.Thread(target=first)
    failed.start()
    assert begun.wait(PATIENCE_S)
    later = threading.Thread(target=second)
    later.start()
    go_on.set()
    failed.join()
    later.join()
    file.close()

    assert done == ["disk", "disk", "stored"]


def test_a_match_whose_journal_cannot_be_synced_ends_and_no_other(tmp_path, monkeypatch):
    monkeypatch.setattr(upkeep, "SYNC_MS", 10)
    with hosted(tmp_path) as live_server:
        bad, (left, _) = live_server.started("duel", clock={"turn_ms": 60_000})
        good, (other, _) = live_server.started("duel", clock={"turn_ms": 60_000})
        failing = (tmp_path / "matches" / f"{bad}.journal.jsonl").stat()
        sync = os.fsync

        def failed(number: int) -> None:
            if os.path.samestat(os.fstat(number), failing):
                raise OSError(5, "Input/output error")
            sync(number)

        monkeypatch.setattr(records.os, "fsync", failed)
        for client in (left, other):
            client.answer(0, 3)
        assert live_server.over(bad)["reason"] == "disk_full"
        assert other.answer(0, 3) == ["already_bid"]
        assert live_server.lobby(good)["state"] == "running"


def test_a_journal_is_never_overwritten(tmp_path: Path):
    JournalFile(tmp_path / "a").close()

    with pytest.raises(FileExistsError):
        JournalFile(tmp_path / "a")


def test_a_whole_file_is_replaced_atomically(tmp_path: Path):
    write_whole(tmp_path / "r.json", b"one")
    write_whole(tmp_path / "r.json", b"two")

    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("r.json", b"two")]
