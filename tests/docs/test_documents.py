"""The documents are correct: their code runs, their commands work, their links have targets."""

from __future__ import annotations

import dataclasses
import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import client_sdk.cli
from client_sdk.api import terminal
from client_sdk.sandbox import missing
from docs.picture import CELL, drawn
from games import GAMES
from games.contest.format import FORMATS, Format
from games.core import maps
from games.core.contract import SPECTATOR
from games.core.match import Match

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").glob("*.md")),
    ROOT / "maps" / "README.md",
]
TRIED = ["README.md", "docs/bots.md", "docs/hosting.md"]
EXAMPLE = "http://127.0.0.1:8000"
PATIENCE_S = 120
NEEDED_BY = {"node": ("node ",), "cc": ("cc", "lines:./mybot")}
"""Words of commands that need a tool, by the tool; without it they are not tried."""
SVG = "{http://www.w3.org/2000/svg}"

by_path = pytest.mark.parametrize(
    "path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix()
)


@by_path
def test_pip_installs_this_project_or_an_extra_of_it(path):
    """`name[extra] @ .` is no requirement: pip refuses it."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    for what in re.findall(r"pip install (?:-e )?\"?([^\s\"`]+)", path.read_text(encoding="utf-8")):
        if path.name == "CHANGELOG.md":
            continue
        local = re.fullmatch(r"\.(?:\[(\w+)\])?", what)
        assert local, what
        assert local[1] is None or local[1] in extras, what


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def commands(text: str) -> Iterator[list[str]]:
    """The command lines of a document's shell blocks, comments gone, as words."""
    for block in blocks(text, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            if words := shlex.split(line, comments=True):
                yield words


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The address of a server of our own."""
    command = [
        sys.executable,
        "-m",
        "client_sdk.cli",
        "serve",
        "--port",
        "0",
        "--data-dir",
        str(tmp_path / "data"),
        "--log-level",
        "error",
    ]
    process = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().split()[-1]
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
        process.stdout.close()


class Desk:
    """Where a document's commands are tried: a folder of its own, which we are in, and a server in
    place of the one that the document names."""

    def __init__(self, server: str, capsys: pytest.CaptureFixture[str]) -> None:
        self.server = server
        self.capsys = capsys
        self.started: list[subprocess.Popen[str]] = []

    def clear(self) -> None:
        """Stop what still runs after a failure."""
        for process in self.started:
            process.kill()
            process.communicate()

    def start(self, *words: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.started.append(process)
        return process

    def ends_well(self, process: subprocess.Popen[str]) -> str:
        output, _ = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0, f"{process.args}: {output}"
        return output

    def here(self, words: list[str]) -> list[str]:
        """Our server for the one that is named, our Node bot for the reader's, and less of what
        takes long: two games show what a hundred do, and a few ticks what a whole match of Zooscape
        does."""
        node = f"node '{ROOT / 'examples/node/bot.mjs'}'"
        here = [word.replace(EXAMPLE, self.server).replace("node mybot.js", node) for word in words]
        if "--games" in here:
            here[here.index("--games") + 1] = "2"
        if here[:2] == ["play", "zooscape"]:
            here += ["--set", "max_ticks=100"]
        return here

    def botarena(self, *words: str) -> str:
        """A command to its end, within this process; what it says."""
        self.capsys.readouterr()
        status = client_sdk.cli.run(self.here([*words]))
        output = self.capsys.readouterr()
        compared = words[0] == "batch" and "won" in output.out  # its status is the answer
        assert status == 0 or compared, f"{words}: {output.out}{output.err}"
        return output.out

    def beside(self, *words: str) -> subprocess.Popen[str]:
        """A command as a process of its own."""
        return self.start("-m", "client_sdk.cli", *self.here([*words]))

    def tries(self, words: list[str]) -> None:
        match words:
            case [variable, *rest] if re.match(r"[A-Z_]+=", variable):
                self.tries(rest)
            case ["botarena", "serve" | "human" | "bridge" | "submit" as verb, *options]:
                output = self.botarena(verb, "--help")
                assert all(option in output for option in options if option.startswith("--"))
            case ["botarena", "join", *rest]:
                self.joins(rest)
            case ["botarena", "submissions" | "ladder" as group, verb, *_]:
                self.botarena(group, verb, "--help")
            case ["botarena", *rest]:
                self.botarena(*rest)
            case ["python", file, *rest]:
                self.ends_well(self.start(file, *rest))
            case ["cc", *_]:
                subprocess.run(words, check=True)
            case ["make", word]:
                assert f"\n{word}:" in (ROOT / "Makefile").read_text(encoding="utf-8")
            case ["curl", "-s", *rest]:
                self.asks(rest)
            case ["docker", *_]:
                assert (ROOT / "docker-compose.yml").is_file()
            case ["pip", "install", what]:
                assert what in (".", ".[server]")
            case _:
                pytest.fail(f"no test runs {words}")

    def joins(self, words: list[str]) -> None:
        """A second client does the same; a lobby that is named was created before."""
        lobby = words[words.index("--lobby") + 1] if "--lobby" in words else "*"
        if lobby not in ("*", "new"):
            self.posts("/api/v1/lobbies", {"game": "pyrat", "name": lobby})
        first = self.beside("join", *words)
        assert first.stdout is not None
        assert any("has seat" in line for line in first.stdout)
        other = self.beside(
            "join",
            EXAMPLE,
            "random",
            "--game",
            "pyrat",
            "--lobby",
            "*" if lobby == "new" else lobby,
        )
        self.ends_well(first)
        self.ends_well(other)

    def asks(self, words: list[str]) -> None:
        path = next(word for word in words if word.startswith(EXAMPLE)).removeprefix(EXAMPLE)
        if "-d" in words:
            self.posts(path, json.loads(words[words.index("-d") + 1]))
        else:
            with urllib.request.urlopen(f"{self.server}{path}", timeout=PATIENCE_S) as answer:
                json.load(answer)

    def posts(self, path: str, body: Any) -> None:
        asked = urllib.request.Request(
            f"{self.server}{path}",
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
            method="POST",
        )
        with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:
            assert answer.status == 201


@pytest.fixture
def desk(
    tmp_path: Path, server: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Desk]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.delenv("BOTARENA_TOKEN", raising=False)
    made = Desk(server, capsys)
    yield made
    made.clear()


def sections(text: str) -> dict[str, list[list[str]]]:
    """The command lines below each heading that has some."""
    parts = (part.partition("\n") for part in re.split(r"^#+ ", text, flags=re.MULTILINE))
    return {title: found for title, _, part in parts if (found := list(commands(part)))}


@pytest.mark.documents
@pytest.mark.parametrize(
    ("name", "title"),
    [
        (name, title)
        for name in TRIED
        for title in sections((ROOT / name).read_text(encoding="utf-8"))
    ],
)
def test_every_command_of_a_document_works(
    name: str, title: str, desk: Desk, tmp_path: Path
) -> None:
    """A section's commands in order, as a reader types them, next to the README's bot, the
    document's bots, the example in C and a match's records."""
    text = (ROOT / name).read_text(encoding="utf-8")
    (bot,) = blocks((ROOT / "README.md").read_text(encoding="utf-8"), "python")
    (tmp_path / "mybot.py").write_text(bot, encoding="utf-8")
    shutil.copy(ROOT / "examples/lines/bot.c", tmp_path / "mybot.c")
    for block in blocks(text, "python"):
        bots = r"^(?:class|def) (\w+)\((?:Bot|AI|observation)\b"
        (called,) = re.findall(bots, block, re.MULTILINE)
        (tmp_path / f"{called.lower()}.py").write_text(block, encoding="utf-8")
    if name == "docs/hosting.md":
        desk.joins([EXAMPLE, "greedy", "--game", "pyrat"])
    missing_tools = [tool for tool in NEEDED_BY if shutil.which(tool) is None]
    for words in sections(text)[title]:
        if not any(word.startswith(NEEDED_BY[tool]) for tool in missing_tools for word in words):
            desk.tries(words)


@pytest.mark.documents
def test_the_organisers_guide_leads_to_printed_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every command in its order, with one game of each pair: it shows what four do. Only games
    have processes of their own."""
    text = (ROOT / "docs/organisers.md").read_text(encoding="utf-8")
    (bot,), (plan,) = blocks(text, "python"), blocks(text, "toml")
    (tmp_path / "ada.py").write_text(bot, encoding="utf-8")
    (tmp_path / "spring.toml").write_text(
        re.sub(r"(?<=matches_per_pairing = )\d+", "1", plan), encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    tried = []
    for words in commands(text):
        match words:
            case ["make", word]:
                assert f"\n{word}:" in (ROOT / "Makefile").read_text(encoding="utf-8")
            case ["botarena", "ladder", verb, *_]:  # on a server
                assert client_sdk.cli.run(["ladder", verb, "--help"]) == 0
            case ["botarena", *rest]:
                rest, _, file = (rest, "", "") if ">" not in rest else (rest[:-2], *rest[-2:])
                if rest[0] == "verify":  # the records of two games: they show what all do
                    rest[1:] = [str(record) for record in sorted(Path(rest[1]).iterdir())[:4]]
                if rest[:2] == ["tournament", "run"] and missing() is not None:
                    rest.append("--trust-bots")
                status = client_sdk.cli.run(rest)
                output = capsys.readouterr()
                assert status == 0, f"{words}: {output.err}"
                if file:
                    (tmp_path / file).write_text(output.out, encoding="utf-8")
            case _:
                pytest.fail(f"no test runs {words}")
        tried.append(words)

    assert len(tried) >= 10
    page = (tmp_path / "results.html").read_text(encoding="utf-8")
    assert sorted(re.findall(r"<li>(\w+)</li>", page)) == [
        "Ada",
        "Bob",
        "Cyd",
        "Dot",
        "Eve",
        "Fay",
        "Hal",
    ]  # Gus was sent away
    assert "override QF1-1" in page
    assert (tmp_path / "standings.csv").read_text(encoding="utf-8").count("\n") == 9


def test_the_organisers_guide_has_every_format_and_parameter() -> None:
    text = (ROOT / "docs/organisers.md").read_text(encoding="utf-8")
    formats, parameters = (
        (text.partition(f"| {title} |")[2]).partition("\n\n")[0]
        for title in ("format", "parameter")
    )
    first = re.findall(r"^\| (`[^|]+) \|", parameters, re.MULTILINE)
    named = [name for cell in first for name in re.findall(r"`(\w+)`", cell)]
    elsewhere = {"format", "rounds", "challengers"}  # with the formats
    of_servers = {"round_robin_public", "bracket_public", "spectator_delay"}

    assert tuple(re.findall(r"^\| `([a-z-]+)` \|", formats, re.MULTILINE)) == FORMATS
    assert len(named) == len(set(named))
    assert {*named} | elsewhere | of_servers == {field.name for field in dataclasses.fields(Format)}
    assert all(f"`{name}`" in formats for name in elsewhere - {"format"})


def test_the_first_bot_has_ten_lines() -> None:
    (bot,) = blocks((ROOT / "README.md").read_text(encoding="utf-8"), "python")

    assert 0 < len([line for line in bot.splitlines() if line.strip()]) <= 10


@pytest.mark.documents
@pytest.mark.parametrize(
    ("name", "game", "words"),
    [
        ("docs/bots.md", "botstack", []),
        ("docs/bots.md", "zooscape", ["wanderer", "wanderer"]),
        ("README.md", "pyrat", []),
    ],
)
def test_the_bots_in_the_documents_play_without_faults(
    name: str, game: str, words: list[str], desk: Desk, tmp_path: Path
) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    (block,) = [block for block in blocks(text, "python") if f"botarena.{game} " in block]
    (tmp_path / "mybot.py").write_text(block, encoding="utf-8")
    output = desk.botarena(
        "play", game, "mybot.py", "greedy", *words, "--games", "2", "--swap", "--seed", "1"
    )
    titles, *rows = [
        line for line in output.splitlines() if line.split()[:1] in (["player"], ["mybot"])
    ]

    assert "failed" in titles
    assert rows[0].split()[-2:] == ["0", "0"]  # failed and late turns


@by_path
def test_every_link_has_a_target(path: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", path.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (path.parent / target.partition("#")[0]).exists(), target


def test_the_readme_begins_with_two_commands() -> None:
    first = next(iter(blocks((ROOT / "README.md").read_text(encoding="utf-8"), "sh")))

    assert [shlex.split(line, comments=True) for line in first.splitlines()] == [
        ["make", "demo"],
        ["make", "test"],
    ]


def test_the_readme_names_the_command_that_runs_the_tests() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")

    assert "test: $(VENV)\n\t$(BIN)/python -m pytest -n auto\n" in makefile
    assert ".venv/bin/python -m pytest -n auto" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_game_is_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    for name, game in GAMES.items():
        assert f"| `{name}` {game.title} |" in text


LINES = {
    "pyrat": lambda view: 2 * view["maze"]["height"] + 2,
    "zooscape": lambda view: len(view["map"]),
    "catastrophe": lambda view: view["map"]["height"],
}
"""How many of a picture's lines are the board; it is the end of the picture. The games whose maps
are drawn."""


@pytest.mark.parametrize(
    ("game", "name"), [(game, name) for game in GAMES if game in LINES for name in maps.names(game)]
)
def test_the_catalogue_shows_every_map(
    game: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms = (ROOT / "maps" / "README.md").read_text(encoding="utf-8").split("\n## ")
    (room,) = [room for room in rooms if room.startswith(f"{GAMES[game].title}\n")]
    (chapter,) = [chapter for chapter in room.split("\n### ") if chapter.startswith(f"{name}\n")]
    (drawn,) = blocks(chapter, "text")
    monkeypatch.setenv("COLUMNS", str(drawn.index("\n")))
    view = Match.begin(GAMES[game], {}, 0, maps.text(game, name)).view(SPECTATOR)
    shown = str(terminal.draw(game, view, GAMES[game].roles)).rstrip("\n").split("\n")

    assert shown[-LINES[game](view) :] == drawn.splitlines()


def test_the_settings_in_the_documents_are_the_servers() -> None:
    from server.settings import Settings

    shown = dict(
        re.findall(
            r"^\| `BOTARENA_([A-Z_]+)` \| ([^|]+) \|",
            (ROOT / "docs/hosting.md").read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    )
    defaults = {name.upper(): field.default for name, field in Settings.model_fields.items()}

    assert len(shown) >= 5
    for name, value in shown.items():
        assert name in defaults
        assert value in (str(defaults[name]), str(defaults[name]).lower(), "from the request"), name


def test_the_picture_shows_the_view() -> None:
    view = Match.begin(GAMES["pyrat"], {"preset": "tiny"}, 5).view(SPECTATOR)
    picture = ElementTree.fromstring(drawn(view, view["maze"]))
    circles = [
        (float(one.get("cx", "")), float(one.get("cy", ""))) for one in picture.iter(f"{SVG}circle")
    ]
    height = view["maze"]["height"] * CELL

    assert len(circles) == len(view["cheese"]) + 2
    assert circles[-1] == (CELL / 2, height - CELL / 2)  # the Python starts bottom left
    assert len(list(picture.iter(f"{SVG}path"))) == len(view["maze"]["walls"]) + len(
        view["maze"]["mud"]
    )


def test_the_picture_in_the_documents_is_generated_by_the_script() -> None:
    picture = ElementTree.fromstring((ROOT / "docs/pyrat.svg").read_text(encoding="utf-8"))

    assert (picture.findtext(f"{SVG}title") or "").startswith("PyRat, turn ")


def test_documents_scaffolds_and_examples_import_only_the_public_package() -> None:
    texts = [
        path
        for path in [ROOT / "README.md", *ROOT.glob("docs/*.*"), *ROOT.glob("examples/**/*.py")]
        if path.is_file()
    ]
    texts += (ROOT / "client_sdk/api/scaffold").glob("*/bot.py")
    imports = re.compile(r"^\s*(?:from|import) (?:client_sdk|games|server)\b.*", re.M)

    found = {
        path.name: lines
        for path in texts
        if (lines := imports.findall(path.read_text(encoding="utf-8")))
    }

    assert len(texts) > 10
    assert found == {}
