"""The games: rules of play, pure, standard library only. All code outside goes through GAMES."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.every import GAMES

__all__ = ["GAMES"]


def __getattr__(name: str) -> object:
    """GAMES is imported on demand, so that a bot of one game does not wait for the other four."""
    if name == "GAMES":
        from games.every import GAMES

        return GAMES
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
