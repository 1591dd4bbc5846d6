"""The turn in its exact order (RULES §5): the kitchens by themselves, then each team's part.

`finish` or `fail` closes a part. Between two turns no team acts; `advance` begins the next one."""

from __future__ import annotations

from typing import TypeAlias

from games.cookoff.checks import holds_food
from games.cookoff.moves import go_over
from games.cookoff.rules import BURNT, COOKED, RAW, SEATS, SINKTABLE, TEAMS
from games.cookoff.state import (
    ACTING,
    COUNTED,
    NO_TEAM,
    Book,
    Bot,
    Fate,
    Kitchen,
    Pan,
    Plan,
    Reason,
    State,
    Tile,
    as_state,
    changed,
    other,
)
from games.core.contract import Seat
from games.core.dice import Dice

Fates: TypeAlias = tuple[tuple[Fate, ...], tuple[Fate, ...]]
"""By kitchen."""


def advance(state: State, dice: Dice) -> State:
    """Begin the next turn; or, while a team is awaited, fail it for its silence."""
    if state.acting != NO_TEAM:
        return fail(state, "timeout")
    plan, orders, money, bots, (red, blue), fates, turn, _, *rest = state
    turn += 1
    bots = _refreshed(bots)
    money = _earned(plan, money)
    kitchens = (_ticked(plan, red), _ticked(plan, blue))
    money, fates = _expired(orders, money, fates, turn)
    begun = (plan, orders, money, bots, kitchens, fates, turn, _first(plan), *rest)
    return _returned(as_state(begun))


def finish(state: State) -> State:
    """The acting team has ended its part."""
    if state.skips[state.acting]:
        state = state._replace(skips=changed(state.skips, state.acting, 0))
    return _close(state)


def fail(state: State, reason: Reason) -> State:
    """The acting team failed in this turn: it is out, or skips the turn, as the policy says. A team
    that never started is out."""
    team, rules = state.acting, state.plan.rules
    skips = state.skips[team] + 1
    if rules.failure_policy == "forfeit" or reason == "init_failed" or skips >= rules.max_skips:
        state = state._replace(failed=changed(state.failed, team, reason))
    return _close(state._replace(skips=changed(state.skips, team, skips)))


def _close(state: State) -> State:
    first = _first(state.plan)
    following = other(first) if state.acting == first else NO_TEAM
    return as_state((*state[:ACTING], following, state.parts + 1, 0, *state[COUNTED + 1 :]))


def _first(plan: Plan) -> Seat:
    return TEAMS.index(plan.rules.first_team)


# What happens before the first team plays, by its number in the rules (RULES §5).


def _refreshed(bots: tuple[Bot, ...]) -> tuple[Bot, ...]:
    """1: every bot has its budgets again."""
    return tuple(
        [
            Bot(bot.team, bot.kitchen, bot.cell, bot.holding) if bot.moved or bot.acted else bot
            for bot in bots
        ]
    )


def _earned(plan: Plan, money: tuple[int, int]) -> tuple[int, int]:
    """2: the passive income."""
    red, blue = money
    income = plan.rules.money_per_turn
    return red + income, blue + income


def _ticked(plan: Plan, kitchen: Kitchen) -> Kitchen:
    """3: a kitchen cooks and washes; the very same tuple if nothing happens there."""
    cooking = [cell for cell in plan.cookers if holds_food(kitchen[cell].item)]
    washing = [cell for cell in plan.sinks if kitchen[cell].using]
    if not cooking and not washing:
        return kitchen
    tiles = list(kitchen)
    for cell in cooking:
        tiles[cell] = _cooked(plan, tiles[cell])
    for cell in washing:
        _wash(plan, tiles, cell)
    return tuple(tiles)


def _cooked(plan: Plan, tile: Tile) -> Tile:
    """Cooked at exactly one tick, burnt from another one on."""
    assert isinstance(tile.item, Pan)
    assert tile.item.food is not None
    food, ticks = tile.item.food, tile.amount + 1
    if ticks == plan.rules.cook_progress and food.stage == RAW:
        food = food._replace(stage=COOKED)
    elif ticks >= plan.rules.burn_progress:
        food = food._replace(stage=BURNT)
    return Tile(Pan(food), ticks)


def _wash(plan: Plan, tiles: list[Tile], cell: int) -> None:
    """However many bots washed: one tick of progress, if there is a dirty plate. A clean one goes
    to a table (RULES §5.3)."""
    tile = tiles[cell]
    if tile.amount > 0:
        tile = tile._replace(progress=tile.progress + 1)
        if tile.progress >= plan.rules.plate_wash_progress:
            tile = tile._replace(progress=0, amount=tile.amount - 1)
            table = plan.beside(cell, SINKTABLE)
            if table is not None:
                tiles[table] = tiles[table]._replace(amount=tiles[table].amount + 1)
    tiles[cell] = tile._replace(using=False)


def _expired(
    orders: Book, money: tuple[int, int], fates: Fates, turn: int
) -> tuple[tuple[int, int], Fates]:
    """4: orders whose time is over cost their penalty, once."""
    for team in SEATS:
        late = [
            place
            for place, (order, fate) in enumerate(zip(orders[team], fates[team], strict=True))
            if turn > order.expires_turn and fate.completed_turn is None and not fate.penalized
        ]
        if late:
            after = list(fates[team])
            for place in late:
                after[place] = after[place]._replace(penalized=True)
            penalty = sum(orders[team][place].penalty for place in late)
            money = changed(money, team, money[team] - penalty)
            fates = changed(fates, team, tuple(after))
    return money, fates


def _returned(state: State) -> State:
    """5: after the window the bots that are away go home, RED's first."""
    if state.turn > state.plan.switch_end:
        for team in SEATS:
            if state.switched[team]:
                state = go_over(state, team, team)._replace(
                    switched=changed(state.switched, team, False)
                )
    return state
