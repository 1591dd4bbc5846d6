"""What a bot has written in a match: for its author and the author's team. An organiser sees only
why it did not come."""

from __future__ import annotations

import asyncio
import gzip
import json

from sqlalchemy import select

from client_sdk.process import LOG_BYTES, printable
from games.core.contract import Json
from server.errors import Refusal
from server.store import submissions as stored
from server.store import teams
from server.store.accounts import Account
from server.store.store import Store
from server.store.tables import seats


class MatchLogs:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, account: Account, match: str, seat: int) -> list[Json]:
        """What the bot at this seat has written, by turn, and what it did wrong. Raises Refusal,
        also for the seat of another account, so that nothing shows whether there is a log."""
        packed = None
        async with self._store.read() as db:
            query = select(seats.c.account).where(seats.c.match == match, seats.c.seat == seat)
            owner = (await db.execute(query)).scalar()
            ours = owner is not None and owner in await teams.team_of(db, account.id)
            if ours or account.kind == "organiser":
                packed = await stored.log_of(db, match, seat)
        lines = [] if packed is None else await asyncio.to_thread(_lines, packed)
        if not ours:
            lines = [line for line in lines if line["turn"] == "" and line["fault"] is not None]
        if not lines:
            text = "there is no log of a bot of yours at this seat"
            raise Refusal(404, "no_such_log", text)
        return lines


def _lines(packed: bytes) -> list[Json]:
    """What `server.workers.records.turn_log` has written."""
    found = [json.loads(line) for line in gzip.decompress(packed).splitlines()]
    return [
        {"turn": one["turn"]}
        | {key: printable(one[key], LOG_BYTES) if key in one else None for key in ("text", "fault")}
        for one in found
    ]
