"""A seat that reconnects gets everything that it needs to play on."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from client_sdk.bots import HOUSE
from client_sdk.process import BotProcess
from games import GAMES
from games.core.rerun import verify
from tests.e2e.arena import (
    PATIENCE_S,
    QUICK,
    Arena,
    eventually,
    free_port,
    hello,
    receive,
    send,
    started,
)

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("repeated", [True, False])
def test_a_new_process_in_an_old_seat_gets_the_maze(repeated: bool, arena: Arena) -> None:
    config = {
        "preset": "tiny",
        "maze_every_turn": repeated,
        "move_timeout_ms": 0,
        "preprocessing_timeout_ms": 0,
    }
    lobby = arena.rest.create("pyrat", config=config)["lobby"]
    rat, python = (arena.rest.join(lobby, "pyrat", name) for name in ("rat", "python"))
    with arena.socket("play") as other:
        hello(other, token=python["token"])
        with arena.socket("play") as first:
            hello(first, token=rat["token"])
            maze = receive(first, "start")["view"]["maze"]
            for socket in (first, other):
                shown = receive(socket, "view")
                send(socket, type="commands", turn=0, commands=["STAY"])
            assert repeated is ("maze" in shown["view"])
            assert receive(first, "view")["turn"] == 1
        with arena.socket("play") as second:
            assert rat["seat"] == hello(second, token=rat["token"])["seat"]
            start = receive(second, "start")
            assert (1, maze) == (start["turn"], start["view"]["maze"])
            view = receive(second, "view")
            assert (1, True, repeated) == (view["turn"], view["act"], "maze" in view["view"])
    eventually(lambda: arena.rest.lobby(lobby)["seats"][0]["connected"] is False)


@pytest.mark.parametrize("game", sorted(HOUSE))
def test_a_killed_server_continues_its_match_and_the_bots_reconnect(
    game: str, tmp_path: Path
) -> None:
    """At whatever line it died. The bots are slow, so that the match lasts until it dies."""
    longer = {"zooscape": {"max_ticks": 150}, "pyrat": {"move_timeout_ms": 2_000}}
    config = dict(QUICK.get(game, {})) | longer.get(game, {})
    port = free_port()
    with ExitStack() as bots:
        with started(tmp_path, port=port) as first:
            lobby = first.rest.create(game, config=config)["lobby"]
            taken = [first.rest.join(lobby, game, name) for name in ("one", "other")]
            with first.socket("watch") as spectator:
                hello(spectator, match=lobby)
                playing = [
                    bots.enter_context(
                        BotProcess(
                            [sys.executable, "-m", "tests.e2e.slow_bot", game],
                            game=game,
                            url=seat["url"],
                            token=seat["token"],
                            cwd=ROOT,
                        )
                    )
                    for seat in taken
                ]
                while receive(spectator, "view")["turn"] < 5:
                    pass
                first.process.kill()
                first.process.wait()
        before = (tmp_path / "matches" / f"{lobby}.journal.jsonl").read_bytes()
        with started(tmp_path, port=port) as second:
            ended = second.over(lobby)["outcome"]
            assert [bot.wait(PATIENCE_S) for bot in playing] == [0, 0], [
                bot.output for bot in playing
            ]
            record = second.record(lobby, "journal")

    assert ended["outcome"] in {"win", "draw", "both_lost"}
    assert record.startswith(before[: before.rfind(b"\n") + 1])
    assert b'"e":"resumed"' in record
    assert verify(record, GAMES).kind == "ok"
