"""What follows when the match of a lobby starts, and when a lobby is over or cancelled."""

from __future__ import annotations

from collections.abc import Callable

from server.cluster.seeds import SharedSeeds
from server.lobbies.admission import Admission
from server.lobbies.bots import HouseBots
from server.lobbies.lobbies import Lobbies
from server.lobbies.tokens import Tokens
from server.matches.lobby import Lobby
from server.matches.lobby_record import match_record
from server.matches.writer import MatchWriter


class Lifecycle:
    """The observer of all lobbies. `on_end` is called with each that is over or cancelled."""

    def __init__(
        self,
        lobbies: Lobbies,
        tokens: Tokens,
        admission: Admission,
        bots: HouseBots,
        writer: MatchWriter,
        seeds: SharedSeeds,
        on_end: Callable[[Lobby], None],
    ) -> None:
        self._lobbies = lobbies
        self._tokens = tokens
        self._admission = admission
        self._bots = bots
        self._writer = writer
        self._seeds = seeds
        self._on_end = on_end

    def lobby_started(self, lobby: Lobby) -> None:
        self._writer.begin(match_record(lobby))
        self._lobbies.changed(lobby)

    def lobby_ended(self, lobby: Lobby) -> None:
        for old in self._lobbies.close(lobby):
            self._tokens.forget(old)
        self._bots.end(lobby)
        self._admission.ended(lobby.id)
        self._on_end(lobby)
        if lobby.end is None:
            self._seeds.drop(lobby.id)
        else:
            assert lobby.file is not None
            self._writer.end(lobby.end, lobby.file)
