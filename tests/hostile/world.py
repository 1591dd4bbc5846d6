"""What a hostile bot could harm or find: a contest's folder, a home, a database's port, another
process. And what stays of it."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from client_sdk.sandbox import missing

sandboxed = pytest.mark.skipif(
    missing() is not None, reason=f"there is no sandbox here: {missing()}"
)


@dataclass
class World:
    folder: Path
    secret: str
    canary: subprocess.Popen[bytes]
    port: int
    abstract: str
    on_disk: str
    connections: list[object]

    @property
    def names(self) -> dict[str, Any]:
        """What a bot gets to know of it. It has the secret in a form that its own file does not
        contain literally."""
        return {
            "PLAN": str(self.folder / "spring.toml"),
            "RIVAL": str(self.folder / "rival.py"),
            "RECORDS": str(self.folder / "spring"),
            "HOME": str(self.folder / "home"),
            "SECRET": self.secret[::-1],
            "SYSTEM": ("/usr", sys.prefix, sys.base_prefix),
            "PORT": self.port,
            "ADDRESS": _own_address(),
            "ABSTRACT": self.abstract,
            "ON_DISK": self.on_disk,
            "CANARY": self.canary.pid,
            "REFEREE": os.getpid(),
        }

    def unharmed(self) -> None:
        assert self.canary.poll() is None
        assert not self.connections
        assert self.secret in (self.folder / "spring.toml").read_text()
        assert self.secret in (self.folder / "rival.py").read_text()


@contextlib.contextmanager
def world(folder: Path) -> Iterator[World]:
    secret = secrets.token_hex(12)
    records, home = folder / "spring", folder / "home"
    for made in (records / "games", home):
        made.mkdir(parents=True)
    for path in (
        folder / "spring.toml",
        folder / "rival.py",
        home / "key",
        records / "tournament.toml",
        records / "facts.jsonl",
    ):
        path.write_text(f"# {secret}\n")
    (records / "games" / "rr-1.journal.jsonl").write_text(secret)
    connections: list[object] = []
    name = secrets.token_hex(6)
    abstract, on_disk = f"\0botarena-{name}", f"/tmp/botarena-{name}.sock"
    with contextlib.ExitStack() as stack:
        port = _listening(stack, socket.AF_INET, ("127.0.0.1", 0), connections)[1]
        _listening(stack, socket.AF_UNIX, abstract, connections)
        _listening(stack, socket.AF_UNIX, on_disk, connections)
        stack.callback(os.unlink, on_disk)
        canary = stack.enter_context(
            subprocess.Popen(["sleep", "3600"], env={"SECRET": secret, "PATH": os.environ["PATH"]})
        )
        stack.callback(canary.kill)
        yield World(folder, secret, canary, port, abstract, on_disk, connections)


def _listening(
    stack: contextlib.ExitStack, family: int, address: Any, connections: list[object]
) -> Any:
    listener = stack.enter_context(socket.socket(family))
    listener.bind(address)
    listener.listen()

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                connections.append(listener.accept())

    threading.Thread(target=accept, daemon=True).start()
    stack.callback(lambda: listener.shutdown(socket.SHUT_RDWR))
    return listener.getsockname()


def _own_address() -> str:
    """An address of this machine other than its loopback's, if it has one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))
        except OSError:
            return "192.0.2.1"
        return str(asked.getsockname()[0])


def namespaces() -> set[str]:
    """Of processes, those in which some process runs. One that has ended and waits for its parent
    is none."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                namespace = str((entry / "ns" / "pid").readlink())
                if (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()[
                    0
                ] not in "ZX":
                    found.add(namespace)
    return found


def mounts(own: Path) -> list[str]:
    """What is mounted, but for what other tests mount in folders of theirs."""
    shown = [
        line.split(" ", 2)[2] for line in Path("/proc/self/mountinfo").read_text().splitlines()
    ]
    return [line for line in shown if "/pytest-of-" not in line or str(own) in line]
