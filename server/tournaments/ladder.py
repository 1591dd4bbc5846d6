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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from games.contest.format import for_seats
from games.core.contract import AnyGame, Json
from games.core.parameters import MAX_SEED
from server.cluster.leader import Leader
from server.errors import Refusal
from server.lobbies.requests import LobbyRequest
from server.lobbies.service import LobbyService
from server.match_record import MatchEnded
from server.store import ratings as stored
from server.store.accounts import Account
from server.store.ratings import PlayerKey
from server.store.store import Store
from server.tournaments.invitations import Invitations
from server.tournaments.matchmaker import Matchmaker, Participant
from server.tournaments.opponents import Opponents, most_seats
from server.tournaments.ratings import RatingTables

MISSES: Final = 3
"""Games in a row that a bot may miss before it is taken off the ladder."""
WAITS_S = 60.0
"""Seconds that the second game of a pair waits for a bot that is absent and plays no other game."""
_log = structlog.get_logger()


@dataclass(slots=True, eq=False)
class Bout:
    """One game of a pair."""

    game: AnyGame
    players: tuple[Participant, ...]
    seed: int
    seen: int
    """When all its players were last there, to come or in another game (running ns)."""


class Ladder:
    """`games`: those that have a ladder here. A pair of each begins every `pace_s`, if enough bots
    are free. Of several processes the leader plays it."""

    def __init__(
        self,
        store: Store,
        service: LobbyService,
        matchmaker: Matchmaker,
        invitations: Invitations,
        ratings: RatingTables,
        leader: Leader,
        games: Sequence[str],
        pace_s: float,
    ) -> None:
        self._store = store
        self._service = service
        self._matchmaker = matchmaker
        self._invitations = invitations
        self._ratings = ratings
        self._leader = leader
        self._games = tuple(games)
        self._pace_s = pace_s
        self._opponents: defaultdict[str, Opponents] = defaultdict(Opponents)
        """By game."""
        self._waiting: list[Bout] = []
        self._begun: dict[str, str] = {}
        """Games that are not over: the ladder's game by the match."""
        self._misses: Counter[tuple[str, str]] = Counter()
        """Games that were missed in a row, by game and account."""
        self._stopping = asyncio.Event()
        self._loop: asyncio.Task[None] | None = None

    async def open(self) -> None:
        if self._games:
            self._loop = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        """No further game begins."""
        self._stopping.set()
        if self._loop is not None:
            await self._loop

    # --- who is on it

    async def join(self, game: str, account: Account, concurrency: int) -> None:
        async with self._store.write() as db:
            await stored.join(db, game, account, concurrency)

    async def leave(self, game: str, account: Account) -> None:
        """Raises Refusal."""
        async with self._store.write() as db:
            if not await stored.leave(db, game, account.id):
                raise Refusal(404, "not_on_it", "your bot is not on this ladder", field="game")

    async def json(self, game: str) -> dict[str, Json]:
        """As plain JSON."""
        async with self._store.read() as db:
            climbing = await stored.climbers(db, game)
        house = [(bot, bot, None, None, True) for bot in self._service.bots.names(game)]
        others = [
            (one.name, None, one.account, one.concurrency, self._invitations.present(one.account))
            for one in climbing
        ]
        fields = ("name", "bot", "account", "concurrency", "present")
        bots = [dict(zip(fields, line, strict=True)) for line in [*house, *others]]
        return {"game": game, "on": game in self._games, "bots": bots}

    # --- the loop

    async def _run(self) -> None:
        while not self._stopping.is_set():
            for game in self._games if self._leader.leads else ():
                try:
                    await self._pair(self._service.lobbies.game(game))
                except (SQLAlchemyError, OSError) as fault:
                    why = type(fault).__name__
                    _log.warning("a ladder waits for the database", game=game, why=why)
                except Exception:  # noqa: BLE001  the next pair is another one
                    _log.exception("a ladder failed", game=game)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._pace_s):
                    await self._stopping.wait()

    async def _pair(self, game: AnyGame) -> None:
        """Begin the games that waited for their bots, then a pair of those who are still free."""
        running = self._service.lobbies.unfinished
        self._begun = {match: name for match, name in self._begun.items() if match in running}
        here = await self._here(game)
        for bout in [bout for bout in self._waiting if bout.game is game]:
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
        met = self._opponents[game.name].choose([*free], standing, most_seats(game, len(free)))
        players = tuple(free[player] for player in met)
        if not met or not self._may_begin(players):
            return
        seed = secrets.randbelow(MAX_SEED + 1)
        await self._service.lobbies.reserve(seed)
        try:
            for seated in (players, players[::-1]):
                bout = Bout(game, seated, seed, self._invitations.running.now())
                if not self._may_begin(bout.players) or not await self._begin(bout):
                    self._waiting.append(bout)
        finally:
            self._let_go(seed)
        self._opponents[game.name].meet(met)

    async def _here(self, game: AnyGame) -> dict[PlayerKey, Participant]:
        """Those who can be called now; bots that missed too many games are taken off before."""
        await self._matchmaker.look_elsewhere()
        async with self._store.read() as db:
            climbing = await stored.climbers(db, game.name)
        here: dict[PlayerKey, Participant] = {
            ("bot", bot): Participant(bot, bot=bot) for bot in self._service.bots.names(game.name)
        }
        for rung in climbing:
            if self._misses[game.name, rung.account] >= MISSES:
                await self._take_off(game.name, rung.account)
            elif self._invitations.present(rung.account):
                called = Participant(rung.name, None, rung.account, rung.concurrency)
                here["account", rung.account] = called
        return here

    async def _take_off(self, game: str, account: str) -> None:
        async with self._store.write() as db:
            await stored.leave(db, game, account)
        del self._misses[game, account]
        _log.info("taken off the ladder: it missed its games", game=game, account=account)

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
        self._let_go(bout.seed)

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
        if all(bout.seed != seed for bout in self._waiting):
            self._service.lobbies.let_go(seed)

    async def _begin(self, bout: Bout) -> bool:
        """Whether this game has begun; if not, then no other one would."""
        game = bout.game
        request = LobbyRequest(
            game=game.name,
            name=f"ladder: {' – '.join(player.name for player in bout.players)}"[:80],
            config=for_seats(game, {}, len(bout.players)),
            seed=bout.seed,
            rated=True,
        )
        match = self._service.lobbies.new_id()
        if not self._matchmaker.book(match, bout.players, kept=self._kept):
            return False
        self._begun[match] = game.name
        try:
            await self._matchmaker.start(match, request, {"ladder": game.name})
        except Refusal as no:
            del self._begun[match]
            _log.warning("a game of a ladder cannot begin", game=game.name, why=str(no))
            return False
        return True
