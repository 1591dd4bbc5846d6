"""Numbers of matches at once, one after the other, against a server: the figures of each."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection
from statistics import quantiles
from typing import Final

from client_sdk.load.target import Load, SeatedMatches, Target
from client_sdk.load.worker import LoadWorker, Played, Share, serve
from games.core.contract import Json

LIMIT: Final = 0.9
"""The generator was the limit where one of its processes ran, or waited for a processor, in more
than this share of the time."""
BOUND_MS: Final = 100.0
REALTIME_BOUND_MS: Final = 10.0
"""Bounds of p99, where none is given: of a turn, and of how late a view of a tick is."""


@contextmanager
def further_process() -> Iterator[Connection]:
    """The pipe of a process of the generator."""
    context = multiprocessing.get_context("spawn")
    ours, its = context.Pipe()
    process = context.Process(target=serve, args=(its,), daemon=True)
    process.start()
    its.close()
    try:
        yield ours
    finally:
        ours.close()
        process.join()


class Generator:
    """Plays load on a server, a level at a time. A context manager: several processes start with
    it."""

    def __init__(self, target: Target, load: Load) -> None:
        self._target = target
        self._load = load
        self._stack = ExitStack()
        self._pipes: list[Connection] = []

    def __enter__(self) -> Generator:
        if self._load.processes > 1:
            self._pipes = [
                self._stack.enter_context(further_process()) for _ in range(self._load.processes)
            ]
        return self

    def __exit__(self, *exc: object) -> None:
        self._stack.close()

    def level(self, matches: int, passed: Callable[[str], None] = lambda phase: None) -> Json:
        """Play this number of matches at once, from their lobbies to their records, and return the
        figures. `passed` is called after each phase: `seated`, `connected`, `played`, `recorded`.
        Raises ServerRefused or ConnectionLost."""
        seated = self._target.seat(self._load, matches)
        passed("seated")
        played = self._played(self._shares(seated), passed)
        passed("played")
        outcomes: list[Json] = [None] * matches
        for number, one in enumerate(played):
            outcomes[number :: len(played)] = one.outcomes
        lost = self._target.lost(seated, outcomes)
        passed("recorded")
        return figures(matches, played, outcomes, lost)

    def _shares(self, seated: SeatedMatches) -> list[Share]:
        count, load = max(1, len(self._pipes)), self._load
        return [
            Share(
                load.game,
                seated.seats[number::count],
                seated.viewers[number::count],
                seated.idle[number::count],
                load.think_s,
                number if load.seed is None else load.seed + number,
            )
            for number in range(count)
        ]

    def _played(self, shares: Sequence[Share], passed: Callable[[str], None]) -> list[Played]:
        if not self._pipes:
            worker = LoadWorker(shares[0])
            try:
                worker.connect()
                passed("connected")
                return [worker.play()]
            finally:
                worker.close()
        for pipe, share in zip(self._pipes, shares, strict=True):
            pipe.send(share)
        for pipe in self._pipes:
            pipe.recv()
        passed("connected")
        for pipe in self._pipes:
            pipe.send(None)
        return [pipe.recv() for pipe in self._pipes]


def figures(
    matches: int, played: Sequence[Played], outcomes: Sequence[Json], lost: Sequence[str]
) -> dict[str, Json]:
    """What a level has shown; `docs/hosting.md` lists the fields."""
    failures = [*(failure for one in played for failure in one.failures), *lost]
    turns = sum(one.turns for one in played)
    begun = min((one.begun_ns for one in played if one.begun_ns), default=0)
    seconds = (max(one.ended_ns for one in played) - begun) / 1e9
    seats = [seat for outcome in outcomes if outcome for seat in outcome["seats"]]
    busiest = max((one.cpu_s + one.waited_s) / one.wall_s for one in played)
    return {
        "matches": matches,
        "failed": len(failures),
        "failures": dict(Counter(failures)),
        "turns": turns,
        "seconds": round(seconds, 3),
        "turns_per_second": round(turns / seconds, 1) if seconds else 0.0,
        "turn_ms": _spread([turn for one in played for turn in one.turn_ns]),
        "late_ms": _spread([late for one in played for late in one.late_ns]),
        "fan_out_ms": _spread([wave for one in played for wave in one.fan_out_ns]),
        "views": sum(one.views for one in played),
        "timeouts": sum(seat.get("timeouts", 0) for seat in seats),
        "time_losses": sum(
            outcome["outcome"] == "forfeit"
            and any(seat.get("timeouts") for seat in outcome["seats"])
            for outcome in outcomes
            if outcome
        ),
        "generator": {
            "processes": len(played),
            "cpu_s": round(sum(one.cpu_s for one in played), 3),
            "share": round(max(one.cpu_s / one.wall_s for one in played), 3),
            "waiting": round(max(one.waited_s / one.wall_s for one in played), 3),
            "limit": busiest > LIMIT,
        },
    }


def is_within(level: Json, bound_ms: float | None) -> bool:
    """Whether a level has kept the bound: no match failed or was lost on time, and p99 is at most
    `bound_ms` (None: the default bound of the game's kind)."""
    spread = level["late_ms"] or level["turn_ms"]
    if bound_ms is None:
        bound_ms = REALTIME_BOUND_MS if level["late_ms"] else BOUND_MS
    kept = spread is not None and spread["p99"] <= bound_ms
    return kept and not level["failed"] and not level["time_losses"]


def knee(levels: Sequence[Json], bound_ms: float | None) -> int | None:
    """The greatest number of matches that kept the bound, with all smaller ones; None: none did."""
    found = None
    for level in sorted(levels, key=lambda level: level["matches"]):
        if not is_within(level, bound_ms):
            break
        found = level["matches"]
    return found


def _lost_on_time(outcome: Json) -> bool:
    return outcome["outcome"] == "forfeit" and any(
        seat.get("timeouts") for seat in outcome["seats"]
    )


def _spread(values_ns: Sequence[int]) -> Json:
    """p50, p99 and the greatest, in ms; None without values."""
    if len(values_ns) < 2:
        return None
    cuts = quantiles(values_ns, n=100, method="inclusive")
    p50, p99, most = cuts[49], cuts[98], max(values_ns)
    return {name: round(ns / 1e6, 3) for name, ns in (("p50", p50), ("p99", p99), ("max", most))}
