"""The big screen directs: it announces each game, shows it whole, then how things stand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from client_sdk.rest import RestClient
from tests.e2e.arena import Arena, started
from tests.web.matches import begun
from tests.web.tab import EVENT_S, Tab
from tests.web.test_contests import signed_in
from tests.web.test_pages import fits

OpenTab = Callable[..., Tab]
FIRST_SHOWN = """window.firstShown = {};
(function look() {
  const { match, turn } = document.querySelector("arena-match")?.state ?? {};
  if (match && turn !== null)
    window.firstShown[match] = Math.min(window.firstShown[match] ?? turn, turn);
  requestAnimationFrame(look);
})()"""
"""Notes the earliest turn of each match that is drawn: the test would look too seldom."""


@pytest.mark.screenshots
def test_the_big_screen_shows_every_game_of_a_bracket_from_its_start_while_the_event_waits(
    tabs: OpenTab, club: tuple[Arena, str]
):
    arena, key = club
    with RestClient(arena.url, key=key) as rest:
        made = rest.create_tournament(
            "Spring cup",
            "pyrat",
            config={"preset": "tiny", "max_turns": 16},
            format={
                "format": "knock-out",
                "bracket_size": 4,
                "best_of_final": 1,
                "max_extra_games": 0,
                "check": False,
                "wait_for_screen_s": 600,
            },
            bots=[
                {"house": one, "name": f"{one} {n}"} for n in "12" for one in ("greedy", "random")
            ],
        )
        id_ = str(made["tournament"])
        tab = tabs(arena.url)
        signed_in(tab, key)
        tab.page.add_init_script(FIRST_SHOWN)
        tab.go(f"/screen?tournament={id_}&speed=4")
        tab.until(lambda: tab.page.query_selector("text=Entries are open. Bots: 4"))
        rest.lead(id_, "start")
        seen: list[str] = []
        pictures: set[str] = set()

        def picture(name: str) -> None:
            if name not in pictures:
                pictures.add(name)
                assert fits(tab)
                tab.shot(name)

        def followed() -> bool:
            """Look at what is shown; whether the winner is named."""
            now = tab.now()
            if now and now["match"] and now["turn"] is not None:
                if now["match"] not in seen:
                    seen.append(now["match"])
                    begun_games = [one for one in rest.tournament(id_)["games"] if one["match"]]
                    assert len(begun_games) == len(seen)  # the event waits
                elif now["turn"] > 5:
                    picture("screen-match")
            elif tab.page.query_selector(".announced"):
                picture("screen-announced")
            elif seen and tab.page.query_selector(".between .bracket"):
                picture("screen-bracket")
            return tab.page.query_selector(".between .podium") is not None

        tab.until(followed, EVENT_S)
        games = rest.tournament(id_)["games"]
        first_shown = tab.page.evaluate("window.firstShown")
        assert list(first_shown) == [game["match"] for game in games]
        assert max(first_shown.values()) < 8
        tab.shot("screen-winner")
        size = "parseFloat(getComputedStyle(document.querySelector('.between .lead')).fontSize)"
        assert tab.page.evaluate(size) > 30  # at 1920x1080, ten metres away


def test_the_big_screen_shows_a_match_that_is_over_already_and_then_the_next(
    tabs: OpenTab, tmp_path: Path
):
    with started(tmp_path) as arena:  # without matches of other tests
        arena.over(begun(arena, "botstack"))
        tab = tabs(arena.url)
        tab.go("/screen?speed=16")
        tab.until(lambda: tab.page.query_selector("text=Nothing is played at this moment"))
        assert tab.page.query_selector("text=Just played")
        quick = begun(arena, "botstack")
        tab.until(lambda: (now := tab.now()) and now["match"] == quick)
        tab.until(lambda: (now := tab.now()) and now["outcome"] and now["index"] == now["last"])
        tab.until(lambda: tab.page.query_selector(f".between [data-game='{quick}']"))
        running = begun(arena, "zooscape", max_ticks=100_000, tick_ms=100)
        tab.shows(match=running, live=True)

        shown = "getComputedStyle(document.querySelector('.top')).display"
        assert tab.page.evaluate(shown) == "none"
