"""The clocks of a match turn by turn, from its journal: the time of each seat as the turn opened,
as in the event `clock`, and what the seat used."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from client_sdk import stamps
from games.core.contract import AnyGame
from games.core.journal import BrokenLine, lines
from games.core.match import Match
from games.core.rerun import Differs, Rerun
from games.core.text import text_of
from server.errors import Refusal
from server.matches.clock import whole_ms
from server.matches.resume import RestoredClocks, hosted


class ClockedTurn(msgspec.Struct):
    """The clocks of one turn, by seat."""

    turn: int
    within_ms: list[int | None]
    bank_ms: list[int | None] | None
    used_ms: list[float | None]


def turn_clocks(journal: Path, games: Mapping[str, AnyGame]) -> bytes:
    """A JSON list of ClockedTurn, in the child process; an empty one for a match in real time or
    without limits. Raises Refusal."""
    try:
        return msgspec.json.encode(_turns(journal.read_bytes(), games))
    except (BrokenLine, Differs, OSError) as fault:
        why = f"this match's record cannot be played again here: {fault}"
        raise Refusal(409, "no_such_record", why) from None


def _turns(record: bytes, games: Mapping[str, AnyGame]) -> list[ClockedTurn]:
    rerun = Rerun(games, hashes=False)
    read = lines(text_of(record, exact=True))
    header = next(read, None)
    if header is None:
        raise Differs("unreadable", "no whole line")
    rerun.take(header)
    match = rerun.match
    assert match is not None
    clocks = RestoredClocks(match, hosted(header))
    if clocks.pacing.realtime or not clocks.pacing.clocked:
        return []
    turns: dict[int, ClockedTurn] = {}
    _open(turns, match, clocks)
    for line in read:
        turn = match.turn
        rerun.take(line)
        clocks.take(line, turn)
        times = stamps.turn_times(line.fields)
        if times is not None and turn in turns:
            turns[turn].used_ms[stamps.seat(line.fields, match.seats)] = times["charged"]
        _open(turns, match, clocks)
    return list(turns.values())


def _open(turns: dict[int, ClockedTurn], match: Match, clocks: RestoredClocks) -> None:
    """Add the turn that is open, as soon as a seat is asked, or the end of the match."""
    over = match.outcome is not None
    if match.turn in turns or not (match.awaited or over):
        return
    within: list[int | None] = [None] * match.seats
    banks: list[int | None] = [None] * match.seats
    for seat, clock in enumerate(clocks.clocks):
        asked = not over and seat in match.awaited
        if asked:
            within[seat] = clock.turn_ms
        if clock.has_bank:
            added = clock.increment if asked and match.turn != clocks.first_turn else 0
            banks[seat] = whole_ms(clock.bank + added)
    has_banks = any(clock.has_bank for clock in clocks.clocks)
    used: list[float | None] = [None] * match.seats
    turns[match.turn] = ClockedTurn(match.turn, within, banks if has_banks else None, used)
