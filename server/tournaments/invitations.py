"""Who is called where. A bot asks with its account's key, and is answered when a seat is kept for it.

An invitation is told again to whoever asks from the beginning, as long as nobody plays the seat: an answer that was lost on the
way costs nothing. Numbers only grow, also over a restart, so that `after` of an earlier life hides nothing.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from games.core.contract import Seat
from server.matches.record import wall_ms
from server.matches.room import Room

Json = Any

PRESENT_S = 90.0
"""Whoever asked so short a while ago is taken to be there."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """A seat that is kept. `about`: which game of what it is."""

    number: int
    room: Room
    seat: Seat
    token: str = field(repr=False)
    about: dict[str, Json]

    @property
    def open(self) -> bool:
        """Whether nobody plays the seat: somebody has still to come, or to come back."""
        return self.room.unfinished and all(client.seat != self.seat for client in self.room.clients())

    def json(self) -> dict[str, Json]:
        chair = self.room.chairs[self.seat]
        return {
            "number": self.number,
            "match": self.room.id,
            "game": self.room.game.name,
            "seat": self.seat,
            "role": chair.role,
            "name": chair.name,
            "token": self.token,
            "within_ms": self.room.countdown_ms(),
            **self.about,
        }


class Invitations:
    def __init__(self) -> None:
        self._open: dict[str, list[Invitation]] = {}
        """By account, oldest first."""
        self._asked: dict[str, float] = {}
        """When each account asked last (monotonic s)."""
        self._waiting: dict[str, int] = {}
        self._news = asyncio.Condition()
        self._last = 0
        self._closed = False
        self.came: Callable[[], None] = lambda: None
        """Called when somebody asks who was not there."""

    def post(self, account: str, room: Room, seat: Seat, token: str, about: dict[str, Json]) -> None:
        """Keep this seat for the account's bot."""
        self._last = max(self._last + 1, wall_ms())
        self._open.setdefault(account, []).append(Invitation(self._last, room, seat, token, about))

    async def notify(self) -> None:
        """Those who wait look again."""
        async with self._news:
            self._news.notify_all()

    def present(self, account: str) -> bool:
        """Whether a bot of this account asks for games."""
        return account in self._waiting or time.monotonic() - self._asked.get(account, -PRESENT_S) < PRESENT_S

    async def asked(self, account: str, after: int, wait_s: float) -> list[Invitation]:
        """Open invitations with a greater number, once there are any; none when the time is up."""
        new = not self.present(account)
        self._waiting[account] = self._waiting.get(account, 0) + 1
        try:
            if new:
                self.came()
            async with self._news:
                try:
                    async with asyncio.timeout(wait_s):
                        await self._news.wait_for(lambda: self._closed or bool(self._newer(account, after)))
                except TimeoutError:
                    pass
            return self._newer(account, after)
        finally:
            self._asked[account] = time.monotonic()
            self._waiting[account] -= 1
            if not self._waiting[account]:
                del self._waiting[account]

    async def close(self) -> None:
        """Nobody waits any more."""
        self._closed = True
        await self.notify()

    def _newer(self, account: str, after: int) -> list[Invitation]:
        kept = [one for one in self._open.get(account, ()) if one.room.unfinished]
        if kept:
            self._open[account] = kept
        else:
            self._open.pop(account, None)
        return [one for one in kept if one.number > after and one.open]
