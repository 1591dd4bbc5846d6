"""A tournament that hides its stage 1: no route answers anything about it before it is over."""

from __future__ import annotations

import asyncio
import csv
import io
from typing import Any

import pytest

from server.store import teams
from server.store.store import Store, sqlite_url
from tests.accounts.people import Person, person
from tests.server.live_server import eventually
from tests.server.test_spectator_delay import public
from tests.tournaments.stage import Stage, played, staged
from tests.tournaments.test_playing import rows

HIDDEN = {
    "format": "round-robin",
    "matches_per_pairing": 1,
    "check": False,
    "hide_first_stage": True,
}
SLOW = {"preset": "tiny", "max_turns": 4, "move_timeout_ms": 600_000}


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory):
    with (
        pytest.MonkeyPatch.context() as monkeypatch,
        staged(tmp_path_factory.mktemp("hidden"), monkeypatch, games_at_once=4) as stage,
    ):
        yield stage


def together(stage: Stage, *people: Person) -> None:
    """These accounts are a team."""

    async def join() -> None:
        store = Store(sqlite_url(stage.live_server.data))
        await store.open()
        try:
            async with store.write() as db:
                for one in people:
                    await teams.join(db, "red", one.id)
        finally:
            await store.close()

    asyncio.run(join())


def known(stage: Stage, id_: str, key: str | None = None) -> dict[str, tuple[int, bytes]]:
    """What every route answers to anybody; to an account, those that have to do with matches."""
    about = "" if key is None else "tournament|matches$|replays$|lobbies$|ratings|ladders"
    answers = public(stage.live_server, key, about, tournament=id_, game="pyrat")
    assert f"/api/v1/tournaments/{id_}/standings.csv" in answers
    return answers


def answered(stage: Stage, id_: str, key: str, part: str = "") -> Any:
    return stage.live_server.get(f"/tournaments/{id_}{part}", key).json()


def over_rows(stage: Stage, id_: str) -> list[str]:
    """The matches of the tournament that have counted."""
    query = "select match from pairings where tournament = ? and state = 'over'"
    return [row["match"] for row in rows(stage, query, id_)]


def watched(stage: Stage, match: str, key: str | None) -> str:
    """What a viewer with this key is sent first."""
    client = stage.live_server.socket("watch")
    client.say("hello", protocol=1, match=match, **({} if key is None else {"token": key}))
    message = client.next()
    return str(message.get("code", message["type"]))


def test_a_hidden_stage_is_known_to_organisers_alone_and_to_each_bot_its_own_games(stage):
    ada = stage.guest("Ada")
    mate, other = (person(stage.live_server.data, "bot", name) for name in ("Eve", "Cy"))
    together(stage, ada.person, mate)
    id_ = stage.made("greedy", "random", format=HIDDEN, config=SLOW, clock={"startup_ms": 600_000})
    ada.enter(id_)
    stage.led(id_, "start")
    outsiders = (None, other.key)
    before = [known(stage, id_, key) for key in outsiders]
    (first,) = eventually(lambda: ada.asked(wait_s=1))
    played(first["game"], "greedy", first["url"], first["token"])
    eventually(lambda: len(over_rows(stage, id_)) == 2)
    (second,) = eventually(lambda: ada.asked(wait_s=1))
    seat = stage.live_server.seat(second)
    seat.until("start")
    stage.led(id_, "pause")

    assert [known(stage, id_, key) for key in outsiders] == before
    (house,) = {*over_rows(stage, id_)} - {first["match"]}
    for match in (house, first["match"], second["match"]):
        for key in outsiders:
            of_match = public(stage.live_server, key, "{match}|{lobby}", match=match, lobby=match)
            assert f"/api/v1/matches/{match}/history" in of_match
            assert all(status >= 400 for status, _ in of_match.values()), of_match
    assert [watched(stage, second["match"], key) for key in outsiders] == ["wrong_role"] * 2

    for key in (ada.person.key, mate.key):
        whole, table = answered(stage, id_, key), answered(stage, id_, key, "/games")["rows"]
        own = {first["match"]: "over", second["match"]: "running"}
        assert {one["match"]: one["state"] for one in whole["games"] if one["match"]} == own
        assert {one["match"]: one["state"] for one in table} == own
        assert {line["played"] for line in whole["standings"]} == {0}
        assert "result" not in {line["kind"] for line in whole["log"]}
        assert [one["match"] for one in answered(stage, id_, key, "/overview")["running"]] == [
            second["match"]
        ]
        assert stage.live_server.get(f"/matches/{first['match']}", key).json()["outcome"]
        assert stage.live_server.get(f"/matches/{house}", key).json()["code"] == "private"
        table = stage.live_server.get(f"/tournaments/{id_}/standings.csv", key).text
        lines = list(csv.DictReader(io.StringIO(table.removeprefix("\ufeff"))))
        assert [{name for name, cell in line.items() if cell} for line in lines] == [
            {"id", "entry", "status"}
        ] * 3
        page = stage.live_server.get(f"/tournaments/{id_}/page", key).text
        assert "Stage 1 is hidden" in page
        assert "<table>" not in page
    assert watched(stage, second["match"], ada.person.key) == "hello"

    whole = answered(stage, id_, stage.organiser.key)
    assert sum(one["result"] is not None for one in whole["games"]) == 2
    assert whole["paused"]
    assert answered(stage, id_, stage.organiser.key, "/log")["total"] > len(whole["entrants"]) + 2
    assert stage.live_server.get(f"/matches/{house}", stage.organiser.key).json()["outcome"]

    stage.led(id_, "resume")
    played(second["game"], "greedy", second["url"], second["token"])
    over = stage.until(id_, "finished")
    assert all(one["result"] for one in over["games"])
    for match in (house, first["match"], second["match"]):
        assert eventually(lambda match=match: stage.live_server.get(f"/replays/{match}").is_success)


def test_a_bot_of_a_hidden_swiss_tournament_sees_whom_it_meets_and_no_other_pair(stage):
    ada = stage.guest("Ada")
    format_ = HIDDEN | {"format": "swiss", "rounds": 2}
    id_ = stage.made("greedy", "random", "greedy", format=format_, clock={"startup_ms": 600_000})
    ada.enter(id_)
    stage.led(id_, "start")
    before = known(stage, id_)
    (first,) = eventually(lambda: ada.asked(wait_s=1))
    played(first["game"], "greedy", first["url"], first["token"])
    (second,) = eventually(lambda: ada.asked(wait_s=1))
    eventually(lambda: len(over_rows(stage, id_)) == 3)

    assert known(stage, id_) == before
    games = answered(stage, id_, ada.person.key)["games"]
    assert {one["match"] for one in games if one["round"] == 2} == {second["match"]}
    assert {one["match"] for one in games} == {None, first["match"], second["match"]}
    stage.led(id_, "cancel")
    assert stage.get(id_)["games"][0]["result"]


@pytest.mark.parametrize("more", [{"format": "knock-out"}, {"round_robin_public": True}])
def test_only_a_stage_that_there_is_and_that_is_not_shown_is_hidden(stage, more):
    body = {"name": "Spring", "game": "pyrat", "format": HIDDEN | more}

    refused = (422, "bad_format", "format.hide_first_stage")
    assert stage.refused("/tournaments", body) == refused
