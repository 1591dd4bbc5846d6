"""Which files belong to a bot, and its private copy of them.

A bot that has a folder to itself owns all of it. In a folder with something else of the contest,
such as another bot or the plan, it owns its own file and what the plan names (`files`)."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

from client_sdk.bot_roots import imports

COPIED_BYTES: Final = 64 * 1024 * 1024
COPIED_FILES: Final = 2_000
"""What is copied of a bot's files at most: those that are named first, then folder by folder the
smallest."""
NOT_COPIED: Final = frozenset({"__pycache__", "node_modules", "venv", "env"})
LOG_OF_FACTS: Final = "facts.jsonl"
PLAN_FILE: Final = "tournament.toml"
"""A folder with such a file is a tournament's, with all its records: no part of a bot beside it."""


def owned(home: Path, named: Collection[Path], others: Collection[Path]) -> tuple[Path, ...]:
    """What belongs to the bot whose folder is `home`: what is `named`, and the folder if none of
    `others` is in it. Absolute paths."""
    shared = any(other not in named and other.is_relative_to(home) for other in others)
    return (*named,) if shared else (*named, home)


def everything(file: Path) -> tuple[Path, ...]:
    """What a bot that is trusted has: the folder of its file, and what it imports from above."""
    return (file.parent, *imports(file).names)


def copied(file: Path, folder: Path, own: Collection[Path]) -> Path:
    """Copy a bot's files below `folder`, into one that is called as theirs; the copy of its `file`.
    `own`: what belongs to it. What a file imports is never enough to copy it: an untrusted one may
    name any folder."""
    (folder / "tmp").mkdir(mode=0o700, parents=True, exist_ok=True)
    above = [path.parent for path in own if not path.is_relative_to(file.parent)]
    home = Path(os.path.commonpath([file.parent, *above]))
    target = folder / (home.name or "bot")
    copy_files(home, target, [file, *own])
    return target / file.relative_to(home)


def copy_files(home: Path, target: Path, own: Collection[Path]) -> None:
    """Copy these files and folders of `home` to `target`, each to where it stands, as far as they
    are no whole library."""
    target.mkdir(mode=0o700, parents=True, exist_ok=True)
    named = dict.fromkeys(path for path in own if path.is_file())
    for path in named:
        _copy(path, target / path.relative_to(home))
    room = COPIED_BYTES
    beside = [found for folder in own if folder.is_dir() for found in sorted(_files(folder, home))]
    for size, path in beside[:COPIED_FILES]:
        room -= size
        if room < 0:
            break
        if path not in named:
            with contextlib.suppress(OSError):
                _copy(path, target / path.relative_to(home))


def bot_files(folder: Path) -> list[Path]:
    """What is copied of a folder that is all one bot's."""
    return [path for _, path in sorted(_files(folder, folder))]


def _copy(path: Path, target: Path) -> None:
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    shutil.copyfile(path, target)
    target.chmod(0o600 | path.stat().st_mode & 0o100)


def _files(folder: Path, home: Path) -> Iterator[tuple[int, Path]]:
    """The files below a folder, with their sizes; left out are hidden ones, what is no bot's own,
    and links that lead out of `home`."""
    seen = 0
    for where, folders, names in os.walk(folder):
        if LOG_OF_FACTS in names or PLAN_FILE in names:
            folders[:] = []
            continue
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and name not in NOT_COPIED
        )
        for name in sorted(names):
            path = Path(where, name)
            with contextlib.suppress(OSError):
                if path.is_file() and (
                    not path.is_symlink() or path.resolve().is_relative_to(home.resolve())
                ):
                    yield path.stat().st_size, path
        seen += len(names)
        if seen > 10 * COPIED_FILES:
            return
