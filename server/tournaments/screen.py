"""The bracket waits for the big screen, if the organiser says so: its games are played one at a
time, and the next one begins when the screen has shown the last. A screen that is closed, or does
not get on, is not waited for: the event goes on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Set

from games.contest.tournament import Fixture, Tournament
from server.store.tournaments import StoredTournament
from server.wall_clock import wall_ms

GONE_MS = 20_000
"""A screen that has not reported for so long is closed."""


class ScreenWait:
    """`now()`: ns, on a clock that does not go backwards."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._since: dict[tuple[str, str], int] = {}
        """When it was first waited for a game to be shown, by tournament and game."""

    def forget(self, running: Collection[str]) -> None:
        """Only these tournaments still run."""
        self._since = {key: at for key, at in self._since.items() if key[0] in running}

    def lets(
        self,
        row: StoredTournament,
        tournament: Tournament,
        fixture: Fixture,
        playing: set[str],
    ) -> bool:
        """Whether this game may begin beside those that are `playing`; then it is one of them."""
        free = not self._waits(row, tournament, fixture, playing)
        if free:
            playing.add(fixture.id)
        return free

    def _waits(
        self, row: StoredTournament, tournament: Tournament, fixture: Fixture, playing: Set[str]
    ) -> bool:
        wait_s = tournament.format.wait_for_screen_s
        if fixture.stage != "bracket" or wait_s == 0:
            return False
        if row.screen_ms is None or wall_ms() - row.screen_ms > GONE_MS:
            return False
        bracket = [one.id for one in tournament.bracket.fixtures]
        if not playing.isdisjoint(bracket):
            return True
        seen = set(row.screened or ())
        unseen = [id_ for id_ in bracket if tournament.result(id_) is not None and id_ not in seen]
        now = self._now()
        return any(
            now - self._since.setdefault((row.id, id_), now) < wait_s * 1e9 for id_ in unseen
        )
