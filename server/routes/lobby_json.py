"""A lobby as REST answers it."""

from __future__ import annotations

from games.core.contract import Json
from games.core.journal import commitment
from server.matches.lobby import Lobby
from server.matches.lobby_record import is_rated


def lobby_json(lobby: Lobby) -> dict[str, Json]:
    """The lobby as plain JSON: nothing in it is secret."""
    setup = lobby.setup
    seats = lobby.seats if lobby.live is None else lobby.live.seats
    hidden = lobby.live is not None and lobby.live.gallery.delayed
    return {
        "lobby": lobby.id,
        "name": setup.name,
        "game": lobby.game.name,
        "state": lobby.state,
        "reason": lobby.reason,
        "private": setup.private,
        "password": lobby.access.locked,
        "rated": is_rated(lobby),
        "countdown_ms": lobby.countdown_ms(),
        "seats": [
            {
                "seat": seat.number,
                "role": seat.role,
                "taken": not seat.free,
                "name": seat.name,
                "kind": None if seat.free else seat.kind,
                "bot": seat.bot,
                "account": seat.account,
                "connected": hidden or seats[seat.number].client is not None,
            }
            for seat in lobby.seats
        ],
        "config": lobby.setup.match.config,
        "map": setup.map_name,
        "faults": setup.faults,
        "commitment": commitment(setup.seed, lobby.access.salt),
        "spectator_delay": setup.spectator_delay,
        "start_when_full": lobby.begins,
        "turn": lobby.turn,
        "created_ms": lobby.created_ms,
        "started_ms": lobby.started_ms,
        "ended_ms": lobby.ended_ms,
        "outcome": lobby.result,
    }
