"""PyRat for bots in Python, in the style of its contest: `think`, a state seen from the bot's side,
ways through the maze, and a board to search on.

    class Mine(Bot):
        def think(self, state, ctx):
            best = state.nearest_cheese()
            return best.first_moves[0] if best else Direction.STAY

Player 1 starts bottom left and is the `python` of the rules, player 2 starts top right and is the
`rat`. Cells are (x, y); y grows upwards.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Iterable
from typing import ClassVar, Final

import client_sdk.base
from client_sdk.answers import shown
from client_sdk.api.pyrat_sim import GameSim, Undo
from client_sdk.api.pyrat_state import GameState
from client_sdk.api.pyrat_values import Cell, Direction, GameResult, PathResult, Player
from client_sdk.link import Link
from client_sdk.options import Check, Combo, Spin, Str
from client_sdk.start import Start
from games.core.contract import Json
from games.pyrat.board import MOVES
from games.pyrat.json_types import Maze as MazeView
from games.pyrat.json_types import Player as PlayerView
from games.pyrat.json_types import View as View
from games.pyrat.scratch import Scratch, maze_from_view
from games.pyrat.state import PYTHON, RAT, Maze
from games.pyrat.state import ROLES as ROLES

__all__ = [
    "Bot",
    "Cell",
    "Check",
    "Combo",
    "Context",
    "Direction",
    "GameResult",
    "GameSim",
    "GameState",
    "MazeView",
    "PathResult",
    "Player",
    "PlayerView",
    "Scratch",
    "Spin",
    "Start",
    "Str",
    "Undo",
    "View",
]


log = logging.getLogger("botarena")

MARGIN_MS: Final = 5.0
"""`should_stop` turns true this long before the deadline."""


class Context:
    """The time of one turn, and messages that a bot can send while it thinks."""

    def __init__(self, link: Link, begun: float, deadline: float | None) -> None:
        """Times are seconds of `time.monotonic`; no deadline: no limit."""
        self._link = link
        self._begun = begun
        self._deadline = deadline

    def time_remaining_ms(self) -> float:
        """The time left for this turn in ms, at least 0; infinite without a limit."""
        return (
            math.inf
            if self._deadline is None
            else max(0.0, (self._deadline - time.monotonic()) * 1000)
        )

    def should_stop(self) -> bool:
        """Whether it is time to answer: 5 ms before the deadline, when the server has sent `stop`,
        or when the turn is over."""
        return self.time_remaining_ms() <= MARGIN_MS or self._link.stopped()

    def think_elapsed_ms(self) -> float:
        """The time since the turn began, in ms."""
        return (time.monotonic() - self._begun) * 1000

    def send_provisional(self, direction: Direction) -> None:
        """Send the best move so far. It counts if no answer comes in time."""
        self._link.provisional([MOVES[direction]])

    def send_info(
        self,
        *,
        player: Player,
        multipv: int = 0,
        target: tuple[int, int] | None = None,
        depth: int = 0,
        nodes: int = 0,
        score: float | None = None,
        pv: Iterable[Direction] | None = None,
        message: str = "",
    ) -> None:
        """Show viewers what the bot thinks. They see it when the turn closes."""
        self._link.info(
            {
                "player": "player1" if player == Player.PLAYER1 else "player2",
                "multipv": multipv,
                "target": None if target is None else [*target],
                "depth": depth,
                "nodes": nodes,
                "score": score,
                "pv": [MOVES[move] for move in pv or ()],
                "message": message,
            }
        )


class Bot(client_sdk.base.Bot):
    """The base class of a bot, which answers every turn with one move. It keeps its attributes for
    the whole match."""

    game = "pyrat"
    _required = "think"
    start_only = ("maze",)
    state_type: ClassVar[type[GameState]] = GameState
    """What `think` gets as state."""
    context_type: ClassVar[type[Context]] = Context
    """What `think` gets as context."""

    _start: Start | None = None
    _maze: Maze | None = None
    _state: GameState | None = None

    def think(self, state: GameState, ctx: Context) -> Direction:
        """The move of this turn. After an exception, or without a direction, the bot stays."""
        raise NotImplementedError(f"{type(self).__name__} does not say where it goes: define think")

    def preprocess(self, state: GameState, ctx: Context) -> None:
        """Called before turn 1. `ctx` has the time for it."""

    def scratch(self) -> Scratch:
        """The engine's board to search on, in the present position. `state.to_sim()` is the same in
        the contest's words."""
        if self._state is None:
            raise RuntimeError("on_start comes before the first board")
        return self._state.to_sim().scratch

    def on_game_over(self, result: GameResult, scores: tuple[float, float]) -> None:
        """Called when the match is over, with the scores of player 1 and player 2."""

    def on_start(self, start: Start) -> None:
        """Calls `preprocess`."""
        self._start = start
        timing = start.config.get("mud_timing", "exact")
        self._maze = maze_from_view(start.view, timing)
        begun = time.monotonic()
        deadline = None if start.within_ms is None else begun + start.within_ms / 1000
        self._state = self.state_type(start.view, self._maze, start)
        try:
            self.preprocess(
                self._state,
                self.context_type(self.link, begun, deadline),
            )
        except Exception:
            log.exception("the bot failed in preprocess")

    def decide(self, view: Json) -> Iterable[Json]:
        """Calls `think`."""
        if not view["must_act"]:
            return ()
        if self._start is None or self._maze is None:
            raise RuntimeError("on_start comes before the first turn")
        begun = time.monotonic()
        context = self.context_type(self.link, begun, self.link.deadline(begun, self._start.clock))
        self._state = self.state_type(view, self._maze, self._start)
        try:
            move = self.think(self._state, context)
        except Exception:
            log.exception("turn %s: the bot failed in think; it stays", view["turn"])
            return (MOVES[Direction.STAY],)
        if isinstance(move, bool) or not isinstance(move, int) or not 0 <= move < len(MOVES):
            log.warning(
                "turn %s: expected a Direction, got %s; the bot stays", view["turn"], shown(move)
            )
            return (MOVES[Direction.STAY],)
        return (MOVES[move],)

    def on_end(self, outcome: dict[str, Json]) -> None:
        """Calls `on_game_over`."""
        scores = {seat["seat"]: float(seat["score"]) for seat in outcome["seats"]}
        winner = outcome["winner"]
        result = (
            GameResult.DRAW
            if winner is None
            else GameResult.PLAYER1
            if winner == PYTHON
            else GameResult.PLAYER2
        )
        self.on_game_over(result, (scores[PYTHON], scores[RAT]))
