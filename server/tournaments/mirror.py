"""Tournaments in the child process for CPU work: of each only later facts are sent there, and what
is asked is answered there, so that no large table is made where clocks run.

The child may forget all of it at any time; then the facts are sent again. Only facts that are
committed are sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from games.contest.facts import Fact
from games.contest.format import Format
from games.contest.tournament import Tournament
from server.offload import Offload

P = ParamSpec("P")
T = TypeVar("T")

CHUNK: Final = 1_000
"""Facts that are sent at once: pickling more would hold up the event loop."""
KEPT: Final = 16
"""Tournaments that the child remembers."""


class Mirror:
    def __init__(self, offload: Offload) -> None:
        self._offload = offload
        self._sent: dict[str, int] = {}
        """How many facts of each the child was sent."""

    async def answer(
        self,
        id_: str,
        tournament: Tournament,
        work: Callable[Concatenate[Tournament, P], T],
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """What `work` returns for the tournament in the child. Raises Refusal if too many wait."""
        count = len(tournament.facts)
        while True:
            start = min(self._sent.get(id_, 0), count)
            end = min(start + CHUNK, count)
            news = _News(
                id_, tournament.format, tournament.seed, start, tournament.facts[start:end]
            )
            self._sent[id_] = max(end, self._sent.get(id_, 0))
            if end < count:
                known = await self._offload.answer(_hear, news)
            else:
                known, found = await self._offload.answer(_ask, news, count, work, args, kwargs)
                if known:
                    return found[0]  # type: ignore[no-any-return]
            if not known:
                self._sent[id_] = 0


@dataclass(frozen=True, slots=True)
class _News:
    """The facts of a tournament from `start` on."""

    id: str
    format: Format
    seed: int
    start: int
    facts: Sequence[Fact]


_heard: dict[str, Tournament] = {}
"""In the child."""


def _hear(news: _News) -> bool:
    """Keep these facts. Whether those before them are known."""
    known = _heard.pop(news.id, None)
    if known is None or known.seed != news.seed:
        known = Tournament(news.format, news.seed)
    have = len(known.facts)
    for fact in news.facts[have - news.start :] if have >= news.start else ():
        known = known.add(fact)
    _heard[news.id] = known
    while len(_heard) > KEPT:
        del _heard[next(iter(_heard))]
    return have >= news.start


def _ask(
    news: _News,
    count: int,
    work: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
) -> tuple[bool, tuple[Any, ...]]:
    if not _hear(news):
        return False, ()
    known = _heard[news.id]
    if len(known.facts) > count:
        known = Tournament(news.format, news.seed, known.facts[:count])
    return True, (work(known, *args, **kwargs),)
