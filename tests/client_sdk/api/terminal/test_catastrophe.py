"""Catastrophe in a terminal: the board in one or two columns a tile, who stands on what, and both
sides beside it."""

from __future__ import annotations

import pytest

from client_sdk.api import terminal
from client_sdk.api.terminal import catastrophe
from games.catastrophe.outcome import Result
from games.catastrophe.state import Tile
from games.catastrophe.view import CONSTANT_FIELDS, view
from tests.games.catastrophe.table import stranger, structure, table, unit

NAMES = ("ann", "bob")


@pytest.fixture(autouse=True)
def columns(monkeypatch):
    """Sets the terminal's width."""

    def wide(number):
        monkeypatch.setenv("COLUMNS", str(number))

    wide(100)
    return wide


def busy(**words):
    return table(
        unit("soldier", 1, 1, starving=True),
        unit("gatherer", 5, 5, 1),
        unit("builder", 6, 5, 1),
        unit("missionary", 7, 5),
        stranger(4, 3),
        structures=[
            structure("wall", 2, 0),
            structure("monument", 3, 0, 1),
            structure("neutral", 4, 0, None),
        ],
        tiles={
            (2, 1): Tile(harvest_rate=61),
            (3, 1): Tile(harvest_rate=60),
            (4, 1): Tile(materials=3),
            (5, 1): Tile(food=1),
        },
        **words,
    )


def rows(state=None):
    return catastrophe.draw(view(state or busy(), None), NAMES).plain.splitlines()


def test_every_unit_structure_and_tile_has_its_symbol():
    """What stands on a shelter leaves it visible."""
    drawn = [row[:24] for row in rows()[:8]]

    assert drawn == [
        "C^· # * % · · · · · · · ",
        "H S ; , ! ! · · · · · · ",
        "· · · · · · · · · · · · ",
        "= = = = H = = = = = = = ",
        "= = = = = = = = = = = = ",
        "· · · · · G B M · · · · ",
        "· · · · · · · · · · · H ",
        "· · · · · · · · · · · C^",
    ]


def test_a_narrow_terminal_has_one_column_per_tile(columns):
    columns(60)

    assert [row[:12] for row in rows()[:2]] == ["C·#*%·······", "HS;,!!······"]


def test_a_very_narrow_terminal_has_the_panel_above(columns):
    columns(40)

    drawn = rows()
    assert drawn[0] == "turn 2"
    assert "C^· # * % · · · · · · ·  0" in drawn
    assert drawn[-1].startswith("0         5         10")


def test_the_panel_beside_the_board_shows_both_sides():
    panel = [row[28:] for row in rows()]

    assert panel[:8] == [
        "turn 2",
        "> ann",
        "  food 50, upkeep 1, starving",
        "  overlord 100, units C1 H1 M1 S1",
        "  structures #1 ^1",
        "  bob",
        "  food 50, upkeep 1",
        "  overlord 100, units B1 C1 G1 H1",
    ]


def test_a_match_and_its_end_fit_in_one_line():
    over = busy(result=Result(1, "more_units", "max_turns"))

    assert (
        catastrophe.line(view(busy(), None), NAMES)
        == "turn 2: ann 4 units, 50 food, bob 4 units, 50 food"
    )
    assert catastrophe.line(view(over, None), NAMES).endswith(", bob wins (more_units)")
    assert rows(over)[1][28:] == "  ann"


def test_constants_are_remembered_from_the_first_view():
    memory = terminal.Memory("catastrophe")
    whole = view(busy(), None)
    memory.whole(whole)
    later = {name: value for name, value in whole.items() if name not in CONSTANT_FIELDS}

    assert memory.whole(later) == whole


@pytest.mark.parametrize("typed", ["", ".", "END"])
def test_a_person_can_end_the_turn(typed):
    assert catastrophe.question(view(busy(), 0)).answer(typed) == {"cmd": "end_turn"}
