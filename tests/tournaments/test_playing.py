"""Tournaments that are played: bots are invited, results count, and faults count against their
causers only."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest

from games.contest.result import result_of
from games.core.journal import commitment
from games.core.rerun import verify
from server.store import tournaments as stored
from server.store.store import FILE
from tests.server.live_server import eventually
from tests.server.test_spectator_delay import DELAY_S, pass_time
from tests.tournaments.stage import Stage, rebuilt, staged

TABLE = {"format": "round-robin", "matches_per_pairing": 1, "check": False}
LONG = {"preset": "tiny", "max_turns": 400, "move_timeout_ms": 60_000}


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory):
    with (
        pytest.MonkeyPatch.context() as monkeypatch,
        staged(tmp_path_factory.mktemp("playing"), monkeypatch, games_at_once=4) as stage,
    ):
        yield stage


def rows(stage: Stage, query: str, *values: Any) -> list[dict[str, Any]]:
    """The database's content, read without our code."""
    database = sqlite3.connect(stage.live_server.data / FILE)
    database.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in database.execute(query, values)]
    finally:
        database.close()


def in_a_long_game(stage):
    """A guest that has been invited to its first game, the tournament, the invitation, and its seat
    there."""
    guest = stage.guest("Ada")
    id_ = stage.made("greedy", format=TABLE, config=LONG)
    guest.enter(id_)
    stage.led(id_, "start")
    (first,) = eventually(lambda: guest.asked(wait_s=1))
    client = stage.live_server.seat(first)
    client.until("start")
    return guest, id_, first, client


def test_house_bots_play_a_contest_to_its_end_and_all_records_agree(stage):
    format_ = {"matches_per_pairing": 2, "bracket_size": 2, "best_of_final": 1}
    id_ = stage.made("greedy", "random", "greedy", format=format_)
    stage.led(id_, "start")

    over = stage.until(id_, "finished")

    assert over["placings"] == [rebuilt(over).names[entry] for entry in rebuilt(over).places]
    for game in over["games"]:
        assert game["state"] == "over"
        outcome = stage.live_server.get(f"/matches/{game['match']}").json()["outcome"]
        assert result_of(outcome, (1, 0)) == rebuilt(over).result(game["game"])
        assert verify(stage.live_server.journal_text(game["match"]), stage.live_server.games).sound
    taken = rows(stage, "select fixture, state, match from pairings where tournament = ?", id_)
    assert {(row["fixture"], row["state"], row["match"]) for row in taken} == {
        (game["game"], "over", game["match"]) for game in over["games"]
    }
    assert len(taken) == len(over["games"])
    named = rows(stage, "select pairing from attempts where match = ?", over["games"][0]["match"])
    assert named == rows(
        stage, "select id as pairing from pairings where match = ?", over["games"][0]["match"]
    )


def test_remote_bots_are_invited_to_no_more_games_than_they_play_at_once(stage):
    guests = [
        stage.guest("Ada"),
        stage.guest("Bob", concurrency=2),
        stage.guest("Cleo", concurrency=2),
    ]
    id_ = stage.made(format=TABLE | {"matches_per_pairing": 2})
    for guest in guests:
        guest.enter(id_)
        guest.plays()
    stage.led(id_, "start")

    over = stage.until(id_, "finished")

    assert all(game["how"] == "played" for game in over["games"])
    assert [len(guest.seen) for guest in guests] == [4, 4, 4]
    assert guests[0].most == 1
    assert {one["fixture"] for guest in guests for one in guest.seen} == {
        game["game"] for game in over["games"]
    }
    assert all(
        one["tournament"] == id_ and one["within_ms"] > 0 for guest in guests for one in guest.seen
    )


def test_an_absent_bot_forfeits_and_is_invited_until_then(stage):
    guest = stage.guest("Ada")
    id_ = stage.made("greedy", format=TABLE, clock={"startup_ms": 3000})
    guest.enter(id_)
    stage.led(id_, "start")
    first = eventually(lambda: guest.asked(wait_s=1))
    guest.after = 0
    assert [one["token"] for one in guest.asked()] == [one["token"] for one in first]
    left = stage.live_server.post(f"/lobbies/{first[0]['match']}/leave", None, first[0]["token"])
    assert (left.status_code, left.json()["code"]) == (409, "called")

    over = stage.until(id_, "finished")

    (game,) = over["games"]
    assert game["result"]["forfeit"] == [seat == "Ada" for seat in game["seats"]]
    assert over["log"][-1]["about"]["reason"] == "no_show"
    guest.after = 0
    assert guest.asked() == []


def test_a_restarted_bot_is_invited_to_its_running_game(stage):
    guest, id_, first, client = in_a_long_game(stage)
    guest.after = 0
    assert guest.asked() == []

    client.vanish()
    (again,) = eventually(guest.asked)

    assert (again["match"], again["token"], again["within_ms"]) == (
        first["match"],
        first["token"],
        None,
    )
    stage.led(id_, "cancel")
    stage.done(f"/admin/matches/{first['match']}/abort", {"reason": "over"})


def test_a_bot_that_misses_its_check_game_is_left_out(stage):
    here, away = stage.guest("Ada"), stage.guest("Bob")
    id_ = stage.made("greedy", format=TABLE | {"check": True}, clock={"startup_ms": 6000})
    for guest in (here, away):
        guest.enter(id_)
    here.plays()
    stage.led(id_, "start")

    over = stage.until(id_, "finished")

    assert [one["status"] for one in over["entrants"]] == ["active", "active", "left_out"]
    assert {row["id"] for row in over["standings"]} == {"Ada", "greedy 1"}


def test_a_game_aborted_without_a_bots_fault_is_replayed_with_the_same_seed(stage):
    guest, id_, first, _ = in_a_long_game(stage)
    stage.done(f"/admin/matches/{first['match']}/abort", {"reason": "thunder"})
    stage.live_server.row(first["match"])
    assert (
        record := stage.live_server.get(f"/matches/{first['match']}/journal", first["token"])
    ).is_error
    assert record.json()["code"] == "not_released"

    (second,) = eventually(lambda: guest.asked(wait_s=5))
    fact = eventually(lambda: [line for line in stage.get(id_)["log"] if line["kind"] == "result"])[
        -1
    ]
    assert ("result" in fact, fact["about"]["reason"]) == (False, "thunder")
    seeds = rows(
        stage, "select seed from matches where id in (?, ?)", first["match"], second["match"]
    )
    lobby = stage.live_server.arena.matches.lobbies.unfinished[second["match"]]
    assert {row["seed"] for row in seeds} == {lobby.setup.seed}
    assert [one["attempt"] for one in stage.get(id_)["games"][0]["attempts"]] == [1, 2]
    stage.led(id_, "cancel")


def test_stage_one_is_private_until_it_is_over(stage):
    guest = stage.guest("Ada")
    id_ = stage.made(
        "greedy", format=TABLE, config={"preset": "tiny", "max_turns": 4, "move_timeout_ms": 60_000}
    )
    guest.enter(id_)
    stage.led(id_, "start")
    (seat,) = eventually(lambda: guest.asked(wait_s=1))

    assert stage.live_server.get(f"/lobbies/{seat['match']}").json()["code"] == "private"
    assert seat["match"] not in [
        lobby["lobby"] for lobby in stage.live_server.get("/lobbies").json()
    ]
    assert stage.live_server.get(f"/lobbies/{seat['match']}", seat["token"]).status_code == 200
    guest.after = 0
    guest.plays()
    stage.until(id_, "finished")

    assert stage.live_server.get(f"/matches/{seat['match']}").json()["outcome"]["outcome"] in (
        "win",
        "draw",
    )
    assert stage.live_server.lobby(seat["match"])["private"] is False
    assert eventually(lambda: stage.live_server.get(f"/replays/{seat['match']}").is_success)


def test_a_result_that_viewers_have_not_seen_is_not_in_the_tournament(stage):
    format_ = TABLE | {"round_robin_public": True, "spectator_delay": DELAY_S}
    id_ = stage.made("greedy", "random", format=format_)
    stage.led(id_, "start")
    running = stage.live_server.arena.matches.lobbies.unfinished
    (match,) = eventually(
        lambda: [lobby.id for lobby in running.values() if lobby.live and lobby.live.result]
    )
    now = stage.live_server.get(f"/tournaments/{id_}").json()

    (game,) = now["games"]
    assert (game["match"], game["state"], game["result"]) == (match, "running", None)
    assert {row["played"] for row in now["standings"]} == {0}
    assert stage.live_server.get(f"/matches/{match}").json()["outcome"] is None
    pass_time(stage.live_server, match)
    over = stage.until(id_, "finished")
    assert over["games"][0]["result"] is not None


@pytest.mark.parametrize("public", [False, True])
def test_no_record_reveals_the_seed_of_a_later_game(stage, public):
    """Two games of a pair share theirs, and the second may come much later."""
    guest = stage.guest("Ada")
    id_ = stage.made(
        "greedy", format=TABLE | {"matches_per_pairing": 2, "round_robin_public": public}
    )
    guest.enter(id_)
    stage.led(id_, "start")
    (seat,) = eventually(lambda: guest.asked(wait_s=1))
    stage.led(id_, "pause")
    guest.after = 0
    guest.plays()
    path = f"/matches/{seat['match']}/journal"
    stage.live_server.row(seat["match"])
    eventually(
        lambda: rows(
            stage, "select 1 from pairings where match = ? and state = 'over'", seat["match"]
        )
    )

    assert (answer := stage.live_server.get(path, seat["token"])).is_error
    assert answer.json()["code"] == "not_released"
    assert (
        stage.live_server.get(f"/matches/{seat['match']}", seat["token"]).json()["released"]
        is False
    )

    stage.led(id_, "resume")
    stage.until(id_, "finished")
    assert stage.live_server.get(path).is_success


def answers(stage: Stage, id_: str) -> str:
    """Everything that is published about a tournament and its games."""
    matches = {one["match"] for game in stage.get(id_)["games"] for one in game["attempts"]}
    paths = [
        "/tournaments",
        "/lobbies",
        "/matches",
        "/replays",
        "/ladders/pyrat",
        "/ratings?game=pyrat",
    ]
    paths += [f"/tournaments/{id_}{what}" for what in ("", "/page", "/standings.csv")]
    paths += [
        f"/{what}"
        for one in matches
        for what in (f"lobbies/{one}", f"matches/{one}", f"matches/{one}/journal")
    ]
    paths += [f"/replays/{one}" for one in matches]
    return "\n".join(stage.live_server.get(path).text for path in paths)


def to_come(stage: Stage, id_: str) -> list[str]:
    """The seeds of the games that are due, and the tournament's own."""
    (row,) = rows(stage, "select seed from tournaments where id = ?", id_)
    due = rebuilt(stage.get(id_) | row).open
    assert due
    return [str(row["seed"]), *(str(fixture.seed) for fixture in due)]


@pytest.mark.parametrize("again", ["the first game", "the final", "all of it"])
def test_a_game_replayed_after_its_seed_was_published_has_another_seed(stage, again):
    format_ = {"matches_per_pairing": 2, "bracket_size": 2, "best_of_final": 1}
    id_ = stage.made("greedy", "random", "greedy", format=format_)
    stage.led(id_, "start")
    if again == "all of it":
        eventually(lambda: any(line["kind"] == "result" for line in stage.get(id_)["log"]))
        stage.led(id_, "cancel")
    over = stage.until(id_, "cancelled" if again == "all of it" else "finished")
    known = eventually(lambda: (got := answers(stage, id_)).count("not_released") == 0 and got)
    assert str(over["seed"]) in known
    stage.done("/admin/drain")
    if again == "the final":
        stage.done(f"/tournaments/{id_}/games/F-1/replay", {"why": "asleep"})
    else:
        kind = "result" if again == "the first game" else "cancelled"
        stage.led(
            id_, "undo", fact=next(line["number"] for line in over["log"] if line["kind"] == kind)
        )

    known += answers(stage, id_)
    assert [seed for seed in to_come(stage, id_) if seed in known] == []
    now = stage.get(id_)
    assert now["commitment"] != over["commitment"]

    stage.live_server.http.delete(
        "/api/v1/admin/drain", headers={"Authorization": f"Bearer {stage.organiser.key}"}
    )
    then = stage.until(id_, "finished")
    assert commitment(then["seed"], then["salt"]) == now["commitment"]
    assert {"seed": over["seed"], "salt": over["salt"]} in [
        line.get("about") for line in then["log"]
    ]
    assert commitment(over["seed"], over["salt"]) == over["commitment"]


def test_a_replayed_game_of_the_bracket_has_a_secret_seed(stage):
    """The record of the first time is out, and the tournament goes on."""
    guest = stage.guest("Ada")
    format_ = {
        "format": "knock-out",
        "best_of": 1,
        "best_of_final": 1,
        "bracket_public": True,
        "check": False,
    }
    id_ = stage.made("greedy", "random", "greedy", format=format_)
    guest.enter(id_)
    stage.led(id_, "start")
    (seat,) = eventually(lambda: guest.asked(wait_s=1))
    played = next(game for game in stage.get(id_)["games"] if game["game"] != seat["fixture"])
    match = eventually(
        lambda: [
            line["about"]["match"] for line in stage.get(id_)["log"] if line["kind"] == "result"
        ]
    )[0]
    eventually(lambda: stage.live_server.get(f"/matches/{match}/journal").is_success)
    known = answers(stage, id_)
    stage.done("/admin/drain")
    stage.done(f"/tournaments/{id_}/games/{played['game']}/replay", {"why": "asleep"})

    known += answers(stage, id_)
    due = to_come(stage, id_)
    assert f'"game":"{played["game"]}"' in known
    assert len(due) == 3
    assert [seed for seed in due if seed in known] == []
    stage.live_server.http.delete(
        "/api/v1/admin/drain", headers={"Authorization": f"Bearer {stage.organiser.key}"}
    )
    stage.led(id_, "cancel")
    stage.done(f"/admin/matches/{seat['match']}/abort", {"reason": "over"})


def test_a_bracket_game_with_new_players_has_another_seed_than_the_running_one(
    stage,
):
    """Its record comes out, or is watched, while they play."""
    guest = stage.guest("Ada", concurrency=2)
    format_ = {"format": "knock-out", "best_of": 1, "best_of_final": 1, "check": False}
    id_ = stage.made("greedy", "random", format=format_)
    guest.enter(id_)
    stage.led(id_, "start")
    stage.done(f"/tournaments/{id_}/games/SF2-1/override", {"placement": [2, 1]})
    final = eventually(lambda: [one for one in guest.asked(wait_s=1) if one["fixture"] == "F-1"])[0]
    before = stage.get(id_)
    stage.done("/admin/drain")
    stage.done(f"/tournaments/{id_}/games/SF2-1/override", {"placement": [1, 2]})

    assert stage.get(id_)["commitment"] != before["commitment"]
    assert str(
        stage.live_server.arena.matches.lobbies.unfinished[final["match"]].setup.seed
    ) not in to_come(stage, id_)
    stage.live_server.http.delete(
        "/api/v1/admin/drain", headers={"Authorization": f"Bearer {stage.organiser.key}"}
    )
    stage.led(id_, "cancel")
    for one in guest.seen:
        stage.done(f"/admin/matches/{one['match']}/abort", {"reason": "over"})


def test_a_tournament_can_be_watched_while_it_is_led(stage, monkeypatch):
    """The copy in memory may be newer than what a look at the database shows."""
    id_ = stage.made("greedy", "random", format=TABLE)
    moments, looks = stored.moments, []

    async def older(*which):
        found = await moments(*which)
        looks.append(len(found))
        return dict([*found.items()][:-1]) if len(looks) == 1 else found

    monkeypatch.setattr(stored, "moments", older)
    stage.led(id_, "pause")

    assert [line["kind"] for line in stage.get(id_)["log"]] == ["entered", "entered", "paused"]


def test_a_running_game_that_the_organiser_decides_is_not_counted_twice(stage):
    guest = stage.guest("Ada")
    id_ = stage.made("greedy", format=TABLE)
    guest.enter(id_)
    stage.led(id_, "start")
    (seat,) = eventually(lambda: guest.asked(wait_s=1))
    stage.done(f"/tournaments/{id_}/games/rr-1/override", {"placement": [2, 1]})
    guest.after = 0
    guest.plays()

    stage.live_server.row(seat["match"])
    eventually(
        lambda: rows(
            stage, "select 1 from pairings where tournament = ? and state = 'dropped'", id_
        )
    )

    over = stage.get(id_)
    assert [line["kind"] for line in over["log"]].count("result") == 0
    assert over["games"][0]["result"]["placement"] == [2, 1]


def test_a_replayed_game_is_another_attempt(stage):
    id_ = stage.made("greedy", "random", format=TABLE)
    stage.led(id_, "start")
    (first,) = stage.until(id_, "finished")["games"]

    stage.done(f"/tournaments/{id_}/games/rr-1/replay", {"why": "asleep"})
    (then,) = eventually(lambda: (now := stage.get(id_))["state"] == "finished" and now)["games"]

    assert [one["state"] for one in then["attempts"]] == ["over", "over"]
    assert then["match"] != first["match"]


def test_no_game_starts_during_a_pause(stage):
    id_ = stage.made("greedy", "random", format=TABLE)
    stage.led(id_, "pause")
    stage.led(id_, "start")
    other = stage.made("greedy", "random", format=TABLE)
    stage.led(other, "start")

    stage.until(other, "finished")
    assert stage.get(id_)["games"][0]["attempts"] == []
    stage.led(id_, "resume")
    stage.until(id_, "finished")
