"""The names of lobbies, players, accounts, tournaments and their entrants: labels that people read.

Two names that look alike but differ in what no one sees would let one player pass for another.
Each name is therefore kept in one form, and one that holds invisible characters is refused.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from games.core.errors import BotarenaError

LONGEST: Final = 80
"""Characters."""
BLANK: Final = (
    *(0x2800, 0x1D159),  # a Braille pattern and a note head without ink
    # Default_Ignorable_Code_Point of the Unicode character database
    *(0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5),
    *range(0x180B, 0x1810),
    *range(0x200B, 0x2010),
    *range(0x202A, 0x202F),
    *range(0x2060, 0x2070),
    0x3164,
    *range(0xFE00, 0xFE10),
    *(0xFEFF, 0xFFA0),
    *range(0xFFF0, 0xFFF9),
    *range(0x1BCA0, 0x1BCA4),
    *range(0x1D173, 0x1D17B),
    *range(0xE0000, 0xE1000),
)
"""Code points that are drawn as nothing, by themselves and within a word."""
_BLANK: Final = frozenset(map(chr, BLANK))


class BadName(BotarenaError, ValueError):
    """The text says what was expected."""


def numbered(name: str, number: int) -> str:
    """The name of one of several players that are called the same."""
    return f"{name[: LONGEST - 1 - len(str(number))]} {number}"


def checked_name(name: str, longest: int = LONGEST) -> str:
    """The name as it is kept: without outer spaces, its characters composed (NFC).

    Raises BadName if it is empty, longer than `longest` characters, or holds a character that is
    not printable or never visible.
    """
    kept = composed(name)
    if not 1 <= len(kept) <= longest or not kept.isprintable():
        raise BadName(f"expected 1 to {longest} characters, all printable")
    if not _BLANK.isdisjoint(kept):
        raise BadName("expected a name without invisible characters")
    if unicodedata.category(kept[0]).startswith("M"):
        raise BadName("expected a name that begins with a visible character")
    return kept


def composed(name: str) -> str:
    """The form in which names are kept and looked up."""
    return unicodedata.normalize("NFC", name).strip()


def likeness(name: str) -> str:
    """Equal for names that differ only in spaces, width or other compatible forms of characters."""
    return " ".join(unicodedata.normalize("NFKC", name).split())
