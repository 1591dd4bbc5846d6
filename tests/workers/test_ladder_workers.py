"""Bots that were handed in on a ladder whose games workers play, which may be killed at any
moment."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from sqlalchemy import create_engine, select, text

from client_sdk.rest import RestClient
from client_sdk.sandbox import missing
from games import GAMES
from games.core.rerun import verify
from server.store.store import known_url
from server.store.tables import ladder_games, matches, seats, submissions
from tests.accounts.people import person_of
from tests.e2e.arena import eventually, started
from tests.stores import database
from tests.tournaments.versions import QUITS, version
from tests.workers.test_workers import Workers

pytestmark = pytest.mark.skipif(missing() is not None, reason=f"no sandbox: {missing()}")
GAMES_IN_ALL = 2
PLAYED_S = 120.0
"""A batch in a sandbox, after the batch of the worker that was killed is given to another one."""


def test_every_game_of_a_ladder_is_played_once_though_a_worker_and_the_server_are_killed(
    tmp_path: Path,
):
    with database("postgresql", tmp_path) as url:
        ada = person_of(url, "bot", "Ada")
        version(url, ada.id, text=QUITS)
        settings = {
            "BOTARENA_DATABASE_URL": url,
            "BOTARENA_HOUSE_GAMES": "workers",
            "BOTARENA_LADDER": "pyrat",
            "BOTARENA_LADDER_PACE_MS": "100",
            "BOTARENA_LADDER_GAMES_PER_HOUR": str(GAMES_IN_ALL),
            "BOTARENA_GAMES_AT_ONCE": "0",
        }
        engine = create_engine(known_url(url))

        def count(query: str) -> int:
            with engine.connect() as db:
                found: int = db.execute(text(query)).scalar_one()
            return found

        workers = Workers(url, tmp_path)
        with contextlib.closing(workers):
            with started(tmp_path, **settings) as arena:
                with RestClient(arena.url, key=ada.key) as rest:
                    rest.climb("pyrat", submitted="mine")
                eventually(lambda: count("select count(*) from ladder_games") == GAMES_IN_ALL)
                workers.start()
                doing = "select count(*) from procrastinate_jobs where status = 'doing'"
                eventually(lambda: count(doing) > 0)
                workers.kill()
                arena.process.kill()
            with started(tmp_path, **settings):
                workers.start()
                given = "select count(*) from ladder_games where taken_by is not null"
                eventually(lambda: count(given) == 0, PLAYED_S)
        with engine.connect() as db:
            played = db.execute(select(ladder_games)).all()
            known = {row.id: row for row in db.execute(select(matches))}
            failures = db.execute(select(submissions.c.failures)).scalar_one()
            seated = db.execute(select(seats).where(seats.c.account.is_not(None))).all()
        engine.dispose()
        assert failures == len(played) == GAMES_IN_ALL  # it crashed in both
        assert known.keys() == {row.match for row in played}
        assert all(row.rated and row.state == "over" for row in known.values())
        assert {row.version for row in seated} == {1}
        with started(tmp_path, **settings) as arena, RestClient(arena.url) as rest:
            for match in known:
                assert verify(rest.journal(match), GAMES).kind == "ok"
            lines = {line["account"]: line for line in rest.ratings("pyrat")["ratings"]}
        assert lines[ada.id]["games"] == GAMES_IN_ALL
