"""The system's own locks on files: one is free again when its holder ends, however that ends."""

from __future__ import annotations

import errno
import sys
from typing import Final

_TAKEN: Final = (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)


class Taken(OSError):
    """Another holder has it."""


def lock(file: int, *, shared: bool = False, wait: bool = False) -> None:
    """Lock an open file (its descriptor) as long as that is open. `shared`: with others who share
    it. Where a file system has no locks this does nothing; on Windows locks are not shared and
    `wait` has no effect. Raises Taken, if not to `wait`."""
    try:
        _lock(file, shared, wait)
    except OSError as fault:
        if fault.errno in _TAKEN:
            raise Taken(fault.errno, fault.strerror) from None


def _lock(file: int, shared: bool, wait: bool) -> None:
    if sys.platform == "win32":
        import msvcrt

        if not shared:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(
            file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB)
        )
