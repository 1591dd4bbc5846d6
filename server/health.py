"""Whether this server should get new work, and if not, why. Each part reports its problems."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import structlog

from server.net.descriptors import unwritten


class Health:
    """The present problems, by the name of the part that has them (`disk`, `store`, `draining`,
    `loop`, `files`, `lobbies`)."""

    def __init__(self) -> None:
        self._problems: dict[str, str] = {}

    def report(self, name: str, problem: str | None) -> None:
        """What is wrong with this part now; None: nothing. Each change is logged once."""
        if problem is None:
            if self._problems.pop(name, None) is not None:
                structlog.get_logger().info("well again", part=name)
            return
        if name not in self._problems:
            structlog.get_logger().warning("not well", part=name, problem=problem)
        self._problems[name] = problem

    @property
    def problems(self) -> dict[str, str]:
        """A sentence by part, sorted; empty: ready."""
        return dict(sorted(self._problems.items()))


def disk_problem(folder: Path, min_free: int) -> str | None:
    """Whether files can still be written here, tried with a small one. Waits for the disk, so never
    on the loop."""
    try:
        free = shutil.disk_usage(folder).free
        if free < min_free:
            return f"no_space: {free} bytes are free, {min_free} are wanted"
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"\0" * 4096)
            probe.flush()
    except OSError as fault:
        if unwritten(fault) != "disk_full":
            return None  # that is for `Descriptors.problem` to say
        return f"not writable: {fault.strerror or fault}"
    return None
