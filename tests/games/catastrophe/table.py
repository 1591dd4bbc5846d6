"""Short words for moments of a match and what is done in them.

A table is 12 x 8, roads in the rows 3 and 4, turn 2, seat 0 to move. Each seat has its overlord on
a shelter in its corner and a fresh human beside it: shelters 1 and 2; seat 0's overlord 3 at [0,
0], human 4 at [0, 1]; seat 1's 5 at [11, 7], 6 at [11, 6]. What a test adds is numbered from 7:
structures first, then units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.catastrophe import GAME
from games.catastrophe.commands import apply, parse
from games.catastrophe.rules import JOBS, Rules
from games.catastrophe.state import State, Structure, Tile, Unit, ground, state_of
from games.core.contract import Json, Rejected, Reply
from games.core.dice import Scripted
from games.core.parameters import configure

WIDTH, HEIGHT = 12, 8
CAT, HUMAN, ENEMY_CAT, ENEMY_HUMAN = 3, 4, 5, 6
FIRST = 7
"""The id of the first thing that a test adds."""

END = {"cmd": "end_turn"}


def rules(**config: Json) -> Rules:
    return configure(GAME, {"map_width": WIDTH, "map_height": HEIGHT} | config)


def cell(x: int, y: int) -> int:
    return x + y * WIDTH


def unit(
    job: str, x: int, y: int, owner: int | None = 0, energy: float = 100.0, **fields: Any
) -> Unit:
    moves = fields.pop("moves", JOBS[job].moves)
    return Unit(owner, job, cell(x, y), energy, moves, **fields)


def stranger(x: int, y: int, **fields: Any) -> Unit:
    """A neutral human."""
    return unit("fresh human", x, y, None, **fields)


def structure(kind: str, x: int, y: int, owner: int | None = 0, materials: int = 50) -> Structure:
    return Structure(kind, owner, cell(x, y), materials)


def table(
    *units: Unit,
    structures: Sequence[Structure] = (),
    tiles: Mapping[tuple[int, int], Tile] | None = None,
    config: Mapping[str, Json] | None = None,
    changed: Mapping[int, Mapping[str, Any]] | None = None,
    **words: Any,
) -> State:
    """`changed`: fields of the units that stand on every table, by id."""
    given = rules(**(config or {}))
    built = [structure("shelter", 0, 0), structure("shelter", 11, 7, 1)]
    numbered = dict(enumerate(built, 1)) | dict(enumerate(structures, FIRST))
    first = FIRST + len(structures)
    all_units = {
        CAT: unit("cat overlord", 0, 0),
        HUMAN: unit("fresh human", 0, 1),
        ENEMY_CAT: unit("cat overlord", 11, 7, 1),
        ENEMY_HUMAN: unit("fresh human", 11, 6, 1),
    } | dict(enumerate(units, first))
    for number, fields in (changed or {}).items():
        all_units[number] = all_units[number]._replace(**fields)
    usual: dict[str, Any] = {"turn": 2, "current_player": 0, "food": (50, 50), "upkeep": (1, 1)}
    return state_of(
        ground(given, WIDTH, HEIGHT),
        next_id=first + len(units),
        cats=(CAT, ENEMY_CAT),
        units=all_units,
        structures=numbered,
        tiles={cell(*place): tile for place, tile in (tiles or {}).items()},
        **(usual | words),
    )


def command(cmd: str, unit: int, *place: int, **arguments: Json) -> Json:
    """A command; `place` is x and y."""
    return {"cmd": cmd, "unit": unit} | dict(zip(("x", "y"), place, strict=False)) | arguments


def applied(state: State, raw: Json, *draws: tuple[str, Any]) -> tuple[State, Reply]:
    """What the seat whose turn it is gets for a command."""
    dice = Scripted(draws)
    after = apply(state, state.current_player, parse(raw), dice)
    dice.finish()
    return after


def after(state: State, *commands: Json, draws: Sequence[tuple[str, Any]] = ()) -> State:
    """The moment after these commands, all of which must be carried out. The draws are the last
    one's."""
    for number, raw in enumerate(commands, 1):
        state, reply = applied(state, raw, *(draws if number == len(commands) else ()))
        assert reply.ok, f"{raw}: {reply.code}"
    return state


def code(state: State, raw: Json, seat: int | None = None) -> str:
    """The code that a command gets; what is not carried out changes nothing but the count."""
    try:
        found, reply = apply(
            state, state.current_player if seat is None else seat, parse(raw), Scripted()
        )
    except Rejected as fault:
        return fault.code
    if not reply.ok:
        assert reply.why
        assert reply.changes is None
        assert found._replace(commands=0) == state._replace(commands=0)
    return reply.code


def lies(state: State, x: int, y: int) -> Tile:
    return state.tiles.get(cell(x, y), Tile())


def reaches_road(state: State, start: int) -> bool:
    """Whether a unit can walk from this cell to a road tile, other units ignored."""
    blocked = {one.cell for one in state.structures.values() if one.type != "shelter"}
    found = [start]
    for here in found:
        found += [near for near in state.ground.near[here] if near not in blocked | {*found}]
    return any(state.ground.road[here] for here in found)
