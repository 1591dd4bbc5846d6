"""What the objects of Catastrophe have in common, and lists of them that stay up to date."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeVar

T = TypeVar("T")


class GameObject:
    """A tile, structure, unit, player or job."""

    __slots__ = ("id", "logs")

    def __init__(self, number: int) -> None:
        self.id: Final = number
        """Its number, which no other object has. Those of units and structures are the match's,
        others are negative."""
        self.logs: Final[list[str]] = []
        """What the bot has logged for it."""

    @property
    def game_object_name(self) -> str:
        """The name of its class."""
        return type(self).__name__

    def log(self, message: str) -> None:
        """Add a message to `logs`. It stays with the bot."""
        self.logs.append(str(message))


class LiveList(list[T]):
    """A list that shows the present moment whenever it is read. A loop over it goes through what
    it held when the loop began. A list that the bot changes is the bot's own from then on."""

    __slots__ = ("_moment", "_read", "_shown")

    def __init__(self, moment: Callable[[], object], read: Callable[[], list[T]]) -> None:
        """`moment`: another object after every change of the match; `read`: what the list holds at
        present."""
        super().__init__()
        self._moment = moment
        self._read: Callable[[], list[T]] | None = read
        self._shown: object = None

    def __iter__(self) -> Iterator[T]:
        self._refresh()
        present = list.__iter__(self)
        return present if self._read is None else iter([*present])

    def __reversed__(self) -> Iterator[T]:
        return reversed([*self])

    def __add__(self, other: Iterable[Any]) -> list[Any]:
        return [*self, *other]

    def __radd__(self, other: Iterable[Any]) -> list[Any]:
        return [*other, *self]

    def __reduce_ex__(self, protocol: object) -> Any:
        return list, ([*self],)

    def _refresh(self) -> None:
        if self._read is not None and self._shown is not (moment := self._moment()):
            self._shown = moment
            list.__setitem__(self, slice(None), self._read())


def _refreshed(name: str, changes: bool) -> Callable[..., Any]:
    method = getattr(list, name)

    def call(self: LiveList[Any], *arguments: Any, **named: Any) -> Any:
        self._refresh()
        if changes:
            self._read = None
        return method(self, *arguments, **named)

    return call


for _name in [
    "len",
    "getitem",
    "contains",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "mul",
    "rmul",
    "repr",
]:
    setattr(LiveList, f"__{_name}__", _refreshed(f"__{_name}__", changes=False))
for _name in ("index", "count", "copy"):
    setattr(LiveList, _name, _refreshed(_name, changes=False))
for _name in ["append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse"]:
    setattr(LiveList, _name, _refreshed(_name, changes=True))
for _name in ["setitem", "delitem", "iadd", "imul"]:
    setattr(LiveList, f"__{_name}__", _refreshed(f"__{_name}__", changes=True))
