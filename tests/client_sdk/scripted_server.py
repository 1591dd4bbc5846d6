"""Frames as a server writes them, and a server that plays a script per connection."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import Server, ServerConnection, serve

CLOCK = {
    "tick_ms": None,
    "lockstep": False,
    "preprocessing_ms": 0,
    "turn_ms": 1000,
    "human_turn_ms": 0,
    "bank_ms": 0,
    "increment_ms": 0,
    "grace_ms": 50,
    "strikes": 0,
}


def frame(kind: str, **fields: Any) -> str:
    return json.dumps({"type": kind, **fields})


def hello(**fields: Any) -> str:
    return frame("hello", **{"server": "fake", "match": "m1", "game": "toy", "seat": 0} | fields)


def start(**fields: Any) -> str:
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
        "clock": CLOCK,
        "commitment": "c",
    }
    return frame(
        "start", **given | {"turn": 0, "seq": 0, "view": {"n": 0}, "within_ms": None} | fields
    )


def view(turn: int, *, act: bool = True, **fields: Any) -> str:
    return frame(
        "view", **{"turn": turn, "seq": turn + 1, "view": {"n": turn}, "act": act} | fields
    )


def results(turn: int, frame_id: int, *codes: str) -> str:
    return frame(
        "results", turn=turn, id=frame_id, results=[{"code": code} for code in codes or ("ok",)]
    )


def end(**fields: Any) -> str:
    return frame(
        "end", outcome={"outcome": "draw", "winner": None, "reason": "done", "seats": []} | fields
    )


Script = Callable[["Line"], None]


@dataclass
class Line:
    """One connection, as the server's script sees it."""

    socket: ServerConnection
    heard: list[dict[str, Any]]

    def say(self, *frames: str) -> None:
        for text in frames:
            self.socket.send(text)

    def hear(self, kind: str) -> dict[str, Any]:
        """The next frame, which is of this kind."""
        message = json.loads(self.socket.recv(timeout=10))
        self.heard.append(message)
        assert message["type"] == kind, message
        return message

    def close(self, status: int, code: str | None = None, *, retry: bool = False) -> None:
        """As a server closes: the error first, where there is one."""
        if code is not None:
            self.say(frame("error", code=code, text=f"{code}, it says", retry=retry))
        self.socket.close(status)

    def break_off(self) -> None:
        """The connection is lost without a close frame."""
        self.socket.socket.close()

    def wait_closed(self) -> None:
        try:
            while True:
                self.socket.recv(timeout=10)
        except ConnectionClosed:
            return


@dataclass
class Fake:
    url: str
    heard: list[dict[str, Any]] = field(default_factory=list)
    """Every frame of every connection that a script asked for."""
    connections: int = 0
    faults: list[BaseException] = field(default_factory=list)


@contextmanager
def fake_server(*scripts: Script, port: int = 0) -> Iterator[Fake]:
    """The n-th connection gets the n-th script, further ones the last. A script that fails fails
    the test, and the client is sent away."""
    lock = threading.Lock()

    def handle(socket: ServerConnection) -> None:
        with lock:
            script = scripts[min(fake.connections, len(scripts) - 1)]
            fake.connections += 1
        line = Line(socket, fake.heard)
        if fake.faults:
            line.close(4410, "match_over")
            return
        try:
            script(line)
        except BaseException as fault:
            fake.faults.append(fault)
            raise

    server: Server = serve(handle, "127.0.0.1", port, compression=None, close_timeout=2)
    fake = Fake(f"ws://127.0.0.1:{server.socket.getsockname()[1]}")
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        thread.join()
    assert not fake.faults, fake.faults
