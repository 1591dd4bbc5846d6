"""A seat on the page: played by a person over the bots' protocol, or watched by the author of its
bot."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from games import GAMES
from tests.e2e.arena import Arena, hello, receive, send
from tests.web.tab import Tab
from tests.web.test_pages import looked_at

OpenTab = Callable[..., Tab]
HELD = """(({header, entries, events, commands}) => [header, entries, events, commands])(
  document.querySelector('arena-match').source.replay)"""
"""All that the page knows of a seat's record."""
TABLE = {"width": 16, "height": 10}
"""BotStack's picture: the players' middles are 2.5 from its sides."""
MAZE = {
    "preset": "tiny",
    "mud_density": 0,
    "move_timeout_ms": 0,
    "preprocessing_timeout_ms": 0,
    "max_turns": 4,
}


def decides(tab: Tab) -> dict[str, Any] | None:
    """The view that awaits an answer of the person, or the outcome."""
    return tab.page.evaluate(
        "(({state, source}) => (state.outcome || source.acts ? state : "
        "null))(document.querySelector('arena-match'))"
    )


def click_player(tab: Tab, seat: int) -> None:
    box = tab.page.locator("arena-match canvas").bounding_box()
    assert box is not None
    x = (2.5, TABLE["width"] - 2.5)[seat] / TABLE["width"]
    tab.page.mouse.click(box["x"] + x * box["width"], box["y"] + 0.45 * box["height"])


def test_a_person_wins_a_match_against_a_house_bot_by_clicks(tabs: OpenTab, arena: Arena):
    """BotStack, with a seed by which counting the bullets beats the bot that always shoots."""
    made = arena.rest.create("botstack", seed=38)
    arena.rest.add_bot(made["lobby"], "trivial", made["owner_token"], seat=1)
    tab = tabs(arena.url)
    tab.go(f"/lobby/{made['lobby']}")
    tab.until(lambda: tab.page.query_selector("text=Play here yourself"))
    tab.page.click("text=Play here yourself")
    tab.page.get_by_label("your name").fill("Ada")
    tab.page.click("text=Take the seat")
    tab.until(lambda: (now := tab.now()) and now["turn"] is not None)
    shots = 0
    while (state := tab.until(lambda: decides(tab)))["outcome"] is None:
        view = state["view"]
        sent_before = len(tab.sent)
        if view["phase"] == "shoot":
            click_player(tab, 1 if 2 * view["gun"]["live"] >= view["gun"]["total"] else 0)
            shots += 1
        else:
            no = "(0)" if view["phase"] == "item" else "(N)"
            tab.page.click(f".hand button:enabled:has-text('{no}')")
        tab.until(
            lambda sent_before=sent_before: len(
                [one for one in tab.sent[sent_before:] if one["type"] == "commands"]
            )
        )
    assert shots > 3
    assert state["outcome"]["winner"] == 0
    tab.shows(status="replay")
    assert "Ada wins" in tab.page.inner_text(".banner")
    assert arena.rest.lobby(made["lobby"])["outcome"]["winner"] == 0
    assert not any("s_" in address for address in tab.asked)


@pytest.mark.screenshots
@pytest.mark.parametrize("game", GAMES)
def test_a_person_plays_each_game_from_its_page(tab: Tab, game):
    tab.go(f"/games/{game}")
    tab.until(lambda: tab.page.query_selector("text=Play it yourself"))
    tab.page.click("text=Play it yourself")
    tab.until(lambda: tab.page.query_selector(".hand.acts"))
    if game != "zooscape":
        looked_at(tab, f"play-{game}")
    if game == "pyrat":
        a_wall_costs_nothing(tab)
    first = tab.now()["turn"]
    if game in ("catastrophe", "cookoff"):
        tab.page.keyboard.press("Enter")
    else:
        tab.page.click(".hand .row button:enabled >> nth=0")
    results = tab.until(lambda: [frame for frame in tab.frames if frame["type"] == "results"])
    assert {result["code"] for result in results[0]["results"]} <= {"ok"}
    tab.until(lambda: tab.now()["turn"] > first)
    assert "{" not in tab.page.inner_text(".match-side")  # what was said stands in words
    assert "plays on" not in tab.page.inner_text(".match-side")  # a person has no command for it
    tab.page.click("text=Resign")
    if tab.page.query_selector("text=Really resign"):
        tab.page.click("text=Really resign")
    tab.until(lambda: tab.now()["outcome"])
    if game == "pyrat":
        before = tab.page.url
        tab.until(lambda: tab.page.query_selector("text=Rematch"))
        tab.page.click("text=Rematch")
        tab.until(lambda: tab.page.url != before and tab.page.query_selector(".hand.acts"))


def a_wall_costs_nothing(tab: Tab) -> None:
    """In a corner two ways are shut: their keys send nothing, and the page says why."""
    for sign in "←↑→↓":
        if tab.page.locator(f".hand button:has-text('{sign}')").is_disabled():
            key = {"←": "Left", "↑": "Up", "→": "Right", "↓": "Down"}[sign]
            tab.page.keyboard.press(f"Arrow{key}")
    tab.until(lambda: "Not possible now" in tab.page.inner_text(".hand .fault"))
    assert not [frame for frame in tab.sent if frame["type"] == "commands"]
    shown = tab.page.evaluate("document.querySelector('arena-match').painter.marks.length")
    assert shown == len(tab.state()["view"]["moves"])


@pytest.mark.screenshots
def test_an_author_sees_the_bots_own_record_and_nothing_of_an_open_turn(
    tabs: OpenTab, arena: Arena
):
    made = arena.rest.create("pyrat", config=MAZE)
    seats = [arena.rest.join(made["lobby"], "pyrat", name) for name in ("mine", "other")]
    tab = tabs(arena.url)
    with arena.socket("play") as one, arena.socket("play") as two:
        hello(one, token=seats[0]["token"])
        hello(two, token=seats[1]["token"])
        moves = [receive(socket, "view")["view"]["moves"] for socket in (one, two)]
        tab.go(f"/match/{made['lobby']}")
        tab.until(lambda: tab.page.query_selector("select[aria-label='Whose view']"))
        tab.page.get_by_label("Whose view").select_option("token")
        tab.page.get_by_label("seat token").fill(seats[0]["token"])
        tab.page.click("text=Show it")
        tab.until(lambda: "?seat=0" in tab.page.url)
        tab.shows(viewer=0, turn=0)
        send(two, type="info", data="the other's secret")
        send(two, type="commands", turn=0, commands=[moves[1][0]])
        receive(two, "results")
        drawn = [
            {"kind": "cell", "x": 1, "y": 1},
            {"kind": "arrow", "from": None},
            7,
            {"kind": "text", "x": 0, "y": 0, "text": "ok", "colour": "x"},
        ]
        send(
            one,
            type="info",
            data={"text": "to the cheese", "draw": drawn, "clock": {"charged": 123_456}},
        )
        send(one, type="commands", turn=0, commands=["FLY"])
        for _ in range(2):  # the first one may have been on its way
            with tab.page.expect_response("**/seat?after=*"):
                pass
        assert tab.now()["last"] == 0
        assert (
            tab.page.evaluate("document.querySelector('arena-match').source.commands.length") == 0
        )
        send(one, type="commands", turn=0, commands=[moves[0][0]])
        tab.shows(turn=1)
        tab.page.keyboard.press("Home")
        tab.until(lambda: "bad action" in tab.page.inner_text(".of-seat"))
        text = tab.page.inner_text(".of-seat")
        assert "expected one of UP" in text
        assert "to the cheese" in text
        assert "thought" in text
        assert "123" not in text, "what a bot says of its clock is no account of it"
        shown = tab.page.evaluate("document.querySelector('arena-match').source.overlaysAt(0)")
        assert shown == [
            {"kind": "cell", "x": 1, "y": 1, "seat": 0},
            {"kind": "text", "x": 0, "y": 0, "text": "ok", "seat": 0},
        ]
        everything = tab.page.evaluate(f"JSON.stringify({HELD})")
        assert "the other's secret" not in everything
        assert seats[1]["token"] not in everything
        looked_at(tab, "seat-pyrat")
        for turn in range(1, 4):
            for socket in (one, two):
                while receive(socket, "view")["turn"] < turn:
                    pass
                send(socket, type="commands", turn=turn, commands=["STAY"])
    tab.until(lambda: tab.now()["outcome"])
    assert not any(seats[0]["token"] in address for address in tab.asked)
    assert seats[0]["token"] not in json.dumps(tab.page.evaluate("({...localStorage})"))
    tab.until(lambda: tab.page.query_selector("option[value='1']:not([disabled])"))
    tab.page.get_by_label("Whose view").select_option("1")
    tab.shows(viewer=1, status="replay")
    assert tab.state()["view"]["you"] == "python"
