"""A look inside a server process: what it holds, and that it holds no more of it in the end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.e2e.arena import PATIENCE_S, Arena, eventually

DATABASE = "botarena.sqlite3"
needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def numbers(arena: Arena) -> Mapping[str, float]:
    """The server's metrics, summed over their labels."""
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(
        httpx.get(f"{arena.url}/metrics", trust_env=False, verify=False, timeout=PATIENCE_S).text
    ):
        for sample in family.samples:
            found[sample.name] = found.get(sample.name, 0) + sample.value
    return found


@dataclass(frozen=True)
class Held:
    tasks: int
    files: int
    """Open descriptors, sockets among them. Those of the database are left out: its pool keeps a
    few connections, and no more."""
    memory: int
    """Resident, bytes."""

    def __str__(self) -> str:
        return f"{self.tasks} tasks, {self.files} files, {self.memory / 2**20:.1f} MiB"


def held(arena: Arena) -> Held:
    place = Path(f"/proc/{arena.process.pid}")
    status = (place / "status").read_text()
    resident = next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:"))
    files = [file for file in (place / "fd").iterdir() if DATABASE not in target(file)]
    return Held(int(numbers(arena)["botarena_tasks"]), len(files), int(resident) * 1024)


def target(file: Path) -> str:
    """What a descriptor is open for."""
    try:
        return str(file.readlink())
    except OSError:
        return "closed meanwhile"


def settled(arena: Arena) -> Held:
    """What is held without connections and matches."""

    def quiet() -> bool:
        now = numbers(arena)
        return not any(
            now.get(name)
            for name in ("botarena_connections", "botarena_matches", "botarena_house_bots")
        )

    return at_rest(arena, quiet)


def at_rest(arena: Arena, quiet: Callable[[], bool]) -> Held:
    """What is held when this is so and the last requests have gone as well: twice the same, one
    after the other."""
    eventually(quiet)
    seen: list[Held] = []

    def twice() -> bool:
        seen.append(held(arena))
        return len(seen) > 1 and (seen[-1].tasks, seen[-1].files) == (
            seen[-2].tasks,
            seen[-2].files,
        )

    eventually(twice)
    return seen[-1]


def no_more(arena: Arena, before: Held, quiet: Callable[[], bool], *, memory: int) -> Held:
    """Wait until the server holds as many tasks and files as before, and check that it has taken no
    more than this number of bytes."""
    eventually(quiet)
    seen = [held(arena)]

    def back() -> bool:
        seen.append(held(arena))
        return seen[-1].tasks <= before.tasks and seen[-1].files <= before.files

    try:
        eventually(back)
    except AssertionError:
        raise AssertionError(f"before: {before}; now: {seen[-1]}") from None
    assert seen[-1].memory - before.memory <= memory, f"before: {before}; now: {seen[-1]}"
    return seen[-1]
