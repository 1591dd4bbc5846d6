"""Large bodies are read and checked in a process of their own, and end as small ones do."""

from __future__ import annotations

import json
import multiprocessing
from typing import Any

import pytest

from games import GAMES
from server.errors import LONGEST_FIELD, LONGEST_TEXT
from server.routes.large import SMALL
from tests.server.live_server import LiveServer, hosted

SIDE = 40
BORDERS = [[[x, y], [x + 1, y]] for x in range(SIDE - 1) for y in range(SIDE)]
MUDDY = {
    "width": SIDE,
    "height": SIDE,
    "cheese_count": 40,
    "mud": [[*border, 9] for border in BORDERS],
}
"""A legal board whose text is longer than what is read on the loop."""


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory):
    """A server that has its process already."""
    with hosted(tmp_path_factory.mktemp("large"), games=GAMES) as live_server:
        assert posted(live_server, {"game": "none"})[1]["code"] == "unknown_game"
        yield live_server


def posted(
    live_server: LiveServer, body: Any, path: str = "/lobbies", **headers: str
) -> tuple[int, dict[str, Any]]:
    """The answer to a body that is filled up with blanks."""
    text = json.dumps(body) if not isinstance(body, str) else body
    sent = {"Content-Type": "application/json"} | headers
    response = live_server.http.post(f"/api/v1{path}", content=text.ljust(SMALL + 1), headers=sent)
    return response.status_code, response.json()


def test_small_bodies_start_no_process(live_server: LiveServer):
    before = multiprocessing.active_children()
    live_server.create()
    live_server.post("/lobbies", {"game": "cookoff", "config": {"mud": [3] * 1000}})

    assert multiprocessing.active_children() == before


@pytest.mark.parametrize(
    "body",
    [
        {"game": "pyrat", "config": {"widht": 9}},
        {"game": "pyrat", "config": {"width": 9, "walls": [[[0, 0], [5, 5]]]}},
        {"game": "PyRat", "map": "no such map"},
        {"game": "pyrat", "map": "classic", "map_text": "x"},
        {"game": "pyrat", "map_text": "x"},
        {"game": "pyrat", "map_text": "{}"},
        {"game": "chess"},
        {"game": 7},
        {"game": "pyrat", "colour": "red"},
        {"game": "pyrat", "seed": -1},
        {"game": "pyrat", "config": {"\ud800": 1}},
        {"game": "pyrat", "clock": {"turn_ms": "long"}},
        {"game": "pyrat", "faults": "none"},
        [],
        "{",
        '{"game": "pyrat", "seed": NaN}',
    ],
)
def test_a_large_body_is_refused_with_the_same_error_as_a_small_one(own: LiveServer, body: Any):
    text = json.dumps(body) if not isinstance(body, str) else body
    small = own.http.post(
        "/api/v1/lobbies", content=text, headers={"Content-Type": "application/json"}
    )

    assert posted(own, body) == (small.status_code, small.json())


def test_a_large_body_creates_the_same_match_as_a_small_one(own: LiveServer):
    body = {"game": "pyrat", "config": {"preset": "tiny"}, "seed": 7, "private": True}
    status, made = posted(own, body)
    seats = [
        own.seat(own.join(made["lobby"], name, invite=made["invite"])) for name in ("rat", "python")
    ]
    start = seats[0].expect("start")
    other = own.create(**body)
    others = [
        own.seat(own.join(other["lobby"], name, invite=other["invite"]))
        for name in ("rat", "python")
    ]
    expected = others[0].expect("start")
    for client in [*seats, *others]:
        client.say("ready")
    shown, wanted = (client.until("view")["view"] for client in (seats[0], others[0]))

    assert status == 201
    assert start["config"] == expected["config"]
    assert shown == wanted


def test_a_large_board_is_played_as_sent(own: LiveServer):
    status, made = posted(
        own, {"game": "pyrat", "config": MUDDY | {"move_timeout_ms": 0}, "seed": 3}
    )
    clients = [own.seat(own.join(made["lobby"], name)) for name in ("rat", "python")]
    for client in clients:
        client.expect("start")
    header = own.journal(made["lobby"])[0]

    assert status == 201
    assert (header["seed"], header["config"]) == (3, MUDDY | {"move_timeout_ms": 0})


def test_the_same_key_creates_one_lobby_from_a_large_body(own: LiveServer):
    body = {"game": "pyrat", "config": MUDDY}
    (_, first), (_, again) = (posted(own, body, **{"Idempotency-Key": "large"}) for _ in range(2))
    other = posted(own, body | {"private": True}, **{"Idempotency-Key": "large"})

    assert first["lobby"] == again["lobby"]
    assert other[1]["code"] == "key_reused"


def test_a_hundred_thousand_unknown_keys_are_one_error(own: LiveServer):
    keys = {f"width{number}": 1 for number in range(60_000)}
    status, error = posted(own, {"game": "pyrat", "config": keys})

    assert (status, error["code"], error["field"]) == (422, "unknown_option", "config.width0")
    assert "Did you mean width?" in error["text"]


def test_an_error_quotes_little_of_a_body(own: LiveServer):
    status, error = posted(own, {"game": "pyrat", "config": {"x" * 500_000: 1}})

    assert (status, error["code"]) == (422, "unknown_option")
    assert len(error["text"]) <= LONGEST_TEXT
    assert len(error["field"]) <= LONGEST_FIELD


def test_a_tournaments_body_is_parsed_off_the_loop_before_its_key_is_checked(
    own: LiveServer,
):
    small = own.post("/tournaments", {"name": "cup", "game": "pyrat"})

    assert posted(own, {"name": "cup", "game": "pyrat"}, "/tournaments") == (
        small.status_code,
        small.json(),
    )
    assert posted(own, {"name": 3}, "/tournaments")[0] == 422


def test_a_killed_process_costs_one_request_and_is_restarted(tmp_path):
    with hosted(tmp_path, games=GAMES) as live_server:
        before = set(multiprocessing.active_children())
        assert posted(live_server, {"game": "none"})[0] == 404
        (worker,) = set(multiprocessing.active_children()) - before
        worker.kill()
        status, error = posted(live_server, {"game": "pyrat"})

        assert (status, error["code"]) == (503, "overloaded")
        assert posted(live_server, {"game": "pyrat"})[0] == 201
