"""Find what a name refers to: a game, a map, a text file."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from client_sdk.console import UserError
from client_sdk.local.players import is_file, known

if TYPE_CHECKING:
    from games.core.contract import AnyGame, Json


def known_game(name: str) -> AnyGame | None:
    """The game of this name; None if it is not installed here."""
    from games import GAMES

    return GAMES.get(name)


def game_called(name: str) -> AnyGame:
    """Raises UserError."""
    from client_sdk.api.adapters import FILES
    from games import GAMES

    if name not in GAMES and name.endswith(FILES):
        raise UserError(f"{name}: the game comes before the bots, one of {', '.join(GAMES)}")
    known("game", name, GAMES)
    return GAMES[name]


def map_text(game: str, name: str) -> str:
    """A map's text, by its name or from a file. Raises UserError."""
    from games.core import maps as shelf

    if is_file(name):
        return read_text(Path(name))
    if name.startswith("generate:"):  # as a contest says it: the game answers
        return name
    known(f"map of {game} (and no file)", name, shelf.names(game))
    return shelf.text(game, name)


def config_of(file: Path) -> dict[str, Json]:
    """The parameters that a JSON or TOML file holds. Raises UserError."""
    text = read_text(file)
    try:
        given = tomllib.loads(text) if file.suffix.lower() == ".toml" else json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise UserError(f"{file}: {fault}") from None
    if not isinstance(given, dict):
        raise UserError(f'{file}: expected an object of parameters, such as {{"max_turns": 100}}')
    return given


def read_text(file: Path) -> str:
    """A text file; a byte order mark is no part of it. Raises UserError."""
    from games.core.text import text_of

    try:
        return text_of(file.read_text(encoding="utf-8"))
    except OSError as fault:
        raise UserError(f"{file}: {fault.strerror or fault}") from None
    except UnicodeDecodeError:
        raise UserError(f"{file}: not UTF-8 text") from None
