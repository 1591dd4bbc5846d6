"""From loss to fix: what the page shows the author of a bot of each turn, and how to play on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

import client_sdk.cli
from client_sdk.replay import from_journal
from games import GAMES
from tests.e2e.arena import Arena
from tests.web.matches import begun
from tests.web.tab import Tab
from tests.web.test_pages import looked_at

OpenTab = Callable[..., Tab]


@pytest.fixture(scope="module")
def lost(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a lost match, with the log of the bot that lost it."""
    folder = tmp_path_factory.mktemp("lost")
    words = ["play", "pyrat", "random", "greedy", "--seed", "7", "--set", "max_turns=40"]
    assert client_sdk.cli.run([*words, "--replay-dir", str(folder)]) == 0
    (folder / "pyrat-7-1-0-random.log").write_text("loaded\nturn 3: which way?\nleft\nturn 4\n")
    return folder


def folded(tab: Tab, part: str, text: str) -> None:
    """Open a part of the author's panel, and wait for a text in it."""
    tab.page.evaluate(
        "(part) => { document.querySelector(`.of-seat details.${part}`).open = true; }", part
    )
    tab.until(lambda: text in tab.page.inner_text(f".of-seat details.{part} > div"))


def test_an_author_reads_each_turn_and_plays_on_from_it(
    tabs: OpenTab, arena: Arena, tmp_path: Path
):
    match = begun(arena, "pyrat", max_turns=40)
    arena.over(match)
    tab = tabs(arena.url)
    tab.go(f"/match/{match}?seat=0")
    tab.shows(viewer=0, turn=0)
    turn = tab.page.evaluate(
        "document.querySelector('arena-match').source.commands.find(({turn}) => turn > 4).turn"
    )
    tab.match_call("seek", turn)
    seen, before = (
        tab.page.evaluate(f"document.querySelector('arena-match').source.viewAt({index})")
        for index in (turn, turn - 1)
    )

    tab.until(lambda: tab.page.locator(".of-seat > .said li[data-kind=good]").count() == 1)
    assert "thought" in tab.page.inner_text(".of-seat .facts")
    folded(tab, "saw", f'"turn": {seen["turn"]}')
    folded(tab, "changes", f"{before['turn']} → {seen['turn']}")
    command = tab.page.inner_text(".of-seat .command code")
    assert f"--from {arena.url}/match/{match}#{turn} " in command
    looked_at(tab, "author")

    words = command.replace("mybot.py", "greedy").replace(" --watch", "").split()
    folder = tmp_path / "again"
    assert client_sdk.cli.run([*words[1:], "--replay-dir", str(folder)]) == 0
    (again,) = folder.glob("*.journal.jsonl")
    played = from_journal(again.read_bytes(), GAMES).splitlines()
    assert played[0].startswith('{"k":"replay"')
    assert f'"of":"{match}"' in again.read_text().splitlines()[0]


def test_the_author_of_a_handed_in_bot_reads_what_it_printed_and_others_get_a_link(
    tabs: OpenTab, arena: Arena
):
    match = begun(arena, "pyrat", max_turns=10)
    arena.over(match)
    found = httpx.get(f"{arena.url}/api/v1/matches/{match}").json()
    found["players"][0]["version"] = 1
    log = [{"turn": "3", "text": "which way?\n", "fault": None}]
    key = httpx.post(f"{arena.url}/api/v1/accounts", json={"name": "author"}).json()["key"]
    tab = tabs(arena.url)
    tab.page.route(f"**/api/v1/matches/{match}", lambda route: route.fulfill(json=found))
    tab.page.route("**/seats/0/log", lambda route: route.fulfill(json=log))
    tab.go(f"/match/{match}?seat=0")
    tab.shows(viewer=0, turn=0)
    link = tab.until(lambda: tab.page.query_selector("text=What it printed, for its author"))
    assert link.get_attribute("href") == f"/submit?match={match}&seat=0"

    tab.page.evaluate("(key) => sessionStorage.setItem('botarena.key', key)", key)
    tab.page.reload()
    tab.shows(viewer=0, turn=0)
    tab.match_call("seek", 3)
    tab.until(lambda: tab.page.inner_text(".printed") == "which way?")
    assert not tab.page.is_visible("text=What it printed, for its author")


def test_a_local_record_comes_with_its_log_and_the_command_names_its_journal(tab: Tab, lost: Path):
    tab.go("/replay")
    tab.page.set_input_files(
        "input[type=file]", [lost / "pyrat-7-1.replay.jsonl", lost / "pyrat-7-1-0-random.log"]
    )
    tab.shows(turn=0)
    tab.match_call("seek", 3)

    tab.until(lambda: tab.page.inner_text(".printed") == "turn 3: which way?\nleft")
    assert tab.page.inner_text(".of-seat .command code") == (
        "botarena play pyrat random.py greedy --from pyrat-7-1.journal.jsonl@3 --watch"
    )
    tab.match_call("seek", 5)
    tab.until(lambda: "Nothing printed" in tab.page.inner_text(".printed"))


def test_a_log_alone_asks_for_its_record(tab: Tab, lost: Path):
    tab.go("/replay")
    tab.page.set_input_files("input[type=file]", [lost / "pyrat-7-1-0-random.log"])

    assert "drop the match's replay" in tab.until(lambda: tab.page.inner_text("main .fault"))
