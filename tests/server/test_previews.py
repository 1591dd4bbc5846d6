"""What a link to the page shows elsewhere: a title, a sentence and a picture, and no secret."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.errors import Refusal
from server.matches.kept import Kept
from server.matches.pictures import draw_picture
from tests.accounts.people import person
from tests.server.live_server import LiveServer, eventually, hosted

SMALL = {
    "width": 5,
    "height": 5,
    "cheese_count": 1,
    "max_turns": 1,
    "preprocessing_timeout_ms": 0,
}
NAME = '"><b>& co'
PNG = b"\x89PNG\r\n\x1a\n"


def shown(page: httpx.Response) -> dict[str, str]:
    """The properties in the head of a document."""
    head, _, _ = page.text.partition("</head>")
    found = re.findall(r'<meta property="og:(\w+)" content="([^"<>]*)" />', head)
    return {name: unescape(value) for name, value in found}


def begun(live_server: LiveServer, **options: Any) -> tuple[str, str, Callable[[], None]]:
    """A running match, a seat's token and what ends it."""
    made = live_server.create("pyrat", config=SMALL, **options)
    who = {"invite": made["invite"]} if made["invite"] else {}
    taken = [live_server.join(made["lobby"], NAME, **who) for _ in range(2)]
    seats = [live_server.seat(one) for one in taken]
    moves = [seat.until("view")["view"]["moves"][0] for seat in seats]

    def end() -> None:
        for seat, move in zip(seats, moves, strict=True):
            seat.answer(0, move)
        for seat in seats:
            seat.until("end")

    return made["lobby"], taken[0]["token"], end


def test_a_link_to_a_match_shows_its_players_then_its_board_and_never_its_result(
    live_server: LiveServer,
):
    match, _, end = begun(live_server)
    page, path = f"/match/{match}", f"/api/v1/matches/{match}/picture.png"
    running = shown(live_server.http.get(page))
    assert live_server.http.get(path).status_code == 404
    end()
    eventually(lambda: live_server.http.get(path).is_success)
    response = live_server.http.get(page)
    over, origin = shown(response), str(live_server.http.base_url).rstrip("/")

    assert running["title"] == over["title"] == f"{NAME} 1 – {NAME} 2 · PyRat"
    assert running["image"] == f"{origin}/web/pictures/botarena.png"
    assert over["image"] == f"{origin}{path}"
    assert (running["description"], over["description"]) == (
        "A match of PyRat, live now.",
        "A match of PyRat, turn by turn.",
    )
    for image in (running["image"], over["image"]):
        picture = live_server.http.get(image)
        assert picture.headers["Content-Type"] == "image/png"
        assert picture.content.startswith(PNG)
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]
    assert response.headers["Cache-Control"] == "no-cache"
    again = {"If-None-Match": response.headers["ETag"]}
    assert live_server.http.get(page, headers=again).status_code == 304


def test_a_link_tells_no_more_than_anybody_may_read(live_server: LiveServer):
    usual = shown(live_server.http.get("/"))
    assert usual["title"] == "Botarena"
    match, token, end = begun(live_server, private=True)
    assert shown(live_server.http.get(f"/match/{match}")) == usual
    end()
    picture = f"/matches/{match}/picture.png"
    eventually(lambda: live_server.get(picture, token).is_success)

    assert live_server.get(picture).json()["code"] == "private"
    for address in (f"/match/{match}", "/match/nowhere", "/match/%00", "/tournament/nowhere"):
        assert shown(live_server.http.get(address)) == usual, address


def test_a_game_that_cannot_be_drawn_has_no_picture(live_server: LiveServer):
    match, clients = live_server.started("walk", config={"turns": 1})
    clients[0].until("view")
    clients[0].answer(0, end_turn=True)
    live_server.over(match)
    eventually(lambda: live_server.get(f"/replays/{match}").is_success)

    answer = live_server.get(f"/matches/{match}/picture.png")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_record")


def test_links_name_the_servers_public_address_and_a_closed_server_shows_nothing(tmp_path):
    settings = {"public_url": "https://arena.example/"}
    with hosted(tmp_path / "open", **settings) as server:
        key = person(server.data, "organiser").key
        plan = {"name": 'Spring "<cup>', "game": "pyrat", "bots": [{"house": "greedy"}]}
        made = server.post("/tournaments", plan, key).json()["tournament"]
        tournament = shown(server.http.get(f"/tournament/{made}"))
    with hosted(tmp_path / "open", closed=True, **settings) as server:
        closed = shown(server.http.get(f"/tournament/{made}"))

    assert tournament["title"] == 'Spring "<cup> · PyRat'
    assert closed["title"] == "Botarena"
    assert tournament["image"] == "https://arena.example/web/pictures/botarena.png"


async def test_a_picture_is_drawn_once_for_all_and_again_after_a_failure():
    class Child:
        calls = 0

        async def answer(self, make: Any, replay: Path) -> bytes:
            self.calls += 1
            await asyncio.sleep(0)
            if self.calls == 1:
                raise Refusal(503, "overloaded", "later")
            return PNG

    child: Any = Child()
    pictures, replay = Kept(child, draw_picture, 256), Path("a.replay.jsonl")
    with pytest.raises(Refusal):
        await pictures.of(replay)
    drawn = await asyncio.gather(*[pictures.of(replay) for _ in range(5)])

    assert drawn == [PNG] * 5
    assert await pictures.of(replay) == PNG
    assert child.calls == 2
