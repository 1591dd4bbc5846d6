"""Who asks: the account behind a key, and what it may do by the table of `scopes`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from server.accounts.scopes import ACCOUNTS, Action, TokenRole, allowed, may
from server.errors import Refusal
from server.store.accounts import Account, AccountKind, Accounts
from server.tokens import digest, is_key

PRIVATE = "its owner's, a seat's or the invite's token opens it"
_MEMBER = {
    "owner": "the token of the lobby's owner",
    "seat": "the token of a seat of this lobby",
    "invite": "the lobby's invite",
}


@dataclass(frozen=True, slots=True)
class Requester:
    """The sender of a request, with the rules that hold here. `token`: one that is no key, so it
    may be a lobby's."""

    account: Account | None = None
    token: str | None = field(default=None, repr=False)
    closed: bool = False
    sign_up: bool | None = None

    @property
    def kind(self) -> AccountKind | None:
        return None if self.account is None else self.account.kind

    @property
    def own_account(self) -> Account:
        """Of a requester whom the table of scopes lets in only with one."""
        assert self.account is not None
        return self.account

    def who(self, address: str) -> str:
        """Whose limits count: the account's or, without one, those of the address."""
        return address if self.account is None else f"account {self.account.id}"

    def may(self, action: Action, token: TokenRole | None = None) -> bool:
        """`token`: what the requester's token is to the lobby that it is about."""
        return may(allowed(action, closed=self.closed, sign_up=self.sign_up), self.kind, token)

    def check(self, action: Action, token: TokenRole | None = None) -> None:
        """Raises Refusal."""
        if not self.may(action, token):
            raise self._refusal(action)

    def _refusal(self, action: Action) -> Refusal:
        roles = allowed(action, closed=self.closed, sign_up=self.sign_up)
        if action in ("watch_private", "join_private"):
            return Refusal(403, "private", f"this is private: {PRIVATE}", field="Authorization")
        keys = sorted(roles & ACCOUNTS)
        if not keys:
            needed = " or ".join(_MEMBER[role] for role in sorted(roles) if role in _MEMBER)
            text = f"this takes {needed}, as Authorization: Bearer …"
            return Refusal(403, "wrong_token", text, field="Authorization")
        needed = f"the key of an account, kind {' or '.join(keys)}"
        if self.account is None:
            text = f"this takes {needed}, as Authorization: Bearer …"
            return Refusal(401, "key_needed", text, field="Authorization")
        text = f"this takes {needed}; yours is a {self.kind}"
        return Refusal(403, "forbidden", text, field="Authorization")


class Authenticator:
    """The one place that turns a request's token into a Requester."""

    def __init__(self, accounts: Accounts, *, closed: bool, sign_up: bool | None) -> None:
        self._accounts = accounts
        self._closed = closed
        self._sign_up = sign_up

    def anonymous(self, token: str | None = None) -> Requester:
        """A Requester without an account."""
        return Requester(None, token, self._closed, self._sign_up)

    async def requester(self, token: str | None) -> Requester:
        """Whose key this is; another token is kept for the lobby that may know it. Raises Refusal
        for a key of no account.

        A revoked key, one of a disabled account and an unknown one get the same answer.
        """
        if token is None or not is_key(token):
            return self.anonymous(token)
        account = await self._accounts.by_key(token)
        if account is None:
            text = "no account has this key, or not any more"
            raise Refusal(401, "bad_key", text, field="Authorization")
        return Requester(account, None, self._closed, self._sign_up)


def token_role(doors: Sequence[str], salt: str, token: str | None) -> TokenRole | None:
    """What a token is to a match, by the salted digests that its record keeps: its owner's, its
    invite's, then its seats'."""
    known = None if token is None else digest(token, salt)
    if known is None or known not in doors:
        return None
    roles: tuple[TokenRole, ...] = ("owner", "invite", "seat")
    return roles[min(doors.index(known), 2)]


def seat_of(doors: Sequence[str], salt: str, token: str | None) -> int | None:
    """Whose seat's token this is, by the same digests; None: no seat's."""
    if token is None or token_role(doors, salt, token) != "seat":
        return None
    return doors.index(digest(token, salt)) - 2


def role_of(opened: str | int | None) -> TokenRole | None:
    """What a lobby's door says of a token (Lobby.opens), as a role."""
    roles: dict[str, TokenRole] = {"owner": "owner", "invite": "invite"}
    return "seat" if isinstance(opened, int) else None if opened is None else roles[opened]
