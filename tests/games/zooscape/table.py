"""Short words for moments of a match and what is done in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.core.contract import Json, Outcome, Reply, Seat
from games.core.dice import Scripted
from games.core.parameters import configure
from games.zooscape import GAME
from games.zooscape.advance import advance
from games.zooscape.board import from_rows, rows_of
from games.zooscape.commands import apply, parse
from games.zooscape.maze import maze_of
from games.zooscape.rules import Rules
from games.zooscape.state import Animal, State, Zookeeper

Draws = Sequence[tuple[str, Any]]


def rules(**config: Json) -> Rules:
    return configure(GAME, config)


def table(
    *rows: str,
    animals: Sequence[Mapping[str, Any]] = ({},),
    zookeepers: Sequence[Mapping[str, Any]] = (),
    centre: tuple[int, int] | None = None,
    tick: int = 0,
    power_up_timer: int | None = None,
    zookeeper_timer: int | None = None,
    respawns: Sequence[tuple[int, int, int]] = (),
    **config: Json,
) -> State:
    """A moment on a board as drawn. An animal is given by `at` (else its cage), `cage`, and fields
    of `Animal`.

    Without `cage` the cages are those of the board by seat. A zookeeper is given by `at` and fields
    of `Zookeeper`; `respawns` are (due tick, x, y). Nothing is drawn and nothing appears unless the
    table says so."""
    drawn = from_rows(rows)
    number = {(cell % drawn.width, cell // drawn.width): cell for cell in range(len(drawn.cells))}
    spawns = tuple(
        number[animal["cage"]] if "cage" in animal else drawn.spawns[seat]
        for seat, animal in enumerate(animals)
    )
    placed = replace(
        drawn, spawns=spawns, centre=drawn.centre if centre is None else number[centre]
    )
    quiet: dict[str, Json] = {"power_up_spawning": power_up_timer is not None}
    if zookeeper_timer is None:
        quiet["zookeepers_max"] = min(len(zookeepers), 4)
    given = rules(**(quiet | {"seats": len(animals)} | config))
    maze = maze_of(placed, given.portals)
    return State(
        rules=given,
        maze=maze,
        tick=tick,
        cells=drawn.cells,
        animals=tuple(
            Animal(number[animal["at"]] if "at" in animal else spawns[seat], **_fields(animal))
            for seat, animal in enumerate(animals)
        ),
        zookeepers=tuple(
            Zookeeper(number[zookeeper["at"]], **_fields(zookeeper)) for zookeeper in zookeepers
        ),
        respawns=tuple(sorted(due * maze.area + number[x, y] for due, x, y in respawns)),
        power_up_timer=power_up_timer,
        zookeeper_timer=zookeeper_timer,
        queues=((),) * len(animals),
        first_command_seqs=(None,) * len(animals),
    )


def _fields(given: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in given.items() if key not in ("at", "cage")}


def sent(state: State, *actions: str, seat: Seat = 0) -> State:
    """The state after these commands of one seat have arrived, whatever was answered."""
    for action in actions:
        state, _ = answered(state, action, seat=seat)
    return state


def answered(state: State, action: Json, *, seat: Seat = 0) -> tuple[State, Reply]:
    return apply(state, seat, parse({"action": action}), Scripted())


def tick(state: State, *draws: tuple[str, Any]) -> State:
    """The state after one tick in which exactly these draws are made. Each pellet that is eaten
    draws: see `eats`."""
    dice = Scripted(draws)
    state = advance(state, dice)
    dice.finish()
    return state


def ticks(state: State, *each: Draws) -> State:
    """The state after some ticks, each with its draws."""
    for draws in each:
        state = tick(state, *draws)
    return state


def eats(pellets: int = 1, delay: int = 100) -> Draws:
    """The draws of a tick in which this number of pellets is eaten."""
    return [("pellet_delay", delay)] * pellets


def at(state: State, seat: Seat = 0) -> tuple[int, int]:
    return state.maze.xy(state.animals[seat].cell)


def keeper_at(state: State, number: int = 0) -> tuple[int, int]:
    return state.maze.xy(state.zookeepers[number].cell)


def rows(state: State) -> tuple[str, ...]:
    return tuple(rows_of(state.cells, state.maze.width))


def ended(state: State) -> Outcome:
    found = GAME.outcome(state)
    assert found is not None, "the match goes on"
    return found
