"""Waiting for what happens in other threads and processes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PATIENCE_S = 60.0
"""Much longer than anything takes: only a fault waits for it."""


def eventually(found: Callable[[], T | bool | None], within_s: float = PATIENCE_S) -> T:
    """Ask until the answer is not empty, less often the longer it takes: a question may be a
    request, which costs those a processor who are waited for."""
    began = time.monotonic()
    while not (answer := found()):
        waited_s = time.monotonic() - began
        assert waited_s < within_s, "what the test waits for did not happen"
        time.sleep(min(0.005 + waited_s / 10, 0.05))
    return answer
