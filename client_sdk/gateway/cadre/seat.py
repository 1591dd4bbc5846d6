"""A seat of a match, played by what a client of Cadre says."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Final

import client_sdk.base
from client_sdk.api.catastrophe_clock import Clock
from client_sdk.api.catastrophe_mirror import Mirror
from client_sdk.gateway.cadre.calls import LogCall, read_call
from client_sdk.gateway.cadre.channel import Channel
from client_sdk.gateway.cadre.deltas import DeltaWriter, PlayerState
from client_sdk.gateway.cadre.messages import BadMessage, ClientMessage, lobbied
from client_sdk.gateway.cadre.objects import ObjectIds
from client_sdk.gateway.cadre.requests import NANOSECONDS, PlayRequest, shown_name
from client_sdk.start import Start
from games.catastrophe import GAME
from games.core.contract import Json, Reply
from games.core.parameters import configure

LOOK_S: Final = 0.1
"""A waiting seat looks this often whether its turn is over."""
BAD_RETURNS: Final = 10
"""Wrong values of `returned` within a match; further ones send the client away."""
OUT_OF_TIME: Final = "You ran out of time"
UNLIMITED_S: Final = 1_000_000.0
"""The time that clients see where there is no limit."""


class CadreSeat(client_sdk.base.Bot):
    """Plays one match. `run_turn` of the client's bot is an order to it; its calls are carried out
    on a copy of the match (`Mirror`) and answered at once. It keeps what each side waits
    for, hence the number of attributes."""

    game = "catastrophe"
    wants_changes = True

    def __init__(
        self, channel: Channel, request: PlayRequest, session: str | None, replay: str
    ) -> None:
        """`session`: the session that was sent to the client; None: none yet. `replay`: the
        address of a match's page without the match."""
        self.name = request.name
        self.started = False
        self.over = False
        self._channel = channel
        self._request = request
        self._session = session
        self._replay = replay
        self._orders = 0
        self._bad_returns = 0

    def on_start(self, start: Start) -> None:
        channel, clock = self._channel, start.clock
        if start.game != self.game:
            channel.end("fatal", {"message": f"this is a seat of {start.game}, not {self.game}"})
            channel.leave()
            return
        rules = configure(GAME, start.config)
        channel.max_bad_messages = rules.max_bad_messages
        if self._session is None:
            self._session = start.match
            channel.send("lobbied", lobbied(start.match))
        self._match, self._seat = start.match, start.seat
        self._mirror, self._clock = Mirror(rules, start.seat, start.view), Clock(start)
        left = round((clock.bank_ms / 1000 or UNLIMITED_S) * NANOSECONDS)
        self._players = [PlayerState(shown_name(one.name), "Botarena", left) for one in start.seats]
        self._players[start.seat].client_type = self._request.client_type
        self._ids = ObjectIds(self._mirror.state.ground)
        self._writer = DeltaWriter(rules, self._session, self._players, self._ids)
        self._send_delta()
        channel.send("start", {"playerID": self._ids.player(start.seat)})
        self.started = True

    def decide(self, view: Json) -> Iterable[Json]:
        mirror, clock = self._mirror, self._clock
        mirror.begin(view, self.link)
        clock.begin(self.link.bank_s())
        try:
            with self._channel.turn():
                self._between_turns()
                for _ in range(mirror.rules.max_commands_per_turn):
                    self._order()
                    if self._played():
                        break
                    self._send_delta()
        finally:
            clock.end()
        return [] if self._stopped() else mirror.end()

    def on_view(self, view: Json) -> None:
        self._mirror.show(view)
        self._between_turns()

    def on_results(self, results: Sequence[Reply]) -> None:
        self._mirror.check(results)

    def on_end(self, outcome: dict[str, Json]) -> None:
        self.over = True
        winner, why = outcome["winner"], outcome["reason"]
        if not self.started:
            self._channel.end("fatal", {"message": f"the match was called off: {why}"})
            return
        if why == "timeout" and winner != self._seat:
            self._channel.end("fatal", {"message": OUT_OF_TIME})
            return
        via = outcome.get("via")
        reason = (f"{via}: {why}" if via else why).replace("_", " ")
        for seat, player in enumerate(self._players):
            player.won = winner == seat
            player.lost = winner == 1 - seat
            player.reason_won = reason if player.won else ""
            player.reason_lost = reason if player.lost else ""
        self._send_delta()
        own = self._players[self._seat]
        result = "You won" if own.won else "You lost" if own.lost else "The match was aborted"
        message = f"{result}: {reason}. Replay: {self._replay}{self._match}"
        self._channel.end("over", {"message": message})

    # --- the client's turn

    def _order(self) -> None:
        self._channel.send("order", {"name": "runTurn", "index": self._orders, "args": []})
        self._orders += 1

    def _played(self) -> bool:
        """Answer the calls until the order is done. True: the turn ends."""
        while not self._stopped():
            message = self._channel.next(LOOK_S)
            if message is None:
                self._mirror.keep_pace()
            elif message.event == "run":
                self._run(message.data)
            elif message.event == "finished":
                if (done := self._finished(message)) is not None:
                    return done
            else:
                self._channel.bad(f"unexpected event {message.event[:40]!r}")
        return True

    def _stopped(self) -> bool:
        """Whether the server or the client has left this turn."""
        if self._channel.gone.is_set():
            return True
        if not self.link.stopped():
            return False
        time.sleep(LOOK_S)  # a connection that has just come back knows no turn for a moment
        return self.link.stopped()

    def _run(self, data: Json) -> None:
        mirror, channel = self._mirror, self._channel
        try:
            call = read_call(self._ids, mirror.state.ground, data)
            if isinstance(call, LogCall) and not self._writer.knows(call.id):
                raise BadMessage("run: caller: expected the id of a game object")
        except BadMessage as bad:
            channel.refuse(str(bad))
            channel.bad(str(bad))
            return
        if isinstance(call, LogCall):
            self._writer.log(call.id, call.message)
            self._send_delta(between_turns=False)
            channel.send("ran")
        elif (fault := mirror.run(call.command)) is not None:
            channel.refuse(fault)
        else:
            self._send_delta(between_turns=False)
            channel.send("ran", True)

    def _finished(self, message: ClientMessage) -> bool | None:
        """Whether the client's turn ends; None: this is no answer to the order."""
        data = message.data
        if not isinstance(data, dict) or not _is_index(data.get("orderIndex"), self._orders - 1):
            self._channel.bad("finished: expected the orderIndex of the last order")
            return None
        returned = data.get("returned")
        if not isinstance(returned, bool):
            self._bad_returns += 1
            if self._bad_returns > BAD_RETURNS:
                self._channel.fatal("finished: returned: expected true or false")
        return returned is True

    # --- deltas

    def _between_turns(self) -> None:
        self._clock.see(self.link.banks_s())
        left = self._clock.left(), self._clock.opponent_s
        for seat, left_s in zip((self._seat, 1 - self._seat), left, strict=True):
            if left_s is not None:
                self._players[seat].time_remaining = round(left_s * NANOSECONDS)
        self._send_delta()

    def _send_delta(self, *, between_turns: bool = True) -> None:
        delta = self._writer.delta(self._mirror.state, between_turns=between_turns)
        if delta:
            self._channel.send("delta", delta)


def _is_index(given: Json, order: int) -> bool:
    """Whether this names the order; a client may leave it out, or write a number as text."""
    return given is None or (isinstance(given, int | float | str) and str(given) == str(order))
