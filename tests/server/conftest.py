"""One server that the tests of a worker share; each test has matches and sockets of its own on
it."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator

import pytest

from tests.server.live_server import LiveServer, hosted


@pytest.fixture(autouse=True)
def _a_busy_machine_is_no_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that was held up for a second is not ready, and so is that of a test where other
    processes take the processor."""
    monkeypatch.setattr("server.watch.HELD_UP_MS", 60_000)


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with hosted(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def live_server(shared_server: LiveServer) -> Iterator[LiveServer]:
    with contextlib.ExitStack() as sockets:
        yield dataclasses.replace(shared_server, sockets=sockets)
