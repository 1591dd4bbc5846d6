"""Every vector of the project, through the runner."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vectors.runner import adapter_of, read, run

FILES = sorted(Path(__file__).parent.glob("*/*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_engine_does_what_was_measured(path: Path) -> None:
    differing = run(adapter_of(path.parent.name), read(path))

    assert not differing, "\n".join(map(str, differing[:20]))
