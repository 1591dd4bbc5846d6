"""Graphs and mazes for PyRat bots that are classes: what a bot computes with, as in `pyrat`.

The package has had two spellings, `maze.width` and `maze.get_width()`, `maze.vertices` and
`maze.vertices()`. Both work here."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, ClassVar, Final, TypeAlias


class Action(Enum):
    """What a turn answers, in the package's order."""

    NOTHING = "nothing"
    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"


_STEPS: Final = {
    (0, 0): "NOTHING",
    (1, 0): "NORTH",
    (0, -1): "EAST",
    (-1, 0): "SOUTH",
    (0, 1): "WEST",
}
"""By what is left when the target's row and column are taken from those of the source."""

Costs: TypeAlias = Mapping[int, Mapping[int, int]]


class _Number(int):
    def __call__(self) -> int:
        return int(self)


class _List(list[Any]):
    def __call__(self) -> list[Any]:
        return self


class _Dict(dict[Any, Any]):
    def __call__(self) -> dict[Any, Any]:
        return self


def number(value: int) -> Any:
    """A number that can also be called."""
    return _Number(value)


def listed(values: Iterable[Any]) -> Any:
    """A list that can also be called."""
    return _List(values)


def mapped(values: Mapping[Any, Any]) -> Any:
    """A dict that can also be called."""
    return _Dict(values)


class Getters:
    """`get_x()` returns the attribute `x`."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("get_"):
            value = getattr(self, name.removeprefix("get_"))
            return lambda: value
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


class Graph(Getters):
    """Vertices, and edges with weights."""

    _near: dict[int, dict[int, int]]

    def __init__(self) -> None:
        self._near = {}

    def __str__(self) -> str:
        return f"{type(self).__name__}({self.as_dict()})"

    @property
    def vertices(self) -> Any:
        """All vertices."""
        return listed(self._near)

    @property
    def edges(self) -> Any:
        """All edges; one that leads both ways is listed once, the smaller vertex first."""
        return listed(
            (one, other)
            for one, near in self._near.items()
            for other in near
            if one < other or one not in self._near[other]
        )

    @property
    def nb_vertices(self) -> Any:
        """The number of vertices."""
        return number(len(self._near))

    @property
    def nb_edges(self) -> Any:
        """The number of edges."""
        return number(len(self.edges))

    def add_vertex(self, vertex: int) -> None:
        """Raises ValueError if there is such a vertex."""
        if vertex in self._near:
            raise ValueError(f"there is a vertex {vertex} already")
        self._near[vertex] = {}

    def add_edge(
        self, vertex_1: int, vertex_2: int, weight: int = 1, symmetric: bool = False
    ) -> None:
        """Raises ValueError for a vertex that does not exist."""
        for vertex in (vertex_1, vertex_2):
            if vertex not in self._near:
                raise ValueError(f"there is no vertex {vertex}")
        self._near[vertex_1][vertex_2] = weight
        if symmetric:
            self._near[vertex_2][vertex_1] = weight

    def remove_vertex(self, vertex: int) -> None:
        """Remove a vertex with its edges. Raises KeyError."""
        del self._near[vertex]
        for near in self._near.values():
            near.pop(vertex, None)

    def remove_edge(self, vertex_1: int, vertex_2: int, symmetric: bool = False) -> None:
        """Raises KeyError if there is no such edge."""
        del self._near[vertex_1][vertex_2]
        if symmetric:
            del self._near[vertex_2][vertex_1]

    def get_neighbors(self, vertex: int) -> list[int]:
        """The vertices that one edge leads to."""
        return [*self._near[vertex]]

    def has_edge(self, vertex_1: int, vertex_2: int) -> bool:
        """Whether an edge leads from the first vertex to the second."""
        return vertex_2 in self._near.get(vertex_1, ())

    def edge_is_symmetric(self, vertex_1: int, vertex_2: int) -> bool:
        """Whether the edge leads both ways."""
        return self.has_edge(vertex_1, vertex_2) and self.has_edge(vertex_2, vertex_1)

    def get_weight(self, vertex_1: int, vertex_2: int) -> int:
        """The turns that this passage takes. Raises ValueError if there is none."""
        if not self.has_edge(vertex_1, vertex_2):
            raise ValueError(f"there is no passage from {vertex_1} to {vertex_2}")
        return self._near[vertex_1][vertex_2]

    def is_connected(self) -> bool:
        """Whether every vertex can be reached from the first one."""
        todo = [*self._near][:1]
        reached = set(todo)
        for vertex in todo:
            new = self._near[vertex].keys() - reached
            reached |= new
            todo += new
        return len(reached) == len(self._near)

    def minimum_spanning_tree(self, random_seed: int | None = None) -> Graph:
        """A new graph: the edges of least weight that connect all that is connected. Ties go to the
        edge that is listed first."""
        tree = Graph()
        part = {vertex: vertex for vertex in self._near}
        for vertex in self._near:
            tree.add_vertex(vertex)

        def found(vertex: int) -> int:
            while part[vertex] != vertex:
                vertex = part[vertex]
            return vertex

        for one, other in sorted(self.edges, key=lambda edge: self._near[edge[0]][edge[1]]):
            if found(one) != found(other):
                part[found(one)] = found(other)
                tree.add_edge(
                    one, other, self._near[one][other], self.edge_is_symmetric(one, other)
                )
        return tree

    def as_dict(self) -> dict[int, dict[int, int]]:
        """Vertex: its neighbours with the weights; a copy."""
        return {vertex: dict(near) for vertex, near in self._near.items()}

    def as_numpy_ndarray(self) -> Any:
        """The matrix of the weights, 0 for no edge, with a row for each vertex, in their order."""
        return importlib.import_module("numpy").array(self._matrix())

    def as_torch_tensor(self) -> Any:
        """The same matrix for torch."""
        return importlib.import_module("torch").tensor(self._matrix())

    def _matrix(self) -> list[list[int]]:
        order = self._order()
        return [[self._near.get(one, {}).get(other, 0) for other in order] for one in order]

    def _order(self) -> Sequence[int]:
        return sorted(self._near)


class Maze(Graph):
    """Which cells are joined, and how many turns each passage takes: 1, or the cost of its mud.

    Cells are numbers, row by row from the top left corner: cell = row * width + column."""

    width: Any = 0
    height: Any = 0
    _actions: ClassVar[Any] = Action

    def __init__(self, width: int, height: int, costs: Costs | None = None) -> None:
        self.width = number(width)
        self.height = number(height)
        self._near = {cell: dict(near) for cell, near in (costs or {}).items()}

    def i_to_rc(self, index: int) -> tuple[int, int]:
        """Row, from the top, and column of a cell."""
        row, column = divmod(index, int(self.width))
        return row, column

    def rc_to_i(self, row: int, col: int) -> int:
        """The number of a cell."""
        return int(row * self.width + col)

    def i_exists(self, index: int) -> bool:
        """Whether there is a cell of this number."""
        return index in self._near

    def rc_exists(self, row: int, col: int) -> bool:
        """Whether there is a cell in this row and column."""
        inside = 0 <= row < self.height and 0 <= col < self.width
        return inside and self.i_exists(self.rc_to_i(row, col))

    def coords_difference(self, vertex_1: int, vertex_2: int) -> tuple[int, int]:
        """Row and column of the first cell less those of the second."""
        (row, column), (other_row, other_column) = self.i_to_rc(vertex_1), self.i_to_rc(vertex_2)
        return row - other_row, column - other_column

    def locations_to_action(self, source: int, target: int) -> Any:
        """The action that leads to a cell beside this one, or that stays. Raises ValueError for any
        other cell; walls are not looked at."""
        step = self.coords_difference(source, target)
        if step not in _STEPS:
            raise ValueError(f"cell {target} is not beside cell {source}")
        return self._actions[_STEPS[step]]

    def locations_to_actions(self, locations: Sequence[int]) -> list[Any]:
        """The actions along a path."""
        return [
            self.locations_to_action(source, target)
            for source, target in itertools.pairwise(locations)
        ]

    def _order(self) -> Sequence[int]:
        return range(self.width * self.height)


class MazeFromDict(Maze):
    """A maze of `{cell: {neighbour: weight}}`. Without a size it is as wide as a step down."""

    def __init__(
        self,
        description: Costs,
        width: int | None = None,
        height: int | None = None,
        *_: Any,
        **__: Any,
    ) -> None:
        steps = (abs(one - other) for one, near in description.items() for other in near)
        wide = width or max(max(steps, default=1), 1)
        super().__init__(wide, height or max(description, default=0) // wide + 1, description)


class MazeFromMatrix(MazeFromDict):
    """A maze of a matrix of weights, 0 for no passage. Cells without a passage are left out."""

    def __init__(self, description: Any, *args: Any, **kwargs: Any) -> None:
        costs = {
            cell: {other: int(weight) for other, weight in enumerate(row) if weight}
            for cell, row in enumerate(description)
        }
        super().__init__({cell: near for cell, near in costs.items() if near}, *args, **kwargs)
