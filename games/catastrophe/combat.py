"""The attack (RULES §6.1): a squad strikes as one, and a squad takes the blow together."""

from __future__ import annotations

from games.catastrophe.draft import Tables, drafted
from games.catastrophe.rules import CAT, FRESH, SOLDIER
from games.catastrophe.state import Cell, Id, State, Unit, monument_mult


def attack(state: State, number: Id, unit: Unit, cell: Cell, order: object) -> Tables | str:
    """The moment after this soldier's squad has attacked this tile, or the code of a refusal."""
    if unit.job != SOLDIER:
        return "wrong_job"
    if cell not in state.ground.near[unit.cell]:
        return "not_adjacent"
    built, target = state.built.get(cell), state.at.get(cell)
    if built is None:
        if target is None:
            return "nothing_to_attack"
        if state.units[target].owner == unit.owner:
            return "friendly_target"
    on = drafted(state)
    pool, marked = _strike(on, state.squads[number])
    if built is not None:
        on.damage(built, int(state.structures[built].materials - pool))
    elif target is not None:
        marked += _suffer(on, state.squads[target], pool)
    for fallen in marked:
        _defeat(on, fallen)
    return on


def _strike(on: Tables, squad: tuple[Id, ...]) -> tuple[float, list[Id]]:
    """Each unit of the squad that has not acted adds to the blow, the last of its energy at most.
    The blow, and who fell."""
    pool, marked = 0.0, []
    cost = on.ground.jobs[SOLDIER].action_cost
    for number in squad:
        unit = on.units[number]
        if not unit.acted:
            mult = monument_mult(on.ground, on.structures, unit)
            energy = unit.energy - cost * mult
            pool += cost
            if energy <= 0:
                pool += energy / mult if mult else 0
                marked.append(number)
            on.put_unit(number, unit._replace(energy=energy, acted=True, moves=0))
    return pool, marked


def _suffer(on: Tables, squad: tuple[Id, ...], pool: float) -> list[Id]:
    """The blow, shared evenly by the squad. Who fell."""
    marked = []
    for number in squad:
        unit = on.units[number]
        energy = unit.energy - pool * monument_mult(on.ground, on.structures, unit) / len(squad)
        on.put_unit(number, unit._replace(energy=energy))
        if energy <= 0:
            marked.append(number)
    return marked


def _defeat(on: Tables, number: Id) -> None:
    """It loses what it carries. An overlord stays, a neutral unit is gone or starts again, others
    turn neutral."""
    unit = on.units[number]
    on.spill(unit.cell, unit.food, unit.materials)
    if unit.job == CAT:
        on.put_unit(number, unit._replace(energy=0.0, food=0, materials=0))
    elif unit.owner is None and on.ground.rules.defeated_neutral == "gone":
        on.remove_unit(number)
    else:
        lasts = on.ground.rules.defeated_turns_to_die
        human = unit._replace(owner=None, job=FRESH, energy=on.ground.full, food=0, materials=0)
        on.put_unit(number, human._replace(turns_to_die=lasts, target=None))
