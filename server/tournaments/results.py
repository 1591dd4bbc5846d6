"""What a match that has ended means for the tournament game that it was played for."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from sqlalchemy.ext.asyncio import AsyncConnection

from games.contest import faults, verbs
from games.contest.facts import Fact
from games.contest.result import Entry, forfeited, result_of
from games.contest.tournament import Fixture, Tournament
from games.core.contract import Json
from server.blame import BlameVerdict
from server.match_record import MatchEnded
from server.store import tournaments as stored
from server.store.tournaments import EntryPlayer, GameAttempt, StoredTournament
from server.tournaments import seeds
from server.tournaments.cache import TournamentCache
from server.wall_clock import wall_ms

GONE = ("disconnect", "abandoned")
"""Reasons of a forfeit that say that a bot went away during a match."""
RETRY_S = 1.0
LONGEST_RETRY_S = 60.0
"""The wait before a game that broke off is played again: it doubles each time, up to this."""


class ResultCounter:
    """Counts matches for their tournament games, and puts off the games that broke off."""

    def __init__(self, tournaments: TournamentCache) -> None:
        self.tournaments = tournaments
        self._wait: dict[tuple[str, str], float] = {}
        """Games that are not played before this moment (monotonic s), by tournament and id."""
        self._broken: dict[tuple[str, str], int] = {}
        """How often in a row each game has broken off."""

    async def on_match_end(self, db: AsyncConnection, ended: MatchEnded) -> None:
        """Count a match that ends in this transaction, if it was a tournament's. Raises Behind."""
        game = await stored.of_match(db, ended.record.id)
        if game is not None and game.state == "running":
            self.put_off(game, await count(db, game, ended, self.tournaments))

    def put_off(self, game: GameAttempt, fact: Fact | None) -> None:
        """Let the game wait if it broke off: longer each time."""
        key = game.tournament, game.fixture
        if fact is None or (fact.kind == "result" and fact.result is None):
            times = self._broken[key] = self._broken.get(key, 0) + 1
            self._wait[key] = time.monotonic() + min(RETRY_S * 2 ** (times - 1), LONGEST_RETRY_S)
        else:
            self._broken.pop(key, None)
            self._wait.pop(key, None)

    def delay_s(self, tournament: str, game: str) -> float:
        """How long this game has still to wait because it broke off."""
        return max(0.0, self._wait.get((tournament, game), 0.0) - time.monotonic())


async def count(
    db: AsyncConnection, game: GameAttempt, ended: MatchEnded, tournaments: TournamentCache
) -> Fact | None:
    """Append the fact that this match of a running attempt makes, and end the attempt. Returns the
    fact; None: there is none, and the game is to be played again. Raises Behind."""
    row = await stored.get(db, game.tournament)
    assert row is not None, "its games refer to it"
    _, (fact,) = await count_all(db, row, [(game, ended)], tournaments)
    await stored.name_attempts(db, ended.record.id, game.id)
    return fact


async def count_all(
    db: AsyncConnection,
    row: StoredTournament,
    played: Sequence[tuple[GameAttempt, MatchEnded]],
    tournaments: TournamentCache,
) -> tuple[Tournament, list[Fact | None]]:
    """The same for matches of one tournament. Returns the tournament that follows, and the fact of
    each match. Raises Behind."""
    entries = {entry for game, _ in played for entry in game.seats}
    players = await stored.players(db, row.id, entries)
    facts: list[Fact | None] = []

    def maker(game: GameAttempt, ended: MatchEnded) -> Callable[[Tournament], Fact | None]:
        def make(now: Tournament) -> Fact | None:
            counts = ended.counts or tallied(ended)
            facts.append(fact_of(now, game, players, ended.record.result, ended.verdict, counts))
            return facts[-1]

        return make

    before = await tournaments.load(db, row)
    then = await seeds.append_all(db, row, before, (maker(*one) for one in played), None)
    counted = {game.id: fact is not None for (game, _), fact in zip(played, facts, strict=True)}
    at_ms = wall_ms()
    await stored.end_all(db, [id_ for id_, fact in counted.items() if fact], "over", at_ms)
    await stored.end_all(db, [id_ for id_, fact in counted.items() if not fact], "dropped", at_ms)
    return then, facts


def awaited(tournament: Tournament, game: GameAttempt) -> Fixture | None:
    """The game as it is still awaited from this attempt; None: it was decided otherwise, or others
    sit there now."""
    fixture = tournament.awaited(game.fixture)
    if fixture is None or (fixture.entrants, fixture.attempt) != (game.seats, game.attempt):
        return None
    return fixture


def fact_of(
    tournament: Tournament,
    game: GameAttempt,
    players: Mapping[Entry, EntryPlayer],
    outcome: Mapping[str, Json],
    blamed: BlameVerdict | None,
    counts: Mapping[str, tuple[int, ...]] | None = None,
) -> Fact | None:
    """The fact to append; None: the attempt has no result, and is taken again.

    A bot that did not come has lost by forfeit. A house bot that did not come is this server's own
    fault, as is every abort that blames no bot: the game is played again and counts for no one.
    """
    fixture = awaited(tournament, game)
    if fixture is None:
        return None
    house = any(players[entry].bot is not None for entry in fixture.entrants)
    bots = house or fixture.stage == "check"
    guilty = () if blamed is None or blamed.blame != "bot" else blamed.guilty
    ours = [seat for seat in guilty if bots and not _is_account(fixture, players, seat)]
    about = {"match": game.match, "reason": outcome["reason"], **faults.noted(counts or {})}
    if fixture.stage == "check":
        return _checked(tournament, fixture, outcome, () if ours else guilty)
    if outcome["outcome"] != "aborted":
        result = result_of(outcome, tournament.format.forfeit_score, guilty)
    elif guilty and not ours:
        result = forfeited(len(fixture.entrants), list(guilty), tournament.format.forfeit_score)
    else:
        result = None
    return verbs.report(tournament, fixture.id, result, fixture.attempt, about)


def tallied(ended: MatchEnded) -> dict[str, tuple[int, ...]]:
    """What each seat of a match on the server did wrong, by kind. Of a crash the server sees that
    the bot went away."""
    outcome = ended.record.result
    seats, gone = outcome["seats"], outcome["reason"] in GONE
    guilty = ended.verdict.guilty if gone and ended.verdict is not None else ()
    return {
        "crashed": tuple(int(seat in guilty) for seat in range(len(seats))),
        "late": tuple(seat.get("timeouts", 0) for seat in seats),
        "illegal": tuple(seat.get("rejects", 0) + seat.get("bad_frames", 0) for seat in seats),
    }


def _is_account(fixture: Fixture, players: Mapping[Entry, EntryPlayer], seat: int) -> bool:
    """Seats of a check game beyond the first are house bots'."""
    return seat < len(fixture.entrants) and players[fixture.entrants[seat]].account is not None


def _checked(
    tournament: Tournament, fixture: Fixture, outcome: Mapping[str, Json], guilty: tuple[int, ...]
) -> Fact | None:
    """Whether a bot has come to its check game and finished it (T2)."""
    entry = fixture.entrants[0]
    reason = outcome["reason"]
    if outcome["outcome"] == "aborted":
        if 0 not in guilty:
            return None
        return verbs.check(tournament, entry, False, f"check game: {reason}")
    result = result_of(outcome, tournament.format.forfeit_score)
    if result is not None and result.forfeit[0]:
        return verbs.check(tournament, entry, False, f"check game: lost by forfeit, {reason}")
    return verbs.check(tournament, entry, True)
