"""Handles what the seats of a match send, frame by frame, some time after it was received."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from msgspec import UNSET

from client_sdk.wire.codes import TOO_FAST
from client_sdk.wire.messages import (
    CommandResult,
    Commands,
    Info,
    Provisional,
    Ready,
    Results,
    Resync,
)
from games.core.contract import Pacing, Reply
from games.core.match import Match
from server.matches.broadcaster import Broadcaster
from server.matches.client import Client
from server.matches.clock import IDLE, TimeParts
from server.matches.match_seat import MatchSeat
from server.matches.messages import FrameReceived
from server.matches.referee import Limits, Referee
from server.matches.turns import Turns
from server.metrics import Metrics
from server.net.transport import framed

_OK = CommandResult("ok")
SOON_MS = 250
"""Where ticks are not further apart, results without a refusal leave with the next tick's view."""


@dataclass(slots=True, eq=False)
class FrameHandler:
    _match: Match
    _pacing: Pacing
    _limits: Limits
    _referee: Referee
    _turns: Turns
    _broadcaster: Broadcaster
    _metrics: Metrics
    _many: bool = field(init=False)
    """A turn is many commands, each answered while it is open."""
    _tick_is_soon: bool = field(init=False)

    def __post_init__(self) -> None:
        self._many = self._match.game.end_turn is not None
        self._tick_is_soon = 0 < (self._pacing.tick_ms or 0) <= SOON_MS

    def handle(self, seat: MatchSeat, message: FrameReceived) -> None:
        """The connection that sent it plays the seat now."""
        match message.frame:
            case Commands() as frame:
                self._commands(seat, message.client, frame, message.at)
            case Provisional() as frame:
                if frame.turn == self._match.turn and seat.clock.stage is not IDLE:
                    seat.turn.provisional = frame.commands
            case Info() as frame:
                self._info(seat, frame)
            case Ready():
                seat.ready = seat.ready or not self._referee.playing
            case Resync():
                self._broadcaster.greet_seat(seat)

    def bad_frame(self, seat: MatchSeat) -> None:
        """Counted; where the game limits these, too many of them forfeit."""
        if self._match.outcome is not None:
            return
        seat.tally.bad_frames += 1
        if self._pacing.bad_frames:
            self._broadcaster.record("bad_frame", seat.number)
        if seat.tally.bad_frames == self._pacing.bad_frames:
            self._match.forfeit(frozenset({seat.number}), "protocol")

    def _commands(self, seat: MatchSeat, client: Client, frame: Commands, received: int) -> None:
        """Each command is judged and recorded, then the seat gets the results. A refused `end_turn`
        gets a result of its own after the others."""
        if self._many and (again := seat.memory.repeated(client, frame)) is not None:
            client.send(again)
            return
        seat.grant_lag()
        match, turn = self._match, self._match.turn
        account = seat.account(received)
        replies = self._judge(seat, frame, received, account)
        self._turns.settle(seat, received, turn, account)
        if seat.turn.rejected:
            self._limit_rejects(seat, received, turn)
        answers = tuple([_result(reply, client.changes) for reply in replies])
        results = framed(Results(turn, answers, frame.id))
        if (self._pacing.tick_ms is None and seat.number not in match.awaited) or (
            self._tick_is_soon and all(reply.ok for reply in replies)
        ):
            client.acknowledge(results)
        else:
            client.send(results)
        if self._many:
            seat.memory.keep(client, frame, results)
            self._broadcaster.add_steps(seat.number, frame.commands, replies)
            seat.clock.book_work(received, time.monotonic_ns())
        if seat.turn.uncounted > self._limits.refusals_per_turn:
            client.close(TOO_FAST)

    def _judge(
        self, seat: MatchSeat, frame: Commands, received: int, account: TimeParts | None
    ) -> list[Reply]:
        judge, turn = self._referee.judge, frame.turn
        if not self._many:
            return [judge(seat, turn, raw, received, account) for raw in frame.commands]
        end_turn = self._match.game.end_turn
        replies = seat.memory.recalled(frame, end_turn)
        seat.turn.frame = frame.id
        rest = frame.commands[len(replies) :]
        replies += [judge(seat, turn, raw, received, account) for raw in rest]
        if frame.end_turn and len(replies) == len(frame.commands):
            ended = judge(seat, turn, end_turn, received, account)
            replies += [] if ended.ok else [ended]
        seat.turn.frame = None
        return replies

    def _limit_rejects(self, seat: MatchSeat, at: int, turn: int) -> None:
        """After too many rejected commands for one turn the seat counts as silent."""
        match, rejected = self._match, seat.turn.rejected
        if seat.turn.silent is not None or match.outcome is not None or match.turn != turn:
            return
        limited = seat.number in match.awaited and 0 < self._pacing.rejects <= rejected
        if limited or rejected >= self._limits.refusals_per_turn:
            self._turns.silence(seat, at, "rejects", {"rejects": rejected})

    def _info(self, seat: MatchSeat, frame: Info) -> None:
        """For the viewers, when the turn is closed. What is beyond the limit is dropped."""
        if self._match.outcome is not None:
            return
        if seat.turn.infos >= self._limits.infos_per_turn:
            self._metrics.info_dropped(self._match.game.name)
            return
        seat.turn.infos += 1
        self._broadcaster.inform_viewers(seat.number, frame.data)


def _result(reply: Reply, changes: bool) -> CommandResult:
    shown = reply.changes if changes else None
    if reply.ok and shown is None:
        return _OK
    return CommandResult(reply.code, reply.why or UNSET, UNSET if shown is None else shown)
