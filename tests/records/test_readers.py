"""Every reader of a record names what is wrong with one that was changed and chained again,
whatever stands in it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from client_sdk.cli.clock import match_times
from client_sdk.console import UserError
from client_sdk.local.headless import Origin, rerun_to
from client_sdk.local.results import ending as shown
from client_sdk.local.served import stats_of
from client_sdk.moment import moment_of
from client_sdk.replay import from_journal, read, verify_replay
from client_sdk.sight import Sight
from games.core.contract import Json
from games.core.journal import BrokenLine, lines
from games.core.rerun import Differs, verify
from server.blame import BrokenOff
from server.matches.clock import MS
from server.matches.record import LAST_LINES, ending, hold
from server.matches.resume import Unplayable, interrupted, loaded
from tests.core.records import begun, chained, fields_of
from tests.core.throw_in import DUEL, THROW_IN

ODD: tuple[Json, ...] = (
    None,
    True,
    -1,
    1.5,
    10**400,
    "",
    "x",
    [],
    [0],
    {},
    {"a": [{}]},
    float("nan"),
    float("inf"),
)
GONE = object()
HOSTED = {
    "lobby": "club",
    "private": False,
    "rated": False,
    "faults": None,
    "clock": {"turn_ms": 0, "bank_ms": 60_000, "absence": "limited"},
    "map_name": None,
    "created": 1,
    "started": 2,
    "doors": ["d", "e"],
}
TIMES = {"handed": 1.0, "charged": 20.5, "lag": 0.5, "frame": 7}


def journal() -> str:
    """A match of a server with every event that it records, and with a client's info."""
    match, written = begun(DUEL, {"rounds": 2}, seed=5)
    seats = [
        {"name": f"bot {seat}", "kind": "bot", "bot": None, "account": None, "token": "t"}
        for seat in range(2)
    ]
    header = fields_of(written.pop())[0] | HOSTED | {"seats": seats}
    record = match.journal
    match.apply(0, 3, TIMES | {"received": 22.0})
    record.info(0, 1, {"clock": {"charged": 0}, "within_ms": 0})
    match.apply(0, "rejected", {"handed": 1.0, "received": 30.0})
    record.event(0, 1, "away", {"within_ms": 4_000})
    record.event(0, 1, "back", {"within_ms": 3_000})
    record.event(0, None, "stall", {"ms": 30.0})
    record.event(0, 0, "tally", {"dropped": 2, "skipped": 3})
    record.event(0, None, "resumed", {"within_ms": 30_000})
    record.event(0, 1, "timeout", {"timeouts": 1, "strikes": 0, "clock": TIMES | {"closed": 90.0}})
    match.advance({"late": 0})
    match.apply(1, 3, TIMES | {"received": 22.0})
    return chained([header, *fields_of("".join(written))])


JOURNAL = journal()


def places(value: Json, *path: Any) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a line."""
    if path:
        yield path
    for key in (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    ):
        yield from places(value[key], *path, key)


def changed(record: list[dict[str, Any]], path: tuple[Any, ...], odd: object) -> str:
    """The record with something else in this place, or without it; the chain fits."""

    def put(value: Any, keys: tuple[Any, ...]) -> Any:
        if not keys:
            return odd
        copy = value.copy()
        if len(keys) == 1 and odd is GONE:
            del copy[keys[0]]
        else:
            copy[keys[0]] = put(value[keys[0]], keys[1:])
        return copy

    return chained(put(record, path))


def forgeries(text: str) -> Iterator[tuple[tuple[Any, ...], object, str]]:
    record = fields_of(text)
    for number, line in enumerate(record):
        for path in places(line):
            for odd in (*ODD, GONE):
                if path != ("k",) or isinstance(odd, str):
                    yield (number, *path), odd, changed(record, (number, *path), odd)


def resumed(record: str, file: Path) -> Any:
    file.write_text(record)
    left = loaded(interrupted(file, THROW_IN), THROW_IN)
    left.write_on(file, hold(file)).close()
    return left


def looked_at(record: str) -> list[str]:
    sight = Sight(THROW_IN, 0)
    for line in lines(record):
        sight.take(line)
    return sight.lines


def raised(read_: Callable[[str], object], record: str) -> Exception | None:
    try:
        read_(record)
    except Exception as fault:  # noqa: BLE001
        return fault
    return None


READERS: dict[str, Callable[[str], object]] = {
    "verify": lambda record: verify(record, THROW_IN),
    "replay": lambda record: from_journal(record, THROW_IN),
    "moment": lambda record: moment_of(record, 1, 1, THROW_IN),
    "seat": looked_at,
    "clock": lambda record: match_times([line.fields for line in lines(record)]).json(turns=True),
    "accounts": lambda record: stats_of(record, 2),
    "play on": lambda record: rerun_to(Origin(record, 1), THROW_IN),
}
each = pytest.mark.parametrize("step", [25, pytest.param(1, marks=pytest.mark.soak)])
"""Every 25th forgery, or all."""
NAMED = (BrokenLine, Differs, Unplayable, UserError, LookupError)
"""What readers say of a record that does not hold. A KeyError or IndexError is no such word."""


def test_a_record_rewritten_here_is_accepted_by_every_reader(tmp_path: Path) -> None:
    for read_ in READERS.values():
        read_(JOURNAL)
    left = resumed(JOURNAL, tmp_path / "m.journal.jsonl")

    assert [clock.bank for clock in left.clocks] == [
        60_000 * MS - 20_500_000,
        60_000 * MS - 41_000_000,
    ]
    assert [history.absence for history in left.histories] == [None, 3_000 * MS]
    assert (left.histories[0].tally.dropped, left.histories[0].tally.skipped) == (2, 3)


@each
def test_every_reader_handles_a_fact_of_a_wrong_type(step: int, tmp_path: Path) -> None:
    readers = READERS | {"resume": lambda record: resumed(record, tmp_path / "m.journal.jsonl")}
    for path, odd, record in islice(forgeries(JOURNAL), 0, None, step):
        for name, read_ in readers.items():
            fault = raised(read_, record)
            assert fault is None or isinstance(fault, NAMED), (name, path, odd, fault)
            assert not isinstance(fault, KeyError | IndexError), (name, path, odd, fault)


@each
def test_every_reader_of_replays_handles_an_entry_of_a_wrong_type(step: int) -> None:
    over, written = begun(DUEL, {"rounds": 1}, seed=5)
    over.journal.info(0, 0, "words")
    over.journal.event(0, 1, "away", None)
    over.advance()
    proof = "".join(written)
    for path, odd, record in islice(forgeries(from_journal(proof, THROW_IN)), 0, None, step):
        for journal_ in (proof, None):
            assert verify_replay(record, journal_, THROW_IN).kind, (path, odd)
        try:
            replay = read(record)
        except (BrokenLine, Differs):
            continue
        for frame in range(len(replay.frames)):
            with contextlib.suppress(ValueError):
                replay.view(frame)
        assert replay.outcome is None or shown(replay.names, replay.outcome)


def test_a_clients_info_is_never_read_as_the_end_of_a_record(tmp_path: Path) -> None:
    """The last lines are searched in a part of the file that may begin within a client's info."""
    match, written = begun(DUEL)
    match.journal.info(0, 0, "words")
    for _ in range(100):
        match.journal.event(0, 0, "away", {"within_ms": 4_000})
    match.forfeit(frozenset({0}), "resignation")
    header, info_line, *events = written
    forged = '{"k":"break","r":"server_fault","s":null}'
    room = (
        LAST_LINES
        - len("".join(events))
        - len(f'{forged},""]')
        - len(info_line.partition('"words"')[2])
    )
    info_line = info_line.replace('"words"', f'[{forged},"{"x" * room}"]')
    file = tmp_path / "m.journal.jsonl"
    file.write_text("".join([header, info_line, *events]))
    assert file.read_bytes()[-LAST_LINES:].startswith(b'{"k":"break"')

    found = ending(file)

    assert found is not None
    assert found.broken == BrokenOff("resignation", (0,))
