"""A network that is away: the page says so, loses nothing, and goes on when it is back."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Route

from client_sdk.rest import RestClient
from tests.accounts.people import person
from tests.e2e.arena import Arena
from tests.web.matches import begun, recorded
from tests.web.tab import Tab
from tests.web.test_pages import looked_at, settled

SOON_S = 5.0
PAGES = (
    "/",
    "/games/pyrat",
    "/matches",
    "/replay",
    "/standings",
    "/ladder/pyrat",
    "/tournaments",
    "/tournament/{tournament}",
    "/lobby/{lobby}",
    "/match/{running}",
    "/match/{over}",
    "/match/{over}?seat=0",
    "/match/{played}?seat=0",
    "/submit",
    "/organiser",
    "/screen",
    "/screen?tournament={tournament}",
)
NO_NETWORK = ("does not answer", "Connection lost")
NOT_THERE = (*NO_NETWORK, "could not be loaded", "Loading …")
BANNER = "body > .offline"
GREEN = """() => [...document.querySelectorAll("main .pill[data-kind=live]")]
  .map((pill) => getComputedStyle(pill).color)"""
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


@pytest.fixture(scope="module")
def ids(arena: Arena, running: str) -> dict[str, str]:
    """What the pages show; `token` is that of a person's seat in `played`."""
    over = begun(arena, "botstack")
    arena.over(over)
    played = arena.rest.create("pyrat", config={"preset": "tiny"}, start_timeout_ms=3_600_000)
    seat = arena.rest.join(played["lobby"], "pyrat", "Ada", kind="human", seat=0)
    arena.rest.add_bot(played["lobby"], "greedy", played["owner_token"])
    with ThreadPoolExecutor(1) as aside:  # the browser has a loop in this thread
        key = aside.submit(person, arena.data, "organiser").result().key
    with RestClient(arena.url, key=key) as rest:
        tournament = rest.create_tournament("Autumn cup", "pyrat")["tournament"]
    return {
        "over": over,
        "running": running,
        "played": played["lobby"],
        "token": seat["token"],
        "lobby": arena.rest.create("pyrat", start_timeout_ms=3_600_000)["lobby"],
        "tournament": tournament,
        "key": key,
    }


def there(tab: Tab) -> bool:
    """The page shows what it is for."""
    text, now = tab.page.inner_text("main"), tab.now()
    heads = tab.page.locator("main h1:visible").all_inner_texts()
    return (
        any(heads)
        and tab.page.locator("main .live-card:not(:has(canvas))").count() == 0
        and not any(words in text for words in NOT_THERE)
        and not tab.page.locator(BANNER).is_visible()
        and ("/match/" not in tab.page.url or (now is not None and now["turn"] is not None))
    )


def go_on(tab: Tab, address: str) -> None:
    """As a link does, without a new document."""
    tab.page.evaluate(
        "(address) => { history.pushState(null, '', address);"
        " dispatchEvent(new PopStateEvent('popstate')); }",
        address,
    )


@pytest.mark.parametrize("address", PAGES)
def test_every_page_says_that_the_network_is_away_and_comes_back_with_it(
    tab: Tab, ids: dict[str, str], address: str
):
    address = address.format(**ids)
    tokens = {ids["played"]: {"seats": {"0": ids["token"]}}}
    tab.go("/standings")
    tab.page.evaluate(
        "([tokens, key]) => { localStorage.setItem('botarena.tokens', tokens);"
        " sessionStorage.setItem('botarena.key', key); }",
        [json.dumps(tokens), ids["key"]],
    )
    network = tab.page.context
    for _ in ("its modules", "only its data"):
        settled(tab)
        network.set_offline(True)
        go_on(tab, address)
        tab.until(lambda: any(words in tab.page.inner_text("main") for words in NO_NETWORK), SOON_S)
        network.set_offline(False)
        tab.until(lambda: there(tab))
        go_on(tab, "/standings")
    go_on(tab, address)
    tab.until(lambda: there(tab))
    green = set(tab.page.evaluate(GREEN))
    network.set_offline(True)
    tab.until(lambda: "You are offline" in tab.page.inner_text(BANNER), SOON_S)
    tab.until(lambda: green.isdisjoint(tab.page.evaluate(GREEN)), SOON_S)
    tab.until(lambda: tab.page.locator(".live[aria-pressed=true]").count() == 0, SOON_S)
    network.set_offline(False)
    tab.until(lambda: there(tab))
    forgive_the_network(tab)


@pytest.mark.parametrize("address", ["/games/pyrat", "/tournament/{tournament}"])
def test_a_page_whose_server_is_silent_says_so_until_it_answers(
    tab: Tab, ids: dict[str, str], address: str
):
    tab.go(address.format(**ids))
    tab.until(lambda: there(tab))
    barred(tab, "**/api/v1/**")
    tab.until(lambda: "The server does not answer" in tab.page.inner_text(BANNER), SOON_S)
    tab.page.unroute("**/api/v1/**")

    tab.until(lambda: there(tab))
    forgive_the_network(tab)


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


def test_a_replay_that_is_dropped_without_network_is_shown_once_it_is_back(tab: Tab):
    tab.go("/tournaments")
    settled(tab)
    tab.page.context.set_offline(True)
    tab.page.evaluate(DROP, recorded("botstack"))
    tab.until(lambda: "could not be loaded" in tab.page.inner_text("main"))
    tab.page.context.set_offline(False)

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


@pytest.mark.parametrize(
    "module",
    ["null.length; export default () => {};", "export default () => { null.length; };"],
    ids=["as it loads", "as it is opened"],
)
def test_a_fault_of_the_page_is_none_of_the_network(tab: Tab, module: str):
    asked: list[str] = []

    def broken(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(body=module, content_type="text/javascript")

    tab.page.route("**/web/pages/standings.js", broken)
    tab.go("/standings")
    tab.until(lambda: "has a fault" in tab.page.inner_text("main"))

    assert "could not be loaded" in tab.page.inner_text("main")
    assert len(tab.complaints) == 1
    assert "of null" in tab.complaints.pop()
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("address", "path"),
    [("/tournaments", "/tournaments"), ("/", "/matches*"), ("/screen", "/matches*")],
)
def test_a_fault_of_a_page_that_refreshes_is_reported(tab: Tab, address: str, path: str):
    tab.page.route(f"**/api/v1{path}", lambda route: route.fulfill(json={"length": 1}))
    tab.go(address)
    tab.until(lambda: tab.complaints)

    tab.complaints[:] = [one for one in tab.complaints if "is not a function" not in one]
