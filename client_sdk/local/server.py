"""A server of our own for as long as it is needed: a process on a free port of this machine, which
does not outlive us."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from client_sdk.console import UserError
from client_sdk.reaper import reaper

PATIENCE_S: Final = 10.0
"""How long it may take to end after it was asked to."""
SAYS: Final = "listening on "
MATCHES: Final = "matches"
"""Where in the data folder the records are."""


@contextlib.contextmanager
def local_server(data_dir: Path) -> Iterator[str]:
    """The address of a server that ends with the context. Raises UserError if none can start."""
    with tempfile.TemporaryFile() as log:
        process = _started(data_dir, log)
        reaper.take(process.pid)
        try:
            yield _address(process, log)
        finally:
            process.terminate()
            try:
                process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            reaper.leave(process.pid)
            assert process.stdout is not None
            process.stdout.close()


def _started(data_dir: Path, log: IO[bytes]) -> subprocess.Popen[str]:
    command = [sys.executable, "-P", "-m", "client_sdk.cli", "serve"]
    command += ["--host", "127.0.0.1", "--port", "0"]
    command += ["--data-dir", str(data_dir), "--log-level", "warning"]
    ours = {name: value for name, value in os.environ.items() if not name.startswith("BOTARENA_")}
    return subprocess.Popen(  # noqa: S603  our own Python
        command,
        env=ours,  # the settings of another server, such as its database, are not for this one
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        start_new_session=True,
    )


def _address(process: subprocess.Popen[str], log: IO[bytes]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(SAYS):
            return line.removeprefix(SAYS).strip()
    process.wait()
    log.seek(0)
    said = log.read().decode(errors="replace").strip()
    if "No such command" in said:
        raise UserError("this needs a server of its own: pip install 'botarena[server]'")
    raise UserError(
        "the server does not start: "
        f"{said.splitlines()[-1].removeprefix('botarena: ') if said else 'it says nothing'}"
    )
