"""The time of a bot that plays in our own process, where no server keeps it."""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
import traceback
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple

from client_sdk.bot_roots import OURS
from client_sdk.console import note
from client_sdk.running import running_s
from games.core.contract import Pacing

HANGS_S: Final = 10.0
"""A call that takes longer than this, and than `TIMES` its limit, counts as hung."""
TIMES: Final = 3
CALL_S: Final = 60.0
"""What a call without a limit may take."""
LOOK_S: Final = 0.2
ENDING_S: Final = 3.0
"""How long a bot may take to let itself be interrupted."""
STATUS: Final = 2
"""The exit status where it does not."""


class TurnLimit:
    """The time of each turn of a seat, with its bank. Seconds."""

    def __init__(self, turn_s: float, bank_s: float = 0.0, increment_s: float = 0.0) -> None:
        self._turn_s = turn_s
        self._bank_s = bank_s
        self._increment_s = increment_s
        self._begun = False

    @classmethod
    def of(cls, pacing: Pacing) -> TurnLimit | None:
        """The limit of a match; None: it has none."""
        if not pacing.clocked:
            return None
        if pacing.tick_ms:
            return cls(pacing.tick_ms / 1000)
        return cls(pacing.turn_ms / 1000, pacing.bank_ms / 1000, pacing.increment_ms / 1000)

    def begin(self) -> float:
        """A turn begins: the time for it."""
        self._bank_s += self._increment_s if self._begun else 0.0
        self._begun = True
        return self._turn_s + self._bank_s

    def end(self, taken_s: float) -> None:
        """The turn took this long: what is over its own time goes off the bank."""
        self._bank_s = max(0.0, self._bank_s - max(0.0, taken_s - self._turn_s))


class OpenCall(NamedTuple):
    """A call of a bot that has not come back yet."""

    bot: str
    hook: str
    when: str
    begun: float
    allowed_s: float


class Watchdog:
    """Ends the run of games when a bot hangs. A context manager around it, in the main thread.

    Python code cannot be ended safely in its own process, so the main thread gets the interrupt of
    Ctrl-C, and `sentence` says why. If the bot ignores it too, the program ends."""

    def __init__(self) -> None:
        self.call: OpenCall | None = None
        """The call that runs; its owner sets it, and resets it to None."""
        self.sentence: str | None = None
        self._main = threading.get_ident()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="hung-bots", daemon=True)

    def __enter__(self) -> Watchdog:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()

    def _watch(self) -> None:
        while not self._over.wait(LOOK_S):
            call = self.call
            if call is None or running_s() - call.begun <= call.allowed_s:
                continue
            self.sentence = (
                f"{call.bot} has not returned from {call.hook} for {call.allowed_s:.0f} s "
                f"({call.when}){self._place()}. The game ends here; with --isolate the bot plays in"
                " a process of its own, which can be ended without the game"
            )
            if self.call is not call:
                self.sentence = None
                continue
            self._interrupt()
            if not self._over.wait(ENDING_S):
                note(f"botarena: {self.sentence}")
                os._exit(STATUS)
            return

    def _interrupt(self) -> None:
        if sys.platform == "win32":
            _thread.interrupt_main()
        else:
            signal.pthread_kill(self._main, signal.SIGINT)

    def _place(self) -> str:
        """File and line where the main thread is, if it is in no module of ours."""
        frame = sys._current_frames().get(self._main)
        if frame is None:
            return ""
        stack = traceback.extract_stack(frame)
        ours = tuple(str(OURS / package) for package in ("botarena", "client_sdk", "games"))
        theirs = [line for line in stack if not line.filename.startswith((*ours, "<"))]
        last = (theirs or [*stack])[-1]
        return f": {Path(last.filename).name}, line {last.lineno}, in {last.name}"
