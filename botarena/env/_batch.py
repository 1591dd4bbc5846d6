"""Many matches at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from botarena.env._arrays import ArrayEnv
from botarena.env._encoding import Array, ArrayObservation
from botarena.env._pyrat_batch import PyRatMatches

Actions: TypeAlias = NDArray[np.integer[Any]]


class BatchStep(NamedTuple):
    """A moment of N matches with S seats and A actions."""

    observations: ArrayObservation
    """Arrays by name, each of the shape (N, S, …)."""
    action_mask: NDArray[np.int8]
    """(N, S, A): 1 for each legal action."""
    awaited: NDArray[np.bool_]
    """(N, S): the seats that are to answer in the next step."""
    rewards: NDArray[np.float32]
    """(N, S): of the last step."""
    done: NDArray[np.bool_]
    """(N,): the matches that are over."""


class Matches(Protocol):
    """N matches, whatever steps them."""

    def begin(self, number: int, seed: int) -> None:
        """Begin one of them."""
        ...

    def act(self, actions: Actions, running: NDArray[np.bool_]) -> Array:
        """Play the actions of the awaited seats in these matches; the rewards, (N, S)."""
        ...

    def seen(self) -> tuple[ArrayObservation, NDArray[np.int8]]:
        """Observations and action masks."""
        ...

    @property
    def awaited(self) -> NDArray[np.bool_]: ...

    @property
    def done(self) -> NDArray[np.bool_]: ...


class BatchEnv:
    """N matches of one game that are stepped together, for all seats.

    Those of PyRat are stepped at once by numpy, unless `progress` or `record` is given; those of
    the other games one after the other.

    Arguments:
        game: the name of one of the five games.
        matches: N, the number of matches.
        options: further arguments of `Env`, such as `config`.
    """

    def __init__(self, game: str, matches: int, **options: Any) -> None:
        first = ArrayEnv(game, **options)
        self.seats = first.seats
        """S, the number of seats."""
        self.actions = first.actions
        """A, the number of actions."""
        self.shapes: Mapping[str, tuple[int, ...]] = first.shapes
        """The arrays of one seat's observation, by name."""
        whole = game == "pyrat" and not {"progress", "record"} & options.keys()
        self._matches: Matches = (
            PyRatMatches(first, matches) if whole else _OneByOne(game, matches, options)
        )
        self._number = matches
        self._seeds: list[int] = []

    def reset(self, seeds: int | Sequence[int]) -> BatchStep:
        """Begin all matches. `seeds`: one for each match, or the first of N numbers in a row."""
        matches = self._number
        given = range(seeds, seeds + matches) if isinstance(seeds, int) else seeds
        if len(given) != matches:
            raise ValueError(f"expected {matches} seeds, got {len(given)}")
        self._seeds = [*given]
        for number, seed in enumerate(self._seeds):
            self._matches.begin(number, seed)
        return self._step(np.zeros((matches, self.seats), np.float32))

    def step(self, actions: Actions) -> BatchStep:
        """Play an action of each awaited seat in each match; `actions` has the shape (N, S), and
        those of other seats are ignored.

        A match that is over begins again instead, with the seed N higher than its last one. Raises
        ValueError before the first `reset`, and for actions of another shape."""
        if not self._seeds:
            raise ValueError("no match has begun: call reset")
        if np.shape(actions) != (shape := (self._number, self.seats)):
            raise ValueError(f"expected actions of the shape {shape}, got {np.shape(actions)}")
        over = self._matches.done
        rewards = self._matches.act(actions, ~over)
        for number in np.flatnonzero(over):
            self._seeds[number] += len(self._seeds)
            self._matches.begin(int(number), self._seeds[number])
        return self._step(rewards)

    def _step(self, rewards: Array) -> BatchStep:
        return BatchStep(*self._matches.seen(), self._matches.awaited, rewards, self._matches.done)


class _OneByOne:
    """Matches of any game, each an `ArrayEnv`."""

    def __init__(self, game: str, matches: int, options: dict[str, Any]) -> None:
        self._envs = [ArrayEnv(game, **options) for _ in range(matches)]
        self._seats = range(self._envs[0].seats)

    def begin(self, number: int, seed: int) -> None:
        self._envs[number].reset(seed)

    def act(self, actions: Actions, running: NDArray[np.bool_]) -> Array:
        rewards = np.zeros((len(self._envs), len(self._seats)), np.float32)
        for number in np.flatnonzero(running):
            env = self._envs[number]
            rewards[number] = env.act({seat: actions[number, seat] for seat in env.awaited})[0]
        return rewards

    def seen(self) -> tuple[ArrayObservation, NDArray[np.int8]]:
        seen = [[env.arrays(seat) for seat in self._seats] for env in self._envs]
        observations = {
            name: np.array([[one[name] for one in match] for match in seen])
            for name in self._envs[0].shapes
        }
        masks = [[env.action_mask(seat) for seat in self._seats] for env in self._envs]
        return observations, np.array(masks)

    @property
    def awaited(self) -> NDArray[np.bool_]:
        return np.array([[seat in env.awaited for seat in self._seats] for env in self._envs])

    @property
    def done(self) -> NDArray[np.bool_]:
        return np.array([env.done for env in self._envs])
