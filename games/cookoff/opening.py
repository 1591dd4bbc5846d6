"""The first state: kitchens, orders and bots of a map (RULES §4)."""

from __future__ import annotations

from functools import cache, partial

from games.cookoff.board import Board, parse_board
from games.cookoff.rules import POOL, SEATS, Rules
from games.cookoff.state import OPEN, Bot, Order, Plan, State
from games.core import maps
from games.core.contract import BadSetup
from games.core.dice import Dice, Stream


def setup(rules: Rules, given: Board | None, dice: Dice) -> State:
    """Turn 0, by default on a map of the pool. Raises BadSetup: too few cells for the bots."""
    read = pooled(dice.draw("map", partial(draw_map, POOL))) if given is None else given
    plan = Plan(
        rules,
        read.rows,
        read.switch_turn if rules.switch_turn is None else rules.switch_turn,
        read.switch_duration if rules.switch_duration is None else rules.switch_duration,
    )
    cells = starts(plan, read, rules.bots_per_team)
    orders = tuple(
        Order(
            number,
            line.required,
            line.start,
            line.start + line.duration,
            rules.order_default_reward if line.reward is None else line.reward,
            rules.order_default_penalty if line.penalty is None else line.penalty,
        )
        for number, line in enumerate(read.orders, start=1)
    )
    return State(
        plan=plan,
        orders=(orders, orders),
        money=(rules.starting_money, rules.starting_money),
        bots=tuple(Bot(team, team, cell) for team in SEATS for cell in cells),
        kitchens=(plan.pristine, plan.pristine),
        fates=((OPEN,) * len(orders), (OPEN,) * len(orders)),
    )


def draw_map(pool: tuple[str, ...], stream: Stream) -> str:
    return pool[stream.below(len(pool))]


@cache
def pooled(name: str) -> Board:
    """A bundled map by its name."""
    return parse_board(maps.text("cookoff", name))


def starts(plan: Plan, read: Board, bots_per_team: int | None) -> list[int]:
    """The start cells of a team's bots, in order of their ids (RULES §4.3). Raises BadSetup."""
    marked = [plan.cell(*spawn) for spawn in read.spawns]
    wanted = bots_per_team or len(marked) or 1
    free = sum(plan.walkable)
    if free < wanted * len(SEATS):
        why = (
            f"layout: expected {wanted * len(SEATS)} walkable cells or more, one for every bot, "
            f"got {free}"
        )
        raise BadSetup("bad_map", why, field="map")
    cells = marked[:wanted] or [centre(plan)]
    origin = cells[-1]
    while len(cells) < wanted:
        cells.append(plan.landing(origin, cells))
    return cells


def centre(plan: Plan) -> int:
    """The first bot's start on a map without spawns: the first walkable cell around the middle."""
    near = plan.around(plan.width // 2, plan.height // 2, min(plan.width, plan.height) - 1)
    rest = (plan.cell(x, y) for y in range(plan.height) for x in range(plan.width))
    return next(cell for cells in (near, rest) for cell in cells if plan.walkable[cell])
