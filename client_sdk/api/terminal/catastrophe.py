"""Catastrophe in a terminal: the board, how both sides stand, and the question if the turn is over.

Units are letters in the colour of their side, neutral ones white: C overlord, S soldier, G
gatherer, B builder, M missionary, H fresh human. Structures: ^ shelter, * monument, # wall, %
neutral. The road is =, food to harvest , (small) or ; (much), what lies on the ground !. A tile is
two columns wide where the terminal has room for it: a structure stays visible behind a unit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, TypeAlias

from rich.text import Text

from client_sdk.api.terminal import Choice, Question
from client_sdk.api.terminal.panel import PANEL, pictured
from games.core.contract import Json

START_ONLY: tuple[str, ...] = ("map", "jobs", "structure_types")

Glyph: TypeAlias = tuple[str, str]
"""A character and its style."""

JOBS: Final = {
    "cat overlord": "C",
    "soldier": "S",
    "gatherer": "G",
    "builder": "B",
    "missionary": "M",
    "fresh human": "H",
}
STRUCTURES: Final = {"shelter": "^", "monument": "*", "wall": "#", "neutral": "%"}
SIDES: Final = {0: "bold cyan", 1: "bold yellow", None: "bold white"}
"""By owner."""
ROAD: Final[Glyph] = ("=", "grey42")
LITTLE: Final[Glyph] = (",", "green")
MUCH: Final[Glyph] = (";", "bold green")
"""Food of a tile whose harvest rate is above RICH."""
RICH: Final = 60
LYING: Final[Glyph] = ("!", "magenta")
BARE: Final[Glyph] = ("·", "grey30")
LEGEND: Final = (
    *(f"{mark} {job}" for job, mark in JOBS.items()),
    *(f"{mark} {kind}" for kind, mark in STRUCTURES.items()),
    f"{LITTLE[0]}{MUCH[0]} food",
    f"{LYING[0]} goods",
)


def draw(view: Json, names: Sequence[str]) -> Text:
    """The board as wide as fits, and both sides' food, units and structures."""
    return pictured(
        view["map"]["width"], lambda cell, columns: _board(view, cell), _panel(view, names)
    )


def line(view: Json, names: Sequence[str]) -> str:
    """Who stands how."""
    owned = Counter(unit["owner"] for unit in view["units"])
    stands = ", ".join(
        f"{name} {owned[player['seat']]} units, {player['food']} food"
        for name, player in zip(names, view["players"], strict=False)
    )
    return f"turn {view['turn']}: {stands}{_ending(view, names)}"


def question(view: Json) -> Question:
    """A person can only pass: this game is made for programs, and its turns are many commands."""
    return Question(
        "Your turn. People can only end it; bots do more.",
        (Choice(("", ".", "end"), ". end turn", {"cmd": "end_turn"}),),
    )


def _board(view: Json, cell: int) -> Iterator[Text]:
    """The rows from the top, runs of one style at a time."""
    land = view["map"]
    built: dict[tuple[int, int], Glyph] = {
        (one["x"], one["y"]): (STRUCTURES[one["type"]], SIDES[one["owner"]])
        for one in view["structures"]
    }
    ground = {
        (tile["x"], tile["y"]): glyph
        for tile in view["tiles"]
        if (glyph := _ground(tile)) is not None
    }
    units: dict[tuple[int, int], Glyph] = {
        (unit["x"], unit["y"]): (JOBS[unit["job"]], SIDES[unit["owner"]]) for unit in view["units"]
    }
    for y in range(land["height"]):
        under = ROAD if y in land["road_rows"] else BARE
        glyphs: list[Glyph] = []
        for place in ((x, y) for x in range(land["width"])):
            there = [glyph for glyph in (units.get(place), built.get(place)) if glyph is not None]
            glyphs += (there or [ground.get(place, under)])[:cell]
            glyphs += [(" ", "")] * (cell - max(1, min(len(there), cell)))
        text = Text()
        for style, run in groupby(glyphs, key=lambda glyph: glyph[1]):
            text.append("".join(mark for mark, _ in run), style=style)
        yield text


def _ground(tile: Json) -> Glyph | None:
    if tile["food"] or tile["materials"]:
        return LYING
    if not tile["harvest_rate"]:
        return None
    return MUCH if tile["harvest_rate"] > RICH else LITTLE


def _panel(view: Json, names: Sequence[str]) -> list[Text]:
    """The lines beside the board."""
    mover = view["players"][view["current_player"]]["seat"]
    lines = [Text(f"turn {view['turn']}{_ending(view, names)}")]
    for name, player in zip(names, view["players"], strict=False):
        seat = player["seat"]
        own = [unit for unit in view["units"] if unit["owner"] == seat]
        cat = next(unit for unit in view["units"] if unit["id"] == player["cat"])
        mark = ">" if seat == mover and view["result"] is None else " "
        hungry = ", starving" if any(unit["starving"] for unit in own) else ""
        built = Counter(
            STRUCTURES[one["type"]] for one in view["structures"] if one["owner"] == seat
        )
        lines.append(Text(f"{mark} {name}"[:PANEL], style=SIDES[seat]))
        lines.append(Text(f"  food {player['food']}, upkeep {player['upkeep']}{hungry}"))
        lines.append(
            Text(
                f"  overlord {cat['energy']:g}, units "
                f"{_counted(Counter(JOBS[unit['job']] for unit in own))}"
            )
        )
        if built:
            lines.append(Text(f"  structures {_counted(built)}"))
    lines.extend(Text("  ".join(LEGEND[first : first + 2])) for first in range(0, len(LEGEND), 2))
    return lines


def _counted(marks: Counter[str]) -> str:
    return " ".join(f"{mark}{count}" for mark, count in sorted(marks.items()))


def _ending(view: Json, names: Sequence[str]) -> str:
    result = view["result"]
    return "" if result is None else f", {names[result['winner']]} wins ({result['reason']})"
