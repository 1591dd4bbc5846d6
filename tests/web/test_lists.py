"""Finding a match: the start page with what runs, the list of all matches, and what the page says
where there is nothing to show."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Route

from tests.e2e.arena import Arena
from tests.web.matches import begun, players
from tests.web.tab import Tab
from tests.web.test_pages import looked_at, settled

OpenTab = Callable[..., Tab]


@pytest.mark.screenshots
def test_the_start_page_shows_running_matches_with_a_picture_the_scores_and_how_far_they_are(
    tab: Tab, running: str
):
    tab.go("/")
    card = tab.page.locator(f"a.live-card[href='/match/{running}']")
    tab.until(lambda: card.locator("canvas").count())
    scores = card.locator(".versus .points")

    tab.until(lambda: scores.count() == 2)
    assert "of 100,000" in card.locator(".pill").inner_text()
    assert " left" in card.inner_text()
    drawn = "(canvas) => canvas.getContext('2d').getImageData(0, 0, 40, 40).data.some(Boolean)"
    assert card.locator("canvas").evaluate(drawn)
    looked_at(tab, "home-running")


@pytest.mark.screenshots
def test_matches_are_filtered_by_game_player_and_result(tab: Tab, arena: Arena):
    bots = players("botstack", {})
    won = arena.over(arena.rest.create("botstack", bots=bots, seed=7)["lobby"])
    winner = bots[won["outcome"]["winner"]]
    loser = next(bot for bot in bots if bot != winner)
    tab.go("/")
    tab.page.click("nav >> text=Matches")
    link = f"a[href='/match/{won['lobby']}']"
    tab.until(lambda: tab.page.query_selector(f"table {link}"))
    tab.page.get_by_label("game", exact=True).select_option("botstack")
    tab.page.get_by_label("player", exact=True).fill(winner)
    tab.page.get_by_label("result", exact=True).select_option("win")
    tab.until(lambda: "result=win" in tab.page.url and tab.page.query_selector(link))
    looked_at(tab, "matches")
    tab.page.get_by_label("player", exact=True).fill(loser)
    tab.page.keyboard.press("Enter")
    tab.until(lambda: tab.page.query_selector(link) is None)
    tab.page.reload()
    tab.until(lambda: tab.page.query_selector("main h2"))

    assert tab.page.get_by_label("player", exact=True).input_value() == loser
    assert tab.page.get_by_label("result", exact=True).input_value() == "win"


@pytest.mark.screenshots
@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/tournamnts", "There is no page at this address"),
        ("/match/abcdefgh", "No such match"),
        ("/lobby/abcdefgh", "No such lobby"),
        ("/games/chess", "No such game"),
        ("/tournament/abcdefgh", "No such tournament"),
    ],
)
def test_what_is_not_there_is_said_in_words_with_a_way_on(tab: Tab, address, words):
    tab.go(address)
    tab.until(lambda: words in tab.page.inner_text("main"))
    settled(tab)

    assert tab.page.locator("main a[href]").count()
    looked_at(tab, f"not-there-{address.split('/')[1]}")
    tab.complaints[:] = [one for one in tab.complaints if "404" not in one]


@pytest.mark.screenshots
def test_a_page_without_network_says_so_at_once(tab: Tab, running: str):
    tab.go(f"/match/{running}")
    tab.shows(status="live")
    tab.page.context.set_offline(True)
    tab.until(lambda: (tab.now() or {}).get("status") == "lost")
    assert tab.page.locator(".offline").is_visible()
    looked_at(tab, "offline")
    tab.page.context.set_offline(False)

    tab.shows(status="live")
    assert not tab.page.locator(".offline").is_visible()
    tab.complaints[:] = [one for one in tab.complaints if "INTERNET_DISCONNECTED" not in one]


@pytest.mark.screenshots
def test_a_page_that_cannot_be_loaded_says_so_and_is_tried_again(tab: Tab):
    tab.go("/")
    settled(tab)
    tab.page.route("**/api/v1/tournaments**", lambda route: route.abort())
    tab.page.route("**/web/pages/standings.js", lambda route: route.abort())
    tab.page.click("nav >> text=Standings")
    tab.until(lambda: "could not be loaded" in tab.page.inner_text("main"))
    looked_at(tab, "not-loaded")
    tab.page.unroute("**/web/pages/standings.js")

    tab.until(lambda: "Ratings from rated matches" in tab.page.inner_text("main"))
    tab.complaints[:] = [one for one in tab.complaints if "net::ERR_FAILED" not in one]


def test_a_match_says_what_it_waits_for_until_there_is_a_frame(tab: Tab, arena: Arena):
    over = arena.over(begun(arena, "botstack"))["lobby"]
    held: list[Route] = []
    tab.page.route(f"**/api/v1/replays/{over}", lambda route: held.append(route))  # noqa: PLW0108  Playwright wants a function
    tab.go(f"/match/{over}")
    tab.until(lambda: held)
    assert "Loading the replay" in tab.page.inner_text(".notice")
    held[0].continue_()

    tab.until(lambda: not tab.page.locator(".notice").is_visible())
    assert tab.shows(status="replay")["turn"] is not None
