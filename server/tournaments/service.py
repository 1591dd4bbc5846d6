"""The tournaments of a server, for those who make, enter, lead and watch them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Literal, TypeVar

import msgspec
import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from client_sdk.local.tournament import tables
from games.contest import verbs
from games.contest.facts import Fact
from games.contest.result import Entry
from games.contest.tournament import Tournament
from games.contest.verbs import Refused
from games.core.contract import AnyGame, Json
from server.accounts.authentication import Requester
from server.errors import Refusal
from server.lobbies.bots import HouseBots
from server.offload import Offload
from server.store import tournaments as stored
from server.store.store import TOURNAMENTS_LOCK, Store, queue
from server.store.tournaments import Behind, EntryPlayer, GameAttempt, StoredTournament
from server.tournaments import hidden, pages, seeds, shown, table_rows
from server.tournaments.cache import TournamentCache
from server.tournaments.changes import Changes
from server.tournaments.entries import with_version
from server.tournaments.hidden import OwnEntries
from server.tournaments.mirror import Mirror
from server.tournaments.plan import MOST_ENTRANTS, TournamentRequest, planned
from server.tournaments.shared_answers import SharedAnswers
from server.wall_clock import wall_ms

T = TypeVar("T")
MakeFact = Callable[[Tournament], Fact]

RUNNING = 200
"""How many tournaments may be under way at the same time."""
RUNNING_SHOWN = 24
"""Running games of a tournament that are shown at once."""
TableName = Literal["standings", "entrants", "games", "log"]
TABLES: dict[TableName, Callable[[Tournament, int, int, str], dict[str, Json]]] = {
    "standings": pages.standings,
    "entrants": pages.entrants,
    "games": pages.games,
    "log": pages.log,
}

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
        mirror: Mirror,
    ) -> None:
        self._store = store
        self._bots = bots
        self._tournaments = tournaments
        self._changes = changes
        self._offload = offload
        self._mirror = mirror
        self._answers = SharedAnswers()

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
            enter = partial(verbs.enter, name=name, about={"bot": bot})
            entered = entered.add(_allowed(enter, entered))
        async with self._store.write() as db:
            await queue(db, TOURNAMENTS_LOCK)
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
        submitted: str | None = None,
    ) -> Entry:
        """A bot enters: a house bot, or an account's, which the server plays if it is the name of
        one that was handed in (`submitted`). Returns its entry number."""
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
            handed_in = None
            if submitted is not None and account is not None:
                handed_in = (await with_version(db, row.game, submitted, account)).id
            if bot is None:
                _check_meeting(tournament, players.values(), submitted is not None)
            fact = _allowed(partial(verbs.enter, name=name, about=about), tournament)
            then = await seeds.append(db, row, tournament, fact, by)
            entry = len(then.names)
            player = EntryPlayer(
                entry=entry,
                bot=bot,
                account=account,
                concurrency=concurrency,
                submitted=handed_in,
            )
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

    async def created(self, id_: str) -> StoredTournament:
        """What it was created with. Raises Refusal."""
        async with self._store.read() as db:
            return await _row(db, id_)

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

    async def report_screen(self, id_: str, shown: str | None) -> None:
        """The big screen is there, and has shown this game to its end."""
        async with self._store.write() as db:
            row = await _row(db, id_)
            tournament = await self._tournaments.load(db, row)
            if shown is not None and tournament.fixture(shown) is None:
                text = "there is no such game now"
                raise Refusal(404, "no_such_game", text, field="shown")
            await stored.report_screen(db, id_, shown, wall_ms())
        if shown is not None:
            self._changes.notify()

    async def sight(self, id_: str, requester: Requester) -> OwnEntries:
        """What of the tournament this requester may see: `of` of the methods below."""
        if requester.account is None:
            return hidden.NO_GAMES
        async with self._store.read() as db:
            return await hidden.sight(db, await _row(db, id_), requester)

    async def json(self, id_: str, of: OwnEntries) -> bytes:
        """All that may be seen, as JSON: kept for a moment while nothing changes here, because many
        clients poll it."""
        make = partial(self._json, id_, of)
        return await self._answers.get(_key(id_, of), self._changes.count, make)

    async def _json(self, id_: str, of: OwnEntries) -> bytes:
        while True:
            async with self._store.read() as db:
                row = await _row(db, id_)
                tournament = await self._tournaments.current(db, row)
                seen = hidden.seen(tournament, of)
                found = [*(await stored.moments(db, id_)).values()]
                moments = found[: len(seen.facts)]
                players, games = await stored.players(db, id_), await stored.games(db, id_)
            if len(moments) == len(seen.facts):
                break  # else it has facts that this transaction does not see
        own: Sequence[dict[str, Json]] = ()
        if of and hidden.is_hidden(tournament, of):
            own = await self._mirror.answer(id_, tournament, hidden.own_games, of)
        arguments = row, players, hidden.attempts(tournament, games, of), moments, own
        return await self._mirror.answer(id_, seen, shown.public_json, *arguments)

    async def overview(self, id_: str, of: OwnEntries) -> bytes:
        """How it stands, as JSON, without the tables that grow with it."""

        async def make() -> bytes:
            row, tournament = await self.current(id_)
            found = await self._mirror.answer(id_, hidden.seen(tournament, of), pages.overview)
            if hidden.is_hidden(tournament, of) and found["state"] == "round_robin":
                found["due"] = []  # it does not say what has been played
            async with self._store.read() as db:
                running = await stored.games(db, id_, ["running"])
                running = hidden.attempts(tournament, running, of)
                bracket = await table_rows.with_matches(db, id_, found["bracket"])
            shown_ = [_running(tournament, one) for one in running[-RUNNING_SHOWN:]]
            more = {
                "bracket": bracket,
                "parameters": row.format,
                "running": shown_,
                "running_games": len(running),
            }
            return msgspec.json.encode(shown.brief(row) | found | more)

        key = f"{_key(id_, of)} overview"
        return await self._answers.get(key, self._changes.count, make, may_be_old=True)

    async def table(
        self, id_: str, name: TableName, offset: int, limit: int, search: str, of: OwnEntries
    ) -> bytes:
        """A page of one of the tables, as JSON. It may be older than the last fact by some times as
        long as it takes to make. A bot that may see no other games gets its own as the games."""

        async def make() -> bytes:
            _, tournament = await self.current(id_)
            work, within = TABLES[name], (offset, limit, search)
            seen, held = hidden.seen(tournament, of), hidden.is_hidden(tournament, of)
            if held and of and name == "games":
                found = await self._mirror.answer(id_, tournament, pages.games, *within, of)
                found["facts"] = len(seen.facts)
            else:
                found = await self._mirror.answer(id_, seen, work, *within)
            async with self._store.read() as db:
                private = held and not of
                rows = await table_rows.added(db, id_, name, found["rows"], hidden=private)
            return msgspec.json.encode({"tournament": id_, **found, "rows": rows})

        key = f"{_key(id_, of)} {name} {offset} {limit} {search}"
        return await self._answers.get(key, self._changes.count, make, may_be_old=True)

    async def csv(self, id_: str, of: OwnEntries) -> str:
        _, tournament = await self.current(id_)
        seen, hides = hidden.seen(tournament, of), hidden.is_hidden(tournament, of)
        return await self._mirror.answer(id_, seen, tables.as_csv, hidden=hides)

    async def page(self, id_: str, games: Mapping[str, AnyGame], of: OwnEntries) -> str:
        row, tournament = await self.current(id_)
        seen, hides = hidden.seen(tournament, of), hidden.is_hidden(tournament, of)
        return await self._mirror.answer(
            id_, seen, shown.as_page, row, games[row.game], hidden=hides
        )

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


def _running(tournament: Tournament, game: GameAttempt) -> dict[str, Json]:
    fixture = tournament.fixture(game.fixture)
    return {
        "game": game.fixture,
        "stage": "check" if fixture is None else fixture.stage,
        "match": game.match,
        "seats": [tournament.names[entry] for entry in game.seats],
    }


def _key(id_: str, of: OwnEntries) -> str:
    """Of the answers to all who may see the same."""
    return f"{id_} {'all' if of is None else sorted(of)}"


def _check_meeting(tournament: Tournament, players: Iterable[EntryPlayer], submitted: bool) -> None:
    """Raises Refusal: a bot in the server's sandbox has no network to meet one that connects."""
    for one in players:
        differs = one.bot is None and (one.submitted is not None) != submitted
        if differs and tournament.log.status(one.entry) == "active":
            name = tournament.names[one.entry]
            text = (
                f"{name} connects, and does not meet bots that were handed in"
                if submitted
                else f"{name} was handed in, and does not meet bots that connect: hand yours in"
            )
            raise Refusal(409, "cannot_meet", text, field="submitted")


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
