"""Several server processes on one machine: they share a port and a data directory, and each has a
port of its own for sockets.

The supervisor plays nothing. It opens all ports and hands them to its children, so that addresses
stay the same when a process is started again, and connections wait for it meanwhile. It starts a
child again that ends, under its name, and the child resumes its matches from their journals. It
hands signals on. A child ends when the supervisor does."""

from __future__ import annotations

import signal
import socket
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType

import structlog

from client_sdk.supervised import LISTENING, say_listening

AGAIN_S = 1.0
"""A child that ends at once is started again this often."""
SIGNALS = (signal.SIGINT, signal.SIGTERM)


@dataclass
class SupervisedProcess:
    """`files`: the descriptors that it inherits. `ending_s`: how long it may take to end before it
    is killed; None: as long as it needs. `ready`: it has listened once at least."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    files: Sequence[int]
    ending_s: float | None = None
    process: subprocess.Popen[str] | None = None
    begun: float = 0.0
    ready: threading.Event = field(default_factory=threading.Event)


class Supervisor:
    """`sockets`: all that the children listen on; closed when they shall end."""

    def __init__(
        self, sockets: Sequence[socket.socket], children: Sequence[SupervisedProcess]
    ) -> None:
        self._sockets = sockets
        self._children = children
        self._ending = False
        self._wake = threading.Event()
        self._log = structlog.get_logger()

    def run(self, url: str) -> int:
        """Until a signal comes and all have ended; the status. `url` is printed when all listen."""
        before = {number: signal.signal(number, self._signalled) for number in SIGNALS}
        try:
            return self.watch(url)
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def watch(self, url: str | None = None) -> int:
        """The same until `end` is called. Without a `url` nothing is printed."""
        for child in self._children:
            self._start(child)
        while not self._ending:
            self._wake.wait(0.1)
            self._wake.clear()
            for child in self._children:
                if self._ended(child) and not self._again(child):
                    self._log.error("a process does not come up", node=child.name)
                    self._all_ended()
                    return 1
            if url is not None and all(child.ready.is_set() for child in self._children):
                say_listening(url)
                url = None
        return self._all_ended()

    def end(self) -> None:
        """End all processes. `watch` returns when they have ended."""
        self._ending = True
        self._wake.set()

    def _start(self, child: SupervisedProcess) -> None:
        child.begun = time.monotonic()
        child.process = subprocess.Popen(  # noqa: S603  our own command line
            child.command,
            env=child.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=child.files,
            start_new_session=True,
            text=True,
        )
        threading.Thread(target=self._listen, args=(child, child.process), daemon=True).start()

    def _listen(self, child: SupervisedProcess, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                if line.startswith(LISTENING):
                    at = line.removeprefix(LISTENING).strip()
                    self._log.info("a process listens", node=child.name, pid=process.pid, at=at)
                    child.ready.set()
                    self._wake.set()
        process.wait()
        self._wake.set()

    def _ended(self, child: SupervisedProcess) -> bool:
        return child.process is not None and child.process.poll() is not None

    def _again(self, child: SupervisedProcess) -> bool:
        """Start it again, unless it never came up."""
        assert child.process is not None
        if not child.ready.is_set():
            return False
        if time.monotonic() - child.begun >= AGAIN_S:
            status = child.process.returncode
            self._log.warning("a process has ended; it restarts", node=child.name, status=status)
            _close(child.process)
            self._start(child)
        return True

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        self._ending = True  # no lock: the handler may interrupt its holder

    def _all_ended(self) -> int:
        """End them, and wait; 0 if each has ended as it should."""
        for listener in self._sockets:
            listener.close()
        for child in self._children:
            if child.process is not None and child.process.poll() is None:
                child.process.terminate()
        began = time.monotonic()
        statuses = []
        for child in self._children:
            if child.process is not None:
                statuses.append(self._status(child, child.process, began))
                _close(child.process)
        return 0 if not any(statuses) else 1

    def _status(
        self, child: SupervisedProcess, process: subprocess.Popen[str], began: float
    ) -> int:
        """Of a process that has got its signal at `began`, when it has ended."""
        left = None if child.ending_s is None else began + child.ending_s - time.monotonic()
        try:
            return process.wait(left)
        except subprocess.TimeoutExpired:
            self._log.error("a process does not end; it is killed", node=child.name)
            process.kill()
            return process.wait()


def _close(process: subprocess.Popen[str]) -> None:
    if process.stdin is not None:
        process.stdin.close()
