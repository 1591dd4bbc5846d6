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


LABEL: Final = 4
"""Columns between a board and its panel: they hold the number of a row."""
STEP: Final = 5
"""Every column of this number is labelled."""


def pictured(
    width: int, board: Callable[[int, int], Iterable[Text]], panel: Sequence[Text]
) -> Text:
    """A board that is `width` cells across, with the numbers of its rows, from 0 at the top, and
    of some columns below. `board` makes its rows from the columns of a cell (two where there is
    room, else one) and those of the terminal."""
    columns = shutil.get_terminal_size(SIZE).columns
    beside = width + LABEL + PANEL <= columns
    cell = 2 if 2 * width + (LABEL + PANEL if beside else 0) <= columns else 1
    rows = [*board(cell, columns)]
    if numbered := cell * width + LABEL <= columns:
        for y, row in enumerate(rows):
            row.append(f" {y:<{LABEL - 1}}", style="dim")
        rows.append(ruler(width, cell))
    text = Text(no_wrap=True, overflow="crop")
    if not beside:
        text.append_text(Text("\n").join(panel)).append("\n")
    for number, row in enumerate(rows):
        if not beside and numbered:
            row.rstrip()
        text.append_text(row)
        if beside and number < len(panel):
            text.append_text(panel[number])
        text.append("\n")
    for extra in panel[len(rows) :] if beside else ():
        text.append(" " * (cell * width + LABEL)).append_text(extra).append("\n")
    return text


def ruler(width: int, cell: int) -> Text:
    """The numbers of the columns, each where its column is."""
    labels = "".join(f"{x:<{cell * STEP}}" for x in range(0, width, STEP))
    return Text(f"{labels[: cell * width]:<{cell * width + LABEL}}", style="dim")
