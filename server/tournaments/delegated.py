"""Games of house bots that are played outside of this process: in other processes of this server,
or by workers anywhere."""

from __future__ import annotations

from typing import Protocol

from games.contest.tournament import Fixture
from server.store import tournaments as stored
from server.store.store import Store
from server.store.tournaments import GameAttempt, StoredTournament
from server.tokens import new_id
from server.tournaments.attempts import Attempts
from server.wall_clock import wall_ms

REMIND_MS = 60_000
"""How long after it was given a game is given again."""


class Executor(Protocol):
    by: str
    """Its name in the table of attempts."""
    at_once: int
    look_s: float
    """How often to look whether a game has come back."""

    async def give(self, match: str) -> None:
        """Have the game with this match played. If it is given twice, it counts once."""


class DelegatedGames:
    """`executor` plays them; None: they are played here as all others are."""

    def __init__(self, store: Store, attempts: Attempts, executor: Executor | None) -> None:
        self._store = store
        self._attempts = attempts
        self._executor = executor

    @property
    def enabled(self) -> bool:
        return self._executor is not None

    async def give(self, row: StoredTournament, fixture: Fixture) -> str | None:
        """Take a game for the executor. Returns the reason if it has to wait."""
        assert self._executor is not None
        async with self._store.write() as db:
            if await stored.taken(db, self._executor.by) >= self._executor.at_once:
                return "busy"
            game = await self._attempts.take(db, row, fixture, new_id(), self._executor.by)
        if game is not None and game.match is not None:
            await self._executor.give(game.match)
        return None

    async def give_again(self) -> None:
        """After a restart, or a change of leader: give the games that were given before again, or
        end them if no executor of that name is left."""
        for by in stored.DELEGATED:
            for game in await self._given(by):
                if self._executor is None or self._executor.by != by:
                    await self._attempts.end(game)
                elif game.match is not None:
                    await self._executor.give(game.match)

    async def remind(self, look_s: float) -> float:
        """Give games that have not come back for long again. Returns how long to wait for the next
        look, `look_s` if for none."""
        if self._executor is None:
            return look_s
        given = await self._given(self._executor.by)
        for game in given:
            if game.match is not None and self.is_late(game):
                await self._executor.give(game.match)
        return self._executor.look_s if given else look_s

    def is_late(self, game: GameAttempt) -> bool:
        """Whether this game was given long ago."""
        given = self._executor is not None and game.taken_by == self._executor.by
        return given and (game.taken_ms or 0) < wall_ms() - REMIND_MS

    async def _given(self, by: str) -> list[GameAttempt]:
        async with self._store.read() as db:
            return await stored.left_behind(db, [by])
