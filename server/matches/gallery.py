"""What the viewers of a match are sent: at once, or with the match's spectator delay.

With a delay nothing is public before it is over: what viewers see, how far the journal may be read
for them (`size`), and that the match has ended."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from client_sdk.wire.codes import DONE, RESTART
from client_sdk.wire.messages import Event
from games.core.contract import Json
from server.matches.client import Client, MakeFrame
from server.matches.clock import whole_ms
from server.matches.snapshot import Snapshot
from server.net.transport import framed

MakeClocks: TypeAlias = Callable[[], dict[str, Json] | None]
"""The data of an event `clock`, made when it is sent; None: no seat has a limit."""


@dataclass(slots=True, eq=False)
class Gallery:
    """`journal_size`: of what is written of the journal. `greeting`: the frames that a viewer gets
    first."""

    _viewers: AbstractSet[Client]
    """Those of the lobby; they come and go."""
    _delay_s: int
    _journal_size: Callable[[], int]
    _greeting: Callable[[Snapshot], list[bytes]]
    shown: Snapshot | None = field(default=None, init=False)
    """The newest one that viewers may see."""
    size: int | None = field(default=None, init=False)
    """How much of the journal is public, in bytes; None: all of it."""
    _clocks: tuple[MakeClocks, int] | None = field(default=None, init=False)
    """The time of each seat as the shown turn opened, and when viewers saw that (monotonic ns)."""
    _due: deque[tuple[float, Callable[[], None]]] = field(default_factory=deque, init=False)
    _timer: asyncio.TimerHandle | None = field(default=None, init=False)
    _left: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    """The viewers have seen the end, or were sent away."""
    _cut: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        if self._delay_s:
            self.size = 0

    @property
    def delayed(self) -> bool:
        return self._delay_s > 0

    @property
    def viewers(self) -> list[Client]:
        return list(self._viewers)

    def begin(self, snapshot: Snapshot) -> None:
        """The first moment, or the one at which an interrupted match goes on."""
        self._later(partial(self._begin, snapshot, self._size_now()))

    def show(self, snapshot: Snapshot) -> None:
        """A new moment."""
        if self._delay_s:
            self._later(partial(self._show, snapshot, self._size_now()))
        else:
            self._show(snapshot, None)

    def send(self, frames: Sequence[bytes], *, steps: bool = False) -> None:
        """To all viewers, or to those that ask for every step."""
        self._later(partial(self._send, list(frames), steps))

    def show_clocks(self, clocks: MakeClocks, *, announce: bool) -> None:
        """The time of each seat as the turn opens: for viewers that come late, and to all if
        `announce`."""
        self._later(partial(self._show_clocks, clocks, announce))

    def drop_clocks(self) -> None:
        """One of them stands: viewers that come late could not compute any more what is left."""
        self._later(self._drop_clocks)

    def drop_views(self) -> None:
        """A view cannot be made: none is waited for."""
        self._later(self._drop_views)

    def end(self, frame: bytes) -> None:
        self._later(partial(self._end, frame))

    def greet(self, *clients: Client) -> None:
        """The match as it stands for viewers, to those that come late or have lost track."""
        if self.shown is not None:
            frames = self._greeting(self.shown) + self._clocks_now(self.shown)
            for client in clients:
                client.holds = self.shown.seq
                for frame in frames:
                    client.send(frame)

    def _clocks_now(self, shown: Snapshot) -> list[bytes]:
        """The clocks as earlier viewers see them run: whether a seat has answered is not public
        before the turn is closed."""
        if self._clocks is None:
            return []
        clocks, since = self._clocks
        data = clocks()
        if data is None:
            return []
        spent = {"spent_ms": whole_ms(time.monotonic_ns() - since)}
        return [framed(Event("clock", shown.turn, None, data | spent))]

    async def left(self) -> bool:
        """Until the viewers have seen the end. False: the server stops before that."""
        await self._left.wait()
        return not self._cut

    def cut(self) -> None:
        """The server stops: what viewers have not seen they will not see here."""
        if self._timer is not None:
            self._timer.cancel()
        self._due.clear()
        self._cut = not self._left.is_set()
        for client in self._viewers:
            client.close(RESTART)
        self._left.set()

    # --- when it is due

    def _later(self, act: Callable[[], None]) -> None:
        if not self._delay_s:
            act()
            return
        loop = asyncio.get_running_loop()
        self._due.append((loop.time() + self._delay_s, act))
        if self._timer is None:
            self._timer = loop.call_at(self._due[0][0], self._act)

    def _act(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = None
        while self._due and self._due[0][0] <= loop.time():
            self._due.popleft()[1]()
        if self._due:
            self._timer = loop.call_at(self._due[0][0], self._act)

    def _size_now(self) -> int | None:
        return self._journal_size() if self._delay_s else None

    def _begin(self, snapshot: Snapshot, size: int | None) -> None:
        self.shown, self.size, self._clocks = snapshot, size, None
        self.greet(*self._viewers)

    def _show(self, snapshot: Snapshot, size: int | None) -> None:
        before = self.shown
        self.shown, self.size, self._clocks = snapshot, size, None
        for client in self._viewers:
            client.show(snapshot.turn, _frame_of(client, snapshot, before), flushed=True)
            client.flush()

    def _send(self, frames: list[bytes], steps: bool) -> None:
        for client in self._viewers:
            for frame in frames if client.steps or not steps else ():
                client.send(frame)

    def _show_clocks(self, clocks: MakeClocks, announce: bool) -> None:
        assert self.shown is not None
        self._clocks = clocks, time.monotonic_ns()
        if announce and self._viewers and (data := clocks()) is not None:
            self._send([framed(Event("clock", self.shown.turn, None, data))], False)

    def _drop_clocks(self) -> None:
        self._clocks = None

    def _drop_views(self) -> None:
        for client in self._viewers:
            client.show_no_more()

    def _end(self, frame: bytes) -> None:
        for client in self._viewers:
            client.send_last(frame)
            client.close(DONE)
        self._left.set()


def _frame_of(viewer: Client, snapshot: Snapshot, before: Snapshot | None) -> MakeFrame:
    def show(skipped: int) -> bytes:
        held, viewer.holds = viewer.holds, snapshot.seq
        if viewer.deltas and before is not None and before.seq == held:
            return snapshot.delta(before)
        return snapshot.frame(viewer.once, skipped)

    return show
