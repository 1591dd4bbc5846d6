"""A gateway as a process: how it ends, and what it hands to its client."""

from __future__ import annotations

import json
import os
import shlex
import signal
import socket
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from client_sdk.gateway import running
from client_sdk.gateway.kinds import GatewayKind
from client_sdk.gateway.seats import SeatSource


class NoGateway:
    def close(self, why: str) -> None:
        pass


def opened(listeners: Sequence[socket.socket], seats: SeatSource) -> NoGateway:
    return NoGateway()


KIND = GatewayKind("none", (3000,), opened, {"PLACE": "{host}"})


def run(command: str | None = None) -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return running.run(KIND, [listener], SeatSource("http://127.0.0.1:1"), command)


def test_the_handler_of_a_signal_takes_no_lock_that_the_interrupted_code_may_hold(
    monkeypatch: pytest.MonkeyPatch,
):
    """A second signal may come while the first one's handler runs."""
    taken = threading.Event.set
    handlers: list[Any] = []

    def keep(number: int, handler: Any) -> Any:
        handlers.append(handler)
        return signal.SIG_DFL

    def refuse(event: threading.Event) -> None:
        raise AssertionError("the handler takes a lock")

    def signalled(frame: FrameType | None = None) -> None:
        monkeypatch.setattr(threading.Event, "set", refuse)
        try:
            handlers[0](signal.SIGTERM, frame)
        finally:
            monkeypatch.setattr(threading.Event, "set", taken)

    monkeypatch.setattr(running.signal, "signal", keep)
    monkeypatch.setattr(running, "say_listening", lambda _: signalled())

    assert run() == 0


def test_a_client_gets_the_gateways_place_and_none_of_its_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name in ("BOTARENA_TOKEN", "BOTARENA_KEY", "BOTARENA_GATEWAY_SECRET"):
        monkeypatch.setenv(name, "secret")
    monkeypatch.setenv("ITS_OWN", "kept")
    found = tmp_path / "environment.json"
    program = tmp_path / "client.py"
    program.write_text(
        "import json, os, pathlib, sys\n"
        "pathlib.Path(sys.argv[1]).write_text(json.dumps(dict(os.environ)))\n"
    )

    assert run(shlex.join([sys.executable, str(program), str(found)])) == 0

    environment = json.loads(found.read_text())
    assert not [name for name in environment if name.startswith("BOTARENA_")]
    assert (environment["PLACE"], environment["ITS_OWN"]) == ("127.0.0.1", "kept")
    assert os.environ["BOTARENA_TOKEN"] == "secret"
