"""The end of a turn, step by step in the order of the rules (RULES §5.2), and a seat that stays
silent (RULES §9)."""

from __future__ import annotations

from games.catastrophe.draft import Draft, Tables
from games.catastrophe.outcome import judged
from games.catastrophe.rules import FRESH, SEATS
from games.catastrophe.state import Result, State, Unit, as_tile, as_unit
from games.core.contract import Json, Seat
from games.core.dice import Dice


def end_turn(state: State, dice: Dice) -> tuple[State, Json]:
    """The seat passes the lock. Returns the next moment and the change."""
    on = Draft(state)
    pass_lock(on, dice)
    return on.freeze(0)


def pass_lock(on: Tables, dice: Dice) -> None:
    """What happens at the end of a turn."""
    seat, turn, rules = on.current_player, on.turn, on.ground.rules
    on.upkeep = _upkeep(on)
    _refresh(on, seat)
    _spawn(on)
    if rules.upkeep_phase == "turn_end":
        pay(on, seat)
    _grow(on)
    _fade(on)
    on.result = judged(on, dice)
    if on.result is None:
        on.turn = turn + 1
        on.current_player = 1 - seat
        if rules.upkeep_phase == "turn_start" and (on.turn >= SEATS or rules.first_turn_upkeep):
            pay(on, on.current_player)


def advance(state: State, dice: Dice) -> State:
    """Silence: the seat whose turn it is has used up its time and loses."""
    return state._replace(result=Result(1 - state.current_player, "timeout", None))


def _upkeep(on: Tables) -> tuple[int, int]:
    """5.2.1: what the units cost that a seat owns now."""
    sums, jobs = [0] * SEATS, on.ground.jobs
    for unit in on.units.values():
        if unit.owner is not None:
            sums[unit.owner] += jobs[unit.job].upkeep
    first, second = sums
    return first, second


def _refresh(on: Tables, seat: Seat) -> None:
    """5.2.2: the seat's units and the neutral ones are ready again; the neutral ones come closer to
    their end and walk."""
    width, jobs = on.ground.width, on.ground.jobs
    for number, unit in on.units.items():
        if unit.owner == seat:
            fresh = jobs[unit.job].moves
            if unit.acted or unit.moves != fresh:
                on.put_unit(number, as_unit((*unit[:4], fresh, False, *unit[6:])))
        elif unit.owner is None:
            _, job, cell, energy, _, _, food, materials, _, dies, target = unit
            fresh = jobs[job].moves
            if target is not None and target % width != cell % width:
                ahead = cell + (1 if target % width > cell % width else -1)
                if ahead not in on.at:
                    cell = ahead
            still = (energy, fresh, False, food, materials, False)
            on.put_unit(number, Unit(None, job, cell, *still, dies - (dies > 0), target))


def _spawn(on: Tables) -> None:
    """5.2.3: the two road rows bring a human each, one turn apart or together, from opposite
    ends."""
    rules = on.ground.rules
    since = on.turn % rules.turns_to_create_human
    if on.turn < rules.first_human_turn:
        return
    if rules.road_humans == "in_turn":
        if since < len(on.ground.road_rows):
            _spawn_on(on, since)
    elif since == 0:
        for which in range(len(on.ground.road_rows)):
            _spawn_on(on, which)


def _spawn_on(on: Tables, which: int) -> None:
    """A human on the first free tile of a road row: 0 from the west, 1 from the east."""
    ground = on.ground
    start = ground.road_rows[which] * ground.width
    row = range(start, start + ground.width)
    walked = row if which == 0 else row[::-1]
    for steps, cell in enumerate(walked):
        if cell not in on.at:
            human = Unit(None, FRESH, cell, ground.full, ground.jobs[FRESH].moves)
            lasts = ground.width - steps
            on.new_unit(human._replace(turns_to_die=lasts, target=walked[-1]))
            return


def pay(on: Tables, seat: Seat) -> None:
    """5.3: all of the upkeep or nothing; after nothing all units of the seat starve."""
    paid = on.food[seat] >= on.upkeep[seat]
    if paid:
        on.add_food(seat, -on.upkeep[seat])
    for number, unit in on.units.items():
        if unit.owner == seat and unit.starving is paid:
            on.put_unit(number, unit._replace(starving=not paid))


def _grow(on: Tables) -> None:
    """5.2.5: harvested tiles recover; from time to time all yield less."""
    rules = on.ground.rules
    falls = (
        on.turn >= rules.first_lower_harvest_turn and on.turn % rules.turns_to_lower_harvest == 0
    )
    loss = rules.lower_harvest_amount if falls else 0
    for cell, tile in on.tiles.items():
        rate, turns, food, materials = tile
        if turns or (loss and rate):
            left = max(0, rate - loss) if loss else rate
            on.put_tile(cell, as_tile((left, turns - 1 if turns else 0, food, materials)))


def _fade(on: Tables) -> None:
    """5.2.6: neutral units whose time has come are gone."""
    gone = [n for n, unit in on.units.items() if unit.owner is None and unit.turns_to_die == 0]
    for number in gone:
        on.remove_unit(number)
