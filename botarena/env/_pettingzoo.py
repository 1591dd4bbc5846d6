"""All seats, by the interfaces of PettingZoo."""

from __future__ import annotations

from typing import Any

import numpy as np
import pettingzoo
from gymnasium import spaces

from botarena.env._arrays import ArrayEnv
from botarena.env._gymnasium import observation_space
from games.core.contract import Seat
from games.core.parameters import MAX_SEED


class _Agents:
    """What both kinds have: agents `player_0`, `player_1` …, one for each seat; an observation is
    a dictionary of `observation` (the arrays by name) and `action_mask`."""

    def __init__(self, game: str, max_cycles: int | None, options: dict[str, Any]) -> None:
        self.env = ArrayEnv(game, **options)
        self.render_mode = None
        self.possible_agents = [f"player_{seat}" for seat in range(self.env.seats)]
        self.agents: list[str] = []
        self.metadata = {
            "name": f"botarena_{self.env.game.name}_v{self.env.game.rules_version}",
            "render_modes": [],
            "is_parallelizable": False,
        }
        self._max_cycles = max_cycles
        self._cycles = 0
        self._random = np.random.default_rng()
        self._observations: dict[str, spaces.Space[Any]] = {}
        self._actions: dict[str, spaces.Space[Any]] = {}
        for agent in self.possible_agents:
            mask = spaces.Box(0, 1, (self.env.actions,), np.int8)
            seen = {"observation": observation_space(self.env), "action_mask": mask}
            self._observations[agent] = spaces.Dict(seen)
            self._actions[agent] = spaces.Discrete(self.env.actions)

    @property
    def simultaneous(self) -> bool:
        """Whether all seats answer at once."""
        return len(self.env.awaited) == self.env.seats

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._actions[agent]

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.env.reset(int(self._random.integers(MAX_SEED)) if seed is None else seed)
        self.agents = self.possible_agents[:]
        self._cycles = 0

    def _count(self) -> bool:
        """Whether the match is cut off after this step."""
        self._cycles += 1
        return not self.env.done and self._cycles == self._max_cycles

    def _seat(self, agent: str) -> Seat:
        return self.possible_agents.index(agent)

    def _seen(self, agent: str) -> dict[str, Any]:
        seat = self._seat(agent)
        return {
            "observation": self.env.arrays(seat),
            "action_mask": self.env.action_mask(seat),
        }


class ParallelEnv(_Agents, pettingzoo.ParallelEnv[str, dict[str, Any], int]):
    """A PettingZoo environment of a game in which all seats answer at once: PyRat, Zooscape.

    A cycle is a turn; actions of seats that are not awaited, such as in mud, are ignored.
    `pettingzoo.utils.parallel_to_aec` makes an AEC environment of it.

    Arguments:
        game: the name of the game.
        max_cycles: the number of cycles after which a match is truncated; None: no limit.
        options: further arguments of `Env`, such as `config`.

    Raises ValueError for a game that is played in turns, and BadSetup.
    """

    def __init__(self, game: str, *, max_cycles: int | None = None, **options: Any) -> None:
        super().__init__(game, max_cycles, options)
        if not self.simultaneous:
            raise ValueError(f"{game} is played in turns: use AECEnv")

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
        """Begin a match with this seed, 0 to 2**63 - 1, or with a random one."""
        self._begin(seed)
        return {agent: self._seen(agent) for agent in self.agents}, self._infos()

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        """Play a turn: observations, rewards, terminations, truncations, infos, by agent."""
        awaited = self.env.awaited
        acts = {self._seat(agent): action for agent, action in actions.items()}
        step = self.env.act({seat: action for seat, action in acts.items() if seat in awaited})
        cut, agents = self._count(), self.agents
        answer = (
            {agent: self._seen(agent) for agent in agents},
            {agent: step.rewards[self._seat(agent)] for agent in agents},
            dict.fromkeys(agents, step.done),
            dict.fromkeys(agents, cut),
            self._infos(),
        )
        if step.done or cut:
            self.agents = []
        return answer

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {agent: {} for agent in self.agents}


class AECEnv(_Agents, pettingzoo.AECEnv[str, dict[str, Any], int]):
    """A PettingZoo environment of a game that is played in turns: BotStack, Catastrophe, Cookoff.

    A step is one command. One that the game does not accept leaves the turn open in Catastrophe and
    Cookoff; in BotStack it counts as silence.

    Arguments:
        game: the name of the game.
        max_cycles: the number of steps after which a match is truncated; None: no limit.
        options: further arguments of `Env`, such as `config`.

    Raises ValueError for a game in which all seats answer at once, and BadSetup.
    """

    def __init__(self, game: str, *, max_cycles: int | None = None, **options: Any) -> None:
        super().__init__(game, max_cycles, options)
        if self.simultaneous:
            raise ValueError(f"all seats of {game} answer at once: use ParallelEnv")

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match with this seed, 0 to 2**63 - 1, or with a random one."""
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> dict[str, Any]:
        """What the agent sees now; the mask is 0 where it is not its turn."""
        return self._seen(agent)

    def step(self, action: int | None) -> None:
        """Play an action of the agent that is selected; None once it has terminated."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        step = self.env.act({self._seat(agent): action})
        cut = self._count()
        for each in self.agents:
            self.rewards[each] = step.rewards[self._seat(each)]
            self.terminations[each] = step.done
            self.truncations[each] = cut
        self._accumulate_rewards()
        self._select()

    def _select(self) -> None:
        seat = min(self.env.awaited, default=0)
        self.agent_selection = self.possible_agents[seat]
