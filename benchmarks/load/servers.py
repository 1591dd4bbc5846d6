"""Servers in processes of their own: how they are started, and what they cost."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from client_sdk.load.target import BotarenaTarget, Load, SeatedMatches, Target, hello
from client_sdk.rest import RestClient
from games import GAMES
from games.core.contract import Json
from games.core.parameters import configure

ANY: Final = ("CONNECTIONS_PER_ADDRESS", "EMPTY_LOBBIES", "LOBBIES_PER_ADDRESS")
MANY: Final = ("LOBBIES", "SPECTATORS", "SPECTATORS_IN_ALL")
UNLIMITED: Final = {
    **{f"BOTARENA_{name}": "0" for name in (*ANY, "REQUESTS_AT_ONCE", "REQUESTS_PER_SECOND")},
    **{f"BOTARENA_{name}": "100000" for name in MANY},
}
"""All load comes from this machine."""
ROOT: Final = Path(__file__).parents[2]


def pin(pid: int, core: int) -> None:
    """Servers on one core and clients on another, where the system lets us choose and there are
    two."""
    if hasattr(os, "sched_setaffinity") and (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(pid, {core})


def started(
    arguments: Sequence[str], folder: str, environment: dict[str, str] | None = None
) -> tuple[subprocess.Popen[str], str]:
    """A server in a process of its own, and the last word of what it says when it listens."""
    with Path(folder, f"{len(list(Path(folder).iterdir()))}.err").open("w") as err:
        process = subprocess.Popen(
            arguments,
            stdout=subprocess.PIPE,
            stderr=err,
            text=True,
            env=os.environ | (environment or {}),
        )
    pin(process.pid, 0)
    assert process.stdout is not None
    words = process.stdout.readline().split()
    if not words:
        raise SystemExit(f"a server did not start; see {folder}")
    return process, words[-1]


class ServerUsage:
    """Processor time and memory of a process (Linux; nan elsewhere)."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def cpu_s(self) -> float:
        """Of all threads, also those that have ended, to the nanosecond."""
        try:
            return time.clock_gettime_ns(~self.pid << 3 | 2) / 1e9  # as clock_getcpuclockid(3) does
        except OSError:
            return float("nan")

    def tree_cpu_s(self) -> float:
        """The same with its child processes, as long as they live."""
        lists = Path(f"/proc/{self.pid}/task").glob("*/children")
        children = [int(pid) for file in lists for pid in file.read_text().split()]
        return self.cpu_s() + sum(ServerUsage(pid).tree_cpu_s() for pid in children)

    def waited_s(self) -> float:
        """How long its main thread, which has the event loop, has waited for a core."""
        try:
            return int(Path(f"/proc/{self.pid}/schedstat").read_text().split()[1]) / 1e9
        except OSError:
            return float("nan")

    def memory_kb(self) -> float:
        try:
            status = Path(f"/proc/{self.pid}/status").read_text()
        except OSError:
            return float("nan")
        return float(re.findall(r"VmRSS:\s+(\d+)", status)[0])


class ClusterUsage(ServerUsage):
    """The same of several server processes: processor time with that of all children."""

    def cpu_s(self) -> float:
        return ServerUsage(self.pid).tree_cpu_s()

    def tree_cpu_s(self) -> float:
        return self.cpu_s()


class TwinTarget:
    """A twin: a seat's token says which match it is of, so there is nothing to make before."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._made = 0

    def seat(self, load: Load, matches: int) -> SeatedMatches:
        game = GAMES[load.game]
        seats = range(game.seats(configure(game, load.config, 0)))
        numbers = range(self._made, self._made + matches)
        self._made += matches
        return SeatedMatches(
            [str(number) for number in numbers],
            [
                [
                    (self.url, hello(token=json.dumps([number, seed, seat]), **load.hello))
                    for seat in seats
                ]
                for seed, number in enumerate(numbers, load.seed or 0)
            ],
            [(self.url, hello(match=numbers[number % matches])) for number in range(load.viewers)],
        )

    def lost(self, seated: SeatedMatches, outcomes: Sequence[Json]) -> Sequence[str]:
        return []


@contextmanager
def botarena(folder: str, workers: int = 1) -> Iterator[tuple[ServerUsage, Target]]:
    """`botarena serve`, without the limits of an address."""
    options = ("--workers", str(workers)) if workers > 1 else ()
    process, url = started([*serve_command(folder), *options], folder, UNLIMITED)
    usage = ClusterUsage if workers > 1 else ServerUsage
    try:
        with RestClient(url) as rest:
            yield usage(process.pid), BotarenaTarget(rest)
    finally:
        stop(process)


@contextmanager
def twin(folder: str, command: Sequence[str]) -> Iterator[tuple[ServerUsage, Target]]:
    process, port = started(command, folder)
    try:
        yield ServerUsage(process.pid), TwinTarget(f"ws://127.0.0.1:{port}/ws/play")
    finally:
        stop(process)


def serve_command(folder: str) -> list[str]:
    """`botarena serve` on a free port, with its data in this folder."""
    serve = "import typer, server.cli; typer.run(server.cli.serve)"
    command = [sys.executable, "-c", serve, "--port", "0", "--data-dir", f"{folder}/data"]
    return [*command, "--log-level", "warning"]


def stop(process: subprocess.Popen[Any]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
