"""The record: what is written, and that nothing in it can be changed or lost unnoticed."""

from __future__ import annotations

import json
import math
from hashlib import sha256
from typing import Any

import pytest

from games.core.contract import Reply
from games.core.journal import (
    LONGEST_REJECT,
    BrokenLine,
    Journal,
    commitment,
    encode,
    lines,
    shortened,
)
from games.core.rerun import verify
from tests.core.records import begun, chained, fields_of
from tests.core.throw_in import DUEL, THROW_IN, WALK


def duel(rounds: int = 1) -> str:
    match, written = begun(DUEL, {"rounds": rounds}, seed=11)
    for _ in range(rounds):
        match.apply(0, 3, stamps=[10, 20])
        match.apply(0, "ünfug")
        match.apply(1, 5)
        match.journal.event(match.turn, 1, "away")
        match.advance(stamps=30)
    return "".join(written)


def test_a_match_is_recorded_in_order() -> None:
    kinds = [(line["k"], line.get("s"), line.get("v")) for line in fields_of(duel())]

    assert kinds == [
        ("match", None, None),
        ("command", 0, "ok"),
        ("command", 0, "rejected"),
        ("command", 1, "ok"),
        ("event", 1, None),
        ("advance", None, None),
        ("turn", None, None),
        ("end", None, None),
    ]


def test_the_header_suffices_to_play_the_match_again() -> None:
    header = fields_of(duel())[0]

    assert header == {
        "k": "match",
        "format": 2,
        "match": "m1",
        "game": "duel",
        "rules_version": 3,
        "config": {"rounds": 1},
        "map": None,
        "seed": 11,
        "salt": "5a" * 16,
        "commitment": sha256(f"11|{'5a' * 16}".encode()).hexdigest(),
        "seats": [{"name": "bot 0", "kind": "bot"}, {"name": "bot 1", "kind": "bot"}],
        "server": "test",
    }


def test_each_record_has_a_random_salt_of_128_bits() -> None:
    salts = set()
    for _ in range(2):
        written: list[str] = []
        Journal(written.append).header(DUEL, match="m", config={}, seed=1, map_text=None, seats=[])
        header = json.loads(written[0])
        assert header["commitment"] == commitment(1, header["salt"])
        salts.add(bytes.fromhex(header["salt"]))

    assert [len(salt) for salt in salts] == [16, 16]


def test_each_line_is_chained_to_all_lines_before_it() -> None:
    chain = ""
    for line in duel(2).splitlines():
        body, tail = line[:-44], line[-44:]
        chain = sha256(f"{chain}{body}}}".encode()).hexdigest()[:32]
        assert tail == f',"chain":"{chain}"}}'


def test_the_head_covers_the_whole_record() -> None:
    match, written = begun(DUEL)
    heads = [match.journal.head]
    match.apply(0, 3)
    heads.append(match.journal.head)

    assert heads == [json.loads(line)["chain"] for line in written]


def test_a_record_continues_from_its_head() -> None:
    match, written = begun(DUEL)
    match.journal = Journal(written.append, head=match.journal.head)
    match.apply(0, 3)

    assert [line.number for line in lines("".join(written))] == [1, 2]


def test_stamps_stand_next_to_their_line() -> None:
    stamps = [line.get("t") for line in fields_of(duel())]

    assert stamps == [None, [10, 20], None, None, None, 30, None, None]


@pytest.mark.parametrize(
    "raw",
    [
        "\ud800",
        "\u2028\u2029\x85\x0b\x0c\r\n",
        "ünï‖",
        {"\ud800": ["\udfff"]},
        {"chain": "00", "a": ',"chain":"00"}'},
        10**100,
        [],
        None,
    ],
    ids=ascii,
)
def test_every_string_that_a_bot_can_send_is_recorded(raw: Any) -> None:
    match, written = begun(DUEL)
    match.apply(0, raw)
    text = "".join(written)

    assert text.isascii()
    assert len(text.splitlines()) == 2
    assert fields_of(text)[1]["c"] == raw
    assert verify(text.encode(), THROW_IN).kind == "cut"


@pytest.mark.parametrize(
    "raw", [{1, 2}, object(), {(1, 2): 3}, b"x"], ids=lambda raw: type(raw).__name__
)
def test_a_command_that_is_not_json_is_described_and_not_kept(raw: Any) -> None:
    match, written = begun(DUEL)

    assert match.apply(0, raw).code == "bad_bid"
    assert fields_of("".join(written))[1]["c"] == f"no JSON: {type(raw).__name__}"


def test_only_the_beginning_of_a_long_rejected_command_is_kept() -> None:
    match, written = begun(DUEL)
    match.apply(0, "x" * 1_000_000)

    assert fields_of("".join(written))[1]["c"] == '"' + "x" * (LONGEST_REJECT - 1)


def test_a_long_accepted_command_is_kept_whole() -> None:
    match, written = begun(WALK)
    match.apply(0, {"do": "step", "by": 1, "note": "x" * 1000})

    assert len(fields_of("".join(written))[1]["c"]["note"]) == 1000


def test_the_end_closes_the_record() -> None:
    match, written = begun(DUEL, {"rounds": 1})
    match.advance()
    closed = list(written)
    reply = match.apply(0, 3)
    match.journal.event(1, 0, "away")

    assert reply == Reply("rejected", "over", "the match is over")
    assert written == closed
    assert verify("".join(written), THROW_IN).kind == "ok"


def test_every_flipped_bit_is_found_with_its_line() -> None:
    record = duel().encode()
    assert verify(record, THROW_IN).kind == "ok"
    for place in range(len(record)):
        line = record[:place].count(b"\n") + 1
        for bit in range(8):
            changed = bytearray(record)
            changed[place] ^= 1 << bit
            found = verify(bytes(changed), THROW_IN)
            assert (found.kind, found.line) == ("broken", line), (place, bit, found)


def test_a_record_cut_anywhere_can_be_opened() -> None:
    record = duel(2)
    whole = record.splitlines(keepends=True)
    for place in range(len(record)):
        kept = record[:place].count("\n")
        assert [line.number for line in lines(record[:place])] == list(range(1, kept + 1))
        found = verify(record[:place], THROW_IN)
        assert (found.kind, found.sound) == (("cut", True) if kept else ("unreadable", False))
        assert found.line == max(kept, 1)
        assert found.head == (json.loads(whole[kept - 1])["chain"] if kept else "")


WORDS = ({"charged": 0}, "hello", None)


def with_infos(format_: int, event: str = "timeout") -> str:
    """The record of a duel in which seat 0 sent an info, and the server noted an event."""
    match, written = begun(DUEL, {"rounds": 1}, seed=11)
    header = fields_of(written.pop())[0] | {"format": format_}
    head = chained([header])
    journal = Journal(written.append, head=json.loads(head)["chain"], format_=format_)
    match.journal = journal
    for words in WORDS:
        journal.info(0, 0, words)
    journal.event(0, 0, event, {"clock": {"charged": 7}})
    match.advance()
    return head + "".join(written)


def test_a_clients_info_has_its_own_kind_of_line() -> None:
    kept = [line.fields for line in lines(with_infos(2)) if line.fields["k"] in ("info", "event")]

    assert [(line["k"], line["n"], line["s"], line["d"]) for line in kept[:3]] == [
        ("info", 0, 0, words) for words in WORDS
    ]
    assert (kept[3]["k"], kept[3]["e"]) == ("event", "timeout")


def test_an_event_named_info_in_format_1_is_read_as_a_clients_info() -> None:
    """The record itself goes on in the format in which it began, and an older program can still
    read it."""
    old = with_infos(1)

    assert [line.get("e") for line in fields_of(old)[1:5]] == ["info", "info", "info", "timeout"]
    contents = [
        [{**line.fields, "chain": "", "format": 0} for line in lines(text)]
        for text in (old, with_infos(2))
    ]
    assert contents[0] == contents[1]
    assert verify(old, THROW_IN).kind == verify(with_infos(2), THROW_IN).kind == "ok"


def test_in_the_newest_format_an_event_is_never_a_clients_info() -> None:
    assert [line.fields["k"] for line in lines(with_infos(2, event="info"))][1:5] == [
        "info",
        "info",
        "info",
        "event",
    ]


@pytest.mark.parametrize("drop", range(8))
def test_a_missing_line_is_found(drop: int) -> None:
    """But the last one: then the record is cut, and the head that is stored beside the result
    tells."""
    whole = duel().splitlines(keepends=True)
    del whole[drop]
    found = verify("".join(whole), THROW_IN)

    assert (found.kind, found.line) == (("broken", drop + 1) if drop < 7 else ("cut", 7))


def test_swapped_lines_are_found() -> None:
    whole = duel().splitlines(keepends=True)
    whole[1], whole[3] = whole[3], whole[1]

    assert verify("".join(whole), THROW_IN).line == 2


def test_line_ends_of_another_system_are_reported() -> None:
    found = verify(duel().replace("\n", "\r\n").encode(), THROW_IN)

    assert (found.kind, found.line) == ("broken", 1)
    assert "CR LF" in found.why


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "not a line"),
        ('{"k":1}', "not a line"),
        ("{}", "not a line"),
        ("[" * 10**5, "not JSON"),
    ],
    ids=lambda value: value[:10],
)
def test_an_invalid_line_breaks_the_record(line: str, why: str) -> None:
    with pytest.raises(BrokenLine, match=why) as fault:
        list(lines(f"{line}\n"))

    assert fault.value.number == 1


@pytest.mark.parametrize(
    "value",
    [
        '\u00e9\ud800\n"',
        7,
        None,
        [],
        {"a": {"b": [1, 2.5, -0.0, 1e300, True, None, "\u2028"]}, "1": (), "": {}},
        {"nan": float("nan"), "inf": -math.inf, "big": 10**400},
    ],
)
def test_a_line_is_the_compact_json_of_its_value(value: Any) -> None:
    assert encode(value) == json.dumps(value, separators=(",", ":"))


def test_a_command_that_contains_itself_is_kept_as_no_json() -> None:
    around: list[Any] = []
    around.append(around)

    assert shortened(around) == "no JSON: list"
