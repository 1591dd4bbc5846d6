"""Matches of this process that are still running in their journals are resumed one after the other
while the server answers.

Those with clocks come first, and of these the ones with short records. Until a match is resumed,
requests and sockets that are about it learn that from `resuming`. Records are played again in the
child process, one at a time."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import Coroutine, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy.exc import SQLAlchemyError

from games.core.contract import AnyGame
from games.core.parameters import configure
from server.cluster.peers import Peers
from server.health import Health
from server.lobbies.factory import LobbyFactory
from server.lobbies.lobbies import CLOSED, Lobbies
from server.lobbies.tokens import Tokens
from server.matches.importer import Importer, UnfinishedMatch
from server.matches.limits import paced
from server.matches.record import Held, JournalFile, hold
from server.matches.resume import Interrupted, Unplayable, interrupted, loaded
from server.offload import Offload

RETRY_S = 1.0
"""A database that does not answer is asked again after this, and a journal that another process has
is tried again."""
CLOSE_S = 10.0
"""A shutdown waits at most this long for a match that is being resumed."""
_log = structlog.get_logger()


class Stopped(Exception):
    """The server stops; the record stays as it is."""


class Recovery:
    def __init__(
        self,
        lobbies: Lobbies,
        factory: LobbyFactory,
        tokens: Tokens,
        importer: Importer,
        peers: Peers,
        health: Health,
        offload: Offload,
    ) -> None:
        self._lobbies = lobbies
        self._factory = factory
        self._tokens = tokens
        self._importer = importer
        self._peers = peers
        self._health = health
        self._offload = offload
        self._total = 0
        self._held: set[str] = set()
        """Matches whose journals another process still has, or whose ends are not public yet."""
        self._stopping = asyncio.Event()
        self._working = asyncio.Lock()

    # --- at the start

    async def open(self) -> None:
        """Read what was played here before, and what was left running. Raises SQLAlchemyError,
        OSError."""
        await self._importer.open(self._peers.is_home)
        self._tokens.add_ended(await self._importer.newest(CLOSED))
        rank = partial(_rank, games=self._lobbies.games)
        order = await asyncio.to_thread(sorted, await self._left(), key=rank)
        self._lobbies.expect(order)
        self._total = len(order)
        self._report()

    async def run(self) -> None:
        """Resume all of them. One whose record does not hold stays listed as interrupted, whatever
        is wrong with it."""
        waiting = self._lobbies.waiting
        while waiting and not self._stopping.is_set():
            left = next(iter(waiting.values()))
            try:
                await self._go_on(left)
            except SQLAlchemyError as fault:
                _waits_for_database(fault)
                await asyncio.sleep(RETRY_S)
            except Exception:  # noqa: BLE001  it is our bug, and the other matches go on
                _log.exception("a match could not be resumed", match=left.id)
                self._lobbies.settle(left)
            self._report()

    def _report(self) -> None:
        waiting = len(self._lobbies.waiting)
        progress = f"{self._total - waiting} of {self._total} matches are resumed"
        self._health.report("resuming", progress if waiting else None)

    # --- later

    async def retry(self) -> None:
        """Resume the matches whose journals another process had, again and again."""
        while not self._stopping.is_set():
            await asyncio.sleep(RETRY_S)
            if not self._held:
                continue
            try:
                found = [left for left in await self._left() if left.id in self._held]
                self._held &= {left.id for left in found}
                for left in found:
                    await self._go_on(left)
            except SQLAlchemyError as fault:
                _waits_for_database(fault)

    async def close(self) -> None:
        """Resume no further match. One whose record is being played again stays as it is."""
        self._stopping.set()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_S), self._working:
                pass

    # --- one match

    async def _left(self) -> list[UnfinishedMatch]:
        """Matches of this process that it does not play yet. Raises SQLAlchemyError."""
        return [
            left
            for left in await self._importer.interrupted()
            if self._peers.is_home(left.id) and self._lobbies.get(left.id) is None
        ]

    async def _go_on(self, left: UnfinishedMatch) -> None:
        """Raises SQLAlchemyError: then it can be tried again."""
        async with self._working:
            if self._stopping.is_set():
                return
            with contextlib.suppress(Stopped):
                await self._resumed(left)
                self._lobbies.settle(left)

    async def _resumed(self, left: UnfinishedMatch) -> None:
        """Raises SQLAlchemyError, Stopped."""
        file = await self._held_file(left)
        if file is None:
            return
        if await self._importer.hides(left):
            os.close(file)
            self._held.add(left.id)  # `retry` imports it when its spectator delay has passed
            return
        if await self._is_over(left, file):
            os.close(file)
            return
        found = await self._played_again(left, file)
        if found is None:
            await self._importer.give_up(left.id)
            self._tokens.add_ended([left.digests])
        else:
            self._factory.resume(left.id, *found)

    async def _is_over(self, left: UnfinishedMatch, file: int) -> bool:
        """Import the match if its journal is complete; return whether it was. Raises
        SQLAlchemyError: then the file is closed."""
        try:
            over = await self._importer.import_end(left)
        except BaseException:
            os.close(file)
            raise
        if over:
            self._tokens.add_ended([left.digests])
        return over

    async def _held_file(self, left: UnfinishedMatch) -> int | None:
        """The journal's file, which no other process writes then. Raises SQLAlchemyError."""
        id_ = left.id
        try:
            file = await asyncio.to_thread(hold, left.path)
        except Held:
            if id_ not in self._held:
                _log.warning("another process has the journal of a match to resume", match=id_)
            self._held.add(id_)
            return None
        except OSError as fault:
            _log.warning("an interrupted match cannot go on", match=id_, why=str(fault))
            await self._importer.give_up(id_)
            self._tokens.add_ended([left.digests])
            return None
        self._held.discard(id_)
        return file

    async def _played_again(
        self, left: UnfinishedMatch, file: int
    ) -> tuple[Interrupted, JournalFile] | None:
        """None: it cannot go on. Raises Stopped. In either case the file is closed."""
        games = self._lobbies.games
        try:
            working = self._offload.run(interrupted, left.path, games)
            found = loaded(await self._before_the_stop(working), games)
            return found, found.write_on(left.path, file)
        except (Stopped, asyncio.CancelledError):
            os.close(file)
            raise
        except (Unplayable, OSError) as fault:
            _log.warning("an interrupted match cannot go on", match=left.id, why=str(fault))
        except Exception:  # noqa: BLE001  the engine may fail as it did when it was interrupted
            _log.exception("an interrupted match cannot go on", match=left.id)
        os.close(file)
        return None

    async def _before_the_stop(self, work: Coroutine[Any, Any, bytes]) -> bytes:
        """Raises Stopped."""
        working, stopping = asyncio.create_task(work), asyncio.create_task(self._stopping.wait())
        try:
            await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if self._stopping.is_set():
                raise Stopped
            return working.result()
        finally:
            working.cancel()
            stopping.cancel()


def _rank(left: UnfinishedMatch, games: Mapping[str, AnyGame]) -> tuple[bool, int]:
    """Matches with clocks first, then those with short records. Blocks: not for the loop."""
    try:
        return not _has_clock(left.path, games), left.path.stat().st_size
    except Exception:  # noqa: BLE001  there may be anything in a file, and then it cannot go on
        return True, 0


def _has_clock(path: Path, games: Mapping[str, AnyGame]) -> bool:
    """Whether the match of this journal has clocks. Raises anything if it is no journal."""
    with path.open("rb") as file:
        header = json.loads(file.readline())
    game = games[header["game"]]
    pacing = game.pacing(configure(game, header["config"]))
    return paced(pacing, header["faults"], header["clock"]).clocked


def _waits_for_database(fault: SQLAlchemyError) -> None:
    _log.warning("matches wait for the database to be resumed", why=type(fault).__name__)
