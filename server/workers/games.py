"""One tournament game of house bots: from the table of attempts, through a process that plays it,
back into the database.

The game is played by the very function that `botarena tournament run` uses. Its match, its journal,
its result, the fact and the end of the attempt are one transaction: a worker that is killed before
it has done nothing, and a second worker finds the game done."""

from __future__ import annotations

import asyncio
import gzip
import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from client_sdk.local.games import Task
from client_sdk.local.players import PlayerSpec
from client_sdk.local.pool import Pool
from client_sdk.replay import JOURNAL_SUFFIX
from games import GAMES
from games.contest.format import for_seats
from games.contest.tournament import Fixture, Tournament
from games.core import maps
from games.core.parameters import configure, described
from server.match_record import MatchEnded, MatchRecord
from server.matches.record import RECORDS, ending
from server.store import matches
from server.store import tournaments as stored
from server.store.store import Store
from server.store.tables import records
from server.store.tournaments import Behind, EntryPlayer, GameAttempt, StoredTournament
from server.tournaments.cache import TournamentCache
from server.tournaments.results import awaited, count
from server.wall_clock import wall_ms

_log = structlog.get_logger()


class Unplayed(Exception):
    """Nothing came of it, and no bot is at fault."""


class Games:
    """`pool`: the processes that play."""

    def __init__(self, store: Store, pool: Pool) -> None:
        self._store = store
        self._pool = pool
        self._snapshots = TournamentCache()

    async def play(self, match: str) -> bool:
        """Play the game that has this match, unless it is played. Whether this was the one that
        counts. Raises Unplayed, SQLAlchemyError: then nothing has happened."""
        async with self._store.read() as db:
            game = await stored.of_match(db, match)
            if game is None or game.state != "running":
                return False
            event = await stored.get(db, game.tournament)
            assert event is not None, "its games refer to it"
            tournament = await self._snapshots.current(db, event)
            players = await stored.players(db, event.id)
        fixture = awaited(tournament, game)
        if fixture is None:
            async with self._store.write() as db:
                await stored.end(db, game.id, "dropped", wall_ms())
            return False
        seated = [players[entry] for entry in game.seats]
        with TemporaryDirectory(prefix="botarena-game-") as folder:
            task = _task(event, fixture, match, seated, tournament, Path(folder))
            started_ms = wall_ms()
            future = self._pool.submit(task)
            await asyncio.wait([asyncio.wrap_future(future)])
            done = self._pool.result(future)
            if done.outcome is None:
                raise Unplayed(done.why)
            path = Path(folder) / f"{match}{JOURNAL_SUFFIX}"
            record = _record(event, tournament, fixture, task, seated, path, started_ms)
            journal = await asyncio.to_thread(gzip.compress, path.read_bytes(), mtime=0)
        return await self._kept(game, record, journal)

    async def _kept(self, game: GameAttempt, record: MatchRecord, journal: bytes) -> bool:
        ended = MatchEnded(record, None)
        while True:
            try:
                async with self._store.write() as db:
                    now = await stored.of_match(db, record.id)
                    if now is None or now.state != "running":
                        return False
                    await matches.finish(db, ended, matches.NOWHERE)
                    row = {"match": record.id, "kind": "journal", "content": journal}
                    await db.execute(insert(records), [row])
                    await count(db, now, ended, self._snapshots)
            except (Behind, IntegrityError):
                continue
            _log.info("game played", tournament=game.tournament, game=game.fixture, match=record.id)
            return True


def _task(
    event: StoredTournament,
    fixture: Fixture,
    match: str,
    players: list[EntryPlayer],
    tournament: Tournament,
    folder: Path,
) -> Task:
    game = GAMES[event.game]
    return Task(
        record=match,
        game=event.game,
        config=for_seats(game, event.config, len(players)),
        map_text=event.map_text if event.map is None else maps.text(event.game, event.map),
        seed=fixture.seed,
        players=tuple(
            PlayerSpec(tournament.names[player.entry], player.bot or "", "house")
            for player in players
        ),
        limit_s=None,
        games=folder,
        logs=folder,
        replay=False,
    )


def _record(
    event: StoredTournament,
    tournament: Tournament,
    fixture: Fixture,
    task: Task,
    players: list[EntryPlayer],
    path: Path,
    started_ms: int,
) -> MatchRecord:
    """The match as it is stored."""
    with path.open("rb") as file:
        header = json.loads(file.readline())
    end = ending(path)
    assert end is not None, "it was played to its end"
    game = GAMES[event.game]
    header["started"] = started_ms
    record = MatchRecord.from_journal(task.record, f"{RECORDS}/{path.name}", header, end)
    names = [tournament.names[player.entry] for player in players]
    seats = zip(game.roles[: len(names)], names, players, record.players, strict=True)
    return replace(
        record,
        name=f"{event.name[:50]}: {fixture.id}",
        private=not tournament.format.public(fixture.stage),
        players=[
            replace(one, seat=seat, role=role, name=name, bot=player.bot)
            for seat, (role, name, player, one) in enumerate(seats)
        ],
        config=described(configure(game, task.config, task.seed)),
        map=event.map,
        doors=(),
        ended_ms=wall_ms(),
    )
