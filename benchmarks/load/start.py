"""Processor time of starts: a server until it listens, a bot until its hello, `botarena --help`.

Modules are compiled, as an installation has them, whatever the environment says of that."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Final

from websockets.sync.server import ServerConnection, serve

from benchmarks.load.servers import ServerUsage, serve_command, stop

BOT: Final = """\
from botarena.pyrat import Bot, Direction


class Mine(Bot):
    def think(self, state, ctx):
        return Direction.STAY


if __name__ == "__main__":
    Mine().run()
"""


Environment = dict[str, str]


def compiling(folder: str) -> Environment:
    """Our environment, with compiled modules in this folder."""
    kept = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": folder}


def server(folder: str, environment: Environment) -> float:
    """Seconds of processor time until `botarena serve` listens."""
    with Path(folder, "err").open("w") as err:
        process = subprocess.Popen(
            serve_command(folder), stdout=subprocess.PIPE, stderr=err, env=environment
        )
    assert process.stdout is not None
    try:
        if not process.stdout.readline():
            raise SystemExit(f"the server did not start; see {folder}")
        return ServerUsage(process.pid).cpu_s()
    finally:
        process.stdout.close()
        stop(process)


def bot(folder: str, environment: Environment) -> float:
    """Seconds of processor time until the server has a bot's hello."""
    file = Path(folder, "mybot.py")
    file.write_text(BOT, encoding="utf-8")
    spent: list[float] = []

    def hello(connection: ServerConnection) -> None:
        connection.recv()
        spent.append(ServerUsage(process.pid).cpu_s())
        process.kill()

    with serve(hello, "127.0.0.1", 0, compression=None) as listening:
        port = listening.socket.getsockname()[1]
        about = {"BOTARENA_URL": f"ws://127.0.0.1:{port}/ws/play", "BOTARENA_TOKEN": "s_1"}
        process = subprocess.Popen([sys.executable, str(file)], env=environment | about)
        accepting = Thread(target=listening.serve_forever)
        accepting.start()
        process.wait()
        listening.shutdown()
        accepting.join()
    (cpu_s,) = spent
    return cpu_s


def command(environment: Environment, *words: str) -> float:
    """Seconds of processor time of a program, from its start to its end."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(words)} has failed")
    return usage.ru_utime + usage.ru_stime


def starts(rounds: int, say: Callable[[str], None]) -> dict[str, list[float]]:
    """Seconds of processor time by what starts, rounds interleaved."""
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as compiled:
        environment = compiling(compiled)
        for number in range(-1, rounds):
            with tempfile.TemporaryDirectory() as folder:
                help_ = (sys.executable, "-m", "client_sdk.cli", "--help")
                spent = {
                    "python -c pass": command(environment, sys.executable, "-c", "pass"),
                    "botarena --help": command(environment, *help_),
                    "a bot until its hello": bot(folder, environment),
                    "botarena serve until it listens": server(folder, environment),
                }
            if number < 0:
                continue  # modules are compiled, files are read from the disk
            for name, cpu_s in spent.items():
                found.setdefault(name, []).append(round(cpu_s, 4))
                say(f"{name}: {cpu_s:.3f} s")
    return found


def starts_table(found: dict[str, list[float]]) -> str:
    lines = ["| start | s of processor time | beside Python's own |", "|---|---|---|"]
    python = found["python -c pass"]
    for name, spent in found.items():
        ratio = statistics.median(a / b for a, b in zip(spent, python, strict=True))
        lines.append(f"| {name} | {statistics.median(spent):.3f} | {ratio:.1f}x |")
    return "\n".join(lines)
