"""A match on a terminal: it is redrawn in place, and messages are printed above it."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from client_sdk.cli import screen
from client_sdk.console import note
from client_sdk.local import results
from client_sdk.local.headless import FinishedGame
from client_sdk.local.seated import SeatStats
from games import GAMES
from games.core.contract import SPECTATOR
from games.core.match import Match


def test_a_note_is_printed_above_the_redrawn_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Console(file=io.StringIO(), force_terminal=True, width=60, height=40)
    monkeypatch.setattr(screen, "out", lambda: terminal)
    view = Match.begin(GAMES["pyrat"], {"preset": "tiny"}, 1).view(SPECTATOR)

    with screen.showing() as show:
        show("pyrat", view, ("one", "other"))
        note("turn 3: away (one)")
        show("pyrat", view, ("one", "other"))

    assert "turn 3: away (one)\n" in terminal.file.getvalue()


def test_the_table_of_a_run_fits_80_columns() -> None:
    terminal = Console(file=io.StringIO(), width=80)
    stats = [SeatStats(turns=100, total_s=12.3, longest_s=1.2) for _ in range(2)]
    seats = [{"outcome": "win", "score": 20.25}, {"outcome": "loss", "score": 1}]
    played = [
        FinishedGame(n, 1, seating, {"seats": seats}, 100, stats)
        for n, seating in enumerate([(0, 1), (1, 0)])
    ]
    terminal.print(results.table(GAMES["botstack"], ["greedy", "trivial"], played))
    text = terminal.file.getvalue()

    assert "…" not in text
    assert {
        "player",
        "games",
        "draws",
        "losses",
        "score",
        "ms/turn",
        "longest",
        "failed",
        "late",
    } <= set(text.split())
    assert "  as player 2" in text
    assert all(line.strip() and len(line) <= 80 for line in text.splitlines())
