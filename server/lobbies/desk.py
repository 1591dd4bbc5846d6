"""The front desk: makes lobbies, hands out seats, knows which token opens what.

Everything that takes or gives a seat happens between two awaits of the one loop, so that no seat is ever taken twice.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import structlog
from sqlalchemy.exc import SQLAlchemyError

from games import GAMES
from games.core import names
from games.core.contract import AnyGame, BadSetup, Seat
from games.core.parameters import configure
from server.accounts.gate import Asker, door, role_of
from server.accounts.throttle import Throttle
from server.errors import Refusal, bad_setup
from server.health import Health
from server.lobbies.begun import Begun, begun, map_text
from server.lobbies.bots import HouseBots
from server.lobbies.occupied import Occupied
from server.lobbies.resuming import Resuming
from server.matches.archive import Archive, asked
from server.matches.limits import paced
from server.matches.referee import Limits
from server.matches.resume import Interrupted
from server.matches.room import Chair, Kind, Room, Setup, check_seat
from server.matches.stalls import Stalls
from server.metrics import Metrics
from server.nodes.directory import Directory
from server.settings import Settings
from server.store.matches import Door
from server.store.nodes import Node
from server.store.store import Store
from server.tokens import digest, masked, new_id, new_token

Json = Any
_log = structlog.get_logger()

ANY = "*"
NEW = "new"
CLOSED = 500
"""So many lobbies that are over or cancelled can still be looked at here; so many matches that were over at the start are known
by their tokens."""
REPEATS = 1_000
"""So many idempotency keys are remembered, each with its lobby."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What somebody wants a lobby to be."""

    game: str
    name: str | None = None
    config: Mapping[str, Json] = field(default_factory=dict)
    map: str | None = None
    map_text: str | None = None
    seed: int | None = None
    private: bool = False
    password: str | None = field(default=None, repr=False)
    rated: bool = False
    bots: Sequence[str] = ()
    start_timeout_ms: int = 120_000
    faults: str | None = None
    clock: Mapping[str, Json] = field(default_factory=dict)
    begun: Begun | None = field(default=None, repr=False)
    """The match, if it is set up already."""

    @property
    def digest(self) -> str:
        """The same for the same wish."""
        given = {one.name: getattr(self, one.name) for one in dataclasses.fields(self) if one.name != "begun"}
        return digest(json.dumps(given, sort_keys=True))


@dataclass(frozen=True, slots=True)
class Made:
    """A new lobby, with the tokens that nobody else is told."""

    room: Room
    owner: str
    invite: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Newcomer:
    """Somebody who wants a seat, and what is shown for it. `address`: where from."""

    name: str
    kind: Kind = "bot"
    seat: Seat | None = None
    invite: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)
    address: str = ""


@dataclass(frozen=True, slots=True)
class Taken:
    """A seat, and the token that plays it."""

    room: Room
    seat: Seat
    token: str


@dataclass(frozen=True, slots=True)
class Guest:
    """Whom the house itself seats: a house bot, or an account's bot that is called."""

    name: str
    bot: str | None = None
    account: str | None = None


class Elsewhere(Protocol):
    """What other nodes answer to somebody who wants any seat: a seat; None: no other node has one."""

    async def seat(self) -> Json | None: ...

    async def new_seat(self) -> Json | None: ...


class Desk:
    def __init__(
        self,
        settings: Settings,
        games: Mapping[str, AnyGame],
        bots: HouseBots,
        *,
        store: Store,
        health: Health,
        metrics: Metrics,
        directory: Directory,
    ) -> None:
        """Raises OSError if the data directory cannot be used."""
        self._directory = directory
        directory.lost = self._lost
        self.games = games
        self.bots = bots
        self._health = health
        self.archive = Archive(settings.data_dir, games, store, self._in_play, health, metrics, directory.holds)
        self.rooms: OrderedDict[str, Room] = OrderedDict()
        """Open and running, oldest first."""
        self.closed: OrderedDict[str, Room] = OrderedDict()
        self.on_end: list[Callable[[Room], None]] = []
        """Called with a room that is over or cancelled."""
        self.occupied = Occupied()
        self.stalls = Stalls(settings.recovery_ms)
        self._metrics = metrics
        self._settings = settings
        self._limits = Limits(
            settings.refusals_per_turn, settings.infos_per_turn, settings.idle_ms, settings.lag_turn_ms, settings.lag_match_ms
        )
        self._seats: dict[str, tuple[Room, Seat]] = {}
        self._resumed: dict[str, Room] = {}
        """Rooms of matches that a crash interrupted: of their tokens only salted digests are known."""
        self._ended_before: list[Door] = []
        """Of matches that an earlier life of this server played, and that are over."""
        self.resuming = Resuming(
            self.archive,
            directory,
            games,
            health,
            is_here=self._is_here,
            take_up=self._take_up,
            give_up=lambda left: self._ended_before.append(left.door),
        )
        self._others: dict[str, Room] = {}
        """Owners' and invites' tokens."""
        self._repeats: OrderedDict[str, tuple[str, asyncio.Task[Made]]] = OrderedDict()
        self._any = asyncio.Lock()
        self._makers: Counter[str] = Counter()
        """How many lobbies and matches that are not over an account or an address has made."""
        self._making_empty: Counter[str] = Counter()
        """How many lobbies without a taken seat are being made for them."""
        self._made_by: dict[str, str] = {}
        self._reserved: dict[int, str] = {}
        """Seeds of games that are still to come, and how the directory calls them."""
        self._hosted: set[str] = set()
        """Lobbies of the house's own that are not over."""
        self._number = 0
        self._making = 0
        self._leaving = False
        self.hurry = asyncio.Event()
        """Whoever stops waits for no match any more."""
        self.draining = False
        """No new lobbies and no new seats: an organiser wants the running matches to be the last ones."""
        self._guesses = Throttle(settings.password_tries)
        self._guesses_at = Throttle(10 * settings.password_tries)
        self._strangers = Throttle(settings.password_tries)

    # --- making

    async def create(self, wish: Wish, key: str | None = None, by: str | None = None) -> Made:
        """A new lobby. The same `key` with the same wish gives the same one again. Raises Refusal.

        `by`: the account or the address that asks for it, which may have only so many; None: the house itself.
        """
        if key is None:
            return await self._create_known(wish, by)
        asked = wish.digest
        known = self._repeats.get(key)
        if known is None:
            known = self._repeats[key] = asked, asyncio.get_running_loop().create_task(self._create_known(wish, by))
            known[1].add_done_callback(lambda made: self._forget_a_refused(key, made))
            while len(self._repeats) > REPEATS:
                self._repeats.popitem(last=False)
        if known[0] != asked:
            raise Refusal(409, "key_reused", "this Idempotency-Key came with another request before", field="Idempotency-Key")
        return await asyncio.shield(known[1])

    def _forget_a_refused(self, key: str, made: asyncio.Task[Made]) -> None:
        """A wish that was refused does not use its key up, nor keep what it asked for in memory."""
        known = self._repeats.get(key)
        if known is not None and known[1] is made and (made.cancelled() or made.exception() is not None):
            del self._repeats[key]

    async def _create_known(self, wish: Wish, by: str | None) -> Made:
        made = await self._create_for(wish, by)
        await self._known(made.room)
        return made

    async def _known(self, room: Room) -> None:
        """The other nodes know of a new lobby before anybody is told of it. Raises Refusal."""
        try:
            await self._directory.told(room)
        except SQLAlchemyError:
            if room.unfinished:
                room.stop("no_store")
            raise Refusal(503, "no_store", "the server's database does not answer; try again later") from None

    async def _create_for(self, wish: Wish, by: str | None, *, empty: bool = True) -> Made:
        """`empty`: no seat will be taken at once."""
        most = self._settings.lobbies_per_address
        if by is None:
            return await self._create(wish)
        if 0 < most <= self._makers[by]:
            raise Refusal(429, "too_many_lobbies", f"{most} lobbies of yours are not over yet; try again later")
        if empty := empty and not wish.bots:
            self._check_empty(by)
        self._makers[by] += 1
        self._making_empty[by] += empty
        try:
            made = await self._create(wish)
        except BaseException:
            self._makers[by] -= 1
            raise
        finally:
            self._making_empty[by] -= empty
            self._making_empty += Counter()  # without those that make none
        self._made_by[made.room.id] = by
        return made

    def _check_empty(self, by: str) -> None:
        """Raises Refusal."""
        most = self._settings.empty_lobbies
        made = sum(maker == by and self.rooms[id_].empty for id_, maker in self._made_by.items())
        empty = made + self._making_empty[by]
        if 0 < most <= empty:
            text = f"no seat is taken in {empty} open lobbies of yours; take one there, or try again later"
            raise Refusal(429, "too_many_empty_lobbies", text)

    async def host(self, id_: str, wish: Wish, guests: Sequence[Guest]) -> tuple[Room, dict[Seat, str]]:
        """A lobby of the house's own under this id, in which every seat is taken at once, so that nobody else can; the tokens of
        those who have to be called. Raises Refusal."""
        bots = [guest.bot for guest in guests if guest.bot is not None]
        self.bots.check(self.game(wish.game).name, bots, "bots")
        room = (await self._create(wish, id_)).room  # nothing is waited for between here and the last seat
        if len(room.chairs) != len(guests):
            room.cancel("wrong_seats")
            raise Refusal(422, "wrong_seats", f"this match has {len(room.chairs)} seats, not {len(guests)}")
        self._hosted.add(room.id)
        tokens = {}
        for seat, guest in enumerate(guests):
            taken = self._take(room, guest.name, "bot", seat, guest.bot, guest.account)
            if guest.bot is None:
                tokens[seat] = taken.token
            else:
                self.bots.start(room, guest.bot, taken.token)
        return room, tokens

    async def _create(self, wish: Wish, id_: str | None = None) -> Made:
        self._open_for_business()
        game = self.game(wish.game)
        name = None if wish.name is None else checked_name(wish.name)
        if name in (ANY, NEW):
            raise Refusal(422, "bad_name", f"name: {name!r} means something else here", field="name")
        check_password(wish.password)
        self.bots.check(game.name, wish.bots, "bots")
        text = map_text(game.name, wish.map, wish.map_text)
        self._making += 1
        try:
            made = wish.begun if game is GAMES.get(game.name) else None
            if made is None:
                uploaded = wish.map is None
                made = await asyncio.to_thread(begun, game, wish.config, wish.seed, text, uploaded=uploaded)
            match = made.match(game)
            pacing = paced(match.pacing, wish.faults, wish.clock)
        except BadSetup as fault:
            raise bad_setup(fault) from None
        finally:
            self._making -= 1
        if len(wish.bots) > match.seats:
            allowed = {"maxItems": match.seats}
            raise Refusal(422, "too_many_bots", f"bots: this match has {match.seats} seats", field="bots", allowed=allowed)
        self._open_for_business()
        self.bots.check(game.name, wish.bots, "bots")
        setup = Setup(
            match=match,
            pacing=pacing,
            config=wish.config,
            seed=made.seed,
            map_name=wish.map,
            map_text=text,
            name=name,
            private=wish.private,
            rated=wish.rated,
            start_timeout_ms=wish.start_timeout_ms,
            faults=wish.faults,
            clock=wish.clock,
        )
        room = self._room(id_ or new_id(), setup)
        owner, invite = new_token("owner"), new_token("invite")
        room.doors(owner, invite, wish.password)
        self._others[digest(owner)] = self._others[digest(invite)] = room
        for bot in wish.bots:
            self._seat_bot(room, bot)
        return Made(room, owner, invite)

    def _room(self, id_: str, setup: Setup) -> Room:
        self._number += 1
        room = Room(
            id_,
            self._number,
            setup,
            folder=self.archive.folder,
            limits=self._limits,
            stalls=self.stalls,
            metrics=self._metrics,
            spectators=self._settings.spectators,
            empty_ms=self._settings.empty_lobby_ms,
            began=self._began,
            ended=self._ended,
        )
        self.rooms[id_] = room
        return room

    async def open(self) -> None:
        """Learn what was played here before. Raises OSError, SQLAlchemyError."""
        await self.archive.open(self._directory.elsewhere)
        self._ended_before = await self.archive.newest(CLOSED)
        await self.resuming.find()

    def _is_here(self, id_: str) -> bool:
        return self.room(id_) is not None or self.archive.telling(id_)

    def _take_up(self, id_: str, left: Interrupted) -> None:
        header = left.header
        setup = Setup(
            match=left.match,
            pacing=left.pacing,
            config=header.config,
            seed=header.seed,
            map_name=header.map_name,
            map_text=header.map,
            name=header.lobby,
            private=header.private,
            rated=header.rated,
            start_timeout_ms=left.pacing.startup_ms,
            faults=header.faults,
            clock=header.clock,
        )
        room = self._room(id_, setup)
        self._resumed[room.id] = room
        room.resume(left)
        self._changed(room)
        _log.info("resumed", match=room.id, turn=left.match.turn)
        for chair in room.chairs:
            if chair.bot is not None and chair.bot in self.bots.names(room.game.name):
                token = new_token("seat")
                room.hand(chair.seat, token)
                self._seats[chair.token] = room, chair.seat
                self.bots.start(room, chair.bot, token)

    @property
    def open_for_business(self) -> bool:
        """Whether a lobby could be made now."""
        try:
            self._open_for_business()
        except Refusal:
            return False
        return True

    def _open_for_business(self) -> None:
        if self._leaving:
            raise Refusal(503, "leaving", "the server is going away and makes no new matches")
        if self.draining:
            raise _draining()
        if (problem := self._health.problems.get("disk")) is not None:
            raise Refusal(503, "no_space", f"the server cannot write the records of new matches: {problem}")
        if (problem := self._health.problems.get("files")) is not None:
            raise Refusal(503, "too_many_files", f"the server makes no new matches for now: {problem}")
        if self.full:
            raise Refusal(503, "too_many_lobbies", f"there are {self._settings.lobbies} lobbies already; try again later")

    @property
    def full(self) -> bool:
        """Whether there are as many lobbies and matches as there may be."""
        return len(self.rooms) + len(self.resuming.waiting) + self._making >= self._settings.lobbies

    # --- seats

    async def join(self, lobby: str, game: str | None, who: Newcomer, asker: Asker) -> Taken:
        """Take a seat in this lobby (an id or a name), in any open one (`*`), or in a `new` one. Raises Refusal."""
        who = replace(who, name=checked_name(who.name), seat=None if who.seat == -1 else who.seat)
        seat = who.seat
        if lobby in (ANY, NEW):
            self._check_seat(self._named(game), seat)
        if lobby == NEW:
            asker.check("create")
            return await self._new_seat(game, who, asker)
        if lobby == ANY:
            taken = await self.join_any(game, who, asker, None)
            assert isinstance(taken, Taken)
            return taken
        room = self.find(lobby, game)
        self._let_in(room, who, asker)
        return self._seat(room, who, asker)

    async def join_any(self, game: str | None, who: Newcomer, asker: Asker, elsewhere: Elsewhere | None) -> Taken | Json:
        """Take a seat in the oldest lobby that is open: of this node, else of another, else in a new one, where fewer are. What
        another node answers comes back as it is. Raises Refusal."""
        asker.check("join")
        named, seat = self._named(game), None if who.seat == -1 else who.seat
        self._check_seat(named, seat)
        who = replace(who, name=checked_name(who.name), seat=seat)
        async with self._any:
            room = self._any_open(named, seat)
            if room is not None:
                return self._seat(room, who, asker)
            if elsewhere is not None and (found := await elsewhere.seat()) is not None:
                return found
            if not asker.may("create"):
                raise Refusal(404, "no_such_lobby", "no lobby of this game is open, and you may not make one", field="lobby")
            if elsewhere is not None and (found := await elsewhere.new_seat()) is not None:
                return found
            return await self._new_seat(game, who, asker)

    async def _new_seat(self, game: str | None, who: Newcomer, asker: Asker) -> Taken:
        """In a new lobby as the game has it when nobody says more."""
        made = await self._create_for(Wish(game=self._named(game)), asker.who(who.address), empty=False)
        taken = self._seat(made.room, who, asker)
        await self._known(made.room)
        return taken

    def _let_in(self, room: Room, who: Newcomer, asker: Asker) -> None:
        """One of the lobby's own tokens is enough, as `invite` or in the Authorization header. Without one the asker must be
        allowed to join and know the password, if there is one. Raises Refusal."""
        role = role_of(room.opens(who.invite)) or role_of(room.opens(asker.token))
        if role is not None:
            asker.check("join_private" if room.setup.private else "join", role)
            return
        asker.check("join")
        if room.locked:
            self._unlock(room, who)
        elif room.setup.private:
            asker.check("join_private")

    def _unlock(self, room: Room, who: Newcomer) -> None:
        """Raises Refusal: for a password that is wrong, and for a while after too many of those."""
        if who.password is None:
            raise Refusal(403, "password", "this lobby asks for its password", field="password")
        at = time.monotonic_ns()
        if not self._guesses.open(who.address, at) or not self._guesses_at.open(room.id, at):
            raise Refusal(429, "too_many_tries", "too many wrong passwords: try again in a minute", field="password")
        if not room.unlocks(who.password):
            self._guesses.spend(who.address, at)
            self._guesses_at.spend(room.id, at)
            raise Refusal(403, "password", "this is not the lobby's password", field="password")

    def _named(self, game: str | None) -> str:
        if game is None:
            raise Refusal(422, "missing", "game: say which game", field="game", allowed=sorted(self.games))
        return self.game(game).name

    def _check_seat(self, game: str, seat: Seat | None) -> None:
        """Before a lobby is made for it: whether this game's usual match has the seat. Raises Refusal."""
        check_seat(seat, self.games[game].seats(configure(self.games[game], {})))

    def _any_open(self, game: str, seat: Seat | None) -> Room | None:
        for room in self.rooms.values():
            public = not room.setup.private and not room.locked
            if room.game.name == game and public and any(seat in (None, chair.seat) for chair in room.free):
                return room
        return None

    def add_bot(self, room: Room, bot: str, seat: Seat | None = None) -> Chair:
        """A house bot sits down. Raises Refusal."""
        self.bots.check(room.game.name, [bot])
        return self._seat_bot(room, bot, seat)

    def start(self, room: Room) -> None:
        """Start now: the last house bot of the game's list, its best, fills the free seats. Raises Refusal."""
        if room.state != "open":
            raise Refusal(409, "not_open", f"this lobby is {room.state}")
        if room.free:
            names = list(self.bots.names(room.game.name))
            if not names:
                raise Refusal(409, "no_bots", "seats are free, and there is no house bot of this game to fill them")
            self.bots.check(room.game.name, names[-1:] * len(room.free))
            for chair in room.free:
                self._seat_bot(room, names[-1], chair.seat)

    def leave(self, room: Room, seat: Seat) -> None:
        """Raises Refusal."""
        chair = room.chairs[seat]
        opened = room.state == "open"
        if opened and room.id in self._hosted:
            raise Refusal(409, "called", "you were called to this seat: nobody else can have it; resign when the match runs")
        room.leave(seat)
        if opened:
            self._seats.pop(chair.token, None)
            self._changed(room)

    def _seat(self, room: Room, who: Newcomer, asker: Asker) -> Taken:
        account = None if asker.account is None else asker.account.id
        return self._take(room, who.name, who.kind, who.seat, account=account)

    def _take(
        self, room: Room, name: str, kind: Kind, seat: Seat | None, bot: str | None = None, account: str | None = None
    ) -> Taken:
        if self.draining:
            raise _draining()
        token = new_token("seat")
        chair = room.take(token, name, kind, None if seat == -1 else seat, bot, account)
        self._seats[chair.token] = room, chair.seat
        self._changed(room)
        return Taken(room, chair.seat, token)

    def _seat_bot(self, room: Room, bot: str, seat: Seat | None = None) -> Chair:
        taken = self._take(room, bot, "bot", seat, bot)
        self.bots.start(room, bot, taken.token)
        return room.chairs[taken.seat]

    # --- finding

    def game(self, name: str) -> AnyGame:
        """Raises Refusal."""
        game = self.games.get(name) or self.games.get(name.lower())
        if game is None:
            raise Refusal(404, "unknown_game", f"no game is called {name!r}", field="game", allowed=sorted(self.games))
        return game

    def find(self, lobby: str, game: str | None = None) -> Room:
        """By id, else the oldest public one that is called so: open before closed, of this game before others. Raises Refusal."""
        wanted = None if game is None else self.game(game)
        room = self.rooms.get(lobby) or self.closed.get(lobby)
        if room is None:
            called = names.composed(lobby)
            named = [room for room in self.rooms.values() if room.setup.name == called and not room.setup.private]
            named.sort(key=lambda room: (wanted not in (None, room.game), not room.free))
            room = named[0] if named else None
        if room is None:
            raise Refusal(404, "no_such_lobby", f"no lobby is called {lobby!r}", field="lobby")
        if wanted not in (None, room.game):
            raise Refusal(409, "other_game", f"this lobby plays {room.game.name}", field="game", allowed=[room.game.name])
        return room

    def public(self, game: str | None = None, state: str | None = None) -> list[Room]:
        """Public ones, newest first."""
        rooms = [*self.closed.values(), *self.rooms.values()]
        return [
            room
            for room in reversed(rooms)
            if not room.setup.private and game in (None, room.game.name) and state in (None, room.state)
        ]

    def seat(self, token: str) -> tuple[Room, Seat] | None:
        known = self._seats.get(digest(token))
        if known is not None:
            return known
        return next(((room, role) for room in self._resumed.values() if isinstance(role := room.opens(token), int)), None)

    def ended_before(self, token: str) -> str | None:
        """The match that ended before this server was started in which this token had a seat."""
        return next((id_ for id_, doors, salt in self._ended_before if door(doors, salt, token) == "seat"), None)

    async def result(self, id_: str) -> dict[str, Json] | None:
        """How this match ended, which is over. Raises Refusal."""
        return await self.archive.result(id_)

    @property
    def left(self) -> int:
        """Matches that are played, or will be as soon as those who have the seats say hello."""
        playing = sum(room.state == "running" or not room.free for room in self.rooms.values())
        return playing + len(self.resuming.waiting)

    def room(self, id_: str) -> Room | None:
        return self.rooms.get(id_) or self.closed.get(id_)

    def is_resuming(self, lobby: str) -> bool:
        """Whether this is the id of a match that is still to be resumed, or the public name of such a match only."""
        waiting = self.resuming.waiting
        if not waiting or lobby in waiting:
            return bool(waiting)
        called = names.composed(lobby)
        here = any(room.setup.name == called and not room.setup.private for room in self.rooms.values())
        return not here and any(left.name == called for left in waiting.values())

    def to_be_resumed(self, *, match: str | None = None, token: str | None = None) -> asyncio.Event | None:
        """For a match, or that of a seat's token, that is still to be resumed: what is set when it is, or cannot be."""
        left = self.resuming.waiting.get(match or "") or self.resuming.of_token(token)
        return None if left is None else left.settled

    async def state_of(self, id_: str) -> str | None:
        """Whether a match that is not here is running or over; None: there is none. Raises Refusal."""
        return await self.archive.state_of(id_)

    async def node_of(self, id_: str) -> Node | None:
        """Another node that lives and has this lobby. Raises Refusal."""
        async with asked():
            return await self._directory.node_of(id_)

    async def seat_elsewhere(self, token: str, address: str) -> str | None:
        """The running match of another node that this is a seat's token of. Who shows too many that are none, is not looked for.
        Raises Refusal."""
        at = time.monotonic_ns()
        if self._directory.alone or not self._strangers.open(address, at):
            return None
        match = await self.archive.with_seat(token)
        if match is None:
            self._strangers.spend(address, at)
        return match

    def opens_something_else(self, token: str) -> bool:
        if digest(token) in self._others or any(isinstance(room.opens(token), str) for room in self._resumed.values()):
            return True
        if any(left.role(token) is not None for left in self.resuming.waiting.values()):
            return True
        return any(door(doors, salt, token) is not None for _, doors, salt in self._ended_before)

    # --- the end

    async def stop(self, drain_ms: int) -> None:
        """No new matches; running ones get a moment to end, or until `hurry`; then each is left in its journal to whoever starts
        next."""
        self._leaving = True
        for room in list(self.rooms.values()):
            if room.state == "open":
                room.hand_over()
        playing = asyncio.create_task(self._all_played())
        hurried = asyncio.create_task(self._hurried())
        await asyncio.wait([playing, hurried], timeout=drain_ms / 1000, return_when=asyncio.FIRST_COMPLETED)
        hurried.cancel()
        for room in list(self.rooms.values()):
            room.hand_over()
        await playing
        await self.bots.close()
        await self.archive.settle()

    async def _all_played(self) -> None:
        await asyncio.gather(*[room.played() for room in self.rooms.values()])

    async def _hurried(self) -> None:
        await self.hurry.wait()

    async def reserve(self, seed: int) -> None:
        """A game with this seed is still to come: what was played with it does not come out before. Raises SQLAlchemyError."""
        self._reserved[seed] = await self._directory.reserve(seed)

    def let_go(self, seed: int) -> None:
        """It has begun, or never will."""
        self._directory.gone(self._reserved.pop(seed))
        self.archive.release(seed)

    def _in_play(self) -> set[int]:
        """The seeds of all matches that have not ended, and of games to come."""
        return {room.setup.seed for room in self.rooms.values()} | self._reserved.keys()

    def _lost(self, id_: str) -> None:
        """Another node has taken up a match that was ours."""
        room = self.rooms.pop(id_, None) or self.closed.pop(id_, None)
        if room is not None:
            room.lose()
            self._put_away(room)
            self._forget(room)

    def _began(self, room: Room) -> None:
        self.archive.begin(room)
        self._changed(room)

    def _ended(self, room: Room) -> None:
        """A room is over or cancelled."""
        del self.rooms[room.id]
        self.closed[room.id] = room
        self._changed(room)
        self._put_away(room)
        for notify in self.on_end:
            notify(room)
        if room.result is not None:
            self._metrics.match_over(room.game.name, room.result)
        if "disk_full" in (room.reason, room.result and room.result["reason"]):
            self._metrics.store_failed("journal")
            self._health.report("disk", "no_space: a record could not be written")
        if room.state == "over":
            self.archive.store(room)
        else:
            self.archive.release(room.setup.seed)
        while len(self.closed) > CLOSED:
            id_, old = self.closed.popitem(last=False)
            self._directory.gone(id_)
            self._forget(old)

    def _changed(self, room: Room) -> None:
        self.occupied.update(room)
        self._directory.changed(room)

    def _put_away(self, room: Room) -> None:
        """It counts no more among those that are played here."""
        self.occupied.remove(room)
        self._hosted.discard(room.id)
        self.bots.end(room)
        if (by := self._made_by.pop(room.id, None)) is not None:
            self._makers[by] -= 1
            self._makers += Counter()  # without those that have none

    def _forget(self, room: Room) -> None:
        """None of its tokens opens anything here any more."""
        self._resumed.pop(room.id, None)
        for chair in room.chairs:
            self._seats.pop(chair.token, None)
        self._others.pop(room.owner, None)
        self._others.pop(room.invite, None)


def _draining() -> Refusal:
    return Refusal(503, "draining", "the server takes no new matches for now; those that run go on")


def check_password(password: str | None) -> None:
    """Raises Refusal."""
    if password is not None and not 1 <= len(password) <= 200:
        raise Refusal(422, "bad_password", "password: expected 1 to 200 characters", field="password")


def checked_name(name: str, longest: int = names.LONGEST) -> str:
    """A name as it is kept. Raises Refusal."""
    if masked(name) != name:
        raise Refusal(422, "bad_name", "name: this looks like a token, and everybody would see it", field="name")
    try:
        return names.checked_name(name, longest)
    except names.BadName as fault:
        raise Refusal(422, "bad_name", f"name: {fault}", field="name") from None
