"""Prove a replay: by itself, and by the journal that it was made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from client_sdk.replay.lines import DeltaLine, EndLine, EventLine, HeaderLine, InfoLine, ViewLine
from client_sdk.replay.reading import ReplayReader
from client_sdk.replay.writing import from_journal
from client_sdk.wire.delta import diff, patch
from games.core.contract import AnyGame, Json
from games.core.journal import BrokenLine, commitment, encode, lines
from games.core.rerun import Differs, Verdict, verify
from games.core.text import text_of

SHOWN: Final = 60
"""Characters of a value that a verdict quotes."""


def verify_replay(
    record: bytes | str, journal: bytes | str | None, games: Mapping[str, AnyGame]
) -> Verdict:
    """Check a replay: its chain, its seed, and all that it shows against the journal, rerun.

    Without the journal only the file itself is checked. Line and turn of the verdict are the
    replay's. Whatever is in the files, the answer is a verdict."""
    text = text_of(record, exact=True)
    if not text:
        return Verdict("unreadable", "the file is empty", 1)
    reader = ReplayReader()
    try:
        proven = None if journal is None else _proven(text_of(journal, exact=True), games)
        _compare(text, proven, reader)
        replay = reader.finished()
    except BrokenLine as fault:
        return Verdict("broken", fault.why, fault.number, reader.turn, reader.head)
    except Differs as difference:
        return Verdict(difference.kind, difference.why, reader.number + 1, reader.turn, reader.head)
    except RecursionError:
        return Verdict(
            "unreadable", "nested too deeply", reader.number + 1, reader.turn, reader.head
        )
    if replay.cut:
        return Verdict(
            "cut",
            "the record stops before the end of the match",
            reader.number,
            reader.turn,
            reader.head,
        )
    if not text.endswith("\n"):
        return Verdict("differs", "text after the end", reader.number + 1, reader.turn, reader.head)
    why = (
        "the file is whole; no journal to prove it by"
        if proven is None
        else "everything shown is what the journal gives"
    )
    return Verdict("ok", why, reader.number, reader.turn, reader.head)


def _proven(journal: str, games: Mapping[str, AnyGame]) -> Iterator[tuple[str, Json]]:
    """What the replay has to say. Raises Differs if the journal itself does not hold."""
    proof = verify(journal, games)
    if not proof.sound:
        kind = "differs" if proof.kind == "broken" else proof.kind
        raise Differs(kind, f"its journal does not hold, line {proof.line}: {proof.why}")  # type: ignore[arg-type]
    reader = ReplayReader()
    return _contents(from_journal(journal, games), reader)


def _compare(text: str, proven: Iterator[tuple[str, Json]] | None, reader: ReplayReader) -> None:
    """Raises Differs at the first line that says something else than it should."""
    for what, shown in _contents(text, reader):
        if proven is None:
            continue
        expected, true = next(proven, ("nothing", None))
        if what != expected:
            raise _before(reader, f"the replay has {what}, the journal gives {expected}")
        if diff(true, shown):
            path, here, there = _difference(shown, true)
            why = f"{what}{path}: the replay says {_short(here)}, the journal gives {_short(there)}"
            raise _before(reader, why)


def _before(reader: ReplayReader, why: str) -> Differs:
    """The fault is in the line that was read last."""
    reader.number -= 1
    return Differs("differs", why)


def _contents(text: str, reader: ReplayReader) -> Iterator[tuple[str, Json]]:
    """What a replay says, line by line, with views in full. Raises Differs where it cannot be true
    whatever the journal says."""
    view: Json = None
    for line in lines(text):
        match reader.take(line):
            case HeaderLine() as header:
                if commitment(header.seed, header.salt) != header.commitment:
                    raise _before(reader, "the seed is not the one that was committed to")
                yield (
                    "header",
                    {
                        key: value
                        for key, value in line.fields.items()
                        if key not in ("format", "chain")
                    },
                )
            case ViewLine(n, view):
                yield "view", {"turn": n, "view": view}
            case DeltaLine(n, delta):
                try:
                    view = patch(view, delta)
                except ValueError as fault:
                    why = f"the change does not fit the view before: {fault}"
                    raise _before(reader, why) from None
                yield "view", {"turn": n, "view": view}
            case EventLine() as event:
                yield "event", msgspec.to_builtins(event)
            case InfoLine() as info:
                yield "info", msgspec.to_builtins(info)
            case EndLine(outcome):
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
