"""A bot as a program of its own, in any language: started with its seat in the environment, ended
with all that it started.

On every system the bot gets a process group of its own, and ending it ends the group (on Windows:
the tree). A grandchild that has left the group is found by a mark in its environment where the
system shows environments (Linux). It does not outlive us either when we are killed (POSIX). A bot
with bounds cannot hide what it has started on Linux: orphans below it become children of its
supervisor, in the sandbox they end with its namespace."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from client_sdk.bounds import Bounds
from client_sdk.forwarder import SocketForwarder
from client_sdk.guard import guard
from client_sdk.launch import Launch, bounded
from client_sdk.output import LogFile, Output, await_bytes, has_bytes
from client_sdk.reaper import MARK, reaper, sweep
from client_sdk.sandbox import NoSandbox, sandboxed

LOG_BYTES = 256 * 1024
"""What is kept of a bot's output: in memory the last, in a file the first bytes."""
CHUNK_BYTES = 64 * 1024
FLOOD_S = 0.005
"""Interval at which output is read once the kept part is full, a chunk each: a flood waits."""
SETTLE_S = 1.0
"""How long it is waited for what is on its way to the log."""
SETTLE_LOOK_S = 0.0002
ENDING_S = 2.0
"""What a supervisor may take to end a bot."""
BY_SIGNAL = 128
"""A status beyond this is a signal, in the sandbox."""

_SECRET = re.compile(
    r"TOKEN|SECRET|PASSW|PASSPHRASE|PASSFILE|CREDENTIAL|COOKIE|PRIVATE|_PAT$|_DSN$|SESSION_ID|SIGNATURE"
    r"|(^|_)(AUTH|KEYS?|PWD|PASS|LOGIN)(_|$)|APIKEY|DATABASE_URL|CONNECTION_STRING|^BOTARENA_|^AWS_|^AZURE_|^SSH_|^GPG_"
)
_KEPT = frozenset({"PWD", "OLDPWD"})
_LOGIN_IN_URL = re.compile(r"://[^/\s:@]*:[^/\s@]+@")


def clean_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without what looks like a secret, by its name or because its value is an
    address with a password."""
    return {
        name: value
        for name, value in environment.items()
        if name.upper() in _KEPT
        or not (_SECRET.search(name.upper()) or _LOGIN_IN_URL.search(value))
    }


def printable(text: str, most: int = 4_000) -> str:
    """What a bot said, without what would move a terminal's cursor, and not too long."""
    return "".join(
        letter if letter.isprintable() or letter in "\n\t" else "\ufffd" for letter in text[:most]
    )


def python_bot(bot: str | Path) -> list[str]:
    """The command that plays a bot's file or a house bot (`GAME/NAME`) in this very Python.
    Files in the current folder are not imported instead of our modules."""
    return [sys.executable, "-P", "-m", "client_sdk.run", str(bot)]


class BotProcess:
    """A running bot; a context manager that ends it.

    `command`: a list, or one text as a shell would read it (no shell is started). `log`: a file for
    its output instead of memory, or a stream, which stays open. Raises OSError if the command
    cannot be started, NoSandbox if a sandbox is asked for and cannot be had. Each argument is one
    setting of the process and is given by name, hence their number."""

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        game: str,
        url: str = "",
        token: str = "",
        log: LogFile | None = None,
        log_bytes: int = LOG_BYTES,
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
        bounds: Bounds | None = None,
        talk: socket.socket | None = None,
        stdio: bool = False,
    ) -> None:
        """`environment`: what to filter and pass on, by default our own. `bounds`: what it may use,
        for a stranger's bot; in a sandbox it works in a copy of the folder `cwd`. `talk`: a socket
        that it inherits instead of connecting to `url`. `stdio`: it is talked to over `stdin` and
        `stdout`, and its output is standard error alone."""
        self._mark = secrets.token_hex(16)
        self._bounds = bounds
        self._output = Output(log, log_bytes)
        self._taking = threading.Lock()
        self._lock = threading.Lock()
        self._swept = False
        self._gate: SocketForwarder | None = None
        self._folder: int | None = None
        """Where it writes, in a sandbox."""
        self.passed: str | None = None
        """The bound for which it was ended, in words."""
        given = {"BOTARENA_GAME": game, MARK: self._mark}
        if not stdio:
            given |= {"BOTARENA_URL": url, "BOTARENA_TOKEN": token}
        ours = os.environ if environment is None else environment
        try:
            self._launch = self._launched(command, cwd, ours, url, talk)
            with contextlib.ExitStack() as starting:
                if self._launch.lifeline is None:
                    starting.enter_context(reaper.expecting(self._mark))
                self._process = self._started(given, cwd, stdio)
                if self._launch.lifeline is None:
                    reaper.take(self.pid, self._mark)
            self._reader = threading.Thread(
                target=self._read, name=f"output-of-{self._process.pid}", daemon=True
            )
            self._reader.start()
        except BaseException:
            self._output.close()
            if talk is not None:
                talk.close()
            raise
        try:
            self._met(url)
        except BaseException:
            self.end()
            raise
        if bounds is not None:
            guard.watch(self.pid, bounds, self._beyond, ours=self._launch.ours, folder=self._folder)

    def _launched(
        self,
        command: str | Sequence[str],
        cwd: Path | None,
        ours: Mapping[str, str],
        url: str,
        talk: socket.socket | None,
    ) -> Launch:
        arguments = arguments_of(command)
        words = arguments if isinstance(arguments, list) else [arguments]
        if self._bounds is None:
            launch = Launch(arguments, clean_environment(ours))
        elif self._bounds.sandbox == "none":
            launch = bounded(words, self._bounds, cwd, ours)
        else:
            assert cwd is not None, "in a sandbox a program has files of its own"
            launch = sandboxed(
                words,
                self._bounds,
                cwd,
                ours,
                listen=urlsplit(url).port if talk is None and url else None,
            )
        if talk is not None:
            launch.inherited.append(talk.detach())
        return launch

    def _started(
        self, given: Mapping[str, str], cwd: Path | None, stdio: bool
    ) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(  # noqa: S603  starting the user's command is the purpose
                self._launch.command,
                stdin=subprocess.PIPE if stdio else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE if stdio else subprocess.STDOUT,
                cwd=cwd,
                env=self._launch.environment | dict(given),
                bufsize=0,
                pass_fds=self._launch.inherited,
                start_new_session=os.name == "posix",
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except BaseException:
            self._launch.close()
            raise
        finally:
            self._launch.taken()

    def _met(self, url: str) -> None:
        """Take what the launcher in the sandbox sends when it is up. Raises NoSandbox."""
        if self._launch.control is None or sys.platform == "win32":
            return
        said, found, _, _ = socket.recv_fds(self._launch.control, 16, 2)
        if not said:
            self.wait()
            raise NoSandbox(1, self.output.strip() or f"status {self._process.returncode}")
        self._folder = found[0]
        if len(found) > 1:
            self._gate = SocketForwarder(socket.socket(fileno=found[1]), url)

    def _beyond(self, passed: str) -> None:
        """It uses more than it may."""
        self.passed = passed
        self.note(f"it used {passed}")
        self._sweep()

    def note(self, why: str) -> None:
        """Tell beside its output why it is ended."""
        self._output.add(f"\nended by the referee: {why}\n".encode())

    def __enter__(self) -> BotProcess:
        return self

    def __exit__(self, *exc: object) -> None:
        self.end()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def stdin(self) -> IO[bytes]:
        """With `stdio`: where it reads."""
        assert self._process.stdin is not None
        return self._process.stdin

    @property
    def stdout(self) -> IO[bytes]:
        """With `stdio`: where it writes."""
        assert self._process.stdout is not None
        return self._process.stdout

    @property
    def returncode(self) -> int | None:
        """The exit status; None while it runs."""
        status = self._process.poll()
        if status is not None:
            self._sweep()
        return status

    @property
    def output(self) -> str:
        """What is kept of its output."""
        return self._output.text()

    @property
    def tail(self) -> str:
        """The last of its output."""
        return self._output.tail()

    @property
    def cause(self) -> str:
        """Why it does not run any more, as what follows "the process"."""
        if self.passed is not None:
            return f"was ended: it used {self.passed}"
        status = self.returncode
        sandboxed = self._bounds is not None and self._bounds.sandbox != "none"
        number = (
            0
            if status is None
            else -status
            if status < 0
            else status - BY_SIGNAL
            if sandboxed
            else 0
        )
        with contextlib.suppress(ValueError):
            return f"was ended by {signal.Signals(number).name}"
        return f"has ended with status {status}"

    def wait(self, timeout: float | None = None) -> int:
        """The exit status, once it has ended by itself. Raises subprocess.TimeoutExpired."""
        status = self._process.wait(timeout)
        self._sweep()
        self._reader.join(timeout=1.0)
        return status

    def end(self, patience_s: float = 5.0) -> None:
        """End the bot and everything that it started. Doing it twice is no fault."""
        self._sweep()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(patience_s)
        self._reader.join(timeout=patience_s)
        if not self._reader.is_alive():
            self._logged.close()
        self._output.close()

    def terminate(self) -> None:
        """Ask the bot to end (SIGTERM), where the system can: one with bounds is only ended."""
        if sys.platform != "win32" and self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGTERM)

    def _sweep(self) -> None:
        """End what runs, once, before the bot's process id can be used again."""
        with self._lock:
            if self._swept:
                return
            self._swept = True
        guard.leave(self.pid)
        supervised = self._launch.lifeline is not None
        self._launch.close()
        if sys.platform == "win32":
            tree = ["taskkill", "/F", "/T", "/PID", str(self.pid)]
            subprocess.run(tree, capture_output=True, check=False)  # noqa: S603
            return
        if supervised:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(ENDING_S)
        sweep(self.pid, self._mark)
        reaper.leave(self.pid)
        if self._gate is not None:
            self._gate.close()
        if self._folder is not None:
            os.close(self._folder)

    @property
    def _logged(self) -> IO[bytes]:
        """Its output: standard error, alone or with standard output."""
        pipe = self._process.stderr or self._process.stdout
        assert pipe is not None
        return pipe

    def _read(self) -> None:
        pipe = self._logged
        with contextlib.suppress(OSError, ValueError):
            while True:
                await_bytes(pipe)
                with self._taking:
                    chunk = pipe.read(CHUNK_BYTES)
                    kept = self._output.add(chunk)
                if not chunk:
                    return
                if not kept:
                    time.sleep(FLOOD_S)

    def settle(self) -> None:
        """Wait until what it has written so far is in its log, but not for long."""
        until = time.monotonic() + SETTLE_S
        with contextlib.suppress(OSError, ValueError):
            while time.monotonic() < until and not self._output.full:
                with self._taking:
                    if not has_bytes(self._logged):
                        return
                time.sleep(SETTLE_LOOK_S)


def arguments_of(command: str | Sequence[str]) -> str | list[str]:
    """A command for `subprocess`. Raises ValueError for a quote without an end."""
    if not isinstance(command, str):
        return list(command)
    return command if os.name == "nt" else shlex.split(command)
