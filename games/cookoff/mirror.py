"""A state made again from a view (RULES §7): a bot's own copy of the engine starts from it.

Within a team's part of the turn nothing is rolled, the other team does not act and nothing that the
rules need is hidden, so every command has the same result on both. What is not in a view, orders
that are not active, changes no command's result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.cookoff.rules import TEAMS, Rules
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
    Plate,
    State,
    Tile,
)
from games.core.contract import Json


def plan_of(view: Json, rules: Rules) -> Plan:
    """The plan of a match, from any view with the fixed fields."""
    return Plan(rules, tuple(view["map"]["rows"]), view["switch_turn"], view["switch_duration"])


def from_view(plan: Plan, view: Json) -> State:
    """The state that this view shows, of any viewer."""
    orders = tuple(tuple(map(_order, view["orders"][team])) for team in TEAMS)
    turn = view["turn"]
    fates = tuple(tuple(_fate(said, turn) for said in view["orders"][team]) for team in TEAMS)
    return State(
        plan=plan,
        orders=orders,  # type: ignore[arg-type]
        money=_pair(view["team_money"]),
        bots=tuple(_bot(plan, record) for record in view["bots"]),
        kitchens=(_kitchen(plan, view["tiles"][TEAMS[0]]), _kitchen(plan, view["tiles"][TEAMS[1]])),
        fates=fates,  # type: ignore[arg-type]
        turn=view["turn"],
        acting=NO_TEAM if view["acting"] is None else TEAMS.index(view["acting"]),
        counted=view["commands"],
        switched=_pair(view["switched"]),
        switch_used=_pair(view["switch_used"]),
        failed=_pair(view["failed"]),
    )


def item_of(said: Json) -> Item | None:
    """An item from its JSON."""
    if said is None:
        return None
    if said["type"] == "Food":
        return _food(said)
    if said["type"] == "Plate":
        return Plate(said["dirty"], tuple(map(_food, said["food"])))
    return Pan(None if said["food"] is None else _food(said["food"]))


def _food(said: Json) -> Food:
    return Food(said["food_name"], said["chopped"], said["cooked_stage"])


def _pair(said: Json) -> tuple[Any, Any]:
    return said[TEAMS[0]], said[TEAMS[1]]


def _bot(plan: Plan, said: Json) -> Bot:
    team, kitchen = TEAMS.index(said["team"]), TEAMS.index(said["map_team"])
    cell, holding = plan.cell(said["x"], said["y"]), item_of(said["holding"])
    return Bot(team, kitchen, cell, holding, said["moved"], said["acted"])


def _kitchen(plan: Plan, records: Sequence[Json]) -> Kitchen:
    tiles = list(plan.pristine)
    for record in records:
        cell = plan.cell(record["x"], record["y"])
        fields = {field: record[name] for name, field in plan.fields[cell]}
        tiles[cell] = Tile(item_of(record["item"]), **fields)
    return tuple(tiles)


def _order(said: Json) -> Order:
    turns = said["created_turn"], said["expires_turn"]
    required = tuple(said["required"])
    return Order(said["order_id"], required, *turns, said["reward"], said["penalty"])


def _fate(said: Json, turn: int) -> Fate:
    """An order whose time is over has cost its penalty."""
    completed = said["completed_turn"]
    late = completed is None and turn > said["expires_turn"]
    return Fate(completed, said["claimed_by"], late)
