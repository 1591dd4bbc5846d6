"""From a game to a lobby to a match, on the page alone."""

from __future__ import annotations

from collections.abc import Callable

from tests.e2e.arena import Arena
from tests.web.tab import Tab

OpenTab = Callable[..., Tab]


def form(tab: Tab, game: str) -> None:
    tab.go(f"/games/{game}")
    tab.until(lambda: tab.page.query_selector("form"))


def test_a_lobby_is_created_filled_with_house_bots_started_and_watched(tab: Tab, arena: Arena):
    form(tab, "pyrat")
    tab.page.get_by_label("name", exact=True).fill("First lobby")
    tab.page.get_by_label("preset", exact=True).select_option("tiny")
    tab.page.get_by_label("bot on seat 0", exact=True).select_option("greedy")
    tab.page.click("text=Open the lobby")
    tab.until(lambda: "/lobby/" in tab.page.url)
    lobby = tab.page.url.rsplit("/", 1)[1]
    described = arena.rest.lobby(lobby)
    assert (described["name"], described["config"]["preset"]) == ("First lobby", "tiny")
    assert [seat["name"] for seat in described["seats"]] == ["greedy", None]

    tab.until(lambda: tab.page.query_selector("text=Add house bot"))
    tab.page.get_by_label("House bot for seat 1").select_option("random")
    tab.page.click("text=Add house bot")
    tab.until(lambda: f"/match/{lobby}" in tab.page.url)
    tab.shows(status="replay", match=lobby)
    assert [seat["name"] for seat in arena.rest.lobby(lobby)["seats"]] == ["greedy", "random"]


def test_only_filled_fields_are_sent(tab: Tab, arena: Arena):
    form(tab, "zooscape")
    tab.page.get_by_label("max ticks", exact=True).fill("7")
    tab.page.get_by_label("map", exact=True).select_option("learning")
    with tab.page.expect_request(lambda request: request.method == "POST") as sent:
        tab.page.click("text=Open the lobby")

    posted = sent.value.post_data_json
    assert posted["config"] == {"max_ticks": 7}
    assert posted["map"] == "learning"
    tab.until(lambda: "/lobby/" in tab.page.url)


def test_a_servers_error_is_shown_at_its_field(tab: Tab):
    form(tab, "pyrat")
    tab.page.click("text=more parameters")
    tab.page.get_by_label("mud min", exact=True).fill("1")
    tab.page.click("text=Open the lobby")
    field = tab.page.get_by_label("mud min", exact=True)
    tab.until(lambda: field.get_attribute("aria-invalid") == "true")

    assert "2 to 255" in tab.page.locator(".field", has=field).locator(".fault").inner_text()
    assert tab.page.evaluate("document.activeElement.getAttribute('aria-invalid')") == "true"
    tab.complaints[:] = [one for one in tab.complaints if "422" not in one]


def test_invalid_json_is_not_sent(tab: Tab):
    form(tab, "pyrat")
    tab.page.click("text=more parameters")
    tab.page.get_by_label("cheese", exact=True).fill("[[1,")
    tab.page.click("text=Open the lobby")

    assert "not JSON" in tab.until(tab.page.locator(".fault:not(:empty)").first.inner_text)
    assert "/games/pyrat" in tab.page.url


def test_the_owner_starts_a_lobby_and_house_bots_fill_in(tab: Tab, arena: Arena):
    form(tab, "botstack")
    tab.page.click("text=Open the lobby")
    tab.until(lambda: "/lobby/" in tab.page.url)
    lobby = tab.page.url.rsplit("/", 1)[1]
    tab.until(lambda: tab.page.query_selector("text=Start with house bots"))
    tab.page.click("text=Start with house bots")

    tab.shows(match=lobby)
    assert arena.over(lobby)["outcome"]["outcome"] != "aborted"


def test_a_lobby_that_waits_for_its_owner_is_started_on_its_page(tab: Tab, arena: Arena):
    form(tab, "botstack")
    tab.page.click("summary:has-text('Seed, faults')")
    tab.page.get_by_label("wait for me", exact=True).check()
    tab.page.click("text=Open the lobby")
    tab.until(lambda: "/lobby/" in tab.page.url)
    lobby = tab.page.url.rsplit("/", 1)[1]
    for seat in range(2):
        tab.page.click(f"[data-keep='add-{seat}']")
    tab.until(lambda: tab.page.query_selector("text=its owner starts it"))
    tab.until(lambda: len(tab.page.query_selector_all("text=· ready")) == 2)
    assert arena.rest.lobby(lobby)["state"] == "open"
    tab.page.click("button:text-is('Start')")

    tab.shows(match=lobby)
    arena.over(lobby)


def test_other_people_see_the_lobby_but_cannot_start_it(tabs: OpenTab, arena: Arena):
    made = arena.rest.create("botstack", name="Open to all")
    tab = tabs(arena.url)
    tab.go("/")
    tab.until(lambda: tab.page.query_selector("text=Open to all"))
    tab.page.click("text=Open to all")
    tab.until(lambda: tab.page.url.endswith(f"/lobby/{made['lobby']}"))
    tab.until(lambda: tab.page.query_selector("text=Play here yourself"))
    assert tab.page.query_selector("text=Start, house bots") is None
    assert tab.page.query_selector("text=Add house bot") is None
    arena.rest.join(made["lobby"], "botstack", "someone")

    tab.until(lambda: tab.page.query_selector("text=someone"))
    assert "one seat is free" in tab.page.inner_text("main")


def test_the_command_line_that_connects_a_bot_is_copied(tabs: OpenTab, arena: Arena):
    made = arena.rest.create("botstack")
    tab = tabs(arena.url, permissions=["clipboard-read", "clipboard-write"])
    tab.go(f"/lobby/{made['lobby']}")
    tab.until(lambda: tab.page.query_selector(".command"))
    tab.page.click(".command button")
    tab.until(lambda: tab.page.query_selector("text=Copied"))

    copied = tab.page.evaluate("navigator.clipboard.readText()")
    assert copied == f"botarena join {arena.url} --game botstack --lobby {made['lobby']} mybot.py"


def test_an_invitation_opens_a_private_lobby_and_is_in_no_address(tabs: OpenTab, arena: Arena):
    made = arena.rest.create("botstack", private=True, bots=["greedy"])
    tab = tabs(arena.url)
    tab.go(f"/lobby/{made['lobby']}#invite={made['invite']}")
    tab.until(lambda: tab.page.query_selector("text=Play here yourself"))

    assert tab.page.url == f"{arena.url}/lobby/{made['lobby']}"
    assert not any(made["invite"] in address for address in tab.asked if "#" not in address)
    assert f"--invite {made['invite']}" in tab.page.inner_text(".command")


def test_a_person_takes_a_seat_and_the_browser_keeps_its_token(tabs: OpenTab, arena: Arena):
    made = arena.rest.create("botstack", bots=["greedy"])
    tab = tabs(arena.url)
    tab.go(f"/lobby/{made['lobby']}")
    tab.until(lambda: tab.page.query_selector("text=Play here yourself"))
    tab.page.click("text=Play here yourself")
    tab.page.get_by_label("your name").fill("Ada")
    tab.page.keyboard.press("Enter")
    tab.until(lambda: "/match/" in tab.page.url)

    seat = arena.rest.lobby(made["lobby"])["seats"][1]
    assert (seat["name"], seat["kind"]) == ("Ada", "human")
    kept = tab.page.evaluate("JSON.parse(localStorage.getItem('botarena.tokens'))")
    assert list(kept[made["lobby"]]["seats"]) == ["1"]
    assert not any("s_" in address for address in tab.asked)
