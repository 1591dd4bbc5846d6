"""What visitors see of the ladders, and who is on them. Any process answers: all is in the store,
but who is present."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from statistics import median
from typing import Final

from games.core.contract import Json
from server.errors import Refusal
from server.lobbies.bots import HouseBots
from server.store import ladders as stored
from server.store import map_pools, teams
from server.store.accounts import Account
from server.store.ladders import LadderResult, Rung
from server.store.store import Store
from server.tournaments.entries import with_version
from server.tournaments.invitations import Invitations
from server.tournaments.map_pools import public

LATEST: Final = 50
"""Games that are shown, and by which waits are expected."""
BOT: Final = (
    "name",
    "bot",
    "account",
    "submitted",
    "version",
    "concurrency",
    "present",
    "expected_wait_ms",
    "accepts",
)
PLAYER: Final = ("name", "bot", "account", "version", "waited_ms")
OWN: Final = 3
"""With fewer waits of its own a bot is expected to wait as all bots did."""


class LadderBoard:
    """`games`: those that have a ladder here."""

    def __init__(
        self, store: Store, bots: HouseBots, invitations: Invitations, games: Sequence[str]
    ) -> None:
        self._store = store
        self._bots = bots
        self._invitations = invitations
        self._games = tuple(games)

    async def join(self, game: str, account: Account, concurrency: int) -> dict[str, Json]:
        """As plain JSON: its place."""
        async with self._store.write() as db:
            await stored.join(db, game, account, concurrency)
            latest = await stored.latest(db, game, LATEST)
        place = {"game": game, "account": account.id, "submitted": None, "concurrency": concurrency}
        return place | {"expected_wait_ms": expected_wait_ms(account.id, latest)}

    async def join_submitted(self, game: str, account: Account, name: str) -> dict[str, Json]:
        """The place of a bot of this name that the account or its team has handed in. Raises
        Refusal."""
        async with self._store.write() as db:
            bot = await with_version(db, game, name, account.id)
            await stored.join_submitted(db, bot)
        place = {"game": game, "account": bot.account, "submitted": bot.name, "concurrency": None}
        return place | {"expected_wait_ms": None}

    async def leave(self, game: str, account: Account, submitted: str | None) -> None:
        """The account's bot leaves, or the one of this name that the account or its team has handed
        in. Raises Refusal."""
        async with self._store.write() as db:
            owner = account.id
            if submitted is not None:
                team = await teams.hold_team(db, account.id)
                on_it = [one for one in await stored.climbers(db, game) if one.account in team]
                owner = next((one.account for one in on_it if one.submitted == submitted), "")
            if not await stored.leave(db, game, owner):
                raise Refusal(404, "not_on_it", "your bot is not on this ladder", field="game")

    async def json(self, game: str) -> dict[str, Json]:
        """As plain JSON: who is on it, and what they can expect."""
        async with self._store.read() as db:
            climbing = await stored.climbers(db, game)
            latest = await stored.latest(db, game, LATEST)
            pools = await map_pools.newest(db, game, 1)
        house = [
            dict.fromkeys(BOT, None) | {"name": bot, "bot": bot, "present": True}
            for bot in self._bots.names(game)
        ]
        bots = [*house, *(self._place(one, latest) for one in climbing)]
        pool = public(pools[0]) if pools else None
        return {"game": game, "on": game in self._games, "pool": pool, "bots": bots}

    def _place(self, one: Rung, latest: Sequence[LadderResult]) -> dict[str, Json]:
        """As plain JSON."""
        place = dict.fromkeys(BOT, None)
        place |= {"name": one.name, "account": one.account, "accepts": asdict(one.rule)}
        if one.submitted is not None:
            plays = {"submitted": one.submitted, "version": one.version}
            return place | plays | {"present": one.version is not None}
        present = self._invitations.present(one.account)
        wait_ms = expected_wait_ms(one.account, latest) if present else None
        now = {"present": present, "expected_wait_ms": wait_ms}
        return place | {"concurrency": one.concurrency} | now

    async def games(self, game: str) -> list[Json]:
        """As plain JSON: those that began last, newest first."""
        async with self._store.read() as db:
            latest = await stored.latest(db, game, LATEST)
        return [
            {
                "match": one.game.match,
                "begun_ms": one.game.begun_ms,
                "why": one.game.why,
                "rated": one.game.rated,
                "pool": one.game.pool,
                "map": one.game.map,
                "state": one.state or "open",
                "players": [
                    {field: player.get(field) for field in PLAYER} for player in one.game.players
                ],
                "outcome": one.outcome,
            }
            for one in latest
        ]


def expected_wait_ms(account: str, latest: Sequence[LadderResult]) -> int | None:
    """How long a bot that is free waits for a game, by the last pairings: the median of its own
    waits, or of all bots' if it has had few; None: there were none."""
    waits = [*_waits(latest)]
    own = [ms for player, ms in waits if player == account]
    known = own if len(own) >= OWN else [ms for _, ms in waits]
    return round(median(known)) if known else None


def _waits(latest: Sequence[LadderResult]) -> Iterator[tuple[str, int]]:
    """By account."""
    for one in latest:
        for player in one.game.players:
            if player["waited_ms"] is not None:
                yield player["account"], player["waited_ms"]
