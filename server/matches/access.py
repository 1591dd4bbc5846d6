"""Which tokens, and which password, let a client into a lobby."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from server.tokens import digest


@dataclass(frozen=True, slots=True)
class Access:
    """Digests only, of the tokens of the owner and of the invite.

    The password's digest is kept in memory only. It can be guessed only through requests to join,
    which are throttled. A slow hash would add nothing to that, and take time from running matches.
    """

    salt: str
    doors: Sequence[str]
    """The owner's and the invite's, salted."""
    owner: str = ""
    invite: str = ""
    password: str | None = field(default=None, repr=False)

    @classmethod
    def create(cls, owner: str, invite: str, password: str | None) -> Access:
        salt = secrets.token_hex(16)
        locked = None if password is None else digest(password, salt)
        return cls(
            salt, [digest(owner, salt), digest(invite, salt)], digest(owner), digest(invite), locked
        )

    def role(self, salted: str) -> Literal["owner", "invite"] | None:
        if salted not in self.doors:
            return None
        return "owner" if salted == self.doors[0] else "invite"

    @property
    def locked(self) -> bool:
        """Whether a password is asked for."""
        return self.password is not None

    def unlocks(self, password: str) -> bool:
        return self.password is not None and secrets.compare_digest(
            digest(password, self.salt), self.password
        )
