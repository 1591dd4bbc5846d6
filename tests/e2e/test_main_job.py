"""What the project is for: bots in processes of their own play a match on a server, others watch,
and the record proves it."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from client_sdk.bots import HOUSE
from client_sdk.process import BotProcess, python_bot
from games import GAMES
from games.core.contract import SPECTATOR
from games.core.rerun import verify
from tests.e2e.arena import PATIENCE_S, QUICK, Arena, eventually, everything, hello, receive

OF_THEIR_OWN = {
    "pyrat": """
from client_sdk.api.pyrat import Bot, Direction

class Mine(Bot):
    name = "mine"
    def think(self, state, ctx):
        best = state.nearest_cheese()
        return best.first_moves[0] if best else Direction.STAY

if __name__ == "__main__":
    Mine().run()
""",
    "zooscape": """
from client_sdk.api.zooscape import Action, Bot

class Mine(Bot):
    name = "mine"
    def on_state(self, state):
        return Action.UP if state.tick % 2 else Action.LEFT

if __name__ == "__main__":
    Mine().run()
""",
    "botstack": """
from client_sdk.api.botstack import Bot

class Mine(Bot):
    name = "mine"
    def action(self, me, other, gun, next_bullet):
        return 1

if __name__ == "__main__":
    Mine().run()
""",
}


def cli(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "client_sdk.cli", *words],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )


@pytest.mark.parametrize("game", sorted(OF_THEIR_OWN))
def test_two_bots_play_a_whole_match_while_a_third_connection_watches(
    game: str, arena: Arena, tmp_path: Path
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(OF_THEIR_OWN[game])
    rest = arena.rest
    lobby = rest.create(game, seed=7, config=QUICK[game] if game == "zooscape" else {})["lobby"]
    mine, house = (rest.join(lobby, game, name) for name in ("mine", "house"))
    with arena.socket("watch") as spectator:
        hello(spectator, match=lobby)
        with (
            BotProcess([sys.executable, str(file)], game=game, **seat(mine)) as one,
            BotProcess(python_bot(f"{game}/greedy"), game=game, **seat(house)) as other,
        ):
            seen = everything(spectator)
            assert (one.wait(PATIENCE_S), other.wait(PATIENCE_S)) == (0, 0), (
                one.output + other.output
            )
    result = arena.over(lobby)["outcome"]
    journal = eventually(lambda: rest.journal(lobby)).encode()
    eventually(lambda: lobby in [entry["match"] for entry in rest.replays()])
    replay = rest.replay(lobby).encode()

    assert result["outcome"] in {"win", "draw", "both_lost"}
    assert [seat["timeouts"] for seat in result["seats"]] == [0, 0]
    assert verify(journal, GAMES).kind == "ok"
    kinds = [message["type"] for message in seen]
    assert kinds[0] == "start"
    assert kinds[-1] == "end"
    assert result == seen[-1]["outcome"]
    views = [message for message in seen if message["type"] == "view"]
    assert views[0]["turn"] == 0
    assert all(
        after["seq"] == before["seq"] + 1 + after["skipped"] for before, after in pairwise(views)
    ), "a view is lost"
    assert all(message["seat"] is SPECTATOR for message in seen if message["type"] == "start")
    for name, text in (("journal", journal), ("replay", replay)):
        (tmp_path / f"{lobby}.{name}.jsonl").write_bytes(text)
    assert cli("verify", *map(str, tmp_path.glob("*.jsonl"))).returncode == 0
    at = len(replay) // 2
    spoilt = replay[:at] + bytes([replay[at] ^ 1]) + replay[at + 1 :]
    (tmp_path / f"{lobby}.replay.jsonl").write_bytes(spoilt)
    verified = cli("verify", str(tmp_path / f"{lobby}.replay.jsonl"))
    assert verified.returncode == 1
    number = 1 + replay.count(b"\n", 0, at)
    assert f"line {number}" in verified.stdout


@pytest.mark.parametrize("game", sorted(HOUSE))
def test_house_bots_fill_a_lobby_and_leave_no_process_behind(game: str, arena: Arena) -> None:
    rest = arena.rest
    made = rest.create(game, bots=["greedy"], private=True, config=QUICK.get(game, {}))
    rest.start(made["lobby"], made["owner_token"])
    result = arena.over(made["lobby"], made["owner_token"])

    assert result["outcome"]["outcome"] in {"win", "draw", "both_lost"}
    assert verify(arena.record(made["lobby"], "journal"), GAMES).kind == "ok"
    eventually(lambda: not children(arena.process.pid))


def children(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


FIVE = ("botstack", "catastrophe", "cookoff", "pyrat", "zooscape")
ENDS = ("majority", "all_cheese", "max_turns", "max_ticks", "disconnect", "disconnected")


@pytest.mark.parametrize("game", sorted(HOUSE))
def test_the_opponent_of_a_killed_bot_wins(game: str, arena: Arena) -> None:
    rest = arena.rest
    lobby = rest.create(game, config=QUICK.get(game, {}))["lobby"]
    victim, other = (rest.join(lobby, game, name) for name in ("victim", "other"))
    with (
        BotProcess(
            python_bot(f"{game}/{next(iter(HOUSE[game]))}"), game=game, **seat(victim)
        ) as killed,
        BotProcess(python_bot(f"{game}/greedy"), game=game, **seat(other)),
        arena.socket("watch") as spectator,
    ):
        hello(spectator, match=lobby)
        while receive(spectator, "view")["turn"] < 5:
            pass
        killed.end()
        ended = everything(spectator)[-1]["outcome"]

    assert ended["outcome"] in {"win", "forfeit"}
    if game in FIVE:  # a game that is added has reasons of its own
        assert ended["reason"] in ENDS
    assert other["seat"] == ended["winner"]
    assert verify(arena.record(lobby, "journal"), GAMES).kind == "ok"


def seat(joined: dict[str, str]) -> dict[str, str]:
    return {"url": joined["url"], "token": joined["token"]}
