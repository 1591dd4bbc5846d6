"""Accounts and keys in the database, whichever it is."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from server.errors import Refusal
from server.store import ladders, teams
from server.store.accounts import KEYS, Accounts
from server.store.store import Store
from server.store.tables import accounts as table
from server.store.tables import keys as key_table


@pytest.fixture
def accounts(store: Store) -> Accounts:
    return Accounts(store)


async def refused(work) -> tuple[int, str]:
    with pytest.raises(Refusal) as fault:
        await work
    return fault.value.status, fault.value.code


async def test_only_a_key_opens_its_account(accounts: Accounts):
    made, _, token = await accounts.create("mine", "bot")
    other, _, _ = await accounts.create("mine", "spectator")

    assert await accounts.by_key(token) == made
    assert made.id != other.id
    for wrong in ("", "k_", token[:-1], token + "x", token.swapcase(), made.id):
        assert await accounts.by_key(wrong) is None


async def test_the_database_has_only_the_digest_of_a_key(accounts: Accounts, store: Store):
    _, _, token = await accounts.create("mine", "bot")
    async with store.read() as db:
        rows = [
            *(await db.execute(select(table))).all(),
            *(await db.execute(select(key_table))).all(),
        ]

    assert token[2:] not in str([tuple(row) for row in rows])


async def test_a_revoked_key_is_refused_and_the_others_work(accounts: Accounts):
    made, first, token = await accounts.create("mine", "bot")
    _, second = await accounts.new_key(made.id)
    await accounts.revoke(first.id)
    revoked_at = (await accounts.keys(made.id))[0].revoked_ms
    await accounts.revoke(first.id)

    assert await accounts.by_key(token) is None
    assert await accounts.by_key(second) == made
    assert revoked_at == (await accounts.keys(made.id))[0].revoked_ms


async def test_the_key_of_another_account_cannot_be_revoked(accounts: Accounts):
    mine, _, _ = await accounts.create("mine", "bot")
    _, key, token = await accounts.create("other", "bot")

    assert await refused(accounts.revoke(key.id, mine.id)) == (404, "no_such_key")
    assert await accounts.by_key(token) is not None


async def test_no_key_opens_a_disabled_account(accounts: Accounts):
    made, _, token = await accounts.create("mine", "organiser")
    await accounts.disable(made.id)

    assert await accounts.by_key(token) is None
    assert (await accounts.get(made.id)).disabled_ms is not None


async def test_the_last_use_of_a_key_is_stored(accounts: Accounts):
    made, key, token = await accounts.create("mine", "bot")
    assert key.last_used_ms is None
    await accounts.by_key(token)
    await accounts.close()
    used = (await accounts.keys(made.id))[0].last_used_ms
    await accounts.by_key(token)
    await accounts.close()

    assert used is not None
    assert (await accounts.keys(made.id))[0].last_used_ms == used


async def test_an_account_is_found_by_id_and_by_a_unique_name(accounts: Accounts):
    one, _, _ = await accounts.create("Ada", "bot")
    assert await accounts.get("Ada") == await accounts.get(one.id) == one
    other, _, _ = await accounts.create("Ada", "bot")

    assert await refused(accounts.get("Ada")) == (409, "ambiguous")
    assert await accounts.get(other.id) == other
    assert await refused(accounts.get("ada")) == (404, "no_such_account")


async def test_an_account_named_like_anothers_id_does_not_replace_it(
    accounts: Accounts,
):
    one, _, _ = await accounts.create("Ada", "bot")
    await accounts.create(one.id, "organiser")

    assert await accounts.get(one.id) == one


async def test_keys_per_account_are_limited(accounts: Accounts):
    made, first, _ = await accounts.create("mine", "bot")
    for _ in range(KEYS - 1):
        await accounts.new_key(made.id)
    assert await refused(accounts.new_key(made.id)) == (409, "too_many_keys")
    await accounts.revoke(first.id)

    assert await accounts.new_key(made.id)


async def test_organisers_actions_are_listed_newest_first(accounts: Accounts):
    made, _, _ = await accounts.create("mine", "organiser")
    await accounts.did(made.id, "abort", "p7k2", {"reason": "a power cut – “really”"})
    await accounts.did(None, "drain")
    done = await accounts.done(10)

    assert [one.at_ms for one in done] == sorted((one.at_ms for one in done), reverse=True)
    assert {(one.account, one.verb, one.target) for one in done} == {
        (made.id, "abort", "p7k2"),
        (None, "drain", None),
    }
    assert {"reason": "a power cut – “really”"} in [one.details for one in done]
    assert len(await accounts.done(1)) == 1


async def test_organisers_put_an_account_in_teams_at_the_same_time(accounts: Accounts):
    """In a team that is new too: the last one counts, and none is refused."""
    made, _, _ = await accounts.create("one", "bot")
    other, _, _ = await accounts.create("two", "bot")

    async def join(team: str, account: str) -> None:
        async with accounts.store.write() as db:
            await teams.join(db, team, account)

    for team in ("first", "second", "third"):
        await asyncio.gather(*[join(team, one.id) for one in (made, other) * 4])
        await asyncio.gather(*[join(f"{team} {number % 2}", made.id) for number in range(8)])
        async with accounts.store.read() as db:
            of = await teams.members(db)
        assert of[made.id] in (f"{team} 0", f"{team} 1")
        assert of[other.id] == team


async def test_a_bot_joins_a_ladder_several_times_at_once(accounts: Accounts):
    async def join(game: str, concurrency: int) -> None:
        async with accounts.store.write() as db:
            await ladders.join(db, game, made, concurrency)

    made, _, _ = await accounts.create("one", "bot")
    for game in ("pyrat", "zooscape", "cookoff"):
        await asyncio.gather(*[join(game, number) for number in range(1, 9)])
        async with accounts.store.read() as db:
            (place,) = await ladders.climbers(db, game)
        assert place.account == made.id


async def test_keys_that_are_created_at_the_same_time_are_limited(accounts: Accounts):
    made, _, _ = await accounts.create("mine", "bot")
    asked = [accounts.new_key(made.id) for _ in range(KEYS + 10)]
    found = await asyncio.gather(*asked, return_exceptions=True)

    assert len(await accounts.keys(made.id)) == KEYS
    assert sum(isinstance(one, Refusal) for one in found) == 11
