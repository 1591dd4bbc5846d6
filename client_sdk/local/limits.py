"""The time of a bot that plays in our own process, where no server keeps it."""

from __future__ import annotations

import _thread
import faulthandler
import signal
import sys
import threading
import traceback
from itertools import islice
from os import _exit
from pathlib import Path
from types import FrameType, TracebackType
from typing import Final, NamedTuple

from client_sdk.bot_roots import OURS
from client_sdk.console import note
from client_sdk.running import running_s

HANGS_S: Final = 10.0
"""A call that takes longer than this, and than `TIMES` its limit, counts as hung."""
TIMES: Final = 3
CALL_S: Final = 60.0
"""What a call without a limit may take."""
LOOK_S: Final = 0.2
ENDING_S: Final = 3.0
"""How long a bot may take to let itself be interrupted."""
DEEPEST: Final = 1_000
"""Calls of a bot that are looked through for the place where it hangs."""
STATUS: Final = 2
"""The exit status where it does not."""
STARVED_S: Final = CALL_S
"""Processor time in which no other thread runs, such as during a call into C without an end."""


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
    Ctrl-C, and `sentence` says why. If the bot ignores it too, the program ends. If the bot lets no
    other thread run, the system ends it (SIGPROF, POSIX), and its stack is written before."""

    def __init__(self) -> None:
        self.call: OpenCall | None = None
        """The call that runs; its owner sets it, and resets it to None."""
        self.sentence: str | None = None
        self.interrupted = False
        """Whether the interrupt has come: from here, or from the keyboard."""
        self._main = threading.get_ident()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="hung-bots", daemon=True)

    def __enter__(self) -> Watchdog:
        self._before = signal.signal(signal.SIGINT, self._on_interrupt)
        if sys.platform != "win32":
            faulthandler.register(signal.SIGPROF, file=2, all_threads=False, chain=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()
        if sys.platform != "win32":
            signal.setitimer(signal.ITIMER_PROF, 0)
            faulthandler.unregister(signal.SIGPROF)
        signal.signal(signal.SIGINT, self._before)

    def _on_interrupt(self, number: int, frame: FrameType | None) -> None:
        self.interrupted = True
        raise KeyboardInterrupt

    def _watch(self) -> None:
        while not self._over.wait(LOOK_S):
            call = self.call
            if sys.platform != "win32":
                allowed_s = 0.0 if call is None else call.allowed_s
                signal.setitimer(signal.ITIMER_PROF, max(STARVED_S, allowed_s))
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
                _exit(STATUS)
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
        ours = tuple(str(OURS / package) for package in ("botarena", "client_sdk", "games"))
        # from the inside, and not far: a stack without a limit takes minutes to look through
        calls = [(one.f_code, line) for one, line in islice(traceback.walk_stack(frame), DEEPEST)]
        theirs = (call for call in calls if not call[0].co_filename.startswith((*ours, "<")))
        code, line = next(theirs, calls[0])
        return f": {Path(code.co_filename).name}, line {line}, in {code.co_name}"
