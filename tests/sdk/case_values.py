"""Cases about what frames hold: invalid ones, values of every kind, deltas, realtime."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from tests.sdk.case_parts import (
    ANSWER,
    DONE,
    END,
    ENDED,
    STARTED,
    TURN_CALLS,
    Case,
    act,
    answered,
    case,
    expect,
    greet,
    hello,
    mark,
    message,
    play_turn,
    rest_of_match,
    results,
    send,
    start,
    view,
)

LARGEST: Final = 2**53 - 1

INVALID: Final[dict[str, Any]] = {
    "is empty": "",
    "is cut off": '{"type":"view","turn":0,',
    "has text after its end": '{"type":"ping","n":1} and more',
    "is a list": "[]",
    "is null": "null",
    "is a number": "5",
    "is text": '"view"',
    "has no type": {"turn": 0, "seq": 1, "view": {}},
    "has a type that is no text": {"type": 7},
    "has an unknown type": message("weather", sun=True),
    "has the type of a client's message": message("commands", turn=0, commands=["UP"]),
    "has a type that a language knows": message("constructor"),
    "is a view without fields": message("view"),
    "is a view without a number": message("view", turn=0, view={}, act=True),
    "is a view whose turn is text": message("view", turn="0", seq=1, view={}, act=True),
    "is a view whose turn is a fraction": message("view", turn=0.5, seq=1, view={}, act=True),
    "is a view whose act is a number": message("view", turn=0, seq=1, view={}, act=1),
    "is a view whose limit is text": message(
        "view", turn=0, seq=1, view={}, act=True, within_ms="1 s"
    ),
    "is a start without a clock": {
        name: value for name, value in start(view={"n": 9}).items() if name != "clock"
    },
    "is a start with a part of a clock": start() | {"clock": {"turn_ms": 1000}},
    "is a start with a seat that has no name": start() | {"seats": [{"seat": 0}]},
    "is a hello without a match": message("hello", server="fake", game="toy"),
    "is results that are no list": message("results", turn=0, results="ok"),
    "is a result without a code": message("results", turn=0, results=[{"why": "no"}]),
    "is an event without a turn": message("event", event="timeout"),
    "is a stop without a grace": message("stop", turn=0),
    "is an end without an outcome": message("end"),
    "is an end whose outcome is text": message("end", outcome="draw"),
    "is an error without a text": message("error", code="restart"),
    "is a delta without a base": message("delta", turn=0, seq=9, delta=[]),
    "is a ping without a number": message("ping"),
}

VALUES: Final[dict[str, Any]] = {
    "null": None,
    "text": "just text",
    "a list": [1, "two", None, [3]],
    "a boolean": False,
    "an empty object": {},
    "characters beyond ASCII": {"ключ": "значение", "名": "日本語", "emoji": "🐀🧀👩‍🚀"},
    "combined and right-to-left characters": {"e": "e\u0301", "ש": "שלום", "t": "\u202eabc"},
    "control characters": {"t": "a\tb\nc\u0000d\u001fe\u2028f\u2029g\u007f"},
    "quotes and backslashes": {"t": '"\\/</script>\\u0041'},
    "the largest exact integers": {"n": [LARGEST, -LARGEST, 2**31, -(2**31) - 1]},
    "fractions": {"n": [0.1, -2.5, 1e-7, 1e21, 123456789.125]},
    "numbers as text": {"n": ["1", "0x10", "1e3"]},
    "names that a language knows": {"constructor": 1, "toString": [2], "__proto__": {"a": 3}},
    "an empty name": {"": {"": 1}},
    "a field named like one of the message": {"type": "end", "turn": 9, "act": False, "view": {}},
    "many levels": {"deep": [[[[[[[[[[[[[[[[[[[["end"]]]]]]]]]]]]]]]]]]]]},
    "a long list": {"cells": [*range(300)]},
}

DELTAS: Final[dict[str, tuple[Any, Any, Any]]] = {
    "nothing": ({"a": 1}, [], {"a": 1}),
    "the whole value": ({"a": 1}, [{"b": 2}], {"b": 2}),
    "an object to null": ({"a": 1}, [None], None),
    "null to an object": (None, [{"a": 1}], {"a": 1}),
    "an object to a list": ({"a": 1}, [[1, 2]], [1, 2]),
    "a list to text": ([1], ["x"], "x"),
    "one field": ({"a": 1, "b": 2}, {"a": [3]}, {"a": 3, "b": 2}),
    "a field to null": ({"a": 1}, {"a": [None]}, {"a": None}),
    "a field from null": ({"a": None}, {"a": [0]}, {"a": 0}),
    "a field to zero": ({"a": 1}, {"a": [0]}, {"a": 0}),
    "a field to an empty list": ({"a": [1]}, {"a": [[]]}, {"a": []}),
    "a new field": ({"a": 1}, {"b": [2]}, {"a": 1, "b": 2}),
    "a new field that is null": ({}, {"b": [None]}, {"b": None}),
    "a new field that is a list": ({}, {"b": [[1, 2, 3]]}, {"b": [1, 2, 3]}),
    "a removed field": ({"a": 1, "b": 2}, {"a": 0}, {"b": 2}),
    "a removed field that was null": ({"a": None}, {"a": 0}, {}),
    "all fields removed": ({"a": 1, "b": {"c": 2}}, {"a": 0, "b": 0}, {}),
    "a field of a field": (
        {"a": {"b": {"c": 1, "d": 2}}},
        {"a": {"b": {"c": [9], "d": 0}}},
        {"a": {"b": {"c": 9}}},
    ),
    "a field that stays": ({"a": {"b": 1}, "c": 1}, {"a": [], "c": [2]}, {"a": {"b": 1}, "c": 2}),
    "an item appended": ({"l": [1, 2]}, {"l": [2, 0, [3]]}, {"l": [1, 2, 3]}),
    "an item inserted first": ([2, 3], [0, 0, [1]], [1, 2, 3]),
    "items removed": ([1, 2, 3, 4], [1, 2, []], [1, 4]),
    "all items removed": ([1, 2], [0, 2, []], []),
    "items into an empty list": ([], [0, 0, [1, 2]], [1, 2]),
    "items replaced": ([1, 2, 3], [1, 1, ["a", "b"]], [1, "a", "b", 3]),
    "one item": ([1, 2, 3], [1, [9]], [1, 9, 3]),
    "several items": ([1, 2, 3], [0, [7], 2, [9]], [7, 2, 9]),
    "a field of an item": (
        [{"x": 1}, {"x": 2}],
        [1, {"x": [5], "y": [6]}],
        [{"x": 1}, {"x": 5, "y": 6}],
    ),
    "an item of an item": ([[1, 2], [3, 4]], [0, [1, [9]]], [[1, 9], [3, 4]]),
    "an item to null": ([1, 2], [0, [None]], [None, 2]),
    "rows of text": (["..#", ".#."], [1, ["###"]], ["..#", "###"]),
    "fields with names beyond ASCII": ({"キー": 1, "": 2}, {"キー": [3], "": 0}, {"キー": 3}),
    "fields with names that a language knows": (
        {"constructor": 1},
        {"constructor": [2], "__proto__": [{"a": 1}]},
        {"constructor": 2, "__proto__": {"a": 1}},
    ),
}

BAD_DELTAS: Final[dict[str, Any]] = {
    "removes a field that is not there": {"x": 0},
    "changes a field that is not there": {"x": {"y": [1]}},
    "changes fields of a list": {"l": {"a": [1]}},
    "changes items of an object": {"o": [0, 0, [1]]},
    "changes items of a number": {"n": [0, [1]]},
    "changes an item after the last": {"l": [2, [1]]},
    "changes an item before the first": {"l": [-1, [1]]},
    "removes more items than there are": {"l": [1, 2, []]},
    "inserts after the end": {"l": [3, 0, [1]]},
    "has an odd number of parts": {"l": [0, [1], 1, [2], 3]},
    "inserts what is no list": {"l": [0, 0, 5]},
    "has a position that is text": {"l": ["0", [1]]},
    "is a number": 5,
    "is text": "x",
    "is null": None,
    "has a number in it": {"n": 3},
}


def frames() -> Iterator[Case]:
    for name, frame in INVALID.items():
        yield case(
            f"a frame that {name} is ignored",
            [*greet(), send(frame), mark(1), *rest_of_match(0)],
            bot=ANSWER,
            calls=[STARTED, *TURN_CALLS, ENDED],
            see="The protocol",
        )
    yield case(
        "an invalid frame in an open turn leaves it open",
        [*greet(), send(view(0), message("view", turn=1)), *rest_of_match(0, shown=True)],
        bot=ANSWER,
        calls=[STARTED, *TURN_CALLS, ENDED],
        see="The protocol",
    )
    yield case(
        "an invalid frame before the hello is ignored",
        [{"connect": {}}, send("?", hello(), start()), *rest_of_match(0)],
        bot=ANSWER,
        calls=[STARTED, *TURN_CALLS, ENDED],
        see="The protocol",
    )
    yield case(
        "fields of a frame may have any order, and white space is free",
        [
            *greet(),
            send('\n{ "view" : {"n":0} ,\t"act":true, "seq":1,\r\n"turn":0, "type":"view" } '),
            *rest_of_match(0, shown=True),
        ],
        bot=ANSWER,
        calls=[STARTED, *TURN_CALLS, ENDED],
        see="The protocol",
    )
    yield case(
        "characters may be written as escapes",
        [
            *greet(),
            send('{"type":"view","turn":0,"seq":1,"act":true,"view":"\\u00e9\\ud83d\\ude00"}'),
            *rest_of_match(0, shown=True),
        ],
        bot=ANSWER,
        calls=[STARTED, ["decide", "é😀"], ["results", answered()], ENDED],
        see="The protocol",
    )


def values() -> Iterator[Case]:
    for name, value in VALUES.items():
        yield case(
            f"a view and a command that are {name} arrive as they were sent",
            [*greet(), send(view(0, view=value)), *act(0, value), *DONE],
            bot={"decide": [[["echo"]]]},
            calls=[STARTED, ["decide", value], ["results", answered()], ENDED],
            see="Commands",
        )
    yield case(
        "an answer of more commands than a frame may have is sent in several",
        [
            *greet(),
            send(view(0)),
            {"collect": message("commands", turn=0, commands=[7] * 1200)},
            *DONE,
        ],
        bot={"decide": [[["repeat", 7, 1200]]]},
        calls=[
            STARTED,
            ["decide", {"n": 0}],
            ENDED,
        ],
        see="Commands",
    )
    yield case(
        "an answer that is too long for a frame is not sent",
        [*greet(), send(view(0)), mark(1), *rest_of_match(1)],
        bot={"decide": [[["repeat", "x" * 200, 400]], [["answer", ["UP"]]]]},
        calls=[STARTED, ["decide", {"n": 0}], ["decide", {"n": 1}], ["results", answered()], ENDED],
        see="When something is wrong",
    )
    yield case(
        "the length of a frame counts bytes, not characters",
        [*greet(), send(view(0)), mark(1), *rest_of_match(1)],
        bot={"decide": [[["repeat", "🐀" * 40, 450]], [["answer", ["UP"]]]]},
        calls=[STARTED, ["decide", {"n": 0}], ["decide", {"n": 1}], ["results", answered()], ENDED],
        see="When something is wrong",
    )
    yield case(
        "fields that come once are in every view",
        [
            {"connect": {"once": ["maze", "rules"]}},
            send(hello(), start(view={"n": 0, "maze": ["#.", ".#"]}), view(0)),
            *act(0, "UP"),
            send(view(1, act=False, view={"n": 1, "maze": ["##", "##"]}), view(2, act=False)),
            mark(1),
            *DONE,
        ],
        client={"once": ["maze", "rules"]},
        bot=ANSWER | {"view": []},
        calls=[
            ["start", {"view": {"n": 0, "maze": ["#.", ".#"]}}],
            ["decide", {"n": 0, "maze": ["#.", ".#"]}],
            ["results", answered()],
            ["view", {"n": 1, "maze": ["##", "##"]}],
            ["view", {"n": 2, "maze": ["#.", ".#"]}],
            ENDED,
        ],
        see="Hello options",
    )


def viewer(
    name: str, frames: list[Any], calls: list[Any], *, old: Any, steps: tuple[Any, ...] = ()
) -> Case:
    """A viewer with deltas that holds the view `old` with the number 0."""
    return case(
        name,
        [
            {"connect": {"match": "m1", "deltas": True}},
            send(hello(seat=None), start(seat=None, view=old), *frames),
            *steps,
            *DONE,
        ],
        client={"match": "m1"},
        calls=[["start", {"view": old}], *calls, ENDED],
        see="Watching",
    )


def delta(seq: int, change: Any, *, base: int | None = None) -> dict[str, Any]:
    return message("delta", turn=seq, seq=seq, base=seq - 1 if base is None else base, delta=change)


def deltas() -> Iterator[Case]:
    for name, (old, change, new) in DELTAS.items():
        yield viewer(
            f"a delta that changes {name} gives the new view",
            [delta(1, change)],
            [["view", new]],
            old=old,
        )
    held = {"n": 1, "l": [1, 2], "o": {"a": 1}}
    whole = {"n": 9}
    for name, change in BAD_DELTAS.items():
        yield viewer(
            f"a delta that {name} makes the client ask for the whole view",
            [delta(1, change), delta(2, {"n": [2]})],
            [["start", {"view": whole}], ["view", {"n": 10}]],
            old=held,
            steps=(
                expect("resync"),
                send(start(seat=None, view=whole, seq=3, turn=3), delta(4, {"n": [10]})),
            ),
        )
    yield viewer(
        "deltas build on each other",
        [delta(1, {"a": [1]}), delta(2, {"a": [2], "b": [[1]]}), delta(3, {"b": [1, 0, [2]]})],
        [["view", {"a": 1}], ["view", {"a": 2, "b": [1]}], ["view", {"a": 2, "b": [1, 2]}]],
        old={},
    )
    yield viewer(
        "a delta does not change views that were handed out",
        [delta(1, {"l": [0, 1, []]}), delta(2, {"l": [0, 0, [5]]})],
        [["view", {"l": [2]}], ["view", {"l": [5, 2]}]],
        old={"l": [1, 2]},
    )
    yield viewer(
        "a delta follows a whole view",
        [view(1, act=False, seq=1, view={"n": 5}), delta(2, {"n": [6]})],
        [["view", {"n": 5}], ["view", {"n": 6}]],
        old={"n": 0},
    )
    yield viewer(
        "a delta with an old number is ignored",
        [
            delta(1, {"n": [1]}),
            delta(1, {"n": [7]}),
            delta(0, {"n": [8]}, base=-1),
            delta(2, {"n": [2]}),
        ],
        [["view", {"n": 1}], ["view", {"n": 2}]],
        old={"n": 0},
    )
    yield viewer(
        "a delta on a view that the client does not hold makes it ask once",
        [delta(3, {"n": [3]}), delta(4, {"n": [4]})],
        [["start", {"view": {"n": 4}}], ["view", {"n": 5}]],
        old={"n": 0},
        steps=(
            expect("resync"),
            send(start(seat=None, view={"n": 4}, seq=4, turn=4), delta(5, {"n": [5]})),
        ),
    )
    yield viewer(
        "a delta may skip numbers if its base is the held view",
        [delta(5, {"n": [5]}, base=0)],
        [["view", {"n": 5}]],
        old={"n": 0},
    )
    yield viewer(
        "a whole view repairs a gap too",
        [delta(3, {"n": [3]}), view(4, act=False, seq=4, view={"n": 4}), delta(5, {"n": [5]})],
        [["view", {"n": 4}], ["view", {"n": 5}]],
        old={"n": 0},
        steps=(expect("resync"),),
    )
    yield viewer(
        "a later gap is asked for again",
        [delta(3, {"n": [3]})],
        [["start", {"view": {"n": 3}}], ["start", {"view": {"n": 6}}], ["view", {"n": 7}]],
        old={"n": 0},
        steps=(
            expect("resync"),
            send(start(seat=None, view={"n": 3}, seq=3, turn=3), delta(6, {"n": [6]}, base=5)),
            expect("resync"),
            send(start(seat=None, view={"n": 6}, seq=6, turn=6), delta(7, {"n": [7]})),
        ),
    )
    yield case(
        "after a lost connection deltas build on the new start",
        [
            {"connect": {"match": "m1", "deltas": True}},
            send(hello(seat=None), start(seat=None), delta(1, {"n": [1]})),
            {"ping": True},
            {"drop": True},
            {"connect": {"match": "m1", "deltas": True}},
            send(
                hello(seat=None),
                start(seat=None, seq=4, turn=4, view={"m": 4}),
                delta(5, {"m": [5]}),
            ),
            *DONE,
        ],
        client={"match": "m1"},
        calls=[
            STARTED,
            ["view", {"n": 1}],
            ["start", {"view": {"m": 4}}],
            ["view", {"m": 5}],
            ENDED,
        ],
        see="Watching",
    )


def realtime() -> Iterator[Case]:
    see = "Realtime"
    tick = {"tick_ms": 20}
    for name, clock in (("a tick clock", tick), ("lockstep", {"lockstep": True})):
        yield case(
            f"with {name} commands name no turn and acknowledge the view",
            [
                *greet(clock=clock),
                send(view(1)),
                expect("commands", turn=None, commands=["UP"], seen=1, id="$a"),
                send(results(1, "$a")),
                *DONE,
            ],
            bot=ANSWER,
            calls=[STARTED, ["decide", {"n": 1}], ["results", answered()], ENDED],
            see=see,
        )
        yield case(
            f"with {name} a silent bot acknowledges every second view",
            [
                *greet(clock=clock),
                send(view(1)),
                expect("info"),
                send(view(2)),
                expect("seen", turn=2),
                mark(1),
                send(view(3)),
                mark(2),
                send(view(4)),
                expect("seen", turn=4),
                mark(3),
                *DONE,
            ],
            bot={"decide": [[["info", 1], ["await_turn", 2]], [], [], []]},
            calls=[
                STARTED,
                ["decide", {"n": 1}],
                ["decide", {"n": 2}],
                ["decide", {"n": 3}],
                ["decide", {"n": 4}],
                ENDED,
            ],
            see=see,
        )
        yield case(
            f"with {name} a slow bot gets the newest view only",
            [
                *greet(clock=clock),
                send(view(1)),
                expect("info"),
                send(view(2), view(3)),
                expect("seen", turn=2),
                expect("commands", turn=None, commands=["A"], seen=3, id="$a"),
                expect("commands", turn=None, commands=["B"], seen=3, id="$b"),
                send(results(3, "$a"), results(3, "$b")),
                *DONE,
            ],
            bot={
                "decide": [[["info", 1], ["await_turn", 3], ["answer", ["A"]]], [["answer", ["B"]]]]
            },
            calls=[
                STARTED,
                ["decide", {"n": 1}],
                ["decide", {"n": 3}],
                ["results", answered()],
                ["results", answered()],
                ENDED,
            ],
            see=see,
        )
    yield case(
        "an answer to an older view of a realtime game is sent",
        [
            *greet(clock=tick),
            send(view(1)),
            expect("info"),
            send(view(2)),
            expect("seen", turn=2),
            expect("commands", turn=None, commands=["A"], id="$a"),
            send(results(2, "$a")),
            mark(1),
            *DONE,
        ],
        bot={"decide": [[["info", 1], ["await_stop"], ["answer", ["A"]]]]},
        calls=[
            STARTED,
            ["decide", {"n": 1}],
            ["decide", {"n": 2}],
            ["results", answered()],
            ENDED,
        ],
        see=see,
    )
    yield case(
        "skipped views are no fault",
        [
            *greet(clock=tick),
            send(view(9, skipped=8)),
            expect("seen", turn=9),
            expect("commands", turn=None, commands=["UP"], seen=9, id="$a"),
            send(results(9, "$a")),
            *DONE,
        ],
        bot=ANSWER,
        calls=[STARTED, ["decide", {"n": 9}], ["results", answered()], ENDED],
        see=see,
    )
    yield case(
        "commands of a realtime game are not sent again after a lost connection",
        [
            *greet(clock=tick),
            send(view(1)),
            expect("commands", turn=None, commands=["A"], id="$a"),
            {"drop": True},
            {"connect": {"token": "s_1"}},
            send(hello(), start(clock=tick, turn=1, seq=2, view={"n": 1}), view(2, seq=3)),
            expect("commands", turn=None, commands=["B"], id="$b"),
            mark(1),
            *DONE,
        ],
        bot={"decide": [[["answer", ["A"]]], [["answer", ["B"]]]]},
        calls=[STARTED, ["decide", {"n": 1}], ["decide", {"n": 2}], ENDED],
        see=see,
    )
    yield case(
        "commands may be sent between two views",
        [
            *greet(clock=tick),
            send(view(1)),
            expect("commands", turn=None, commands=["A"], seen=1, id="$a"),
            send(results(1, "$a")),
            expect("commands", turn=None, commands=["B"], seen=1, id="$b"),
            *DONE,
        ],
        bot={"decide": [[["answer", ["A"]]]], "results": [["out_of_turn", ["B"]]]},
        calls=[STARTED, ["decide", {"n": 1}], ["results", answered()], ENDED],
        see=see,
    )
    yield case(
        "a turn-based game gets no acknowledgements",
        [*greet(), send(*(view(turn, act=False) for turn in range(6))), mark(1), *DONE],
        calls=[STARTED, *(["view", {"n": turn}] for turn in range(6)), ENDED],
        see=see,
    )
    yield case(
        "commands of a turn-based game acknowledge nothing",
        [
            *greet(),
            send(view(0)),
            expect("commands", turn=0, seen=None, id="$a"),
            send(results(0, "$a")),
            *play_turn(1),
            send(END),
            {"close": 1000},
        ],
        bot={"decide": [[["answer", ["UP"]]]] * 2},
        calls=[STARTED, *TURN_CALLS, ["decide", {"n": 1}], ["results", answered()], ENDED],
        see=see,
    )


TABLES: Final[dict[str, Callable[[], Iterator[Case]]]] = {
    "frames": frames,
    "values": values,
    "deltas": deltas,
    "realtime": realtime,
}
