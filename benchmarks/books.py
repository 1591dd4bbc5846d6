"""What the bookkeeping of a tournament costs: one more fact, the state and what is due after it,
at any number of entrants.

    python -m benchmarks.books [--entrants 100,1000,5000] [--facts 300] [--json-file FILE]

Times are the process's own CPU time; medians are shown, in ms. A fact is checked, added, and then
the state and the games that are due are asked for: all of them, or of more than 5,000 the first
ones and their number. What happens once a round, off the event loop of a server, has lines of its
own: the pairs of the last round of a swiss tournament and the table of stage 1. A schedule of heats
for more than a hundred is not made here: it alone would take minutes.

A bar that is missed is marked, and makes this fail."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

from games.contest import as_json, facts, verbs
from games.contest.facts import Fact
from games.contest.format import read
from games.contest.result import GameResult
from games.contest.tournament import Fixture, Tournament

SEED = 20261127
FORMATS: dict[str, dict[str, Any]] = {
    "contest": {"matches_per_pairing": 1},
    "round-robin": {"format": "round-robin", "matches_per_pairing": 2},
    "gauntlet": {"format": "gauntlet", "challengers": 2, "matches_per_pairing": 2},
    "swiss": {"format": "swiss", "matches_per_pairing": 1},
    "knock-out": {"format": "knock-out"},
    "heats": {"format": "round-robin", "seats_per_match": 4, "matches_per_pairing": 1},
}
MOST_HEATS = 100
FACT_MS = 1.0
FLAT = 2.0
NOISE_MS = 0.1
"""A smaller figure counts as this one."""
PAIRS_MS = 5_000.0
TABLE_MS = 300.0
TABLES = 5
PAGE_KB = 200.0
READ_FACTS = 50_000
READ_MS = 30_000.0
PAGE = 100
LOOKED_AT = 5_000
EARLY = 64
"""The game that is played is one of the first that are due."""


@dataclass
class BooksFigures:
    figures: list[dict[str, Any]] = field(default_factory=list)
    missed: int = 0

    def line(self, what: str, entrants: int, value: float, bar: float, unit: str = "ms") -> None:
        over = value > bar
        self.missed += over
        self.figures.append(
            {"what": what, "entrants": entrants, "value": round(value, 3), "bar": bar, "unit": unit}
        )
        mark = "  MISSED" if over else ""
        print(f"{what:<44} {entrants:>6} {value:>10.3f} {unit:<2} bar {bar:g}{mark}", flush=True)


def cpu_ms(work: Callable[[], Any]) -> float:
    begun = process_time()
    work()
    return (process_time() - begun) * 1000


def ended(fixture: Fixture, dice: Random) -> GameResult:
    """The lower entry number wins more often."""
    seats = len(fixture.entrants)
    strength = [dice.gauss(-entry, 400) for entry in fixture.entrants]
    order = sorted(strength, reverse=True)
    places = tuple(order.index(one) + 1 for one in strength)
    return GameResult(places, tuple(float(seats - place) for place in places), (False,) * seats)


def opened(entrants: int, format_: dict[str, Any]) -> Tournament:
    entered = [
        Fact(kind="entered", entry=entry, name=f"bot {entry}") for entry in range(1, entrants + 1)
    ]
    log = (*entered, Fact(kind="closed"))
    return Tournament(read({"check": False} | format_), SEED, log)


def looked_at(tournament: Tournament) -> Sequence[Fixture]:
    """The state, and what is due."""
    assert tournament.state
    due = tournament.due
    return tuple(due) if len(due) <= LOOKED_AT else tuple(islice(due, EARLY))


def one_more(tournament: Tournament, due: Sequence[Fixture], dice: Random) -> Tournament:
    fixture = due[dice.randrange(min(EARLY, len(due)))]
    result = ended(fixture, dice)
    return tournament.add(verbs.report(tournament, fixture.id, result, fixture.attempt))


def played(
    tournament: Tournament, count: int, dice: Random
) -> tuple[Tournament, list[float], list[float]]:
    """This number of facts more. Returns their times, and those of the pairs of rounds."""
    times: list[float] = []
    rounds: list[float] = []
    due = looked_at(tournament)
    while due and len(times) < count:
        begun = process_time()
        tournament = one_more(tournament, due, dice)
        if tournament.stage1.follows:
            rounds.append(cpu_ms(lambda now=tournament: now.stage1.ahead))
            due = looked_at(tournament)
            continue
        due = looked_at(tournament)
        times.append((process_time() - begun) * 1000)
    return tournament, times, rounds


def measured_facts(report: BooksFigures, sizes: Sequence[int], count: int) -> None:
    for name, format_ in FORMATS.items():
        smallest: float | None = None
        for entrants in sizes:
            if name == "heats" and entrants > MOST_HEATS:
                continue
            _, times, _ = played(opened(entrants, format_), count, Random(entrants))
            cost = median(times)
            report.line(f"{name}: one more fact, state, due", entrants, cost, FACT_MS)
            smallest = smallest or max(cost, NOISE_MS)
            report.line(f"{name}: times that of the smallest", entrants, cost / smallest, FLAT, "x")


def measured_swiss(report: BooksFigures, entrants: int) -> Tournament:
    """A whole swiss tournament, with those who leave."""
    dice = Random(entrants)
    tournament = opened(entrants, FORMATS["swiss"])
    pairs: list[float] = [cpu_ms(lambda: tournament.stage1.ahead)]
    leaving: list[float] = []
    times: list[float] = []
    while True:
        tournament, some, rounds = played(tournament, max(20, entrants // 4), dice)
        times += some
        pairs += rounds
        if tournament.state != "round_robin":
            break
        entry = dice.choice([*tournament.names])
        if tournament.log.status(entry) == "active":
            begun = process_time()
            tournament = tournament.add(verbs.withdraw(tournament, entry))
            looked_at(tournament)
            leaving.append((process_time() - begun) * 1000)
    report.line("swiss, all rounds: one more fact, state, due", entrants, median(times), FACT_MS)
    report.line("swiss, all rounds: one leaves, state, due", entrants, median(leaving), FACT_MS)
    report.line("swiss: pairs of a round, once a round", entrants, max(pairs), PAIRS_MS)
    return tournament


def measured_tables(report: BooksFigures, entrants: int, tournament: Tournament) -> None:
    last = tournament.facts[-1]
    assert last.game is not None
    assert last.result is not None
    times = []
    for _ in range(TABLES):
        then = tournament.add(verbs.override(tournament, last.game, last.result))
        times.append(cpu_ms(lambda state=then: state.rows))
    report.line("swiss: the table, once a state", entrants, median(times), TABLE_MS)
    page = as_json.standings(then.rows[:PAGE], then.names)
    report.line("a page of the table", entrants, len(json.dumps(page)) / 1000, PAGE_KB, "kB")


def measured_reading(report: BooksFigures, entrants: int) -> None:
    """A long log, from its lines to what is due."""
    games = READ_FACTS - entrants - 1
    rounds = max(1, games // (entrants // 2) + 1)
    dice = Random(7)
    format_ = FORMATS["swiss"] | {"rounds": min(rounds, entrants - 1)}
    tournament = opened(entrants, format_)
    if rounds >= entrants:
        tournament = opened(entrants, FORMATS["round-robin"] | {"matches_per_pairing": 20})
    tournament, _, _ = played(tournament, games, dice)
    lines = [json.dumps(facts.to_json(fact)) for fact in tournament.facts]
    what = f"{len(lines):,} facts read: state, due".replace(",", " ")

    def again() -> None:
        log = tuple(facts.read(json.loads(line)) for line in lines)
        looked_at(Tournament(tournament.format, SEED, log))

    report.line(what, entrants, cpu_ms(again), READ_MS)
    number = len(tournament.facts)

    def undone() -> None:
        looked_at(tournament.add(verbs.undo(tournament, number)))

    report.line("undo: the log is read without the fact", entrants, cpu_ms(undone), READ_MS)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--entrants", default="100,1000,5000")
    parser.add_argument("--facts", type=int, default=300)
    parser.add_argument("--json-file", type=Path)
    asked = parser.parse_args()
    sizes = sorted(int(size) for size in asked.entrants.split(","))
    report = BooksFigures()
    measured_facts(report, sizes, asked.facts)
    for entrants in sizes:
        measured_tables(report, entrants, measured_swiss(report, entrants))
        measured_reading(report, entrants)
    if asked.json_file is not None:
        asked.json_file.write_text(json.dumps(report.figures, indent=1) + "\n", encoding="utf-8")
    if report.missed:
        sys.exit(f"{report.missed} bars were missed")


if __name__ == "__main__":
    main()
