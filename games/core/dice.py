"""Chance as an argument.

A draw is named by its purpose and computed from (seed, step, purpose, k): no draw depends on
another one, so no bot can shift what the dice will say, and equal seeds give equal draws in every
process and on every platform. Tests replace the source by a script of values (`Scripted`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableSequence
from hashlib import blake2b
from struct import Struct
from typing import Any, Protocol, TypeVar

T = TypeVar("T")

_WORDS = Struct(">8Q")


class Stream:
    """Endless random numbers from one key: blake2b in counter mode, read as 64-bit words."""

    __slots__ = ("_count", "_key", "_words")

    def __init__(self, key: bytes) -> None:
        self._key = blake2b(key).digest()
        self._count = 0
        self._words: list[int] = []
        """Those of the last block that are still to be read, the next one last."""

    def word(self) -> int:
        """A whole number, uniform over 0 .. 2**64-1."""
        if not self._words:
            block = blake2b(self._count.to_bytes(8, "big"), key=self._key).digest()
            self._words = [*_WORDS.unpack(block)]
            self._words.reverse()
            self._count += 1
        return self._words.pop()

    def below(self, bound: int) -> int:
        """A whole number, uniform over 0 .. bound-1, without the bias of a bare remainder. `bound`
        is 1 .. 2**64."""
        if not 1 <= bound <= 1 << 64:
            raise ValueError(f"expected a bound of 1 to 2**64, got {bound}")
        limit = (1 << 64) - (1 << 64) % bound
        while (word := self.word()) >= limit:
            pass
        return word % bound

    def unit(self) -> float:
        """A number in [0, 1) with 53 random bits."""
        return (self.word() >> 11) * 2.0**-53

    def chance(self, probability: float) -> bool:
        """True with this probability; 0 never, 1 always."""
        return self.unit() < probability

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Shuffle the items in place, uniformly over all orders (Fisher-Yates, from the back)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


class Dice(Protocol):
    """Where a game's chance comes from."""

    def draw(self, purpose: str, sample: Callable[[Stream], T]) -> T:
        """One draw: `sample` makes the value from its own stream; `purpose` names the stream."""
        ...


class Seeded:
    """The real source. `step` is the number of state changes so far; setup is step 0."""

    __slots__ = ("_drawn", "_step", "seed")

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._step = 0
        self._drawn: dict[str, int] = {}

    def at(self, step: int) -> Seeded:
        """The dice of this step."""
        self._step = step
        if self._drawn:
            self._drawn = {}
        return self

    def draw(self, purpose: str, sample: Callable[[Stream], T]) -> T:
        k = self._drawn.get(purpose, 0)
        self._drawn[purpose] = k + 1
        return sample(Stream(f"{self.seed}|{self._step}|{purpose}|{k}".encode()))


class Scripted:
    """Hands out listed (purpose, value) pairs in order. A wrong purpose, a missing or a left-over
    draw is an error."""

    __slots__ = ("_script",)

    def __init__(self, script: Iterable[tuple[str, Any]] = ()) -> None:
        self._script = list(script)

    def at(self, step: int) -> Scripted:
        return self

    def draw(self, purpose: str, sample: Callable[[Stream], T]) -> T:
        if not self._script:
            raise LookupError(f"the script is used up; the game draws {purpose!r}")
        expected, value = self._script.pop(0)
        if expected != purpose:
            raise LookupError(f"the script says {expected!r}; the game draws {purpose!r}")
        return value  # type: ignore[no-any-return]

    def load(self, script: Iterable[tuple[str, Any]]) -> None:
        """The draws of the next step. Raises LookupError if some of the last one are left over."""
        self.finish()
        self._script = list(script)

    def finish(self) -> None:
        """Raises LookupError if draws are left over."""
        if self._script:
            raise LookupError(f"draws left over: {self._script}")


class Source(Dice, Protocol):
    """Dice for a whole match: `at` gives those of one step."""

    def at(self, step: int) -> Dice: ...
