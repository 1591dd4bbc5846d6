"""A match on a phone: the scores are seen with the board, nothing lies over anything else, and the
board is as large as the screen allows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.arena import Arena
from tests.web.matches import recorded
from tests.web.tab import SIZES, Tab

OpenTab = Callable[..., Tab]
PLACES = """() => Object.fromEntries([".scores", ".stage canvas", ".transport", ".turn"].map(
  (name) => {
    const found = document.querySelector(`arena-match ${name}`);
    const { top, bottom, width, left, right } = found.getBoundingClientRect();
    return [name, { top, bottom, width, left, right, cut: found.scrollWidth > found.clientWidth }];
  },
))"""


@pytest.mark.screenshots
@pytest.mark.parametrize("game", ["cookoff", "zooscape"])
def test_on_a_phone_the_scores_are_above_the_board_and_nothing_covers_it(
    tabs: OpenTab, arena: Arena, tmp_path: Path, game: str
):
    file = tmp_path / "match.replay.jsonl"
    file.write_text(recorded(game))
    tab = tabs(arena.url, size="phone")
    tab.go("/replay")
    tab.page.set_input_files("input[type=file]", file)
    tab.until(lambda: (now := tab.now()) and now["turn"] is not None)
    tab.match_call("seek", 30)
    tab.drawn()
    places: dict[str, Any] = tab.page.evaluate(PLACES)
    tab.shot(f"phone-{game}")

    width, height = SIZES["phone"]
    board, turn = places[".stage canvas"], places[".turn"]
    assert places[".scores"]["bottom"] <= board["top"]
    assert places[".scores"]["bottom"] < height / 2
    assert board["bottom"] <= places[".transport"]["top"]  # at any place of scrolling: none sticks
    assert board["bottom"] - board["top"] <= height
    assert max(board["width"] / width, (board["bottom"] - board["top"]) / height) > 0.88
    stands = "[...document.querySelectorAll('.score-row .role')].map((one) => {"
    stands += " one.textContent = 'bottom left · leads by 193,354';"
    stands += " one.closest('li').querySelector('.points').textContent = '202,200';"
    stands += " return one.getClientRects()[0].height / parseFloat(getComputedStyle(one).fontSize);"
    assert max(tab.page.evaluate(f"{stands} }})")) < 4  # two lines
    over = "[...document.querySelectorAll('.score-row')].filter((one) => {"
    over += " return one.scrollHeight > one.clientHeight; }).length"
    assert tab.page.evaluate(over) == 0
    tab.shot(f"phone-{game}-wide")
    cut = "[...document.querySelectorAll('.score-row .name')].filter((one) => {"
    cut += " one.textContent = 'a bot with a long name';"
    cut += " return one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight; })"
    assert tab.page.evaluate(f"{cut}.length") == 0
    assert turn["left"] >= 0
    assert turn["right"] <= width
    assert not turn["cut"]
