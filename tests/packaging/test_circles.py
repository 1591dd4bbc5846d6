"""Which file imports which. The packages are held by the contracts in pyproject.toml, which see no
circle of a package's own `__init__` and its modules."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

import grimp
import pytest


def circle(imports: dict[str, set[str]]) -> list[str]:
    """The modules of one circle, each imported by the next; none: there is no circle."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as fault:
        return list(fault.args[1])
    return []


@pytest.mark.parametrize("package", ["botarena", "client_sdk", "games", "server"])
def test_no_file_has_circular_imports_even_for_types(package):
    graph = grimp.build_graph(package, cache_dir=None)
    assert (
        circle(
            {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
        )
        == []
    )


def test_a_circular_import_is_found():
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["b", "c", "b"]
