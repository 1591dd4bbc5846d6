"""Bots that were handed in, their versions and files, and who may hand in which: the queries.

A version is played by the file that was built of it or, without one, by the file that was handed
in. What is active follows from the versions: the newest one that has passed its check."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Row, Select, exists, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from client_sdk.local.players import BotKind, PlayerSpec
from games.core.contract import Json
from server.store.accounts import now_ms
from server.store.tables import accounts, bots, files, records, submissions
from server.tokens import new_id

SubmissionState = Literal[
    "received",
    "building",
    "checking",
    "testing",
    "active",
    "failed",
    "refused",
    "replaced",
    "set_aside",
]
PASSED = ("active", "replaced", "set_aside")
"""A contest that is frozen goes on with its version, though it is set aside elsewhere."""
UNDER_WAY = ("received", "building", "checking")


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """One version of a bot."""

    id: str
    bot: str
    """The id of the bot."""
    version: int
    sha256: str
    built: str | None = None
    file: str
    """What the file was called."""
    kind: BotKind
    language: str | None = None
    entry: str
    """The file that is played, or the command without its prefix."""
    account: str
    """Who has handed it in."""
    state: SubmissionState
    reason: str | None = None
    build_log: str | None = None
    check_match: Json = None
    """The grade of each phase of its check: `name`, `grade`, `why`."""
    failures: int | None = None
    """Games of a ladder in a row to which it did not come, or in which it crashed; None: 0."""
    trial: bool | None = None
    """Whether it is tested against the version that plays before it plays."""
    promoted_ms: int | None = None
    """When it has won its trial."""
    created_ms: int

    @property
    def word(self) -> str:
        """What names it on a command line."""
        return PlayerSpec("", self.entry, self.kind).word

    def same_as(self, other: Submission) -> bool:
        """Whether both are the same file, played in the same way, and this one may still play."""
        return self.state not in ("failed", "refused", "set_aside") and (
            (self.sha256, self.kind, self.entry, self.language)
            == (other.sha256, other.kind, other.entry, other.language)
        )

    @property
    def played(self) -> str:
        """The file that is played, by its SHA-256."""
        return self.built or self.sha256

    @property
    def played_name(self) -> str:
        """What that file is called."""
        return self.file if self.built is None else "built.tar.gz"


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmittedBot:
    """A bot of an account, whose games the server plays."""

    id: str
    game: str
    name: str
    account: str


# --- what is played


async def active(db: AsyncConnection, bot: str, frozen_ms: int | None = None) -> Submission | None:
    """The version of this bot that plays now, in a contest that is frozen since this moment the
    newest one that was handed in before; None: it has none."""
    query = select(submissions).where(submissions.c.bot == bot)
    if frozen_ms is None:
        query = query.where(submissions.c.state == "active")
    else:
        since = func.coalesce(submissions.c.promoted_ms, submissions.c.created_ms)
        early = since <= frozen_ms
        query = query.where(submissions.c.state.in_(PASSED), early, _HAS_FILE)
    query = query.order_by(submissions.c.version.desc()).limit(1)
    row = (await db.execute(query)).first()
    return None if row is None else _submission(row)


async def without_file(db: AsyncConnection, ids: Collection[str]) -> set[str]:
    """Those of these versions whose file has been deleted, so that they cannot play again."""
    query = select(submissions.c.id).where(submissions.c.id.in_(ids), ~_HAS_FILE)
    return set((await db.execute(query)).scalars())


async def content(db: AsyncConnection, digest: str) -> bytes:
    """A file, by its SHA-256; empty: it has been deleted. Raises NoResultFound."""
    query = select(files.c.content).where(files.c.sha256 == digest)
    found: bytes = (await db.execute(query)).scalar_one()
    return found


# --- what a bot has written


async def log_of(db: AsyncConnection, match: str, seat: int) -> bytes | None:
    """What the bot at this seat has written in a match (`server.workers.records.turn_log`),
    gzipped; None: it has written nothing, or nothing is kept."""
    query = select(records.c.content)
    query = query.where(records.c.match == match, records.c.kind == f"log-{seat}")
    return (await db.execute(query)).scalar()


# --- handing in


async def bot_called(
    db: AsyncConnection, game: str, name: str, owners: Collection[str]
) -> SubmittedBot | None:
    """The bot of this name that one of these accounts has."""
    query = select(bots).where(bots.c.game == game, bots.c.name == name)
    query = query.where(bots.c.account.in_(owners)).order_by(bots.c.created_ms).limit(1)
    row = (await db.execute(query)).first()
    return None if row is None else _bot(row)


async def new_bot(db: AsyncConnection, game: str, name: str, account: str) -> SubmittedBot:
    bot = SubmittedBot(id=new_id(), game=game, name=name, account=account)
    row = {field: getattr(bot, field) for field in SubmittedBot.__dataclass_fields__}
    await db.execute(insert(bots), [row | {"created_ms": now_ms()}])
    return bot


async def bot_of(db: AsyncConnection, id_: str) -> SubmittedBot | None:
    row = (await db.execute(select(bots).where(bots.c.id == id_))).first()
    return None if row is None else _bot(row)


async def keep(db: AsyncConnection, digest: str, content: bytes) -> None:
    """Keep a file under its SHA-256, unless it is kept already."""
    same = files.c.sha256 == digest
    row = {"sha256": digest, "size": len(content), "content": content}
    query = select(files.c.size).where(same).with_for_update(key_share=True)
    known = (await db.execute(query)).first()
    if known is not None and known.size == 0:
        await db.execute(update(files).where(same).values(row))
    elif known is None:
        with contextlib.suppress(IntegrityError):  # another one keeps it at this moment
            async with db.begin_nested():
                await db.execute(insert(files), [row | {"created_ms": now_ms()}])


async def add(db: AsyncConnection, submission: Submission) -> None:
    """Raises IntegrityError if its bot has a version of this number."""
    row = {field: getattr(submission, field) for field in Submission.__dataclass_fields__}
    await db.execute(insert(submissions), [row])


async def newest(db: AsyncConnection, bot: str) -> Submission | None:
    """The version that was handed in last, whatever became of it."""
    query = select(submissions).where(submissions.c.bot == bot)
    row = (await db.execute(query.order_by(submissions.c.version.desc()).limit(1))).first()
    return None if row is None else _submission(row)


async def since(db: AsyncConnection, owners: Collection[str], at_ms: int) -> int:
    """How many versions these accounts have handed in since this moment."""
    query = select(func.count()).where(
        submissions.c.account.in_(owners), submissions.c.created_ms > at_ms
    )
    return (await db.execute(query)).scalar_one()


async def change(db: AsyncConnection, id_: str, values: Mapping[str, Json]) -> None:
    await db.execute(update(submissions).where(submissions.c.id == id_).values(dict(values)))


async def passed(db: AsyncConnection, submission: Submission) -> None:
    """It has passed its check: it plays from now on, or is tested against the version that does if
    it was handed in for that, and there is one."""
    await _hold_bot(db, submission.bot)
    if not submission.trial:
        await activate(db, submission)
    elif await active(db, submission.bot) is None:
        await activate(db, submission)
        why = "active without a trial: there was no version to play against"
        await change(db, submission.id, {"reason": why})
    else:
        s = submissions.c
        newer = select(s.version).where(s.bot == submission.bot, s.version > submission.version)
        newer = newer.where(s.state.in_(("active", "testing"))).limit(1)
        instead = (await db.execute(newer)).scalar()
        if instead is not None:
            values = {"state": "refused", "reason": _superseded(instead)}
            await change(db, submission.id, values)
            return
        await _end_trials(db, submission)
        await change(db, submission.id, {"state": "testing", "reason": None})


async def promote(db: AsyncConnection, submission: Submission, reason: str) -> bool:
    """It is tested, and plays from now on; False: it is not tested any more."""
    if not await _is_testing(db, submission):
        return False
    await activate(db, submission)
    await change(db, submission.id, {"reason": reason, "promoted_ms": now_ms()})
    return True


async def refuse(db: AsyncConnection, submission: Submission, reason: str) -> bool:
    """It is tested, and will not play; False: it is not tested any more."""
    if not await _is_testing(db, submission):
        return False
    await change(db, submission.id, {"state": "refused", "reason": reason})
    return True


async def testing(db: AsyncConnection) -> list[tuple[SubmittedBot, str]]:
    """Versions that are tested, by their ids, oldest first; accounts that are disabled play no
    games."""
    s = submissions.c
    query = select(bots, s.id.label("version")).join(submissions, s.bot == bots.c.id)
    query = query.join(accounts, accounts.c.id == bots.c.account)
    query = query.where(s.state == "testing", accounts.c.disabled_ms.is_(None))
    rows = await db.execute(query.order_by(s.created_ms, s.id))
    return [(_bot(row), row.version) for row in rows]


async def _is_testing(db: AsyncConnection, submission: Submission) -> bool:
    await _hold_bot(db, submission.bot)
    now = await get(db, submission.id)
    return now is not None and now.state == "testing"


async def _end_trials(db: AsyncConnection, newer: Submission) -> None:
    """Of the versions before this one."""
    s = submissions.c
    older = update(submissions).where(s.bot == newer.bot, s.version < newer.version)
    values = {"state": "refused", "reason": _superseded(newer.version)}
    await db.execute(older.where(s.state == "testing").values(values))


def _superseded(version: int) -> str:
    return f"version {version} was handed in before its trial was over"


async def activate(db: AsyncConnection, submission: Submission) -> None:
    """It plays from now on, unless a newer version does."""
    await _hold_bot(db, submission.bot)
    same = submissions.c.bot == submission.bot
    active = submissions.c.state == "active"
    newer = select(1).where(same, active, submissions.c.version > submission.version)
    if (await db.execute(newer)).first() is not None:
        await change(db, submission.id, {"state": "replaced"})
        return
    await db.execute(update(submissions).where(same, active).values(state="replaced"))
    await _end_trials(db, submission)
    await change(db, submission.id, {"state": "active"})


async def count_games(db: AsyncConnection, played: Mapping[str, Sequence[bool]]) -> None:
    """Versions have played games of a ladder. By their ids, whether they failed in each, in
    order."""
    for id_, failed in sorted(played.items()):
        s = submissions.c
        before = func.coalesce(s.failures, 0) if all(failed) else 0
        last = next((at for at, one in enumerate(reversed(failed)) if not one), len(failed))
        counted = update(submissions).where(s.id == id_).values(failures=before + last)
        await db.execute(counted)


async def set_aside(db: AsyncConnection, submission: Submission, reason: str) -> int | None:
    """It does not play any more. Returns the number of the version that plays instead, the one that
    is tested or the newest one before it that has played; None: there is none."""
    await _hold_bot(db, submission.bot)
    await change(db, submission.id, {"state": "set_aside", "reason": reason})
    s = submissions.c
    tested = select(submissions).where(s.bot == submission.bot, s.state == "testing")
    for one in await _found(db, tested):
        await promote(db, one, f"version {submission.version} was set aside")
        return one.version
    before = select(s.id, s.version).where(s.bot == submission.bot, s.state == "replaced")
    before = before.where(s.version < submission.version, _HAS_FILE)
    row = (await db.execute(before.order_by(s.version.desc()).limit(1))).first()
    if row is None:
        return None
    await change(db, row.id, {"state": "active", "failures": 0})
    version: int = row.version
    return version


async def activate_again(db: AsyncConnection, submission: Submission) -> bool:
    """A version that was set aside plays again, instead of the one that does; False: it was not set
    aside."""
    await _hold_bot(db, submission.bot)
    now = await get(db, submission.id)
    if now is None or now.state != "set_aside":
        return False
    same = submissions.c.bot == submission.bot
    active = submissions.c.state == "active"
    await db.execute(update(submissions).where(same, active).values(state="replaced"))
    await change(db, submission.id, {"state": "active", "reason": None, "failures": 0})
    return True


async def _hold_bot(db: AsyncConnection, bot: str) -> None:
    """Until the end of the transaction no other one that holds it changes what it plays."""
    query = select(bots.c.id).where(bots.c.id == bot)
    await db.execute(query.with_for_update(key_share=True))


async def waiting(db: AsyncConnection) -> list[Submission]:
    """Versions whose check has not ended, oldest first."""
    query = select(submissions).where(submissions.c.state.in_(UNDER_WAY))
    return await _found(db, query.order_by(submissions.c.created_ms, submissions.c.id))


async def get(db: AsyncConnection, id_: str) -> Submission | None:
    row = (await db.execute(select(submissions).where(submissions.c.id == id_))).first()
    return None if row is None else _submission(row)


async def listed(
    db: AsyncConnection,
    *,
    limit: int,
    owners: Collection[str] | None = None,
    bot: str | None = None,
) -> list[tuple[SubmittedBot, Submission]]:
    """Newest first, without what their builds have said and their checks have found, which is
    large; of bots of these accounts only, and of this bot only, if they are given."""
    columns = [bots.c[name].label(f"bot_{name}") for name in SubmittedBot.__dataclass_fields__]
    query = select(*_BRIEF, *columns).join(bots, bots.c.id == submissions.c.bot)
    if owners is not None:
        query = query.where(bots.c.account.in_(owners))
    if bot is not None:
        query = query.where(bots.c.id == bot)
    query = query.order_by(submissions.c.created_ms.desc(), submissions.c.id).limit(limit)
    return [
        (
            SubmittedBot(**{name: row._mapping[f"bot_{name}"] for name in _BOT}),
            _submission(row),
        )
        for row in await db.execute(query)
    ]


_HAS_FILE = exists().where(
    files.c.sha256 == func.coalesce(submissions.c.built, submissions.c.sha256), files.c.size > 0
)
"""The file that is played has not been deleted."""
_BRIEF = [column for column in submissions.c if column.name not in ("build_log", "check_match")]
_BOT = tuple(SubmittedBot.__dataclass_fields__)


async def _found(db: AsyncConnection, query: Select[Any]) -> list[Submission]:
    return [_submission(row) for row in await db.execute(query)]


def _submission(row: Row[Any]) -> Submission:
    known = row._mapping
    fields = Submission.__dataclass_fields__
    return Submission(**{name: known[name] for name in fields if name in known})


def _bot(row: Row[Any]) -> SubmittedBot:
    return SubmittedBot(**{name: row._mapping[name] for name in _BOT})
