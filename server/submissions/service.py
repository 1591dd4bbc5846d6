"""Handing in: who may, what is taken, and what its author sees of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

import structlog
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from client_sdk.sandbox import missing
from games import GAMES
from games.contest.format import DUEL, plays_with
from games.core.contract import Json
from server.errors import Refusal
from server.offload import Offload
from server.store import ladders, teams
from server.store import submissions as stored
from server.store.accounts import Account, now_ms
from server.store.store import Store
from server.store.submissions import Submission, SubmittedBot
from server.submissions.check import HandedIn, examine
from server.submissions.checker import Checker
from server.submissions.trials import standing
from server.tokens import new_id

DAY_MS: Final = 24 * 3_600_000
SHOWN: Final = 200
"""Versions that a list has, at most."""
TRIES: Final = 5

Version = tuple[SubmittedBot, Submission]


class HandInLimits(NamedTuple):
    """What the operator says. `freeze`: no version is taken from then on.
    `trial_pairs`: of a trial, at most."""

    on: bool
    per_day: int
    freeze: datetime | None
    trial_pairs: int


class Submissions:
    """Every method raises SQLAlchemyError if the database cannot be used."""

    def __init__(
        self, store: Store, offload: Offload, checker: Checker, limits: HandInLimits
    ) -> None:
        self._store = store
        self._offload = offload
        self._checker = checker
        self._limits = limits
        self._no_sandbox: str | None = None

    async def open(self) -> None:
        """Find out whether there is a sandbox."""
        if self._limits.on:
            self._no_sandbox = await asyncio.to_thread(missing)
            if self._no_sandbox is not None:
                _log = structlog.get_logger()
                _log.warning("no bots can be handed in: no sandbox", why=self._no_sandbox)

    async def keep(self) -> None:
        """Build and check, for as long as the server lives, if bots can be handed in here."""
        if self._limits.on and self._no_sandbox is None:
            await self._checker.keep()

    @property
    def frozen_ms(self) -> int | None:
        """The moment from which no version is taken."""
        freeze = self._limits.freeze
        return None if freeze is None else int(freeze.timestamp() * 1000)

    @property
    def closed(self) -> Refusal | None:
        """Why nothing can be handed in at the moment."""
        if not self._limits.on:
            text = "bots cannot be handed in here: the operator can allow it, BOTARENA_SUBMISSIONS"
            return Refusal(503, "submissions_off", text)
        if self._no_sandbox is not None:
            text = f"bots cannot be handed in here: the server has no sandbox ({self._no_sandbox})"
            return Refusal(503, "no_sandbox", text)
        if self.frozen_ms is not None and now_ms() >= self.frozen_ms:
            text = "bots are frozen: no new version is taken"
            return Refusal(409, "frozen", text)
        return None

    async def hand_in(self, account: Account, given: HandedIn) -> Version:
        """Take a file as the next version of a bot. The newest version again is no new one. Raises
        Refusal."""
        if (closed := self.closed) is not None:
            raise closed
        if given.game not in GAMES:
            text = f"there is no game {given.game!r}"
            raise Refusal(404, "unknown_game", text, field="game", allowed=list(GAMES))
        if given.trial and not plays_with(GAMES[given.game], {}, DUEL):
            raise Refusal(409, "no_duel", "this game is not played by two", field="trial")
        async with self._store.read() as db:
            await self._check_cap(db, account)
        how, digest = await self._offload.answer(examine, given)
        for _ in range(TRIES):
            try:
                async with self._store.write() as db:
                    team = await teams.hold_team(db, account.id)
                    bot = await stored.bot_called(db, given.game, given.name, team)
                    if bot is None:
                        bot = await stored.new_bot(db, given.game, given.name, account.id)
                    last = await stored.newest(db, bot.id)
                    one = Submission(
                        id=new_id(),
                        bot=bot.id,
                        version=1 if last is None else last.version + 1,
                        sha256=digest,
                        file=given.file,
                        kind=how.kind,
                        language=how.language,
                        entry=how.entry,
                        account=account.id,
                        state="received",
                        trial=given.trial or None,
                        created_ms=now_ms(),
                    )
                    if last is not None and last.same_as(one):
                        return bot, last
                    await self._check_cap(db, account)
                    await stored.keep(db, digest, given.content)
                    await stored.add(db, one)
            except IntegrityError:
                continue
            self._checker.notify()
            return bot, one
        raise Refusal(503, "overloaded", "others hand in this bot at the same time; try again")

    async def _check_cap(self, db: AsyncConnection, account: Account) -> None:
        """Raises Refusal."""
        team = await teams.team_of(db, account.id)
        taken = await stored.since(db, team, now_ms() - DAY_MS)
        if taken >= self._limits.per_day:
            text = f"{self._limits.per_day} versions were handed in within 24 h: try again later"
            raise Refusal(429, "too_many_versions", text)

    async def listed(self, account: Account | None) -> list[Version]:
        """Of the account and its team, or of all accounts, newest first."""
        async with self._store.read() as db:
            team = None if account is None else await teams.team_of(db, account.id)
            return await stored.listed(db, limit=SHOWN, owners=team)

    async def get(self, account: Account, id_: str) -> Version:
        """One of the same. Raises Refusal."""
        async with self._store.read() as db:
            one = await stored.get(db, id_)
            bot = None if one is None else await stored.bot_of(db, one.bot)
            if one is None or bot is None or bot.account not in await teams.team_of(db, account.id):
                text = "none of your versions has this id"
                raise Refusal(404, "no_such_submission", text, field="submission")
        return bot, one

    async def activate(self, account: Account, id_: str) -> Version:
        """Let a version that was set aside play again. Raises Refusal."""
        _, one = await self.get(account, id_)
        async with self._store.write() as db:
            if not await stored.activate_again(db, one):
                text = f"version {one.version} is not set aside: it is {one.state}"
                raise Refusal(409, "not_set_aside", text, field="submission")
            if not await stored.content(db, one.played):
                raise _deleted(one, 409)
        return await self.get(account, id_)

    async def public(self, versions: Sequence[Version]) -> list[dict[str, Json]]:
        """What their author sees of versions in a list."""
        tested = {one.id: one.bot for _, one in versions if one.state == "testing"}
        trials: dict[str, Json] = {}
        async with self._store.read() as db:
            deleted = await stored.without_file(db, [one.id for _, one in versions])
            if tested:
                games = await ladders.of_trials(db, tested)
                for id_, bot in tested.items():
                    plays = await stored.active(db, bot)
                    own = (game for game in games if game.trial == id_)
                    found = standing(own, None if plays is None else plays.id)
                    trials[id_] = found.to_json(self._limits.trial_pairs)
        return [
            _public(version)
            | {"trial": trials.get(version[1].id), "file_deleted": version[1].id in deleted}
            for version in versions
        ]

    async def content(self, account: Account, id_: str) -> bytes:
        """The file that was handed in. Raises Refusal."""
        _, one = await self.get(account, id_)
        async with self._store.read() as db:
            content = await stored.content(db, one.sha256)
        if not content:
            raise _deleted(one, 404)
        return content


def _deleted(one: Submission, status: int) -> Refusal:
    text = f"the file of version {one.version} has been deleted"
    return Refusal(status, "file_deleted", text, field="submission")


def _public(version: Version) -> dict[str, Json]:
    bot, one = version
    return {
        "submission": one.id,
        "bot": bot.id,
        "game": bot.game,
        "name": bot.name,
        "version": one.version,
        "sha256": one.sha256,
        "file": one.file,
        "kind": one.kind,
        "language": one.language,
        "entry": one.word,
        "account": one.account,
        "state": one.state,
        "reason": one.reason,
        "created_ms": one.created_ms,
    }
