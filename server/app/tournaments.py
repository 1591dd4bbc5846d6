"""Tournaments, ladders and ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.app.cluster import ClusterParts
from server.app.matches import MatchParts
from server.app.process import ProcessParts
from server.app.storage import StorageParts
from server.settings import Settings
from server.store.store import Store, StoreProblem
from server.tournaments.attempts import Attempts
from server.tournaments.changes import Changes
from server.tournaments.delegated import DelegatedGames
from server.tournaments.invitations import Invitations
from server.tournaments.ladder import Ladder
from server.tournaments.matchmaker import Matchmaker
from server.tournaments.ratings import RatingTables
from server.tournaments.results import ResultCounter
from server.tournaments.scheduler import Scheduler
from server.tournaments.service import TournamentService
from server.workers.here import Here

if TYPE_CHECKING:
    from server.workers.jobs import ToWorkers


class TournamentParts:
    """`changes` and `results` take part when a match ends (`EndHandlers`)."""

    def __init__(
        self,
        process: ProcessParts,
        storage: StorageParts,
        cluster: ClusterParts,
        matches: MatchParts,
        changes: Changes,
        results: ResultCounter,
    ) -> None:
        """Raises StoreProblem if games are for workers and the database is not PostgreSQL."""
        settings, store = process.settings, storage.store
        self.executor = _executor(settings, store, changes)
        """Plays the games of house bots outside of this process, if the operator wants that."""
        self.invitations = Invitations(process.stalls.running)
        matchmaker = Matchmaker(
            store,
            matches.service,
            matches.admission,
            self.invitations,
            cluster.peers,
            settings.games_at_once,
        )
        self.service = TournamentService(
            store, matches.bots, results.tournaments, changes, process.offload
        )
        attempts = Attempts(
            store,
            matches.service,
            process.stalls.running,
            cluster.leader,
            cluster.others,
            matchmaker,
            changes,
            results,
        )
        self.scheduler = Scheduler(
            matches.lobbies,
            matches.bots,
            cluster.leader,
            matchmaker,
            self.service,
            attempts,
            DelegatedGames(store, attempts, self.executor),
            changes,
        )
        self.ratings = RatingTables(store, matches.bots, process.offload)
        self.ladder = Ladder(
            store,
            matches.service,
            matchmaker,
            self.invitations,
            self.ratings,
            cluster.leader,
            games=settings.ladders,
            pace_s=settings.ladder_pace_ms / 1000,
        )

    async def close(self) -> None:
        """No bot is invited and no game begins any more."""
        await self.invitations.close()
        await self.scheduler.close()
        await self.ladder.close()


def _executor(settings: Settings, store: Store, changes: Changes) -> Here | ToWorkers | None:
    """Raises StoreProblem."""
    if settings.house_games == "here":
        return Here(store, changes.notify)
    if settings.house_games == "workers":
        try:
            from server.workers.jobs import ToWorkers
        except ImportError:
            raise StoreProblem("workers take the extra postgres: botarena[postgres]") from None
        return ToWorkers(store)
    return None
