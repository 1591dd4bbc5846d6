"""Random logs of tournaments: games in any order, breaking off, leaving, deciding and undoing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from games.contest import verbs
from games.contest.facts import Fact
from games.contest.format import read
from games.contest.tournament import Tournament
from games.contest.verbs import Refused
from tests.games.contest.events import SEED, ends

FORMATS = (
    {"matches_per_pairing": 1, "bracket_size": 4},
    {"matches_per_pairing": 1, "check": True, "bracket_waits": True, "best_of_final": 1},
    {"format": "round-robin", "matches_per_pairing": 2},
    {"format": "gauntlet", "challengers": 2, "matches_per_pairing": 2},
    {"format": "swiss", "matches_per_pairing": 1, "rounds": 3},
    {"format": "swiss", "matches_per_pairing": 1},
    {"format": "swiss", "matches_per_pairing": 2, "check": True},
    {"format": "knock-out"},
    {"format": "knock-out", "best_of": 3},
    {"seats_per_match": 4, "bracket_seats": 4, "matches_per_pairing": 1},
    {"seats_per_match": 3, "matches_per_pairing": 1, "bracket_size": 4},
)

Step = Callable[[Tournament, Random], Fact]


def _report(t: Tournament, dice: Random) -> Fact:
    fixture = dice.choice(t.due)
    if fixture.stage == "check":
        return verbs.check(t, fixture.entrants[0], dice.random() < 0.85)
    result = None if dice.random() < 0.1 else ends(dice.randrange(50))(fixture)
    return verbs.report(t, fixture.id, result, fixture.attempt)


def _forfeit(t: Tournament, dice: Random) -> Fact:
    fixture = dice.choice(t.due)
    return verbs.forfeit(t, fixture.id, [dice.choice(fixture.entrants)])


def _leave(t: Tournament, dice: Random) -> Fact:
    return dice.choice((verbs.withdraw, verbs.disqualify))(t, dice.choice([*t.names]))


def _override(t: Tournament, dice: Random) -> Fact:
    fixture = dice.choice([*t.fixtures.values()])
    return verbs.override(t, fixture.id, ends(dice.randrange(50))(fixture))


def _replay(t: Tournament, dice: Random) -> Fact:
    return verbs.replay(t, dice.choice([*t.fixtures]))


def _undo(t: Tournament, dice: Random) -> Fact:
    return verbs.undo(t, dice.randint(1, len(t.facts)))


def _pause(t: Tournament, dice: Random) -> Fact:
    return verbs.resume(t) if t.paused else verbs.pause(t)


STEPS: dict[Step, int] = {
    _report: 60,
    _forfeit: 4,
    _leave: 5,
    _override: 4,
    _replay: 4,
    _undo: 6,
    _pause: 2,
    lambda t, dice: verbs.begin(t): 10,
}


def prefixes(number: int, steps: int) -> Iterator[Tournament]:
    """The tournament of a random log, a fact at a time."""
    dice = Random(number)
    tournament = Tournament(read({"check": False} | FORMATS[number % len(FORMATS)]), SEED)
    for name in range(dice.randint(2, 9)):
        tournament = tournament.add(verbs.enter(tournament, f"bot {name}"))
        yield tournament
    tournament = tournament.add(verbs.close(tournament))
    yield tournament
    for _ in range(steps):
        (step,) = dice.choices([*STEPS], [*STEPS.values()])
        try:
            tournament = tournament.add(step(tournament, dice))
        except (Refused, IndexError):
            continue  # it cannot happen now, or there is no game to choose
        yield tournament
