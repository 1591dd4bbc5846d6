"""The process of an isolated bot: its private folder, its start, and the frames between it and us.

Deadlines are seconds of `client_sdk.running.running_s`, which stands still while this process is
paused. What comes from the process is data: frames have bounds in bytes, depth and number, and a
process that breaks one is ended."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

import msgspec

from client_sdk.answers import COMMANDS
from client_sdk.bot_files import copied, everything
from client_sdk.bot_roots import OURS
from client_sdk.bounds import Bounds
from client_sdk.errors import BadBot
from client_sdk.isolated_child import Answer, Call, Loaded, framed
from client_sdk.output import LogFile
from client_sdk.process import BotProcess, printable
from client_sdk.running import running_s
from client_sdk.sandbox import HOME, TooLarge
from games.core.contract import Json

LOADING_S: Final = 60.0
"""A file must be read within this time."""
LOOK_S: Final = 0.1
"""How often it is looked whether a process that says nothing still runs."""
LEAVING_S: Final = 1.0
"""What a bot may take over its last hook."""
STACK_S: Final = 0.2
"""How long to wait for the stack of a bot that hangs."""
SAID_LINES: Final = 8
FRAME_BYTES: Final = 1 << 20
"""Of one answer."""
TALK_BYTES: Final = 64 << 20
"""Of all answers of one bot in one match."""
FAULTS: Final = 20
"""Of one answer; further ones are dropped."""
DEPTH: Final = 64
"""How deep lists and objects of an answer may be nested."""


class Gone(Exception):
    """The process has ended or was ended. The text says why, as what follows "the process"."""


class IsolatedProcess:
    """Starts with its bot read; a context manager that ends it."""

    def __init__(
        self,
        file: Path,
        game: str,
        log: LogFile | None,
        bounds: Bounds | None = None,
        own: Collection[Path] | None = None,
    ) -> None:
        """`own`: the bot's files and folders, by default its folder and, without `bounds`, what it
        imports from above. Raises BadBot, NoSandbox."""
        self._file = file
        self._unsent = bytearray()
        """Calls that it has not read in time, the first one perhaps in part."""
        self._buffer = bytearray()
        self._taken = 0
        self._exit = contextlib.ExitStack()
        try:
            self.loaded = self._begun(game, log, bounds, own)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the process. Doing it twice is no fault."""
        self._exit.close()

    @property
    def pid(self) -> int:
        """The process that is above all of the bot's."""
        return self._process.pid

    def settle(self) -> None:
        """See `BotProcess.settle`."""
        self._process.settle()

    def end(self) -> None:
        """End the process; the folder stays until `close`."""
        self._process.end()

    # --- frames -----------------------------------------------------------------------------------

    def send(self, call: Call, until: float | None) -> bool:
        """False: the process does not listen in time. Raises Gone."""
        self._unsent += framed(call)
        try:
            while self._unsent:
                self._line.settimeout(_left(until))
                del self._unsent[: self._line.send(self._unsent)]
        except TimeoutError:
            return False
        except OSError:
            raise self._ended() from None
        return True

    def receive(self, until: float | None) -> Answer | None:
        """The next answer; None: none has come in time. Raises Gone."""
        frame = self._frame(until)
        if frame is None:
            return None
        answer: Answer = self._read(frame, Answer)
        if answer.commands is not None and len(answer.commands) > COMMANDS:
            raise self._broke(f"answered with more than {COMMANDS} commands")
        if frame.count(b"[") + frame.count(b"{") > DEPTH and deeper(answer.commands, DEPTH):
            raise self._broke(f"answered with commands nested deeper than {DEPTH}")
        return msgspec.structs.replace(
            answer, faults=[self.own_words(fault) for fault in answer.faults[:FAULTS]]
        )

    def leave(self) -> None:
        """Let the bot finish its last hook, until the process closes its end, or for a while."""
        with contextlib.suppress(OSError, Gone):
            self._line.shutdown(socket.SHUT_WR)
            until = running_s() + LEAVING_S
            while self._frame(until) is not None and running_s() < until:
                pass
            self._process.note(f"its last hook took more than {LEAVING_S:.0f} s")

    def _frame(self, until: float | None) -> bytes | None:
        """The next line. After the deadline what has come before it is still taken. Raises Gone."""
        while (end := self._buffer.find(b"\n")) < 0:
            late = until is not None and running_s() >= until
            try:
                self._line.settimeout(0 if late else _left(until))
                got = self._line.recv(65536)
            except (TimeoutError, BlockingIOError):
                if late:
                    return None
                continue
            except OSError:
                raise self._ended() from None
            if not got:
                raise self._ended()
            self._buffer += got
            self._taken += len(got)
            if len(self._buffer) > FRAME_BYTES:
                raise self._broke(f"answered with a line of more than {FRAME_BYTES >> 10} KB")
            if self._taken > TALK_BYTES:
                raise self._broke(f"answered with more than {TALK_BYTES >> 20} MB in one match")
        frame = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return frame

    def _read(self, frame: bytes, kind: type[Any]) -> Any:
        try:
            return msgspec.json.decode(frame, type=kind)
        except (msgspec.MsgspecError, RecursionError, ValueError, OverflowError):
            raise self._broke("answered with what is no frame") from None

    def _ended(self) -> Gone:
        """The line is closed: the process is about to end, or is ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(LEAVING_S)
        closed = self._process.returncode is None
        self._process.end()
        return Gone("has closed its line to the referee" if closed else self._process.cause)

    def _broke(self, what: str) -> Gone:
        self._process.end()
        return Gone(what)

    # --- what it says -----------------------------------------------------------------------------

    def own_words(self, text: str) -> str:
        """Printable, not too long, and with the bot's own file names instead of the copies'."""
        return printable(text.replace(str(self._inside.parent), str(self._file.parent)))

    def last_words(self) -> str:
        return self.own_words("\n".join(self._process.tail.splitlines()[-SAID_LINES:]))

    def stack(self) -> str:
        """Where the bot is, the innermost call first, our own calls left away."""
        until = running_s() + STACK_S
        last, before = "", None
        while not (last and last == before) and running_s() < until:  # it comes in several writes
            time.sleep(0.02)
            last, before = (
                self._process.tail.rpartition("Timeout (")[2]
                if "Timeout (" in self._process.tail
                else "",
                last,
            )
        places = [line.strip() for line in last.splitlines() if line.startswith("  File ")]
        theirs = [
            place for place in places if str(OURS) not in place and "<frozen" not in place
        ] or places
        return "".join(f"\n  {self.own_words(place)}" for place in theirs[:3])

    # --- the start --------------------------------------------------------------------------------

    def _begun(
        self,
        game: str,
        log: LogFile | None,
        bounds: Bounds | None,
        own: Collection[Path] | None,
    ) -> Loaded:
        """Start the process; what it says first. Raises BadBot, NoSandbox."""
        folder = Path(
            self._exit.enter_context(
                tempfile.TemporaryDirectory(prefix="botarena-bot-", ignore_cleanup_errors=True)
            )
        ).resolve()
        if own is None:
            own = everything(self._file) if bounds is None else (self._file.parent,)
        copy = copied(self._file, folder, own)
        self._inside = copy
        if bounds is not None and bounds.sandbox != "none":
            self._inside = HOME / copy.relative_to(folder)
        token = secrets.token_hex(16)
        talk, url, listener = self._line_for()
        try:
            process = BotProcess(
                [sys.executable, "-P", "-m", "client_sdk.isolated_child", str(self._inside)],
                url=url,
                token=token,
                game=game,
                log=log,
                cwd=folder,
                environment=_environment(folder),
                bounds=bounds,
                talk=talk,
            )
        except TooLarge as fault:
            raise BadBot(f"{self._file}: {fault.strerror}") from None
        self._process = self._exit.enter_context(process)
        loaded = self._first(token, listener)
        if loaded.fault is not None:
            raise BadBot(self.own_words(loaded.fault))
        return loaded

    def _line_for(self) -> tuple[socket.socket | None, str, socket.socket | None]:
        """The process's end of a line or, where none can be inherited, a socket to which it
        connects; with the address."""
        if os.name == "posix":
            self._line, theirs = socket.socketpair()
            self._exit.callback(self._line.close)
            return theirs, f"fd:{theirs.fileno()}", None
        listener = self._exit.enter_context(socket.create_server(("127.0.0.1", 0)))
        host, port = listener.getsockname()
        return None, f"{host}:{port}", listener

    def _first(self, token: str, listener: socket.socket | None) -> Loaded:
        """Raises BadBot."""
        until = running_s() + LOADING_S
        try:
            while True:
                if listener is None or self._accepted(listener, until):
                    frame = self._frame(until)
                    loaded: Loaded | None = None if frame is None else self._read(frame, Loaded)
                    if loaded is not None and secrets.compare_digest(loaded.token, token):
                        return loaded
                if listener is None or running_s() > until:
                    why = f"not read within {LOADING_S:.0f} s"
                    break
        except Gone as gone:
            why = f"the process {gone} while it was read"
        raise BadBot(f"{self._file}: {why}\n{self.last_words()}".rstrip())

    def _accepted(self, listener: socket.socket, until: float) -> bool:
        """Whether a client has connected: the process, or another program here. Raises Gone."""
        self._buffer.clear()
        while running_s() < until:
            listener.settimeout(LOOK_S)
            with contextlib.suppress(TimeoutError):
                self._line, _ = listener.accept()
                self._exit.callback(self._line.close)
                self._line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return True
            if self._process.returncode is not None:
                raise self._ended()
        return False


def _left(until: float | None) -> float | None:
    """Seconds that are left; never none at all, which would mean not to wait."""
    return None if until is None else max(0.001, until - running_s())


def deeper(value: Json, levels: int) -> bool:
    """Whether lists and objects are nested in more than this number of levels."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels == 0 or any(deeper(one, levels - 1) for one in inner)


def _environment(folder: Path) -> dict[str, str]:
    """Ours, with a temporary folder of the bot's own and our packages within reach."""
    packages = os.pathsep.join(filter(None, [str(OURS), os.environ.get("PYTHONPATH", "")]))
    return (
        os.environ
        | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder / "tmp"))
        | {"PYTHONPATH": packages}
    )
