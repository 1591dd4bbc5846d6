"""What stays of a match: the journal, the result, the replay, and when they may be seen."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from client_sdk.replay import read
from games.core.journal import commitment
from server.matches import record as records
from server.matches.record import JournalFile, write_whole
from tests.server.house import PATIENCE_S, House, eventually, hosted


def played(house: House, **wish) -> tuple[str, list[dict]]:
    """A match that is over."""
    lobby, taken = house.seated("walk", config={"turns": 1}, **wish)
    red, blue = (house.seat(one) for one in taken)
    red.until("view")
    red.answer(0, {"do": "step", "by": 1}, end_turn=True)
    blue.rest()
    return lobby, taken


def test_a_finished_match_is_listed_with_its_result_and_its_seed(house: House):
    lobby, _ = played(house, seed=77)
    record = house.get(f"/matches/{lobby}").json()

    assert (record["state"], record["released"], record["seed"]) == ("over", True, 77)
    assert record["outcome"]["winner"] == 0
    assert [player["name"] for player in record["players"]] == ["player 0", "player 1"]
    assert lobby in [one["match"] for one in house.get("/matches?game=walk").json()]
    assert "salt" not in record
    assert "doors" not in record


def test_the_result_names_the_journals_head_and_the_commitment_fits(house: House):
    lobby, _ = played(house)
    row = house.row(lobby)

    assert row["head"] == house.verified(lobby).head
    assert row["commitment"] == commitment(row["seed"], row["salt"])


def test_the_journal_holds_no_token_only_salted_hashes(house: House):
    lobby, taken = played(house)
    text = house.journal_text(lobby) + str(house.row(lobby))

    assert not any(one["token"] in text for one in taken)
    assert len({seat["token"] for seat in house.journal(lobby)[0]["seats"]}) == 2


def test_journal_and_replay_are_served_after_the_end(house: House):
    lobby, _ = played(house)

    assert house.get(f"/matches/{lobby}/journal").text == house.journal_text(lobby)
    replay = read(house.get(f"/replays/{lobby}").text)
    assert not replay.cut
    assert lobby in [one["match"] for one in house.get("/replays").json()]


def test_nothing_comes_out_before_every_match_of_the_same_seed_has_ended(tmp_path):
    with hosted(tmp_path) as house:
        other, taken = house.seated("walk", config={"turns": 1}, seed=5)
        lobby, _ = played(house, seed=5)
        unrelated, _ = played(house, seed=6)
        for path in (f"/matches/{lobby}/journal", f"/replays/{lobby}"):
            response = house.get(path)
            assert (response.status_code, response.json()["code"]) == (409, "not_released")
        shown = house.get(f"/matches/{lobby}").json()
        assert not shown["released"]
        assert "seed" not in shown
        assert house.get(f"/replays/{unrelated}").status_code == 200

        for one in taken:
            house.post(f"/lobbies/{other}/leave", token=one["token"])
        red, blue = (house.seat(house.join(other)) for _ in range(2))
        red.until("view")
        red.answer(0, end_turn=True)
        blue.rest()

        assert house.get(f"/matches/{lobby}/journal").status_code == 200
        assert not (tmp_path / "matches" / f"{lobby}.replay.jsonl").exists(), (
            "a client makes it that asks for it first"
        )
        assert house.get(f"/replays/{lobby}").status_code == 200
        assert (tmp_path / "matches" / f"{lobby}.replay.jsonl").exists()


def test_a_running_match_gives_no_record(house: House):
    lobby, _ = house.started("duel", clock={"turn_ms": 60_000})

    assert house.get(f"/matches/{lobby}").json()["state"] == "running"
    assert "seed" not in house.get(f"/matches/{lobby}").json()
    assert house.get(f"/matches/{lobby}/journal").status_code == 404


def test_an_answer_is_in_the_file_before_it_is_acknowledged(house: House):
    lobby, (left, _) = house.started("duel", clock={"turn_ms": 60_000})
    left.expect("view")
    left.answer(0, 3)

    last = house.journal(lobby)[-1]
    assert (last["k"], last["c"], last["r"]) == ("command", 3, "ok")


def test_finished_matches_are_listed_again_after_a_restart(tmp_path):
    with hosted(tmp_path) as house:
        lobby, _ = played(house, seed=9)
        before = house.get(f"/matches/{lobby}").json()
    with hosted(tmp_path) as house:
        assert house.get(f"/matches/{lobby}").json() == before
        assert house.get(f"/replays/{lobby}").status_code == 200


def test_a_match_that_ended_just_before_a_crash_keeps_its_outcome(tmp_path):
    with hosted(tmp_path) as house:
        lobby, _ = played(house, seed=9)
        before = house.get(f"/matches/{lobby}").json()
    for path in tmp_path.glob("botarena.sqlite3*"):
        path.unlink()
    with hosted(tmp_path) as house:
        record = house.get(f"/matches/{lobby}").json()

        assert (record["outcome"]["winner"], record["outcome"]["reason"]) == (
            0,
            before["outcome"]["reason"],
        )
        assert (record["released"], record["seed"], record["journal"]) == (
            True,
            9,
            before["journal"],
        )
        assert house.get(f"/replays/{lobby}").status_code == 200


def test_an_interrupted_private_match_that_cannot_go_on_opens_to_its_owner(tmp_path):
    with hosted(tmp_path) as house:
        made = house.create("duel", private=True, clock={"turn_ms": 60_000})
        lobby = made["lobby"]
        seats = [house.seat(house.join(lobby, invite=made["invite"])) for _ in range(2)]
        seats[0].until("view")
        text = house.journal_text(lobby).replace('"rules_version":3', '"rules_version":2')
    for path in (tmp_path / "matches").iterdir():
        path.unlink()
    (tmp_path / "matches" / f"{lobby}.journal.jsonl").write_text(text)
    with hosted(tmp_path) as house:
        assert house.get(f"/matches/{lobby}").status_code == 403
        for token in (made["owner_token"], made["invite"]):
            assert (
                house.get(f"/matches/{lobby}", token).json()["outcome"]["reason"] == "interrupted"
            )


def test_a_file_that_is_no_record_hinders_nobody(tmp_path):
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
    with hosted(tmp_path) as house:
        assert house.get("/matches").json() == []
        played(house)


def test_a_full_disk_breaks_one_match_off_and_no_other(tmp_path, monkeypatch):
    with hosted(tmp_path) as house:
        lobby, (left, right) = house.started("duel", clock={"turn_ms": 60_000})
        other, (one, _) = house.started("duel", clock={"turn_ms": 60_000})
        left.expect("view")
        one.expect("view")
        file = house.arena.lobbies.unfinished[lobby].file

        def full() -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(
            JournalFile, "flush", lambda self: full() if self is file else flush(self)
        )
        left.say("commands", turn=0, commands=[1])

        assert right.until("end")["outcome"]["reason"] == "disk_full"
        assert one.answer(0, 1) == ["ok"]
        assert house.lobby(other)["state"] == "running"
        monkeypatch.undo()
        eventually(lambda: house.get(f"/matches/{lobby}/journal").status_code == 200)
        assert [line["r"] for line in house.journal(lobby) if line["k"] == "break"] == ["disk_full"]
        assert house.verified(lobby).kind == "ok"


flush = JournalFile.flush


def test_an_engine_that_fails_breaks_its_match_off_and_no_other(tmp_path):
    import dataclasses

    from tests.core.throw_in import DUEL

    def broken(state, dice):
        raise ZeroDivisionError("an engine's fault")

    games = {"duel": DUEL, "broken": dataclasses.replace(DUEL, name="broken", advance=broken)}
    with hosted(tmp_path, games) as house:
        lobby, (left, right) = house.started("broken")
        left.expect("view")
        left.answer(0, 1)
        right.say("commands", turn=0, commands=[1])
        outcome = left.until("end")["outcome"]

        assert (outcome["outcome"], outcome["reason"]) == ("aborted", "server_fault")
        assert house.verified(lobby).kind == "ok"
        assert house.started("duel")[1][0].expect("view")["act"]


@pytest.mark.parametrize("blind", [None, 0, 1])
def test_a_match_that_cannot_be_shown_to_somebody_ends_for_all(tmp_path, blind):
    import dataclasses

    from tests.core.throw_in import DUEL

    def view(state, viewer):
        if viewer == blind and DUEL.turn(state) > 0:
            raise ZeroDivisionError("an engine's fault")
        return DUEL.view(state, viewer)

    with hosted(tmp_path, {"broken": dataclasses.replace(DUEL, name="broken", view=view)}) as house:
        lobby, (left, right) = house.started("broken")
        watcher = house.viewer(lobby)
        left.expect("view")
        left.answer(0, 1)
        right.say("commands", turn=0, commands=[1])

        for talk in (left, right, watcher):
            assert talk.until("end")["outcome"]["reason"] == "server_fault"
        assert house.over(lobby)["reason"] == "server_fault"
        assert house.row(lobby)["head"] == house.verified(lobby).head


def test_whoever_syncs_second_waits_for_the_first_and_what_failed_is_tried_again(
    tmp_path, monkeypatch
):
    """A match ends while the server is at its journals: the result may be told when all of it is on
    the disk."""
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
        done.append("told")

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

    assert done == ["disk", "disk", "told"]


def test_a_journal_is_never_written_over(tmp_path: Path):
    JournalFile(tmp_path / "a").close()

    with pytest.raises(FileExistsError):
        JournalFile(tmp_path / "a")


def test_a_whole_file_replaces_the_one_before_at_once(tmp_path: Path):
    write_whole(tmp_path / "r.json", b"one")
    write_whole(tmp_path / "r.json", b"two")

    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("r.json", b"two")]
