"""Tiles as bots see them: copies. What a kind of tile always is stands in its class, so that a copy
costs next to nothing."""

from __future__ import annotations

from typing import Any, Final

from client_sdk.api.cookoff.game_constants import FoodType, ShopCosts, TileType
from client_sdk.api.cookoff.item import Item, copied
from games.cookoff import rules, state


class Tile:
    """Any tile. `using`: on a sink, a bot has washed since the last tick."""

    tile_name: str = ""
    tile_id: int = -1
    is_walkable: bool = False
    is_dangerous: bool = False
    is_placeable: bool = False
    is_interactable: bool = False
    item: Item | None = None
    using: bool = False

    def __repr__(self) -> str:
        fields = "".join(f" {name}={value!r}" for name, value in vars(self).items())
        return f"<{self.tile_name}{fields}>"


class Placeable(Tile):
    """A tile on which things may be put."""


class Interactable(Tile):
    """A tile with a use of its own."""


class Floor(Tile): ...


class Wall(Tile): ...


class Counter(Placeable): ...


class Box(Placeable, Interactable):
    """A stack of `count` equal items; `item` is one of them."""

    count: int = 0


class Sink(Placeable, Interactable):
    num_dirty_plates: int = 0
    curr_dirty_plate_progress: int = 0


class SinkTable(Interactable):
    num_clean_plates: int = 0


class Cooker(Placeable, Interactable):
    """`item` is the pan on it."""

    cook_progress: int = 0


class Trash(Placeable): ...


class Submit(Placeable, Interactable): ...


class Shop(Interactable):
    def __init__(self) -> None:
        self.shop_items: set[FoodType | ShopCosts] = {*FoodType, *ShopCosts}


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
