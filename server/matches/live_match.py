"""The live driver: one match, from the start message to the end.

`drive` is the whole course of it. Everything that moves the match happens in its one task, one thing after the other: what the
sessions hear waits in the inbox, with the time at which it came, and is done when the driver takes it out. Nothing here awaits a
client.

    start      all seats get the start message; preprocessing until everybody is ready or its time is up
    turn       the views go out and the clocks start; answers come in; the turn is closed when nobody is waited for any more
    tick       realtime: the same, but only the grid closes it
    end        last views, outcome, goodbye

Moments (`at`, `due`) are ns of `time.monotonic_ns`; what a seat's clock makes of them is in clock.py.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from msgspec import UNSET

from client_sdk.wire.codes import MATCH_OVER, REPLACED, RESTART, TOO_FAST
from client_sdk.wire.messages import Commands, Event, Info, Provisional, Ready, Result, Results, Resync, Stop
from games.core.contract import Pacing, Reply, Seat, outcome_json
from games.core.match import Match
from server.descriptors import unwritten
from server.matches.blame import lost_on_time
from server.matches.broadcaster import Broadcaster
from server.matches.client import Client
from server.matches.clock import MS, Grid, Lateness, Stage, charged_ms, phase, whole_ms
from server.matches.inbox import Inbox
from server.matches.match_seat import MatchSeat, Silence
from server.matches.messages import (
    Abort,
    BadFrameReceived,
    Connected,
    Disconnected,
    FrameReceived,
    HandOver,
    Message,
    Resign,
    TakenOver,
)
from server.matches.pauses import SETTLE_MS, Pauses
from server.matches.record import JournalFile, counted, wall_ms
from server.matches.referee import Limits, Referee
from server.matches.stalls import HELD_MS, STALL_MS, Stalls
from server.metrics import Metrics
from server.transport import framed

Json = Any
now = time.monotonic_ns

SPREAD_MS = 1_000
"""Realtime matches begin so far apart at most, however long their ticks are: nothing is heard before they begin."""


class HandedOver(Exception):
    """This process plays the match no further; another continues it from its journal."""


class LiveMatch:
    """One match being played: the referee's bench, a place per seat, the audience, the journal's file and the inbox."""

    def __init__(
        self,
        *,
        id_: str,
        match: Match,
        pacing: Pacing,
        places: list[MatchSeat],
        viewers: set[Client],
        commitment: str,
        file: JournalFile,
        limits: Limits,
        stalls: Stalls,
        metrics: Metrics,
        number: int,
        first_turn: int,
    ) -> None:
        self.match = match
        self.places = places
        self._audience = Broadcaster(id_, match, pacing, places, viewers, commitment, first_turn)
        self._inbox = Inbox()
        self.result: dict[str, Json] | None = None
        """The result record, once the match is over."""
        self.ended_ms = 0
        self._pacing = pacing
        self._file = file
        self._limits = limits
        self._metrics = metrics
        self._number = number
        self._log = structlog.get_logger().bind(match=id_, game=match.game.name)
        self._t0 = self._heard = now()
        self._stalls = stalls
        self._pauses = Pauses(stalls.running, self._t0)
        self._spared = self._t0
        """No seat pays for a stall that began before this moment."""
        self._referee = Referee(match, limits, metrics, realtime=pacing.realtime, t0=self._t0)
        for place in places:
            place.clock.bound_lag(limits.lag_turn_ms * MS, limits.lag_match_ms * MS)
        self._lateness = Lateness()
        self._handed = 0
        """When the first view of the open turn was handed over."""
        self._opened_for: frozenset[Seat] = frozenset()
        """The seats that were awaited when the turn was opened."""
        self._alarm = 0
        """When the driver looks at its clocks at the latest. An answer makes things due later, so this may be too early; that
        does no harm."""
        self._gathering = False
        """After a crash the seats are still waited for."""
        self._ends = 0
        """When that is over, or preprocessing."""
        self._settles = 0
        """Realtime: no tick comes before this, for what was sent in a pause is still being read."""
        self._lost_on_time = False
        """The match was broken off because seats ran out of time."""
        self._many = match.game.end_turn is not None
        """A turn is many commands, each answered while it is open."""

    @property
    def realtime(self) -> bool:
        """Commands answer no turn."""
        return self._pacing.realtime

    @property
    def counts_bad_frames(self) -> bool:
        """So many frames that are no message lose the match, by its own count."""
        return self._pacing.bad_frames > 0

    def post(self, message: Message) -> None:
        """Handle this in its turn."""
        self._inbox.put(message)

    def greet_viewer(self, client: Client) -> None:
        """The match as it stands, to a viewer that comes in the middle of it or has lost track."""
        self._audience.greet(client)

    # --- the course of a match ---------------------------------------------------------------------------------------------

    async def drive(self) -> None:
        """Play to the end. Whatever goes wrong in here is ours: this match is broken off, and the others go on."""
        await self._play_from(self._start)

    async def resume(self) -> None:
        """The same with a match that was interrupted: it goes on when its seats are back."""
        await self._play_from(self._gather)

    async def _play_from(self, opening: Callable[[], Awaitable[None]]) -> None:
        try:
            await opening()
            await self._preprocess()
            if self._pacing.tick_ms is None:
                self._stalls.clocks += 1
                try:
                    await self._play_by_the_lock()
                finally:
                    self._stalls.clocks -= 1
            else:
                await self._play_by_the_grid(self._pacing.tick_ms * MS)
        except HandedOver:
            await self._part()
            return
        except OSError as fault:
            self._log.exception("broken off, for the record cannot be written")
            self._break_off(unwritten(fault))
        except Exception:  # noqa: BLE001  an engine's fault: nothing may reach the other matches
            self._log.exception("broken off by a fault of ours")
            self._break_off("server_fault")
        self._end()

    async def _start(self) -> None:
        if self._pacing.tick_ms is not None:
            await self._find_phase(min(self._pacing.tick_ms, SPREAD_MS) * MS)
        self._audience.look()
        if self._pacing.preprocessing_ms:
            self._audience.preprocessing_ends = now() + self._pacing.preprocessing_ms * MS
        self._file.flush()
        self._audience.start()

    async def _gather(self) -> None:
        """As long as before a start, until all are back. That they are away is our doing; who is not back then is away. Nobody
        prepares again, and nobody is too late for it."""
        match = self.match
        self._audience.look()
        self._journal("resumed", None, {"within_ms": self._pacing.startup_ms})
        since = now()
        for place in self.places:
            place.away_since, place.kicked, place.ready = since, True, True
        self._gathering = True
        self._ends = self._audience.gathering_ends = since + self._pacing.startup_ms * MS
        while match.outcome is None and any(place.client is None for place in self.places) and self._before_the_end():
            await self._hear(self._ends)
        self._gathering = False
        self._audience.gathering_ends = None
        missing = [place for place in self.places if place.client is None]
        if len(missing) == len(self.places):
            self._break_off("interrupted")
        since = now()
        for place in missing:
            place.kicked = False
            if self._pacing.absence == "limited":
                place.waits_since = since
        if missing and match.outcome is None and self._pacing.absence == "forfeits":
            match.forfeit(frozenset(place.seat for place in missing), "disconnect")

    async def _preprocess(self) -> None:
        """Until all are ready, or the time and the grace are over."""
        ends = self._audience.preprocessing_ends
        if ends is None:
            return
        self._ends = ends + self._pacing.grace_ms * MS
        while self.match.outcome is None and not all(place.ready for place in self.places) and self._before_the_end():
            await self._hear(self._ends)
        self._audience.preprocessing_ends = None
        late = frozenset(place.seat for place in self.places if not place.ready)
        if self.match.outcome is not None or not late:
            return
        for seat in sorted(late):
            self._event("not_ready", seat)
        if self._pacing.late_ready == "forfeits" and self.match.game.silence is None:
            self._lose_on_time(late, "not_ready")

    async def _play_by_the_lock(self) -> None:
        match = self.match
        self._referee.open(now())
        while match.outcome is None:
            turn = match.turn
            self._open_turn()
            if not self._waiting(turn):
                await asyncio.sleep(0)
            self._alarm = self._due()
            while self._waiting(turn):
                if not await self._hear(self._alarm):
                    self._alarm = self._due()
            self._close_turn(turn)

    async def _play_by_the_grid(self, step: int) -> None:
        match = self.match
        self._referee.open(now())
        grid = Grid(now(), step)
        while match.outcome is None:
            self._open_turn()
            await self._hear_until(grid.due)
            while match.outcome is None and now() < (held := self._held()):
                await self._hear(held)
            if match.outcome is None:
                ticked = now()
                self._metrics.tick(ticked - grid.due)
                match.advance({"late": self._lateness.of(ticked - grid.due)})
                grid.next(ticked)
                self._file.flush()
            self._audience.turn_closed()

    def _end(self) -> None:
        """The last view, the outcome, goodbye. What came too late gets its answer before that."""
        try:
            self._file.flush()
            while (message := self._inbox.take()) is not None:
                self._handle(message)
            self._audience.turn_closed()
            self._audience.look()
            self._audience.show(frozenset())
        except Exception:  # noqa: BLE001  the end reaches everybody, whatever else fails
            self._log.exception("a fault of ours at the end of the match")
            self._audience.show_no_more()
        self._book()

    async def _part(self) -> None:
        """Leave the match to whoever starts next: the record is on the disk before anybody is told to come back."""
        self._inbox.close()
        self._count_skipped()
        for place in self.places:
            if (counts := place.tally.told_by_no_line) is not None:
                self._journal("tally", place.seat, counts)
        try:
            self._file.flush()
            await asyncio.to_thread(self._file.sync)
        except OSError:
            self._log.exception("what was done last may be lost")
        for client in self._audience.everybody():
            client.refuse(RESTART)
        self._file.close()
        self._log.info("handed over", turn=self.match.turn)

    async def call_off(self, reason: str, missing: list[Seat]) -> None:
        """End before the start, because these seats never came: nobody has seen anything."""
        for seat in missing:
            self._journal("missing", seat, None)
        self.match.abort(reason)
        self._file.flush()
        self._book()

    def _book(self) -> None:
        """The result record, to everybody."""
        self._inbox.close()
        outcome = self.match.outcome
        assert outcome is not None
        if self._lost_on_time or lost_on_time(outcome):
            self._metrics.time_loss(self.match.game.name)
        self._count_skipped()
        self.ended_ms = wall_ms()
        house: dict[str, Json] = {"ended": self.ended_ms, "seats": [place.tally.json() for place in self.places]}
        if self._pacing.tick_ms is not None:
            house["lateness_ms"] = self._lateness.json()
        try:
            self._file.seal(house)
        except OSError:
            self._log.exception("the last line of the record could not be written")
        self.result = counted(outcome_json(outcome), house)
        self._audience.end(self.result)
        self._log.info("over", outcome=outcome.kind, reason=outcome.reason, winner=outcome.winner, turn=self.match.turn)

    def _count_skipped(self) -> None:
        """Those of the connections that there are; nothing is shown to them any more."""
        for place in self.places:
            if place.client is not None:
                place.tally.skipped += place.client.skipped

    # --- one turn ----------------------------------------------------------------------------------------------------------

    def _open_turn(self) -> None:
        for place in self.places:
            place.turn_over()
        self._opened_for = self.match.awaited
        self._audience.look()
        self._audience.show(self._opened_for)
        self._handed = min(place.handed for place in self.places)
        for place in self.places:
            if place.client is None and place.seat in self._opened_for:
                self._wait_for(place, place.handed)

    def _waiting(self, turn: int) -> bool:
        """Whether the turn is open and somebody still owes it something."""
        match = self.match
        if match.outcome is not None or match.turn != turn:
            return False
        return any(self._expected(self.places[seat]) for seat in match.awaited)

    def _expected(self, place: MatchSeat) -> bool:
        """Whether this seat may still answer the open turn."""
        if place.silent is not None or self._came_too_late(place):
            return False
        if self._pacing.absence != "misses" or place.client is not None or place.kicked:
            return True
        return place.excused_until is not None or all(other.client is None for other in self.places)

    def _came_too_late(self, place: MatchSeat) -> bool:
        """Whether a seat that was not ready in time is out by it, in a game that speaks for silent seats."""
        return not place.ready and self._pacing.late_ready == "forfeits" and self._pacing.preprocessing_ms > 0

    def _close_turn(self, turn: int) -> None:
        """Nobody is waited for: strikes are booked, else the game resolves what is still open.

        Strikes count here and not at the timeout, so that two seats that run out of time in one turn are treated alike. What
        came of the turn is in the file before anybody sees it: no crash takes back what was shown.
        """
        match = self.match
        if match.outcome is None:
            out = frozenset(place.seat for place in self.places if place.silent == "timeout" and self._struck_out(place))
            if out:
                if self._pacing.absence == "limited" and all(self.places[seat].client is None for seat in out):
                    match.forfeit(out, "disconnect")
                else:
                    self._lose_on_time(out, "timeout")
            else:
                self._resolve(turn)
        self._file.flush()
        self._audience.turn_closed()

    def _lose_on_time(self, seats: frozenset[Seat], reason: str) -> None:
        self.match.forfeit(seats, reason)
        self._lost_on_time = True

    def _resolve(self, turn: int) -> None:
        """The seats that say nothing are spoken for, where the game wants that; what is open then is the game's own affair."""
        match = self.match
        if match.game.silence is not None:
            for seat in sorted(match.awaited):
                if match.outcome is None and match.turn == turn:
                    place = self.places[seat]
                    why = "not_ready" if self._came_too_late(place) else place.silent or "disconnect"
                    match.apply(seat, match.game.silence(why))
        if match.outcome is None and match.turn == turn:
            match.advance()

    # --- time --------------------------------------------------------------------------------------------------------------

    async def _hear(self, due: int) -> bool:
        """Do the next thing that came, or what is due by then. False: nothing came.

        What was written to clients meanwhile leaves when this waits, so the journal's lines go before that.
        """
        message = self._inbox.take()
        if message is None:
            self._file.flush()
            await self._inbox.wait(due)
            if not self._inbox:
                await asyncio.sleep(0)  # what has come in time is read before anybody is found to be late
            message = self._inbox.take()
        at = now() if message is None else message.at
        if self._notice_pause(at) | self._spare_stalls(at) | self._spare_the_hidden(message):
            due = self._alarm = self._due()
        if at >= due:
            self._forgive(due, at)
            self._time_passes(at)
            self._alarm = self._due()
        if message is None:
            return False
        self._heard = at
        self._handle(message)
        return True

    async def _hear_until(self, tick: int) -> None:
        """Realtime: do what came before the tick's moment. What came later waits for the next one, however late this one is."""
        rested = False
        while self.match.outcome is None:
            self._notice_pause(now())
            message = self._inbox.take(before=tick)
            if message is not None:
                self._heard = message.at
                self._handle(message)
            elif now() < tick or not rested:
                rested = True
                self._file.flush()
                due = min([tick, *self._dues()])
                await self._inbox.wait(due)
                if (at := now()) >= due:
                    self._time_passes(at)
            else:
                return

    def _notice_pause(self, at: int) -> bool:
        """Whether there was one, before this moment, that was not noticed yet. It moves every deadline, and clocks stand at least
        until what was sent in it is read."""
        pause = self._pauses.noticed(at)
        if pause is None:
            return False
        self._settles = pause.ended + SETTLE_MS * MS
        self._heard += pause.later
        self._ends += pause.later
        self._audience.end_later(pause.later)
        for place in self.places:
            place.later(pause.later)
        if not self._spare(pause.begun, pause.ended, SETTLE_MS):
            self._tell_of_a_stall(pause.begun, pause.ended)
        return True

    def _before_the_end(self) -> bool:
        """Of gathering or preprocessing. A pause may just have been."""
        self._notice_pause(now())
        return now() < self._ends

    def _held(self) -> int:
        """Realtime: when the next tick may come. After a pause that waits for the seats whose connections broke."""
        return max(self._settles, *(place.excused_until or 0 for place in self.places))

    def _forgive(self, due: int, at: int) -> None:
        """What was due comes late, for the process was held up. Answers wait unread meanwhile: no clock pays for that, nor for
        the moment that it takes to read them."""
        if at - due > STALL_MS * MS:
            self._spare(due, at)

    def _spare_stalls(self, at: int) -> bool:
        """Stalls within a turn that had begun when this came: no clock pays for them. The timer that notes one may ring a moment
        after the first frame is read."""
        spared = False
        for begun, ended in self._stalls.after(self._spared):
            if begun > at:
                break
            spared |= self._spare(begun, ended)
        return spared

    def _spare_the_hidden(self, message: Message | None) -> bool:
        """A view may have lain unsent while we did something else, and what a seat said unread, though not for long: its clock
        alone does not pay for that. What holds up nobody's word is no stall."""
        if not self._stalls.any_since(self._handed if message is None else min(self._handed, message.at - HELD_MS * MS)):
            return False
        spared = False
        for place in self.places:
            if place.clock.stage is Stage.IDLE:
                continue
            if place.clock.since == place.handed and (held := self._stalls.following(place.handed)) is not None:
                place.clock.spare(*held)
                spared = True
            said = message is not None and message.client is not None and message.client is place.client
            if message is not None and said and (held := self._stalls.hiding(message.at)) is not None:
                place.clock.spare(*held)
                spared = True
        return spared

    def _spare(self, begun: int, ended: int, leeway_ms: int = STALL_MS) -> bool:
        """Take a stall off the clocks that ran then, and tell of it if there are any."""
        self._spared = ended
        running = [place.clock for place in self.places if place.clock.stage is not Stage.IDLE and place.clock.since < ended]
        for clock in running:
            clock.spare(begun, ended, leeway_ms * MS)
        if running:
            self._tell_of_a_stall(begun, ended)
        return bool(running)

    def _tell_of_a_stall(self, begun: int, ended: int) -> None:
        self._event("stall", None, {"ms": charged_ms(ended - begun)}, later=True)

    def _dues(self) -> list[int]:
        """The moments at which the driver has to act although nothing came."""
        dues = [due for place in self.places if place.silent is None and (due := place.clock.due()) is not None]
        dues += [due for place in self.places if (due := self._lost_at(place)) is not None]
        dues += [place.excused_until for place in self.places if place.excused_until is not None]
        abandoned = self._abandoned_at()
        return dues if abandoned is None else [*dues, abandoned]

    def _due(self) -> int:
        return min(self._dues(), default=self._heard + self._limits.idle_ms * MS)

    def _time_passes(self, at: int) -> None:
        """Everything that was due by `at`: stops, silent seats, absences that lasted too long, a match that fell asleep."""
        match = self.match
        over = [place for place in self.places if place.excused_until is not None and place.excused_until <= at]
        for place in over:
            place.end_excuse()
        self._are_away(over, at)
        out: list[int] = []
        for place in self.places:
            place.grant_lag()
            while match.outcome is None and place.silent is None and (due := place.clock.due()) is not None and due <= at:
                if place.clock.stage is Stage.RUNNING:
                    place.clock.stop()
                    self._say_stop(place)
                else:
                    self._out_of_time(place, due)
                    out += [due] if self._struck_out(place) else []
        if match.outcome is not None:
            return
        abandoned = self._abandoned_at()
        before = min(out, default=at + 1)  # of two that are out at one instant, the seat whose clock ran loses
        lost = {place.seat: due for place in self.places if (due := self._lost_at(place)) is not None and due < before}
        if lost:
            match.forfeit(self._absent(lost), "disconnect")
        elif abandoned is not None and abandoned < before and at >= abandoned:
            match.forfeit(frozenset(place.seat for place in self.places), "abandoned")
        elif self._pacing.tick_ms is None and at >= self._heard + self._limits.idle_ms * MS and not self._dues():
            match.abort("idle")

    def _say_stop(self, place: MatchSeat) -> None:
        if place.client is not None:
            place.client.send(framed(Stop(self.match.turn, self._pacing.grace_ms)))

    def _out_of_time(self, place: MatchSeat, at: int) -> None:
        """The grace is over too: the latest provisional answer counts, else the seat is silent."""
        match, turn = self.match, self.match.turn
        for raw in place.provisional or ():
            if match.outcome is None and match.turn == turn:
                reply = self._referee.apply(place, match.game.spoken(raw), at, provisional=True)
                if self._many:
                    self._audience.steps(place.seat, [raw], [reply])
        self._settle(place, at, turn)
        if place.clock.stage is not Stage.IDLE:
            place.tally.timeouts += 1
            self._silence(place, at, "timeout", {"timeouts": place.tally.timeouts, "strikes": self._strikes(place)})

    def _settle(self, place: MatchSeat, at: int, turn: int) -> None:
        """If this turn awaits nothing of the seat any more, its clock stands."""
        match = self.match
        if place.clock.stage is Stage.IDLE:
            return
        if match.outcome is not None or match.turn != turn or place.seat not in match.awaited:
            place.close_clock(at)

    def _silence(self, place: MatchSeat, at: int, why: Silence, data: Json) -> None:
        """Nothing more is taken from this seat in this turn. When nobody else is waited for, the game plays its default."""
        place.silent = why
        told = data
        if place.clock.stage is not Stage.IDLE:
            told = data | {"clock": self._referee.given_up(place, place.close_clock(at), at)}
        event = "timeout" if why == "timeout" else "silent"
        self._journal(event, place.seat, told)
        self._audience.tell_later(Event(event, self.match.turn, place.seat, data))

    def _strikes(self, place: MatchSeat) -> int:
        return 0 if place.kind == "human" else self._pacing.strikes

    def _struck_out(self, place: MatchSeat) -> bool:
        return 0 < self._strikes(place) <= place.tally.timeouts

    async def _find_phase(self, step: int) -> None:
        """Realtime matches stand at different points of the period, so that their ticks do not all come at once."""
        while (left := (phase(self._number, step) - now()) % step) > MS:
            await asyncio.sleep(left / 1e9)

    # --- messages ----------------------------------------------------------------------------------------------------------

    def _handle(self, message: Message) -> None:
        match message:
            case FrameReceived() | BadFrameReceived():
                place = self._place(message.client)
                if place is not None:
                    self._handle_from(place, message.client, message)
            case Connected(client, at):
                self._connected(client, at)
            case Disconnected(client, at):
                self._disconnected(client, at)
            case _ if self.match.outcome is not None:
                pass
            case Resign():
                self.match.forfeit(frozenset({message.seat}), "resignation")
            case Abort():
                self.match.abort(message.reason)
            case HandOver():
                raise HandedOver
            case TakenOver():
                self._file.close()
                raise HandedOver

    def _handle_from(self, place: MatchSeat, client: Client, message: FrameReceived | BadFrameReceived) -> None:
        """What a seat's present connection has sent; what an older one sent is not heard."""
        if isinstance(message, BadFrameReceived):
            self._bad_frame(place)
            return
        match message.frame:
            case Commands() as frame:
                self._commands(place, client, frame, message.at)
            case Provisional() as frame:
                self._provisional(place, frame)
            case Info() as frame:
                self._info(place, frame)
            case Ready():
                place.ready = place.ready or not self._referee.playing
            case Resync():
                self._greet(place)

    def _commands(self, place: MatchSeat, client: Client, frame: Commands, received: int) -> None:
        """One frame of commands: each gets its fate, all are written down, then the seat is told. A refused `end_turn` gets a
        result of its own after the others."""
        if (again := place.repeated(client, frame)) is not None:
            client.send(again)
            return
        place.grant_lag()
        turn = self.match.turn
        replies = place.recalled(frame, self.match.game.end_turn) if self._many else []
        place.frame = frame.id if self._many else None
        replies += [self._referee.judge(place, frame.turn, raw, received) for raw in frame.commands[len(replies) :]]
        if frame.end_turn and self._many and len(replies) == len(frame.commands):
            ended = self._referee.judge(place, frame.turn, self.match.game.end_turn, received)
            replies += [] if ended.ok else [ended]
        place.frame = None
        self._settle(place, received, turn)
        if place.rejected:
            self._count_rejects(place, received, turn)
        results = framed(Results(turn, tuple([_result(reply, client.changes) for reply in replies]), frame.id))
        if self._pacing.tick_ms is None and place.seat not in self.match.awaited:
            client.acknowledge(results)
        else:
            client.send(results)
        if self._many:
            place.answered(client, frame, results)
            self._audience.steps(place.seat, frame.commands, replies)
            place.clock.told(received, now())
        if place.uncounted > self._limits.refusals_per_turn:
            client.refuse(TOO_FAST)

    def _count_rejects(self, place: MatchSeat, at: int, turn: int) -> None:
        """After too many rejected commands for one turn the seat counts as silent."""
        if place.silent is not None or self.match.outcome is not None or self.match.turn != turn:
            return
        bound = self._limits.refusals_per_turn
        if place.rejected >= bound or (place.seat in self.match.awaited and 0 < self._pacing.rejects <= place.rejected):
            self._silence(place, at, "rejects", {"rejects": place.rejected})

    def _provisional(self, place: MatchSeat, frame: Provisional) -> None:
        """Kept while the turn is open; the latest one counts."""
        if frame.turn == self.match.turn and place.clock.stage is not Stage.IDLE:
            place.provisional = frame.commands

    def _info(self, place: MatchSeat, frame: Info) -> None:
        """Thoughts for the viewers, once the turn is closed. Those beyond the limit are dropped."""
        if self.match.outcome is not None:
            return
        if place.infos >= self._limits.infos_per_turn:
            self._metrics.info_dropped(self.match.game.name)
            return
        place.infos += 1
        self._file.info(self.match.turn, place.seat, frame.data)
        self._audience.thought(Event("info", self.match.turn, place.seat, frame.data))

    def _bad_frame(self, place: MatchSeat) -> None:
        """Counted; where the game has a limit for these, it forfeits the seat."""
        if self.match.outcome is not None:
            return
        place.tally.bad_frames += 1
        if self._pacing.bad_frames:
            self._journal("bad_frame", place.seat, None)
        if place.tally.bad_frames == self._pacing.bad_frames:
            self.match.forfeit(frozenset({place.seat}), "protocol")

    # --- who is there ------------------------------------------------------------------------------------------------------

    def _connected(self, client: Client, at: int) -> None:
        """A seat has a new connection, which takes over from the one it had."""
        assert client.seat is not None
        place = self.places[client.seat]
        if self.match.outcome is not None:
            client.refuse(MATCH_OVER)
            return
        if client.gone:
            return
        self._file.flush()
        if place.client is not None:
            place.client.refuse(REPLACED)
            place.part()
        place.client = client
        if place.waits_since is not None:
            place.absence -= max(0, at - place.waits_since)
            place.waits_since = None
        place.excused_until = None
        if place.clock.paused:
            place.clock.resume(now())
        self._greet(place)
        if place.away_since is not None:
            place.away_since = None
            place.kicked = False
            self._event("back", place.seat, self._absence_left(place))
        self._alarm = self._due()

    def _disconnected(self, client: Client, at: int) -> None:
        """A seat's connection is gone. If we closed it that is no absence: its clock runs on."""
        assert client.seat is not None
        place = self.places[client.seat]
        if place.client is not client:
            return
        place.part()
        if self.match.outcome is not None:
            return
        place.kicked = client.dismissed
        if place.kicked or at >= self._pauses.resumed:
            self._are_away([place], at)
        else:
            self._excuse(place, at)
        self._alarm = self._due()

    def _excuse(self, place: MatchSeat, at: int) -> None:
        """Its connection broke by a pause of ours, as far as we can tell: it is not away before it had time to come back."""
        place.excused_until = place.away_since = self._pauses.resumed
        self._event("away", place.seat, (self._absence_left(place) or {}) | {"excused": True})
        if place.clock.stage is not Stage.IDLE:
            self._wait_for(place, at)

    def _are_away(self, places: list[MatchSeat], at: int) -> None:
        """From this moment."""
        for place in places:
            place.away_since = at
            place.tally.absences += 1
            self._event("away", place.seat, self._absence_left(place))
            if self._pacing.absence == "limited" and not place.kicked:
                place.waits_since = at
            elif place.clock.stage is not Stage.IDLE:
                self._wait_for(place, at)
        out = frozenset(place.seat for place in places if not place.kicked)
        if self._pacing.absence == "forfeits" and out:
            self.match.forfeit(out, "disconnect")

    def _absence_left(self, place: MatchSeat) -> Json:
        """How long this seat may still be away, where the game bounds that."""
        return {"within_ms": whole_ms(place.absence)} if self._pacing.absence in ("waits", "limited") else None

    def _wait_for(self, place: MatchSeat, at: int) -> None:
        """An absent seat's open turn waits with its clock stopped, where the game says so, or because it is excused."""
        if place.excused_until is not None and self._pacing.tick_ms is None:
            place.clock.pause(at)
        elif self._pacing.absence == "waits" and not place.kicked and self._pacing.tick_ms is None:
            place.clock.pause(at)
            place.waits_since = at

    def _lost_at(self, place: MatchSeat) -> int | None:
        """When a seat that is away has lost by it."""
        return None if place.waits_since is None else place.waits_since + place.absence

    def _absent(self, lost: dict[Seat, int]) -> frozenset[Seat]:
        """Who is out: whoever is away when the wait is over, or whose own time away was over first."""
        if self._pacing.absence == "waits":
            return frozenset(place.seat for place in self.places if place.client is None and place.excused_until is None)
        return frozenset(seat for seat, due in lost.items() if due == min(lost.values()))

    def _abandoned_at(self) -> int | None:
        """When the match ends because no seat has come back."""
        if (
            self._gathering
            or self._pacing.absence not in ("plays", "misses")
            or any(place.client is not None for place in self.places)
        ):
            return None
        since = max(self._t0 if place.away_since is None else place.away_since for place in self.places)
        return since + self._pacing.absence_ms * MS

    def _greet(self, place: MatchSeat) -> None:
        open_ = self._referee.playing and place.silent is None and place.seat in self.match.awaited
        self._audience.greet_seat(place, alone=self._opened_for == {place.seat}, act=open_)

    def _place(self, client: Client) -> MatchSeat | None:
        """The place that this connection plays; None: a newer one does."""
        assert client.seat is not None
        place = self.places[client.seat]
        return place if place.client is client else None

    # --- words to the journal and to everybody -----------------------------------------------------------------------------

    def _event(self, event: str, seat: Seat | None, data: Json = None, *, later: bool = False) -> None:
        """Write down what happened around the match and tell everybody: now, or when the turn is closed."""
        self._journal(event, seat, data)
        message = Event(event, self.match.turn, seat, data)
        if later:
            self._audience.tell_later(message)
        else:
            self._file.flush()
            self._audience.tell(message)

    def _journal(self, event: str, seat: Seat | None, data: Json) -> None:
        if self.match.journal is not None:
            self.match.journal.event(self.match.turn, seat, event, data)

    def _break_off(self, reason: str) -> None:
        if self.match.outcome is None:
            self.match.abort(reason)


_RESULT_OK = Result("ok")


def _result(reply: Reply, changes: bool) -> Result:
    told = reply.changes is not None and changes
    if reply.ok and not told:
        return _RESULT_OK
    return Result(reply.code, reply.why or UNSET, reply.changes if told else UNSET)
