"""Who is called where. A bot asks with its account's key and is answered when it gets a seat.

A request from the beginning (`after=0`) gets every open invitation again, so an answer that was
lost on the way costs nothing. Numbers only grow, also over a restart, so that `after` of an earlier
life hides nothing.

A bot is present while a request of it waits, and for `GRACE_S` after an answer. There is no grace
after a request whose connection ends, unless a pause of this process may have ended it."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections import Counter
from dataclasses import dataclass, field

from client_sdk.running import RunningTime
from games.core.contract import Json, Seat
from server.matches.lobby import Lobby
from server.wall_clock import wall_ms

GRACE_S = 5.0
"""Seconds between an answer and the next request of a bot that is still present."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """A seat that is kept. `about`: which game of what it is."""

    number: int
    lobby: Lobby
    seat: Seat
    token: str = field(repr=False)
    about: dict[str, Json]

    @property
    def open(self) -> bool:
        """Whether no client plays the seat: it has still to connect, or to reconnect."""
        played = any(client.seat == self.seat for client in self.lobby.clients())
        return self.lobby.unfinished and not played

    def json(self) -> dict[str, Json]:
        seat = self.lobby.seats[self.seat]
        return {
            "number": self.number,
            "match": self.lobby.id,
            "game": self.lobby.game.name,
            "seat": self.seat,
            "role": seat.role,
            "name": seat.name,
            "token": self.token,
            "within_ms": self.lobby.countdown_ms(),
            **self.about,
        }


class Invitations:
    def __init__(self, running: RunningTime) -> None:
        self.running = running
        self._open: dict[str, list[Invitation]] = {}
        """By account, oldest first."""
        self._waiting: Counter[str] = Counter()
        """Requests that wait, by account."""
        self._answered: dict[str, float] = {}
        """When each account's last request was answered (running ns)."""
        self._missed: set[str] = set()
        """Accounts that missed a game and have not asked since."""
        self._news = asyncio.Condition()
        self._last = 0
        self._closed = False

    def post(
        self, account: str, lobby: Lobby, seat: Seat, token: str, about: dict[str, Json]
    ) -> None:
        """Keep this seat for the account's bot."""
        self._last = max(self._last + 1, wall_ms())
        self._open.setdefault(account, []).append(Invitation(self._last, lobby, seat, token, about))

    async def notify(self) -> None:
        """Wake all requests that wait."""
        async with self._news:
            self._news.notify_all()

    def present(self, account: str) -> bool:
        """Whether a bot of this account asks for games, and has not missed one since it asked."""
        if account in self._missed:
            return False
        gone = self.running.now() - self._answered.get(account, -math.inf)
        return self._waiting[account] > 0 or gone < GRACE_S * 1e9

    def missed(self, account: str) -> bool:
        """The account's bot did not come to a game: it is absent until its next request. Whether it
        was not marked as absent before."""
        known = account in self._missed
        self._missed.add(account)
        return not known

    async def wait(self, account: str, after: int, wait_s: float) -> list[Invitation]:
        """Open invitations with a number above `after`, when there are any, or after `wait_s`.

        Cancel this when the client's connection ends: then it counts as gone at once.
        """
        self._missed.discard(account)
        self._waiting[account] += 1
        answered = False

        def ready() -> bool:
            return self._closed or bool(self._newer(account, after))

        try:
            async with self._news:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(wait_s):
                        await self._news.wait_for(ready)
            answered = True
            return self._newer(account, after)
        finally:
            self._waiting[account] -= 1
            if answered or self.running.recovering():  # a pause may have ended the connection
                self._answered[account] = self.running.now()
            elif not self._waiting[account]:
                self._answered.pop(account, None)
            if not self._waiting[account]:
                del self._waiting[account]

    async def close(self) -> None:
        """Answer all requests that wait."""
        self._closed = True
        await self.notify()

    def _newer(self, account: str, after: int) -> list[Invitation]:
        kept = [one for one in self._open.get(account, ()) if one.lobby.unfinished]
        if kept:
            self._open[account] = kept
        else:
            self._open.pop(account, None)
        return [one for one in kept if one.number > after and one.open]
