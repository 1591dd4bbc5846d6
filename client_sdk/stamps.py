"""The times and counts that the referee writes into a journal, checked when they are read.

They stand in the stamps `t` of commands and in the data `d` of events, which only the referee
writes. But a file may have been changed and chained again: every function here raises Differs for a
value that no referee writes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from games.core.contract import Json, Seat
from games.core.rerun import Differs
from games.core.text import quoted

LineFields: TypeAlias = Mapping[str, Any]
"""A journal line's fields."""

PARTS: Final = ("charged", "lag", "grace", "stalled", "waited", "worked")
"""Where the time of a turn went."""
MOMENTS: Final = ("handed", "received", "closed")
MOST_MS: Final = 10**12
"""No time in a record is longer: 30 years."""


def turn_times(line: LineFields) -> dict[str, float] | None:
    """The clock's times in a line: PARTS and MOMENTS by name, ms. None: this line has none.

    A command has it in its stamps, a turn that its seat let pass in the data of the event.
    """
    stamps = line.get("t") if line["k"] == "command" else _let_pass(line)
    if stamps is None or "charged" not in _object("t", stamps):
        return None
    return {name: milliseconds(stamps, name) for name in (*PARTS, *MOMENTS) if name in stamps}


def data(line: LineFields) -> Mapping[str, Json]:
    """The data of an event by name; without data, nothing."""
    found = line.get("d")
    return {} if found is None else _object("d", found)


def milliseconds(found: Mapping[str, Json], name: str) -> float:
    value = found.get(name)
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not -MOST_MS <= value <= MOST_MS
    ):
        raise Differs("unreadable", f"{name}: expected ms, got {quoted(value)}")
    return value


def whole(found: Mapping[str, Json], name: str) -> int:
    """A count, a turn, or whole ms."""
    value = found.get(name)
    if not isinstance(value, int) or milliseconds(found, name) != value:
        raise Differs("unreadable", f"{name}: expected a whole number, got {quoted(value)}")
    return value


def seats(header: LineFields) -> list[Mapping[str, Json]]:
    """What a header says of each seat."""
    found = header.get("seats")
    if not isinstance(found, list):
        raise Differs("unreadable", f"seats: expected a list, got {quoted(found)}")
    return [_object("seats", seat) for seat in found]


def seat(line: LineFields, most: int) -> Seat:
    """The seat of this line, below `most`."""
    found = whole(line, "s")
    if not 0 <= found < most:
        raise Differs("unreadable", f"s: expected a seat, 0 to {most - 1}, got {found}")
    return found


def _let_pass(line: LineFields) -> Json:
    """The times in the event of a turn that the seat let pass."""
    return (
        data(line).get("clock")
        if line["k"] == "event" and line.get("e") in ("timeout", "silent")
        else None
    )


def _object(name: str, value: Json) -> Mapping[str, Json]:
    if not isinstance(value, dict):
        raise Differs("unreadable", f"{name}: expected an object, got {quoted(value)}")
    return value
