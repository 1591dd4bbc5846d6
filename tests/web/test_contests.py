"""Contests on the page: an organiser leads one by clicks, all visitors see the standings, the big
screen follows it."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Route

from client_sdk.rest import RestClient
from tests.e2e.arena import started
from tests.web.matches import begun
from tests.web.tab import Tab
from tests.web.test_pages import looked_at

OpenTab = Callable[..., Tab]
FILLED = {
    "matches per pairing": "2",
    "bracket size": "2",
    "best of final": "1",
    "total turns": "400",
}


def signed_in(tab: Tab, key: str) -> None:
    tab.go("/organiser")
    tab.page.get_by_label("key", exact=True).fill(key)
    tab.page.click("text=Use this key")
    tab.until(lambda: tab.page.query_selector("text=Drain: no new matches"))
    tab.complaints[:] = [one for one in tab.complaints if "401" not in one]


def answer(tab: Tab, why: str, button: str) -> None:
    """Say why, in the box that asks for it."""
    tab.page.get_by_role("dialog").get_by_label("why").fill(why)
    tab.page.get_by_role("dialog").get_by_role("button", name=button).click()


def test_a_closed_server_asks_for_a_key_on_every_page(tabs: OpenTab, club):
    arena, key = club
    tab = tabs(arena.url)
    for address in ("/", "/standings", "/tournaments", "/replay"):
        tab.go(address)
        tab.until(lambda: tab.page.query_selector("a[href='/organiser']:has-text('enter it')"))
    signed_in(tab, key)
    tab.page.click("nav >> text=Standings")
    tab.until(lambda: tab.page.query_selector("text=Nothing has been played here yet"))

    assert key not in tab.page.evaluate("JSON.stringify({...localStorage})")
    assert not any(key in address for address in tab.asked)
    tab.complaints[:] = [one for one in tab.complaints if "401" not in one]


def test_an_organiser_creates_and_leads_a_tournament_and_the_big_screen_follows_it(
    tabs: OpenTab, club
):
    arena, key = club
    with RestClient(arena.url, key=key) as rest:
        tab = tabs(arena.url)
        signed_in(tab, key)
        tab.page.click("text=A new tournament")
        tab.page.get_by_label("game", exact=True).select_option("cookoff")
        tab.until(lambda: tab.page.query_selector("text=Create the tournament"))
        tab.page.get_by_label("best of final").fill("2")
        tab.page.get_by_label("name", exact=True).fill("Spring cup")
        tab.page.get_by_label("number of greedy").fill("1")
        tab.page.get_by_label("number of noodles").fill("1")
        tab.page.get_by_label("check", exact=True).select_option("false")
        tab.page.get_by_label("round robin public").select_option("true")
        tab.page.click("text=Create the tournament")
        tab.until(
            lambda: (
                "odd number" in tab.page.inner_text("form[aria-label='New tournament']")
                and tab.page.query_selector("[aria-invalid=true]")
            )
        )
        tab.page.evaluate("scrollTo(0, 0)")
        looked_at(tab, "organiser-leads")
        tab.page.click("text=Parameters of")
        for label, value in FILLED.items():
            tab.page.get_by_label(label, exact=True).fill(value)
        tab.page.click("text=Create the tournament")
        tab.until(lambda: "/tournament/" in tab.page.url)
        id_ = tab.page.url.rsplit("/", 1)[1]
        tab.until(lambda: tab.page.query_selector("text=Start: entries close"))
        assert [one["id"] for one in rest.tournament(id_)["entrants"]] == ["noodles", "greedy"]

        big = tabs(arena.url)
        signed_in(big, key)
        big.go(f"/screen?tournament={id_}")
        tab.page.click("text=Start: entries close")
        big.until(lambda: (now := big.now()) and now["turn"] is not None)
        tab.page.click("text=Pause")
        tab.until(lambda: tab.page.query_selector("text=Resume"))
        assert rest.tournament(id_)["paused"]
        big.shot("big-screen")
        tab.page.click("text=Resume")
        tab.until(lambda: tab.page.query_selector(".podium"))
        event = rest.tournament(id_)
        assert event["state"] == "finished"
        assert tab.page.inner_text(".podium .place-1 .name") == event["placings"][0]
        big.until(lambda: f"{event['placings'][0]} wins" in big.page.inner_text(".between"))

        final = event["bracket"][-1]
        loser = final["players"].index(final["loser"])
        tab.page.click("summary:has-text('All games')")
        tab.page.click("[data-keep='override-F-1']")
        for name in next(game for game in event["games"] if game["game"] == "F-1")["seats"]:
            first = name == final["players"][loser]
            tab.page.get_by_label(f"{name}: place").fill("1" if first else "2")
            tab.page.get_by_label(f"{name}: score").fill("7" if first else "3")
        answer(tab, "the wrong map", "Override")
        tab.until(lambda: tab.page.inner_text(".podium .place-1 .name") == final["loser"])
        overridden = next(game for game in rest.tournament(id_)["games"] if game["game"] == "F-1")
        assert sorted(overridden["result"]["score"]) == [3, 7]
        tab.page.click("summary:has-text('Log')")
        assert re.search(
            r"F-1, .* – .* \d : \d · the wrong map",
            tab.page.locator("tr", has_text="the wrong map").inner_text(),
        )
        tab.page.click("[data-keep^='undo-'] >> nth=0")
        answer(tab, "it was the right map", "Undo")
        tab.until(lambda: tab.page.inner_text(".podium .place-1 .name") == final["winner"])
        assert rest.tournament(id_)["log"][-1]["why"] == "it was the right map"
        tab.page.evaluate("scrollTo(0, 0)")
        looked_at(tab, "tournament")
        tab.go("/tournaments")
        tab.until(lambda: tab.page.query_selector("text=Spring cup"))
        looked_at(tab, "tournaments-held")
        tab.complaints[:] = [one for one in tab.complaints if "422" not in one]


def test_the_big_screen_changes_matches_by_itself(tabs: OpenTab, tmp_path):
    with started(tmp_path) as arena:  # without matches of other tests
        first = begun(arena, "zooscape", max_ticks=100, tick_ms=100)
        tab = tabs(arena.url)
        tab.go("/screen")
        tab.shows(match=first, status="live", following=True)
        second = begun(arena, "zooscape", max_ticks=100_000, tick_ms=100)
        tab.shows(match=first, status="over")
        tab.shows(match=second, status="live", following=True)

        shown = "getComputedStyle(document.querySelector('.top')).display"
        assert tab.page.evaluate(shown) == "none"


def test_the_big_screen_shows_results_of_very_short_games(tabs: OpenTab, tmp_path):
    with started(tmp_path) as arena:
        arena.over(begun(arena, "botstack"))
        tab = tabs(arena.url)
        asked: list[Route] = []

        def held(route: Route) -> None:
            """The first one; the others pass."""
            if asked:
                route.continue_()
            else:
                asked.append(route)

        tab.go("/screen")
        tab.until(lambda: tab.page.query_selector("text=Nothing is played at this moment"))
        assert tab.page.query_selector("text=Just played") is None
        tab.page.route("**/api/v1/matches?**", held)
        tab.until(lambda: asked)
        quick = arena.over(begun(arena, "botstack"))
        asked[0].continue_()

        tab.until(lambda: tab.page.query_selector("text=Just played"))
        winner = quick["seats"][quick["outcome"]["winner"]]["name"]
        assert [
            f"{winner} wins" in one for one in tab.page.locator(".between li").all_inner_texts()
        ] == [True]
        seen = begun(arena, "zooscape", max_ticks=150, tick_ms=100)
        tab.shows(match=seen, status="over")
        tab.until(lambda: tab.page.query_selector(".between:not([hidden])"))
        assert "Zooscape" in tab.page.locator(".between li").first.inner_text()


def test_an_organiser_ends_a_match_and_drains_the_server(tabs: OpenTab, club):
    arena, key = club
    with RestClient(arena.url, key=key) as rest:
        config = {"seats": 2, "map_size": 21, "max_ticks": 100_000, "tick_ms": 200}
        match = rest.create("zooscape", config=config, bots=["greedy", "greedy"])["lobby"]
        tab = tabs(arena.url)
        signed_in(tab, key)
        tab.until(lambda: rest.lobby(match)["state"] == "running")
        tab.until(lambda: tab.page.query_selector(f"[data-keep='abort-{match}']"))
        tab.page.click(f"[data-keep='abort-{match}']")
        answer(tab, "the wrong map", "Abort it")
        over = tab.until(lambda: (found := rest.lobby(match))["outcome"] and found)
        tab.page.click("text=Drain: no new matches")
        tab.until(lambda: tab.page.query_selector("text=Take new matches again"))
        assert rest.draining()["draining"]
        tab.page.click("text=Take new matches again")
        tab.until(lambda: tab.page.query_selector("text=Drain: no new matches"))

        assert over["outcome"]["reason"] == "the wrong map"
        assert not rest.draining()["draining"]
