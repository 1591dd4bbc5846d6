"""Journals of matches that a server left running, made without one: long matches are there in a
moment."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from client_sdk.replay import JOURNAL_SUFFIX
from games.core.contract import AnyGame
from games.core.match import Match
from server.matches.record import JournalFile
from server.tokens import digest, new_token
from server.wall_clock import wall_ms

SALT = "5a" * 16


def left_running(
    data: Path,
    id_: str,
    game: AnyGame,
    config: Mapping[str, Any],
    *,
    advances: int,
    clock: Mapping[str, Any] | None = None,
    name: str | None = None,
) -> list[str]:
    """A match in which no seat sent anything for this number of turns or ticks; the tokens of its
    seats."""
    match = Match.begin(game, config, 1)
    tokens = [new_token("seat") for _ in range(match.seats)]
    folder = data / "matches"
    folder.mkdir(parents=True, exist_ok=True)
    match.journal = file = JournalFile(folder / f"{id_}{JOURNAL_SUFFIX}")
    seats = [
        {
            "seat": seat,
            "role": game.roles[seat],
            "name": f"player {seat}",
            "kind": "bot",
            "bot": None,
            "account": None,
            "token": digest(token, SALT),
        }
        for seat, token in enumerate(tokens)
    ]
    about = {
        "lobby": name,
        "private": False,
        "rated": False,
        "faults": None,
        "clock": dict(clock or {}),
        "map_name": None,
    }
    now = wall_ms()
    doors = [digest(new_token("owner"), SALT), digest(new_token("invite"), SALT)]
    file.header(
        game,
        match=id_,
        config=config,
        seed=1,
        map_text=None,
        seats=seats,
        salt=SALT,
        about=about | {"created": now, "started": now, "doors": doors},
    )
    for _ in range(advances):
        match.advance()
    assert match.outcome is None, "this match is over"
    file.flush()
    file.close()
    return tokens
