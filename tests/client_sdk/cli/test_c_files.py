"""BotStack players in C with every verb that takes a bot's file."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from client_sdk.api.botstack_c import COMPILERS
from client_sdk.rest import RestClient
from games import GAMES
from games.core.rerun import verify
from tests.client_sdk.cli.test_tournament import toml

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, COMPILERS)), reason="no C compiler is installed"
)

PLAYER = """
#include "header.h"
#include <stdio.h>

int player1_abstain(Player self, Player other, Gun state, int opponentRequest) {
    return 0;
}

ItemAction player1_item(Player self, Player other, Gun state) {
    puts("thinking");
    return self.item1 == ITEM_HealthKit ? ACTION_Item1 : ACTION_NoItem;
}

TurnAction player1_action(Player self, Player other, Gun state, Bullet nextBullet) {
    return 2 * state.currentLiveBullets < state.currentBullets ? ACTION_ShootSelf
                                                               : ACTION_ShootOther;
}
"""


@pytest.fixture
def player(tmp_path):
    folder = tmp_path / "c bots"
    folder.mkdir()
    (folder / "player.c").write_text(PLAYER)
    return folder / "player.c"


def test_play_keeps_its_output_and_a_record_that_holds(cli, player, tmp_path):
    kept = ["--logs", tmp_path / "logs", "--replay-dir", tmp_path / "records"]
    ran = cli("play", "botstack", player, "greedy", "--seed", 1, "--no-isolate", *kept)

    assert ran.status == 0, ran.err
    assert "thinking" not in ran.out
    log = tmp_path / "logs" / "botstack-1-1-0-player.log"
    assert set(log.read_text().splitlines()) == {"thinking"}
    (journal,) = (tmp_path / "records").glob("*.journal.jsonl")
    assert verify(journal.read_bytes(), GAMES).kind == "ok"


def test_batch_compares_it(cli, player):
    ran = cli("batch", "botstack", player, "trivial", "--pairs", 2, "--jobs", 1, "--json")
    result = json.loads(ran.out)
    assert (result["bots"], result["pairs"], result["failed"]) == (["player", "trivial"], 2, [0, 0])


def test_check_bot_finds_it_ready(cli, player):
    ran = cli("check-bot", player, "--game", "botstack")
    assert ran.status == 0, ran.out + ran.err
    assert "a C file, called player" in ran.out
    assert "player: ready for a match of botstack" in ran.out


def test_check_bot_tells_file_and_line_of_an_error(cli, player):
    player.write_text(PLAYER.replace("return 0;", "return zero;"))
    ran = cli("check-bot", player, "--game", "botstack")
    assert ran.status == 1
    assert f"{player}, line 6: 'zero' undeclared" in ran.out.replace("\n", " ")


def test_join_plays_it_on_a_server(cli, player, server):
    with RestClient(server) as rest:
        lobby = rest.create("botstack", config={"decision_timeout_ms": 20_000})
        rest.add_bot(lobby["lobby"], "trivial", lobby["owner_token"])
        ran = cli("join", server, player, "--game", "botstack", "--lobby", lobby["lobby"])

    assert ran.status == 0, ran.err
    log = re.search(r"what player prints goes to (.*\.log)", ran.err)[1]
    assert "thinking" in Path(log).read_text()


def test_the_program_of_play_for_plays_it_on_a_server(player, server):
    with RestClient(server) as rest:
        lobby = rest.create("botstack", config={"decision_timeout_ms": 20_000})
        rest.add_bot(lobby["lobby"], "trivial", lobby["owner_token"])
        seat = rest.join(lobby["lobby"], "botstack", "player")
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "client_sdk.run", str(player)],
        env=os.environ
        | {
            "BOTARENA_URL": seat["url"],
            "BOTARENA_TOKEN": seat["token"],
            "BOTARENA_GAME": "botstack",
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "thinking" in ran.stdout


def test_a_tournament_plays_it(cli, player, monkeypatch):
    monkeypatch.chdir(player.parent)
    plan = toml(
        player.parent,
        "file = 'player.c'",
        "trivial",
        format="round-robin",
        matches_per_pairing=2,
    )
    ran = cli("tournament", "run", plan, "--jobs", 1)
    assert ran.status == 0, ran.out + ran.err
    assert "bot 1" in ran.out
    logs = [*(player.parent / "spring").glob("**/*.log")]
    assert any("thinking" in log.read_text() for log in logs)


def test_a_test_of_a_turn_needs_another_kind_of_bot(cli, player, tmp_path):
    cli("play", "botstack", player, "greedy", "--seed", 1, "--replay-dir", tmp_path / "records")
    (journal,) = (tmp_path / "records").glob("*.journal.jsonl")
    test = ["--at", 0, "--seat", 1, "--bot", player, "--test", tmp_path / "test_turn.py"]
    ran = cli("replay", journal, *test)
    assert ran.status == 2
    assert "it has to be a .py file or a house bot" in " ".join(ran.err.split())


def test_a_file_that_is_not_there_is_named(cli):
    ran = cli("play", "botstack", "nowhere.c", "greedy")
    assert (ran.status, "nowhere.c: there is no such file" in ran.err) == (2, True)
