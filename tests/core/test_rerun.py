"""`verify`: what it says of a record, and that it says something of any."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.core.contract import AnyGame, Json
from games.core.journal import fingerprint
from games.core.rerun import Verdict, verify
from tests.core.records import begun, chained, fields_of, forged
from tests.core.throw_in import DUEL, END_TURN, RACE, THROW_IN, WALK

Lines = list[dict[str, Any]]


def played(game: AnyGame, config: dict[str, Json], turn: Callable[[Any], object]) -> str:
    match, written = begun(game, config, seed=5)
    while match.outcome is None:
        turn(match)
    return "".join(written)


def a_duel_round(match: Any) -> None:
    match.journal.event(match.turn, 1, "away")
    match.journal.info(match.turn, 0, {"depth": 3})
    match.apply(0, 3)
    match.apply(0, 4)  # rejected
    match.apply(1, 3)
    match.advance()


def a_walk(match: Any) -> None:
    for command in (
        {"do": "step", "by": 1},
        {"do": "step", "by": 7},
        {"do": "ask"},
        "no command",
        END_TURN,
    ):
        match.apply(match.turn % 2, command)


def a_tick(match: Any) -> None:
    for seat in range(match.seats):
        for _ in range(2):
            match.apply(seat, {"action": "walk" if seat else "run"})
    match.advance()


DUELLED = played(DUEL, {"rounds": 2}, a_duel_round)
WALKED = played(WALK, {"turns": 4}, a_walk)
RACED = played(RACE, {"max_ticks": 4, "queue": 2}, a_tick)


def line_of(text: str, kind: str) -> int:
    """The first line of this kind, counted from 0."""
    return next(number for number, line in enumerate(fields_of(text)) if line["k"] == kind)


def broken_off(seats: frozenset[int] | None) -> str:
    match, written = begun(DUEL)
    match.apply(0, 3)
    if seats is None:
        match.abort("platform")
    else:
        match.forfeit(seats, "timeout")
    return "".join(written)


@pytest.mark.parametrize(
    "record",
    [
        DUELLED,
        WALKED,
        RACED,
        broken_off(None),
        broken_off(frozenset({0})),
        broken_off(frozenset({0, 1})),
    ],
    ids=["simultaneous", "many commands", "realtime", "aborted", "forfeited", "both out"],
)
def test_a_valid_record_verifies(record: str) -> None:
    found = verify(record.encode(), THROW_IN)

    assert (found.kind, found.line) == ("ok", record.count("\n"))
    assert found.sound
    assert verify(chained(fields_of(record)), THROW_IN).kind == "ok"


def test_refusals_that_cost_are_replayed() -> None:
    fates = {line.get("r") for line in fields_of(WALKED)}
    assert {"too_far", "bad_command"} <= fates
    assert "queue_full" in {line.get("r") for line in fields_of(RACED)}

    def unnumbered(lines: Lines) -> None:
        del lines[
            next(number for number, line in enumerate(lines) if line.get("r") == "queue_full")
        ]

    assert verify(forged(RACED, unnumbered), THROW_IN).why.startswith("state after turn")


def set_to(kind: str, **values: Json) -> Callable[[Lines], None]:
    def change(lines: Lines) -> None:
        next(line for line in lines if line["k"] == kind).update(values)

    return change


@pytest.mark.parametrize(
    ("change", "kind", "says"),
    [
        (set_to("match", format=3), "unreadable", "format 3; this program reads formats 1 and 2"),
        (
            set_to("match", seats=[{}]),
            "unreadable",
            "seats: expected an object for each of 2 seats",
        ),
        (
            lambda lines: lines.insert(2, {"k": "info", "n": 0, "s": 2, "d": None}),
            "unreadable",
            "expected a seat",
        ),
        (lambda lines: lines.insert(2, {"k": "info", "n": 0, "s": 1}), "unreadable", "without d"),
        (
            lambda lines: lines.insert(2, {"k": "event", "n": 0, "s": "1", "e": "away", "d": None}),
            "unreadable",
            "a seat",
        ),
        (set_to("match", game="chess"), "unreadable", "no game is called 'chess'"),
        (set_to("match", salt="\ud800"), "differs", "commit"),
        (
            set_to("match", rules_version=2),
            "other_rules",
            "played under rules version 2 of duel; here is version 3",
        ),
        (set_to("match", seed=6), "differs", "committed"),
        (set_to("match", salt="00"), "differs", "committed"),
        (set_to("match", config={"rounds": 0}), "differs", "sets no match up"),
        (set_to("match", config={"rounds": 3}), "differs", ""),
        (set_to("match", map="a map"), "differs", "sets no match up"),
        (set_to("command", c=4), "differs", "state after turn 0"),
        (set_to("command", r="late"), "differs", "fate of the command"),
        (set_to("command", v="refused"), "differs", "fate of the command"),
        (set_to("command", s=1), "differs", "fate of the command"),
        (set_to("command", n=1), "differs", "turn"),
        (set_to("advance", n=1), "differs", "turn"),
        (set_to("turn", n=1), "differs", "turn that was closed"),
        (set_to("turn", h="0" * 16), "differs", "state after turn 0"),
        (set_to("end", outcome=None), "differs", "outcome"),
        (set_to("end", h="0" * 16), "differs", "state at the end"),
        (lambda lines: lines[-1]["outcome"].update(winner=0), "differs", "outcome"),
        (lambda lines: lines[-1]["outcome"]["seats"][0].update(score=True), "differs", "outcome"),
        (lambda lines: lines.append(dict(lines[-1])), "differs", "after the end"),
        (
            lambda lines: lines.append({"k": "event", "n": 2, "s": 0, "e": "away", "d": None}),
            "differs",
            "after the end",
        ),
        (lambda lines: lines.insert(len(lines) - 1, dict(lines[1])), "differs", "expected the end"),
        (
            lambda lines: lines.insert(len(lines) - 1, {"k": "advance", "n": 2}),
            "differs",
            "expected the end",
        ),
        (
            lambda lines: lines.insert(
                len(lines) - 1, {"k": "break", "n": 2, "s": [0], "r": "timeout"}
            ),
            "differs",
            "expected the end",
        ),
        (
            lambda lines: lines.insert(2, {"k": "end", "outcome": lines[-1]["outcome"]}),
            "differs",
            "outcome",
        ),
        (lambda lines: lines.insert(2, {"k": "note"}), "unreadable", "unknown kind"),
        (lambda lines: lines.insert(2, dict(lines[0])), "unreadable", "unknown kind"),
        (lambda lines: lines.pop(0), "unreadable", "expected the header first"),
        (lambda lines: lines.pop(), "cut", "stops before the end"),
        (
            lambda lines: lines.insert(2, {"k": "break", "n": 0, "s": [], "r": "timeout"}),
            "unreadable",
            "list of seats",
        ),
        (
            lambda lines: lines.insert(2, {"k": "break", "n": 0, "s": [2], "r": "timeout"}),
            "unreadable",
            "expected a seat, 0 to 1",
        ),
        (
            lambda lines: lines.insert(2, {"k": "break", "n": 0, "s": [-1], "r": "timeout"}),
            "unreadable",
            "expected a seat, 0 to 1",
        ),
    ],
)
def test_a_forgery_with_a_new_chain_is_reported_with_the_difference(
    change: Callable[[Lines], Any], kind: str, says: str
) -> None:
    found = verify(forged(DUELLED, change), THROW_IN)

    assert found.kind == kind
    assert says in found.why
    assert found.sound is (kind == "cut")


@pytest.mark.parametrize("seats", [None, frozenset({0})])
def test_commands_of_an_unfinished_turn_are_verified_too(
    seats: frozenset[int] | None,
) -> None:
    """No turn was closed after it, and the outcome does not depend on it."""
    found = verify(forged(broken_off(seats), set_to("command", c=2)), THROW_IN)

    assert found.kind == "differs"
    assert found.why.startswith("state at the end")


def test_a_match_that_ends_within_its_turn_has_the_hash_of_its_last_state() -> None:
    match, written = begun(WALK, {"turns": 1})
    match.apply(0, {"do": "step", "by": 1})
    match.apply(0, END_TURN)

    assert match.outcome is not None
    assert fields_of("".join(written))[-1]["h"] == fingerprint(match.state)


def test_a_difference_is_reported_with_line_and_turn() -> None:
    lines = fields_of(DUELLED)
    second_turn = [number for number, line in enumerate(lines) if line["k"] == "turn"][1]
    lines[second_turn]["h"] = "0" * 16
    found = verify(chained(lines), THROW_IN)

    assert (found.line, found.turn) == (second_turn + 1, 2)


def test_text_after_the_end_is_not_part_of_a_record() -> None:
    found = verify(f"{DUELLED}...", THROW_IN)

    assert (found.kind, found.line) == ("differs", DUELLED.count("\n") + 1)


@pytest.mark.parametrize(
    "record",
    [b"", b"\n", b"\x00", b"\xff\xfe\n", b"{}\n", b"PK\x03\x04", b"null\n", b"[" * 10**5 + b"\n"],
)
def test_a_file_of_another_kind_gets_a_verdict(record: bytes) -> None:
    found = verify(record, THROW_IN)

    assert found.kind in ("unreadable", "broken")
    assert found.line == 1


ODD: tuple[Json, ...] = (
    None,
    True,
    -1,
    0,
    1.5,
    10**400,
    "",
    "x",
    "ok",
    [],
    [0],
    {},
    {"a": 1},
    [[[]]],
    float("nan"),
)
GONE = object()


def anything(value: object) -> bool:
    return True


def whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


FREE: dict[tuple[str, str], Callable[[object], bool]] = {
    ("match", "server"): anything,
    ("command", "t"): anything,
    ("match", "match"): lambda value: isinstance(value, str),
    ("event", "n"): whole,
    ("event", "s"): lambda value: value is None or (whole(value) and value in (0, 1)),
    ("event", "e"): lambda value: isinstance(value, str),
    ("event", "d"): lambda value: value is not GONE,
    ("info", "n"): whole,
    ("info", "s"): lambda value: whole(value) and value in (0, 1),
    ("info", "d"): lambda value: value is not GONE,
}
"""What a rerun compares with nothing: stamps, names, and what happened around the match. Of some
only the shape counts."""


def with_odd_fields(record: str) -> Iterator[tuple[tuple[str, str], object, Verdict]]:
    """One line of each kind; each field gone, and each replaced by every odd value that it does not
    have; the chain fits."""
    lines = fields_of(record)
    for kind, number in {line["k"]: number for number, line in enumerate(lines)}.items():
        for name in set(lines[number]) - {"k"}:
            for odd in ODD:
                changed = [dict(line) for line in lines]
                changed[number][name] = odd
                if repr(odd) != repr(lines[number][name]):
                    yield (kind, name), odd, verify(chained(changed), THROW_IN)
            del changed[number][name]
            yield (kind, name), GONE, verify(chained(changed), THROW_IN)


def test_every_field_of_a_wrong_type_is_found() -> None:
    for place, odd, found in with_odd_fields(DUELLED):
        assert FREE.get(place, lambda _: False)(odd) is (found.kind == "ok"), (place, odd, found)


@pytest.mark.parametrize(
    "record",
    [WALKED, RACED, broken_off(None), broken_off(frozenset({0}))],
    ids=["walk", "race", "abort", "forfeit"],
)
def test_every_field_of_a_wrong_type_gives_a_verdict(record: str) -> None:
    assert {found.kind for _, _, found in with_odd_fields(record)} == {
        "ok",
        "differs",
        "unreadable",
        "other_rules",
    }


def test_a_very_deeply_nested_command_gets_a_verdict() -> None:
    deep: Json = []
    for _ in range(900):
        deep = [deep]
    for place in range(3):

        def change(lines: Lines, place: int = place) -> None:
            lines[line_of(DUELLED, "command")][("c", "n", "r")[place]] = deep

        assert verify(forged(DUELLED, change), THROW_IN).kind in ("differs", "unreadable", "broken")


json_values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=5),
        st.just("\ud800"),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=5,
)


@settings(max_examples=300)
@given(
    st.integers(0, 6),
    st.sampled_from(
        ["k", "n", "s", "c", "r", "v", "h", "config", "seed", "salt", "map", "game", "outcome"]
    ),
    json_values,
)
def test_no_change_of_a_record_makes_verify_raise(number: int, name: str, value: Json) -> None:
    def change(lines: Lines) -> None:
        lines[number][name] = value if name != "k" else str(value)

    assert isinstance(verify(forged(WALKED, change), THROW_IN), Verdict)


@given(st.binary(max_size=60), st.integers(0, len(DUELLED)))
def test_no_bytes_make_verify_raise(junk: bytes, place: int) -> None:
    record = DUELLED.encode()

    assert isinstance(verify(record[:place] + junk + record[place:], THROW_IN), Verdict)
