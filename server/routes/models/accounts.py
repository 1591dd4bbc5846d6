"""Accounts, their keys, and what organisers do."""

from __future__ import annotations

from games.core.contract import Json
from server.routes.models.answer import Model
from server.store.accounts import Kind


class Account(Model):
    account: str
    name: str
    kind: Kind
    created_ms: int
    disabled_ms: int | None


class AccountKey(Model):
    """A key without what opens anything."""

    key_id: str
    account: str
    created_ms: int
    revoked_ms: int | None
    last_used_ms: int | None


class CreatedAccount(Account):
    key_id: str
    key: str
    """Only in this answer."""


class AccountWithKeys(Account):
    keys: list[AccountKey]


class CreatedKey(AccountKey):
    key: str
    """Only in this answer."""


class Drain(Model):
    draining: bool
    """No new lobbies and no new seats."""
    left: int
    """Matches that still run."""


class Action(Model):
    """What an organiser did."""

    at_ms: int
    account: str | None
    """null: at the server's own machine."""
    verb: str
    target: str | None
    details: Json
