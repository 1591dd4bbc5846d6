"""A game is added by the list in CONTRIBUTING, and by nothing else: Nim, the example of
docs/games.md, becomes a game of the project in a copy of the tree."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from games.every import OURS
from tests.docs.test_documents import ROOT, blocks

PATIENCE_S = 840
NAME = "sticks"
"""No test has this word in its name, so `-k` selects those of this game."""

SECTION = (ROOT / "CONTRIBUTING.md").read_text().split("\n## A new game\n")[1].split("\n## ")[0]
PLACES = [
    re.findall(r"`([^`]+)`", item.split("\n\n")[0])
    for item in re.split(r"^\d+\. ", SECTION, flags=re.M)[1:]
]
"""What each item of the list names."""
REQUIRED = 3
"""The items that a game cannot do without."""

NIM, FOURS, ONES = blocks((ROOT / "docs" / "games.md").read_text(), "python")
MODULES = {
    "rules": ("Rules",),
    "state": ("State", "setup", "turn", "awaited"),
    "commands": ("parse", "apply"),
    "advance": ("advance",),
    "view": ("view",),
    "outcome": ("outcome",),
}
IMPORTS = """\
from __future__ import annotations

from dataclasses import dataclass

from games.core.contract import OK, Outcome, Rejected, Reply, duel, refused
from games.core.dice import Dice
from games.core.parameters import whole
"""
RULES = f"from games.{NAME}.rules import Rules\n"
STATE = f"from games.{NAME}.state import State\n"
TYPES = """\
from typing import TypedDict


class Command(TypedDict):
    take: int


class View(TypedDict):
    sticks: int
    to_move: int
"""
INIT = f"""\
from games.core.contract import Game
from games.{NAME} import json_types
from games.{NAME}.advance import advance
from games.{NAME}.commands import apply, parse
from games.{NAME}.outcome import outcome
from games.{NAME}.rules import Rules
from games.{NAME}.state import State, awaited, setup, turn
from games.{NAME}.view import view

GAME: Game[Rules, None, State, int] = Game(
    view_type=json_types.View,
    command_type=json_types.Command,
"""
ENTRY = f"""
    "{NAME}": lambda game: Entry(
        game,
        one_of({{"take": 1}}, {{"take": 2}}, {{"take": 3}}),
        30,
        configs=({{"sticks": 9}}, {{}}),
    ),"""

FOR_OPTIONAL_PLACES = {
    "test_every_game_has_a_module_with_its_names",
    "test_the_codes_of_a_games_commands_are_those_that_it_raises",
    "test_every_game_has_a_renderer_a_picture_and_its_rules",
    "test_matches_are_played_from_lobby_to_record",
    "test_a_twin_shows_every_turn_to_every_seat",
    "test_a_bot_imports_until_its_hello_its_own_game_and_no_command_line",
}
"""The tests of every game that ask for the other items of the list."""


def add_required(tree: Path) -> None:
    """Items 1 to 3."""
    folder = tree / "games" / NAME
    folder.mkdir()
    code = {
        node.name: ast.unparse(node)
        for node in ast.parse(NIM).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
    }
    for module, names in MODULES.items():
        imports = IMPORTS + {"rules": "", "state": RULES}.get(module, RULES + STATE)
        (folder / f"{module}.py").write_text("\n".join([imports, *map(code.get, names), ""]))
    game = NIM.partition("GAME = Game(\n")[2].replace('"nim"', f'"{NAME}"')
    (folder / "__init__.py").write_text(INIT + game)
    (folder / "json_types.py").write_text(TYPES)
    (folder / "RULES.md").write_text(
        "# Nim\nThe player who takes the last stick wins.\n"
        "Codes: `bad_command`, `too_many`, `not_your_turn`, `match_over`.\n"
    )

    insert(tree / "games/every.py", "from games.pyrat", f"from games.{NAME} import GAME as NIM\n")
    insert(tree / "games/every.py", "}\n\n\ndef installed", f'    "{NAME}": NIM,\n')
    insert(tree / "pyproject.toml", '"games.pyrat"', f'"games.{NAME}", ')
    insert(tree / "tests/games/entries.py", '\n    "pyrat": ', ENTRY)


def add_house_bots(tree: Path) -> None:
    """Of item 5, and a match for the tests that takes long enough."""
    folder = tree / "client_sdk" / "bots" / NAME
    folder.mkdir()
    (folder / "__init__.py").touch()
    for module, source in (("ones", ONES), ("greedy", FOURS)):
        own = source.replace("import botarena\n", "from client_sdk.base import Bot\n")
        own = own.replace("botarena.Bot", "Bot").replace(
            '"nim"', f'"{NAME}"\n    name = "{module}"'
        )
        (folder / f"{module}.py").write_text(own.partition("\n\nif __name__")[0])
    entries = "".join(
        f'        "{name}": HouseBot("client_sdk.bots.{NAME}.{name}", "{cls}", "plays"),\n'
        for name, cls in (("ones", "Ones"), ("greedy", "Fours"))
    )
    insert(
        tree / "client_sdk/bots/__init__.py",
        '    "botstack": {',
        f'    "{NAME}": {{\n{entries}    }},\n',
    )
    insert(
        tree / "tests/e2e/arena.py",
        '    "pyrat": {"max_turns"',
        f'    "{NAME}": {{"sticks": 60}},\n',
    )


def insert(file: Path, before: str, text: str) -> None:
    """Put a text before every place of this one."""
    known = file.read_text()
    assert before in known, (file, before)
    file.write_text(known.replace(before, text + before))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of this project, with the game."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, tmp_path / name)
    add_required(tmp_path)
    return tmp_path


def run(tree: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(tree)}
    return subprocess.run(
        command, cwd=tree, env=environment, capture_output=True, text=True, timeout=PATIENCE_S
    )


def test_the_list_of_places_holds_for_every_game_of_the_project():
    paths = [place for item in PLACES for place in item if "/" in place]

    assert len(paths) >= 15
    for game in OURS:
        for place in (path.replace("<id>", game) for path in paths if path != "maps/<id>/"):
            assert (ROOT / place).exists() or (ROOT / place.removesuffix(".py")).is_dir(), place


@pytest.mark.documents
@pytest.mark.timeout(900)
@pytest.mark.parametrize("house_bots", [False, True], ids=["required", "house bots"])
def test_a_game_with_the_required_places_passes_the_tests_of_every_game(tree, house_bots):
    if house_bots:
        add_house_bots(tree)
    python = sys.executable
    with_e2e = "not soak and not web and not documents"
    words = ("-m", "pytest", "-n", "2", "-rfE", "-m", with_e2e, "-k", NAME, "tests")
    tested = run(tree, python, *words)
    linted = run(tree, str(Path(python).with_name("lint-imports")))

    failed = set(re.findall(r"^(?:FAILED|ERROR) \S+::(\w+)\[", tested.stdout, re.M))
    assert failed == FOR_OPTIONAL_PLACES, tested.stdout[-9000:]
    assert linted.returncode == 0, linted.stdout


@pytest.mark.documents
def test_the_required_places_are_those_of_the_list(tree):
    modules, *others = PLACES[:REQUIRED]
    folder = tree / "games" / NAME

    assert (modules[0], modules[-1]) == ("games/<id>/", "GAME")
    for name in {*modules[1:-1]} - {"board"}:
        assert (folder / name).exists() or (folder / f"{name}.py").exists(), name
    files = [place for item in others for place in item if "." in place]
    assert len(files) == 3
    for file in files:
        assert NAME in (tree / file).read_text(), file
