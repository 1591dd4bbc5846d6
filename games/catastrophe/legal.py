"""The commands that a seat may send now."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from games.catastrophe.actions import BUILDABLE, KINDS, Order
from games.catastrophe.commands import END_TURN, judged
from games.catastrophe.rules import JOBS
from games.catastrophe.state import Cell, Ground, State, Unit
from games.core.contract import Json, Seat

RESOURCES = ("food", "materials")


def legal(state: State, seat: Seat) -> list[Json]:
    """The end of the turn, and every command of the seat's units, with each tile, job, structure
    and resource that it may name. Goods are picked up and dropped without an amount, which stands
    for as much as possible. Not listed: other amounts, and drops of what the unit does not
    carry."""
    if seat != state.current_player or state.result is not None:
        return []
    ground = state.ground
    commands: list[Json] = [dict(END_TURN)]
    if state.commands >= ground.rules.max_commands_per_turn:
        return commands
    for number, unit in state.units.items():
        if unit.owner != seat:
            continue
        for name, kind in KINDS.items():
            for cell, word in _targets(ground, unit, name):
                x, y = ground.xy[cell]
                if not isinstance(judged(state, Order(kind, number, x, y, word)), str):
                    said = {"x": x, "y": y, "job": word, "type": word, "resource": word}
                    needs = {need: said[need] for need in kind.needs if need != "amount"}
                    commands.append({"cmd": name, "unit": number, **needs})
    return commands


def _targets(ground: Ground, unit: Unit, name: str) -> Iterable[tuple[Cell, str]]:
    """The tiles in reach and the words that a command of this name can be about."""
    if name in ("rest", "change_job"):
        return product((unit.cell,), JOBS if name == "change_job" else ("",))
    if name in ("move", "attack", "convert", "construct"):
        return product(ground.near[unit.cell], BUILDABLE if name == "construct" else ("",))
    words: Iterable[str] = ("",)
    if name == "drop":
        words = [word for word in RESOURCES if getattr(unit, word)]
    elif name == "pickup":
        words = RESOURCES
    return product(ground.reach[unit.cell], words)
