"""How a child process begins that ends with its parent."""

from __future__ import annotations

import signal
import threading
from multiprocessing import parent_process
from multiprocessing.process import BaseProcess
from os import _exit

from client_sdk.leaving import end_after


def begin() -> None:
    """Watch the parent, and leave interrupts to it. Bots do not hold up the end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    threading.Thread(target=end_after, args=(threading.main_thread(),), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    _exit(1)
