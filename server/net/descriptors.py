"""Open files: every connection, journal and pipe takes one of a limited number of descriptors.

The system gives the lowest free number to a new descriptor. So the number of one that was just
opened says how full the table is: nothing has to be counted.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys

if sys.platform != "win32":
    import resource

RESERVE = 256
"""Descriptors kept for journals, the database and house bots; a quarter of a small limit."""
SHARES = 4
"""What is left is divided by this: the connections of each kind that one address may have."""
NO_LIMIT = 1 << 20
"""What counts where the system names no limit, or a greater one."""
SPENT = (errno.EMFILE, errno.ENFILE)


def raise_limit() -> None:
    """Let this process open as many files as the system lets it have: the soft limit is raised to
    the hard one. Leaves it as it is where the system refuses."""
    if sys.platform == "win32":
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with contextlib.suppress(OSError, ValueError):  # macOS names no limit, and takes none
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def limit() -> int:
    """The number of files that this process may have open at a time."""
    if sys.platform == "win32":
        return NO_LIMIT
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return NO_LIMIT if soft == resource.RLIM_INFINITY else min(soft, NO_LIMIT)


class Descriptors:
    """What connections may take of this process's open files."""

    def __init__(self, most: int | None = None) -> None:
        """`most`: the number of files that can be open; None: the process's limit now."""
        self.most = limit() if most is None else most
        self._reserve = min(RESERVE, self.most // 4)

    def per_address(self, wanted: int) -> int:
        """The connections that one address may have if a setting says `wanted` (0: any number)."""
        most = max(1, (self.most - self._reserve) // SHARES)
        return min(wanted, most) if wanted else most

    def reserved(self, descriptor: int) -> bool:
        """Whether a connection with this descriptor takes one of those that are kept back."""
        return descriptor >= self.most - self._reserve

    def problem(self) -> str | None:
        """Why no new match should begin: half of those that are kept back are in use too."""
        try:
            probe = os.open(os.devnull, os.O_RDONLY)
            os.close(probe)
        except OSError as fault:
            return None if fault.errno not in SPENT else f"too_many_files: {fault.strerror}"
        if probe < self.most - self._reserve // 2:
            return None
        return f"too_many_files: nearly all of {self.most} are open"


def unwritten(fault: OSError) -> str:
    """Why a record could not be written: `too_many_files` or `disk_full`."""
    return "too_many_files" if fault.errno in SPENT else "disk_full"
