"""Who may see what (RULES §7): every viewer sees everything but, unless the rules say otherwise,
orders that are not active."""

from __future__ import annotations

from typing import Final

from games.cookoff.rules import BLUE, EQUIPMENT, FOODS, RED, TEAMS
from games.cookoff.state import (
    NO_TEAM,
    Bot,
    Fate,
    Food,
    Item,
    Kitchen,
    Order,
    Pan,
    Plan,
    State,
    active_orders,
    other,
)
from games.core.contract import Json, Seat, Viewer

CONSTANT_FIELDS: Final = ("map", "foods", "shop", "switch_turn", "switch_duration")
"""What every view repeats."""


def view(state: State, viewer: Viewer) -> Json:
    """The moment as a spectator sees it, then a seat's private fields.

    The constant fields are read-only (`Plan.shown`)."""
    seen: dict[str, Json] = {
        "turn": state.turn,
        "acting": None if state.acting == NO_TEAM else TEAMS[state.acting],
        "commands": state.counted,
        "team_money": by_team(state.money),
        "bots": [_bot(bot_id, bot, state.plan) for bot_id, bot in enumerate(state.bots)],
        "tiles": {
            team: _tiles(state.plan, seat, state.kitchens[seat]) for seat, team in enumerate(TEAMS)
        },
        "orders": {team: orders_json(state, kitchen) for kitchen, team in enumerate(TEAMS)},
        "switched": by_team(state.switched),
        "switch_used": by_team(state.switch_used),
        "failed": by_team(state.failed),
        **_constant_fields(state.plan, viewer),
    }
    if viewer is not None:
        seen |= private_fields(state, viewer)
    return seen


def private_fields(state: State, seat: Seat) -> dict[str, Json]:
    """What a seat sees besides: which team it is, and the switch from its side."""
    plan, enemy = state.plan, other(seat)
    return {
        "team": TEAMS[seat],
        "enemy_team": TEAMS[enemy],
        "bot_ids": bot_ids(state, seat),
        "enemy_bot_ids": bot_ids(state, enemy),
        "switch": {
            "turn": state.turn,
            "switch_turn": plan.switch_turn,
            "switch_duration": plan.switch_duration,
            "window_active": plan.switch_turn <= state.turn <= plan.switch_end,
            "window_end_turn": plan.switch_end,
            "my_team_switched": state.switched[seat],
            "enemy_team_switched": state.switched[enemy],
            "has_switched": state.switch_used[seat],
            "enemy_has_switched": state.switch_used[enemy],
        },
    }


def bot_ids(state: State, team: Seat) -> list[int]:
    """The team's bots, ascending."""
    return [bot_id for bot_id, bot in enumerate(state.bots) if bot.team == team]


def by_team(pair: tuple[Json, Json]) -> dict[str, Json]:
    return {TEAMS[RED]: pair[RED], TEAMS[BLUE]: pair[BLUE]}


def item_json(item: Item | None) -> Json:
    """An item as plain JSON, a new object each time; None: nothing."""
    if item is None:
        return None
    if isinstance(item, Pan):
        return {"type": "Pan", "food": None if item.food is None else item_json(item.food)}
    if isinstance(item, Food):
        name, chopped, stage = item
        return {
            "type": "Food",
            "food_name": name,
            "food_id": FOODS[name].id,
            "chopped": chopped,
            "cooked_stage": stage,
        }
    return {
        "type": "Plate",
        "dirty": item.dirty,
        "food": [item_json(food) for food in item.foods] if item.foods else [],
    }


def orders_json(state: State, kitchen: Seat) -> list[Json]:
    """A kitchen's orders as plain JSON, as far as the rules tell of them."""
    made_of = state.turn, state.orders[kitchen], state.fates[kitchen]
    kept = state.plan.order_records[kitchen]
    if kept[0] != made_of:
        state.plan.order_records[kitchen] = kept = made_of, _order_records(state, kitchen)
    return [record | {"required": [*record["required"]]} for record in kept[1]]


def _order_records(state: State, kitchen: Seat) -> list[dict[str, Json]]:
    orders, fates = state.orders[kitchen], state.fates[kitchen]
    active = active_orders(orders, fates, state.turn)
    shown = range(len(orders)) if state.plan.rules.orders_visible == "all" else active
    return [_order(orders[place], fates[place], place in active) for place in shown]


def _bot(bot_id: int, bot: Bot, plan: Plan) -> Json:
    team, kitchen, cell, holding, moved, acted = bot
    x, y = plan.xy(cell)
    return {
        "bot_id": bot_id,
        "team": TEAMS[team],
        "map_team": TEAMS[kitchen],
        "x": x,
        "y": y,
        "holding": None if holding is None else item_json(holding),
        "moved": moved,
        "acted": acted,
    }


def _tiles(plan: Plan, seat: Seat, kitchen: Kitchen) -> list[Json]:
    """The stations, and what else holds something, by x, then y."""
    templates, items = plan.look(seat, kitchen).records
    records = [*map(dict.copy, templates)]
    for place, item in items:
        records[place]["item"] = item_json(item)
    return records


def _order(order: Order, fate: Fate, is_active: bool) -> dict[str, Json]:
    return {
        "order_id": order.id,
        "required": order.required,
        "created_turn": order.created_turn,
        "expires_turn": order.expires_turn,
        "reward": order.reward,
        "penalty": order.penalty,
        "claimed_by": fate.claimed_by,
        "completed_turn": fate.completed_turn,
        "is_active": is_active,
    }


def _constant_fields(plan: Plan, viewer: Viewer) -> dict[str, Json]:
    if viewer not in plan.shown:
        plan.shown[viewer] = {
            "map": {"width": plan.width, "height": plan.height, "rows": list(plan.rows)},
            "foods": [
                {
                    "name": name,
                    "id": kind.id,
                    "can_chop": kind.can_chop,
                    "can_cook": kind.can_cook,
                    "cost": kind.cost,
                }
                for name, kind in FOODS.items()
            ],
            "shop": dict(EQUIPMENT),
            "switch_turn": plan.switch_turn,
            "switch_duration": plan.switch_duration,
        }
    return plan.shown[viewer]
