"""Whose a data directory is: a server that is alone has it for itself, processes that are one
server by their names share it."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from client_sdk import private
from client_sdk.locks import Taken, lock

LOCK = "server.lock"
MATCHES = "matches"
"""The folder of journals and replays."""


def hold(folder: Path, *, shared: bool = False) -> IO[bytes]:
    """Held until this is closed. Raises OSError, Taken if another server works there."""
    return _locked(folder, LOCK, shared, "another server works in it")


def hold_name(folder: Path, node: str) -> IO[bytes]:
    """The name of a process in this directory, held until this is closed. Raises OSError, Taken if
    another process has it."""
    return _locked(folder, f"node-{node}.lock", False, f"another process goes by the name {node!r}")


def share(file: IO[bytes]) -> None:
    """From here on others of the same server may hold it too."""
    lock(file.fileno(), shared=True)


def record_files(folder: Path, ending: str) -> list[Path]:
    """The files of matches that end like this, sorted. A pipe, or a link to a device, is none: it
    would be read without end. Blocks."""
    return sorted(path for path in (folder / MATCHES).glob(f"*{ending}") if path.is_file())


def _locked(folder: Path, name: str, shared: bool, why: str) -> IO[bytes]:
    private.folder(folder)
    file = private.opened(folder / name, "ab")
    try:
        lock(file.fileno(), shared=shared)
    except Taken as taken:
        file.close()
        raise Taken(taken.errno, why, str(folder)) from None
    return file
