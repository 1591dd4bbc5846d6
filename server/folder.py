"""Whose a data directory is: a server that is alone has it for itself, processes that are one server by their names share it."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from client_sdk import private
from client_sdk.locks import Taken, lock

LOCK = "server.lock"


def hold(folder: Path, *, shared: bool = False) -> IO[bytes]:
    """Held until this is closed. Raises OSError, Taken if another server works there."""
    private.folder(folder)
    file = private.opened(folder / LOCK, "ab")
    try:
        lock(file.fileno(), shared=shared)
    except Taken as taken:
        file.close()
        raise Taken(taken.errno, "another server works in it", str(folder)) from None
    return file


def share(file: IO[bytes]) -> None:
    """From here on others of the same server may hold it too."""
    lock(file.fileno(), shared=True)
