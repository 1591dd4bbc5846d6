"""The page's dialogs: labels, keyboard operation, and error messages inside the dialog."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from client_sdk.rest import RestClient
from tests.e2e.arena import Arena
from tests.web.tab import Tab
from tests.web.test_contests import signed_in
from tests.web.test_pages import looked_at

OpenTab = Callable[..., Tab]
FOCUSED = "document.activeElement.dataset.keep ?? document.activeElement.id"
CONFIG = {"seats": 2, "map_size": 21, "max_ticks": 100_000, "tick_ms": 200}


@pytest.mark.screenshots
def test_a_wrong_answer_in_a_dialog_is_explained(tabs: OpenTab, club):
    arena, key = club
    with RestClient(arena.url, key=key) as rest:
        match = rest.create("zooscape", config=CONFIG, bots=["greedy", "greedy"])["lobby"]
        tab = tabs(arena.url)
        signed_in(tab, key)
        tab.until(lambda: rest.lobby(match)["state"] == "running")
        tab.until(lambda: tab.page.query_selector(f"[data-keep='abort-{match}']"))
        tab.page.focus(f"[data-keep='abort-{match}']")
        tab.page.keyboard.press("Enter")
        box = tab.page.get_by_role("dialog")
        why = box.get_by_label("why")
        assert why.evaluate("field => field === document.activeElement")
        looked_at(tab, "asked")

        tab.page.keyboard.press("Enter")
        assert box.get_by_text("Say why.").is_visible()
        assert why.get_attribute("aria-invalid") == "true"
        assert not any(address.endswith("/abort") for address in tab.asked)
        why.fill("no_show")
        assert why.get_attribute("aria-invalid") is None
        tab.page.keyboard.press("Enter")
        tab.until(lambda: "none of the server's own reasons" in box.inner_text())
        assert why.get_attribute("aria-invalid") == "true"
        why.fill("the venue closes")
        tab.page.keyboard.press("Enter")
        tab.until(lambda: tab.page.query_selector("dialog") is None)

        assert rest.lobby(match)["outcome"]["reason"] == "the venue closes"
        tab.complaints[:] = [one for one in tab.complaints if "422" not in one]


def test_escape_closes_a_dialog_and_restores_the_focus(tabs: OpenTab, club):
    arena, key = club
    with RestClient(arena.url, key=key) as rest:
        made = rest.create("botstack")
        button = f"[data-keep='abort-{made['lobby']}']"
        tab = tabs(arena.url)
        signed_in(tab, key)
        tab.until(lambda: tab.page.query_selector(button))
        tab.page.evaluate("(button) => { window.before = document.querySelector(button); }", button)
        tab.page.focus(button)
        tab.page.keyboard.press("Enter")
        tab.until(
            lambda: not tab.page.evaluate("window.before.isConnected")
        )  # the list was filled again meanwhile
        tab.page.get_by_role("dialog").get_by_label("why").fill("nothing")
        tab.page.keyboard.press("Escape")
        tab.until(lambda: tab.page.query_selector("dialog") is None)

        assert tab.page.evaluate(FOCUSED) == f"abort-{made['lobby']}"
        assert rest.lobby(made["lobby"])["state"] == "open"
        rest.abort(made["lobby"], "the test is over")


def test_a_dialog_closes_with_its_page(tab: Tab, arena: Arena):
    made = arena.rest.create("botstack")
    tab.go("/")
    tab.until(lambda: tab.page.query_selector(f"a[href='/lobby/{made['lobby']}']"))
    tab.page.click(f"a[href='/lobby/{made['lobby']}']")
    tab.until(lambda: tab.page.query_selector("text=Play here yourself"))
    tab.page.click("text=Play here yourself")
    tab.until(lambda: tab.page.query_selector("dialog[open]"))
    tab.page.go_back()
    tab.until(lambda: tab.page.query_selector("text=The games"))

    assert tab.page.query_selector("dialog") is None


def test_a_person_is_asked_for_the_password_of_a_lobby(tab: Tab, arena: Arena):
    made = arena.rest.create("botstack", password="open sesame", bots=["greedy"])
    tab.go(f"/lobby/{made['lobby']}")
    tab.until(lambda: tab.page.query_selector("text=Play here yourself"))
    assert "--password" in tab.page.inner_text(".command")
    tab.page.click("text=Play here yourself")
    tab.page.get_by_label("your name").fill("Ada")
    tab.page.get_by_label("password", exact=True).fill("sesame")
    tab.page.keyboard.press("Enter")
    tab.until(lambda: tab.page.query_selector("text=this is not the lobby's password"))
    tab.page.get_by_label("password", exact=True).fill("open sesame")
    tab.page.keyboard.press("Enter")
    tab.until(lambda: "/match/" in tab.page.url)

    assert arena.rest.lobby(made["lobby"])["seats"][1]["name"] == "Ada"
    tab.complaints[:] = [one for one in tab.complaints if "403" not in one]


def test_if_copying_is_not_allowed_the_text_is_shown(tab: Tab, arena: Arena):
    made = arena.rest.create("botstack")
    tab.page.add_init_script(
        "navigator.clipboard.writeText = () => Promise.reject(new Error('not here'))"
    )
    tab.go(f"/lobby/{made['lobby']}")
    tab.until(lambda: tab.page.query_selector(".command"))
    tab.page.click(".command button")
    text = tab.page.get_by_role("dialog").get_by_label("text")

    assert (
        text.input_value()
        == f"botarena join {arena.url} --game botstack --lobby {made['lobby']} mybot.py"
    )
    assert tab.page.evaluate("getSelection().toString()") == text.input_value()
    tab.page.keyboard.press("Enter")
    tab.until(lambda: tab.page.query_selector("dialog") is None)


def test_a_copy_button_returns_to_its_label(tabs: OpenTab, arena: Arena):
    made = arena.rest.create("botstack", bots=["greedy", "trivial"])["lobby"]
    tab = tabs(arena.url, permissions=["clipboard-read", "clipboard-write"])
    tab.go(f"/match/{made}")
    tab.shows(match=made)
    button = tab.page.get_by_label("Copy a link to this turn")
    before = button.inner_html()
    button.click()
    tab.until(lambda: button.inner_text() == "Copied")
    button.click()

    tab.until(lambda: button.inner_html() == before)
