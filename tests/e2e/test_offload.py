"""The child process for CPU work, of a server in a process of its own."""

from __future__ import annotations

import sys
from pathlib import Path

import httpx
import pytest

from server.routes.large import SMALL
from tests.e2e.arena import Arena, eventually, started

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="this looks into /proc")


def children(arena: Arena) -> list[str]:
    pid = arena.process.pid
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [child for task in tasks for child in task.read_text().split()]


def test_the_process_starts_with_the_first_large_body_and_ends_with_a_killed_server(
    tmp_path: Path,
) -> None:
    with started(tmp_path) as arena:
        arena.rest.create("botstack")
        assert children(arena) == []

        body = b'{"game":"pyrat"}'.ljust(SMALL + 1)
        headers = {"Content-Type": "application/json"}
        made = httpx.post(
            f"{arena.url}/api/v1/lobbies",
            content=body,
            headers=headers,
            trust_env=False,
            timeout=60,
        )
        begun = children(arena)
        assert made.status_code == 201
        assert begun

        arena.process.kill()
        eventually(lambda: not any(Path(f"/proc/{child}").exists() for child in begun))
