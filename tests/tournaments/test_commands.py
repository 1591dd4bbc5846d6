"""The commands that manage tournaments on a server."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import client_sdk.cli
from tests.forked_process import ForkedProcess
from tests.tournaments.stage import Stage, staged

FILE = """
name = "Spring"
game = "pyrat"
config = {preset = "tiny", max_turns = 4}
format = {format = "round-robin", matches_per_pairing = 1, check = false}
[[bots]]
house = "greedy"
name = "Bob"
"""


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory):
    with (
        pytest.MonkeyPatch.context() as monkeypatch,
        staged(tmp_path_factory.mktemp("commands"), monkeypatch) as stage,
    ):
        yield stage


@pytest.fixture
def says(stage: Stage, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """What `botarena tournament online …` prints, with the organiser's key."""
    monkeypatch.setenv("BOTARENA_URL", stage.live_server.url)
    monkeypatch.setenv("BOTARENA_KEY", stage.organiser.key)

    def output_of(*words: str, status: int = 0) -> str:
        ended = client_sdk.cli.run(["tournament", "online", *words])
        out = capsys.readouterr()
        assert ended == status, out.err
        return out.err if status else out.out

    return output_of


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "spring.toml"
    path.write_text(FILE, encoding="utf-8")
    return str(path)


def test_a_tournament_is_created_entered_played_and_shown_by_commands(stage, says, file, tmp_path):
    id_ = says("create", file).strip()
    guest = stage.guest("Ada")
    words = ("random", "--enter", id_, "--name", "A", "--games", "2")
    calling = ForkedProcess(
        ("play-for", stage.live_server.url, *words),
        environment=os.environ | {"BOTARENA_KEY": guest.person.key},
    )
    try:
        assert calling.stdout.readline() == f"A has entered {id_} as number 2\n"
        assert says("enter", id_, "greedy", "--name", "Cyd") == "Cyd has entered as number 3\n"
        assert says("start", id_).startswith(f"{id_} is stage 1; fact ")
    finally:
        played, _ = calling.communicate(timeout=60)

    over = stage.until(id_, "finished")
    assert calling.returncode == 0
    assert played.count(": seat ") == 2
    assert {game["how"] for game in over["games"]} == {"played"}
    shown = says("show", id_)
    assert "Spring: PyRat, 3 bots, finished" in shown
    assert [line.split(". ")[1] for line in shown.splitlines()[-3:]] == over["placings"]
    assert (
        says("show", id_, "--csv")
        == stage.live_server.get(f"/tournaments/{id_}/standings.csv").text
    )
    assert says("show", id_, "--html") == stage.live_server.get(f"/tournaments/{id_}/page").text
    assert f"{id_}  pyrat  round-robin  finished  Spring" in says("list").splitlines()


def test_an_organiser_decides_by_commands(stage, says, file):
    id_ = says("create", file).strip()
    says("enter", id_, "random")
    says("pause", id_)
    assert "paused" in says("start", id_)
    says("override", id_, "rr-1", "--places", "2,1", "--scores", "0,2", "--why", "wrong map")
    assert stage.get(id_)["placings"] == ["random", "Bob"]
    says("undo", id_, "5")
    says("disqualify", id_, "random", "--why", "two accounts")
    assert stage.get(id_)["placings"] == ["Bob"]
    log = says("show", id_, "--log")
    assert [line.split(maxsplit=2)[2] for line in log.splitlines()[-3:]] == [
        "override rr-1 places 2-1, scores 0 : 2 by ann: wrong map (undone)",
        "undone fact 5 by ann",
        "disqualified random by ann: two accounts",
    ]


def test_a_file_with_bots_that_a_server_cannot_play_is_refused_with_their_names(
    stage, says, file, tmp_path
):
    (tmp_path / "ada.py").write_text("", encoding="utf-8")
    Path(file).write_text(FILE + '[[bots]]\nfile = "ada.py"\n', encoding="utf-8")

    assert "botarena play-for or submit: ada" in says("create", file, status=2)


def test_a_missing_key_is_named(says, file, monkeypatch):
    monkeypatch.delenv("BOTARENA_KEY")

    assert "BOTARENA_KEY" in says("create", file, status=2)
