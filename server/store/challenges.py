"""Challenges on ladders, and which of them a bot accepts: the queries."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from sqlalchemy import ColumnElement, Row, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from games.core.contract import Json
from server.store.accounts import now_ms
from server.store.ratings import PlayerKey
from server.store.tables import accounts, bots, challenges, rungs

Accepts = Literal["always", "window", "never"]
ChallengeState = Literal["open", "begun", "withdrawn", "refused", "expired"]


@dataclass(frozen=True, slots=True)
class ChallengeRule:
    """Which challenges a bot on a ladder accepts."""

    accepts: Accepts = "window"
    """`window`: of bots whose rating is at most `window` points away."""
    window: int = 300
    per_day: int = 10
    """Challenges that it accepts within 24 h, at most."""
    rated: bool = True
    """Whether their games count for the ratings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """`bot`: a house bot that is challenged; otherwise the account `challenged` is."""

    id: str
    game: str
    challenger: str
    challenged: str | None
    bot: str | None
    rated: bool
    state: ChallengeState
    created_ms: int
    ended_ms: int | None = None

    @property
    def players(self) -> tuple[PlayerKey, PlayerKey]:
        """The challenger first."""
        other = ("account", self.challenged or "") if self.bot is None else ("bot", self.bot)
        return ("account", self.challenger), other


@dataclass(frozen=True, slots=True)
class NamedChallenge:
    """A challenge with what its bots are called."""

    challenge: Challenge
    challenger: str
    challenged: str


async def rule_of(db: AsyncConnection, game: str, account: str) -> ChallengeRule | None:
    """None: the account's bot is not on this ladder."""
    query = (
        select(rungs.c.challenges)
        .join(bots, bots.c.id == rungs.c.bot)
        .where(rungs.c.game == game, bots.c.account == account, rungs.c.left_ms.is_(None))
    )
    row = (await db.execute(query)).first()
    return None if row is None else rule_from(row.challenges)


def rule_from(document: Json) -> ChallengeRule:
    return ChallengeRule(**(document or {}))


async def set_rule(db: AsyncConnection, game: str, account: str, rule: ChallengeRule) -> bool:
    """False: the account's bot is not on this ladder."""
    own = select(bots.c.id).where(bots.c.account == account, bots.c.game == game)
    rung = update(rungs).where(rungs.c.game == game, rungs.c.bot.in_(own))
    changed = rung.where(rungs.c.left_ms.is_(None)).values(challenges=asdict(rule))
    return bool((await db.execute(changed)).rowcount)


async def add(db: AsyncConnection, challenge: Challenge) -> None:
    await db.execute(insert(challenges), [asdict(challenge)])


async def end(db: AsyncConnection, id_: str, state: ChallengeState) -> bool:
    """False: it was over before."""
    waits = (challenges.c.id == id_) & (challenges.c.state == "open")
    ended = update(challenges).where(waits).values(state=state, ended_ms=now_ms())
    return bool((await db.execute(ended)).rowcount)


async def expire(db: AsyncConnection, game: str, before_ms: int) -> None:
    """End those that have been open since before this moment."""
    c = challenges.c
    old = (c.game == game) & (c.state == "open") & (c.created_ms < before_ms)
    await db.execute(update(challenges).where(old).values(state="expired", ended_ms=now_ms()))


async def get(db: AsyncConnection, id_: str) -> Challenge | None:
    row = (await db.execute(select(challenges).where(challenges.c.id == id_))).first()
    return None if row is None else _challenge(row)


async def waiting(db: AsyncConnection, game: str) -> list[Challenge]:
    """Those that are open, oldest first."""
    query = select(challenges).where(challenges.c.game == game, challenges.c.state == "open")
    rows = await db.execute(query.order_by(challenges.c.created_ms, challenges.c.id))
    return [_challenge(row) for row in rows]


async def count(db: AsyncConnection, *which: ColumnElement[bool]) -> int:
    return (
        await db.execute(select(func.count()).select_from(challenges).where(*which))
    ).scalar_one()


async def of(db: AsyncConnection, game: str, account: str, limit: int) -> list[NamedChallenge]:
    """Those that the account has sent and received, newest first."""
    sender, receiver = accounts.alias("sender"), accounts.alias("receiver")
    query = (
        select(challenges, sender.c.name.label("sender"), receiver.c.name.label("receiver"))
        .join(sender, sender.c.id == challenges.c.challenger)
        .outerjoin(receiver, receiver.c.id == challenges.c.challenged)
        .where(
            challenges.c.game == game,
            or_(challenges.c.challenger == account, challenges.c.challenged == account),
        )
        .order_by(challenges.c.created_ms.desc(), challenges.c.id)
        .limit(limit)
    )
    return [
        NamedChallenge(one := _challenge(row), row.sender, row.receiver or one.bot or "")
        for row in await db.execute(query)
    ]


def _challenge(row: Row[Any]) -> Challenge:
    return Challenge(**{name: row._mapping[name] for name in Challenge.__dataclass_fields__})
