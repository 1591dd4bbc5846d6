"""The bots of examples/: without the SDK, against the real server, under every policy for
silence."""

from __future__ import annotations

import shutil
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from client_sdk.process import BotProcess
from games import GAMES
from games.core.rerun import verify
from tests.e2e.arena import PATIENCE_S, Arena

EXAMPLES = Path(__file__).parents[2] / "examples"
NODE = shutil.which("node")
COMMANDS = {
    "python_raw": [sys.executable, str(EXAMPLES / "python_raw" / "bot.py")],
    "node": [NODE or "node", str(EXAMPLES / "node" / "bot.mjs")],
    "node with a websocket of its own": [
        NODE or "node",
        "--experimental-websocket",
        str(EXAMPLES / "node" / "bot.mjs"),
    ],
}
POLICIES = ("default", "strikes", "forfeit")
CONFIG = {"pyrat": {"preset": "tiny"}, "botstack": {}}


def command(example: str) -> list[str]:
    if example.startswith("node") and NODE is None:
        pytest.skip("there is no node here")
    return COMMANDS[example]


@pytest.mark.parametrize("faults", POLICIES)
@pytest.mark.parametrize("game", sorted(CONFIG))
@pytest.mark.parametrize(
    "examples", [("python_raw", "node"), ("node with a websocket of its own", "python_raw")]
)
def test_examples_play_a_whole_match_without_a_fault(
    examples: tuple[str, str], game: str, faults: str, arena: Arena
) -> None:
    programs = [command(example) for example in examples]
    rest = arena.rest
    lobby = rest.create(game, config=CONFIG[game], faults=faults)["lobby"]
    seats = [rest.join(lobby, game, example) for example in examples]
    with ExitStack() as stack:
        processes = [
            stack.enter_context(BotProcess(argv, url=seat["url"], token=seat["token"], game=game))
            for argv, seat in zip(programs, seats, strict=True)
        ]
        ended = [process.wait(PATIENCE_S) for process in processes]
    output = "".join(process.output for process in processes)
    assert ended == [0, 0], output
    result = arena.over(lobby)["outcome"]

    assert result["outcome"] in {"win", "draw", "both_lost"}, output
    assert [seat["timeouts"] for seat in result["seats"]] == [0, 0], output
    assert "refused" not in output
    for process, seat in zip(processes, seats, strict=True):
        assert "over: " in process.output
        assert seat["token"] not in output
    assert verify(arena.record(lobby, "journal"), GAMES).kind == "ok"


@pytest.mark.parametrize("example", sorted(COMMANDS))
def test_an_example_with_a_wrong_seat_says_so(example: str, arena: Arena) -> None:
    argv = command(example)
    url = f"ws{arena.url.removeprefix('http')}/ws/play"
    with BotProcess(argv, url=url, token="s_unknown", game="pyrat") as process:
        assert process.wait(PATIENCE_S) == 3, process.output
        assert "bad_token" in process.output
