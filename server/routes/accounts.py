"""Accounts and their keys over HTTP (PROTOCOL.md §5)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import Field

from games.core.contract import Json
from server.accounts.throttle import Throttle
from server.errors import Refusal
from server.lobbies.requests import checked_name
from server.net.limits import neighbourhood
from server.proxies import address
from server.routes.large import RequestBody
from server.routes.may import Keeps, Owns, SignsUp, did
from server.routes.models import accounts as models
from server.routes.models.accounts import (
    AccountWithKeys,
    CreatedAccount,
    CreatedKey,
    ListedAccount,
)
from server.routes.models.answer import answers, nothing
from server.routes.parameters import AccountName, KeyId
from server.routes.route import API, routes_below
from server.store import teams
from server.store.accounts import Account, AccountKind, Accounts


class CreateAccount(RequestBody):
    """An account to create."""

    name: Annotated[str, Field(max_length=200)]
    """Its name, which other accounts may have too."""
    kind: AccountKind = Field(
        "bot", description="Only organisers may create other kinds than `bot`."
    )


class JoinTeam(RequestBody):
    """The team of an account."""

    team: Annotated[str, Field(max_length=200)]
    """Its name; a new one makes a team."""


def router(accounts: Accounts, sign_ups_per_minute: int) -> APIRouter:
    routes = routes_below(f"{API}/accounts", tag="accounts")
    sign_ups = Throttle(sign_ups_per_minute)

    @routes.post("", status_code=201, responses=answers(CreatedAccount, status=201))
    async def create_account(body: CreateAccount, requester: SignsUp, request: Request) -> Json:
        """Create an account with its first key, which is returned only here."""
        name = checked_name(body.name)
        if body.kind != "bot":
            requester.check("accounts")
        if requester.kind != "organiser":
            _count(sign_ups, neighbourhood(address(request.scope)))
        account, key, token = await accounts.create(name, body.kind)
        if requester.account is not None:
            await did(accounts, requester, "create_account", account.id, {"kind": body.kind})
        return account.json() | {"key_id": key.id, "key": token}

    @routes.get("", responses=answers(list[ListedAccount]))
    async def list_accounts(requester: Keeps) -> list[Json]:
        """All accounts, oldest first, with their teams."""
        return await _listed(accounts, await accounts.all())

    @routes.get("/me", responses=answers(AccountWithKeys))
    async def get_own_account(requester: Owns) -> Json:
        """The account of the request's key, with all its keys."""
        return await _with_keys(accounts, requester.own_account)

    @routes.post("/me/keys", status_code=201, responses=answers(CreatedKey, 409, status=201))
    async def create_own_key(requester: Owns) -> Json:
        """Create another key for the account of the request's key. The key is returned only
        here."""
        key, token = await accounts.new_key(requester.own_account.id)
        return key.json() | {"key": token}

    @routes.delete("/me/keys/{key_id}", status_code=204, responses=nothing())
    async def revoke_own_key(key_id: KeyId, requester: Owns) -> Response:
        """Revoke a key of the account of the request's key, at once."""
        await accounts.revoke(key_id, requester.own_account.id)
        return Response(status_code=204)

    @routes.get("/{account}", responses=answers(AccountWithKeys, 409))
    async def get_account(account: AccountName, requester: Keeps) -> Json:
        """One account, with all its keys."""
        return await _with_keys(accounts, await accounts.get(account))

    @routes.post("/{account}/disable", responses=answers(models.Account, 409))
    async def disable_account(account: AccountName, requester: Keeps) -> Json:
        """Disable an account: its keys are no longer valid. It keeps the seats that it has
        taken."""
        found = await accounts.get(account)
        await accounts.disable(found.id)
        await did(accounts, requester, "disable_account", found.id)
        return (await accounts.get(found.id)).json()

    @routes.put("/{account}/team", responses=answers(ListedAccount, 409))
    async def join_team(account: AccountName, body: JoinTeam, requester: Keeps) -> Json:
        """Put an account in a team, whose accounts have their bots together. An account is in one
        team: it leaves the one in which it was."""
        team = checked_name(body.team)
        found = await accounts.get(account)
        async with accounts.store.write() as db:
            await teams.join(db, team, found.id)
        await did(accounts, requester, "team", found.id, {"team": team})
        (listed,) = await _listed(accounts, [found])
        return listed

    @routes.delete("/{account}/team", responses=answers(ListedAccount, 409))
    async def leave_team(account: AccountName, requester: Keeps) -> Json:
        """Take an account out of its team: its own bots stay its own, and it has no others. This,
        like a change of the team, waits while one plays a bot of the other in a tournament."""
        found = await accounts.get(account)
        async with accounts.store.write() as db:
            await teams.leave(db, found.id)
        await did(accounts, requester, "team", found.id, {"team": None})
        (listed,) = await _listed(accounts, [found])
        return listed

    @routes.post("/{account}/keys", status_code=201, responses=answers(CreatedKey, 409, status=201))
    async def create_key(account: AccountName, requester: Keeps) -> Json:
        """Create another key for an account. The key is returned only here."""
        found = await accounts.get(account)
        key, token = await accounts.new_key(found.id)
        await did(accounts, requester, "new_key", found.id, {"key_id": key.id})
        return key.json() | {"key": token}

    @routes.delete("/{account}/keys/{key_id}", status_code=204, responses=nothing(409))
    async def revoke_key(account: AccountName, key_id: KeyId, requester: Keeps) -> Response:
        """Revoke a key of an account, at once."""
        found = await accounts.get(account)
        await accounts.revoke(key_id, found.id)
        await did(accounts, requester, "revoke_key", found.id, {"key_id": key_id})
        return Response(status_code=204)

    return routes


async def _listed(accounts: Accounts, some: Sequence[Account]) -> list[Json]:
    async with accounts.store.read() as db:
        of = await teams.members(db)
    return [account.json() | {"team": of.get(account.id)} for account in some]


async def _with_keys(accounts: Accounts, account: Account) -> Json:
    return account.json() | {"keys": [key.json() for key in await accounts.keys(account.id)]}


def _count(sign_ups: Throttle, where: str) -> None:
    """Raises Refusal."""
    at = time.monotonic_ns()
    if not sign_ups.open(where, at):
        text = "too many new accounts from your address: try again in a minute"
        raise Refusal(429, "too_many_accounts", text)
    sign_ups.spend(where, at)
