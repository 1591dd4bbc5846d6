"""What a bot does: the command, and the bot, the target and the tile that it concerns."""

from __future__ import annotations

from typing import Final, NamedTuple

from games.cookoff.rules import Rules, TileKind
from games.cookoff.state import Bot, Item, State, Tile

OUTSIDE: Final = -1
"""The cell of a target off the map."""


class Command(NamedTuple):
    """One command, read; `commands.NEEDS` and `commands.MAY_HAVE` list its fields."""

    kind: str
    bot_id: int = -1
    x: int | None = None
    """None: the bot's own."""
    y: int | None = None
    dx: int = 0
    dy: int = 0
    item: str = ""
    reason: str = ""


class Deed(NamedTuple):
    """A bot about to act: what all checks and effects look at."""

    state: State
    bot_id: int
    bot: Bot
    hand: Item | None
    near: bool
    """The target is at most one cell away."""
    cell: int
    """The target, or OUTSIDE."""
    kind: TileKind
    tile: Tile
    item: str
    """The name of what is to be bought."""

    @property
    def rules(self) -> Rules:
        return self.state.plan.rules


def deed(state: State, bot_id: int, command: Command) -> Deed:
    """The bot and its target. Off the map there is no tile: the checks for range come before those
    that look at it."""
    plan, bot = state.plan, state.bots[bot_id]
    here = plan.xy(bot.cell)
    x = here[0] if command.x is None else command.x
    y = here[1] if command.y is None else command.y
    near = abs(x - here[0]) <= 1 and abs(y - here[1]) <= 1
    cell = plan.cell(x, y) if plan.inside(x, y) else OUTSIDE
    kind, tile = plan.kinds[cell], state.kitchens[bot.kitchen][cell]
    return Deed(state, bot_id, bot, bot.holding, near, cell, kind, tile, command.item)
