"""A server process, and the waiting for what happens on it."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import websockets.sync.client as ws
from websockets.exceptions import ConnectionClosed

from client_sdk.rest import RestClient
from tests.conformance import Conforming
from tests.forked_process import ForkedProcess
from tests.stores import tables_in
from tests.waiting import PATIENCE_S, eventually

QUICK: Mapping[str, Mapping[str, Any]] = {
    "pyrat": {"max_turns": 60, "move_timeout_ms": 40},
    "botstack": {"reconnect_grace_ms": 300},
    "zooscape": {"seats": 2, "map_size": 15, "max_ticks": 120, "tick_ms": 20},
    "catastrophe": {"map_width": 12, "map_height": 8, "max_turns": 60, "reconnect_grace_ms": 300},
    "cookoff": {"total_turns": 30},
}
"""Matches that are soon over, also when a bot is missing."""


@dataclass(frozen=True)
class Arena:
    url: str
    data: Path
    process: subprocess.Popen[str] | ForkedProcess
    log: list[str]
    rest: RestClient

    def socket(self, role: str) -> ws.Connection:
        """A raw websocket to /ws/play or /ws/watch."""
        return connected(f"ws{self.url.removeprefix('http')}/ws/{role}")

    def over(self, match: str, token: str | None = None) -> dict[str, Any]:
        """The lobby once its match is over."""
        return eventually(
            lambda: (found := self.rest.lobby(match, token))["state"] == "over" and found
        )

    def record(self, match: str, kind: str) -> bytes:
        """The journal or the replay, once it is written. A replay is made when it is first asked
        for."""
        if kind == "replay":
            url = f"{self.url}/api/v1/replays/{match}"
            eventually(lambda: httpx.get(url, timeout=PATIENCE_S, verify=False).status_code == 200)
        path = self.data / "matches" / f"{match}.{kind}.jsonl"
        eventually(path.exists)
        return path.read_bytes()


@contextlib.contextmanager
def started(
    data: Path,
    *,
    port: int = 0,
    program: Sequence[str] = (),
    words: Sequence[str] = (),
    prepare: Callable[[], object] | None = None,
    resumed: bool = True,
    **settings: str,
) -> Iterator[Arena]:
    """`program`: what Python runs instead of a fork. `words`: further options of a forked server,
    `prepare`: what it calls first. `resumed`: all matches that an earlier server
    left are resumed when this is entered."""
    options, environment = ["--port", str(port), "--data-dir", str(data)], os.environ | settings
    process: subprocess.Popen[str] | ForkedProcess
    if program:
        command = [sys.executable, *program, *options]
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=data,
            env=environment,
        )
    else:
        if not words and "BOTARENA_DATABASE_URL" not in settings:
            tables_in(data)
        process = ForkedProcess(["serve", *options, *words], data, environment, prepare=prepare)
    log: list[str] = []
    assert process.stdout is not None
    reader = threading.Thread(target=log.extend, args=(process.stdout,), daemon=True)
    try:
        for line in process.stdout:
            log.append(line)
            if line.startswith("listening on "):
                break
        else:
            raise AssertionError("the server did not start:\n" + "".join(log))
        url = line.removeprefix("listening on ").strip()
        reader.start()
        if resumed:
            eventually(lambda: "resuming" not in not_ready(url))
        with RestClient(url, transport=Conforming(), timeout_s=PATIENCE_S) as rest:
            yield Arena(url, data, process, log, rest)
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE_S)
        finally:
            process.kill()
            process.wait()
            if reader.is_alive():
                reader.join()
            process.stdout.close()


def not_ready(url: str) -> dict[str, str]:
    """The reasons that `/readyz` gives."""
    return httpx.get(f"{url}/readyz", trust_env=False, verify=False, timeout=PATIENCE_S).json()[
        "reasons"
    ]


def free_port() -> int:
    """One that a server may take a moment later, and take again when it comes back."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def connected(url: str) -> ws.Connection:
    """A raw websocket to the address that an answer names."""
    return ws.connect(url, compression=None, proxy=None)


def hello(socket: ws.Connection, **fields: Any) -> dict[str, Any]:
    """Say hello; the server's hello."""
    send(socket, type="hello", protocol=1, **fields)
    return receive(socket)


def send(socket: ws.Connection, **fields: Any) -> None:
    socket.send(json.dumps(fields))


def receive(socket: ws.Connection, *types: str) -> dict[str, Any]:
    """The next message, heartbeats and stalls left out; with `types` the next of one of these."""
    while True:
        message = json.loads(socket.recv(PATIENCE_S))
        if (
            message["type"] != "ping"
            and message.get("event") != "stall"
            and (not types or message["type"] in types)
        ):
            return message


def everything(socket: ws.Connection) -> list[dict[str, Any]]:
    """All messages until the server closes."""
    heard = []
    with contextlib.suppress(ConnectionClosed):
        while True:
            heard.append(receive(socket))
    return heard
