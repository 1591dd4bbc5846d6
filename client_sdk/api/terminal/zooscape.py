"""Zooscape in a terminal: the board, the standing of all players beside or above it, and the
question where to go.

Walls are #, pellets ·, animals the letters A to D by seat, zookeepers Z; the rest is named beside
the board. A cell is two columns wide where the terminal has room for it, else one. A board that is
wider than the terminal is shown in part, with one's own animal in the middle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, TypeAlias

from rich.text import Text

from client_sdk.api.terminal import Choice, Question
from client_sdk.api.terminal.panel import PANEL, pictured
from games.core.contract import Json

START_ONLY: tuple[str, ...] = ()

Glyph: TypeAlias = tuple[str, str]
"""A character and its style."""

CONTENTS: Final[dict[str, Glyph]] = {
    "0": (" ", ""),
    "1": ("#", "grey42 on grey42"),
    "2": ("·", "grey70"),
    "3": ("+", "red"),
    "4": ("=", "blue"),
    "5": ("o", "bold yellow"),
    "6": ("?", "bold bright_blue"),
    "7": ("%", "bold bright_green"),
    "8": ("!", "bold bright_magenta"),
}
"""By the digit on the map. A wall is a block where there are colours, else its digit."""
ANIMALS: Final[tuple[Glyph, ...]] = (
    ("A", "bold cyan"),
    ("B", "bold green"),
    ("C", "bold magenta"),
    ("D", "bold yellow"),
)
"""By seat."""
CROWD: Final[Glyph] = ("&", "bold white")
"""Several animals on one cell."""
ZOOKEEPER: Final[Glyph] = ("Z", "bold white on red")
POWER_UPS: Final = {
    "power_pellet": "power pellet",
    "chameleon_cloak": "cloak",
    "scavenger": "scavenger",
    "big_moose_juice": "juice",
}
LEGEND: Final = (
    (CONTENTS["5"], "power pellet"),
    (CONTENTS["6"], "cloak"),
    (CONTENTS["7"], "scavenger"),
    (CONTENTS["8"], "juice"),
    (CONTENTS["4"], "cage"),
    (ZOOKEEPER, "zookeeper"),
)
CHOICES: Final = (
    Choice(("w", "up", "\x1b[a", "^[[a"), "w up", {"action": "UP"}),
    Choice(("s", "down", "\x1b[b", "^[[b"), "s down", {"action": "DOWN"}),
    Choice(("a", "left", "\x1b[d", "^[[d"), "a left", {"action": "LEFT"}),
    Choice(("d", "right", "\x1b[c", "^[[c"), "d right", {"action": "RIGHT"}),
    Choice(("u", "use", "use_item"), "u use", {"action": "USE_ITEM"}),
    Choice(("", ".", "skip"), ". go on", {"action": "SKIP"}),
)


def draw(view: Json, names: Sequence[str]) -> Text:
    """The board as wide as fits, and all players' scores, captures and power-ups."""
    return pictured(
        len(view["map"][0]), lambda cell, columns: _board(view, cell, columns), _panel(view, names)
    )


def line(view: Json, names: Sequence[str]) -> str:
    """Who stands how."""
    stands = ", ".join(
        f"{name} {animal['score']}" for name, animal in zip(names, view["animals"], strict=False)
    )
    return f"tick {view['tick']} of {view['max_ticks']}: {stands}; {_pellets(view)} pellets"


def question(view: Json) -> Question:
    """Where to go: an animal without a command goes on as it does."""
    me, own = view["animals"][view["you"]["seat"]], view["you"]
    goes = "You stand still" if own["direction"] == "idle" else f"You go {own['direction']}"
    holds = "" if me["held_power_up"] is None else f", you hold a {POWER_UPS[me['held_power_up']]}"
    return Question(f"You are {ANIMALS[own['seat']][0]}. {goes}{holds}. Where to?", CHOICES)


def _board(view: Json, cell: int, columns: int) -> Iterator[Text]:
    """The rows from the top, runs of one style at a time."""
    standing = _standing(view)
    width = len(view["map"][0])
    shown = min(width, max(1, columns // cell))
    middle = view["animals"][view["you"]["seat"]]["x"] if "you" in view else width // 2
    left = min(max(0, middle - shown // 2), width - shown)
    for y, row in enumerate(view["map"]):
        glyphs = (standing.get((x, y)) or CONTENTS[row[x]] for x in range(left, left + shown))
        text = Text()
        for style, run in groupby(glyphs, key=lambda glyph: glyph[1]):
            text.append("".join(_wide(mark, cell) for mark, _ in run), style=style)
        yield text


def _wide(mark: str, cell: int) -> str:
    return mark * cell if mark == CONTENTS["1"][0] else mark.ljust(cell)[:cell]


def _standing(view: Json) -> dict[tuple[int, int], Glyph]:
    """Who stands where; zookeepers with their numbers, several animals with their letters, as far
    as there is room."""
    found: dict[tuple[int, int], list[int]] = {}
    for animal in view["animals"]:
        found.setdefault((animal["x"], animal["y"]), []).append(animal["seat"])
    shown = {cell: ANIMALS[seats[0]] if len(seats) == 1 else CROWD for cell, seats in found.items()}
    mark, style = ZOOKEEPER
    return shown | {
        (keeper["x"], keeper["y"]): (f"{mark}{keeper['id']}", style)
        for keeper in view["zookeepers"]
    }


def _panel(view: Json, names: Sequence[str]) -> list[Text]:
    """The lines beside the board."""
    lines = [Text(f"tick {view['tick']} of {view['max_ticks']}, {_pellets(view)} pellets")]
    for name, animal in zip(names, view["animals"], strict=False):
        mark, style = ANIMALS[animal["seat"]]
        score = str(animal["score"])
        label = f"{mark} {name}"
        room = PANEL - len(score) - 1
        lines.append(
            Text(
                f"{label if len(label) <= room else label[: room - 1] + '…':<{room}} {score}",
                style=style,
            )
        )
        lines.append(Text(f"  {_fate(animal)}"))
        if "you" in view and view["you"]["seat"] == animal["seat"]:
            lines.append(
                Text(
                    f"  you: streak x{view['you']['streak_multiplier']:.1f}, queue "
                    f"{view['you']['queue_length']}"
                )
            )
    for first in range(0, len(LEGEND), 3):
        text = Text()
        for (mark, style), words in LEGEND[first : first + 3]:
            text.append(mark, style=style).append(f" {words}  ")
        lines.append(text)
    return lines


def _fate(animal: Json) -> str:
    """What has become of an animal, and what it has."""
    held, active = animal["held_power_up"], animal["active_power_up"]
    words = [f"caught {animal['captured_count']}"]
    if (animal["x"], animal["y"]) == (animal["spawn_x"], animal["spawn_y"]):
        words.append("in its cage")
    if active is not None:
        words.append(f"{POWER_UPS[active['kind']]} for {active['ticks_remaining']}")
    if held is not None:
        words.append(f"holds {POWER_UPS[held]}")
    return ", ".join(words)


def _pellets(view: Json) -> int:
    return sum(row.count("2") for row in view["map"])
