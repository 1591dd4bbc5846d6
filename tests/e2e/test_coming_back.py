"""A seat that comes back knows everything that it needs to play on."""

from __future__ import annotations

import pytest

from tests.e2e.arena import Arena, eventually, hello, receive, send


@pytest.mark.parametrize("repeated", [True, False])
def test_a_new_process_at_an_old_seat_is_told_the_maze_however_seldom_it_is_told(repeated: bool, arena: Arena) -> None:
    config = {"preset": "tiny", "maze_every_turn": repeated, "move_timeout_ms": 0, "preprocessing_timeout_ms": 0}
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
            assert 1 == receive(first, "view")["turn"]
        with arena.socket("play") as second:
            assert rat["seat"] == hello(second, token=rat["token"])["seat"]
            start = receive(second, "start")
            assert (1, maze) == (start["turn"], start["view"]["maze"])
            view = receive(second, "view")
            assert (1, True, repeated) == (view["turn"], view["act"], "maze" in view["view"])
    eventually(lambda: arena.rest.lobby(lobby)["seats"][0]["connected"] is False)
