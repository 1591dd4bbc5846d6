"""Versions that were handed in for a trial play pairs of games against the version of their bot
that plays, and take its place once they are shown to be stronger.

All follows from the games that are stored: a pair is two rows, which are given to an executor as
those of ladders are (`ladder_batches.py`), and each row has the score of the version that is
tested once it is over."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from typing import Final, NamedTuple

import structlog
from sqlalchemy.exc import SQLAlchemyError

from games.core.parameters import MAX_SEED
from server.cluster.leader import Leader
from server.store import ladders, submissions
from server.store.ladders import PAIR, LadderGame
from server.store.store import Store
from server.store.submissions import Submission, SubmittedBot
from server.submissions.trials import TEST, TrialStanding, standing
from server.tokens import new_id
from server.tournaments.changes import Changes
from server.tournaments.delegated import Executor
from server.tournaments.ladder_batches import GIVEN_UP_MS, HOUR_MS
from server.tournaments.map_pools import drawn
from server.wall_clock import wall_ms
from server.webhook import Webhook

LOOK_S: Final = 5.0
"""How often it is looked for pairs that are over."""
_log = structlog.get_logger()


class TrialOptions(NamedTuple):
    """`per_hour`: games that a version plays within an hour, at most; 0: any number. It is refused
    after `pairs` without a decision, or once it has failed in `failures` games in a row."""

    per_hour: int
    pairs: int
    failures: int


class VersionTrials:
    """Of several processes the leader has them played, and judges them."""

    def __init__(
        self,
        store: Store,
        executor: Executor,
        changes: Changes,
        leader: Leader,
        options: TrialOptions,
        webhook: Webhook,
    ) -> None:
        self._store = store
        self._executor = executor
        self._changes = changes
        self._leader = leader
        self._options = options
        self._webhook = webhook
        self._stopping = asyncio.Event()
        self._loop: asyncio.Task[None] | None = None

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        """No further game begins."""
        self._stopping.set()
        if self._loop is not None:
            await self._store.end(self._loop)
            await asyncio.gather(self._loop, return_exceptions=True)

    async def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                if self._leader.leads:
                    await self._look()
            except (SQLAlchemyError, OSError) as fault:
                _log.warning("trials wait for the database", why=type(fault).__name__)
            except Exception:  # noqa: BLE001  the next look is another one
                _log.exception("trials failed")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._stopping.wait()

    async def _look(self) -> None:
        async with self._store.read() as db:
            testing = await submissions.testing(db)
        for bot, id_ in testing:
            async with self._store.read() as db:
                plays = await submissions.active(db, bot.id)
                games = await ladders.of_trials(db, [id_])
                one = await submissions.get(db, id_)
            assert one is not None, "no version is deleted"
            if plays is None:
                await self._promote(bot, one, "no other version plays")
                continue
            found = standing(games, plays.id)
            if not await self._decided(bot, one, plays, found):
                await self._have_played(bot, one, plays, games)

    async def _decided(
        self, bot: SubmittedBot, one: Submission, plays: Submission, found: TrialStanding
    ) -> bool:
        failures, than = one.failures or 0, f"than version {plays.version}"
        if failures >= self._options.failures:
            why = f"it did not come to {failures} games in a row of its trial, or crashed in them"
            await self._refuse(bot, one, why)
        elif found.sprt.decision == "better":
            await self._promote(bot, one, f"stronger {than}: {found.text}")
        elif found.sprt.decision == "not_better":
            why = f"not stronger {than} by {TEST.elo1:g} Elo: {found.text}"
            await self._refuse(bot, one, why)
        elif found.pairs >= self._options.pairs:
            why = f"not shown to be stronger {than} in {found.pairs} pairs: {found.text}"
            await self._refuse(bot, one, why)
        else:
            return False
        return True

    async def _have_played(
        self, bot: SubmittedBot, one: Submission, plays: Submission, games: list[LadderGame]
    ) -> None:
        """The next pair, once the last one is over."""
        now_ms = wall_ms()
        waiting = [game for game in games if game.taken_by is not None]
        if waiting:
            if waiting[0].begun_ms < now_ms - GIVEN_UP_MS:
                async with self._store.write() as db:
                    await ladders.give_up(db, bot.game, now_ms - GIVEN_UP_MS)
            return
        lately = sum(game.begun_ms >= now_ms - HOUR_MS for game in games)
        if self._options.per_hour and lately + PAIR > self._options.per_hour:
            return
        if not await self._executor.plays_submitted():
            return
        pool, board = await drawn(self._store, bot.game)
        game = LadderGame(
            match=new_id(),
            game=bot.game,
            begun_ms=now_ms,
            why="trial",
            rated=False,
            pool=pool,
            map=board,
            players=[
                ladders.submitted_player(
                    f"{bot.name[:60]} {version.version}", bot.account, version.id, version.version
                )
                for version in (one, plays)
            ],
            seed=secrets.randbelow(MAX_SEED + 1),
            taken_by=self._executor.by,
            trial=one.id,
        )
        async with self._store.write() as db:
            await ladders.add_pair(db, game)
        self._changes.notify()

    async def _promote(self, bot: SubmittedBot, one: Submission, why: str) -> None:
        async with self._store.write() as db:
            if not await submissions.promote(db, one, why):
                return
        self._tell("version_promoted", bot, one, f"plays now: {why}")

    async def _refuse(self, bot: SubmittedBot, one: Submission, why: str) -> None:
        async with self._store.write() as db:
            if not await submissions.refuse(db, one, why):
                return
        self._tell("version_refused", bot, one, f"is refused: {why}")

    def _tell(self, event: str, bot: SubmittedBot, one: Submission, what: str) -> None:
        text = f"{bot.game}: {bot.name}, version {one.version}, {what}"
        about = {"name": bot.name, "account": bot.account, "version": one.version}
        self._webhook.post(event, text, game=bot.game, **about)
