"""What a match of the server counts for as a game of a tournament."""

from __future__ import annotations

import json

from games import GAMES
from games.contest.format import for_seats
from games.core.contract import outcome_json
from games.core.match import Match
from server.blame import BlameVerdict
from server.store.tournaments import EntryPlayer, GameAttempt
from server.tournaments.results import fact_of
from tests.games.contest.events import opened


def test_a_seat_that_the_server_removed_from_a_heat_forfeited_it() -> None:
    """T8, T11: Zooscape's own record names no forfeits."""
    tournament = opened(4, seats_per_match=4, bracket_seats=4, matches_per_pairing=1)
    fixture = tournament.due[0]
    players = {
        entry: EntryPlayer(entry=entry, bot=None, account=f"a{entry}", concurrency=1)
        for entry in fixture.entrants
    }
    match = Match.begin(GAMES["zooscape"], for_seats(GAMES["zooscape"], {}, 4), 1)
    outcome = json.loads(json.dumps(outcome_json(match.forfeit(frozenset({1, 3}), "timeout"))))
    game = GameAttempt(
        id="g",
        tournament="t",
        fixture=fixture.id,
        seats=fixture.entrants,
        attempt=fixture.attempt,
        state="running",
        match="m",
    )

    fact = fact_of(tournament, game, players, outcome, BlameVerdict("bot", (1, 3)))

    assert fact is not None
    assert fact.result is not None
    assert fact.result.forfeit == (False, True, False, True)
    assert (fact.result.way(1, 3), fact.result.way(1, 0), fact.result.way(0, 2)) == (
        "both_lost",
        "loss",
        "draw",
    )
