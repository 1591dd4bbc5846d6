"""The tournaments of a server: what organisers and entrants do, and the loop that has the games played.

The facts in the database are the truth; what is kept here is a copy that is brought up to date before it is used. An attempt to
play a game is taken in the database first, so that of several servers one plays it. Its result, the match's row and the fact that
says so are one transaction, in which the attempt ends too (`counted`). Whatever this server took and neither plays nor has told
of was cut off by a crash: its match has ended, then that is told now, or nothing became of it, and it is taken again (`_settle`).
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar

import msgspec
import structlog
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from games.contest.facts import Fact
from games.contest.format import DUEL, for_seats, plays_with
from games.contest.result import Entry
from games.contest.tournament import Fixture, Refused, Tournament
from games.core.parameters import MAX_SEED
from server.errors import Refusal
from server.lobbies import desk as lobbies
from server.lobbies.desk import Desk
from server.matches.blame import Verdict
from server.matches.record import wall_ms
from server.nodes.directory import Directory
from server.store import matches
from server.store import tournaments as stored
from server.store.matches import Record
from server.store.store import Store
from server.store.tournaments import OVER, Behind, Event, Game, PairingState, Player
from server.tokens import new_id
from server.tournaments import shown
from server.tournaments.calls import Called, Calls
from server.tournaments.plan import MOST_ENTRANTS, Wish, planned
from server.tournaments.results import fact_of

Json = Any
T = TypeVar("T")
Verb = Callable[[Tournament], Fact]

LOOK_S = 5.0
"""The loop looks this often, whatever it is told: another process may have said something."""
RETRY_S = 1.0
LONGEST_RETRY_S = 60.0
"""A game that broke off waits before it is played again: one second, then twice as long each time, at most so long."""
REMIND_MS = 60_000
"""So long after it was given away a game is given again."""
PLAYED_NOW: tuple[PairingState, ...] = ("running",)
GONE_S = 60.0
"""So long a node may be away until what it took is given up."""
SAME_S = 1.0
"""So long what is told of a tournament may be told again."""
RUNNING = 200
"""So many tournaments may be under way at the same time."""
KEPT = 200
"""So many tournaments that are over are kept in memory for those who look at them."""

_log = structlog.get_logger()


class Apart(Protocol):
    """Plays games of which each is known by its match: in processes of this server, or wherever workers are."""

    by: str
    """What it is called in the table of attempts."""
    at_once: int
    look_s: float
    """So often it has to be looked whether a game has come back."""

    async def give(self, match: str) -> None:
        """Have this game played, now or later. One that is given twice is played once, or counts once."""


class Contests:
    def __init__(self, store: Store, desk: Desk, calls: Calls, directory: Directory, apart: Apart | None = None) -> None:
        """`apart`: who plays games in which only house bots play; None: they are played as all others are."""
        self._apart = apart
        self._store = store
        self._directory = directory
        self._desk = desk
        self._calls = calls
        self._known: dict[str, Tournament] = {}
        """What was read last, as a beginning of what is true now."""
        self._taken: dict[str, Game] = {}
        """By the match: attempts that are played here."""
        self._wait: dict[tuple[str, str], float] = {}
        """Games that are not played before this moment (monotonic s), by tournament and id."""
        self._broken: dict[tuple[str, str], int] = {}
        self._lost: dict[str, int] = {}
        """Attempts of nodes that are gone, and since when (running ns)."""
        self._waiting: Counter[tuple[str, ...]] = Counter()
        """What the last round found waiting, by game and reason."""
        self._shown: dict[str, tuple[float, bytes]] = {}
        """What is told of each, and until when (monotonic s) it may be told again."""
        self._happened = 0
        self._wake = asyncio.Event()
        self._loop: asyncio.Task[None] | None = None
        self._closing = False
        desk.archive.also.append(self.counted)
        desk.archive.told.append(self._told)

    # --- its life

    async def open(self) -> None:
        """Take up what an earlier life left. The desk has resumed its matches before."""
        await self._settle()
        await self._take_back()
        self._loop = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        """No further game begins; what the database is at is not broken off."""
        self._closing = True
        self._wake.set()
        if self._loop is not None:
            await self._loop

    @property
    def waiting(self) -> Counter[tuple[str, ...]]:
        """Games that are due and not played, by game and reason: `paused`, `faults` (it broke off, and is tried again later),
        `busy` (a bot plays as many as it may, or the server does), `workers` (given to them long ago), `called` (not all of its
        bots have come). Of several nodes the one that calls bots tells of all, but for `called`: that each tells of its own.
        """
        rooms = [room for match in self._taken if (room := self._desk.rooms.get(match)) is not None and room.state == "open"]
        called: Counter[tuple[str, ...]] = Counter((room.game.name, "called") for room in rooms)
        return called + self._waiting if self._directory.calls else called

    def wake(self) -> None:
        """Something has happened: look what is due."""
        self._forget_shown()
        self._wake.set()

    def _forget_shown(self) -> None:
        self._happened += 1
        self._shown.clear()

    def _told(self, match: str) -> None:
        """A match has ended, and the database knows it."""
        self._taken.pop(match, None)
        self.wake()

    # --- what people do

    async def create(self, wish: Wish, bots: Sequence[tuple[str, str]], account: str | None, by: str) -> str:
        """A new tournament with these house bots: names, and what they are called. Its id. Raises Refusal."""
        self._desk.bots.check_names(wish.game.name, [bot for bot, _ in bots], "bots")
        at = wall_ms()
        event, format_ = await planned(wish, account, at)
        entered = Tournament(format_, event.seed)
        said: list[tuple[Fact, Player]] = []
        for bot, name in bots:
            fact = _allowed(lambda t, name=name, bot=bot: t.entered(name, {"bot": bot}), entered)  # type: ignore[misc]
            entered = entered.add(fact)
            said.append((fact, Player(entry=len(entered.facts), bot=bot, account=None, concurrency=0)))
        async with self._store.write() as db:
            if len(await stored.listed(db, limit=RUNNING, running=True)) >= RUNNING:
                raise Refusal(503, "too_many_tournaments", f"{RUNNING} tournaments are under way already")
            await stored.create(db, event)
            tournament = Tournament(format_, event.seed)
            for fact, player in said:
                tournament = await stored.say(db, event.id, tournament, fact, at, account)
                await stored.enter(db, event.id, player)
        _log.info("tournament created", tournament=event.id, game=event.game, by=by)
        self.wake()
        return event.id

    async def enter(
        self, id_: str, name: str, *, bot: str | None, account: str | None, concurrency: int, by: str | None
    ) -> Entry:
        """A bot enters: a house bot, or an account's. Its entry number. Raises Refusal."""
        async with self._store.read() as db:
            event = await self._event(db, id_)
        if bot is not None:
            self._desk.bots.check_names(event.game, [bot])

        async def said(db: AsyncConnection, tournament: Tournament) -> tuple[Tournament, Entry]:
            players = await stored.players(db, id_)
            if len(players) >= MOST_ENTRANTS:
                raise Refusal(409, "too_many_entrants", f"{MOST_ENTRANTS} bots have entered: no more can")
            if account is not None and any(player.account == account for player in players.values()):
                raise Refusal(409, "entered_already", "a bot of this account has entered already")
            about = {"bot": bot} if account is None else {"account": account}
            then = await self._say(db, event, tournament, lambda t: t.entered(name, about), by)
            entry = len(then.names)
            await stored.enter(db, id_, Player(entry=entry, bot=bot, account=account, concurrency=concurrency))
            return then, entry

        return await self._written(event, said)

    async def decide(self, id_: str, verb: Verb, account: str | None) -> Tournament:
        """Say what follows from this verb; the tournament as it is then. Raises Refusal."""
        async with self._store.read() as db:
            event = await self._event(db, id_)

        async def said(db: AsyncConnection, tournament: Tournament) -> tuple[Tournament, Tournament]:
            then = await self._say(db, event, tournament, verb, account)
            return then, then

        return await self._written(event, said)

    async def owns(self, id_: str, entry: Entry, account: str) -> bool:
        """Whether this entry is the account's."""
        async with self._store.read() as db:
            player = (await stored.players(db, id_)).get(entry)
        return player is not None and player.account == account

    async def listed(self, limit: int, before: str | None) -> list[Event]:
        """Newest first; older than this one. Raises Refusal."""
        async with self._store.read() as db:
            edge = None if before is None else await self._event(db, before)
            return await stored.listed(db, limit=limit, before=None if edge is None else (edge.created_ms, edge.id))

    async def current(self, id_: str) -> tuple[Event, Tournament]:
        """As it is now. Raises Refusal."""
        async with self._store.read() as db:
            event = await self._event(db, id_)
            return event, await self._current(db, event)

    async def told(self, id_: str) -> bytes:
        """All that the public may know, as JSON: told again for a moment, if nothing happens here, for many look at it at once.
        Raises Refusal."""
        until, known = self._shown.get(id_, (0.0, b""))
        if time.monotonic() < until:
            return known
        begun = self._happened
        while True:
            async with self._store.read() as db:
                event = await self._event(db, id_)
                tournament = await self._current(db, event)
                moments = (await stored.moments(db, id_))[: len(tournament.facts)]
                players, games = await stored.players(db, id_), await stored.games(db, id_)
            if len(moments) == len(tournament.facts):
                break  # else the copy here was brought up to date after this look had begun
        made = await asyncio.to_thread(lambda: msgspec.json.encode(shown.whole(event, tournament, players, games, moments)))
        if self._happened == begun:
            self._shown[id_] = time.monotonic() + SAME_S, made
        return made

    async def _event(self, db: AsyncConnection, id_: str) -> Event:
        event = await stored.get(db, id_)
        if event is None:
            raise Refusal(404, "no_such_tournament", "there is no such tournament here", field="tournament")
        return event

    async def _current(self, db: AsyncConnection, event: Event) -> Tournament:
        """What is committed, brought up to date."""
        tournament = await stored.load(db, event, self._known.get(event.id))
        self._keep(event.id, tournament)
        return tournament

    def _keep(self, id_: str, tournament: Tournament) -> None:
        known = self._known.pop(id_, None)
        self._known[id_] = tournament if known is None or len(known.facts) <= len(tournament.facts) else known
        while len(self._known) > RUNNING + KEPT:
            del self._known[next(iter(self._known))]

    async def _written(self, event: Event, work: Callable[[AsyncConnection, Tournament], Awaitable[tuple[Tournament, T]]]) -> T:
        """One transaction on what is true at its beginning; again, if somebody else was faster."""
        while True:
            try:
                async with self._store.write() as db:
                    tournament = await stored.load(db, event, self._known.get(event.id))
                    then, answer = await work(db, tournament)
            except Behind:
                continue
            self._keep(event.id, then)
            self.wake()
            return answer

    async def _say(
        self, db: AsyncConnection, event: Event, tournament: Tournament, verb: Verb, account: str | None
    ) -> Tournament:
        """The next fact, and what comes out with it. Raises Refusal, Behind."""
        return await say(db, event, tournament, _allowed(verb, tournament), account)

    # --- what becomes of games

    async def counted(self, db: AsyncConnection, record: Record, blamed: Verdict | None) -> None:
        """A match ends, in this transaction: if it was a game of a tournament, that counts it. Raises Behind."""
        game = await stored.of_match(db, record["match"])
        if game is not None and game.state == "running":
            self._put_off(game, await count(db, game, record, blamed, self._known))

    def _put_off(self, game: Game, fact: Fact | None) -> None:
        key = game.tournament, game.fixture
        if fact is None or (fact.kind == "result" and fact.result is None):
            times = self._broken[key] = self._broken.get(key, 0) + 1
            self._wait[key] = time.monotonic() + min(RETRY_S * 2 ** (times - 1), LONGEST_RETRY_S)
        else:
            self._broken.pop(key, None)
            self._wait.pop(key, None)

    @property
    def _node(self) -> str:
        """What this server is called in the table of attempts."""
        return self._directory.name or self._desk.archive.node

    async def _settle(self) -> None:
        """The attempts that are this server's own, and of which nothing is heard any more; those of nodes that are gone. What
        another node has taken up is that one's."""
        async with self._store.read() as db:
            left = await stored.left_behind(db, [self._node])
        if not self._directory.alone and self._directory.calls:
            left += await self._orphans()
        for game in left:
            assert game.match is not None
            if game.match in self._desk.rooms:
                self._adopt(game)
            elif not self._desk.archive.telling(game.match) and await self._directory.node_of(game.match) is None:
                await self._end(game)
                self._told(game.match)

    async def _orphans(self) -> list[Game]:
        """Attempts of nodes that have been gone for long, and whose matches no other node has taken up."""
        alive = {self._node, *(node.name for node in self._directory.others)}
        busy = {stored.WORKERS, *alive, *map(stored.apart, alive)}
        async with self._store.read() as db:
            gone = {game.id: game for game in await stored.running(db) if game.taken_by not in busy}
        now = self._desk.stalls.running.now()
        self._lost = {id_: self._lost.get(id_, now) for id_ in gone}
        found = []
        for id_, since in self._lost.items():
            game = gone[id_]
            if now - since >= GONE_S * 1e9 and game.match is not None:
                place = await self._directory.place(game.match)
                if place is None or place.node not in alive:
                    found.append(game)
        return found

    async def _hand_over(self) -> None:
        """Another node calls bots now: whoever has not come to a game here is called there."""
        for match in list(self._taken):
            room = self._desk.rooms.get(match)
            if room is not None and room.state == "open" and any(chair.account is not None for chair in room.chairs):
                room.cancel("handed_over")

    def _adopt(self, game: Game) -> None:
        """A match of ours was taken up again after a crash."""
        if game.match is None or game.match in self._taken:
            return
        self._taken[game.match] = game
        self._calls.known(game.match)

    async def _end(self, game: Game) -> None:
        """Nothing is played under this attempt any more: what the database knows of its match counts, if it knows anything."""
        assert game.match is not None
        async with self._store.write() as db:
            record = await matches.found(db, game.match)
            if record is None:
                await stored.end(db, game.id, "dropped", wall_ms())
                self._put_off(game, None)
            else:
                ended = record | {"outcome": msgspec.json.decode(record["outcome"])}
                await self.counted(db, ended, await matches.last_verdict(db, game.match))
        _log.info("an attempt ended without its match", tournament=game.tournament, game=game.fixture, match=game.match)

    # --- the loop

    async def _run(self) -> None:
        while not self._closing:
            self._wake.clear()
            wait = LOOK_S
            try:
                wait = await self._round()
            except Behind:
                continue
            except (SQLAlchemyError, OSError) as fault:
                _log.warning("tournaments wait for the database", why=type(fault).__name__)
                wait = RETRY_S
            except Exception:  # noqa: BLE001  the contest goes on
                _log.exception("the loop of the tournaments failed")
                wait = LOOK_S
            if not self._closing:
                try:
                    async with asyncio.timeout(wait):
                        await self._wake.wait()
                except TimeoutError:
                    pass

    async def _take(self, db: AsyncConnection, event: Event, fixture: Fixture, match: str, by: str) -> Game | None:
        """Take a game as it was found due; None: somebody has it, or it is not due like this any more, or under another seed."""
        now = await self._event(db, event.id)
        if fixture not in (await stored.load(db, now, self._known.get(event.id))).due:
            return None
        return await stored.take(db, event.id, fixture.id, fixture.entrants, fixture.attempt, match=match, by=by, at_ms=wall_ms())

    async def _give(self, apart: Apart, event: Event, fixture: Fixture) -> str | None:
        """Take a game for those who play apart. Why not; None: it is taken."""
        async with self._store.write() as db:
            if await stored.taken(db, apart.by) >= apart.at_once:
                return "busy"
            game = await self._take(db, event, fixture, new_id(), apart.by)
        if game is not None and game.match is not None:
            await apart.give(game.match)
        return None

    async def _take_back(self) -> None:
        """What was given away in an earlier life is given again; if that is not how games are played any more, nothing came of
        it."""
        for by in (stored.WORKERS, stored.apart(self._directory.name or "1")):
            async with self._store.read() as db:
                left = await stored.left_behind(db, [by])
            for game in left:
                if self._apart is None or self._apart.by != by:
                    await self._end(game)
                elif game.match is not None:
                    await self._apart.give(game.match)

    async def _remind(self) -> float:
        """What was given to those who play apart and has not come back for long is given again: it counts once all the same. So
        long may pass until the next look, s."""
        if self._apart is None:
            return LOOK_S
        async with self._store.read() as db:
            left = await stored.left_behind(db, [self._apart.by])
        for game in left:
            if game.match is not None and _is_late(game):
                await self._apart.give(game.match)
        return self._apart.look_s if left else LOOK_S

    async def _round(self) -> float:
        """Look at everything once; so long may pass until the next look, s."""
        if not self._directory.calls:
            await self._hand_over()
        await self._settle()
        await self._calls.look_elsewhere()
        soonest, waiting = LOOK_S, Counter[tuple[str, ...]]()
        async with self._store.read() as db:
            events = await stored.listed(db, limit=RUNNING, running=True)
        for event in reversed(events):
            async with self._store.read() as db:
                tournament = await self._current(db, event)
                if not tournament.open:
                    continue
                players = await stored.players(db, event.id)
                running = await stored.games(db, event.id, PLAYED_NOW)
            taken = {(game.fixture, game.seats) for game in running}
            left = [fixture for fixture in tournament.open if (fixture.id, fixture.entrants) not in taken]
            if self._apart is not None:
                late = [game for game in running if game.taken_by == self._apart.by and _is_late(game)]
                waiting[event.game, "workers"] += len(late)
            if tournament.paused:
                waiting[event.game, "paused"] += len(left)
                continue
            for fixture in left:
                if self._closing:
                    return 0
                wait = self._wait.get((event.id, fixture.id), 0.0) - time.monotonic()
                if wait > 0:
                    soonest = min(soonest, wait)
                    waiting[event.game, "faults"] += 1
                elif fixture.stage == "check" and (why := self._unchecked(event, players[fixture.entrants[0]])):
                    await self.decide(event.id, lambda t, at=fixture, why=why: t.checked(at.entrants[0], True, why), None)  # type: ignore[misc]
                elif (why := await self._begin(event, tournament, fixture, players)) is not None:
                    waiting[event.game, why] += 1
        self._waiting = waiting
        return min(soonest, await self._remind())

    def _unchecked(self, event: Event, player: Player) -> str | None:
        """Why this bot needs no check game; None: it does."""
        if player.account is None:
            return "a house bot"
        return None if self._desk.bots.names(event.game) else "there is no house bot to play with"

    async def _begin(self, event: Event, tournament: Tournament, fixture: Fixture, players: Mapping[Entry, Player]) -> str | None:
        """Take a game, and have it played; or leave it for later, and say why. None: somebody has it."""
        game = self._desk.game(event.game)
        called = [_called(tournament, players[entry]) for entry in fixture.entrants]
        if fixture.stage == "check":
            seats = DUEL if plays_with(game, event.config, DUEL) else tournament.format.seats_per_match
            best = [*self._desk.bots.names(event.game)][-1]
            called += [Called(f"house {best}", bot=best)] * (seats - 1)
        apart = self._apart if fixture.stage != "check" and all(one.bot is not None for one in called) else None
        if apart is not None:
            return await self._give(apart, event, fixture)
        if any(one.account is not None for one in called) and not self._directory.calls:
            return None
        match = new_id()
        if not self._calls.book(match, called):
            return "busy"
        try:
            return await self._begin_booked(match, event, tournament, fixture, called)
        finally:
            self._calls.release(match)

    async def _begin_booked(
        self, match: str, event: Event, tournament: Tournament, fixture: Fixture, called: Sequence[Called]
    ) -> str | None:
        """Take a game for which places are booked, and begin it. Why not; None: somebody has it."""
        async with self._store.write() as db:
            taken = await self._take(db, event, fixture, match, self._node)
        if taken is None:
            return None
        self._taken[match] = taken
        self._forget_shown()
        wish = lobbies.Wish(
            game=event.game,
            name=f"{event.name[:50]}: {fixture.id}",
            config=for_seats(self._desk.game(event.game), event.config, len(called)),
            map=event.map,
            map_text=event.map_text,
            seed=fixture.seed,
            private=not public(tournament, fixture),
            clock=event.clock,
        )
        try:
            await self._calls.play(match, wish, {"tournament": event.id, "fixture": fixture.id})
        except Refusal as no:
            _log.warning("a game cannot begin", tournament=event.id, game=fixture.id, why=str(no))
            del self._taken[match]
            async with self._store.write() as db:
                await stored.end(db, taken.id, "dropped", wall_ms())
            self._put_off(taken, None)
            return "faults"
        return None


async def say(db: AsyncConnection, event: Event, tournament: Tournament, fact: Fact, account: str | None) -> Tournament:
    """The next fact, and what comes out with it. If games would be played under seeds that may be known by now, the tournament
    gets a new one; what it was committed to before is kept with the fact. Raises Behind."""
    spoilt = await _spoilt(db, event, tournament, tournament.add(fact))
    if spoilt:
        before = await stored.get(db, event.id)
        assert before is not None, "its facts refer to it"
        fact = replace(fact, about={"seed": before.seed, "salt": before.salt})
    then = await stored.say(db, event.id, tournament, fact, wall_ms(), account)
    if spoilt:
        then = replace(then, seed=secrets.randbelow(MAX_SEED + 1))
        await stored.reseed(db, event.id, then.seed, secrets.token_hex(16))
    if then.state in OVER and tournament.state not in OVER:
        await stored.publish(db, event.id)
    elif tournament.provisional and not then.provisional:
        await stored.publish(db, event.id, without=[one.id for one in then.fixtures.values() if one.stage == "bracket"])
    return then


async def _spoilt(db: AsyncConnection, event: Event, before: Tournament, then: Tournament) -> bool:
    """Whether what is to be played now might be played under a seed that came out, or that comes out meanwhile."""
    if then.state in OVER or before.state in matches.PAIRED:
        return False
    return _came_out(before, then) or await _overtaken(db, event, before, then)


def _came_out(before: Tournament, then: Tournament) -> bool:
    """The tournament's own seed came out when it was over, those of stage 1 with its end, those of a bracket one by one."""
    return before.state in OVER or then.state in matches.PAIRED or not _decided(then) >= _decided(before)


async def _overtaken(db: AsyncConnection, event: Event, before: Tournament, then: Tournament) -> bool:
    """A game is under way between some and is to be played between others now: its record comes out with its end."""
    moved = {id_ for id_, one in then.fixtures.items() if before.fixtures.get(id_, one).entrants != one.entrants}
    return bool(moved) and any(game.fixture in moved for game in await stored.games(db, event.id, PLAYED_NOW))


def _decided(tournament: Tournament) -> set[tuple[str, tuple[Entry, ...]]]:
    """The games that have a result, with who sat there."""
    games = tournament.fixtures.values()
    return {(game.id, game.entrants) for game in games if tournament.result(game.id) is not None}


async def count(
    db: AsyncConnection, game: Game, record: Record, blamed: Verdict | None, known: Mapping[str, Tournament]
) -> Fact | None:
    """What the match says of a game that is running is said of its tournament, and the attempt ends. The fact; None: nothing
    became of it. Raises Behind."""
    event = await stored.get(db, game.tournament)
    assert event is not None, "its games refer to it"
    tournament = await stored.load(db, event, known.get(event.id))
    fact = fact_of(tournament, game, await stored.players(db, event.id), record["outcome"], blamed)
    if fact is not None:
        await say(db, event, tournament, fact, None)
    await stored.end(db, game.id, "dropped" if fact is None else "over", wall_ms())
    await stored.name_attempts(db, record["match"], game.id)
    return fact


def _is_late(game: Game) -> bool:
    """Whether it was taken long ago."""
    return (game.taken_ms or 0) < wall_ms() - REMIND_MS


def _allowed(verb: Verb, tournament: Tournament) -> Fact:
    """Raises Refusal."""
    try:
        return verb(tournament)
    except Refused as no:
        raise Refusal(409, no.code, no.why) from None


def _called(tournament: Tournament, player: Player) -> Called:
    return Called(tournament.names[player.entry], player.bot, player.account, player.concurrency)


def public(tournament: Tournament, fixture: Fixture) -> bool:
    """Whether everybody may watch while it is played (T1). A check game is between the bot and this server."""
    if fixture.stage == "bracket":
        return tournament.format.bracket_public
    return fixture.stage == "round_robin" and tournament.format.round_robin_public
