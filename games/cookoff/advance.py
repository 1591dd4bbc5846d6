"""The turn in its exact order (RULES §5): the kitchens by themselves, then each team's part.

`finish` or `fail` closes a part. Between two turns no team acts; `advance` begins the next one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from games.cookoff.checks import holds_food
from games.cookoff.moves import go_over
from games.cookoff.rules import BURNT, COOKED, RAW, SEATS, SINKTABLE, TEAMS
from games.cookoff.state import NO_TEAM, Kitchen, Pan, Plan, Reason, State, Tile, changed, other
from games.core.contract import Seat
from games.core.dice import Dice


def advance(state: State, dice: Dice) -> State:
    """Begin the next turn; or, while a team is awaited, fail it for its silence."""
    if state.acting != NO_TEAM:
        return fail(state, "timeout")
    for step in STEPS:
        state = step(state)
    return state


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
    first = _first(state)
    following = other(first) if state.acting == first else NO_TEAM
    return state._replace(acting=following, parts=state.parts + 1, counted=0)


def _first(state: State) -> Seat:
    return TEAMS.index(state.plan.rules.first_team)


def _begin(state: State) -> State:
    """1: the turn counts on, and every bot has its budgets again."""
    bots = tuple(
        bot._replace(moved=False, acted=False) if bot.moved or bot.acted else bot
        for bot in state.bots
    )
    return state._replace(turn=state.turn + 1, bots=bots)


def _earn(state: State) -> State:
    """2: the passive income."""
    red, blue = state.money
    income = state.plan.rules.money_per_turn
    return state._replace(money=(red + income, blue + income))


def _tick(state: State) -> State:
    """3: the kitchens cook and wash."""
    red, blue = state.kitchens
    return state._replace(kitchens=(_ticked(state.plan, red), _ticked(state.plan, blue)))


def _ticked(plan: Plan, kitchen: Kitchen) -> Kitchen:
    """One kitchen, a tick later; the very same tuple if nothing happens there."""
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


def _expire(state: State) -> State:
    """4: orders whose time is over cost their penalty, once."""
    for team in SEATS:
        turn, fates = state.turn, state.fates[team]
        late = [
            place
            for place, order in enumerate(state.orders[team])
            if turn > order.expires_turn
            and fates[place].completed_turn is None
            and not fates[place].penalized
        ]
        if late:
            after = list(fates)
            for place in late:
                after[place] = fates[place]._replace(penalized=True)
            penalty = sum(state.orders[team][place].penalty for place in late)
            state = state._replace(
                money=changed(state.money, team, state.money[team] - penalty),
                fates=changed(state.fates, team, tuple(after)),
            )
    return state


def _return(state: State) -> State:
    """5: after the window the bots that are away go home, RED's first."""
    if state.turn > state.plan.switch_end:
        for team in SEATS:
            if state.switched[team]:
                state = go_over(state, team, team)._replace(
                    switched=changed(state.switched, team, False)
                )
    return state


def _open(state: State) -> State:
    """6: the first team's part is open."""
    return state._replace(acting=_first(state))


STEPS: Final[tuple[Callable[[State], State], ...]] = (_begin, _earn, _tick, _expire, _return, _open)
"""What happens before the first team plays, in the order of the rules."""
