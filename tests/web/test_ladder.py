"""The ladder of a game on the page: who is on it, its maps, and challenges."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from client_sdk.rest import RestClient
from server.store.store import sqlite_url
from tests.accounts.people import person
from tests.e2e.arena import started
from tests.stores import written
from tests.tournaments.versions import STAYS, version
from tests.web.tab import Tab
from tests.web.test_pages import looked_at

OpenTab = Callable[..., Tab]


def test_a_bot_challenges_another_on_the_page_and_sets_which_it_accepts(
    tabs: OpenTab, tmp_path: Path
):
    people = {}
    with ThreadPoolExecutor(1) as aside:  # the browser has a loop in this thread
        for kind, name in (("bot", "Ada"), ("bot", "Bob"), ("organiser", "Cyd")):
            people[name] = aside.submit(person, tmp_path, kind, name).result().key
    with started(
        tmp_path, BOTARENA_LADDER="botstack, pyrat", BOTARENA_LADDER_PACE_MS="100000000"
    ) as arena:
        for name in ("Ada", "Bob"):
            with RestClient(arena.url, key=people[name]) as rest:
                rest.climb("pyrat")
        with RestClient(arena.url, key=people["Cyd"]) as rest:
            rest.set_map_pool("pyrat", [{"map": "open", "weight": 2}, {"map": None}])
        tab = tabs(arena.url)
        tab.go("/ladder/pyrat")
        tab.until(lambda: tab.page.query_selector("text=open (2), generated (1)"))
        assert tab.page.query_selector("button:has-text('Challenge')") is None
        tab.page.get_by_label("key", exact=True).fill(people["Ada"])
        tab.page.click("text=Use this key")
        tab.until(lambda: tab.page.query_selector("tr:has-text('Bob') >> text=Challenge"))

        tab.page.click("tr:has-text('Bob') >> text=Challenge")
        tab.page.get_by_role("dialog").get_by_role("button", name="Challenge").click()
        tab.until(lambda: tab.page.query_selector("tr:has-text('Ada'):has-text('open')"))
        looked_at(tab, "ladder-challenges")
        tab.page.click("text=Withdraw")
        tab.until(lambda: tab.page.query_selector("tr:has-text('Ada'):has-text('withdrawn')"))

        tab.page.click("text=Your bot accepts")
        tab.page.get_by_label("accepts", exact=True).select_option("never")
        tab.page.click("text=Set it")
        tab.until(lambda: tab.page.query_selector("text=Your bot accepts: none"))
        with RestClient(arena.url) as rest:
            (rule,) = [
                one["accepts"]["accepts"]
                for one in rest.ladder("pyrat")["bots"]
                if one["name"] == "Ada"
            ]
        assert rule == "never"


def test_an_organiser_sets_the_maps_of_a_ladder_on_the_page(tabs: OpenTab, tmp_path: Path):
    keys = {}
    with ThreadPoolExecutor(1) as aside:  # the browser has a loop in this thread
        for kind in ("bot", "organiser"):
            keys[kind] = aside.submit(person, tmp_path, kind, "Ada").result().key
    with (
        started(tmp_path, BOTARENA_LADDER="pyrat") as arena,
        RestClient(arena.url, key=keys["organiser"]) as rest,
    ):
        rest.set_map_pool("pyrat", [{"map": "open", "weight": 2}, {"map": None}])
        tab = tabs(arena.url)

        def uses(key: str) -> None:
            tab.page.get_by_label("key", exact=True).fill(key)
            tab.page.click("text=Use this key")

        tab.go("/ladder/pyrat")
        uses(keys["bot"])
        tab.until(lambda: tab.page.query_selector("text=Forget the key"))
        assert tab.page.query_selector("text=Set the maps") is None
        tab.page.click("text=Forget the key")
        uses(keys["organiser"])
        tab.until(lambda: tab.page.query_selector("text=Set the maps"))

        tab.page.locator("text=Set the maps").focus()
        tab.page.keyboard.press("Enter")
        dialog = tab.page.get_by_role("dialog", name="Maps of the ladder")
        weight = {
            name: dialog.get_by_label(name, exact=True) for name in ("generated", "open", "swamp")
        }
        assert [one.input_value() for one in weight.values()] == ["1", "2", ""]
        weight["generated"].fill("")
        weight["swamp"].fill("0")
        tab.page.keyboard.press("Enter")
        tab.until(lambda: weight["swamp"].get_attribute("aria-invalid"))
        assert weight["swamp"].evaluate("(one) => one === document.activeElement")
        looked_at(tab, "ladder-maps")
        weight["swamp"].fill("3")
        tab.page.keyboard.press("Enter")
        tab.until(lambda: tab.page.query_selector("text=version 2, with their weights: open (2)"))
        tab.until(lambda: tab.page.evaluate("document.activeElement.dataset.keep") == "maps")
        assert rest.map_pools("pyrat")[0]["maps"] == [
            {"map": "open", "weight": 2},
            {"map": "swamp", "weight": 3},
        ]

        tab.page.click("text=Set the maps")
        for one in weight.values():
            one.fill("")
        dialog.get_by_role("button", name="Set the maps").click()
        tab.until(lambda: dialog.locator("form > .fault:not(:empty)").count())
        tab.complaints[:] = [one for one in tab.complaints if "422" not in one]


def test_a_bot_that_was_handed_in_is_put_on_the_ladder_by_the_page(tabs: OpenTab, tmp_path: Path):
    with ThreadPoolExecutor(1) as aside:  # the browser has a loop in this thread
        ada = aside.submit(person, tmp_path, "bot", "Ada").result()
        aside.submit(version, sqlite_url(tmp_path), ada.id, "crusher").result()
    with started(tmp_path, BOTARENA_LADDER="pyrat", BOTARENA_LADDER_PACE_MS="100000000") as arena:
        tab = tabs(arena.url)
        tab.go("/submit")
        tab.page.get_by_label("key", exact=True).fill(ada.key)
        tab.page.click("text=Use this key")
        tab.until(lambda: tab.page.query_selector("text=crusher, version 1"))
        tab.page.click("text=Put it on the ladder")
        tab.until(lambda: tab.page.query_selector("text=It is on the ladder"))
        looked_at(tab, "submit-ladder")
        tab.page.get_by_role("link", name="The ladder").click()
        tab.until(lambda: tab.page.query_selector("tr:has-text('Ada'):has-text('version 1')"))
        looked_at(tab, "ladder-handed-in")


def test_a_version_that_was_set_aside_is_let_play_again_on_the_page(tabs: OpenTab, tmp_path: Path):
    why = "set aside: it did not come to 5 games in a row of the ladder, or crashed in them"
    with ThreadPoolExecutor(1) as aside:  # the browser has a loop in this thread
        ada = aside.submit(person, tmp_path, "bot", "Ada").result()
        about = {"state": "set_aside", "reason": why}
        aside.submit(version, sqlite_url(tmp_path), ada.id, "crusher", **about).result()
    with started(tmp_path) as arena:
        tab = tabs(arena.url)
        tab.go("/submit")
        tab.page.get_by_label("key", exact=True).fill(ada.key)
        tab.page.click("text=Use this key")
        tab.until(lambda: tab.page.query_selector(f"text={why}"))
        looked_at(tab, "submit-set-aside")
        tab.page.click("text=Let it play again")
        tab.until(lambda: tab.page.query_selector(".pill[data-kind='live']"))


def test_a_version_whose_file_was_deleted_says_so_on_the_page(tabs: OpenTab, tmp_path: Path):
    with ThreadPoolExecutor(1) as aside:  # the browser has a loop in this thread
        ada = aside.submit(person, tmp_path, "bot", "Ada").result()
        about = {"state": "set_aside"}
        aside.submit(version, sqlite_url(tmp_path), ada.id, "crusher", **about).result()
    written(tmp_path, "update files set size = 0, content = x''")
    with started(tmp_path) as arena:
        tab = tabs(arena.url)
        tab.go("/submit")
        tab.page.get_by_label("key", exact=True).fill(ada.key)
        tab.page.click("text=Use this key")
        tab.until(lambda: tab.page.query_selector("text=cannot play again"))
        assert tab.page.query_selector("text=Let it play again") is None


def test_the_page_shows_how_the_trial_of_a_version_goes(tabs: OpenTab, tmp_path: Path):
    with ThreadPoolExecutor(1) as aside:  # the browser has a loop in this thread
        ada = aside.submit(person, tmp_path, "bot", "Ada").result()
        for trial in (None, True):
            about = {"text": f"{STAYS}# {trial}", "trial": trial}
            aside.submit(version, sqlite_url(tmp_path), ada.id, "crusher", **about).result()
    with started(tmp_path, BOTARENA_TRIAL_PAIRS="90", BOTARENA_SUBMISSIONS="true") as arena:
        tab = tabs(arena.url)
        tab.go("/submit")
        tab.page.get_by_label("key", exact=True).fill(ada.key)
        tab.page.click("text=Use this key")
        tab.until(lambda: tab.page.query_selector(".pill[data-kind='waiting']:has-text('testing')"))
        assert "of at most 90 pairs" in tab.page.inner_text("text=Its trial:")
        tab.until(lambda: tab.page.query_selector("label:has-text('trial')"))
        looked_at(tab, "submit-trial")
