"""The tournaments as this process has last read them: of each only later facts are read again, and
the pairs of a swiss round in a large field are worked out in the child process, once."""

from __future__ import annotations

import asyncio

from sqlalchemy.ext.asyncio import AsyncConnection

from games.contest.stage1 import Pairs
from games.contest.tournament import Tournament
from server.store import tournaments as stored
from server.store.tournaments import StoredTournament
from server.tournaments.mirror import Mirror

KEPT = 400
FEW = 200
"""The entrants of a field that is paired in this process."""


class TournamentCache:
    """`mirror`: where large fields are paired; None: in this process."""

    def __init__(self, mirror: Mirror | None = None) -> None:
        self._known: dict[str, Tournament] = {}
        self._mirror = mirror
        self._pairing = asyncio.Lock()

    async def load(self, db: AsyncConnection, row: StoredTournament) -> Tournament:
        """The tournament as this transaction sees it, what it has not committed included."""
        return await stored.load(db, row, self._known.get(row.id))

    async def current(self, db: AsyncConnection, row: StoredTournament) -> Tournament:
        """The tournament as it is committed."""
        tournament = await self.load(db, row)
        self.keep(row.id, tournament)
        if self._mirror is not None and _is_unpaired(tournament):
            async with self._pairing:
                if _is_unpaired(tournament):
                    pairs = await self._mirror.answer(row.id, tournament, _pairs)
                    tournament.stage1.pair(pairs)
        return tournament

    def keep(self, id_: str, tournament: Tournament) -> None:
        """This is committed. The oldest of more than `KEPT` are dropped."""
        known = self._known.pop(id_, tournament)
        self._known[id_] = max(tournament, known, key=lambda one: len(one.facts))
        while len(self._known) > KEPT:
            del self._known[next(iter(self._known))]


def _is_unpaired(tournament: Tournament) -> bool:
    stage = tournament.stage1
    large = tournament.state == "round_robin" and len(tournament.field) > FEW
    return large and stage.follows and stage.known_ahead is stage


def _pairs(tournament: Tournament) -> Pairs:
    """In the child."""
    pairs = tournament.stage1.pairs()
    tournament.stage1.pair(pairs)
    return pairs
