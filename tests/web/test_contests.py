"""Contests on the page: an organiser leads one by clicks, all visitors see the standings, the big
screen follows it."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from client_sdk.rest import RestClient
from tests.accounts.people import person
from tests.waiting import PATIENCE_S
from tests.web.tab import EVENT_S, Tab
from tests.web.test_pages import looked_at

OpenTab = Callable[..., Tab]
FILLED = {
    "matches per pairing": "2",
    "bracket size": "2",
    "best of final": "1",
    "total turns": "400",
}


def signed_in(tab: Tab, key: str, shown: str = "Drain: no new matches") -> None:
    tab.go("/organiser")
    tab.page.get_by_label("key", exact=True).fill(key)
    tab.page.click("text=Use this key")
    tab.until(lambda: tab.page.query_selector(f"text={shown}"))
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


@pytest.mark.screenshots
@pytest.mark.timeout(600)
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
        big.go(f"/screen?tournament={id_}&speed=16")
        tab.page.click("text=Start: entries close")
        big.until(lambda: (now := big.now()) and now["turn"] is not None)
        tab.page.click("text=Pause")
        tab.until(lambda: tab.page.query_selector("text=Resume"))
        assert rest.tournament(id_)["paused"]
        big.shot("big-screen")
        tab.page.click("text=Resume")
        tab.until(lambda: tab.page.query_selector(".podium"), EVENT_S)
        event = rest.tournament(id_)
        assert event["state"] == "finished"
        assert tab.page.inner_text(".podium .place-1 .name") == event["placings"][0]
        wins = f"{event['placings'][0]} wins"
        big.until(
            lambda: (
                big.page.keyboard.press("l")  # past the pace of the match that is shown
                or wins in big.page.inner_text(".between")
            ),
            EVENT_S,
        )

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


def test_a_hidden_first_stage_is_called_hidden_where_its_results_would_be(tabs: OpenTab, club):
    arena, key = club
    with ThreadPoolExecutor(1) as aside:  # the browser has a loop in this thread
        other = aside.submit(person, arena.data, "bot", "visitor").result().key
    with RestClient(arena.url, key=key) as rest:
        bots = [{"house": "greedy", "name": name} for name in ("one", "two")]
        hidden = {"format": "contest", "check": False, "hide_first_stage": True, "bracket_size": 2}
        id_ = str(rest.create_tournament("Hidden", "pyrat", format=hidden, bots=bots)["tournament"])
        rest.lead(id_, "start")
        rest.lead(id_, "pause")
    visitor, leader = tabs(arena.url), tabs(arena.url)
    for tab, with_key, buttons in ((visitor, other, 1), (leader, key, 3)):
        signed_in(tab, with_key, "Forget the key")
        tab.go(f"/tournament/{id_}")
        lead = tab.until(lambda tab=tab: tab.page.query_selector(".lead"))
        assert "Stage 1 is hidden from the public until it is over." in lead.inner_text()
        assert len(tab.page.query_selector_all(".page > section:first-child a.button")) == buttons
    assert "games played" in lead.inner_text()
    assert not visitor.page.is_visible("text=Standings so far")
    visitor.page.click("summary:has-text('All games')")
    states = visitor.page.locator("details[open] td:last-child")
    found = visitor.until(states.all_inner_texts)
    assert set(found) == {"hidden"}


def test_long_tables_come_a_page_at_a_time_and_are_searched_by_name(tabs: OpenTab, club):
    arena, key = club
    bots = [{"house": "greedy", "name": f"bot {number}"} for number in range(1, 131)]
    with RestClient(arena.url, key=key, timeout_s=PATIENCE_S) as rest:
        id_ = rest.create_tournament("Large", "pyrat", bots=bots)["tournament"]
    tab = tabs(arena.url)
    signed_in(tab, key)
    tab.go(f"/tournament/{id_}")
    tab.until(lambda: tab.page.query_selector("text=1 to 100 of 130"))
    tab.page.click("text=Next")
    tab.until(lambda: tab.page.query_selector("text=101 to 130 of 130"))
    assert tab.page.query_selector("strong:text-is('bot 130')")
    tab.page.evaluate("scrollTo(0, 0)")
    looked_at(tab, "tournament-large")
    tab.page.get_by_label("Bots: search by name").fill("BOT 12")
    tab.until(lambda: tab.page.query_selector("text=1 to 11 of 11"))
    tab.page.get_by_label("Bots: search by name").fill("xyz")
    tab.until(lambda: tab.page.query_selector("text=none found"))


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
