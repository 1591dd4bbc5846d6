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
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal, Protocol

import structlog

from client_sdk.replay import JOURNAL_SUFFIX
from client_sdk.wire.codes import MATCH_OVER, REPLACED, Close
from games.core.contract import AnyGame, Json, Seat
from games.core.journal import commitment
from server.blame import BrokenOff, verdict
from server.errors import Refusal
from server.match_record import MatchEnded, MatchRecord, SeatedPlayer
from server.matches.access import Access
from server.matches.client import Client
from server.matches.clock import MS, SeatClock, seat_clock
from server.matches.live_match import LiveMatch, MatchPlan
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
_log = structlog.get_logger()


class Observer(Protocol):
    def lobby_started(self, lobby: Lobby) -> None:
        """Its match is played from now on."""

    def lobby_ended(self, lobby: Lobby) -> None:
        """It is over or cancelled."""


class Lobby:
    """Larger than most classes here, for it stands for a match from its first seat to its
    result."""

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
    def state(self) -> LobbyState:
        if self.reason is not None:
            return "cancelled"
        return "over" if self.end is not None else "open" if self.live is None else "running"

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
        if self.state != "open" or not self.free:
            raise Refusal(
                409,
                "lobby_full",
                "all seats of this lobby are taken"
                if self.state == "open"
                else "this lobby is closed",
            )
        check_seat(seat, len(self.seats))
        lobby_seat = self.free[0] if seat is None else self.seats[seat]
        if not lobby_seat.free:
            allowed = [lobby_seat.number for lobby_seat in self.free]
            raise Refusal(409, "seat_taken", f"seat {seat} is taken", field="seat", allowed=allowed)
        lobby_seat.name, lobby_seat.kind, lobby_seat.bot, lobby_seat.account = (
            name,
            kind,
            bot,
            account,
        )
        self.hand(lobby_seat.number, token)
        _log.info(
            "seat taken",
            match=self.id,
            game=self.game.name,
            seat=lobby_seat.number,
            name=name,
            kind=kind,
            bot=bot,
        )
        self._restart_timer()
        return lobby_seat

    def leave(self, seat: Seat) -> None:
        """Give the seat of an open lobby back."""
        lobby_seat = self.seats[seat]
        if lobby_seat.client is not None:
            lobby_seat.client.close(MATCH_OVER, "you left the lobby")
        self.seats[seat] = LobbySeat(seat, lobby_seat.role)
        _log.info(
            "seat given back", match=self.id, game=self.game.name, seat=seat, name=lobby_seat.name
        )
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
            lobby_seat = self.seats[client.seat]
            if lobby_seat.client is not None:
                lobby_seat.client.close(REPLACED)
            lobby_seat.client = client
            if all(
                not seat.free and seat.client is not None and not seat.client.gone
                for seat in self.seats
            ):
                self._play(LiveMatch.drive)

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
            self.live.greet_viewer(client)

    def clients(self) -> list[Client]:
        seats = self.seats if self.live is None else self.live.seats
        return [seat.client for seat in seats if seat.client is not None] + list(self.viewers)

    # --- its life ---------------------------------------------------------------------------------

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
        self._timer.restart(len(self.free), len(self.seats))

    def _call_off(self) -> None:
        """A seat was taken and did not come: there is a record of that, and no match."""
        missing = [seat.number for seat in self.seats if seat.client is None]
        self._play(lambda live: live.call_off("no_show", missing), missing)

    def _play(self, course: Course, missing: Sequence[Seat] = ()) -> None:
        self.started_ms = wall_ms()
        try:
            self.file = _new_journal(self, self._context.folder)
        except OSError as fault:
            _log.exception(
                "no record can be written, so nothing is played", match=self.id, game=self.game.name
            )
            self.cancel(unwritten(fault))
            return
        self.setup.match.journal = self.file
        pacing = self.setup.pacing
        clocks = [seat_clock(pacing, seat.kind) for seat in self.seats]
        self._run(
            course,
            self.file,
            clocks,
            self.setup.match.turn,
            [History() for _ in self.seats],
            missing,
        )

    def resume(self, left: Interrupted, file: JournalFile) -> None:
        """Go on with a match that was interrupted. Its seats are held for the tokens that they
        had."""
        header = left.header
        self.started_ms = header.started
        self.created_ms = header.started if header.created is None else header.created
        for seat, held in zip(self.seats, header.seats, strict=True):
            seat.name, seat.kind, seat.bot, seat.salted = held.name, held.kind, held.bot, held.token
            seat.account = held.account
        missing = [seat for seat, history in enumerate(left.histories) if history.missing]
        self.file = file
        self._run(LiveMatch.resume, file, left.clocks, left.first_turn, left.histories, missing)

    def hand(self, seat: Seat, token: str) -> None:
        """Another token for a seat that is taken: the old one opens nothing any more."""
        self.seats[seat].token, self.seats[seat].salted = (
            digest(token),
            digest(token, self.access.salt),
        )

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
                number=seat.number,
                role=seat.role,
                name=seat.name or "",
                kind=seat.kind,
                clock=clock,
                client=seat.client,
                absence=Absence(
                    setup.pacing.absence_ms * MS if history.absence is None else history.absence
                ),
                tally=history.tally,
                memory=FrameMemory(history.frames),
            )
            for seat, clock, history in zip(self.seats, clocks, histories, strict=True)
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
        self.live = live = LiveMatch(
            plan, self._context.limits, self._context.stalls, self._context.metrics
        )
        self._timer.stop()
        self._observer.lobby_started(self)
        self._task = asyncio.get_running_loop().create_task(
            self._to_the_end(live, course, tuple(missing))
        )

    async def _to_the_end(self, live: LiveMatch, course: Course, missing: tuple[Seat, ...]) -> None:
        await course(live)
        if live.result is None:
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
        return (
            f"the lobby was cancelled: {self.reason}"
            if self.state == "cancelled"
            else MATCH_OVER.text
        )


def is_rated(lobby: Lobby) -> bool:
    """Whether the result counts: the host wants that, no person plays, and there is a clock."""
    setup = lobby.setup
    return (
        setup.rated
        and setup.pacing.clocked
        and all(seat.free or seat.kind == "bot" for seat in lobby.seats)
    )


def match_record(lobby: Lobby, outcome: Json = None) -> MatchRecord:
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
        doors=[*lobby.access.doors, *(seat.salted for seat in lobby.seats if not seat.free)],
        commitment=commitment(setup.seed, lobby.access.salt),
        created_ms=lobby.created_ms,
        started_ms=lobby.started_ms,
        ended_ms=lobby.ended_ms,
        head=lobby.file.head if over else None,
        outcome=outcome,
        file=f"{lobby.file.path.parent.name}/{lobby.file.path.name}",
    )


def _players(lobby: Lobby) -> list[SeatedPlayer]:
    return [SeatedPlayer(c.number, c.role, c.name, c.kind, c.bot, c.account) for c in lobby.seats]


def _new_journal(lobby: Lobby, folder: Path) -> JournalFile:
    """The record, with its header on the disk. Raises OSError."""
    setup = lobby.setup
    file = JournalFile(folder / f"{lobby.id}{JOURNAL_SUFFIX}")
    file.header(
        lobby.game,
        match=lobby.id,
        config=setup.config,
        seed=setup.seed,
        map_text=setup.map_text,
        seats=[
            asdict(player) | {"token": seat.salted}
            for player, seat in zip(_players(lobby), lobby.seats, strict=True)
        ],
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
