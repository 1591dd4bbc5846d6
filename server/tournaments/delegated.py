"""Games that are played outside of this process, in batches: in other processes of this server, or
by workers anywhere.

A batch is some seconds of games, by the length of the tournament's games so far, or a pair of games
of a ladder. It is given by the ids of their attempts and nothing else: the table of attempts says
what is to be played, and whether it still is. So a batch may be lost, or come twice: what is lost
is given again, and what is done is not done again."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

from games.contest.result import Entry
from games.contest.tournament import Fixture
from server.store import ladders
from server.store import tournaments as stored
from server.store.ladders import LadderGame
from server.store.store import Store
from server.store.tournaments import EntryPlayer, GameAttempt, StoredTournament
from server.tournaments.attempts import Attempts
from server.wall_clock import wall_ms

BATCH_S = 30.0
"""A batch is about this long."""
MOST_GAMES = 100
"""In a batch, however short they are."""
SPREAD = 32
"""Of few games each batch is smaller, so that there are this many: no worker is idle while another
one has a long batch."""
FIRST = 32
"""Batches that are given at a time as long as no game is measured: they have one game each."""
MEASURED = 50
"""Games by which the length is estimated, at most."""
MEASURED_S = 10.0
"""How long an estimate is used."""
REST = 4
"""Looks at an executor are apart at least this many times as long as one takes."""
LATE_MS = 60_000
"""A game that was given longer ago than this waits for workers."""
KEPT = 400


@dataclass(frozen=True, slots=True)
class Backlog:
    """What an executor has to do. `lost`: attempts that it was given and does not have."""

    lost: Sequence[str]
    room: int
    """How many more batches it takes now."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Attempts, by id. `submitted`: bots that were handed in play, which takes a sandbox."""

    ids: Sequence[str]
    submitted: bool = False


class Executor(Protocol):
    by: str
    """Its name in the table of attempts."""
    look_s: float
    """How often to look at it while it plays."""

    async def look(self) -> Backlog: ...

    async def plays_submitted(self) -> bool:
        """Whether it plays bots that were handed in: there is a sandbox."""
        ...

    async def give(self, batches: Sequence[Batch]) -> None:
        """Have these played. If an attempt is given twice, it counts once."""


class DelegatedGames:
    """`executor` plays the games of bots that were handed in and, with `house`, those between house
    bots, which are played here otherwise."""

    def __init__(
        self, store: Store, attempts: Attempts, executor: Executor, *, house: bool
    ) -> None:
        self._store = store
        self._attempts = attempts
        self._executor = executor
        self._house = house
        self._room = 0
        self._playing = False
        self._lengths: dict[str, tuple[float, float | None]] = {}
        """By tournament: until when (monotonic s), and how long a game takes, ms."""
        self.outstanding_s: defaultdict[tuple[str, ...], float] = defaultdict(float)
        """Seconds of play that are due, by game, those included that wait for the executor or are
        played."""

    def plays(self, fixture: Fixture, players: Mapping[Entry, EntryPlayer]) -> bool:
        """Whether this game is played by the executor."""
        seated = [players[entry] for entry in fixture.entrants]
        if fixture.stage == "check" or not all(one.bot or one.submitted for one in seated):
            return False
        return self._house or _submitted(fixture.entrants, players)

    async def give(
        self,
        row: StoredTournament,
        fixtures: Sequence[Fixture],
        players: Mapping[Entry, EntryPlayer],
        running: Sequence[GameAttempt],
    ) -> Mapping[str, int]:
        """Take games for the executor. Returns how many have to wait, by reason."""
        given = sum(game.taken_by == self._executor.by for game in running)
        waiting = {"busy": 0, "sandbox": 0}
        house = [one for one in fixtures if not _submitted(one.entrants, players)]
        if len(house) < len(fixtures) and not await self._executor.plays_submitted():
            waiting["sandbox"] = len(fixtures) - len(house)
            fixtures = house
        if not fixtures and not given:
            return waiting
        self._playing = True
        length_ms = await self._length_ms(row.id)
        if length_ms is not None:
            self.outstanding_s[(row.game,)] += (len(fixtures) + given) * length_ms / 1000
        size = batch_size(length_ms, len(fixtures) + given)
        room = self._room if length_ms is not None else min(self._room, FIRST)
        now = fixtures[: size * max(0, room)]
        if now:
            async with self._store.write() as db:
                taken = await self._attempts.take_all(db, row, now, self._executor.by)
            await self._give(taken, players, size)
        waiting["busy"] = len(fixtures) - len(now)
        return waiting

    async def take_over(self) -> None:
        """After a restart, or a change of leader: end what was given to an executor that is not
        here any more."""
        other = [by for by in stored.DELEGATED if self._executor.by != by]
        async with self._store.read() as db:
            left = await stored.left_behind(db, other)
        for game in left:
            await self._attempts.end(game)
        async with self._store.write() as db:
            await ladders.take_over(db, other, self._executor.by)

    async def look(self) -> None:
        """Learn how much more the executor takes, and give again what was lost."""
        self.outstanding_s = defaultdict(float)
        self._playing = False
        backlog = await self._executor.look()
        self._room = backlog.room
        if backlog.lost:
            async with self._store.read() as db:
                games = await stored.given(db, backlog.lost)
                climbing = await ladders.given(db, backlog.lost)
                ids = {game.tournament for game in games}
                players = {id_: await stored.players(db, id_) for id_ in ids}
            for id_ in ids:
                again = [game for game in games if game.tournament == id_]
                size = batch_size(await self._length_ms(id_), len(again))
                await self._give(again, players[id_], size)
            await self._give_ladder(climbing)

    def wait_s(self, longest_s: float, took_s: float) -> float:
        """How long to wait for the next look, after one that took `took_s`: at most `longest_s`,
        and that if nothing is given."""
        wait_s = max(self._executor.look_s, REST * took_s)
        return min(longest_s, wait_s) if self._playing else longest_s

    def is_late(self, game: GameAttempt) -> bool:
        """Whether this game was given long ago."""
        given = game.taken_by == self._executor.by
        return given and (game.taken_ms or 0) < wall_ms() - LATE_MS

    async def _give(
        self, games: Sequence[GameAttempt], players: Mapping[Entry, EntryPlayer], size: int
    ) -> None:
        batches = []
        for submitted in (False, True):
            ids = [game.id for game in games if _submitted(game.seats, players) == submitted]
            parts = (ids[at : at + size] for at in range(0, len(ids), size))
            batches += [Batch(part, submitted) for part in parts]
        self._room -= len(batches)
        await self._executor.give(batches)

    async def _give_ladder(self, games: Sequence[LadderGame]) -> None:
        """Pairs of games of ladders, as many as there is room for. The ladder only stores them."""
        pairs = [[one.match for one in pair] for _, pair in groupby(games, lambda one: one.seed)]
        batches = [Batch(pair, submitted=True) for pair in pairs[: max(0, self._room)]]
        self._playing = self._playing or bool(pairs)
        self._room -= len(batches)
        await self._executor.give(batches)

    async def _length_ms(self, id_: str) -> float | None:
        until, length_ms = self._lengths.get(id_, (0.0, None))
        if length_ms is None or time.monotonic() >= until:
            async with self._store.read() as db:
                length_ms = await stored.mean_length_ms(db, id_, MEASURED)
            self._lengths.pop(id_, None)
            self._lengths[id_] = time.monotonic() + MEASURED_S, length_ms
            while len(self._lengths) > KEPT:
                del self._lengths[next(iter(self._lengths))]
        return length_ms


def _submitted(entries: Sequence[Entry], players: Mapping[Entry, EntryPlayer]) -> bool:
    """Whether one of these was handed in."""
    return any(players[entry].submitted is not None for entry in entries)


def batch_size(length_ms: float | None, games: int) -> int:
    """How many games a batch has, if one takes this long and this many are to be played: one, as
    long as none is measured."""
    if length_ms is None:
        return 1
    by_time = BATCH_S * 1000 / max(length_ms, 1.0)
    return max(1, int(min(by_time, MOST_GAMES, games / SPREAD)))
