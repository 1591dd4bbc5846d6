"""How the process for large bodies begins. It imports nothing large before its priority is low:
what it imports later would otherwise compete with the clocks of matches."""

from __future__ import annotations

import os

NICE = 10
"""Matches come first where processors are few."""


def begin() -> None:
    if hasattr(os, "nice"):
        os.nice(NICE)
    from client_sdk.local import games

    games.begin()
