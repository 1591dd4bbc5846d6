"""Lobbies, the matches that are played in them, and their records."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from games.core.contract import AnyGame
from server.app.cluster import ClusterParts
from server.app.process import ProcessParts
from server.app.storage import StorageParts
from server.lobbies.admission import Admission
from server.lobbies.bots import Catalogue, HouseBots
from server.lobbies.factory import LobbyFactory
from server.lobbies.lifecycle import Lifecycle
from server.lobbies.lobbies import Lobbies
from server.lobbies.recovery import Recovery
from server.lobbies.seating import Seating
from server.lobbies.service import LobbyService
from server.lobbies.tokens import Tokens
from server.match_record import EndHandlers
from server.matches.archive import Archive, RecordFiles
from server.matches.context import SessionContext
from server.matches.importer import Importer
from server.matches.lobby import Lobby
from server.matches.record import match_folder, named
from server.matches.referee import Limits
from server.matches.setup import LobbyContext
from server.matches.writer import MatchWriter
from server.net.limits import Crowd, Rates


class MatchParts:
    """`handlers` are called when a match ends, `on_end` when a lobby is over or cancelled."""

    def __init__(
        self,
        process: ProcessParts,
        storage: StorageParts,
        cluster: ClusterParts,
        games: Mapping[str, AnyGame],
        catalogue: Catalogue,
        handlers: EndHandlers,
        on_end: Callable[[Lobby], None],
    ) -> None:
        """Raises OSError if the data directory cannot be used."""
        settings, data = process.settings, process.settings.data_dir
        folder, node = match_folder(data), named(data)
        self.bots = HouseBots(
            catalogue,
            f"ws{settings.local_url.removeprefix('http')}/ws/play",
            enabled=settings.house_bots,
            most=settings.house_bot_processes,
        )
        self.lobbies = Lobbies(games, cluster.peers, cluster.seeds)
        self.admission = Admission(settings, process.health, self.lobbies)
        self.writer = MatchWriter(storage.store, node, handlers, storage.health, process.metrics)
        self.archive = Archive(storage.store, self.writer, lambda: self.lobbies.seeds)
        self.files = RecordFiles(data, games, self.archive, self.writer, process.offload)
        tokens = Tokens(self.lobbies)
        context = LobbyContext(
            folder=folder,
            limits=Limits(
                settings.refusals_per_turn,
                settings.infos_per_turn,
                settings.idle_ms,
                settings.lag_turn_ms,
                settings.lag_match_ms,
            ),
            stalls=process.stalls,
            metrics=process.metrics,
            empty_ms=settings.empty_lobby_ms,
        )
        lifecycle = Lifecycle(
            self.lobbies, tokens, self.admission, self.bots, self.writer, cluster.seeds, on_end
        )
        factory = LobbyFactory(
            self.lobbies,
            tokens,
            self.admission,
            self.bots,
            cluster.seeds,
            context,
            process.offload,
            lifecycle,
        )
        seating = Seating(self.lobbies, tokens, self.admission, self.bots)
        self.service = LobbyService(
            self.lobbies, self.admission, self.bots, self.writer, factory, seating
        )
        self.recovery = Recovery(
            self.lobbies,
            factory,
            tokens,
            Importer(data, node, games, storage.store, self.writer),
            cluster.peers,
            process.health,
            process.offload,
        )
        self.sessions = SessionContext(
            lobbies=self.lobbies,
            tokens=tokens,
            archive=self.archive,
            settings=settings,
            server=process.name,
            crowd=Crowd(
                per_address=process.descriptors.per_address(settings.connections_per_address),
                viewers=settings.spectators_in_all,
            ),
            rates=Rates(settings.frames_per_second),
            metrics=process.metrics,
            running=process.stalls.running,
            authenticator=storage.authenticator,
        )
