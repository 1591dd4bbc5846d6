"""Teams of accounts, and accounts that are made in bulk: the queries."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sqlalchemy import and_, delete, insert, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from server.errors import Refusal
from server.store.accounts import Account, add_account, hold, now_ms
from server.store.store import IMPORT_LOCK, Store, queue
from server.store.tables import accounts, bots, entrants, team_members, teams, tournaments
from server.store.tournaments import OVER
from server.tokens import new_id


class Member(NamedTuple):
    """Who is to have an account. `team`: the name of the team, if there is one."""

    name: str
    team: str | None


class IssuedKey(NamedTuple):
    """A new account with its key, which is known only now."""

    member: Member
    account: Account
    key: str


async def members(db: AsyncConnection) -> dict[str, str]:
    """The team's name of each account that is in one."""
    query = select(team_members.c.account, teams.c.name)
    query = query.join(teams, teams.c.id == team_members.c.team)
    return {row.account: row.name for row in await db.execute(query)}


async def team_of(db: AsyncConnection, account: str) -> list[str]:
    """The accounts that have their bots together with this one, itself among them."""
    own = select(team_members.c.team).where(team_members.c.account == account).scalar_subquery()
    query = select(team_members.c.account).where(team_members.c.team == own)
    return sorted({account, *(await db.execute(query)).scalars()})


async def hold_team(db: AsyncConnection, account: str) -> list[str]:
    """The same accounts; until the end of the transaction no other one that holds one of them hands
    in anything, or changes the team."""
    held: list[str] = []
    while (team := await team_of(db, account)) != held:  # it may have changed before it was held
        await hold(db, team)
        held = team
    return team


async def join(db: AsyncConnection, team: str, account: str) -> None:
    """The account is in this team from now on, and in no other. A new name makes a new team. Raises
    Refusal as `leave`."""
    await hold(db, [account])
    if (await members(db)).get(account) == team:
        return
    await leave(db, account)
    called = select(teams.c.id).where(teams.c.name == team)
    known = (await db.execute(called)).scalar()
    if known is None:
        row = {"id": new_id(), "name": team, "created_ms": now_ms()}
        with contextlib.suppress(IntegrityError):  # another one makes it at this moment
            async with db.begin_nested():
                await db.execute(insert(teams), [row])
        known = (await db.execute(called)).scalar_one()
    await db.execute(insert(team_members), [{"account": account, "team": known}])


async def leave(db: AsyncConnection, account: str) -> None:
    """The account is in no team from now on. Raises Refusal while its entrant of a tournament plays
    a bot of another member, or an entrant of another member plays one of its bots."""
    await hold(db, [account])
    e, mates = entrants.c, [one for one in await team_of(db, account) if one != account]
    shared = or_(
        and_(e.account == account, bots.c.account.in_(mates)),
        and_(e.account.in_(mates), bots.c.account == account),
    )
    query = select(e.tournament).distinct().join(bots, bots.c.id == e.submitted)
    query = query.join(tournaments, tournaments.c.id == e.tournament)
    query = query.where(shared, tournaments.c.state.not_in(OVER)).order_by(e.tournament)
    if found := list((await db.execute(query)).scalars()):
        text = (
            "the account plays a bot of another member of its team in a tournament, or another "
            f"member one of its bots; it can leave when these are over: {', '.join(found)}"
        )
        raise Refusal(409, "in_tournament", text, field="account")
    await db.execute(delete(team_members).where(team_members.c.account == account))


async def create_all(
    store: Store, wanted: Sequence[Member], issued: Callable[[list[IssuedKey]], None]
) -> int:
    """Make an account for each of these that has none yet, by name and team. `issued` gets the keys
    before anything is stored: if it raises, nothing is. Returns how many there were already."""
    async with store.write() as db:
        await queue(db, IMPORT_LOCK)
        of = await members(db)
        query = select(accounts.c.id, accounts.c.name).where(
            accounts.c.kind == "bot", accounts.c.disabled_ms.is_(None)
        )
        there = Counter(Member(row.name, of.get(row.id)) for row in await db.execute(query))
        made: list[IssuedKey] = []
        for member in wanted:
            if there[member]:
                there[member] -= 1
                continue
            account, _, token = await add_account(db, member.name, "bot")
            if member.team is not None:
                await join(db, member.team, account.id)
            made.append(IssuedKey(member, account, token))
        if made:
            issued(made)
    return len(wanted) - len(made)
