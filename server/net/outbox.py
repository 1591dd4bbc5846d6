"""Frames on their way to a client."""

from __future__ import annotations

import asyncio


class Outbox:
    """Frames of one event loop iteration leave in one write, since waking the other side is what
    costs. While the transport is congested, at most `frames` of them, or `size` bytes, wait."""

    def __init__(self, transport: asyncio.Transport, frames: int, size: int) -> None:
        self.congested = False
        """The transport holds enough bytes that the client has not read."""
        self.written = 0
        """Frames handed over to the transport."""
        self._transport = transport
        self._loop = asyncio.get_running_loop()
        self._frames = frames
        self._size = size
        self._batch: list[bytes] = []
        self.leaving = False
        """The batch is written in the next iteration of the event loop."""
        self._queue: list[bytes] = []
        self._queued = 0
        """Bytes in the queue."""

    def __len__(self) -> int:
        """Frames that wait for the transport."""
        return len(self._queue)

    def put(self, frame: bytes, *, flushed: bool = False) -> bool:
        """Send it, or let it wait. False: more waits than may. `flushed`: the caller sees to it
        that `flush` is called."""
        if self.congested:
            self._queue.append(frame)
            self._queued += len(frame)
            return len(self._queue) <= self._frames and self._queued <= self._size
        self._batch.append(frame)
        self.written += 1
        if not (flushed or self.leaving):
            self.leaving = True
            self._loop.call_soon(self.flush)
        return True

    def flush(self) -> None:
        """Write the batch now."""
        self.leaving = False
        if batch := self._batch:
            self._batch = []
            if not self._transport.is_closing():
                self._transport.write(batch[0] if len(batch) == 1 else b"".join(batch))

    def clear(self) -> None:
        """Drop what waits."""
        self._queue.clear()
        self._queued = 0

    def block(self) -> None:
        """The transport is congested."""
        self.congested = True

    def unblock(self) -> None:
        """The transport takes bytes again."""
        self.congested = False
        waiting, self._queue, self._queued = self._queue, [], 0
        for frame in waiting:
            self.put(frame)
