"""The standing contest of each game: bots on the ladder keep meeting bots of about their strength.

Games come in pairs with one seed, the second with the seats turned around. House bots are on every
ladder. An account's bot is called while it is present (`invitations.py`). A bot that did not come
to a game is called again when it asks again; after `MISSES` such games in a row it is taken off.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import structlog
from sqlalchemy.exc import SQLAlchemyError

from games.contest.format import for_seats
from games.core.contract import AnyGame
from games.core.parameters import MAX_SEED
from server.cluster.leader import Leader
from server.errors import Refusal
from server.lobbies.requests import LobbyRequest
from server.lobbies.service import LobbyService
from server.match_record import MatchEnded
from server.store import challenges
from server.store import ladders as stored
from server.store.ladders import LadderGame, Why
from server.store.ratings import PlayerKey
from server.store.store import Store
from server.tournaments.challenges import oldest
from server.tournaments.invitations import Invitations
from server.tournaments.ladder_batches import LadderBatches
from server.tournaments.ladder_results import post_results
from server.tournaments.map_pools import drawn
from server.tournaments.matchmaker import Matchmaker, Participant
from server.tournaments.opponents import Opponents, Paired, most_seats
from server.tournaments.ratings import RatingTables
from server.wall_clock import wall_ms
from server.webhook import Webhook

MISSES: Final = 3
"""Games in a row that a bot may miss before it is taken off the ladder."""
WAITS_S = 60.0
"""Seconds that the second game of a pair waits for a bot that is absent and plays no other game."""
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Meeting:
    """What both games of a pair have in common."""

    game: AnyGame
    seed: int
    why: Why
    rated: bool
    pool: int | None
    """The version of the map pool from which the map was drawn; None: there is none."""
    map: str | None
    """None: the game generates a board."""
    waited_ms: Mapping[str, int]
    """How long each account's bot had been free when these were paired."""


@dataclass(slots=True, eq=False)
class Bout:
    """One game of a pair."""

    meeting: Meeting
    players: tuple[Participant, ...]
    seen: float
    """When all its players were last there, to come or in another game (running ns)."""


class LadderOptions(NamedTuple):
    """`games`: those that have a ladder here. A pair of each begins every `pace_s`, if enough bots
    are free. A rated bot meets a house bot after it was free for `house_wait_s`."""

    games: Sequence[str]
    pace_s: float
    house_wait_s: float


class Ladder:
    """Of several processes the leader plays it. It pairs bots by their ratings, begins their games
    and tells of them: each argument is a part of the server that it uses, hence their number."""

    def __init__(
        self,
        store: Store,
        service: LobbyService,
        matchmaker: Matchmaker,
        invitations: Invitations,
        ratings: RatingTables,
        batches: LadderBatches,
        leader: Leader,
        options: LadderOptions,
        webhook: Webhook,
    ) -> None:
        self._store = store
        self._service = service
        self._matchmaker = matchmaker
        self._invitations = invitations
        self._ratings = ratings
        self._batches = batches
        self._leader = leader
        self._options = options
        self._webhook = webhook
        self._opponents: defaultdict[str, Opponents] = defaultdict(Opponents)
        """By game."""
        self._waiting: list[Bout] = []
        self._begun: dict[str, str] = {}
        """Games that are not over: the ladder's game by the match."""
        self._misses: Counter[tuple[str, str]] = Counter()
        """Games that were missed in a row, by game and account."""
        self._free: dict[tuple[str, str], float] = {}
        """Since when bots are free and not paired, by game and account (running ns)."""
        self._stopping = asyncio.Event()
        self._ended: set[str] = set()
        """The games of which a match has come into the database."""
        self._woken = asyncio.Event()
        """There are such games, or the ladder is to stop."""
        self._loop: asyncio.Task[None] | None = None

    async def open(self) -> None:
        if self._options.games:
            self._loop = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        """No further game begins."""
        self._stopping.set()
        self._woken.set()
        if self._loop is not None:
            await self._loop

    # --- the loop

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while not self._stopping.is_set():
            for game in self._led:
                with _going_on(game):
                    await post_results(self._store, self._webhook, game)
                    await self._pair(self._service.lobbies.game(game))
                    await self._batches.pair(self._service.lobbies.game(game))
            with contextlib.suppress(TimeoutError):
                await self._report_until(loop.time() + self._options.pace_s)

    async def _report_until(self, until: float) -> None:
        """Report games as they end. What is missed here, the next look finds. Raises TimeoutError
        at this time (s of the loop)."""
        while not self._stopping.is_set():
            async with asyncio.timeout_at(until):
                await self._woken.wait()
            self._woken.clear()
            ended, self._ended = self._ended, set()
            for game in ended.intersection(self._led):
                with _going_on(game):
                    await post_results(self._store, self._webhook, game)

    @property
    def _led(self) -> Sequence[str]:
        """The games whose ladders this process plays now."""
        return self._options.games if self._leader.leads else ()

    async def _pair(self, game: AnyGame) -> None:
        """Begin the games that waited for their bots, then a pair of those who are still free."""
        running = self._service.lobbies.unfinished
        self._begun = {match: name for match, name in self._begun.items() if match in running}
        here = await self._here(game)
        for bout in [bout for bout in self._waiting if bout.meeting.game is game]:
            if self._is_there(bout, here) and self._may_begin(bout.players):
                if not await self._begin(bout):
                    return
                self._drop(bout)
            elif self._invitations.running.now() - bout.seen > WAITS_S * 1e9:
                self._drop(bout)
        standing = await self._ratings.standing(game)
        free = {
            player: called
            for player, called in here.items()
            if self._may_begin([called, *self._promised(called)])
        }
        waited = self._waited(game.name, free)
        hurried = [
            ("account", account)
            for account, ms in waited.items()
            if ms >= 1000 * self._options.house_wait_s
        ]
        challenge = await oldest(self._store, game.name, free)
        if challenge is not None:
            met: Paired | None = Paired(challenge.players, "challenge")
        else:
            seats = most_seats(game, len(free))
            met = self._opponents[game.name].choose([*free], standing, seats, hurried)
        players = () if met is None else tuple(free[player] for player in met.players)
        if met is None or not self._may_begin(players):
            return
        if challenge is not None:
            async with self._store.write() as db:
                if not await challenges.end(db, challenge.id, "begun"):
                    return  # it was withdrawn at this moment
        version, board = await drawn(self._store, game.name)
        seed = secrets.randbelow(MAX_SEED + 1)
        await self._service.lobbies.reserve(seed)
        rated = challenge is None or challenge.rated
        meeting = Meeting(game, seed, met.why, rated, version, board, waited)
        try:
            for seated in (players, players[::-1]):
                bout = Bout(meeting, seated, self._invitations.running.now())
                if not self._may_begin(bout.players) or not await self._begin(bout):
                    self._waiting.append(bout)
        finally:
            self._let_go(seed)
        self._opponents[game.name].meet(met.players)
        for player in players:
            self._free.pop((game.name, player.account or ""), None)

    async def _here(self, game: AnyGame) -> dict[PlayerKey, Participant]:
        """Those who can be called now; bots that missed too many games are taken off before."""
        await self._matchmaker.look_elsewhere()
        async with self._store.read() as db:
            climbing = await stored.climbers(db, game.name)
        here: dict[PlayerKey, Participant] = {
            ("bot", bot): Participant(bot, bot=bot) for bot in self._service.bots.names(game.name)
        }
        for rung in climbing:
            if rung.submitted is not None:
                continue  # `ladder_batches.py` has its games played
            if self._misses[game.name, rung.account] >= MISSES:
                await self._take_off(game.name, rung.account, rung.name)
            elif self._invitations.present(rung.account):
                called = Participant(rung.name, None, rung.account, rung.concurrency)
                here["account", rung.account] = called
        return here

    def _waited(self, game: str, free: Collection[PlayerKey]) -> dict[str, int]:
        """How long the accounts' bots have been free, ms."""
        now = self._invitations.running.now()
        since = {id_: self._free.get((game, id_), now) for kind, id_ in free if kind == "account"}
        self._free = {key: at for key, at in self._free.items() if key[0] != game}
        self._free |= {(game, account): at for account, at in since.items()}
        return {account: round((now - at) / 1e6) for account, at in since.items()}

    async def _take_off(self, game: str, account: str, name: str) -> None:
        async with self._store.write() as db:
            await stored.leave(db, game, account)
        del self._misses[game, account]
        _log.info("taken off the ladder: it missed its games", game=game, account=account)
        text = f"{game} ladder: {name} is taken off, it missed {MISSES} games in a row"
        self._webhook.post("ladder_removed", text, game=game, name=name)

    def on_match_stored(self, ended: MatchEnded) -> None:
        """Report it now if it was a game of a ladder: the table of games says so."""
        if ended.record.game in self._options.games:
            self._ended.add(ended.record.game)
            self._woken.set()

    def on_match_end(self, ended: MatchEnded) -> None:
        """Note which accounts' bots did not come."""
        game = self._begun.pop(ended.record.id, None)
        for player in ended.record.players:
            if player.account is None:
                continue
            if player.seat in ended.missing:
                if self._invitations.missed(player.account) and game is not None:
                    self._misses[game, player.account] += 1
            elif game is not None:
                self._misses.pop((game, player.account), None)
                self._free.setdefault((game, player.account), self._invitations.running.now())

    def _is_there(self, bout: Bout, here: Mapping[PlayerKey, Participant]) -> bool:
        """Whether all players of this game can be called. One in another game is not absent."""
        absent = [
            player.account
            for player in bout.players
            if player.account and ("account", player.account) not in here
        ]
        if all(map(self._matchmaker.is_playing, absent)):
            bout.seen = self._invitations.running.now()
        return not absent

    def _drop(self, bout: Bout) -> None:
        self._waiting.remove(bout)
        self._let_go(bout.meeting.seed)

    def _may_begin(self, players: Sequence[Participant]) -> bool:
        """Whether these are present, and free for a game."""
        if self._stopping.is_set():
            return False
        accounts = [player.account for player in players if player.account is not None]
        here = all(map(self._invitations.present, accounts))
        return here and self._matchmaker.can_start(players, kept=self._kept)

    @property
    def _kept(self) -> int:
        """Ladders never end, so they leave half of the places to tournaments, which would wait for
        one without end."""
        return self._matchmaker.at_once // 2

    def _promised(self, called: Participant) -> list[Participant]:
        """An account's bot once for each game that waits for it: what it can play besides is for
        others. House bots can always play one more."""
        if called.account is None:
            return []
        waiting = [player for bout in self._waiting for player in bout.players]
        return [player for player in waiting if player.account == called.account]

    def _let_go(self, seed: int) -> None:
        """Unless the other game of the pair is still to come: then nothing of it comes out yet."""
        if all(bout.meeting.seed != seed for bout in self._waiting):
            self._service.lobbies.let_go(seed)

    async def _begin(self, bout: Bout) -> bool:
        """Whether this game has begun; if not, then no other one would."""
        game = bout.meeting.game
        request = LobbyRequest(
            game=game.name,
            name=f"ladder: {' – '.join(player.name for player in bout.players)}"[:80],
            config=for_seats(game, {}, len(bout.players)),
            seed=bout.meeting.seed,
            rated=bout.meeting.rated,
            map=bout.meeting.map,
        )
        match = self._service.lobbies.new_id()
        if not self._matchmaker.book(match, bout.players, kept=self._kept):
            return False
        try:
            async with self._store.write() as db:
                await stored.add_game(db, _stored(match, bout))
        except BaseException:
            self._matchmaker.release(match)
            raise
        self._begun[match] = game.name
        try:
            about = {"ladder": game.name, "why": bout.meeting.why}
            await self._matchmaker.start(match, request, about)
        except Refusal as no:
            del self._begun[match]
            async with self._store.write() as db:
                await stored.drop_game(db, match)
            _log.warning("a game of a ladder cannot begin", game=game.name, why=str(no))
            return False
        return True


@contextlib.contextmanager
def _going_on(game: str) -> Iterator[None]:
    """A fault is logged: the next look is another one."""
    try:
        yield
    except (SQLAlchemyError, OSError) as fault:
        why = type(fault).__name__
        _log.warning("a ladder waits for the database", game=game, why=why)
    except Exception:  # noqa: BLE001
        _log.exception("a ladder failed", game=game)


def _stored(match: str, bout: Bout) -> LadderGame:
    meeting = bout.meeting
    players = [
        {
            "name": player.name,
            "bot": player.bot,
            "account": player.account,
            "waited_ms": meeting.waited_ms.get(player.account or ""),
        }
        for player in bout.players
    ]
    return LadderGame(
        match=match,
        game=meeting.game.name,
        begun_ms=wall_ms(),
        why=meeting.why,
        rated=meeting.rated,
        pool=meeting.pool,
        map=meeting.map,
        players=players,
    )
