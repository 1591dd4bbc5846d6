"""Processes that play games side by side."""

from __future__ import annotations

from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from threading import Lock
from typing import Final

from client_sdk.local.child import begin
from client_sdk.local.games import Task, TaskResult, play

ENDED: Final = "a process that played was ended, from outside or by a bot that played in it"


class Pool:
    """Processes that play. A killed one takes its running games with it; these are no bot's fault
    and are played again. Several threads may submit games."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._lock = Lock()
        self._pool = self._made()

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *exc: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def _made(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._jobs, mp_context=get_context("spawn"), initializer=begin)

    def submit(self, task: Task) -> Future[TaskResult]:
        with self._lock:
            try:
                return self._pool.submit(play, task)
            except BrokenProcessPool:
                self._pool.shutdown()
                self._pool = self._made()
                return self._pool.submit(play, task)

    def result(self, future: Future[TaskResult]) -> TaskResult:
        try:
            return future.result()
        except BrokenProcessPool:
            return TaskResult(outcome=None, why=ENDED)
