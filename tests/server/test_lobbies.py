"""Lobbies over HTTP: what is refused and how, who gets which seat, what expires."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path

import pytest

from games import GAMES
from games.core import maps
from tests.accounts.people import person
from tests.server.live_server import LiveServer, eventually, hosted

REFUSED = {
    "unknown game": ({"game": "chess"}, 404, "unknown_game", "game"),
    "unknown parameter": (
        {"game": "duel", "config": {"speed": 3}},
        422,
        "unknown_option",
        "config.speed",
    ),
    "a value out of range": (
        {"game": "duel", "config": {"rounds": 0}},
        422,
        "bad_number",
        "config.rounds",
    ),
    "a value of another kind": (
        {"game": "duel", "config": {"coins": 1}},
        422,
        "bad_flag",
        "config.coins",
    ),
    "unknown preset": (
        {"game": "duel", "config": {"preset": "huge"}},
        422,
        "unknown_preset",
        "config.preset",
    ),
    "bad seed": ({"game": "duel", "seed": -1}, 422, "bad_seed", "seed"),
    "a seed that is no number": ({"game": "duel", "seed": "x"}, 422, "bad_seed", "seed"),
    "unknown map": ({"game": "pyrat", "map": "nowhere"}, 404, "unknown_map", "map"),
    "two maps": ({"game": "pyrat", "map": "nowhere", "map_text": "{}"}, 422, "two_maps", "map"),
    "a map for a game without": ({"game": "duel", "map_text": "{}"}, 422, "no_maps", None),
    "unknown bot": ({"game": "pyrat", "bots": ["greedy", "unknown"]}, 404, "unknown_bot", "bots"),
    "too many bots": ({"game": "pyrat", "bots": ["greedy"] * 3}, 422, "too_many_bots", "bots"),
    "unknown limit": (
        {"game": "duel", "clock": {"patience": 1}},
        422,
        "unknown_limit",
        "clock.patience",
    ),
    "a tick for a game in turns": (
        {"game": "duel", "clock": {"tick_ms": 1}},
        422,
        "unknown_limit",
        "clock.tick_ms",
    ),
    "a negative limit": (
        {"game": "duel", "clock": {"turn_ms": -1}},
        422,
        "bad_limit",
        "clock.turn_ms",
    ),
    "a limit that is no number": (
        {"game": "duel", "clock": {"turn_ms": True}},
        422,
        "bad_limit",
        "clock.turn_ms",
    ),
    "an unknown absence": (
        {"game": "duel", "clock": {"absence": "sleeps"}},
        422,
        "bad_limit",
        "clock.absence",
    ),
    "unknown faults": ({"game": "duel", "faults": "mercy"}, 422, "bad_faults", "faults"),
    "unknown field": ({"game": "duel", "colour": "red"}, 422, "unknown_field", "colour"),
    "no game": ({}, 422, "missing", "game"),
    "a bad name": ({"game": "duel", "name": "a\nb"}, 422, "bad_name", "name"),
    "a name with a slash": ({"game": "duel", "name": "a/b"}, 422, "bad_name", "name"),
    "a name that is a folder": ({"game": "duel", "name": ".."}, 422, "bad_name", "name"),
    "a name that means something else": ({"game": "duel", "name": "new"}, 422, "bad_name", "name"),
    "no time to start": (
        {"game": "duel", "start_timeout_ms": 0},
        422,
        "bad_value",
        "start_timeout_ms",
    ),
    "a word for a truth value": ({"game": "duel", "private": "yes"}, 422, "bad_value", "private"),
    "a time in quotes": (
        {"game": "duel", "start_timeout_ms": "5000"},
        422,
        "bad_value",
        "start_timeout_ms",
    ),
    "nothing in place of an object": ({"game": "duel", "config": None}, 422, "bad_value", "config"),
    "no object": ([1], 422, "bad_value", None),
}


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED.keys())
def test_an_impossible_lobby_is_refused_with_field_and_code(live_server: LiveServer, case):
    options, status, code, field = case
    before = set(live_server.arena.matches.lobbies.unfinished)
    response = live_server.post("/lobbies", options)

    assert (response.status_code, response.json()["code"], response.json()["field"]) == (
        status,
        code,
        field,
    )
    assert set(response.json()) == {"code", "text", "field", "allowed"}
    assert set(live_server.arena.matches.lobbies.unfinished) <= before


@pytest.mark.parametrize(
    "name",
    ["\u3164", "\u2800", "\u115f", "\u1160\uffa0", "Ada\u200b", "Ada\u3164", "\u0301", "\ufe0f"],
)
def test_no_lobby_seat_or_account_has_an_invisible_name(live_server: LiveServer, name):
    lobby = live_server.create()["lobby"]
    for path, body in (
        ("/lobbies", {"game": "duel", "name": name}),
        (f"/lobbies/{lobby}/join", {"name": name}),
        ("/lobbies/*/join", {"game": "duel", "name": name}),
        ("/lobbies/new/join", {"game": "duel", "name": name}),
        ("/accounts", {"name": name}),
    ):
        answer = live_server.post(path, body)
        assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (
            422,
            "bad_name",
            "name",
        ), path


def test_a_lobby_is_found_by_its_normalised_name(live_server: LiveServer):
    made = live_server.create("duel", name=" Zoe\u0308 ")

    assert made["name"] == "Zo\xeb"
    for name in ("Zo\xeb", "Zoe\u0308"):
        assert live_server.lobby(name)["lobby"] == made["lobby"]


@pytest.mark.parametrize("game", [name for name in GAMES if maps.names(name)])
def test_a_map_with_a_byte_order_mark_is_accepted(live_server: LiveServer, game):
    text = maps.text(game, maps.names(game)[0])
    body = "\ufeff" + json.dumps({"game": game, "map_text": f"\ufeff{text}"})
    response = live_server.http.post(
        "/api/v1/lobbies", content=body.encode(), headers={"Content-Type": "application/json"}
    )

    assert response.status_code == 201, response.text
    assert (
        live_server.arena.matches.lobbies.unfinished[response.json()["lobby"]].setup.map_text
        == text
    )


def test_a_refusal_lists_allowed_values(live_server: LiveServer):
    assert "duel" in live_server.post("/lobbies", {"game": "chess"}).json()["allowed"]
    assert live_server.post("/lobbies", {"game": "duel", "config": {"preset": "huge"}}).json()[
        "allowed"
    ] == ["short", "long"]
    assert (
        "turn_ms"
        in live_server.post("/lobbies", {"game": "duel", "clock": {"x": 1}}).json()["allowed"]
    )
    assert live_server.post("/lobbies", {"game": "duel", "faults": "x"}).json()["allowed"] == [
        "default",
        "forfeit",
        "strikes",
    ]


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/v1/nothing", 404, "not_found"),
        ("DELETE", "/api/v1/lobbies", 405, "method_not_allowed"),
        ("GET", "/api/v1/lobbies/nowhere", 404, "no_such_lobby"),
        ("GET", "/api/v1/matches/nowhere", 404, "no_such_match"),
        ("GET", "/api/v1/matches/nowhere/journal", 404, "no_such_match"),
        ("GET", "/api/v1/replays/..%2f..%2fetc", 404, "not_found"),
        ("GET", "/api/v1/games/chess", 404, "unknown_game"),
        ("GET", "/api/v1/maps/chess/x", 404, "unknown_game"),
        ("GET", "/api/v1/maps/pyrat/nowhere", 404, "unknown_map"),
        ("GET", "/api/v1/lobbies?state=asleep", 422, "bad_value"),
    ],
)
def test_every_http_error_has_one_shape(live_server: LiveServer, method, path, status, code):
    response = live_server.http.request(method, path)

    assert (response.status_code, response.json()["code"]) == (status, code)
    assert set(response.json()) == {"code", "text", "field", "allowed"}


NO_JSON = {
    "nonsense": b"{nonsense",
    "broken UTF-8": b'{"game": "\xff"}',
    "a number without end": b'{"game": "duel", "seed": ' + b"9" * 5000 + b"}",
    "nested without end": b'{"game": "duel", "config": {"rounds": '
    + b"[" * 100_000
    + b"]" * 100_000
    + b"}}",
    "nested too deep": b'{"game": "pyrat", "config": {"walls": ' + b"[" * 900 + b"]" * 900 + b"}}",
    "half a character as a parameter": b'{"game": "duel", "config": {"\\ud800": 1}}',
    "half a character as a limit": b'{"game": "duel", "clock": {"\\ud800": 1}}',
    "not a number": b'{"game": "duel", "config": {"rounds": NaN}}',
}


@pytest.mark.parametrize("body", NO_JSON.values(), ids=NO_JSON.keys())
def test_a_body_that_is_not_json_is_malformed(live_server: LiveServer, body):
    before = set(live_server.arena.matches.lobbies.unfinished)
    response = live_server.http.post(
        "/api/v1/lobbies", content=body, headers={"Content-Type": "application/json"}
    )
    assert set(live_server.arena.matches.lobbies.unfinished) <= before

    assert (response.status_code, response.json()["code"]) == (400, "malformed")


def test_a_very_large_body_is_not_read(live_server: LiveServer):
    response = live_server.post("/lobbies", {"game": "duel", "map_text": "x" * (3 << 20)})

    assert (response.status_code, response.json()["code"]) == (413, "too_big")


# --- seats


def test_any_takes_open_seats_before_it_creates_a_lobby(tmp_path):
    with hosted(tmp_path) as live_server, ThreadPoolExecutor(10) as pool:
        taken = list(pool.map(lambda n: live_server.join("*", f"n{n}", game="walk"), range(10)))

        assert sorted((one["lobby"], one["seat"]) for one in taken) == sorted(
            (lobby, seat) for lobby in {one["lobby"] for one in taken} for seat in (0, 1)
        )


def test_any_ignores_private_lobbies_and_other_games(tmp_path):
    with hosted(tmp_path) as live_server:
        private, other = (
            live_server.create(private=True)["lobby"],
            live_server.create("walk")["lobby"],
        )

        assert live_server.join("*", game="duel")["lobby"] not in (private, other)


def test_new_creates_a_lobby_and_takes_its_first_seat(live_server: LiveServer):
    first, second = live_server.join("new", game="duel"), live_server.join("new", game="duel")

    assert first["lobby"] != second["lobby"]
    assert (first["seat"], second["seat"]) == (0, 0)
    assert first["url"] == f"ws{live_server.url.removeprefix('http')}/ws/play"


@pytest.mark.parametrize("lobby", ["new", "*"])
def test_a_seat_out_of_range_is_refused_without_creating_a_lobby(live_server: LiveServer, lobby):
    before = set(live_server.arena.matches.lobbies.unfinished)
    for seat in (2, -2):
        response = live_server.post(
            f"/lobbies/{lobby}/join", {"game": "duel", "name": "x", "seat": seat}
        )
        assert (response.status_code, response.json()["code"], response.json()["allowed"]) == (
            422,
            "bad_seat",
            [0, 1],
        )

    assert set(live_server.arena.matches.lobbies.unfinished) <= before


def test_minus_one_takes_any_seat_of_any_open_lobby(tmp_path):
    with hosted(tmp_path) as live_server:
        first, second = (live_server.join("*", game="duel", seat=-1) for _ in range(2))

    assert (first["lobby"], first["seat"], second["seat"]) == (second["lobby"], 0, 1)


def test_joining_by_name_takes_a_seat_in_that_lobby(live_server: LiveServer):
    lobby = live_server.create(name="Friday evening")["lobby"]

    assert live_server.join("Friday%20evening", "me")["lobby"] == lobby


def test_of_equal_names_the_lobby_of_the_requested_game_is_taken(live_server: LiveServer):
    live_server.create("duel", name="twins")
    wanted = live_server.create("walk", name="twins")["lobby"]

    assert live_server.join("twins", game="walk")["lobby"] == wanted


def test_a_certain_seat_can_be_requested(live_server: LiveServer):
    lobby = live_server.create()["lobby"]
    assert live_server.join(lobby, seat=1)["seat"] == 1

    taken = live_server.post(f"/lobbies/{lobby}/join", {"name": "x", "seat": 1})
    nowhere = live_server.post(f"/lobbies/{lobby}/join", {"name": "x", "seat": 7})

    assert (taken.status_code, taken.json()["code"], taken.json()["allowed"]) == (
        409,
        "seat_taken",
        [0],
    )
    assert (nowhere.status_code, nowhere.json()["code"], nowhere.json()["allowed"]) == (
        422,
        "bad_seat",
        [0, 1],
    )
    assert live_server.join(lobby, seat=-1)["seat"] == 0


def test_a_lobby_of_another_game_is_not_joined(live_server: LiveServer):
    response = live_server.post(
        f"/lobbies/{live_server.create('walk')['lobby']}/join", {"name": "x", "game": "duel"}
    )

    assert (response.status_code, response.json()["code"]) == (409, "other_game")


def test_players_of_one_name_are_numbered(live_server: LiveServer):
    lobby = live_server.create()["lobby"]
    live_server.join(lobby, "same")
    one = live_server.join(lobby, "same")
    assert [seat["name"] for seat in live_server.lobby(lobby)["seats"]] == ["same 1", "same 2"]

    assert live_server.post(f"/lobbies/{lobby}/leave", token=one["token"]).status_code == 200
    live_server.join(lobby, "same")
    assert [seat["name"] for seat in live_server.lobby(lobby)["seats"]] == ["same 1", "same 2"]


def test_a_returned_seat_is_free_and_its_token_invalid(live_server: LiveServer):
    lobby = live_server.create()["lobby"]
    one = live_server.join(lobby)
    client = live_server.seat(one)
    assert live_server.post(f"/lobbies/{lobby}/leave", token=one["token"]).status_code == 200

    assert client.refused() == (4410, "match_over", False)
    again = live_server.socket()
    again.say("hello", protocol=1, token=one["token"])
    assert again.refused()[1] == "bad_token"
    assert not live_server.lobby(lobby)["seats"][0]["taken"]
    assert live_server.join(lobby)["seat"] == 0


def test_only_ones_own_seat_can_be_left(live_server: LiveServer):
    made = live_server.create()
    live_server.join(made["lobby"])
    for token in (None, "s_unknown", made["owner_token"]):
        response = live_server.post(f"/lobbies/{made['lobby']}/leave", token=token)
        assert (response.status_code, response.json()["code"]) == (403, "wrong_token")


def test_an_authorization_without_a_bearer_token_is_refused(live_server: LiveServer):
    lobby = live_server.create()["lobby"]
    response = live_server.http.post(
        f"/api/v1/lobbies/{lobby}/leave", headers={"Authorization": "Basic eDp5"}
    )

    assert (response.status_code, response.json()["code"]) == (401, "bad_authorization")


# --- creating


def test_the_same_key_creates_one_lobby(live_server: LiveServer):
    key = {"Idempotency-Key": "once"}
    with ThreadPoolExecutor(8) as pool:
        answers = list(
            pool.map(
                lambda _: live_server.post("/lobbies", {"game": "duel", "seed": 4}, **key).json(),
                range(8),
            )
        )

    assert len({answer["lobby"] for answer in answers}) == 1
    assert len({answer["owner_token"] for answer in answers}) == 1
    other = live_server.post("/lobbies", {"game": "duel", "seed": 5}, **key)
    assert (other.status_code, other.json()["code"]) == (409, "key_reused")


def test_an_account_s_key_gives_no_other_client_its_lobby(tmp_path: Path):
    """People choose keys that others guess, and the answer has the lobby's tokens."""
    with hosted(tmp_path) as live_server:
        keys = [person(tmp_path, "bot").key for _ in range(2)]
        asked = {"game": "duel", "private": True}, {"Idempotency-Key": "1"}
        tokens = [
            live_server.post("/lobbies", asked[0], token, **asked[1]).json()["owner_token"]
            for token in (*keys, None, *keys)
        ]

    assert len({*tokens[:3]}) == 3
    assert tokens[3:] == tokens[:2]


def test_true_and_1_are_different_requests(live_server: LiveServer):
    key = {"Idempotency-Key": "a flag"}
    assert (
        live_server.post("/lobbies", {"game": "duel", "config": {"coins": True}}, **key).status_code
        == 201
    )
    assert (
        live_server.post("/lobbies", {"config": {"coins": True}, "game": "duel"}, **key).status_code
        == 201
    )

    assert (
        live_server.post("/lobbies", {"game": "duel", "config": {"coins": 1}}, **key).json()["code"]
        == "key_reused"
    )


def test_a_refused_request_does_not_use_up_its_key(live_server: LiveServer):
    key = {"Idempotency-Key": "second try"}
    assert live_server.post("/lobbies", {"game": "duel", "seed": -4}, **key).status_code == 422
    assert "second try" not in live_server.arena.matches.admission._repeats

    assert live_server.post("/lobbies", {"game": "duel", "seed": 4}, **key).status_code == 201


def test_lobbies_are_limited(tmp_path):
    with hosted(tmp_path, lobbies=2) as live_server:
        live_server.create()
        live_server.create()
        response = live_server.post("/lobbies", {"game": "duel"})

        assert (response.status_code, response.json()["code"]) == (503, "too_many_lobbies")


def test_lobbies_are_listed_by_game_and_state(tmp_path):
    with hosted(tmp_path) as live_server:
        duel, walk = live_server.create("duel")["lobby"], live_server.create("walk")["lobby"]
        running, _ = live_server.started("duel", clock={"turn_ms": 60_000})

        def listed(query: str) -> list[str]:
            return [lobby["lobby"] for lobby in live_server.get(f"/lobbies{query}").json()]

        assert listed("") == [running, walk, duel]
        assert listed("?game=walk") == [walk]
        assert listed("?state=open") == [walk, duel]
        assert listed("?game=duel&state=running") == [running]


def test_an_open_lobby_expires_with_a_public_reason(
    live_server: LiveServer,
):
    lobby = live_server.create(start_timeout_ms=1_000)["lobby"]
    taken = live_server.join(lobby)
    client, watcher = live_server.seat(taken), live_server.viewer(lobby)
    assert 0 < live_server.lobby(lobby)["countdown_ms"] <= 1_000

    for one in (client, watcher):
        error = one.expect("error")
        assert (error["code"], error["text"]) == (
            "match_over",
            "the lobby was cancelled: start_timeout",
        )
    seen = live_server.lobby(lobby)
    assert (seen["state"], seen["reason"], seen["countdown_ms"]) == (
        "cancelled",
        "start_timeout",
        None,
    )
    assert (
        live_server.post(f"/lobbies/{lobby}/join", {"name": "late"}).json()["code"] == "lobby_full"
    )


def test_a_finished_or_cancelled_lobby_keeps_no_board_in_memory(live_server: LiveServer):
    cancelled = live_server.create(start_timeout_ms=1_000)["lobby"]
    over, (red, _) = live_server.started("walk", config={"turns": 1})
    red.expect("view")
    red.answer(0, end_turn=True)
    red.rest()
    closed = live_server.arena.matches.lobbies.closed

    assert [
        eventually(lambda id_=id_: closed.get(id_)).setup.match.state for id_ in (over, cancelled)
    ] == [None, None]
    assert [live_server.lobby(id_)["state"] for id_ in (over, cancelled)] == ["over", "cancelled"]


def test_with_all_seats_taken_the_timeout_is_for_their_hellos(live_server: LiveServer):
    lobby, taken = live_server.seated("duel", clock={"startup_ms": 5_000})
    assert live_server.lobby(lobby)["countdown_ms"] <= 5_000
    live_server.post(f"/lobbies/{lobby}/leave", token=taken[1]["token"])

    assert live_server.lobby(lobby)["countdown_ms"] > 5_000


def test_a_lobby_that_waits_for_its_owner_starts_when_that_says_so(live_server: LiveServer):
    made = live_server.create(start_when_full=False, start_timeout_ms=60_000)
    lobby = made["lobby"]
    seats = [live_server.join(lobby) for _ in range(2)]
    clients = [live_server.seat(taken) for taken in seats]
    eventually(lambda: all(seat["connected"] for seat in live_server.lobby(lobby)["seats"]))
    shown = live_server.lobby(lobby)
    assert (shown["state"], shown["start_when_full"]) == ("open", False)
    assert shown["countdown_ms"] > 5_000  # not the time for hellos

    refused = live_server.post(f"/lobbies/{lobby}/start", token=seats[0]["token"])
    assert refused.status_code == 403
    assert (
        live_server.post(f"/lobbies/{lobby}/start", token=made["owner_token"]).json()["state"]
        == "running"
    )
    for client in clients:
        client.expect("start")


def test_a_lobby_that_was_started_early_waits_for_its_last_hello_only(live_server: LiveServer):
    made = live_server.create(start_when_full=False, clock={"startup_ms": 5_000})
    lobby = made["lobby"]
    first, second = [live_server.join(lobby) for _ in range(2)]
    live_server.seat(first)
    begun = live_server.post(f"/lobbies/{lobby}/start", token=made["owner_token"]).json()
    assert (begun["state"], begun["start_when_full"]) == ("open", True)
    assert begun["countdown_ms"] <= 5_000

    live_server.seat(second).expect("start")


def test_a_lobby_whose_owner_never_starts_it_is_cancelled(live_server: LiveServer):
    made = live_server.create(start_when_full=False, start_timeout_ms=300)
    for _ in range(2):
        live_server.join(made["lobby"])

    assert eventually(lambda: live_server.lobby(made["lobby"])["reason"]) == "start_timeout"


# --- private lobbies


def test_a_private_lobby_is_not_listed_and_opens_only_to_its_tokens(live_server: LiveServer):
    made = live_server.create(private=True)
    lobby = made["lobby"]
    assert lobby not in [one["lobby"] for one in live_server.get("/lobbies").json()]
    assert (
        live_server.get(f"/lobbies/{lobby}").status_code,
        live_server.get(f"/lobbies/{lobby}").json()["code"],
    ) == (403, "private")
    for invite in (None, "i_wrong"):
        response = live_server.post(f"/lobbies/{lobby}/join", {"name": "x", "invite": invite})
        assert (response.status_code, response.json()["code"]) == (403, "private")

    taken = live_server.join(lobby, invite=made["invite"])

    for token in (taken["token"], made["owner_token"], made["invite"]):
        assert live_server.get(f"/lobbies/{lobby}", token).status_code == 200
        assert live_server.viewer(lobby, token=token).silent_for(0.01)
    for token in (None, "s_wrong", live_server.join("new", game="duel")["token"]):
        watcher = live_server.socket("watch")
        watcher.say("hello", protocol=1, match=lobby, token=token)
        assert watcher.refused() == (4403, "wrong_role", False)


def test_a_private_match_stays_private_after_its_end_and_a_restart(tmp_path):
    with hosted(tmp_path) as live_server:
        made = live_server.create("walk", config={"turns": 1}, private=True)
        lobby = made["lobby"]
        taken = [live_server.join(lobby, invite=made["invite"]) for _ in range(2)]
        red, _ = live_server.seat(taken[0]), live_server.seat(taken[1])
        red.until("view")
        red.answer(0, end_turn=True)
        red.rest()
        live_server.row(lobby)
    with hosted(tmp_path) as live_server:
        assert live_server.get("/matches").json() == []
        for path in ("", "/journal"):
            assert live_server.get(f"/matches/{lobby}{path}").status_code == 403
            assert live_server.get(f"/matches/{lobby}{path}", taken[1]["token"]).status_code == 200
        assert live_server.get(f"/replays/{lobby}").status_code == 403


# --- what there is to play


def test_games_have_their_parameters_clock_maps_and_bots(live_server: LiveServer):
    names = [game["game"] for game in live_server.get("/games").json()]
    assert set(names) == set(live_server.games)
    pyrat = live_server.get("/games/PyRat").json()

    assert pyrat["parameters"]["properties"]["width"]["minimum"] == 2
    assert "tiny" in pyrat["presets"]["preset"]
    assert pyrat["clock"]["turn_ms"] == 1000
    assert (pyrat["seats"], pyrat["roles"]) == (2, ["rat", "python"])
    assert {"greedy"} <= {bot["bot"] for bot in pyrat["bots"]}
    assert live_server.get("/bots?game=pyrat").json() == [
        {"game": "pyrat"} | bot for bot in pyrat["bots"]
    ]


def test_the_catalogue_lists_the_maps_and_their_text(live_server: LiveServer):
    listed = live_server.get("/maps?game=pyrat").json()
    assert listed
    assert {one["game"] for one in listed} == {"pyrat"}
    text = live_server.get(f"/maps/pyrat/{listed[0]['map']}").text

    made = live_server.create("pyrat", map=listed[0]["map"])

    assert text.startswith("{")
    assert live_server.lobby(made["lobby"])["map"] == listed[0]["map"]


def test_schemas_and_openapi_describe_everything(live_server: LiveServer):
    schemas = live_server.get("/schemas").json()
    assert {"ClientHello", "ServerHello", "pyrat.View", "pyrat.Command"} <= set(schemas["$defs"])
    paths = live_server.get("/openapi.json").json()["paths"]

    assert "/api/v1/lobbies/{lobby}/join" in paths
    assert live_server.http.get("/healthz").json() == {
        "status": "ok",
        "server": f"botarena/{version('botarena')}",
    }
