"""Catastrophe in a terminal: the board, how both sides stand, and what the units are to do.

Units are letters in the colour of their side, neutral ones white: C overlord, S soldier, G
gatherer, B builder, M missionary, H fresh human. Structures: ^ shelter, * monument, # wall, %
neutral. The road is =, food to harvest , (small) or ; (much), what lies on the ground !. A tile is
two columns wide where the terminal has room for it: a structure stays visible behind a unit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Final, TypeAlias

from rich.text import Text

from client_sdk.api.terminal import Choice, Question
from client_sdk.api.terminal.panel import PANEL, pictured
from games.catastrophe import GAME
from games.catastrophe.actions import KINDS
from games.catastrophe.commands import END_TURN
from games.core.contract import Json
from games.core.turns import turn_title

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
STEPS: Final = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}
HERE: Final = "here"
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
    return f"{_turn(view)}: {stands}{_ending(view, names)}"


def question(view: Json) -> Question:
    """What the units do in this turn, in one line: steps, and the game's own commands."""
    units = _own(view)
    listed = "; ".join(
        f"{unit['id']} {unit['job']} at {unit['x']} {unit['y']}, energy {unit['energy']:g}"
        for unit in units
    )
    one = units[0]["id"]
    return Question(
        f"Your units: {listed}. Say what they do in this turn: {one} right right, {one} attack up, "
        f"{one} rest, {one} change_job soldier, {one} construct left wall, {one} drop here food 5. "
        f"Places: {' '.join(STEPS)} here, or X Y. Commands: {' '.join(KINDS)}.",
        (
            Choice(("", ".", "end"), ". end the turn", END_TURN),
            Choice((), "UNIT STEPS, UNIT COMMAND PLACE", None),
        ),
        partial(_orders, view),
    )


def _own(view: Json) -> list[Json]:
    """The units of the side whose turn it is."""
    seat = view["players"][view["current_player"]]["seat"]
    return [unit for unit in view["units"] if unit["owner"] == seat]


def _orders(view: Json, typed: str) -> list[Json] | None:
    places = {str(unit["id"]): (unit["x"], unit["y"]) for unit in _own(view)}
    commands: list[Json] = []
    for part in typed.split(","):
        unit, *words = part.split() or [""]
        if unit not in places or not words:
            return None
        if all(word in STEPS for word in words):
            for word in words:
                places[unit] = x, y = _beside(places[unit], word)
                commands.append({"cmd": "move", "unit": int(unit), "x": x, "y": y})
            continue
        command = _command(places[unit], *words)
        if command is None:
            return None
        commands.append(command | {"unit": int(unit)})
    return [*commands, END_TURN]


def _command(place: tuple[int, int], verb: str, *words: str) -> dict[str, Json] | None:
    """A command of a unit at this place: its place comes first, then what else it needs."""
    if verb not in KINDS:
        return None
    command: dict[str, Json] = {"cmd": verb}
    needs = [need for need in KINDS[verb].needs if need not in ("x", "y")]
    left = list(words)
    if "x" in KINDS[verb].needs:
        if left and (left[0] in STEPS or left[0] == HERE):
            command["x"], command["y"] = _beside(place, left.pop(0))
        elif len(left) > 1 and _is_number(left[0]) and _is_number(left[1]):
            command["x"], command["y"] = int(left.pop(0)), int(left.pop(0))
        else:
            return None
    for need, word in zip(needs, left, strict=False):
        if need == "amount" and not _is_number(word):
            return None
        command[need] = int(word) if need == "amount" else word
    missing = set(needs[len(left) :]) - {"amount"}
    return None if missing or len(left) > len(needs) else command


def _beside(place: tuple[int, int], step: str) -> tuple[int, int]:
    dx, dy = STEPS.get(step, (0, 0))
    return place[0] + dx, place[1] + dy


def _is_number(word: str) -> bool:
    return word.isdecimal() and len(word) < 9


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
    lines = [Text(f"{_turn(view)}{_ending(view, names)}")]
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


def _turn(view: Json) -> str:
    return f"turn {turn_title(GAME, view['turn'])}"


def _counted(marks: Counter[str]) -> str:
    return " ".join(f"{mark}{count}" for mark, count in sorted(marks.items()))


def _ending(view: Json, names: Sequence[str]) -> str:
    result = view["result"]
    return "" if result is None else f", {names[result['winner']]} wins ({result['reason']})"
