"""A server in a process forked from one that has imported it already: it is there in a moment, and can be killed by its pid."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import socket
from collections.abc import Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from client_sdk.rest import Rest
from server import cli
from tests.e2e.arena import eventually, not_ready

context: Any = multiprocessing.get_context("forkserver")
context.set_forkserver_preload([__name__])


def run(port: int, data: Path, log: Path, settings: dict[str, str]) -> None:
    """`botarena serve`, from its first line on."""
    with log.open("a") as file:
        for stream in (1, 2):
            os.dup2(file.fileno(), stream)
    os.environ.update(settings)
    cli.serve(port=port, data_dir=data, log_level="warning")


@contextlib.contextmanager
def forked(port: int, data: Path, *, resumed: bool = True, **settings: str) -> Iterator[tuple[BaseProcess, Rest]]:
    """One that listens, and has resumed all matches unless told otherwise; killed at the end if it still runs."""
    process = context.Process(target=run, args=(port, data, data / "log", settings))
    process.start()
    try:
        eventually(lambda: listens(port) or not process.is_alive())
        if resumed:
            eventually(lambda: not process.is_alive() or "resuming" not in not_ready(f"http://127.0.0.1:{port}"))
        with Rest(f"http://127.0.0.1:{port}") as rest:
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
