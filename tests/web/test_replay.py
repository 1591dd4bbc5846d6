"""A record on the page: every turn is what was recorded, and a person gets around in it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Route

from client_sdk import replay
from games import GAMES
from games.core.turns import turn_text
from tests.e2e.arena import Arena
from tests.web.matches import begun, recorded
from tests.web.tab import Tab
from tests.web.test_live import facts

OpenTab = Callable[..., Tab]
SEEN = """(order) => order.map((index) => {
  const match = document.querySelector("arena-match");
  match.seek(index);
  return match.state;
})"""

SEEK = """(turn) => {
  const match = document.querySelector("arena-match");
  match.seek(match.source.indexOf(turn));
}"""


def show(tab: Tab, text: str, folder: Path, name: str = "match.replay.jsonl") -> None:
    """Give the page a file."""
    file = folder / name
    file.write_text(text)
    tab.go("/replay")
    tab.page.set_input_files("input[type=file]", file)


def shown(tab: Tab, text: str, folder: Path) -> None:
    show(tab, text, folder)
    tab.until(lambda: (now := tab.now()) and now["turn"] is not None)


@pytest.mark.parametrize("game", GAMES)
def test_every_frame_is_exactly_the_recorded_one(tab: Tab, game, tmp_path):
    record = replay.read(recorded(game))
    shown(tab, recorded(game), tmp_path)
    order = list(range(len(record.frames)))
    random.Random(8).shuffle(order)
    order = order[:40]

    states = tab.page.evaluate(SEEN, order)

    for index, state in zip(order, states, strict=True):
        assert (state["index"], state["turn"]) == (index, record.frames[index].turn)
        assert state["view"] == record.view(index)


@pytest.mark.parametrize("game", GAMES)
def test_the_link_to_a_turn_opens_its_first_view(tabs: OpenTab, arena: Arena, game):
    match = begun(arena, game)
    arena.over(match)
    record = replay.read(arena.record(match, "replay"))
    turn = record.turns()[len(record.turns()) // 2]
    tab = tabs(arena.url)
    shown = turn_text(GAMES[game], turn)
    tab.go(f"/match/{match}#{shown}")
    tab.shows(status="replay", turn=turn)

    assert tab.state()["view"] == record.seek(turn)
    assert (
        tab.page.evaluate("document.querySelector('arena-match').address()")
        == f"{arena.url}/match/{match}#{shown}"
    )


def test_the_record_of_a_match_shows_the_clocks_of_each_turn(tabs: OpenTab, arena: Arena):
    match = begun(arena, "catastrophe", max_turns=4)
    arena.over(match)
    tab = tabs(arena.url)
    tab.go(f"/match/{match}")
    tab.shows(status="replay")
    tab.until(lambda: "bank" in str(facts(tab)))
    seen = []
    for turn in range(4):
        tab.page.evaluate(SEEK, turn)
        seen.append(["took" in seat for seat in facts(tab)])
        assert all("bank" in seat for seat in facts(tab))

    assert seen == [[True, False], *[[True, True]] * 3]
    tab.shot("replay-clocks")


def test_a_cut_record_opens_up_to_the_cut_with_a_note(tab: Tab, tmp_path):
    text = recorded("pyrat")
    cut = text[: len(text) // 2]
    record = replay.read(cut)
    shown(tab, cut, tmp_path)

    assert tab.now()["last"] == len(record.frames) - 1
    tab.page.keyboard.press("End")
    assert tab.state()["view"] == record.view(len(record.frames) - 1)
    assert "cut" in tab.page.inner_text(".match-head")


def test_a_record_with_a_damaged_line_opens_up_to_it_with_a_note(tab: Tab, tmp_path):
    lines = recorded("pyrat").splitlines(keepends=True)
    lines[30] = lines[30][:20] + "\n"
    shown(tab, "".join(lines), tmp_path)

    assert tab.now()["last"] == 28
    assert "Line 31" in tab.page.inner_text(".match-head")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no whole line"),
        ("hello\n", "line 1"),
        ('{"k":"match","format":1}\n', "journal"),
        ('{"k":"replay","format":99,"game":"pyrat","seats":[]}\n', "format is 99"),
        ('{"k":"replay","format":1}\n', "names no game"),
    ],
)
def test_an_invalid_record_is_refused_with_a_reason(tab: Tab, text, message, tmp_path):
    show(tab, text, tmp_path)

    assert message in tab.until(lambda: tab.page.inner_text("main .fault"))


def test_a_file_can_be_dropped_on_any_page(tab: Tab):
    tab.go("/standings")
    drop = """(text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], "match.replay.jsonl"));
      const options = { dataTransfer: data, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new DragEvent("drop", options));
    }"""
    tab.page.evaluate(drop, recorded("botstack"))

    tab.shows(game="botstack", turn=0)
    assert tab.page.url.endswith("/replay")


def test_the_keyboard_plays_pauses_steps_and_jumps(tab: Tab, tmp_path):
    shown(tab, recorded("pyrat"), tmp_path)
    key = tab.page.keyboard.press
    key("ArrowRight")
    key("ArrowRight")
    assert tab.now()["index"] == 2
    key("ArrowLeft")
    assert tab.now()["index"] == 1
    key("End")
    assert tab.now()["index"] == tab.now()["last"]
    key("Home")
    assert tab.now()["index"] == 0
    for _ in range(2):
        key("+")
    key(" ")
    tab.shows(playing=True)
    tab.until(lambda: tab.now()["index"] > 3)
    key(" ")
    still = tab.now()
    assert not still["playing"]
    for _ in range(2):
        key("+")
    key("Home")
    key(" ")
    tab.until(lambda: tab.now()["index"] == tab.now()["last"] and not tab.now()["playing"])
    assert tab.page.is_visible(".banner")


def test_scrubber_plot_and_event_list_open_their_turns(tab: Tab, tmp_path):
    shown(tab, recorded("pyrat"), tmp_path)
    last = tab.now()["last"]
    tab.page.fill(".scrub", str(last // 2))
    assert tab.now()["index"] == last // 2
    tab.page.keyboard.press("End")
    when = tab.until(lambda: tab.page.query_selector(".events .when"))
    turn = int(when.inner_text())
    when.click()
    assert tab.now()["turn"] == turn
    tab.page.click(".plot", position={"x": 1, "y": 20})
    assert tab.now()["index"] <= 1


def test_score_and_plot_match_the_last_view(tab: Tab, tmp_path):
    text = recorded("pyrat")
    record = replay.read(text)
    shown(tab, text, tmp_path)
    tab.page.keyboard.press("End")
    last = record.view(len(record.frames) - 1)

    points = [float(row.inner_text()) for row in tab.page.query_selector_all(".points")]
    assert points == [last["rat"]["score"], last["python"]["score"]]
    assert len(tab.page.query_selector_all(".plot .score")) == 2


def test_a_frame_is_saved_as_a_picture_and_the_record_as_a_file(tabs: OpenTab, arena: Arena):
    match = begun(arena, "botstack")
    arena.over(match)
    tab = tabs(arena.url)
    tab.go(f"/match/{match}#3")
    tab.shows(status="replay", turn=3)
    with tab.page.expect_download() as picture:
        tab.page.click("[aria-label='Save a picture of this moment']")
    with tab.page.expect_download() as file:
        tab.page.click("[aria-label='Save the replay']")

    assert picture.value.suggested_filename == f"{match}-3.png"
    assert Path(picture.value.path()).read_bytes().startswith(b"\x89PNG")
    assert Path(file.value.path()).read_bytes() == arena.record(match, "replay")


def test_a_screen_reader_gets_the_turn_in_one_sentence(tab: Tab, tmp_path):
    shown(tab, recorded("botstack"), tmp_path)
    tab.match_call("seek", 5)

    assert tab.page.inner_text("[aria-live=polite]").startswith(f"Turn {tab.now()['turn']}. ")


def test_an_embedded_page_shows_only_the_match(tabs: OpenTab, arena: Arena):
    match = begun(arena, "botstack")
    arena.over(match)
    tab = tabs(arena.url)
    tab.go(f"/match/{match}?embed=1")
    tab.shows(status="replay")
    tab.shot("embedded")

    assert not tab.page.is_visible(".top")
    assert tab.page.is_visible(".stage canvas")


@pytest.mark.parametrize("format_", [1, 2])
def test_drawings_and_infos_of_a_bot_are_shown_with_its_turn(tab: Tab, format_, tmp_path):
    lines = (
        recorded("pyrat").replace('"format":2', f'"format":{format_}', 1).splitlines(keepends=True)
    )
    data = {
        "text": "I smell cheese",
        "draw": [
            {"kind": "cell", "x": 1, "y": 1},
            {"kind": "text", "x": 2, "y": 2, "text": "here"},
        ],
    }
    kind = {"k": "event", "e": "info"} if format_ == 1 else {"k": "info"}
    lines.insert(6, json.dumps(kind | {"n": 4, "s": 0, "d": data}) + "\n")
    shown(tab, "".join(lines), tmp_path)
    tab.match_call("seek", 4)

    overlays = tab.page.evaluate("document.querySelector('arena-match').source.overlaysAt(4)")
    assert [one["seat"] for one in overlays] == [0, 0]
    assert "I smell cheese" in tab.until(lambda: tab.page.inner_text(".events"))
    assert tab.page.is_visible("[aria-label='Drawings of the bots']")


def test_repeated_infos_are_one_line_with_a_count(tab: Tab, tmp_path):
    """A server under load says in every turn that it stalled: that stands where it began, below
    what happened on the board since."""
    held = [{"k": "event", "n": n, "e": "stall"} for n in range(3, 53)]
    late = [
        {"k": "event", "n": n, "s": 1, "e": e}
        for n, e in ((5, "timeout"), (6, "timeout"), (7, "away"), (8, "timeout"))
    ]
    lines = recorded("pyrat").splitlines()
    lines[2:2] = [
        json.dumps(event | {"d": None})
        for event in sorted(held + late, key=lambda event: event["n"])
    ]
    shown(tab, "\n".join(lines) + "\n", tmp_path)
    last = tab.now()["last"]
    tab.match_call("seek", last)
    tab.until(lambda: "the server stalled" in tab.page.inner_text(".events"))
    entries = tab.page.locator(".events li").all_inner_texts()

    assert [one for one in entries if "the server stalled" in one] == [
        "3\nthe server stalled; the time was credited · 50 times until turn 52"
    ]
    assert len([one for one in entries if "stalled" not in one]) > 10
    tab.match_call("seek", 9)
    tab.until(lambda: "7 times until turn 9" in tab.page.inner_text(".events"))
    of_seat = [
        one.split("\n")[-1]
        for one in tab.page.locator(".events li").all_inner_texts()
        if "greedy" in one and ("time" in one or "lost" in one)
    ]
    assert of_seat == [
        "greedy ran out of time",
        "greedy lost the connection",
        "greedy ran out of time · 2 times since turn 5",
    ]


def test_keys_pressed_before_the_first_picture_do_nothing(tab: Tab, tmp_path):
    asked: list[Route] = []

    def held(route: Route) -> None:
        asked.append(route)

    tab.page.route("**/web/games/pyrat.js", held)
    show(tab, recorded("pyrat"), tmp_path)
    tab.until(lambda: asked)
    for key in ("ArrowRight", "ArrowLeft", " ", "PageDown", "End", "l"):
        tab.page.keyboard.press(key)
    asked.pop().continue_()

    tab.shows(index=0, playing=False)
