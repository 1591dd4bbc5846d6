"""Keys that step through a match, read as they are typed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import typer

from client_sdk.console import err

KEYS: Final = (
    "→ or Enter next · ← or p previous · Home, End · number and Enter jumps there · space plays · "
    "q leaves"
)
WORDS: Final = {
    "\x1b[C": "n",
    "\x1bOC": "n",
    "\xe0M": "n",
    "\x00M": "n",
    "\x1b[D": "p",
    "\x1bOD": "p",
    "\xe0K": "p",
    "\x00K": "p",
    "\x1b[H": "first",
    "\x1bOH": "first",
    "\x1b[1~": "first",
    "\xe0G": "first",
    "\x1b[F": "last",
    "\x1bOF": "last",
    "\x1b[4~": "last",
    "\xe0O": "last",
    " ": "play",
    "n": "n",
    "p": "p",
}
"""By what a terminal sends for a key (Windows: the last of each)."""


def stepping() -> Iterator[str]:
    """What the keys mean: the words of `WORDS`, or a turn, until q, Ctrl-C or Ctrl-D."""
    err().print(KEYS, style="dim")
    number = ""
    while True:
        try:
            key = typer.getchar()
        except (EOFError, KeyboardInterrupt):
            return
        if key in ("q", "\x03", "\x04"):
            return
        if key.isdecimal() or (number and key.isalpha() and key not in WORDS):
            number += key  # 20b: a part of a turn
            err().print(key, end="")
        elif key in ("\r", "\n"):
            yield number or "n"
            number = ""
        else:
            number = ""
            yield WORDS.get(key, "?")
