"""A process that stalls for any time, while others share its data directory."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from client_sdk.errors import ServerRefused
from games import GAMES
from games.core.rerun import verify
from server.cluster import forward
from tests.e2e.arena import Arena, eventually, hello, receive, send, started
from tests.processes import stop
from tests.stores import written
from tests.workers.nodes import together

Start = Callable[[str], Arena]
SLOW: dict[str, Any] = {
    "config": {"preset": "small", "max_turns": 40, "preprocessing_timeout_ms": 0},
    "clock": {"turn_ms": 20_000},
}


def impatient() -> None:
    """A process that stalls is soon given up."""
    forward.ANSWER_S = 0.5


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a node of this name; all have one data directory."""
    settings = together("1", "2")
    with ExitStack() as stack:

        def start(name: str) -> Arena:
            own = {
                f"BOTARENA_{key.upper()}": value
                for key, value in settings[name].items()
                if key != "port"
            }
            port = settings[name]["port"]
            arena = stack.enter_context(started(tmp_path, port=port, prepare=impatient, **own))
            stack.callback(arena.process.send_signal, signal.SIGCONT)
            return arena

        yield start


def ends(*seats: Any) -> dict[str, Any]:
    """Both seats stay where they are until it is over; the outcome."""
    while True:
        for seat in seats:
            message = receive(seat, "view", "end")
            if message["type"] == "end":
                return message["outcome"]
            with suppress(ConnectionClosed):  # this was the last view
                send(seat, type="commands", turn=message["turn"], commands=["STAY"])


def known(arena: Arena, match: str) -> dict[str, Any] | None:
    """Its answer about a match; None: the match's process is still considered down."""
    with suppress(ServerRefused):
        return arena.rest.match(match)
    return None


def asked(arena: Arena, token: str) -> dict[str, Any]:
    """The answer to a seat's hello at this node."""
    with arena.socket("play") as seat:
        return hello(seat, token=token)


def test_a_match_stays_with_its_process_during_long_stalls(start: Start, tmp_path: Path):
    one = start("1")
    match = one.rest.create("pyrat", **SLOW)["lobby"]
    tokens = [one.rest.join(match, "pyrat", name)["token"] for name in ("a", "b")]
    with one.socket("play") as a, one.socket("play") as b:
        for seat, token in ((a, tokens[0]), (b, tokens[1])):
            hello(seat, token=token)
        receive(a, "view")
        eventually(lambda: written(tmp_path, "select id from matches where id = ?", match))
        stop(one.process.pid)
        two = start("2")
        with pytest.raises(ServerRefused) as no:
            two.rest.match(match)
        error = asked(two, tokens[0])
        one.process.send_signal(signal.SIGCONT)
        receive(b, "view")
        send(a, type="commands", turn=0, commands=["STAY"])
        send(b, type="commands", turn=0, commands=["STAY"])
        outcome = ends(a, b)

    assert no.value.code == "node_down"
    assert (error["code"], error["retry"]) == ("restart", True)
    assert eventually(lambda: known(two, match))["outcome"] == outcome
    assert verify(one.record(match, "journal").decode(), GAMES).kind == "ok"


def begun(arena: Arena) -> tuple[str, list[str]]:
    """A match, and the tokens of its seats."""
    match = arena.rest.create("pyrat", **SLOW)["lobby"]
    return match, [arena.rest.join(match, "pyrat", name)["token"] for name in ("a", "b")]


def test_processes_paused_together_keep_their_matches_in_any_order_of_waking(
    start: Start,
) -> None:
    arenas = {name: start(name) for name in ("1", "2")}
    with ExitStack() as stack:
        matches = []
        for arena in arenas.values():
            match, tokens = begun(arena)
            seats = [stack.enter_context(arena.socket("play")) for _ in tokens]
            for seat, token in zip(seats, tokens, strict=True):
                hello(seat, token=token)
            receive(seats[0], "view")
            matches.append((arena, match, seats))
        for arena in arenas.values():
            stop(arena.process.pid)
        for arena in reversed(arenas.values()):
            arena.process.send_signal(signal.SIGCONT)
            eventually(lambda arena=arena: arena.rest.health())
        for arena, match, (a, b) in matches:
            receive(b, "view")
            for seat in (a, b):
                send(seat, type="commands", turn=0, commands=["STAY"])
            outcome = ends(a, b)
            assert arena.over(match)["outcome"] == outcome
            assert [seat["absences"] for seat in outcome["seats"]] == [0, 0]
            assert verify(arena.record(match, "journal").decode(), GAMES).kind == "ok"
