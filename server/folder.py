"""Whose a data directory is: a server that is alone has it for itself, processes that are one server by their names share it.

The lock is the system's own: it is free again when its holder ends, however that ends. Where a file system has none, nobody is
kept out.
"""

from __future__ import annotations

import errno
import sys
from pathlib import Path
from typing import IO

LOCK = "server.lock"


class InUse(OSError):
    """Another server works in this data directory."""


def hold(folder: Path, *, shared: bool = False) -> IO[bytes]:
    """Held until this is closed. Raises InUse, OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    file = (folder / LOCK).open("ab")
    try:
        _lock(file, shared)
    except OSError as fault:
        if fault.errno in (errno.EWOULDBLOCK, errno.EACCES):
            file.close()
            raise InUse(fault.errno, "another server works in it", str(folder)) from None
    return file


def share(file: IO[bytes]) -> None:
    """From here on others of the same server may hold it too."""
    _lock(file, shared=True)


def _lock(file: IO[bytes], shared: bool) -> None:
    if sys.platform == "win32":
        import msvcrt

        if not shared:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_NB | (fcntl.LOCK_SH if shared else fcntl.LOCK_EX))
