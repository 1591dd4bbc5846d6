"""PyRat's vectors in our words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

from games.core.contract import BadSetup, Json, Reply, Seat
from games.core.dice import Scripted
from games.core.match import Match
from games.core.parameters import configure, described
from games.pyrat import GAME
from games.pyrat.board import MOVES, Board, from_json, judge_connection
from games.pyrat.paths import (
    Path,
    cheese_matrix,
    distances_from,
    movement_matrix,
    nearest_cheeses,
    shortest_path,
)
from games.pyrat.rules import Rules
from games.pyrat.state import (
    NOTHING,
    NOWHERE,
    ROLES,
    Body,
    Maze,
    Position,
    State,
    maze_of,
    position,
)
from tests.vectors.adapters.elo import elo
from tests.vectors.runner import ADVANCE, Adapter, Advance, Difference, Vector, differences, exact

STATISTICS_BOARDS = 100


def begin(vector: Vector, script: Scripted) -> Match:
    config, initial = vector["config"], vector["initial"]
    settings = {
        key: config[key]
        for key in ("width", "height", "max_turns", "mud_timing")
        if config.get(key) is not None
    }
    maze = _maze(initial | settings | {"total_cheese": config.get("cheese_count")})
    return Match(
        GAME, Rules(**settings, connected=False), State(maze, _position(maze, initial)), script
    )


def _position(maze: Maze, given: Mapping[str, Any]) -> Position:
    rat, python = (_body(maze, given[role]) for role in ROLES)
    return position(given.get("turn") or 0, rat, python, maze.cheese(given["cheese"]))


def _body(maze: Maze, given: Mapping[str, Any]) -> Body:
    mud_from = given.get("mud_from")
    return Body(
        cell=maze.cell(*given["position"]),
        mud=given.get("mud_turns") or 0,
        mud_from=NOWHERE if mud_from is None else maze.cell(*mud_from),
        half_points=round((given.get("score") or 0) * 2),
        misses=given.get("misses") or 0,
        last_move=MOVES.index(given.get("last_move") or "STAY"),
        deed=NOTHING,
    )


def moves(step: Vector) -> Iterator[tuple[Seat, Json] | Advance]:
    yield from _sent(step)
    yield ADVANCE


def _sent(step: Vector) -> list[tuple[Seat, Json]]:
    commands = step["commands"]
    return [
        (seat, commands[role]) for seat, role in enumerate(ROLES) if commands.get(role) is not None
    ]


def draws(step: Vector) -> Iterable[tuple[str, Any]]:
    return ()


def found(match: Match, step: Vector, replies: Sequence[Reply]) -> Json:
    state = match.state
    seen = GAME.view(state, None)
    errors = {
        ROLES[seat]: reply.code
        for (seat, _), reply in zip(_sent(step), replies, strict=True)
        if not reply.ok
    }
    over = (
        {"error": GAME.over_code} if any(reply.code == GAME.over_code for reply in replies) else {}
    )
    return {
        **seen,
        **over,
        **{
            role: seen[role] | {"moves": GAME.view(state, seat)["moves"]}
            for seat, role in enumerate(ROLES)
        },
        "cheese_left": len(seen["cheese"]),
        "game_over": match.outcome is not None,
        "errors": exact(step["expect"].get("errors", errors), errors),
        "timeouts": [role for role in seen["timeouts"] if role not in errors],
    }


def final(match: Match, vector: Vector) -> Json:
    seen, outcome = GAME.view(match.state, None), match.outcome
    return {
        "game_over": outcome is not None,
        "reason": outcome and outcome.reason,
        "result": outcome and outcome.details["result"],
        "scores": {role: seen[role]["score"] for role in ROLES},
        "turns": match.turn,
        "cheese": seen["cheese"],
    }


def presets(vector: Vector) -> Iterator[Difference]:
    for name, expected in vector["presets"].items():
        match = Match.begin(GAME, {"preset": name}, 1)
        starts = {f"{role}_start": match.view(None)[role]["position"] for role in ROLES}
        yield from differences(expected, described(match.rules) | starts, name)


def config_checks(vector: Vector) -> Iterator[Difference]:
    for index, case in enumerate(vector["rejected"]):
        yield from differences(case["error"], _begun(case["config"]), f"rejected[{index}].error")
    for index, case in enumerate(vector["accepted"]):
        yield from differences("ok", _begun(case["config"]), f"accepted[{index}]")


def _begun(config: Mapping[str, Json]) -> str:
    """The code that answers this configuration, `ok` if a match begins."""
    seed = 1 if config.get("seed") is None else config["seed"]
    try:
        Match.begin(GAME, {key: value for key, value in config.items() if key != "seed"}, seed)
    except BadSetup as fault:
        return fault.code
    return "ok"


def generation_rules(vector: Vector) -> Iterator[Difference]:
    for index, case in enumerate(vector["cases"]):
        config = dict(case.get("config") or {})
        if case.get("preset") is not None:
            config["preset"] = case["preset"]
        rules = configure(GAME, config)
        for seed in case["seeds"]:
            board = _board(config, seed)
            path = f"cases[{index}].seed {seed}"
            for name, kept in _invariants(rules, board).items():
                yield from differences(True, kept, f"{path}.{name}")
            yield from differences(True, _board(config, seed) == board, f"{path}.repeatable")
            fewer = _board(config | {"cheese": None, "cheese_count": 2}, seed)
            yield from differences(
                True, (fewer.walls, fewer.mud) == (board.walls, board.mud), f"{path}.maze_kept"
            )


def _board(config: Mapping[str, Json], seed: int) -> Board:
    """A match's first board, read from its public view."""
    seen = Match.begin(GAME, config, seed).view(None)
    starts = {f"{role}_start": seen[role]["position"] for role in ROLES}
    return from_json(seen["maze"] | {"cheese": seen["cheese"]} | starts)


def _invariants(rules: Rules, board: Board) -> dict[str, bool]:
    """The list at the end of the specification's section 4."""
    assert board.cheese is not None

    def mirror(cell: tuple[int, int]) -> tuple[int, int]:
        return board.width - 1 - cell[0], board.height - 1 - cell[1]

    walls, cheese = set(board.walls), set(board.cheese)
    mirrored_walls = {tuple(sorted((mirror(one), mirror(other)))) for one, other in walls}
    mirrored_mud = {(*sorted((mirror(one), mirror(other))), cost) for one, other, cost in board.mud}
    start_cells = {cell for cell in (board.rat_start, board.python_start) if cell is not None}
    avoided = start_cells | (
        {mirror(cell) for cell in start_cells} if rules.cheese_symmetric else set()
    )
    forced = len(cheese) > rules.cells - len(avoided)
    return {
        "size": (board.width, board.height) == (rules.width, rules.height),
        "connected": not rules.connected
        or judge_connection(board.width, board.height, board.walls) is None,
        "walls_mirrored": rules.explicit or not rules.symmetric or mirrored_walls == walls,
        "mud_mirrored": rules.explicit or not rules.symmetric or mirrored_mud == set(board.mud),
        "cheese_mirrored": rules.cheese is not None
        or not rules.cheese_symmetric
        or {mirror(cell) for cell in cheese} == cheese,
        "mud_on_passages": all((one, other) not in walls for one, other, _ in board.mud),
        "mud_costs": rules.explicit
        or all(rules.mud_min <= cost <= rules.mud_range for _, _, cost in board.mud),
        "cheese_count": len(cheese) == len(board.cheese) == rules.cheese_count,
        "no_cheese_on_starts": rules.cheese is not None or forced or not cheese & start_cells,
    }


def generation_stats(vector: Vector) -> Iterator[Difference]:
    for preset, targets in vector["targets"].items():
        samples = [_shares(_board({"preset": preset}, seed)) for seed in range(STATISTICS_BOARDS)]
        for name, (value, tolerance) in targets.items():
            mean = fmean(sample[name] for sample in samples)
            if abs(mean - value) > tolerance:
                yield Difference(None, f"{preset}.{name}", f"{value} within {tolerance}", mean)


def _shares(board: Board) -> dict[str, float]:
    cells = board.width * board.height
    borders = 2 * cells - board.width - board.height
    passages = borders - len(board.walls)
    closed = [0] * cells
    for wall in board.walls:
        for x, y in wall:
            closed[x * board.height + y] += 1
    dead_ends = 0
    for cell in range(cells):
        x, y = divmod(cell, board.height)
        at_border = (x in (0, board.width - 1)) + (y in (0, board.height - 1))
        dead_ends += 4 - at_border - closed[cell] == 1
    return {
        "wall_fraction": len(board.walls) / borders,
        "mud_fraction": len(board.mud) / passages if passages else 0.0,
        "dead_end_fraction": dead_ends / cells,
        "extra_passages": (passages - (cells - 1)) / cells,
    }


def observation(vector: Vector) -> Iterator[Difference]:
    initial = vector["initial"]
    maze = _maze(initial)
    got = {
        "movement_matrix": movement_matrix(maze),
        "cheese_matrix": cheese_matrix(maze, maze.cheese(initial["cheese"])),
    }
    yield from differences({key: vector[key] for key in got if key in vector}, got)
    for index, given in enumerate(vector.get("hashes", ())):
        moment = {**initial, "total_cheese": maze.total_cheese, **given}
        moment |= {role: {**initial[role], **given.get(role, {})} for role in ROLES}
        now = _position(then := _maze(moment), moment)
        hashed = {
            "canonical": then.canonical(now),
            "state_hash": GAME.view(State(then, now), None)["state_hash"],
        }
        yield from differences(
            {key: given[key] for key in hashed if key in given}, hashed, f"hashes[{index}]"
        )


def _maze(initial: Mapping[str, Any]) -> Maze:
    board = from_json({key: initial.get(key) for key in ("width", "height", "walls", "mud")})
    total = initial.get("total_cheese")
    return maze_of(
        board,
        total_cheese=len(initial["cheese"]) if total is None else total,
        max_turns=initial.get("max_turns") or Rules().max_turns,
        mud_timing=initial.get("mud_timing") or Rules().mud_timing,
    )


def pathfinding(vector: Vector) -> Iterator[Difference]:
    maze = _maze(vector["initial"])
    cheese = maze.cheese(vector["initial"]["cheese"])
    for index, query in enumerate(vector["queries"]):
        start = maze.cell(*query["from"])
        targets = [maze.cell(*wanted["to"]) for wanted in query.get("shortest_paths", ())]
        got = {
            "distances": [
                [*maze.xy(cell), cost]
                for cell, cost in enumerate(distances_from(maze, start))
                if cost >= 0
            ],
            "nearest_cheeses": [
                {"target": maze.xy(path.target)} | _way(path)
                for path in nearest_cheeses(maze, cheese, start)
            ],
            "shortest_paths": [
                {"to": maze.xy(target)} | _way(shortest_path(maze, start, target))
                for target in targets
            ],
        }
        yield from differences(
            {key: query[key] for key in got if key in query}, got, f"queries[{index}]"
        )


def _way(path: Path | None) -> dict[str, Json]:
    """How to get somewhere; nothing leads to what cannot be reached."""
    if path is None:
        return {"cost": None, "first_moves": []}
    return {"cost": path.cost, "first_moves": [MOVES[move] for move in path.first_moves]}


ADAPTER = Adapter(
    begin,
    moves,
    draws,
    found,
    final,
    {
        "presets": presets,
        "config_checks": config_checks,
        "generation_rules": generation_rules,
        "generation_stats": generation_stats,
        "observation": observation,
        "pathfinding": pathfinding,
        "elo": elo,
    },
)
