"""The catalogue of boards: the files under `maps/<game>/`, shipped as package data."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from games.core.contract import BadSetup

MAPS: Final = Path(__file__).resolve().parents[2] / "maps"
"""Found by its place and not by its name: a bot may have a `maps` of its own."""


def names(game: str) -> list[str]:
    """What the boards of this game are called: their files' names without the suffix, sorted. None:
    no board, not an error."""
    return sorted(_shelf(game))


def text(game: str, name: str) -> str:
    """A board's file. Raises BadSetup (`unknown_map`) for a name that is not in the catalogue."""
    shelf = _shelf(game)
    if name not in shelf:
        why = f"no map of {game} is called {name!r}"
        raise BadSetup("unknown_map", why, field="map", allowed=sorted(shelf))
    return shelf[name].read_text(encoding="utf-8")


def _shelf(game: str) -> dict[str, Path]:
    folder = MAPS / game
    if not game.isidentifier() or not folder.is_dir():
        return {}
    kept = (
        file for file in folder.iterdir() if file.is_file() and not file.name.startswith((".", "_"))
    )
    return {
        file.name.rpartition(".")[0] or file.name: file
        for file in kept
        if not file.name.endswith((".md", ".py"))
    }
