"""What the tests of the store share: each runs on both databases."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from server.store.store import Store
from tests.stores import KINDS, database


@pytest.fixture(params=KINDS)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with database(request.param, tmp_path) as url:
        yield url


@pytest.fixture
async def store(store_url: str) -> AsyncIterator[Store]:
    """A store that is open."""
    opened = Store(store_url)
    await opened.open()
    yield opened
    await opened.close()
