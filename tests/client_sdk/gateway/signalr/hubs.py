"""A hub in the test's process."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator

from client_sdk.gateway.signalr.front import SignalRGateway
from client_sdk.gateway.signalr.seats import Seats


@contextlib.contextmanager
def running_hub(seats: Seats) -> Iterator[str]:
    """The address of its host, without the path."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        gateway = SignalRGateway([listener], seats)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            gateway.close("the test is over")
