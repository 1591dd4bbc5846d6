"""Bots are handed in over HTTP: built, checked by a game in the sandbox, then active. A
version is its author's and the team's, and no one else's."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import insert

from client_sdk.sandbox import missing
from server.store.store import Store, sqlite_url
from server.store.tables import matches, records, seats, team_members, teams
from tests.accounts.people import Person, person
from tests.server.live_server import LiveServer, eventually, hosted

from .test_archive import tarred, zipped
from .test_players import LINES, WALKS

EXAMPLE = Path(__file__).parents[2] / "examples/lines/bot.c"
pytestmark = pytest.mark.skipif(missing() is not None, reason="there is no sandbox here")
CHECKED_S = 120.0


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[LiveServer]:
    with hosted(tmp_path_factory.mktemp("submissions"), submissions=True) as live:
        yield live


@pytest.fixture(scope="module")
def author(server: LiveServer) -> Person:
    return person(server.data, "bot", "author")


def hand_in(
    server: LiveServer, who: Person, file: str, content: bytes, **query: str
) -> httpx.Response:
    about = {"game": "pyrat", "name": "mine", "file": file} | query
    headers = {"Authorization": f"Bearer {who.key}"}
    return server.http.post("/api/v1/submissions", params=about, content=content, headers=headers)


def details(server: LiveServer, who: Person, id_: str) -> dict[str, Any]:
    found: dict[str, Any] = server.get(f"/submissions/{id_}", who.key).json()
    return found


def checked(server: LiveServer, who: Person, answer: httpx.Response) -> dict[str, Any]:
    assert answer.status_code == 202, answer.text
    id_ = answer.json()["submission"]
    over = ("active", "testing", "failed", "replaced")
    return eventually(
        lambda: (d := details(server, who, id_))["state"] in over and d, within_s=CHECKED_S
    )


def test_versions_are_built_checked_and_replace_each_other(server: LiveServer, author: Person):
    first = checked(server, author, hand_in(server, author, "walks.py", WALKS))
    assert (first["version"], first["state"], first["reason"]) == (1, "active", None)
    assert {one["grade"] for one in first["check"]} <= {"pass", "warn"}
    assert first["build_log"] is None

    again = hand_in(server, author, "walks.py", WALKS).json()
    assert again["version"] == 1

    content = EXAMPLE.read_bytes() + b"\n#warning mine\n"
    second = checked(server, author, hand_in(server, author, "bot.c", content))
    assert (second["version"], second["state"]) == (2, "active"), second
    assert (second["language"], second["entry"]) == ("c", "lines:./bot")
    assert "mine" in second["build_log"]
    assert details(server, author, first["submission"])["state"] == "replaced"

    broken = checked(server, author, hand_in(server, author, "bot.c", b"int main( {}"))
    assert (broken["state"], broken["reason"]) == ("failed", "the build ended with status 1")
    assert "expected" in broken["build_log"]

    answer = hand_in(server, author, "next.py", WALKS + b"# 2\n", trial="true")
    tested = checked(server, author, answer)
    assert (tested["state"], details(server, author, second["submission"])["state"]) == (
        "testing",
        "active",
    )
    assert tested["trial"]["most_pairs"] == 200

    listed = server.get("/submissions", author.key).json()
    assert [one["version"] for one in listed["submissions"]] == [4, 3, 2, 1]
    assert listed["open"] is True
    file = server.get(f"/submissions/{second['submission']}/file", author.key)
    assert file.content == content


def test_a_contest_is_played_by_the_active_version_and_its_author_sees_what_it_wrote(
    server: LiveServer,
):
    organiser, author = (person(server.data, kind, kind) for kind in ("organiser", "bot"))
    small = {"width": 5, "height": 5, "cheese_count": 1, "max_turns": 4}
    format_ = {"format": "round-robin", "matches_per_pairing": 1}
    plan = {"name": "x", "game": "pyrat", "config": small, "bots": [{"house": "greedy"}]}
    made = server.post("/tournaments", plan | {"format": format_}, organiser.key)
    assert made.status_code == 201, made.text
    path = f"/tournaments/{made.json()['tournament']}"

    refused = server.post(f"{path}/entrants", {"submitted": "loud"}, author.key)
    assert (refused.status_code, refused.json()["code"]) == (409, "no_active_version")
    says = b"        print('thinking', file=sys.stderr)\n"
    loud = b"import sys\n" + WALKS.replace(b"        return", says + b"        return")
    version = checked(server, author, hand_in(server, author, "loud.py", loud, name="loud"))
    assert version["state"] == "active", version
    entered = server.post(f"{path}/entrants", {"submitted": "loud"}, author.key)
    assert (entered.status_code, entered.json()["name"]) == (201, "loud")
    connects = person(server.data, "bot", "connects")
    assert cannot_meet(server.post(f"{path}/entrants", {}, connects.key))
    assert server.post(f"{path}/start", {}, organiser.key).is_success

    over = eventually(
        lambda: (t := server.get(path).json())["state"] == "finished" and t, within_s=CHECKED_S
    )
    match = next(game["match"] for game in over["games"] if game["match"])
    players = server.get(f"/matches/{match}").json()["players"]
    (mine,) = (player for player in players if player["account"] == author.id)
    assert mine["version"] == version["version"]
    log = server.get(f"/matches/{match}/seats/{mine['seat']}/log", author.key).json()
    assert {"turn": "0", "text": "thinking\n", "fault": None} in log
    refused = server.get(f"/matches/{match}/seats/{mine['seat']}/log", organiser.key)
    assert (refused.status_code, refused.json()["code"]) == (404, "no_such_log")


def test_a_bot_that_was_handed_in_enters_where_the_others_do_not_connect(
    server: LiveServer, author: Person
):
    organiser, connects = (person(server.data, kind, kind) for kind in ("organiser", "bot"))
    checked(server, author, hand_in(server, author, "walks.py", WALKS, name="walks"))
    plan = {"name": "x", "game": "pyrat", "bots": [{"house": "greedy"}]}
    path = f"/tournaments/{server.post('/tournaments', plan, organiser.key).json()['tournament']}"
    assert server.post(f"{path}/entrants", {}, connects.key).status_code == 201

    submitted = {"submitted": "walks"}
    assert cannot_meet(server.post(f"{path}/entrants", submitted, author.key))

    left = {"entrant": 2, "why": "hands in"}
    assert server.post(f"{path}/withdraw", left, connects.key).is_success
    assert server.post(f"{path}/entrants", submitted, author.key).status_code == 201


def cannot_meet(answer: httpx.Response) -> bool:
    return (answer.status_code, answer.json()["code"]) == (409, "cannot_meet")


def test_a_version_that_does_not_play_fails_with_the_reason(server: LiveServer, author: Person):
    silent = b"raise ValueError('broken here')"
    failed = checked(server, author, hand_in(server, author, "bad.py", silent, name="bad"))

    assert failed["state"] == "failed"
    assert failed["reason"].startswith("the check failed: launch")
    assert "broken here" in str(failed["check"])


@pytest.mark.parametrize(
    ("file", "content", "query", "status", "code"),
    [
        ("a.zip", zipped(("../x.py", WALKS)), {}, 422, "archive_name"),
        ("a.tar", tarred(("x.py", WALKS), ("y.py", WALKS)), {}, 422, "no_entry"),
        ("a/b.py", WALKS, {}, 422, "archive_name"),
        ("bot.py", WALKS, {"game": "chess"}, 404, "unknown_game"),
        ("bot.py", WALKS, {"name": "\u202e"}, 422, "bad_name"),
        ("bot.py", WALKS, {"language": "a\nb"}, 422, "bad_value"),
        ("bot.py", b"x" * (8 << 20) + b"x", {}, 413, "too_big"),
    ],
)
def test_what_cannot_be_taken_is_refused_at_once(
    server: LiveServer,
    author: Person,
    file: str,
    content: bytes,
    query: dict[str, str],
    status: int,
    code: str,
):
    answer = hand_in(server, author, file, content, **query)

    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_team_has_its_bots_together_and_others_see_nothing_of_them(server: LiveServer):
    one, two, other = (person(server.data, "bot", name) for name in ("one", "two", "other"))
    packed = zipped(("run", LINES))
    run(server, join_team, "team", [one.id, two.id])

    made = hand_in(server, one, "bot.zip", packed, name="ours", entry="lines:./run").json()
    next_ = hand_in(server, two, "bot.zip", packed, name="ours", entry="lines:sh run").json()
    theirs = hand_in(server, other, "bot.zip", packed, name="ours", entry="lines:./run").json()

    assert (made["version"], next_["version"], next_["bot"]) == (1, 2, made["bot"])
    assert (theirs["version"], theirs["sha256"]) == (1, made["sha256"])
    assert theirs["bot"] != made["bot"]
    assert details(server, two, made["submission"])["version"] == 1
    for path in (f"/submissions/{made['submission']}", f"/submissions/{made['submission']}/file"):
        refused = server.get(path, other.key)
        assert (refused.status_code, refused.json()["code"]) == (404, "no_such_submission")
    run(server, played, "m1", one.id)
    assert server.get("/matches/m1/seats/0/log", two.key).json() == [
        {"turn": "", "text": "loads\n", "fault": None},
        {"turn": "4", "text": None, "fault": "late"},
    ]
    organiser = person(server.data, "organiser")
    assert server.get("/matches/m1/seats/1/log", organiser.key).json() == [
        {"turn": "", "text": None, "fault": "no module named torch"}
    ]
    for seat, who in ((0, other), (1, one), (0, organiser)):
        refused = server.get(f"/matches/m1/seats/{seat}/log", who.key)
        assert (refused.status_code, refused.json()["code"]) == (404, "no_such_log")


async def join_team(db, name: str, members: list[str]) -> None:
    await db.execute(insert(teams), [{"id": name, "name": name, "created_ms": 0}])
    await db.execute(insert(team_members), [{"account": a, "team": name} for a in members])


async def played(db, match: str, account: str) -> None:
    row = {"id": match, "node": "", "game": "pyrat", "rules_version": 1, "private": False}
    row |= {"rated": False, "config": {}, "seed": 1, "salt": "", "commitment": "", "doors": []}
    row |= {"state": "over", "journal": "", "outcome": {}}
    times = {"created_ms": 0, "started_ms": 0, "ended_ms": 0}
    await db.execute(insert(matches), [row | times])
    seat = {"match": match, "role": "rat", "name": "ours", "kind": "bot", "version": 1}
    who = [{"seat": 0, "account": account}, {"seat": 1, "account": None}]
    await db.execute(insert(seats), [seat | one for one in who])
    log = b'{"turn": "", "text": "loads\\n"}\n{"turn": "4", "fault": "late"}\n'
    kept = {"match": match, "content": gzip.compress(log)}
    absent = log + b'{"turn": "", "fault": "no module named torch"}\n'
    rows = [{"kind": "log-0"}, {"kind": "log-1", "content": gzip.compress(absent)}]
    await db.execute(insert(records), [kept | row for row in rows])


def run(server: LiveServer, work, *arguments) -> None:
    async def done() -> None:
        store = Store(sqlite_url(server.data))
        await store.open()
        try:
            async with store.write() as db:
                await work(db, *arguments)
        finally:
            await store.close()

    asyncio.run(done())


@pytest.mark.parametrize(
    ("settings", "sandbox", "status", "code"),
    [
        ({}, None, 503, "submissions_off"),
        ({"submissions": True}, "bwrap is not installed", 503, "no_sandbox"),
        ({"submissions": True, "freeze": "2020-01-01T00:00:00Z"}, None, 409, "frozen"),
        ({"submissions": True, "submissions_per_day": 1}, None, 429, "too_many_versions"),
    ],
)
def test_a_server_says_why_it_takes_no_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings, sandbox, status: int, code: str
):
    monkeypatch.setattr("server.submissions.service.missing", lambda: sandbox)
    monkeypatch.setattr("server.submissions.checker.Checker.keep", idle)
    with hosted(tmp_path, **settings) as server:
        who = person(server.data, "bot")
        with ThreadPoolExecutor(4) as at_once:
            made = at_once.map(
                lambda n: hand_in(server, who, f"{n}.py", WALKS, name=f"b{n}"), range(4)
            )
            answers = sorted(made, key=lambda answer: answer.status_code)
        listed = server.get("/submissions", who.key).json()

    assert (answers[-1].status_code, answers[-1].json()["code"]) == (status, code)
    assert listed["open"] is (code == "too_many_versions")
    assert len(listed["submissions"]) == (code == "too_many_versions")
    assert (listed["why"] is None) is listed["open"]


async def idle(self) -> None:
    """Checks nothing."""
