"""The turn in its exact order (RULES §5): the kitchens by themselves, then each team's part.

`finish` or `fail` closes a part. Between two turns no team acts; `begin` begins the next one."""

from __future__ import annotations

from games.cookoff.moves import go_over
from games.cookoff.position import (
    ACTED,
    ACTING,
    BOTS,
    COUNTED,
    FAILED,
    FATES,
    KITCHENS,
    MONEY,
    MOVED,
    ORDERS,
    PARTS,
    PLAN,
    SKIPS,
    SWITCHED,
    TURN,
    Position,
    changed,
    state_of,
)
from games.cookoff.rules import BURNT, COOKED, RAW, SEATS, SINKTABLE
from games.cookoff.state import (
    NO_TEAM,
    Food,
    Kitchen,
    Pan,
    Plan,
    Reason,
    State,
    Tile,
    other,
)
from games.core.contract import Seat
from games.core.dice import Dice


def advance(state: State, dice: Dice) -> State:
    """Begin the next turn; or, while a team is awaited, fail it for its silence."""
    now = [*state]
    if state.acting == NO_TEAM:
        begin(now)
    else:
        fail(now, "timeout")
    return state_of(now)


def begin(now: Position) -> None:
    """What happens before the first team plays, in the order of the rules (RULES §5)."""
    plan: Plan = now[PLAN]
    turn = now[TURN] = now[TURN] + 1
    # 1: every bot has its budgets again.
    now[BOTS] = tuple(
        [
            (bot[0], bot[1], bot[2], bot[3], False, False) if bot[MOVED] or bot[ACTED] else bot
            for bot in now[BOTS]
        ]
    )
    # 2: the passive income.
    (red, blue), income = now[MONEY], plan.rules.money_per_turn
    now[MONEY] = (red + income, blue + income)
    # 3: the kitchens cook and wash.
    red, blue = now[KITCHENS]
    now[KITCHENS] = (_ticked(plan, red), _ticked(plan, blue))
    # 4: orders whose time is over cost their penalty.
    for team, place in plan.late(now[ORDERS]).get(turn, ()):
        _expire(now, team, place)
    # 5: after the window the bots that are away go home, RED's first.
    if turn > plan.switch_end and now[SWITCHED] != (False, False):
        for team in SEATS:
            if now[SWITCHED][team]:
                go_over(now, team, team)
        now[SWITCHED] = (False, False)
    now[ACTING] = plan.first


def finish(now: Position) -> None:
    """The acting team has ended its part."""
    if now[SKIPS][now[ACTING]]:
        now[SKIPS] = changed(now[SKIPS], now[ACTING], 0)
    _close(now)


def fail(now: Position, reason: Reason) -> None:
    """The acting team failed in this turn: it is out, or skips the turn, as the policy says. A team
    that never started is out."""
    team, rules = now[ACTING], now[PLAN].rules
    skips = now[SKIPS][team] + 1
    if rules.failure_policy == "forfeit" or reason == "init_failed" or skips >= rules.max_skips:
        now[FAILED] = changed(now[FAILED], team, reason)
    now[SKIPS] = changed(now[SKIPS], team, skips)
    _close(now)


def _close(now: Position) -> None:
    first = now[PLAN].first
    now[ACTING] = other(first) if now[ACTING] == first else NO_TEAM
    now[PARTS] += 1
    now[COUNTED] = 0


def _ticked(plan: Plan, kitchen: Kitchen) -> Kitchen:
    """A kitchen, a tick later; the very same tuple if nothing happens there."""
    tiles: list[Tile] | None = None
    for cell in plan.cookers:
        pan = kitchen[cell].item
        if isinstance(pan, Pan) and pan.food is not None:
            tiles = tiles or list(kitchen)
            tiles[cell] = _cooked(plan, pan.food, kitchen[cell].amount + 1)
    for cell in plan.sinks:
        if kitchen[cell].using:
            tiles = tiles or list(kitchen)
            _wash(plan, tiles, cell)
    return kitchen if tiles is None else tuple(tiles)


def _cooked(plan: Plan, food: Food, ticks: int) -> Tile:
    """Cooked at exactly one tick, burnt from another one on."""
    if ticks == plan.rules.cook_progress and food.stage == RAW:
        food = food._replace(stage=COOKED)
    elif ticks >= plan.rules.burn_progress:
        food = food._replace(stage=BURNT)
    return Tile(Pan(food), ticks)


def _wash(plan: Plan, tiles: list[Tile], cell: int) -> None:
    """However many bots washed: one tick of progress, if there is a dirty plate. A clean one goes
    to a table (RULES §5.3)."""
    item, dirty, progress, _ = tiles[cell]
    if dirty > 0:
        progress += 1
        if progress >= plan.rules.plate_wash_progress:
            dirty, progress = dirty - 1, 0
            table = plan.beside(cell, SINKTABLE)
            if table is not None:
                tiles[table] = tiles[table]._replace(amount=tiles[table].amount + 1)
    tiles[cell] = Tile(item, dirty, progress)


def _expire(now: Position, team: Seat, place: int) -> None:
    """An order that was not filled in time costs its penalty, once."""
    fates = now[FATES][team]
    if fates[place].completed_turn is None and not fates[place].penalized:
        fate = fates[place]._replace(penalized=True)
        left = now[MONEY][team] - now[ORDERS][team][place].penalty
        now[MONEY] = changed(now[MONEY], team, left)
        now[FATES] = changed(now[FATES], team, (*fates[:place], fate, *fates[place + 1 :]))
