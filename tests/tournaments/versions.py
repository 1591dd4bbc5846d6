"""Bots that were handed in, put straight into a server's database: their check is tested
elsewhere."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from typing import Any

from server.store import submissions
from server.store.accounts import now_ms
from server.store.store import Store
from server.store.submissions import Submission
from server.tokens import new_id

STAYS = """#!/bin/sh
while read line; do
  case $line in
    *'"type":"start"'*) echo '{"type":"ready"}';;
    *'"type":"view"'*) echo '["STAY"]';;
  esac
done
"""
"""Never moves."""
EATS = f"{STAYS}# greedy\n"
"""Where house bots play what was handed in, `greedy` does."""
FALLS = "#!/bin/sh\nexit 1\n"
"""Ends at once."""
QUITS = """#!/bin/sh
while read line; do
  case $line in
    *'"type":"start"'*) echo '{"type":"ready"}';;
    *'"type":"view"'*) echo '["STAY"]'; exit;;
  esac
done
"""
"""Ends after its first turn, so that its games are soon over."""


def version(url: str, account: str, name: str = "mine", text: str = STAYS, **about: Any) -> str:
    """The next version of this account's pyrat bot; it has passed its check, unless `state` says
    otherwise. Its id."""
    return asyncio.run(_version(url, account, name, text, about))


async def _version(url: str, account: str, name: str, text: str, about: dict[str, Any]) -> str:
    store = Store(url)
    await store.open()
    try:
        async with store.write() as db:
            bot = await submissions.bot_called(db, "pyrat", name, [account])
            if bot is None:
                bot = await submissions.new_bot(db, "pyrat", name, account)
            last = await submissions.newest(db, bot.id)
            digest = sha256(text.encode()).hexdigest()
            await submissions.keep(db, digest, text.encode())
            fields: dict[str, Any] = {"state": "checking"} | about
            made = Submission(
                id=new_id(),
                bot=bot.id,
                version=1 if last is None else last.version + 1,
                sha256=digest,
                file="bot.sh",
                kind="lines",
                entry="sh bot.sh",
                account=account,
                created_ms=now_ms(),
                **fields,
            )
            await submissions.add(db, made)
            if "state" not in about:
                await submissions.passed(db, made)
    finally:
        await store.close()
    return made.id
