"""Values that share what they have in common: a changed copy costs about the same at any size, and
the one that it was made of stays as it was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final, Generic, TypeVar, overload

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")

PARTS: Final = 256
"""A map is kept in this many parts. A change copies one of them, and the list of all."""


class PersistentMap(Mapping[K, V], Generic[K, V]):
    """A mapping that never changes. The order of its keys means nothing."""

    __slots__ = ("_count", "_parts")

    def __init__(self, items: Mapping[K, V] | None = None) -> None:
        empty: dict[K, V] = {}
        self._parts: list[dict[K, V]] = [empty] * PARTS
        self._count = 0
        if items:
            made = self.updated(items)
            self._parts, self._count = made._parts, made._count

    def updated(self, changes: Mapping[K, V]) -> PersistentMap[K, V]:
        """A map with these in it too, or instead."""
        made: PersistentMap[K, V] = object.__new__(type(self))
        made._parts = self._parts.copy()
        made._count = self._count
        own: set[int] = set()
        for key, value in changes.items():
            at = hash(key) % PARTS
            if at not in own:
                own.add(at)
                made._parts[at] = made._parts[at].copy()
            part = made._parts[at]
            made._count += key not in part
            part[key] = value
        return made

    def __getitem__(self, key: K) -> V:
        return self._parts[hash(key) % PARTS][key]

    def get(self, key: K, default: Any = None) -> Any:
        return self._parts[hash(key) % PARTS].get(key, default)

    def __contains__(self, key: object) -> bool:
        return key in self._parts[hash(key) % PARTS]

    def __iter__(self) -> Iterator[K]:
        for part in self._parts:
            yield from part

    def __len__(self) -> int:
        return self._count

    def pairs(self) -> Iterator[tuple[K, V]]:
        """What `items` gives, in less time."""
        return chain.from_iterable(part.items() for part in self._parts)


class PersistentList(Sequence[T], Generic[T]):
    """A sequence that never changes and of which a longer one can be made. Equal to any sequence
    of the same items."""

    __slots__ = ("_count", "_items")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = list(items)
        """Shared by all that begin alike. This one ends after `_count`."""
        self._count = len(self._items)

    def added(self, item: T) -> PersistentList[T]:
        made: PersistentList[T] = object.__new__(type(self))
        made._items = self._items if len(self._items) == self._count else list(self)
        made._items.append(item)
        made._count = self._count + 1
        return made

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> list[T]: ...
    def __getitem__(self, at: int | slice) -> T | list[T]:
        if isinstance(at, slice):
            return self._items[: self._count][at]
        if not -self._count <= at < self._count:
            raise IndexError(at)
        return self._items[at % self._count]

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[T]:
        return iter(self._items[: self._count])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and [*self] == [*other]

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (list(self),)
