"""A turn as people read it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games import GAMES
from games.core.turns import turn_number, turn_text, turn_title, turns_played

COOKOFF, PYRAT, CATASTROPHE = GAMES["cookoff"], GAMES["pyrat"], GAMES["catastrophe"]
PAGE = Path(__file__).parents[2] / "server" / "web" / "lib" / "turns.js"


def test_a_game_whose_turns_have_parts_shows_its_own_number_and_a_letter() -> None:
    assert [turn_text(COOKOFF, turn) for turn in (0, 1, 2, 199, 999)] == [
        "1a",
        "1b",
        "2a",
        "100b",
        "500b",
    ]
    assert [turn_text(PYRAT, turn) for turn in (0, 1, 199)] == ["0", "1", "199"]
    assert turn_text(None, 7) == "7"


def test_a_game_of_days_shows_them_beside_the_turn_and_finds_them() -> None:
    assert [turn_title(CATASTROPHE, turn) for turn in (0, 1, 2, 719)] == [
        "0, day 1",
        "1, day 1",
        "2, day 2",
        "719, day 360",
    ]
    assert turn_title(PYRAT, 7) == "7"
    assert [turn_number(CATASTROPHE, text) for text in ("day 1", "Day 7", "day360", "13")] == [
        0,
        12,
        718,
        13,
    ]


@pytest.mark.parametrize("game", [COOKOFF, PYRAT, CATASTROPHE, None])
def test_every_turn_is_found_again_by_its_text(game) -> None:
    for turn in range(60):
        assert turn_number(game, turn_text(game, turn)) == turn


def test_a_turn_without_a_letter_is_its_first_part() -> None:
    assert turn_number(COOKOFF, "100") == 198
    assert turn_number(COOKOFF, " 100B ") == 199


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (COOKOFF, "0"),
        (COOKOFF, "3c"),
        (COOKOFF, "last"),
        (PYRAT, "3a"),
        (CATASTROPHE, "day 0"),
        (PYRAT, "day 3"),
        (CATASTROPHE, "day"),
        (PYRAT, "-1"),
        (PYRAT, ""),
    ],
)
def test_what_is_no_turn_is_refused(game, text: str) -> None:
    with pytest.raises(ValueError, match="turn"):
        turn_number(game, text)


@pytest.mark.parametrize(
    ("game", "closed", "played"), [(COOKOFF, 1000, 500), (COOKOFF, 3, 2), (PYRAT, 61, 61)]
)
def test_the_turns_of_a_match_are_counted_as_the_game_counts(
    game, closed: int, played: int
) -> None:
    assert turns_played(game, closed) == played


def test_the_page_knows_the_games_whose_turns_have_parts() -> None:
    (table,) = re.findall(r"const PARTS = \{(.*?)\};", PAGE.read_text())
    known = {name: int(parts) for name, parts in re.findall(r"(\w+): (\d+)", table)}

    assert known == {name: game.turn_parts for name, game in GAMES.items() if game.turn_parts > 1}


def test_the_page_knows_the_games_that_have_rounds() -> None:
    (table,) = re.findall(r"const ROUNDS = \{(.*?)\};", PAGE.read_text())
    known = {
        name: (word, int(n)) for name, word, n in re.findall(r'(\w+): \["(\w+)", (\d+)\]', table)
    }

    assert known == {name: game.rounds for name, game in GAMES.items() if game.rounds}
