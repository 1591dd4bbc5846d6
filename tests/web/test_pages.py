"""Every page, light and dark, on a large screen and on a phone: nothing in the console, nothing that keeps anybody out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games import GAMES
from tests.e2e.arena import Arena
from tests.web.matches import begun, recorded
from tests.web.tab import Tab

OpenTab = Callable[..., Tab]
AXE = Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js"
SERIOUS = ("serious", "critical")
PAGES = {
    "home": "/",
    "game": "/games/pyrat",
    "replays": "/replay",
    "standings": "/standings",
    "tournaments": "/tournaments",
    "organiser": "/organiser",
    "nothing": "/games/chess",
}
THEMES = ("light", "dark")
SIZES = ("desktop", "phone")

in_every_look = pytest.mark.parametrize(("theme", "size"), [(theme, size) for theme in THEMES for size in SIZES])


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
    return bool(tab.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


def settled(tab: Tab) -> None:
    tab.page.wait_for_load_state("networkidle" if "replay" in tab.page.url else "load")
    tab.until(lambda: tab.page.evaluate("document.querySelector('main h1, main arena-match') !== null"))
    tab.page.wait_for_timeout(150)


@pytest.fixture(scope="module")
def busy(arena: Arena) -> dict[str, str]:
    """A server on which something has been played, something runs, and something is open."""
    over = begun(arena, "botstack")
    arena.over(over)
    running = begun(arena, "zooscape", max_ticks=100_000, tick_ms=200, seats=4, map_size=51)
    made = arena.rest.create("botstack", name="Friday evening", bots=["greedy"], start_timeout_ms=3_600_000)
    return {"over": over, "running": running, "open": made["lobby"], "owner": made["owner_token"]}


@in_every_look
@pytest.mark.parametrize("name", PAGES)
def test_a_page_loads_in_silence_fits_and_keeps_nobody_out(tabs: OpenTab, arena: Arena, busy, name, theme, size):
    tab = tabs(arena.url, theme=theme, size=size)
    tab.go(PAGES[name])
    settled(tab)
    tab.shot(f"{name}-{theme}-{size}")

    assert violations(tab) == []
    assert fits(tab)
    tab.complaints[:] = [one for one in tab.complaints if name != "nothing" or "404" not in one]


@in_every_look
def test_a_lobby_loads_in_silence_fits_and_keeps_nobody_out(tabs: OpenTab, arena: Arena, busy, theme, size):
    tab = tabs(arena.url, theme=theme, size=size)
    tab.go(f"/lobby/{busy['open']}")
    settled(tab)
    tab.shot(f"lobby-{theme}-{size}")

    assert violations(tab) == []
    assert fits(tab)


@in_every_look
@pytest.mark.parametrize("game", GAMES)
def test_a_match_of_each_game_fits_and_keeps_nobody_out(tabs: OpenTab, arena: Arena, game, theme, size, tmp_path):
    tab = tabs(arena.url, theme=theme, size=size)
    file = tmp_path / f"{game}.replay.jsonl"
    file.write_text(recorded(game))
    tab.go("/replay")
    tab.page.set_input_files("input[type=file]", file)
    tab.until(lambda: (now := tab.now()) and now["last"] > 0)
    tab.match_call("seek", int(tab.now()["last"] * 0.6))
    tab.page.wait_for_timeout(150)
    tab.shot(f"match-{game}-{theme}-{size}")

    assert violations(tab) == []
    assert fits(tab)


def test_the_theme_is_the_systems_until_somebody_chooses(tabs: OpenTab, arena: Arena):
    tab = tabs(arena.url, theme="dark")
    tab.go("/tournaments")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = tab.page.evaluate(ground)
    tab.page.click("#theme")
    light = tab.page.evaluate(ground)
    tab.go("/standings")

    assert dark != light
    assert tab.page.evaluate(ground) == light


def test_the_page_goes_from_address_to_address_without_loading_anew(tab: Tab):
    tab.go("/")
    tab.page.evaluate("window.mark = 1")
    tab.page.click("text=Zooscape")
    tab.until(lambda: tab.page.url.endswith("/games/zooscape"))
    tab.page.go_back()
    tab.until(lambda: tab.page.query_selector("text=The games"))

    assert tab.page.evaluate("window.mark") == 1
    assert tab.page.evaluate("document.activeElement !== null")


def test_the_keyboard_alone_opens_a_game(tab: Tab):
    tab.go("/")
    tab.until(lambda: tab.page.query_selector("a[href='/games/pyrat']"))
    for _ in range(40):
        tab.page.keyboard.press("Tab")
        if tab.page.evaluate("document.activeElement.getAttribute('href')") == "/games/pyrat":
            break
    tab.page.keyboard.press("Enter")

    tab.until(lambda: tab.page.url.endswith("/games/pyrat"))
