"""A real server in a process of its own, shared by the tests of one worker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.arena import Arena, started


@pytest.fixture(scope="session")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with started(tmp_path_factory.mktemp("arena")) as running:
        yield running


@pytest.fixture
def own_arena(tmp_path: Path) -> Iterator[Arena]:
    """For tests that end the server, or need to know everything that happened on it."""
    with started(tmp_path) as running:
        yield running
