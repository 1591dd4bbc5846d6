"""Bots that were handed in on a ladder: who meets whom, how often, and whose place it is."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select

import client_sdk.cli
from client_sdk.bots import HOUSE
from client_sdk.local.games import Task, TaskResult, play
from client_sdk.local.players import PlayerSpec
from games.core.contract import AnyGame
from server.offload import Offload
from server.store import submissions
from server.store.store import Store, sqlite_url
from server.store.tables import accounts, team_members, teams
from server.tournaments.ladder import Ladder
from server.webhook import Webhook
from tests.accounts.people import person_of
from tests.server.live_server import eventually
from tests.stores import written
from tests.tournaments.stage import SHORT, Guest, Stage, counted, rounds, staged
from tests.tournaments.versions import EATS, FALLS, version


class Threads:
    """The pool of the processes that play, as threads; house bots play what was handed in, so that
    no sandbox is needed (tests/workers have one)."""

    def __init__(self, jobs: int) -> None:
        self._threads = ThreadPoolExecutor(jobs)

    def submit(self, task: Task) -> Future[TaskResult]:
        seats = enumerate(task.players)
        absent = tuple(seat for seat, one in seats if one.home and _text(one) == FALLS)
        if absent:
            gone = TaskResult(outcome=None, absent=absent, why="it ends at once")
            return self._threads.submit(lambda: gone)
        players = tuple(
            one
            if one.kind == "house"
            else PlayerSpec(one.label, "greedy" if _text(one) == EATS else "random", "house")
            for one in task.players
        )
        return self._threads.submit(play, replace(task, players=players))

    def result(self, future: Future[TaskResult]) -> TaskResult:
        return future.result()

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown()


def _text(player: PlayerSpec) -> str:
    return (Path(player.home or "") / "bot.sh").read_text()


async def in_this_process(offload: Offload, function: Callable[..., Any], *given: Any) -> Any:
    """A fit of ratings, without a child process."""
    return function(*given)


def short(game: AnyGame, config: dict[str, Any], seats: int) -> dict[str, Any]:
    return config | SHORT["config"]


@pytest.fixture(autouse=True)
def two_house_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """That know each other; games are over after four turns."""
    two = {name: HOUSE["pyrat"][name] for name in ("random", "greedy")}
    monkeypatch.setitem(HOUSE, "pyrat", two)
    monkeypatch.setattr("server.tournaments.ladder.for_seats", short)
    monkeypatch.setattr("server.workers.due.for_seats", short)
    monkeypatch.setattr("server.tournaments.opponents.HOUSE_GAMES", 0)
    monkeypatch.setattr("server.tournaments.opponents.UNCERTAIN", 0)
    monkeypatch.setattr(Ladder, "_pair", counted(Ladder._pair))
    monkeypatch.setattr("server.offload.Offload.run", in_this_process)
    monkeypatch.setattr("server.workers.here.Pool", Threads)
    monkeypatch.setattr("server.workers.here.missing", lambda: None)


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """Each bot plays at most four games within an hour; none is played live."""
    with staged(
        tmp_path,
        monkeypatch,
        games_at_once=0,
        ladder="pyrat",
        ladder_pace_ms=20,
        ladder_games_per_hour=4,
        ladder_failures=2,
    ) as stage:
        yield stage


def url_of(stage: Stage) -> str:
    return sqlite_url(stage.live_server.data)


def joined(stage: Stage, name: str, **about: Any) -> Guest:
    """An account with a version that is on the ladder."""
    guest = stage.guest(name)
    version(url_of(stage), guest.person.id, **about)
    stage.done("/ladders/pyrat", {"submitted": "mine"}, guest.person.key, 201)
    return guest


def games_of(stage: Stage, *names: str) -> list[dict[str, Any]]:
    """Those of the last games that are over and have all these players, newest first."""
    found = stage.live_server.get("/ladders/pyrat/games").json()
    over = [one for one in found if one["state"] == "over"]
    return [one for one in over if {*names} <= {player["name"] for player in one["players"]}]


def place_of(stage: Stage, name: str) -> dict[str, Any]:
    found = stage.live_server.get("/ladders/pyrat").json()["bots"]
    return next(one for one in found if one["name"] == name)


def test_bots_that_were_handed_in_play_rated_pairs_of_games_by_their_versions(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("server.tournaments.opponents.UNCERTAIN", 10_000)
    ada, bob = joined(stage, "Ada"), joined(stage, "Bob")
    both = eventually(lambda: (found := games_of(stage, "Ada", "Bob"))[1:] and found)

    seen = [[(one["name"], one["version"]) for one in game["players"]] for game in both[:2]]
    assert sorted(seen) == [[("Ada", 1), ("Bob", 1)], [("Bob", 1), ("Ada", 1)]]
    match = stage.live_server.get(f"/matches/{both[0]['match']}").json()
    assert match["rated"]
    assert [player["version"] for player in match["players"]] == [1, 1]
    assert match["outcome"]["outcome"] in ("win", "draw")
    lines = stage.live_server.get("/ratings?game=pyrat").json()["ratings"]
    rated = {line["account"]: line["rating"] for line in lines}
    assert None not in (rated[ada.person.id], rated[bob.person.id])


def test_a_bot_plays_no_more_games_within_an_hour_than_the_operator_allows(stage: Stage):
    joined(stage, "Ada")
    eventually(lambda: len(games_of(stage, "Ada")) == 4)
    rounds(stage)

    assert len(games_of(stage, "Ada")) == 4
    written(stage.live_server.data, "update ladder_games set begun_ms = begun_ms - 3600000")
    eventually(lambda: len(games_of(stage, "Ada")) == 8)


def test_a_bot_that_was_handed_in_and_one_that_connects_do_not_meet(stage: Stage):
    cyd = stage.guest("Cyd")
    stage.done("/ladders/pyrat", {"concurrency": 1}, cyd.person.key, 201)
    cyd.asked()
    ada = joined(stage, "Ada")
    eventually(lambda: len(games_of(stage, "Ada")) == 4)

    assert games_of(stage, "Cyd") == []
    path = "/ladders/pyrat/challenges"
    assert stage.refused(path, {"name": "Cyd"}, ada.person.key) == (409, "cannot_meet", "name")
    assert stage.refused(path, {"name": "Ada"}, cyd.person.key) == (409, "cannot_meet", "name")


def test_a_challenge_of_two_bots_that_were_handed_in_is_played(stage: Stage):
    ada, _ = joined(stage, "Ada"), joined(stage, "Bob")
    stage.done("/ladders/pyrat/challenges", {"name": "bob"}, ada.person.key, 201)
    written(stage.live_server.data, "update ladder_games set begun_ms = begun_ms - 3600000")
    both = eventually(
        lambda: [one for one in games_of(stage, "Ada", "Bob") if one["why"] == "challenge"]
    )
    assert both


def test_an_account_has_one_place_on_a_ladder_and_needs_a_version_that_plays(stage: Stage):
    ada, path = stage.guest("Ada"), "/ladders/pyrat"
    refused = stage.refused(path, {"submitted": "mine"}, ada.person.key)
    assert refused == (409, "no_active_version", "submitted")
    version(url_of(stage), ada.person.id)
    version(url_of(stage), ada.person.id, "other")

    stage.done(path, {"submitted": "mine"}, ada.person.key, 201)
    assert (place_of(stage, "Ada")["submitted"], place_of(stage, "Ada")["version"]) == ("mine", 1)
    stage.done(path, {"submitted": "other"}, ada.person.key, 201)
    on_it = stage.live_server.get(path).json()["bots"]
    assert [one["submitted"] for one in on_it if one["account"]] == ["other"]
    stage.done(path, {"concurrency": 3}, ada.person.key, 201)
    assert (place_of(stage, "Ada")["submitted"], place_of(stage, "Ada")["concurrency"]) == (None, 3)


def test_a_team_puts_each_others_bots_on_the_ladder_and_takes_them_off(stage: Stage, capsys):
    ada, bob, cyd = (stage.guest(name).person for name in ("Ada", "Bob", "Cyd"))
    version(url_of(stage), ada.id, "crusher")

    async def team_up() -> None:
        store = Store(url_of(stage))
        await store.open()
        async with store.write() as db:
            await db.execute(insert(teams), [{"id": "t", "name": "Two", "created_ms": 0}])
            both = [{"account": one.id, "team": "t"} for one in (ada, bob)]
            await db.execute(insert(team_members), both)
        await store.close()

    asyncio.run(team_up())
    there = [stage.live_server.url, "pyrat", "crusher", "--key"]
    assert client_sdk.cli.run(["ladder", "join", *there, cyd.key]) != 0
    assert client_sdk.cli.run(["ladder", "join", *there, bob.key]) == 0
    assert place_of(stage, "Ada")["submitted"] == "crusher"
    assert client_sdk.cli.run(["ladder", "show", stage.live_server.url, "pyrat"]) == 0
    assert "version 1 plays" in capsys.readouterr().out
    assert client_sdk.cli.run(["ladder", "leave", *there, cyd.key]) != 0
    assert client_sdk.cli.run(["ladder", "leave", *there, bob.key]) == 0
    on_it = stage.live_server.get("/ladders/pyrat").json()["bots"]
    assert [one for one in on_it if one["account"]] == []


def test_a_game_that_no_one_plays_is_forgotten(stage: Stage, monkeypatch: pytest.MonkeyPatch):
    async def nothing(*_: Any) -> None: ...

    monkeypatch.setattr("server.workers.here.Here.give", nothing)
    joined(stage, "Ada")
    data = stage.live_server.data
    (match, _), *_ = eventually(lambda: written(data, "select match, game from ladder_games"))
    written(data, "update ladder_games set begun_ms = begun_ms - 3600001")
    eventually(lambda: not written(data, "select match from ladder_games where match = ?", match))


def test_a_version_that_fails_is_set_aside_and_the_one_before_plays_on_until_it_is_let_back(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, capsys
):
    posted: list[tuple[str, Any, Any]] = []

    def post(_: Webhook, event: str, text: str, **about: Any) -> None:
        posted.append((event, about.get("version"), about.get("instead")))

    monkeypatch.setattr(Webhook, "post", post)
    ada = stage.guest("Ada").person
    first = version(url_of(stage), ada.id)
    second = version(url_of(stage), ada.id, text=FALLS)
    stage.done("/ladders/pyrat", {"submitted": "mine"}, ada.key, 201)
    eventually(lambda: place_of(stage, "Ada")["version"] == 1)

    def seen(id_: str) -> tuple[str, str | None]:
        found = stage.live_server.get(f"/submissions/{id_}", ada.key).json()
        return found["state"], found["reason"]

    assert ("version_set_aside", 2, 1) in posted
    assert seen(second)[0] == "set_aside"
    assert "did not come to 2 games in a row" in (seen(second)[1] or "")
    eventually(
        lambda: any(one["outcome"]["outcome"] != "aborted" for one in games_of(stage, "Ada"))
    )
    path = f"/submissions/{first}/activate"
    assert stage.refused(path, {}, ada.key) == (409, "not_set_aside", "submission")
    there = [stage.live_server.url, second, "--key", ada.key]
    assert client_sdk.cli.run(["submissions", "activate", *there]) == 0
    assert "version 2: active" in capsys.readouterr().out
    assert (seen(first)[0], seen(second)) == ("replaced", ("active", None))


def test_a_version_whose_file_is_deleted_is_neither_sent_nor_let_back(stage: Stage, capsys):
    server, ada = stage.live_server, stage.guest("Ada").person
    first, second = (version(url_of(stage), ada.id, text=text) for text in (FALLS, EATS))
    written(server.data, "update submissions set state = 'set_aside' where id = ?", first)
    prune = ["store", "prune-versions", "--older-than", "0h", "--data-dir", str(server.data)]
    assert client_sdk.cli.run(prune) == 0
    assert capsys.readouterr().out.startswith("files of 1 version, ")

    path = f"/submissions/{first}/activate"
    assert stage.refused(path, {}, ada.key) == (409, "file_deleted", "submission")
    missing = server.get(f"/submissions/{first}/file", ada.key)
    assert (missing.status_code, missing.json()["code"]) == (404, "file_deleted")
    assert server.get(f"/submissions/{second}/file", ada.key).status_code == 200

    listed = server.get("/submissions", ada.key).json()["submissions"]
    assert {one["submission"]: one["file_deleted"] for one in listed} == {
        first: True,
        second: False,
    }
    assert server.get(f"/submissions/{first}", ada.key).json()["file_deleted"]
    assert client_sdk.cli.run(["submissions", "list", server.url, "--key", ada.key]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if "file has been deleted" in line] == [first]


def test_a_bot_whose_only_version_fails_rests(stage: Stage):
    joined(stage, "Ada", text=FALLS)
    place = eventually(lambda: now if (now := place_of(stage, "Ada"))["version"] is None else None)
    assert (place["submitted"], place["present"]) == ("mine", False)


async def test_a_game_without_a_fault_ends_the_row_of_failures(tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'test.sqlite3'}"
    await asyncio.to_thread(person_of, url, "bot", "Ada")
    store = Store(url)
    await store.open()
    async with store.read() as db:
        (account,) = (await db.execute(select(accounts.c.id))).scalars()
    id_ = await asyncio.to_thread(version, url, account)
    dice, played = random.Random(1), [False]
    for _ in range(20):
        batch = [dice.random() < 0.7 for _ in range(dice.randint(1, 4))]
        played += batch
        async with store.write() as db:
            await submissions.count_games(db, {id_: batch})
            found = await submissions.get(db, id_)
        assert found is not None
        assert found.failures == played[::-1].index(False)
    await store.close()
