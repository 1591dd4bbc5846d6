"""The table of permissions against the server: every route and every hello, in every role, on open
and closed servers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from server.accounts.scopes import KINDS, ROLES, SCOPES, Action, Role, allowed
from tests.accounts.people import Person, person
from tests.server.live_server import LiveServer, hosted

ROUTES: Mapping[tuple[str, str], Action] = {
    ("GET", "/healthz"): "browse",
    ("GET", "/readyz"): "browse",
    ("GET", "/metrics"): "browse",
    ("GET", "/api/v1/games"): "browse",
    ("GET", "/api/v1/games/{game}"): "browse",
    ("GET", "/api/v1/games/{game}/rules"): "browse",
    ("GET", "/api/v1/maps"): "browse",
    ("GET", "/api/v1/maps/{game}/{name}"): "browse",
    ("GET", "/api/v1/bots"): "browse",
    ("GET", "/api/v1/schemas"): "browse",
    ("GET", "/api/v1/messages.schema.json"): "browse",
    ("GET", "/api/v1/asyncapi.json"): "browse",
    ("GET", "/api/v1/lobbies"): "list",
    ("POST", "/api/v1/lobbies"): "create",
    ("GET", "/api/v1/lobbies/{lobby}"): "watch",
    ("POST", "/api/v1/lobbies/{lobby}/join"): "join",
    ("POST", "/api/v1/lobbies/{lobby}/bots"): "add_bot",
    ("POST", "/api/v1/lobbies/{lobby}/start"): "start",
    ("POST", "/api/v1/lobbies/{lobby}/leave"): "leave",
    ("GET", "/api/v1/matches"): "list",
    ("GET", "/api/v1/matches/{match}"): "watch",
    ("GET", "/api/v1/matches/{match}/clocks"): "watch",
    ("GET", "/api/v1/matches/{match}/history"): "watch",
    ("GET", "/api/v1/matches/{match}/journal"): "watch",
    ("GET", "/api/v1/matches/{match}/picture.png"): "watch",
    ("GET", "/api/v1/matches/{match}/seat"): "see_seat",
    ("GET", "/api/v1/matches/{match}/seats/{seat}"): "watch",
    ("GET", "/api/v1/replays"): "list",
    ("GET", "/api/v1/replays/{match}"): "watch",
    ("GET", "/api/v1/tournaments"): "list",
    ("POST", "/api/v1/tournaments"): "contest",
    ("POST", "/api/v1/tournaments/toml"): "contest",
    ("GET", "/api/v1/tournaments/{tournament}"): "list",
    ("GET", "/api/v1/tournaments/{tournament}/standings.csv"): "list",
    ("GET", "/api/v1/tournaments/{tournament}/overview"): "list",
    ("GET", "/api/v1/tournaments/{tournament}/standings"): "list",
    ("GET", "/api/v1/tournaments/{tournament}/entrants"): "list",
    ("GET", "/api/v1/tournaments/{tournament}/games"): "list",
    ("GET", "/api/v1/tournaments/{tournament}/log"): "list",
    ("GET", "/api/v1/tournaments/{tournament}/page"): "list",
    ("POST", "/api/v1/tournaments/{tournament}/entrants"): "enter",
    ("POST", "/api/v1/tournaments/{tournament}/withdraw"): "enter",
    ("POST", "/api/v1/tournaments/{tournament}/start"): "contest",
    ("POST", "/api/v1/tournaments/{tournament}/begin"): "contest",
    ("POST", "/api/v1/tournaments/{tournament}/screen"): "contest",
    ("POST", "/api/v1/tournaments/{tournament}/pause"): "contest",
    ("POST", "/api/v1/tournaments/{tournament}/resume"): "contest",
    ("POST", "/api/v1/tournaments/{tournament}/cancel"): "contest",
    ("POST", "/api/v1/tournaments/{tournament}/disqualify"): "contest",
    ("POST", "/api/v1/tournaments/{tournament}/undo"): "contest",
    ("POST", "/api/v1/tournaments/{tournament}/games/{fixture}/override"): "contest",
    ("POST", "/api/v1/tournaments/{tournament}/games/{fixture}/replay"): "contest",
    ("POST", "/api/v1/submissions"): "hand_in",
    ("GET", "/api/v1/submissions"): "hand_in",
    ("GET", "/api/v1/submissions/{submission}"): "hand_in",
    ("GET", "/api/v1/submissions/{submission}/file"): "hand_in",
    ("POST", "/api/v1/submissions/{submission}/activate"): "hand_in",
    ("GET", "/api/v1/matches/{match}/seats/{seat}/log"): "hand_in",
    ("GET", "/api/v1/bots/me/invitations"): "enter",
    ("GET", "/api/v1/ratings"): "list",
    ("GET", "/api/v1/ladders/{game}"): "list",
    ("GET", "/api/v1/ladders/{game}/games"): "list",
    ("POST", "/api/v1/ladders/{game}"): "enter",
    ("GET", "/api/v1/ladders/{game}/pools"): "list",
    ("POST", "/api/v1/ladders/{game}/pools"): "contest",
    ("GET", "/api/v1/ladders/{game}/challenges"): "enter",
    ("POST", "/api/v1/ladders/{game}/challenges"): "enter",
    ("DELETE", "/api/v1/ladders/{game}/challenges/{challenge}"): "enter",
    ("PUT", "/api/v1/ladders/{game}/accepts"): "enter",
    ("DELETE", "/api/v1/ladders/{game}"): "enter",
    ("POST", "/api/v1/accounts"): "sign_up",
    ("GET", "/api/v1/accounts"): "accounts",
    ("GET", "/api/v1/accounts/me"): "own_account",
    ("POST", "/api/v1/accounts/me/keys"): "own_account",
    ("DELETE", "/api/v1/accounts/me/keys/{key_id}"): "own_account",
    ("GET", "/api/v1/accounts/{account}"): "accounts",
    ("POST", "/api/v1/accounts/{account}/disable"): "accounts",
    ("PUT", "/api/v1/accounts/{account}/team"): "accounts",
    ("DELETE", "/api/v1/accounts/{account}/team"): "accounts",
    ("POST", "/api/v1/accounts/{account}/keys"): "accounts",
    ("DELETE", "/api/v1/accounts/{account}/keys/{key_id}"): "accounts",
    ("GET", "/api/v1/admin/matches"): "admin",
    ("POST", "/api/v1/admin/matches/{match}/abort"): "admin",
    ("GET", "/api/v1/admin/drain"): "admin",
    ("POST", "/api/v1/admin/drain"): "admin",
    ("DELETE", "/api/v1/admin/drain"): "admin",
    ("GET", "/api/v1/admin/actions"): "admin",
}
"""Every route that the API has."""

OF_A_LOBBY = ("/lobbies/{lobby}", "/matches/{match}", "/replays/{match}")
PRIVATE: Mapping[Action, Action] = {"watch": "watch_private", "join": "join_private"}
BODIES: dict[str, Any] = {
    "/api/v1/lobbies": {"game": "duel"},
    "/api/v1/lobbies/{lobby}/join": {"name": "x"},
    "/api/v1/lobbies/{lobby}/bots": {"bot": "greedy"},
    "/api/v1/accounts": {"name": "x"},
    "/api/v1/accounts/{account}/team": {"team": "x"},
    "/api/v1/admin/matches/{match}/abort": {"reason": "a test"},
    "/api/v1/ladders/{game}/challenges": {"name": "nowhere"},
    "/api/v1/ladders/{game}/accepts": {},
    "/api/v1/ladders/{game}/pools": {"maps": [{}]},
    "/api/v1/tournaments": {"name": "x", "game": "pyrat"},
    "/api/v1/tournaments/toml": {"toml": "name = 'x'\ngame = 'pyrat'"},
    "/api/v1/tournaments/{tournament}/disqualify": {"entrant": 1},
    "/api/v1/tournaments/{tournament}/withdraw": {"entrant": 1},
    "/api/v1/tournaments/{tournament}/undo": {"fact": 1},
}
BODIES |= {
    path: {}
    for method, path in ROUTES
    if method == "POST" and ("{tournament}" in path or "ladders" in path) and path not in BODIES
}
NOWHERE = {
    "challenge": "nowhere",
    "tournament": "nowhere",
    "fixture": "rr-1",
    "submission": "nowhere",
}
QUERIES = {
    "/api/v1/ratings": {"game": "pyrat"},
    "/api/v1/submissions": {"game": "nowhere", "name": "x", "file": "x.py"},
}
NO = {(401, "key_needed"), (403, "forbidden"), (403, "wrong_token"), (403, "private")}
WAYS = ("open", "closed")
DOCUMENT = Path(__file__).parents[2] / "docs/hosting.md"


class Scene:
    """A server with a client in each role."""

    def __init__(self, live_server: LiveServer, *, closed: bool) -> None:
        self.live_server = live_server
        self.closed = closed
        self.people: Mapping[Role, Person] = {
            kind: person(live_server.data, kind) for kind in KINDS
        }
        self.victim = person(live_server.data, "bot")
        self.over = {private: self.played(private) for private in (False, True)}

    def made(self, private: bool) -> dict[str, Any]:
        options = {"game": "walk", "config": {"turns": 1}, "private": private}
        made = self.live_server.post("/lobbies", options, self.people["organiser"].key).json()
        return made | {"tokens": {"owner": made["owner_token"], "invite": made["invite"]}}

    def seated(self, private: bool, seats: int) -> tuple[str, dict[str, str | None]]:
        """A lobby with this number of seats taken, and its tokens by role. A public lobby has no
        invite."""
        made = self.made(private)
        who = {"name": "x", "invite": made["invite"]}
        key = None if private else self.people["bot"].key
        taken = [
            self.live_server.post(f"/lobbies/{made['lobby']}/join", who, key).json()
            for _ in range(seats)
        ]
        self.taken = taken
        return made["lobby"], made["tokens"] | {"seat": taken[0]["token"]}

    def played(self, private: bool) -> tuple[str, dict[str, str | None]]:
        id_, tokens = self.seated(private, 2)
        red, _ = [self.live_server.seat(one) for one in self.taken]
        red.until("view")
        red.answer(0, end_turn=True)
        red.rest()
        return id_, tokens

    def shown(self, role: Role, tokens: Mapping[str, str | None]) -> str | None:
        """The token of this role."""
        return self.people[role].key if role in self.people else tokens.get(role)

    def asks(self, method: str, path: str, role: Role, private: bool) -> bool:
        """Whether this role is admitted."""
        id_, tokens = self.over[private]
        body = BODIES.get(path)
        if path.startswith("/api/v1/lobbies/{lobby}/") or path.endswith("/abort"):
            id_, tokens = self.seated(private, 1)
        shown = self.shown(role, tokens)
        filled = path.format(
            lobby=id_,
            match=id_,
            game="pyrat",
            name="nowhere",
            account=self.victim.id,
            key_id="nowhere",
            seat=0,
            **NOWHERE,
        )
        headers = {} if shown is None else {"Authorization": f"Bearer {shown}"}
        answer = self.live_server.http.request(
            method, filled, json=body, headers=headers, params=QUERIES.get(path)
        )
        self.live_server.arena.matches.admission.drain(False)
        if answer.is_success or answer.status_code in (404, 409) or path == "/readyz":
            return True
        assert (answer.status_code, answer.json()["code"]) in NO, (method, path, role, answer.text)
        return False

    def hears(self, way: str, role: Role, private: bool) -> bool:
        """Whether a socket's hello in this role is answered with one."""
        id_, tokens = self.seated(private, 1)
        client = self.live_server.socket(way)
        client.say(
            "hello",
            protocol=1,
            token=self.shown(role, tokens),
            **({"match": id_} if way == "watch" else {}),
        )
        message = client.next()
        assert message["type"] == "hello" or message["code"] in ("wrong_role", "bad_token"), message
        client.close()
        return message["type"] == "hello"


def may(action: Action, role: Role, closed: bool) -> bool:
    roles = allowed(action, closed=closed)
    return "anybody" in roles or role in roles


def operations(live_server: LiveServer) -> list[tuple[str, str]]:
    paths = live_server.get("/openapi.json").json()["paths"]
    return sorted((method.upper(), path) for path, methods in paths.items() for method in methods)


@pytest.fixture(scope="module", params=WAYS)
def scene(request, tmp_path_factory):
    with hosted(
        tmp_path_factory.mktemp("scopes"),
        closed=request.param == "closed",
        lobbies_per_address=0,
        submissions=True,
    ) as live_server:
        yield Scene(live_server, closed=request.param == "closed")


def test_every_route_belongs_to_an_action_of_the_table(scene):
    assert [one for one in operations(scene.live_server) if one not in ROUTES] == []


def test_every_action_has_a_route_or_a_socket():
    assert set(SCOPES) == {*ROUTES.values(), *PRIVATE.values(), "play"}


def test_every_route_admits_exactly_those_in_the_table(scene):
    wrong = []
    for method, path in operations(scene.live_server):
        action = ROUTES[method, path]
        local = any(part in path for part in OF_A_LOBBY) and action != "admin"
        for private in (False, True) if local else (False,):
            for role in ROLES:
                if role == "invite" and local and not private:
                    continue  # a public lobby has no invite
                named = PRIVATE.get(action, action) if private else action
                if scene.asks(method, path, role, private) != may(named, role, scene.closed):
                    wrong.append((method, path, role, named))

    assert wrong == []


@pytest.mark.parametrize("private", [False, True])
def test_every_hello_admits_exactly_those_in_the_table(scene, private):
    watch: Action = "watch_private" if private else "watch"
    heard = {
        (way, role): scene.hears(way, role, private) for way in ("play", "watch") for role in ROLES
    }

    assert heard == {
        (way, role): may("play" if way == "play" else watch, role, scene.closed)
        and (private or role != "invite" or not scene.closed)
        for way, role in heard
    }


def test_the_operators_setting_decides_who_can_sign_up():
    assert [
        allowed("sign_up", closed=closed, sign_up=setting)
        for closed in (False, True)
        for setting in (None, True, False)
    ] == [
        {"anybody"},
        {"anybody"},
        {"organiser"},
        {"organiser"},
        {"anybody"},
        {"organiser"},
    ]


def test_the_documents_contain_the_table():
    rows = re.findall(
        r"^\| `([a-z_]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$",
        DOCUMENT.read_text(encoding="utf-8"),
        re.MULTILINE,
    )

    assert rows == [
        (action, scope.about, listed(scope.open), listed(scope.closed))
        for action, scope in SCOPES.items()
    ]


def listed(roles: frozenset[Role]) -> str:
    return ", ".join(role for role in ROLES if role in roles)
