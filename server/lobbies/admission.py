"""Whether a lobby may be made or a seat be taken now."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

from server.accounts.throttle import Throttle
from server.errors import Refusal
from server.health import Health
from server.lobbies.lobbies import Lobbies
from server.lobbies.requests import CreatedLobby
from server.matches.lobby import Lobby
from server.settings import Settings

REPEATS = 1_000
"""At most this many idempotency keys are remembered, each with its lobby."""


class Admission:
    def __init__(self, settings: Settings, health: Health, lobbies: Lobbies) -> None:
        self._settings = settings
        self._health = health
        self._lobbies = lobbies
        self._making: dict[str, bool] = {}
        """Lobbies that are being made, and whether no seat will be taken in them at once."""
        self._makers: dict[str, str] = {}
        """The account or address that made a lobby, or makes it, of those that are not over."""
        self._repeats: OrderedDict[str, tuple[str, asyncio.Task[CreatedLobby]]] = OrderedDict()
        self._leaving = False
        self._draining = False
        self._guesses = Throttle(settings.password_tries)
        self._guesses_at = Throttle(10 * settings.password_tries)

    # --- the whole server

    def leave(self) -> None:
        """The server stops: no new lobbies from now on."""
        self._leaving = True

    @property
    def draining(self) -> bool:
        """No new lobbies and no new seats: an organiser wants no match after the running ones."""
        return self._draining

    def drain(self, on: bool) -> None:
        self._draining = on
        self._health.report("draining", "an organiser wants no new matches here" if on else None)

    @property
    def full(self) -> bool:
        """Whether there are as many lobbies and matches as there may be."""
        here = len(self._lobbies.unfinished) + len(self._lobbies.waiting)
        return here + len(self._making) >= self._settings.lobbies

    @property
    def open(self) -> bool:
        """Whether a lobby could be made now."""
        try:
            self.check()
        except Refusal:
            return False
        return not self.full

    def check(self) -> None:
        """Whether new matches are welcome. Raises Refusal."""
        if self._leaving:
            raise Refusal(503, "leaving", "the server is going away and makes no new matches")
        self.check_draining()
        if (problem := self._health.problems.get("disk")) is not None:
            text = f"the server cannot write the records of new matches: {problem}"
            raise Refusal(503, "no_space", text)
        if (problem := self._health.problems.get("files")) is not None:
            text = f"the server makes no new matches for now: {problem}"
            raise Refusal(503, "too_many_files", text)

    def check_draining(self) -> None:
        """Whether seats may be taken. Raises Refusal."""
        if self._draining:
            text = "the server takes no new matches for now; those that run go on"
            raise Refusal(503, "draining", text)

    # --- one lobby

    @contextlib.contextmanager
    def quota(self, id_: str, by: str | None, *, empty: bool) -> Iterator[None]:
        """A place for this lobby while it is made. `by`: the account or address that makes it;
        None: the server itself, which has no limit of its own. `empty`: no seat will be taken at
        once. Raises Refusal."""
        if by is not None:
            self._check_maker(by, empty)
        self.check()
        if self.full:
            text = f"there are {self._settings.lobbies} lobbies already; try again later"
            raise Refusal(503, "too_many_lobbies", text)
        self._making[id_] = empty
        if by is not None:
            self._makers[id_] = by
        try:
            yield
        finally:
            del self._making[id_]
            if id_ not in self._lobbies.unfinished:
                self.ended(id_)

    def _check_maker(self, by: str, empty: bool) -> None:
        """Raises Refusal."""
        made = [id_ for id_, maker in self._makers.items() if maker == by]
        most = self._settings.lobbies_per_address
        if 0 < most <= len(made):
            text = f"{most} lobbies of yours are not over yet; try again later"
            raise Refusal(429, "too_many_lobbies", text)
        count = sum(map(self._is_empty, made))
        if empty and 0 < self._settings.empty_lobbies <= count:
            text = (
                f"no seat is taken in {count} open lobbies of yours; take one, or try again later"
            )
            raise Refusal(429, "too_many_empty_lobbies", text)

    def _is_empty(self, id_: str) -> bool:
        lobby = self._lobbies.unfinished.get(id_)
        return self._making[id_] if lobby is None else lobby.empty

    def ended(self, id_: str) -> None:
        """This lobby does not count for its maker any more."""
        self._makers.pop(id_, None)

    async def once(
        self, key: str, digest: str, make: Callable[[], Coroutine[Any, Any, CreatedLobby]]
    ) -> CreatedLobby:
        """The same `key` and request (by its `digest`) give the same lobby. Raises Refusal."""
        known = self._repeats.get(key)
        if known is None:
            known = self._repeats[key] = digest, asyncio.get_running_loop().create_task(make())
            known[1].add_done_callback(lambda made: self._forget_a_refused(key, made))
            while len(self._repeats) > REPEATS:
                self._repeats.popitem(last=False)
        if known[0] != digest:
            text = "this Idempotency-Key came with another request before"
            raise Refusal(409, "key_reused", text, field="Idempotency-Key")
        return await asyncio.shield(known[1])

    def _forget_a_refused(self, key: str, made: asyncio.Task[CreatedLobby]) -> None:
        """A request that was refused does not use its key up, nor stays in memory."""
        known = self._repeats.get(key)
        failed = made.cancelled() or made.exception() is not None
        if failed and known is not None and known[1] is made:
            del self._repeats[key]

    def unlock(self, lobby: Lobby, password: str | None, address: str) -> None:
        """Raises Refusal: for a password that is wrong, and for a while after too many of those."""
        if password is None:
            raise Refusal(403, "password", "this lobby asks for its password", field="password")
        at = time.monotonic_ns()
        if not self._guesses.open(address, at) or not self._guesses_at.open(lobby.id, at):
            text = "too many wrong passwords: try again in a minute"
            raise Refusal(429, "too_many_tries", text, field="password")
        if not lobby.access.unlocks(password):
            self._guesses.spend(address, at)
            self._guesses_at.spend(lobby.id, at)
            raise Refusal(403, "password", "this is not the lobby's password", field="password")
