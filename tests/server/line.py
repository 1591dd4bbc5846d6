"""A connection over a transport that takes as much as the test says."""

from __future__ import annotations

from websockets.protocol import State
from websockets.server import ServerProtocol

from server.matches.client import Client
from server.net.transport import ServerConnection


class Wire:
    """A transport that writes down what is done with it."""

    def __init__(self) -> None:
        self.reading = True
        self.closing = False
        self.out = b""

    def get_extra_info(self, name: str) -> None:
        return None

    def write(self, data: bytes) -> None:
        self.out += data

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def is_closing(self) -> bool:
        return self.closing

    def close(self) -> None:
        self.closing = True

    abort = close


class Line:
    """An open connection that can be stuck, and its own reader and listener."""

    def __init__(self, *, frames: int = 4, size: int = 100) -> None:
        self.wire = Wire()
        self.received = 0
        self.paused = False
        self.writable = 0
        self.closed = 0
        self.protocol = ServerProtocol(state=State.OPEN)
        self.connection = ServerConnection(
            self.wire,
            self.protocol,
            self,
            frames=frames,
            size=size,
        )
        self.connection.start(self, 60)

    def pause(self) -> None:
        self.paused = True

    def resume(self) -> None:
        self.paused = False

    def on_message(self, payload: bytes, text: bool, received: int) -> None: ...

    def on_other_frame(self, received: int) -> None: ...

    def on_writable(self) -> None:
        self.writable += 1

    def on_closed(self, at: int) -> None:
        self.closed += 1

    def jams(self) -> None:
        self.connection.outbox.block()

    def flows(self) -> None:
        self.connection.on_writable()

    @property
    def written(self) -> list[bytes]:
        """What was sent before the close, where each frame ends with a line break."""
        self.connection.outbox.flush()
        out = self.wire.out
        return (out if self.status is None else out[: out.rindex(b"\x88")]).splitlines()

    @property
    def status(self) -> int | None:
        """Of our close frame, if there is one."""
        return None if self.protocol.close_sent is None else self.protocol.close_sent.code


def held_for(client: Client) -> int:
    """Bytes that the server holds for a client: its outbox and the transport."""
    outbox = client.connection.outbox
    return outbox._queued + outbox._transport.get_write_buffer_size()
