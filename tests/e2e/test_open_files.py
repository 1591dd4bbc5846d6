"""A process that may open few files: one client cannot take them all, and no match pays for it."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import resource
import socket
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import websockets.sync.client as ws
from websockets.exceptions import ConnectionClosed, InvalidStatus

from server.health import disk_problem
from server.net.descriptors import Descriptors, unwritten
from tests.e2e.arena import Arena, eventually, everything, hello, receive, send, started
from tests.e2e.test_full_disk import readiness

pytestmark = pytest.mark.skipif(
    sys.platform != "linux",
    reason="this counts the files of another process, and has many addresses",
)

FILES = 128
OTHER = "127.0.0.2"
CONFIG = {"preset": "tiny", "max_turns": 20, "move_timeout_ms": 0, "preprocessing_timeout_ms": 0}


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    """A server that may open half of its files, until it asks for all of them."""
    few = partial(resource.setrlimit, resource.RLIMIT_NOFILE, (FILES // 2, FILES))
    with started(tmp_path, prepare=few) as running:
        yield running


def files(arena: Arena) -> int:
    return len(list(Path(f"/proc/{arena.process.pid}/fd").iterdir()))


def connect(arena: Arena, source: str, sent: bytes = b"") -> socket.socket:
    address = urlsplit(arena.url)
    made = socket.create_connection(
        (address.hostname, address.port), source_address=(source, 0), timeout=60
    )
    made.sendall(sent)
    return made


def test_the_soft_limit_is_raised_to_the_hard_one(arena: Arena) -> None:
    limits = Path(f"/proc/{arena.process.pid}/limits").read_text()

    assert re.search(r"Max open files +(\d+) +(\d+)", limits).groups() == (str(FILES), str(FILES))


@pytest.mark.parametrize("kind", ["half a body", "nothing", "websockets"])
def test_a_client_with_200_sockets_locks_no_other_client_out(arena: Arena, kind: str) -> None:
    lobby = arena.rest.create("pyrat", config=CONFIG)["lobby"]
    seats = [arena.rest.join(lobby, "pyrat", name)["token"] for name in ("rat", "python")]
    with contextlib.ExitStack() as held:
        for _ in range(200):
            with contextlib.suppress(InvalidStatus, OSError):
                held.enter_context(many(arena, kind))
        players = [held.enter_context(arena.socket("play")) for _ in seats]
        for player, token in zip(players, seats, strict=True):
            hello(player, token=token)
        assert played(*players)["reason"] == "max_turns"
        assert files(arena) < FILES
        assert readiness(arena) == []
    assert not [
        line for line in arena.log if "level=error" in line or "Too many open files" in line
    ]


def played(one: ws.Connection, other: ws.Connection) -> dict[str, Any]:
    """The outcome of a match in which both stay where they are."""
    while True:
        messages = [receive(player, "view", "end") for player in (one, other)]
        if messages[0]["type"] == "end":
            everything(one), everything(other)
            return messages[0]["outcome"]
        for player, message in zip((one, other), messages, strict=True):
            with contextlib.suppress(
                ConnectionClosed
            ):  # the last view is one of a match that is over
                send(player, type="commands", turn=message["turn"], commands=["STAY"])


def many(arena: Arena, kind: str) -> contextlib.AbstractContextManager[object]:
    """One of the sockets of a client at another address."""
    if kind == "websockets":
        socket_ = connect(arena, OTHER)
        return ws.connect(
            f"ws{arena.url.removeprefix('http')}/ws/watch",
            sock=socket_,
            compression=None,
            proxy=None,
        )
    head = b"POST /api/v1/lobbies HTTP/1.1\r\nHost: arena\r\nContent-Length: 100\r\n\r\n{"
    return connect(arena, OTHER, head if kind == "half a body" else b"")


def test_a_refused_handshake_is_one_log_line_without_an_error(arena: Arena) -> None:
    with pytest.raises(InvalidStatus):
        arena.socket("nothing")
    refused = eventually(lambda: [line for line in arena.log if "refused" in line])

    assert len(refused) == 1
    assert "level=info" in refused[0]
    assert "code=no_socket" in refused[0]
    assert not [line for line in arena.log if "level=error" in line]


def test_the_limit_of_connections_follows_from_open_files() -> None:
    few, many_ = Descriptors(128), Descriptors(100_000)

    assert (few.per_address(1000), few.per_address(10), few.per_address(0)) == (24, 10, 24)
    assert [few.reserved(number) for number in (95, 96)] == [False, True]
    assert many_.per_address(1000) == 1000
    assert [many_.reserved(number) for number in (99_743, 99_744)] == [False, True]


def test_a_lack_of_descriptors_is_not_reported_as_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr("tempfile.TemporaryFile", none)

    assert disk_problem(tmp_path, 0) is None
    assert (
        unwritten(OSError(errno.EMFILE, ""))
        == unwritten(OSError(errno.ENFILE, ""))
        == "too_many_files"
    )
    assert unwritten(OSError(errno.ENOSPC, "")) == "disk_full"


def test_new_matches_wait_for_reserved_descriptors() -> None:
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    with contextlib.ExitStack() as held:
        files_ = [held.enter_context(open(os.devnull)) for _ in range(100)]  # noqa: PTH123
        most = files_[-1].fileno() + 1

        assert Descriptors(limit).problem() is None
        assert (Descriptors(most).problem() or "").startswith("too_many_files: ")
