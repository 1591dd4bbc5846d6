"""Matches for programs that search and learn: reset, step, observe, legal commands.

    from botarena.env import Env

    env = Env("pyrat", config={"preset": "tiny"})
    env.reset(seed=1)
    while not env.done:
        step = env.step({seat: env.legal(seat)[0] for seat in env.awaited})

`Env` needs the base install only. The others have arrays and need the extra `env`
(`pip install "botarena[env]"`): `ArrayEnv` and `BatchEnv` (numpy), `GymEnv` (Gymnasium),
`ParallelEnv` and `AECEnv` (PettingZoo). Names are imported when they are first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from botarena.env._arrays import ArrayEnv
    from botarena.env._batch import BatchEnv, BatchStep
    from botarena.env._env import Env, EnvStep
    from botarena.env._gymnasium import GymEnv
    from botarena.env._pettingzoo import AECEnv, ParallelEnv

_HOMES: Final = {
    "AECEnv": "_pettingzoo",
    "ArrayEnv": "_arrays",
    "BatchEnv": "_batch",
    "BatchStep": "_batch",
    "Env": "_env",
    "EnvStep": "_env",
    "GymEnv": "_gymnasium",
    "ParallelEnv": "_pettingzoo",
}
"""Each public name, and the module that defines it."""

__all__ = [
    "AECEnv",
    "ArrayEnv",
    "BatchEnv",
    "BatchStep",
    "Env",
    "EnvStep",
    "GymEnv",
    "ParallelEnv",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = importlib.import_module(f"{__name__}.{_HOMES[name]}")
    except ModuleNotFoundError as fault:
        if fault.name not in ("numpy", "gymnasium", "pettingzoo"):
            raise
        text = f"{name} needs {fault.name}, which is not installed: pip install 'botarena[env]'"
        raise ImportError(text, name=fault.name) from None
    value = globals()[name] = getattr(module, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
