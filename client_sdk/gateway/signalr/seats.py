"""The hub as a client of the server: it takes seats over REST and plays them over websockets."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

from client_sdk.connection import Connection
from client_sdk.conversation import Conversation, Happening
from client_sdk.errors import ConnectionLost, ServerRefused
from client_sdk.gateway.seats import SeatSource
from client_sdk.gateway.signalr.calls import Register
from client_sdk.gateway.signalr.visitors import HubSeat, new_guid
from client_sdk.rest import RestClient
from client_sdk.wire.messages import End
from games.core.contract import Json

GAME: Final = "zooscape"
NAMELESS: Final = "bot"
"""The name of a bot that has none."""

Deliver: TypeAlias = Callable[[Happening | Exception], None]

log = logging.getLogger("botarena")


class Play(Protocol):
    """One connection to a seat on the server."""

    def ready(self) -> None:
        """Preprocessing is done."""
        ...

    def command(self, command: Json) -> None:
        """Send a command."""
        ...

    def close(self) -> None:
        """Leave. The seat stays taken. May take seconds."""
        ...


class Seats(Protocol):
    """Where the hub gets seats. `take` and `is_public` may take seconds."""

    def key_of(self, call: Register) -> str | None:
        """What names the seat of this bot; None: it gets a new one. Returns at once."""
        ...

    def take(self, call: Register, address: str) -> HubSeat:
        """A seat for the bot at this address. Raises ServerRefused, ConnectionLost."""
        ...

    def leave(self, seat: HubSeat) -> None:
        """Give a seat back that `take` took. May take seconds."""
        ...

    def is_public(self, match: str) -> bool:
        """Whether anyone may watch this match."""
        ...

    def play(self, seat: HubSeat, deliver: Deliver) -> Play:
        """Play the seat: `deliver` is called from another thread with every message, at last with
        `End` or an exception."""
        ...


class ServerSeats:
    """Seats of one server."""

    def __init__(self, source: SeatSource) -> None:
        self._source = source

    def key_of(self, call: Register) -> str | None:
        return call.key if call.grants_seat else self._source.token or call.key

    def take(self, call: Register, address: str) -> HubSeat:
        own_id = call.token or new_guid()
        key = self.key_of(Register(own_id, None)) or own_id
        token = call.token if call.grants_seat else self._source.token
        seat = (
            self._source.take(GAME, call.nickname or NAMELESS, address, lobby=self._source.lobby)
            if token is None
            else self._source.given(token, address)
        )
        if seat.lobby is not None:
            page = f"{self._source.url}/watch/{seat.lobby}"
            log.info("%s has a seat in lobby %s: %s", call.nickname or NAMELESS, seat.lobby, page)
        return HubSeat(seat, own_id, key)

    def leave(self, seat: HubSeat) -> None:
        if seat.seat.lobby is not None:
            self._source.leave(seat.seat, seat.seat.lobby)

    def is_public(self, match: str) -> bool:
        with RestClient(self._source.url) as rest:
            try:
                return bool(rest.lobby(match))
            except (ServerRefused, ConnectionLost):
                return False

    def play(self, seat: HubSeat, deliver: Deliver) -> Play:
        conversation = Conversation(seat.seat.token, client="botarena bridge", changes=False)
        return SeatPlay(self._source.connected(conversation, seat.seat), deliver)


class SeatPlay:
    """A seat over the server's websocket. A thread of its own reads."""

    def __init__(self, connection: Connection, deliver: Deliver) -> None:
        self._connection = connection
        self._deliver = deliver
        self._connection.__enter__()
        self._thread = threading.Thread(target=self._read, name="hub-seat", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        message: Happening | Exception | None = None
        while not isinstance(message, End | Exception):
            try:
                message = self._connection.next()
            except (ServerRefused, ConnectionLost) as fault:
                message = fault
            if message is not None:
                self._deliver(message)
        self._connection.close()

    def ready(self) -> None:
        self._connection.ready()

    def command(self, command: Json) -> None:
        self._connection.commands(None, [command])

    def close(self) -> None:
        self._connection.close()
        self._thread.join(timeout=5.0)
