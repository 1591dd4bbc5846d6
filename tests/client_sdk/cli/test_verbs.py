"""The other verbs, each as a process at least once."""

from __future__ import annotations

import inspect
import re
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
import typer

from client_sdk.cli import app, online, verbs
from client_sdk.local.check.match import ObservedMatch
from client_sdk.local.check.phases import Report, _ready, _time
from client_sdk.local.check.relay import Passed
from client_sdk.local.players import PlayerSpec, player_specs
from client_sdk.replay import read
from client_sdk.rest import RestClient
from games import GAMES
from tests.client_sdk.cli.conftest import HARMLESS, botarena, ended, program, started
from tests.waiting import eventually

VERBS = (
    "play",
    "tournament",
    "human",
    "games",
    "maps",
    "demo",
    "join",
    "watch",
    "load",
    "serve",
    "replay",
    "verify",
    "record",
    "clock",
    "new-bot",
    "check-bot",
)
GROUPS = ("account", "admin", "store")
"""Verbs that have verbs of their own."""


# --- help


def test_help_lists_every_verb():
    ran = ended(program("--help"))

    assert (ran.status, ran.err) == (0, "")
    for verb in (*VERBS, *GROUPS):
        assert re.search(rf"│ {verb} +\w", ran.out), verb
    assert "\x1b" not in ran.out


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb != "serve"])
def test_help_of_a_verb_has_an_example(cli, verb):
    ran = cli(verb, "--help")

    assert ran.status == 0
    assert f"botarena {verb}" in ran.out.partition("Usage:")[2].partition("\n")[2]


def test_the_lists_of_verbs_have_one_line_about_each():
    """A line break in the text would be one in the list too."""
    asked = ([], ["tournament"], *([group] for group in GROUPS))
    todo: list[Any] = [typer.main.get_command(app(words)) for words in asked]
    for command in todo:
        about = inspect.cleandoc(command.help or "").partition("\n\n")[0]
        assert "\n" not in about
        todo += getattr(command, "commands", {}).values()

    assert len(todo) > 30


def test_paragraphs_of_a_help_have_no_line_breaks_of_the_source():
    names = [*(verb[0] for verb in verbs.OURS), *GROUPS]
    todo: list[Any] = [typer.main.get_command(app([name])).commands[name] for name in names]
    for command in todo:
        for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
            assert "\n" not in paragraph or paragraph.startswith("\b"), command.name
        todo += getattr(command, "commands", {}).values()


@pytest.mark.parametrize(("name", "about"), [(verb[0], verb[-1]) for verb in verbs.OURS])
def test_the_list_of_verbs_says_what_the_verbs_own_help_says_first(name, about):
    listed: Any = typer.main.get_command(app())
    asked: Any = typer.main.get_command(app([name]))

    assert listed.commands[name].help == about
    assert inspect.cleandoc(asked.commands[name].help).partition("\n\n")[0] == about


def test_help_is_as_wide_as_the_terminal_up_to_100_columns(cli, monkeypatch):
    for columns, width in ((60, 58), (100, 98), (300, 100)):
        monkeypatch.setenv("COLUMNS", str(columns))

        assert {len(line) for line in cli("--help").out.splitlines() if "│" in line} == {width}


def test_help_has_no_line_graphics_where_the_output_cannot_show_them():
    ran = ended(program("--help", variables={"PYTHONIOENCODING": "ascii"}))

    assert (ran.status, ran.err) == (0, "")
    assert "│" not in ran.out
    assert "| play  " in ran.out


@pytest.mark.parametrize("verb", ["play", "serve", "tournament"])
def test_a_shell_completes_the_options_of_a_verb(cli, monkeypatch, verb):
    monkeypatch.setenv("_BOTARENA_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"botarena {verb} -")
    monkeypatch.setenv("COMP_CWORD", "2")

    assert "--help" in cli().out.split()


@pytest.mark.parametrize(
    "words", [["plya"], ["play"], ["play", "pyrat", "greedy", "random", "--games", "0"], ["verify"]]
)
def test_a_wrong_command_line_exits_with_2_and_no_traceback(cli, words):
    ran = cli(*words)

    assert (ran.status, ran.out) == (2, "")
    assert "Traceback" not in ran.err


def test_an_interrupt_prints_no_traceback(cli, monkeypatch):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("client_sdk.cli.catalogue._list_games", interrupted)
    ran = cli("games")

    assert ran.status in (130, 1)
    assert "Traceback" not in ran.err


def test_a_closed_output_pipe_is_no_error():
    process = program("play", "botstack", "trivial", "trivial", "--games", "40", "--lines")
    process.stdout.close()
    err = process.stderr.read()
    process.stdin.close()
    process.stderr.close()

    assert process.wait(60) in (0, 1, 120)
    assert "Traceback" not in err


# --- verbs of other packages


def other(value: str) -> EntryPoint:
    return EntryPoint("other", value, verbs.GROUP)


def test_a_verb_of_another_package_is_listed(cli, monkeypatch, tmp_path):
    (tmp_path / "otherpackage.py").write_text(
        'def other(word: str) -> None:\n    """Say a word."""\n    print(word)\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(verbs, "entry_points", lambda group: [other("otherpackage:other")])

    assert cli("other", "hello").out == "hello\n"
    assert re.search(r"other +Say a word\.", cli("--help").out)
    assert "otherpackage" in sys.modules


def test_help_does_not_import_verbs_of_other_packages(cli, monkeypatch, tmp_path):
    (tmp_path / "brittle.py").write_text(
        'raise RuntimeError\n\ndef other() -> None:\n    """Never read."""\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(verbs, "entry_points", lambda group: [other("brittle:other")])

    assert "Never read." in cli("--help").out


def test_a_verb_without_its_packages_names_what_to_install(cli, monkeypatch, tmp_path):
    (tmp_path / "needy").mkdir()
    (tmp_path / "needy" / "__init__.py").write_text("")
    (tmp_path / "needy" / "cli.py").write_text("import a_missing_package\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(verbs, "entry_points", lambda group: [other("needy.cli:other")])
    ran = cli("other", "--port", "0")

    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "a_missing_package" in ran.err
    assert "pip install 'botarena[needy]'" in ran.err


# --- catalogue


def test_games_lists_all_games():
    ran = botarena("games")

    assert (ran.status, ran.err) == (0, "")
    for name, game in GAMES.items():
        assert re.search(rf"{name} +{game.title} +{game.seats(game.rules())} ", ran.out)


def test_games_with_a_name_shows_parameters_and_values(cli):
    ran = cli("games", "pyrat")

    assert re.search(r"width +21 +2 to 64 +", ran.out)
    assert "--set preset=…: tiny, small" in ran.out
    assert "house bot greedy: " in ran.out


def test_maps_can_be_listed_and_shown(cli):
    ran = botarena("maps", "pyrat", "--show", "classic")
    assert ran.status == 0
    assert ran.out.count("+---+") > 5
    assert re.search(r"pyrat +classic", cli("maps").out)


@pytest.mark.parametrize(
    ("game", "text", "size"),
    [
        (
            "pyrat",
            '{"width": 3, "height": 2, "cheese": [[1, 1]], "rat_start": [2, 1], "python_start": '
            "[0, 0]}",
            "3 x 2",
        ),
        ("zooscape", "112111211\r\n142222241\r\n222131222\r\n142222241\r\n112111211\r\n", "9 x 5"),
    ],
)
def test_a_map_file_is_checked_before_a_match(cli, tmp_path, game, text, size):
    mine = tmp_path / "mine.map"
    mine.write_bytes(f"\ufeff{text}".encode())
    good = cli("maps", game, "--check", mine)

    assert good.status == 0
    assert good.out.endswith(f"{mine}: a map of {game}, {size}\n")


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        ("pyrat", "{}", "width: expected a whole number, 2 to 64, got null (bad_dimensions)"),
        ("pyrat", '{"width": 3,\n"height" 2}', "line 2 column 10"),
        ("pyrat", "3\n2\n1 0 0 x\n", "line 3: expected the four costs of cell [0, 0]"),
        (
            "pyrat",
            '{"width": 9, "height": 9, "cheese": []}',
            "cheese: expected at least one cell, got an empty list (bad_cheese_count)",
        ),
        (
            "zooscape",
            "111\n141\n1a1\n",
            "line 3, column 2: expected a digit from 0 to 8, got 'a' (map_bad_cell)",
        ),
        ("zooscape", "", "expected rows of digits, got none (map_empty)"),
        ("botstack", "anything", "expected no map, BotStack is played without one (no_maps)"),
    ],
)
def test_a_fault_in_a_map_file_is_reported_with_its_position(cli, tmp_path, game, text, message):
    mine = tmp_path / "mine.map"
    mine.write_text(text, "utf-8")
    bad = cli("maps", game, "--check", mine)

    assert bad.status == 1
    assert message in " ".join(bad.out.split())


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["games", "chess"], "no game is called 'chess'"),
        (["maps", "pyrat", "--show", "nowhere"], "is called 'nowhere'"),
        (["maps", "--show", "classic"], "say of which game: botarena maps GAME --show NAME"),
        (["maps", "--check", "x.json"], "say of which game: botarena maps GAME --check FILE"),
        (["maps", "pyrat", "--check", "nowhere.json"], "nowhere.json: No such file or directory"),
        (["new-bot", "chess"], "no game is called 'chess'"),
        (["join", "http://127.0.0.1:1", "greedy", "--game", "pyrat"], "cannot be reached"),
        (["join", "ftp://x", "greedy", "--game", "pyrat"], "expected an address"),
        (["watch", "http://127.0.0.1:1"], "names no match"),
        (["watch", "http://127.0.0.1:1/watch/p7k2"], "cannot be reached"),
        (["watch", "http://["], "Invalid IPv6 URL"),
        (["check-bot", "gredy", "--game", "pyrat"], "Did you mean greedy?"),
        (
            ["check-bot", "greedy", "--game", "pyrat", "--against", "x"],
            "no house bot of pyrat is called 'x'",
        ),
        (["human", "chess"], "no game is called 'chess'"),
        (["human", "botstack", "--seat", "7"], "--seat: expected 0 to 1, got 7"),
        (
            ["human", "botstack", "--url", "http://127.0.0.1:1", "--seed", "3"],
            "leave those options away",
        ),
    ],
)
def test_an_impossible_request_is_one_clear_line(cli, words, why):
    ran = cli(*words)

    status = 4 if why == "cannot be reached" else 2
    assert (ran.status, ran.err.count("\n")) == (status, 1)
    assert why in ran.err


def test_equal_player_names_are_numbered():
    assert [
        PlayerSpec("greedy 1", "greedy", "house"),
        PlayerSpec("random", "random", "house"),
        PlayerSpec("greedy 2", "greedy", "house"),
    ] == player_specs("pyrat", ["greedy", "random", "greedy"])


# --- human


def test_a_person_plays_botstack_to_the_end():
    """Answers come in a circle; what does not fit the question is asked again."""
    ran = botarena(
        "human", "botstack", "--against", "trivial", "--seed", 1, typed="n\n0\no\n" * 400
    )

    assert (ran.status, ran.err) == (0, "")
    assert "You are player 1. human against trivial." in ran.out
    assert "Whom do you shoot?" in ran.out
    assert "is none of: " in ran.out
    assert re.search(
        r"^human \d : \d trivial  .*\((two_wins|three_rounds|two_draws)\)$", ran.out, re.M
    )


def test_a_person_moves_in_pyrat(cli, monkeypatch):
    typed = iter(["w", "north", "a", "s", "d"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed, "."))
    ran = cli("human", "pyrat", "--set", "preset=tiny", "--seed", 1, "--seat", 1)

    assert ran.status == 0
    assert "You are python (P). Which way?" in ran.out
    assert "'north' is none of: w up" in ran.out
    assert re.search(r"^greedy [\d.]+ : [\d.]+ human  greedy wins \(majority\)$", ran.out, re.M)


def test_a_person_whose_input_ends_resigns():
    ran = botarena("human", "botstack", "--seed", 1, typed="n\n")

    assert ran.status == 2
    assert ran.err == "botarena: the input has ended; you have left the match\n"


def test_a_person_plays_on_a_server(server):
    ran = botarena("human", "botstack", "--url", server, "--name", "ann", typed="n\n0\no\n" * 400)

    assert ran.status == 0, ran.err
    assert re.search(r"ann \d : \d greedy  ", ran.out)
    assert f"others can watch at {server}/watch/" in ran.out


# --- join, watch


def test_two_join_and_a_third_watches_to_the_end(cli, server, bot_file):
    """A file against a command; the watcher gets a line per turn, and one that comes too late the
    last line."""
    with RestClient(server) as rest:
        lobby = rest.create("botstack", name="derby", seed=3)["lobby"]
        watcher = started("watch", f"{server}/watch/{lobby}")
        assert watcher.stderr.readline() == f"watching match {lobby}\n"
        joined = [
            started(
                "join", server, bot_file(HARMLESS, "ann"), "--game", "botstack", "--lobby", "derby"
            ),
            started(
                "join",
                server,
                f'"{sys.executable}" -m client_sdk.run botstack/greedy',
                "--game",
                "botstack",
                "--lobby",
                lobby,
                "--name",
                "bob",
            ),
        ]
        seen, noted = watcher.communicate(timeout=60)
        outputs = [process.communicate(timeout=60) for process in joined]
        outcome = rest.match(lobby)["outcome"]

    assert watcher.returncode == 0, noted
    assert [process.returncode for process in joined] == [0, 0], outputs
    assert f"watch it at {server}/watch/{lobby}" in outputs[0][0]
    last = seen.splitlines()[-1]
    scores = " : ".join(str(seat["score"]) for seat in outcome["seats"])
    assert {"ann", "bob"} <= set(last.split())
    assert scores.split(" : ") == re.findall(r"\d+", last)[:2]
    assert len(seen.splitlines()) > 20
    assert [last] == cli("watch", f"{server}/watch/{lobby}").out.splitlines()


def test_watching_an_unknown_match_is_one_line(server):
    ran = botarena("watch", server, "--match", "nowhere")

    assert (ran.status, ran.out) == (3, "")
    assert "no_such_match" in ran.err


def test_a_bot_of_another_game_takes_no_seat(cli, server, bot_file):
    with RestClient(server) as rest:
        before = len(rest.lobbies())
        ran = cli("join", server, bot_file(HARMLESS, "ann"), "--game", "zooscape", "--lobby", "new")

        assert (ran.status, ran.out) == (2, "")
        assert "this bot plays botstack, not zooscape" in ran.err
        assert len(rest.lobbies()) == before


def test_a_player_alone_in_a_lobby_sees_what_it_waits_for(server):
    with RestClient(server) as rest:
        lobby = rest.create("botstack", start_timeout_ms=90_000)
        joined = started("join", server, "trivial", "--game", "botstack", "--lobby", lobby["lobby"])
        assert "has seat 0" in joined.stdout.readline()
        assert re.search(r"one seat is still free .*closes in [78]\d s", joined.stderr.readline())
        rest.add_bot(lobby["lobby"], "trivial", lobby["owner_token"])

        joined.communicate(timeout=60)
        assert joined.returncode == 0


def test_a_lobby_whose_owner_starts_it_waits_for_the_verb(cli, server):
    words = "join", server, "trivial", "--game", "botstack", "--owner-starts"
    joined = started(*words, "--lobby", "waits", "--set", "rounds_per_match=1")
    with RestClient(server) as rest:
        begin = re.search(
            r"BOTARENA_TOKEN=(\S+) botarena start (\S+) (\S+)", joined.stderr.readline()
        )
        assert begin
        token, url, lobby = begin.groups()
        eventually(lambda: rest.lobby(lobby)["seats"][0]["connected"])
        rest.add_bot(lobby, "trivial", token)
        eventually(lambda: all(seat["connected"] for seat in rest.lobby(lobby)["seats"]))
        assert rest.lobby(lobby)["state"] == "open"

        assert cli("start", url, lobby, "--token", "wrong").status == 3
        assert cli("start", url, lobby, "--token", token).status == 0
        joined.communicate(timeout=60)
        assert joined.returncode == 0
        assert rest.lobby(lobby)["outcome"]


def test_a_server_address_with_a_path_is_refused(cli, server):
    ran = cli("join", f"{server}/arena", "greedy", "--game", "pyrat")

    assert ran.status == 3
    assert f"there is nothing at this address ({server}/arena/api/v1/" in ran.err


def test_join_creates_a_lobby_with_parameters_and_record_fetches_its_match(
    cli, server, bot_file, tmp_path
):
    words = ("join", server, bot_file(HARMLESS), "--game", "botstack")
    made = started(*words, "--lobby", "friends", "--seed", 7, "--set", "rounds_per_match=1")
    with RestClient(server) as rest:
        eventually(lambda: any(lobby["name"] == "friends" for lobby in rest.lobbies()))
    second = botarena(*words, "--lobby", "friends")
    assert (ended(made).status, second.status) == (0, 0), second.err
    match = re.search(r"/watch/(\w+)", second.out)[0]

    ran = cli("record", f"{server}{match}", "--dir", tmp_path)
    replay, journal = ran.out.split()
    assert read(Path(replay).read_bytes()).header.config == {"rounds_per_match": 1}
    assert '"seed":7' in Path(journal).read_text().splitlines()[0]
    assert cli("verify", tmp_path).status == 0
    link = f"{server}{match.replace('watch', 'match')}#1"
    again = cli("play", "botstack", "greedy", "greedy", "--from", link)
    assert (again.status, again.err) == (0, "")
    assert again.out.startswith("seed 7 ")
    assert (
        "The server's page lists its matches (no_such_match)"
        in cli("record", server, "--match", "nope").err
    )


@pytest.mark.parametrize("verb", ["record", "watch"])
@pytest.mark.parametrize(
    "words",
    [
        ["http://127.0.0.1:9/watch/../../etc/x"],
        ["http://127.0.0.1:9/watch/.."],
        ["127.0.0.1:9", "--match", "../x"],
        ["127.0.0.1:9", "--match", "a\\b"],
    ],
    ids=" ".join,
)
def test_what_leads_to_another_folder_is_no_id_of_a_match(cli, verb, words):
    ran = cli(verb, *words)

    assert (ran.status, ran.out) == (2, "")
    assert "this is no id of a match" in ran.err


def test_an_error_names_the_way_on_and_its_code_last(cli):
    ran = cli("play", "pyrat", "greedy", "random", "--set", "preset=tny")
    assert ran.err.endswith("got 'tny'. Did you mean tiny? (unknown_preset)\n")

    ran = cli("join", "http://127.0.0.1:9", "greedy", "--game", "pyrat")
    assert "cannot be reached" in ran.err
    assert "botarena serve starts one" in ran.err


def test_joining_an_unknown_lobby_is_one_line(cli, server):
    ran = cli("join", server, "greedy", "--game", "pyrat", "--lobby", "nowhere")

    assert (ran.status, ran.err.count("\n")) == (3, 1)


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("http://h:8/watch/abc", ("http://h:8", "abc")),
        ("h:8/watch/abc/", ("http://h:8", "abc")),
        ("https://h/arena/watch/abc?x=1", ("https://h/arena", "abc")),
        ("http://h:8/watch/", ("http://h:8", None)),
        ("h:8", ("h:8", None)),
    ],
)
def test_a_pages_address_gives_server_and_match(url, found):
    assert found == online.match_of(url)


# --- check-bot


def grades(text: str) -> dict[str, str]:
    return {
        line[5:21].strip(): line[:4]
        for line in text.splitlines()
        if line[:4] in ("pass", "warn", "fail", "skip")
    }


@pytest.mark.parametrize(
    ("body", "failed"),
    [
        ("return []", "first turn"),
        ("raise ValueError('no idea')", "first turn"),
        (
            "self.n = getattr(self, 'n', 0) + 1\nif self.n > 3:\n    import os\n    os._exit(7)\n"
            + HARMLESS,
            "ten turns",
        ),
    ],
)
def test_check_bot_names_the_phase_in_which_a_bot_fails(cli, bot_file, body, failed):
    ran = cli(
        "check-bot",
        bot_file(body),
        "--game",
        "botstack",
        "--set",
        "decision_timeout_ms=150",
        "--set",
        "time_bank_ms=0",
    )

    assert ran.status == 1
    assert grades(ran.out)[failed] == "fail"
    assert "mine: not ready" in ran.out


def test_check_bot_warns_of_refused_commands(cli, bot_file):
    body = HARMLESS.replace("return [{", "return [{'type': 'dance'}, {")
    ran = cli("check-bot", bot_file(body), "--game", "botstack")

    assert ran.status == 0
    assert grades(ran.out)["messages"] == "warn"
    assert "unknown_command" in ran.out


@pytest.mark.parametrize(
    ("answer", "status", "grade", "shown"),
    [
        ("7", 1, "fail", "12 answers that are not valid, one for every turn; the last one: turn"),
        (
            "1 // 0",
            1,
            "fail",
            "12 tracebacks in its output, one for every turn; the last one: Zero",
        ),
        (
            "1 // (state.turn != 3) and Direction.STAY",
            0,
            "warn",
            "1 traceback in its output; the last one: ZeroDivisionError",
        ),
    ],
)
def test_check_bot_warns_of_a_bot_that_fails_at_times_and_fails_one_that_always_does(
    cli, tmp_path, answer, status, grade, shown
):
    file = tmp_path / "boom.py"
    file.write_text(
        "from client_sdk.api.pyrat import Bot, Direction\n\n\nclass Boom(Bot):\n"
        "    def think(self, state, ctx):\n"
        f"        return {answer}\n"
    )
    short = ("--set", "preset=tiny", "--set", "max_turns=12", "--set", "move_timeout_ms=20000")
    ran = cli("check-bot", file, "--game", "pyrat", *short)

    assert ran.status == status
    assert grades(ran.out)["own errors"] == grade
    assert shown in ran.out


def test_check_bot_fails_a_bot_whose_commands_are_all_rejected(cli, tmp_path):
    file = tmp_path / "silly.py"
    file.write_text(
        "from botarena import Bot\n\n\nclass Silly(Bot):\n    game = 'cookoff'\n\n"
        "    def decide(self, view):\n        return [{'cmd': 'dance'}]\n"
    )
    ran = cli("check-bot", file, "--game", "cookoff", "--set", "total_turns=12")

    assert ran.status == 1
    assert grades(ran.out)["messages"] == "fail"
    assert "not one command was carried out: " in ran.out


@pytest.mark.parametrize(
    ("answer_s", "codes", "late"),
    [
        (0.001, ["not_possible"], False),
        (0.001, ["ok", "not_possible"], True),
        (1.5, ["stale_turn"], True),
    ],
)
def test_check_bot_calls_a_turn_late_unless_all_that_came_in_time_was_rejected(
    answer_s, codes, late
):
    results = [{"code": code} for code in codes]
    passed = Passed(
        to_bot=[
            (0.0, {"type": "start", "game": "pyrat", "clock": {}}),
            (1.0, {"type": "view", "turn": 0, "act": True, "within_ms": 1000}),
            (2.6, {"type": "results", "turn": 0, "results": results}),
            (2.6, {"type": "event", "event": "timeout", "turn": 0, "seat": 0}),
        ],
        from_bot=[(1.0 + answer_s, {"type": "commands", "turn": 0, "commands": codes})],
    )
    report = Report()
    _time(ObservedMatch(passed, 0, 0.0, 0, "", None), report)

    assert ("ran out of time" in report.phases[0].why) == late


@pytest.mark.parametrize(
    ("logged", "grade"),
    [
        ("", "pass"),
        ("botarena: never said ready: the first turn waited 9.8 s\n", "warn"),
        ("botarena: not ready, for the bot has ended with status 3\n", "fail"),
    ],
)
def test_check_bot_takes_no_ready_for_that_of_a_program_that_did_not_say_it(logged, grade):
    start = {"type": "start", "game": "pyrat", "within_ms": 10_000}
    passed = Passed(to_bot=[(0.0, start)], from_bot=[(9.8, {"type": "ready"})])
    report = Report()
    _ready(ObservedMatch(passed, 0, 0.0, 0, logged, None), report)

    (phase,) = report.phases
    assert phase.grade == grade
    assert logged.removeprefix("botarena: ").strip() in phase.why


@pytest.mark.parametrize("program", ["import sys; sys.exit(3)", "import sys; sys.stdin.read()"])
def test_check_bot_finds_a_program_in_the_form_of_lux_that_never_answers(cli, tmp_path, program):
    """Being ready has no word in that form: it is so when it answers its first step."""
    file = tmp_path / "main.py"
    file.write_text(program)
    short = ("preprocessing_timeout_ms=2000", "move_timeout_ms=100", "max_turns=20")
    given = [word for one in short for word in ("--set", one)]
    ran = cli("check-bot", f"lux:{sys.executable} -S -E {file}", "--game", "pyrat", *given)

    assert ran.status == 1
    assert grades(ran.out)["ready"] == "fail"


def test_check_bot_ends_a_match_that_takes_longer_than_its_limit(cli):
    """The ticks of a match in real time take longer; what was seen of it is graded."""
    ran = cli("check-bot", "greedy", "--game", "zooscape", "--full", "--max-time", 6)

    assert grades(ran.out)["first turn"] == "pass"
    assert grades(ran.out)["end"] == "skip"
    assert "the match was ended after 6 s (--max-time)" in ran.out


def test_check_bot_finds_a_program_that_fails_on_unknown_fields(cli, bot_file):
    """As a strict decoder would. It is one in the bot's own process only, not where the file is
    merely read."""
    file = bot_file(HARMLESS)
    stumble = (
        "import os\n\n"
        "from client_sdk.conversation import Conversation\n\n\n"
        "def strict(self, frame, now, take=Conversation.receive):\n"
        "    if 'a_field_from_tomorrow' in frame:\n"
        "        os._exit(1)\n"
        "    return take(self, frame, now)\n\n\n"
        "if 'BOTARENA_TOKEN' in os.environ:\n"
        "    Conversation.receive = strict\n"
    )
    file.write_text(stumble + file.read_text(encoding="utf-8"), encoding="utf-8")
    ran = cli("check-bot", file, "--game", "botstack")

    assert ran.status == 1
    assert grades(ran.out)["unknown fields"] == "fail"


@pytest.mark.parametrize(
    ("program", "phase", "why"),
    [
        ("raise SystemExit(4)", "launch", "it ended with status 4"),
        (
            "import os, websockets.sync.client as c; "
            "c.connect(os.environ['BOTARENA_URL']).send('hi')",
            "hello",
            "has to be a hello",
        ),
    ],
)
def test_check_bot_reports_how_far_a_program_came(cli, tmp_path, program, phase, why):
    file = tmp_path / "program.py"
    file.write_text(program)
    ran = cli("check-bot", f'"{sys.executable}" "{file}"', "--game", "botstack")

    assert ran.status == 1
    assert grades(ran.out)[phase] == "fail"
    assert why in ran.out


def test_check_bot_shows_why_a_file_does_not_load(cli, tmp_path):
    (tmp_path / "typo.py").write_text("def (:\n")
    ran = cli("check-bot", tmp_path / "typo.py", "--game", "botstack")

    assert ran.status == 1
    assert "typo.py, line 1: " in ran.out


# --- demo


def test_demo_plays_every_game_verifies_and_keeps_the_records(tmp_path):
    ran = botarena("demo", "--data-dir", tmp_path / "demo")

    assert (ran.status, ran.err) == (0, "")
    for game in GAMES:
        assert re.search(rf"^{game}: watch it at http://127\.0\.0\.1:\d+/watch/\w+$", ran.out, re.M)
        assert re.search(rf"^{game}: .*\d.*  ([\w ]+ wins|draw|both lost) \(\w+\)$", ran.out, re.M)
    assert ran.out.count("✔ ") == 2 * len(GAMES)
    assert "make serve" in ran.out
    for name in re.findall(r"✔ (\S+\.replay\.jsonl)", ran.out):
        assert not read(Path(name).read_bytes()).cut
