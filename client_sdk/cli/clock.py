"""`botarena clock`: where the time of a match went, turn by turn, from its journal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final

import typer

from client_sdk import stamps
from client_sdk.console import UserError, amount, good, say, show
from client_sdk.stamps import PARTS
from games.core.contract import Json

CLOSE_MS: Final = 2.0
"""The parts of a turn sum to what passed from the hand-over of its view to the receipt of its
answer, so exactly."""


@dataclass(frozen=True, slots=True)
class TurnTimes:
    """A seat's clock in one turn, ms. A turn that was given up has `closed` for the receipt."""

    turn: int
    seat: int
    wall: float
    parts: tuple[float, ...]
    """As in PARTS."""
    timeout: bool

    @property
    def off(self) -> float:
        """How far the sum of the parts is from what passed."""
        return abs(sum(self.parts) - self.wall)

    def json(self) -> dict[str, Json]:
        parts = {f"{name}_ms": ms for name, ms in zip(PARTS, self.parts, strict=True)}
        wall, off = round(self.wall, 3), round(self.off, 3)
        return {
            "turn": self.turn,
            "seat": self.seat,
            **parts,
            "wall_ms": wall,
            "off_ms": off,
            "timeout": self.timeout,
        }


@dataclass(slots=True)
class SeatTimes:
    """A seat's turns, and what was left of its bank (None: it had none, or the record was cut)."""

    name: str
    turns: list[TurnTimes] = field(default_factory=list)
    bank: float | None = None

    def json(self, number: int) -> dict[str, Json]:
        sums = {
            f"{name}_ms": round(sum(turn.parts[at] for turn in self.turns), 3)
            for at, name in enumerate(PARTS)
        }
        return {
            "seat": number,
            "name": self.name,
            "turns": len(self.turns),
            **sums,
            "longest_ms": max((turn.parts[0] for turn in self.turns), default=0.0),
            "timeouts": sum(turn.timeout for turn in self.turns),
            "bank_ms": self.bank,
        }


@dataclass(frozen=True, slots=True)
class MatchTimes:
    """The times of a match."""

    match: str
    game: str
    seats: tuple[SeatTimes, ...]
    stalls: tuple[tuple[int, float], ...]
    """Turn and ms of each time at which the server was held up while a clock ran."""

    def turns(self) -> list[TurnTimes]:
        return sorted(
            (turn for seat in self.seats for turn in seat.turns),
            key=lambda turn: (turn.turn, turn.seat),
        )

    @property
    def off(self) -> float:
        """The worst turn's."""
        return max((turn.off for turn in self.turns()), default=0.0)

    def json(self, *, turns: bool) -> dict[str, Json]:
        fields: dict[str, Json] = {
            "match": self.match,
            "game": self.game,
            "seats": [seat.json(number) for number, seat in enumerate(self.seats)],
            "stalls": [{"turn": turn, "ms": ms} for turn, ms in self.stalls],
            "off_ms": round(self.off, 3),
            "sums": self.off <= CLOSE_MS,
        }
        return fields | ({"turns": [turn.json() for turn in self.turns()]} if turns else {})


def clock(
    file: Annotated[
        Path, typer.Argument(help="A journal, or a replay beside it.", show_default=False)
    ],
    seat: Annotated[int | None, typer.Option(help="Of this seat only.", show_default=False)] = None,
    turns: Annotated[bool, typer.Option("--turns", help="Turn by turn as well.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One object instead of tables.")] = False,
) -> None:
    """Where the time of a match went: what each seat was charged, and what became of the rest.

    Of every turn, from the hand-over of its view to the receipt of its answer: charged to the seat,
    the network's share (lag), the grace, the server held up (stalled), the match waiting for the
    seat to come back (waited), the server at work on the seat's commands (worked). The parts sum to
    what passed; exit status 1 if they do not.

    \b
    botarena clock data/matches/p7k2.journal.jsonl
    botarena clock data/matches/p7k2.journal.jsonl --seat 0 --turns
    """
    from client_sdk.local.records import journal_text
    from games.core.journal import BrokenLine, encode, lines
    from games.core.rerun import Differs

    try:
        clocks = match_times([line.fields for line in lines(journal_text(file))])
    except (BrokenLine, Differs) as fault:
        raise UserError(f"{file}: {fault}") from None
    if not clocks.turns():
        raise UserError(
            f"{file}: no clocks ran in this match: it was played without a server, or in real time"
        )
    if seat is not None and not 0 <= seat < len(clocks.seats):
        raise UserError(f"--seat: expected 0 to {len(clocks.seats) - 1}, got {seat}")
    shown = clocks if seat is None else _only(clocks, seat)
    if json:
        say(encode(shown.json(turns=turns)))
    else:
        _tell(shown, turns, range(len(clocks.seats)) if seat is None else [seat])
    if shown.off > CLOSE_MS:
        raise typer.Exit(1)


def match_times(record: Sequence[Mapping[str, Json]]) -> MatchTimes:
    """The clocks of a journal's lines, the header first. Of a turn the last line counts: the seat's
    turn ended with it.

    Raises UserError for what is no journal, Differs for times that no referee writes.
    """
    if not record or record[0]["k"] != "match":
        raise UserError("expected a journal, with its header first")
    header = record[0]
    seats = tuple(
        SeatTimes(str(seat.get("name") or f"seat {number}"))
        for number, seat in enumerate(stamps.seats(header))
    )
    for turn in _turns(record, len(seats)):
        seats[turn.seat].turns.append(turn)
    for seat, counted in zip(seats, _counted(record[-1]), strict=False):
        seat.bank = stamps.milliseconds(counted, "bank_ms") if "bank_ms" in counted else None
    stalls = tuple(
        (stamps.whole(line, "n"), stamps.milliseconds(stamps.data(line), "ms"))
        for line in record
        if line["k"] == "event" and line.get("e") == "stall"
    )
    return MatchTimes(str(header.get("match", "")), str(header.get("game", "")), seats, stalls)


def _counted(last: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    """What the server has counted of each seat; nothing if the record was cut."""
    house = last.get("house")
    return (
        stamps.seats(house)
        if last["k"] == "end" and isinstance(house, dict) and "seats" in house
        else []
    )


def _turns(record: Sequence[Mapping[str, Json]], seats: int) -> Iterator[TurnTimes]:
    found: dict[tuple[int, int], TurnTimes] = {}
    for line in record:
        times = stamps.turn_times(line)
        ended = None if times is None else times.get("received", times.get("closed"))
        if times is not None and ended is not None and "handed" in times:
            turn, seat = stamps.whole(line, "n"), stamps.seat(line, seats)
            parts = tuple(float(times.get(name, 0.0)) for name in PARTS)
            found[turn, seat] = TurnTimes(
                turn, seat, ended - times["handed"], parts, line.get("e") == "timeout"
            )
    yield from found.values()


def _only(clocks: MatchTimes, seat: int) -> MatchTimes:
    return MatchTimes(clocks.match, clocks.game, (clocks.seats[seat],), clocks.stalls)


def _tell(clocks: MatchTimes, turns: bool, numbers: Sequence[int]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    say(
        f"match {clocks.match}, {clocks.game}: ms from the hand-over of each view to the "
        "receipt of its answer"
    )
    if turns:
        table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
        for column in ("turn", "seat", *PARTS, "sum", "passed", "off", ""):
            table.add_column(column, justify="right", no_wrap=True)
        for turn in clocks.turns():
            sums = sum(turn.parts), turn.wall
            cells = [_ms(ms) for ms in (*turn.parts, *sums)]
            table.add_row(
                str(turn.turn),
                str(turn.seat),
                *cells,
                f"{turn.off:.3f}",
                "timeout" if turn.timeout else "",
            )
        show(table)
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("player", overflow="fold")
    for column in ("seat", "turns", *PARTS, "longest", "timeouts", "bank left"):
        table.add_column(column, justify="right", no_wrap=True)
    for number, seat in zip(numbers, clocks.seats, strict=True):
        fields = seat.json(number)
        times = [_ms(fields[f"{name}_ms"]) for name in (*PARTS, "longest")]
        bank = "–" if seat.bank is None else _ms(seat.bank)
        table.add_row(
            Text(seat.name),
            str(number),
            str(fields["turns"]),
            *times,
            str(fields["timeouts"]),
            bank,
        )
    show(table)
    if clocks.stalls:
        lost = sum(ms for _, ms in clocks.stalls)
        say(f"the server was held up for {_ms(lost)} ms in all, charged to no seat")
    yes = clocks.off <= CLOSE_MS
    played = amount(len(clocks.turns()), "turn")
    say(
        f"{good(yes)} {played}; the sum of the parts is at most {clocks.off:.3f} ms off what passed"
    )


def _ms(ms: float) -> str:
    return f"{ms:.1f}" if ms else "0"
