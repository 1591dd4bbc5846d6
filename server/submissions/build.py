"""Build a bot in the sandbox. Its files come out of it as an archive, which is read as carefully as
that of a stranger: the build is the stranger's."""

from __future__ import annotations

import subprocess
import threading
from pathlib import Path
from typing import Final

from client_sdk.bounds import MB, Bounds
from client_sdk.packing import PACKED_BYTES, pack
from client_sdk.process import BotProcess, printable
from server.errors import Refusal
from server.submissions.archive import TAR_OVERHEAD, unpack

BOUNDS: Final = Bounds(
    memory_bytes=2048 * MB,
    processes=256,
    file_bytes=256 * MB,
    disk_bytes=512 * MB,
    open_files=1024,
    sandbox="bubblewrap",
)
"""What a build may use."""
BUILD_S: Final = 120.0
LOG_BYTES: Final = 64 << 10
"""What is kept of what a build says: the last of it."""
SCRIPT: Final = '(eval "$1") >&2 </dev/null && exec tar -chf - --hard-dereference --exclude=./tmp .'
"""For `sh`: build, and write what there is then as an archive."""


class NotBuilt(Exception):
    """The text says why, and `log` what the build has said."""

    def __init__(self, why: str, log: str) -> None:
        super().__init__(why)
        self.log = log


def built(home: Path, command: str, game: str, folder: Path) -> tuple[bytes, str]:
    """The bot's files after its build, as a `.tar.gz`, and what the build has said. `folder`: an
    empty one, for them to be unpacked. Raises NotBuilt, NoSandbox."""
    packed = bytearray()
    most = PACKED_BYTES + TAR_OVERHEAD
    with BotProcess(
        ["/bin/sh", "-c", SCRIPT, "build", command],
        game=game,
        cwd=home,
        bounds=BOUNDS,
        log_bytes=LOG_BYTES,
        stdio=True,
    ) as process:
        process.stdin.close()

        def read() -> None:
            while len(packed) <= most and (chunk := process.stdout.read(1 << 16)):
                packed.extend(chunk)

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        reader.join(BUILD_S)
        late, large = reader.is_alive(), len(packed) > most
        if late or large:
            process.end()
        try:
            status = process.wait(5.0)
        except subprocess.TimeoutExpired:
            process.end()
            status = -1
        reader.join(5.0)
        log = printable(process.output, LOG_BYTES)
    if late:
        raise NotBuilt(f"the build took more than {BUILD_S:.0f} s", log)
    if process.passed is not None:
        raise NotBuilt(f"the build used {process.passed}", log)
    if status and not large:
        raise NotBuilt(f"the build ended with status {status}", log)
    try:
        kept = unpack(bytes(packed), "built.tar", folder, exact=True)
    except Refusal as refused:
        raise NotBuilt(f"what the build has left cannot be kept: {refused.text}", log) from None
    (kept / "tmp").rmdir()
    return pack(kept, (path for path in kept.rglob("*") if path.is_file())), log
