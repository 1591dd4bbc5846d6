"""The base of what never changes in a match, such as a maze and the tables made of it: states share
it and never copy it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar
from weakref import WeakValueDictionary

Item = TypeVar("Item", bound=Hashable)
Tables = TypeVar("Tables")


class Shared:
    """Equal, hashed and pickled by its parts: the arguments that make the same object again."""

    width: int
    height: int

    @property
    def parts(self) -> tuple[Any, ...]:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, type(self)) and self.parts == other.parts)

    def __hash__(self) -> int:
        return hash(self.parts)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.width}x{self.height}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.parts


def by_size(make: Callable[[int, int], Tables]) -> Callable[[int, int], Tables]:
    """`make` for a width and a height, called once for all that use its result at the same time."""
    used: WeakValueDictionary[tuple[int, int], Tables] = WeakValueDictionary()

    def tables(width: int, height: int) -> Tables:
        known = used.get((width, height))
        if known is None:
            known = used[width, height] = make(width, height)
        return known

    return tables


def interned(items: Iterable[Item]) -> list[Item]:
    """The same items; those that are equal are one object, and take the memory of one."""
    known: dict[Item, Item] = {}
    return [known.setdefault(item, item) for item in items]


class Texts:
    """The reprs of parts of a match's states, of which few change from one state to the next.

    A text is kept for each place, and used again while the very same object stands there. So a part
    must be immutable. What is kept is no part of the state: all are equal, and pickled empty."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: dict[int | str, tuple[object, str]] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Texts)

    def __hash__(self) -> int:
        return hash(Texts)

    def __reduce__(self) -> tuple[Any, ...]:
        return Texts, ()

    def of(self, place: int | str, part: object) -> str:
        """The repr of the part at this place."""
        kept = self._kept.get(place)
        if kept is None or kept[0] is not part:
            self._kept[place] = kept = (part, repr(part))
        return kept[1]

    def of_items(self, parts: Iterable[tuple[int, object]], pattern: str) -> list[str]:
        """The texts of many parts, each with its place: what the pattern makes of the two. A place
        is asked for with one pattern only."""
        known, texts = self._kept, []
        for item in parts:
            place, part = item
            kept = known.get(place)
            if kept is None or kept[0] is not part:
                known[place] = kept = (part, pattern % item)
            texts.append(kept[1])
        return texts

    def kept(self, place: int | str, part: object) -> str | None:
        """The repr of this part, if it is known."""
        kept = self._kept.get(place)
        return None if kept is None or kept[0] is not part else kept[1]

    def keep(self, place: int | str, part: object, text: str) -> None:
        """The caller knows the repr of the part at this place."""
        self._kept[place] = (part, text)
