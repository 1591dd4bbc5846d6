"""No module and no class of the product is longer than a reader can hold (CONTRIBUTING)."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LONGEST = 400
PACKAGES = pytest.mark.parametrize(
    "package", ["benchmarks", "botarena", "client_sdk", "games", "server"]
)


@PACKAGES
def test_no_module_has_more_than_400_lines(package):
    sizes = {
        path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines())
        for path in (ROOT / package).rglob("*.py")
    }

    assert sizes
    assert {name: size for name, size in sizes.items() if size > LONGEST} == {}


@PACKAGES
def test_a_large_class_says_why(package):
    """More than 300 lines, 25 methods, 15 attributes or 8 arguments: in a sentence with "hence"."""
    silent = [
        f"{path.relative_to(ROOT)}: {found.name}: {', '.join(large)}"
        for path in (ROOT / package).rglob("*.py")
        for found in ast.walk(ast.parse(path.read_text()))
        if isinstance(found, ast.ClassDef)
        and (large := too_large(found))
        and "hence" not in (ast.get_docstring(found) or "")
    ]

    assert silent == []


def too_large(found: ast.ClassDef) -> list[str]:
    methods = [one for one in found.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    attributes = {
        one.attr
        for one in ast.walk(found)
        if isinstance(one, ast.Attribute)
        and isinstance(one.ctx, ast.Store)
        and isinstance(one.value, ast.Name)
        and one.value.id == "self"
    }
    arguments = max(
        (
            len(one.args.args) + len(one.args.kwonlyargs) - 1
            for one in methods
            if one.name == "__init__"
        ),
        default=0,
    )
    lines = (found.end_lineno or 0) - found.lineno
    sizes = {
        "lines": (lines, 300),
        "methods": (len(methods), 25),
        "attributes": (len(attributes), 15),
        "arguments": (arguments, 8),
    }
    return [f"{size} {what}" for what, (size, most) in sizes.items() if size > most]


def test_json_is_defined_once_in_games_and_once_in_the_messages():
    named = re.compile(r"^Json\b.*= ", re.MULTILINE)
    places = {
        path.relative_to(ROOT).as_posix()
        for package in ("botarena", "client_sdk", "games", "server")
        for path in (ROOT / package).rglob("*.py")
        if named.search(path.read_text())
    }

    assert places == {"games/core/contract.py", "client_sdk/wire/messages.py"}
