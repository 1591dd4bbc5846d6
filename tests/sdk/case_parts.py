"""What the cases of sdk/conformance are made of."""

from __future__ import annotations

from typing import Any, Final

from tests.client_sdk.scripted_server import CLOCK

Case = dict[str, Any]
Step = dict[str, Any]
Frame = dict[str, Any]

OUTCOME: Final = {"outcome": "draw", "winner": None, "reason": "done", "seats": []}


def case(
    name: str,
    server: list[Step],
    *,
    calls: list[Any],
    see: str,
    client: Case | None = None,
    bot: Case | None = None,
    exit: int = 0,  # noqa: A002  the word of the format
    needs: tuple[str, ...] = (),
) -> Case:
    """One case. `see`: the heading in PROTOCOL.md."""
    optional = {"client": client, "bot": bot, "needs": [*needs]}
    fields = {key: value for key, value in optional.items() if value}
    return {"name": name, "see": see} | fields | {"server": server, "calls": calls, "exit": exit}


def message(kind: str, **fields: Any) -> Frame:
    return {"type": kind} | fields


def hello(**fields: Any) -> Frame:
    return message("hello", **{"server": "fake", "match": "m1", "game": "toy", "seat": 0} | fields)


def start(*, clock: Case | None = None, **fields: Any) -> Frame:
    seats = [
        {"seat": seat, "role": role, "name": role, "kind": "bot"}
        for seat, role in enumerate(("left", "right"))
    ]
    given = {
        "match": "m1",
        "game": "toy",
        "seat": 0,
        "seats": seats,
        "config": {},
        "clock": CLOCK | (clock or {}),
        "commitment": "c",
        "turn": 0,
        "seq": 0,
        "view": {"n": 0},
        "within_ms": None,
    }
    return message("start", **given | fields)


def view(turn: int, *, act: bool = True, **fields: Any) -> Frame:
    return message(
        "view", **{"turn": turn, "seq": turn + 1, "view": {"n": turn}, "act": act} | fields
    )


def results(turn: int, frame_id: Any, *codes: str) -> Frame:
    given = [{"code": code} for code in codes or ("ok",)]
    return message("results", turn=turn, id=frame_id, results=given)


def event(kind: str, *, turn: int = 0, **fields: Any) -> Frame:
    return message("event", event=kind, turn=turn, **fields)


def answered(*codes: str) -> list[Case]:
    """What a bot gets for results with these codes."""
    return [{"code": code, "why": "", "changes": None} for code in codes or ("ok",)]


END: Final = message("end", outcome=OUTCOME)
ENDED: Final = ["end", OUTCOME]
STARTED: Final[list[Any]] = ["start", {}]


def send(*frames: Any) -> Step:
    return {"send": [*frames]}


def expect(kind: str, **fields: Any) -> Step:
    return {"expect": message(kind, **fields)}


def mark(number: int) -> Step:
    """All that the client does about earlier frames is done."""
    return {"mark": number}


DONE: Final[list[Step]] = [send(END), {"close": 1000}]


def greet(**fields: Any) -> list[Step]:
    """A connection of a seat, up to the start."""
    return [{"connect": {"token": "s_1"}}, send(hello(), start(**fields))]


def act(turn: int, *commands: Any, name: str = "$x") -> list[Step]:
    """The answer to a turn and its results. `name`: of the variable for the frame's id."""
    name = f"{name}{turn}"
    return [
        expect("commands", turn=turn, commands=[*commands], id=name),
        send(results(turn, name, *["ok" for _ in commands])),
    ]


def play_turn(turn: int) -> list[Step]:
    """A turn in which the bot answers UP."""
    return [send(view(turn)), *act(turn, "UP")]


def rest_of_match(turn: int, *, shown: bool = False) -> list[Step]:
    """One more turn, in which the bot answers UP, and the end. `shown`: its view was sent."""
    return [*([] if shown else [send(view(turn))]), *act(turn, "UP"), *DONE]


ANSWER: Final = {"decide": [[["answer", ["UP"]]]]}
"""A bot that answers every turn with UP."""
TURN_CALLS: Final = [["decide", {"n": 0}], ["results", answered()]]
"""What it is called with in its first turn."""
