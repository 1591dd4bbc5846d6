"""The books of a tournament, kept a fact at a time, are those that are worked out from the whole
log: `slow_model` does that without keeping anything."""

from __future__ import annotations

from random import Random

import pytest

from games.contest.tournament import Tournament
from tests.games.contest.random_logs import prefixes
from tests.games.contest.slow_model.tournament import Tournament as SlowTournament

LOGS = 200
STEPS = 45
SHARES = 8
"""Tests in which the logs are played, side by side."""
SOON = 4
"""Of these, those that `make test` runs."""


def answers(t: Tournament | SlowTournament) -> list[str]:
    """All that is asked of a tournament."""
    games = t.fixtures
    asked = [t.state, [*t.due], [*t.open], games, [(t.result(id_), t.how(id_)) for id_ in games]]
    asked += [t.entrants, t.names, t.provisional, t.rows, t.seeds, t.matches, t.heats, t.places]
    return [repr(one) for one in (*asked, sorted(t.log.void))]


@pytest.mark.parametrize(
    "share",
    [*range(SOON), *(pytest.param(n, marks=pytest.mark.soak) for n in range(SOON, SHARES))],
)
def test_the_books_of_every_prefix_of_a_log_equal_those_of_the_slow_model(share):
    for number in range(share, LOGS, SHARES):
        dice = Random(number)
        earlier: list[tuple[Tournament, list[str]]] = []
        for tournament in prefixes(number, STEPS):
            facts = tuple(tournament.facts)
            slow = SlowTournament(tournament.format, tournament.seed, facts)
            expected = answers(slow)
            assert answers(tournament) == expected, (number, len(facts))
            if dice.random() < 0.1:
                again = Tournament(tournament.format, tournament.seed, facts)
                assert answers(again) == expected, (number, len(facts))
                earlier.append((tournament, expected))
        for tournament, expected in earlier:
            vars(tournament).pop("fixtures", None)
            assert answers(tournament) == expected, (number, len(tournament.facts))


def test_a_log_that_is_added_unasked_gives_the_same_books():
    for number in range(0, LOGS, 5):
        *_, last = prefixes(number, STEPS)
        quiet = Tournament(last.format, last.seed)
        assert quiet.log.facts == 0
        for fact in last.facts:
            quiet = quiet.add(fact)
        assert answers(quiet) == answers(last), number
