"""`botarena` in processes that are forked from one that has imported it already: to start Python
and to import the server takes a second of a processor each time. The program itself is started by
`program` in tests/client_sdk/cli/conftest.py, and wherever a test names a program."""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import pkgutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TextIO

import client_sdk.cli
import client_sdk.local.pool
import client_sdk.local.tournament.playing
import server.offload

context: Any = multiprocessing.get_context("forkserver")


def _modules() -> Iterator[str]:
    """What `botarena` imports as late as possible, so that a forked process need not."""
    for package in (client_sdk.cli, client_sdk.local):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith(".__main__"):
                yield module.name
    for module in pkgutil.iter_modules(server.__path__, "server."):
        if module.name.startswith("server.cli"):
            yield module.name
    yield "games.every"
    yield "tests.warm"


context.set_forkserver_preload([__name__, *_modules()])


def fork_children() -> None:
    """From now on what this process gives to a child process, be it a server's work or the games of
    a command, is done by one that is forked."""
    for module in (server.offload, client_sdk.local.pool, client_sdk.local.tournament.playing):
        vars(module)["get_context"] = lambda method: context


def run(
    words: Sequence[str],
    cwd: Path | None,
    environment: Mapping[str, str],
    streams: Sequence[Connection | Path | None],
    prepare: Callable[[], object] | None = None,
) -> None:
    """`botarena` with these words, as a process of its own runs it. `streams`: standard input,
    output and error; without the first there is no input, without the last it is the second.
    `prepare` is called before."""
    for number, stream in enumerate(streams):
        if isinstance(stream, Path):
            file = os.open(stream, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        elif stream is None:
            file = os.dup(1) if number else os.open(os.devnull, os.O_RDONLY)
        else:
            file = os.dup(stream.fileno())
            stream.close()
        os.dup2(file, number)
        os.close(file)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, encoding="utf-8", closefd=False)  # noqa: SIM115
    if cwd is not None:
        os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    if prepare is not None:
        prepare()
    client_sdk.cli.main(words)


class ForkedProcess:
    """`botarena` with these words as a forked process, with the methods of `subprocess.Popen` that
    tests use. It has no input, and standard error goes where standard output goes, unless they are
    asked for."""

    stdin: TextIO | None = None
    stderr: TextIO | None = None

    def __init__(
        self,
        words: Sequence[object],
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
        *,
        typed: bool = False,
        errors: bool | Path = False,
        prepare: Callable[[], object] | None = None,
    ) -> None:
        """`typed`: it has an input. `errors`: standard error is a stream of its own, or is
        appended to this file. `prepare`: what the process calls first."""
        theirs: list[Connection | Path | None] = [None, None, None]
        output, theirs[1] = context.Pipe(duplex=False)
        self.stdout = _file(output)
        if typed:
            theirs[0], ours = context.Pipe(duplex=False)
            self.stdin = _file(ours, "w")
        if isinstance(errors, Path):
            theirs[2] = errors
        elif errors:
            output, theirs[2] = context.Pipe(duplex=False)
            self.stderr = _file(output)
        settings = dict(os.environ if environment is None else environment)
        self._process = context.Process(
            target=run, args=([str(word) for word in words], cwd, settings, theirs, prepare)
        )
        self._process.start()
        for stream in theirs:
            if isinstance(stream, Connection):
                stream.close()
        self.pid: int = self._process.pid

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

    def communicate(self, typed: str = "", timeout: float | None = None) -> tuple[str, str]:
        """What it writes to standard output and error until it ends. It ends in time, or is
        killed."""
        out, err = io.StringIO(), io.StringIO()
        readers = [
            threading.Thread(target=lambda to=to, stream=stream: to.write(stream.read()))
            for to, stream in ((out, self.stdout), (err, self.stderr))
            if stream is not None
        ]
        for reader in readers:
            reader.start()
        if self.stdin is not None:
            with contextlib.suppress(BrokenPipeError), self.stdin as stdin:
                stdin.write(typed)
        try:
            self.wait(timeout)
        finally:
            self.kill()
            for reader in readers:
                reader.join()
            self.close()
        return out.getvalue(), err.getvalue()

    def close(self) -> None:
        for stream in (self.stdin, self.stdout, self.stderr):
            if stream is not None:
                stream.close()

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _file(connection: Connection, mode: str = "r") -> TextIO:
    """The descriptor of one end of a pipe as a file."""
    with connection:
        return os.fdopen(os.dup(connection.fileno()), mode, encoding="utf-8")
