"""`botarena verify` and `botarena replay`: what is proven, what is shown, and a lost moment as a
test."""

from __future__ import annotations

import ast
import builtins
import json
import re
import subprocess
import sys

import pytest

from client_sdk.cli import replay
from client_sdk.local.records import verify
from client_sdk.local.results import ending
from client_sdk.moment import Moment, moment_of
from client_sdk.replay import read
from games import GAMES
from games.core.journal import Chain
from tests.client_sdk.cli.conftest import HARMLESS, ROOT, botarena, environment
from tests.core.records import begun, forged

PYRAT, BOTSTACK = "pyrat-1-1", "botstack-12-1"


def last(games, stem: str = BOTSTACK) -> tuple[int, dict]:
    """The last turn of a recorded match, and its outcome."""
    record = read((games / f"{stem}.replay.jsonl").read_bytes())
    return record.turns()[-1], record.outcome


def flipped(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


# --- verify


def test_verify_accepts_what_play_wrote(games):
    ran = botarena("verify", games)

    assert (ran.status, ran.err) == (0, "4 records: 4 verified\n")
    assert [line[0] for line in ran.out.splitlines()] == ["✔"] * 4
    assert f"✔ {games / BOTSTACK}.journal.jsonl  " in ran.out
    assert f"{last(games)[0]} turns: everything shown is what the journal gives" in ran.out


def test_verify_lists_records_in_the_order_of_their_numbers(cli, tmp_path):
    for number in (10, 9, 1, 100):
        (tmp_path / f"duel-7-{number}.journal.jsonl").write_text("")
    ran = cli("verify", tmp_path, "--json")

    listed = [json.loads(line)["file"] for line in ran.out.splitlines()]
    assert [re.findall(r"-(\d+)\.j", name)[0] for name in listed] == ["1", "9", "10", "100"]


@pytest.mark.parametrize("kind", ["journal", "replay"])
def test_verify_names_line_and_turn_of_a_changed_byte(games, tmp_path, kind):
    """In both files, with the untouched one beside it."""
    for name in ("journal", "replay"):
        (tmp_path / f"{BOTSTACK}.{name}.jsonl").write_bytes(
            (games / f"{BOTSTACK}.{name}.jsonl").read_bytes()
        )
    file = tmp_path / f"{BOTSTACK}.{kind}.jsonl"
    data = file.read_bytes()
    for place in range(0, len(data), len(data) // 60):
        file.write_bytes(flipped(data, place))
        verdict = verify(file)
        assert verdict.kind != "ok", place
        assert verdict.line == data[:place].count(b"\n") + 1


def test_a_byte_order_mark_does_not_change_a_record(cli, games, tmp_path):
    for name in ("journal", "replay"):
        data = (games / f"{BOTSTACK}.{name}.jsonl").read_bytes()
        (tmp_path / f"{BOTSTACK}.{name}.jsonl").write_bytes(b"\xef\xbb\xbf" + data)

    assert cli("verify", tmp_path).err == "2 records: 2 verified\n"
    for name in ("journal", "replay"):
        marked, plain = (
            cli("replay", folder / f"{BOTSTACK}.{name}.jsonl") for folder in (tmp_path, games)
        )
        assert (0, plain.out) == (marked.status, marked.out)


def test_verify_names_the_fault_and_exits_with_1(games, tmp_path):
    file = tmp_path / "x.journal.jsonl"
    data = (games / f"{BOTSTACK}.journal.jsonl").read_bytes()
    sixth = len(b"".join(data.splitlines(keepends=True)[:5])) + 6
    file.write_bytes(flipped(data, sixth))
    ran = botarena("verify", games / f"{BOTSTACK}.journal.jsonl", file)

    assert ran.status == 1
    good, bad = ran.out.splitlines()
    assert good.startswith("✔ ")
    turn = verify(file).turn
    assert bad == (
        f"✘ {file}  line 6, turn {turn}: broken: the chain does not fit: this line or one "
        "before it was changed"
    )


def test_verify_sums_up_several_records_only(cli, games, tmp_path):
    whole = (games / f"{BOTSTACK}.journal.jsonl").read_bytes()
    header = json.loads(whole.split(b"\n", 1)[0])
    written: list[str] = []
    fields = {key: value for key, value in header.items() if key not in ("k", "chain")}
    Chain(written.append).line("match", **fields | {"rules_version": 99})
    cut, changed, other, none = (
        tmp_path / f"{name}.journal.jsonl" for name in ("cut", "changed", "other", "none")
    )
    cut.write_bytes(whole[: len(whole) // 2])
    changed.write_bytes(flipped(whole, len(whole) // 2))
    other.write_text("".join(written))
    none.write_bytes(b"no journal at all")
    files = (cut, changed, other, none)

    ran = cli("verify", games / f"{BOTSTACK}.journal.jsonl", *files)
    alone = [cli("verify", file) for file in files]

    assert ran.status == 1
    assert ran.err == "5 records: 1 verified, 1 cut, 1 false, 1 of other rules, 1 unreadable\n"
    assert [(one.status, one.err) for one in alone] == [(1, "")] * 4


def test_verify_fails_for_a_record_that_was_cut(cli, games, tmp_path):
    file = tmp_path / "x.journal.jsonl"
    file.write_bytes(
        b"".join((games / f"{BOTSTACK}.journal.jsonl").read_bytes().splitlines(keepends=True)[:9])
    )
    ran = cli("verify", file)

    assert ran.status == 1
    assert "cut: the record stops before the end of the match" in ran.out


def test_verify_reports_that_a_replay_without_a_journal_is_unproven(cli, games, tmp_path):
    file = tmp_path / "x.replay.jsonl"
    file.write_bytes((games / f"{BOTSTACK}.replay.jsonl").read_bytes())
    ran = cli("verify", file)

    assert ran.status == 0
    assert "no journal to prove it by" in ran.out


def test_verify_refuses_the_journal_of_another_match(cli, games, tmp_path):
    (tmp_path / "x.replay.jsonl").write_bytes((games / f"{BOTSTACK}.replay.jsonl").read_bytes())
    (tmp_path / "x.journal.jsonl").write_bytes((games / f"{PYRAT}.journal.jsonl").read_bytes())
    ran = cli("verify", tmp_path)

    assert ran.status == 1
    assert "line 1: differs: header.match" in ran.out


@pytest.mark.parametrize("kind", ["journal", "replay"])
def test_verify_distinguishes_a_kept_record_from_one_written_again(cli, games, kind):
    file = games / f"{BOTSTACK}.{kind}.jsonl"
    head = read((games / f"{BOTSTACK}.replay.jsonl").read_bytes()).header.journal

    assert cli("verify", file, "--head", head).status == 0
    ran = cli("verify", file, "--head", "0" * 32)
    assert ran.status == 1
    assert f"differs: another record: its journal's head is {head}, expected {'0' * 32}" in ran.out


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00\xff\xfe",
        b"{}\n",
        b"[[[[\n",
        b'{"k":"replay"}\n',
        b'{"k":"match"}\n',
        b"[" * 100_000 + b"\n",
    ],
)
@pytest.mark.parametrize("name", ["x.journal.jsonl", "x.replay.jsonl", "x"])
def test_verify_has_a_verdict_on_any_bytes(cli, tmp_path, content, name):
    (tmp_path / name).write_bytes(content)
    ran = cli("verify", tmp_path / name)

    assert ran.status == 1
    assert ran.out.startswith("✘") or ran.out.startswith("FAIL")


def test_a_file_that_does_not_end_is_no_record(cli, tmp_path, monkeypatch):
    monkeypatch.setattr("client_sdk.local.lookup.FILE_BYTES", 1 << 20)
    (tmp_path / "x").write_bytes(b"\0" * ((1 << 20) + 1))
    for verb in ("verify", "clock", "replay"):
        ran = cli(verb, tmp_path / "x")
        assert (ran.status, ran.err) == (2, f"botarena: {tmp_path / 'x'}: larger than 1 MiB\n")


@pytest.mark.parametrize(
    ("words", "why"), [(["nowhere"], "nowhere: No such file"), (["."], "in this folder")]
)
def test_verify_without_records_is_one_line(cli, tmp_path, monkeypatch, words, why):
    monkeypatch.chdir(tmp_path)
    ran = cli("verify", *words)

    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert why in ran.err


# --- replay


def test_replay_prints_every_turn(games):
    ran = botarena("replay", games / f"{PYRAT}.replay.jsonl")
    turns = read((games / f"{PYRAT}.replay.jsonl").read_bytes()).turns()

    assert (ran.status, ran.err) == (0, "")
    assert [f"turn {turn} of 150" for turn in turns] == [
        line.partition(":")[0] for line in ran.out.splitlines()[:-1]
    ]
    assert ran.out.splitlines()[-1] == ending(("greedy", "random"), last(games, PYRAT)[1])


def test_a_journal_can_be_replayed_too(cli, games):
    assert (
        cli("replay", games / f"{PYRAT}.journal.jsonl").out
        == cli("replay", games / f"{PYRAT}.replay.jsonl").out
    )


def test_at_prints_the_state_at_that_turn(cli, games):
    turn, outcome = last(games)
    ran = cli("replay", games / f"{BOTSTACK}.replay.jsonl", "--at", turn)

    assert f"turn {turn} of match {BOTSTACK}, {turn + 1} of {turn + 1}" in ran.out
    assert "the match ends (" in ran.out
    assert ran.out.endswith(f"{ending(('greedy', 'trivial'), outcome)}\n")


def test_views_of_a_replay_can_be_had_as_json(cli, games):
    file = games / f"{PYRAT}.replay.jsonl"
    record = read(file.read_bytes())
    every = [json.loads(line) for line in cli("replay", file, "--json").out.splitlines()]

    assert every == [record.view(index) for index in range(len(record.frames))]
    assert [json.loads(cli("replay", file, "--at", 3, "--json").out)] == every[3:4]


def test_at_escapes_control_characters_of_notes_and_output(cli, tmp_path):
    match, written = begun(GAMES["pyrat"], {"preset": "tiny"})
    match.journal.event(0, 1, "away", {"within_ms": 5})
    match.journal.info(0, 0, "\x1b[2Jgone")
    match.abort("test")
    file = tmp_path / "m.journal.jsonl"
    file.write_text("".join(written))

    printed = cli("replay", file, "--at", 0).out

    assert '  away, bot 1: {"within_ms":5}\n  info, bot 0: "\\u001b[2Jgone"\n' in printed
    assert "\x1b" not in printed


def test_at_and_seat_print_what_that_seat_saw(cli, games):
    journal = (games / f"{BOTSTACK}.journal.jsonl").read_text(encoding="utf-8")
    words = ("replay", games / f"{BOTSTACK}.replay.jsonl", "--at", 6, "--seat", 0)
    seen = json.loads(cli(*words, "--json").out)
    shown = cli(*words).out

    assert shown.startswith("turn 6 as greedy (player 1) saw it\n")
    assert "its commands: [" in shown
    assert seen == moment_of(journal, 6, 0, GAMES).view
    assert ("seat" in seen, seen["your_decision"]) == (True, True)


def test_keys_move_through_the_turns(games, monkeypatch, capsys):
    """Line by line: next, previous, a jump, one beyond the end, nonsense, leave."""
    typed = iter(["", "n", "p", "30", "999", "what", "q"])
    monkeypatch.setattr(builtins, "input", lambda prompt: next(typed))
    replay._step_through(replay.read_replay(games / f"{BOTSTACK}.replay.jsonl"), 0)
    out = capsys.readouterr().out

    assert ["0", "1", "2", "1", "30", str(last(games)[0])] == [
        line.split()[1] for line in out.splitlines() if line.startswith("turn ")
    ]
    assert replay.KEYS in out


def test_arrow_keys_step_through_the_turns(games, monkeypatch, capsys):
    typed = iter(["\x1b[C", "\r", "\x1b[D", "3", "0", "\r", "\x1b[F", "\x1b[H", "x", "q"])
    monkeypatch.setattr("typer.getchar", lambda: next(typed))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    replay._step_through(replay.read_replay(games / f"{BOTSTACK}.replay.jsonl"), 0)

    assert ["0", "1", "2", "1", "30", str(last(games)[0]), "0"] == [
        line.split()[1] for line in capsys.readouterr().out.splitlines() if line[:5] == "turn "
    ]


def test_a_part_of_a_turn_is_jumped_to_and_what_is_no_turn_changes_nothing(
    tmp_path, monkeypatch, capsys, cli
):
    words = ["cookoff", "noodles", "noodles", "--seed", 1, "--set", "total_turns=30"]
    assert cli("play", *words, "--replay-dir", tmp_path).status == 0
    capsys.readouterr()
    typed = iter([*"20b", "\r", *"7c", "\r", "\x1b[C", "q"])
    monkeypatch.setattr("typer.getchar", lambda: next(typed))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    replay._step_through(replay.read_replay(tmp_path / "cookoff-1-1.replay.jsonl"), 0)

    assert [
        line.split()[1]
        for line in capsys.readouterr().out.splitlines()
        if line.startswith("turn ") and " of match " in line
    ] == ["1a", "20b", "21a"]


def test_play_shows_the_rest(games, monkeypatch, capsys):
    typed = iter([str(last(games)[0] - 4), "play", "q"])
    monkeypatch.setattr(builtins, "input", lambda prompt: next(typed))
    replay._step_through(replay.read_replay(games / f"{BOTSTACK}.replay.jsonl"), 0)

    assert len(re.findall(r"\[round \d, health", capsys.readouterr().out)) == 5


def test_a_replay_cut_after_any_line_can_be_shown(cli, games, tmp_path):
    whole = (games / f"{BOTSTACK}.replay.jsonl").read_bytes().splitlines(keepends=True)
    file = tmp_path / "x.replay.jsonl"
    for count in range(2, len(whole), 7):
        file.write_bytes(b"".join(whole[:count]))
        ran = cli("replay", file)
        assert (0, count) == (ran.status, len(ran.out.splitlines()))
        assert ran.out.endswith("the record was cut here\n")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--at", 999], "there is no turn 999 in this replay; it has turns 0 to "),
        (["--seat", 0], "--seat needs --at N"),
        (["--at", 3, "--test", "x.py"], "--test needs --at N and --seat S"),
        (["--at", 999, "--seat", 0], "the journal has no turn 999; it goes up to "),
        (["--at", 3, "--seat", 1], "seat 1 was not asked in turn 3"),
        (["--at", 3, "--seat", 7], "there is no seat 7; the match has seats 0 to 1"),
        (
            ["--at", 3, "--seat", 0, "--test", "x.py", "--bot", "gredy"],
            "gredy: no house bot of botstack",
        ),
    ],
)
def test_a_record_that_cannot_be_shown_gives_one_clear_line(cli, games, words, why):
    ran = cli("replay", games / f"{BOTSTACK}.replay.jsonl", *words)

    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert why in ran.err


@pytest.mark.parametrize("words", [(), ("--json",), ("--at", 2)])
@pytest.mark.parametrize(("kind", "field"), [("view", "view"), ("delta", "delta")])
def test_views_that_the_game_does_not_have_give_one_clear_line(
    cli, games, tmp_path, words, kind, field
):
    """The record is chained again, so that only its views are wrong."""

    def change(lines):
        for line in lines:
            if line["k"] == kind:
                line[field] = {"nothing": 7} if kind == "view" else -1

    file = tmp_path / "x.replay.jsonl"
    file.write_text(forged((games / f"{PYRAT}.replay.jsonl").read_text(), change))
    ran = cli("replay", file, *words)

    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "botarena verify" in ran.err


@pytest.mark.parametrize("words", [(), ("--at", 1, "--seat", 0)])
def test_a_folder_is_no_record_but_may_hold_some(cli, games, words):
    ran = cli("replay", games, *words)

    assert (ran.status, ran.err) == (
        2,
        f"botarena: {games}: a folder; name one of the records in it\n",
    )


# --- a lost moment as a test


def pytest_run(file) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", file.name],
        cwd=file.parent,
        env=environment(),
        capture_output=True,
        text=True,
    )


def outcome_of(file) -> bool:
    """Whether the test in a written file passes, run in this process."""
    space: dict = {"__file__": str(file), "__name__": "written"}
    exec(compile(file.read_text(encoding="utf-8"), file, "exec"), space)
    (test,) = [value for name, value in space.items() if name.startswith("test_")]
    try:
        test()
    except AssertionError:
        return False
    return True


def lost(cli, bot, folder) -> None:
    """A match that this bot plays on seat 0, recorded in the folder."""
    assert cli("play", "botstack", bot, "greedy", "--seed", 3, "--replay-dir", folder).status == 0


def first_shot(journal) -> int:
    for line in journal.read_text(encoding="utf-8").splitlines():
        fields = json.loads(line)
        if fields["k"] == "command" and fields["s"] == 0 and fields["c"]["type"] == "shoot":
            return fields["n"]
    raise AssertionError("no one shoots")


def test_a_written_test_fails_for_the_old_bot_and_passes_for_one_that_decides_otherwise(
    cli, bot_file, tmp_path
):
    """Both as real pytest processes."""
    bot = bot_file(HARMLESS)
    lost(cli, bot, tmp_path)
    journal = tmp_path / "botstack-3-1.journal.jsonl"
    turn = first_shot(journal)
    written = tmp_path / "tests" / "test_moment.py"
    written.parent.mkdir()
    ran = cli("replay", journal, "--at", turn, "--seat", 0, "--bot", bot, "--test", written)
    assert (ran.status, ran.err) == (0, "")

    before = pytest_run(written)
    bot_file(HARMLESS.replace("opponent", "self"))
    after = pytest_run(written)

    assert before.returncode == 1, before.stdout
    assert "1 failed" in before.stdout
    assert after.returncode == 0, after.stdout
    assert "1 passed" in after.stdout


def test_a_bot_with_memory_gets_its_earlier_turns_in_the_test(cli, bot_file, tmp_path):
    """It shoots itself from its fifth decision on, which the moment alone does not show."""
    counting = (
        "self.count = getattr(self, 'count', 0) + 1\nif self.count > 4 and view['phase'] == "
        "'shoot':\n"
    )
    bot = bot_file(counting + "    return [{'type': 'shoot', 'target': 'self'}]\n" + HARMLESS)
    lost(cli, bot, tmp_path)
    journal = tmp_path / "botstack-3-1.journal.jsonl"
    moments = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    turn = next(
        one["n"]
        for one in moments
        if one["k"] == "command" and one["s"] == 0 and one["c"].get("target") == "self"
    )
    written = tmp_path / "test_moment.py"
    ran = cli("replay", journal, "--at", turn, "--seat", 0, "--bot", bot, "--test", written)

    assert (ran.status, ran.err) == (0, "")
    assert not outcome_of(written)
    bot_file(HARMLESS)
    assert outcome_of(written)


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("return helper(view)", "NameError: name 'helper' is not defined"),
        ("import os\nos._exit(0)", "SystemExit: 0"),
        ("return iter(int, 1)", "ValueError: more than 5000 commands in one answer"),
    ],
)
def test_a_moment_in_which_the_bot_fails_becomes_a_test_that_fails(
    cli, bot_file, games, tmp_path, body, fault
):
    bot, written = bot_file(body), tmp_path / "test_moment.py"
    journal = games / f"{BOTSTACK}.journal.jsonl"
    ran = cli("replay", journal, "--at", 3, "--seat", 0, "--bot", bot, "--test", written)

    assert ran.status == 0
    assert "mine fails here, and so does the test" in ran.err
    assert fault in ran.err
    bot_file("return []")
    assert outcome_of(written)


def test_moments_of_house_bots_become_tests_too(cli, games, tmp_path):
    """PyRat: the API needs the maze, which is in the start message."""
    written = tmp_path / "test_moment.py"
    ran = cli("replay", games / f"{PYRAT}.replay.jsonl", "--at", 4, "--seat", 0, "--test", written)

    assert (ran.status, ran.err) == (0, "")
    assert 'house_bot("pyrat", "greedy")' in written.read_text().replace("'", '"')
    assert not outcome_of(written)


def renamed(games, folder, name: str):
    """A journal whose first seat has this name."""
    text = (games / f"{BOTSTACK}.journal.jsonl").read_text(encoding="utf-8")
    journal = folder / "m.journal.jsonl"
    changed = forged(text, lambda lines: lines[0]["seats"][0].update(name=name))
    journal.write_text(changed, encoding="utf-8")
    return journal


@pytest.mark.parametrize(
    "name", ['"""; 1 / 0; """', "\\", 'a\\"""', "a\n1 / 0", "{turn} {0}", "it's \u2028 '''"]
)
def test_a_name_is_no_code_in_a_written_test(cli, games, tmp_path, name):
    written = tmp_path / "test_moment.py"
    words = ("--at", 3, "--seat", 0, "--bot", "greedy", "--test", written)
    ran = cli("replay", renamed(games, tmp_path, name), *words)

    assert ran.status == 0, ran.err
    parsed = ast.parse(written.read_text(encoding="utf-8"))
    assert parsed.body[0].value.value.startswith(f"Turn 3 of {name} against trivial, as the ")
    kinds = [type(one).__name__ for one in parsed.body]
    assert kinds == ["Expr", "ImportFrom", "Assign", "FunctionDef"]
    assert not outcome_of(written)


def test_a_name_in_a_record_names_no_file_to_load(cli, games, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.py").write_text("raise SystemExit('loaded')", encoding="utf-8")
    words = ("--at", 3, "--seat", 0, "--test", tmp_path / "test_x.py")
    ran = cli("replay", renamed(games, tmp_path, "x.py"), *words)

    assert ran.status == 2
    assert "'x.py' is no house bot of botstack: name the bot with --bot" in ran.err


def test_a_choice_that_the_bot_no_longer_makes_is_reported(cli, games, tmp_path):
    written = tmp_path / "test_moment.py"
    moment = moment_of(
        (games / f"{BOTSTACK}.journal.jsonl").read_text(encoding="utf-8"), 3, 0, GAMES
    )
    assert moment.choice != [{"type": "item", "slot": 0}]
    ran = cli(
        "replay",
        games / f"{BOTSTACK}.journal.jsonl",
        "--at",
        3,
        "--seat",
        0,
        "--bot",
        "trivial",
        "--test",
        written,
    )

    assert ran.status == 0
    assert "the test holds already, or by chance" in ran.err
    assert outcome_of(written)


def test_a_moment_can_be_written_and_read_back(games):
    for stem, turn in ((PYRAT, 5), (BOTSTACK, 6)):
        moment = moment_of(
            (games / f"{stem}.journal.jsonl").read_text(encoding="utf-8"), turn, 0, GAMES
        )
        assert moment == Moment.read(moment.written())


def test_a_moment_has_what_does_not_change_once(games):
    moment = moment_of((games / f"{PYRAT}.journal.jsonl").read_text(encoding="utf-8"), 5, 0, GAMES)

    assert len(moment.before) == 5
    assert moment.written().count('"walls": [') == 1


def test_a_moment_is_written_readably(games):
    moment = moment_of((games / f"{PYRAT}.journal.jsonl").read_text(encoding="utf-8"), 5, 0, GAMES)
    written = moment.forgetful().written().splitlines()

    assert max(map(len, written)) <= 120
    assert len(written) < 120


def test_a_written_test_depends_on_nothing_of_this_machine(cli, games, tmp_path):
    written = tmp_path / "test_moment.py"
    cli("replay", games / f"{PYRAT}.replay.jsonl", "--at", 4, "--seat", 0, "--test", written)

    assert str(ROOT) not in written.read_text(encoding="utf-8")
    assert str(tmp_path) not in written.read_text(encoding="utf-8")


def test_an_invalid_file_name_is_reported_in_one_line(cli):
    ran = cli("verify", "a" * 300)

    assert ran.status == 2
    assert ran.err == f"botarena: {'a' * 300}: File name too long\n"
