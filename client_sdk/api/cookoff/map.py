"""A kitchen as bots see it: a copy, whose columns are made when they are first looked at.

A contest bot asks for thousands of maps a turn and looks at a few tiles of each. The moment that a
map shows never changes, so its columns can be made when they are read."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from operator import index
from typing import Any, Final

from client_sdk.api.cookoff.game_constants import Team
from client_sdk.api.cookoff.tiles import CLASSES, Tile, column, tile
from games.cookoff.state import Kitchen, Plan


class Layout:
    """What all copies of a match's kitchens share."""

    def __init__(self, plan: Plan) -> None:
        self.width: Final = plan.width
        self.height: Final = plan.height
        self.classes: Final = tuple(CLASSES[kind] for kind in plan.kinds)
        self.blank: Final = (None,) * plan.width

    def tile(self, kitchen: Kitchen, x: int, y: int) -> Tile:
        cell = x * self.height + y
        return tile(self.classes[cell], kitchen[cell])

    def column(self, kitchen: Kitchen, x: int) -> list[Tile]:
        cells = slice(x * self.height, (x + 1) * self.height)
        return column(self.classes[cells], kitchen[cells])


class Columns(list[Any]):
    """The columns of a map, from the left. To its users a list of lists."""

    def __init__(self, layout: Layout, kitchen: Kitchen) -> None:
        super().__init__(layout.blank)
        self._layout = layout
        self._kitchen = kitchen
        self._whole = False

    def __getitem__(self, x: Any) -> Any:
        found = super().__getitem__(x)
        if found is None and not self._whole:
            x = index(x) % self._layout.width
            found = self._layout.column(self._kitchen, x)
            super().__setitem__(x, found)
        elif isinstance(x, slice):
            return super(Columns, self.whole()).__getitem__(x)
        return found

    def whole(self) -> Columns:
        """This very list, with all its columns made."""
        if not self._whole:
            for x in range(self._layout.width):
                self[x]
            self._whole = True
        return self

    def __reduce_ex__(self, protocol: object) -> tuple[Any, ...]:
        return list, (list(self),)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        """numpy calls this; else it would read a list's memory, which may have no columns yet."""
        return import_module("numpy").array(list(self), dtype=dtype)


def _made_first(name: str) -> Callable[..., Any]:
    plain = getattr(list, name)

    def method(self: Columns, *about: Any, **named: Any) -> Any:
        others = [other.whole() if isinstance(other, Columns) else other for other in about]
        return plain(self.whole(), *others, **named)

    return method


for _name in (
    *(
        "__iter__",
        "__reversed__",
        "__contains__",
        "__eq__",
        "__ne__",
        "__lt__",
        "__le__",
        "__gt__",
        "__ge__",
        "__repr__",
    ),
    *("__setitem__", "__delitem__", "__add__", "__iadd__", "__mul__", "__rmul__", "__imul__"),
    *(
        "append",
        "clear",
        "copy",
        "count",
        "extend",
        "index",
        "insert",
        "pop",
        "remove",
        "reverse",
        "sort",
    ),
):
    setattr(Columns, _name, _made_first(_name))


class Map:
    """A copy of a kitchen. Its `orders` are always empty: `RobotController.get_orders` has them."""

    def __init__(self, layout: Layout, kitchen: Kitchen, team: Team) -> None:
        self.width = layout.width
        """The width in cells."""
        self.height = layout.height
        """The height in cells."""
        self.team = team
        """The team whose kitchen it is."""
        self.tiles: list[list[Tile]] = Columns(layout, kitchen)
        """The tiles: `tiles[x][y]`, y upwards."""
        self.orders: list[Any] = []
        """Always empty."""

    def in_bounds(self, x: int, y: int) -> bool:
        """Whether there is a cell at this place."""
        return 0 <= x < self.width and 0 <= y < self.height

    def is_tile_name(self, x: int, y: int, name: str) -> bool:
        """Whether the tile has this type."""
        return self.in_bounds(x, y) and self.tiles[x][y].tile_name == name

    def is_tile_walkable(self, x: int, y: int) -> bool:
        """Whether bots can walk on the tile."""
        return self.in_bounds(x, y) and self.tiles[x][y].is_walkable

    def is_tile_dangerous(self, x: int, y: int) -> bool:
        """Always false."""
        return self.in_bounds(x, y) and self.tiles[x][y].is_dangerous

    def is_tile_placeable(self, x: int, y: int) -> bool:
        """Whether things can be put on the tile."""
        return self.in_bounds(x, y) and self.tiles[x][y].is_placeable

    def is_tile_interactable(self, x: int, y: int) -> bool:
        """Whether the tile has a use of its own."""
        return self.in_bounds(x, y) and self.tiles[x][y].is_interactable

    def to_2d_list(self) -> list[list[str]]:
        """The types of the tiles, `[x][y]`."""
        return [[one.tile_name for one in column] for column in self.tiles]
