"""`botarena worker`: tournament games of house bots, played by processes that may be killed at any
moment."""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, select

from client_sdk.rest import RestClient
from games import GAMES
from games.core.rerun import verify
from server.store.store import FILE, known_url
from server.store.tables import attempts, facts, matches, pairings
from tests.accounts.people import person_of
from tests.e2e.arena import Arena, eventually, started
from tests.processes import stopped, with_all
from tests.stores import database

PLAN: dict[str, Any] = {
    "game": "pyrat",
    "config": {"preset": "small", "max_turns": 60},
    "format": {"format": "round-robin", "matches_per_pairing": 2, "check": False},
    "bots": [{"house": "greedy", "name": f"bot {number}"} for number in range(4)],
    "seed": 7,
}
GAMES_IN_ALL = 12


class Workers:
    """Processes of `botarena worker` on one database; all are gone when the test is over."""

    def __init__(self, url: str, folder: Path) -> None:
        self._environment = os.environ | {"BOTARENA_DATABASE_URL": url}
        self._log = folder / "workers.log"
        self.running: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        command = [sys.executable, "-m", "client_sdk.cli", "worker", "--jobs", "1"]
        with self._log.open("ab") as log:
            self.running.append(
                subprocess.Popen(
                    command, env=self._environment, stdout=log, stderr=log, cwd=self._log.parent
                )
            )

    def kill(self) -> None:
        """Any of them, by SIGKILL."""
        victim = self.running.pop(random.randrange(len(self.running)))
        victim.kill()
        victim.wait()

    def close(self) -> None:
        for process in self.running:
            process.terminate()
        for process in self.running:
            process.wait(60)


@contextlib.contextmanager
def contest(data: Path, url: str, how: str) -> Iterator[tuple[Arena, RestClient]]:
    """A server, and an organiser's REST client."""
    with started(data, BOTARENA_DATABASE_URL=url, BOTARENA_HOUSE_GAMES=how) as arena:
        key = person_of(url, "organiser").key
        with RestClient(arena.url, key=key) as rest:
            yield arena, rest


def begun(rest: RestClient) -> str:
    id_: str = rest.create_tournament("contest", **PLAN)["tournament"]
    rest.lead(id_, "start")
    return id_


def finished(rest: RestClient, id_: str) -> dict[str, Any]:
    def done() -> dict[str, Any] | None:
        time.sleep(0.1)
        found = rest.tournament(id_)
        return found if found["state"] == "finished" else None

    return eventually(done)


def everything_agrees(arena: Arena, rest: RestClient, url: str, id_: str) -> None:
    """REST, records and tables agree, and each game has one result."""
    event = rest.tournament(id_)
    engine = create_engine(known_url(url))
    with engine.connect() as db:
        rows = db.execute(select(pairings)).all()
        published = [
            fact
            for fact in db.execute(select(facts.c.fact).order_by(facts.c.number)).scalars()
            if "result" in fact
        ]
        known = {row.id: row for row in db.execute(select(matches))}
        tried = Counter(
            db.execute(select(attempts.c.match).where(attempts.c.state == "over")).scalars()
        )
    engine.dispose()
    assert len(rows) == GAMES_IN_ALL
    assert {row.state for row in rows} == {"over"}
    assert len({row.fixture for row in rows}) == GAMES_IN_ALL
    assert len([fact for fact in published if fact["result"] is not None]) == GAMES_IN_ALL
    assert known.keys() == tried.keys() == {row.match for row in rows}
    assert set(tried.values()) == {1}
    counted = {bot["name"]: Counter[str]() for bot in PLAN["bots"]}
    for id_ in known:
        match, journal = rest.match(id_), rest.journal(id_)
        checked = verify(journal, GAMES)
        assert (checked.kind, checked.head) == ("ok", known[id_].head)
        assert (arena.data / known[id_].journal).read_text() == journal
        assert rest.replay(id_)
        outcome = match["outcome"]
        assert outcome == known[id_].outcome
        for seat, player in zip(outcome["seats"], match["players"], strict=True):
            counted[player["name"]][seat["outcome"]] += 1
    for row in event["standings"]:
        by_records = counted[row["id"]]
        assert [row["wins"], row["draws"], row["losses"]] == [
            by_records[word] for word in ("win", "draw", "loss")
        ]


@pytest.mark.parametrize("kills", [1, pytest.param(8, marks=pytest.mark.soak)])
def test_every_game_has_one_result_however_many_workers_are_killed(tmp_path: Path, kills: int):
    with (
        database("postgresql", tmp_path) as url,
        contest(tmp_path, url, "workers") as (arena, rest),
    ):
        workers = Workers(url, tmp_path)
        with contextlib.closing(workers):
            workers.start()
            workers.start()
            id_ = begun(rest)
            for number in range(kills):
                eventually(lambda number=number: played(rest, id_) > number)
                workers.kill()
                if number + 1 < kills:
                    workers.start()
            finished(rest, id_)
            everything_agrees(arena, rest, url, id_)


@pytest.mark.soak
@pytest.mark.parametrize("pause_s", [25, 120])
def test_a_paused_worker_costs_no_bot_a_game(tmp_path: Path, pause_s: int):
    with (
        database("postgresql", tmp_path) as url,
        contest(tmp_path, url, "workers") as (arena, rest),
    ):
        workers = Workers(url, tmp_path)
        with contextlib.closing(workers):
            workers.start()
            id_ = begun(rest)
            eventually(lambda: played(rest, id_) > 0)
            with stopped(*with_all(workers.running[0].pid)):
                workers.start()
                time.sleep(pause_s)  # the pause itself
            finished(rest, id_)
            everything_agrees(arena, rest, url, id_)


def played(rest: RestClient, id_: str) -> int:
    time.sleep(0.05)
    return sum(game["state"] == "over" for game in rest.tournament(id_)["games"])


def test_without_workers_the_server_plays_the_games_in_processes_of_its_own(tmp_path: Path):
    url = f"sqlite:///{tmp_path / FILE}"
    with contest(tmp_path, url, "here") as (arena, rest):
        id_ = begun(rest)
        finished(rest, id_)
        everything_agrees(arena, rest, url, id_)
