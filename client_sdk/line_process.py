"""A program that is talked to over its standard input and output, line by line.

Threads write and read its pipes, so that a program that does not read, or writes without end, holds
up no one. What it writes is data: lines have bounds in bytes and number."""

from __future__ import annotations

import contextlib
import io
import queue
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from client_sdk.bounds import Bounds
from client_sdk.errors import BadBot
from client_sdk.output import LogFile
from client_sdk.process import BotProcess, printable
from client_sdk.running import running_s
from client_sdk.sandbox import NoSandbox

LINE_BYTES: Final = 1 << 20
"""Of one line that it writes."""
TALK_BYTES: Final = 64 << 20
"""Of all that it writes in one match."""
WAITING: Final = 1024
"""Lines of the program that may wait for `receive`; then its pipe fills, and it waits."""
UNREAD: Final = 64
"""Lines that may wait for a program that does not read."""
LOOK_S: Final = 0.1
"""How often it is looked whether there is still something to wait for."""
LEAVING_S: Final = 1.0
"""How long the program may take to end once its input has."""
TERMINATED_S: Final = 0.5
"""How long it may take to end once it was asked to."""
SAID_LINES: Final = 8
SAID_LONGEST: Final = 200

TOO_LONG: Final = b""
"""Stands for a line of more than `LINE_BYTES`; lines without text are left out."""


class Ended(Exception):
    """Nothing more will come. The text says why, as what follows "the bot"."""


class LineProcess:
    """Raises BadBot if the program cannot be started, NoSandbox."""

    def __init__(
        self,
        command: str | Sequence[str],
        game: str,
        *,
        log: LogFile | None = None,
        cwd: Path | None = None,
        bounds: Bounds | None = None,
        take: Callable[[bytes], bool] = lambda line: False,
    ) -> None:
        """`log`: for its standard error, by default memory. `take`: is given each line by
        the thread that reads it; those for which it returns False wait for `receive`."""
        self._take = take
        self._outbox: queue.Queue[bytes | None] = queue.Queue(UNREAD)
        self._inbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._room = threading.Semaphore(WAITING)
        """How many more lines may be put in the inbox."""
        self._leaving = False
        self._closed = "output"
        """Which of its channels was found closed first."""
        self._excess = False
        try:
            self._process = BotProcess(
                command, game=game, log=log, cwd=cwd, bounds=bounds, stdio=True
            )
        except NoSandbox:
            raise
        except OSError as fault:
            raise BadBot(f"{command} cannot be started: {fault.strerror}") from None
        self._threads = [
            threading.Thread(target=work, name=f"lines-of-{self.pid}", daemon=True)
            for work in (self._write, self._read)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def settle(self) -> None:
        """See `BotProcess.settle`."""
        self._process.settle()

    def last_words(self) -> str:
        """The last lines of its standard error, shortened."""
        lines = self._process.tail.splitlines()[-SAID_LINES:]
        return printable("\n".join(line[:SAID_LONGEST] for line in lines))

    # --- lines ------------------------------------------------------------------------------------

    def send(self, line: bytes) -> bool:
        """Write a line, without waiting. False: it does not read."""
        try:
            self._outbox.put_nowait(line + b"\n")
        except queue.Full:
            return False
        return True

    def receive(self, within_s: float) -> bytes | None:
        """The next line; None: none has come in time. Raises Ended."""
        try:
            line = self._inbox.get(timeout=max(0.0, within_s))
        except queue.Empty:
            if not self._is_deaf():
                return None
            self._closed, line = "input", None
        if line is None:
            self._inbox.put(None)
            raise self._ended()
        self._room.release()
        return line

    def await_reader(self, until: float) -> None:
        """Wait until it has read what was sent, where the system can tell (POSIX), or has written
        something, or this moment (`running_s`) has come."""
        while running_s() < until and self._inbox.empty() and not self.has_read():
            time.sleep(LOOK_S / 50)

    def has_read(self) -> bool:
        """Whether it has read all that was sent, as far as the system can tell (POSIX)."""
        count = bytearray(4)
        if sys.platform != "win32":
            import fcntl
            import termios

            with contextlib.suppress(OSError, ValueError):
                fcntl.ioctl(self._process.stdin, termios.FIONREAD, count)
        return self._outbox.empty() and not any(count)

    def _is_deaf(self) -> bool:
        """Whether it has closed its input, where the system can tell before something is sent."""
        if sys.platform == "win32":
            return False
        poll = select.poll()
        with contextlib.suppress(ValueError):  # we have closed it
            poll.register(self._process.stdin, 0)
        return any(found & select.POLLERR for _, found in poll.poll(0))

    def _write(self) -> None:
        stdin = self._process.stdin
        with contextlib.suppress(OSError, ValueError):
            while (line := self._outbox.get()) is not None:
                rest = memoryview(line)
                while rest:
                    rest = rest[stdin.write(rest) :]
            stdin.close()
            return
        self._closed = "input"
        self._inbox.put(None)
        with contextlib.suppress(OSError):
            stdin.close()

    def _read(self) -> None:
        taken = 0
        with (
            contextlib.suppress(OSError, ValueError),
            io.BufferedReader(self._process.stdout, 65536) as pipe,  # type: ignore[type-var]
        ):
            while line := pipe.readline(LINE_BYTES + 1):
                whole = len(line) <= LINE_BYTES
                while not line.endswith(b"\n") and (rest := pipe.readline(LINE_BYTES)):
                    taken += len(line)
                    line = rest
                    if taken > TALK_BYTES:
                        break
                taken += len(line)
                if taken > TALK_BYTES:
                    self._excess = True
                    break
                line = line.strip() if whole else TOO_LONG
                if (line or not whole) and not self._take(line) and not self._leaving:
                    self._room.acquire()
                    self._inbox.put(line)
        self._inbox.put(None)

    def _ended(self) -> Ended:
        """It has closed a channel: it is about to end, or is ended."""
        if self._excess:
            self._process.end()
            return Ended(f"has written more than {TALK_BYTES >> 20} MB in one match")
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(LEAVING_S)
        ran = self._process.returncode is None
        self._process.end()
        return Ended(f"has closed its standard {self._closed}" if ran else self._process.cause)

    # --- its end ----------------------------------------------------------------------------------

    def close(self) -> None:
        """End its input, and it if it does not end then. Doing it twice is no fault."""
        self._leave()
        try:
            self._process.wait(LEAVING_S)
        except subprocess.TimeoutExpired:
            self._process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(TERMINATED_S)
        self.end()

    def end(self) -> None:
        """End it now."""
        self._process.end()
        self._leave()
        for thread in self._threads:
            thread.join(LEAVING_S)

    def _leave(self) -> None:
        """Nothing more is written or received: neither thread waits for it."""
        self._leaving = True
        self._room.release()
        with contextlib.suppress(queue.Full):
            self._outbox.put_nowait(None)
