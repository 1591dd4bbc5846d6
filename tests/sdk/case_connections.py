"""Cases about connections: lost in every phase, closed with every code, refused, silent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from client_sdk.wire.codes import CLOSES
from client_sdk.wire.codes import DONE as OVER
from tests.sdk.case_parts import (
    ANSWER,
    DONE,
    END,
    ENDED,
    STARTED,
    TURN_CALLS,
    Case,
    Step,
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

SEE: Final = "Reconnecting"
LOST: Final = 4
REFUSED: Final = 3


def error(code: str, *, retry: bool = False, **fields: Any) -> Step:
    return send(message("error", code=code, text=f"{code}, it says", retry=retry, **fields))


BREAKS: Final[dict[str, list[Step]]] = {
    "lost": [{"drop": True}],
    "closed for a restart": [error("restart", retry=True), {"close": 1012}],
}


def phases() -> Iterator[Case]:
    """Each break in each phase."""
    again = [{"connect": {"token": "s_1"}}]
    for how, ended in BREAKS.items():
        yield case(
            f"{how} before the server's hello: the client says hello again",
            [*again, *ended, *greet(), *rest_of_match(0)],
            bot=ANSWER,
            calls=[STARTED, *TURN_CALLS, ENDED],
            see=SEE,
        )
        yield case(
            f"{how} before the start: the client waits for it again",
            [*again, send(hello()), *ended, *greet(), *rest_of_match(0)],
            bot=ANSWER,
            calls=[STARTED, *TURN_CALLS, ENDED],
            see=SEE,
        )
        yield case(
            f"{how} in the preprocessing: ready is sent again, and the bot starts once",
            [
                *greet(within_ms=5000),
                expect("ready"),
                *ended,
                *greet(within_ms=3000),
                expect("ready"),
                *rest_of_match(0),
            ],
            bot=ANSWER,
            calls=[STARTED, *TURN_CALLS, ENDED],
            see=SEE,
        )
        yield case(
            f"{how} before the first turn: the bot starts once",
            [*greet(), mark(1), *ended, *greet(), *rest_of_match(0)],
            bot=ANSWER,
            calls=[STARTED, *TURN_CALLS, ENDED],
            see=SEE,
        )
        yield case(
            f"{how} while the bot thinks: it decides once, and answers on the new connection",
            [
                *greet(),
                send(view(0)),
                expect("info"),
                *ended,
                *greet(),
                send(view(0, seq=1), message("stop", turn=0, within_ms=500)),
                *act(0, "UP"),
                *DONE,
            ],
            bot={"decide": [[["info", 1], ["await_stop"], ["answer", ["UP"]]]]},
            calls=[STARTED, *TURN_CALLS, ENDED],
            see=SEE,
        )
        yield case(
            f"{how} after the answer: it is sent again with its id",
            [
                *greet(),
                send(view(0)),
                expect("commands", turn=0, commands=["UP"], id="$a"),
                *ended,
                *greet(),
                send(view(0)),
                expect("commands", turn=0, commands=["UP"], id="$a"),
                send(results(0, "$a")),
                mark(1),
                *DONE,
            ],
            bot=ANSWER,
            calls=[STARTED, *TURN_CALLS, ENDED],
            see=SEE,
        )
        yield case(
            f"{how} after the results: nothing is sent or decided again",
            [*greet(), *play_turn(0), mark(1), *ended, *greet(), send(view(0)), mark(2), *DONE],
            bot={"decide": [[["answer", ["UP"]]]] * 2},
            calls=[STARTED, *TURN_CALLS, ENDED],
            see=SEE,
        )
        yield case(
            f"{how} after the answer to a turn that closed meanwhile: it is not sent again",
            [
                *greet(),
                send(view(0)),
                expect("commands", turn=0, commands=["UP"], id="$a"),
                *ended,
                *greet(turn=1, seq=2, view={"n": 1}),
                mark(1),
                *rest_of_match(1),
            ],
            bot={"decide": [[["answer", ["UP"]]]] * 2},
            calls=[
                STARTED,
                ["decide", {"n": 0}],
                ["decide", {"n": 1}],
                ["results", answered()],
                ENDED,
            ],
            see=SEE,
        )
        yield case(
            f"{how} between two turns: the match goes on",
            [
                *greet(),
                *play_turn(0),
                send(view(1, act=False)),
                mark(1),
                *ended,
                *greet(turn=1, seq=2, view={"n": 1}),
                *rest_of_match(2),
            ],
            bot={"decide": [[["answer", ["UP"]]]] * 2},
            calls=[
                STARTED,
                *TURN_CALLS,
                ["view", {"n": 1}],
                ["decide", {"n": 2}],
                ["results", answered()],
                ENDED,
            ],
            see=SEE,
        )
        yield case(
            f"{how} before the end: the end comes on the new connection",
            [
                *greet(),
                *play_turn(0),
                send(view(1, act=False)),
                mark(1),
                *ended,
                {"connect": {"token": "s_1"}},
                send(hello(), END),
                {"close": 1000},
            ],
            bot=ANSWER,
            calls=[STARTED, *TURN_CALLS, ["view", {"n": 1}], ENDED],
            see=SEE,
        )
        yield case(
            f"{how} while the bot thinks about a turn that closes meanwhile: its answer is dropped",
            [
                *greet(),
                send(view(0)),
                expect("info"),
                *ended,
                *greet(turn=1, seq=2, view={"n": 1}),
                send(view(1)),
                *rest_of_match(1, shown=True),
            ],
            bot={
                "decide": [
                    [["info", 1], ["await_stop"], ["answer", ["LATE"]]],
                    [["answer", ["UP"]]],
                ]
            },
            calls=[
                STARTED,
                ["decide", {"n": 0}],
                ["decide", {"n": 1}],
                ["results", answered()],
                ENDED,
            ],
            see=SEE,
        )
        yield case(
            f"{how} before the end, and the match is over on return: the bot has played",
            [
                *greet(),
                *play_turn(0),
                mark(1),
                *ended,
                {"connect": {"token": "s_1"}},
                error("match_over"),
                {"close": 4410},
            ],
            bot=ANSWER,
            calls=[STARTED, *TURN_CALLS],
            see=SEE,
        )


def reconnecting() -> Iterator[Case]:
    yield from phases()
    yield case(
        "an answer without results that the client sent on a broken connection is sent once more",
        [
            *greet(),
            send(view(0)),
            {"drop": True},
            *greet(),
            send(view(0)),
            *rest_of_match(0, shown=True),
        ],
        bot=ANSWER,
        calls=[STARTED, *TURN_CALLS, ENDED],
        see=SEE,
    )
    parts = [["early", ["A"]], ["early", ["B"]], ["answer", ["C"]]]
    sent = [expect("commands", turn=0, commands=[name], id=f"${name}") for name in "ABC"]
    called = [["early", True], ["early", True]]
    yield case(
        "parts of a turn without results are sent again in their order",
        [
            *greet(),
            send(view(0)),
            *sent,
            {"drop": True},
            *greet(),
            send(view(0)),
            *sent,
            send(*(results(0, f"${name}") for name in "ABC")),
            *DONE,
        ],
        bot={"decide": [parts]},
        calls=[STARTED, ["decide", {"n": 0}], *called, *[["results", answered()]] * 3, ENDED],
        see=SEE,
    )
    yield case(
        "parts of a turn with results are not sent again",
        [
            *greet(),
            send(view(0)),
            *sent,
            send(results(0, "$A"), results(0, "$B")),
            mark(1),
            {"drop": True},
            *greet(),
            send(view(0)),
            sent[2],
            send(results(0, "$C")),
            *DONE,
        ],
        bot={"decide": [parts]},
        calls=[STARTED, ["decide", {"n": 0}], *called, *[["results", answered()]] * 3, ENDED],
        see=SEE,
    )
    yield case(
        "parts of a turn are sent again after each of several breaks",
        [
            *greet(),
            send(view(0)),
            *sent,
            {"drop": True},
            *greet(),
            {"drop": True},
            *greet(),
            send(view(0)),
            *sent,
            {"drop": True},
            *greet(),
            send(view(0)),
            *sent,
            send(*(results(0, f"${name}") for name in "ABC")),
            *DONE,
        ],
        bot={"decide": [parts]},
        calls=[STARTED, ["decide", {"n": 0}], *called, *[["results", answered()]] * 3, ENDED],
        see=SEE,
    )
    yield case(
        "unanswered frames wait for the view of their turn",
        [
            *greet(),
            send(view(0)),
            expect("commands", turn=0, id="$a"),
            {"drop": True},
            *greet(),
            mark(1),
            send(view(0)),
            expect("commands", turn=0, id="$a"),
            send(results(0, "$a")),
            *DONE,
        ],
        bot=ANSWER,
        calls=[STARTED, *TURN_CALLS, ENDED],
        see=SEE,
    )
    yield case(
        "results for another frame do not answer the open one",
        [
            *greet(),
            send(view(0)),
            expect("commands", turn=0, id="$a"),
            send(results(0, 4711)),
            mark(1),
            {"drop": True},
            *greet(),
            send(view(0)),
            expect("commands", turn=0, id="$a"),
            send(results(0, "$a")),
            *DONE,
        ],
        bot=ANSWER,
        calls=[STARTED, *TURN_CALLS, ["results", answered()], ENDED],
        see=SEE,
    )
    yield case(
        "a request for the whole view is sent again",
        [
            *greet(),
            send(view(0)),
            expect("commands", turn=0, commands=["A"], id="$a"),
            expect("resync"),
            {"drop": True},
            *greet(),
            send(view(0)),
            expect("commands", turn=0, commands=["A"], id="$a"),
            expect("resync"),
            send(results(0, "$a"), start(seq=2), view(0, seq=2, view={"n": "fresh"})),
            *act(0, "B"),
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
        see=SEE,
    )
    yield case(
        "fields that came once are kept over a lost connection",
        [
            {"connect": {"once": ["maze"]}},
            send(hello(), start(view={"n": 0, "maze": "#"})),
            mark(1),
            {"drop": True},
            {"connect": {"once": ["maze"]}},
            send(hello(), start(view={"n": 0})),
            *rest_of_match(0),
        ],
        client={"once": ["maze"]},
        bot=ANSWER,
        calls=[STARTED, ["decide", {"n": 0, "maze": "#"}], ["results", answered()], ENDED],
        see=SEE,
    )
    yield case(
        "a resumed match plays on, with numbers of views that start again",
        [
            *greet(),
            *play_turn(0),
            *play_turn(1),
            mark(1),
            {"drop": True},
            *greet(turn=1, seq=0, view={"n": 1}),
            send(event("resumed", turn=1, data={"within_ms": 29500}), view(2, seq=1)),
            *rest_of_match(2, shown=True),
        ],
        bot={"decide": [[["answer", ["UP"]]]] * 3},
        calls=[
            STARTED,
            *TURN_CALLS,
            ["decide", {"n": 1}],
            ["results", answered()],
            ["event", {"event": "resumed", "turn": 1, "seat": None, "data": {"within_ms": 29500}}],
            ["decide", {"n": 2}],
            ["results", answered()],
            ENDED,
        ],
        see="When the server restarts",
    )
    yield case(
        "a turn that the bot failed in is decided again after a lost connection",
        [*greet(), send(view(0)), mark(1), {"drop": True}, *greet(), *rest_of_match(0)],
        bot={"decide": [[["raise"]], [["answer", ["UP"]]]]},
        calls=[STARTED, ["decide", {"n": 0}], *TURN_CALLS, ENDED],
        see=SEE,
    )
    yield case(
        "a match of another server at the new address: the client follows its url",
        [
            {"connect": {"token": "s_1"}},
            error("elsewhere", retry=True, url="$url/moved/ws/play"),
            {"close": 4421},
            {"connect": {"token": "s_1"}, "at": "moved"},
            send(hello(), start()),
            {"drop": True},
            {"connect": {"token": "s_1"}, "at": "moved"},
            send(hello(), start()),
            *rest_of_match(0),
        ],
        bot=ANSWER,
        calls=[STARTED, *TURN_CALLS, ENDED],
        see="Several processes, and restarts",
    )
    for code in ("match_over", "bad_token"):
        status = {"match_over": 4410, "bad_token": 4401}[code]
        yield case(
            f"{code} after the start means that the match has ended",
            [*greet(), mark(1), {"drop": True}, {"connect": {}}, error(code), {"close": status}],
            calls=[STARTED],
            see=SEE,
        )
    yield case(
        "a connection that is closed as done without the end is made once more for the end",
        [*greet(), mark(1), {"close": 1000}, {"connect": {}}, send(hello(), END), {"close": 1000}],
        calls=[STARTED, ENDED],
        see=SEE,
    )
    yield case(
        "a connection that is closed as done twice without the end is given up",
        [*greet(), mark(1), {"close": 1000}, {"connect": {}}, send(hello()), {"close": 1000}],
        calls=[STARTED],
        exit=LOST,
        see=SEE,
    )
    yield case(
        "a viewer returns to its match",
        [
            {"connect": {"match": "m1"}},
            send(hello(seat=None), start(seat=None)),
            {"ping": True},
            {"drop": True},
            {"connect": {"match": "m1"}},
            send(hello(seat=None), start(seat=None, turn=3, seq=3, view={"n": 3})),
            *DONE,
        ],
        client={"match": "m1"},
        calls=[STARTED, ["start", {"turn": 3, "view": {"n": 3}}], ENDED],
        see=SEE,
    )


def closes() -> Iterator[Case]:
    """Each code, with and without an `error` before it."""
    see = "When something is wrong"
    for close in CLOSES.values():
        if close is OVER:
            continue
        for how, before in (
            ("after its error", [error(close.code, retry=close.retry)]),
            ("without an error", []),
        ):
            if close.retry:
                yield case(
                    f"{close.status} {how}: the client connects again",
                    [
                        *greet(),
                        mark(1),
                        *before,
                        {"close": close.status},
                        *greet(),
                        *rest_of_match(0),
                    ],
                    bot=ANSWER,
                    calls=[STARTED, *TURN_CALLS, ENDED],
                    see=see,
                )
            else:
                yield case(
                    f"{close.status} {how}: the client gives up",
                    [{"connect": {}}, *before, {"close": close.status}],
                    calls=[],
                    exit=REFUSED,
                    see=see,
                )
    for name, steps in (
        ("an unknown code after an error with retry", [error("nap", retry=True), {"close": 4999}]),
        ("an unknown code without an error", [{"close": 4999}]),
        ("an internal error of the server", [{"close": 1011}]),
        ("an unknown code after an event", [error("nap"), send(event("stall")), {"close": 4999}]),
        ("an error of another code before a code with retry", [error("nap"), {"close": 1012}]),
    ):
        stalled = ["event", {"event": "stall", "turn": 0, "seat": None, "data": None}]
        yield case(
            f"{name}: the client connects again",
            [*greet(), mark(1), *steps, *greet(), *rest_of_match(0)],
            bot=ANSWER,
            calls=[STARTED, *([stalled] if "event" in name else []), *TURN_CALLS, ENDED],
            see=see,
        )
    for name, steps in (
        ("an unknown code after an error without retry", [error("nap"), {"close": 4999}]),
        ("an error with retry before a code without", [error("nap", retry=True), {"close": 4401}]),
        ("a final code with a reason", [{"close": 4426, "reason": "speak version 2"}]),
    ):
        yield case(
            f"{name}: the client gives up",
            [{"connect": {}}, *steps],
            calls=[],
            exit=REFUSED,
            see=see,
        )
    yield case(
        "the error decides about a known code: no retry",
        [{"connect": {}}, error("restart", retry=False), {"close": 1012}],
        calls=[],
        exit=REFUSED,
        see=see,
    )
    yield case(
        "a seat that a newer connection took is given up in the match",
        [*greet(), *play_turn(0), mark(1), error("replaced"), {"close": 4409}],
        bot=ANSWER,
        calls=[STARTED, *TURN_CALLS],
        exit=REFUSED,
        see=see,
    )
    yield case(
        "a bot that thinks is stopped when a newer connection takes its seat",
        [*greet(), send(view(0)), expect("info"), error("replaced"), {"close": 4409}],
        bot={"decide": [[["info", 1], ["await_stop"], ["stopped"]]]},
        calls=[STARTED, ["decide", {"n": 0}], ["stopped", True]],
        exit=REFUSED,
        see=see,
    )
    for status in (429, 500, 502, 503):
        yield case(
            f"a handshake that is refused with {status} is tried again",
            [{"refuse": status}, {"refuse": status}, *greet(), *rest_of_match(0)],
            bot=ANSWER,
            calls=[STARTED, *TURN_CALLS, ENDED],
            see=see,
        )
    for status in (400, 403, 404):
        yield case(
            f"a handshake that is refused with {status} is given up",
            [{"refuse": status}],
            calls=[],
            exit=REFUSED,
            see=see,
            needs=("http_status",),
        )
    yield case(
        "a handshake that is refused during the match is tried again",
        [
            *greet(),
            *play_turn(0),
            mark(1),
            {"drop": True},
            {"refuse": 503},
            *greet(),
            *rest_of_match(1),
        ],
        bot={"decide": [[["answer", ["UP"]]]] * 2},
        calls=[STARTED, *TURN_CALLS, ["decide", {"n": 1}], ["results", answered()], ENDED],
        see=SEE,
    )


def heartbeats() -> Iterator[Case]:
    see = "Heartbeats"
    ping = message("ping", n=1)
    yield case(
        "ping messages need no answer in any phase",
        [
            {"connect": {}},
            send(ping, hello(), ping, start(), ping, view(0), ping),
            expect("commands", turn=0, commands=["UP"], id="$a"),
            send(ping, results(0, "$a"), ping),
            mark(1),
            *DONE,
        ],
        bot=ANSWER,
        calls=[STARTED, *TURN_CALLS, ENDED],
        see=see,
    )
    yield case(
        "websocket pings are answered while the bot thinks",
        [
            *greet(),
            send(view(0)),
            expect("info"),
            {"ping": True},
            {"ping": True},
            send(message("stop", turn=0, within_ms=50)),
            *act(0, "UP"),
            *DONE,
        ],
        bot={"decide": [[["info", 1], ["await_stop"], ["answer", ["UP"]]]]},
        calls=[STARTED, *TURN_CALLS, ENDED],
        see=see,
    )
    yield case(
        "websocket pings are answered in every phase",
        [
            {"connect": {}},
            {"ping": True},
            send(hello()),
            {"ping": True},
            send(start()),
            {"ping": True},
            *play_turn(0),
            {"ping": True},
            *DONE,
        ],
        bot=ANSWER,
        calls=[STARTED, *TURN_CALLS, ENDED],
        see=see,
    )
    viewer: Case = {"match": "m1", "heartbeat_ms": 1000}
    greeting = [{"connect": {"match": "m1"}}, send(hello(seat=None), start(seat=None))]
    yield case(
        "a server that is silent for three heartbeats is connected to again",
        [*greeting, {"silence": True}, *greeting, *DONE],
        client=viewer,
        calls=[STARTED, STARTED, ENDED],
        see=see,
    )
    yield case(
        "a server that does not answer the hello is connected to again",
        [{"connect": {"match": "m1"}}, {"silence": True}, *greeting, *DONE],
        client=viewer,
        calls=[STARTED, ENDED],
        see=see,
    )


TABLES: Final[dict[str, Callable[[], Iterator[Case]]]] = {
    "reconnecting": reconnecting,
    "closes": closes,
    "heartbeats": heartbeats,
}
