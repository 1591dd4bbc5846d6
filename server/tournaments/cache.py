"""The tournaments as this process has last read them: of each only later facts are read again."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncConnection

from games.contest.tournament import Tournament
from server.store import tournaments as stored
from server.store.tournaments import StoredTournament

KEPT = 400


class TournamentCache:
    def __init__(self) -> None:
        self._known: dict[str, Tournament] = {}

    async def load(self, db: AsyncConnection, row: StoredTournament) -> Tournament:
        """The tournament as this transaction sees it, what it has not committed included."""
        return await stored.load(db, row, self._known.get(row.id))

    async def current(self, db: AsyncConnection, row: StoredTournament) -> Tournament:
        """The tournament as it is committed."""
        tournament = await self.load(db, row)
        self.keep(row.id, tournament)
        return tournament

    def keep(self, id_: str, tournament: Tournament) -> None:
        """This is committed. The oldest of more than `KEPT` are dropped."""
        known = self._known.pop(id_, tournament)
        self._known[id_] = max(tournament, known, key=lambda one: len(one.facts))
        while len(self._known) > KEPT:
            del self._known[next(iter(self._known))]
