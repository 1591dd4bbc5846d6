"""The headless driver: a match as fast as the processor allows. Without a clock, silence is an
answer that is not there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from games.core.contract import Json, Reply, Seat
from games.core.match import Match


class Player(Protocol):
    """What sits at a seat without sockets: it sees its view and names its commands."""

    def decide(self, view: Json) -> Iterable[Json]:
        """This turn's commands, in order; none: silence."""
        ...

    def on_results(self, results: Sequence[Reply]) -> None:
        """The replies, in the same order; commands after the one that closed the turn have none."""
        ...


def play(
    match: Match, players: Sequence[Player], shown: Callable[[Match], object] | None = None
) -> None:
    """Play to the end. `shown` is called with the match at the start and after each closed turn."""
    if shown is not None:
        shown(match)
    while match.outcome is None:
        play_turn(match, players)
        if shown is not None:
            shown(match)


def play_turn(match: Match, players: Sequence[Player]) -> None:
    """Ask every awaited seat, then let the game resolve what is open: a full turn, or the default
    of a silent seat.

    All views are taken before the first command, so that no seat sees an open turn. A command that
    is named after the turn was closed is late and counts for no other turn."""
    turn = match.turn
    asked: list[tuple[Seat, Json]] = [(seat, match.view(seat)) for seat in sorted(match.awaited)]
    for seat, view in asked:
        results = []
        for command in players[seat].decide(view):
            if match.outcome is not None or match.turn != turn:
                break
            results.append(match.apply(seat, command))
        if results:
            players[seat].on_results(results)
    if match.outcome is None and match.turn == turn:
        match.advance()
