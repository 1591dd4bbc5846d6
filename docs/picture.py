"""python docs/picture.py: play a PyRat match of two house bots and draw one of its turns into
docs/pyrat.svg."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from botarena import GAMES, Match, house_bot, play_headless

CELL = 34
EDGE = 10
SEED, TURN = 12, 14


def drawn(view: dict[str, Any], maze: dict[str, Any]) -> str:
    """The board of one view as SVG: walls black, mud brown with its cost, cheese yellow, the Rat
    above right at the start."""
    width, height = maze["width"] * CELL, maze["height"] * CELL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-EDGE} {-EDGE} {width + 2 * EDGE} '
        f'{height + 2 * EDGE}" '
        f'width="{width + 2 * EDGE}" font-family="sans-serif" text-anchor="middle">',
        (
            f"<title>PyRat, turn {view['turn']}: rat {view['rat']['score']:g}, python "
            f"{view['python']['score']:g}</title>"
        ),
        f'<rect x="{-EDGE}" y="{-EDGE}" width="100%" height="100%" fill="#fbf7ee"/>',
        f'<rect width="{width}" height="{height}" fill="#fff" stroke="#333" stroke-width="4"/>',
    ]
    for one, other in maze["walls"]:
        parts.append(border(one, other, height, "#333", 4))
    for one, other, cost in maze["mud"]:
        x, y = between(one, other, height)
        parts.append(border(one, other, height, "#b08d57", 8))
        parts.append(
            f'<text x="{x:g}" y="{y + 4:g}" font-size="11" font-weight="bold">{cost}</text>'
        )
    for cell in view["cheese"]:
        x, y = middle(cell, height)
        parts.append(
            f'<circle class="cheese" cx="{x:g}" cy="{y:g}" r="6" fill="#f2b705" stroke="#8a6500"/>'
        )
    for role, letter, colour in (("rat", "R", "#5b6abf"), ("python", "P", "#3c8d5a")):
        x, y = middle(view[role]["position"], height)
        parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="12" fill="{colour}"/>')
        parts.append(f'<text x="{x:g}" y="{y + 5:g}" font-size="14" fill="#fff">{letter}</text>')
    return "\n".join([*parts, "</svg>", ""])


def middle(cell: list[int], height: int) -> tuple[float, float]:
    """A cell's middle on the picture, whose y grows downwards."""
    return (cell[0] + 0.5) * CELL, height - (cell[1] + 0.5) * CELL


def between(one: list[int], other: list[int], height: int) -> tuple[float, float]:
    (x1, y1), (x2, y2) = middle(one, height), middle(other, height)
    return (x1 + x2) / 2, (y1 + y2) / 2


def border(one: list[int], other: list[int], height: int, colour: str, thick: int) -> str:
    """The line between two neighbouring cells."""
    x, y = between(one, other, height)
    dx, dy = (0.0, CELL / 2) if one[1] == other[1] else (CELL / 2, 0.0)
    line = f"M{x - dx:g} {y - dy:g}L{x + dx:g} {y + dy:g}"
    return f'<path d="{line}" stroke="{colour}" stroke-width="{thick}" stroke-linecap="round"/>'


def main() -> None:
    match = Match.begin(GAMES["pyrat"], {"preset": "small"}, SEED)
    maze = match.view(None)["maze"]

    def draw(shown: Match) -> None:
        if shown.turn == TURN:
            Path(__file__).with_name("pyrat.svg").write_text(
                drawn(shown.view(None), maze), encoding="utf-8"
            )

    play_headless(match, [house_bot("pyrat", "greedy") for _ in range(match.seats)], shown=draw)


if __name__ == "__main__":
    main()
