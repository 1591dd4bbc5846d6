"""Seats for the clients of a gateway."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from client_sdk.address import http_url, is_loopback, socket_url
from client_sdk.connection import Connection
from client_sdk.conversation import Conversation
from client_sdk.errors import ConnectionLost, ServerRefused
from client_sdk.gateway import HEADER
from client_sdk.link import LiveBot
from client_sdk.live import conversation_of
from client_sdk.rest import RestClient
from games.core.contract import Json

CLIENT = "X-Forwarded-For"
"""Headers: the secret of a server's own gateway, and the address of its client."""
ANY, NEW = "*", "new"
"""Lobbies: any open one, or a new one if none is open; a new one."""


@dataclass(frozen=True, slots=True)
class ClientSeat:
    """A seat that a client of the gateway plays."""

    url: str
    """The websocket endpoint."""
    token: str = field(repr=False)
    address: str
    """The client's."""
    lobby: str | None = None
    """The id of its lobby, if the gateway has taken the seat; None: the client came with a
    token."""


class SeatSource:
    """Takes seats on one server. All calls may be made from any thread."""

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        lobby: str = ANY,
        name: str | None = None,
        key: str | None = None,
        secret: str | None = None,
    ) -> None:
        """`url` in any form that `client_sdk.address` knows. `token`: the seat of clients that
        bring none. `lobby`: for clients that name none. `name`: instead of the clients' own.
        `key`: of the account that takes the seats. `secret`: proves to the server that this is its
        own gateway, so that its limits count the clients' addresses.

        Raises ValueError for what is no address.
        """
        self.url = http_url(url)
        self.token = token
        self.lobby = lobby
        self.name = name
        self._key = key
        self._secret = secret
        self._taking = threading.Lock()
        """Two clients that name the same unknown lobby must not both create it."""

    def rest(self, address: str) -> RestClient:
        """REST on behalf of the client at this address; a context manager."""
        return RestClient(self.url, key=self._key, headers=self._headers(address))

    def given(self, token: str, address: str) -> ClientSeat:
        """The seat of this token."""
        return ClientSeat(socket_url(self.url), token, address)

    def take(
        self,
        game: str,
        name: str,
        address: str,
        *,
        lobby: str = ANY,
        seat: int | None = None,
        **settings: Json,
    ) -> ClientSeat:
        """Take a seat: in an open lobby (`*`), a new one (`new`), or one of this id or name, which
        is created if there is none. `settings`: fields of a lobby (PROTOCOL.md §5); they count if
        this creates it.

        Raises ServerRefused, ConnectionLost."""
        with self._taking, self.rest(address) as rest:
            where = _lobby(rest, game, lobby, settings)
            taken = rest.join(where, game, self.name or name, seat=seat)
        # A gateway of the server itself does not go around by the server's public address.
        local = self._secret is not None and not is_loopback(taken["url"])
        url = socket_url(self.url) if local else taken["url"]
        return ClientSeat(url, taken["token"], address, taken["lobby"])

    def leave(self, seat: ClientSeat, match: str) -> None:
        """Give a seat of this lobby back; when its match runs: resign. An error is ignored: the
        server then finds that the client is gone."""
        with contextlib.suppress(ServerRefused, ConnectionLost), self.rest(seat.address) as rest:
            rest.leave(match, seat.token)

    @contextlib.contextmanager
    def connection(self, bot: LiveBot, seat: ClientSeat) -> Iterator[Connection]:
        """A connection for `play_on`; `Connection.close` ends it from any thread."""
        with self.connected(conversation_of(bot, seat.token), seat) as connection:
            yield connection

    def connected(self, conversation: Conversation, seat: ClientSeat) -> Connection:
        """A connection for a conversation of this seat, to be entered."""
        return Connection(seat.url, conversation, headers=self._headers(seat.address))

    def page(self, host: str) -> str:
        """The address of a match's page without the match's id. `host`: instead of a name that only
        this machine knows."""
        parts = urlsplit(f"{self.url}/watch/")
        if is_loopback(self.url):
            port = "" if parts.port is None else f":{parts.port}"
            parts = parts._replace(netloc=f"{host}{port}")
        return parts.geturl()

    def _headers(self, address: str) -> dict[str, str]:
        return {} if self._secret is None else {HEADER: self._secret, CLIENT: address}


def _lobby(rest: RestClient, game: str, lobby: str, settings: Mapping[str, Json]) -> str:
    """The lobby to join, as `RestClient.join` takes it; created if it has to be."""
    named = lobby not in (ANY, NEW)
    if not named and not settings:
        return lobby
    if lobby == ANY and any(map(_has_room, rest.lobbies(game, "open"))):
        return ANY
    if named:
        with contextlib.suppress(ServerRefused):
            rest.lobby(lobby)
            return lobby
    created = rest.create(game, name=lobby if named else None, **settings)
    # By its name: if another gateway has created one meanwhile, both join the older one.
    return lobby if named else str(created["lobby"])


def _has_room(lobby: Mapping[str, Json]) -> bool:
    return not lobby["password"] and not all(seat["taken"] for seat in lobby["seats"])
