"""A bot's file in a process of its own, beside the program that plays the match, with and without a server.

The process has a private folder to work in, with a copy of the bot's folder and a `tmp`, so that what it writes is nobody else's.
What it prints goes to a log. It is asked over a local socket, one JSON line a call; whoever lets the time run out is silent, and
once it hangs it is ended with everything that it has started.
"""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec

from client_sdk.bot import Bot
from client_sdk.bot_files import copied
from client_sdk.botfile import OURS
from client_sdk.bounds import Bounds
from client_sdk.errors import BadBot
from client_sdk.isolated_child import HANGS, Answer, Call, Loaded, framed
from client_sdk.process import BotProcess
from client_sdk.start import Start
from games.core.contract import AnyGame, Reply
from games.core.parameters import configure

Json: TypeAlias = Any

LOADING_S: Final = 60.0
"""A file must be read within this time."""
LOOK_S: Final = 0.1
"""How often somebody looks whether a process that says nothing is still there."""
LEAVING_S: Final = 1.0
"""What a bot may take over its last hook."""
STACK_S: Final = 0.2
"""So long it is waited for word where a bot hangs."""
HUNG: Final = 2
"""Limits that a bot lets pass over one call until it counts as hung, where a late bot plays on."""
SAID_LINES: Final = 8

log = logging.getLogger("botarena")


class Gone(Exception):
    """The process has ended or was ended."""


class Isolated(Bot):
    """Plays what the process says. A context manager: leaving it ends the process.

    `limit_s`: the time of a turn where no server keeps it, by default the match's own.
    """

    def __init__(
        self, file: str | Path, game: AnyGame, log_file: Path, *, limit_s: float | None = None, bounds: Bounds | None = None
    ) -> None:
        """Starts the process and waits until it has read the file. `bounds`: what it may use. Raises BadBot."""
        given = Path(file)
        if not given.is_file():
            raise BadBot(f"{file}: there is no such file")
        self._file = given.resolve()
        self._game = game
        self._limit_s = limit_s
        self._bounds = bounds
        self._plays_on = True
        """Whether a late bot has its next turn; else it is ended at the limit."""
        self._silence: str | None = None
        """Why nothing is to be heard any more; None: the bot is well."""
        self._start: Start | None = None
        self._number = 0
        self._missed = 0
        """Limits that it has let pass since its last answer in time."""
        self._buffer = bytearray()
        self._exit = contextlib.ExitStack()
        try:
            loaded = self._begun(log_file)
        except BaseException:
            self.close()
            raise
        self.game = loaded.game  # type: ignore[misc]  # of this bot, as of a class
        self.name = loaded.name
        self._hooks = frozenset(loaded.hooks)

    def __enter__(self) -> Isolated:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process. Doing it twice is no fault."""
        self._exit.close()

    # --- the bot -----------------------------------------------------------------------------------------------------------

    def on_start(self, start: Start) -> None:
        self._start = start
        # Who forfeits a bot that is not ready in time forfeits one that does not answer in time.
        self._plays_on = self._game.pacing(configure(self._game, start.config)).late_ready == "plays"
        if "on_start" in self._hooks:
            within = None if start.within_ms is None else start.within_ms / 1000
            self._ask("on_start", start, within or LOADING_S, "not ready", "not_ready")

    def decide(self, view: Json) -> Iterable[Json]:
        assert self._start is not None
        begun = time.monotonic()
        until = self.link.deadline(begun, self._start.clock) if self._limit_s is None else begun + self._limit_s
        turn = view.get("turn", view.get("tick"))
        answer = self._ask("decide", view, None if until is None else until - begun, f"turn {turn}: no answer", "timeout")
        if answer is None:
            return [] if self._silence is None else self._silent(self._silence)
        return answer.commands or ()

    def on_view(self, view: Json) -> None:
        self._tell("on_view", view)

    def on_results(self, results: Sequence[Reply]) -> None:
        if not self._missed:  # else they are of what was said in its place
            self._tell("on_results", list(results))

    def on_event(self, event: dict[str, Json]) -> None:
        self._tell("on_event", event)

    def on_end(self, outcome: dict[str, Json]) -> None:
        self._tell("on_end", outcome)

    def _silent(self, reason: str) -> list[Json]:
        """What the referee has for a seat that says nothing, for this reason."""
        return [] if self._game.silence is None else [self._game.silence(reason)]

    # --- the talk ----------------------------------------------------------------------------------------------------------

    def _tell(self, hook: str, about: Json) -> None:
        """A call that nobody waits for."""
        if hook in self._hooks and self._silence is None:
            with contextlib.suppress(Gone):
                self._send(Call(hook, about), None)

    def _ask(self, hook: str, about: Json, within_s: float | None, late: str, reason: str) -> Answer | None:
        """The answer to a call; None: none came in time, or none comes any more."""
        if self._silence is not None:
            return None
        until = None if within_s is None else time.monotonic() + within_s
        self._number += 1
        try:
            if self._send(Call(hook, about, self._number, within_s), until):
                while (answer := self._answer(until)) is not None:
                    for fault in answer.faults:
                        log.error("%s", self._translated(fault))
                    if answer.number == self._number:
                        self._missed = 0
                        return answer
        except Gone:
            status, passed = self._process.returncode, self._process.passed
            why = f"has ended with status {status}" if passed is None else f"was ended: it used {passed}"
            log.error("%s\n%s", f"{late}, for the process {why}", self._last_words())
            self._silence = reason if reason == "not_ready" else "disconnect"
            return None
        assert within_s is not None
        self._missed += 1
        log.error("%s within %.0f ms%s", late, within_s * 1000, self._stack())
        if reason == "not_ready" or not self._plays_on or self._missed >= HUNG:
            self._process.end()
            self._silence = reason
            return None
        return Answer(self._number, self._silent(reason))

    def _send(self, call: Call, until: float | None) -> bool:
        """False: the process does not listen in time. Raises Gone."""
        try:
            self._line.settimeout(_left(until))
            self._line.sendall(framed(call))
        except TimeoutError:
            return False
        except OSError as fault:
            raise Gone from fault
        return True

    def _answer(self, until: float | None) -> Answer | None:
        answer: Answer | None = self._heard(until, Answer)
        return answer

    def _heard(self, until: float | None, kind: type[Any]) -> Any:
        """The next frame; None: none has come in time. Raises Gone."""
        while b"\n" not in self._buffer:
            try:
                self._line.settimeout(_left(until))
                got = self._line.recv(65536)
            except TimeoutError:
                return None
            except OSError as fault:
                raise Gone from fault
            if not got:
                self._settled()
                raise Gone
            self._buffer += got
        frame, _, rest = bytes(self._buffer).partition(b"\n")
        self._buffer = bytearray(rest)
        try:
            return msgspec.json.decode(frame, type=kind)
        except msgspec.MsgspecError as fault:
            raise Gone from fault

    def _settled(self) -> None:
        """The line is closed: the process is about to end, or is ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(LEAVING_S)
        self._process.end()

    # --- what went wrong ---------------------------------------------------------------------------------------------------

    def _translated(self, text: str) -> str:
        """With the names of the bot's own files instead of their copies'."""
        return text.replace(str(self._copy.parent), str(self._file.parent))

    def _last_words(self) -> str:
        return self._translated("\n".join(self._process.output.splitlines()[-SAID_LINES:]))

    def _stack(self) -> str:
        """Where the bot is, the innermost call first, our own calls left away."""
        until = time.monotonic() + STACK_S
        text = ""
        while not text.endswith("\n") and time.monotonic() < until:
            time.sleep(0.01)
            text = (self._folder / HANGS).read_text(errors="replace")
        last = text.rpartition("Timeout (")[2].splitlines()
        places = [line.strip() for line in last if line.startswith("  File ")]
        theirs = [place for place in places if str(OURS) not in place and "<frozen" not in place] or places
        return "".join(f"\n  {self._translated(place)}" for place in theirs[:3])

    # --- the process -------------------------------------------------------------------------------------------------------

    def _begun(self, log_file: Path) -> Loaded:
        """Start the process; what it says first. Raises BadBot."""
        self._folder = Path(
            self._exit.enter_context(tempfile.TemporaryDirectory(prefix="botarena-bot-", ignore_cleanup_errors=True))
        ).resolve()
        self._copy = copied(self._file, self._folder)
        listener = self._exit.enter_context(socket.create_server(("127.0.0.1", 0)))
        token = secrets.token_hex(16)
        host, port = listener.getsockname()
        self._process = self._exit.enter_context(
            BotProcess(
                [sys.executable, "-m", "client_sdk.isolated_child", str(self._copy)],
                url=f"{host}:{port}",
                token=token,
                game=self._game.name,
                log=log_file,
                cwd=self._folder,
                environment=_environment(self._folder),
                bounds=self._bounds,
            )
        )
        until = time.monotonic() + LOADING_S
        while time.monotonic() < until:
            listener.settimeout(LOOK_S)
            with contextlib.suppress(TimeoutError):
                self._line, _ = listener.accept()
                loaded = self._first(token, until)
                if loaded is not None:
                    return loaded
            if self._process.returncode is not None:
                break
        status = self._process.returncode
        why = f"not read within {LOADING_S:.0f} s" if status is None else f"ended with status {status} while it was read"
        raise BadBot(f"{self._file}: {why}\n{self._last_words()}".rstrip())

    def _first(self, token: str, until: float) -> Loaded | None:
        """The first frame of a line; None: this line is somebody else's. Raises BadBot."""
        self._buffer.clear()
        try:
            loaded: Loaded | None = self._heard(until, Loaded)
        except Gone:
            loaded = None
        if loaded is None or not secrets.compare_digest(loaded.token, token):
            self._line.close()
            return None
        if loaded.fault is not None:
            self._line.close()
            raise BadBot(self._translated(loaded.fault))
        self._line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._exit.callback(self._leave)
        return loaded

    def _leave(self) -> None:
        """Let the bot finish its last hook, then it is over."""
        with contextlib.suppress(OSError, Gone):
            if self._silence is None and not self._missed:
                self._line.shutdown(socket.SHUT_WR)
                until = time.monotonic() + LEAVING_S
                while self._answer(until) is not None:
                    pass
        self._line.close()


def _left(until: float | None) -> float | None:
    """Seconds that are left; never none at all, which would mean not to wait."""
    return None if until is None else max(0.001, until - time.monotonic())


def _environment(folder: Path) -> dict[str, str]:
    """Ours, with a temporary folder of the bot's own and our packages within reach."""
    packages = os.pathsep.join(filter(None, [str(OURS), os.environ.get("PYTHONPATH", "")]))
    return os.environ | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder / "tmp")) | {"PYTHONPATH": packages}
