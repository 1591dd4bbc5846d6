"""The catalogue's boards: what every map promises, and what makes each of them itself
(maps/README.md)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.core import maps
from games.core.match import Match
from games.zooscape import GAME
from games.zooscape.board import BLOCKED, PELLET, Board, neighbours, parse_board, written
from tests.games.zooscape.test_generate import dead_ends, portals

ROOT = Path(__file__).parents[3]
NAMES = maps.names("zooscape")
BLIND = {"blind_alleys"}
"""The maps whose names promise dead ends."""


def read(name: str) -> Board:
    return parse_board(maps.text("zooscape", name))


def share_of_forks(board: Board) -> float:
    """Of the cells that can be walked on: how many have three ways or more."""
    free = [cell for cell, content in enumerate(board.cells) if content not in BLOCKED]
    ways = [
        sum(
            board.cells[near] not in BLOCKED for near in neighbours(cell, board.width, board.height)
        )
        for cell in free
    ]
    return sum(count > 2 for count in ways) / len(free)


@pytest.mark.parametrize("name", NAMES)
def test_our_maps_are_canonical_and_playable(name: str) -> None:
    text = maps.text("zooscape", name)
    match = Match.begin(GAME, {}, 1, text)

    assert text == written(parse_board(text))
    assert text.split() == match.view(None)["map"]


@pytest.mark.parametrize("name", NAMES)
def test_only_a_map_described_so_has_dead_ends(name: str) -> None:
    assert (name in BLIND) == any(dead_ends(read(name)))


@pytest.mark.parametrize("name", NAMES)
def test_the_catalogue_gives_size_and_contents_of_a_map(name: str) -> None:
    room = (
        (ROOT / "maps" / "README.md")
        .read_text(encoding="utf-8")
        .split("\n## Zooscape\n")[1]
        .split("\n## ")[0]
    )
    (chapter,) = [chapter for chapter in room.split("\n### ") if chapter.startswith(f"{name}\n")]
    described = re.search(
        r"^(\d+) × (\d+), (\d+) pellets, (\d+|no) portal lines?\b", chapter, re.MULTILINE
    )
    made = read(name)
    lines = sum(portals(made))

    assert described is not None
    assert described.groups() == tuple(
        map(str, (made.width, made.height, made.cells.count(PELLET), lines or "no"))
    )


def test_the_maps_cover_every_kind() -> None:
    boards = {name: read(name) for name in NAMES}
    sizes = {name: (made.width, made.height) for name, made in boards.items()}

    assert len(boards) >= 7
    assert sizes["learning"] == (11, 11)
    assert sizes["safari"] == (51, 51)
    assert {"wide", "tall"} <= {
        "wide" if width > height else "tall" for width, height in sizes.values() if width != height
    }
    assert max(boards, key=lambda name: sum(portals(boards[name]))) == "turnstiles"
    assert min(boards, key=lambda name: share_of_forks(boards[name])) == "burrow"
    assert {"meadow", "moat"} == set(
        sorted(boards, key=lambda name: share_of_forks(boards[name]))[-2:]
    )


def test_all_maps_differ() -> None:
    assert len(NAMES) == len({read(name) for name in NAMES})
