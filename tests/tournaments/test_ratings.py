"""Ratings, and the ladders on which they grow."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import client_sdk.cli
from client_sdk.bots import HOUSE
from games import GAMES
from games.core.contract import AnyGame
from server.blame import INTERRUPTED, BlameVerdict
from server.match_record import MatchEnded, MatchRecord, SeatedPlayer
from server.settings import Settings
from server.store import matches
from server.store import ratings as stored
from server.store.ratings import Pair, PlayerKey
from server.store.store import Store
from server.tournaments.opponents import HOUSE_GAMES, Opponents, most_seats
from server.tournaments.rating_fits import (
    ANCHOR_AT,
    PlayerRating,
    RatingFit,
    bradley_terry,
    plackett_luce,
)
from server.tournaments.ratings import FEW
from tests.server.live_server import eventually
from tests.stores import KINDS, database
from tests.tournaments.stage import SHORT, Stage, played, staged

GREEDY, RANDOM, ADA, BOB = (
    ("bot", "greedy"),
    ("bot", "random"),
    ("account", "ada"),
    ("account", "bob"),
)


def record(
    id_: str, *players: tuple[PlayerKey | None, int | None], rated: bool = True, ended: int = 1
) -> MatchRecord:
    """A match that is over: who sat there, and in which place they came."""
    seats = [
        SeatedPlayer(seat, "r", "x", "bot", **({} if who is None else {who[0]: who[1]}))
        for seat, (who, _) in enumerate(players)
    ]
    lines = [
        {"seat": seat, "score": 0, "placement": place, "outcome": None}
        for seat, (_, place) in enumerate(players)
    ]
    return MatchRecord(
        id=id_,
        name=None,
        game="pyrat",
        rules_version=1,
        state="over",
        private=False,
        rated=rated,
        players=seats,
        config={},
        map=None,
        faults=None,
        seed=1,
        salt="",
        doors=[],
        commitment="",
        created_ms=0,
        started_ms=0,
        ended_ms=ended,
        head="",
        outcome={"outcome": "win", "winner": None, "reason": "rules", "seats": lines},
        file="journal",
    )


@pytest.fixture(params=KINDS)
async def store(request: pytest.FixtureRequest, tmp_path):
    with database(request.param, tmp_path) as url:
        opened = Store(url)
        await opened.open()
        yield opened
        await opened.close()


async def kept(store: Store, *records: MatchRecord, blamed: BlameVerdict | None = None) -> None:
    async with store.write() as db:
        for one in records:
            await matches.finish(db, MatchEnded(one, blamed), "here")


async def test_only_rated_matches_of_known_players_with_a_result_count(store):
    await kept(
        store,
        record("a", (GREEDY, 1), (ADA, 2)),
        record("b", (ADA, 1), (GREEDY, 2)),
        record("c", (GREEDY, 1), (ADA, 1)),
        record("unrated", (GREEDY, 1), (ADA, 2), rated=False),
        record("no one", (None, 1), (ADA, 2)),
        record("itself", (ADA, 1), (ADA, 2)),
        record("three", (ADA, 1), (GREEDY, 2), (BOB, 3)),
    )
    await kept(store, record("broken", (GREEDY, None), (ADA, None)), blamed=INTERRUPTED)

    async with store.read() as db:
        found = await stored.pairs(db, "pyrat")
        placed = await stored.placements(db, "pyrat")
        other = await stored.pairs(db, "botstack")

    assert sorted(found, key=lambda pair: pair.first) == [
        Pair(ADA, GREEDY, 1, 0, 0),
        Pair(GREEDY, ADA, 1, 0, 1),
    ]
    assert [[player for player, _ in match] for match in placed] == [
        [GREEDY, ADA],
        [ADA, GREEDY],
        [GREEDY, ADA],
        [ADA, GREEDY, BOB],
    ]
    assert other == []


async def test_matches_of_many_seats_are_ordered_by_their_end(store):
    await kept(
        store,
        record("late", (ADA, 1), (BOB, 2), ended=9),
        record("early", (BOB, 1), (ADA, 2), ended=3),
    )

    async with store.read() as db:
        assert await stored.placements(db, "pyrat") == [[(BOB, 1), (ADA, 2)], [(ADA, 1), (BOB, 2)]]


def test_the_anchor_keeps_its_rating_and_better_bots_are_above_it():
    lines = bradley_terry(
        [Pair(ADA, GREEDY, 15, 5, 0), Pair(GREEDY, RANDOM, 15, 5, 0)], "greedy", 40
    ).lines

    assert (lines[GREEDY].rating, lines[GREEDY].low, lines[GREEDY].high) == (
        ANCHOR_AT,
        ANCHOR_AT,
        ANCHOR_AT,
    )
    assert lines[ADA].low < lines[ADA].rating < lines[ADA].high
    assert lines[ADA].rating > ANCHOR_AT > lines[RANDOM].rating
    assert (lines[ADA].games, lines[ADA].wins, lines[ADA].losses) == (20, 15, 5)


def test_the_worth_of_seat_0_is_fitted_with_the_ratings_of_games_of_two():
    """Ada wins from seat 0 and loses from seat 1: she is as strong as the anchor."""
    known = bradley_terry([Pair(ADA, GREEDY, 70, 30, 0), Pair(GREEDY, ADA, 70, 30, 0)], "greedy", 9)
    low, high = known.seat.interval()

    assert known.lines[ADA].rating == pytest.approx(ANCHOR_AT)
    assert 60 < low < known.seat.elo < high < 180
    assert bradley_terry([], "greedy", 0).seat is None
    assert plackett_luce([[(ADA, 1), (GREEDY, 2), (BOB, 3)]], "greedy", 1).seat is None


def test_a_player_not_connected_with_the_anchor_has_no_rating():
    lines = bradley_terry([Pair(ADA, BOB, 1, 1, 0)], "greedy", 2).lines

    assert [lines[ADA].rating, lines[BOB].rating] == [None, None]
    assert (
        bradley_terry([Pair(ADA, BOB, 1, 1, 0), Pair(BOB, GREEDY, 0, 1, 0)], "greedy", 3)
        .lines[ADA]
        .rating
        is not None
    )


def test_with_more_seats_better_places_give_a_better_rating():
    match = [(ADA, 1), (GREEDY, 2), (RANDOM, 3), (BOB, 3)]

    standing = plackett_luce([match] * 60, "greedy", 60)

    ada, greedy, random, bob = (standing.lines[player] for player in (ADA, GREEDY, RANDOM, BOB))
    assert (greedy.rating, greedy.low, greedy.high) == (ANCHOR_AT,) * 3
    assert ada.rating > ada.low > ANCHOR_AT > random.rating
    assert random.rating == pytest.approx(bob.rating)
    assert (ada.wins, greedy.losses, ada.games) == (60, 60, 60)
    assert standing.met[frozenset((ADA, BOB))] == 60


def test_a_ladder_can_be_enabled_for_all_games_for_none_or_by_name():
    assert [Settings(ladder=setting).ladders for setting in ("off", "pyrat, cookoff", "on")] == [
        [],
        ["pyrat", "cookoff"],
        [*GAMES],
    ]
    with pytest.raises(ValueError, match="chess"):
        Settings(ladder="chess")


@pytest.mark.parametrize(
    ("game", "players", "seats"),
    [("pyrat", 5, 2), ("pyrat", 1, 0), ("zooscape", 9, 4), ("zooscape", 3, 3)],
)
def test_a_ladder_game_has_the_usual_number_of_players_or_all_present(game, players, seats):
    assert most_seats(GAMES[game], players) == seats


# --- on a server


def on_small_boards(game: AnyGame, config: dict[str, Any], seats: int) -> dict[str, Any]:
    return config | {"preset": "tiny"}


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory):
    two = {name: HOUSE["pyrat"][name] for name in ("random", "greedy")}
    with (
        pytest.MonkeyPatch.context() as monkeypatch,
        patch.dict(HOUSE, pyrat=two),
        staged(
            tmp_path_factory.mktemp("ladder"),
            monkeypatch,
            games_at_once=2,
            ladder="pyrat",
            ladder_pace_ms=50,
        ) as stage,
    ):
        yield stage


def table(stage: Stage) -> dict[str, Any]:
    return {
        line["name"]: line
        for line in stage.live_server.get("/ratings?game=pyrat").json()["ratings"]
    }


def test_on_a_ladder_the_decent_house_bot_is_above_the_trivial_one(stage):
    """After two games of theirs: others of this server may have played too."""
    both = ("greedy", "random")

    def played_two() -> dict[str, Any] | None:
        lines = table(stage)
        return lines if all(lines.get(one, {"games": 0})["games"] >= 2 for one in both) else None

    greedy, random = map(eventually(played_two).get, both)

    assert stage.live_server.get("/ratings?game=pyrat").json()["anchor"] == "greedy"
    assert greedy["rating"] == ANCHOR_AT
    assert greedy["rank"] < random["rank"]  # a guest of another test may be above both
    assert random["rating"] < greedy["rating"]
    seat = stage.live_server.get("/ratings?game=pyrat").json()["first_seat"]
    assert seat["low"] < seat["worth"] < seat["high"]
    assert random["provisional"] == (random["games"] < FEW)


def test_the_command_shows_ratings_and_what_seat_0_is_worth(stage, capsys):
    eventually(lambda: table(stage).get("random", {"games": 0})["games"] >= 1)

    assert client_sdk.cli.run(["ladder", "show", stage.live_server.url, "pyrat"]) == 0
    shown = capsys.readouterr().out
    assert "1000 to 1000" in next(line for line in shown.splitlines() if " greedy " in line)
    assert re.search(r"seat 0 is worth [+-]\d+ Elo ± \d+", shown)


def test_ladder_games_come_in_pairs_with_one_seed_and_swapped_seats(stage):
    assert eventually(
        lambda: {("greedy", "random"), ("random", "greedy")} in by_seed(stage).values()
    )


def by_seed(stage: Stage) -> dict[int, set[tuple[str, ...]]]:
    """Who sat where, in the rated matches that are released."""
    found: dict[int, set[tuple[str, ...]]] = {}
    for match in stage.live_server.get("/replays").json():
        if match["rated"]:
            found.setdefault(match["seed"], set()).add(
                tuple(player["name"] for player in match["players"])
            )
    return found


def test_the_first_game_of_a_pair_does_not_reveal_the_seed(stage):
    guest, lobbies = stage.guest("Lin"), stage.live_server.arena.matches.lobbies
    stage.done("/ladders/pyrat", {"concurrency": 1}, guest.person.key, 201)
    first = eventually(lambda: guest.asked(wait_s=1))[0]
    client = stage.live_server.seat(first)
    stage.done("/admin/drain")
    stage.done(f"/admin/matches/{first['match']}/abort", {"reason": "rain"})
    stage.live_server.row(first["match"])
    client.vanish()

    path = f"/matches/{first['match']}/journal"
    assert stage.live_server.get(path).json()["code"] == "not_released"

    stage.live_server.http.delete(
        "/api/v1/admin/drain", headers={"Authorization": f"Bearer {stage.organiser.key}"}
    )
    second = eventually(lambda: guest.asked(wait_s=1))[0]
    seeds = [
        stage.live_server.row(first["match"])["seed"],
        lobbies.unfinished[second["match"]].setup.seed,
    ]
    assert seeds[0] == seeds[1]
    stage.live_server.http.delete(
        "/api/v1/ladders/pyrat", headers={"Authorization": f"Bearer {guest.person.key}"}
    )
    stage.done(f"/admin/matches/{second['match']}/abort", {"reason": "rain"})
    assert eventually(lambda: stage.live_server.get(path).is_success)


def test_a_pair_that_waits_for_a_busy_bot_delays_no_other_pair(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("server.tournaments.opponents.HOUSE_GAMES", 10_000)
    monkeypatch.setattr("server.tournaments.ladder.for_seats", on_small_boards)
    with staged(tmp_path, monkeypatch, games_at_once=4, ladder="pyrat", ladder_pace_ms=20) as stage:
        guest = stage.guest("Ada")
        stage.done("/ladders/pyrat", {"concurrency": 1}, guest.person.key, 201)
        (first,) = eventually(lambda: guest.asked(wait_s=1))
        before = len(by_seed(stage))
        eventually(
            lambda: len(by_seed(stage)) > before + 2
        )  # more than a ladder has under way here

        assert stage.live_server.lobby(first["match"])["state"] == "open"
        assert guest.asked() == []
        played("pyrat", "greedy", first["url"], first["token"])
        (second,) = eventually(lambda: guest.asked(wait_s=1))
        assert {first["seat"], second["seat"]} == {0, 1}


def test_a_ladder_leaves_half_of_the_places_to_tournaments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("server.tournaments.opponents.HOUSE_GAMES", 0)
    with staged(tmp_path, monkeypatch, games_at_once=4, ladder="pyrat", ladder_pace_ms=20) as stage:
        climber, entrant = stage.guest("Ada"), stage.guest("Bob")
        stage.done("/ladders/pyrat", {"concurrency": 4}, climber.person.key, 201)
        eventually(lambda: climber.asked(wait_s=1) and len(climber.seen) == 2)
        id_ = stage.made(
            "greedy", format={"format": "round-robin", "matches_per_pairing": 1, "check": False}
        )
        entrant.enter(id_)
        stage.led(id_, "start")

        assert [one["tournament"] for one in eventually(lambda: entrant.asked(wait_s=1))] == [id_]
        assert climber.asked(wait_s=1) == []


def test_a_bot_on_the_ladder_is_invited_while_it_asks_and_not_after_it_left(stage):
    guest = stage.guest("Ada")
    stage.done("/ladders/pyrat", {"concurrency": 1}, guest.person.key, 201)
    (shown,) = [
        one
        for one in stage.live_server.get("/ladders/pyrat").json()["bots"]
        if one["name"] == "Ada"
    ]
    assert (shown["present"], shown["account"]) == (False, guest.person.id)

    guest.plays()
    assert eventually(lambda: [one for one in guest.seen if one["ladder"] == "pyrat"])
    eventually(lambda: "Ada" in table(stage))
    gone = stage.live_server.http.delete(
        "/api/v1/ladders/pyrat", headers={"Authorization": f"Bearer {guest.person.key}"}
    )

    assert gone.status_code == 204
    assert "Ada" not in [
        one["name"] for one in stage.live_server.get("/ladders/pyrat").json()["bots"]
    ]
    assert table(stage)["Ada"]["account"] == guest.person.id


def test_two_house_bots_do_not_play_for_ever():
    opponents = Opponents()
    players = [GREEDY, RANDOM]
    lines = {player: PlayerRating(player) for player in players}

    few, enough = (
        RatingFit(0, lines, {frozenset(players): games}) for games in (HOUSE_GAMES - 1, HOUSE_GAMES)
    )

    met = opponents.choose(players, few, 2)
    assert (sorted(met.players), met.why) == (players, "house_rating")
    assert opponents.choose(players, enough, 2) is None
    assert opponents.choose([*players, ADA], enough, 2).players[0] == ADA


def test_only_rated_lobbies_count(stage):
    keys = [stage.guest(name).person for name in ("Rita", "Uma")]
    for who, rated in zip(keys, (True, False), strict=True):
        made = stage.live_server.create(**SHORT, rated=rated, bots=["random"])
        seat = stage.live_server.post(
            f"/lobbies/{made['lobby']}/join", {"name": "x"}, who.key
        ).json()
        client = stage.live_server.seat(seat)
        client.until("start")
        stage.live_server.post(f"/lobbies/{made['lobby']}/leave", None, seat["token"])
        stage.live_server.row(made["lobby"])

    accounts = {line["account"]: line for line in table(stage).values()}
    assert (accounts[keys[0].id]["games"], accounts[keys[0].id]["losses"]) == (1, 1)
    assert keys[1].id not in accounts
