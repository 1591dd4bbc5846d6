"""A board with a panel: beside it where the terminal has room for both, above it elsewhere."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from rich.text import Text

SIZE: Final = (160, 60)
"""Columns and lines where the terminal's size is unknown."""
PANEL: Final = 38
"""Columns of the panel."""
GAP: Final = "  "


def pictured(
    width: int, board: Callable[[int, int], Iterable[Text]], panel: Sequence[Text]
) -> Text:
    """A board that is `width` cells across. `board` makes its rows from the columns of a cell (two
    where there is room, else one) and those of the terminal."""
    columns = shutil.get_terminal_size(SIZE).columns
    beside = width + len(GAP) + PANEL <= columns
    cell = 2 if 2 * width + (len(GAP) + PANEL if beside else 0) <= columns else 1
    rows = [*board(cell, columns)]
    text = Text(no_wrap=True, overflow="crop")
    if not beside:
        text.append_text(Text("\n").join(panel)).append("\n")
    for number, row in enumerate(rows):
        text.append_text(row)
        if beside and number < len(panel):
            text.append(GAP).append_text(panel[number])
        text.append("\n")
    for extra in panel[len(rows) :] if beside else ():
        text.append(" " * (cell * width) + GAP).append_text(extra).append("\n")
    return text
