"""docs/learning.md: its programs run, its sizes are right, and its learner beats a house bot."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import botarena
from botarena.env import ArrayEnv
from tests.docs.test_documents import ROOT, blocks

TEXT = (ROOT / "docs" / "learning.md").read_text(encoding="utf-8")
LEARNER = ROOT / "examples" / "learn" / "bot.py"


def run(folder: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_programs_of_the_document_run(tmp_path: Path) -> None:
    programs = blocks(TEXT, "python")
    assert len(programs) == 4
    (tmp_path / "all.py").write_text("\n".join(programs), encoding="utf-8")

    assert run(tmp_path, "all.py").startswith("(")


@pytest.mark.parametrize(
    ("title", "game", "sizes"),
    [
        ("PyRat", "pyrat", {}),
        ("Zooscape", "zooscape", {}),
        ("BotStack 01", "botstack", {"S": 2}),
        ("Catastrophe", "catastrophe", {}),
        ("Cookoff", "cookoff", {"B": 2}),
    ],
)
def test_the_table_has_the_shapes_and_actions(title: str, game: str, sizes: dict[str, int]) -> None:
    env = ArrayEnv(game, map="galley" if game == "cookoff" else None)
    board = next((shape for shape in env.shapes.values() if len(shape) > 2), (0, 0))
    sizes = sizes | {"tile": board[-1] * board[-2]}
    (row,) = re.findall(rf"^\| {title}[^|]*\|([^|]*)\|([^|]*)\|$", TEXT, re.MULTILINE)
    arrays = re.findall(r"`(\w+)` \(([^)]*)\)", row[0])

    assert [name for name, _ in arrays] == list(env.shapes)
    for name, text in arrays:
        parts = [re.sub(r"(?<=\d) (?=[A-Z])", "*", part.strip()) for part in text.split(",")]
        stated = [None if part in ("width", "height") else eval(part, {}, sizes) for part in parts]
        assert len(stated) == len(env.shapes[name])
        assert all(
            size in (None, real) for size, real in zip(stated, env.shapes[name], strict=True)
        )
    text = re.split("[:,]", row[1].strip())[0].replace(" for each ", "*")
    assert eval(re.sub(r"(?<=\d) (?=[A-Z])", "*", text), {}, sizes) == env.actions


def test_the_learner_has_sixty_lines() -> None:
    assert len(LEARNER.read_text(encoding="utf-8").splitlines()) <= 60
    assert "60 lines" in TEXT


def test_the_learner_is_a_bot_and_equal_rounds_give_an_equal_table(tmp_path: Path) -> None:
    shutil.copy(LEARNER, tmp_path)
    tables = []
    for _ in range(2):
        run(tmp_path, "bot.py", "train", "100")
        tables.append((tmp_path / "bot.json").read_bytes())
    result = botarena.play("botstack", tmp_path / "bot.py", "trivial", seed=1)

    assert tables[0] == tables[1]
    assert result.faults == ()


@pytest.mark.documents
def test_what_the_learner_has_learned_beats_a_house_bot(tmp_path: Path) -> None:
    (rounds,) = re.findall(r"bot\.py train (\d+)", TEXT)
    (words,) = re.findall(r"^botarena (batch .*)$", TEXT, re.MULTILINE)
    shutil.copy(LEARNER, tmp_path)
    run(tmp_path, "bot.py", "train", rounds)
    command = ("-m", "client_sdk.cli", *words.split(), "--seed", "1", "--json")
    result = json.loads(run(tmp_path, *command))

    assert result["decision"] == "better", result
    assert result["failed"] == [0, 0]
