"""Every page, light and dark, on a large screen and on a phone: no console messages, no
accessibility violations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route

from games import GAMES
from tests.e2e.arena import Arena
from tests.web.matches import begun, recorded
from tests.web.tab import LOOKS, Tab

OpenTab = Callable[..., Tab]
AXE = Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js"
SERIOUS = ("serious", "critical")
PAGES = {
    "home": "/",
    "game": "/games/pyrat",
    "replays": "/replay",
    "standings": "/standings",
    "ladder": "/ladder/pyrat",
    "matches": "/matches",
    "tournaments": "/tournaments",
    "submit": "/submit",
    "organiser": "/organiser",
    "screen": "/screen",
    "nothing": "/games/chess",
}


def violations(tab: Tab) -> list[str]:
    """What axe-core finds that is serious."""
    if not tab.page.evaluate("typeof window.axe === 'object'"):
        tab.page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = tab.page.evaluate("async () => (await axe.run()).violations")
    return [
        f"{one['id']}: {node['target']}: {node['failureSummary']}"
        for one in found
        if one["impact"] in SERIOUS
        for node in one["nodes"]
    ]


def fits(tab: Tab) -> bool:
    """Nothing has to be scrolled for sideways."""
    return bool(
        tab.page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
    )


def settled(tab: Tab) -> None:
    """The page has asked for what it shows, and got it."""
    tab.page.wait_for_load_state("load")

    def quiet() -> bool:
        if tab.waiting or not tab.page.query_selector("main h1, main arena-match"):
            return False
        tab.drawn()  # what has come may ask for more
        return not tab.waiting

    tab.until(quiet)


@pytest.fixture(scope="module")
def busy(arena: Arena) -> dict[str, str]:
    """A server on which something has been played, something runs, and something is open."""
    over = begun(arena, "botstack")
    arena.over(over)
    running = begun(arena, "zooscape", max_ticks=100_000, tick_ms=200, seats=4, map_size=51)
    made = arena.rest.create(
        "botstack", name="Friday evening", bots=["greedy"], start_timeout_ms=3_600_000
    )
    return {"over": over, "running": running, "open": made["lobby"], "owner": made["owner_token"]}


def looked_at(tab: Tab, name: str) -> None:
    """In every theme and size: a screenshot, no overflow, no accessibility violations."""
    for theme, size in LOOKS:
        tab.look(theme, size)
        tab.shot(f"{name}-{theme}-{size}")
        assert fits(tab), (theme, size)
        if size == "desktop" or (theme, size) == ("light", "phone"):
            assert violations(tab) == [], (theme, size)


@pytest.mark.screenshots
@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_no_errors_fits_and_is_accessible(tab: Tab, busy, name):
    tab.go(PAGES[name])
    settled(tab)
    looked_at(tab, name)

    tab.complaints[:] = [one for one in tab.complaints if name != "nothing" or "404" not in one]


@pytest.mark.screenshots
def test_a_lobby_has_no_errors_fits_and_is_accessible(tab: Tab, busy):
    tab.go("/")
    tab.page.evaluate(
        "([id, owner]) => localStorage.setItem('botarena.tokens', JSON.stringify({[id]: {owner}}))",
        [busy["open"], busy["owner"]],
    )
    tab.go(f"/lobby/{busy['open']}")
    settled(tab)
    looked_at(tab, "lobby")


@pytest.mark.screenshots
@pytest.mark.parametrize("game", GAMES)
def test_a_match_of_each_game_fits_and_is_accessible(tab: Tab, game, tmp_path):
    file = tmp_path / f"{game}.replay.jsonl"
    file.write_text(recorded(game))
    tab.go("/replay")
    tab.page.set_input_files("input[type=file]", file)
    last = tab.until(lambda: (now := tab.now()) and now["turn"] is not None and now["last"])
    tab.match_call("seek", int(last * 0.6))
    tab.shows(index=int(last * 0.6))
    looked_at(tab, f"match-{game}")
    tab.match_call("seek", last)
    looked_at(tab, f"end-{game}")


def test_the_theme_is_the_systems_until_one_is_chosen(tabs: OpenTab, arena: Arena):
    tab = tabs(arena.url, theme="dark")
    tab.go("/tournaments")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = tab.page.evaluate(ground)
    tab.page.click("#theme")
    light = tab.page.evaluate(ground)
    tab.go("/standings")

    assert dark != light
    assert tab.page.evaluate(ground) == light


def test_the_page_changes_addresses_without_reloading(tab: Tab):
    tab.go("/")
    tab.page.evaluate("window.mark = 1")
    tab.page.click("a[href='/games/zooscape']")
    tab.until(lambda: tab.page.url.endswith("/games/zooscape"))
    tab.page.go_back()
    tab.until(lambda: tab.page.query_selector("text=The games"))

    assert tab.page.evaluate("window.mark") == 1
    assert tab.page.evaluate("document.activeElement !== null")


def test_a_page_left_before_it_is_built_does_not_replace_the_next_one(tab: Tab):
    asked: list[Route] = []

    def held(route: Route) -> None:
        asked.append(route)

    tab.page.route("**/api/v1/games/zooscape", held)
    tab.go("/")
    tab.page.click("a[href='/games/zooscape']")
    tab.until(lambda: asked)
    tab.page.go_back()
    tab.until(lambda: tab.page.query_selector("text=The games"))
    with tab.page.expect_response("**/api/v1/lobbies?state=open&game=zooscape"):
        asked.pop().continue_()

    assert tab.page.query_selector("text=The games")
    assert tab.page.title() == "Games · Botarena"


def test_a_game_can_be_opened_by_keyboard_only(tab: Tab):
    tab.go("/")
    tab.until(lambda: tab.page.query_selector("a[href='/games/pyrat']"))
    for _ in range(40):
        tab.page.keyboard.press("Tab")
        if tab.page.evaluate("document.activeElement.getAttribute('href')") == "/games/pyrat":
            break
    tab.page.keyboard.press("Enter")

    tab.until(lambda: tab.page.url.endswith("/games/pyrat"))
