"""The conversation with one client, from its first message to the end of its match."""

from __future__ import annotations

import logging
import threading
import time
from typing import Final

from client_sdk.errors import ConnectionLost, ServerRefused
from client_sdk.gateway.cadre.channel import LINGER_S, Channel, Wire
from client_sdk.gateway.cadre.messages import (
    GAME,
    BadMessage,
    is_game,
    lobbied,
    read,
)
from client_sdk.gateway.cadre.requests import PlayRequest, play_request
from client_sdk.gateway.cadre.seat import CadreSeat
from client_sdk.gateway.seats import ANY, NEW, ClientSeat, SeatSource
from client_sdk.live import play_on
from games.core.contract import Json

HOST: Final = "__HOSTNAME__"
"""Clients replace it with the name under which they know this machine."""
JOIN_S: Final = 30.0
"""A client may take this long to ask for a seat."""
OUR_FAULT: Final = "a fault of the gateway"
MAX_BAD_MESSAGES: Final = 100
"""Before the rules of the match say how many."""

log = logging.getLogger("botarena")


class CadreClient:
    def __init__(self, wire: Wire, seats: SeatSource, address: str) -> None:
        self._wire = wire
        self._seats = seats
        self._address = address
        self._channel = Channel(wire, MAX_BAD_MESSAGES)
        self._player: threading.Thread | None = None
        self._closing = False

    def serve(self) -> None:
        """Until the client is gone. Closes the wire."""
        late = threading.Timer(JOIN_S, self._channel.fatal, [f"expected play within {JOIN_S:g} s"])
        late.daemon = True
        late.start()
        try:
            for text in self._wire.messages():
                self._received(text)
                if self._player is not None:
                    late.cancel()
        except BadMessage as fault:
            self._channel.fatal(str(fault))
            time.sleep(LINGER_S)
        except OSError as fault:
            log.debug("a client at %s is gone: %s", self._address, fault)
        except BaseException:
            self._channel.fatal(OUR_FAULT)
            raise
        finally:
            late.cancel()
            self._channel.leave()
            if self._player is not None:
                self._player.join()
            self._wire.close()

    def close(self, why: str) -> None:
        """Send the client away: the gateway stops."""
        self._closing = True
        self._channel.fatal(why)

    def cut(self) -> None:
        """End the connection at once, whatever waits to be sent."""
        self._wire.cut()

    def _received(self, text: str | bytes) -> None:
        if self._channel.over:
            return
        try:
            message = read(text)
            if message.event == "alias":
                self._alias(message.data)
            elif self._player is not None:
                self._channel.receive(message)
            elif message.event == "play":
                self._join(play_request(message.data))
            else:
                raise BadMessage(f"expected alias or play, got {message.event[:40]!r}")
        except BadMessage as fault:
            if self._player is None:
                self._channel.fatal(str(fault))
            else:
                self._channel.bad(str(fault))

    def _alias(self, name: Json) -> None:
        if not is_game(name):
            raise BadMessage(f"the only game here is {GAME}")
        self._channel.send("named", GAME)

    def _join(self, request: PlayRequest) -> None:
        self._player = threading.Thread(
            target=self._play, args=(request,), name="cadre-player", daemon=True
        )
        self._player.start()

    # --- the player's thread

    def _play(self, request: PlayRequest) -> None:
        try:
            self._match(request, self._seat(request))
        except (ServerRefused, ConnectionLost) as fault:
            self._channel.end("fatal", {"message": str(fault)})
        except BaseException:
            self._channel.end("fatal", {"message": OUR_FAULT})
            raise

    def _match(self, request: PlayRequest, seat: ClientSeat) -> None:
        """Raises ServerRefused, ConnectionLost."""
        session = None
        if seat.lobby is not None:
            session = seat.lobby if request.session in (ANY, NEW) else request.session
            self._channel.send("lobbied", lobbied(session))
        bot = CadreSeat(self._channel, request, session, self._seats.page(HOST))
        with self._seats.connection(bot, seat) as connection:
            self._channel.on_gone(connection.close)
            try:
                play_on(bot, connection)
            finally:
                match = seat.lobby or connection.conversation.match
                if match is not None and self._abandoned(seat, bot):
                    self._seats.leave(seat, match)
        self._channel.end("fatal", {"message": "the match ended while the connection was lost"})

    def _abandoned(self, seat: ClientSeat, bot: CadreSeat) -> bool:
        """Whether the seat will not be played any more: its client was expelled, or has left and
        does not know the token."""
        if bot.over:
            return False
        if self._closing:
            return seat.lobby is not None and not bot.started
        return seat.lobby is not None or self._channel.expelled

    def _seat(self, request: PlayRequest) -> ClientSeat:
        """Raises ServerRefused, ConnectionLost."""
        token = request.token or self._seats.token
        if token is not None:
            return self._seats.given(token, self._address)
        settings: dict[str, Json] = {}
        if request.config:
            settings["config"] = request.config
        if request.seed is not None:
            settings["seed"] = request.seed
        session = self._seats.lobby if request.session == ANY else request.session
        return self._seats.take(
            CadreSeat.game,
            request.name,
            self._address,
            lobby=session,
            seat=request.seat,
            **settings,
        )
