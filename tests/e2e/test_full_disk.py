"""A server whose disk is full reports it, aborts matches that it cannot record, creates none, and
recovers with free space."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from client_sdk.errors import ServerRefused
from games import GAMES
from games.core.journal import lines
from games.core.rerun import verify
from tests.e2e.arena import (
    PATIENCE_S,
    Arena,
    eventually,
    everything,
    hello,
    receive,
    send,
    started,
)


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder], capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"this needs to mount a small file system: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def fill(file: Path) -> None:
    """Fill the disk to the last byte."""
    with file.open("wb", buffering=0) as filler, contextlib.suppress(OSError):
        while filler.write(b"\0" * 1024):
            pass


def readiness(arena: Arena) -> list[str]:
    """The reasons not to be ready, without that of a busy machine."""
    answer = httpx.get(f"{arena.url}/readyz", trust_env=False, verify=False, timeout=PATIENCE_S)
    reasons = answer.json()["reasons"]
    assert answer.status_code == (503 if reasons else 200)
    return sorted(reasons.keys() - {"loop"})


def test_a_full_disk_affects_only_what_has_to_be_written(tmp_path: Path) -> None:
    config = {
        "preset": "tiny",
        "max_turns": 1000,
        "move_timeout_ms": 0,
        "preprocessing_timeout_ms": 0,
    }
    with small_disk(tmp_path / "disk") as disk, started(disk, BOTARENA_MIN_FREE_BYTES="0") as arena:
        lobby = arena.rest.create("pyrat", config=config)["lobby"]
        rat, python = (arena.rest.join(lobby, "pyrat", name) for name in ("rat", "python"))
        waiting = arena.rest.create("pyrat", config=config)["lobby"]
        first, second = (arena.rest.join(waiting, "pyrat", name) for name in ("first", "second"))
        with contextlib.ExitStack() as open_:
            one, other, early, late = (open_.enter_context(arena.socket("play")) for _ in range(4))
            for socket, seat in ((one, rat), (other, python), (early, first)):
                hello(socket, token=seat["token"])
            message = receive(one, "view")
            fill(disk / "filler")
            while message["type"] == "view":
                for socket in (one, other):
                    send(socket, type="commands", turn=message["turn"], commands=["STAY"])
                message = receive(one, "view", "end")

            assert (message["outcome"]["outcome"], message["outcome"]["reason"]) == (
                "aborted",
                "disk_full",
            )
            everything(one)
            assert one.protocol.close_code == 1000
            with pytest.raises(ServerRefused, match="no_space"):
                arena.rest.create("pyrat")
            eventually(lambda: "disk" in readiness(arena))
            hello(late, token=second["token"])
            assert [word["code"] for word in everything(early) if word["type"] == "error"] == [
                "match_over"
            ]
            assert arena.rest.lobby(waiting)["reason"] == "disk_full"
            assert not (disk / "matches" / f"{waiting}.journal.jsonl").exists()
            assert arena.rest.health()["status"] == "ok"
            assert list(lines((disk / "matches" / f"{lobby}.journal.jsonl").read_text()))

        (disk / "filler").unlink()
        eventually(lambda: not readiness(arena))
        assert arena.rest.create("pyrat")["state"] == "open"
        assert arena.rest.match(lobby)["outcome"]["reason"] == "disk_full"
        assert (
            verify((disk / "matches" / f"{lobby}.journal.jsonl").read_bytes(), GAMES).kind == "ok"
        )
        arena.process.terminate()
        assert arena.process.wait(20) == 0
