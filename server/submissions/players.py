"""A version as a player of games: its files in a folder, and what is started in the sandbox."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Final

from client_sdk.bounds import Bounds
from client_sdk.local.players import BotKind, PlayerSpec, is_file, words
from server.store.submissions import Submission
from server.submissions.archive import unpack

BOUNDS: Final = Bounds(sandbox="bubblewrap")
"""What a bot that was handed in may use in a game."""


def player(submission: Submission, content: bytes, cache: Path, label: str) -> PlayerSpec:
    """The player that a version is. `content`: its file (`Submission.played`), which is unpacked
    below the folder `cache` once. It never plays outside of the sandbox (`BOUNDS`). Blocks. Raises
    Refusal, OSError."""
    home = cache / folder_of(submission)
    if not home.is_dir():
        _unpacked(submission, content, home)
    return spec(submission.kind, submission.entry, home, label)


def folder_of(submission: Submission) -> str:
    """The name of the folder in which a version is unpacked: a file of its own is there under the
    name that its author gave it."""
    return sha256(f"{submission.played}/{submission.played_name}".encode()).hexdigest()


def spec(kind: BotKind, entry: str, home: Path, label: str) -> PlayerSpec:
    """The player whose files are in `home`."""
    if kind == "file":
        file = home / entry
        return PlayerSpec(label, str(file), kind, home=str(file.parent), own=(str(file.parent),))
    program = home / words(entry)[0]
    if is_file(str(program)) and program.resolve().is_relative_to(home.resolve()):
        program.chmod(0o700)  # an archive that was made on Windows has no executable files
    return PlayerSpec(label, entry, kind, home=str(home), own=(str(home),))


def _unpacked(submission: Submission, content: bytes, home: Path) -> None:
    """Several processes may do so at once: one of them is first."""
    home.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=".unpacking-", dir=home.parent))
    try:
        exact = submission.built is not None
        found = unpack(content, submission.played_name, made / "files", exact=exact)
        with contextlib.suppress(OSError):
            found.rename(home)
    finally:
        shutil.rmtree(made, ignore_errors=True)
