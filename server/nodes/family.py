"""Several server processes on one machine: they share a port and a data directory, and each has a port of its own for sockets.

The parent plays nothing. It opens the shared port and hands it to its children, so that whoever has time takes the next request
and nothing is lost with a child; it starts a child again that ends, which takes up its matches from their journals; and it hands
signals on. A child ends when its parent does.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType

import structlog

LISTENING = "listening on "
AGAIN_S = 1.0
"""A child that ends at once is started again this often."""
SIGNALS = (signal.SIGINT, signal.SIGTERM)


@dataclass
class Child:
    """One process. `port`: 0 is a free one, which it keeps. `ready`: it has said that it listens, once at least."""

    name: str
    port: int
    command: Sequence[str]
    environment: Mapping[str, str]
    process: subprocess.Popen[str] | None = None
    begun: float = 0.0
    ready: threading.Event = field(default_factory=threading.Event)


class Family:
    def __init__(self, shared: socket.socket, children: Sequence[Child]) -> None:
        self._shared = shared
        self._children = children
        self._ending = 0
        """How many signals have come."""
        self._wake = threading.Event()
        self._log = structlog.get_logger()

    def run(self, said: str) -> int:
        """Until a signal comes and all have ended; the status. `said`: what is written to stdout when all listen."""
        before = {number: signal.signal(number, self._signalled) for number in SIGNALS}
        try:
            for child in self._children:
                self._start(child)
            told = False
            while not self._ending:
                self._wake.wait(0.1)
                self._wake.clear()
                for child in self._children:
                    if self._ended(child) and not self._again(child):
                        self._log.error("a process does not come up", node=child.name)
                        self._hand_on(signal.SIGTERM)
                        self._all_ended()
                        return 1
                if not told and all(child.ready.is_set() for child in self._children):
                    told = True
                    sys.stdout.write(f"{LISTENING}{said}\n")
                    sys.stdout.flush()
            return self._all_ended()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _start(self, child: Child) -> None:
        child.begun = time.monotonic()
        child.process = subprocess.Popen(  # noqa: S603  our own command line
            [*child.command, "--port", str(child.port)],
            env=child.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=[self._shared.fileno()],
            start_new_session=True,
            text=True,
        )
        threading.Thread(target=self._listen, args=(child, child.process), daemon=True).start()

    def _listen(self, child: Child, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                if line.startswith(LISTENING):
                    child.port = int(line.rpartition(":")[2])
                    self._log.info("a process listens", node=child.name, pid=process.pid, at=line.removeprefix(LISTENING).strip())
                    child.ready.set()
                    self._wake.set()
        process.wait()
        self._wake.set()

    def _ended(self, child: Child) -> bool:
        return child.process is not None and child.process.poll() is not None

    def _again(self, child: Child) -> bool:
        """Start it anew, unless it never came up."""
        assert child.process is not None
        if not child.ready.is_set():
            return False
        if time.monotonic() - child.begun >= AGAIN_S:
            self._log.warning("a process has ended; it is started again", node=child.name, status=child.process.returncode)
            _closed(child.process)
            self._start(child)
        return True

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        self._ending += 1
        self._hand_on(signal.SIGTERM)
        self._wake.set()

    def _hand_on(self, number: int) -> None:
        for child in self._children:
            if child.process is not None and child.process.poll() is None:
                child.process.send_signal(number)

    def _all_ended(self) -> int:
        """0 if each has ended as it should."""
        statuses = []
        for child in self._children:
            if child.process is not None:
                statuses.append(child.process.wait())
                _closed(child.process)
        return 0 if not any(statuses) else 1


def _closed(process: subprocess.Popen[str]) -> None:
    if process.stdin is not None:
        process.stdin.close()


def ends_with_its_parent() -> None:
    """A child's stdin is a pipe that its parent holds: when that is gone, stop as at SIGTERM."""

    def wait() -> None:
        while os.read(0, 4096):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()
