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
from server.tournaments.challenges import Challenges
from server.tournaments.changes import Changes
from server.tournaments.delegated import DelegatedGames
from server.tournaments.invitations import Invitations
from server.tournaments.ladder import Ladder, LadderOptions
from server.tournaments.ladder_batches import LadderBatches
from server.tournaments.ladder_board import LadderBoard
from server.tournaments.map_pools import MapPools
from server.tournaments.matchmaker import Matchmaker
from server.tournaments.mirror import Mirror
from server.tournaments.ratings import RatingTables
from server.tournaments.results import ResultCounter
from server.tournaments.scheduler import Scheduler
from server.tournaments.service import TournamentService
from server.tournaments.trials import TrialOptions, VersionTrials
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
        mirror: Mirror,
    ) -> None:
        """Raises StoreProblem if games are for workers and the database is not PostgreSQL."""
        settings, store = process.settings, storage.store
        self.executor = _executor(settings, store, changes)
        """Plays the games of bots that were handed in and, if the operator wants that, those of
        house bots outside of this process."""
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
            store, matches.bots, results.tournaments, changes, process.offload, mirror
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
            DelegatedGames(store, attempts, self.executor, house=settings.house_games != "live"),
            changes,
        )
        self.ratings = RatingTables(store, matches.bots, process.offload)
        batches = LadderBatches(
            store,
            matches.bots,
            self.ratings,
            self.executor,
            changes,
            settings.ladder_games_per_hour,
            settings.ladder_failures,
            process.webhook,
        )
        self.ladder = Ladder(
            store,
            matches.service,
            matchmaker,
            self.invitations,
            self.ratings,
            batches,
            cluster.leader,
            LadderOptions(
                settings.ladders,
                settings.ladder_pace_ms / 1000,
                settings.ladder_house_wait_ms / 1000,
            ),
            process.webhook,
        )
        self.trials = VersionTrials(
            store,
            self.executor,
            changes,
            cluster.leader,
            TrialOptions(
                settings.trial_games_per_hour, settings.trial_pairs, settings.ladder_failures
            ),
            process.webhook,
        )
        self.challenges = Challenges(
            store, matches.bots, self.ratings, tuple(settings.ladders), process.webhook
        )
        self.map_pools = MapPools(store, process.webhook)
        self.ladder_board = LadderBoard(store, matches.bots, self.invitations, settings.ladders)

    async def close(self) -> None:
        """No bot is invited and no game begins any more."""
        await self.invitations.close()
        await self.scheduler.close()
        await self.ladder.close()
        await self.trials.close()


def _executor(settings: Settings, store: Store, changes: Changes) -> Here | ToWorkers:
    """Raises StoreProblem."""
    if settings.house_games == "workers":
        try:
            from server.workers.jobs import ToWorkers
        except ImportError:
            raise StoreProblem("workers take the extra postgres: botarena[postgres]") from None
        return ToWorkers(store)
    return Here(store, changes.notify)
