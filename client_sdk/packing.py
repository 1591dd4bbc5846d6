"""Archives of bots: what one may hold, and how one is made."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from client_sdk.bot_files import COPIED_BYTES, COPIED_FILES

SUFFIXES: Final = (".zip", ".tar", ".tar.gz", ".tgz")
"""How the name of an archive ends that a server takes."""
PACKED_FILES: Final = COPIED_FILES
"""Files of an archive, at most: what of a bot's files is copied for each match."""
PACKED_BYTES: Final = COPIED_BYTES
"""Of all its files together, unpacked."""
MANIFEST: Final = "botarena.toml"
"""The file of an archive that says how its bot is built and started."""


def is_archive(name: str) -> bool:
    return name.lower().endswith(SUFFIXES)


def pack(folder: Path, files: Iterable[Path]) -> bytes:
    """A `.tar.gz` of these files of a folder, the same for the same files. Raises OSError."""
    packed = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", filename="", mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for file in sorted(files):
            entry = tarfile.TarInfo(file.relative_to(folder).as_posix())
            content = file.read_bytes()
            entry.size = len(content)
            entry.mode = 0o755 if file.stat().st_mode & 0o100 else 0o644
            tar.addfile(entry, io.BytesIO(content))
    return packed.getvalue()
