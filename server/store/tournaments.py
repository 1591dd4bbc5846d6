"""Tournaments, their facts, and the attempts to play their games: the queries.

The facts are the truth. A fact has a number, and a number is given once: of two processes that have
both seen the same facts and both want to say the next one, the second is refused by the database
and looks again. A *pairing* is one attempt to play one game: it is taken by one process and reaches
one end, together with the fact that says so."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from sqlalchemy import ColumnElement, Row, func, insert, select, tuple_, update
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
READ_AT_ONCE = 500
"""Facts that are read before others have their turn."""
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
    freeze_ms: int | None = None
    """Versions that are handed in later do not play; None: the newest one always does."""
    screen_ms: int | None = None
    """When its big screen last reported."""
    screened: Sequence[str] | None = None
    """The games that it has shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryPlayer:
    """Who plays behind an entry: a house bot or an account."""

    entry: Entry
    bot: str | None
    account: str | None
    concurrency: int
    submitted: str | None = None
    """The id of the account's bot, if the server plays it."""


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
    found: list[Fact] = []
    for fact in rows.scalars():
        found.append(log.read(fact))
        if len(found) % READ_AT_ONCE == 0:
            await asyncio.sleep(0)  # the clocks of matches go on
    if known is None:
        return Tournament(formats.read(row.format), row.seed, tuple(found))
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
    await append_all(db, id_, after, then, [fact], at_ms, account)
    return then


async def append_all(
    db: AsyncConnection,
    id_: str,
    after: Tournament,
    then: Tournament,
    new: Sequence[Fact],
    at_ms: int,
    account: str | None = None,
) -> None:
    """Append the facts that lead from one tournament to the other. Raises Behind as `append`."""
    await hold(db, [id_])  # before the numbers: two that wait for each other would fail
    rows = [
        {
            "tournament": id_,
            "number": number,
            "at_ms": at_ms,
            "account": account,
            "fact": log.to_json(fact),
        }
        for number, fact in enumerate(new, start=len(after.facts) + 1)
    ]
    try:
        await db.execute(insert(facts), rows)
    except IntegrityError:
        raise Behind(id_) from None
    changed: dict[str, Any] = {"state": then.state}
    if then.state in OVER and after.state not in OVER:
        changed["ended_ms"] = at_ms
    await db.execute(update(tournaments).where(tournaments.c.id == id_).values(changed))


async def hold(db: AsyncConnection, ids: Collection[str]) -> list[StoredTournament]:
    """These tournaments; until the end of the transaction no other one that holds them appends
    facts to them, so that several workers wait for each other instead of being refused."""
    query = select(tournaments).where(tournaments.c.id.in_(ids)).order_by(tournaments.c.id)
    found = await db.execute(query.with_for_update(key_share=True))
    return [StoredTournament(**row._mapping) for row in found]


async def reseed(db: AsyncConnection, id_: str, seed: int, salt: str) -> None:
    """What is played from now on is played under this seed."""
    new = {"seed": seed, "salt": salt, "commitment": commitment(seed, salt)}
    await db.execute(update(tournaments).where(tournaments.c.id == id_).values(new))


async def report_screen(db: AsyncConnection, id_: str, shown: str | None, at_ms: int) -> None:
    """The big screen is there, and has shown this game."""
    (row,) = await hold(db, [id_])  # two screens may report at the same time
    screened = [*(row.screened or ())]
    if shown is not None and shown not in screened:
        screened.append(shown)
    changed = {"screen_ms": at_ms, "screened": screened}
    await db.execute(update(tournaments).where(tournaments.c.id == id_).values(changed))


async def moments(
    db: AsyncConnection, id_: str, numbers: Collection[int] | None = None
) -> dict[int, tuple[int, str | None]]:
    """When each fact was said, ms, and by whose account: of all facts, or of these, in order."""
    query = select(facts.c.number, facts.c.at_ms, facts.c.account)
    query = query.where(facts.c.tournament == id_).order_by(facts.c.number)
    if numbers is not None:
        query = query.where(facts.c.number.in_(numbers))
    return {row.number: (row.at_ms, row.account) for row in await db.execute(query)}


# --- who plays


async def enter(db: AsyncConnection, id_: str, player: EntryPlayer) -> None:
    row = {field: getattr(player, field) for field in EntryPlayer.__dataclass_fields__}
    await db.execute(insert(entrants), [{"tournament": id_} | row])


async def players(
    db: AsyncConnection, id_: str, entries: Collection[Entry] | None = None
) -> dict[Entry, EntryPlayer]:
    """Of all entries, or of these."""
    columns = [entrants.c[field] for field in EntryPlayer.__dataclass_fields__]
    query = select(*columns).where(entrants.c.tournament == id_).order_by(entrants.c.entry)
    if entries is not None:
        query = query.where(entrants.c.entry.in_(entries))
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


async def take_all(
    db: AsyncConnection, id_: str, fixtures: Sequence[Fixture], *, by: str, at_ms: int
) -> list[GameAttempt]:
    """As `take`, for many games at once, each under a new match. Raises IntegrityError if another
    process has taken one of them meanwhile."""
    here = pairings.c.tournament == id_, pairings.c.fixture.in_({one.id for one in fixtures})
    known = {(game.fixture, game.seats, game.attempt): game for game in await _found(db, *here)}
    taken: dict[str, Any] = {"state": "running", "taken_by": by, "taken_ms": at_ms}
    new, again = [], []
    for one in fixtures:
        game = known.get((one.id, one.entrants, one.attempt))
        if game is None:
            new.append(
                GameAttempt(
                    id=new_id(),
                    tournament=id_,
                    fixture=one.id,
                    seats=one.entrants,
                    attempt=one.attempt,
                    match=new_id(),
                    **taken,
                )
            )
        elif game.state == "dropped":
            again.append(replace(game, match=new_id(), **taken))
    if new:
        rows = [asdict(game) | {"seats": ",".join(map(str, game.seats))} for game in new]
        await db.execute(insert(pairings), rows)
    for game in again:
        values = taken | {"match": game.match, "ended_ms": None}
        await db.execute(update(pairings).where(pairings.c.id == game.id).values(values))
    return [*new, *again]


async def end(
    db: AsyncConnection, game: str, state: Literal["over", "dropped"], at_ms: int
) -> bool:
    """An attempt has reached its end; False: it had one already."""
    running = update(pairings).where(pairings.c.id == game, pairings.c.state == "running")
    return bool((await db.execute(running.values(state=state, ended_ms=at_ms))).rowcount)


async def end_all(
    db: AsyncConnection, games: Collection[str], state: Literal["over", "dropped"], at_ms: int
) -> None:
    """These attempts, which run, have reached their end."""
    if games:
        ended = update(pairings).where(pairings.c.id.in_(games))
        await db.execute(ended.values(state=state, ended_ms=at_ms))


async def games(
    db: AsyncConnection,
    id_: str,
    states: Collection[AttemptState] = ("running", "over", "dropped"),
    fixtures: Collection[str] | None = None,
) -> list[GameAttempt]:
    """Of a tournament, oldest first: all, or those of these fixtures."""
    which = [pairings.c.tournament == id_, pairings.c.state.in_(states)]
    if fixtures is not None:
        which.append(pairings.c.fixture.in_(fixtures))
    return await _found(db, *which)


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
    return await _found(db, pairings.c.state == "running", pairings.c.taken_by.in_(by))


async def running(db: AsyncConnection) -> list[GameAttempt]:
    """All attempts that have not ended, on every node; those of workers are left out."""
    return await _found(db, pairings.c.state == "running", pairings.c.taken_by.not_in(DELEGATED))


async def given(db: AsyncConnection, ids: Collection[str]) -> list[GameAttempt]:
    """Those of these attempts that workers have still to play, in the order in which they were
    taken."""
    delegated = pairings.c.state == "running", pairings.c.taken_by.in_(DELEGATED)
    return await _found(db, pairings.c.id.in_(ids), *delegated)


async def mean_length_ms(db: AsyncConnection, id_: str, last: int) -> float | None:
    """How long this tournament's games take, by the `last` ones that were played; None: there are
    none."""
    played = matches.c.ended_ms - matches.c.started_ms
    query = select(played.label("ms")).join(pairings, pairings.c.match == matches.c.id)
    query = query.where(pairings.c.tournament == id_, pairings.c.state == "over")
    newest = query.order_by(pairings.c.ended_ms.desc()).limit(last).subquery()
    mean = (await db.execute(select(func.avg(newest.c.ms)))).scalar()
    return None if mean is None else float(mean)


async def _found(db: AsyncConnection, *which: ColumnElement[bool]) -> list[GameAttempt]:
    query = select(pairings).where(*which).order_by(pairings.c.taken_ms, pairings.c.id)
    return [_game(row) for row in await db.execute(query)]


def _game(row: Row[Any]) -> GameAttempt:
    known = row._mapping
    given = {field: known[field] for field in GameAttempt.__dataclass_fields__ if field != "seats"}
    return GameAttempt(**given, seats=tuple(int(entry) for entry in known["seats"].split(",")))
