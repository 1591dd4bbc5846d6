"""One lobby, then match, then result; the same id all the time.

open       seats are free, or taken by clients that have not said hello yet
running    all seats have said hello; the driver plays the match
over       there is an outcome, `aborted` among them
cancelled  it never was a match; `reason` says why

A seat is a `LobbySeat` (setup.py) in an open lobby and a `MatchSeat` of the `LiveMatch`
(live_match.py) during the match."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from itertools import count
from typing import Any, Literal, Protocol

import structlog

from client_sdk.wire.codes import MATCH_OVER, REPLACED, Close
from games.core.contract import AnyGame, Json, Pacing, Seat
from games.core.journal import commitment
from games.core.names import numbered
from server.accounts.authentication import Requester, role_of
from server.accounts.scopes import TokenRole
from server.blame import BrokenOff, verdict
from server.errors import Refusal
from server.match_record import MatchEnded
from server.matches.access import Access
from server.matches.client import Client
from server.matches.clock import MS, SeatClock, seat_clock
from server.matches.live_match import LiveMatch, MatchPlan
from server.matches.lobby_record import match_record, new_journal
from server.matches.match_seat import Absence, FrameMemory, MatchSeat
from server.matches.messages import Abort, Connected, Disconnected
from server.matches.record import JournalFile
from server.matches.resume import History, Interrupted
from server.matches.setup import LobbyContext, LobbySeat, PlayerKind, Setup, check_seat
from server.matches.start_timer import StartTimer
from server.net.descriptors import unwritten
from server.tokens import digest
from server.wall_clock import wall_ms

LobbyState = Literal["open", "running", "over", "cancelled"]
Course = Callable[[LiveMatch], Coroutine[Any, Any, None]]


class Observer(Protocol):
    def lobby_started(self, lobby: Lobby) -> None:
        """Its match is played from now on."""

    def lobby_ended(self, lobby: Lobby) -> None:
        """It is over or cancelled."""


class Lobby:
    """A match from its first seat to its result, hence its length and the number of attributes and
    methods."""

    def __init__(
        self, id_: str, setup: Setup, access: Access, context: LobbyContext, observer: Observer
    ) -> None:
        self.id = id_
        self.setup = setup
        self.access = access
        self.seats = [LobbySeat(seat, self.game.roles[seat]) for seat in range(setup.match.seats)]
        self.viewers: set[Client] = set()
        self.reason: str | None = None
        """Why it was cancelled."""
        self.hosted = False
        """The server has assigned the seats itself; none can be given back."""
        self.begins = setup.start_when_full
        """It starts as soon as all seats are ready."""
        self.created_ms = wall_ms()
        self.started_ms: int | None = None
        self.ended_ms: int | None = None
        self.end: MatchEnded | None = None
        self.file: JournalFile | None = None
        self.live: LiveMatch | None = None
        """The match, while it is played."""
        self._context = context
        self._observer = observer
        self._log = structlog.get_logger().bind(match=id_, game=self.game.name)
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
    def state(self) -> LobbyState:
        if self.reason is not None:
            return "cancelled"
        return "over" if self.end is not None else "open" if self.live is None else "running"

    @property
    def turn(self) -> int | None:
        """The open turn of a match that is running, as viewers may know it."""
        if self.live is None or not self.live.gallery.delayed:
            return None if self.live is None else self.setup.match.turn
        shown = self.live.gallery.shown
        return None if shown is None else shown.turn

    @property
    def result(self) -> dict[str, Json] | None:
        """Of a match that is over."""
        return None if self.end is None else self.end.record.result

    # --- seats ------------------------------------------------------------------------------------

    @property
    def free(self) -> list[LobbySeat]:
        return [seat for seat in self.seats if seat.free] if self.state == "open" else []

    @property
    def empty(self) -> bool:
        """Whether it waits for seats, and none is taken."""
        return self.state == "open" and all(seat.free for seat in self.seats)

    @property
    def unfinished(self) -> bool:
        return self.state in ("open", "running")

    def opens(self, token: str | None) -> Literal["owner", "invite"] | Seat | None:
        """What this token is to this lobby; None: nothing."""
        if token is None:
            return None
        known = digest(token, self.access.salt)
        seats = (seat.number for seat in self.seats if not seat.free and seat.salted == known)
        return self.access.role(known) or next(seats, None)

    def take(
        self,
        token: str,
        name: str,
        kind: PlayerKind,
        seat: Seat | None = None,
        bot: str | None = None,
        account: str | None = None,
    ) -> LobbySeat:
        """Sit down on this seat, or on the first free one. Raises Refusal."""
        if self.state != "open":
            raise Refusal(409, "lobby_full", "this lobby is closed")
        free = [seat.number for seat in self.free]
        if not free:
            raise Refusal(409, "lobby_full", "all seats of this lobby are taken")
        check_seat(seat, len(self.seats))
        if seat is None:
            seat = free[0]
        elif seat not in free:
            raise Refusal(409, "seat_taken", f"seat {seat} is taken", field="seat", allowed=free)
        role = self.game.roles[seat]
        name = self._distinct(name)
        taken = self.seats[seat] = LobbySeat(seat, role, name, kind, bot, account)
        self.hand(seat, token)
        self._log.info("seat taken", seat=seat, name=name, kind=kind, bot=bot)
        self._restart_timer()
        return taken

    def _distinct(self, name: str) -> str:
        """What a newcomer is called: equal names are numbered, the first one too."""
        held = {seat.name: seat for seat in self.seats}
        if name in held:
            held[name].name = numbered(name, 1)
        elif numbered(name, 1) not in held:
            return name
        known = {seat.name for seat in self.seats}
        return next(new for n in count(1) if (new := numbered(name, n)) not in known)

    def leave(self, seat: Seat) -> None:
        """Give the seat of an open lobby back."""
        left = self.seats[seat]
        if left.client is not None:
            left.client.close(MATCH_OVER, "you left the lobby")
        self.seats[seat] = LobbySeat(seat, left.role)
        self._log.info("seat given back", seat=seat, name=left.name)
        self._restart_timer()

    # --- connections ------------------------------------------------------------------------------

    def connect(self, client: Client, at: int) -> None:
        """A seat said hello."""
        assert client.seat is not None
        if not self.unfinished:
            client.close(MATCH_OVER, self.over_text)
        elif self.live is not None:
            self.live.post(Connected(client, at))
        elif not client.gone:
            taken = self.seats[client.seat]
            if taken.client is not None:
                taken.client.close(REPLACED)
            taken.client = client
            self._play_if_ready()

    def disconnect(self, client: Client, at: int) -> None:
        """A connection is gone."""
        self.viewers.discard(client)
        if client.seat is None:
            return
        if self.live is not None:
            self.live.post(Disconnected(client, at))
        elif self.seats[client.seat].client is client:
            self.seats[client.seat].client = None

    def watch(self, client: Client) -> None:
        """A viewer said hello. One that comes late gets the match as it stands."""
        if not self.unfinished:
            client.close(MATCH_OVER, self.over_text)
            return
        self.viewers.add(client)
        if self.live is not None:
            self.live.gallery.greet(client)

    def clients(self) -> list[Client]:
        seats = self.seats if self.live is None else self.live.seats
        return [seat.client for seat in seats if seat.client is not None] + list(self.viewers)

    # --- its life ---------------------------------------------------------------------------------

    def countdown_ms(self) -> int | None:
        """How long until an open lobby is cancelled, or its match called off."""
        return self._timer.left_ms

    def cancel(self, reason: str, farewell: Close = MATCH_OVER) -> None:
        self.reason, self.ended_ms = reason, wall_ms()
        self._log.info("cancelled", reason=reason)
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

    def begin(self) -> None:
        """Start an open lobby as soon as all seats are ready, now if they are."""
        self.begins = True
        self._restart_timer()
        self._play_if_ready()

    def _restart_timer(self) -> None:
        self._timer.restart(len(self.free), len(self.seats), self.begins)

    def _play_if_ready(self) -> None:
        ready = all(seat.client is not None and not seat.client.gone for seat in self.seats)
        if self.begins and ready:
            self._play(LiveMatch.drive, [History() for _ in self.seats])

    def _call_off(self) -> None:
        """A seat was taken and did not come: there is a record of that, and no match."""
        missing = [seat.number for seat in self.seats if seat.client is None]
        histories = [History(missing=seat.number in missing) for seat in self.seats]
        self._play(lambda live: live.call_off("no_show", missing), histories)

    def _play(self, course: Course, histories: Sequence[History]) -> None:
        setup = self.setup
        self.started_ms = wall_ms()
        try:
            file = setup.match.journal = new_journal(self, self._context.folder)
        except OSError as fault:
            self._log.exception("no record can be written, so nothing is played")
            self.cancel(unwritten(fault))
            return
        clocks = [seat_clock(setup.pacing, seat.kind) for seat in self.seats]
        self._run(course, file, clocks, setup.match.turn, histories)

    def resume(self, left: Interrupted, file: JournalFile) -> None:
        """Go on with a match that was interrupted. Its seats are held for their old tokens."""
        header = left.header
        self.started_ms = header.started
        self.created_ms = header.started if header.created is None else header.created
        for seat, held in zip(self.seats, header.seats, strict=True):
            seat.name, seat.kind, seat.bot = held.name, held.kind, held.bot
            seat.account, seat.salted = held.account, held.token
        self._run(LiveMatch.resume, file, left.clocks, left.first_turn, left.histories)

    def hand(self, seat: Seat, token: str) -> None:
        """Another token for a seat that is taken: the old one opens nothing any more."""
        taken = self.seats[seat]
        taken.token, taken.salted = digest(token), digest(token, self.access.salt)

    def _run(
        self,
        course: Course,
        file: JournalFile,
        clocks: Sequence[SeatClock],
        first_turn: int,
        histories: Sequence[History],
    ) -> None:
        setup, context = self.setup, self._context
        self.file = file
        plan = MatchPlan(
            id=self.id,
            number=next(context.numbers),
            match=setup.match,
            pacing=setup.pacing,
            seats=[
                match_seat(seat, clock, history, setup.pacing)
                for seat, clock, history in zip(self.seats, clocks, histories, strict=True)
            ],
            viewers=self.viewers,
            commitment=commitment(setup.seed, self.access.salt),
            file=file,
            first_turn=first_turn,
            spectator_delay=setup.spectator_delay,
        )
        self.live = live = LiveMatch(plan, context.limits, context.stalls, context.metrics)
        self._timer.stop()
        self._observer.lobby_started(self)
        missing = tuple(seat for seat, history in enumerate(histories) if history.missing)
        playing = self._to_the_end(live, course, file, missing)
        self._task = asyncio.get_running_loop().create_task(playing)

    async def _to_the_end(
        self, live: LiveMatch, course: Course, file: JournalFile, missing: tuple[Seat, ...]
    ) -> None:
        """With a spectator delay the match is over when its viewers have seen the end: what
        follows from it is public."""
        await course(live)
        if live.result is None:
            return
        if not await live.gallery.left():
            await asyncio.to_thread(file.sync)
            file.close()
            return
        self.ended_ms = live.ended_ms
        broken = self.setup.match.broken_off
        blamed = None if broken is None else verdict(BrokenOff(*broken, missing), len(self.seats))
        self.end = MatchEnded(match_record(self, live.result), blamed, missing)
        self._finished()

    def _finished(self) -> None:
        self._timer.stop()
        self.live = None
        self.viewers.clear()
        for seat in self.seats:
            seat.client = None
        self.setup.match.put_away()
        self._observer.lobby_ended(self)

    @property
    def over_text(self) -> str:
        """Why its clients are disconnected."""
        if self.state == "cancelled":
            return f"the lobby was cancelled: {self.reason}"
        return MATCH_OVER.text


def match_seat(seat: LobbySeat, clock: SeatClock, history: History, pacing: Pacing) -> MatchSeat:
    """The seat of a match that starts or is resumed."""
    absence = pacing.absence_ms * MS if history.absence is None else history.absence
    return MatchSeat(
        number=seat.number,
        role=seat.role,
        name=seat.name or "",
        kind=seat.kind,
        clock=clock,
        client=seat.client,
        absence=Absence(absence),
        tally=history.tally,
        memory=FrameMemory(history.frames),
    )


def role_in(lobby: Lobby, requester: Requester) -> TokenRole | None:
    """What a viewer is to this lobby: by its token, or by its key as the account of a seat."""
    account = requester.account
    if account is not None and any(seat.account == account.id for seat in lobby.seats):
        return "seat"
    return role_of(lobby.opens(requester.token))
