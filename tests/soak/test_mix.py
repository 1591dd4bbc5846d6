"""Matches of all games at once, with bots and viewers that come and go: the server holds no more
afterwards than before."""

from __future__ import annotations

import contextlib
import itertools
import random
import threading
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from client_sdk.bot import Bot, house
from client_sdk.errors import ConnectionLost, ServerRefused
from client_sdk.run import play
from games import GAMES
from tests.e2e.arena import QUICK, Arena, hello, started
from tests.soak.inside import needs_proc, no_more, numbers, settled

AT_ONCE = 3
"""Matches."""
SLACK = 32 << 20
"""Bytes: the server remembers some hundred lobbies that are over, without their boards, and its
allocator keeps what it took."""


class Gone(BaseException):
    """A bot's program ends: no failure of a turn, which the SDK would take for silence."""


class Restless(Bot):
    """A house bot whose connection drops now and then, and that may leave for good."""

    def __init__(self, game: str, dice: random.Random) -> None:
        self.inner = house(game, "greedy")
        self.start_only = self.inner.start_only
        self._dice = dice
        self._leaves = dice.random() < 0.2

    def on_start(self, start: Any) -> None:
        self.inner.on_start(start)

    def decide(self, view: Any) -> Iterable[Any]:
        if self._dice.random() < 0.05:
            if self._leaves:
                raise Gone
            self.link._connection._socket.close()
        return self.inner.decide(view)


def play_one(arena: Arena, game: str, dice: random.Random) -> None:
    """One match, from the lobby to the result, with bots and viewers that come and go."""
    lobby = arena.rest.create(
        game, config=QUICK[game], seed=dice.randrange(1 << 30), clock={"startup_ms": 20_000}
    )
    seats = [arena.rest.join(lobby["lobby"], game, "restless") for _ in lobby["seats"]]
    bots = [
        threading.Thread(
            target=to_the_end,
            args=(Restless(game, random.Random(dice.random())), seat["url"], seat["token"]),
        )
        for seat in seats
    ]
    for bot in bots:
        bot.start()
    for _ in range(3):
        with arena.socket("watch") as viewer:
            hello(viewer, match=lobby["lobby"])
    for bot in bots:
        bot.join()
    arena.over(lobby["lobby"])


def to_the_end(bot: Bot, url: str, token: str) -> None:
    """Or until it is gone; one whose line broke at the very end does not hear of the end."""
    with contextlib.suppress(Gone, ServerRefused, ConnectionLost):
        play(bot, url, token)


@needs_proc
@pytest.mark.parametrize("seconds", [3, pytest.param(600, marks=pytest.mark.soak)])
def test_matches_of_all_games_leak_no_task_or_file_and_little_memory(
    tmp_path: Path, seconds: float, capsys: pytest.CaptureFixture[str]
):
    played: Counter[str] = Counter()
    faults: list[BaseException] = []
    games = itertools.cycle(sorted(GAMES))

    def worker(number: int) -> None:
        dice = random.Random(number)
        try:
            while time.monotonic() < ends or played.total() < len(GAMES):
                game = next(games)
                played[game] += 1
                play_one(arena, game, dice)
        except BaseException as fault:  # noqa: BLE001  reported below
            faults.append(fault)

    with started(tmp_path, BOTARENA_LOBBIES_PER_ADDRESS="0") as arena:
        play_one(arena, "pyrat", random.Random(0))
        before = settled(arena)
        ends = time.monotonic() + seconds
        workers = [threading.Thread(target=worker, args=(number,)) for number in range(AT_ONCE)]
        for one in workers:
            one.start()
        for one in workers:
            one.join()
        assert faults == []
        after = no_more(
            arena, before, lambda: numbers(arena)["botarena_connections"] == 0, memory=SLACK
        )

        assert set(played) == set(GAMES)
        assert arena.rest.lobbies(state="running") == []
        assert not [line for line in arena.log if "Traceback" in line or "level=error" in line]
    with capsys.disabled():
        print(
            f"\n{played.total()} matches, {dict(sorted(played.items()))}: before {before}; after "
            f"{after}"
        )
