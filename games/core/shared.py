"""The base of what never changes in a match, such as a maze and the tables made of it: states share
it and never copy it."""

from __future__ import annotations

from typing import Any


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
