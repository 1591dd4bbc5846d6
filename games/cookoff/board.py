"""Reading a map. A fault names the line, the column and what was expected there (RULES §4.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from games.cookoff.rules import (
    BY_SYMBOL,
    FLOOR,
    FOODS,
    LARGEST,
    SHOP,
    SMALLEST,
    SPAWN,
    SUBMIT,
    SWITCH_DURATION,
    SWITCH_TURN,
)
from games.core.contract import BadSetup

COMMENT, ORDERS, SWITCH = "//", "ORDERS:", "SWITCH:"

SYMBOLS: Final = (*BY_SYMBOL, SPAWN)

_WORD: Final = re.compile(r"\S+")
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,9}")
_REMARK: Final = re.compile(r"//|#")


class OrderLine(NamedTuple):
    """An order as a map names it. Without reward or penalty the rules' default counts."""

    start: int
    duration: int
    required: tuple[str, ...]
    reward: int | None = None
    penalty: int | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """A map, read: rows from the top, spawns written as the floor that they are; spawns by row from
    the top, left to right."""

    rows: tuple[str, ...]
    spawns: tuple[tuple[int, int], ...] = ()
    """(x, y), y upwards from the last row."""
    switch_turn: int = SWITCH_TURN
    switch_duration: int = SWITCH_DURATION
    orders: tuple[OrderLine, ...] = ()

    @property
    def width(self) -> int:
        return len(self.rows[0])

    @property
    def height(self) -> int:
        return len(self.rows)


class Line(NamedTuple):
    number: int
    """From 1, as an editor counts."""
    text: str


class Word(NamedTuple):
    line: int
    column: int
    text: str


def parse_board(text: str) -> Board:
    """Read a map. Raises BadSetup `bad_map`: line, column, what was expected there, what it got."""
    lines = [Line(number, line.rstrip()) for number, line in enumerate(text.splitlines(), start=1)]
    lines = [line for line in lines if line.text and not line.text.lstrip().startswith(COMMENT)]
    switches = [line for line in lines if _starts(line, SWITCH)]
    lines = [line for line in lines if not _starts(line, SWITCH)]
    layout = next(
        (place for place, line in enumerate(lines) if line.text.strip().upper() == ORDERS),
        len(lines),
    )
    rows = _rows(lines[:layout], lines[layout].number if layout < len(lines) else 1)
    window = {"turn": SWITCH_TURN, "duration": SWITCH_DURATION}
    for line in switches:
        window |= _window(line)
    return Board(
        rows=tuple(row.replace(SPAWN, FLOOR.symbol) for row in rows),
        spawns=tuple(
            (x, len(rows) - 1 - down)
            for down, row in enumerate(rows)
            for x, symbol in enumerate(row)
            if symbol == SPAWN
        ),
        switch_turn=window["turn"],
        switch_duration=window["duration"],
        orders=tuple(order for line in lines[layout + 1 :] if (order := _order(line)) is not None),
    )


def check_upload(read: Board) -> None:
    """What an uploaded map must have: a size in bounds, a shop, a submit tile. Raises BadSetup."""
    for name, size in (("width", read.width), ("height", read.height)):
        if not SMALLEST <= size <= LARGEST:
            why = f"{name}: expected {SMALLEST} to {LARGEST}, got {size}"
            raise BadSetup("bad_map", why, field="map")
    for kind in (SHOP, SUBMIT):
        if not any(kind.symbol in row for row in read.rows):
            why = f"layout: expected at least one {kind.name} ({kind.symbol}), got none"
            raise BadSetup("bad_map", why, field="map")


def _starts(line: Line, word: str) -> bool:
    return line.text.lstrip().upper().startswith(word)


def _rows(lines: Sequence[Line], end: int) -> list[str]:
    if not lines:
        raise _bad(end, 1, "a row of tiles", "none")
    first = lines[0]
    for line in lines:
        for column, symbol in enumerate(line.text, start=1):
            if symbol not in SYMBOLS:
                why = f"a tile, one of {' '.join(SYMBOLS)}"
                raise _bad(line.number, column, why, _said(symbol))
        if len(line.text) != len(first.text):
            wanted = f"{len(first.text)} tiles, as many as in line {first.number}"
            why = f"{len(line.text)}"
            raise _bad(line.number, min(len(line.text), len(first.text)) + 1, wanted, why)
    return [line.text for line in lines]


def _window(line: Line) -> dict[str, int]:
    """What a SWITCH line says; words without `=` say nothing."""
    start = line.text.upper().index(SWITCH) + len(SWITCH)
    said = {}
    for word in _words(line, start):
        key, equals, _ = word.text.partition("=")
        if equals and key.lower() in ("turn", "duration"):
            said[key.lower()] = _number(word)
    return said


def _order(line: Line) -> OrderLine | None:
    """One order; None: the line holds a remark only."""
    remark = _REMARK.search(line.text)
    line = Line(line.number, line.text[: remark.start()] if remark else line.text)
    words = list(_words(line, 0))
    if not words:
        return None
    said: dict[str, Word] = {}
    for word in words:
        key, equals, _ = word.text.partition("=")
        if not equals:
            raise _bad(word.line, word.column, "key=value without blanks", _said(word.text))
        said[key.lower()] = word
    for key in ("start", "duration", "required"):
        if key not in said:
            got = f"an order with {', '.join(sorted(said))} only"
            why = f"an order with start, duration and required; no {key} is given"
            raise _bad(line.number, words[0].column, why, got)
    return OrderLine(
        start=_number(said["start"]),
        duration=_number(said["duration"]),
        required=tuple(_foods(said["required"])),
        reward=_number(said["reward"]) if "reward" in said else None,
        penalty=_number(said["penalty"]) if "penalty" in said else None,
    )


def _words(line: Line, start: int) -> Iterator[Word]:
    for found in _WORD.finditer(line.text, start):
        yield Word(line.number, found.start() + 1, found[0])


def _value(word: Word) -> Word:
    """What stands behind the `=`."""
    key, _, value = word.text.partition("=")
    return Word(word.line, word.column + len(key) + 1, value)


def _number(word: Word) -> int:
    value = _value(word)
    if not _NUMBER.fullmatch(value.text):
        why = "a whole number of at most 9 digits"
        raise _bad(value.line, value.column, why, _said(value.text))
    return int(value.text)


def _foods(word: Word) -> Iterator[str]:
    """The names of a list with commas; empty parts are skipped, a prefix up to a dot is dropped."""
    value = _value(word)
    column = value.column
    for part in value.text.split(","):
        name = part.partition(".")[2] if "." in part else part
        if part and name.upper() not in FOODS:
            raise _bad(value.line, column, f"a food, one of {', '.join(FOODS)}", _said(part))
        if part:
            yield name.upper()
        column += len(part) + 1


def _said(text: str) -> str:
    if not text:
        return "nothing"
    if text == " ":
        return "a blank"
    return repr(text if len(text) <= 40 else text[:40] + "…")


def _bad(line: int, column: int, expected: str, got: str) -> BadSetup:
    return BadSetup(
        "bad_map", f"line {line}, column {column}: expected {expected}; got {got}", field="map"
    )
