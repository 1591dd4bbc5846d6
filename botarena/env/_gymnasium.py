"""One seat against others, by the interface of Gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from botarena.env._arrays import ArrayEnv
from botarena.env._encoding import ArrayObservation
from botarena.env._opponents import Opponent, OtherSeats
from games.core.contract import Seat
from games.core.parameters import MAX_SEED


def observation_space(env: ArrayEnv) -> spaces.Dict:
    """The arrays of a seat's observation."""
    return spaces.Dict(
        {name: spaces.Box(-np.inf, np.inf, shape, np.float32) for name, shape in env.shapes.items()}
    )


class GymEnv(gymnasium.Env[Any, Any]):
    """A Gymnasium environment of one seat.

    A step plays one action and lasts until the seat is awaited again, or the match is over. Its
    reward is that of `Env` for the seat. `info` has the `action_mask`, and `accepted`: whether the
    game accepted the last action.

    Arguments:
        game: the name of one of the five games.
        opponent: plays all other seats. What `botarena.play` takes as a player, such as the name
            of a house bot; or a function of a view and the legal commands that returns a command.
        seat: the seat that learns.
        options: further arguments of `Env`, such as `config`.

    Raises BadSetup, BadBot.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012  declared so by Gymnasium

    def __init__(
        self, game: str, opponent: Opponent = "greedy", *, seat: Seat = 0, **options: Any
    ) -> None:
        self.env = ArrayEnv(game, **options)
        """The match."""
        if not 0 <= seat < self.env.seats:
            raise ValueError(f"expected a seat, 0 to {self.env.seats - 1}, got {seat}")
        self.seat = seat
        """The seat that learns."""
        self.observation_space = observation_space(self.env)
        self.action_space = spaces.Discrete(self.env.actions)
        others = [other for other in range(self.env.seats) if other != seat]
        self._opponents = OtherSeats(self.env, others, opponent)
        self._accepted = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ArrayObservation, dict[str, Any]]:
        """Begin a match with this seed, 0 to 2**63 - 1, or with a random one."""
        super().reset(seed=seed)
        number = int(self.np_random.integers(MAX_SEED)) if seed is None else seed
        self.env.reset(number)
        self._opponents.begin()
        self._accepted = True
        self._wait()
        return self.env.arrays(self.seat), self._info()

    def step(self, action: int) -> tuple[ArrayObservation, float, bool, bool, dict[str, Any]]:
        """Play an action: observation, reward, terminated, truncated (always false), info."""
        commands = self._opponents.commands()
        commands[self.seat] = self.env.command(self.seat, int(action))
        step = self.env.step(commands)
        self._opponents.hear(step)
        self._accepted = all(reply.ok for reply in step.replies[self.seat])
        reward = step.rewards[self.seat] + self._wait()
        return self.env.arrays(self.seat), reward, self.env.done, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, as MaskablePPO of sb3-contrib asks for them."""
        return self.env.action_mask(self.seat).astype(bool)

    def close(self) -> None:
        """End the processes of opponents that have one."""
        self._opponents.close()

    def _wait(self) -> float:
        """Let the others play until the seat is awaited. The reward of that time."""
        reward = 0.0
        while not self.env.done and self.seat not in self.env.awaited:
            step = self.env.step(self._opponents.commands())
            self._opponents.hear(step)
            reward += step.rewards[self.seat]
        return reward

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.env.action_mask(self.seat), "accepted": self._accepted}
