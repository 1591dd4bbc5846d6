"""One server that the tests of a worker share; each test has matches and sockets of its own on
it."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator

import pytest

from tests.server.house import House, hosted


@pytest.fixture(scope="session")
def shared_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with hosted(tmp_path_factory.mktemp("house")) as running:
        yield running


@pytest.fixture
def house(shared_house: House) -> Iterator[House]:
    with contextlib.ExitStack() as sockets:
        yield dataclasses.replace(shared_house, sockets=sockets)
