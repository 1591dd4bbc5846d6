"""`botarena tournament`: a contest by one command; killing, continuing, showing and deciding."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from client_sdk.bots import HOUSE
from client_sdk.cli.tournament import decisions as verbs
from client_sdk.console import UserError
from client_sdk.local.pool import ENDED
from client_sdk.local.tournament import folder as folders
from client_sdk.local.tournament import plan as plans
from client_sdk.local.tournament.playing import Players, enter
from client_sdk.replay import JOURNAL_SUFFIX, REPLAY_SUFFIX
from client_sdk.sandbox import missing
from games import GAMES
from games.contest import as_json, pairings
from games.contest import verbs as deciding
from games.contest.format import DUEL
from games.contest.result import GameResult, result_of
from games.contest.tournament import Tournament
from games.core.journal import commitment, lines
from games.core.match import Match
from tests.client_sdk.cli.conftest import HARMLESS, Ran, botarena, environment
from tests.e2e.arena import QUICK
from tests.hostile.world import sandboxed

Cli = Callable[..., Ran]

FOUR = ("greedy", "trivial", "greedy", "trivial")


NO_WALL = missing() is not None


def toml(
    folder: Path,
    *bots: str,
    game: str = "botstack",
    name: str = "spring",
    more: str = "",
    trusted: bool = NO_WALL,
    **format_: Any,
) -> Path:
    """A plan's file: house bots by name, other bots as a line each, trusted where no sandbox is
    available."""
    trust = "\ntrusted = true" if trusted else ""
    lines = [bot + trust if "=" in bot else f"house = {bot!r}" for bot in bots]
    given = "\n".join(f"{key} = {json.dumps(value)}" for key, value in format_.items())
    tables = "".join(
        f"[[bots]]\nname = 'bot {number}'\n{line}\n" for number, line in enumerate(lines, 1)
    )
    file = folder / f"{name}.toml"
    file.write_text(
        f"name = 'Spring <contest>'\ngame = '{game}'\nseed = "
        f"7\n{more}\n[format]\n{given}\n{tables}",
        encoding="utf-8",
    )
    return file


def config_of(config: Mapping[str, Any]) -> str:
    """The plan's table of parameters."""
    return "\n".join(
        ["[config]", *(f"{key} = {json.dumps(value)}" for key, value in config.items()), ""]
    )


def follows(folder: Path) -> dict[str, Any]:
    """Everything that follows from a folder's log, the result of every game included."""
    _, tournament = folders.read(folder)
    return as_json.tournament(tournament) | {
        "games": {game: tournament.result(game) for game in tournament.fixtures}
    }


def records(folder: Path, suffix: str) -> set[str]:
    return {file.name.removesuffix(suffix) for file in (folder / "games").glob(f"*{suffix}")}


def agree(folder: Path) -> None:
    """Games, journals, replays and the table say the same: each game once, as its journal ends."""
    _, tournament = folders.read(folder)
    played = {
        folders.about(fact)["record"]: fact
        for fact in tournament.facts
        if fact.kind == "result" and fact.result
    }

    assert set(played) == records(folder, JOURNAL_SUFFIX) == records(folder, REPLAY_SUFFIX)
    assert sorted(tournament.fixtures) == sorted({fact.game for fact in played.values()})
    for record, fact in played.items():
        journal = (folder / "games" / f"{record}{JOURNAL_SUFFIX}").read_text(encoding="utf-8")
        *_, end = lines(journal)
        assert fact.result == result_of(end.fields["outcome"], tournament.format.forfeit_score)
        header = next(lines(journal)).fields
        assert [tournament.names[entry] for entry in fact.seats or ()] == [
            seat["name"] for seat in header["seats"]
        ]
        assert tournament.fixtures[fact.game or ""].seed == header["seed"]
    ranked = sum(row.played for row in tournament.rows)
    assert ranked == DUEL * sum(
        fact.game is not None and fact.game.startswith("rr-") for fact in played.values()
    )


@pytest.fixture(scope="session")
def spring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a plan, spring.toml, and its tournament, finished."""
    folder = tmp_path_factory.mktemp("contest")
    ran = botarena(
        "tournament", "run", toml(folder, *FOUR, matches_per_pairing=2), "--jobs", 1, cwd=folder
    )
    assert (ran.status, ran.err) == (0, "")
    (folder / "output.txt").write_text(ran.out, encoding="utf-8")
    return folder


@pytest.fixture
def copy(spring: Path, tmp_path: Path) -> Path:
    """The same for a test of its own."""
    return Path(shutil.copytree(spring, tmp_path / "copy"))


# --- running --------------------------------------------------------------------------------------


def test_one_command_plays_a_tournament_from_start_to_final_ranking(spring):
    output = (spring / "output.txt").read_text(encoding="utf-8")
    found = follows(spring / "spring")

    assert found["state"] == "finished"
    assert [match["match"] for match in found["bracket"]] == ["SF1", "SF2", "P3", "F"]
    assert re.search(rf"^  1\. {found['placings'][0]}$", output, re.MULTILINE)
    for row in found["standings"]:
        assert re.search(
            rf"^ *{row['rank']} +{row['id']} +{row['played']} ", output, re.MULTILINE
        ), row
    assert re.search(
        r"^\d+ games in [\d.]+ s, [\d.]+ games/s, 1 at a time; records in", output, re.MULTILINE
    )
    assert "\x1b" not in output
    assert re.match(r"result rr-1 bot \d – bot \d \d : \d\n", output)


def test_games_records_and_table_agree(spring, cli):
    agree(spring / "spring")

    assert cli("verify", spring / "spring" / "games").status == 0


def test_an_existing_tournament_is_continued_only_on_request(copy, cli, monkeypatch):
    monkeypatch.chdir(copy)
    before = (copy / "spring" / "facts.jsonl").read_bytes()

    ran = cli("tournament", "run", "spring.toml")
    assert (ran.status, "--resume" in ran.err) == (2, True)
    assert cli("tournament", "run", "spring.toml", "--resume").status == 0
    assert before == (copy / "spring" / "facts.jsonl").read_bytes()


def test_a_tournament_is_not_continued_with_another_plan(copy, cli, monkeypatch):
    monkeypatch.chdir(copy)
    for bots, matches, field in ((FOUR, 4, "format"), (FOUR[:3], 2, "bots")):
        ran = cli("tournament", "run", toml(copy, *bots, matches_per_pairing=matches), "--resume")

        assert ran.status == 2
        assert f"another {field};" in ran.err
    assert (
        cli(
            "tournament", "run", toml(copy, *FOUR, matches_per_pairing=2), "--resume", "--seed", 8
        ).status
        == 2
    )


def test_two_processes_do_not_write_into_one_folder(copy, cli):
    with folders.opened(copy / "spring"):
        ran = cli("tournament", "disqualify", copy / "spring", "bot 1")

    assert (ran.status, "another process is using this tournament" in ran.err) == (2, True)
    assert cli("tournament", "disqualify", copy / "spring", "bot 1").status == 0


# --- killed ---------------------------------------------------------------------------------------

DYING = """
import multiprocessing, os, signal, sys
from pathlib import Path
from client_sdk.cli import run
from client_sdk.local.tournament.folder import Folder

facts, how = int(sys.argv[1]), sys.argv[2]
add = Folder.add

def adds(self, *more):
    dies = len(self.tournament.facts) >= facts
    if dies and how == "halfway":
        self._log.write(b'{"kind":"result","game":"rr-')
        self._log.flush()
    elif not dies or how == "after":
        add(self, *more)
    if dies:
        children = [str(child.pid) for child in multiprocessing.active_children()]
        Path("children").write_text(" ".join(children))
        os.kill(os.getpid(), signal.SIGKILL)

Folder.add = adds
run(sys.argv[3:])
"""


def killed(folder: Path, facts: int, how: str, *words: object) -> None:
    """Play until the log has this number of facts and the next one is to be written; then kill the
    program."""
    ran = subprocess.run(
        [sys.executable, "-c", DYING, str(facts), how, "tournament", "run", *map(str, words)],
        cwd=folder,
        env=environment(),
        capture_output=True,
        timeout=120,
    )
    assert ran.returncode == -signal.SIGKILL, ran.stderr
    gone = time.monotonic() + 30
    while any(Path(f"/proc/{pid}").exists() for pid in (folder / "children").read_text().split()):
        assert time.monotonic() < gone, "the processes that played outlive the one that was killed"
        time.sleep(0.02)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such kill")
def test_a_tournament_killed_at_any_moment_has_the_same_results(spring, tmp_path, cli, monkeypatch):
    """Before a fact is written, in the middle of its line, after it; in stage 1 and in the
    bracket."""
    monkeypatch.chdir(tmp_path)
    file = shutil.copy(spring / "spring.toml", tmp_path)
    setup = len(FOUR) + 1 + len(FOUR)  # entered, closed, checked
    killed(tmp_path, setup + 3, "before", file, "--jobs", 2)
    assert len(records(tmp_path / "spring", JOURNAL_SUFFIX)) > 3  # a record that no fact names
    killed(tmp_path, setup + 7, "halfway", file, "--resume", "--jobs", 1)
    killed(tmp_path, setup + 13, "after", file, "--resume", "--jobs", 1)
    assert follows(tmp_path / "spring")["state"] == "bracket"

    assert cli("tournament", "run", file, "--resume", "--jobs", 1).status == 0

    assert follows(spring / "spring") == follows(tmp_path / "spring")
    agree(tmp_path / "spring")
    assert all(fact.attempt in (None, 1) for fact in folders.read(tmp_path / "spring")[1].facts)


DYING_PLAYER = """
import os, signal, sys
from pathlib import Path
from client_sdk.cli import run
from client_sdk.local import games

play = games.play

def plays(task):
    if task.record.startswith("rr-2_") and not Path("died").exists():
        Path("died").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return play(task)

games.play = plays
if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such kill")
def test_a_killed_match_process_costs_no_bot_anything(tmp_path):
    (tmp_path / "dying.py").write_text(DYING_PLAYER, encoding="utf-8")
    file = toml(tmp_path, "greedy", "trivial", format="round-robin", matches_per_pairing=3)
    ran = subprocess.run(
        [sys.executable, "dying.py", "tournament", "run", file, "--jobs", "1"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == f"rr-2: {ENDED}\n"
    _, tournament = folders.read(tmp_path / "spring")
    tried = [
        (fact.game, fact.attempt, fact.result is not None)
        for fact in tournament.facts
        if fact.kind == "result"
    ]
    assert tried == [("rr-1", 1, True), ("rr-2", 1, False), ("rr-2", 2, True), ("rr-3", 1, True)]
    assert pairings.match_seed(7, "rr", 1, 2, 0) == tournament.fixtures["rr-2"].seed
    agree(tmp_path / "spring")


# --- the plan -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", HOUSE)
def test_a_plan_with_explicit_defaults_is_the_same_plan(game, tmp_path, cli):
    (tmp_path / "mine.py").write_text("x = 1\n", encoding="utf-8")
    house = next(iter(HOUSE[game]))
    file = toml(
        tmp_path,
        house,
        "file = 'mine.py'",
        f"command = {json.dumps(shlex.join([sys.executable, 'mine.py']))}",
        game=game,
        more=f"{config_of(QUICK.get(game, {}))}[clock]\nturn_ms = 250\n[limits]\ncpu_s = 9\n",
        forfeit_score=[5, 1],
        **{"points.draw": 2},
    )
    (tmp_path / "elsewhere").mkdir()
    saved = tmp_path / "elsewhere" / "full.toml"

    assert cli("tournament", "run", file, "--save-as", saved).status == 0
    assert plans.read(file) == plans.read(saved)
    assert (
        saved.read_text(encoding="utf-8") == cli("tournament", "run", saved, "--save-as", "-").out
    )
    given = tomllib.loads(saved.read_text(encoding="utf-8"))
    assert given["format"]["points"] == {"win": 3, "draw": 2, "loss": 0, "both_lost": -1}
    assert given["format"].keys() >= {"best_of", "max_extra_games", "bracket_size"}
    assert not (tmp_path / "spring").exists()


TWO = "[[bots]]\nhouse = 'greedy'\n[[bots]]\nhouse = 'trivial'\n"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("game = =\n", "line 1"),
        ("", "game: expected a text, got nothing"),
        ("game = 7", "game: expected a text, got 7"),
        ("game = 'botstak'", "Did you mean botstack?"),
        ("game = 'botstack'\nmode = 1", "mode: there is no such field"),
        ("game = 'botstack'\nseed = -1", "seed: expected a whole number"),
        ("game = 'botstack'\nseed = true", "seed: expected a whole number"),
        ("game = 'botstack'\nmap = 'nowhere'", "nowhere"),
        ("game = 'pyrat'\nmap = 'plan.toml'\nbots = []", "map: "),
        ("game = 'botstack'\nconfig = 3", "config: expected a table"),
        ("game = 'botstack'\nconfig = 'no.json'", "no.json: No such file"),
        ("game = 'botstack'\n[config]\nstart_health = 0", "config.start_health: expected"),
        (
            "game = 'botstack'\n[config]\nhealth = 1",
            "config.health: no parameter is called 'health'",
        ),
        ("game = 'botstack'\n[format]\nbest_of = 2", "format.best_of: expected an odd number"),
        (
            "game = 'botstack'\n[format]\nformat = 'league'",
            "format.format: expected one of contest",
        ),
        (
            "game = 'botstack'\n[format]\nbracket_size = 6",
            "format.bracket_size: expected one of 2, 4, 8, 16",
        ),
        ("game = 'botstack'\n[format]\npoints = {won = 3}", "format.points: expected win, draw"),
        (
            "game = 'botstack'\n[format]\npoints = {win = 0.5}",
            "format.points: expected whole numbers",
        ),
        (
            "game = 'botstack'\n[format]\nforfeit_score = [1]",
            "format.forfeit_score: expected two whole numbers",
        ),
        (
            "game = 'botstack'\n[format]\nseats_per_match = 4",
            "format.seats_per_match: botstack cannot be played by 4",
        ),
        (
            "game = 'botstack'\n[clock]\nturn_ms = 0",
            "clock.turn_ms: expected a whole number, 1 to 604800000",
        ),
        ("game = 'botstack'\n[clock]\nbank = 0", "clock.bank: there is no such field"),
        (
            "game = 'botstack'\n[limits]\nmemory_mb = -1",
            "limits.memory_mb: expected a whole number, 0 to 8796093022207",
        ),
        (
            "game = 'botstack'\n[limits]\nsandbox = 'brick'",
            "limits.sandbox: expected one of none, bubblewrap",
        ),
        ("game = 'botstack'\n[limits]\nmemory = 1", "limits.memory: there is no such field"),
        ("game = 'botstack'", "bots: expected [[bots]] tables"),
        ("game = 'botstack'\nbots = [1]", "bots: expected [[bots]] tables"),
        (
            "game = 'botstack'\n[[bots]]",
            "bots[1]: expected one of house, file, command, lines, lux, got none",
        ),
        ("game = 'botstack'\n[[bots]]\nhouse = 'greedy'\nfile = 'x.py'", "got house, file"),
        ("game = 'botstack'\n[[bots]]\nhouse = 'greed'", "Did you mean greedy?"),
        (
            "game = 'botstack'\n[[bots]]\nfile = 'nowhere.py'",
            "bots[1].file: nowhere.py: there is no such .py or .c file",
        ),
        ("game = 'botstack'\n[[bots]]\ncommand = 'no-such-program x'", "bots[1].command: "),
        (
            "game = 'botstack'\n[[bots]]\nhouse = 'greedy'\nname = ' '",
            "bots[1].name: expected 1 to 64 characters",
        ),
        (
            "game = 'botstack'\n[[bots]]\nhouse = 'greedy'\n" + TWO,
            "bots[2].name: 'greedy' is taken",
        ),
        (
            "game = 'botstack'\n[[bots]]\nhouse = 'greedy'\nname = '\u3164'",
            "bots[1].name: expected a name without invisible",
        ),
        (
            "game = 'botstack'\n[[bots]]\nhouse = 'greedy'\nname = 'greedy\u2800'",
            "bots[1].name: expected a name without invis",
        ),
        (
            "game = 'botstack'\n[[bots]]\nhouse = 'greedy'\nname = ' greedy'\n" + TWO,
            "bots[2].name: 'greedy' is taken",
        ),
        (
            "game = 'botstack'\n[[bots]]\nhouse = 'greedy'\nname = '\uff47reedy'\n" + TWO,
            "bots[2].name: 'greedy' is taken",
        ),
        (
            "name = '\u3164'\ngame = 'botstack'\n[[bots]]\nhouse = 'greedy'",
            "name: expected a name without invisible",
        ),
        (
            "game = 'botstack'\n[[bots]]\nhouse = 'greedy'\nelo = 1",
            "bots[1].elo: there is no such field",
        ),
        (
            "game = 'botstack'\n[[bots]]\nhouse = 'greedy'\ntrusted = true",
            "bots[1].trusted: there is no such field",
        ),
        (
            "game = 'botstack'\n[[bots]]\nfile = 'mine.py'\ntrusted = 1",
            "bots[1].trusted: expected true or false",
        ),
        (
            "game = 'botstack'\n[[bots]]\nfile = 'mine.py'\nfiles = 'x'",
            "bots[1].files: expected a list of texts",
        ),
        (
            "game = 'botstack'\n[[bots]]\nfile = 'mine.py'\nfiles = ['x']",
            "there is no such file in the bot's folder",
        ),
        (
            "game = 'botstack'\n[[bots]]\nfile = 'mine.py'\nfiles = ['/etc']",
            "there is no such file in the bot's folder",
        ),
        (
            "game = 'botstack'\n[[bots]]\ncommand = 'python'\nfolder = 'x'",
            "bots[1].folder: 'x': there is no such folder",
        ),
        (
            "game = 'botstack'\n[limits]\nreadable = ['/nowhere']",
            "limits.readable: /nowhere: there is no such file or folder",
        ),
        (
            f"game = 'pyrat'\n[config]\nwidth = 0x{'f' * 5_000}",
            "config.width: expected a text, a number that is not too large",
        ),
        (
            f"game = 'pyrat'\n[config]\nwidth{'.a' * 900} = 1",
            "nested too deep",
        ),
        ("name = 1979-05-27\ngame = 'pyrat'", "name: expected a text"),
        ('game = "pyrat"\nconfig = "\\u0000"', "Invalid argument"),
        ("game = 'pyrat'\n[clock]\nturn_ms = 9223372036854775807", "clock.turn_ms: expected"),
        ("game = 'pyrat'\n[limits]\nmemory_mb = 9223372036854775807", "limits.memory_mb: expected"),
    ],
)
def test_a_fault_in_the_plan_is_reported_with_its_field(text, named, tmp_path):
    file = tmp_path / "plan.toml"
    file.write_text(text, encoding="utf-8")
    (tmp_path / "mine.py").touch()

    with pytest.raises(UserError) as fault:
        plans.read(file)

    assert str(fault.value).startswith(f"{file}: ")
    assert named in str(fault.value)


def test_a_bad_plan_creates_nothing(tmp_path, cli, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = cli("tournament", "run", toml(tmp_path, "greedy", best_of=2))

    assert (ran.status, "best_of" in ran.err) == (2, True)
    assert [file.name for file in tmp_path.iterdir()] == ["spring.toml"]


def test_without_a_seed_one_is_drawn_and_kept(tmp_path, cli, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = toml(tmp_path, "greedy", "trivial", format="knock-out", best_of_final=1)
    file.write_text(file.read_text(encoding="utf-8").replace("seed = 7\n", ""), encoding="utf-8")
    plan = plans.read(file)
    folders.create(tmp_path / "one", plan.seeded())
    folders.create(tmp_path / "other", plan.seeded())

    assert plan.seed is None
    assert (
        plans.read(tmp_path / "one" / folders.PLAN).seed
        != plans.read(tmp_path / "other" / folders.PLAN).seed
    )
    assert cli("tournament", "run", file, "--out", "one", "--resume", "--jobs", 1).status == 0


# --- bots that are files and commands -------------------------------------------------------------


def test_files_play_isolated_and_one_that_fails_its_check_is_left_out(
    bot_file, tmp_path, cli, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    bot_file(HARMLESS, "mine")
    bot_file("raise ValueError('always')", "raises")
    (tmp_path / "broken.py").write_text("greedy = bytearray(900 << 20)\n", encoding="utf-8")
    bot_file(
        "print('hello from', view['turn'])\nos = __import__('os')\nopen('written', "
        f"'w').close()\n{HARMLESS}",
        "loud",
    )
    plan = toml(
        tmp_path,
        *(f"file = '{name}.py'" for name in ("mine", "raises", "broken", "loud")),
        more="[limits]\nmemory_mb = 512\n",
        format="round-robin",
        matches_per_pairing=1,
    )
    ran = cli("tournament", "run", plan, "--jobs", 2)

    assert (ran.status, ran.err) == (0, "")
    assert "–  bot 2 (left out: failed on every turn)" in ran.out
    assert re.search(r"–  bot 3 \(left out: .*broken\.py, line 1: MemoryError", ran.out)
    found = follows(tmp_path / "spring")
    assert {"bot 1", "bot 4"} == {row["id"] for row in found["standings"]}
    agree(tmp_path / "spring")
    logs = {
        file.name: file.read_text(encoding="utf-8")
        for file in (tmp_path / "spring" / "logs").iterdir()
    }
    assert any("hello from " in text for name, text in logs.items() if name.startswith("rr-1"))
    assert any(
        "ValueError: always" in text for name, text in logs.items() if name.startswith("check-2")
    )
    assert not (tmp_path / "written").exists()


def test_a_file_plays_as_it_was_when_entries_closed(bot_file, tmp_path):
    mine = tmp_path / "ada" / "mine.py"
    mine.parent.mkdir()
    bot_file(HARMLESS, "mine").rename(mine)
    (tmp_path / "ada" / "table.json").write_text("{}", encoding="utf-8")
    folders.create(
        tmp_path / "ada" / "new", plans.read(toml(tmp_path, "file = 'ada/mine.py'", "greedy"))
    )
    with folders.opened(tmp_path / "ada" / "new") as folder:
        enter(folder)
        mine.write_text("raise SystemExit\n", encoding="utf-8")
        enter(folder)
        (copy,) = (tmp_path / "ada" / "new").rglob("mine.py")
        task = Players(folder, None).task(folder.tournament.due[0])

    assert copy == Path(task.players[0].spec)
    assert "SystemExit" not in copy.read_text(encoding="utf-8")
    assert (copy.parent / "table.json").exists()
    assert not (copy.parent / "new").exists()  # the contest is no part of a bot beside it


def test_commands_play_on_a_server_and_an_absent_one_forfeits(bot_file, tmp_path, cli, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])
    bot_file(HARMLESS, "mine")
    mine, absent = (
        f"command = {json.dumps(f'{shlex.quote(sys.executable)} {rest}')}"
        for rest in ("mine.py", "-c 0")
    )
    file = toml(
        tmp_path,
        "greedy",
        mine,
        absent,
        format="knock-out",
        best_of_final=1,
        max_extra_games=0,
        check=False,
    )
    ran = cli("tournament", "run", file, "--jobs", 1)

    assert ran.status == 0, ran.err
    assert "SF2-1: bot 3 has ended with status 0 before the match began" in ran.err
    _, tournament = folders.read(tmp_path / "spring")
    assert (tournament.how("SF2-1"), tournament.how("F-1")) == ("forfeit", "played")
    assert (tournament.places or ())[2] == 3
    assert {f"F-1_1v2_1{suffix}" for suffix in (JOURNAL_SUFFIX, REPLAY_SUFFIX)} == {
        file.name for file in (tmp_path / "spring" / "games").iterdir()
    }
    assert cli("verify", tmp_path / "spring" / "games").status == 0


# --- trust ----------------------------------------------------------------------------------------


@pytest.fixture
def no_sandbox(monkeypatch):
    monkeypatch.setattr("client_sdk.sandbox.missing", lambda: "it takes Linux")


def small(folder: Path, *bots: str, more: str = "") -> Path:
    return toml(
        folder,
        *bots,
        more=more,
        trusted=False,
        format="knock-out",
        best_of_final=1,
        max_extra_games=0,
    )


def test_without_a_sandbox_untrusted_bots_do_not_play(
    no_sandbox, bot_file, tmp_path, cli, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    bot_file(HARMLESS, "mine")
    ran = cli("tournament", "run", small(tmp_path, "file = 'mine.py'", "greedy"))

    assert ran.status == 2
    assert "limits.sandbox: there is no sandbox (it takes Linux)" in ran.err
    assert "Not trusted: bot 1. Say trusted = true" in ran.err
    assert not (tmp_path / "spring").exists()


@pytest.mark.parametrize(("more", "option"), [("trusted = true", []), ("", ["--trust-bots"])])
def test_trusted_bots_without_a_sandbox_play_with_a_warning(
    no_sandbox, bot_file, tmp_path, cli, monkeypatch, more, option
):
    monkeypatch.chdir(tmp_path)
    bot_file(HARMLESS, "mine")
    plan = small(tmp_path, f"file = 'mine.py'\n{more}", "greedy")
    ran = cli("tournament", "run", plan, "--jobs", 1, *option)

    assert (ran.status, ran.err) == (
        0,
        "no sandbox (it takes Linux): bot 1 can do all that you can\n",
    )
    assert follows(tmp_path / "spring")["state"] == "finished"


def test_a_bot_can_be_trusted_later(no_sandbox, bot_file, tmp_path, cli, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bot_file(HARMLESS, "mine")
    folders.create(tmp_path / "spring", plans.read(small(tmp_path, "file = 'mine.py'", "greedy")))

    assert cli("tournament", "run", "spring.toml", "--resume", "--jobs", 1).status == 2
    assert (
        cli("tournament", "run", "spring.toml", "--resume", "--jobs", 1, "--trust-bots").status == 0
    )


def test_a_plan_without_a_sandbox_accepts_trusted_bots_only(bot_file, tmp_path, cli, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bot_file(HARMLESS, "mine")
    ran = cli(
        "tournament",
        "run",
        small(tmp_path, "file = 'mine.py'", "greedy", more="[limits]\nsandbox = 'none'\n"),
    )
    assert (ran.status, "there is no sandbox (the plan says none)" in ran.err) == (2, True)


@sandboxed
def test_a_folder_that_every_bot_can_read_is_refused(bot_file, tmp_path, cli, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bot_file(HARMLESS, "mine")
    ran = cli(
        "tournament",
        "run",
        small(tmp_path, "file = 'mine.py'", "greedy", more="[limits]\nreadable = ['.']\n"),
    )
    assert (ran.status, f"in the sandbox bots can read {tmp_path}" in ran.err) == (2, True)


def test_a_bots_missing_dependency_is_named(bot_file, tmp_path):
    bot_file(HARMLESS, "mine")
    bot_file(HARMLESS, "theirs")
    (tmp_path / "table.json").write_text("{}", encoding="utf-8")
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "helper.py").write_text("", encoding="utf-8")
    plan = plans.read(
        toml(tmp_path, "file = 'mine.py'\nfiles = ['lib', 'table.json']", "file = 'theirs.py'")
    )
    folders.create(tmp_path / "new", plan)
    with folders.opened(tmp_path / "new") as folder:
        enter(folder)
    copied = {
        path.relative_to(tmp_path / "new" / "bots").as_posix()
        for path in (tmp_path / "new" / "bots").rglob("*.*")
    }

    assert {f"1/{tmp_path.name}/{name}" for name in ("mine.py", "table.json", "lib/helper.py")} | {
        f"2/{tmp_path.name}/theirs.py"
    } == copied


@pytest.mark.parametrize("trusted", ["trusted = true"] if NO_WALL else ["trusted = true", ""])
def test_a_command_runs_in_its_folder(trusted, tmp_path, cli, monkeypatch):
    """With the sandbox from a copy: what it writes there is gone."""
    (tmp_path / "contest" / "ada").mkdir(parents=True)
    (tmp_path / "contest" / "ada" / "bot.py").write_text(BESIDE, encoding="utf-8")
    (tmp_path / "contest" / "ada" / "helper.py").write_text(
        "TARGET = 'opponent'\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    command = json.dumps(f"{shlex.quote(sys.executable)} bot.py")
    plan = small(tmp_path / "contest", f"command = {command}\nfolder = 'ada'\n{trusted}", "trivial")
    ran = cli("tournament", "run", plan, "--jobs", 1)

    assert ran.status == 0, ran.err
    assert follows(tmp_path / "spring")["state"] == "finished"
    assert folders.read(tmp_path / "spring")[1].how("F-1") == "played"
    assert bool(trusted) == (tmp_path / "contest" / "ada" / "written").exists()
    assert any(
        "from the helper" in log.read_text(encoding="utf-8")
        for log in (tmp_path / "spring" / "logs").glob("F-1*")
    )


BESIDE = f"""
from botarena import Bot
from helper import TARGET

open("written", "w").close()
print("from the helper", TARGET, flush=True)

class Beside(Bot):
    game = "botstack"
    def decide(self, view):
        {HARMLESS.strip()}

Beside().run()
""".replace('\n    "', '\n            "').replace("\n}", "\n        }")


# --- showing --------------------------------------------------------------------------------------


class Page(HTMLParser):
    """What stands in a page, and whether its tags fit."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.open.pop()

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_json_has_everything_and_the_seed_after_the_end(spring, cli):
    shown = json.loads(cli("tournament", "show", spring / "spring", "--json").out)

    assert (shown["name"], shown["game"], shown["seed"]) == ("Spring <contest>", "botstack", 7)
    assert shown["commitment"] == commitment(7, shown["salt"])
    assert shown["standings"] == follows(spring / "spring")["standings"]
    assert len(shown["log"]) == len(
        (spring / "spring" / "facts.jsonl").read_text(encoding="utf-8").splitlines()
    )


def test_the_seed_is_secret_before_the_end(copy, cli):
    assert cli("tournament", "replay", copy / "spring", "F-1", "--by", "ann").status == 0

    shown = json.loads(cli("tournament", "show", copy / "spring", "--json").out)
    assert (shown["seed"], shown["salt"]) == (None, None)
    assert re.fullmatch("[0-9a-f]{64}", shown["commitment"])
    assert "salt" not in json.dumps(shown["log"])


def test_csv_has_a_line_per_bot(spring, cli):
    rows = list(
        csv.DictReader(
            io.StringIO(
                cli("tournament", "show", spring / "spring", "--csv").out.removeprefix("\ufeff")
            )
        )
    )
    found = follows(spring / "spring")

    assert [row["id"] for row in found["standings"]] == [row["id"] for row in rows]
    assert {name: str(place) for place, name in enumerate(found["placings"], 1)} == {
        row["id"]: row["place"] for row in rows
    }
    assert [str(row["points"]) for row in found["standings"]] == [row["points"] for row in rows]


def test_the_page_is_self_contained_and_agrees_with_the_table(spring, cli):
    text = cli("tournament", "show", spring / "spring", "--html").out
    page = Page(text)
    found = follows(spring / "spring")

    assert not page.open
    assert not page.links
    assert "<script" not in text
    assert "@media print" in text
    assert "Spring <contest>" in page.words
    assert "Spring <contest>" not in text
    for row in found["standings"]:
        assert f"<td>{row['rank']}</td><td>{row['id']}</td><td>{row['played']}</td>" in text
        assert f"<td>{', '.join(row['tie_break']).replace('_', ' ')}</td><td></td></tr>" in text
    assert {"SF1", "SF2", "P3", "F"} <= {word.partition(",")[0] for word in page.words}
    assert f"<li>{found['placings'][0]}</li>" in text


def test_a_tournament_that_has_just_begun_can_be_shown(tmp_path, cli):
    folders.create(tmp_path / "new", plans.read(toml(tmp_path, *FOUR)))

    for words in ((), ("--json",), ("--csv",), ("--html",), ("--log",)):
        ran = cli("tournament", "show", tmp_path / "new", *words)
        assert (ran.status, ran.err) == (0, ""), words
    assert "entries open" in cli("tournament", "show", tmp_path / "new").out
    assert cli("tournament", "show", tmp_path / "nowhere").status == 2
    assert cli("tournament", "show", tmp_path / "new", "--json", "--csv").status == 2


def test_the_games_of_one_bot_are_listed_by_its_name_in_any_case(spring, cli):
    lines = cli("tournament", "show", spring / "spring", "--games-of", "BOT 2").out.splitlines()

    _, tournament = folders.read(spring / "spring")
    mine = [game for game in tournament.fixtures.values() if 2 in game.entrants]
    assert [line.split()[0] for line in lines] == [game.id for game in mine]
    assert all(
        (spring / "spring" / "games" / f"{line.split()[-1]}{JOURNAL_SUFFIX}").exists()
        for line in lines
    )


def test_faults_are_counted_by_kind_where_results_are_shown(copy, cli):
    folder = copy / "spring"
    with (folder / "facts.jsonl").open("r+", encoding="utf-8") as file:
        facts = [json.loads(line) for line in file]
        games = [fact for fact in facts if fact["kind"] == "result"]
        games[0]["about"]["faults"] = {"late": [2, 0], "crashed": [0, 1]}
        games[1]["about"]["faults"] = {"late": [1], "illegal": "many"}
        games[2]["about"] |= {"faults": None, "reason": "no_show"}
        games[2]["result"] = {"placement": [1, 2], "score": [2, 0], "forfeit": [False, True]}
        file.seek(0)
        file.truncate()
        file.writelines(f"{json.dumps(fact)}\n" for fact in facts)
    expected = {
        one: dict.fromkeys(("late", "crashed", "illegal", "no_show"), 0) for one in (1, 2, 3, 4)
    }
    expected[games[0]["seats"][0]]["late"] += 2
    expected[games[0]["seats"][1]]["crashed"] += 1
    expected[games[1]["seats"][0]]["late"] += 1
    expected[games[2]["seats"][1]]["no_show"] += 1

    assert {row["entry"]: row["faults"] for row in follows(folder)["standings"]} == expected
    text = cli("tournament", "show", folder, "--csv").out.removeprefix("\ufeff")
    for row in csv.DictReader(io.StringIO(text)):
        counts = expected[int(row["entry"])]
        assert {kind: row[kind] for kind in counts} == {kind: str(n) for kind, n in counts.items()}
    for form in ((), ("--html",)):
        shown = cli("tournament", "show", folder, *form).out
        assert "faults" in shown
        assert "1 no show" in shown


def test_the_log_is_readable_and_numbered_for_undo(spring, cli):
    log = cli("tournament", "show", spring / "spring", "--log").out.splitlines()
    found = json.loads(cli("tournament", "show", spring / "spring", "--json").out)["log"]
    (first,) = [fact for fact in found if fact.get("game") == "rr-1"]
    names = {fact["entry"]: fact["name"] for fact in found if fact["kind"] == "entered"}
    who, scores = (
        " – ".join(names[entry] for entry in first["seats"]),
        " : ".join(map(str, first["result"]["score"])),
    )

    assert len(log) == len(found)
    assert log[0].endswith(f" entered {names[1]}")
    assert (
        log[first["number"] - 1] == f"{first['number']:>5} {first['at']} result rr-1 {who} {scores}"
    )


def test_a_damaged_log_is_reported_with_its_line(copy, cli):
    log = copy / "spring" / "facts.jsonl"
    text = log.read_text(encoding="utf-8").splitlines(keepends=True)
    log.write_text("".join([*text[:3], '{"kind":"won"}\n', *text[4:]]), encoding="utf-8")

    ran = cli("tournament", "show", copy / "spring")

    assert ran.status == 2
    assert "facts.jsonl, line 4: kind: expected one of" in ran.err


# --- deciding -------------------------------------------------------------------------------------


def test_an_override_takes_effect_and_can_be_undone(copy, cli):
    folder = copy / "spring"
    before = follows(folder)
    semi = before["bracket"][0]
    places = "2,1" if semi["winner"] == semi["games"][0]["seats"][0] else "1,2"
    ran = cli(
        "tournament",
        "override",
        folder,
        "SF1-1",
        "--places",
        places,
        "--by",
        "ann",
        "--why",
        "wrong map",
    )

    assert ran.status == 0
    assert "override SF1-1 places" in ran.out
    assert "by ann: wrong map" in ran.out
    after = follows(folder)
    assert semi["loser"] == after["bracket"][0]["winner"]
    assert (after["state"], after["placings"]) == ("bracket", None)
    assert (
        cli(
            "tournament", "run", copy / "spring.toml", "--out", folder, "--resume", "--jobs", 1
        ).status
        == 0
    )
    assert follows(folder)["state"] == "finished"
    shown = cli("tournament", "show", folder)
    number = re.search(r"(\d+) override SF1-1 .*by ann: wrong map", shown.out)
    assert number is not None
    assert (
        cli("tournament", "undo", folder, number[1], "--by", "bea", "--why", "it was right").status
        == 0
    )
    assert before == follows(folder)
    assert "(undone)" in cli("tournament", "show", folder, "--html").out


def test_a_replayed_game_has_the_records_of_both_attempts(copy, cli):
    folder = copy / "spring"
    before = follows(folder)
    assert cli("tournament", "replay", folder, "rr-5", "--by", "ann", "--why", "asleep").status == 0
    assert (
        cli(
            "tournament", "run", copy / "spring.toml", "--out", folder, "--resume", "--jobs", 1
        ).status
        == 0
    )

    assert before == follows(folder)  # the same seed and the same bots
    assert len([name for name in records(folder, JOURNAL_SUFFIX) if name.startswith("rr-5_")]) == 2


def test_bots_can_be_withdrawn_by_name_or_number(copy, cli):
    folder = copy / "spring"
    champion, second, *_ = follows(folder)["placings"]
    assert (
        cli(
            "tournament", "disqualify", folder, champion, "--by", "ann", "--why", "two accounts"
        ).status
        == 0
    )

    found = follows(folder)
    assert champion not in found["placings"]
    assert f"–  {champion} (disqualified: two accounts)" in cli("tournament", "show", folder).out
    assert second == found["placings"][0]
    assert {"disqualified"} == {one["status"] for one in found["entrants"] if one["id"] == champion}
    ran = cli("tournament", "withdraw", folder, "9")
    assert (ran.status, "no bot is called '9'" in ran.err) == (2, True)
    assert "Did you mean bot 1?" in cli("tournament", "withdraw", folder, "bt 1").err
    entry = next(one["entry"] for one in found["entrants"] if one["id"] == champion)
    assert "(gone)" in cli("tournament", "disqualify", folder, entry).err


def test_an_impossible_decision_is_refused_and_not_written(copy):
    folder = copy / "spring"
    before = (folder / "facts.jsonl").read_bytes()
    for verb, *given in (
        (verbs.override, "rr-99", "1,2"),
        (verbs.override, "rr-1"),
        (verbs.override, "rr-1", "1,2", None, True),
        (verbs.override, "rr-1", "1,2,3"),
        (verbs.override, "rr-1", "one,two"),
        (verbs.override, "rr-1", "2,2"),
        (verbs.override, "rr-1", "1,2", "a"),
        (verbs.replay, "rr-99"),
        (verbs.undo, 0),
        (verbs.undo, 1),
        (verbs.undo, 10_000),
        (verbs.withdraw, "bot 1"),
        (verbs.cancel,),
        (verbs.begin,),
    ):
        with pytest.raises(UserError):
            verb(folder, *given)
    assert before == (folder / "facts.jsonl").read_bytes()
    with pytest.raises(UserError, match="no tournament here"):
        verbs.begin(copy)


def test_a_bracket_that_waits_starts_on_the_organisers_command(tmp_path, cli):
    folders.create(
        tmp_path / "new",
        plans.read(toml(tmp_path, "greedy", "trivial", matches_per_pairing=1, bracket_waits=True)),
    )
    with folders.opened(tmp_path / "new") as folder:
        enter(folder)
        folder.add(
            deciding.report(
                folder.tournament, "rr-1", GameResult((1, 2), (1, 0), (False, False)), 1
            )
        )

    assert "the bracket waits" in cli("tournament", "show", tmp_path / "new").out
    assert cli("tournament", "begin", tmp_path / "new", "--by", "ann").status == 0
    assert follows(tmp_path / "new")["open"] == ["F-1"]
    assert "the bracket waits" not in cli("tournament", "show", tmp_path / "new").out


# --- every game -----------------------------------------------------------------------------------

TINY: dict[str, dict[str, Any]] = {game: {**config} for game, config in QUICK.items()}
TINY["pyrat"] = {"preset": "tiny", "max_turns": 40}
TINY["zooscape"] = {"map_size": 15, "max_ticks": 40}


def plays(game: str, entrants: int, folder: Path, cli: Cli, **format_: Any) -> Tournament:
    """One command, house bots only, to the end."""
    house = [*folders.plans.HOUSE[game]]
    bots = [house[number % len(house)] for number in range(entrants)]
    file = toml(folder, *bots, game=game, more=config_of(TINY[game]), **format_)
    ran = cli("tournament", "run", file, "--out", folder / game, "--jobs", 2)
    assert ran.status == 0, ran.err
    print(game, ran.out.splitlines()[-1])
    _, tournament = folders.read(folder / game)
    return tournament


@pytest.mark.parametrize(
    ("game", "entrants", "format_"),
    [
        ("zooscape", 4, {"matches_per_pairing": 1, "best_of_final": 1}),
        ("pyrat", 3, {"format": "swiss", "matches_per_pairing": 1}),
        *(
            pytest.param(game, 8, {"matches_per_pairing": 2}, marks=pytest.mark.soak)
            for game in GAMES
        ),
    ],
)
def test_one_command_plays_a_tournament_of_every_game(game, entrants, format_, tmp_path, cli):
    tournament = plays(game, entrants, tmp_path, cli, **format_)

    assert tournament.state == "finished"
    assert sorted(tournament.names) == sorted(tournament.places or ())
    if tournament.format.bracketed:
        assert all(match.over for match in tournament.matches)
        assert min(entrants, tournament.format.bracket_size) == len(tournament.seeds)
    played = [fact for fact in tournament.facts if fact.kind == "result"]
    assert (
        len(played)
        == len(records(tmp_path / game, JOURNAL_SUFFIX))
        == len(records(tmp_path / game, REPLAY_SUFFIX))
    )
    assert len(played) == len(tournament.fixtures)


def test_the_bracket_of_a_four_player_game_is_played_by_two(tmp_path):
    plan = plans.read(toml(tmp_path, "greedy", "wanderer", game="zooscape"))

    assert (plan.format.seats_per_match, plan.format.bracket_seats) == (4, 2)
    assert Match.begin(plan.game, plan.config, 1).seats == 4
