"""Who returns: a client of the hub is known by the cookie of its negotiation, or by the id of an
earlier connection. Either keeps it its seat; both are secrets that only the client gets."""

from __future__ import annotations

import secrets
import uuid
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from typing import Final

from client_sdk.gateway.seats import ClientSeat

MAX_NAMES: Final = 10_000
"""Cookies and ids that are remembered; beyond it the oldest are forgotten, except the cookie and
the newest ids of those that have a seat."""
NEWEST: Final = 3
"""Ids kept of each: a client that tries to return may have got one that it does not know."""


@dataclass(frozen=True, slots=True)
class HubSeat:
    """A seat that a bot took through the hub."""

    seat: ClientSeat
    """The seat on the server. Its token is shown to no client."""
    own_id: str = field(repr=False)
    """The id by which the bot knows its animal."""
    key: str = field(repr=False)
    """The token that it registered with; the same for every spelling."""


def new_guid() -> str:
    """For a bot without a token."""
    return str(uuid.uuid4())


def new_secret() -> str:
    """An id of a connection, or a cookie's value."""
    return secrets.token_urlsafe(16)


@dataclass(eq=False, slots=True)
class Visitor:
    """A client, over all its connections."""

    cookie: str = field(default_factory=new_secret)
    ids: deque[str] = field(default_factory=lambda: deque(maxlen=NEWEST))
    """The newest ones of its connections: by them a client without cookies returns."""
    seat: HubSeat | None = None


class Visitors:
    """All clients that may return."""

    def __init__(self) -> None:
        self._named: OrderedDict[str, Visitor] = OrderedDict()

    def negotiate(self, old_id: str | None, cookie: str | None) -> tuple[str, Visitor]:
        """The id for a new connection, and whose it is. `old_id`: of a connection that it had."""
        visitor = self._known(old_id) or self._known(cookie) or Visitor()
        connection_id = new_secret()
        visitor.ids.append(connection_id)
        self._remember(visitor.cookie, visitor)
        self._remember(connection_id, visitor)
        return connection_id, visitor

    def connect(self, connection_id: str | None, cookie: str | None) -> tuple[str, Visitor]:
        """The same for a websocket. It has another id if it was not negotiated."""
        visitor = self._known(connection_id)
        if connection_id is None or visitor is None:
            return self.negotiate(None, cookie)
        return connection_id, visitor

    def _known(self, name: str | None) -> Visitor | None:
        return None if name is None else self._named.get(name)

    def _remember(self, name: str, visitor: Visitor) -> None:
        self._named[name] = visitor
        self._named.move_to_end(name)
        for _ in range(len(self._named) - MAX_NAMES):
            oldest, one = self._named.popitem(last=False)
            if one.seat is not None and oldest in (one.cookie, *one.ids):
                self._named[oldest] = one
