"""A bot as a program of its own, in any language: started with its seat in the environment, ended with all that it started.

On every system the bot gets a process group of its own, and ending it ends the group (on Windows: the tree). A grandchild that
has left the group is found by a mark in its environment where the system shows environments (Linux). It does not outlive us
either when we are killed (POSIX).
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shlex
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from client_sdk.bounds import Bounds, bounded
from client_sdk.guard import guard
from client_sdk.reaper import MARK, reaper, sweep

LOG_BYTES = 256 * 1024
"""What is kept of a bot's output: in memory the last, in a file the first bytes."""

_SECRET = re.compile(
    r"TOKEN|SECRET|PASSW|PASSPHRASE|PASSFILE|CREDENTIAL|COOKIE|PRIVATE|_PAT$|_DSN$|SESSION_ID|SIGNATURE"
    r"|(^|_)(AUTH|KEYS?|PWD|PASS|LOGIN)(_|$)|APIKEY|DATABASE_URL|CONNECTION_STRING|^BOTARENA_|^AWS_|^AZURE_|^SSH_|^GPG_"
)
_KEPT = frozenset({"PWD", "OLDPWD"})
_LOGIN_IN_URL = re.compile(r"://[^/\s:@]*:[^/\s@]+@")


def clean_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without what looks like a secret, by its name or because its value is an address with a password."""
    return {
        name: value
        for name, value in environment.items()
        if name.upper() in _KEPT or not (_SECRET.search(name.upper()) or _LOGIN_IN_URL.search(value))
    }


def python_bot(bot: str | Path) -> list[str]:
    """The command that plays a Python file or a house bot (`GAME/NAME`) in this very Python."""
    return [sys.executable, "-m", "client_sdk.run", str(bot)]


class BotProcess:
    """A running bot; a context manager that ends it.

    `command`: a list, or one text as a shell would read it (no shell is started). `log`: a file for its output instead of memory.
    Raises OSError if the command cannot be started.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        url: str,
        token: str,
        game: str,
        log: Path | None = None,
        log_bytes: int = LOG_BYTES,
        cwd: Path | None = None,
        environment: Mapping[str, str] | None = None,
        bounds: Bounds | None = None,
    ) -> None:
        """`environment`: what to filter and hand on, by default our own. `bounds`: what it may use; a stranger's bot has some."""
        self._mark = secrets.token_hex(16)
        given = {"BOTARENA_URL": url, "BOTARENA_TOKEN": token, "BOTARENA_GAME": game, MARK: self._mark}
        self._output = _Output(log, log_bytes)
        self._swept = False
        self._guarded = bounds is not None
        self.passed: str | None = None
        """The bound for which it was ended, in words."""
        try:
            arguments = _arguments(command)
            if bounds is not None:
                arguments = bounded(arguments if isinstance(arguments, list) else [arguments], bounds, cwd)
            self._process = self._started(arguments, given, cwd, environment)
        except BaseException:
            self._output.close()
            raise
        reaper.take(self.pid, self._mark)
        if bounds is not None:
            guard.watch(self.pid, bounds, self._beyond)
        self._reader = threading.Thread(target=self._read, name=f"output-of-{self._process.pid}", daemon=True)
        self._reader.start()

    @staticmethod
    def _started(
        arguments: str | list[str], given: Mapping[str, str], cwd: Path | None, environment: Mapping[str, str] | None
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603  starting the user's command is the purpose
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=cwd,
            env=clean_environment(os.environ if environment is None else environment) | dict(given),
            bufsize=0,
            start_new_session=os.name == "posix",
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )

    def _beyond(self, passed: str) -> None:
        """It uses more than it may."""
        self.passed = passed
        self._output.add(f"\nended by the referee: it used {passed}\n".encode())
        self._sweep()

    def __enter__(self) -> BotProcess:
        return self

    def __exit__(self, *exc: object) -> None:
        self.end()

    @property
    def pid(self) -> int:
        return self._process.pid

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

    def wait(self, timeout: float | None = None) -> int:
        """The exit status, once it has ended by itself. Raises subprocess.TimeoutExpired after so many seconds."""
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
        if self._process.stdout is not None and not self._reader.is_alive():
            self._process.stdout.close()
        self._output.close()

    def _sweep(self) -> None:
        """End what runs, once: when the bot has ended at the latest, because later its number may be another's."""
        if self._swept:
            return
        self._swept = True
        if self._guarded:
            guard.leave(self.pid)
        if sys.platform == "win32":
            tree = ["taskkill", "/F", "/T", "/PID", str(self.pid)]
            subprocess.run(tree, capture_output=True, check=False)  # noqa: S603
            return
        sweep(self.pid, self._mark)
        reaper.leave(self.pid)

    def _read(self) -> None:
        pipe = self._process.stdout
        assert pipe is not None
        with contextlib.suppress(OSError, ValueError):
            while chunk := pipe.read(8192):
                self._output.add(chunk)


class _Output:
    """A bot's output, capped."""

    def __init__(self, log: Path | None, most: int) -> None:
        self._path = log
        self._file = None if log is None else log.open("wb")
        self._most = most
        self._written = 0
        self._tail = bytearray()
        self._lock = threading.Lock()

    def add(self, chunk: bytes) -> None:
        with self._lock:
            if self._path is None:
                self._tail += chunk
                del self._tail[: -self._most]
            elif self._file is not None:
                self._file.write(chunk[: self._most - self._written])
                self._file.flush()
                self._written = min(self._most, self._written + len(chunk))

    def text(self) -> str:
        with self._lock:
            kept = bytes(self._tail) if self._path is None else self._path.read_bytes()
        return kept.decode(errors="replace")

    def close(self) -> None:
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None


def _arguments(command: str | Sequence[str]) -> str | list[str]:
    if not isinstance(command, str):
        return list(command)
    return command if os.name == "nt" else shlex.split(command)
