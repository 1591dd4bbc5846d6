"""A process that a supervisor has started: it says where it listens, and ends with its
supervisor."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Final

LISTENING: Final = "listening on "


def say_listening(where: str) -> None:
    """The line on stdout that a supervisor waits for."""
    sys.stdout.write(f"{LISTENING}{where}\n")
    sys.stdout.flush()


def end_with_supervisor() -> None:
    """A child's stdin is a pipe that the supervisor holds: stop when that is gone."""

    def wait() -> None:
        while os.read(0, 4096):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()
