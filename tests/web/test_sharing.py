"""What leaves the page: a clip of some turns, and the messages of a match that another page
embeds."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from client_sdk import replay
from tests.e2e.arena import Arena
from tests.web.matches import begun, recorded
from tests.web.tab import Tab
from tests.web.test_replay import shown

OpenTab = Callable[..., Tab]
HOST = """<!doctype html><title>host</title><script>
window.heard = [];
addEventListener("message", (event) => heard.push({origin: event.origin, ...event.data}));
window.tell = (data) => document.querySelector("iframe").contentWindow.postMessage(data, "*");
</script><iframe width="900" height="600" src="%s"></iframe>"""


@pytest.fixture(scope="module")
def match(arena: Arena) -> str:
    match = begun(arena, "botstack")
    arena.over(match)
    arena.record(match, "replay")
    return match


@pytest.fixture
def host(arena: Arena, match: str) -> Iterator[str]:
    """Another site, with the match in a frame."""
    page = (HOST % f"{arena.url}/match/{match}?embed=1").encode()

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page if self.path == "/host" else b"")

        def log_message(self, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/host"
        server.shutdown()


def test_turns_are_saved_as_a_clip(tab: Tab, tmp_path: Path):
    shown(tab, recorded("botstack"), tmp_path)
    tab.match_call("seek", 3)
    tab.page.keyboard.press("c")
    tab.page.get_by_label("to turn").fill("2")
    tab.page.click("text=Record")
    assert "Choose a later turn" in tab.until(lambda: tab.page.inner_text("dialog .fields"))
    tab.page.get_by_label("to turn").fill("6")
    tab.page.evaluate("document.querySelector('arena-match').timeline.speed = 8")
    with tab.page.expect_download() as saved:
        tab.page.click("text=Record")

    assert saved.value.suggested_filename == "botstack-file-3-6.webm"
    data = Path(saved.value.path()).read_bytes()
    assert data.startswith(b"\x1aE\xdf\xa3")
    assert len(data) > 2_000
    tab.until(lambda: tab.page.query_selector("dialog") is None)
    assert tab.now()["turn"] == 6


def test_a_page_that_embeds_a_match_moves_it_and_hears_what_it_shows(
    tabs: OpenTab, arena: Arena, match: str, host: str
):
    tab = tabs(arena.url)
    tab.page.goto(host)

    def heard(**fields: object) -> bool:
        return any(
            all(one.get(key) == value for key, value in fields.items())
            for one in tab.page.evaluate("heard")
        )

    def say(**message: object) -> None:
        tab.page.evaluate("tell", {"botarena": 1} | message)

    tab.until(lambda: heard(type="turn", match=match, game="botstack", origin=arena.url))
    for wrong in ({"type": "seek", "turn": {}}, {"type": "constructor"}, {"botarena": 2}, {}):
        say(**wrong)
    say(type="seek", turn=5)
    tab.until(lambda: heard(turn="5", playing=False))
    say(type="play")
    tab.until(lambda: heard(playing=True))
    say(type="pause")
    end = tab.page.frames[1].evaluate("document.querySelector('arena-match').state.last")
    turn = replay.read(arena.record(match, "replay")).frames[end].turn
    say(type="seek", turn=turn)
    tab.until(lambda: heard(type="over", match=match))
    tab.hosts.discard(host.split("/")[2])
