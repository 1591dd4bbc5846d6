"""What a bot may ask: reading commands, the checks that all share, and the refusals (RULES §6)."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from games.catastrophe.actions import KINDS, Fate, Order, as_order
from games.catastrophe.advance import end_turn
from games.catastrophe.draft import Draft
from games.catastrophe.rules import JOBS, MONUMENT, SHELTER, WALL
from games.catastrophe.state import State, monument_mult
from games.core.contract import Json, Rejected, Reply, Seat, refused
from games.core.dice import Dice
from games.core.text import quoted

END_TURN: Final = {"cmd": "end_turn"}

REFUSALS: Final[Mapping[str, Reply]] = {
    code: refused(code, why)
    for code, why in {
        "too_many_commands": "expected end_turn, the turn has had all its commands",
        "no_such_unit": "unit: expected a unit on the map, no unit has that id",
        "no_such_tile": "x, y: expected a tile of the map, got a place outside",
        "not_owner": "unit: expected a unit of yours",
        "already_acted": "expected a unit that has not acted this turn",
        "not_enough_energy": "expected more energy, the unit cannot pay for this",
        "tile_occupied": "x, y: expected a tile without a unit",
        "out_of_moves": "expected a unit with moves left",
        "not_adjacent": "x, y: expected a tile within reach of the unit",
        "structure_blocks_move": "x, y: expected no structure, a shelter or a road",
        "wrong_job": "expected a unit of the job that does this",
        "nothing_to_attack": "x, y: expected a unit or a structure there",
        "friendly_target": "x, y: expected no unit of yours there",
        "unknown_job": f"job: expected one of {', '.join(JOBS)}",
        "overlord_job": "expected neither the overlord nor its job",
        "same_job": "job: expected another job than the unit has",
        "energy_not_full": "expected a unit with full energy",
        "too_far_from_overlord": "expected a unit beside its overlord, diagonals too",
        "tile_has_structure": "x, y: expected a tile without structure or road",
        "unknown_structure": f"type: expected {WALL}, {SHELTER} or {MONUMENT}",
        "not_enough_materials": "x, y: expected the cost of the structure in materials on the tile",
        "no_unit_on_tile": "x, y: expected a unit there",
        "unit_already_owned": "x, y: expected a neutral unit there",
        "no_structure": "x, y: expected a structure there",
        "cannot_deconstruct_road": "x, y: expected a structure, a road stays for ever",
        "friendly_structure": "x, y: expected a structure that is not yours",
        "carry_full": "expected a unit that can carry more",
        "not_enemy_shelter": "x, y: expected a food tile or a shelter of the enemy",
        "no_food": "x, y: expected a tile with something to harvest",
        "harvest_not_ready": "x, y: expected a tile that was not harvested lately",
        "energy_full": "expected a unit that needs rest",
        "not_in_shelter_range": "expected a unit in range of a shelter of yours",
        "unknown_resource": "resource: expected food or materials",
        "enemy_shelter": "x, y: expected no shelter of the enemy",
        "shelter_food_only": "resource: expected food, a shelter takes nothing else",
        "structure_blocks_drop": "x, y: expected no structure but a shelter of yours or a road",
        "nothing_to_pickup": "x, y: expected some of the resource on the tile",
    }.items()
}
"""A refusal per code; those of a malformed command say more (`Malformed`)."""

_LARGEST: Final = int(sys.float_info.max)
"""The largest number that is finite for every reader of JSON."""


class Malformed(NamedTuple):
    """A command that cannot be read. It counts among the turn's commands; whose turn it is is
    checked first (RULES §6)."""

    why: str


class EndTurn(NamedTuple):
    """The command that passes the lock."""


Command: TypeAlias = Order | Malformed | EndTurn


def parse(raw: Json) -> Command:
    """Read a command. Never raises: a command that cannot be read is a `Malformed`, because it is
    counted (RULES §6)."""
    if not isinstance(raw, dict):
        return Malformed(f"expected an object with a cmd, got {quoted(raw)}")
    name = raw.get("cmd")
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        if name == "end_turn":
            return _END
        return Malformed(f"cmd: expected one of {', '.join(KINDS)}, end_turn, got {quoted(name)}")
    unit = _whole(raw.get("unit"))
    if unit is None:
        return Malformed(f"unit: expected a whole number, got {quoted(raw.get('unit'))}")
    order: list[Any] = [kind, unit, 0, 0, "", 0]
    for need in kind.needs:
        place, value = _PLACES[need], raw.get(need)
        if place == _WORD:
            if not isinstance(value, str):
                return Malformed(f"{need}: expected a word, got {quoted(value)}")
            order[place] = value
        elif need in raw or need != "amount":
            order[place] = number = _whole(value)
            if number is None:
                return Malformed(f"{need}: expected a whole number, got {quoted(value)}")
    return as_order(order)


_END: Final = EndTurn()
_WORD: Final = Order._fields.index("word")
_PLACES: Final = {name: Order._fields.index(name) for name in ("x", "y", "amount")} | dict.fromkeys(
    ("job", "type", "resource"), _WORD
)
"""Where an order has what a command calls this."""


def _whole(value: Json) -> int | None:
    """A finite number with an integral value, however it was written; anything else is None."""
    if type(value) is int:
        return value if -_LARGEST <= value <= _LARGEST else None
    if type(value) is float and value.is_integer():
        return int(value)
    return None


def apply(state: State, seat: Seat, command: Command, dice: Dice) -> tuple[State, Reply]:
    """Carry a command out; the reply has its changes. Raises Rejected (`not_your_turn`).

    Every other error is a refusal: nothing changes but the turn's count of commands.
    """
    if seat != state.current_player:
        raise Rejected(
            "not_your_turn",
            f"expected a command of seat {state.current_player}, whose turn it is, "
            f"got one of {seat}",
        )
    if isinstance(command, EndTurn):
        after, changes = end_turn(state, dice)
        return after, Reply(changes=changes)
    full = state.commands >= state.ground.rules.max_commands_per_turn
    if isinstance(command, Malformed):
        return _counted(state, full), refused("bad_command", command.why)
    fate = "too_many_commands" if full else judged(state, command)
    if isinstance(fate, str):
        return _counted(state, full), REFUSALS[fate]
    assert isinstance(fate, Draft)
    after, changes = fate.freeze(state.commands + 1)
    return after, Reply(changes=changes)


def _counted(state: State, full: bool) -> State:
    """One command more; beyond the most, the number tells nothing any longer."""
    return state if full else state._replace(commands=state.commands + 1)


def judged(state: State, order: Order) -> Fate:
    """The checks that all commands share, then those of its kind; neither the turn's
    count nor whose turn it is matters here."""
    kind, number, x, y, _, _ = order
    ground, unit = state.ground, state.units.get(number)
    if unit is None:
        return "no_such_unit"
    if not (0 <= x < ground.width and 0 <= y < ground.height):
        return "no_such_tile"
    if unit.owner != state.current_player:
        return "not_owner"
    if kind.action and unit.acted:
        return "already_acted"
    if kind.precheck and unit.energy < ground.jobs[unit.job].action_cost * monument_mult(
        ground, state.structures, unit
    ):
        return "not_enough_energy"
    return kind.does(state, number, unit, x + y * ground.width, order)
