"""The commands that a seat may send now."""

from __future__ import annotations

from collections.abc import Iterator

from games.cookoff.actions import ACTIONS, Command
from games.cookoff.commands import END_TURN, perform
from games.cookoff.moves import may_switch
from games.cookoff.rules import PRICES
from games.cookoff.state import STEPS, State
from games.core.contract import Json, Seat


def legal(state: State, seat: Seat) -> list[Json]:
    """The end of the turn, the switch, and every step and action of the team's bots, with its
    target: one of the nine cells at and around the bot, always written as x and y. Not listed:
    questions, and the team's failure."""
    if seat != state.acting:
        return []
    commands: list[Json] = [dict(END_TURN)]
    if state.counted >= state.plan.rules.max_commands_per_turn:
        return commands
    if may_switch([*state], seat):
        commands.append({"type": "switch_maps"})
    for bot_id, bot in enumerate(state.bots):
        if bot.team == seat:
            commands += _steps(state, seat, bot_id)
            if not bot.acted:
                commands += _actions(state, bot_id)
    return commands


def _steps(state: State, seat: Seat, bot_id: int) -> Iterator[Json]:
    for dx, dy in STEPS:
        if perform(state, seat, Command("move", bot_id, dx=dx, dy=dy))[1] is None:
            yield {"type": "move", "bot_id": bot_id, "dx": dx, "dy": dy}


def _actions(state: State, bot_id: int) -> Iterator[Json]:
    plan, bot = state.plan, state.bots[bot_id]
    bot_x, bot_y = plan.xy(bot.cell)
    for x in range(bot_x - 1, bot_x + 2):
        for y in range(bot_y - 1, bot_y + 2):
            if not plan.inside(x, y):
                continue
            there = Command("", bot_id, x, y)
            for kind, action in ACTIONS.items():
                command = {"type": kind, "bot_id": bot_id, "x": x, "y": y}
                if kind != "buy":
                    if action([*state], bot, there)[0] is None:
                        yield command
                    continue
                for item in PRICES:
                    if action([*state], bot, there._replace(item=item))[0] is None:
                        yield command | {"item": item}
