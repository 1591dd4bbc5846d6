"""`botarena replay --clip`: turns of a record as a moving picture, drawn without a browser."""

from __future__ import annotations

import sys

import pytest

from client_sdk import clip, replay
from tests.web.matches import SHORT, recorded

PIL = pytest.importorskip("PIL.Image")
GAME = "botstack"


@pytest.fixture
def file(tmp_path):
    file = tmp_path / f"{GAME}.replay.jsonl"
    file.write_text(recorded(GAME))
    return file


def test_a_clip_shows_the_turns_that_were_asked_for(cli, file, tmp_path):
    out = tmp_path / "out.gif"
    ran = cli("replay", file, "--clip", out, "--turns", "3:8", "--pace", 100)

    assert ran.out.startswith(f"{out}: 6 turns, ")
    with PIL.open(out) as moving:
        assert (moving.format, moving.n_frames) == ("GIF", 6)
        moving.seek(4)
        first_ms = moving.info["duration"]
        moving.seek(5)
        assert moving.info["duration"] == 8 * first_ms


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--clip", "out.mp4"], "ends in .gif, .webp, .png"),
        (["--clip", "out.gif", "--turns", "7"], "expected A:B"),
        (["--clip", "out.gif", "--turns", "8:3"], "a clip has 1 to 200 turns"),
        (["--clip", "out.gif", "--turns", "3:9999"], "9999"),
        (["--clip", "no/such/folder/out.gif", "--turns", "3:4"], "No such file"),
    ],
)
def test_a_clip_that_cannot_be_made_is_refused_with_a_reason(cli, file, words, why):
    ran = cli("replay", file, *words)

    assert ran.status != 0
    assert why in ran.err


def test_without_pillow_the_command_names_the_extra(cli, file, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    ran = cli("replay", file, "--clip", tmp_path / "out.gif")

    assert "pip install 'botarena[clip]'" in ran.err


@pytest.mark.parametrize("game", SHORT)
def test_each_game_is_drawn(game):
    record = replay.read(recorded(game))
    drawer = clip.Drawer(game, record.names, record.view(0))
    pictures = [drawer.picture(record.view(index), f"turn {index}") for index in (0, 5)]
    first, second = drawer.drawn(pictures)

    assert first.size == second.size
    assert first.tobytes() != second.tobytes()
    assert len(first.getcolors(1 << 16)) > 8
