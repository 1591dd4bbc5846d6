"""Games of tournaments and ladders that are played away from the server: from the tables of what
is to be played, through a process that plays them, back into the database.

A game is played by the very function that `botarena tournament run` uses. The matches of a batch,
their journals, their results, the facts and the ends of the attempts are one transaction: a worker
that is killed before it has done nothing, and another one plays the batch again."""

from __future__ import annotations

import asyncio
import json
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import structlog
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

from client_sdk.local.games import Task, TaskResult
from client_sdk.local.players import PlayerSpec
from client_sdk.local.server import local_server
from client_sdk.replay import JOURNAL_SUFFIX
from games import GAMES
from games.contest.sprt import score_of
from games.contest.tournament import Tournament
from games.core.contract import Seat
from games.core.parameters import configure, described
from server.blame import verdict
from server.match_record import MatchEnded, MatchRecord
from server.matches.record import RECORDS, ending
from server.store import ladders, matches, submissions
from server.store import tournaments as stored
from server.store.store import Store, reason
from server.store.tables import records
from server.store.tournaments import Behind
from server.submissions.players import BOUNDS
from server.tournaments.cache import TournamentCache
from server.tournaments.results import count_all, tallied
from server.wall_clock import wall_ms
from server.workers.bot_files import BotFiles
from server.workers.due import DueGame, DuePlayer, of_ladders, of_tournaments
from server.workers.records import no_show, packed

NO_VERSION = "no version of this bot has passed its check"
STORE_S = 30.0
"""A batch that takes longer than this is stored in parts."""
STORE_RETRY_S = 1.0

_log = structlog.get_logger()


class Unplayed(Exception):
    """Nothing came of a game, and no bot is at fault."""


class Playing(Protocol):
    """What plays the games: `client_sdk.local.pool.Pool`."""

    def submit(self, task: Task) -> Future[TaskResult]: ...

    def result(self, future: Future[TaskResult]) -> TaskResult: ...


@dataclass(frozen=True, slots=True)
class _Played:
    """A game that is played and not stored. `records`: by kind, gzipped. `failed`: seats whose bots
    did not come, or crashed."""

    game: DueGame
    ended: MatchEnded
    records: Mapping[str, bytes]
    failed: Sequence[Seat]


class Games:
    """`pool`: the processes that play."""

    def __init__(self, store: Store, pool: Playing) -> None:
        self._store = store
        self._pool = pool
        self._tournaments = TournamentCache()
        self._files = BotFiles(store)
        self._open = ExitStack()
        self._open.callback(self._files.close)
        self._server: tuple[str, Path] | None = None
        """For bots that connect to one, once there was such a game."""
        self._serving = asyncio.Lock()
        self._stopping = False

    async def close(self) -> None:
        await asyncio.to_thread(self._open.close)

    def stop(self) -> None:
        """Store what is played once the present games are over, and play no more."""
        self._stopping = True

    async def play(self, ids: Sequence[str]) -> None:
        """Play the games of these attempts that are still to be played, one after the other. Raises
        Unplayed if one could not be, when the others are stored; SQLAlchemyError."""
        played: list[_Played] = []
        why, since = "", time.monotonic()
        due = await self._due(ids)
        versions = {
            version.id: version
            for game in due
            for player in game.players
            if (version := player.version)
        }
        async with self._files.kept([*versions.values()]), _folder() as folder:
            for game in due:
                if self._stopping:
                    break
                try:
                    played.append(await self._play(game, folder))
                except Unplayed as no:
                    why = str(no)
                if time.monotonic() - since > STORE_S:
                    await self._keep(played)
                    played, since = [], time.monotonic()
        await self._keep(played)
        if why:
            raise Unplayed(why)

    async def _due(self, ids: Sequence[str]) -> list[DueGame]:
        """What is still to be played of these; attempts that are not awaited any more end."""
        async with self._store.read() as db:
            due, vain = await of_tournaments(db, ids, self._tournaments)
            due += await of_ladders(db, ids)
        if vain:
            async with self._store.write() as db:
                await stored.end_all(db, vain, "dropped", wall_ms())
        return due

    async def _play(self, game: DueGame, folder: Path) -> _Played:
        """Raises Unplayed."""
        submitted = [seat for seat, player in enumerate(game.players) if player.submitted]
        missing = [seat for seat in submitted if game.players[seat].version is None]
        players = [self._player(player) for player in game.players]
        server = await self._address() if any(player.connects for player in players) else None
        task = _task(game, players, server, folder)
        started_ms = wall_ms()
        if missing:
            done = TaskResult(outcome=None, absent=tuple(missing), why=NO_VERSION)
        else:
            future = await asyncio.to_thread(self._pool.submit, task)  # it may start a process
            await asyncio.wait([asyncio.wrap_future(future)])
            done = self._pool.result(future)
        if done.outcome is None and not done.absent:
            raise Unplayed(done.why)
        if done.outcome is None:
            no_show(task, done.absent)
        path = folder / f"{task.record}{JOURNAL_SUFFIX}"
        ended = replace(_ended(game, task, path, started_ms), counts=done.counts)
        files = await asyncio.to_thread(packed, task, submitted, done)
        failed = [seat for seat in submitted if _failed(done, ended, seat)]
        return _Played(game, ended, files, failed)

    def _player(self, player: DuePlayer) -> PlayerSpec:
        if player.version is not None:
            return self._files.player(player.version, player.name)
        return PlayerSpec(player.name, player.bot or "", "house")

    async def _address(self) -> tuple[str, Path]:
        async with self._serving:
            if self._server is None:
                folder = Path(
                    self._open.enter_context(TemporaryDirectory(prefix="botarena-server-"))
                )
                url = await asyncio.to_thread(self._open.enter_context, local_server(folder))
                self._server = url, folder
            return self._server

    async def _keep(self, played: Sequence[_Played]) -> None:
        """Store the games that have not been stored by another worker meanwhile; again, until the
        database does it."""
        while played:
            then: dict[str, Tournament] = {}
            ids = [one.game.id for one in played]
            try:
                async with self._store.write() as db:
                    tournaments = {
                        one.game.attempt.tournament for one in played if one.game.attempt
                    }
                    rows = await stored.hold(db, tournaments)
                    running = {game.id for game in await stored.given(db, ids)}
                    climbing = {game.match for game in await ladders.given(db, ids)}
                    new = [one for one in played if one.game.id in running | climbing]
                    if new:
                        await _store(db, new)
                    await ladders.end_all(db, climbing)
                    for one in new:
                        if one.game.tested is not None:
                            await ladders.score(db, one.game.id, _score(one, one.game.tested))
                    await submissions.count_games(db, _failures(new))
                    for row in rows:
                        pairs = [
                            (game, one.ended)
                            for one in new
                            if (game := one.game.attempt) and game.tournament == row.id
                        ]
                        then[row.id], _ = await count_all(db, row, pairs, self._tournaments)
            except Behind:
                continue
            except (IntegrityError, OperationalError) as fault:
                _log.warning("results wait for the database", why=reason(fault), games=len(played))
                await asyncio.sleep(STORE_RETRY_S)
                continue
            for id_, tournament in then.items():
                self._tournaments.keep(id_, tournament)
            _log.info("games played", games=len(new), of=sorted(then), ladder=len(climbing))
            return


@asynccontextmanager
async def _folder() -> AsyncIterator[Path]:
    """Where games leave their records for as long as the context lasts."""
    folder = await asyncio.to_thread(TemporaryDirectory, prefix="botarena-games-")
    try:
        yield Path(folder.name)
    finally:
        await asyncio.to_thread(folder.cleanup)


def _failed(done: TaskResult, ended: MatchEnded, seat: Seat) -> bool:
    """Whether the bot at this seat did not come, or crashed."""
    if done.outcome is None:
        return seat in done.absent
    return any(counts["crashed"][seat] for counts in (done.counts, tallied(ended)))


def _score(played: _Played, tested: Seat) -> float:
    """What the version that is tested has reached. A game that it failed in is lost; one that only
    the other one failed in is won."""
    if played.failed:
        return float(tested not in played.failed)
    return score_of(played.ended.record.result, tested)


def _failures(played: Sequence[_Played]) -> Mapping[str, Sequence[bool]]:
    """Of games of ladders: by version, whether it failed in each."""
    found: defaultdict[str, list[bool]] = defaultdict(list)
    for one in played:
        for seat, player in enumerate(one.game.players):
            if one.game.attempt is None and player.version is not None:
                found[player.version.id].append(seat in one.failed)
    return found


async def _store(db: AsyncConnection, played: Sequence[_Played]) -> None:
    """The matches and their records."""
    tried = [(one.ended, None if one.game.attempt is None else one.game.id) for one in played]
    await matches.store_played(db, tried)
    rows = [
        {"match": one.ended.record.id, "kind": kind, "content": content}
        for one in played
        for kind, content in one.records.items()
    ]
    await db.execute(insert(records), rows)


def _task(
    game: DueGame, players: Sequence[PlayerSpec], server: tuple[str, Path] | None, folder: Path
) -> Task:
    return Task(
        record=game.match,
        game=game.game,
        config=game.config,
        map_text=game.map_text,
        seed=game.seed,
        players=tuple(players),
        limit_s=game.turn_ms / 1000 if game.turn_ms else None,
        games=folder,
        logs=folder,
        limits=BOUNDS,
        replay=False,
        server=server,
    )


def _ended(game: DueGame, task: Task, path: Path, started_ms: int) -> MatchEnded:
    """The match as it is stored."""
    with path.open("rb") as file:
        header = json.loads(file.readline())
    end = ending(path)
    assert end is not None, "it was played to its end"
    header["started"] = started_ms
    record = MatchRecord.from_journal(task.record, f"{RECORDS}/{path.name}", header, end)
    roles = GAMES[game.game].roles[: len(game.players)]
    seats = zip(roles, game.players, record.players, strict=True)
    record = replace(
        record,
        name=game.name,
        private=game.private,
        rated=game.rated,
        players=[
            replace(
                one,
                seat=seat,
                role=role,
                name=player.name,
                bot=player.bot,
                account=player.account,
                version=player.version.version if player.version else None,
            )
            for seat, (role, player, one) in enumerate(seats)
        ],
        config=described(configure(GAMES[game.game], task.config, task.seed)),
        map=game.map,
        doors=(),
        ended_ms=wall_ms(),
    )
    return MatchEnded(record, verdict(end.broken, len(record.players)))
