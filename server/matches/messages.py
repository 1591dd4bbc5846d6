"""What can happen to a live match from outside. `at`: when it came (monotonic ns)."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import ClassVar

from msgspec import Struct

from client_sdk.wire.messages import Commands, Info, Provisional, Ready, Resync
from games.core.contract import Seat
from server.matches.client import Client


@dataclass(frozen=True, slots=True)
class Connected:
    """A seat said hello."""

    client: Client
    at: int


@dataclass(frozen=True, slots=True)
class Disconnected:
    """A seat's connection is closed."""

    client: Client
    at: int


class FrameReceived(Struct, frozen=True):
    client: Client
    frame: Commands | Provisional | Info | Ready | Resync
    at: int


@dataclass(frozen=True, slots=True)
class BadFrameReceived:
    """A frame that is no message of the protocol."""

    client: Client
    at: int


@dataclass(frozen=True, slots=True)
class Request:
    """What the server asks of the match. No client sent it."""

    client: ClassVar[None] = None
    at: int = field(default_factory=time.monotonic_ns, kw_only=True)


@dataclass(frozen=True, slots=True)
class Resign(Request):
    seat: Seat


@dataclass(frozen=True, slots=True)
class Abort(Request):
    reason: str


@dataclass(frozen=True, slots=True)
class HandOver(Request):
    """Shutdown: another process continues the match from its journal."""


MatchMessage = (
    Connected | Disconnected | FrameReceived | BadFrameReceived | Resign | Abort | HandOver
)
