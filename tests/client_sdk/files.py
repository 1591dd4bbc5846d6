"""Existing bots, written for the contests: they import nothing of ours."""

from __future__ import annotations

BOTSTACK_FUNCTIONS = """
news = []
asked = 0

def abstain(me, other, gun, opponent_request):
    return opponent_request and me.lives < other.lives

def item(me, other, gun):
    global asked
    asked += 1
    return 1 if me.item1 else 2 if me.item2 else 0

def action(me, other, gun, next_bullet):
    return 0 if next_bullet == 0 or gun.currentLiveBullets == 0 else 1

def on_start(start):
    news.append("start")

def on_round_start(round, starter):
    news.append("round")

def on_end(result):
    news.append(result["outcome"])
"""

BOTSTACK_PLAYER1 = """
def player1_abstain(self, other, state, opponentRequest):
    return 0

def player1_item(self, other, state):
    return 1 if self.item1 else 0

def player1_action(self, other, state, nextBullet):
    return 0 if nextBullet == 0 or state.currentLiveBullets == 0 else 1
"""

PYRAT_MODULE = """
TEAM_NAME = "Old Hands"
LETTERS = {(0, 1): "U", (1, 0): "R", (0, -1): "D", (-1, 0): "L"}
calls = []

def preprocessing(mazeMap, mazeWidth, mazeHeight, playerLocation, opponentLocation,
                  piecesOfCheese, timeAllowed):
    calls.append((mazeMap, mazeWidth, mazeHeight, playerLocation, opponentLocation,
                  piecesOfCheese, timeAllowed))

def turn(mazeMap, mazeWidth, mazeHeight, playerLocation, opponentLocation,
         playerScore, opponentScore, piecesOfCheese, timeAllowed):
    calls.append((playerLocation, opponentLocation, playerScore, opponentScore,
                  piecesOfCheese, timeAllowed))
    todo, first = [playerLocation], {playerLocation: None}
    for cell in todo:
        if cell in piecesOfCheese:
            return first[cell]
        for near in mazeMap[cell]:
            if near not in first:
                first[near] = first[cell] or LETTERS[near[0] - cell[0], near[1] - cell[1]]
                todo.append(near)

def postprocessing(mazeMap, mazeWidth, mazeHeight, playerLocation, opponentLocation,
                   playerScore, opponentScore, piecesOfCheese, timeAllowed):
    calls.append(("over", playerScore, opponentScore))
"""

PYRAT_CLASS = """
from pyrat import Action, GameState, Maze, Player


class Scout(Player):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.calls = []

    def preprocessing(self, maze: Maze, game_state: GameState) -> None:
        self.calls.append((maze, game_state))

    def turn(self, maze: Maze, game_state: GameState) -> Action:
        self.calls.append((maze, game_state))
        here = game_state.player_locations[self.name]
        todo, before = [here], {here: None}
        for cell in todo:
            if cell in game_state.cheese:
                while before[cell] not in (here, None):
                    cell = before[cell]
                return maze.locations_to_action(here, cell)
            for near in maze.get_neighbors(cell):
                if near not in before:
                    before[near] = cell
                    todo.append(near)
        return Action.NOTHING

    def postprocessing(self, maze: Maze, game_state: GameState, stats) -> None:
        self.calls.append((game_state, stats))
"""

PYRAT_FUNCTIONS = """
from pyrat import *

calls = []


def preprocessing(
    maze: Union[numpy.ndarray, Dict[int, Dict[int, int]]], maze_width: int, maze_height: int,
    name: str, teams: Dict[str, List[str]], player_locations: Dict[str, int], cheese: List[int],
    possible_actions: List[str], memory: Any,
) -> None:
    memory.route = []
    calls.append(name)


def turn(
    maze: Union[numpy.ndarray, Dict[int, Dict[int, int]]], maze_width: int, maze_height: int,
    name: str, teams: Dict[str, List[str]], player_locations: Dict[str, int],
    player_scores: Dict[str, float], player_muds: Dict[str, Dict[str, Optional[int]]],
    cheese: List[int], possible_actions: List[str], memory: Any,
) -> str:
    here = player_locations[name]
    assert player_muds[name]["target"] is None
    if not memory.route or memory.route[-1] not in cheese:
        memory.route = route(maze, here, cheese)
    there = memory.route.pop(0)
    steps = {-maze_width: "north", 1: "east", maze_width: "south", -1: "west"}
    return steps[there - here]


def route(maze, here, cheese):
    todo, before = [here], {here: None}
    for cell in todo:
        if cell in cheese:
            cells = []
            while cell != here:
                cells.insert(0, cell)
                cell = before[cell]
            return cells
        for near in maze[cell]:
            if near not in before:
                before[near] = cell
                todo.append(near)


if __name__ == "__main__":
    game = PyRat([{"preprocessing": preprocessing, "turn": turn}])
    print(game.start())
"""

PYRAT_METHODS = """
import random
from typing import Dict, List, Optional

from pyrat import Action, Game, GameState, Graph, Maze, Player, PlayerSkin


class Wanderer(Player):
    def __init__(self, name: Optional[str] = None, skin: PlayerSkin = PlayerSkin.GHOST) -> None:
        super().__init__(name, skin)
        self.calls = []
        self.seen: Dict[int, int] = {}

    def preprocessing(self, maze: Maze, game_state: GameState) -> None:
        super().preprocessing(maze, game_state)
        assert isinstance(maze, Graph)
        assert len(maze.get_vertices()) == maze.nb_vertices()
        assert maze.nb_vertices() == maze.get_width() * maze.get_height()
        self.calls.append((maze, game_state))

    def turn(self, maze: Maze, game_state: GameState) -> Action:
        here = game_state.player_locations[self.get_name()]
        self.seen[here] = self.seen.get(here, 0) + 1
        near = maze.get_neighbors(here)
        random.shuffle(near)
        return maze.locations_to_actions([here, min(near, key=lambda to: self.seen.get(to, 0))])[0]


if __name__ == "__main__":
    game = Game()
    game.add_player(Wanderer())
    print(game.start())
"""

ZOOSCAPE_SERVICE = """
from enum import IntEnum


class BotAction(IntEnum):
    UP = 1
    DOWN = 2
    LEFT = 3
    RIGHT = 4
    USE_ITEM = 5


class BotCommand:
    def __init__(self, action):
        self.action = action


STEPS = {
    BotAction.UP: (0, -1), BotAction.DOWN: (0, 1), BotAction.LEFT: (-1, 0), BotAction.RIGHT: (1, 0)
}


class BotService:
    def __init__(self):
        self.bot_id = None
        self.calls = []

    def set_bot_id(self, bot_id):
        self.bot_id = bot_id

    def get_bot_id(self):
        return self.bot_id

    def process_state(self, game_state):
        me = next(animal for animal in game_state.animals if animal.id == self.bot_id)
        self.calls.append((game_state.tick, me.nickname, me.capturedCounter, me.isViable))
        if me.heldPowerUp is not None:
            return BotCommand(BotAction.USE_ITEM)
        content = {(cell.x, cell.y): cell.content for cell in game_state.cells}
        for wanted in ((2, 5), (0, 2, 3, 5, 6, 7, 8)):
            for action, (dx, dy) in STEPS.items():
                if content.get((me.x + dx, me.y + dy)) in wanted:
                    return BotCommand(action)
        return None
"""

CATASTROPHE_AI = """
class AI:
    def get_name(self):
        return "contest"

    def start(self):
        self.calls = ["start"]

    def game_updated(self):
        self.calls.append(self.game.current_turn)

    def end(self, won, reason):
        self.calls.append((won, reason, self.player.won))

    def invalid(self, message):
        self.calls.append(message)

    def run_turn(self):
        home = self.player.cat.tile
        for unit in self.player.units:
            if unit.job.title == "fresh human":
                unit.change_job("gatherer")
            if unit.job.title == "gatherer":
                for tile in self.find_path(unit.tile, self.road(unit))[:unit.moves]:
                    unit.move(tile)
        return True

    def road(self, unit):
        built = [tile for tile in self.game.tiles if tile.structure and tile.is_pathable()]
        roads = [tile for tile in built if tile.structure.type == "road"]
        return min(roads, key=lambda tile: abs(tile.x - unit.tile.x) + abs(tile.y - unit.tile.y))
"""

FILES = {
    "catastrophe AI": ("catastrophe", CATASTROPHE_AI),
    "botstack functions": ("botstack", BOTSTACK_FUNCTIONS),
    "botstack player1": ("botstack", BOTSTACK_PLAYER1),
    "pyrat module": ("pyrat", PYRAT_MODULE),
    "pyrat functions": ("pyrat", PYRAT_FUNCTIONS),
    "pyrat class": ("pyrat", PYRAT_CLASS),
    "pyrat class with methods": ("pyrat", PYRAT_METHODS),
}
"""By kind: the game and the file."""
