"""A match with its views as arrays and its commands as numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from botarena.env._encoding import ArrayObservation, Encoding
from botarena.env._env import Env, EnvStep
from botarena.env._kitchen import Cookoff
from botarena.env._land import Catastrophe
from botarena.env._mazes import PyRat, Zooscape
from botarena.env._table import BotStack
from games.cookoff.rules import POOL
from games.core import maps
from games.core.contract import Json, Seat
from games.core.match import Match

ENCODINGS: Final[Mapping[str, Callable[[list[Json]], Encoding]]] = {
    "botstack": BotStack,
    "catastrophe": Catastrophe,
    "cookoff": Cookoff,
    "pyrat": PyRat,
    "zooscape": Zooscape,
}
"""By game: made of the first views of the boards that a match may be played on."""


class ArrayEnv(Env):
    """An `Env` of one of the five games with arrays: 32-bit floats of a fixed shape, and actions
    with numbers. The arguments are those of `Env`.

    docs/learning.md describes the arrays and the actions of each game. Raises ValueError for
    another game."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self._views: dict[Seat, Json] = {}
        super().__init__(*args, **options)
        if self.game.name not in ENCODINGS:
            text = f"{self.game.name} has no arrays, only {', '.join(ENCODINGS)}: use Env"
            raise ValueError(text)
        self._encoding = ENCODINGS[self.game.name](self._first_views())

    @property
    def shapes(self) -> Mapping[str, tuple[int, ...]]:
        """The arrays of an observation, by name."""
        return self._encoding.shapes

    @property
    def actions(self) -> int:
        """The number of actions, which count from 0."""
        return self._encoding.actions

    def reset(self, seed: int) -> None:
        """Begin a match, as `Env.reset` does."""
        super().reset(seed)
        self._views = {}

    def step(self, commands: Mapping[Seat, Json]) -> EnvStep:
        """Play commands, as `Env.step` does."""
        self._views = {}
        return super().step(commands)

    def observe(self, seat: Seat) -> Json:
        """What the seat sees, as plain JSON; the same object until the next step."""
        if seat not in self._views:
            self._views[seat] = super().observe(seat)
        return self._views[seat]

    def arrays(self, seat: Seat) -> ArrayObservation:
        """What the seat sees, as arrays by name."""
        return self._encoding.observe(self.observe(seat), seat)

    def action_mask(self, seat: Seat) -> NDArray[np.int8]:
        """1 for each action that is legal for the seat now, else 0, shape (actions,)."""
        mask = np.zeros(self.actions, np.int8)
        mask[self._encoding.numbers(self.observe(seat), self.legal(seat))] = 1
        return mask

    def command(self, seat: Seat, action: int) -> Json:
        """The command of an action now. An action that stands for nothing, such as one of a bot
        that is not there, becomes null, which the game does not accept."""
        return self._encoding.command(self.observe(seat), int(action))

    def act(self, actions: Mapping[Seat, int]) -> EnvStep:
        """Play one action of each seat, as `step` does with commands."""
        return self.step({seat: self.command(seat, action) for seat, action in actions.items()})

    def _first_views(self) -> list[Json]:
        """Of the present board; of all boards that may come, if they are of several sizes."""
        if self.game.name != "cookoff" or self.map_text is not None:
            return [self.match.view(0)]
        texts = [maps.text("cookoff", name) for name in POOL]
        return [Match.begin(self.game, self.config, 0, text).view(0) for text in texts]
