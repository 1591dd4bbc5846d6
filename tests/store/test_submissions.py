"""Several processes hand in, build and check at the same moment."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from sqlalchemy import func, insert, select, update

from server.store import ladders
from server.store import submissions as stored
from server.store.accounts import now_ms
from server.store.ladders import LadderGame
from server.store.old_versions import prune_files
from server.store.store import Store
from server.store.submissions import Submission
from server.store.tables import accounts, entrants, files, ladder_games, submissions, tournaments

DIGEST = "0" * 64


async def test_the_same_file_is_kept_by_many_at_once(store: Store):
    async def keep() -> None:
        async with store.write() as db:
            await stored.keep(db, DIGEST, b"bot")

    await asyncio.gather(*(keep() for _ in range(8)))

    async with store.read() as db:
        assert (await db.execute(select(func.count()).select_from(files))).scalar_one() == 1


async def versions_of(store: Store, count: int, **about: Any) -> list[Submission]:
    """Of one bot, in their check."""
    async with store.write() as db:
        row = {"id": "author", "name": "author", "kind": "bot", "created_ms": 1}
        await db.execute(insert(accounts), [row])
        bot = await stored.new_bot(db, "pyrat", "mine", "author")
        await stored.keep(db, DIGEST, b"bot")
        versions = [
            Submission(
                id=f"v{number}",
                bot=bot.id,
                version=number,
                sha256=DIGEST,
                file="bot.py",
                kind="file",
                entry="bot.py",
                account="author",
                state="checking",
                created_ms=number,
                **about,
            )
            for number in range(1, count + 1)
        ]
        for version in versions:
            await stored.add(db, version)
    return versions


async def states(store: Store) -> list[str]:
    async with store.read() as db:
        query = select(submissions.c.state).order_by(submissions.c.version)
        return [*(await db.execute(query)).scalars()]


async def test_of_versions_that_pass_at_the_same_moment_the_newest_plays(store: Store):
    versions = await versions_of(store, 8)

    async def passed(version: Submission) -> None:
        async with store.write() as db:
            await stored.activate(db, version)

    await asyncio.gather(*map(passed, versions))

    async with store.read() as db:
        playing = select(submissions.c.id).where(submissions.c.state == "active")
        assert (await db.execute(playing)).scalars().all() == ["v8"]


async def test_of_versions_that_pass_for_a_trial_at_the_same_moment_one_at_most_is_tested(
    store: Store,
):
    versions = await versions_of(store, 8, trial=True)

    async def passed(version: Submission) -> None:
        async with store.write() as db:
            await stored.passed(db, version)

    await passed(versions[0])
    await asyncio.gather(*map(passed, versions[1:]))

    assert await states(store) == ["active", *["refused"] * 6, "testing"]
    async with store.read() as db:
        assert [id_ for _, id_ in await stored.testing(db)] == ["v8"]


async def test_a_trial_ends_once(store: Store):
    first, second = await versions_of(store, 2, trial=True)
    async with store.write() as db:
        await stored.passed(db, first)
        await stored.passed(db, second)

    async def end(promoted: bool) -> bool:
        async with store.write() as db:
            if promoted:
                return await stored.promote(db, second, "stronger")
            return await stored.refuse(db, second, "weaker")

    ended = await asyncio.gather(*(end(promoted) for promoted in (True, False) * 4))

    assert ended.count(True) == 1
    assert await states(store) in (["replaced", "active"], ["active", "refused"])


async def test_if_the_version_that_plays_is_set_aside_the_one_that_is_tested_plays(store: Store):
    first, second, third = await versions_of(store, 3)
    async with store.write() as db:
        await stored.passed(db, first)
        await stored.passed(db, second)
        await stored.passed(db, replace(third, trial=True))
    assert await states(store) == ["replaced", "active", "testing"]
    async with store.write() as db:
        assert await stored.set_aside(db, second, "it crashed") == 3
    assert await states(store) == ["replaced", "set_aside", "active"]


async def test_a_contest_that_is_frozen_goes_on_with_its_version_though_a_trial_is_won_later(
    store: Store,
):
    first, second = await versions_of(store, 2)
    async with store.write() as db:
        await stored.passed(db, first)
        await stored.passed(db, replace(second, trial=True))
        frozen_ms = now_ms() - 1
        await stored.promote(db, second, "stronger")
        found = [await stored.active(db, first.bot, at) for at in (frozen_ms, now_ms() + 1, None)]
    assert [one and one.version for one in found] == [1, 2, 2]


async def test_games_of_a_trial_are_not_those_of_the_ladder_and_have_a_score(store: Store):
    game = LadderGame(
        match="m",
        game="pyrat",
        begun_ms=5,
        why="trial",
        rated=False,
        pool=None,
        map=None,
        players=[],
        seed=1,
        taken_by="x",
        trial="v2",
    )
    async with store.write() as db:
        await ladders.add_game(db, game)
        await ladders.add_game(db, replace(game, match="n", why="challenge", trial=None))
        await ladders.score(db, "m", 0.5)
        assert [one.match for one in await ladders.away_since(db, "pyrat", 0)] == ["n"]
        assert [one.game.match for one in await ladders.latest(db, "pyrat", 9)] == ["n"]
        assert await ladders.of_trials(db, ["v2"]) == [replace(game, score=0.5)]
        assert len(await ladders.left_behind(db, ["x"])) == 2


async def test_only_files_of_versions_that_will_not_play_again_are_deleted(store: Store):
    versions = await versions_of(store, 8)
    digests = [str(one.version) * 64 for one in versions]
    ended = ["replaced", "failed", *["replaced"] * 2, "set_aside", "active", "testing", "failed"]
    async with store.write() as db:
        for one, digest, state in zip(versions, digests, ended, strict=True):
            await stored.keep(db, digest, b"a bot")
            await stored.change(db, one.id, {"sha256": digest, "state": state})
        await stored.change(db, "v2", {"built": digests[6]})  # of the version that is tested
        frozen = {"id": "cup", "name": "Cup", "game": "pyrat", "state": "round_robin"}
        frozen |= {"config": {}, "format": {}, "clock": {}, "seed": 1, "salt": "", "commitment": ""}
        frozen |= {"created_ms": 1, "freeze_ms": 3}
        await db.execute(insert(tournaments), [frozen])
        entry = {"tournament": "cup", "entry": 1, "concurrency": 1, "submitted": versions[0].bot}
        await db.execute(insert(entrants), [entry])
        game = {"game": "pyrat", "begun_ms": 1, "why": "challenge", "rated": True, "taken_by": "x"}
        playing = [{"submission": "v5"}, {"submission": None}]
        await db.execute(insert(ladder_games), [game | {"match": "m", "players": playing}])

    assert await prune_files(store, 2) == (1, 5)  # the first one was handed in before
    assert await prune_files(store, 9) == (1, 5)
    assert await prune_files(store, 9) == (0, 0)
    async with store.write() as db:
        kept = [bool(await stored.content(db, digest)) for digest in digests]
        assert kept == [False, False, True, True, True, True, True, True]
        await db.execute(update(tournaments).values(state="finished"))
        await db.execute(update(ladder_games).values(taken_by=None))
    assert await prune_files(store, 9) == (2, 10)
    async with store.write() as db:
        assert await stored.active(db, versions[0].bot, 3) is None
        await stored.keep(db, digests[2], b"a bot")
        again = await stored.active(db, versions[0].bot, 3)
        assert again is not None
        assert again.id == "v3"
        assert await stored.set_aside(db, versions[5], "it failed") == 7
        assert await stored.set_aside(db, versions[6], "it failed") == 4
