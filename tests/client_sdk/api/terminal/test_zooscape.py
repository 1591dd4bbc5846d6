"""Zooscape in a terminal: what a picture shows at which width, and what a person may type."""

from __future__ import annotations

import pytest

from client_sdk.api.terminal import zooscape
from games import GAMES
from games.core.contract import SPECTATOR
from games.core.match import Match
from tests.client_sdk.api.test_zooscape import ANIMAL, JUICE, KEEPER, OTHER, OWN, VIEW

NAMES = ("ann", "bob")
SPECTATOR_VIEW = {key: value for key, value in VIEW.items() if key != "you"}


@pytest.fixture
def wide(monkeypatch):
    """Sets the terminal's width."""

    def columns(number):
        monkeypatch.setenv("COLUMNS", str(number))

    columns(200)
    return columns


def drawn(view, names=NAMES):
    return zooscape.draw(view, names).plain.splitlines()


def test_a_cell_has_two_columns_in_a_wide_terminal(wide):
    lines = drawn(SPECTATOR_VIEW)

    assert [line[:14] for line in lines[:3]] == [
        "##############",
        "##= Z0    = ##",
        "##  ##  ##  ##",
    ]
    assert lines[3][:14] == "  · · A · · B "
    assert lines[5][:14] == "##= o     = ##"
    assert [line[14:18] for line in lines[:7]] == [f" {y}  " for y in range(7)]
    assert lines[7][:14] == "0         5   "


def test_a_cell_has_one_column_in_a_narrower_terminal(wide):
    wide(7 + 4 + zooscape.PANEL)
    lines = drawn(SPECTATOR_VIEW)

    assert [line[:7] for line in lines[:7]] == [
        "#######",
        "#=Z  =#",
        "# # # #",
        " ··A··B",
        "# # # #",
        "#=o  =#",
        "#######",
    ]
    assert lines[0][11:] == "tick 12 of 2000, 4 pellets"


def test_in_a_narrow_terminal_the_board_is_below(wide):
    wide(7 + 4 + zooscape.PANEL - 1)
    lines = drawn(SPECTATOR_VIEW)

    assert lines[0] == "tick 12 of 2000, 4 pellets"
    assert lines[-8:-6] == ["############## 0", "##= Z0    = ## 1"]


def test_a_board_wider_than_the_terminal_shows_the_part_around_the_own_animal(wide):
    wide(5)
    rows = [drawn(VIEW | {"animals": [ANIMAL | {"x": x}, OTHER | {"x": 3}]})[-4] for x in (0, 3, 6)]

    assert rows == ["A··B·", "··&··", "·B··A"]


@pytest.mark.parametrize("size", [9, 51, 99])
@pytest.mark.parametrize("columns", [20, 80, 110, 250])
def test_no_line_is_wider_than_the_terminal(wide, size, columns):
    wide(columns)
    match = Match.begin(GAMES["zooscape"], {"map_size": size}, 1)
    lines = drawn(match.view(0), ["a name that is much too long for its place"] * 4)

    assert max(map(len, lines)) <= max(columns, zooscape.PANEL)


def test_a_board_of_the_contest_fits_110_columns_and_56_lines(wide):
    wide(110)
    lines = drawn(Match.begin(GAMES["zooscape"], {}, 1).view(SPECTATOR), list("abcd"))

    assert len(lines) == 52
    assert max(map(len, lines)) <= 110


def test_everything_has_its_own_symbol():
    """Without colours as well."""
    signs = [mark for mark, _ in zooscape.CONTENTS.values()]
    signs += [mark for mark, _ in (*zooscape.ANIMALS, zooscape.CROWD, zooscape.ZOOKEEPER)]

    assert len(set(signs)) == len(signs)
    assert all(len(sign) == 1 for sign in signs)


def test_the_panel_shows_everyones_score_captures_and_power_ups(wide):
    text = "\n".join(line[16:] for line in drawn(SPECTATOR_VIEW))

    assert "A ann" in text
    assert "198" in text
    assert "caught 2, holds scavenger" in text
    assert "caught 2, juice for 4" in text
    assert "streak" not in text


def test_a_streak_is_shown_to_its_own_seat_only(wide):
    assert "you: streak x3.2, queue 0" in "\n".join(drawn(VIEW))


def test_caged_and_hidden_animals_are_marked(wide):
    cloak = JUICE | {"kind": "chameleon_cloak"}
    text = "\n".join(
        drawn(
            SPECTATOR_VIEW
            | {"animals": [ANIMAL | {"x": 1, "y": 1}, OTHER | {"active_power_up": cloak}]}
        )
    )

    assert "caught 2, in its cage, holds scavenger" in text
    assert "cloak for 4" in text


def test_one_line_has_the_scores():
    assert zooscape.line(SPECTATOR_VIEW, NAMES) == "tick 12 of 2000: ann 198, bob 198; 4 pellets"


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("w", "UP"),
        ("S", "DOWN"),
        ("left", "LEFT"),
        ("d", "RIGHT"),
        ("u", "USE_ITEM"),
        ("", "SKIP"),
        (".", "SKIP"),
        ("\x1b[A", "UP"),
        ("\x1b[B", "DOWN"),
        ("^[[C", "RIGHT"),
        ("^[[D", "LEFT"),
    ],
)
def test_letters_words_and_arrow_keys_are_accepted(typed, action):
    command = zooscape.question(VIEW).answer(typed)

    assert {"action": action} == command
    GAMES["zooscape"].parse(command)


def test_the_question_shows_the_players_own_standing():
    assert (
        zooscape.question(VIEW).text == "You are A. You go right, you hold a scavenger. Where to?"
    )
    still = VIEW | {
        "animals": [ANIMAL | {"held_power_up": None}, OTHER],
        "you": OWN | {"direction": "idle"},
    }
    assert zooscape.question(still).text == "You are A. You stand still. Where to?"


def test_several_zookeepers_on_one_cell_are_drawn_once(wide):
    assert "Z1" in drawn(SPECTATOR_VIEW | {"zookeepers": [KEEPER, KEEPER | {"id": 1}]})[1]
