"""PyRat in a terminal: the maze from above, both players, the scores; the question where to go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from client_sdk.api.terminal import Choice, Question
from games.core.contract import Json

START_ONLY: tuple[str, ...] = ("maze",)

ROLES: Final = ("rat", "python")
MARKS: Final = {"rat": ("R", "bold magenta"), "python": ("P", "bold green")}
MUD: Final = "dark_orange3"
LONG: Final = 2
DEEP: Final = "~~"
"""Mud between neighbours of a row has room for two digits; what costs more looks like this."""
CHOICES: Final = (
    Choice(("w", "u", "up", "\x1b[a", "^[[a"), "w up", "UP"),
    Choice(("d", "r", "right", "\x1b[c", "^[[c"), "d right", "RIGHT"),
    Choice(("s", "down", "\x1b[b", "^[[b"), "s down", "DOWN"),
    Choice(("a", "l", "left", "\x1b[d", "^[[d"), "a left", "LEFT"),
    Choice(("", ".", "stay"), ". stay", "STAY"),
)
"""Letters, words, or an arrow key and Enter: what a terminal sends for an arrow is a choice too."""


def draw(view: Json, names: Sequence[str]) -> Text:
    """The maze, three columns and two rows a cell: walls as lines, mud as the turns that it costs,
    cheese as o. Numbers on the left and below are the coordinates of the cells."""
    maze = view["maze"]
    width, height = maze["width"], maze["height"]
    walls = {_between(a, b) for a, b in maze["walls"]}
    mud = {_between(a, b): cost for a, b, cost in maze["mud"]}
    content = _content(view)
    text = Text(no_wrap=True, overflow="crop")
    _scores(text, view, names)
    margin = len(str(height - 1)) + 1
    text.append(" " * margin + "+" + "---+" * width + "\n")
    for y in range(height - 1, -1, -1):
        text.append(f"{y:>{margin - 1}} ", style="dim").append("|")
        for x in range(width):
            mark, style = content.get((x, y), ("   ", ""))
            edge = _between([x, y], [x + 1, y])
            cost = str(mud.get(edge, ""))
            text.append(mark if len(cost) < LONG else mark[:-1], style=style)
            if x == width - 1 or edge in walls:
                text.append("|")
            else:
                text.append(cost if len(cost) <= LONG else DEEP, style=MUD)
                text.append("" if cost else " ")
        text.append("\n" + " " * margin + "+")
        for x in range(width):
            edge = _between([x, y - 1], [x, y])
            if y == 0 or edge in walls:
                text.append("---")
            else:
                text.append(f"{mud.get(edge, ''):^3}", style=MUD)
            text.append("+")
        text.append("\n")
    columns = "".join(f"{x:^3} " for x in range(width))
    text.append(" " * (margin + 1) + columns.rstrip() + "\n", style="dim")
    return text


def line(view: Json, names: Sequence[str]) -> str:
    """Who stands how."""
    stands = ", ".join(
        f"{name} {_score(view[role]['score'])}" for name, role in zip(names, ROLES, strict=True)
    )
    return (
        f"turn {view['turn']} of {view['max_turns']}: {stands}; {len(view['cheese'])} cheese left"
    )


def question(view: Json) -> Question:
    """Which way; in mud only waiting is left."""
    me = view[view["you"]]
    if me["mud_turns"]:
        return Question(f"You are in mud for {me['mud_turns']} more turns.", CHOICES[-1:])
    open_ = ", ".join(move.lower() for move in view["moves"])
    return Question(
        f"You are {view['you']} ({MARKS[view['you']][0]}). Which way? Open: {open_}.", CHOICES
    )


def _content(view: Json) -> dict[tuple[int, int], tuple[str, str]]:
    """What each cell shows, three characters; players over cheese."""
    shown = dict.fromkeys(map(tuple, view["cheese"]), (" o ", "yellow"))
    for role in ROLES:
        player = view[role]
        mark, style = MARKS[role]
        cell = tuple(player["position"])
        waits = str(player["mud_turns"]) if player["mud_turns"] else " "
        shown[cell] = (f" {mark}{waits}", style)
    if view["rat"]["position"] == view["python"]["position"]:
        shown[tuple(view["rat"]["position"])] = (" RP", "bold cyan")
    return shown


def _scores(text: Text, view: Json, names: Sequence[str]) -> None:
    text.append(f"turn {view['turn']} of {view['max_turns']}  ")
    for name, role in zip(names, ROLES, strict=True):
        mark, style = MARKS[role]
        text.append(f"{mark} {name} {_score(view[role]['score'])}  ", style=style)
    text.append(f"{len(view['cheese'])} of {view['total_cheese']} cheese left\n")


def _score(value: float) -> str:
    return f"{value:g}"


def _between(a: Sequence[int], b: Sequence[int]) -> tuple[tuple[int, int], tuple[int, int]]:
    one, other = (a[0], a[1]), (b[0], b[1])
    return (one, other) if one <= other else (other, one)
