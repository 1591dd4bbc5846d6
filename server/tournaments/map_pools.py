"""The maps of a ladder: a pool with weights, from which each pair of games draws one. An organiser
sets a pool as the next version; games keep the version from which their map was drawn."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final

from sqlalchemy.exc import IntegrityError

from games.core.contract import Json
from server.errors import Refusal
from server.lobbies.begun import map_text
from server.store import map_pools as stored
from server.store.accounts import Account, now_ms
from server.store.map_pools import MapPool
from server.store.store import Store
from server.webhook import Webhook

SHOWN: Final = 50
"""Versions that a list has, at most."""
_dice = secrets.SystemRandom()


class MapPools:
    def __init__(self, store: Store, webhook: Webhook) -> None:
        self._store = store
        self._webhook = webhook

    async def set(
        self, game: str, maps: Sequence[tuple[str | None, int]], account: Account
    ) -> dict[str, Json]:
        """The next version, as plain JSON; the newest one again is no new one. Raises Refusal."""
        names = [name for name, _ in maps]
        if len({*names}) < len(names):
            text = "maps: expected each map once, with its weight"
            raise Refusal(422, "map_twice", text, field="maps")
        for name in names:
            map_text(game, name, None)
        found = [{"map": name, "weight": weight} for name, weight in maps]
        try:
            async with self._store.write() as db:
                known = await stored.newest(db, game, 1)
                if known and known[0].maps == found:
                    return public(known[0])
                pool = MapPool(
                    game=game,
                    version=known[0].version + 1 if known else 1,
                    maps=found,
                    created_ms=now_ms(),
                    account=account.id,
                )
                await stored.add(db, pool)
        except IntegrityError:
            text = "another pool is set at the same time; try again"
            raise Refusal(503, "overloaded", text) from None
        text = f"{game} ladder: version {pool.version} of its maps"
        self._webhook.post("map_pool", text, game=game, version=pool.version, maps=found)
        return public(pool)

    async def versions(self, game: str) -> list[Json]:
        """As plain JSON, the newest first: that one is in use."""
        async with self._store.read() as db:
            return [public(pool) for pool in await stored.newest(db, game, SHOWN)]


async def drawn(store: Store, game: str) -> tuple[int | None, str | None]:
    """The version of the pool in use and a map of it; None, None: there is no pool."""
    async with store.read() as db:
        pools = await stored.newest(db, game, 1)
    return (pools[0].version, draw(pools[0])) if pools else (None, None)


def draw(pool: MapPool) -> str | None:
    """A map, by the weights; None: the game generates a board."""
    (drawn,) = _dice.choices(pool.maps, [one["weight"] for one in pool.maps])
    name: str | None = drawn["map"]
    return name


def public(pool: MapPool) -> dict[str, Json]:
    return {"version": pool.version, "maps": pool.maps, "created_ms": pool.created_ms}
