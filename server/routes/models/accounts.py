"""Accounts, their keys, and what organisers do."""

from __future__ import annotations

from games.core.contract import Json
from server.routes.models.answer import Model
from server.store.accounts import AccountKind


class Account(Model):
    """An account, without its keys."""

    account: str
    """Its id."""
    name: str
    """Its name, which other accounts may have too."""
    kind: AccountKind
    """What it may do."""
    created_ms: int
    """When it was created, ms since 1970."""
    disabled_ms: int | None
    """When it was disabled, ms since 1970; null: it is not."""


class ListedAccount(Account):
    """An account, and the team that it is in."""

    team: str | None
    """The team's name; null: it is in none."""


class AccountKey(Model):
    """A key, without its secret text."""

    key_id: str
    """Its id."""
    account: str
    """The id of its account."""
    created_ms: int
    """When it was created, ms since 1970."""
    revoked_ms: int | None
    """When it was revoked, ms since 1970; null: it is not."""
    last_used_ms: int | None
    """When it was last used, ms since 1970; null: never."""


class CreatedAccount(Account):
    """A new account with its first key."""

    key_id: str
    """The id of the key."""
    key: str
    """The key, which is in this answer only."""


class AccountWithKeys(Account):
    """An account with its keys."""

    keys: list[AccountKey]
    """All its keys, revoked ones too."""


class CreatedKey(AccountKey):
    """A new key."""

    key: str
    """The key, which is in this answer only."""


class Drain(Model):
    """Whether the server accepts new matches."""

    draining: bool
    """It accepts no new lobbies and gives no new seats."""
    left: int
    """The number of matches that still run."""


class OrganiserAction(Model):
    """An action of an organiser."""

    at_ms: int
    """When it happened, ms since 1970."""
    account: str | None
    """The organiser's account; null: at the server's own machine."""
    verb: str
    """What was done."""
    target: str | None
    """The id of what it was done to."""
    details: Json
    """Further facts, depending on the verb."""
