"""`botarena play`: who won, how fast, with which seed; what bots do wrong; records; from a moment
on."""

from __future__ import annotations

import re
import sys
import time

import pytest

from client_sdk.bot import house, play_headless
from client_sdk.local.headless import FinishedGame, results_row
from client_sdk.local.limits import Watchdog
from client_sdk.local.results import ending, line, score
from client_sdk.local.seated import SeatStats
from client_sdk.replay import read
from client_sdk.turn_limit import TurnLimit
from games import GAMES
from games.core.contract import outcome_json
from games.core.journal import lines
from games.core.match import Match
from tests.client_sdk.cli.conftest import HARMLESS, botarena, ended, program


def rows(text: str) -> dict[str, list[str]]:
    """The table's rows by their first column."""
    found = {}
    for row in text.splitlines():
        cells = [cell for cell in re.split(r"\s{2,}", row.strip()) if cell]
        if len(cells) in (10, 11) and cells[0] != "player":
            found.setdefault(cells[0], cells[1:])
    return found


def headless(game: str, bots: tuple[str, str], seed: int, config: dict | None = None) -> dict:
    match = Match.begin(GAMES[game], config or {}, seed)
    play_headless(match, [house(game, bot) for bot in bots])
    return outcome_json(match.outcome)


def test_one_match_prints_its_seed_and_its_winner():
    ran = ended(program("play", "botstack", "greedy", "trivial", "--seed", 12))

    assert ran.status == 0
    assert ran.err == ""
    outcome = headless("botstack", ("greedy", "trivial"), 12)
    assert re.match(
        re.escape(f"seed 12  {ending(('greedy', 'trivial'), outcome)}, turn ") + r"\d+\n", ran.out
    )
    for seat, name in enumerate(("greedy", "trivial")):
        way = outcome["seats"][seat]["outcome"]
        expected = [
            "1",
            str(int(way == "win")),
            "0",
            str(int(way in ("loss", "both_lost"))),
            str(outcome["seats"][seat]["score"]),
        ]
        assert expected == rows(ran.out)[name][:5]
    assert "\x1b" not in ran.out


def test_the_table_sums_up_the_games(cli):
    ran = cli("play", "botstack", "greedy", "trivial", "--seed", 3, "--games", 6)
    played = [headless("botstack", ("greedy", "trivial"), seed) for seed in range(3, 9)]

    for seat, name in enumerate(("greedy", "trivial")):
        mine = [outcome["seats"][seat] for outcome in played]
        ways = [one["outcome"] for one in mine]
        expected = [
            6,
            ways.count("win"),
            ways.count("draw"),
            ways.count("loss") + ways.count("both_lost"),
        ]
        assert [str(count) for count in expected] == rows(ran.out)[name][:4]
        assert score(sum(one["score"] for one in mine) / 6) == rows(ran.out)[name][4]
    assert [f"seed {seed}" for seed in range(3, 9)] == re.findall(r"^seed \d+", ran.out, re.M)


def test_a_double_loss_counts_as_a_loss_and_an_aborted_match_only_as_a_game():
    def game(*outcomes: str | None) -> FinishedGame:
        seats = [{"outcome": outcome, "score": 1} for outcome in outcomes]
        return FinishedGame(
            1, 1, (0, 1), {"seats": seats}, 9, [SeatStats(2, 4.0, 3.0, 1, 1, 1), SeatStats()]
        )

    sum_ = results_row(
        [
            game("both_lost", "both_lost"),
            game(None, None),
            game("draw", "draw"),
            game("win", "loss"),
        ],
        0,
    )

    assert (sum_.games, sum_.wins, sum_.draws, sum_.losses) == (4, 1, 1, 1)
    stats = sum_.stats
    assert (sum_.mean_s, stats.longest_s) == (2.0, 3.0)
    assert (stats.failed, stats.illegal, stats.late) == (4, 4, 4)


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        ({"outcome": "win", "winner": 1, "reason": "majority"}, "a 3 : 4.5 b  b wins (majority)"),
        (
            {"outcome": "draw", "winner": None, "reason": "max_turns"},
            "a 3 : 4.5 b  draw (max_turns)",
        ),
        (
            {"outcome": "forfeit", "winner": 0, "reason": "timeout"},
            "a 3 : 4.5 b  a wins by forfeit (timeout)",
        ),
        (
            {"outcome": "both_lost", "winner": None, "reason": "three_rounds"},
            "a 3 : 4.5 b  both lost (three_rounds)",
        ),
        (
            {"outcome": "aborted", "winner": None, "reason": "server_fault"},
            "a 3 : 4.5 b  aborted (server_fault)",
        ),
    ],
)
def test_endings_are_described_in_words(outcome, words):
    assert words == ending(("a", "b"), outcome | {"seats": [{"score": 3.0}, {"score": 4.5}]})


def test_swap_plays_every_seed_once_per_seat_order(cli):
    ran = cli("play", "botstack", "greedy", "trivial", "--seed", 3, "--games", 3, "--swap")

    assert re.findall(r"^seed (\d+)", ran.out, re.M) == ["3", "3", "4", "4", "5", "5"]
    for seed in (3, 4, 5):
        there, back = (
            headless("botstack", ("greedy", "trivial"), seed),
            headless("botstack", ("trivial", "greedy"), seed),
        )
        lines_printed = re.findall(rf"^seed {seed}  (\w+) (\d) : (\d) (\w+)", ran.out, re.M)
        assert [
            ("greedy", *(str(seat["score"]) for seat in there["seats"]), "trivial"),
            ("trivial", *(str(seat["score"]) for seat in back["seats"]), "greedy"),
        ] == lines_printed
    assert rows(ran.out)["greedy"][0] == "6"
    assert rows(ran.out)["as player 1"][0] == "3"


def test_a_bot_against_itself_with_swapped_seats_breaks_even(cli):
    ran = cli("play", "botstack", "greedy", "greedy", "--seed", 3, "--games", 5, "--swap")
    one, other = rows(ran.out)["greedy 1"], rows(ran.out)["greedy 2"]

    assert one[:5] == other[:5]


def test_many_games_print_a_table_and_lines_on_request(cli):
    short = cli("play", "botstack", "trivial", "trivial", "--seed", 5, "--games", 25)
    long = cli("play", "botstack", "trivial", "trivial", "--seed", 5, "--games", 25, "--lines")

    assert "25 games, seeds 5 to 29" in short.out
    assert not re.findall(r"^seed", short.out, re.M)
    assert len(re.findall(r"^seed", long.out, re.M)) == 25


def test_parameters_and_maps_reach_the_match(cli, tmp_path):
    cli(
        "play",
        "pyrat",
        "random",
        "random",
        "--seed",
        1,
        "--map",
        "learning",
        "--set",
        "max_turns=7",
        "--replay-dir",
        tmp_path,
    )
    record = read((tmp_path / "pyrat-1-1.replay.jsonl").read_bytes())

    assert record.header.config == {"max_turns": 7}
    assert record.outcome["reason"] == "max_turns"


def test_without_a_seed_a_random_one_is_used_and_printed(cli):
    printed = {
        re.search(r"seed (\d+)", cli("play", "botstack", "trivial", "trivial").out)[1]
        for _ in range(3)
    }

    assert len(printed) == 3


# --- what bots do wrong


def test_a_failing_bot_is_reported_once_and_its_faults_are_counted(cli, bot_file):
    broken = bot_file("return helper(view)\n\ndef helper():\n    pass")
    ran = cli("play", "botstack", broken, "trivial", "--seed", 1, "--games", 3)

    assert ran.status == 0
    assert ran.err.count("mine failed in decide, so its turn passes in silence (seed 1, turn") == 1
    assert "Reported once" in ran.err
    assert "mine.py" in ran.err
    assert int(rows(ran.out)["mine"][7]) > 3
    assert rows(ran.out)["trivial"][7] == "0"


def test_an_invalid_answer_that_an_api_replaces_counts_as_illegal(cli, tmp_path):
    file = tmp_path / "odd.py"
    body = "    def action(self, me, other, gun, next_bullet):\n        return 7\n"
    file.write_text(f"from client_sdk.api.botstack import Bot\n\n\nclass Odd(Bot):\n{body}")
    ran = cli("play", "botstack", file, "trivial", "--seed", 1)

    assert ran.err.count("action: expected one of (0, 1), got 7") == 1
    assert rows(ran.out)["odd"][7] == "0"
    assert int(rows(ran.out)["odd"][8]) > 1


def test_a_command_that_the_game_rejects_counts_as_illegal(cli, bot_file):
    ran = cli("play", "botstack", bot_file("return ['dance']"), "trivial", "--seed", 1)

    assert ran.err.count("mine gave a command that is not valid (seed 1, turn") == 1
    assert int(rows(ran.out)["mine"][8]) > 1


def test_an_exception_after_an_illegal_call_is_reported_too(cli, tmp_path):
    file = tmp_path / "clumsy.py"
    file.write_text(
        "class AI:\n    def run_turn(self):\n"
        "        self.player.units[0].move(None)\n        return self.no_such_thing\n"
    )
    ran = cli("play", "catastrophe", file, "greedy", "--seed", 1, "--set", "max_turns=4")

    assert "clumsy gave an answer that is not valid (seed 1, turn 0)" in ran.err
    assert "clumsy failed (seed 1, turn 0)" in ran.err
    assert "AttributeError: 'AI' object has no attribute 'no_such_thing'" in ran.err


def test_a_file_plays_by_the_time_limit_of_the_game_but_not_without_isolation(cli, tmp_path):
    (tmp_path / "slow.py").write_text(
        "import time\n"
        "from client_sdk.api.pyrat import Bot, Direction\n\n\n"
        "class Slow(Bot):\n"
        "    def think(self, state, ctx):\n"
        "        time.sleep(0.02)\n"
        "        return Direction.STAY\n",
        encoding="utf-8",
    )
    words = ["play", "pyrat", tmp_path / "slow.py", "greedy", "--set", "preset=tiny"]
    words += ["--set", "max_turns=3", "--seed", 1]

    late = cli(*words, "--set", "move_timeout_ms=10")
    assert rows(late.out)["slow"][7:] == ["0", "3"]
    assert "slow was late, so its turn passes in silence (seed 1, turn 0)" in late.err
    assert re.search(r"the answer took \d\d+ ms, the limit is 10 ms", late.err)
    for untimed in (
        ("--set", "move_timeout_ms=0"),
        ("--set", "move_timeout_ms=10", "--no-isolate"),
    ):
        ran = cli(*words, *untimed)
        assert (ran.err, rows(ran.out)["slow"][7:]) == ("", ["0", "0"])


@pytest.mark.parametrize("body", ["while True:\n    pass", "import time\ntime.sleep(600)"])
def test_a_bot_that_hangs_ends_the_run_with_its_line(cli, bot_file, monkeypatch, body):
    monkeypatch.setattr("client_sdk.local.seated.HANGS_S", 0.3)
    hanging = bot_file(body)
    ran = cli(
        "play",
        "botstack",
        hanging,
        "trivial",
        "--seed",
        1,
        "--set",
        "time_bank_ms=0",
        "--set",
        "decision_timeout_ms=50",
    )

    assert ran.status == 2
    assert re.search(r"mine has not returned from decide for .* \(seed 1, turn \d+\)", ran.err)
    assert re.search(r": mine\.py, line \d+, in decide\. .*--isolate", ran.err)


def test_a_turn_uses_the_bank_of_its_seat_and_gets_an_increment():
    limit = TurnLimit(1.0, bank_s=2.0, increment_s=0.5)

    assert limit.begin() == 3.0
    limit.end(2.0)
    assert limit.begin() == 2.5
    limit.end(0.1)
    assert limit.begin() == 3.0


def test_an_answer_after_the_time_limit_is_not_played(cli, bot_file):
    slow = bot_file("import time\nif view['round'] == 1:\n    time.sleep(0.003)\n" + HARMLESS)
    ran = cli("play", "botstack", slow, "trivial", "--seed", 1, "--time-limit", 2)

    assert int(rows(ran.out)["mine"][8]) > 0
    assert float(rows(ran.out)["mine"][6]) >= 3


@pytest.mark.parametrize(
    "fault",
    ["GeneratorExit", "type('Odd', (BaseException,), {})", "BaseExceptionGroup('a', [E()])"],
)
@pytest.mark.parametrize("isolate", ["--isolate", "--no-isolate"])
def test_whatever_a_bot_raises_costs_its_turn_only(cli, bot_file, fault, isolate):
    raising = bot_file(f"class E(KeyboardInterrupt): pass\nraise {fault}")
    ran = cli("play", "botstack", raising, "trivial", "--seed", 1, isolate)

    assert ran.status == 0, ran.err
    assert int(rows(ran.out)["mine"][7]) > 1
    assert rows(ran.out)["trivial"][7] == "0"
    assert "mine failed" in ran.err
    assert "mine.py" in ran.err


@pytest.mark.parametrize(
    ("top", "init", "why"),
    [
        ("", "raise SystemExit('no')", "mine.py: Mine leaves the program while it is created"),
        ("", "raise GeneratorExit", "mine.py, line 6: GeneratorExit"),
        ("raise GeneratorExit", "pass", "mine.py, line 2: GeneratorExit"),
        ("import os; os._exit(0)", "pass", "mine.py: leaves the program while it is loaded"),
        (
            "class E(Exception):\n    def __str__(self): raise ValueError\nraise E",
            "pass",
            "mine.py, line 4: E: (its text cannot be read)",
        ),
    ],
)
def test_a_bot_that_cannot_be_loaded_or_created_is_named(cli, tmp_path, top, init, why):
    file = tmp_path / "mine.py"
    file.write_text(
        f"from botarena import Bot\n{top}\nclass Mine(Bot):\n    game = 'botstack'\n"
        f"    def __init__(self):\n        {init}\n    def decide(self, view):\n        return []\n"
    )
    ran = cli("play", "botstack", file, "trivial", "--no-isolate")

    assert ran.status == 2
    assert why in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("isolate", [(), ("--isolate",)])
def test_an_answer_without_an_end_costs_the_turn(cli, bot_file, isolate):
    ran = cli("play", "botstack", bot_file("return iter(int, 1)"), "trivial", "--seed", 1, *isolate)

    assert ran.status == 0, ran.err
    assert "ValueError: more than 5000 commands in one answer" in ran.err
    assert int(rows(ran.out)["mine"][7]) > 1


def test_an_interrupt_that_a_bot_raises_costs_its_turn(cli, bot_file):
    ran = cli("play", "botstack", bot_file("raise KeyboardInterrupt"), "trivial", "--seed", 1)

    assert ran.status == 0, ran.err
    assert "mine failed in decide" in ran.err
    assert int(rows(ran.out)["mine"][7]) > 1


def test_ctrl_c_ends_the_run_although_a_bot_catches_it(cli, bot_file):
    press = "import signal\ntry:\n    signal.raise_signal(signal.SIGINT)\nexcept BaseException:\n"
    ran = cli("play", "botstack", bot_file(f"{press}    pass\n{HARMLESS}"), "trivial")

    assert (ran.status, ran.out) == (130, "")


def test_a_fault_is_shown_without_what_would_move_the_cursor(cli, bot_file):
    ran = cli("play", "botstack", bot_file("raise ValueError('\\x1b[2J')"), "trivial", "--seed", 1)

    assert "ValueError: \ufffd[2J" in ran.err
    assert "\x1b" not in ran.err


def test_bots_that_change_the_working_directory_play_and_are_recorded(
    cli, bot_file, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    for name in ("mine", "yours"):
        file = bot_file(HARMLESS, name)
        file.write_text(f"import os\nos.chdir('/')\n{file.read_text()}")
    ran = cli("play", "botstack", "mine.py", "yours.py", "--games", 2, "--replay-dir", "records")

    assert ran.status == 0, ran.err
    assert len(list(tmp_path.glob("records/*.journal.jsonl"))) == 2


def test_a_file_that_hangs_while_it_is_loaded_ends_the_run(cli, tmp_path, monkeypatch):
    monkeypatch.setattr("client_sdk.local.series.CALL_S", 0.3)
    (tmp_path / "mine.py").write_text("import time\ntime.sleep(600)\n")
    ran = cli("play", "pyrat", tmp_path / "mine.py", "greedy", "--seed", 1)

    assert ran.status == 2
    assert "mine has not returned from loading for" in ran.err
    assert "mine.py, line 2" in ran.err


def test_a_process_that_a_bot_forks_does_not_play_on(cli, bot_file, tmp_path):
    asked = tmp_path / "asked"
    body = (
        f"import os\nwith open({str(asked)!r}, 'a') as file:\n"
        "    file.write(f'{os.getpid()} ')\n"
        "if 'FORKED' in os.environ:\n    pass\n"  # whatever becomes of it, it is no bomb
        "elif child := os.fork():\n    os.waitpid(child, 0)\n"
        f"else:\n    os.environ['FORKED'] = '1'\n{HARMLESS}"
    )
    ran = cli("play", "botstack", bot_file(body), "trivial", "--seed", 1, "--no-isolate")

    assert ran.status == 0, ran.err
    assert ran.out.count("wins (") == 1
    assert len(set(asked.read_text().split())) == 1


@pytest.mark.parametrize("stream", ["None", "io.StringIO()"])
def test_a_bot_that_prints_elsewhere_takes_no_result_away(cli, bot_file, stream):
    body = f"import io, sys\nsys.stdout = sys.stderr = {stream}\nraise ValueError\n"
    ran = cli("play", "botstack", bot_file(body), "trivial", "--seed", 1, "--no-isolate")

    assert ran.status == 0, ran.err
    assert "wins" in ran.out
    assert "mine failed in decide" in ran.err


def test_the_place_where_a_bot_hangs_is_found_in_a_stack_of_any_depth():
    def deep(calls: int) -> str:
        return deep(calls - 1) if calls else Watchdog()._place()

    before = sys.getrecursionlimit()
    sys.setrecursionlimit(300_000)
    begun = time.process_time()
    try:
        assert "test_play.py" in deep(200_000)
    finally:
        sys.setrecursionlimit(before)
    assert time.process_time() - begun < 2.0


@pytest.mark.parametrize("leave", ["sys.exit(3)", "os._exit(3)"])
def test_a_bot_that_exits_does_not_end_the_program(cli, bot_file, leave):
    ran = cli("play", "botstack", bot_file(f"import os, sys\n{leave}"), "trivial", "--seed", 1)

    assert ran.status == 0
    assert "SystemExit: 3" in ran.err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (
            ["pyrt", "greedy", "random"],
            f"no game is called 'pyrt'; there are {', '.join(GAMES)}. Did you mean pyrat?",
        ),
        (
            ["pyrat", "gredy", "random"],
            "gredy: no house bot of pyrat (random, straight, greedy, tour, search), "
            "no .py or .c file and no command. "
            "Did you mean greedy?",
        ),
        (["pyrat", "nowhere.py", "random"], "nowhere.py: there is no such file"),
        (["mybot.py", "greedy"], "mybot.py: the game comes before the bots, one of pyrat, "),
        (["pyrat", "python '", "random"], "python ': this is no command: no closing quotation"),
        (["pyrat", "greedy"], "pyrat has 2 seats and needs as many players, got 1"),
        (
            ["zooscape", "greedy", "greedy"],
            "zooscape has 4 seats and needs as many players, got 2; --set seats=2 makes it as many",
        ),
        (
            ["pyrat", "greedy", "random", "--set", "widht=9"],
            "no parameter is called 'widht'. Did you mean width? (unknown_option)",
        ),
        (["pyrat", "greedy", "random", "--set", "width"], "--set: expected KEY=VALUE, got 'width'"),
        (["pyrat", "greedy", "random", "--config", "nope.toml"], "nope.toml: No such file"),
        (
            ["zooscape", "greedy", "--set", "seats=1", "--map", "generate:31|6|0.0|0.5"],
            "map_size=31, map_teleports=6, map_smoothness=0.0, map_openness=0.5 (bad_map)",
        ),
        (
            ["pyrat", "greedy", "random", "--set", "width=1"],
            "width: expected a whole number, 2 to 64, got 1 (bad_dimensions)",
        ),
        (["pyrat", "greedy", "random", "--map", "clasic"], "is called 'clasic'"),
        (["pyrat", "greedy", "random", "--map", '{"width":9}' * 500], "and no file) is called"),
        (["pyrat", "x" * 5000, "random"], "no house bot of pyrat"),
        (["pyrat", f"{'x' * 5000}.py", "random"], "there is no such file"),
        (["botstack", "greedy", "trivial", "--map", "x"], "is called 'x'"),
        (["pyrat", "greedy", "random", "--seed", "-1"], "--seed: expected a whole number"),
        (["pyrat", "greedy", "random", "--from", "nope.jsonl"], "--from: expected FILE@N"),
        (["pyrat", "greedy", "random", "--from", "nope.jsonl@3"], "nope.jsonl: No such file"),
        (
            ["pyrat", "greedy", "random", "--from", "a@1", "--seed", "3"],
            "--from takes seed, map and parameters",
        ),
    ],
)
def test_a_match_that_cannot_be_played_gives_one_clear_line(cli, words, why):
    ran = cli("play", *words)

    assert ran.status == 2
    assert ran.out == ""
    assert why in ran.err
    assert ran.err.startswith("botarena: ")
    assert ran.err.count("\n") == 1


def test_an_error_as_a_process_has_no_traceback(tmp_path):
    (tmp_path / "typo.py").write_text("def (:\n")
    ran = botarena("play", "pyrat", "typo.py", "random", cwd=tmp_path)

    assert (ran.status, ran.out) == (2, "")
    assert "typo.py, line 1: " in ran.err
    assert ran.err.count("\n") == 1


def test_a_bot_in_a_folder_with_a_space_in_its_name_is_a_file(cli, bot_file, tmp_path):
    (tmp_path / "my bots").mkdir()
    file = bot_file(HARMLESS).rename(tmp_path / "my bots" / "mine.py")
    ran = cli("play", "botstack", file, "greedy", "--seed", 3)

    assert (ran.status, ran.err) == (0, "")
    assert "mine" in rows(ran.out)


def test_a_folder_that_cannot_be_created_is_reported_before_a_match(cli, tmp_path):
    (tmp_path / "taken").write_text("")
    ran = cli("play", "pyrat", "greedy", "random", "--replay-dir", tmp_path / "taken")

    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"botarena: --replay-dir: {tmp_path / 'taken'}: File exists\n"


# --- records, and from a moment on


def test_replay_dir_holds_both_records_of_every_game(cli, tmp_path):
    ran = cli(
        "play",
        "botstack",
        "greedy",
        "trivial",
        "--seed",
        3,
        "--games",
        2,
        "--swap",
        "--replay-dir",
        tmp_path,
    )
    stems = ["botstack-3-1", "botstack-3-2", "botstack-4-3", "botstack-4-4"]

    assert sorted(
        f"{stem}.{kind}.jsonl" for stem in stems for kind in ("journal", "replay")
    ) == sorted(p.name for p in tmp_path.iterdir())
    assert read((tmp_path / "botstack-3-2.replay.jsonl").read_bytes()).names == (
        "trivial",
        "greedy",
    )
    assert "4 journals and replays in" in ran.out


def test_from_a_moment_recorded_commands_reach_the_recorded_ending(cli, games, tmp_path):
    journal = games / "botstack-12-1.journal.jsonl"
    text = journal.read_text(encoding="utf-8")
    players = ("recorded", "recorded")
    ran = cli("play", "botstack", *players, "--from", f"{journal}@30", "--replay-dir", tmp_path)
    recorded = (tmp_path / "botstack-12-1.journal.jsonl").read_text(encoding="utf-8")

    assert "greedy" not in ran.out
    assert hashes(text) == hashes(recorded)
    assert next(lines(recorded)).fields["from"] == 30
    assert cli("verify", tmp_path).status == 0


def hashes(journal: str) -> list[tuple[int, str]]:
    return [
        (one.fields["n"], one.fields["h"]) for one in lines(journal) if one.fields["k"] == "turn"
    ]


def test_from_a_moment_other_bots_play_another_match(cli, games):
    journal = games / "botstack-12-1.journal.jsonl"
    ran = cli("play", "botstack", "trivial", "trivial", "--from", f"{journal}@2", "--games", 2)

    assert re.findall(r"^seed (\d+)", ran.out, re.M) == ["12", "12"]


def test_from_a_turn_that_does_not_exist_the_range_is_reported(cli, games):
    last = read((games / "botstack-12-1.replay.jsonl").read_bytes()).turns()[-1]
    for turn in (last, 999):
        ran = cli(
            "play",
            "botstack",
            "trivial",
            "trivial",
            "--from",
            f"{games / 'botstack-12-1.journal.jsonl'}@{turn}",
        )
        assert ran.status == 2
        assert (
            f"no open turn {turn}; it goes up to turn {last}, where the match was over" in ran.err
        )


def test_from_a_replay_takes_the_journal_beside_it(cli, games):
    ran = cli(
        "play",
        "botstack",
        "trivial",
        "trivial",
        "--from",
        f"{games / 'botstack-12-1.replay.jsonl'}@20",
    )

    assert ran.status == 0


def test_watch_prints_one_line_per_turn_into_a_pipe(cli):
    ran = cli("play", "botstack", "greedy", "trivial", "--seed", 12, "--watch")

    turns = int(re.search(r", turn (\d+)$", ran.out, re.M)[1])
    assert len(re.findall(r"\[round \d, health", ran.out)) == turns + 1
    assert re.search(r"(greedy|trivial) shoots (greedy|trivial|itself): (live|blank)", ran.out)


# --- players that are programs


def test_commands_play_on_a_server_of_their_own(tmp_path):
    import sys

    program = f'"{sys.executable}" -m client_sdk.run botstack/trivial'
    ran = botarena(
        "play", "botstack", program, "greedy", "--seed", 3, "--swap", "--replay-dir", tmp_path
    )

    assert (ran.status, ran.err) == (0, "")
    for seating, names in ((1, ("trivial", "greedy")), (2, ("greedy", "trivial"))):
        assert names == read((tmp_path / f"botstack-3-{seating}.replay.jsonl").read_bytes()).names
    expected = [
        headless("botstack", seating, 3)
        for seating in (("trivial", "greedy"), ("greedy", "trivial"))
    ]
    assert [
        tuple(str(seat["score"]) for seat in outcome["seats"]) for outcome in expected
    ] == re.findall(r"^seed 3  \w+ (\d) : (\d) \w+", ran.out, re.M)
    assert float(rows(ran.out)["greedy"][5]) > 0
    assert botarena("verify", tmp_path).status == 0


def test_a_program_that_ends_early_is_reported_with_its_last_output():
    import sys

    ran = botarena(
        "play",
        "botstack",
        f'"{sys.executable}" -c "raise SystemExit(\'no engine here\')"',
        "greedy",
    )

    assert ran.status == 2
    assert "has ended with status 1 before the match began" in ran.err
    assert "no engine here" in ran.err
    assert "lines:" not in ran.err


@pytest.mark.parametrize("words", [("play", "botstack"), ("check-bot", "--game", "botstack")])
def test_a_program_that_reads_lines_gets_a_hint(words):
    import sys

    reads = f'"{sys.executable}" -c "import sys; sys.stdin.read()"'
    ran = botarena(*words, reads, *(["greedy"] if words[0] == "play" else []))

    assert ran.status != 0
    assert "put lines: in front of its command" in ran.err + ran.out


def test_a_line_names_players_in_seat_order():
    seats = [{"score": 1}, {"score": 2}]
    played = FinishedGame(
        1, 9, (1, 0), {"outcome": "win", "winner": 1, "reason": "majority", "seats": seats}, 12, []
    )

    assert (
        line(GAMES["pyrat"], ("a", "b"), played) == "seed 9  b 1 : 2 a  a wins (majority), turn 12"
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rules.json", '{"preset": "tiny", "max_turns": 3}'),
        ("rules.toml", 'preset = "tiny"\nmax_turns = 3'),
    ],
)
def test_a_file_gives_parameters_and_set_changes_them(cli, tmp_path, name, text):
    (tmp_path / name).write_text(text)
    words = ("play", "pyrat", "greedy", "random", "--seed", 1, "--config", tmp_path / name)

    assert "turn 3" in cli(*words).out
    assert "turn 5" in cli(*words, "--set", "max_turns=5").out


@pytest.mark.parametrize(
    ("text", "why"), [("[]", "expected an object of parameters"), ("{", "rules.json: Expecting")]
)
def test_a_file_that_holds_no_parameters_is_refused(cli, tmp_path, text, why):
    (tmp_path / "rules.json").write_text(text)
    ran = cli("play", "pyrat", "greedy", "random", "--config", tmp_path / "rules.json")

    assert ran.status == 2
    assert why in ran.err


def test_a_recorded_player_needs_a_record(cli):
    ran = cli("play", "pyrat", "greedy", "recorded")

    assert ran.status == 2
    assert "name one with --from" in ran.err
