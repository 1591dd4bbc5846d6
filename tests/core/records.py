"""Records for the tests: recorded matches, and changed records with a valid chain."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from games.core.contract import AnyGame, Json
from games.core.journal import Chain, Journal
from games.core.match import Match


def begun(
    game: AnyGame,
    config: Mapping[str, Json] | None = None,
    seed: int = 1,
    map_text: str | None = None,
) -> tuple[Match, list[str]]:
    """A recorded match, and its lines, header first."""
    match = Match.begin(game, config or {}, seed, map_text)
    written: list[str] = []
    match.journal = Journal(written.append)
    match.journal.header(
        game,
        match="m1",
        config=config or {},
        seed=seed,
        map_text=map_text,
        seats=[{"name": f"bot {seat}", "kind": "bot"} for seat in range(match.seats)],
        salt="5a" * 16,
        about={"server": "test"},
    )
    return match, written


def fields_of(text: str) -> list[dict[str, Any]]:
    """The lines as objects, without their chain."""
    found = [json.loads(line) for line in text.splitlines()]
    for one in found:
        del one["chain"]
    return found


def chained(lines: Iterable[Mapping[str, Any]]) -> str:
    """These lines as a record with a valid chain."""
    written: list[str] = []
    chain = Chain(written.append)
    for line in lines:
        chain.line(
            **{"kind": line["k"], **{name: value for name, value in line.items() if name != "k"}}
        )
    return "".join(written)


def forged(text: str, change: Callable[[list[dict[str, Any]]], object]) -> str:
    """The record with changed lines and a new, valid chain."""
    lines = fields_of(text)
    change(lines)
    return chained(lines)
