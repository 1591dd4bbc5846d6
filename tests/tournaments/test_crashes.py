"""A tournament on a real server that is killed midway: it continues, and all records agree."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from client_sdk.rest import RestClient
from games import GAMES
from games.contest import as_json, verbs
from games.contest.format import Format
from games.contest.result import result_of
from games.contest.tournament import Tournament
from games.core.rerun import verify
from tests.accounts.people import person_of
from tests.e2e.arena import PATIENCE_S, Arena, eventually, started
from tests.stores import database, written
from tests.tournaments.stage import SHORT, rebuilt

pytestmark = pytest.mark.e2e

RUNNING = """select g.match from ladder_games g join matches m on m.id = g.match
where m.state = 'running'"""


@contextmanager
def collecting() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The address of a webhook, and the events that it has been sent."""
    events: list[dict[str, Any]] = []

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            events.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Hook) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/", events
        server.shutdown()


def undisturbed(known: dict[str, Any], journals: dict[str, str]) -> Tournament:
    """The tournament worked out from nothing but its games' journals."""
    whole = rebuilt(known)
    t = Tournament(whole.format, whole.seed)
    for one in whole.entrants:
        t = t.add(verbs.enter(t, one.name))
    t = t.add(verbs.close(t))
    for entry in t.names:
        t = t.add(verbs.check(t, entry, True)) if t.state == "checking" else t
    while t.due:
        fixture = t.due[-1]
        outcome = json.loads(journals[fixture.id].splitlines()[-1])["outcome"]
        t = t.add(
            verbs.report(t, fixture.id, result_of(outcome, Format().forfeit_score), fixture.attempt)
        )
    return t


def under_way(known: dict[str, Any]) -> dict[str, Any] | None:
    """The tournament, once a game of it is over and another one is played."""
    states = {game["state"] for game in known["games"]}
    return known if states >= {"over", "running"} else None


def over(rest: RestClient, id_: str) -> dict[str, Any]:
    """A contest of eight has some hundred games, which may have little of a machine."""
    return eventually(
        lambda: (now := rest.tournament(id_))["state"] == "finished" and now,
        within_s=10 * PATIENCE_S,
    )


TABLE = {"format": "round-robin", "matches_per_pairing": 1}
BRACKET = {"format": "knock-out", "best_of_final": 1}


@pytest.mark.parametrize(
    ("kind", "bots", "format_"),
    [
        ("sqlite", 4, BRACKET),
        ("postgresql", 2, TABLE | {"matches_per_pairing": 2}),
        pytest.param("sqlite", 6, TABLE, marks=pytest.mark.soak),
        pytest.param(
            "postgresql", 8, {"format": "contest", "matches_per_pairing": 2}, marks=pytest.mark.soak
        ),
    ],
)
def test_a_tournament_killed_midway_ends_with_the_places_that_its_games_give(
    kind: str, bots: int, format_: dict[str, Any], tmp_path: Path
):
    with database(kind, tmp_path) as url:
        settings = {"BOTARENA_DATABASE_URL": url, "BOTARENA_GAMES_AT_ONCE": str(bots // 2)}
        key = person_of(url, "organiser", "ann").key
        entered = [
            {"house": "greedy" if number % 2 else "random", "name": f"bot {number}"}
            for number in range(bots)
        ]
        with started(tmp_path, **settings) as arena, RestClient(arena.url, key=key) as rest:
            id_ = rest.create_tournament("Spring", **SHORT, format=format_, bots=entered)[
                "tournament"
            ]
            rest.lead(id_, "start")
            before = eventually(lambda: under_way(rest.tournament(id_)))
            killed(arena)

        with started(tmp_path, **settings) as arena, RestClient(arena.url, key=key) as rest:
            known = over(rest, id_)
            journals = {game["game"]: rest.journal(game["match"]) for game in known["games"]}

        assert known["log"][: len(before["log"])] == before["log"]
        assert all(verify(text_, GAMES).sound for text_ in journals.values())
        given = as_json.tournament(undisturbed(known, journals))
        assert (given["standings"], given["placings"]) == (known["standings"], known["placings"])
        with create_engine(url.replace("postgresql://", "postgresql+psycopg://")).connect() as db:
            query = text(
                "select fixture, attempt, state, match from pairings where tournament = :id"
            )
            rows = db.execute(query, {"id": id_}).all()
            results = db.execute(
                text("select fact from facts where tournament = :id order by number"), {"id": id_}
            ).scalars()
            counted = [
                fact
                for fact in map(json.loads, results)
                if fact["kind"] == "result" and "result" in fact
            ]
        db.engine.dispose()
        ended = {(row.fixture, row.match) for row in rows if row.state == "over"}
        assert ended >= {(game["game"], game["match"]) for game in known["games"]}
        assert sorted(fact["game"] for fact in counted) == sorted(
            game["game"] for game in known["games"]
        )
        assert "running" not in {row.state for row in rows}


def killed(arena: Arena) -> None:
    os.kill(arena.process.pid, signal.SIGKILL)
    arena.process.wait()


def test_results_of_a_ladder_reach_the_webhook_though_the_server_was_killed(tmp_path: Path):
    with collecting() as (url, events):
        settings = {
            "BOTARENA_WEBHOOK_URL": url,
            "BOTARENA_LADDER": "pyrat",
            "BOTARENA_LADDER_PACE_MS": "20",
            "BOTARENA_GAMES_AT_ONCE": "8",
        }
        with started(tmp_path, **settings) as arena:
            eventually(lambda: written(tmp_path, RUNNING))
            killed(arena)
        left = {match for (match,) in written(tmp_path, RUNNING)}
        assert left
        assert left.isdisjoint(event["match"] for event in events)

        with started(tmp_path, **settings):
            eventually(lambda: left <= {event["match"] for event in events})
    assert {event["event"] for event in events} == {"ladder_game"}
