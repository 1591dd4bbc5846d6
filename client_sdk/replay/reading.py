"""Read a replay and look at its turns."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field

import msgspec

from client_sdk.replay.lines import (
    DeltaLine,
    EndLine,
    EventLine,
    HeaderLine,
    InfoLine,
    ReplayLine,
    ViewLine,
)
from client_sdk.wire.delta import patch
from games.core.contract import Json
from games.core.journal import FORMATS, Line, lines
from games.core.rerun import Differs, unknown_format
from games.core.text import text_of


class RecordedScore(msgspec.Struct, frozen=True):
    score: float


class RecordedOutcome(msgspec.Struct, frozen=True):
    """What every outcome has, beside what its game adds."""

    outcome: str
    reason: str
    winner: int | None
    seats: tuple[RecordedScore, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """One view of the record, `turn` being open. `whole`: `body` is the view itself, else a change
    of the one before."""

    turn: int
    whole: bool
    body: Json


@dataclass(slots=True)
class Replay:
    """A record that was read. `outcome` is None if it was cut before the end."""

    header: HeaderLine
    frames: list[Frame] = field(default_factory=list)
    events: list[EventLine] = field(default_factory=list)
    infos: list[InfoLine] = field(default_factory=list)
    outcome: dict[str, Json] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The seats' labels, by seat."""
        return tuple(seat.name for seat in self.header.seats)

    @property
    def cut(self) -> bool:
        return self.outcome is None

    def turns(self) -> list[int]:
        """The turns that can be seen, each once, in order."""
        return sorted({frame.turn for frame in self.frames})

    def index(self, turn: int) -> int:
        """Which frame shows a turn as it opened. Raises LookupError if none does."""
        at = bisect_left(self.frames, turn, key=lambda frame: frame.turn)
        if at == len(self.frames) or self.frames[at].turn != turn:
            seen = (
                f"turns {self.frames[0].turn} to {self.frames[-1].turn}"
                if self.frames
                else "no turn at all"
            )
            raise LookupError(f"there is no turn {turn} in this replay; it has {seen}")
        return at

    def seek(self, turn: int) -> Json:
        """The view with which a turn opened. Raises LookupError if the record has no such turn."""
        return self.view(self.index(turn))

    def view(self, index: int) -> Json:
        """The view of one frame, from the whole view before it. Raises ValueError for a delta that
        does not fit."""
        start = index
        while not self.frames[start].whole:
            start -= 1
        view = self.frames[start].body
        for frame in self.frames[start + 1 : index + 1]:
            view = patch(view, frame.body)
        return view


def read(record: bytes | str) -> Replay:
    """A replay, up to its end or to where it was cut.

    Raises BrokenLine if a line was changed, Differs if the text is no replay that it can read."""
    reader = ReplayReader()
    for line in lines(text_of(record, exact=True)):
        reader.take(line)
    return reader.finished()


class ReplayReader:
    """Reads line by line, so that a fault can be reported with its line."""

    __slots__ = ("head", "number", "replay")

    def __init__(self) -> None:
        self.replay: Replay | None = None
        self.number = 0
        self.head = ""

    @property
    def turn(self) -> int | None:
        return (
            self.replay.frames[-1].turn if self.replay is not None and self.replay.frames else None
        )

    def take(self, line: Line) -> ReplayLine:
        if self.replay is None and line.fields["k"] != "replay":
            why = f"expected the header of a replay first, got {line.fields['k']!r}"
            raise Differs("unreadable", why)
        entry = _entry(line)
        if self.replay is not None:
            self._add(self.replay, entry)
        elif isinstance(entry, HeaderLine):
            self.replay = Replay(entry)
        self.number, self.head = line.number, line.chain
        return entry

    def finished(self) -> Replay:
        if self.replay is None:
            raise Differs("unreadable", "no whole line")
        return self.replay

    def _add(self, replay: Replay, entry: ReplayLine) -> None:
        if replay.outcome is not None:
            raise Differs("differs", "a line after the end")
        match entry:
            case ViewLine():
                replay.frames.append(Frame(entry.n, True, entry.view))
            case DeltaLine():
                if not replay.frames:
                    raise Differs("unreadable", "a change before the first whole view")
                replay.frames.append(Frame(entry.n, False, entry.delta))
            case EventLine():
                replay.events.append(entry)
            case InfoLine():
                replay.infos.append(entry)
            case EndLine():
                replay.outcome = _checked(entry.outcome, len(replay.header.seats))
            case HeaderLine():
                raise Differs("unreadable", "a second header")


def _entry(line: Line) -> ReplayLine:
    fields = line.fields
    if fields["k"] == "replay" and fields.get("format") not in FORMATS:
        raise Differs("unreadable", unknown_format(fields.get("format")))
    try:
        return msgspec.convert(fields, ReplayLine)  # type: ignore[no-any-return]
    except ValueError as fault:  # also half a character, which msgspec cannot compare
        raise Differs("unreadable", f"not a line of a replay: {fault}") from None


def _checked(outcome: dict[str, Json], seats: int) -> dict[str, Json]:
    """An outcome with this number of seats. Raises Differs."""
    try:
        found = msgspec.convert(outcome, RecordedOutcome)
    except ValueError as fault:
        raise Differs("unreadable", f"no outcome: {fault}") from None
    if len(found.seats) != seats or found.winner not in (None, *range(seats)):
        raise Differs("unreadable", f"no outcome of {seats} seats")
    return outcome
