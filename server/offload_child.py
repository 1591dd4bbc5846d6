"""The child process of `server.offload`. This module imports nothing large: what a call needs is
imported at low priority."""

from __future__ import annotations

import contextlib
import os
import pickle
import traceback
from multiprocessing.connection import Connection

from client_sdk.local.child import begin

NICENESS = 5
"""Matches come first where processors are few."""


def serve(calls: Connection) -> None:
    """Answer pickled calls with `(returned, raised)` until the parent hangs up."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    begin()
    with contextlib.suppress(EOFError, OSError):
        while True:
            calls.send_bytes(_answer(calls.recv_bytes()))


def _answer(call: bytes) -> bytes:
    try:
        returned = pickle.loads(call)()  # noqa: S301  our parent made it
        return pickle.dumps((returned, None), pickle.HIGHEST_PROTOCOL)
    except Exception as fault:  # noqa: BLE001  the caller gets it
        fault.add_note(traceback.format_exc())
        return pickle.dumps((None, fault), pickle.HIGHEST_PROTOCOL)
