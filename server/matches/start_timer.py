"""When an open lobby is cancelled, or its match called off."""

from __future__ import annotations

from collections.abc import Callable

from client_sdk.running import MS, RunningTime
from server.matches.alarm import Alarm


class StartTimer:
    """An open lobby waits for seats until it expires, and not for long if none is taken; with all
    seats taken, for their hellos, once nothing else is waited for.

    `cancel` is called with a reason, `call_off` when a seat said no hello.
    """

    def __init__(
        self,
        running: RunningTime,
        *,
        start_timeout_ms: int,
        empty_ms: int,
        startup_ms: int,
        cancel: Callable[[str], None],
        call_off: Callable[[], None],
    ) -> None:
        self._running = running
        self._expires = running.now() + start_timeout_ms * MS
        self._empty_ms = empty_ms
        self._startup_ms = startup_ms
        self._cancel = cancel
        self._call_off = call_off
        self._alarm: Alarm | None = None

    @property
    def left_ms(self) -> int | None:
        """None: nothing is waited for."""
        return None if self._alarm is None else self._alarm.left_ms

    def restart(self, free: int, seats: int, begins: bool) -> None:
        """Restart the timer with `free` of the `seats` free. `begins`: the match starts when all
        seats are ready."""
        self.stop()
        left_ms = max(0, self._expires - self._running.now()) / MS
        if begins and not free:
            self._alarm = Alarm(self._running, self._startup_ms, self._call_off)
        elif free == seats and self._empty_ms < left_ms:
            self._alarm = Alarm(
                self._running, self._empty_ms, lambda: self._cancel("no_seat_taken")
            )
        else:
            self._alarm = Alarm(self._running, left_ms, lambda: self._cancel("start_timeout"))

    def stop(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
