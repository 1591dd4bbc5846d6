"""A process that is held up for longer than others wait for its sign of life, while they share its data directory."""

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
from server.nodes.directory import DEAD_MS
from tests.e2e.arena import Arena, eventually, hello, receive, send, started
from tests.stores import written

Start = Callable[[str], Arena]
SLOW: dict[str, Any] = {"config": {"preset": "small", "max_turns": 40}, "clock": {"turn_ms": 20_000}}


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a node of this name; all have one data directory."""
    with ExitStack() as stack:

        def start(name: str) -> Arena:
            arena = stack.enter_context(started(tmp_path, BOTARENA_NODE=name))
            stack.callback(arena.process.send_signal, signal.SIGCONT)
            return arena

        yield start


def stopped(arena: Arena, name: str) -> None:
    """Hold it up, for so long, as far as anybody else can see, that it counts as gone."""
    arena.process.send_signal(signal.SIGSTOP)
    eventually(lambda: state(arena.process.pid) == "T")
    written(arena.data, "update nodes set beat_ms = beat_ms - ? where name = ?", 2 * DEAD_MS, name)


def state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def ends(*seats: Any) -> dict[str, Any]:
    """Both seats stay where they are until it is over; the outcome."""
    while True:
        for seat in seats:
            said = receive(seat, "view", "end")
            if said["type"] == "end":
                return said["outcome"]  # type: ignore[no-any-return]
            with suppress(ConnectionClosed):  # this was the last view
                send(seat, type="commands", turn=said["turn"], commands=["STAY"])


def known(arena: Arena, match: str) -> dict[str, Any] | None:
    """What it tells of a match; None: the process that has it is still thought to be away."""
    with suppress(ServerRefused):
        return arena.rest.match(match)
    return None


def test_a_match_stays_with_the_process_that_plays_it_however_long_that_is_held_up(start: Start, tmp_path: Path):
    one = start("1")
    match = one.rest.create("pyrat", **SLOW)["lobby"]
    tokens = [one.rest.join(match, "pyrat", name)["token"] for name in ("a", "b")]
    with one.socket("play") as a, one.socket("play") as b:
        for seat, token in ((a, tokens[0]), (b, tokens[1])):
            hello(seat, token=token)
        receive(a, "view")
        stopped(one, "1")
        two = start("2")
        with pytest.raises(ServerRefused) as no:
            two.rest.match(match)
        one.process.send_signal(signal.SIGCONT)
        receive(b, "view")
        send(a, type="commands", turn=0, commands=["STAY"])
        send(b, type="commands", turn=0, commands=["STAY"])
        outcome = ends(a, b)

    assert no.value.code == "node_down"
    assert eventually(lambda: known(two, match))["outcome"] == outcome
    assert verify(one.record(match, "journal").decode(), GAMES).kind == "ok"
