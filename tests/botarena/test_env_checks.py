"""The environments pass the checks that Gymnasium and PettingZoo have for them."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import SyncVectorEnv
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    seed_test,
)
from pettingzoo.utils import parallel_to_aec

from botarena.env import AECEnv, GymEnv, ParallelEnv

SMALL = {
    "botstack": {},
    "catastrophe": {"map_width": 12, "map_height": 8, "max_turns": 20},
    "cookoff": {"total_turns": 6},
    "pyrat": {"preset": "tiny", "max_turns": 20},
    "zooscape": {"map_size": 9, "max_ticks": 15},
}
AT_ONCE, IN_TURNS = ("pyrat", "zooscape"), ("botstack", "catastrophe", "cookoff")

RECOMMENDED = (
    "Observation space for each agent probably should be gymnasium.spaces.box",
    "Observation is not a NumPy array",
    "Environment has not defined a render",
    ".*Not able to test alternative render modes",
    ".*A Box observation space (minimum|maximum) value is",
)
"""What the checks recommend and the environments have not: one array, bounds, pictures."""

pytestmark = [pytest.mark.filterwarnings(f"ignore:{text}") for text in RECOMMENDED]


@pytest.mark.parametrize("game", SMALL)
def test_gymnasium_accepts_the_environment_of_one_seat(game):
    check_env(GymEnv(game, config=SMALL[game], opponent=lambda view, legal: legal[0]))


def test_several_are_a_vector_environment():
    envs = SyncVectorEnv([lambda: GymEnv("pyrat", config=SMALL["pyrat"])] * 3)
    _, infos = envs.reset(seed=1)
    rewards = np.zeros(3)
    for _ in range(25):
        seen, gained, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
        rewards += gained
    assert seen["board"].shape == (3, 7, 11, 9)
    assert infos["action_mask"].shape == (3, 5)
    assert set(rewards) <= {-1.0, 0.0, 1.0}
    assert rewards.any()


@pytest.mark.parametrize("game", AT_ONCE)
def test_pettingzoo_accepts_the_games_in_which_all_answer_at_once(game):
    def parallel_env(max_cycles=None):
        return ParallelEnv(game, config=SMALL[game], max_cycles=max_cycles)

    def raw_env(max_cycles=None):
        return parallel_to_aec(parallel_env(max_cycles))

    parallel_api_test(parallel_env(), num_cycles=30)
    parallel_seed_test(parallel_env, num_cycles=10)
    max_cycles_test(SimpleNamespace(parallel_env=parallel_env, raw_env=raw_env, env=raw_env))


@pytest.mark.parametrize("game", IN_TURNS)
def test_pettingzoo_accepts_the_games_in_turns(game):
    def env():
        return AECEnv(game, config=SMALL[game])

    api_test(env(), num_cycles=30)
    seed_test(env, num_cycles=10)
