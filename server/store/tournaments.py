"""Tournaments, their facts, and the attempts to play their games: the queries.

The facts are the truth. A fact has a number, and a number is given once: of two processes that have
both seen the same facts and both want to say the next one, the second is refused by the database
and looks again. A *pairing* is one attempt to play one game: it is taken by one process and reaches
one end, together with the fact that says so."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Row, func, insert, select, tuple_, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from games.contest import facts as log
from games.contest import format as formats
from games.contest.facts import Fact
from games.contest.result import Entry
from games.contest.tournament import Fixture, Tournament
from games.core.contract import Json
from games.core.journal import commitment
from server.store.tables import attempts, entrants, facts, matches, pairings, tournaments
from server.tokens import new_id

AttemptState = Literal["running", "over", "dropped"]
WORKERS = "workers"
"""Who has taken an attempt that any worker may play."""
LOCAL_POOL = "local pool"
"""Who has taken an attempt that processes of this server play, without sockets."""
DELEGATED = (WORKERS, LOCAL_POOL)
OVER = ("finished", "cancelled")
"""States of a tournament in which nothing is played any more."""


class Behind(Exception):
    """The next fact was appended elsewhere: read the facts again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTournament:
    """What a tournament was created with."""

    id: str
    name: str
    game: str
    config: Mapping[str, Json]
    map: str | None
    map_text: str | None
    format: Mapping[str, Json]
    clock: Mapping[str, Json]
    seed: int
    salt: str
    commitment: str
    state: str
    created_ms: int
    ended_ms: int | None = None
    account: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryPlayer:
    """Who plays behind an entry: a house bot or an account."""

    entry: Entry
    bot: str | None
    account: str | None
    concurrency: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GameAttempt:
    """One attempt to play one game. `match`: the match that it is, once it is taken."""

    id: str
    tournament: str
    fixture: str
    seats: tuple[Entry, ...]
    attempt: int
    state: AttemptState
    match: str | None = None
    taken_by: str | None = None
    taken_ms: int | None = None


async def create(db: AsyncConnection, row: StoredTournament) -> None:
    columns = {field: getattr(row, field) for field in StoredTournament.__dataclass_fields__}
    await db.execute(insert(tournaments), [columns])


async def get(db: AsyncConnection, id_: str) -> StoredTournament | None:
    row = (await db.execute(select(tournaments).where(tournaments.c.id == id_))).first()
    return None if row is None else StoredTournament(**row._mapping)


async def listed(
    db: AsyncConnection, *, limit: int, running: bool = False, before: tuple[int, str] | None = None
) -> list[StoredTournament]:
    """Newest first. `running`: only those in which something may still be played."""
    query = select(tournaments)
    if running:
        query = query.where(tournaments.c.state.not_in(OVER))
    if before is not None:
        query = query.where(tuple_(tournaments.c.created_ms, tournaments.c.id) < tuple_(*before))
    query = query.order_by(tournaments.c.created_ms.desc(), tournaments.c.id.desc()).limit(limit)
    return [StoredTournament(**row._mapping) for row in await db.execute(query)]


# --- facts


async def load(
    db: AsyncConnection, row: StoredTournament, known: Tournament | None = None
) -> Tournament:
    """The tournament as its facts have it now. `known`: an earlier state; later facts are read."""
    if known is not None and known.seed != row.seed:
        known = None
    have = 0 if known is None else len(known.facts)
    query = select(facts.c.fact).where(facts.c.tournament == row.id, facts.c.number > have)
    rows = await db.execute(query.order_by(facts.c.number))
    found = tuple(log.read(fact) for fact in rows.scalars())
    if known is None:
        return Tournament(formats.read(row.format), row.seed, found)
    for fact in found:
        known = known.add(fact)
    return known


async def append(
    db: AsyncConnection,
    id_: str,
    after: Tournament,
    fact: Fact,
    at_ms: int,
    account: str | None = None,
) -> Tournament:
    """Append a fact to a tournament that is as in `after`. Returns the tournament that follows.
    Raises Behind: then the transaction is lost, and the tournament has to be read again."""
    then = after.add(fact)
    row = {
        "tournament": id_,
        "number": len(then.facts),
        "at_ms": at_ms,
        "account": account,
        "fact": log.to_json(fact),
    }
    try:
        await db.execute(insert(facts), [row])
    except IntegrityError:
        raise Behind(id_) from None
    changed: dict[str, Any] = {"state": then.state}
    if then.state in OVER and after.state not in OVER:
        changed["ended_ms"] = at_ms
    await db.execute(update(tournaments).where(tournaments.c.id == id_).values(changed))
    return then


async def reseed(db: AsyncConnection, id_: str, seed: int, salt: str) -> None:
    """What is played from now on is played under this seed."""
    new = {"seed": seed, "salt": salt, "commitment": commitment(seed, salt)}
    await db.execute(update(tournaments).where(tournaments.c.id == id_).values(new))


async def moments(db: AsyncConnection, id_: str) -> list[tuple[int, str | None]]:
    """When each fact was said, ms, and by whose account."""
    query = select(facts.c.at_ms, facts.c.account).where(facts.c.tournament == id_)
    found = await db.execute(query.order_by(facts.c.number))
    return [(row.at_ms, row.account) for row in found]


# --- who plays


async def enter(db: AsyncConnection, id_: str, player: EntryPlayer) -> None:
    row = {field: getattr(player, field) for field in EntryPlayer.__dataclass_fields__}
    await db.execute(insert(entrants), [{"tournament": id_} | row])


async def players(db: AsyncConnection, id_: str) -> dict[Entry, EntryPlayer]:
    columns = [entrants.c[field] for field in EntryPlayer.__dataclass_fields__]
    query = select(*columns).where(entrants.c.tournament == id_).order_by(entrants.c.entry)
    return {row.entry: EntryPlayer(**row._mapping) for row in await db.execute(query)}


# --- games


async def take(
    db: AsyncConnection, id_: str, fixture: Fixture, *, match: str, by: str, at_ms: int
) -> GameAttempt | None:
    """Claim this attempt under this match; None: it is claimed, or has ended. A dropped attempt,
    which has no result, may be claimed again."""
    taken: dict[str, Any] = {"state": "running", "match": match, "taken_by": by, "taken_ms": at_ms}
    seats = ",".join(map(str, fixture.entrants))
    which = {"tournament": id_, "fixture": fixture.id, "seats": seats, "attempt": fixture.attempt}
    same = [pairings.c[name] == value for name, value in which.items()]
    again = update(pairings).where(*same, pairings.c.state == "dropped")
    if (await db.execute(again.values(taken | {"ended_ms": None}))).rowcount:
        found = select(pairings).where(pairings.c.match == match)
        return _game((await db.execute(found)).one())
    row: dict[str, Any] = {"id": new_id()} | which | taken
    try:
        async with db.begin_nested():
            await db.execute(insert(pairings), [row])
    except IntegrityError:
        return None
    return GameAttempt(**row | {"seats": fixture.entrants})


async def end(
    db: AsyncConnection, game: str, state: Literal["over", "dropped"], at_ms: int
) -> bool:
    """An attempt has reached its end; False: it had one already."""
    running = update(pairings).where(pairings.c.id == game, pairings.c.state == "running")
    return bool((await db.execute(running.values(state=state, ended_ms=at_ms))).rowcount)


async def games(
    db: AsyncConnection, id_: str, states: Collection[AttemptState] = ("running", "over", "dropped")
) -> list[GameAttempt]:
    """Of a tournament, oldest first."""
    query = select(pairings).where(pairings.c.tournament == id_, pairings.c.state.in_(states))
    query = query.order_by(pairings.c.taken_ms, pairings.c.id)
    return [_game(row) for row in await db.execute(query)]


async def of_match(db: AsyncConnection, match: str) -> GameAttempt | None:
    """The attempt that this match is."""
    row = (await db.execute(select(pairings).where(pairings.c.match == match))).first()
    return None if row is None else _game(row)


async def publish(db: AsyncConnection, id_: str, without: Collection[str] = ()) -> None:
    """Make the finished matches of this tournament public, `without` the games of these fixtures
    and of checks."""
    shown = select(pairings.c.match).where(
        pairings.c.tournament == id_,
        pairings.c.fixture.not_like("check-%"),
        pairings.c.fixture.not_in(without),
    )
    finished = update(matches).where(matches.c.id.in_(shown), matches.c.state == "over")
    await db.execute(finished.values(private=False))


async def name_attempts(db: AsyncConnection, match: str, game: str) -> None:
    """What was tried to play this match was tried for this game."""
    await db.execute(update(attempts).where(attempts.c.match == match).values(pairing=game))


async def left_behind(db: AsyncConnection, by: Collection[str]) -> list[GameAttempt]:
    """Attempts that these processes took and did not end."""
    query = select(pairings).where(pairings.c.state == "running", pairings.c.taken_by.in_(by))
    return [_game(row) for row in await db.execute(query)]


async def running(db: AsyncConnection) -> list[GameAttempt]:
    """All attempts that have not ended, on every node and worker."""
    query = select(pairings).where(pairings.c.state == "running")
    return [_game(row) for row in await db.execute(query)]


async def taken(db: AsyncConnection, by: str) -> int:
    """How many attempts these have taken and not ended."""
    query = select(func.count()).where(pairings.c.state == "running", pairings.c.taken_by == by)
    return (await db.execute(query)).scalar_one()


def _game(row: Row[Any]) -> GameAttempt:
    known = row._mapping
    given = {field: known[field] for field in GameAttempt.__dataclass_fields__ if field != "seats"}
    return GameAttempt(**given, seats=tuple(int(entry) for entry in known["seats"].split(",")))
