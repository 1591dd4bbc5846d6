"""Games of bots that were handed in: fetched from the database, played in the sandbox, and what
they wrote kept for their authors."""

from __future__ import annotations

import gzip
import json
from collections.abc import AsyncIterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from client_sdk.local.pool import Pool
from client_sdk.sandbox import missing
from games import GAMES
from games.contest import verbs
from games.contest.tournament import Tournament
from games.core.rerun import verify
from server.match_record import MatchRecord
from server.store import matches, submissions
from server.store import tournaments as stored
from server.store.accounts import now_ms
from server.store.store import Store
from server.store.submissions import Submission
from server.store.tables import accounts, records
from server.store.tournaments import LOCAL_POOL, EntryPlayer
from server.submissions.players import folder_of
from server.tokens import new_id
from server.tournaments.plan import TournamentRequest, planned
from server.workers.bot_files import BotFiles
from server.workers.games import Games
from tests.stores import database

pytestmark = pytest.mark.skipif(missing() is not None, reason=f"no sandbox: {missing()}")

GOOD = """
import sys
from botarena.pyrat import Bot, Direction


class Mine(Bot):
    def think(self, state, ctx):
        print("turn", state.turn, file=sys.stderr, flush=True)
        return Direction.STAY
"""
BROKEN = "import nothing_like_this\n"
PROGRAM = """#!/bin/sh
while read line; do
  case $line in
    *'"type":"start"'*) echo '{"type":"ready"}';;
    *'"type":"view"'*) echo thinking >&2; echo '["STAY"]';;
  esac
done
"""


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    with database("sqlite", tmp_path) as url:
        store = Store(url)
        await store.open()
        yield store
        await store.close()


@pytest.fixture
async def games(store: Store) -> AsyncIterator[Games]:
    with Pool(1) as pool:
        games = Games(store, pool)
        yield games
        await games.close()


async def handed_in(store: Store, name: str, file: str, text: str, **how: Any) -> Submission:
    """A version that is active."""
    async with store.write() as db:
        account = {"id": new_id(), "name": name, "kind": "bot", "created_ms": now_ms()}
        await db.execute(accounts.insert(), [account])
        bot = await submissions.new_bot(db, "pyrat", name, account["id"])
        given: dict[str, Any] = {"kind": "file", "entry": file} | how
        digest = sha256(text.encode()).hexdigest()
        await submissions.keep(db, digest, text.encode())
        version = Submission(
            id=new_id(),
            bot=bot.id,
            version=3,
            sha256=digest,
            file=file,
            account=bot.account,
            state="active",
            created_ms=now_ms(),
            **given,
        )
        await submissions.add(db, version)
    return version


async def contest(store: Store, **bots: Submission | str) -> list[str]:
    """A round robin of these: versions, and names of house bots. Its games, as given to the
    processes here."""
    request = TournamentRequest(
        name="Spring",
        game=GAMES["pyrat"],
        config={"preset": "tiny", "max_turns": 4},
        format={"format": "round-robin", "matches_per_pairing": 1, "check": False},
        seed=1,
    )
    row, format_ = planned(request, None, now_ms())
    event = Tournament(format_, row.seed)
    async with store.write() as db:
        await stored.create(db, row)
        for entry, (name, bot) in enumerate(bots.items(), start=1):
            event = await stored.append(db, row.id, event, verbs.enter(event, name), now_ms())
            house = bot if isinstance(bot, str) else None
            about = {} if isinstance(bot, str) else {"submitted": bot.bot, "account": bot.account}
            player = EntryPlayer(**{"account": None} | about, entry=entry, bot=house, concurrency=1)
            await stored.enter(db, row.id, player)
        event = await stored.append(db, row.id, event, verbs.close(event), now_ms())
        taken = await stored.take_all(db, row.id, event.due, by=LOCAL_POOL, at_ms=now_ms())
    return [game.id for game in taken]


async def played(store: Store) -> tuple[MatchRecord, Mapping[str, bytes]]:
    """The only match, and its records."""
    async with store.read() as db:
        (match,) = await db.scalars(select(records.c.match).distinct())
        record = await matches.found(db, match)
        rows = (await db.execute(select(records.c.kind, records.c.content))).all()
    assert record is not None
    return record, {row.kind: gzip.decompress(row.content) for row in rows}


def lines(log: bytes) -> list[dict[str, str]]:
    return [json.loads(line) for line in log.splitlines()]


async def test_a_bot_that_was_handed_in_plays_and_its_output_is_kept_by_turn(
    store: Store, games: Games
):
    mine = await handed_in(store, "Ada", "bot.py", GOOD)
    await games.play(await contest(store, Ada=mine, greedy="greedy"))
    match, kept = await played(store)

    assert match.result["outcome"] in ("win", "draw")
    (seat,) = [player for player in match.players if player.name == "Ada"]
    assert (seat.account, seat.version) == (mine.account, 3)
    assert kept.keys() == {"journal", f"log-{seat.seat}"}  # a house bot has none
    assert verify(kept["journal"].decode(), GAMES).kind == "ok"
    log = lines(kept[f"log-{seat.seat}"])
    assert log == [{"turn": str(turn), "text": f"turn {turn}\n"} for turn in range(4)]


async def test_programs_play_too(store: Store, games: Games):
    one = await handed_in(store, "Ada", "bot.sh", PROGRAM, kind="lines", entry="sh bot.sh")
    two = await handed_in(store, "Bo", "other.sh", PROGRAM, kind="lines", entry="sh other.sh")
    await games.play(await contest(store, Ada=one, Bo=two))
    match, kept = await played(store)

    assert match.result["outcome"] == "draw"
    assert kept.keys() == {"journal", "log-0", "log-1"}
    assert all("thinking" in kept[f"log-{seat}"].decode() for seat in (0, 1))


async def test_a_bot_that_does_not_load_has_lost_and_only_its_author_learns_why(
    store: Store, games: Games
):
    broken = await handed_in(store, "Ada", "bot.py", BROKEN)
    well = await handed_in(store, "Bo", "bot.py", GOOD)
    await games.play(await contest(store, Ada=broken, Bo=well))
    match, kept = await played(store)

    assert (match.result["outcome"], match.result["reason"]) == ("aborted", "no_show")
    (seat,) = [player.seat for player in match.players if player.name == "Ada"]
    assert kept.keys() == {"journal", f"log-{seat}"}
    assert "nothing_like_this" in kept[f"log-{seat}"].decode()
    async with store.read() as db:
        (row,) = await stored.listed(db, limit=1)
        event = await stored.load(db, row)
        tried = await matches.ledger(db, match.id)
    assert tried[-1]["blame"] == "bot"
    assert [line.wins for line in event.rows if event.names[line.entry] == "Bo"] == [1]


async def test_a_bot_without_a_version_that_plays_has_lost(store: Store, games: Games):
    mine = await handed_in(store, "Ada", "bot.py", GOOD)
    async with store.write() as db:
        await submissions.change(db, mine.id, {"state": "failed", "reason": "it crashed"})
    await games.play(await contest(store, Ada=mine, greedy="greedy"))
    match, _ = await played(store)

    assert match.result["reason"] == "no_show"


async def test_the_bot_that_has_not_played_for_longest_makes_room(store: Store):
    versions = [
        await handed_in(store, name, "bot.py", f"{GOOD}\n# {name} {'x' * 1000}") for name in "abc"
    ]
    files = BotFiles(store, most_bytes=3500)
    for version in (versions[0], versions[1], versions[0], versions[2]):
        async with files.kept([version]):
            assert Path(files.player(version, "").spec).is_file()
    kept = [version for version in versions if (files._path / folder_of(version)).is_dir()]
    files.close()
    assert kept == [versions[0], versions[2]]
