"""What the page costs, and that it can be used with a keyboard and with a finger: bytes on the
wire, keys, the sizes of what is clicked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.arena import Arena
from tests.web.matches import begun, recorded
from tests.web.tab import Tab
from tests.web.test_pages import settled
from tests.web.test_replay import shown

OpenTab = Callable[..., Tab]
FIRST_BYTES = 60_000
TARGET = 24
SMALL = """(least) => [...document.querySelectorAll(
  "a[href], button, input, select, summary, [tabindex='0']"
)].filter((one) => {
  const box = one.getBoundingClientRect();
  const shown = box.width > 0 && box.height > 0 && getComputedStyle(one).visibility !== "hidden";
  const inText = one.matches("p a, li a, td a, dd a, h1 a, h2 a, h3 a, .crumbs a");
  return shown && !inText && !one.closest(".skip") && !one.matches("[type=checkbox]")
    && (box.width < least || box.height < least);
}).map((one) => `${one.tagName} ${one.className} ${one.textContent.slice(0, 30)}`)"""
"""What can be clicked and is smaller, links in running text aside."""


def transferred(tab: Tab, path: str) -> int:
    """The bytes, headers too, that came over the network until the page is quiet."""
    session = tab.page.context.new_cdp_session(tab.page)
    session.send("Network.enable")
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    tab.go(path)
    settled(tab)
    tab.page.wait_for_load_state("networkidle")
    return round(sum(sizes))


def test_the_first_page_takes_60_kb(tabs: OpenTab, tmp_path, browser, record_property):
    from tests.e2e.arena import started

    with started(tmp_path) as fresh:
        size = transferred(tabs(fresh.url), "/")

    record_property("figure", f"the start page: {size / 1000:.1f} KB over the wire")
    assert 10_000 < size <= FIRST_BYTES


def test_the_keyboard_reaches_events_and_plot_and_shows_its_keys(tab: Tab, tmp_path: Path):
    shown(tab, recorded("pyrat"), tmp_path)
    key = tab.page.keyboard.press
    key("End")
    tab.until(lambda: tab.page.locator(".events .when").count() > 2)
    key("e")
    key("ArrowDown")
    key("ArrowDown")
    wanted = int(tab.page.evaluate("document.activeElement.textContent"))
    key("Enter")
    tab.shows(turn=wanted)
    key("p")
    assert tab.page.evaluate("document.activeElement.classList.contains('plot')")
    key("ArrowLeft")
    tab.shows(turn=wanted - 1)
    key("?")
    text = tab.until(lambda: tab.page.inner_text("dialog"))
    for words in ("play, pause", "jump to live", "to the events", "to the plot", "show the keys"):
        assert words in text
    key("Escape")
    tab.until(lambda: tab.page.query_selector("dialog") is None)


@pytest.mark.parametrize(
    "path",
    ["/", "/games/pyrat", "/replay", "/standings", "/tournaments", "/organiser", "match"],
)
def test_what_is_clicked_is_24_px_at_least(tabs: OpenTab, arena: Arena, path: str):
    tab = tabs(arena.url, size="phone")
    if path == "match":
        match = begun(arena, "botstack")
        arena.over(match)
        path = f"/match/{match}?seat=0"
    tab.go(path)
    settled(tab)
    if "match" in path:
        tab.until(lambda: (now := tab.now()) and now["turn"] is not None)

    assert tab.page.evaluate(SMALL, TARGET) == []
