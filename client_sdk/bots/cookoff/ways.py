"""Ways in a kitchen: how far it is to a tile, and the next step there. A tile is reached from any
cell around it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from client_sdk.api.cookoff import Map

Cell = tuple[int, int]

STEPS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1))
FAR: Final = 10_000


class Ways:
    """Distances are steps in any of the eight directions, other bots left aside."""

    def __init__(self, kitchen: Map) -> None:
        self._open: Final = {
            (x, y)
            for x, column in enumerate(kitchen.tiles)
            for y, tile in enumerate(column)
            if tile.is_walkable
        }
        self._stations: Final[dict[str, list[Cell]]] = {}
        for x, column in enumerate(kitchen.tiles):
            for y, tile in enumerate(column):
                self._stations.setdefault(tile.tile_name, []).append((x, y))
        self._far: Final[dict[Cell, dict[Cell, int]]] = {}

    def stations(self, name: str) -> list[Cell]:
        """The tiles of this name that can be reached at all."""
        return [cell for cell in self._stations.get(name, ()) if self._distances(cell)]

    def steps(self, here: Cell, tile: Cell) -> int:
        """From a cell until the tile is in reach; FAR: there is no way."""
        return self._distances(tile).get(here, FAR)

    def between(self, one: Cell, other: Cell) -> int:
        """From where one tile is in reach to where the other one is."""
        return min((self.steps(cell, other) for cell in self._around(one)), default=FAR)

    def nearest(self, here: Cell, tiles: Iterable[Cell]) -> Cell | None:
        """Ties go to the first one."""
        return min(tiles, key=lambda tile: self.steps(here, tile), default=None)

    def step(self, here: Cell, tile: Cell, taken: Collection[Cell]) -> Cell | None:
        """The next step towards a tile, around bots that are in the way; None: it is in reach, or
        nothing leads there now."""
        far = self._distances(tile)
        if far.get(here, 0) == 0:
            return None
        nearer = [
            (dx, dy)
            for dx, dy, cell in self._next(here)
            if far[cell] < far[here] and cell not in taken
        ]
        return nearer[0] if nearer else self._around_others(here, far, taken)

    def _around_others(
        self, here: Cell, far: dict[Cell, int], taken: Collection[Cell]
    ) -> Cell | None:
        first: dict[Cell, Cell] = {
            cell: (dx, dy) for dx, dy, cell in self._next(here) if cell not in taken
        }
        todo = list(first)
        for cell in todo:
            if far[cell] == 0:
                return first[cell]
            for _, _, near in self._next(cell):
                if near not in first and near not in taken and near != here:
                    first[near] = first[cell]
                    todo.append(near)
        return None

    def _distances(self, tile: Cell) -> dict[Cell, int]:
        if tile not in self._far:
            far = dict.fromkeys(self._around(tile), 0)
            todo = list(far)
            for cell in todo:
                for _, _, near in self._next(cell):
                    if near not in far:
                        far[near] = far[cell] + 1
                        todo.append(near)
            self._far[tile] = far
        return self._far[tile]

    def _around(self, tile: Cell) -> list[Cell]:
        x, y = tile
        return [cell for dx, dy in ((0, 0), *STEPS) if (cell := (x + dx, y + dy)) in self._open]

    def _next(self, here: Cell) -> Iterator[tuple[int, int, Cell]]:
        x, y = here
        for dx, dy in STEPS:
            if (x + dx, y + dy) in self._open:
                yield dx, dy, (x + dx, y + dy)
