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
from games.pyrat.paths import Path, cheese_matrix, distances_from, movement_matrix, nearest_cheeses, shortest_path
from games.pyrat.rules import Rules
from games.pyrat.state import ROLES, Maze, Position, State, maze_of, position, standing
from tests.vectors.adapters.elo import elo
from tests.vectors.runner import ADVANCE, Adapter, Advance, Difference, Vector, differences

STATISTICS_BOARDS = 100


def begin(vector: Vector, script: Scripted) -> Match:
    config, initial = vector["config"], vector["initial"]
    rules = Rules(
        width=config["width"],
        height=config["height"],
        max_turns=config["max_turns"],
        mud_timing=config["mud_timing"],
        connected=False,
    )
    board = from_json({"width": rules.width, "height": rules.height, "walls": initial["walls"], "mud": initial["mud"]})
    maze = maze_of(board, total_cheese=config["cheese_count"], max_turns=rules.max_turns, mud_timing=rules.mud_timing)
    return Match(GAME, rules, State(maze, _position(maze, initial)), script)


def _position(maze: Maze, given: Mapping[str, Any]) -> Position:
    players = [
        standing(
            maze.cell(*given[role]["position"]),
            mud=given[role].get("mud_turns", 0),
            half_points=round(given[role].get("score", 0) * 2),
            misses=given[role].get("misses", 0),
        )
        for role in ROLES
    ]
    return position(given.get("turn", 0), players[0], players[1], maze.cheese(given["cheese"]))


def moves(step: Vector) -> Iterator[tuple[Seat, Json] | Advance]:
    yield from _sent(step)
    yield ADVANCE


def _sent(step: Vector) -> list[tuple[Seat, Json]]:
    commands = step["commands"]
    return [(seat, commands[role]) for seat, role in enumerate(ROLES) if commands.get(role) is not None]


def draws(step: Vector) -> Iterable[tuple[str, Any]]:
    return ()


def found(match: Match, step: Vector, replies: Sequence[Reply]) -> Json:
    state = match.state
    seen = GAME.view(state, None)
    errors = {ROLES[seat]: reply.code for (seat, _), reply in zip(_sent(step), replies, strict=True) if not reply.ok}
    return {
        "turn": match.turn,
        **{role: seen[role] | {"moves": GAME.view(state, seat)["moves"]} for seat, role in enumerate(ROLES)},
        "collected": seen["collected"],
        "cheese_left": len(seen["cheese"]),
        "game_over": match.outcome is not None,
        "outcomes": seen["outcomes"],
        "errors": errors,
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
    seed = config.get("seed")
    try:
        Match.begin(GAME, {key: value for key, value in config.items() if key != "seed"}, 1 if seed is None else seed)
    except BadSetup as fault:
        return fault.code
    return "ok"


def generation_rules(vector: Vector) -> Iterator[Difference]:
    for index, case in enumerate(vector["cases"]):
        config = dict(case.get("config", {})) | ({"preset": case["preset"]} if "preset" in case else {})
        rules = configure(GAME, config)
        for seed in case["seeds"]:
            board = _board(config, seed)
            path = f"cases[{index}].seed {seed}"
            for name, kept in _invariants(rules, board).items():
                yield from differences(True, kept, f"{path}.{name}")
            yield from differences(True, _board(config, seed) == board, f"{path}.repeatable")
            fewer = _board(config | {"cheese": None, "cheese_count": 2}, seed)
            yield from differences(True, (fewer.walls, fewer.mud) == (board.walls, board.mud), f"{path}.maze_kept")


def _board(config: Mapping[str, Json], seed: int) -> Board:
    """A match's first board, read from what everybody sees of it."""
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
    avoided = start_cells | ({mirror(cell) for cell in start_cells} if rules.cheese_symmetric else set())
    forced = len(cheese) > rules.cells - len(avoided)
    return {
        "size": (board.width, board.height) == (rules.width, rules.height),
        "connected": not rules.connected or judge_connection(board.width, board.height, board.walls) is None,
        "walls_mirrored": not rules.symmetric or mirrored_walls == walls,
        "mud_mirrored": not rules.symmetric or mirrored_mud == set(board.mud),
        "cheese_mirrored": not rules.cheese_symmetric or {mirror(cell) for cell in cheese} == cheese,
        "mud_on_passages": all((one, other) not in walls for one, other, _ in board.mud),
        "mud_costs": all(rules.mud_min <= cost <= rules.mud_range for _, _, cost in board.mud),
        "cheese_count": len(cheese) == len(board.cheese) == rules.cheese_count,
        "no_cheese_on_starts": forced or not cheese & start_cells,
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
    total = {"total_cheese": maze.total_cheese}
    for index, given in enumerate(vector.get("hashes", ())):
        maze = _maze({**initial, **total, **given})
        now = _position(maze, {**initial, **given})
        hashed = {"canonical": maze.canonical(now), "state_hash": GAME.view(State(maze, now), None)["state_hash"]}
        yield from differences({key: given[key] for key in hashed if key in given}, hashed, f"hashes[{index}]")


def _maze(initial: Mapping[str, Any]) -> Maze:
    board = from_json({key: initial[key] for key in ("width", "height", "walls", "mud")})
    total = initial.get("total_cheese", len(initial["cheese"]))
    return maze_of(
        board, total_cheese=total, max_turns=initial.get("max_turns", 300), mud_timing=initial.get("mud_timing", "exact")
    )


def pathfinding(vector: Vector) -> Iterator[Difference]:
    maze = _maze(vector["initial"])
    cheese = maze.cheese(vector["initial"]["cheese"])
    for index, query in enumerate(vector["queries"]):
        start = maze.cell(*query["from"])
        paths = [shortest_path(maze, start, maze.cell(*wanted["to"])) for wanted in query.get("shortest_paths", ())]
        got = {
            "distances": [[*maze.xy(cell), cost] for cell, cost in enumerate(distances_from(maze, start)) if cost >= 0],
            "nearest_cheeses": [_path(maze, path, "target") for path in nearest_cheeses(maze, cheese, start)],
            "shortest_paths": [None if path is None else _path(maze, path, "to") for path in paths],
        }
        yield from differences({key: query[key] for key in got if key in query}, got, f"queries[{index}]")


def _path(maze: Maze, path: Path, target: str) -> Json:
    return {target: maze.xy(path.target), "cost": path.cost, "first_moves": [MOVES[move] for move in path.first_moves]}


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
