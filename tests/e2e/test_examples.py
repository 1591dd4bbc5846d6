"""The bots of examples/: without the SDK, against the real server, under every policy for
silence."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from client_sdk.process import BotProcess, python_bot
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
@pytest.mark.parametrize("example", sorted(COMMANDS))
def test_an_example_plays_a_whole_match_without_a_fault(
    example: str, game: str, faults: str, arena: Arena
) -> None:
    argv = command(example)
    rest = arena.rest
    lobby = rest.create(game, config=CONFIG[game], faults=faults)["lobby"]
    mine, house = (rest.join(lobby, game, name) for name in ("mine", "house"))
    with (
        BotProcess(argv, url=mine["url"], token=mine["token"], game=game) as one,
        BotProcess(
            python_bot(f"{game}/greedy"), url=house["url"], token=house["token"], game=game
        ) as other,
    ):
        assert (one.wait(PATIENCE_S), other.wait(PATIENCE_S)) == (0, 0), one.output + other.output
    result = arena.over(lobby)["outcome"]

    assert result["outcome"] in {"win", "draw", "both_lost"}, one.output
    assert [seat["timeouts"] for seat in result["seats"]] == [0, 0], one.output
    assert "refused" not in one.output
    assert "over: " in one.output
    assert mine["token"] not in one.output
    assert verify(arena.record(lobby, "journal"), GAMES).kind == "ok"


@pytest.mark.parametrize("example", sorted(COMMANDS))
def test_an_example_with_a_wrong_seat_says_so(example: str, arena: Arena) -> None:
    argv = command(example)
    url = f"ws{arena.url.removeprefix('http')}/ws/play"
    with BotProcess(argv, url=url, token="s_unknown", game="pyrat") as process:
        assert process.wait(PATIENCE_S) == 3, process.output
        assert "bad_token" in process.output
