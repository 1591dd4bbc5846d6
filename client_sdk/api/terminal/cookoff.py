"""Carnegie Cookoff in a terminal: both kitchens side by side, below them who holds what and which
orders are open.

A cell is two columns wide where the terminal has room for both kitchens that way, else one. Walls
are #, counters +, cookers K, sinks S, tables of clean plates T, the shop $, the trash R, the way
out U, boxes B; what lies on a tile stands in its place. Bots are their numbers. Foods are their
first letters: capital when they are ready to be served, small as long as there is something to do,
x when burnt."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any, Final, TypeAlias

from rich.text import Text

from client_sdk.api.terminal import Choice, Question
from client_sdk.api.terminal.panel import LABEL, ruler
from games.cookoff.actions import ACTIONS
from games.core.contract import Json

START_ONLY: tuple[str, ...] = ("map", "foods", "shop", "switch_turn", "switch_duration")

SIZE: Final = (100, 50)
"""Columns and lines where the terminal's size is unknown."""
GAP: Final = "   "
SHOWN_ORDERS: Final = 6
"""Of each team; the ones that run out first."""

Glyph: TypeAlias = tuple[str, str]
"""A character and its style."""

FLOOR: Final[dict[str, Glyph]] = {
    ".": ("·", "grey35"),
    "#": ("#", "grey42 on grey42"),
    "C": ("+", "grey70"),
    "B": ("B", "yellow"),
    "S": ("S", "bright_blue"),
    "T": ("T", "bright_blue"),
    "K": ("K", "red"),
    "R": ("R", "grey58"),
    "U": ("U", "bold bright_green"),
    "$": ("$", "bold yellow"),
}
"""By the symbol on the map. A wall is a block where there are colours, else its symbol."""
TEAMS: Final = {"RED": "bold white on red", "BLUE": "bold white on blue"}
"""Teams by seat, and the style of their bots."""
STEPS: Final = {
    "up": (0, 1),
    "right": (1, 0),
    "down": (0, -1),
    "left": (-1, 0),
    "upright": (1, 1),
    "downright": (1, -1),
    "downleft": (-1, -1),
    "upleft": (-1, 1),
}
PLATE: Final[Glyph] = ("o", "bold white")
PAN: Final[Glyph] = ("u", "grey70")
FOOD: Final = "bold bright_yellow"
BURNT: Final[Glyph] = ("x", "bold red")


def draw(view: Json, names: Sequence[str]) -> Text:
    """The kitchens, RED's on the left, and each team's money, hands and orders."""
    columns = shutil.get_terminal_size(SIZE).columns
    width = view["map"]["width"]
    cell = 2 if 4 * width + len(GAP) <= columns else 1
    side = max(cell * width, (columns - len(GAP)) // 2)
    text = Text(no_wrap=True, overflow="crop")
    text.append(f"{_when(view)}\n")
    blocks = [[*_team(view, seat, _name(names, seat), cell, side)] for seat in range(len(TEAMS))]
    for left, right in zip(*_level(blocks), strict=True):
        left.pad_right(max(0, side - len(left)))
        text.append_text(left).append(GAP).append_text(right).append("\n")
    return text


def line(view: Json, names: Sequence[str]) -> str:
    """Who stands how."""
    stands = ", ".join(
        f"{_name(names, seat)} {view['team_money'][team]}" for seat, team in enumerate(TEAMS)
    )
    return f"{_when(view)}: {stands}"


def question(view: Json) -> Question:
    """What the bots do in this turn, in one line: a step and an action of each."""
    first = view["bot_ids"][0]
    return Question(
        f"Your bots are {_listed(view['bot_ids'])}. Say what they do in this turn: "
        f"{first} right, {first} pickup up, {first} buy plate 4 2. Steps and tiles beside a bot: "
        f"{' '.join(STEPS)}. Actions: {' '.join(ACTIONS)}. switch_maps changes the kitchen.",
        (
            Choice(("", ".", "end"), ". end the turn", {"type": "end_turn"}),
            Choice((), "BOT STEP, BOT ACTION TILE", None),
        ),
        partial(_orders, view),
    )


def _orders(view: Json, typed: str) -> list[Json] | None:
    commands = [_order(view, part.split()) for part in typed.split(",")]
    return None if None in commands else [*commands, {"type": "end_turn"}]


def _order(view: Json, words: list[str]) -> Json | None:
    """A command: BOT STEP, BOT ACTION with a tile or none (the bot's own), or switch_maps."""
    if words == ["switch_maps"]:
        return {"type": "switch_maps"}
    bot = next((bot for bot in view["bots"] if [str(bot["bot_id"])] == words[:1]), None)
    if bot is None or bot["bot_id"] not in view["bot_ids"] or len(words) < 2:
        return None
    verb, *rest = words[1:]
    command: dict[str, Json] = {"type": verb, "bot_id": bot["bot_id"]}
    if verb in STEPS and not rest:
        dx, dy = STEPS[verb]
        return command | {"type": "move", "dx": dx, "dy": dy}
    if verb not in ACTIONS:
        return None
    if verb == "buy":
        if not rest:
            return None
        command["item"] = rest.pop(0).upper()
    match rest:
        case []:
            return command
        case [step] if step in STEPS:
            dx, dy = STEPS[step]
            return command | {"x": bot["x"] + dx, "y": bot["y"] + dy}
        case [x, y] if x.isdecimal() and y.isdecimal() and len(x + y) < 9:
            return command | {"x": int(x), "y": int(y)}
    return None


def _when(view: Json) -> str:
    """The turn, and whose part of it is open."""
    whose = "" if view["acting"] is None else f", {view['acting']} plays"
    first, turns = view["switch_turn"], view["switch_duration"]
    window = ", the switch window is open" if first <= view["turn"] < first + turns else ""
    return f"turn {view['turn']}{whose}{window}"


def _name(names: Sequence[str], seat: int) -> str:
    return names[seat] if seat < len(names) else [*TEAMS][seat]


def _level(blocks: Sequence[list[Text]]) -> list[list[Text]]:
    """Both blocks with as many lines."""
    most = max(map(len, blocks))
    return [block + [Text() for _ in range(most - len(block))] for block in blocks]


def _team(view: Json, seat: int, name: str, cell: int, side: int) -> Iterator[Text]:
    """All about one team, line by line."""
    team = [*TEAMS][seat]
    state = " (failed)" if view["failed"][team] else " (away)" if view["switched"][team] else ""
    yield Text(_cut(f"{team} {name}{state}  ${view['team_money'][team]}", side), style=TEAMS[team])
    rows = [*_kitchen(view, team, cell)]
    if cell * view["map"]["width"] + LABEL <= side:
        for down, row in enumerate(rows):
            row.append(f" {len(rows) - 1 - down}", style="dim")
        rows.append(ruler(view["map"]["width"], cell))
    yield from rows
    for bot in view["bots"]:
        if bot["team"] == team:
            yield Text(_cut(f"{bot['bot_id']} {_held(bot['holding'])}", side))
    active = sorted(
        (order for order in view["orders"][team] if order["is_active"]),
        key=lambda order: order["expires_turn"],
    )
    for order in active[:SHOWN_ORDERS]:
        left = order["expires_turn"] - view["turn"]
        yield Text(
            _cut(
                f"${order['reward']} in {left}: "
                f"{_listed(map(str.lower, order['required'])) or 'nothing'}",
                side,
            )
        )
    if len(active) > SHOWN_ORDERS:
        yield Text(f"and {len(active) - SHOWN_ORDERS} more orders")


def _kitchen(view: Json, team: str, cell: int) -> Iterator[Text]:
    """The rows from the top, runs of one style at a time."""
    lying = {
        (tile["x"], tile["y"]): _glyph(tile["item"]) for tile in view["tiles"][team] if _shows(tile)
    }
    standing = {
        (bot["x"], bot["y"]): (str(bot["bot_id"] % 10), TEAMS[bot["team"]])
        for bot in view["bots"]
        if bot["map_team"] == team
    }
    rows = view["map"]["rows"]
    for down, row in enumerate(rows):
        y = len(rows) - 1 - down
        glyphs = [
            standing.get((x, y)) or lying.get((x, y)) or FLOOR[symbol]
            for x, symbol in enumerate(row)
        ]
        text = Text()
        for style, run in groupby(glyphs, key=lambda glyph: glyph[1]):
            text.append(
                "".join(mark * cell if mark == "#" else mark.ljust(cell) for mark, _ in run),
                style=style,
            )
        yield text


def _shows(tile: Json) -> bool:
    """A cooker with an empty pan looks like a cooker."""
    item = tile["item"]
    return item is not None and not (tile["tile_name"] == "COOKER" and item["food"] is None)


def _glyph(item: Json) -> Glyph:
    if item["type"] == "Plate":
        return PLATE
    food = item if item["type"] == "Food" else item["food"]
    if food is None:
        return PAN
    return BURNT if food["cooked_stage"] == 2 else (_letter(food), FOOD)


def _letter(food: Json) -> str:
    """Capital once it can be served: what that takes is in the names of the foods that need it."""
    chopped = food["chopped"] or food["food_name"] not in ("ONIONS", "MEAT")
    cooked = food["cooked_stage"] == 1 or food["food_name"] not in ("EGG", "MEAT")
    letter: str = food["food_name"][0]
    return letter if chopped and cooked else letter.lower()


def _held(item: Json) -> str:
    """What a bot holds, in words."""
    if item is None:
        return "holds nothing"
    if item["type"] == "Food":
        return f"holds {_food(item)}"
    if item["type"] == "Pan":
        return f"holds a pan with {_food(item['food'])}" if item["food"] else "holds a pan"
    foods = _listed(map(_food, item["food"]))
    return f"holds a {'dirty ' * item['dirty']}plate{f' with {foods}' if foods else ''}"


def _food(food: Json) -> str:
    chopped = "chopped " if food["chopped"] else ""
    stage = ("", "cooked ", "burnt ")[food["cooked_stage"]]
    return f"{chopped}{stage}{food['food_name'].lower()}"


def _listed(words: Any) -> str:
    return ", ".join(map(str, words))


def _cut(words: str, room: int) -> str:
    return words if len(words) <= room else words[: room - 1] + "…"
