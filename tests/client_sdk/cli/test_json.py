"""What scripts read: `--json` and exit codes."""

from __future__ import annotations

import json

from games import GAMES


def test_play_prints_its_results_as_json(cli, tmp_path):
    words = ("play", "botstack", "greedy", "trivial", "--seed", 3, "--games", 2, "--swap")
    ran = cli(*words, "--json", "--replay-dir", tmp_path)
    result = json.loads(ran.out)

    assert (result["game"], ran.status) == ("botstack", 0)
    assert [(one["seed"], one["seating"]) for one in result["games"]] == [
        (3, [0, 1]),
        (3, [1, 0]),
        (4, [0, 1]),
        (4, [1, 0]),
    ]
    assert [player["player"] for player in result["players"]] == ["greedy", "trivial"]
    assert all(player["games"] == 4 for player in result["players"])
    assert len(list(tmp_path.iterdir())) == 8


def test_games_are_listed_and_described_as_json(cli):
    listed = json.loads(cli("games", "--json").out)
    one = json.loads(cli("games", "pyrat", "--json").out)

    assert [game["game"] for game in listed] == [*GAMES]
    assert one in listed
    assert "preset" in one["parameters"]
    assert "swamp" in one["maps"]


def test_verify_prints_a_line_of_json_for_each_file(cli, games):
    ran = cli("verify", games, "--json")
    verdicts = [json.loads(line) for line in ran.out.splitlines()]

    assert [one["verdict"] for one in verdicts] == ["ok"] * 4
    assert ran.status == 0


def test_check_bot_prints_its_grades_as_json(cli, tmp_path):
    (tmp_path / "typo.py").write_text("def (:\n")
    ran = cli("check-bot", tmp_path / "typo.py", "--game", "botstack", "--json")
    result = json.loads(ran.out)

    assert (result["ready"], ran.status) == (False, 1)
    assert [(phase["name"], phase["grade"]) for phase in result["phases"]] == [("load", "fail")]


def test_the_exit_code_tells_a_refusal_from_a_server_that_is_not_there(cli, server):
    words = ("greedy", "--game", "pyrat", "--lobby", "absent")

    assert cli("join", server, *words).status == 3
    assert cli("join", "http://127.0.0.1:9", *words).status == 4
    assert cli("join", server, "gredy", "--game", "pyrat").status == 2


def test_a_bot_that_cannot_play_is_not_entered(cli, server, bot_file, monkeypatch):
    monkeypatch.setenv("BOTARENA_KEY", "k_none")
    failing = bot_file("raise ValueError('no idea')")
    ran = cli("play-for", server, failing, "--game", "botstack", "--ladder")

    assert ran.status == 2
    assert "mine is not entered: " in ran.err
    assert "ValueError: no idea" in ran.err
