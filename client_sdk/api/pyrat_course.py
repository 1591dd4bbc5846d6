"""What a PyRat bot of the course gets its names from (RULES §10): classes with a `turn`, and
functions of 2022 and 2023.

    from client_sdk.api.pyrat_course import Action, Player

    class Mine(Player):
        def turn(self, maze, game_state):
            here = game_state.player_locations[self.name]
            return maze.locations_to_action(here, maze.get_neighbors(here)[0])

Where no package called `pyrat` is installed, a bot's file that imports it gets this module. It has
what a bot needs while it plays. Games are played by Botarena, so `Game` and what configures it do
nothing. A bot is not asked while it is in mud."""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import logging
import math
import os
import random
import sys
import threading
import typing
from collections.abc import Iterable, Mapping
from enum import Enum, EnumMeta
from types import SimpleNamespace
from typing import *  # noqa: F403  `from pyrat import *` gives these names to a bot
from typing import Any

from client_sdk.api.pyrat_graph import (
    Action,
    Getters,
    Graph,
    Maze,
    MazeFromDict,
    MazeFromMatrix,
    listed,
    mapped,
    number,
)

log = logging.getLogger("botarena")


def __getattr__(name: str) -> Any:
    """`numpy` is imported when it is used. Where it is not installed, bots that name
    `numpy.ndarray` in annotations still load."""
    if name != "numpy":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if importlib.util.find_spec("numpy") is None:
        return SimpleNamespace(ndarray=type("ndarray", (), {}))
    return importlib.import_module("numpy")


class _Lenient(EnumMeta):
    def __getattr__(cls, name: str) -> Any:
        members = vars(cls).get("_member_map_", {})
        if name in members or (name.isupper() and members):
            return members.get(name) or next(iter(members.values()))
        raise AttributeError(name)


class _Setting(Enum, metaclass=_Lenient):
    """A setting of a game or its picture, which changes no match here. A member that is not listed
    is the first one."""


class GameMode(_Setting):
    """How players are asked."""

    MATCH = "match"
    SEQUENTIAL = "sequential"
    SIMULATION = "simulation"
    SYNCHRONOUS = "synchronous"


class PlayerSkin(_Setting):
    """How a player looks."""

    RAT = "rat"
    PYTHON = "python"
    GHOST = "ghost"


class RandomMazeAlgorithm(_Setting):
    """How holes are spread."""

    HOLES_ON_SIDE = "holes_on_side"
    UNIFORM_HOLES = "uniform_holes"
    BIG_HOLES = "big_holes"


class RenderMode(_Setting):
    """How a game is shown."""

    GUI = "gui"
    ANSI = "ansi"
    ASCII = "ascii"
    NO_RENDERING = "no_rendering"


class StartingLocation(_Setting):
    """Where a player starts."""

    CENTER = "center"
    RANDOM = "random"
    SAME = "same"
    TOP_LEFT = "top_left"
    TOP_RIGHT = "top_right"
    BOTTOM_LEFT = "bottom_left"
    BOTTOM_RIGHT = "bottom_right"


class PyRatException(Exception):
    """A game failed."""


class PyRatPlayerException(PyRatException):
    """A player failed."""


class GameState(Getters):
    """A moment of the match. Players are known by their names; a bot's own is `self.name`."""

    # Declared so that they hide properties of the same names in a class that is mixed in.
    turn: Any = 0
    """0 in `preprocessing`, 1 in the first turn."""
    player_locations: Any = mapped({})
    """In mud: the cell that the player comes from."""
    score_per_player: Any = mapped({})
    muds: Any = mapped({})
    """`{"target": cell, "count": turns}` per player: where it gets to, None if it is free, and the
    turns still to wait."""
    teams: Any = mapped({})
    """The names of the players, per team."""
    cheese: Any = listed(())
    """The cheese that is left, sorted."""
    _over = False

    def __init__(
        self,
        turn: int = 0,
        player_locations: Mapping[str, int] | None = None,
        score_per_player: Mapping[str, float] | None = None,
        muds: Mapping[str, Mapping[str, int | None]] | None = None,
        teams: Mapping[str, list[str]] | None = None,
        cheese: Iterable[int] = (),
        over: bool = False,
    ) -> None:
        self.turn = number(turn)
        self.player_locations = mapped(player_locations or {})
        self.score_per_player = mapped(score_per_player or {})
        self.muds = mapped(muds or {})
        self.teams = mapped(teams or {})
        self.cheese = listed(cheese)
        self._over = over

    def is_in_mud(self, name: str) -> bool:
        """Whether this player crosses mud."""
        return self.muds[name]["target"] is not None

    def game_over(self) -> bool:
        """Whether the match is over."""
        return self._over

    def get_players(self, team: str | None = None) -> list[str]:
        """The names of all players, or of those of a team."""
        return [*self.player_locations] if team is None else [*self.teams[team]]

    def get_opponents(self, name: str) -> list[str]:
        """The names of the players that are in other teams."""
        return [
            other for players in self.teams.values() if name not in players for other in players
        ]

    def get_score_per_team(self) -> dict[str, float]:
        """The sum of the scores, per team."""
        return {
            team: sum(self.score_per_player[name] for name in players)
            for team, players in self.teams.items()
        }

    @property
    def score_per_team(self) -> Any:
        """The same."""
        return mapped(self.get_score_per_team())


class Player(Getters):
    """The base of a bot: it has to define `turn(maze, game_state)`, which returns an Action."""

    name: str = ""
    skin: Any = PlayerSkin.RAT

    def __init__(
        self, name: str | None = None, skin: Any = PlayerSkin.RAT, *_: Any, **__: Any
    ) -> None:
        """Without a name the bot is called after its class."""
        self.name = name or type(self).__name__
        self.skin = skin

    def preprocessing(self, maze: Maze, game_state: GameState) -> None:
        """Before turn 1."""

    def postprocessing(self, maze: Maze, game_state: GameState, stats: dict[str, Any]) -> None:
        """The match is over. `stats`: `{"turns": …, "players": {name: {"score": …, "team": …,
        "actions": {"north": …}, "preprocessing_duration": …, "turn_durations": [seconds]}}}`."""


class FixedPlayer(Player):
    """Plays the actions that it was given, then stays."""

    def __init__(self, actions: Iterable[Action] = (), *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.actions = [*actions]

    def turn(self, maze: Maze, game_state: GameState) -> Action:
        """The next action."""
        return self.actions.pop(0) if self.actions else Action.NOTHING


class Game:
    """Accepts the players of a script and plays nothing: matches are played with `botarena play`.
    Its results are those of a game without turns."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self._players: list[Any] = []

    def add_player(self, player: Any, *_: Any, **__: Any) -> None:
        """Accept a player."""
        self._players.append(player)

    def start(self) -> dict[str, Any]:
        """The results of no turns."""
        log.info("Game.start plays nothing here: use botarena play")
        names = [str(getattr(player, "name", "")) for player in self._players]
        return {"turns": 0, "players": {name: {"score": 0.0, "actions": {}} for name in names}}


class PyRat(Game):
    """The name of Game in 2022 and 2023."""


class RandomMaze(Maze):
    """A maze of the package's generators, which Botarena does not have."""

    def __init__(self, *_: Any, **__: Any) -> None:
        raise PyRatException("Botarena has no random mazes of the course; use MazeFromDict")


class BigHolesRandomMaze(RandomMaze):
    """A maze with big holes."""


class HolesOnSideRandomMaze(RandomMaze):
    """A maze with holes at its sides."""


class UniformHolesRandomMaze(RandomMaze):
    """A maze with holes everywhere."""


class RenderingEngine:
    """Shows nothing."""

    def __init__(self, *_: Any, **__: Any) -> None:
        """Takes whatever the package's class takes."""


class PygameRenderingEngine(RenderingEngine):
    """Shows nothing."""


class ShellRenderingEngine(RenderingEngine):
    """Shows nothing."""


__all__ = [
    "Action",
    "BigHolesRandomMaze",
    "FixedPlayer",
    "Game",
    "GameMode",
    "GameState",
    "Graph",
    "HolesOnSideRandomMaze",
    "Maze",
    "MazeFromDict",
    "MazeFromMatrix",
    "Player",
    "PlayerSkin",
    "PyRat",
    "PyRatException",
    "PyRatPlayerException",
    "PygameRenderingEngine",
    "RandomMaze",
    "RandomMazeAlgorithm",
    "RenderMode",
    "RenderingEngine",
    "ShellRenderingEngine",
    "StartingLocation",
    "UniformHolesRandomMaze",
    "itertools",
    "math",
    "numpy",  # noqa: F405  from __getattr__
    "os",
    "random",
    "sys",
    "threading",
]
__all__ += typing.__all__
