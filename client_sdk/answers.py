"""What bots answer: commands for the whole turn in a foreign form, and whatever else, in a log."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable
from itertools import islice
from typing import Final

from games.core.contract import AnyGame, Json

COMMANDS: Final = 5_000
"""Of one answer."""


def commands_of(answer: Iterable[Json]) -> list[Json]:
    """What `decide` gives, which may be without an end. Raises ValueError."""
    commands = list(islice(answer, COMMANDS + 1))
    if len(commands) > COMMANDS:
        raise ValueError(f"more than {COMMANDS} commands in one answer")
    return commands


def whole_turn(game: AnyGame, answer: Json) -> list[Json]:
    """The commands of an answer; None gives none. In a game whose turns are many commands they end
    the turn."""
    given = answer if isinstance(answer, list | tuple) else [] if answer is None else [answer]
    commands = [game.from_shorthand(command) for command in given]
    end = game.end_turn
    return commands if end is None or end in commands else [*commands, end]


def shown(answer: object) -> str:
    """An answer that is none, for a message: shortened, whatever it is made of."""
    try:
        return reprlib.repr(answer)
    except Exception:  # noqa: BLE001  such as a number of more digits than Python writes
        return f"a value of type {type(answer).__name__}"
