"""Files and folders that only their owner can read (POSIX): records, seeds and plans.

On Windows they are as private as the folder that they are made in.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import IO, Any, Final

FILE: Final = 0o600
FOLDER: Final = 0o700


def opened(file: Path, mode: str) -> IO[Any]:
    """Open a file as `open` does; one that is there already becomes private too, but no device or
    pipe: all users need /dev/null. Raises OSError."""
    found: IO[Any] = open(file, mode, opener=_opener)  # noqa: SIM115  its caller closes it
    now = os.fstat(found.fileno()).st_mode
    if os.name == "posix" and stat.S_ISREG(now) and stat.S_IMODE(now) != FILE:
        os.fchmod(found.fileno(), FILE)
    return found


def _opener(file: str, flags: int) -> int:
    return os.open(file, flags, FILE)


def folder(path: Path) -> Path:
    """Have this folder; one that is there already stays as it is. Raises OSError."""
    path.mkdir(mode=FOLDER, parents=True, exist_ok=True)
    return path
