"""The attempts to play tournament games that this server has taken, from the row that takes one to
the fact that ends it.

An attempt is taken in the database first, so that only one server plays it. The result of its
match, the match's row, the fact and the end of the attempt are one transaction (`ResultCounter`).
An attempt of this server that is neither played here nor about to be stored was cut off by a crash:
its match has ended, and then that is counted now, or it is dropped, to be taken again."""

from __future__ import annotations

from collections.abc import Sequence

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from client_sdk.running import RunningTime
from games.contest.tournament import Fixture, Tournament
from server.cluster.client import PeerClient
from server.cluster.leader import Leader
from server.lobbies.service import LobbyService
from server.match_record import MatchEnded
from server.matches.lobby import Lobby
from server.store import matches
from server.store import tournaments as stored
from server.store.store import Store
from server.store.tournaments import GameAttempt, StoredTournament
from server.tournaments.changes import Changes
from server.tournaments.matchmaker import Matchmaker
from server.tournaments.results import ResultCounter
from server.wall_clock import wall_ms

GONE_S = 60.0
"""How long a process may be away until its attempts are given up."""

_log = structlog.get_logger()


class Attempts:
    """The games of tournaments that this server plays: begun, watched and counted."""

    def __init__(
        self,
        store: Store,
        service: LobbyService,
        running: RunningTime,
        leader: Leader,
        others: PeerClient,
        matchmaker: Matchmaker,
        changes: Changes,
        results: ResultCounter,
    ) -> None:
        self._store = store
        self._lobbies = service.lobbies
        self._writer = service.writer
        self._running = running
        self._leader = leader
        self._others = others
        self._matchmaker = matchmaker
        self._tournaments = results.tournaments
        self._changes = changes
        self.results = results
        self._taken: set[str] = set()
        """Matches of attempts that are played here."""
        self._lost: dict[str, int] = {}
        """Matches of processes that do not answer, and since when (running ns)."""

    # --- one attempt

    async def take(
        self, db: AsyncConnection, row: StoredTournament, fixture: Fixture, match: str, by: str
    ) -> GameAttempt | None:
        """Take a game as it was found due; None: another process has it, or it is not due with
        these entrants and this seed."""
        now = await stored.get(db, row.id)
        if now is None or not _is_due(await self._tournaments.load(db, now), fixture):
            return None
        return await stored.take(db, row.id, fixture, match=match, by=by, at_ms=wall_ms())

    async def take_all(
        self, db: AsyncConnection, row: StoredTournament, fixtures: Sequence[Fixture], by: str
    ) -> list[GameAttempt]:
        """The same for many games. Raises IntegrityError if another process takes one of them."""
        now = await stored.get(db, row.id)
        if now is None:
            return []
        tournament = await self._tournaments.load(db, now)
        found = [one for one in fixtures if _is_due(tournament, one)]
        return await stored.take_all(db, row.id, found, by=by, at_ms=wall_ms())

    async def take_here(
        self, row: StoredTournament, fixture: Fixture, match: str
    ) -> GameAttempt | None:
        """Take a game that is played by this server."""
        async with self._store.write() as db:
            taken = await self.take(db, row, fixture, match, self._node)
        if taken is not None:
            self._taken.add(match)
            self._changes.note()
        return taken

    async def drop(self, game: GameAttempt) -> None:
        """The game could not begin: it is taken again later."""
        self._taken.discard(game.match or "")
        async with self._store.write() as db:
            await stored.end(db, game.id, "dropped", wall_ms())
        self.results.put_off(game, None)

    # --- those of this server

    @property
    def _node(self) -> str:
        """The name of this server in the table of attempts."""
        return self._others.peers.name or self._writer.node

    @property
    def lobbies(self) -> Sequence[Lobby]:
        """The lobbies of games whose players have not all come."""
        taken = [self._lobbies.unfinished.get(match) for match in self._taken]
        return [lobby for lobby in taken if lobby is not None and lobby.state == "open"]

    def hand_over(self) -> None:
        """Another process invites bots now: cancel the games that wait for accounts' bots."""
        for lobby in self.lobbies:
            if any(seat.account is not None for seat in lobby.seats):
                lobby.cancel("handed_over")

    async def settle(self) -> None:
        """End the attempts that were cut off: those whose matches belong here and, if this process
        leads, those of processes that have not answered for long."""
        self._taken &= self._lobbies.unfinished.keys()
        async with self._store.read() as db:
            running = await stored.running(db)
        gone: set[str] = set()
        if self._leader.leads:
            gone = await self._gone([game for game in running if not self._is_ours(game)])
        for game in running:
            assert game.match is not None
            if game.match in self._lobbies.unfinished:
                if game.match not in self._taken:  # its match was resumed after a crash
                    self._taken.add(game.match)
                    self._matchmaker.adopt(game.match)
            elif game.match in gone or (
                self._is_ours(game) and game.match not in self._writer.unstored
            ):
                await self.end(game)
                self._changes.notify()

    def _is_ours(self, game: GameAttempt) -> bool:
        return self._others.peers.is_home(game.match or "")

    async def _gone(self, games: Sequence[GameAttempt]) -> set[str]:
        """The matches of these whose processes have not answered for long."""
        homes = {
            game.match: peer
            for game in games
            if game.match and (peer := self._others.peers.home(game.match))
        }
        answers = {peer: await self._others.reaches(peer) for peer in set(homes.values())}
        now = self._running.now()
        self._lost = {
            match: self._lost.get(match, now) for match, peer in homes.items() if not answers[peer]
        }
        return {match for match, since in self._lost.items() if now - since >= GONE_S * 1e9}

    async def end(self, game: GameAttempt) -> None:
        """End an attempt that is not played any more: count its match if the database knows its
        end, else drop it."""
        assert game.match is not None
        async with self._store.write() as db:
            record = await matches.found(db, game.match)
            if record is None:
                await stored.end(db, game.id, "dropped", wall_ms())
                self.results.put_off(game, None)
            else:
                verdict = await matches.last_verdict(db, game.match)
                await self.results.on_match_end(db, MatchEnded(record, verdict))
        log = _log.bind(tournament=game.tournament, game=game.fixture, match=game.match)
        log.info("an attempt ended without its match")


def _is_due(tournament: Tournament, fixture: Fixture) -> bool:
    return not tournament.paused and tournament.awaited(fixture.id) == fixture
