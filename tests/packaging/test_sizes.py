"""No module of the product is longer than a reader can hold (CONTRIBUTING)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LONGEST = 400


@pytest.mark.parametrize("package", ["benchmarks", "botarena", "client_sdk", "games", "server"])
def test_no_module_has_more_than_400_lines(package):
    sizes = {
        path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines())
        for path in (ROOT / package).rglob("*.py")
    }

    assert sizes
    assert {name: size for name, size in sizes.items() if size > LONGEST} == {}


def test_json_is_defined_once_in_games_and_once_in_the_messages():
    named = re.compile(r"^Json\b.*= ", re.MULTILINE)
    places = {
        path.relative_to(ROOT).as_posix()
        for package in ("botarena", "client_sdk", "games", "server")
        for path in (ROOT / package).rglob("*.py")
        if named.search(path.read_text())
    }

    assert places == {"games/core/contract.py", "client_sdk/wire/messages.py"}
