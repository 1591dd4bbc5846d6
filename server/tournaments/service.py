"""The tournaments of a server, for those who make, enter, lead and watch them."""

from __future__ import annotations

import functools
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from client_sdk.local.tournament import tables
from games.contest import verbs
from games.contest.facts import Fact
from games.contest.result import Entry
from games.contest.tournament import Tournament
from games.contest.verbs import Refused
from games.core.contract import AnyGame
from server.errors import Refusal
from server.lobbies.bots import HouseBots
from server.offload import Offload
from server.store import tournaments as stored
from server.store.store import Store
from server.store.tournaments import Behind, EntryPlayer, GameAttempt, StoredTournament
from server.tournaments import seeds, shown
from server.tournaments.cache import TournamentCache
from server.tournaments.changes import Changes
from server.tournaments.plan import MOST_ENTRANTS, TournamentRequest, planned
from server.wall_clock import wall_ms

T = TypeVar("T")
MakeFact = Callable[[Tournament], Fact]

RUNNING = 200
"""How many tournaments may be under way at the same time."""
CACHED_S = 1.0
"""How long the public JSON of a tournament is kept."""

_log = structlog.get_logger()


class TournamentService:
    """Every method raises Refusal if there is no such tournament or the action is not allowed."""

    def __init__(
        self,
        store: Store,
        bots: HouseBots,
        tournaments: TournamentCache,
        changes: Changes,
        offload: Offload,
    ) -> None:
        self._store = store
        self._bots = bots
        self._tournaments = tournaments
        self._changes = changes
        self._offload = offload
        self._cache: dict[str, tuple[float, bytes]] = {}
        """The public JSON of each, and until when (monotonic s) it is kept."""
        self._cached_at = 0
        """The count of changes that the cache belongs to."""

    async def create(
        self,
        request: TournamentRequest,
        bots: Sequence[tuple[str, str]],
        account: str | None,
        by: str,
    ) -> str:
        """A new tournament with these house bots and their names in the tables. Returns its id."""
        self._bots.check_names(request.game.name, [bot for bot, _ in bots], "bots")
        at = wall_ms()
        row, format_ = await self._offload.answer(planned, request, account, at)
        entered = Tournament(format_, row.seed)
        for bot, name in bots:
            enter = functools.partial(verbs.enter, name=name, about={"bot": bot})
            entered = entered.add(_allowed(enter, entered))
        async with self._store.write() as db:
            if len(await stored.listed(db, limit=RUNNING, running=True)) >= RUNNING:
                text = f"{RUNNING} tournaments are under way already"
                raise Refusal(503, "too_many_tournaments", text)
            await stored.create(db, row)
            tournament = Tournament(format_, row.seed)
            for fact, (bot, _) in zip(entered.facts, bots, strict=True):
                tournament = await stored.append(db, row.id, tournament, fact, at, account)
                entry = len(tournament.names)
                player = EntryPlayer(entry=entry, bot=bot, account=None, concurrency=0)
                await stored.enter(db, row.id, player)
        _log.info("tournament created", tournament=row.id, game=row.game, by=by)
        self._changes.notify()
        return row.id

    async def enter(
        self,
        id_: str,
        name: str,
        *,
        bot: str | None,
        account: str | None,
        concurrency: int,
        by: str | None,
    ) -> Entry:
        """A bot enters: a house bot, or an account's. Returns its entry number."""
        async with self._store.read() as db:
            row = await _row(db, id_)
        if bot is not None:
            self._bots.check_names(row.game, [bot])

        async def enter(db: AsyncConnection, tournament: Tournament) -> tuple[Tournament, Entry]:
            players = await stored.players(db, id_)
            if len(players) >= MOST_ENTRANTS:
                text = f"{MOST_ENTRANTS} bots have entered: no more can"
                raise Refusal(409, "too_many_entrants", text)
            accounts = [player.account for player in players.values()]
            if account is not None and account in accounts:
                raise Refusal(409, "entered_already", "a bot of this account has entered already")
            about = {"bot": bot} if account is None else {"account": account}
            fact = _allowed(functools.partial(verbs.enter, name=name, about=about), tournament)
            then = await seeds.append(db, row, tournament, fact, by)
            entry = len(then.names)
            player = EntryPlayer(entry=entry, bot=bot, account=account, concurrency=concurrency)
            await stored.enter(db, id_, player)
            return then, entry

        return await self._write(row, enter)

    async def decide(self, id_: str, verb: MakeFact, account: str | None) -> Tournament:
        """Append the fact that this verb makes. Returns the tournament that follows."""
        async with self._store.read() as db:
            row = await _row(db, id_)

        async def decide(
            db: AsyncConnection, tournament: Tournament
        ) -> tuple[Tournament, Tournament]:
            then = await seeds.append(db, row, tournament, _allowed(verb, tournament), account)
            return then, then

        return await self._write(row, decide)

    async def owns(self, id_: str, entry: Entry, account: str) -> bool:
        """Whether this entry is the account's."""
        async with self._store.read() as db:
            player = (await stored.players(db, id_)).get(entry)
        return player is not None and player.account == account

    async def listed(self, limit: int, before: str | None) -> list[StoredTournament]:
        """Newest first. `before`: only those that are older than this one."""
        async with self._store.read() as db:
            edge = None
            if before is not None:
                last = await _row(db, before)
                edge = last.created_ms, last.id
            return await stored.listed(db, limit=limit, before=edge)

    async def current(self, id_: str) -> tuple[StoredTournament, Tournament]:
        async with self._store.read() as db:
            row = await _row(db, id_)
            return row, await self._tournaments.current(db, row)

    async def running(self) -> list[StoredTournament]:
        """Those that are not over, oldest first."""
        async with self._store.read() as db:
            return (await stored.listed(db, limit=RUNNING, running=True))[::-1]

    async def under_way(
        self, row: StoredTournament
    ) -> tuple[Tournament, dict[Entry, EntryPlayer], list[GameAttempt]]:
        """The tournament as it is now, its players, and the attempts that run."""
        async with self._store.read() as db:
            tournament = await self._tournaments.current(db, row)
            players = await stored.players(db, row.id)
            return tournament, players, await stored.games(db, row.id, ["running"])

    async def json(self, id_: str) -> bytes:
        """All that is public, as JSON: kept for a moment while nothing changes here, because many
        clients poll it."""
        begun = self._changes.count
        if begun != self._cached_at:
            self._cache.clear()
            self._cached_at = begun
        until, known = self._cache.get(id_, (0.0, b""))
        if time.monotonic() < until:
            return known
        while True:
            async with self._store.read() as db:
                row = await _row(db, id_)
                tournament = await self._tournaments.current(db, row)
                moments = (await stored.moments(db, id_))[: len(tournament.facts)]
                players, games = await stored.players(db, id_), await stored.games(db, id_)
            if len(moments) == len(tournament.facts):
                break  # else it has facts that this transaction does not see
        arguments = row, tournament, players, games, moments
        made = await self._offload.answer(shown.public_json, *arguments)
        if self._changes.count == self._cached_at == begun:
            self._cache[id_] = time.monotonic() + CACHED_S, made
        return made

    async def csv(self, id_: str) -> str:
        _, tournament = await self.current(id_)
        return await self._offload.answer(tables.as_csv, tournament)

    async def page(self, id_: str, games: Mapping[str, AnyGame]) -> str:
        row, tournament = await self.current(id_)
        return await self._offload.answer(shown.as_page, row, tournament, games[row.game])

    async def _write(
        self,
        row: StoredTournament,
        work: Callable[[AsyncConnection, Tournament], Awaitable[tuple[Tournament, T]]],
    ) -> T:
        """One transaction on the tournament as it is at its beginning; again, if another process
        appended a fact meanwhile."""
        while True:
            try:
                async with self._store.write() as db:
                    then, answer = await work(db, await self._tournaments.load(db, row))
            except Behind:
                continue
            self._tournaments.keep(row.id, then)
            self._changes.notify()
            return answer


async def _row(db: AsyncConnection, id_: str) -> StoredTournament:
    """Raises Refusal."""
    row = await stored.get(db, id_)
    if row is None:
        text = "there is no such tournament here"
        raise Refusal(404, "no_such_tournament", text, field="tournament")
    return row


def _allowed(verb: MakeFact, tournament: Tournament) -> Fact:
    """Raises Refusal."""
    try:
        return verb(tournament)
    except Refused as no:
        raise Refusal(409, no.code, no.why) from None
