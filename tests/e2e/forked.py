"""A server that is killed, or ends by itself, in the middle of what a test does."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path

from client_sdk.rest import RestClient
from tests.e2e.arena import eventually, not_ready
from tests.forked_process import context, run


@contextlib.contextmanager
def forked(
    port: int, data: Path, *, resumed: bool = True, **settings: str
) -> Iterator[tuple[BaseProcess, RestClient]]:
    """A server that listens and, by default, has resumed all matches; it is killed at the end if it
    still runs."""
    words = ["serve", "--port", str(port), "--data-dir", str(data), "--log-level", "warning"]
    streams = (None, data / "log", None)
    process = context.Process(target=run, args=(words, data, os.environ | settings, streams))
    process.start()
    try:
        eventually(lambda: listens(port) or not process.is_alive())
        if resumed:
            eventually(
                lambda: (
                    not process.is_alive()
                    or "resuming" not in not_ready(f"http://127.0.0.1:{port}")
                )
            )
        with RestClient(f"http://127.0.0.1:{port}") as rest:
            yield process, rest
    finally:
        kill(process)
        process.close()


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def kill(process: BaseProcess) -> None:
    """Without a moment to do anything."""
    process.kill()
    process.join()
