"""Who asks, and whether they may: the one dependency of every route. See `accounts.scopes`."""

# No `from __future__ import annotations` here: FastAPI reads the annotations of `May.__call__`, and
# cannot when they are text.

from typing import Annotated, Any

import structlog
from fastapi import Depends, Header, Request
from fastapi.openapi.models import HTTPBearer
from fastapi.security.base import SecurityBase

from server.accounts.authentication import Authenticator, Requester
from server.accounts.scopes import Action
from server.errors import Refusal
from server.store.accounts import Accounts

Authorization = Annotated[str | None, Header(include_in_schema=False)]
"""Bearer and an account's key, or a token of the lobby that it is about; the OpenAPI document has
it as a security scheme."""


class May(SecurityBase):
    """Who asks for this action. Refused at once, but where the lobby has to be known first: there
    the route says `check`.

    FastAPI notes the action as the operation's security, which `server.routes.openapi` replaces by
    what may be shown for it."""

    def __init__(self, action: Action, *, later: bool = False) -> None:
        self.action = action
        self.scheme_name: str = action
        self.model = HTTPBearer()
        self._later = later

    async def __call__(self, request: Request, authorization: Authorization = None) -> Requester:
        """Raises Refusal."""
        requester = await signed_in(request, authorization)
        if not self._later:
            requester.check(self.action)
        return requester


class Browse(May):
    """What is open to anybody on any server; what comes along is not even looked at."""

    def __init__(self) -> None:
        super().__init__("browse")

    async def __call__(self) -> Requester:  # type: ignore[override]
        return Requester()


BROWSE: list[Any] = [Depends(Browse())]

Lists = Annotated[Requester, Depends(May("list"))]
Watches = Annotated[Requester, Depends(May("watch", later=True))]
Creates = Annotated[Requester, Depends(May("create"))]
Joins = Annotated[Requester, Depends(May("join", later=True))]
AddsBot = Annotated[Requester, Depends(May("add_bot", later=True))]
Starts = Annotated[Requester, Depends(May("start", later=True))]
Leaves = Annotated[Requester, Depends(May("leave", later=True))]
SeesSeat = Annotated[Requester, Depends(May("see_seat", later=True))]
Enters = Annotated[Requester, Depends(May("enter"))]
HandsIn = Annotated[Requester, Depends(May("hand_in"))]
Leads = Annotated[Requester, Depends(May("contest"))]
SignsUp = Annotated[Requester, Depends(May("sign_up"))]
Owns = Annotated[Requester, Depends(May("own_account"))]
Keeps = Annotated[Requester, Depends(May("accounts"))]
Administers = Annotated[Requester, Depends(May("admin"))]


async def signed_in(request: Request, authorization: str | None) -> Requester:
    """Who asks, at this moment. Raises Refusal."""
    authenticator: Authenticator = request.app.state.authenticator
    return await authenticator.requester(bearer(authorization))


async def did(
    accounts: Accounts,
    requester: Requester,
    verb: str,
    target: str | None = None,
    details: Any = None,
) -> None:
    """What an organiser does is written down in the database and in the log: who, what, when."""
    account = requester.own_account.id
    await accounts.did(account, verb, target, details)
    log = structlog.get_logger()
    log.info("organiser", account=account, verb=verb, target=target, **(details or {}))


def bearer(authorization: str | None) -> str | None:
    """The token of an `Authorization: Bearer …` header. Raises Refusal."""
    if authorization is None:
        return None
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token:
        text = "Authorization: expected Bearer and a token"
        raise Refusal(401, "bad_authorization", text, field="Authorization")
    return token.strip()
