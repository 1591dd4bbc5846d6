"""Bots' files that attack: nothing happens outside, each ends by its own cause, nothing of it
stays, the others play as ever."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from client_sdk.local.games import Task, TaskResult, play
from client_sdk.local.players import PlayerSpec
from client_sdk.replay import JOURNAL_SUFFIX
from tests.hostile.attacks import ATTACKS, Attack
from tests.hostile.world import World, mounts, namespaces, sandboxed, world
from tests.waiting import eventually

pytestmark = sandboxed
CONFIG = {"preset": "tiny", "max_turns": 4, "preprocessing_timeout_ms": 0}
SILENT = Attack(body="return []", cause="")


@pytest.fixture(scope="module")
def around(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with world(tmp_path_factory.mktemp("contest")) as found:
        yield found


def played(
    attack: Attack, around: World, folder: Path
) -> tuple[TaskResult, list[dict[str, Any]], str]:
    """One game against a house bot: what became of it, its journal, and all that was written down
    of the bot."""
    file = attack.write(folder / "mine", around.names)
    for name in ("games", "logs"):
        (folder / name).mkdir()
    task = Task(
        record="game",
        game="pyrat",
        config=CONFIG | dict(attack.config),
        map_text=None,
        seed=5,
        players=(
            PlayerSpec(
                "hostile", str(file), "file", home=str(file.parent), own=(str(file.parent),)
            ),
            PlayerSpec("greedy", "greedy", "house"),
        ),
        limit_s=attack.limit_s,
        games=folder / "games",
        logs=folder / "logs",
        limits=attack.bounds,
    )
    done = play(task)
    journal = folder / "games" / f"game{JOURNAL_SUFFIX}"
    lines = (
        [json.loads(line) for line in journal.read_text().splitlines()] if journal.exists() else []
    )
    written = [path.read_text(errors="replace") for path in sorted((folder / "logs").iterdir())]
    return done, lines, "\n".join([done.why, *written])


@pytest.fixture(scope="module")
def silent(around: World, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Any, ...]]:
    """The states of the game in which a silent bot sits there."""
    _, journal, _ = played(SILENT, around, tmp_path_factory.mktemp("silent"))
    return states(journal)


def states(journal: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Turn by turn the state's hash and the house bot's commands, and the end."""
    of_interest = (
        line
        for line in journal
        if line["k"] in ("turn", "end") or (line["k"] == "command" and line["s"] == 1)
    )
    return [
        (line["k"], line.get("h"), line.get("c"), str(line.get("outcome"))) for line in of_interest
    ]


@pytest.mark.parametrize("name", ATTACKS)
def test_a_hostile_file_gains_nothing_and_ends_for_its_own_cause(
    name: str,
    around: World,
    silent: list[tuple[Any, ...]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    attack = ATTACKS[name]
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setattr(
        "client_sdk.isolated_process.LOADING_S", 1.0 if name == "hangs_while_it_is_read" else 60.0
    )
    monkeypatch.setenv("MYPASS", around.secret)
    mounted = mounts(tmp_path)
    done, journal, written = played(attack, around, tmp_path / "play")

    assert "Gained" not in written.replace("raise Gained", ""), written
    rejected = [line["v"] for line in journal if line["k"] == "command" and line["s"] == 0]
    assert re.search(attack.cause, "\n".join([written, *rejected]), re.MULTILINE), written
    if attack.at == "import":
        assert (done.absent, done.outcome) == ((0,), None)
    else:
        assert done.outcome is not None, done.why
        assert silent == states(journal)
    around.unharmed()
    lived_in = set(re.findall(r"namespace (pid:\[\d+\])", written))
    eventually(lambda: not lived_in & namespaces())
    assert [*temporary.iterdir()] == []
    assert mounted == mounts(tmp_path)
    assert all(path.stat().st_size <= 300_000 for path in (tmp_path / "play" / "logs").iterdir())
