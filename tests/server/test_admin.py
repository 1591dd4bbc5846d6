"""What an organiser does to a running server, and that it is written down."""

from __future__ import annotations

import httpx
import pytest

from client_sdk.cli import run
from server.store.store import sqlite_url
from tests.accounts.people import Person, person
from tests.server.live_server import LiveServer, bearer, eventually, hosted
from tests.tournaments.versions import version


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with hosted(tmp_path_factory.mktemp("admin")) as live_server:
        yield live_server


@pytest.fixture(scope="module")
def organiser(served: LiveServer) -> Person:
    return person(served.data, "organiser", "Club")


def refusal(response) -> tuple[int, str]:
    return response.status_code, response.json()["code"]


def abort(live_server: LiveServer, match: str, reason: str, who: Person):
    return live_server.post(f"/admin/matches/{match}/abort", {"reason": reason}, who.key)


def done(live_server: LiveServer, who: Person) -> list[tuple[str, str | None]]:
    return [
        (one["verb"], one["target"]) for one in live_server.get("/admin/actions", who.key).json()
    ]


# --- list


def test_unfinished_lobbies_are_listed_with_seats_and_presence(
    served: LiveServer, organiser: Person
):
    made = served.create(private=True)
    taken = served.join(made["lobby"], "Ada", invite=made["invite"])
    served.seat(taken)
    served.viewer(made["lobby"], token=made["invite"])
    listed = {one["lobby"]: one for one in served.get("/admin/matches", organiser.key).json()}[
        made["lobby"]
    ]

    assert [(seat["name"], seat["connected"]) for seat in listed["seats"]] == [
        ("Ada", True),
        (None, False),
    ]
    assert (listed["state"], listed["private"], listed["viewers"]) == ("open", True, 1)
    assert not any(
        secret in str(listed) for secret in (taken["token"], made["owner_token"], made["invite"])
    )


# --- abort


def test_an_aborted_match_sends_its_reason_to_all_and_stores_it(
    served: LiveServer, organiser: Person
):
    lobby, clients = served.started("duel", clock={"turn_ms": 60_000})
    watcher = served.viewer(lobby)
    answer = abort(served, lobby, "the projector is on fire", organiser)
    assert answer.json()["state"] == "over"

    for client in (*clients, watcher):
        outcome = client.until("end")["outcome"]
        assert (outcome["outcome"], outcome["reason"], outcome["winner"]) == (
            "aborted",
            "the projector is on fire",
            None,
        )
        client.rest()
        assert client.close_code == 1000
    assert served.lobby(lobby)["outcome"]["reason"] == "the projector is on fire"
    assert served.verified(lobby).kind == "ok"
    assert served.journal(lobby)[-1]["outcome"]["reason"] == "the projector is on fire"
    record = eventually(
        lambda: (found := served.get(f"/matches/{lobby}").json())["released"] and found
    )
    assert [(one["blame"], one["reason"]) for one in record["attempts"]] == [
        ("organiser", "the projector is on fire")
    ]


def test_an_aborted_lobby_is_cancelled_with_the_reason(served: LiveServer, organiser: Person):
    lobby = served.create()["lobby"]
    client = served.seat(served.join(lobby))
    assert abort(served, lobby, "no such class today", organiser).json()["state"] == "cancelled"

    error = client.until("error")
    assert (error["code"], error["text"]) == (
        "match_over",
        "the lobby was cancelled: no such class today",
    )
    assert served.lobby(lobby)["reason"] == "no such class today"


@pytest.mark.parametrize(
    "reason",
    ["", "  ", "a\nb", "x" * 81, "server_fault", "interrupted", "idle", "no_show", 5, None],
)
def test_an_invalid_reason_aborts_nothing(served: LiveServer, organiser: Person, reason):
    lobby = served.create()["lobby"]
    before = done(served, organiser)

    assert abort(served, lobby, reason, organiser).status_code == 422
    assert served.lobby(lobby)["state"] == "open"
    assert done(served, organiser) == before


def test_a_finished_or_unknown_match_is_not_aborted(served: LiveServer, organiser: Person):
    lobby = served.create()["lobby"]
    abort(served, lobby, "first", organiser)
    before = done(served, organiser)
    for match in (lobby, "nowhere"):
        assert refusal(abort(served, match, "second", organiser)) == (404, "no_such_match")

    assert done(served, organiser) == before


# --- drain


def test_a_draining_server_accepts_no_new_matches_and_finishes_the_others(tmp_path):
    with hosted(tmp_path) as live_server:
        who = person(live_server.data, "organiser")
        waiting = live_server.create()
        running, (red, _) = live_server.started("walk", config={"turns": 1})
        full, taken = live_server.seated("duel")
        assert live_server.post("/admin/drain", token=who.key).json() == {
            "draining": True,
            "left": 2,
        }

        assert refusal(live_server.post("/lobbies", {"game": "duel"})) == (503, "draining")
        assert refusal(live_server.post(f"/lobbies/{waiting['lobby']}/join", {"name": "x"})) == (
            503,
            "draining",
        )
        assert refusal(
            live_server.post(f"/lobbies/{waiting['lobby']}/start", token=waiting["owner_token"])
        ) in (
            (503, "draining"),
            (409, "no_bots"),
        )
        assert refusal(live_server.post("/lobbies/*/join", {"name": "x", "game": "walk"})) == (
            503,
            "draining",
        )
        assert "draining" in live_server.http.get("/readyz").json()["reasons"]
        red.until("view")
        red.answer(0, end_turn=True)
        assert live_server.over(running)["reason"] != "aborted"
        for one in taken:
            live_server.seat(one)
        eventually(lambda: live_server.lobby(full)["state"] == "running")
        assert live_server.get("/admin/drain", who.key).json() == {"draining": True, "left": 1}

        assert (
            live_server.http.delete("/api/v1/admin/drain", headers=bearer(who.key)).json()[
                "draining"
            ]
            is False
        )
        assert live_server.join(waiting["lobby"])["seat"] == 0
        assert "draining" not in live_server.http.get("/readyz").json()["reasons"]


# --- teams


def test_an_organiser_puts_accounts_in_teams(served: LiveServer, organiser: Person):
    def join(team: str) -> httpx.Response:
        path = f"/api/v1/accounts/{ada.id}/team"
        return served.http.put(path, json={"team": team}, headers=bearer(organiser.key))

    ada = person(served.data, "bot", "Ada")
    assert join("red").json()["team"] == "red"
    joined = join("blue").json()
    assert (joined["account"], joined["name"], joined["team"]) == (ada.id, "Ada", "blue")
    assert join("").status_code == 422
    listed = served.get("/accounts", organiser.key).json()
    teams = {one["account"]: one["team"] for one in listed}
    assert (teams[organiser.id], teams[ada.id]) == (None, "blue")
    deed = served.get("/admin/actions?limit=1", organiser.key).json()[0]
    assert (deed["verb"], deed["target"], deed["details"]) == ("team", ada.id, {"team": "blue"})


def test_an_organiser_takes_an_account_out_of_its_team(
    served: LiveServer, organiser: Person, capsys
):
    def leave(who: Person) -> httpx.Response:
        path = f"/api/v1/accounts/{who.id}/team"
        return served.http.delete(path, headers=bearer(organiser.key))

    ada, bob = (person(served.data, "bot", name) for name in ("Ada", "Bob"))
    at = ["--data-dir", str(served.data)]
    assert run(["account", "team", "red", ada.id, bob.id, *at]) == 0
    assert leave(ada).json()["team"] is None
    assert leave(ada).json()["team"] is None
    deed = served.get("/admin/actions?limit=1", organiser.key).json()[0]
    assert (deed["verb"], deed["target"], deed["details"]) == ("team", ada.id, {"team": None})
    assert run(["account", "leave-team", bob.id, *at]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "1 accounts are in no team"
    teams = {one["account"]: one["team"] for one in served.get("/accounts", organiser.key).json()}
    assert (teams[ada.id], teams[bob.id]) == (None, None)


def test_no_account_leaves_a_team_while_one_plays_a_bot_of_the_other_in_a_tournament(
    served: LiveServer, organiser: Person
):
    """Neither out of all teams nor into another one."""

    def put(who: Person, team: str | None) -> httpx.Response:
        path = f"/api/v1/accounts/{who.id}/team"
        if team is None:
            return served.http.delete(path, headers=bearer(organiser.key))
        return served.http.put(path, json={"team": team}, headers=bearer(organiser.key))

    ada, bob, cyd = (person(served.data, "bot", name) for name in ("Ada", "Bob", "Cyd"))
    for who in (ada, bob, cyd):
        put(who, "red")
    version(sqlite_url(served.data), bob.id)
    about = {"name": "cup", "game": "pyrat"}
    cup = served.post("/tournaments", about, organiser.key).json()["tournament"]
    path = f"/tournaments/{cup}"
    assert served.post(f"{path}/entrants", {"submitted": "mine"}, ada.key).status_code < 300

    for who in (ada, bob):
        for team in (None, "blue"):
            refused = put(who, team)
            assert (refused.status_code, refused.json()["code"]) == (409, "in_tournament")
            assert cup in refused.json()["text"]
        assert put(who, "red").json()["team"] == "red"
    assert put(cyd, None).json()["team"] is None
    assert served.post(f"{path}/cancel", {}, organiser.key).status_code < 300
    assert put(ada, None).json()["team"] is None
    assert put(bob, "blue").json()["team"] == "blue"


# --- the log of it


def test_every_action_is_logged_with_account_object_and_time(served: LiveServer, organiser: Person):
    lobby = served.create()["lobby"]
    abort(served, lobby, "why not", organiser)
    served.post("/admin/drain", token=organiser.key)
    served.http.delete("/api/v1/admin/drain", headers=bearer(organiser.key))
    made = served.post("/accounts", {"name": "x", "kind": "spectator"}, organiser.key).json()
    served.post(f"/accounts/{made['account']}/disable", token=organiser.key)
    deeds = served.get("/admin/actions?limit=5", organiser.key).json()

    assert {(one["verb"], one["target"]) for one in deeds} == {
        ("abort", lobby),
        ("drain", None),
        ("undrain", None),
        ("create_account", made["account"]),
        ("disable_account", made["account"]),
    }
    assert {one["account"] for one in deeds} == {organiser.id}
    assert [one["details"] for one in deeds if one["verb"] == "abort"] == [{"reason": "why not"}]
    assert [one["at_ms"] for one in deeds] == sorted((one["at_ms"] for one in deeds), reverse=True)
    assert made["key"][2:] not in str(deeds)


def test_only_an_organiser_can_do_any_of_it(served: LiveServer):
    lobby = served.create()
    for who, code in (
        (None, (401, "key_needed")),
        (person(served.data, "bot").key, (403, "forbidden")),
    ):
        assert (
            refusal(served.post(f"/admin/matches/{lobby['lobby']}/abort", {"reason": "x"}, who))
            == code
        )
        assert refusal(served.post("/admin/drain", token=who)) == code
    assert refusal(served.post("/admin/drain", token=lobby["owner_token"])) == (401, "key_needed")

    assert served.lobby(lobby["lobby"])["state"] == "open"
    assert not served.arena.matches.admission.draining
