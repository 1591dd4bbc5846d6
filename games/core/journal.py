"""The private record of a match: JSON lines that hold everything needed to play it again, chained
so that no line can be changed.

A line is one JSON object whose last key `chain` is SHA-256(chain before ‖ line without it), first
32 hex digits. Kinds (`k`):

    match    header: format, game, rules_version, config, map, seed, salt, seats …
    command  turn n, seat s, command c, fate r (code), stamps t
    advance  turn n, stamps t
    turn     turn n is closed; h is the hash of the state that follows
    event    what the referee noted around the match (away, back, timeout …): seat s, name e, data
             d; the state is the same
    info     what the client of seat s said for the viewers: data d, any JSON; no fact
    break    the match was broken off: forfeit of seats s, or an abort (s null), reason r
    end      the outcome; h is the hash of the state it was reached in

In format 1 an info was an event with that name. A record goes on in the format that it began in;
`JournalReader` gives the lines of every format in the form of the newest one.

The format only knows text: who opens files, and when they reach the disk, is the caller's business.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from games.core.contract import AnyGame, Json, Outcome, Reply, outcome_json
from games.core.errors import BotarenaError

FORMAT = 2
"""What journals and replays are written in. CONTRIBUTING.md says when it is raised."""
FORMATS = (1, 2)
"""What is read."""
CHAIN_DIGITS = 32
_TAIL = ',"chain":"%s"}'
"""The end of a line."""
TAIL = len(_TAIL % "") + CHAIN_DIGITS
LONGEST_REJECT = 200
"""Characters of a rejected command that are kept: enough to recognise it."""


def fingerprint(state: Any) -> str:
    """The hash of a state: SHA-256 of its repr, 16 hexadecimal digits. Fields that never change in
    a match are not in it (`repr=False`)."""
    return sha256(repr(state).encode()).hexdigest()[:16]


def commitment(seed: int, salt: str) -> str:
    """What is published before the match: SHA-256(seed ‖ salt), hex. Seed and salt (128 bits, hex)
    come out at the release."""
    return sha256(f"{seed}|{salt}".encode("utf-8", "surrogatepass")).hexdigest()


_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
"""What contains itself raises RecursionError, so that no line pays for looking for it."""


def encode(value: Json) -> str:
    """A value as a line holds it: ASCII only, so that every string a bot can send is written, and a
    cut splits no character."""
    return _encode(value)


def link(chain: str, body: str) -> str:
    """The chain value of a line, from the one before it and the line's text without its own."""
    return sha256(f"{chain}{body}".encode("utf-8", "surrogatepass")).hexdigest()[:CHAIN_DIGITS]


class Chain:
    """Writes chained lines. `write` takes one line of text with its line end; a line is part of the
    record once it returned."""

    __slots__ = ("_write", "head")

    def __init__(self, write: Callable[[str], object], head: str = "") -> None:
        self._write = write
        self.head = head
        """The last line's chain value: it names everything written so far."""

    def line(self, kind: str, **fields: Json) -> None:
        self.put({"k": kind, **fields})

    def put(self, line: dict[str, Json]) -> None:
        """Write a line, all but its chain value."""
        self.take(encode(line))

    def put_hashed(self, line: dict[str, Json], state: Any) -> None:
        """Write a line that ends with the hash of this state."""
        self.put(line | {"h": fingerprint(state)})

    def take(self, body: str) -> None:
        """Write a line that is JSON text already, all but its chain value."""
        self.head = link(self.head, body)
        self._write(f"{body[:-1]}{_TAIL % self.head}\n")


class Journal:
    """Writes a match's lines, in the order in which things happened.

    The end closes it: what comes later is no part of the record. `head` and `format_`: those of the
    record that is continued."""

    __slots__ = ("_chain", "_ended", "_format")

    def __init__(
        self, write: Callable[[str], object], head: str = "", format_: int = FORMAT
    ) -> None:
        self._chain = Chain(write, head)
        self._ended = False
        self._format = format_

    @property
    def head(self) -> str:
        """Names the whole record so far."""
        return self._chain.head

    def header(
        self,
        game: AnyGame,
        *,
        match: str,
        config: Mapping[str, Json],
        seed: int,
        map_text: str | None,
        seats: list[Json],
        salt: str | None = None,
        about: Mapping[str, Json] | None = None,
    ) -> None:
        """The first line. `seats`: name, kind, salted token hash; `about`: the host's fields."""
        salt = salt or secrets.token_hex(16)
        self._chain.line(
            "match",
            format=FORMAT,
            match=match,
            game=game.name,
            rules_version=game.rules_version,
            config=dict(config),
            map=map_text,
            seed=seed,
            salt=salt,
            commitment=commitment(seed, salt),
            seats=seats,
            **(about or {}),
        )

    def command(self, turn: int, seat: int, raw: Json, reply: Reply, stamps: Json = None) -> None:
        kept = raw if reply.verdict != "rejected" else shortened(raw)
        line = {
            "k": "command",
            "n": turn,
            "s": seat,
            "c": kept,
            "r": reply.code,
            "v": reply.verdict,
        }
        self._put(line, stamps)

    def advance(self, turn: int, stamps: Json = None) -> None:
        self._put({"k": "advance", "n": turn}, stamps)

    def turn(self, turn: int, state: Any) -> None:
        """The turn is closed; `state` follows."""
        if not self._ended:
            self._chain.put_hashed({"k": "turn", "n": turn}, state)

    def broken_off(self, turn: int, seats: list[int] | None, reason: str) -> None:
        self._put({"k": "break", "n": turn, "s": seats, "r": reason})

    def event(self, turn: int, seat: int | None, event: str, data: Json = None) -> None:
        self._put({"k": "event", "n": turn, "s": seat, "e": event, "d": data})

    def info(self, turn: int, seat: int, data: Json) -> None:
        if self._format == 1:
            self.event(turn, seat, "info", data)
        else:
            self._put({"k": "info", "n": turn, "s": seat, "d": data})

    def end(self, outcome: Outcome, state: Any, house: Json = None) -> None:
        """`house`: the host's own counts; they follow from nothing in here and are not compared."""
        line = {"k": "end", "outcome": outcome_json(outcome), "h": fingerprint(state)}
        self._put(line if house is None else line | {"house": house})
        self._ended = True

    def _put(self, line: dict[str, Json], stamps: Json = None) -> None:
        if stamps is not None:
            line["t"] = stamps
        if not self._ended:
            self._chain.put(line)


def shortened(raw: Json) -> Json:
    """A command as it is if it is short, else the beginning of its text."""
    try:
        text = encode(raw)
    except (TypeError, ValueError, RecursionError):
        return f"no JSON: {type(raw).__name__}"
    return raw if len(text) <= LONGEST_REJECT else text[:LONGEST_REJECT]


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    """From 1, as an editor counts."""
    fields: dict[str, Any]
    chain: str


class BrokenLine(BotarenaError):
    """A line that is not what was written."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"line {number}: {why}")
        self.number = number
        self.why = why


def lines(text: str) -> Iterator[Line]:
    """The lines of a record, checked against the chain. Text after the last line end is ignored.

    Raises BrokenLine.
    """
    reader = JournalReader()
    *whole, rest = text.split("\n")
    for raw in whole:
        yield reader.take(raw)
    if _outgrown(rest, reader.head):
        raise BrokenLine(len(whole) + 1, "expected a line end (LF), got something else")


class JournalReader:
    """Reads the lines of a journal or a replay one by one, for a record that still grows."""

    __slots__ = ("_format", "_number", "head")

    def __init__(self) -> None:
        self.head = ""
        """The last line's chain value."""
        self._number = 0
        self._format: Json = None

    def take(self, raw: str) -> Line:
        """The next line, given without its line end. Raises BrokenLine."""
        number = self._number + 1
        if raw.endswith("\r"):
            why = "expected the line end LF, got CR LF: the file was changed on its way"
            raise BrokenLine(number, why)
        try:
            fields = json.loads(raw)
        except (ValueError, RecursionError):
            raise BrokenLine(number, "not JSON") from None
        if not isinstance(fields, dict) or not isinstance(fields.get("k"), str):
            raise BrokenLine(number, "not a line of a journal")
        chain = link(self.head, raw[:-TAIL] + "}")
        if not raw.endswith(_TAIL % chain):
            why = "the chain does not fit: this line or one before it was changed"
            raise BrokenLine(number, why)
        if number == 1:
            self._format = fields.get("format")
        elif self._format == 1 and fields["k"] == "event" and fields.get("e") == "info":
            fields = {
                "k": "info",
                **{name: value for name, value in fields.items() if name not in ("k", "e")},
            }
        self.head, self._number = chain, number
        return Line(number, fields, chain)


def _outgrown(rest: str, before: str) -> bool:
    """Whether a whole line follows the last line end, and then something that is no line end."""
    return rest[:-1].endswith(_TAIL % link(before, rest[: -TAIL - 1] + "}"))
