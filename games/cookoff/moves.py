"""Where bots go: a step, and over to the other kitchen (RULES §5.4, §6)."""

from __future__ import annotations

from games.cookoff.position import (
    BOTS,
    CELL,
    HOLDING,
    KITCHEN,
    PLAN,
    SWITCH_USED,
    SWITCHED,
    TEAM,
    TURN,
    Cook,
    Position,
    changed,
)
from games.cookoff.state import OUTSIDE, other
from games.core.contract import Seat


def move(now: Position, bot: Cook, dx: int, dy: int) -> tuple[int, str | None]:
    """One step in any of the eight directions: the cell where the bot is then, and the code if it
    is refused."""
    ahead = now[PLAN].steps.get((dx, dy))
    if ahead is None:
        return bot[CELL], "bad_step"
    cell = ahead[bot[CELL]]
    if cell == OUTSIDE:
        return bot[CELL], "blocked"
    for one in now[BOTS]:
        if one[CELL] == cell and one[KITCHEN] == bot[KITCHEN]:
            return bot[CELL], "blocked"
    return cell, None


def may_switch(now: Position, team: Seat) -> bool:
    """The window is open and the team has its switch left."""
    plan = now[PLAN]
    return plan.switch_turn <= now[TURN] <= plan.switch_end and not now[SWITCH_USED][team]


def switch(now: Position, team: Seat) -> None:
    """All the team's bots go over to the other kitchen (RULES §5.4)."""
    go_over(now, team, other(team))
    now[SWITCHED] = changed(now[SWITCHED], team, True)
    now[SWITCH_USED] = changed(now[SWITCH_USED], team, True)


def go_over(now: Position, team: Seat, kitchen: Seat) -> None:
    """All the team's bots leave their cells, then land in this kitchen one after the other."""
    bots = list(now[BOTS])
    staying = [bot[CELL] for bot in bots if bot[TEAM] != team and bot[KITCHEN] == kitchen]
    for bot_id, bot in enumerate(bots):
        if bot[TEAM] == team:
            cell = now[PLAN].landing(bot[CELL], staying)
            staying.append(cell)
            bots[bot_id] = (team, kitchen, cell, *bot[HOLDING:])
    now[BOTS] = tuple(bots)
