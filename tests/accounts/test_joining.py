"""Seats by key, by password, on open and on closed servers; and that names are labels, never
identities."""

from __future__ import annotations

from typing import Any

import pytest

from server.tokens import new_token
from tests.accounts.people import Person, person
from tests.server.live_server import LiveServer, eventually, hosted


@pytest.fixture(scope="module")
def arena(tmp_path_factory):
    with hosted(
        tmp_path_factory.mktemp("open"), password_tries=3, sign_ups_per_minute=3
    ) as live_server:
        yield live_server


@pytest.fixture(scope="module")
def closed(tmp_path_factory):
    with hosted(tmp_path_factory.mktemp("closed"), closed=True) as live_server:
        yield live_server


def refusal(response) -> tuple[int, str]:
    return response.status_code, response.json()["code"]


def seats(live_server: LiveServer, lobby: str) -> list[tuple[str | None, str | None]]:
    return [(seat["name"], seat["account"]) for seat in live_server.lobby(lobby)["seats"]]


def joined(
    live_server: LiveServer, lobby: str, who: Person | None, name: str = "x", **about: Any
) -> dict[str, Any]:
    answer = live_server.post(
        f"/lobbies/{lobby}/join", {"name": name} | about, None if who is None else who.key
    )
    assert answer.status_code == 201, answer.text
    return answer.json()


def played(live_server: LiveServer, taken: list[dict[str, Any]]) -> dict[str, Any]:
    """The record of a match of one turn on these seats."""
    clients = [live_server.seat(one) for one in taken]
    clients[0].until("view")
    clients[0].answer(0, end_turn=True)
    for client in clients:
        client.rest()
    return eventually(
        lambda: (
            (found := live_server.get(f"/matches/{taken[0]['lobby']}").json()).get("released")
            and found
        )
    )


# --- accounts in seats


def test_a_join_with_a_key_puts_the_account_in_seat_result_and_journal(
    arena: LiveServer,
):
    mine, other = person(arena.data, "bot", "mine"), person(arena.data, "bot", "other")
    lobby = arena.create("walk", config={"turns": 1})["lobby"]
    taken = [joined(arena, lobby, mine, "label"), joined(arena, lobby, other, "another")]
    assert seats(arena, lobby) == [("label", mine.id), ("another", other.id)]

    record = played(arena, taken)

    assert [(one["name"], one["account"]) for one in record["players"]] == [
        ("label", mine.id),
        ("another", other.id),
    ]
    assert [seat["account"] for seat in arena.journal(lobby)[0]["seats"]] == [mine.id, other.id]


def test_without_a_key_a_seat_has_no_account(arena: LiveServer):
    lobby = arena.create()["lobby"]
    joined(arena, lobby, None, "label")

    assert seats(arena, lobby)[0] == ("label", None)


def test_a_seat_keeps_its_account_after_a_restart(tmp_path):
    with hosted(tmp_path) as live_server:
        who = person(live_server.data, "bot")
        lobby = live_server.create("duel", clock={"turn_ms": 60_000}, rated=True)["lobby"]
        for client in [live_server.seat(joined(live_server, lobby, who)) for _ in range(2)]:
            client.until("view")
    with hosted(tmp_path) as live_server:
        found = live_server.lobby(lobby)

        assert (found["state"], found["rated"]) == ("running", True)
        assert seats(live_server, lobby) == [("x 1", who.id), ("x 2", who.id)]


NAMES = {
    "equal": ("ada", "ada"),
    "swapped": ("other", "mine"),
    "look-alike": ("paypal", "p\u0430yp\u0430l"),
    "each other's account": ("{1}", "{0}"),
    "upper and lower case": ("Ada", "ada"),
}


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES.keys())
def test_accounts_stay_with_their_seats_whatever_the_names(arena: LiveServer, names):
    people = [person(arena.data, "bot", "mine"), person(arena.data, "bot", "other")]
    formatted = [name.format(*(one.id for one in people)) for name in names]
    lobby = arena.create("walk", config={"turns": 1})["lobby"]
    taken = [joined(arena, lobby, who, name) for who, name in zip(people, formatted, strict=True)]
    record = played(arena, taken)

    shown = ["ada 1", "ada 2"] if formatted == ["ada", "ada"] else formatted
    assert [(one["name"], one["account"]) for one in record["players"]] == [
        (name, who.id) for name, who in zip(shown, people, strict=True)
    ]
    assert record["outcome"]["seats"][0]["seat"] == 0


@pytest.mark.parametrize("fixture", ["arena", "closed"])
def test_a_lobbys_tokens_are_accepted_in_header_and_body_instead_of_its_password(fixture, request):
    there: LiveServer = request.getfixturevalue(fixture)
    organiser = person(there.data, "organiser")
    options = {"game": "duel", "private": True, "password": "secret"}
    made = there.post("/lobbies", options, organiser.key).json()
    path = f"/lobbies/{made['lobby']}/join"
    other = there.post("/lobbies", options, organiser.key).json()

    assert refusal(there.post(path, {"name": "x"}, other["invite"]))[0] in (401, 403)
    seat = there.post(path, {"name": "by the owner"}, made["owner_token"])
    assert seat.status_code == 201, seat.text
    there.post(f"/lobbies/{made['lobby']}/leave", None, seat.json()["token"])
    for name, headers, body in (
        ("by the invite", made["invite"], {}),
        ("by the body", None, {"invite": made["owner_token"]}),
    ):
        answer = there.post(path, {"name": name} | body, headers)
        assert answer.status_code == 201, answer.text

    seen = there.get(f"/lobbies/{made['lobby']}", made["owner_token"]).json()
    assert [one["name"] for one in seen["seats"]] == ["by the invite", "by the body"]


def test_an_invalid_key_takes_no_seat(arena: LiveServer):
    lobby = arena.create()["lobby"]
    for wrong in (new_token("key"), "k_", "k_x"):
        assert refusal(arena.post(f"/lobbies/{lobby}/join", {"name": "x"}, wrong)) == (
            401,
            "bad_key",
        )

    assert seats(arena, lobby) == [(None, None), (None, None)]


def test_a_revoked_key_is_refused_but_its_seat_stays(arena: LiveServer):
    who = person(arena.data, "bot")
    lobby = arena.create()["lobby"]
    taken = joined(arena, lobby, who)
    assert (
        arena.http.delete(f"/api/v1/accounts/me/keys/{who.key_id}", headers=auth(who)).status_code
        == 204
    )

    assert refusal(arena.post(f"/lobbies/{lobby}/join", {"name": "x"}, who.key)) == (401, "bad_key")
    assert refusal(arena.get("/accounts/me", who.key)) == (401, "bad_key")
    arena.seat(taken)


def auth(who: Person) -> dict[str, str]:
    return {"Authorization": f"Bearer {who.key}"}


# --- signing up


def test_a_bot_author_signs_up_and_plays(arena: LiveServer):
    made = arena.post("/accounts", {"name": "  Ada's bot "}).json()
    lobby = arena.create()["lobby"]
    arena.post(f"/lobbies/{lobby}/join", {"name": "x"}, made["key"])

    assert (made["name"], made["kind"]) == ("Ada's bot", "bot")
    assert seats(arena, lobby)[0][1] == made["account"]
    assert "key" not in arena.get("/accounts/me", made["key"]).json()


def test_only_an_organiser_creates_accounts_of_another_kind(arena: LiveServer):
    organiser = person(arena.data, "organiser")
    options = {"name": "x", "kind": "organiser"}

    assert refusal(arena.post("/accounts", options)) == (401, "key_needed")
    assert refusal(arena.post("/accounts", options, person(arena.data, "bot").key)) == (
        403,
        "forbidden",
    )
    assert arena.post("/accounts", options, organiser.key).json()["kind"] == "organiser"


def test_accounts_per_address_and_minute_are_limited_except_for_organisers(tmp_path):
    with hosted(tmp_path, sign_ups_per_minute=2) as live_server:
        organiser = person(live_server.data, "organiser")
        answers = [live_server.post("/accounts", {"name": "x"}) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 429]
        assert answers[2].json()["code"] == "too_many_accounts"

        assert live_server.post("/accounts", {"name": "x"}, organiser.key).status_code == 201


def test_an_operator_can_close_sign_up_on_an_open_server(tmp_path):
    with hosted(tmp_path, sign_up=False) as live_server:
        assert refusal(live_server.post("/accounts", {"name": "x"})) == (401, "key_needed")
        assert live_server.post("/lobbies", {"game": "duel"}).status_code == 201


# --- a closed server


def test_on_a_closed_server_organisers_create_lobbies_bots_join_and_spectators_watch(
    closed: LiveServer,
):
    organiser, bot, spectator = (
        person(closed.data, kind) for kind in ("organiser", "bot", "spectator")
    )
    made = closed.post("/lobbies", {"game": "duel"}, organiser.key).json()
    joined(closed, made["lobby"], bot)
    watcher = closed.viewer(made["lobby"], token=spectator.key)

    assert watcher.silent_for(0.01)
    assert refusal(closed.post("/lobbies", {"game": "duel"}, bot.key)) == (403, "forbidden")
    assert refusal(closed.post(f"/lobbies/{made['lobby']}/join", {"name": "x"}, spectator.key)) == (
        403,
        "forbidden",
    )
    assert refusal(closed.post(f"/lobbies/{made['lobby']}/join", {"name": "x"})) == (
        401,
        "key_needed",
    )


def test_on_a_closed_server_only_an_organisers_any_creates_a_lobby(
    closed: LiveServer,
):
    organiser, bot = person(closed.data, "organiser"), person(closed.data, "bot")
    ask = {"game": "walk", "name": "x"}
    before = set(closed.arena.matches.lobbies.unfinished)
    assert refusal(closed.post("/lobbies/*/join", ask, bot.key)) == (404, "no_such_lobby")
    assert refusal(closed.post("/lobbies/new/join", ask, bot.key)) == (403, "forbidden")
    assert refusal(closed.post("/lobbies/*/join", ask)) == (401, "key_needed")
    assert set(closed.arena.matches.lobbies.unfinished) <= before
    lobby = closed.post("/lobbies", {"game": "walk"}, organiser.key).json()["lobby"]

    assert closed.post("/lobbies/*/join", ask, bot.key).json()["lobby"] == lobby
    assert closed.post("/lobbies/new/join", ask, organiser.key).status_code == 201


def test_a_closed_server_asks_a_viewer_for_a_key(closed: LiveServer):
    lobby = closed.post("/lobbies", {"game": "duel"}, person(closed.data, "organiser").key).json()[
        "lobby"
    ]
    for token, expected in (
        (None, (4403, "wrong_role", False)),
        (new_token("key"), (4401, "bad_token", False)),
    ):
        watcher = closed.socket("watch")
        watcher.say("hello", protocol=1, match=lobby, token=token)
        assert watcher.refused() == expected


def test_a_viewer_that_sends_its_key_and_does_not_wait_is_answered(closed: LiveServer):
    organiser, spectator = person(closed.data, "organiser"), person(closed.data, "spectator")
    lobby = closed.post("/lobbies", {"game": "duel"}, organiser.key).json()["lobby"]
    watcher = closed.socket("watch")
    watcher.say("hello", protocol=1, match=lobby, token=spectator.key)
    for _ in range(3):
        watcher.say("resync")

    watcher.expect("hello")


# --- passwords


def test_a_lobby_does_not_reveal_its_password(arena: LiveServer):
    made = arena.create(password="open sesame")
    lobby = made["lobby"]
    assert made["password"] is True
    assert "sesame" not in str(made)
    for wrong in (None, "Open sesame", "open sesame ", ""):
        response = arena.post(f"/lobbies/{lobby}/join", {"name": "x", "password": wrong})
        assert (refusal(response), response.json()["field"]) == ((403, "password"), "password")
        arena.arena.matches.admission._guesses._buckets.clear()

    assert joined(arena, lobby, None, password="open sesame")["seat"] == 0


def test_any_ignores_lobbies_with_a_password(arena: LiveServer):
    locked = arena.create("walk", password="x")["lobby"]

    assert arena.join("*", game="walk")["lobby"] != locked


def test_a_lobbys_own_token_replaces_its_password(arena: LiveServer):
    made = arena.create(private=True, password="x")
    other = arena.create(password="x")

    assert joined(arena, made["lobby"], None, invite=made["invite"])
    assert joined(arena, made["lobby"], None, password="x")
    assert joined(arena, other["lobby"], None, invite=other["owner_token"])


def test_many_wrong_passwords_slow_an_address_down_for_every_lobby(tmp_path):
    with hosted(tmp_path, password_tries=3) as live_server:
        lobbies = [live_server.create(password="right")["lobby"] for _ in range(2)]
        wrong = {"name": "x", "password": "wrong"}
        answers = [
            refusal(live_server.post(f"/lobbies/{lobbies[n % 2]}/join", wrong)) for n in range(5)
        ]
        assert answers == [(403, "password")] * 3 + [(429, "too_many_tries")] * 2

        for lobby in lobbies:
            assert refusal(
                live_server.post(f"/lobbies/{lobby}/join", {"name": "x", "password": "right"})
            ) == (
                429,
                "too_many_tries",
            )


def test_many_wrong_passwords_slow_only_their_lobby_down(tmp_path):
    with hosted(tmp_path, password_tries=1, proxies="127.0.0.1") as live_server:
        attacked, other = (
            live_server.create(password="right")["lobby"],
            live_server.create(password="right")["lobby"],
        )

        def tries(lobby: str, number: int, password: str):
            headers = {"X-Forwarded-For": f"192.0.2.{number}"}
            return live_server.post(
                f"/lobbies/{lobby}/join", {"name": "x", "password": password}, **headers
            )

        answers = [refusal(tries(attacked, number, "wrong")) for number in range(12)]
        assert answers == [(403, "password")] * 10 + [(429, "too_many_tries")] * 2

        assert tries(other, 200, "right").status_code == 201


@pytest.mark.parametrize("password", ["", "x" * 201, 5])
def test_an_invalid_password_is_refused(arena: LiveServer, password):
    before = set(arena.arena.matches.lobbies.unfinished)

    assert arena.post("/lobbies", {"game": "duel", "password": password}).status_code == 422
    assert set(arena.arena.matches.lobbies.unfinished) <= before


# --- rated


def test_a_match_is_rated_on_request_if_bots_play_it_on_a_clock(arena: LiveServer):
    lobby = arena.create("walk", config={"turns": 1}, rated=True)["lobby"]
    taken = [joined(arena, lobby, None) for _ in range(2)]
    assert arena.lobby(lobby)["rated"] is True

    assert played(arena, taken)["rated"] is True


UNRATED = {
    "not requested": ({}, "bot"),
    "a person plays": ({"rated": True}, "human"),
    "no clock": ({"rated": True, "clock": {"turn_ms": 0, "bank_ms": 0}}, "bot"),
}


@pytest.mark.parametrize(("options", "kind"), UNRATED.values(), ids=UNRATED.keys())
def test_other_matches_are_not_rated(arena: LiveServer, options, kind):
    lobby = arena.create("duel", **options)["lobby"]
    joined(arena, lobby, None, kind=kind)

    assert arena.lobby(lobby)["rated"] is False


# --- names that are secrets, and wrong tokens


def test_a_name_cannot_look_like_a_token(arena: LiveServer):
    lobby = arena.create()["lobby"]
    token = new_token("seat")
    for answer in (
        arena.post(f"/lobbies/{lobby}/join", {"name": f"x {token}"}),
        arena.post("/lobbies", {"game": "duel", "name": token}),
        arena.post("/accounts", {"name": token}),
    ):
        assert refusal(answer) == (422, "bad_name")
        assert token[2:] not in answer.text


def test_a_hundred_wrong_tokens_do_not_lock_the_owner_out(arena: LiveServer):
    made = arena.create("walk", config={"turns": 1}, private=True)
    lobby = made["lobby"]
    taken = [joined(arena, lobby, None, invite=made["invite"]) for _ in range(2)]
    first = arena.seat(taken[0])
    before = arena.get(f"/lobbies/{lobby}", made["owner_token"]).json()
    for number in range(25):
        wrong = new_token(("seat", "owner", "invite", "key")[number % 4])
        for verb, body in (("leave", None), ("start", None), ("bots", {"bot": "greedy"})):
            assert arena.post(f"/lobbies/{lobby}/{verb}", body, wrong).status_code in (401, 403)
        socket = arena.socket(("play", "watch")[number % 2])
        socket.say("hello", protocol=1, match=lobby, token=wrong)
        assert socket.refused()[1] in ("bad_token", "wrong_role")
    after = arena.get(f"/lobbies/{lobby}", made["owner_token"]).json()

    assert before | {"countdown_ms": None} == after | {"countdown_ms": None}
    arena.seat(taken[1])
    first.until("view")
