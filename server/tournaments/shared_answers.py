"""Answers that many ask for at the same time: each is made and encoded once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

KEPT: Final = 100
CACHED_S: Final = 1.0
"""How long an answer is kept while nothing changes here."""
REST: Final = 4.0
"""How long one that may be old is kept, by the time that it took to make."""


@dataclass(frozen=True, slots=True)
class _Made:
    state: int
    at: float
    took_s: float
    answer: bytes


class SharedAnswers:
    def __init__(self) -> None:
        self._made: dict[str, _Made] = {}
        self._flying: dict[tuple[str, int], asyncio.Task[bytes]] = {}

    async def get(
        self,
        key: str,
        state: int,
        make: Callable[[], Awaitable[bytes]],
        *,
        may_be_old: bool = False,
    ) -> bytes:
        """The answer, of this state. `may_be_old`: or one that was made not long before, so that a
        table that takes a while is not made again for every change. Raises what `make` raises."""
        known, now = self._made.get(key), time.monotonic()
        if known is not None:
            rest_s = REST * known.took_s if may_be_old else 0.0
            if now < known.at + (CACHED_S if known.state == state else rest_s):
                return known.answer
        flying = self._flying.get((key, state))
        if flying is None:
            flying = asyncio.ensure_future(self._make(key, state, make))
            self._flying[key, state] = flying
        return await asyncio.shield(flying)

    async def _make(self, key: str, state: int, make: Callable[[], Awaitable[bytes]]) -> bytes:
        begun = time.monotonic()
        try:
            answer = await make()
        finally:
            del self._flying[key, state]
        now = time.monotonic()
        self._made.pop(key, None)
        self._made[key] = _Made(state, now, now - begun, answer)
        while len(self._made) > KEPT:
            del self._made[next(iter(self._made))]
        return answer
