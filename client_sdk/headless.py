"""Matches without sockets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from client_sdk.link import HeadlessLink
from client_sdk.start import start_of

if TYPE_CHECKING:
    from client_sdk.link import HeadlessBot
    from games.core.match import Match


def play_headless(
    match: Match,
    bots: Sequence[HeadlessBot],
    names: Sequence[str] = (),
    shown: Callable[[Match], object] | None = None,
) -> None:
    """Play a whole match in this process. The bots get what a server sends: the start, every view
    and the end.

    Arguments:
        match: a match that has just begun.
        bots: one for each seat, in order.
        names: the names of the players; by default those of the bots.
        shown: called with the match at the start and after every turn.
    """
    from games.core.contract import outcome_json
    from games.core.play import play_turn

    names = names or [bot.name for bot in bots]
    for seat, bot in enumerate(bots):
        bot.link = HeadlessLink(match)
        bot.on_start(start_of(match, seat, names))
    if shown is not None:
        shown(match)
    while match.outcome is None:
        awaited = match.awaited
        for seat in (
            sorted(set(range(match.seats)) - awaited) if awaited else ()
        ):  # empty: the game goes on by itself
            bots[seat].on_view(match.view(seat))
        play_turn(match, bots)
        if shown is not None:
            shown(match)
    for seat, bot in enumerate(bots):
        bot.on_view(match.view(seat))
        bot.on_end(outcome_json(match.outcome))
