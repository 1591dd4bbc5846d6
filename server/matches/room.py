"""One lobby, then match, then result; the same id all the time.

open       seats are free, or taken by somebody who has not said hello yet
running    all seats have said hello; the driver plays the match
over       there is an outcome, `aborted` among them
cancelled  it never was a match; `reason` says why

A seat is a `Chair` (setup.py) in an open lobby and a `MatchSeat` of the `LiveMatch` (live_match.py) while the match is played.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal, Protocol

import structlog

from client_sdk.wire.codes import MATCH_OVER, REPLACED, Close
from games.core.contract import AnyGame, Seat
from games.core.journal import commitment
from server.blame import Broken, verdict
from server.descriptors import unwritten
from server.errors import Refusal
from server.match_record import MatchEnded, MatchRecord, Player
from server.matches.access import Access
from server.matches.client import Client
from server.matches.clock import MS, SeatClock, seat_clock
from server.matches.live_match import LiveMatch, MatchPlan
from server.matches.match_seat import Absence, FrameMemory, MatchSeat
from server.matches.messages import Abort, Connected, Disconnected
from server.matches.record import JOURNAL, JournalFile, wall_ms
from server.matches.resume import History, Interrupted
from server.matches.setup import Chair, Kind, RoomContext, Setup, check_seat
from server.matches.start_timer import StartTimer
from server.tokens import digest

Json = Any
State = Literal["open", "running", "over", "cancelled"]
Course = Callable[[LiveMatch], Coroutine[Any, Any, None]]
_log = structlog.get_logger()


class Observer(Protocol):
    def lobby_started(self, room: Room) -> None:
        """Its match is played from now on."""

    def lobby_ended(self, room: Room) -> None:
        """It is over or cancelled."""


class Room:
    """Larger than most classes here, for it stands for a match from its first seat to its result."""

    def __init__(self, id_: str, setup: Setup, access: Access, context: RoomContext, observer: Observer) -> None:
        self.id = id_
        self.setup = setup
        self.access = access
        self.chairs = [Chair(seat, self.game.roles[seat]) for seat in range(setup.match.seats)]
        self.viewers: set[Client] = set()
        self.reason: str | None = None
        """Why it was cancelled."""
        self.created_ms = wall_ms()
        self.started_ms: int | None = None
        self.ended_ms: int | None = None
        self.end: MatchEnded | None = None
        self.file: JournalFile | None = None
        self.live: LiveMatch | None = None
        """The match, while it is played."""
        self._context = context
        self._observer = observer
        self._task: asyncio.Task[None] | None = None
        self._timer = StartTimer(
            context.stalls.running,
            start_timeout_ms=setup.start_timeout_ms,
            empty_ms=context.empty_ms,
            startup_ms=setup.pacing.startup_ms,
            cancel=self.cancel,
            call_off=self._call_off,
        )
        self._restart_timer()

    @property
    def game(self) -> AnyGame:
        return self.setup.match.game

    @property
    def state(self) -> State:
        if self.reason is not None:
            return "cancelled"
        return "over" if self.end is not None else "open" if self.live is None else "running"

    @property
    def result(self) -> dict[str, Json] | None:
        """Of a match that is over."""
        return None if self.end is None else self.end.record.result

    # --- seats ------------------------------------------------------------------------------------------------------------

    @property
    def free(self) -> list[Chair]:
        return [chair for chair in self.chairs if chair.free] if self.state == "open" else []

    @property
    def empty(self) -> bool:
        """Whether it waits for seats, and none is taken."""
        return self.state == "open" and all(chair.free for chair in self.chairs)

    @property
    def unfinished(self) -> bool:
        return self.state in ("open", "running")

    def opens(self, token: str | None) -> Literal["owner", "invite"] | Seat | None:
        """What this token is to this room; None: nothing."""
        if token is None:
            return None
        known = digest(token, self.access.salt)
        seats = (chair.seat for chair in self.chairs if not chair.free and chair.salted == known)
        return self.access.role(known) or next(seats, None)

    def take(
        self, token: str, name: str, kind: Kind, seat: Seat | None = None, bot: str | None = None, account: str | None = None
    ) -> Chair:
        """Sit down on this seat, or on the first free one. Raises Refusal."""
        if self.state != "open" or not self.free:
            raise Refusal(
                409, "lobby_full", "all seats of this lobby are taken" if self.state == "open" else "this lobby is closed"
            )
        check_seat(seat, len(self.chairs))
        chair = self.free[0] if seat is None else self.chairs[seat]
        if not chair.free:
            allowed = [chair.seat for chair in self.free]
            raise Refusal(409, "seat_taken", f"seat {seat} is taken", field="seat", allowed=allowed)
        chair.name, chair.kind, chair.bot, chair.account = name, kind, bot, account
        self.hand(chair.seat, token)
        _log.info("seat taken", match=self.id, game=self.game.name, seat=chair.seat, name=name, kind=kind, bot=bot)
        self._restart_timer()
        return chair

    def leave(self, seat: Seat) -> None:
        """Give the seat of an open lobby back."""
        chair = self.chairs[seat]
        if chair.client is not None:
            chair.client.close(MATCH_OVER, "you left the lobby")
        self.chairs[seat] = Chair(seat, chair.role)
        _log.info("seat given back", match=self.id, game=self.game.name, seat=seat, name=chair.name)
        self._restart_timer()

    # --- connections ------------------------------------------------------------------------------------------------------

    def came(self, client: Client, at: int) -> None:
        """A seat said hello."""
        assert client.seat is not None
        if not self.unfinished:
            client.close(MATCH_OVER, self.over_text)
        elif self.live is not None:
            self.live.post(Connected(client, at))
        elif not client.gone:
            chair = self.chairs[client.seat]
            if chair.client is not None:
                chair.client.close(REPLACED)
            chair.client = client
            if all(not chair.free and chair.client is not None and not chair.client.gone for chair in self.chairs):
                self._play(LiveMatch.drive)

    def went(self, client: Client, at: int) -> None:
        """A connection is gone."""
        self.viewers.discard(client)
        if client.seat is None:
            return
        if self.live is not None:
            self.live.post(Disconnected(client, at))
        elif self.chairs[client.seat].client is client:
            self.chairs[client.seat].client = None

    def watch(self, client: Client) -> None:
        """A viewer said hello. One that comes late gets the match as it stands."""
        if not self.unfinished:
            client.close(MATCH_OVER, self.over_text)
            return
        self.viewers.add(client)
        if self.live is not None:
            self.live.greet_viewer(client)

    def clients(self) -> list[Client]:
        seats = self.chairs if self.live is None else self.live.seats
        return [seat.client for seat in seats if seat.client is not None] + list(self.viewers)

    # --- its life ---------------------------------------------------------------------------------------------------------

    def countdown_ms(self) -> int | None:
        """How long until an open lobby is cancelled, or its match called off."""
        return self._timer.left_ms

    def cancel(self, reason: str, farewell: Close = MATCH_OVER) -> None:
        self.reason, self.ended_ms = reason, wall_ms()
        _log.info("cancelled", match=self.id, game=self.game.name, reason=reason)
        for client in self.clients():
            client.close(farewell, self.over_text)
        self._finished()

    def stop(self, reason: str) -> None:
        """Cancel an open lobby, abort a match."""
        if self.live is not None:
            self.live.post(Abort(reason))
        elif self.state == "open":
            self.cancel(reason)

    async def played(self) -> None:
        """Until the match is over or handed over; an open lobby is not waited for."""
        if self._task is not None:
            await self._task

    def _restart_timer(self) -> None:
        self._timer.restart(len(self.free), len(self.chairs))

    def _call_off(self) -> None:
        """A seat was taken and did not come: there is a record of that, and no match."""
        missing = [chair.seat for chair in self.chairs if chair.client is None]
        self._play(lambda live: live.call_off("no_show", missing), missing)

    def _play(self, course: Course, missing: Sequence[Seat] = ()) -> None:
        self.started_ms = wall_ms()
        try:
            self.file = _new_journal(self, self._context.folder)
        except OSError as fault:
            _log.exception("no record can be written, so nothing is played", match=self.id, game=self.game.name)
            self.cancel(unwritten(fault))
            return
        self.setup.match.journal = self.file
        pacing = self.setup.pacing
        clocks = [seat_clock(pacing, chair.kind) for chair in self.chairs]
        self._run(course, self.file, clocks, self.setup.match.turn, [History() for _ in self.chairs], missing)

    def resume(self, left: Interrupted, file: JournalFile) -> None:
        """Go on with a match that was interrupted. Its seats are held for the tokens that they had."""
        header = left.header
        self.started_ms = header.started
        self.created_ms = header.started if header.created is None else header.created
        for chair, seat in zip(self.chairs, header.seats, strict=True):
            chair.name, chair.kind, chair.bot, chair.salted = seat.name, seat.kind, seat.bot, seat.token
            chair.account = seat.account
        missing = [seat for seat, history in enumerate(left.histories) if history.missing]
        self.file = file
        self._run(LiveMatch.resume, file, left.clocks, left.first_turn, left.histories, missing)

    def hand(self, seat: Seat, token: str) -> None:
        """Another token for a seat that is taken: the old one opens nothing any more."""
        self.chairs[seat].token, self.chairs[seat].salted = digest(token), digest(token, self.access.salt)

    def _run(
        self,
        course: Course,
        file: JournalFile,
        clocks: Sequence[SeatClock],
        first_turn: int,
        histories: Sequence[History],
        missing: Sequence[Seat],
    ) -> None:
        """`missing`: seats that had not come when the match was called off for them."""
        setup = self.setup
        seats = [
            MatchSeat(
                number=chair.seat,
                role=chair.role,
                name=chair.name or "",
                kind=chair.kind,
                clock=clock,
                client=chair.client,
                absence=Absence(setup.pacing.absence_ms * MS if history.absence is None else history.absence),
                tally=history.tally,
                memory=FrameMemory(history.frames),
            )
            for chair, clock, history in zip(self.chairs, clocks, histories, strict=True)
        ]
        plan = MatchPlan(
            id=self.id,
            number=next(self._context.numbers),
            match=setup.match,
            pacing=setup.pacing,
            seats=seats,
            viewers=self.viewers,
            commitment=commitment(setup.seed, self.access.salt),
            file=file,
            first_turn=first_turn,
        )
        self.live = live = LiveMatch(plan, self._context.limits, self._context.stalls, self._context.metrics)
        self._timer.stop()
        self._observer.lobby_started(self)
        self._task = asyncio.get_running_loop().create_task(self._to_the_end(live, course, tuple(missing)))

    async def _to_the_end(self, live: LiveMatch, course: Course, missing: tuple[Seat, ...]) -> None:
        await course(live)
        if live.result is None:
            return
        self.ended_ms = live.ended_ms
        broken = self.setup.match.broken_off
        blamed = None if broken is None else verdict(Broken(*broken, missing), len(self.chairs))
        self.end = MatchEnded(match_record(self, live.result), blamed, missing)
        self._finished()

    def _finished(self) -> None:
        self._timer.stop()
        self.live = None
        self.viewers.clear()
        for chair in self.chairs:
            chair.client = None
        self.setup.match.put_away()
        self._observer.lobby_ended(self)

    @property
    def over_text(self) -> str:
        return f"the lobby was cancelled: {self.reason}" if self.state == "cancelled" else MATCH_OVER.text


def is_rated(lobby: Room) -> bool:
    """Whether the result counts: the host wants that, no person plays, and there is a clock."""
    setup = lobby.setup
    return setup.rated and setup.pacing.clocked and all(chair.free or chair.kind == "bot" for chair in lobby.chairs)


def match_record(lobby: Room, outcome: Json = None) -> MatchRecord:
    """The match. `outcome`: it is over."""
    assert lobby.started_ms is not None
    assert lobby.file is not None
    setup, over = lobby.setup, outcome is not None
    return MatchRecord(
        id=lobby.id,
        name=setup.name,
        game=lobby.game.name,
        rules_version=lobby.game.rules_version,
        state="over" if over else "running",
        private=setup.private,
        rated=is_rated(lobby),
        players=_players(lobby),
        config=setup.match.config,
        map=setup.map_name,
        faults=setup.faults,
        seed=setup.seed,
        salt=lobby.access.salt,
        doors=[*lobby.access.doors, *(chair.salted for chair in lobby.chairs if not chair.free)],
        commitment=commitment(setup.seed, lobby.access.salt),
        created_ms=lobby.created_ms,
        started_ms=lobby.started_ms,
        ended_ms=lobby.ended_ms,
        head=lobby.file.head if over else None,
        outcome=outcome,
        file=f"{lobby.file.path.parent.name}/{lobby.file.path.name}",
    )


def _players(lobby: Room) -> list[Player]:
    return [Player(c.seat, c.role, c.name, c.kind, c.bot, c.account) for c in lobby.chairs]


def _new_journal(lobby: Room, folder: Path) -> JournalFile:
    """The record, with its header on the disk. Raises OSError."""
    setup = lobby.setup
    file = JournalFile(folder / f"{lobby.id}{JOURNAL}")
    file.header(
        lobby.game,
        match=lobby.id,
        config=setup.config,
        seed=setup.seed,
        map_text=setup.map_text,
        seats=[asdict(player) | {"token": chair.salted} for player, chair in zip(_players(lobby), lobby.chairs, strict=True)],
        salt=lobby.access.salt,
        about={
            "lobby": setup.name,
            "private": setup.private,
            "rated": is_rated(lobby),
            "faults": setup.faults,
            "clock": dict(setup.clock),
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
