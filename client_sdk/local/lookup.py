"""Find what a name refers to: a game, a map, a file and what it holds."""

from __future__ import annotations

import errno
import json
import math
import os
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from client_sdk.console import UserError
from client_sdk.local.players import is_file, known

if TYPE_CHECKING:
    from games.core.contract import AnyGame, Json

TEXT_BYTES: Final = 64 << 20
"""Of a text file, such as a map, a plan or a list of names."""
FILE_BYTES: Final = 512 << 20
"""Of any other file, such as a record."""
DEEPEST: Final = 64
"""How deep lists and tables of a document may be nested."""


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
    try:
        given = document(read_text(file), toml=file.suffix.lower() == ".toml")
    except ValueError as fault:
        raise UserError(f"{file}: {fault}") from None
    if not isinstance(given, dict):
        raise UserError(f'{file}: expected an object of parameters, such as {{"max_turns": 100}}')
    return given


def read_text(file: Path) -> str:
    """A text file; a byte order mark is no part of it. Raises UserError."""
    from games.core.text import text_of

    try:
        text = text_of(read_bytes(file, TEXT_BYTES))
    except OSError as fault:
        raise UserError(f"{file}: {fault.strerror or fault}") from None
    except UnicodeDecodeError:
        raise UserError(f"{file}: not UTF-8 text") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_bytes(file: Path, most: int) -> bytes:
    """A file of at most this size: what is named by hand may be a device, which never ends. Raises
    OSError."""
    try:
        with file.open("rb") as opened:
            content = opened.read(most + 1)
    except ValueError:  # a name with NUL
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(file)) from None
    if len(content) > most:
        raise OSError(errno.EFBIG, f"larger than {most >> 20} MiB", str(file))
    return content


def document(text: str, *, toml: bool = False) -> Json:
    """What a JSON or TOML text says, which is what JSON can hold. Raises ValueError."""
    try:
        given = tomllib.loads(text) if toml else json.loads(text)
    except RecursionError:
        raise ValueError("nested too deep") from None
    _expect_json(given, "", DEEPEST)
    return given


def _expect_json(value: Json, where: str, levels: int) -> None:
    """TOML has dates and hexadecimal numbers of any size, and is nested by a row of dots. Raises
    ValueError, which names the field."""
    if not levels:
        raise ValueError(f"{where}: nested too deep")
    number = math.isfinite(value) if isinstance(value, float) else isinstance(value, int)
    large = isinstance(value, int) and abs(value) >= 2**63
    if large or not (number or value is None or isinstance(value, str | dict | list)):
        expected = "a text, a number that is not too large, true or false, a list or a table"
        raise ValueError(f"{where}: expected {expected}")
    inner = enumerate(value) if isinstance(value, list) else ()
    for key, one in value.items() if isinstance(value, dict) else inner:
        _expect_json(one, f"{where}.{key}" if where else str(key), levels - 1)
