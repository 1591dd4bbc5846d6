"""Every vector of the project, through the runner."""

from __future__ import annotations

from pathlib import Path

import pytest

from games import GAMES
from tests.vectors.runner import adapter_of, read, run

FILES = sorted(Path(__file__).parent.glob("*/*.json"))

BESIDE = Path(__file__).parents[3] / "shared" / "reference"
"""Traces on boards that we may not redistribute: run where they lie beside the project."""

OTHERS = [path for path in sorted(BESIDE.glob("*/*.json")) if path.parent.name in GAMES]
NONE = pytest.param(
    None, marks=pytest.mark.skip(reason="no reference traces lie beside the project"), id="none"
)


def named(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", FILES, ids=named)
def test_the_engine_matches_the_measured_values(path: Path) -> None:
    differing = run(adapter_of(path.parent.name), read(path))

    assert not differing, "\n".join(map(str, differing[:20]))


@pytest.mark.parametrize("path", [pytest.param(path, id=named(path)) for path in OTHERS] or [NONE])
def test_the_engine_matches_the_values_measured_on_the_contests_boards(path: Path) -> None:
    differing = run(adapter_of(path.parent.name), read(path))

    assert not differing, "\n".join(map(str, differing[:20]))
