"""One match being played, from the start message to the end.

Everything that moves the match happens one thing after the other. Sessions and the lobby post
messages, and the match handles them in the order in which they came (dispatcher.py). Nothing here
waits for a client.

    start    all seats get the start message; preprocessing until all are ready or its time is up
    turn     the views go out and the clocks start; answers come in; the turn is closed when no seat
             is waited for any more
    tick     realtime: the same, but only the grid closes it
    end      last views, outcome, goodbye
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import structlog

from client_sdk.wire.codes import MATCH_OVER, RESTART
from client_sdk.wire.messages import End
from games.core.contract import Json, Pacing, Seat, outcome_json
from games.core.match import Match
from server.blame import lost_on_time
from server.matches.broadcaster import Broadcaster
from server.matches.client import Client
from server.matches.clock import MS, Countdown
from server.matches.course import TickCourse, TurnCourse
from server.matches.dispatcher import Deadlines, Dispatcher, HandedOver
from server.matches.frames import FrameHandler
from server.matches.inbox import Inbox
from server.matches.match_seat import MatchSeat
from server.matches.messages import Connected, HandOver, MatchMessage
from server.matches.presence import Presence
from server.matches.record import JournalFile, counted
from server.matches.referee import Limits, Referee
from server.matches.stalls import Stalls
from server.matches.timekeeper import Timekeeper
from server.matches.turns import Turns
from server.metrics import Metrics
from server.net.descriptors import unwritten
from server.net.transport import framed
from server.wall_clock import wall_ms

now = time.monotonic_ns


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPlan:
    """What is to be played."""

    id: str
    number: int
    """Which match of this process it is."""
    match: Match
    pacing: Pacing
    seats: Sequence[MatchSeat]
    viewers: AbstractSet[Client]
    """Those of the lobby; they come and go."""
    commitment: str
    file: JournalFile
    first_turn: int
    """The match's own; it may be resumed in a later one."""
    spectator_delay: int = 0
    """Seconds."""


class LiveMatch:
    """A match while it is played. It keeps its parts, hence the number of attributes."""

    def __init__(self, plan: MatchPlan, limits: Limits, stalls: Stalls, metrics: Metrics) -> None:
        self.match = match = plan.match
        self.seats = seats = plan.seats
        self.result: dict[str, Json] | None = None
        """The result record, once the match is over."""
        self.ended_ms = 0
        self._pacing = pacing = plan.pacing
        self._file = file = plan.file
        self._metrics = metrics
        self._log = structlog.get_logger().bind(match=plan.id, game=match.game.name)
        for seat in seats:
            seat.clock.bound_lag(limits.lag_turn_ms * MS, limits.lag_match_ms * MS)
        self._countdown = countdown = Countdown()
        self._broadcaster = broadcaster = Broadcaster(
            plan.id,
            match,
            pacing,
            seats,
            plan.viewers,
            plan.commitment,
            countdown,
            file,
            plan.spectator_delay,
        )
        self.gallery = broadcaster.gallery
        timekeeper = Timekeeper(seats, stalls, broadcaster, countdown)
        self._presence = presence = Presence(
            match, pacing, seats, timekeeper, broadcaster, countdown
        )
        referee = Referee(match, limits, metrics, realtime=pacing.realtime)
        self._turns = turns = Turns(
            match, pacing, seats, referee, broadcaster, presence, plan.first_turn
        )
        frames = FrameHandler(match, pacing, limits, referee, turns, broadcaster, metrics)
        deadlines = Deadlines(match, pacing, seats, timekeeper, presence, turns, limits.idle_ms)
        self._inbox = inbox = Inbox()
        self._dispatcher = dispatcher = Dispatcher(
            match, seats, timekeeper, deadlines, presence, frames, file, inbox
        )
        self._course: TurnCourse | TickCourse
        if (tick_ms := pacing.tick_ms) is None:
            self._course = TurnCourse(match, turns, dispatcher, stalls)
        else:
            self._course = TickCourse(
                match, turns, dispatcher, timekeeper, broadcaster, metrics, tick_ms, plan.number
            )

    @property
    def realtime(self) -> bool:
        """Commands answer no turn."""
        return self._pacing.realtime

    @property
    def counts_bad_frames(self) -> bool:
        """The match itself limits frames that are no message."""
        return self._pacing.bad_frames > 0

    def post(self, message: MatchMessage) -> None:
        """Have this handled in its turn."""
        if self.result is None:
            self._inbox.put(message)
        elif isinstance(message, HandOver):
            self.gallery.cut()
        elif isinstance(message, Connected):  # viewers have still to see the end
            message.client.send(framed(End(self.result)))
            message.client.close(MATCH_OVER)

    # --- the course of a match

    async def drive(self) -> None:
        """Play to the end. Any fault in here is the server's: this match is broken off, and the
        others go on."""
        await self._play_from(self._start)

    async def resume(self) -> None:
        """The same with a match that was interrupted: it goes on when its seats are back."""
        await self._play_from(self._gather)

    async def call_off(self, reason: str, missing: list[Seat]) -> None:
        """End before the start, because these seats never came: nothing was sent."""
        for seat in missing:
            self._broadcaster.record("missing", seat)
        self.match.abort(reason)
        self._file.flush()
        self._book()

    async def _play_from(self, opening: Callable[[], Awaitable[None]]) -> None:
        try:
            await opening()
            await self._inbox.run(self._course.play())
        except HandedOver:
            await self._part()
            return
        except OSError as fault:
            self._log.exception("broken off, for the record cannot be written")
            self._break_off(unwritten(fault))
        except Exception:  # noqa: BLE001  an engine's fault: it must not reach the other matches
            self._log.exception("aborted by a server fault")
            self._break_off("server_fault")
        self._end()

    async def _start(self) -> None:
        await self._course.align()
        pacing = self._pacing
        if pacing.preprocessing_ms:
            ends = now() + pacing.preprocessing_ms * MS
            self._countdown.start("preprocessing", ends, pacing.grace_ms * MS)
        self._file.flush()
        self._broadcaster.send_start()
        if pacing.preprocessing_ms:
            await self._preprocess()

    async def _preprocess(self) -> None:
        """Until all are ready, or the time and the grace are over."""
        countdown = self._countdown
        ready = self._dispatcher.count_down(countdown, lambda: all(s.ready for s in self.seats))
        await self._inbox.run(ready)
        countdown.stop()
        late = [seat.number for seat in self.seats if not seat.ready]
        if self.match.outcome is not None or not late:
            return
        for seat in late:
            self._broadcaster.announce("not_ready", seat)
        if self._pacing.late_ready == "forfeits" and self.match.game.command_for_silence is None:
            self._turns.lose_on_time(frozenset(late), "not_ready")

    async def _gather(self) -> None:
        """Wait for all seats, as long as before a start. That they are away is the server's doing;
        those that are not back then are away themselves."""
        self._broadcaster.take_snapshots()
        self._broadcaster.record("resumed", None, {"within_ms": self._pacing.startup_ms})
        since = now()
        self._presence.gather(since)
        self._countdown.start("gathering", since + self._pacing.startup_ms * MS)
        back = self._dispatcher.count_down(self._countdown, lambda: self._presence.complete)
        await self._inbox.run(back)
        self._countdown.stop()
        self._presence.gathered(now())

    def _break_off(self, reason: str) -> None:
        if self.match.outcome is None:
            self.match.abort(reason)

    def _end(self) -> None:
        """The last view, the outcome, goodbye. What came too late gets its answer before that."""
        try:
            self._file.flush()
            self._dispatcher.answer_the_rest()
            self._broadcaster.release()
            self._turns.show_last()
        except Exception:  # noqa: BLE001  the end reaches all clients, whatever else fails
            self._log.exception("a server fault at the end of the match")
            self._broadcaster.drop_views()
        self._book()

    def _book(self) -> None:
        """The result record, to everyone."""
        self._inbox.close()
        outcome = self.match.outcome
        assert outcome is not None
        if self._turns.lost_on_time or lost_on_time(outcome):
            self._metrics.time_loss(self.match.game.name)
        self._count_skipped()
        self.ended_ms = wall_ms()
        tallies = [seat.tally.json() for seat in self.seats]
        house = {"ended": self.ended_ms, "seats": tallies, **self._course.counts()}
        try:
            self._file.seal(house)
        except OSError:
            self._log.exception("the last line of the record could not be written")
        self.result = counted(outcome_json(outcome), house)
        self._broadcaster.send_end(self.result)
        ended = {"reason": outcome.reason, "winner": outcome.winner, "turn": self.match.turn}
        self._log.info("over", outcome=outcome.kind, **ended)

    async def _part(self) -> None:
        """Leave the match to another process: the record is on the disk before clients are sent
        away to come back."""
        self._inbox.close()
        self._count_skipped()
        for seat in self.seats:
            if (counts := seat.tally.unrecorded) is not None:
                self._broadcaster.record("tally", seat.number, counts)
        try:
            self._file.flush()
            await asyncio.to_thread(self._file.sync)
        except OSError:
            self._log.exception("what was done last may be lost")
        for seat in self.seats:
            if seat.client is not None:
                seat.client.release()
                seat.client.close(RESTART)
        self.gallery.cut()
        self._file.close()
        self._log.info("handed over", turn=self.match.turn)

    def _count_skipped(self) -> None:
        """Views left out for the present connections, which get no view any more."""
        for seat in self.seats:
            if seat.client is not None:
                seat.tally.skipped += seat.client.skipped
