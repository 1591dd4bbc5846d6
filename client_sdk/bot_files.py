"""Which files belong to a bot, and its private copy of them."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

COPIED_BYTES: Final = 64 * 1024 * 1024
COPIED_FILES: Final = 2_000
"""What is copied of a bot's folder at most: the bot's own file first, then the smallest."""
NOT_COPIED: Final = frozenset({"__pycache__", "node_modules", "venv", "env"})
LOG_OF_FACTS: Final = "facts.jsonl"
"""A folder with such a file is a tournament's, with all its records: no part of a bot beside it."""


def copied(file: Path, folder: Path) -> Path:
    """Copy a bot's folder below `folder`, under its own name, as far as it is no whole library; the copy of the file."""
    home = folder / (file.parent.name or "bot")
    (folder / "tmp").mkdir(exist_ok=True)
    home.mkdir(exist_ok=True)
    shutil.copy(file, home / file.name)
    room = COPIED_BYTES
    beside = sorted((size, path) for size, path in _files(file.parent) if path != file)
    for size, path in beside[:COPIED_FILES]:
        room -= size
        if room < 0:
            break
        target = home / path.relative_to(file.parent)
        with contextlib.suppress(OSError):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    return home / file.name


def _files(folder: Path) -> Iterator[tuple[int, Path]]:
    """The files below a folder, with their sizes; the hidden ones and what is no bot's own left out."""
    seen = 0
    for where, folders, names in os.walk(folder):
        if LOG_OF_FACTS in names:
            folders[:] = []
            continue
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in NOT_COPIED)
        for name in sorted(names):
            path = Path(where, name)
            with contextlib.suppress(OSError):
                if path.is_file():
                    yield path.stat().st_size, path
        seen += len(names)
        if seen > 10 * COPIED_FILES:
            return
