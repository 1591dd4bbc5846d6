"""From the words of a Zooscape vector to ours, and back. Holds no rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from games.core.contract import BadSetup, Json, Reply, Seat
from games.core.dice import Scripted, Stream
from games.core.match import Match
from games.core.parameters import configure
from games.zooscape import GAME
from games.zooscape.advance import power_up_candidates
from games.zooscape.board import PELLET, WALL, from_rows, rows_in, rows_of, validate_map
from games.zooscape.maze import DIRECTIONS, Maze, maze_of
from games.zooscape.outcome import merit, placements
from games.zooscape.paths import first_step, path
from games.zooscape.rules import Rules
from games.zooscape.state import KINDS, NONE, Animal, State, Zookeeper
from tests.vectors.runner import (
    ADVANCE,
    MISSING,
    Adapter,
    Advance,
    Difference,
    Vector,
    differences,
    exact,
)

T = TypeVar("T")

DRAWS = {
    "pellet_delays": "pellet_delay",
    "power_up_cells": "power_up_cell",
    "power_up_kinds": "power_up_kind",
    "power_up_intervals": "power_up_interval",
    "zookeeper_intervals": "zookeeper_interval",
}
"""The lists of a step by our purposes, in the order in which a tick asks."""

DIGITS: Mapping[str | None, int] = {name: digit for digit, name in KINDS.items()} | {None: NONE}

RANKED = ("score", "captured_count", "ticks_on_spawn", "distance_covered", "first_command_seq")

LOBBY = ("seed", "start_timeout_s")
"""What a configuration may say that is no parameter of the engine."""

ANIMAL: Mapping[str, Any] = {
    "direction": "idle",
    "score": 0,
    "streak_multiplier": 1.0,
    "streak_missed": 0,
    "captured_count": 0,
    "ticks_on_spawn": 0,
    "distance_covered": 0,
    "is_viable": False,
    "held_power_up": None,
    "active_power_up": None,
    "power_ups_used": 0,
}
"""What an initial state may leave out of an animal."""


class Fixed(Stream):
    """A stream that answers every choice with the same number and remembers among how many it
    chose."""

    def __init__(self, answer: int) -> None:
        super().__init__(b"")
        self.answer = answer
        self.bound = 1

    def below(self, bound: int) -> int:
        self.bound = bound
        return self.answer


def possible(sample: Callable[[Stream], T]) -> list[T]:
    """Everything that a draw of a single choice can give."""
    stream = Fixed(0)
    return [sample(stream), *(sample(Fixed(answer)) for answer in range(1, stream.bound))]


class Checked:
    """The script, where a power-up's cell must be one of those that the dice could have drawn."""

    def __init__(self, script: Scripted, maze: Maze) -> None:
        self.script = script
        self.maze = maze

    def at(self, step: int) -> Checked:
        return self

    def draw(self, purpose: str, sample: Callable[[Stream], T]) -> T:
        sample_value: Any = self.script.draw(purpose, sample)
        if purpose != "power_up_cell":
            return sample_value
        cell: Any = None if sample_value is None else self.maze.cell(*sample_value)
        if cell not in possible(sample):
            raise LookupError(
                f"the script says {sample_value} for a power-up, which is not among the candidates"
            )
        return cell


class Remembering(Match):
    """A match that keeps what the last step found, in the vector's words."""

    __slots__ = ("before",)

    def __init__(self, rules: Rules, state: State, source: Checked) -> None:
        super().__init__(GAME, rules, state, source)
        self.before = moment(self)


def begin(vector: Vector, script: Scripted) -> Match:
    initial = vector["initial"]
    animals = sorted(initial["animals"], key=lambda animal: int(animal["seat"]))
    zookeepers = sorted(initial.get("zookeepers") or (), key=lambda zookeeper: int(zookeeper["id"]))
    config = {key: value for key, value in (vector.get("config") or {}).items() if key not in LOBBY}
    rules = configure(GAME, {**config, "seats": len(animals)})
    spawn = initial.get("zookeeper_spawn")
    drawn = from_rows(
        initial["map"], None if spawn is None else spawn[0] + spawn[1] * len(initial["map"][0])
    )
    maze = maze_of(
        replace(
            drawn,
            spawns=tuple(animal["spawn_x"] + animal["spawn_y"] * drawn.width for animal in animals),
        )
    )
    respawns = sorted(initial.get("pellet_respawns") or (), key=lambda respawn: int(respawn[0]))
    state = State(
        rules=rules,
        maze=maze,
        tick=initial.get("tick") or 0,
        cells=drawn.cells,
        animals=tuple(_read_animal(maze, ANIMAL | animal) for animal in animals),
        zookeepers=tuple(_read_zookeeper(maze, zookeeper) for zookeeper in zookeepers),
        respawns=tuple(tick * maze.area + maze.cell(x, y) for tick, x, y in respawns),
        power_up_timer=initial.get("power_up_timer"),
        zookeeper_timer=initial.get("zookeeper_timer"),
        queues=((),) * rules.seats,
        first_command_seqs=(None,) * rules.seats,
    )
    return Remembering(rules, state, Checked(script, maze))


def _read_animal(maze: Maze, given: Mapping[str, Any]) -> Animal:
    active = given["active_power_up"]
    return Animal(
        cell=maze.cell(given["x"], given["y"]),
        direction=DIRECTIONS.index(given["direction"]),
        score=given["score"],
        streak_multiplier=given["streak_multiplier"],
        streak_missed=given["streak_missed"] or 0,
        captured_count=given["captured_count"],
        ticks_on_spawn=given["ticks_on_spawn"],
        distance_covered=given["distance_covered"],
        is_viable=given["is_viable"],
        held=DIGITS[given["held_power_up"]],
        active=NONE if active is None else DIGITS[active["kind"]],
        ticks_remaining=0 if active is None else active["ticks_remaining"],
        power_ups_used=given["power_ups_used"],
    )


def _read_zookeeper(maze: Maze, given: Mapping[str, Any]) -> Zookeeper:
    return Zookeeper(
        cell=maze.cell(given["x"], given["y"]),
        direction=DIRECTIONS.index(given.get("direction") or "idle"),
        target=given.get("target"),
        ticks_since_retarget=given.get("ticks_since_retarget") or 0,
        retarget_due=given.get("retarget_due") or False,
    )


def moves(step: Vector) -> Iterator[tuple[Seat, Json] | Advance]:
    for command in step.get("commands") or ():
        yield (
            command["seat"],
            {key: value for key, value in command.items() if key not in ("seat", "error")},
        )
    yield ADVANCE


def draws(step: Vector) -> Iterator[tuple[str, Any]]:
    for name, purpose in DRAWS.items():
        for value in (step.get("random") or {}).get(name) or ():
            yield purpose, DIGITS[value] if purpose == "power_up_kind" else value


def found(match: Match, step: Vector, replies: Sequence[Reply]) -> Json:
    """What the step expects or what it changed, whichever is more."""
    assert isinstance(match, Remembering)
    expect, before, after = step["expect"], match.before, moment(match)
    match.before = after
    words = {
        key: after[key]
        for key in ("tick", "game_over")
        if key in expect or after[key] != before[key]
    }
    for kind, key in (("animals", "seat"), ("zookeepers", "id")):
        entries = _changes(
            before[kind], after[kind], {entry[key]: entry for entry in expect.get(kind) or ()}, key
        )
        if entries or kind in expect:
            words[kind] = entries
    cells = _cells(
        before["map"], after["map"], [tuple(cell[:2]) for cell in expect.get("cells") or ()]
    )
    if cells or "cells" in expect:
        words["cells"] = cells
    answers = [None if reply.ok else reply.code for reply in replies]
    if answers != [command.get("error") for command in step.get("commands") or ()]:
        words[f"the answers {answers}"] = MISSING
    return exact(expect, words)


def _changes(
    before: list[Any], after: list[Any], expected: Mapping[int, Any], key: str
) -> list[dict[str, Json]]:
    """Per seat or id what changed, and what is expected whether it changed or not. The order is the
    expected one."""
    entries = {}
    for number, now in enumerate(after):
        was = before[number] if number < len(before) else {}
        changed = {name: value for name, value in now.items() if was.get(name, MISSING) != value}
        asked = {name: now.get(name, MISSING) for name in expected.get(number, ())}
        if number >= len(before) and number in expected:
            changed = {}
        if changed or asked:
            entries[number] = changed | asked | {key: number}
    return [entries.pop(number) for number in expected if number in entries] + list(
        entries.values()
    )


def _cells(before: list[str], after: list[str], expected: list[tuple[int, int]]) -> list[list[int]]:
    changed = [
        (x, y)
        for y, (was, now) in enumerate(zip(before, after, strict=True))
        if was != now
        for x in range(len(now))
        if was[x] != now[x]
    ]
    return [
        [x, y, int(after[y][x])]
        for x, y in [*expected, *(cell for cell in changed if cell not in set(expected))]
    ]


def moment(match: Match) -> dict[str, Any]:
    """Everything that a vector compares."""
    state: State = match.state
    return {
        "tick": state.tick,
        "game_over": match.outcome is not None,
        "map": rows_of(state.cells, state.maze.width),
        "animals": [_animal(state, seat) for seat in range(len(state.animals))],
        "zookeepers": [
            {
                "id": number,
                **dict(zip("xy", state.maze.xy(zookeeper.cell), strict=True)),
                **dict(zip(("spawn_x", "spawn_y"), state.maze.xy(state.maze.centre), strict=True)),
                "direction": DIRECTIONS[zookeeper.direction],
            }
            for number, zookeeper in enumerate(state.zookeepers)
        ],
    }


def _animal(state: State, seat: Seat) -> dict[str, Json]:
    animal, names = state.animals[seat], {digit: name for name, digit in DIGITS.items()}
    active = {"kind": names[animal.active], "ticks_remaining": animal.ticks_remaining}
    x, y = state.maze.xy(animal.cell)
    return {
        "seat": seat,
        "x": x,
        "y": y,
        "direction": DIRECTIONS[animal.direction],
        "score": animal.score,
        "streak_multiplier": animal.streak_multiplier,
        "captured_count": animal.captured_count,
        "ticks_on_spawn": animal.ticks_on_spawn,
        "distance_covered": animal.distance_covered,
        "is_viable": animal.is_viable,
        "held_power_up": names[animal.held],
        "active_power_up": None if animal.active == NONE else active,
        "power_ups_used": animal.power_ups_used,
        "queue_length": len(state.queues[seat]),
    }


def final(match: Match, vector: Vector) -> Json:
    words = moment(match)
    if match.outcome is not None:
        words["end_reason"] = match.outcome.reason
        words["result"] = [
            {"seat": line.seat, "score": line.score, "placement": line.placement, **line.details}
            for line in match.outcome.seats
        ]
    return words


def paths(vector: Vector) -> Iterator[Difference]:
    mazes = [maze_of(from_rows(rows)) for rows in vector["maps"]]
    for index, case in enumerate(vector["cases"]):
        maze = mazes[case["map"]]
        start, goal = (maze.cell(*case[end]) for end in ("start", "end"))
        way, step = path(maze, start, goal), first_step(maze, start, goal)
        got = None if way is None else [list(maze.xy(cell)) for cell in way]
        yield from differences(case["path"], got, f"cases[{index}].path")
        expected = (
            None
            if case["path"] is None
            else maze.cell(*case["path"][min(1, len(case["path"]) - 1)])
        )
        yield from differences(
            expected,
            None if step is None else maze.steps[step][start],
            f"cases[{index}].first_step",
        )


def candidates(vector: Vector) -> Iterator[Difference]:
    for index, case in enumerate(vector["cases"]):
        drawn = from_rows(case["map"])
        maze = maze_of(drawn)
        rules = configure(GAME, case.get("config") or {})
        cells = power_up_candidates(
            rules, maze, drawn.cells, [maze.cell(*animal) for animal in case["animals"]]
        )
        yield from differences(
            case["candidates"], [list(maze.xy(cell)) for cell in cells], f"cases[{index}]"
        )


def ranking(vector: Vector) -> Iterator[Difference]:
    for index, case in enumerate(vector["cases"]):
        animals = sorted(case["animals"], key=lambda animal: int(animal["seat"]))
        places = placements(
            (False, merit(*(animal.get(key) for key in RANKED))) for animal in animals
        )
        yield from differences(case["placements"], places, f"cases[{index}]")


def maps(vector: Vector) -> Iterator[Difference]:
    for index, case in enumerate(vector["cases"]):
        rows, code = case["map"], None
        if isinstance(rows, str):
            rows = rows_in(rows)
        try:
            validate_map(rows)
        except BadSetup as fault:
            code = fault.code
        got: dict[str, Json] = {"valid": code is None, "error": code}
        if code is None or "width" in case:
            drawn = from_rows(rows)
            maze = maze_of(drawn)
            got |= {
                "width": drawn.width,
                "height": drawn.height,
                "animal_spawns": [list(maze.xy(cell)) for cell in drawn.spawns],
                "zookeeper_spawn": list(maze.xy(drawn.centre)),
                "pellets": drawn.cells.count(PELLET),
                "portal_columns": [x for x in range(drawn.width) if drawn.cells[x] != WALL],
                "portal_rows": [
                    y for y in range(drawn.height) if drawn.cells[y * drawn.width] != WALL
                ],
            }
        expected = {key: value for key, value in case.items() if key != "map"}
        yield from differences(expected, got, f"cases[{index}]")


ADAPTER = Adapter(
    begin,
    moves,
    draws,
    found,
    final,
    {"paths": paths, "power_up_candidates": candidates, "ranking": ranking, "maps": maps},
)
