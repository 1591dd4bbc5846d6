"""A match on a terminal: redrawn in place, and what is said meanwhile stands above it."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from client_sdk.cli import screen
from client_sdk.cli.console import note
from games import GAMES
from games.core.contract import GALLERY
from games.core.match import Match


def test_a_note_stands_above_the_picture_that_is_redrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Console(file=io.StringIO(), force_terminal=True, width=60, height=40)
    monkeypatch.setattr(screen, "out", lambda: terminal)
    view = Match.begin(GAMES["pyrat"], {"preset": "tiny"}, 1).view(GALLERY)

    with screen.showing() as show:
        show("pyrat", view, ("one", "other"))
        note("turn 3: away (one)")
        show("pyrat", view, ("one", "other"))

    assert "turn 3: away (one)\n" in terminal.file.getvalue()
