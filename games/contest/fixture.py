"""The games of a tournament as they are to be played, and those of them that are awaited."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice
from typing import Any, Final, overload

from games.contest.facts import Stage
from games.contest.persistent import PersistentMap
from games.contest.result import Entry

BLOCK: Final = 64
"""Games in a block: what a change copies, and what is skipped at once when all are played."""
BLOCKS_KEPT: Final = 4_096
"""Blocks that a schedule remembers."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game of the tournament. `entrants` by seat; of a check game the one that is checked.
    `match`: of the bracket.

    A game that broke off comes again under the next attempt, with the seed that belongs to it.
    """

    id: str
    stage: Stage
    entrants: tuple[Entry, ...]
    seed: int
    attempt: int = 1
    match: str = ""
    round: int = 0

    @property
    def key(self) -> tuple[str, tuple[Entry, ...]]:
        return self.id, self.entrants


Block = Mapping[int, Fixture]
NOTHING: Final[Block] = {}


class Planned:
    """The games of a schedule as they are before any of them is played, made when they are asked
    for. `make`: a game by its index."""

    def __init__(self, size: int, make: Callable[[int], Fixture]) -> None:
        self.size = size
        self._make = make
        self.block = lru_cache(BLOCKS_KEPT)(self._block)

    def _block(self, at: int) -> Block:
        indexes = range(at * BLOCK, min((at + 1) * BLOCK, self.size))
        return {index: self._make(index) for index in indexes}


@dataclass(frozen=True, slots=True, eq=False)
class Awaited(Sequence[Fixture]):
    """The games of a schedule that are awaited, by their indexes. What is not changed is as
    planned; where nothing is planned, all is a change. Equal to any sequence of the same games."""

    planned: Planned
    changed: PersistentMap[int, Mapping[int, Fixture | None]]
    """By block: what is otherwise than planned, in order where nothing is."""
    size: int
    first: int = 0
    """No block before this one has a game."""

    @classmethod
    def all(cls, planned: Planned) -> Awaited:
        """Every game of a schedule."""
        return cls(planned, PersistentMap(), planned.size)

    @classmethod
    def none(cls) -> Awaited:
        """No game."""
        return cls.all(Planned(0, NOTHING.__getitem__))

    def edited(self, changes: Mapping[int, Fixture | None]) -> Awaited:
        """With these games in the place of what the indexes have now; None: no game."""
        if not changes:
            return self
        size, first = self.size, self.first
        blocks: dict[int, dict[int, Fixture | None]] = {}
        mixed: set[int] = set()
        for index, fixture in changes.items():
            at = index // BLOCK
            if at not in blocks:
                blocks[at] = dict(self.changed.get(at, ()))
            known = blocks[at]
            has = known[index] is not None if index in known else index < self.planned.size
            size += (fixture is not None) - has
            if fixture is not None:
                if index not in known:
                    mixed.add(at)
                known[index] = fixture
                first = min(first, at)
            elif index < self.planned.size:
                known[index] = None
            else:
                known.pop(index, None)
        for at in mixed:
            blocks[at] = dict(sorted(blocks[at].items()))
        made = Awaited(self.planned, self.changed.updated(blocks), size, first)
        while size and not made._has_any(first):
            first += 1
        return made if first == made.first else replace(made, first=first)

    def at(self, index: int) -> Fixture | None:
        """The game with this index, if it is awaited."""
        at = index // BLOCK
        planned = self.planned.block(at).get(index)
        due: Fixture | None = self.changed.get(at, {}).get(index, planned)
        return due

    def _has_any(self, at: int) -> bool:
        changed = self.changed.get(at, {})
        planned = min((at + 1) * BLOCK, self.planned.size) - at * BLOCK
        return len(changed) < planned or any(one is not None for one in changed.values())

    def _block(self, at: int) -> Block:
        planned = self.planned.block(at)
        if (changed := self.changed.get(at)) is None:
            return planned
        both: Mapping[int, Any] = changed
        if not planned:
            return both
        both = {**planned, **changed}
        return {index: one for index, one in both.items() if one is not None}

    def __iter__(self) -> Iterator[Fixture]:
        return chain.from_iterable(self._blocks())

    def _blocks(self) -> Iterator[Iterable[Fixture]]:
        left, at = self.size, self.first
        while left > 0:
            block = self._block(at)
            yield block.values()
            left -= len(block)
            at += 1

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, at: int) -> Fixture: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Fixture]: ...
    def __getitem__(self, at: int | slice) -> Fixture | Sequence[Fixture]:
        if isinstance(at, slice):
            return tuple(self)[at]
        if not -self.size <= at < self.size:
            raise IndexError(at)
        return next(islice(self, at % self.size, None))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (tuple(self),)
