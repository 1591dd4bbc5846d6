"""Catastrophe in a terminal: the board in one or two columns a tile, who stands on what, and both
sides beside it."""

from __future__ import annotations

import pytest

from client_sdk.api import terminal
from client_sdk.api.terminal import catastrophe
from games import GAMES
from games.catastrophe.outcome import Result
from games.catastrophe.state import Tile
from games.catastrophe.view import CONSTANT_FIELDS, view
from games.core.dice import Seeded
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
    assert drawn[0] == "turn 2, day 2"
    assert "C^· # * % · · · · · · ·  0" in drawn
    assert drawn[-1].startswith("0         5         10")


def test_the_panel_beside_the_board_shows_both_sides():
    panel = [row[28:] for row in rows()]

    assert panel[:8] == [
        "turn 2, day 2",
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
        == "turn 2, day 2: ann 4 units, 50 food, bob 4 units, 50 food"
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


def test_the_question_lists_the_units_and_the_commands():
    text = catastrophe.question(view(busy(), 0)).text

    assert "soldier at 1 1, energy" in text
    assert "gatherer" not in text.split("Say what")[0]  # that one is the other side's
    assert "Commands: move attack change_job construct" in text


MOVER = {"id": 7, "owner": 1, "x": 3, "y": 5, "job": "builder", "energy": 80.0}
SEEN = {
    "units": [MOVER, {**MOVER, "id": 9, "owner": 0}],
    "players": [{"seat": 0}, {"seat": 1}],
    "current_player": 1,
}


@pytest.mark.parametrize(
    ("typed", "commands"),
    [
        ("7 right up", [{"cmd": "move", "x": 4, "y": 5}, {"cmd": "move", "x": 4, "y": 4}]),
        (
            "7 up, 7 Attack left",
            [{"cmd": "move", "x": 3, "y": 4}, {"cmd": "attack", "x": 2, "y": 4}],
        ),
        ("7 rest", [{"cmd": "rest"}]),
        ("7 harvest 9 0", [{"cmd": "harvest", "x": 9, "y": 0}]),
        ("7 change_job soldier", [{"cmd": "change_job", "job": "soldier"}]),
        ("7 construct down wall", [{"cmd": "construct", "x": 3, "y": 6, "type": "wall"}]),
        ("7 drop here food 5", [{"cmd": "drop", "x": 3, "y": 5, "resource": "food", "amount": 5}]),
        ("7 pickup up materials", [{"cmd": "pickup", "x": 3, "y": 4, "resource": "materials"}]),
        *(
            (wrong, None)
            for wrong in ("9 up", "7", "7 fly", "7 attack", "7 rest now", "7 attack 1", "7 up, x")
        ),
        *((wrong, None) for wrong in ("7 drop up", "7 drop up food x", "7 construct up", "x up")),
    ],
)
def test_a_person_says_what_the_units_do_in_a_turn(typed, commands):
    answer = catastrophe.question(SEEN).answer(typed)

    assert answer == (
        None
        if commands is None
        else [*({**one, "unit": 7} for one in commands), {"cmd": "end_turn"}]
    )


def test_what_a_person_types_is_carried_out():
    game, state = GAMES["catastrophe"], table(unit("soldier", 1, 1, energy=60.0))
    soldier = next(one["id"] for one in view(state, 0)["units"] if one["job"] == "soldier")
    for raw in catastrophe.question(view(state, 0)).answer(f"{soldier} right, {soldier} up"):
        state, reply = game.apply(state, 0, game.parse(raw), Seeded(1))
        assert reply.ok
    after = next(one for one in view(state, 0)["units"] if one["id"] == soldier)
    assert (after["x"], after["y"]) == (2, 0)
