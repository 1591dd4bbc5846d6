"""Builds and checks what was handed in, in the background, and lets it play."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable
from typing import Final

import structlog

from server.offload import ChildDied, Offload
from server.store import submissions as stored
from server.store.store import Store
from server.store.submissions import Submission
from server.submissions.check import HandedIn, StepResult, build, check

LOOK_S: Final = 5.0
"""How often it is looked for what other processes have taken."""
STEP_S: Final = 300.0
"""More than a build and a check may take: what was handed in may hold up its reader."""
UNCHECKED: Final = "the server could not check it; hand it in again"
_log = structlog.get_logger()


class Checker:
    """Of several processes that are one server, the one that leads checks. What it has not finished
    when it ends, the next one begins again."""

    def __init__(self, store: Store, leads: Callable[[], bool]) -> None:
        self._store = store
        self._leads = leads
        self._woken = asyncio.Event()
        self._free = [Offload(STEP_S) for _ in range(max(1, (os.cpu_count() or 1) // 2))]
        self._all = tuple(self._free)
        self._checking: dict[str, asyncio.Task[None]] = {}

    def notify(self) -> None:
        """Something was handed in."""
        self._woken.set()

    async def keep(self) -> None:
        """Check what waits, for as long as the server lives."""
        while True:
            if self._leads() and self._free:
                async with self._store.read() as db:
                    waiting = await stored.waiting(db)
                for one in waiting:
                    if self._free and one.id not in self._checking:
                        task = asyncio.create_task(self._check(one, self._free.pop()))
                        self._checking[one.id] = task
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._woken.wait()
            self._woken.clear()

    async def close(self) -> None:
        """End what is under way; it begins again at the next start."""
        for child in self._all:
            await child.close()
        tasks = [*self._checking.values()]
        for task in tasks:
            await self._store.end(task)
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _check(self, one: Submission, child: Offload) -> None:
        try:
            await self._stepped(one, child)
        except ChildDied:
            if child.closed:
                return
            await self._set(one, "failed", StepResult(UNCHECKED))
        except Exception:  # noqa: BLE001  our own fault: it is no reason to try for ever
            _log.exception("a version could not be checked", submission=one.id)
            await self._set(one, "failed", StepResult(UNCHECKED))
        finally:
            del self._checking[one.id]
            self._free.append(child)
            self._woken.set()

    async def _stepped(self, one: Submission, child: Offload) -> None:
        async with self._store.read() as db:
            bot = await stored.bot_of(db, one.bot)
            content = await stored.content(db, one.sha256)
        assert bot is not None, "its versions refer to it"
        entry = one.word
        given = HandedIn(bot.game, bot.name, one.file, content, entry, one.language)
        await self._set(one, "building")
        done = await child.run(build, given)
        if done.reason is None:
            if done.built is not None:
                given = HandedIn(bot.game, bot.name, "built.tar.gz", done.built, exact=True)
            await self._set(one, "checking", done)
            done = await child.run(check, given, one.kind, one.entry)
        if done.reason is not None:
            await self._set(one, "failed", done)
            return
        async with self._store.write() as db:
            await stored.change(db, one.id, {"check_match": done.phases})
            await stored.passed(db, one)
        _log.info("a version has passed its check", bot=one.bot, version=one.version)

    async def _set(
        self, one: Submission, state: stored.SubmissionState, done: StepResult | None = None
    ) -> None:
        values: dict[str, object] = {"state": state}
        if done is not None:
            values["reason"] = done.reason
            if done.build_log is not None:
                values["build_log"] = done.build_log
            if done.phases:
                values["check_match"] = done.phases
        async with self._store.write() as db:
            if done is not None and done.built is not None and done.sha256 is not None:
                await stored.keep(db, done.sha256, done.built)
                values["built"] = done.sha256
            await stored.change(db, one.id, values)
