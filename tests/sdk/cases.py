"""The cases of sdk/conformance, written from tables: `python -m tests.sdk.cases` writes the files.

The files are what counts: the README beside them says what a case means."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.sdk.case_parts import (
    ANSWER,
    DONE,
    END,
    ENDED,
    OUTCOME,
    STARTED,
    TURN_CALLS,
    Case,
    act,
    answered,
    case,
    event,
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
from tests.sdk.registry import REGISTRY


def handshake() -> Iterator[Case]:
    see = "A match, frame by frame"
    over = [*DONE]
    yield case(
        "the hello has protocol and token and names no match",
        [
            {"connect": {"token": "s_1", "match": None, "deltas": False}},
            send(hello(), start()),
            *over,
        ],
        calls=[STARTED, ENDED],
        see=see,
    )
    for name, client, fields in (
        ("asks for fields of the view that come once", {"once": ["maze"]}, {"once": ["maze"]}),
        ("declines changes that the bot does not want", {}, {"changes": False}),
        (
            "cuts the name of a program to 80 characters",
            {"name": "x" * 80},
            {"client": {"$max_length": 80}},
        ),
    ):
        yield case(
            f"the hello {name}",
            [{"connect": {"token": "s_1"} | fields}, send(hello(), start()), *over],
            client=client,
            calls=[STARTED, ENDED],
            see="Hello options",
        )
    for name, extra in (
        ("hello", {"hello": {"motd": "welcome", "limits": {"frames": 200}}}),
        ("start", {"start": {"weather": "fine", "rounds": [1, 2]}}),
        ("end", {"end": {"applause": True}}),
    ):
        end = message("end", outcome=OUTCOME, **extra.get("end", {}))
        yield case(
            f"unknown fields of a {name} are ignored",
            [
                {"connect": {"token": "s_1"}},
                send(hello(**extra.get("hello", {})), start(**extra.get("start", {})), end),
                {"close": 1000},
            ],
            calls=[STARTED, ENDED],
            see="The protocol",
        )
    yield case(
        "a clock with the required limits only has the defaults for the others",
        [*greet(), *over],
        calls=[["start", {"startup_ms": 30000}], ENDED],
        see=see,
    )
    yield case(
        "unknown limits of the clock are ignored",
        [*greet(clock={"startup_ms": 1234, "nap_ms": 5}), *over],
        calls=[["start", {"startup_ms": 1234}], ENDED],
        see=see,
    )
    yield case(
        "the start has the match, the game, the seat, the names and the config",
        [
            *greet(
                seat=1, config={"width": 3, "walls": [[0, 1]], "name": "Zoë"}, view={"maze": "ab"}
            ),
            *over,
        ],
        calls=[
            [
                "start",
                {
                    "match": "m1",
                    "game": "toy",
                    "seat": 1,
                    "names": ["left", "right"],
                    "config": {"width": 3, "walls": [[0, 1]], "name": "Zoë"},
                    "view": {"maze": "ab"},
                    "turn": 0,
                    "within_ms": None,
                },
            ],
            ENDED,
        ],
        see=see,
    )
    yield case(
        "without preprocessing no ready is sent",
        [*greet(), mark(1), *over],
        calls=[STARTED, ENDED],
        see=see,
    )
    for within_ms in (0, 10_000):
        yield case(
            f"with {within_ms} ms of preprocessing ready is sent",
            [*greet(within_ms=within_ms), expect("ready"), mark(1), *over],
            calls=[["start", {"within_ms": within_ms}], ENDED],
            see=see,
        )
    yield case(
        "a bot that fails in its preprocessing is ready",
        [*greet(within_ms=500), expect("ready"), *over],
        bot={"start": [["raise"]]},
        calls=[STARTED, ENDED],
        see=see,
    )
    yield case(
        "what a bot sends while it prepares goes before ready",
        [*greet(within_ms=500), expect("info", data={"text": "hm"}), expect("ready"), *over],
        bot={"start": [["info", {"text": "hm"}]]},
        calls=[STARTED, ENDED],
        see=see,
    )
    yield case(
        "events before the start reach the bot",
        [{"connect": {}}, send(hello(), event("away", seat=1), start()), *over],
        calls=[["event", {"event": "away", "turn": 0, "seat": 1, "data": None}], STARTED, ENDED],
        see="Silence and absence",
    )
    yield case(
        "a match that is called off ends without a start",
        [
            {"connect": {}},
            send(hello(), message("end", outcome={"outcome": "aborted", "reason": "no_show"})),
            {"close": 1000},
        ],
        calls=[["end", {"outcome": "aborted", "reason": "no_show"}]],
        see=see,
    )
    yield case(
        "the server's hello can be late",
        [{"connect": {}}, {"ping": True}, send(hello()), {"ping": True}, send(start()), *over],
        calls=[STARTED, ENDED],
        see=see,
    )
    yield case(
        "a client that has the end closes the connection",
        [*greet(), send(END)],
        calls=[STARTED, ENDED],
        see=see,
    )
    for name, client, fields in (
        ("match and no token", {"match": "m1"}, {"match": "m1", "token": None}),
        ("match and token", {"match": "m1", "token": "o_1"}, {"match": "m1", "token": "o_1"}),
        ("wish for deltas", {"match": "m1", "deltas": True}, {"deltas": True}),
        ("wish for whole views", {"match": "m1", "deltas": False}, {"deltas": False}),
    ):
        yield case(
            f"the hello of a viewer has its {name}",
            [
                {"connect": fields},
                send(
                    hello(seat=None),
                    start(seat=None),
                    view(1, act=False),
                    event("timeout", turn=1, seat=0),
                    END,
                ),
                {"close": 1000},
            ],
            client=client,
            calls=[
                STARTED,
                ["view", {"n": 1}],
                ["event", {"event": "timeout", "turn": 1, "seat": 0, "data": None}],
                ENDED,
            ],
            see="Watching",
        )


def turns() -> Iterator[Case]:
    see = "A match, frame by frame"
    yield case(
        "an answer names its turn, and its results come back",
        [*greet(), *play_turn(0), *play_turn(1), *DONE],
        bot={"decide": [[["answer", ["UP"]]]] * 2},
        calls=[STARTED, *TURN_CALLS, ["decide", {"n": 1}], ["results", answered()], ENDED],
        see=see,
    )
    yield case(
        "several commands of an answer are one frame, in order",
        [
            *greet(),
            send(view(0)),
            expect("commands", turn=0, commands=["A", {"cmd": "B", "to": [1, 2]}, 3], id="$a"),
            send(results(0, "$a", "ok", "ok", "ok")),
            *DONE,
        ],
        bot={"decide": [[["answer", ["A", {"cmd": "B", "to": [1, 2]}, 3]]]]},
        calls=[STARTED, ["decide", {"n": 0}], ["results", answered("ok", "ok", "ok")], ENDED],
        see="Commands",
    )
    yield case(
        "an answer without commands sends nothing",
        [*greet(), send(view(0)), mark(1), *rest_of_match(1)],
        bot={"decide": [[], [["answer", ["UP"]]]]},
        calls=[STARTED, ["decide", {"n": 0}], ["decide", {"n": 1}], ["results", answered()], ENDED],
        see="Silence and absence",
    )
    yield case(
        "a bot that fails says nothing and plays on",
        [*greet(), send(view(0)), mark(1), *rest_of_match(1)],
        bot={"decide": [[["raise"]], [["answer", ["UP"]]]]},
        calls=[STARTED, ["decide", {"n": 0}], ["decide", {"n": 1}], ["results", answered()], ENDED],
        see="Silence and absence",
    )
    yield case(
        "a view that asks for nothing is shown and not answered",
        [*greet(), send(view(0, act=False)), mark(1), *DONE],
        bot=ANSWER,
        calls=[STARTED, ["view", {"n": 0}], ENDED],
        see=see,
    )
    yield case(
        "a view without the field act asks for nothing",
        [*greet(), send(message("view", turn=0, seq=1, view={"n": 0})), mark(1), *DONE],
        bot=ANSWER,
        calls=[STARTED, ["view", {"n": 0}], ENDED],
        see=see,
    )
    yield case(
        "a turn that was answered is not decided again",
        [*greet(), *play_turn(0), send(view(0, seq=2)), mark(1), *DONE],
        bot={"decide": [[["answer", ["UP"]]]] * 2},
        calls=[STARTED, *TURN_CALLS, ENDED],
        see=see,
    )
    yield case(
        "a view that asks for nothing and comes again is shown once",
        [*greet(), send(view(1, act=False), view(1, act=False)), mark(1), *DONE],
        calls=[STARTED, ["view", {"n": 1}], ENDED],
        see=see,
    )
    yield case(
        "a newer view of the same turn is shown",
        [*greet(), send(view(1, act=False), view(1, act=False, seq=3)), mark(1), *DONE],
        calls=[STARTED, ["view", {"n": 1}], ["view", {"n": 1}], ENDED],
        see=see,
    )
    yield case(
        "a view that is older than the last is ignored",
        [*greet(), send(view(3, act=False), view(2)), mark(1), *rest_of_match(4)],
        bot=ANSWER,
        calls=[STARTED, ["view", {"n": 3}], ["decide", {"n": 4}], ["results", answered()], ENDED],
        see=see,
    )
    yield case(
        "turns may be left out",
        [*greet(), *play_turn(0), *play_turn(7), *DONE],
        bot={"decide": [[["answer", ["UP"]]]] * 2},
        calls=[STARTED, *TURN_CALLS, ["decide", {"n": 7}], ["results", answered()], ENDED],
        see=see,
    )
    yield case(
        "an answer that comes too late is not sent",
        [*greet(), send(view(0)), expect("info"), send(view(1)), *rest_of_match(1, shown=True)],
        bot={"decide": [[["info", 1], ["await_stop"], ["answer", ["LATE"]]], [["answer", ["UP"]]]]},
        calls=[STARTED, ["decide", {"n": 0}], ["decide", {"n": 1}], ["results", answered()], ENDED],
        see="Commands",
    )
    yield case(
        "an answer after the end of the match is not sent",
        [*greet(), send(view(0)), expect("info"), send(END)],
        bot={"decide": [[["info", 1], ["await_stop"], ["answer", ["LATE"]]]]},
        calls=[STARTED, ["decide", {"n": 0}], ENDED],
        see="Commands",
    )
    yield case(
        "a view of a closed turn that the bot had no time for is shown only",
        [
            *greet(),
            send(view(0)),
            expect("info"),
            send(view(1), view(2)),
            expect("commands", turn=2, commands=["UP"], id="$a"),
            send(results(2, "$a")),
            *DONE,
        ],
        bot={"decide": [[["info", 1], ["await_turn", 2]], [["answer", ["UP"]]]]},
        calls=[
            STARTED,
            ["decide", {"n": 0}],
            ["view", {"n": 1}],
            ["decide", {"n": 2}],
            ["results", answered()],
            ENDED,
        ],
        see=see,
    )
    yield from _results()
    yield from _within_a_turn()
    yield from _hooks()


def _results() -> Iterator[Case]:
    see = "Commands"
    for code in (
        "stale_turn",
        "future_turn",
        "no_turn",
        "not_started",
        "too_many",
        "a_code_of_a_game",
    ):
        refused = {"code": code, "why": f"{code} it is"}
        yield case(
            f"the result {code} reaches the bot",
            [
                *greet(),
                send(view(0)),
                expect("commands", turn=0, id="$a"),
                send(message("results", turn=0, id="$a", results=[refused])),
                mark(1),
                *DONE,
            ],
            bot=ANSWER,
            calls=[
                STARTED,
                ["decide", {"n": 0}],
                ["results", [refused | {"changes": None}]],
                ENDED,
            ],
            see=see,
        )
    for name, fields in (
        ("an id that the client did not send", {"id": 4711}),
        ("an id that is text", {"id": "abc"}),
        ("the id null", {"id": None}),
        ("no id", {}),
        ("unknown fields", {"id": "$a", "spent_ms": 3}),
    ):
        yield case(
            f"results with {name} reach the bot",
            [
                *greet(),
                send(view(0)),
                expect("commands", turn=0, id="$a"),
                send(message("results", turn=0, results=[{"code": "ok", "cost": 1}], **fields)),
                mark(1),
                *DONE,
            ],
            bot=ANSWER,
            calls=[STARTED, *TURN_CALLS, ENDED],
            see=see,
        )
    for name, changes in (
        ("an object", {"units": [[1, {"x": 2}]]}),
        ("null", None),
        ("a list", [1, "two"]),
    ):
        yield case(
            f"changes that are {name} reach a bot that wants them",
            [
                {"connect": {"changes": True}},
                send(hello(), start(), view(0)),
                expect("commands", turn=0, id="$a"),
                send(
                    message(
                        "results", turn=0, id="$a", results=[{"code": "ok", "changes": changes}]
                    )
                ),
                *DONE,
            ],
            client={"changes": True},
            bot=ANSWER,
            calls=[
                STARTED,
                ["decide", {"n": 0}],
                ["results", [{"code": "ok", "why": "", "changes": changes}]],
                ENDED,
            ],
            see="Turns of many commands",
        )
    yield case(
        "the results of an empty frame are an empty list",
        [*greet(), send(message("results", turn=0, id=None, results=[])), mark(1), *DONE],
        calls=[STARTED, ["results", []], ENDED],
        see=see,
    )


def _within_a_turn() -> Iterator[Case]:
    commands = "Turns of many commands"
    frame = "A match, frame by frame"
    yield case(
        "an answer after stop is sent within the grace",
        [
            *greet(),
            send(view(0)),
            expect("info"),
            send(message("stop", turn=0, within_ms=50)),
            expect("commands", turn=0, commands=["UP"], id="$a"),
            send(results(0, "$a")),
            *DONE,
        ],
        bot={"decide": [[["info", 1], ["await_stop"], ["stopped"], ["answer", ["UP"]]]]},
        calls=[STARTED, ["decide", {"n": 0}], ["stopped", True], ["results", answered()], ENDED],
        see=frame,
    )
    yield case(
        "a bot that computes sees stop, and answers pings",
        [
            *greet(),
            send(view(0)),
            expect("info"),
            {"ping": True},
            send(message("stop", turn=0, within_ms=50)),
            *act(0, "UP"),
            *DONE,
        ],
        bot={"decide": [[["info", 1], ["compute"], ["answer", ["UP"]]]]},
        calls=[STARTED, *TURN_CALLS, ENDED],
        see=frame,
    )
    yield case(
        "a stop of another turn does not stop this one",
        [
            *greet(),
            send(view(3)),
            expect("commands", turn=3, commands=["A"], id="$a"),
            send(message("stop", turn=2, within_ms=50), results(3, "$a")),
            expect("commands", turn=3, commands=["B"], id="$b"),
            send(results(3, "$b")),
            *DONE,
        ],
        bot={"decide": [[["early", ["A"]], ["await_results"], ["stopped"], ["answer", ["B"]]]]},
        calls=[
            STARTED,
            ["decide", {"n": 3}],
            ["early", True],
            ["early_results", [answered()]],
            ["stopped", False],
            ["results", answered()],
            ENDED,
        ],
        see=frame,
    )
    yield case(
        "a stop between turns changes nothing",
        [*greet(), send(message("stop", turn=0, within_ms=50)), *rest_of_match(0)],
        bot=ANSWER,
        calls=[STARTED, *TURN_CALLS, ENDED],
        see=frame,
    )
    yield case(
        "provisional answers name their turn and precede the answer",
        [
            *greet(),
            send(view(0)),
            expect("provisional", turn=0, commands=["A"]),
            expect("provisional", turn=0, commands=["B", "C"]),
            *act(0, "UP"),
            *DONE,
        ],
        bot={"decide": [[["provisional", ["A"]], ["provisional", ["B", "C"]], ["answer", ["UP"]]]]},
        calls=[STARTED, *TURN_CALLS, ENDED],
        see="Commands",
    )
    yield case(
        "a provisional answer stands when the bot fails afterwards",
        [*greet(), send(view(0)), expect("provisional", turn=0, commands=["A"]), mark(1), *DONE],
        bot={"decide": [[["provisional", ["A"]], ["raise"]]]},
        calls=[STARTED, ["decide", {"n": 0}], ENDED],
        see="Commands",
    )
    yield case(
        "a provisional answer to a closed turn is not sent",
        [*greet(), send(view(0)), expect("info"), send(view(1)), *rest_of_match(1, shown=True)],
        bot={
            "decide": [
                [["info", 1], ["await_stop"], ["provisional", ["LATE"]]],
                [["answer", ["UP"]]],
            ]
        },
        calls=[STARTED, ["decide", {"n": 0}], ["decide", {"n": 1}], ["results", answered()], ENDED],
        see="Commands",
    )
    yield case(
        "a provisional answer after stop is sent",
        [
            *greet(),
            send(view(0)),
            expect("info"),
            send(message("stop", turn=0, within_ms=50)),
            expect("provisional", turn=0, commands=["A"]),
            mark(1),
            *DONE,
        ],
        bot={"decide": [[["info", 1], ["await_stop"], ["provisional", ["A"]]]]},
        calls=[STARTED, ["decide", {"n": 0}], ENDED],
        see="Commands",
    )
    for name, data in (
        ("an object", {"text": "hm", "draw": [{"kind": "cell", "x": 3, "y": 4}]}),
        ("text", "thinking…"),
        ("null", None),
        ("a number", 1.5),
    ):
        yield case(
            f"an info that is {name} names the open turn",
            [*greet(), send(view(4)), expect("info", data=data, turn=4), *act(4, "UP"), *DONE],
            bot={"decide": [[["info", data], ["answer", ["UP"]]]]},
            calls=[STARTED, ["decide", {"n": 4}], ["results", answered()], ENDED],
            see="Commands",
        )
    yield case(
        "an info outside a turn names none",
        [*greet(), send(view(4, act=False)), expect("info", data=1, turn=None), *DONE],
        bot={"view": [["info", 1]]},
        calls=[STARTED, ["view", {"n": 4}], ENDED],
        see="Commands",
    )
    yield case(
        "a command out of turn names no turn",
        [
            *greet(),
            send(view(0, act=False)),
            expect("commands", turn=None, commands=[{"type": "resign"}], id="$a"),
            send(results(0, "$a")),
            *DONE,
        ],
        bot={"view": [["out_of_turn", [{"type": "resign"}]]]},
        calls=[STARTED, ["view", {"n": 0}], ["results", answered()], ENDED],
        see="Commands",
    )
    yield case(
        "commands sent early go before the rest, and their results are asked for",
        [
            *greet(),
            send(view(0)),
            expect("commands", turn=0, commands=["A", "B"], id="$a"),
            send(results(0, "$a", "ok", "no")),
            expect("commands", turn=0, commands=["C"], id="$b"),
            send(results(0, "$b")),
            *DONE,
        ],
        bot={"decide": [[["early", ["A", "B"]], ["await_results"], ["answer", ["C"]]]]},
        calls=[
            STARTED,
            ["decide", {"n": 0}],
            ["early", True],
            ["early_results", [answered("ok", "no")]],
            ["results", answered()],
            ENDED,
        ],
        see=commands,
    )
    yield case(
        "results that the bot does not ask for come after its answer",
        [
            *greet(),
            send(view(0)),
            expect("commands", turn=0, commands=["A"], id="$a"),
            expect("commands", turn=0, commands=["B"], id="$b"),
            send(results(0, "$a", "no"), results(0, "$b")),
            *DONE,
        ],
        bot={"decide": [[["early", ["A"]], ["answer", ["B"]]]]},
        calls=[
            STARTED,
            ["decide", {"n": 0}],
            ["early", True],
            ["results", answered("no")],
            ["results", answered()],
            ENDED,
        ],
        see=commands,
    )
    yield case(
        "a turn may be sent early in full",
        [
            *greet(),
            send(view(0)),
            expect("commands", turn=0, commands=["A"], id="$a"),
            send(results(0, "$a")),
            mark(1),
            *rest_of_match(1),
        ],
        bot={"decide": [[["early", ["A"]]], [["answer", ["UP"]]]]},
        calls=[
            STARTED,
            ["decide", {"n": 0}],
            ["early", True],
            ["results", answered()],
            ["decide", {"n": 1}],
            ["results", answered()],
            ENDED,
        ],
        see=commands,
    )
    yield case(
        "nothing is sent early in a turn that is over",
        [*greet(), send(view(0)), expect("info"), send(view(1)), *rest_of_match(1, shown=True)],
        bot={"decide": [[["info", 1], ["await_stop"], ["early", ["LATE"]]], [["answer", ["UP"]]]]},
        calls=[
            STARTED,
            ["decide", {"n": 0}],
            ["early", False],
            ["decide", {"n": 1}],
            ["results", answered()],
            ENDED,
        ],
        see=commands,
    )
    yield case(
        "a requested view contains what was sent early",
        [
            *greet(),
            send(view(0)),
            expect("commands", turn=0, commands=["A"], id="$a"),
            expect("resync"),
            send(results(0, "$a"), start(), view(0, view={"n": "fresh"}, seq=2)),
            expect("commands", turn=0, commands=["B"], id="$b"),
            send(results(0, "$b")),
            *DONE,
        ],
        bot={"decide": [[["early", ["A"]], ["fresh"], ["answer", ["B"]]]]},
        calls=[
            STARTED,
            ["decide", {"n": 0}],
            ["early", True],
            ["fresh", {"n": "fresh"}],
            ["results", answered()],
            ENDED,
        ],
        see=commands,
    )
    yield case(
        "a requested view of a turn that has closed does not come",
        [
            *greet(),
            send(view(0)),
            expect("resync"),
            send(start(turn=1, seq=2, view={"n": 1}), view(1)),
            *rest_of_match(1, shown=True),
        ],
        bot={"decide": [[["fresh"], ["answer", ["LATE"]]], [["answer", ["UP"]]]]},
        calls=[
            STARTED,
            ["decide", {"n": 0}],
            ["fresh", None],
            ["decide", {"n": 1}],
            ["results", answered()],
            ENDED,
        ],
        see=commands,
    )
    for name, fields, clock in (
        (
            "with a limit and a bank",
            {"within_ms": 500, "bank_ms": 9000},
            {"deadline": True, "bank_ms": 9000},
        ),
        ("with a limit only", {"within_ms": 500}, {"deadline": True, "bank_ms": None}),
        ("without a limit", {"within_ms": None}, {"deadline": False, "bank_ms": None}),
        ("with an empty bank", {"within_ms": 500, "bank_ms": 0}, {"deadline": True, "bank_ms": 0}),
    ):
        yield case(
            f"the bot knows its time in a turn {name}",
            [*greet(), send(view(0, **fields)), *act(0, "UP"), *DONE],
            bot={"decide": [[["clock"], ["answer", ["UP"]]]]},
            calls=[STARTED, ["decide", {"n": 0}], ["clock", clock], ["results", answered()], ENDED],
            see="Time",
        )
    for name, fields, banks in (
        ("with banks", {"banks_ms": [9000, 8000]}, [9000, 8000]),
        ("in which one has none", {"banks_ms": [None, 0]}, [None, 0]),
        ("without banks", {}, None),
    ):
        yield case(
            f"the bot knows the banks of all seats in a turn {name}",
            [*greet(banks_ms=[7000, 7000]), send(view(0, **fields)), *act(0, "UP"), *DONE],
            bot={"decide": [[["banks"], ["answer", ["UP"]]]]},
            calls=[STARTED, ["decide", {"n": 0}], ["banks", banks], ["results", answered()], ENDED],
            see="Time",
        )
    yield case(
        "the banks are those of the view that the bot got, not of a newer one",
        [
            *greet(),
            send(view(0, banks_ms=[9000, 9000])),
            expect("provisional", turn=0, commands=["UP"]),
            send(view(1, banks_ms=[9000, 4000])),
            *rest_of_match(1, shown=True),
        ],
        bot={
            "decide": [
                [["provisional", ["UP"]], ["await_turn", 1], ["banks"]],
                [["banks"], ["answer", ["UP"]]],
            ]
        },
        calls=[
            STARTED,
            ["decide", {"n": 0}],
            ["banks", [9000, 9000]],
            ["decide", {"n": 1}],
            ["banks", [9000, 4000]],
            ["results", answered()],
            ENDED,
        ],
        see="Time",
    )


def _hooks() -> Iterator[Case]:
    see = "Silence and absence"
    for kind, fields in (
        ("timeout", {"seat": 0}),
        ("silent", {"seat": 0}),
        ("not_ready", {"seat": 0}),
        ("away", {"seat": 1, "data": {"within_ms": 5000}}),
        ("back", {"seat": 1, "data": {"within_ms": 4000}}),
        ("stall", {"data": {"ms": 120}}),
        ("resumed", {"data": {"within_ms": 29500}}),
        ("info", {"seat": 1, "data": {"text": "↗ ходи"}}),
        ("steps", {"data": [{"seat": 0, "command": "UP", "changes": None}]}),
        ("an_event_of_tomorrow", {"data": [1]}),
    ):
        yield case(
            f"the event {kind} reaches the bot and needs no answer",
            [*greet(), send(event(kind, turn=3, **fields)), mark(1), *DONE],
            calls=[
                STARTED,
                ["event", {"event": kind, "turn": 3, "seat": None, "data": None} | fields],
                ENDED,
            ],
            see=see,
        )
    for hook, frame, call in (
        (
            "event",
            event("timeout", seat=0),
            ["event", {"event": "timeout", "turn": 0, "seat": 0, "data": None}],
        ),
        ("results", results(0, 9, "no"), ["results", answered("no")]),
        ("view", view(0, act=False), ["view", {"n": 0}]),
    ):
        yield case(
            f"a bot that fails when it is called with {hook} plays on",
            [*greet(), send(frame), mark(1), *rest_of_match(1)],
            bot={hook: [["raise"]], "decide": [[["answer", ["UP"]]]]},
            calls=[STARTED, call, ["decide", {"n": 1}], ["results", answered()], ENDED],
            see="Silence and absence",
        )
    yield case(
        "a bot that fails at the end has played its match",
        [*greet(), *DONE],
        bot={"end": [["raise"]]},
        calls=[STARTED, ENDED],
        see="A match, frame by frame",
    )
    for code in ("malformed", "an_error_of_tomorrow"):
        yield case(
            f"after the error {code} without a close the match goes on",
            [
                *greet(),
                send(message("error", code=code, text="it says", retry=False), view(0)),
                *rest_of_match(0, shown=True),
            ],
            bot=ANSWER,
            calls=[STARTED, *TURN_CALLS, ENDED],
            see="When something is wrong",
        )


def files() -> dict[str, str]:
    """The text of each file of the registry."""
    from tests.sdk import case_connections, case_values

    tables = {
        "handshake": handshake,
        "turns": turns,
        **case_values.TABLES,
        **case_connections.TABLES,
    }
    return {
        f"{name}.jsonl": "".join(json.dumps(one) + "\n" for one in table())
        for name, table in tables.items()
    }


if __name__ == "__main__":
    for name, text in files().items():
        REGISTRY.joinpath(name).write_text(text, encoding="utf-8")
