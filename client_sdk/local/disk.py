"""Private files that are whole or not there, also after the power has gone."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from client_sdk import private


def write(file: Path, content: bytes) -> None:
    """Have this file with this content. Raises OSError."""
    part = file.with_name(f"{file.name}.part")
    with private.opened(part, "wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())
    part.replace(file)
    with contextlib.suppress(
        OSError
    ):  # some systems do not open folders, and keep names by themselves
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
