"""Server processes that are forked from one that has imported the server already: starting Python
and importing takes a second of a processor each time. What starts the program itself is in
tests/server/test_serving.py, and wherever a test names a program."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from io import TextIOWrapper
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import client_sdk.cli
import client_sdk.cli.online
import server.cli  # noqa: F401  what `serve` imports

context: Any = multiprocessing.get_context("forkserver")
context.set_forkserver_preload([__name__])


def run(
    words: Sequence[str], cwd: Path, environment: Mapping[str, str], output: Connection | Path
) -> None:
    """`botarena` with these words, as a process of its own runs it."""
    file = output.open("a") if isinstance(output, Path) else output
    for stream in (1, 2):
        os.dup2(file.fileno(), stream)
    file.close()
    sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", buffering=1, closefd=False)  # noqa: SIM115
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    client_sdk.cli.main(words)


class ServerProcess:
    """A forked server, with the methods of `subprocess.Popen` that tests use."""

    def __init__(self, words: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> None:
        output, ours = context.Pipe(duplex=False)
        self._process = context.Process(target=run, args=(words, cwd, dict(environment), ours))
        self._process.start()
        ours.close()
        self.pid: int = self._process.pid
        self.stdout: TextIOWrapper = os.fdopen(os.dup(output.fileno()), encoding="utf-8")
        output.close()

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired("botarena", timeout or 0)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)
