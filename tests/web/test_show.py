"""What spectators see at a glance: movement, who leads, what is left, what just happened."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from games import GAMES
from tests.web.matches import recorded
from tests.web.tab import Tab
from tests.web.test_replay import shown

OpenTab = Callable[..., Tab]

COUNT = """() => {
  const { painter } = document.querySelector("arena-match");
  window.asked = 0;
  window.frames = 0;
  window.most = 0;
  let drawn = 0;
  const draw = painter.draw.bind(painter);
  painter.draw = () => { window.asked += 1; drawn += 1; draw(); };
  const tick = () => {
    window.frames += 1;
    window.most = Math.max(window.most, drawn);
    drawn = 0;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}"""
"""Counts drawings, animation frames, and the most drawings within one."""


def counted(tab: Tab) -> tuple[int, int, int]:
    drawings, frames, most = tab.page.evaluate("[window.asked, window.frames, window.most]")
    return drawings, frames, most


def frames_later(tab: Tab, count: int) -> int:
    """Wait for this number of animation frames; the drawings in them."""
    drawings, frames, _ = counted(tab)
    tab.until(lambda: counted(tab)[1] >= frames + count)
    return counted(tab)[0] - drawings


def resting(tab: Tab) -> bool:
    return not tab.page.evaluate("document.querySelector('arena-match').painter.frame")


def test_a_drawing_is_asked_for_once_an_animation_frame_and_none_while_still(
    tab: Tab, tmp_path: Path
) -> None:
    shown(tab, recorded("zooscape"), tmp_path)
    tab.until(lambda: resting(tab))
    tab.page.evaluate(COUNT)

    assert frames_later(tab, 5) == 0
    tab.page.keyboard.press(" ")
    assert frames_later(tab, 20) > 0
    tab.page.keyboard.press(" ")
    tab.until(lambda: resting(tab))
    assert counted(tab)[2] == 1
    assert frames_later(tab, 5) == 0


def test_no_animation_frame_is_asked_for_where_the_board_is_not_seen(
    tab: Tab, tmp_path: Path
) -> None:
    shown(tab, recorded("zooscape"), tmp_path)
    tab.page.evaluate("document.querySelector('.stage').style.transform = 'translateY(-300vh)'")
    tab.until(
        lambda: not tab.page.evaluate("document.querySelector('arena-match').painter.inSight")
    )
    tab.until(lambda: resting(tab))
    tab.page.evaluate(COUNT)
    before = tab.now()["index"]
    tab.page.keyboard.press(" ")

    tab.until(lambda: tab.now()["index"] > before + 2)
    assert counted(tab)[0] == 0
    tab.page.evaluate("document.querySelector('.stage').style.transform = ''")
    tab.until(lambda: counted(tab)[0] > 0)


def test_who_wants_no_movement_gets_still_frames(tabs: OpenTab, arena, tmp_path: Path) -> None:
    tab = tabs(arena.url, reduced_motion="reduce")
    shown(tab, recorded("zooscape"), tmp_path)
    tab.page.evaluate(COUNT)
    tab.page.keyboard.press("ArrowRight")
    tab.until(lambda: resting(tab))

    assert counted(tab)[0] == 1


@pytest.mark.parametrize("game", sorted(GAMES))
def test_who_leads_and_what_is_left_is_seen_at_a_glance(
    tab: Tab, game: str, tmp_path: Path
) -> None:
    shown(tab, recorded(game), tmp_path)
    last = tab.now()["last"]
    tab.match_call("seek", last - 1)
    page = tab.page
    tab.until(lambda: page.query_selector_all(".legend li"))

    assert page.inner_text(".progress .stands").split()[0] in ("Turn", "Tick", "Day", "Round")
    assert page.inner_text(".progress .left")
    leaders = page.query_selector_all(".score-row.ahead")
    texts = [row.inner_text() for row in page.query_selector_all(".standing")]
    assert len(leaders) <= 1
    assert sum("leads" in text for text in texts) == len(leaders)
    names = [row.inner_text() for row in page.query_selector_all(".legend li")]
    assert names == [row.inner_text() for row in page.query_selector_all(".score-row .name")]
    dashes = [line.get_attribute("stroke-dasharray") for line in page.query_selector_all(".score")]
    assert len(set(dashes)) == len(names)
    assert len(page.query_selector_all(".axis.values span")) >= 2
    assert len(page.query_selector_all(".axis.times span")) >= 2
    heading = page.inner_text(".over-time h2")
    assert heading == ("Health over time" if game == "botstack" else "Score over time")
    word = "tick" if game == "zooscape" else "turn"
    assert page.inner_text(".axis.times span:first-child").startswith(f"{word} ")
    assert page.inner_text(".transport .turn").startswith(f"{word.capitalize()} ")
    tab.match_call("seek", last)
    assert page.inner_text(".progress .left") == "over"
    sentence = page.inner_text(".banner p:last-child")
    assert sentence
    assert "_" not in sentence


def test_bots_of_one_name_are_distinguishable_everywhere(tab: Tab, tmp_path: Path) -> None:
    lines = recorded("pyrat").splitlines(keepends=True)
    header = json.loads(lines[0])
    for seat in header["seats"]:
        seat["name"] = "twin"
    shown(tab, "".join([json.dumps(header) + "\n", *lines[1:]]), tmp_path)
    tab.match_call("seek", tab.now()["last"])

    assert tab.page.inner_text(".match-title") == "twin 1 – twin 2"
    names = [row.inner_text() for row in tab.page.query_selector_all(".legend li")]
    assert names == ["twin 1", "twin 2"]
    events = tab.until(lambda: tab.page.inner_text(".events"))
    assert "twin 1 " in events
    assert "twin 2 " in events


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_cookoff_draws_red_red_and_blue_blue(tabs: OpenTab, arena, theme, tmp_path: Path) -> None:
    tab = tabs(arena.url, theme=theme)
    shown(tab, recorded("cookoff"), tmp_path)

    swatches = [
        [int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
        for colour in tab.page.evaluate(
            "[...document.querySelectorAll('.score-row .swatch')]"
            ".map((one) => getComputedStyle(one).backgroundColor)"
        )
    ]
    assert [colour.index(max(colour)) for colour in swatches] == [0, 2]
    drawn = tab.page.evaluate(
        "document.querySelector('arena-match').painter.seats.map((seat) => seat.colour)"
    )
    assert [[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in drawn] == swatches


def test_sound_is_off_until_it_is_switched_on(tab: Tab, tmp_path: Path) -> None:
    tab.page.add_init_script(
        "window.tones = 0; const make = AudioContext.prototype.createOscillator;"
        "AudioContext.prototype.createOscillator = function () {"
        " window.tones += 1; return make.call(this); }"
    )
    shown(tab, recorded("pyrat"), tmp_path)
    button = tab.page.locator(".transport [aria-label=Sound]")
    loud = tab.page.evaluate(
        """() => {
          const { painter, timeline } = document.querySelector("arena-match");
          const heard = (at) => painter.eventsAt(at).some(({ kind }) => kind === "good");
          let at = 1;
          while (at < timeline.source.end && !heard(at)) at += 1;
          return at;
        }"""
    )

    assert button.get_attribute("aria-pressed") == "false"
    tab.match_call("seek", loud - 1)
    tab.page.keyboard.press("ArrowRight")
    assert tab.page.evaluate("window.tones") == 0
    button.click()
    tab.match_call("seek", loud - 1)
    tab.page.keyboard.press("ArrowRight")
    tab.until(lambda: tab.page.evaluate("window.tones") > 0)


def test_what_happens_is_called_out_on_the_board(tab: Tab, tmp_path: Path) -> None:
    shown(tab, recorded("botstack"), tmp_path)
    shot = tab.page.evaluate(
        """() => {
          const { painter, timeline } = document.querySelector("arena-match");
          let at = 1;
          while (!painter.eventsAt(at).some(({ mark }) => mark === "−1 health")) at += 1;
          return at;
        }"""
    )
    tab.match_call("seek", shot - 1)
    marks = tab.page.evaluate(
        """() => {
          const { painter, timeline } = document.querySelector("arena-match");
          timeline.step(1);
          return painter.callouts.shown.map(({ event }) => event.mark);
        }"""
    )

    assert "−1 health" in marks
    tab.until(lambda: resting(tab))
    assert tab.page.evaluate("document.querySelector('arena-match').painter.callouts.shown") == []
