"""Bots that were handed in, as tournaments and ladders take them."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncConnection

from server.errors import Refusal
from server.store import submissions, teams
from server.store.submissions import SubmittedBot


async def with_version(db: AsyncConnection, game: str, name: str, account: str) -> SubmittedBot:
    """The bot of this account or its team, of which a version plays; the team stays as it is until
    the end of the transaction. Raises Refusal."""
    bot = await submissions.bot_called(db, game, name, await teams.hold_team(db, account))
    if bot is None or await submissions.active(db, bot.id) is None:
        text = f"no bot of {game} called {name!r} was handed in that has passed its check"
        raise Refusal(409, "no_active_version", text, field="submitted")
    return bot
