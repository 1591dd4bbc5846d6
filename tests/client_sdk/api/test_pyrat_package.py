"""A bot of the course's classes sees in every call what it sees in the package `pyrat-game`.

The package needs Python 3.12; where it is not installed, this is skipped."""

from __future__ import annotations

import importlib
import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from client_sdk.bot import load, play_headless
from games import GAMES
from games.core.contract import Json
from games.core.match import Match

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pyrat") is None, reason="the package pyrat-game is not installed"
)

BOT = '''
import json
from pathlib import Path
from pyrat import Action, Player


class Watcher(Player):
    """Goes somewhere, by a rule of turn and place, and writes down what it sees."""

    def preprocessing(self, maze, game_state):
        self.note("preprocessing", game_state)

    def turn(self, maze, game_state):
        self.note("turn", game_state)
        here = game_state.player_locations[self.get_name()]
        if game_state.turn % 11 == 5:
            return Action.NOTHING
        near = sorted(maze.get_neighbors(here))
        goal = near[(3 * game_state.turn + here) % len(near)]
        if game_state.turn > 25:
            goal = self.towards(maze, here, game_state.cheese)
        return maze.locations_to_action(here, goal)

    def towards(self, maze, here, cheese):
        ways = [[here]]
        for way in ways:
            if way[-1] in cheese:
                return way[1]
            for cell in sorted(maze.get_neighbors(way[-1])):
                if not any(cell in other for other in ways):
                    ways.append(way + [cell])

    def postprocessing(self, maze, game_state, stats):
        self.note("postprocessing", game_state)

    def note(self, call, state):
        def known(values):
            own = self.get_name()
            return {"me" if name == own else "other": one for name, one in values.items()}

        muds = {name: [mud["target"], mud["count"]] for name, mud in state.muds.items()}
        row = [call, state.turn, known(state.player_locations), known(muds), sorted(state.cheese)]
        row.append(known(state.score_per_player))
        self.calls = getattr(self, "calls", []) + [row]
        place = self.calls[0][2]["me"]
        Path(__file__).with_name(f"{place}.json").write_text(json.dumps(self.calls))
'''


def begun(seed: int, config: dict[str, Json]) -> Match:
    return Match.begin(GAMES["pyrat"], {"max_turns": 60} | config, seed)


def numbered(height: int, width: int, cell: Any) -> int:
    """The package's number of a cell: row by row from the top left."""
    x, y = cell
    return (height - 1 - y) * width + x


def graph_of(view: Json) -> dict[int, dict[int, int]]:
    """The maze as the package takes it: neighbours and costs by cell."""
    width, height = view["maze"]["width"], view["maze"]["height"]
    closed = {frozenset(map(tuple, wall)) for wall in view["maze"]["walls"]}
    costs = {frozenset((tuple(one), tuple(two))): cost for one, two, cost in view["maze"]["mud"]}
    graph: dict[int, dict[int, int]] = {}
    for x in range(width):
        for y in range(height):
            near = graph.setdefault(numbered(height, width, (x, y)), {})
            for other in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                inside = 0 <= other[0] < width and 0 <= other[1] < height
                between = frozenset(((x, y), other))
                if inside and between not in closed:
                    near[numbered(height, width, other)] = costs.get(between, 1)
    return graph


def seen(folder: Path) -> dict[int, list[Any]]:
    """What each player wrote down, by the cell that it started from."""
    return {int(file.stem): json.loads(file.read_text()) for file in folder.glob("*.json")}


def played_here(match: Match, folder: Path) -> dict[int, list[Any]]:
    folder.mkdir()
    (folder / "watcher.py").write_text(BOT)
    play_headless(match, [load(folder / "watcher.py", "pyrat") for _ in range(2)])
    return seen(folder)


def played_by_the_package(view: Json, folder: Path) -> dict[int, list[Any]]:
    pyrat = importlib.import_module("pyrat")
    width, height = view["maze"]["width"], view["maze"]["height"]
    folder.mkdir()
    (folder / "watcher.py").write_text(BOT)
    spec = importlib.util.spec_from_file_location("watcher", folder / "watcher.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    game = pyrat.Game(
        fixed_maze=pyrat.MazeFromDict(graph_of(view)),
        fixed_cheese=[numbered(height, width, cell) for cell in view["cheese"]],
        game_mode=pyrat.GameMode.SIMULATION,
    )
    for name in ("rat", "python"):
        place = numbered(height, width, view[name]["position"])
        game.add_player(module.Watcher(name), team=name, location=place)
    game.start()
    return seen(folder)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "config",
    [
        {"width": 7, "height": 5, "cheese_count": 5},
        {"width": 9, "height": 6, "cheese_count": 8, "mud_density": 0.5, "mud_range": 5},
    ],
    ids=["small", "swamp"],
)
def test_every_call_is_that_of_the_package(tmp_path: Path, config: dict[str, Json], seed: int):
    match = begun(seed, config)
    theirs = played_by_the_package(match.view(None), tmp_path / "theirs")
    ours = played_here(match, tmp_path / "ours")

    assert ours.keys() == theirs.keys()
    for place, calls in ours.items():
        turns = [call for call in calls if call[0] != "postprocessing"]
        assert len(turns) > 5
        assert turns == theirs[place][: len(turns)]
