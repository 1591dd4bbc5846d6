"""One lobby, then match, then result; the same id all the time.

open       seats are free, or taken by somebody who has not said hello yet
running    all seats have said hello; the driver plays the match
over       there is an outcome, `aborted` among them
cancelled  it never was a match; `reason` says why

A seat is a `Chair` in an open lobby and a `MatchSeat` of the `LiveMatch` (live_match.py) while the match is played.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Literal, Protocol

import structlog

from client_sdk.wire.codes import MATCH_OVER, REPLACED, Close
from games.core.contract import Pacing, Seat
from games.core.journal import commitment
from games.core.match import Match
from games.core.parameters import described
from server.blame import Broken, verdict
from server.descriptors import unwritten
from server.errors import Refusal
from server.match_record import MatchEnded, MatchRecord, Player
from server.matches.access import Access
from server.matches.alarm import Alarm
from server.matches.client import Client
from server.matches.clock import MS, SeatClock, seat_clock
from server.matches.live_match import LiveMatch, MatchPlan
from server.matches.match_seat import Absence, FrameMemory, MatchSeat
from server.matches.messages import Abort, Connected, Disconnected
from server.matches.record import JOURNAL, JournalFile, wall_ms
from server.matches.referee import Limits
from server.matches.resume import History, Interrupted
from server.matches.stalls import Stalls
from server.metrics import Metrics
from server.tokens import digest

Json = Any
State = Literal["open", "running", "over", "cancelled"]
Kind = Literal["bot", "human"]


@dataclass(slots=True)
class Chair:
    """A seat of a lobby, and who has taken it."""

    seat: Seat
    role: str
    name: str | None = None
    """None: the seat is free."""
    kind: Kind = "bot"
    bot: str | None = None
    """The house bot that sits here."""
    account: str | None = None
    """Whose seat it is, by the key that took it: an id, whatever the name says."""
    token: str = ""
    """The token's digest."""
    salted: str = ""
    client: Client | None = None

    @property
    def free(self) -> bool:
        return self.name is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a lobby was created with. The match is set up already, so that nothing can be wrong with it later."""

    match: Match
    pacing: Pacing
    config: Mapping[str, Json]
    """The parameters as they were given."""
    seed: int
    map_name: str | None = None
    map_text: str | None = None
    name: str | None = None
    private: bool = False
    rated: bool = False
    """Whether the result was wished to count."""
    start_timeout_ms: int
    faults: str | None = None
    clock: Mapping[str, Json] = field(default_factory=dict)
    """The limits that the lobby has chosen itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomContext:
    """What all lobbies of a server share."""

    folder: Path
    limits: Limits
    stalls: Stalls
    metrics: Metrics
    spectators: int
    empty_ms: int
    """How long a lobby waits for a first seat."""
    numbers: Iterator[int] = field(default_factory=itertools.count)
    """One for each match of this process."""


class Observer(Protocol):
    def lobby_started(self, room: Room) -> None:
        """Its match is played from now on."""

    def lobby_ended(self, room: Room) -> None:
        """It is over or cancelled."""


class Room:
    def __init__(self, id_: str, setup: Setup, access: Access, context: RoomContext, observer: Observer) -> None:
        game = setup.match.game
        self.id = id_
        self.setup = setup
        self.access = access
        self.game = game
        self.chairs = [Chair(seat, game.roles[seat]) for seat in range(setup.match.seats)]
        self.viewers: set[Client] = set()
        self.state: State = "open"
        self.reason: str | None = None
        """Why it was cancelled."""
        self.created_ms = wall_ms()
        self.started_ms: int | None = None
        self.ended_ms: int | None = None
        self.result: dict[str, Json] | None = None
        self.end: MatchEnded | None = None
        self.file: JournalFile | None = None
        self.live: LiveMatch | None = None
        """The match, while it is played."""
        self._missing: list[Seat] = []
        """The seats that had not come when the match was called off for them."""
        self._context = context
        self._observer = observer
        self._task: asyncio.Task[None] | None = None
        self._expires = context.stalls.running.now() + setup.start_timeout_ms * MS
        """Running time."""
        self._log = structlog.get_logger().bind(match=id_, game=game.name)
        self._timer = self._deadline()

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

    @property
    def locked(self) -> bool:
        """Whether it asks for a password."""
        return self.access.password is not None

    @property
    def rated(self) -> bool:
        """Whether the result counts: it was wished, no person plays, and there is a clock."""
        return self.setup.rated and self.setup.pacing.clocked and all(chair.free or chair.kind == "bot" for chair in self.chairs)

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
        self._log.info("seat taken", seat=chair.seat, name=name, kind=kind, bot=bot)
        self._wind_timer()
        return chair

    def leave(self, seat: Seat) -> None:
        """Give the seat of an open lobby back."""
        chair = self.chairs[seat]
        if chair.client is not None:
            chair.client.close(MATCH_OVER, "you left the lobby")
        self.chairs[seat] = Chair(seat, chair.role)
        self._log.info("seat given back", seat=seat, name=chair.name)
        self._wind_timer()

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
            self._start_if_ready()

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

    @cached_property
    def config(self) -> dict[str, Json]:
        """The parameters as plain JSON. Made once: a large board's walls are many, and all lobbies are listed often."""
        return described(self.setup.match.rules)

    @property
    def once(self) -> tuple[str, ...]:
        """The fields of a view that nobody needs twice."""
        return self.game.once(self.setup.match.rules)

    @property
    def crowded(self) -> bool:
        return len(self.viewers) >= self._context.spectators

    def clients(self) -> list[Client]:
        seats = self.chairs if self.live is None else self.live.seats
        return [seat.client for seat in seats if seat.client is not None] + list(self.viewers)

    def thinks(self, client: Client) -> bool:
        """Whether this is a seat whose clock runs: nobody closes that for being quiet."""
        return self.live is not None and client.seat is not None and client.seat in self.live.match.awaited

    # --- its life ---------------------------------------------------------------------------------------------------------

    def countdown_ms(self) -> int | None:
        """How long until an open lobby is cancelled, or its match called off."""
        return self._timer.left_ms if self.state == "open" else None

    def cancel(self, reason: str, farewell: Close = MATCH_OVER) -> None:
        self.state, self.reason, self.ended_ms = "cancelled", reason, wall_ms()
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

    def _wind_timer(self) -> None:
        """A seat was taken or given back."""
        self._timer.cancel()
        self._timer = self._deadline()

    def _deadline(self) -> Alarm:
        """An open lobby waits for seats until it expires, and not for long if none is taken; with all seats taken, for their
        hellos."""
        running = self._context.stalls.running
        if all(not chair.free for chair in self.chairs):
            return Alarm(running, self.setup.pacing.startup_ms, self._call_off)
        left_ms = max(0, self._expires - running.now()) / MS
        if self.empty and self._context.empty_ms < left_ms:
            return Alarm(running, self._context.empty_ms, partial(self.cancel, "no_seat_taken"))
        return Alarm(running, left_ms, partial(self.cancel, "start_timeout"))

    def _call_off(self) -> None:
        """A seat was taken and did not come: there is a record of that, and no match."""
        self._missing = [chair.seat for chair in self.chairs if chair.client is None]
        self._play(lambda live: live.call_off("no_show", self._missing))

    def _start_if_ready(self) -> None:
        if all(not chair.free and chair.client is not None and not chair.client.gone for chair in self.chairs):
            self._play(LiveMatch.drive)

    def _play(self, course: Callable[[LiveMatch], Coroutine[Any, Any, None]]) -> None:
        self.started_ms = wall_ms()
        try:
            self.file = self._begun()
        except OSError as fault:
            self._log.exception("no record can be written, so nothing is played")
            self.cancel(unwritten(fault))
            return
        self.setup.match.journal = self.file
        pacing = self.setup.pacing
        clocks = [seat_clock(pacing, chair.kind) for chair in self.chairs]
        self._run(self.file, clocks, self.setup.match.turn, course, [History() for _ in self.chairs])

    def resume(self, left: Interrupted, file: JournalFile) -> None:
        """Go on with a match that was interrupted. Its seats are held for the tokens that they had."""
        header = left.header
        self.started_ms = header.started
        self.created_ms = header.started if header.created is None else header.created
        for chair, seat in zip(self.chairs, header.seats, strict=True):
            chair.name, chair.kind, chair.bot, chair.salted = seat.name, seat.kind, seat.bot, seat.token
            chair.account = seat.account
        self._missing = [seat for seat, history in enumerate(left.histories) if history.missing]
        self.file = file
        self._run(file, left.clocks, left.first_turn, LiveMatch.resume, left.histories)

    def hand(self, seat: Seat, token: str) -> None:
        """Another token for a seat that is taken: the old one opens nothing any more."""
        self.chairs[seat].token, self.chairs[seat].salted = digest(token), digest(token, self.access.salt)

    def _run(
        self,
        file: JournalFile,
        clocks: Sequence[SeatClock],
        first_turn: int,
        course: Callable[[LiveMatch], Coroutine[Any, Any, None]],
        histories: Sequence[History],
    ) -> None:
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
        self._timer.cancel()
        self.state = "running"
        self._observer.lobby_started(self)
        self._task = asyncio.get_running_loop().create_task(self._to_the_end(live, course(live)))

    async def _to_the_end(self, live: LiveMatch, course: Coroutine[Any, Any, None]) -> None:
        await course
        if live.result is None:
            return
        self.state, self.ended_ms, self.result = "over", live.ended_ms, live.result
        broken = self.setup.match.broken_off
        blamed = None if broken is None else verdict(Broken(*broken, tuple(self._missing)), len(self.chairs))
        self.end = MatchEnded(self.record(), blamed, tuple(self._missing))
        self._finished()

    def _begun(self) -> JournalFile:
        """The record, with its header on the disk. Raises OSError."""
        setup = self.setup
        file = JournalFile(self._context.folder / f"{self.id}{JOURNAL}")
        file.header(
            self.game,
            match=self.id,
            config=setup.config,
            seed=setup.seed,
            map_text=setup.map_text,
            seats=[asdict(player) | {"token": chair.salted} for player, chair in zip(self.players(), self.chairs, strict=True)],
            salt=self.access.salt,
            about={
                "lobby": setup.name,
                "private": setup.private,
                "rated": self.rated,
                "faults": setup.faults,
                "clock": dict(setup.clock),
                "map_name": setup.map_name,
                "created": self.created_ms,
                "started": self.started_ms,
                "doors": self.access.doors,
            },
        )
        try:
            file.flush()
        except OSError:
            file.close()
            file.path.unlink()
            raise
        return file

    def _finished(self) -> None:
        self._timer.cancel()
        self.live = None
        self.viewers.clear()
        for chair in self.chairs:
            chair.client = None
        self.setup.match.put_away()
        self._observer.lobby_ended(self)

    # --- what is told of it -----------------------------------------------------------------------------------------------

    def described(self) -> dict[str, Json]:
        """The lobby as plain JSON: nothing in it is secret."""
        setup = self.setup
        return {
            "lobby": self.id,
            "name": setup.name,
            "game": self.game.name,
            "state": self.state,
            "reason": self.reason,
            "private": setup.private,
            "password": self.locked,
            "rated": self.rated,
            "countdown_ms": self.countdown_ms(),
            "seats": [
                {
                    "seat": chair.seat,
                    "role": chair.role,
                    "taken": not chair.free,
                    "name": chair.name,
                    "kind": None if chair.free else chair.kind,
                    "bot": chair.bot,
                    "account": chair.account,
                    "connected": self._connected(chair.seat),
                }
                for chair in self.chairs
            ],
            "config": self.config,
            "map": setup.map_name,
            "faults": setup.faults,
            "commitment": commitment(setup.seed, self.access.salt),
            "turn": setup.match.turn if self.state == "running" else None,
            "created_ms": self.created_ms,
            "started_ms": self.started_ms,
            "ended_ms": self.ended_ms,
            "outcome": self.result,
        }

    def record(self) -> MatchRecord:
        """The match, which is running or over."""
        assert self.started_ms is not None
        assert self.file is not None
        setup, over = self.setup, self.state == "over"
        return MatchRecord(
            id=self.id,
            name=setup.name,
            game=self.game.name,
            rules_version=self.game.rules_version,
            state="over" if over else "running",
            private=setup.private,
            rated=self.rated,
            players=self.players(),
            config=self.config,
            map=setup.map_name,
            faults=setup.faults,
            seed=setup.seed,
            salt=self.access.salt,
            doors=[*self.access.doors, *(chair.salted for chair in self.chairs if not chair.free)],
            commitment=commitment(setup.seed, self.access.salt),
            created_ms=self.created_ms,
            started_ms=self.started_ms,
            ended_ms=self.ended_ms,
            head=self.file.head if over else None,
            outcome=self.result,
            file=f"{self.file.path.parent.name}/{self.file.path.name}",
        )

    def running_json(self) -> dict[str, Json]:
        """What is public of the match while it runs."""
        return self.record().running_json(self.setup.match.turn)

    def players(self) -> list[Player]:
        return [Player(c.seat, c.role, c.name, c.kind, c.bot, c.account) for c in self.chairs]

    def _connected(self, seat: Seat) -> bool:
        seats = self.chairs if self.live is None else self.live.seats
        return seats[seat].client is not None

    @property
    def over_text(self) -> str:
        return f"the lobby was cancelled: {self.reason}" if self.state == "cancelled" else MATCH_OVER.text


def check_seat(seat: Seat | None, seats: int) -> None:
    """Whether a match of so many seats has this one; None: any. Raises Refusal."""
    if seat is not None and not 0 <= seat < seats:
        allowed = list(range(seats))
        raise Refusal(422, "bad_seat", f"seat: expected one of {allowed}, got {seat}", field="seat", allowed=allowed)
