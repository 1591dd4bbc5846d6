"""The other processes of the server, if it is several."""

from __future__ import annotations

from server.cluster.client import PeerClient
from server.cluster.leader import Leader
from server.cluster.peers import Peers
from server.cluster.seeds import SharedSeeds
from server.settings import Settings
from server.store.store import Store


class ClusterParts:
    def __init__(self, settings: Settings, store: Store) -> None:
        self.peers = Peers.of(settings)
        self.others = PeerClient(self.peers)
        self.leader = Leader(store, self.peers)
        self.seeds = SharedSeeds(store, self.peers)

    async def open(self) -> None:
        """Raises SQLAlchemyError."""
        await self.seeds.open()
        await self.leader.open()

    async def close(self) -> None:
        await self.others.close()
        await self.seeds.close()
