"""Where bots go: a step, and over to the other kitchen (RULES §5.4, §6)."""

from __future__ import annotations

from typing import Final

from games.cookoff.state import Bot, State, changed, occupied, other
from games.core.contract import Seat

STEPS: Final = frozenset((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)


def move(state: State, bot: Bot, dx: int, dy: int) -> tuple[int, str | None]:
    """One step in any of the eight directions: the cell where the bot is then, and the code if it
    is refused."""
    plan = state.plan
    if (dx, dy) not in STEPS:
        return bot.cell, "bad_step"
    x, y = plan.xy(bot.cell)
    x, y = x + dx, y + dy
    if not plan.inside(x, y):
        return bot.cell, "blocked"
    cell = plan.cell(x, y)
    if not plan.walkable[cell] or cell in occupied(state.bots, bot.kitchen):
        return bot.cell, "blocked"
    return cell, None


def may_switch(state: State, team: Seat) -> bool:
    """The window is open and the team has its switch left."""
    return (
        state.plan.switch_turn <= state.turn <= state.plan.switch_end
        and not state.switch_used[team]
    )


def switch(state: State, team: Seat) -> State:
    """All the team's bots go over to the other kitchen (RULES §5.4)."""
    state = go_over(state, team, other(team))
    return state._replace(
        switched=changed(state.switched, team, True),
        switch_used=changed(state.switch_used, team, True),
    )


def go_over(state: State, team: Seat, kitchen: Seat) -> State:
    """All the team's bots leave their cells, then land in this kitchen one after the other."""
    staying = occupied([bot for bot in state.bots if bot.team != team], kitchen)
    bots = list(state.bots)
    for bot_id, bot in enumerate(bots):
        if bot.team == team:
            cell = state.plan.landing(bot.cell, staying)
            staying.append(cell)
            bots[bot_id] = bot._replace(kitchen=kitchen, cell=cell)
    return state._replace(bots=tuple(bots))
