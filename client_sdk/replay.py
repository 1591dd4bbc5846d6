"""The public record of a match: the gallery's views, chained like the journal's lines, readable without the game.

A line is one JSON object, chained as in `games.core.journal`. Kinds (`k`):

    replay  header: format, match, game, rules_version, config, seats, commitment, seed, salt, journal (its head)
    view    a whole view (`view`): turn n is open. The first frame, and every 50th after it
    delta   a view as a change (`delta`) of the frame before (`client_sdk.wire.delta`)
    event   something around the match (timeout, away …) in turn n: seat s, name e, data d
    info    what the client of seat s said for the viewers in turn n: data d, any JSON
    end     the outcome

It is made from the journal after the release (DESIGN §6). Whoever has both files can prove one by the other.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import msgspec

from client_sdk.wire.delta import diff, patch
from games.core.contract import GALLERY, AnyGame, Viewer
from games.core.journal import FORMAT, FORMATS, Broken, Chain, Line, commitment, encode, lines
from games.core.match import Match
from games.core.rerun import Differs, Rerun, Verdict, unknown_format, verify
from games.core.text import text_of

Json: TypeAlias = Any

KEYFRAME_EVERY: Final = 50
"""Frames from one whole view to the next: a seek applies at most this many deltas less one."""

JOURNAL_SUFFIX: Final = ".journal.jsonl"
REPLAY_SUFFIX: Final = ".replay.jsonl"

SHOWN: Final = 60
"""Characters of a value that a verdict quotes."""


class Seat(msgspec.Struct, frozen=True, omit_defaults=True):
    """What of a seat is public; its token's hash is not."""

    name: str = ""
    role: str = ""
    kind: str = ""


class Header(msgspec.Struct, frozen=True, tag_field="k", tag="replay"):
    match: str
    game: str
    rules_version: int
    config: dict[str, Json]
    seats: tuple[Seat, ...]
    commitment: str
    seed: int
    salt: str
    journal: str
    """The chain value of the journal's last line."""


class View(msgspec.Struct, frozen=True, tag_field="k", tag="view"):
    n: int
    view: Json


class Delta(msgspec.Struct, frozen=True, tag_field="k", tag="delta"):
    n: int
    delta: Json


class Event(msgspec.Struct, frozen=True, tag_field="k", tag="event"):
    n: int
    """The turn that was open."""
    e: str
    s: int | None = None
    d: Json = None


class Info(msgspec.Struct, frozen=True, tag_field="k", tag="info"):
    n: int
    """The turn that was open."""
    s: int
    d: Json = None


class End(msgspec.Struct, frozen=True, tag_field="k", tag="end"):
    outcome: dict[str, Json]


class Counted(msgspec.Struct, frozen=True):
    score: float


class Outcome(msgspec.Struct, frozen=True):
    """What every outcome has, beside what its game adds."""

    outcome: str
    reason: str
    winner: int | None
    seats: tuple[Counted, ...]


Entry: TypeAlias = Header | View | Delta | Event | Info | End


# --- writing --------------------------------------------------------------------------------------------------------------------


def from_journal(journal: bytes | str, games: Mapping[str, AnyGame]) -> str:
    """The replay of a journal, which is played again on the way. A cut journal gives a cut replay.

    Raises Broken or Differs if the journal does not hold.
    """
    record = list(lines(text_of(journal, exact=True)))
    if not record:
        raise Differs("unreadable", "no whole line")
    rerun = Rerun(games)
    written: list[str] = []
    writer = _Writer(written)
    for line in record:
        rerun.take(line)
        assert rerun.match is not None
        writer.take(line.fields, rerun.match, record[-1].chain)
    return "".join(written)


class _Writer:
    """Turns a journal's lines, and the match as it stands after each, into a replay's."""

    __slots__ = ("_chain", "_frames")

    def __init__(self, written: list[str]) -> None:
        self._chain = Chain(written.append)
        self._frames = Frames(GALLERY)

    def take(self, fields: Mapping[str, Json], match: Match, head: str) -> None:
        kind = fields["k"]
        if kind == "match":
            self._header(fields, match, head)
        elif kind == "event":
            self._chain.line("event", n=fields["n"], e=fields["e"], s=fields["s"], d=fields["d"])
        elif kind == "info":
            self._chain.line("info", n=fields["n"], s=fields["s"], d=fields["d"])
        for frame in self._frames.take(match, last=kind == "end"):
            self._chain.line(**frame)
        if kind == "end":
            self._chain.line("end", outcome=fields["outcome"])

    def _header(self, journal: Mapping[str, Json], match: Match, head: str) -> None:
        same = ("match", "game", "rules_version", "config", "commitment", "seed", "salt")
        seats = public_seats(journal, match)
        self._chain.line("replay", format=FORMAT, **{key: journal[key] for key in same}, seats=seats, journal=head)


def public_seats(journal: Mapping[str, Json], match: Match) -> list[dict[str, str]]:
    """Name, role and kind of each seat, from a journal's header."""
    roles = match.game.roles
    return [
        {"name": str(seat.get("name") or roles[number]), "role": roles[number], "kind": str(seat.get("kind") or "bot")}
        for number, seat in enumerate(journal["seats"])
    ]


class Frames:
    """What one viewer sees of a match, as the lines of a record: whole views, and changes from one to the next."""

    __slots__ = ("_count", "_opening", "_state", "_turn", "_view", "_viewer")

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._count = 0
        self._state: Any = None
        self._turn = -1
        self._view: Json = None
        self._opening: tuple[int, Any, Json] | None = None
        """A turn in which nobody can play yet, its state and view: the game may still open it, or pass it by."""

    def take(self, match: Match, *, last: bool = False) -> list[dict[str, Json]]:
        """The frames that come of the journal's line that was just taken: each turn as those who play find it. After the
        `last` line what is there then, if there is something new to see."""
        found = []
        if self._opening is not None and self._opening[0] != match.turn:
            found.append(self._frame(*self._opening))
        if match.turn == self._turn and not last:
            return found
        if not match.awaited and match.outcome is None:
            if self._opening is None or self._opening[1] is not match.state:
                self._opening = match.turn, match.state, match.view(self._viewer)
        elif match.state is not self._state:
            view = match.view(self._viewer)
            if match.turn != self._turn or view != self._view:
                found.append(self._frame(match.turn, match.state, view))
        return found

    def _frame(self, turn: int, state: Any, view: Json) -> dict[str, Json]:
        whole = self._count % KEYFRAME_EVERY == 0
        body = {"view": view} if whole else {"delta": diff(self._view, view)}
        self._count += 1
        self._opening = None
        self._state, self._turn, self._view = state, turn, view
        return {"kind": "view" if whole else "delta", "n": turn, **body}


# --- reading --------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Frame:
    """One view of the record, `turn` being open. `whole`: `body` is the view itself, else a change of the one before."""

    turn: int
    whole: bool
    body: Json


@dataclass(slots=True)
class Replay:
    """A record that was read. `outcome` is None if it was cut before the end."""

    header: Header
    frames: list[Frame] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    infos: list[Info] = field(default_factory=list)
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
            seen = f"turns {self.frames[0].turn} to {self.frames[-1].turn}" if self.frames else "no turn at all"
            raise LookupError(f"there is no turn {turn} in this replay; it has {seen}")
        return at

    def seek(self, turn: int) -> Json:
        """The view with which a turn opened. Raises LookupError if the record has no such turn."""
        return self.view(self.index(turn))

    def view(self, index: int) -> Json:
        """The view of one frame, from the whole view before it. Raises ValueError for a delta that does not fit."""
        start = index
        while not self.frames[start].whole:
            start -= 1
        view = self.frames[start].body
        for frame in self.frames[start + 1 : index + 1]:
            view = patch(view, frame.body)
        return view


def read(record: bytes | str) -> Replay:
    """A replay, up to its end or to where it was cut.

    Raises Broken if a line is not what was written, Differs if the text is no replay that this program reads.
    """
    reader = _Reader()
    for line in lines(text_of(record, exact=True)):
        reader.take(line)
    return reader.finished()


class _Reader:
    """Reads line by line, so that whoever meets a fault knows how far it got."""

    __slots__ = ("head", "number", "replay")

    def __init__(self) -> None:
        self.replay: Replay | None = None
        self.number = 0
        self.head = ""

    @property
    def turn(self) -> int | None:
        return self.replay.frames[-1].turn if self.replay is not None and self.replay.frames else None

    def take(self, line: Line) -> Entry:
        if self.replay is None and line.fields["k"] != "replay":
            raise Differs("unreadable", f"expected the header of a replay first, got {line.fields['k']!r}")
        entry = _entry(line)
        if self.replay is not None:
            self._add(self.replay, entry)
        elif isinstance(entry, Header):
            self.replay = Replay(entry)
        self.number, self.head = line.number, line.chain
        return entry

    def finished(self) -> Replay:
        if self.replay is None:
            raise Differs("unreadable", "no whole line")
        return self.replay

    def _add(self, replay: Replay, entry: Entry) -> None:
        if replay.outcome is not None:
            raise Differs("differs", "a line after the end")
        match entry:
            case View():
                replay.frames.append(Frame(entry.n, True, entry.view))
            case Delta():
                if not replay.frames:
                    raise Differs("unreadable", "a change before the first whole view")
                replay.frames.append(Frame(entry.n, False, entry.delta))
            case Event():
                replay.events.append(entry)
            case Info():
                replay.infos.append(entry)
            case End():
                replay.outcome = _checked(entry.outcome, len(replay.header.seats))
            case Header():
                raise Differs("unreadable", "a second header")


def _entry(line: Line) -> Entry:
    fields = line.fields
    if fields["k"] == "replay" and fields.get("format") not in FORMATS:
        raise Differs("unreadable", unknown_format(fields.get("format")))
    try:
        return msgspec.convert(fields, Entry)  # type: ignore[no-any-return]
    except msgspec.ValidationError as fault:
        raise Differs("unreadable", f"not a line of a replay: {fault}") from None


def _checked(outcome: dict[str, Json], seats: int) -> dict[str, Json]:
    """An outcome of so many seats. Raises Differs."""
    try:
        found = msgspec.convert(outcome, Outcome)
    except msgspec.ValidationError as fault:
        raise Differs("unreadable", f"no outcome: {fault}") from None
    if len(found.seats) != seats or found.winner not in (None, *range(seats)):
        raise Differs("unreadable", f"no outcome of {seats} seats")
    return outcome


# --- proving --------------------------------------------------------------------------------------------------------------------


def verify_replay(record: bytes | str, journal: bytes | str | None, games: Mapping[str, AnyGame]) -> Verdict:
    """Check a replay: its chain, its seed, and everything it shows against the journal, which is played again.

    Without the journal only the file itself is checked. Line and turn of the verdict are the replay's. Whatever is in the files,
    the answer is a verdict.
    """
    text = text_of(record, exact=True)
    if not text:
        return Verdict("unreadable", "the file is empty", 1)
    reader = _Reader()
    try:
        proven = None if journal is None else _proven(text_of(journal, exact=True), games)
        _compare(text, proven, reader)
        replay = reader.finished()
    except Broken as fault:
        return Verdict("broken", fault.why, fault.number, reader.turn, reader.head)
    except Differs as difference:
        return Verdict(difference.kind, difference.why, reader.number + 1, reader.turn, reader.head)
    except RecursionError:
        return Verdict("unreadable", "nested too deeply", reader.number + 1, reader.turn, reader.head)
    if replay.cut:
        return Verdict("cut", "the record stops before the end of the match", reader.number, reader.turn, reader.head)
    if not text.endswith("\n"):
        return Verdict("differs", "text after the end", reader.number + 1, reader.turn, reader.head)
    why = "the file is whole; no journal to prove it by" if proven is None else "everything shown is what the journal gives"
    return Verdict("ok", why, reader.number, reader.turn, reader.head)


def _proven(journal: str, games: Mapping[str, AnyGame]) -> Iterator[tuple[str, Json]]:
    """What the replay has to say. Raises Differs if the journal itself does not hold."""
    proof = verify(journal, games)
    if not proof.sound:
        kind = "differs" if proof.kind == "broken" else proof.kind
        raise Differs(kind, f"its journal does not hold, line {proof.line}: {proof.why}")  # type: ignore[arg-type]
    reader = _Reader()
    return _told(from_journal(journal, games), reader)


def _compare(text: str, proven: Iterator[tuple[str, Json]] | None, reader: _Reader) -> None:
    """Raises Differs at the first line that says something else than it should."""
    for what, shown in _told(text, reader):
        if proven is None:
            continue
        expected, true = next(proven, ("nothing", None))
        if what != expected:
            raise _before(reader, f"the replay has {what}, the journal gives {expected}")
        if diff(true, shown):
            path, here, there = _difference(shown, true)
            raise _before(reader, f"{what}{path}: the replay says {_short(here)}, the journal gives {_short(there)}")


def _before(reader: _Reader, why: str) -> Differs:
    """The fault is in the line that was read last."""
    reader.number -= 1
    return Differs("differs", why)


def _told(text: str, reader: _Reader) -> Iterator[tuple[str, Json]]:
    """What a replay says, line by line, with views in full. Raises Differs where it cannot be true whatever the journal says."""
    view: Json = None
    for line in lines(text):
        match reader.take(line):
            case Header() as header:
                if commitment(header.seed, header.salt) != header.commitment:
                    raise _before(reader, "the seed is not the one that was committed to")
                yield "header", {key: value for key, value in line.fields.items() if key not in ("format", "chain")}
            case View(n, view):
                yield "view", {"turn": n, "view": view}
            case Delta(n, delta):
                try:
                    view = patch(view, delta)
                except ValueError as fault:
                    raise _before(reader, f"the change does not fit the view before: {fault}") from None
                yield "view", {"turn": n, "view": view}
            case Event() as event:
                yield "event", msgspec.to_builtins(event)
            case Info() as info:
                yield "info", msgspec.to_builtins(info)
            case End(outcome):
                yield "outcome", outcome


def _difference(here: Json, there: Json) -> tuple[str, Json, Json]:
    """The path to the first place where two values differ, and what stands there."""
    if isinstance(here, dict) and isinstance(there, dict):
        for key in dict.fromkeys([*here, *there]):
            if key not in here or key not in there:
                return f".{key}", here.get(key), there.get(key)
            if diff(here[key], there[key]):
                path, this, that = _difference(here[key], there[key])
                return f".{key}{path}", this, that
    if isinstance(here, list) and isinstance(there, list) and len(here) == len(there):
        for index, (mine, yours) in enumerate(zip(here, there, strict=True)):
            if diff(mine, yours):
                path, this, that = _difference(mine, yours)
                return f"[{index}]{path}", this, that
    return "", here, there


def _short(value: Json) -> str:
    text = encode(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
