"""The results of ladders' games, for the webhook. Which are still to be sent is in the table of the
games: a game may end while no server runs, or another process of this one leads."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.contract import Seat
from server.match_record import MatchRecord
from server.store import ladders, matches
from server.store.store import Store
from server.webhook import Webhook


async def post_results(store: Store, webhook: Webhook, game: str) -> None:
    """Send the results of games that are over to the webhook, each once."""
    async with store.read() as db:
        ended = await ladders.unreported(db, game)
    if not ended:
        return
    async with store.write() as db:
        await ladders.report(db, ended)
    for match in ended:
        async with store.read() as db:
            record = await matches.found(db, match)
            verdict = await matches.last_verdict(db, match)
        if record is None:
            continue  # it was pruned at this moment
        absent = record.result["reason"] == "no_show" and verdict is not None
        missing = verdict.guilty if absent and verdict is not None else ()
        text = f"{game} ladder: {result_text(record, missing)}"
        names = [player.name or "" for player in record.players]
        webhook.post("ladder_game", text, game=game, match=match, players=names)


def result_text(record: MatchRecord, missing: Sequence[Seat]) -> str:
    """Who has played a match that is over, and what came of it."""
    names, result = [player.name or "" for player in record.players], record.result
    winner = result["winner"]
    if missing:
        found = f"{', '.join(names[seat] for seat in missing)} did not come"
    elif result["outcome"] == "aborted":
        found = f"broken off ({result['reason']})"
    else:
        found = "a draw" if winner is None else f"{names[winner]} wins"
    return f"{' – '.join(names)}: {found}"
