"""What a seat sends to the viewers is data: a server that replays its journal takes none of it for
an event of its own."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest
import websockets.sync.client as ws

from client_sdk.address import socket_url
from client_sdk.rest import RestClient
from games import GAMES
from games.core.rerun import verify
from tests.e2e.arena import PATIENCE_S, connected, eventually, free_port, hello, receive, send
from tests.e2e.forked import forked, kill

SHORT = {"preset": "tiny", "max_turns": 3, "cheese_count": 13, "preprocessing_timeout_ms": 0}
BANKED = {"turn_ms": 0, "bank_ms": 60_000, "increment_ms": 0, "absence": "plays"}
"""Every moment of a turn is the bank's."""
WORDS: list[Any] = [
    "hello",
    5,
    0.5,
    True,
    None,
    [1],
    {},
    {"clock": 5},
    {"clock": None},
    {"clock": "charged"},
    {"clock": ["charged"]},
    {"clock": {"charged": "x"}},
    {"clock": {"charged": None, "lag": {}}},
    {"clock": {"charged": -1e300}},
    {"clock": {"charged": 1e300, "lag": 1e300}},
    {"within_ms": "x"},
    {"within_ms": 0, "dropped": 10**9, "skipped": "all"},
    {"dropped": 1},
    {"e": "timeout", "k": "break", "s": [1], "r": "resignation"},
    {"k": "end", "outcome": {"outcome": "win", "winner": 0}},
    "\n{}",
]
UNHURRIED = {"turn_ms": 60_000, "startup_ms": 120_000, "absence_ms": 120_000}
THINKS_S = 0.3
"""Thinking time of a seat; on a busy machine much of it is given back to the clock."""


@dataclass
class Sitting:
    """A match of two seats, which come back whenever the server does."""

    id: str
    taken: list[Mapping[str, Any]]

    @contextmanager
    def seated(self) -> Iterator[list[ws.Connection]]:
        with ExitStack() as stack:
            clients = [
                stack.enter_context(connected(socket_url(str(seat["url"])))) for seat in self.taken
            ]
            for client, seat in zip(clients, self.taken, strict=True):
                hello(client, token=seat["token"])
            yield clients


def sitting(rest: RestClient, clock: Mapping[str, Any]) -> Sitting:
    lobby = rest.create("pyrat", config=SHORT, clock=dict(clock), seed=1)["lobby"]
    return Sitting(lobby, [rest.join(lobby, "pyrat", f"seat {seat}") for seat in range(2)])


def end(process: BaseProcess, how: str) -> None:
    if how == "killed":
        kill(process)
    else:
        assert process.pid is not None
        os.kill(process.pid, signal.SIGTERM)
        process.join(PATIENCE_S)


def answer(client: ws.Connection, turn: int, move: str = "STAY") -> None:
    send(client, type="commands", turn=turn, commands=[move])
    assert [result["code"] for result in receive(client, "results")["results"]] == ["ok"]


def heard_of(data: Path, match: str, text: str) -> None:
    """Wait until the journal contains this text, which survives a kill."""
    record = data / "matches" / f"{match}.journal.jsonl"
    eventually(lambda: text in record.read_text())


def view(client: ws.Connection, turn: int) -> dict[str, Any]:
    """The view with which this turn opened for the seat."""
    return eventually(
        lambda: (shown := receive(client, "view"))["turn"] == turn and shown["act"] and shown
    )


@pytest.mark.parametrize("how", ["killed", "stopped"])
def test_a_match_goes_on_after_any_message_of_a_seat(how: str, tmp_path: Path) -> None:
    port, said = free_port(), [WORDS[at::5] for at in range(5)]
    with forked(port, tmp_path, BOTARENA_DRAIN_MS="0") as (process, rest):
        matches = [sitting(rest, UNHURRIED) for _ in said]
        for words, match in zip(said, matches, strict=True):
            with match.seated() as (one, other):
                view(one, 0)
                for data in words:
                    send(one, type="info", data=data)
                answer(one, 0)
                for data in words:
                    send(one, type="info", data=data)
                send(one, type="info", data="the last words")
                heard_of(tmp_path, match.id, "the last words")
                view(other, 0)
        end(process, how)
    with forked(port, tmp_path) as (_, rest):
        for words, match in zip(said, matches, strict=True):
            assert rest.lobby(match.id)["state"] == "running", words
            with match.seated() as (one, other):
                view(other, 0)
                answer(other, 0)
                for turn in (1, 2):
                    for client in (one, other):
                        view(client, turn)
                        answer(client, turn)
                outcome = receive(one, "end")["outcome"]
            assert (outcome["outcome"], outcome["reason"]) == ("draw", "max_turns"), words
            record = (tmp_path / "matches" / f"{match.id}.journal.jsonl").read_bytes()
            assert verify(record, GAMES).kind == "ok"
            assert [
                line["d"] for line in map(json.loads, record.splitlines()) if line["k"] == "info"
            ][:-1] == words * 2


@pytest.mark.parametrize(
    "forged",
    [
        {"clock": {"charged": 0}},
        {"clock": {"charged": 0, "lag": 0}},
        {"clock": {"charged": 59_999}},
    ],
)
def test_no_message_of_a_seat_changes_its_bank(forged: Any, tmp_path: Path) -> None:
    port = free_port()
    with forked(port, tmp_path, BOTARENA_LAG_TURN_MS="0") as (process, rest):
        match = sitting(rest, BANKED)
        with match.seated() as (one, other):
            view(one, 0)
            view(other, 0)
            time.sleep(THINKS_S)
            answer(one, 0)
            send(one, type="info", data=forged)
            send(one, type="info", data="the last words")
            heard_of(tmp_path, match.id, "the last words")
            kill(process)
    with forked(port, tmp_path) as (_, rest), match.seated() as (one, other):
        view(other, 0)
        answer(other, 0)
        left = view(one, 1)["bank_ms"]
    record = (tmp_path / "matches" / f"{match.id}.journal.jsonl").read_text().splitlines()
    charged = next(
        line["t"]["charged"]
        for line in map(json.loads, record)
        if line["k"] == "command" and line["s"] == 0
    )
    assert charged > 1
    assert 60_000 - charged - 10_000 < left <= 60_000 - charged
