"""House bots: ordinary clients over a socket, each in a process that ends with its match."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any

import structlog

from client_sdk.bots import default_opponent
from client_sdk.process import BotProcess
from server.errors import Refusal
from server.matches.lobby import Lobby

Catalogue = Mapping[str, Mapping[str, str]]
"""What they are called and what they do, by game."""

_log = structlog.get_logger()


class HouseBots:
    """`url`: where this server's play socket is for a process on this machine. No more than `most`
    run at the same time."""

    def __init__(self, catalogue: Catalogue, url: str, *, enabled: bool, most: int) -> None:
        self._catalogue = catalogue
        self._url = url
        self._enabled = enabled
        self._most = most
        self._starting = 0
        self._running: dict[str, list[BotProcess]] = {}
        self._chores: set[asyncio.Task[None]] = set()
        self._closed = False

    def names(self, game: str) -> Mapping[str, str]:
        return self._catalogue.get(game, {}) if self._enabled else {}

    def default(self, game: str) -> str | None:
        """The bot that plays where none is named; None: there are no house bots of this game."""
        names = self.names(game)
        return default_opponent(names) if names else None

    @property
    def count(self) -> int:
        """How many run, or are about to."""
        return self._starting + sum(len(bots) for bots in self._running.values())

    def check(self, game: str, names: Sequence[str], field: str = "bot") -> None:
        """Whether these may sit down. Raises Refusal for a name that no house bot of this game has,
        and when too many run."""
        self.check_names(game, names, field)
        if names and self.count + len(names) > self._most:
            text = f"{self.count} of at most {self._most} house bots run; try again later"
            raise Refusal(503, "too_many_house_bots", text, field=field)

    def check_names(self, game: str, names: Sequence[str], field: str = "bot") -> None:
        """Raises Refusal for a name that no house bot of this game has."""
        known = sorted(self.names(game))
        for name in names:
            if name not in known:
                text = f"no house bot of {game} is called {name!r}"
                raise Refusal(404, "unknown_bot", text, field=field, allowed=known)

    def room_for(self, bots: int) -> bool:
        """Whether `bots` more may run."""
        return bots == 0 or (self._enabled and self.count + bots <= self._most)

    def start(self, lobby: Lobby, bot: str, token: str) -> None:
        """Start one for a seat of this lobby; it is ended when the lobby is."""
        self._starting += 1
        self._chore(self._start(lobby, bot, token))

    def end(self, lobby: Lobby) -> None:
        """Whatever still runs for this lobby."""
        bots = self._running.pop(lobby.id, [])
        if bots:
            self._chore(self._end(bots))

    async def close(self) -> None:
        """End all of them, for good."""
        self._closed = True
        while self._running or self._chores:
            for id_ in list(self._running):
                await self._end(self._running.pop(id_))
            if self._chores:
                await asyncio.wait(self._chores)

    async def _start(self, lobby: Lobby, bot: str, token: str) -> None:
        try:
            process = await asyncio.to_thread(self._process, lobby.game.name, bot, token)
        except OSError:
            _log.exception("a house bot could not be started", match=lobby.id, bot=bot)
            return
        finally:
            self._starting -= 1
        if self._closed or not lobby.unfinished:
            await self._end([process])
            return
        self._running.setdefault(lobby.id, []).append(process)
        _log.info("house bot started", match=lobby.id, bot=bot, pid=process.pid)

    def _process(self, game: str, bot: str, token: str) -> BotProcess:
        command = [sys.executable, "-P", "-m", "client_sdk.run", "--house", game, bot]
        return BotProcess(command, url=self._url, token=token, game=game)

    async def _end(self, bots: list[BotProcess]) -> None:
        for process in bots:
            await asyncio.to_thread(process.end)

    def _chore(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)
