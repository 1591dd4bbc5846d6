"""A turn as people read it.

A game may call several turns together a round: two turns of Catastrophe are a day.

Messages and records count the turns of a match from 0. In a game whose own turns have several
parts, each part is such a turn; people see the game's number, from 1, and a letter: 100a, 100b."""

from __future__ import annotations

import re
from typing import Final

from games.core.contract import AnyGame

_TEXT: Final = re.compile(r"(\d{1,9})([a-z]?)")


def turn_text(game: AnyGame | None, turn: int) -> str:
    """A turn by its number in messages and records. None: a game that is not known here."""
    parts = 1 if game is None else game.turn_parts
    if parts == 1:
        return str(turn)
    return f"{turn // parts + 1}{chr(ord('a') + turn % parts)}"


def turn_title(game: AnyGame | None, turn: int) -> str:
    """The same with the round of the game that it belongs to, if the game has rounds."""
    text = turn_text(game, turn)
    if game is None or game.rounds is None:
        return text
    name, turns = game.rounds
    return f"{text}, {name} {turn // turns + 1}"


def turn_number(game: AnyGame | None, text: str) -> int:
    """The number of a turn in messages and records. Without a letter it is the first part, and a
    round ("day 7") is its first turn. Raises ValueError for what is no turn."""
    parts = 1 if game is None else game.turn_parts
    text = text.strip().lower()
    if game is not None and game.rounds is not None:
        name, turns = game.rounds
        counted = re.fullmatch(rf"{name} ?([1-9]\d{{0,8}})", text)
        if counted is not None:
            return (int(counted[1]) - 1) * turns
    found = _TEXT.fullmatch(text)
    if found is None:
        raise ValueError(f"expected a turn, such as {turn_text(game, 11)}, got {text[:40]!r}")
    number, letter = int(found[1]), found[2]
    if parts == 1 and not letter:
        return number
    part = ord(letter or "a") - ord("a")
    if parts == 1 or number == 0 or part >= parts:
        raise ValueError(f"there is no turn {text[:40]!r}; one is {turn_text(game, 11)}")
    return (number - 1) * parts + part


def turns_played(game: AnyGame, closed: int) -> int:
    """How many turns of the game were begun when this number of turns of the match has closed."""
    return -(-closed // game.turn_parts)
