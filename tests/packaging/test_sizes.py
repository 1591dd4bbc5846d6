"""No module of the product is longer than a reader can hold (CONTRIBUTING)."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LONGEST = 400


@pytest.mark.parametrize("package", ["benchmarks", "botarena", "client_sdk", "games", "server"])
def test_no_module_has_more_than_400_lines(package):
    sizes = {path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines()) for path in (ROOT / package).rglob("*.py")}

    assert sizes
    assert {name: size for name, size in sizes.items() if size > LONGEST} == {}
