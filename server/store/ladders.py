"""Who is on which ladder, and which games were played there: the queries."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from sqlalchemy import ColumnElement, Row, and_, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from games.core.contract import Json
from server.store.accounts import Account, hold, now_ms
from server.store.challenges import ChallengeRule, rule_from
from server.store.submissions import SubmittedBot
from server.store.tables import accounts, bots, ladder_games, matches, rungs, submissions
from server.tokens import new_id

Why = Literal[
    "closest_rating",
    "not_met_lately",
    "first_rating",
    "uncertain_rating",
    "long_wait",
    "house_rating",
    "challenge",
    "trial",
]
"""Why these were paired: see docs/organisers.md."""


@dataclass(frozen=True, slots=True)
class Rung:
    """An account's place. `submitted`: the name of its bot that was handed in; None: its bot
    connects. `submission`, `version`: what plays of that bot now; None: nothing does."""

    account: str
    name: str
    concurrency: int
    rule: ChallengeRule
    submitted: str | None = None
    submission: str | None = None
    version: int | None = None
    failures: int = 0
    """Games in a row in which that version has failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderGame:
    """A game of a ladder. `players`, by seat: `name`, `bot`, `account`, and `waited_ms`, how long
    an account's bot that connects had been free; of a bot that was handed in `submission` and
    `version` besides."""

    match: str
    game: str
    begun_ms: int
    why: Why
    rated: bool
    pool: int | None
    """The version of the map pool; None: there was none."""
    map: str | None
    """None: the game has generated its board."""
    players: Json
    seed: int | None = None
    """Of a game that is played away from the server."""
    taken_by: str | None = None
    """Who plays it there; None: no one, or it is over."""
    trial: str | None = None
    """The version, by its id, that is tested by it; None: it is a game of the ladder itself."""
    score: float | None = None
    """Of that version, 0 to 1; None: it is not over."""


PAIR: Final = 2
"""Games of one seed, with the seats either way round (`add_pair`)."""


def submitted_player(name: str, account: str, submission: str | None, version: int | None) -> Json:
    """A version that was handed in, as `LadderGame.players` has it."""
    return {
        "name": name,
        "bot": None,
        "account": account,
        "waited_ms": None,
        "submission": submission,
        "version": version,
    }


@dataclass(frozen=True, slots=True)
class LadderResult:
    """`state`: the match's; None: it has not begun. `outcome`: of a match that is over."""

    game: LadderGame
    state: str | None
    outcome: Json


async def join(db: AsyncConnection, game: str, account: Account, concurrency: int) -> None:
    """The account's place is that of its bot that connects, with at most `concurrency` games at a
    time."""
    await hold(db, [account.id])
    query = select(bots.c.id).where(bots.c.account == account.id, bots.c.game == game)
    known = (await db.execute(query)).scalar()
    id_ = known or new_id()
    if known is None:
        row = {"id": id_, "game": game, "name": account.name}
        await db.execute(insert(bots), [row | {"account": account.id, "created_ms": now_ms()}])
    await _place(db, game, account.id, id_, {"concurrency": concurrency, "submitted": None})


async def join_submitted(db: AsyncConnection, bot: SubmittedBot) -> None:
    """The place of the bot's account is that of this bot, whose versions the server plays."""
    await _place(db, bot.game, bot.account, bot.id, {"concurrency": 1, "submitted": True})


async def _place(
    db: AsyncConnection, game: str, account: str, bot: str, how: Mapping[str, Json]
) -> None:
    """An account has one place on a ladder: what it had before, it has left."""
    await leave(db, game, account)
    joined = {"joined_ms": now_ms(), "left_ms": None, **how}
    again = update(rungs).where(rungs.c.game == game, rungs.c.bot == bot).values(joined)
    if not (await db.execute(again)).rowcount:
        await db.execute(insert(rungs), [{"game": game, "bot": bot} | joined])


async def leave(db: AsyncConnection, game: str, account: str) -> bool:
    """It is on it no more; False: it was not."""
    await hold(db, [account])
    own = select(bots.c.id).where(bots.c.account == account, bots.c.game == game)
    rung = update(rungs).where(rungs.c.game == game, rungs.c.bot.in_(own))
    left = rung.where(rungs.c.left_ms.is_(None)).values(left_ms=now_ms())
    return bool((await db.execute(left)).rowcount)


async def climbers(db: AsyncConnection, game: str) -> list[Rung]:
    """Who is on a ladder, by when they came."""
    s = submissions.c
    plays = and_(s.bot == bots.c.id, s.state == "active", rungs.c.submitted.is_(True))
    query = (
        select(
            bots.c.account,
            accounts.c.name,
            rungs.c.concurrency,
            rungs.c.challenges,
            rungs.c.submitted,
            bots.c.name.label("bot"),
            s.id.label("submission"),
            s.version,
            s.failures,
        )
        .join(bots, bots.c.id == rungs.c.bot)
        .join(accounts, accounts.c.id == bots.c.account)
        .outerjoin(submissions, plays)
        .where(rungs.c.game == game, rungs.c.left_ms.is_(None), accounts.c.disabled_ms.is_(None))
        .order_by(rungs.c.joined_ms, bots.c.id)
    )
    return [
        Rung(
            row.account,
            row.name,
            row.concurrency,
            rule_from(row.challenges),
            row.bot if row.submitted else None,
            row.submission,
            row.version,
            row.failures or 0,
        )
        for row in await db.execute(query)
    ]


async def add_game(db: AsyncConnection, game: LadderGame) -> None:
    row = {field: getattr(game, field) for field in LadderGame.__dataclass_fields__}
    unreported = True if game.trial is None else None
    await db.execute(insert(ladder_games), [row | {"unreported": unreported}])


async def add_pair(db: AsyncConnection, game: LadderGame) -> None:
    """Add a game, and the same one with the seats the other way round."""
    back = replace(game, match=new_id(), players=game.players[::-1])
    for one in (game, back):
        await add_game(db, one)


async def unreported(db: AsyncConnection, game: str) -> list[str]:
    """The matches of a ladder that are over and not reported, in the order in which they ended."""
    c = ladder_games.c
    query = select(c.match).join(matches, matches.c.id == c.match)
    query = query.where(c.game == game, c.unreported.is_(True), matches.c.state == "over")
    return list(await db.scalars(query.order_by(matches.c.ended_ms, c.match)))


async def report(db: AsyncConnection, ids: Collection[str]) -> None:
    """The results of these matches are sent to the webhook."""
    reported = update(ladder_games).where(ladder_games.c.match.in_(ids))
    await db.execute(reported.values(unreported=None))


async def drop_game(db: AsyncConnection, match: str) -> None:
    """It could not begin."""
    await db.execute(delete(ladder_games).where(ladder_games.c.match == match))


async def latest(db: AsyncConnection, game: str, limit: int) -> Sequence[LadderResult]:
    """The games of a ladder that began last, newest first."""
    query = (
        select(ladder_games, matches.c.state, matches.c.outcome)
        .outerjoin(matches, matches.c.id == ladder_games.c.match)
        .where(ladder_games.c.game == game, ladder_games.c.trial.is_(None))
        .order_by(ladder_games.c.begun_ms.desc(), ladder_games.c.match)
        .limit(limit)
    )
    rows = await db.execute(query)
    return [LadderResult(_game(row), row.state, row.outcome) for row in rows]


# --- games that are played away from the server


async def given(db: AsyncConnection, ids: Collection[str]) -> list[LadderGame]:
    """Those of these matches that are still to be played, oldest first."""
    c = ladder_games.c
    return await _played_away(db, c.match.in_(ids), c.taken_by.is_not(None))


async def left_behind(db: AsyncConnection, by: Collection[str]) -> list[LadderGame]:
    """Games that these play, or have not played."""
    return await _played_away(db, ladder_games.c.taken_by.in_(by))


async def take_over(db: AsyncConnection, others: Collection[str], by: str) -> None:
    """What was given to others is for this one."""
    theirs = update(ladder_games).where(ladder_games.c.taken_by.in_(others))
    await db.execute(theirs.values(taken_by=by))


async def end_all(db: AsyncConnection, ids: Collection[str]) -> None:
    """These matches are played."""
    played = update(ladder_games).where(ladder_games.c.match.in_(ids))
    await db.execute(played.values(taken_by=None))


async def give_up(db: AsyncConnection, game: str, before_ms: int) -> None:
    """Forget the games of a ladder that were given before this moment and were not played."""
    old = ladder_games.c.game == game, ladder_games.c.begun_ms < before_ms
    unplayed = delete(ladder_games).where(*old, ladder_games.c.taken_by.is_not(None))
    await db.execute(unplayed)


async def away_since(db: AsyncConnection, game: str, at_ms: int) -> list[LadderGame]:
    """Games of a ladder that were given since this moment, those that are over included."""
    c = ladder_games.c
    return await _played_away(db, c.game == game, c.begun_ms >= at_ms, c.trial.is_(None))


async def of_trials(db: AsyncConnection, versions: Collection[str]) -> list[LadderGame]:
    """The games by which these versions are tested, those that are over included."""
    return await _played_away(db, ladder_games.c.trial.in_(versions))


async def score(db: AsyncConnection, match: str, score: float) -> None:
    """What the version that is tested has reached in this match."""
    await db.execute(update(ladder_games).where(ladder_games.c.match == match).values(score=score))


async def _played_away(db: AsyncConnection, *which: ColumnElement[bool]) -> list[LadderGame]:
    c = ladder_games.c
    query = select(ladder_games).where(*which, c.seed.is_not(None))
    rows = await db.execute(query.order_by(c.begun_ms, c.seed, c.match))
    return [_game(row) for row in rows]


def _game(row: Row[Any]) -> LadderGame:
    return LadderGame(**{name: row._mapping[name] for name in LadderGame.__dataclass_fields__})
