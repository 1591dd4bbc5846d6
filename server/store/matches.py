"""Matches, their seats and attempts: the queries."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import msgspec
from sqlalchemy import (
    ColumnElement,
    FromClause,
    Row,
    Select,
    Text,
    and_,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    tuple_,
    type_coerce,
    union,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from games.core.contract import Json, SeatResult
from server.blame import INTERRUPTED, BlameVerdict
from server.match_record import PLAYER, MatchEnded, MatchRecord, SeatedPlayer, TokenDigests
from server.store.tables import attempts, matches, pairings, records, seats, tournaments
from server.store.tables import seeds as kept
from server.store.tournaments import OVER

NOWHERE = ""
"""Stands for the data directory of a match whose journal is in the database."""
ATTEMPT = ("number", "state", "blame", "blamed", "reason", "started_ms", "ended_ms")
PAIRED = ("entries_open", "checking", "round_robin")
"""States of a tournament in which another game may still be played with the seed of one that is
over: they come in pairs."""


# --- in


async def begin(db: AsyncConnection, record: MatchRecord, node: str, at_ms: int) -> None:
    """A match starts. One that is there already is taken up again: an attempt was interrupted, and
    the next one begins."""
    await _put(db, record, node)
    last = await _last_attempt(db, record.id)
    if last is not None and last.state == "running":
        await _interrupt_attempt(db, record.id, last.number, len(record.players), at_ms)
    number, since = (1, record.started_ms) if last is None else (last.number + 1, at_ms)
    await _begin_attempt(db, record.id, number, since)


async def finish(db: AsyncConnection, ended: MatchEnded, node: str) -> None:
    """A match is over: its result, its seats' and its last attempt's. Its start may be missing."""
    record = ended.record
    assert record.ended_ms is not None
    await _put(db, record, node)
    last = await _last_attempt(db, record.id)
    if last is None:
        await _begin_attempt(db, record.id, 1, record.started_ms)
    number, reason = 1 if last is None else last.number, record.result["reason"]
    await _end_attempt(
        db, record.id, number, "over", ended.verdict, len(record.players), reason, record.ended_ms
    )


async def store_played(
    db: AsyncConnection, played: Sequence[tuple[MatchEnded, str | None]]
) -> None:
    """Matches that were played away from any data directory, each with the attempt of a tournament
    that it was, if it was one: at their end they are in the database for the first time."""
    ended = [one.record for one, _ in played]
    await db.execute(insert(matches), [record.row() | {"node": NOWHERE} for record in ended])
    seated = [
        _seat(record.id, player, line)
        for record in ended
        for player, line in zip(record.players, record.result["seats"], strict=True)
    ]
    await db.execute(insert(seats), seated)
    tried = [
        {"match": one.record.id, "number": 1, "pairing": pairing}
        | {"started_ms": one.record.started_ms}
        | _ended(
            "over",
            one.verdict,
            len(one.record.players),
            one.record.result["reason"],
            one.record.ended_ms or 0,
        )
        for one, pairing in played
    ]
    await db.execute(insert(attempts), tried)


async def _put(db: AsyncConnection, record: MatchRecord, node: str) -> None:
    """The match's row and its seats'."""
    row = record.row()
    known = (await db.execute(select(matches.c.id).where(matches.c.id == record.id))).first()
    if known is None:
        await db.execute(insert(matches), [row | {"node": node}])
    else:
        changed = {name: row[name] for name in ("state", "ended_ms", "head", "outcome")}
        await db.execute(update(matches).where(matches.c.id == record.id).values(changed))
        await db.execute(delete(seats).where(seats.c.match == record.id))
    lines = record.result["seats"] if record.state == "over" else []
    results = {line["seat"]: line for line in lines}
    rows = [_seat(record.id, player, results.get(player.seat, {})) for player in record.players]
    await db.execute(insert(seats), rows)


def _seat(match: str, player: SeatedPlayer, result: Mapping[str, Json]) -> dict[str, Json]:
    of_result = {name: result.get(name) for name in ("score", "placement", "outcome")}
    return {"match": match} | asdict(player) | of_result


async def _begin_attempt(db: AsyncConnection, id_: str, number: int, at_ms: int) -> None:
    row = {"match": id_, "number": number, "state": "running", "started_ms": at_ms}
    await db.execute(insert(attempts), [row])


async def _last_attempt(db: AsyncConnection, id_: str) -> Row[Any, Any] | None:
    query = select(attempts.c.number, attempts.c.state).where(attempts.c.match == id_)
    return (await db.execute(query.order_by(attempts.c.number.desc()).limit(1))).first()


async def _end_attempt(
    db: AsyncConnection,
    id_: str,
    number: int,
    state: str,
    blamed: BlameVerdict | None,
    seats: int,
    reason: str,
    at_ms: int,
) -> None:
    ended = _ended(state, blamed, seats, reason, at_ms)
    attempt = update(attempts).where(attempts.c.match == id_, attempts.c.number == number)
    await db.execute(attempt.values(ended))


def _ended(
    state: str, blamed: BlameVerdict | None, seats: int, reason: str, at_ms: int
) -> dict[str, Json]:
    return {
        "state": state,
        "blame": None if blamed is None else blamed.blame,
        "blamed": None if blamed is None else blamed.by_seat(seats),
        "reason": reason,
        "ended_ms": at_ms,
    }


async def _interrupt_attempt(
    db: AsyncConnection, id_: str, number: int, seats: int, at_ms: int
) -> None:
    state = reason = "interrupted"
    await _end_attempt(db, id_, number, state, INTERRUPTED, seats, reason, at_ms)


async def give_up(db: AsyncConnection, id_: str, outcome: Json, at_ms: int) -> None:
    """A match that was interrupted and cannot go on: it is over, and has no record to show."""
    ended = {"state": "over", "ended_ms": at_ms, "head": None, "outcome": outcome}
    await db.execute(update(matches).where(matches.c.id == id_).values(ended))
    last = await _last_attempt(db, id_)
    if last is not None:
        await _interrupt_attempt(db, id_, last.number, len(outcome["seats"]), at_ms)


# --- out


async def states(db: AsyncConnection, node: str) -> dict[str, str]:
    """Every match whose files are here, with its state."""
    found = await db.execute(select(matches.c.id, matches.c.state).where(matches.c.node == node))
    return {row.id: row.state for row in found}


async def unfinished(db: AsyncConnection, node: str) -> Sequence[Row[Any, Any, Any, Any, Any, Any]]:
    """The matches here that are running, oldest first: their columns `id`, `journal`, `doors`,
    `salt`, `name`, `private`."""
    m = matches.c
    query = select(m.id, m.journal, m.doors, m.salt, m.name, m.private)
    query = query.where(m.node == node, m.state == "running").order_by(m.started_ms, m.id)
    return (await db.execute(query)).all()


async def doors(db: AsyncConnection, node: str, limit: int) -> list[TokenDigests]:
    """Of the matches here that are over, newest first: which tokens open them."""
    m = matches.c
    query = select(m.id, m.doors, m.salt).where(m.node == node, m.state == "over")
    query = query.order_by(m.ended_ms.desc(), m.id.desc()).limit(limit)
    return [(row.id, row.doors, row.salt) for row in await db.execute(query)]


async def seats_of(db: AsyncConnection, id_: str) -> int:
    return (await db.execute(select(func.count()).where(seats.c.match == id_))).scalar_one()


async def state_of(db: AsyncConnection, id_: str) -> str | None:
    """Whether a match is running or over; None: there is none."""
    query = select(matches.c.state).where(matches.c.id == id_)
    return (await db.execute(query)).scalar_one_or_none()


async def playing(db: AsyncConnection) -> list[tuple[str, str]]:
    """Each seat of an account in a running match: match and account."""
    query = select(seats.c.match, seats.c.account).join(matches, matches.c.id == seats.c.match)
    query = query.where(matches.c.state == "running", seats.c.account.is_not(None))
    return [(row.match, row.account) for row in await db.execute(query)]


async def is_kept(db: AsyncConnection, id_: str, node: str) -> bool:
    """Whether this match is over, and its files are in this data directory or in the database."""
    m = matches.c
    query = select(1).where(m.id == id_, m.state == "over", m.node.in_((node, NOWHERE)))
    return (await db.execute(query)).first() is not None


async def found(db: AsyncConnection, id_: str) -> MatchRecord | None:
    """A match that is over."""
    records = await _records(db, _OVER.where(matches.c.id == id_))
    return records[0] if records else None


async def page(
    db: AsyncConnection,
    *,
    limit: int,
    game: str | None = None,
    bot: str | None = None,
    result: SeatResult | None = None,
    before: tuple[int, str] | None = None,
    ended: Collection[str] = (),
    playing: Collection[int] | None = None,
) -> list[MatchRecord]:
    """Public matches that are over, newest first, without those in `ended`. `bot`, `result`: a
    player of this name, any player with this result, or the one with the other. `before`: older
    than this moment and id. With the seeds that are `playing`: only what is released."""
    m = matches.c
    query = _OVER.where(m.private.is_(False), m.id.not_in(ended))
    if game is not None:
        query = query.where(m.game == game)
    if bot is not None:
        mine = select(seats.c.match).where(seats.c.name == bot)
        query = query.where(
            m.id.in_(mine if result is None else mine.where(seats.c.outcome == result))
        )
    elif result is not None:
        query = query.where(
            exists().where(seats.c.match == m.id, seats.c.outcome == result).correlate(matches)
        )
    if before is not None:
        query = query.where(tuple_(m.ended_ms, m.id) < tuple_(*before))
    if playing is not None:
        query = query.where(m.head.is_not(None), ~_played_still(ended), m.seed.not_in(playing))
    return await _records(db, query.order_by(m.ended_ms.desc(), m.id.desc()).limit(limit))


async def played_still(
    db: AsyncConnection, seeds: Collection[int], ended: Collection[str] = ()
) -> set[int]:
    """Those of these seeds that a match plays with, or will, not counting the ones that have
    `ended` without the database knowing it."""
    plays = or_(_running(matches, ended), _comes_again(matches))
    query = select(matches.c.seed).where(matches.c.seed.in_(seeds), plays)
    waiting = select(kept.c.seed).where(kept.c.seed.in_(seeds), _unfinished(ended))
    return set((await db.execute(union(query, waiting))).scalars())


async def packed(db: AsyncConnection, id_: str) -> bytes | None:
    """The journal of a match that was played away from any data directory, gzipped."""
    query = select(records.c.content).where(records.c.match == id_, records.c.kind == "journal")
    return (await db.execute(query)).scalar()


async def ledger(db: AsyncConnection, id_: str) -> list[dict[str, Json]]:
    """The attempts to play a match, in their order."""
    query = select(attempts).where(attempts.c.match == id_).order_by(attempts.c.number)
    return [{key: row[key] for key in ATTEMPT} for row in (await db.execute(query)).mappings()]


async def last_verdict(db: AsyncConnection, id_: str) -> BlameVerdict | None:
    """Who is to blame for the end of the last attempt; None: no one."""
    tried = await ledger(db, id_)
    if not tried or tried[-1]["blame"] is None:
        return None
    if tried[-1]["blame"] in ("infrastructure", "organiser"):
        return INTERRUPTED
    guilty = tuple(seat for seat, blame in enumerate(tried[-1]["blamed"] or ()) if blame == "bot")
    return BlameVerdict("bot", guilty)


_TEXTS = ("config", "outcome")
"""Long documents that are only passed on: they stay text."""
_OVER = select(
    *(column for column in matches.c if column.name not in ("node", "journal", *_TEXTS)),
    matches.c.journal.label("file"),
    *(type_coerce(matches.c[name], Text).label(name) for name in _TEXTS),
).where(matches.c.state == "over")


def _played_still(ended: Collection[str]) -> ColumnElement[bool]:
    """Whether a match with the same seed is running, a node has an open lobby with it, or a
    tournament will play with it."""
    other = matches.alias("other")
    running = select(1).select_from(other).where(other.c.seed == matches.c.seed)
    waiting = select(1).select_from(kept).where(kept.c.seed == matches.c.seed, _unfinished(ended))
    return or_(
        exists(running.where(or_(_running(other, ended), _comes_again(other)))),
        exists(waiting.correlate(matches)),
    )


def _running(match: FromClause, ended: Collection[str]) -> ColumnElement[bool]:
    return and_(match.c.state == "running", match.c.id.not_in(ended))


def _comes_again(match: FromClause) -> ColumnElement[bool]:
    """Whether a tournament may still play with this match's seed: the other game of a pair, or the
    same game that broke off."""
    not_bot = attempts.c.blame.in_(("infrastructure", "organiser"))
    broken = exists(select(1).where(attempts.c.match == match.c.id, not_bot))
    return exists(
        select(1)
        .select_from(pairings.join(tournaments, tournaments.c.id == pairings.c.tournament))
        .where(
            pairings.c.match == match.c.id,
            tournaments.c.state.not_in(OVER),
            or_(tournaments.c.state.in_(PAIRED), broken.correlate(match)),
        )
        .correlate(match)
    )


def _unfinished(ended: Collection[str]) -> ColumnElement[bool]:
    """Of a seed that a process keeps: its match is not over."""
    known = matches.alias("known")
    same = select(1).select_from(known).where(known.c.id == kept.c.id)
    over = exists(same.where(known.c.state == "over"))
    return and_(kept.c.id.not_in(ended), ~over.correlate(kept))


async def _records(db: AsyncConnection, query: Select[Any]) -> list[MatchRecord]:
    rows = (await db.execute(query)).mappings().all()
    players: dict[str, list[SeatedPlayer]] = {row["id"]: [] for row in rows}
    if players:
        who = (
            select(seats.c.match, *(seats.c[name] for name in PLAYER))
            .where(seats.c.match.in_(players))
            .order_by(seats.c.seat)
        )
        for match, *player in await db.execute(who):
            players[match].append(SeatedPlayer(*player))
    texts = ({name: msgspec.Raw(row[name].encode()) for name in _TEXTS} for row in rows)
    return [
        MatchRecord(players=players[row["id"]], **{**row, **text})
        for row, text in zip(rows, texts, strict=True)
    ]
