"""Zooscape over the real server: every kind of bot in a process of its own, with and without a
clock."""

from __future__ import annotations

from contextlib import ExitStack
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest

from client_sdk.process import BotProcess, python_bot
from games import GAMES
from games.core.rerun import verify
from tests.client_sdk.files import ZOOSCAPE_SERVICE
from tests.e2e.arena import PATIENCE_S, Arena

POWER_UPS = {"mean": 10, "std_dev": 1, "min": 5, "max": 15}
BOARD = {"map_size": 21, "power_up_interval": POWER_UPS, "power_up_distance_from_animals": 2}

SLOW = """
import time
from client_sdk.api.zooscape import Action, Bot, CellContent

class Slow(Bot):
    async def on_state(self, state):
        time.sleep(0.1)  # five ticks
        print("state", state.tick, state.skipped, state.me.queue_length, flush=True)
        way = state.way_to(CellContent.PELLET)
        return way.action if way else None
"""


def play(arena: Arena, tmp_path: Path, bots: list[str], **config: object) -> tuple[dict, list[str]]:
    """A whole match of these bots, files' texts or house bots; its outcome, and the output of
    each."""
    lobby = arena.rest.create("zooscape", config=config)["lobby"]
    with ExitStack() as stack:
        processes = []
        for number, bot in enumerate(bots):
            file = tmp_path / f"bot{number}.py"
            file.write_text(bot, encoding="utf-8")
            what = str(file) if "\n" in bot else bot
            seat = arena.rest.join(lobby, "zooscape", f"bot{number}")
            process = BotProcess(
                python_bot(what), url=seat["url"], token=seat["token"], game="zooscape"
            )
            processes.append(stack.enter_context(process))
        for process in processes:
            assert process.wait(PATIENCE_S) == 0, process.output
        outputs = [process.output for process in processes]
    outcome = arena.over(lobby)["outcome"]
    assert verify(arena.record(lobby, "journal"), GAMES).kind == "ok"
    return outcome, outputs


@pytest.mark.parametrize("tick_ms", [20, 0])
def test_every_kind_of_bot_plays_with_and_without_a_clock(
    tick_ms: int, arena: Arena, tmp_path: Path
) -> None:
    scaffold = (
        files("client_sdk.api.scaffold").joinpath("zooscape", "bot.py").read_text(encoding="utf-8")
    )
    bots = [scaffold, ZOOSCAPE_SERVICE, "zooscape/wanderer", "zooscape/greedy"]

    outcome, outputs = play(arena, tmp_path, bots, tick_ms=tick_ms, max_ticks=200, **BOARD)

    assert outcome["reason"] == "max_ticks"
    assert all(seat["score"] > 0 or seat["captured_count"] for seat in outcome["seats"]), outcome
    for text in outputs:
        # A command may be on its way when the last tick ends the match, and then only.
        late = "turn 200, command 1 was not carried out: game_not_running"
        lines = [line for line in text.splitlines() if late not in line]
        assert not [
            line
            for line in lines
            if any(word in line for word in ("refused", "failed", "expected", "not carried out"))
        ], text


def test_a_slow_bot_sees_the_newest_state_only(arena: Arena, tmp_path: Path) -> None:
    """It thinks for five ticks at a time: what it answers is five ticks late, and no more at the
    end than at the start."""
    _, (output,) = play(arena, tmp_path, [SLOW], seats=1, tick_ms=20, max_ticks=120, **BOARD)
    states = [
        tuple(map(int, line.split()[1:]))
        for line in output.splitlines()
        if line.startswith("state")
    ]

    ticks = [tick for tick, _, _ in states]
    assert 3 <= len(ticks) < 40
    assert [after - before - 1 for before, after in pairwise(ticks)] == [
        skipped for _, skipped, _ in states[1:]
    ]
    assert {0} == {queue for _, _, queue in states}
