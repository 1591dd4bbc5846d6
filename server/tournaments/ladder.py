"""The standing contest of each game: whoever is on the ladder meets those who are about as strong, again and again.

Games come in pairs with one seed, the second with the seats turned around. House bots are on every ladder. Whoever is on it and
asks for invitations is called; who does not ask is left alone.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import structlog
from sqlalchemy.exc import SQLAlchemyError

from games.contest.format import DUEL, for_seats, plays_with
from games.core.contract import AnyGame
from games.core.parameters import MAX_SEED, configure
from server.errors import Refusal
from server.lobbies.desk import Desk, Wish
from server.nodes.directory import Directory
from server.store import ratings as stored
from server.store.accounts import Account
from server.store.ratings import Player
from server.store.store import Store
from server.tokens import new_id
from server.tournaments.calls import Called, Calls
from server.tournaments.invitations import Invitations
from server.tournaments.ratings import ANCHOR_AT, Rated, Standing

Json = Any

HOUSE_GAMES: Final = 20
"""Two house bots play so many games with one another: enough to know how they stand, and no more."""
RECENT: Final = 3
"""One meets so many others before the same one again, where there are so many."""
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Bout:
    """One game of a pair."""

    game: AnyGame
    players: tuple[Called, ...]
    seed: int


class Ladder:
    """`games`: whose ladders are on here. A pair of each begins every `pace_s`, if there is somebody for it. Of several nodes the
    one plays it that calls bots to games."""

    def __init__(
        self,
        store: Store,
        desk: Desk,
        calls: Calls,
        invitations: Invitations,
        rated: Rated,
        directory: Directory,
        games: Sequence[str],
        pace_s: float,
    ) -> None:
        self._store = store
        self._desk = desk
        self._calls = calls
        self._invitations = invitations
        self._rated = rated
        self._directory = directory
        self._games = tuple(games)
        self._pace_s = pace_s
        self._recent: dict[tuple[str, Player], deque[Player]] = {}
        self._turn: dict[tuple[str, Player], int] = {}
        """When each was called last, by counting."""
        self._count = 0
        self._waiting: list[Bout] = []
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

    async def told(self, game: str) -> dict[str, Json]:
        """As plain JSON."""
        async with self._store.read() as db:
            climbing = await stored.climbers(db, game)
        house = [
            {"name": bot, "bot": bot, "account": None, "concurrency": None, "present": True}
            for bot in self._desk.bots.names(game)
        ]
        others = [
            {
                "name": rung.name,
                "bot": None,
                "account": rung.account,
                "concurrency": rung.concurrency,
                "present": self._invitations.present(rung.account),
            }
            for rung in climbing
        ]
        return {"game": game, "on": game in self._games, "bots": house + others}

    # --- the loop

    async def _run(self) -> None:
        while not self._stopping.is_set():
            for game in self._games if self._directory.calls else ():
                try:
                    await self._pair(self._desk.game(game))
                except (SQLAlchemyError, OSError) as fault:
                    _log.warning("a ladder waits for the database", game=game, why=type(fault).__name__)
                except Exception:  # noqa: BLE001  the next pair is another one
                    _log.exception("a ladder failed", game=game)
            try:
                async with asyncio.timeout(self._pace_s):
                    await self._stopping.wait()
            except TimeoutError:
                pass

    async def _pair(self, game: AnyGame) -> None:
        """What waits for its bots goes first; then the next pair, of those who are free besides."""
        for bout in [bout for bout in self._waiting if bout.game is game]:
            if self._room_for(bout.players):
                if not await self._begin(bout):
                    return
                self._waiting.remove(bout)
                self._let_go(bout.seed)
        standing = await self._rated.standing(game)
        async with self._store.read() as db:
            climbing = await stored.climbers(db, game.name)
        here: dict[Player, Called] = {("bot", bot): Called(bot, bot=bot) for bot in self._desk.bots.names(game.name)}
        here |= {
            ("account", rung.account): Called(rung.name, account=rung.account, concurrency=rung.concurrency)
            for rung in climbing
            if self._invitations.present(rung.account)
        }
        free = {player: called for player, called in here.items() if self._room_for([called, *self._promised(called)])}
        met = self.chosen(game.name, [*free], standing, most(game, len(free)))
        players = tuple(free[player] for player in met)
        if not met or not self._room_for(players):
            return
        seed = secrets.randbelow(MAX_SEED + 1)
        await self._desk.reserve(seed)
        try:
            for bout in (Bout(game, players, seed), Bout(game, players[::-1], seed)):
                if not self._room_for(bout.players) or not await self._begin(bout):
                    self._waiting.append(bout)
        finally:
            self._let_go(seed)
        self._count += 1
        for player in met:
            self._turn[game.name, player] = self._count
            recent = self._recent.setdefault((game.name, player), deque(maxlen=RECENT))
            recent.extend(other for other in met if other != player)

    def _room_for(self, players: Sequence[Called]) -> bool:
        """A ladder never ends, and takes no more than half of the places: a tournament would wait for ever for one of its own."""
        return not self._stopping.is_set() and self._calls.room_for(players, kept=self._calls.at_once // 2)

    def _promised(self, called: Called) -> list[Called]:
        """An account's bot once for each game that waits for it: what it can play besides is for others. House bots can always
        play one more."""
        if called.account is None:
            return []
        return [player for bout in self._waiting for player in bout.players if player.account == called.account]

    def _let_go(self, seed: int) -> None:
        """Nothing that was played with it comes out as long as the other game of the pair is to come."""
        if all(bout.seed != seed for bout in self._waiting):
            self._desk.let_go(seed)

    def chosen(self, game: str, players: Sequence[Player], standing: Standing, seats: int) -> list[Player]:
        """Who waits longest, and those nearest to it whom it has not met lately; nobody if there is nothing to be found out."""
        seekers = sorted(players, key=lambda one: (one[0] == "bot", self._turn.get((game, one), 0)))
        for seeker in seekers:
            others = [one for one in players if one != seeker and not self._known_enough(seeker, one, standing)]
            if not others or seats < DUEL:
                continue
            spare = len(players) - seats  # so many others there are to be met instead
            lately = [*self._recent.get((game, seeker), ())][-spare:] if spare > 0 else []
            others.sort(key=lambda one: (one in lately, abs(_rating(standing, one) - _rating(standing, seeker)), one))
            rest = [one for one in players if one != seeker and one not in others]
            return [seeker, *(others + rest)[: seats - 1]]
        return []

    @staticmethod
    def _known_enough(one: Player, other: Player, standing: Standing) -> bool:
        house = one[0] == other[0] == "bot"
        return house and standing.met.get(frozenset((one, other)), 0) >= HOUSE_GAMES

    async def _begin(self, bout: Bout) -> bool:
        """Whether this game has begun; if not, then no other one would."""
        game = bout.game
        wish = Wish(
            game=game.name,
            name=f"ladder: {' – '.join(player.name for player in bout.players)}"[:80],
            config=for_seats(game, {}, len(bout.players)),
            seed=bout.seed,
            rated=True,
        )
        try:
            await self._calls.play(new_id(), wish, bout.players, {"ladder": game.name})
        except Refusal as no:
            _log.warning("a game of a ladder cannot begin", game=game.name, why=str(no))
            return False
        return True


def most(game: AnyGame, players: int) -> int:
    """With how many seats so many players can meet: as many as the game usually has, or fewer."""
    usual: int = game.seats(configure(game, {}))
    return next((seats for seats in range(min(usual, players), DUEL - 1, -1) if plays_with(game, {}, seats)), 0)


def _rating(standing: Standing, player: Player) -> float:
    line = standing.lines.get(player)
    return ANCHOR_AT if line is None or line.rating is None else line.rating
