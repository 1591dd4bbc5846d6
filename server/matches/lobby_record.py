"""What is recorded of a lobby's match: the header of its journal, and its `MatchRecord`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Protocol

from client_sdk.replay import JOURNAL_SUFFIX
from games.core.contract import Json
from games.core.journal import commitment
from server.match_record import MatchRecord, SeatedPlayer
from server.matches.access import Access
from server.matches.record import JournalFile
from server.matches.setup import LobbySeat, Setup


class Recorded(Protocol):
    """The part of a `Lobby` that is recorded."""

    id: str
    setup: Setup
    access: Access
    seats: list[LobbySeat]
    created_ms: int
    started_ms: int | None
    ended_ms: int | None
    file: JournalFile | None


def is_rated(lobby: Recorded) -> bool:
    """Whether the result counts: the host wants that, no person plays, and there is a clock."""
    bots_only = all(seat.free or seat.kind == "bot" for seat in lobby.seats)
    return lobby.setup.rated and lobby.setup.pacing.clocked and bots_only


def match_record(lobby: Recorded, outcome: Json = None) -> MatchRecord:
    """A match that has started. `outcome`: it is over."""
    assert lobby.started_ms is not None
    assert lobby.file is not None
    setup, game, over = lobby.setup, lobby.setup.match.game, outcome is not None
    return MatchRecord(
        id=lobby.id,
        name=setup.name,
        game=game.name,
        rules_version=game.rules_version,
        state="over" if over else "running",
        private=setup.private,
        rated=is_rated(lobby),
        players=_players(lobby),
        config=setup.match.config,
        map=setup.map_name,
        faults=setup.faults,
        seed=setup.seed,
        salt=lobby.access.salt,
        doors=[*lobby.access.doors, *(seat.salted for seat in lobby.seats if not seat.free)],
        commitment=commitment(setup.seed, lobby.access.salt),
        created_ms=lobby.created_ms,
        started_ms=lobby.started_ms,
        ended_ms=lobby.ended_ms,
        head=lobby.file.head if over else None,
        outcome=outcome,
        file=f"{lobby.file.path.parent.name}/{lobby.file.path.name}",
    )


def new_journal(lobby: Recorded, folder: Path) -> JournalFile:
    """A journal in this folder, with its header on the disk. Raises OSError."""
    setup, players = lobby.setup, _players(lobby)
    file = JournalFile(folder / f"{lobby.id}{JOURNAL_SUFFIX}")
    file.header(
        setup.match.game,
        match=lobby.id,
        config=setup.config,
        seed=setup.seed,
        map_text=setup.map_text,
        seats=[
            asdict(player) | {"token": seat.salted}
            for player, seat in zip(players, lobby.seats, strict=True)
        ],
        salt=lobby.access.salt,
        about={
            "lobby": setup.name,
            "private": setup.private,
            "rated": is_rated(lobby),
            "faults": setup.faults,
            "clock": dict(setup.clock),
            "spectator_delay": setup.spectator_delay,
            "map_name": setup.map_name,
            "created": lobby.created_ms,
            "started": lobby.started_ms,
            "doors": lobby.access.doors,
        },
    )
    try:
        file.flush()
    except OSError:
        file.close()
        file.path.unlink()
        raise
    return file


def _players(lobby: Recorded) -> list[SeatedPlayer]:
    return [
        SeatedPlayer(seat.number, seat.role, seat.name, seat.kind, seat.bot, seat.account)
        for seat in lobby.seats
    ]
