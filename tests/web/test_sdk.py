"""The TypeScript SDK in a browser."""

from __future__ import annotations

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from playwright.sync_api import Route

from games import GAMES
from games.core.rerun import verify
from tests.e2e.arena import Arena
from tests.sdk import typescript
from tests.sdk.registry import cases, lines, run
from tests.web.conftest import OpenTab

BROWSER = [sys.executable, "-m", "tests.sdk.browser_driver"]
PLAYS = """async (lobby) => {
  const { RestClient, play } = await import("/sdk/index.js");
  const seat = await new RestClient(location.origin).join({ game: "pyrat", name: "page", lobby });
  const calls = [];
  const bot = {
    onStart: (start) => calls.push(["start", start.seat]),
    decide: (view) => [view.moves[0] ?? "STAY"],
    onEnd: () => calls.push(["end", null]),
  };
  return { outcome: await play(bot, seat), calls };
}"""


def test_the_typescript_sdk_conforms_in_a_browser() -> None:
    typescript.node()
    conform = run(BROWSER, cases(), lacks=("http_status",))
    with ThreadPoolExecutor(1) as aside:  # other tests' browser has a loop in this thread
        faults = aside.submit(asyncio.run, conform).result()

    assert not faults, "\n".join(lines(faults))


def test_a_bot_in_a_page_plays_a_whole_match(tabs: OpenTab, arena: Arena) -> None:
    typescript.node()
    lobby = arena.rest.create("pyrat", config={"preset": "tiny"}, bots=["random"])["lobby"]
    tab = tabs(arena.url)

    def answer(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        script = (typescript.SDK / "dist" / name).read_text(encoding="utf-8")
        route.fulfill(body=script, content_type="text/javascript")

    tab.page.route("**/sdk/*.js", answer)
    tab.go("/")
    played: dict[str, Any] = tab.page.evaluate(PLAYS, lobby)

    assert played["calls"] == [["start", 1], ["end", None]]
    assert played["outcome"] == arena.over(lobby)["outcome"]
    assert verify(arena.record(lobby, "journal"), GAMES).kind == "ok"
