"""A server that is killed again while it resumes its matches has lost nothing, and clients come
back by themselves."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from pathlib import Path

from client_sdk.connection import Connection
from client_sdk.conversation import Conversation
from client_sdk.wire.messages import MatchStart
from games import GAMES
from games.core.rerun import verify
from tests.e2e.arena import PATIENCE_S, eventually, free_port, not_ready
from tests.e2e.forked import forked, kill
from tests.server.left import left_running

LONG = {"max_turns": 20_000}
TURNS = 6_000
MATCHES = 4


def comes_back(url: str, token: str, started: list[MatchStart]) -> None:
    """A seat with the SDK's connection, until it has seen where its match stands."""
    conversation = Conversation(token=token, client="test")
    with Connection(
        url, conversation, patience_s=PATIENCE_S, delay=lambda attempt, gone_s, grace_s: 0.02
    ) as connection:
        while not isinstance(message := connection.next(PATIENCE_S), MatchStart):
            assert message is not None
        started.append(message)
        eventually(lambda: len(started) == 2 * MATCHES)


def test_a_second_kill_during_resumption_loses_no_match(tmp_path: Path) -> None:
    ids = [f"match-{number}" for number in range(MATCHES)]
    clock = {"startup_ms": 60_000}
    tokens = [
        left_running(tmp_path, id_, GAMES["pyrat"], LONG, advances=TURNS, clock=clock)
        for id_ in ids
    ]
    journals = [tmp_path / "matches" / f"{id_}.journal.jsonl" for id_ in ids]
    port = free_port()
    settings = {"BOTARENA_HELLO_MS": "50"}
    started: list[MatchStart] = []
    seats = [
        threading.Thread(
            target=comes_back, args=(f"ws://127.0.0.1:{port}/ws/play", token, started), daemon=True
        )
        for pair in tokens
        for token in pair
    ]
    with ExitStack() as stack:
        for resumed in (0, 1):
            process, _ = stack.enter_context(forked(port, tmp_path, resumed=False, **settings))
            reason = f"{resumed} of {MATCHES} matches are resumed"
            eventually(
                lambda reason=reason: (
                    not_ready(f"http://127.0.0.1:{port}").get("resuming") == reason
                )
            )
            kill(process)
        kept = [journal.read_bytes() for journal in journals]
        for seat in seats:
            seat.start()
        _, rest = stack.enter_context(forked(port, tmp_path, **settings))
        for seat in seats:
            seat.join(PATIENCE_S)
        assert [start.turn for start in started] == [TURNS] * len(seats)
        assert [rest.lobby(id_)["state"] for id_ in ids] == ["running"] * MATCHES

    for journal, before in zip(journals, kept, strict=True):
        assert journal.read_bytes().startswith(before)
        assert verify(journal.read_bytes(), GAMES).kind == "cut"
