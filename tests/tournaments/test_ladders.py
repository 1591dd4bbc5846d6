"""Ladders: who is paired with whom and why, how long a bot waits."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import insert

import client_sdk.cli
from client_sdk.bots import HOUSE
from games.core.contract import AnyGame
from server.store import challenges
from server.store.challenges import Challenge
from server.store.ladders import LadderGame, LadderResult
from server.store.map_pools import MapPool
from server.store.ratings import PlayerKey
from server.store.store import Store
from server.store.tables import accounts
from server.tournaments.ladder_board import expected_wait_ms
from server.tournaments.map_pools import draw
from server.tournaments.opponents import HOUSE_GAMES, Opponents
from server.tournaments.rating_fits import ANCHOR_AT, PlayerRating, RatingFit
from server.tournaments.ratings import RatingTables
from server.webhook import Webhook
from tests.server.live_server import eventually
from tests.tournaments.stage import SHORT, Guest, Stage, staged
from tests.tournaments.test_ratings import ADA, BOB, GREEDY, RANDOM


def short(game: AnyGame, config: dict[str, Any], seats: int) -> dict[str, Any]:
    return config | SHORT["config"]


@pytest.fixture
def two_house_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that play fast; games are over after four turns."""
    two = {name: HOUSE["pyrat"][name] for name in ("random", "greedy")}
    monkeypatch.setitem(HOUSE, "pyrat", two)
    monkeypatch.setattr("server.tournaments.ladder.for_seats", short)


def played_on(stage: Stage) -> list[dict[str, Any]]:
    """The last games of the ladder, newest first."""
    found: list[dict[str, Any]] = stage.live_server.get("/ladders/pyrat/games").json()
    return found


def waits_of(game: dict[str, Any]) -> list[int]:
    """How long the accounts' bots of a game had been free, ms."""
    return [one["waited_ms"] for one in game["players"] if one["waited_ms"] is not None]


def ranked(*players: PlayerKey, **ratings: float) -> RatingFit:
    """All house bots have met; accounts have these ratings, or none."""
    lines = {one: PlayerRating(one, rating=ratings.get(one[1], ANCHOR_AT)) for one in players}
    for name in ratings:
        lines["account", name] = PlayerRating(("account", name), rating=ratings[name] or None)
    return RatingFit(0, lines, {frozenset((GREEDY, RANDOM)): HOUSE_GAMES})


def test_the_reason_says_why_these_were_paired():
    cyd = ("account", "cyd")
    known = ranked(GREEDY, RANDOM, ada=1200, bob=1150, cyd=900)
    unknown = ranked(GREEDY, RANDOM, ada=0, bob=1150)
    three, opponents = [ADA, BOB, cyd], Opponents()

    def met(*players: PlayerKey, standing: RatingFit = known, **how: Any) -> tuple[Any, ...] | None:
        chosen = opponents.choose(players, standing, 2, **how)
        return None if chosen is None else (*chosen.players, chosen.why)

    assert met(*three) == (ADA, BOB, "closest_rating")
    opponents.meet([ADA, BOB])
    opponents.meet([cyd, RANDOM])
    assert met(*three) == (ADA, cyd, "not_met_lately")
    assert met(ADA, GREEDY, BOB, standing=unknown) == (ADA, GREEDY, "first_rating")
    assert met(ADA, GREEDY) is None
    known.lines[ADA].low, known.lines[ADA].high = 1000, 1400
    assert met(ADA, GREEDY) == (ADA, GREEDY, "uncertain_rating")
    known.lines[ADA].low = 1150
    assert met(ADA, GREEDY, hurried=[ADA]) == (ADA, GREEDY, "long_wait")
    assert met(ADA, GREEDY, BOB, hurried=[ADA]) == (ADA, BOB, "closest_rating")


def result(begun: int, **waits: int | None) -> LadderResult:
    players = [{"account": name, "waited_ms": ms} for name, ms in waits.items()]
    game = LadderGame(
        match=str(begun),
        game="p",
        begun_ms=begun,
        why="long_wait",
        rated=True,
        pool=None,
        map=None,
        players=players,
    )
    return LadderResult(game, None, None)


def test_a_bot_waits_as_it_has_waited_or_as_others_have():
    latest = [result(3, ada=30, bob=2), result(2, ada=10, greedy=None), result(1, ada=20, bob=4)]

    assert expected_wait_ms("ada", latest) == 20
    assert expected_wait_ms("bob", latest) == 10
    assert expected_wait_ms("cyd", []) is None


@pytest.mark.usefixtures("two_house_bots")
def test_a_ladder_tells_the_expected_wait_and_why_the_players_of_each_game_were_paired(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
):
    monkeypatch.setattr("server.tournaments.opponents.HOUSE_GAMES", 0)
    with staged(tmp_path, monkeypatch, games_at_once=4, ladder="pyrat", ladder_pace_ms=20) as stage:
        url, guest = stage.live_server.url, stage.guest("Ada")
        place = stage.done("/ladders/pyrat", {"concurrency": 1}, guest.person.key, 201)
        assert place["expected_wait_ms"] is None
        guest.plays()
        games = eventually(
            lambda: (
                now
                if len(now := [one for one in played_on(stage) if one["state"] == "over"]) >= 2
                else None
            )
        )

        assert games[-1]["why"] == games[-2]["why"] == "first_rating"
        assert [one["why"] for one in guest.seen[:2]] == ["first_rating"] * 2
        assert {one["match"] for one in games} <= {one["match"] for one in guest.seen}
        waited = {player["name"]: player["waited_ms"] for player in games[0]["players"]}
        assert waited["Ada"] >= 0
        assert [ms for name, ms in waited.items() if name != "Ada"] == [None]
        (line,) = [
            one
            for one in stage.live_server.get("/ladders/pyrat").json()["bots"]
            if one["name"] == "Ada"
        ]
        waits = [ms for one in played_on(stage) for ms in waits_of(one)]
        assert min(waits) <= line["expected_wait_ms"] <= max(waits)
        capsys.readouterr()
        assert client_sdk.cli.run(["ladder", "games", url, "pyrat"]) == 0
        assert capsys.readouterr().out.count("a bot without a rating meets house bots first") >= 2
        assert client_sdk.cli.run(["ladder", "show", url, "pyrat"]) == 0
        assert " Ada " in capsys.readouterr().out


@pytest.mark.usefixtures("two_house_bots")
def test_a_rated_bot_meets_house_bots_when_it_has_waited_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("server.tournaments.opponents.HOUSE_GAMES", 0)
    monkeypatch.setattr("server.tournaments.opponents.UNCERTAIN", 10_000)
    with staged(
        tmp_path,
        monkeypatch,
        games_at_once=4,
        ladder="pyrat",
        ladder_pace_ms=20,
        ladder_house_wait_ms=200,
    ) as stage:
        guest = stage.guest("Ada")
        stage.done("/ladders/pyrat", {"concurrency": 1}, guest.person.key, 201)
        guest.plays()
        late = eventually(lambda: [one for one in played_on(stage) if one["why"] == "long_wait"])

        assert all(max(waits_of(one)) >= 200 for one in late)


# --- challenges


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory):
    """A ladder that looks for games once, before its bots are there, with their owners."""
    with (
        pytest.MonkeyPatch.context() as monkeypatch,
        staged(
            tmp_path_factory.mktemp("club"), monkeypatch, ladder="pyrat", ladder_pace_ms=10**8
        ) as stage,
    ):
        yield stage


def climber(stage: Stage, name: str, **rule: Any) -> Guest:
    guest = stage.guest(name)
    stage.done("/ladders/pyrat", {"concurrency": 2}, guest.person.key, 201)
    if rule:
        assert sent(stage, "PUT", "/ladders/pyrat/accepts", guest, rule).status_code == 200
    return guest


def sent(stage: Stage, method: str, path: str, guest: Guest, body: Any = None) -> httpx.Response:
    headers = {"Authorization": f"Bearer {guest.person.key}"}
    return stage.live_server.http.request(method, f"/api/v1{path}", json=body, headers=headers)


def challenged(stage: Stage, one: Guest, name: str) -> str:
    """What a challenge gives: its id, or the code of the refusal."""
    answer = sent(stage, "POST", "/ladders/pyrat/challenges", one, {"name": name})
    found: str = answer.json()["challenge" if answer.is_success else "code"]
    return found


def states(stage: Stage, guest: Guest) -> dict[str, str]:
    found = sent(stage, "GET", "/ladders/pyrat/challenges", guest).json()
    return {one["challenge"]: one["state"] for one in found}


def test_the_owner_of_a_bot_decides_which_challenges_it_accepts(club: Stage):
    ada = climber(club, "Ada")
    climber(club, "Never", accepts="never")
    climber(club, "Full", per_day=0)
    climber(club, "Free", accepts="always", rated=False)
    climber(club, "Usual")

    assert challenged(club, ada, "Never") == "challenge_refused"
    assert challenged(club, ada, "Full") == "challenged_enough"
    assert challenged(club, ada, "ada") == "own_bot"
    assert challenged(club, ada, "Nowhere") == "no_such_opponent"
    challenged(club, ada, "free"), challenged(club, ada, "Usual"), challenged(club, ada, "greedy")
    found = sent(club, "GET", "/ladders/pyrat/challenges", ada).json()
    assert {one["challenged"]["name"]: one["rated"] for one in found} == {
        "Free": False,
        "Usual": True,
        "greedy": False,
    }
    shown = {
        one["name"]: one["accepts"] for one in club.live_server.get("/ladders/pyrat").json()["bots"]
    }
    assert shown["greedy"] is None
    assert shown["Usual"] == {"accepts": "window", "window": 300, "per_day": 10, "rated": True}


def test_a_bot_accepts_challenges_of_ratings_near_its_own(club: Stage, monkeypatch):
    near, far = climber(club, "Near"), climber(club, "Far")
    climber(club, "Window", window=150)
    lines = {
        ("account", guest.person.id): PlayerRating(("account", guest.person.id), rating=rating)
        for guest, rating in ((near, 1140.0), (far, 1160.0))
    }

    async def standing(_: Any, game: Any) -> RatingFit:
        return RatingFit(0, lines)

    monkeypatch.setattr(RatingTables, "standing", standing)

    answer = sent(club, "POST", "/ladders/pyrat/challenges", far, {"name": "Window"})
    assert (answer.status_code, answer.json()["code"]) == (409, "rating_too_far")
    assert answer.json()["allowed"] == [850, 1150]
    assert challenged(club, near, "Window") in states(club, near)


def test_a_bot_that_was_refused_cannot_challenge_the_same_one_again(club: Stage):
    one, other = climber(club, "Eager"), climber(club, "Calm")
    id_ = challenged(club, one, "Calm")
    assert challenged(club, one, "Calm") == "already_challenged"

    path = f"/ladders/pyrat/challenges/{id_}"
    assert sent(club, "DELETE", path, climber(club, "Third")).json()["code"] == "no_such_challenge"
    assert sent(club, "DELETE", path, other).status_code == 204
    assert sent(club, "DELETE", path, other).json()["code"] == "challenge_over"
    assert states(club, one) == {id_: "refused"}
    assert challenged(club, one, "Calm") == "challenge_refused"


def test_challenges_are_limited_in_number(club: Stage):
    one = climber(club, "Many")
    names = ("Da", "Db", "Dc", "Dd")
    for name in names:
        climber(club, name)
    ids = [challenged(club, one, name) for name in names]
    assert ids[3] == "too_many_challenges"
    for _ in range(2):
        for number, id_ in enumerate(ids[:3]):
            sent(club, "DELETE", f"/ladders/pyrat/challenges/{id_}", one)
            ids[number] = challenged(club, one, names[number])
    assert set(states(club, one).values()) == {"open", "withdrawn"}
    sent(club, "DELETE", f"/ladders/pyrat/challenges/{ids[0]}", one)

    assert challenged(club, one, "Da") == "too_many_challenges"
    assert challenged(club, one, "Dd") in states(club, one)


def test_a_bot_that_accepts_none_any_more_refuses_the_open_ones(club: Stage):
    one, other = climber(club, "Hopeful"), climber(club, "Tired")
    id_ = challenged(club, one, "Tired")

    sent(club, "PUT", "/ladders/pyrat/accepts", other, {"accepts": "never"})

    assert states(club, other) == {id_: "refused"}


def test_only_bots_on_the_ladder_challenge(club: Stage):
    guest = club.guest("Outside")

    assert challenged(club, guest, "greedy") == "not_on_it"
    path = "/ladders/pyrat/accepts"
    assert sent(club, "PUT", path, guest, {}).json()["code"] == "not_on_it"
    path = "/ladders/botstack/challenges"
    assert sent(club, "POST", path, guest, {"name": "greedy"}).json()["code"] == "ladder_off"


@pytest.mark.usefixtures("two_house_bots")
def test_a_challenge_is_played_as_a_pair_once_both_bots_are_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
):
    monkeypatch.setattr("server.tournaments.opponents.HOUSE_GAMES", 0)
    with staged(tmp_path, monkeypatch, games_at_once=8, ladder="pyrat", ladder_pace_ms=20) as stage:
        ada, bob = climber(stage, "Ada"), climber(stage, "Bob", accepts="always", rated=False)
        monkeypatch.setenv("BOTARENA_KEY", ada.person.key)
        url = stage.live_server.url
        assert client_sdk.cli.run(["ladder", "challenge", url, "pyrat", "bob"]) == 0
        said = capsys.readouterr().out
        assert said.startswith("Bob is challenged (not rated): ")
        ada.plays()
        bob.plays()
        games = eventually(
            lambda: (
                now
                if len(now := [one for one in played_on(stage) if one["why"] == "challenge"]) == 2
                and all(one["state"] == "over" for one in now)
                else None
            )
        )

        assert [one["rated"] for one in games] == [False, False]
        names = [[player["name"] for player in one["players"]] for one in games]
        assert sorted(names) == [["Ada", "Bob"], ["Bob", "Ada"]]
        (id_,) = states(stage, bob)
        assert said.split()[-1] == id_
        assert states(stage, ada) == {id_: "begun"}
        assert client_sdk.cli.run(["ladder", "challenges", url, "pyrat"]) == 0
        assert "begun" in capsys.readouterr().out
        assert client_sdk.cli.run(["ladder", "refuse", url, "pyrat", id_]) == 3
        assert client_sdk.cli.run(["ladder", "accept", url, "pyrat", "window", "--no-rated"]) == 0
        assert "within 300 points, 10 a day, not rated" in capsys.readouterr().out


async def test_a_challenge_expires(tmp_path: Path):
    store = Store(f"sqlite:///{tmp_path / 'a.db'}")
    await store.open()
    async with store.write() as db:
        await db.execute(
            insert(accounts), [{"id": "a", "name": "a", "kind": "bot", "created_ms": 0}]
        )
        for id_, created_ms in (("old", 10), ("new", 20)):
            one = Challenge(
                id=id_,
                game="p",
                challenger="a",
                challenged=None,
                bot="greedy",
                rated=False,
                state="open",
                created_ms=created_ms,
            )
            await challenges.add(db, one)
        await challenges.expire(db, "p", 15)
    async with store.read() as db:
        found = {
            one.challenge.id: one.challenge.state for one in await challenges.of(db, "p", "a", 9)
        }
    await store.close()

    assert found == {"old": "expired", "new": "open"}


# --- maps


NEW: dict[str, Any] = {"created_ms": 0, "account": "a"}


def pool(*maps: tuple[str | None, int]) -> dict[str, Any]:
    return {"maps": [{"map": name, "weight": weight} for name, weight in maps]}


def test_a_change_of_the_map_pool_is_a_new_version_and_old_ones_stay(club: Stage):
    path = "/ladders/botstack/pools"
    assert club.done(path, pool((None, 1)), status=201)["version"] == 1
    path = "/ladders/pyrat/pools"
    first = club.done(path, pool(("open", 1), ("classic", 2)), status=201)
    again = club.done(path, pool(("open", 1), ("classic", 2)), status=201)
    second = club.done(path, pool(("open", 1), ("classic", 3)), status=201)

    assert (first["version"], again, second["version"]) == (1, first, 2)
    assert club.live_server.get(path).json() == [second, first]
    assert club.live_server.get("/ladders/pyrat").json()["pool"] == second


@pytest.mark.parametrize(
    ("maps", "refusal"),
    [
        ([("moon", 1)], (404, "unknown_map", "map")),
        ([("open", 1), ("open", 2)], (422, "map_twice", "maps")),
        ([], (422, "bad_value", "maps")),
        ([("open", 0)], (422, "bad_value", "maps.0.weight")),
    ],
)
def test_a_map_pool_has_known_maps_once_each(club: Stage, maps, refusal):
    assert club.refused("/ladders/pyrat/pools", pool(*maps)) == refusal


def test_maps_are_drawn_by_their_weights():
    drawn = Counter(
        draw(MapPool(game="p", version=1, maps=pool(("a", 3), (None, 1))["maps"], **NEW))
        for _ in range(2_000)
    )

    assert 1_350 < drawn["a"] < 1_650
    assert drawn["a"] + drawn[None] == 2_000


@pytest.mark.usefixtures("two_house_bots")
def test_the_result_of_a_live_game_is_sent_when_the_game_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Not at the ladder's next look, which would begin further games."""
    posted: list[str] = []
    monkeypatch.setattr(
        Webhook, "post", lambda _, event, text, **about: posted.append(about.get("match", event))
    )
    with staged(
        tmp_path, monkeypatch, games_at_once=4, ladder="pyrat", ladder_pace_ms=3_600_000
    ) as stage:
        pair = eventually(lambda: begun if len(begun := played_on(stage)) == 2 else None)
        # the server of `club` may post here too
        eventually(lambda: {one["match"] for one in pair} <= set(posted))
        assert len(played_on(stage)) == 2


def test_both_games_of_a_pair_are_played_on_the_map_that_was_drawn_and_name_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
):
    posted: list[dict[str, Any]] = []
    monkeypatch.setattr(
        Webhook,
        "post",
        lambda _, event, text, **about: posted.append({"event": event, "text": text}),
    )
    with staged(tmp_path, monkeypatch, games_at_once=4, ladder="pyrat", ladder_pace_ms=20) as stage:
        url = stage.live_server.url
        monkeypatch.setenv("BOTARENA_KEY", stage.organiser.key)
        assert client_sdk.cli.run(["ladder", "maps", url, "pyrat", "learning=2"]) == 0
        assert capsys.readouterr().out == "version 1: learning=2\n"
        late = eventually(
            lambda: (
                now
                if len(now := [one for one in played_on(stage) if one["pool"] == 1]) >= 2
                else None
            )
        )
        assert {one["map"] for one in late} == {"learning"}
        row = eventually(lambda: stage.live_server.row(late[-1]["match"]))
        assert row["map"] == "learning"
        assert {"event": "map_pool", "text": "pyrat ladder: version 1 of its maps"} in posted
        over = eventually(lambda: [o["text"] for o in posted if o["event"] == "ladder_game"])
        assert any(re.search(r"^pyrat ladder: \w+ – \w+: (\w+ wins|a draw)$", one) for one in over)
        assert client_sdk.cli.run(["ladder", "maps", url, "pyrat", "learning=x"]) == 2
