"""A network that is away: the page says so, loses nothing, and goes on when it is back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route

from tests.web.matches import recorded
from tests.web.tab import Tab
from tests.web.test_pages import looked_at, settled

NO_PICTURE = "The picture of this game did not load"
DROP = """(text) => {
  const options = { bubbles: true, dataTransfer: new DataTransfer() };
  options.dataTransfer.items.add(new File([text], "dropped.replay.jsonl"));
  document.body.dispatchEvent(new DragEvent("drop", options));
}"""


def drawn(tab: Tab) -> bool:
    return (tab.now() or {}).get("turn") is not None


def forgive_the_network(tab: Tab) -> None:
    """The browser itself notes each request that failed."""
    tab.complaints[:] = [one for one in tab.complaints if "net::ERR_" not in one]


def barred(tab: Tab, pattern: str) -> list[str]:
    """The addresses of the requests that fail from now on."""
    failed: list[str] = []

    def bar(route: Route) -> None:
        failed.append(route.request.url)
        route.abort("internetdisconnected")

    tab.page.route(pattern, bar)
    return failed


@pytest.mark.screenshots
@pytest.mark.parametrize("file", ["zooscape.js", "zooscape/figures.js"])
def test_a_match_without_its_renderer_says_so_and_is_drawn_once_that_has_come(
    tab: Tab, running: str, file: str
):
    failed = barred(tab, f"**/web/games/{file}")
    tab.go(f"/match/{running}")
    tab.until(lambda: NO_PICTURE in tab.page.inner_text(".notice") and len(failed) > 1)
    if file == "zooscape.js":
        looked_at(tab, "no-renderer")
    tab.page.unroute(f"**/web/games/{file}")

    tab.until(lambda: drawn(tab))
    tab.shows(status="live")
    assert not tab.page.locator(".notice").is_visible()
    forgive_the_network(tab)


def test_a_match_that_is_left_does_not_go_on_loading_its_renderer(tab: Tab, running: str):
    failed = barred(tab, "**/web/games/zooscape.js")
    tab.go(f"/match/{running}")
    tab.until(lambda: failed)
    tab.page.click("nav >> text=Tournaments")
    settled(tab)
    failed.clear()
    tab.page.evaluate("dispatchEvent(new Event('online'))")
    tab.page.click("nav >> text=Standings")  # it is loaded after what the event starts
    tab.until(lambda: tab.page.query_selector("h1:has-text('Standings')"))

    assert failed == []
    forgive_the_network(tab)


def test_a_replay_without_its_renderer_is_drawn_once_the_browser_is_online_again(
    tab: Tab, tmp_path
):
    file = tmp_path / "pyrat.replay.jsonl"
    file.write_text(recorded("pyrat"))
    tab.go("/replay")
    settled(tab)
    tab.page.context.set_offline(True)
    tab.page.set_input_files("input[type=file]", file)
    tab.until(lambda: NO_PICTURE in tab.page.inner_text(".notice"))
    tab.page.context.set_offline(False)

    tab.until(lambda: drawn(tab))
    tab.shows(status="replay")
    forgive_the_network(tab)


@pytest.mark.parametrize("file", ["sources/glance.js", "games/zooscape.js"])
def test_a_card_of_a_running_match_gets_its_picture_later(tab: Tab, running: str, file: str):
    failed = barred(tab, f"**/web/{file}")
    tab.go("/")
    card = tab.page.locator(f"a.live-card[href='/match/{running}']")
    tab.until(lambda: card.count() and len(failed) > 1)
    assert card.locator("canvas").count() == 0
    tab.page.unroute(f"**/web/{file}")

    tab.until(lambda: card.locator("canvas").count())
    forgive_the_network(tab)


def test_a_replay_that_is_dropped_without_network_is_shown_after_try_again(tab: Tab):
    tab.go("/tournaments")
    settled(tab)
    tab.page.context.set_offline(True)
    tab.page.evaluate(DROP, recorded("botstack"))
    tab.until(lambda: "could not be loaded" in tab.page.inner_text("main"))
    tab.page.context.set_offline(False)
    tab.page.click("text=Try again")

    tab.until(lambda: drawn(tab))
    tab.shows(status="replay")
    forgive_the_network(tab)


def test_what_failed_without_network_is_shown_in_the_same_words_in_every_browser(tab: Tab):
    tab.go("/games/pyrat")
    settled(tab)
    tab.page.context.set_offline(True)
    tab.page.click("text=Play it yourself")

    tab.until(lambda: "The server does not answer." in tab.page.inner_text("main"))
    forgive_the_network(tab)
