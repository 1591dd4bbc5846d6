"""Sets limits on itself and becomes another program: `launcher.py DATA=… NPROC=… -- COMMAND …`. Standard library only, run
without site-packages, so that nothing of it is felt. For POSIX systems."""

import contextlib
import os
import sys
from pathlib import Path

THREADS = 16
"""A process may have so many on the average: the system counts threads, whoever gives the limit means processes."""


def main() -> None:
    at = sys.argv.index("--")
    for given in sys.argv[1:at]:
        name, _, value = given.partition("=")
        limit(name, int(value) if name != "NPROC" else running() + THREADS * int(value))
    limit("CORE", 0)
    command = sys.argv[at + 1 :]
    try:
        os.execvp(command[0], command)  # noqa: S606  that is the purpose
    except OSError as fault:
        sys.exit(f"{command[0]}: {fault.strerror}")


def limit(name: str, value: int) -> None:
    """For this process and all that it will start, for good. A limit that is lower already stays."""
    if sys.platform != "win32":
        import resource

        number = getattr(resource, f"RLIMIT_{name}")
        _, most = resource.getrlimit(number)
        value = value if most == resource.RLIM_INFINITY else min(value, most)
        with contextlib.suppress(ValueError, OSError):  # a system that does not keep this one
            resource.setrlimit(number, (value, value))


def running() -> int:
    """The threads of this user: the system counts them all, not only the program's own."""
    found = 0
    if sys.platform == "win32":
        return found
    owner = os.getuid()
    with contextlib.suppress(OSError):
        for entry in Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and entry.stat().st_uid == owner:
                    found += len(list((entry / "task").iterdir()))
    return found


if __name__ == "__main__":
    main()
