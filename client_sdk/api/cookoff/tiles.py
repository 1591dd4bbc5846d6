"""Tiles as bots see them: copies. Attributes that are equal for all tiles of a type are in its
class, so that a copy is cheap."""

from __future__ import annotations

from typing import Any, Final

from client_sdk.api.cookoff.game_constants import FoodType, ShopCosts, TileType
from client_sdk.api.cookoff.item import Item, copied
from games.cookoff import rules, state


class Tile:
    """A tile."""

    tile_name: str = ""
    """Its type."""
    tile_id: int = -1
    """The number of its type."""
    is_walkable: bool = False
    """Whether bots can walk on it."""
    is_dangerous: bool = False
    """Always false."""
    is_placeable: bool = False
    """Whether things can be put on it."""
    is_interactable: bool = False
    """Whether it has a use of its own."""
    item: Item | None = None
    """What is on it."""
    using: bool = False
    """Whether a bot has washed in this sink since the last tick."""

    def __repr__(self) -> str:
        fields = "".join(f" {name}={value!r}" for name, value in vars(self).items())
        return f"<{self.tile_name}{fields}>"


class Placeable(Tile):
    """A tile on which things can be put."""


class Interactable(Tile):
    """A tile with a use of its own."""


class Floor(Tile):
    """A floor, on which bots walk."""


class Wall(Tile):
    """A wall."""


class Counter(Placeable):
    """A counter, on which food is chopped."""


class Box(Placeable, Interactable):
    """A stack of equal items; `item` is one of them."""

    count: int = 0
    """The number of items."""


class Sink(Placeable, Interactable):
    """A sink, in which plates are washed."""

    num_dirty_plates: int = 0
    """The dirty plates in it."""
    curr_dirty_plate_progress: int = 0
    """How far the next plate is washed."""


class SinkTable(Interactable):
    """A table with clean plates."""

    num_clean_plates: int = 0
    """The clean plates on it."""


class Cooker(Placeable, Interactable):
    """A cooker; `item` is the pan on it."""

    cook_progress: int = 0
    """How far the food in the pan is cooked."""


class Trash(Placeable):
    """A trash can."""


class Submit(Placeable, Interactable):
    """A window for finished dishes."""


class Shop(Interactable):
    """A shop."""

    def __init__(self) -> None:
        self.shop_items: set[FoodType | ShopCosts] = {*FoodType, *ShopCosts}
        """What it sells."""


CLASSES: Final[dict[rules.TileKind, type[Tile]]] = {
    rules.FLOOR: Floor,
    rules.WALL: Wall,
    rules.COUNTER: Counter,
    rules.BOX: Box,
    rules.SINK: Sink,
    rules.SINKTABLE: SinkTable,
    rules.COOKER: Cooker,
    rules.TRASH: Trash,
    rules.SUBMIT: Submit,
    rules.SHOP: Shop,
}

for _kind, _class in CLASSES.items():
    for _name in (
        "tile_name",
        "tile_id",
        "is_walkable",
        "is_dangerous",
        "is_placeable",
        "is_interactable",
    ):
        setattr(_class, _name, getattr(TileType[_kind.name], _name))

_FIELDS: Final[dict[type[Tile], tuple[tuple[str, str], ...]]] = {
    CLASSES[kind]: names for kind, names in state.FIELDS.items() if names
}
"""What the engine calls a tile's fields."""


def tile(cls: type[Tile], moment: state.Tile) -> Tile:
    """A copy of a tile as it is at this moment."""
    made = cls()
    if moment.item is not None:
        made.item = copied(moment.item)
    for name, field in _FIELDS.get(cls, ()):
        setattr(made, name, getattr(moment, field))
    return made


def column(classes: tuple[type[Tile], ...], moments: tuple[Any, ...]) -> list[Tile]:
    """Copies of some tiles."""
    return [
        tile(cls, moment) if moment.item is not None or cls in _FIELDS else cls()
        for cls, moment in zip(classes, moments, strict=True)
    ]
