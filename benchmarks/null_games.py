"""A worker whose games are null games, for the benchmarks: the first game is played, and all others
are over at once, or after a fixed time, with the same record. Everything else is as in `botarena
worker`: the jobs, the database, the results.

    BOTARENA_DATABASE_URL=… python -m benchmarks.null_games [--jobs 1] [--seconds 0]
"""

from __future__ import annotations

import argparse
import asyncio
import os
from concurrent.futures import Future
from threading import Timer

from client_sdk.local.games import Task, TaskResult, play
from client_sdk.replay import JOURNAL_SUFFIX
from server import log
from server.store.store import Store
from server.workers.games import Games
from server.workers.jobs import app_of, prepare, work


class NullPool:
    """In place of `client_sdk.local.pool.Pool`. `seconds`: how long a game seems to take."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._known: tuple[TaskResult, bytes] | None = None

    def submit(self, task: Task) -> Future[TaskResult]:
        assert task.games is not None
        file = task.games / f"{task.record}{JOURNAL_SUFFIX}"
        if self._known is None:
            self._known = play(task), file.read_bytes()
        done, journal = self._known
        file.write_bytes(journal)
        future: Future[TaskResult] = Future()
        if self._seconds:
            timer = Timer(self._seconds, future.set_result, [done])
            timer.daemon = True
            timer.start()
        else:
            future.set_result(done)
        return future

    def result(self, future: Future[TaskResult]) -> TaskResult:
        return future.result()


async def run(url: str, jobs: int, seconds: float) -> None:
    store = Store(url)
    app = app_of(store.url)
    await asyncio.to_thread(prepare, store, app)
    await store.open()
    games = Games(store, NullPool(seconds))
    try:
        async with app.open_async():
            await work(app, games.play, games.stop, jobs, submitted=False)
    finally:
        await games.close()
        await store.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0)
    asked = parser.parse_args()
    log.configure("warning")
    asyncio.run(run(os.environ["BOTARENA_DATABASE_URL"], asked.jobs, asked.seconds))


if __name__ == "__main__":
    main()
