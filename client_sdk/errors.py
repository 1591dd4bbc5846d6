"""What goes wrong between a bot and a server, and whose fault it was."""

from __future__ import annotations

from games.core.contract import Json
from games.core.errors import BotarenaError


class ServerRefused(BotarenaError):
    """The server refused a request, or closed the connection. `docs/errors.md` lists the codes."""

    def __init__(
        self,
        code: str,
        text: str,
        retry: bool = False,
        *,
        field: str | None = None,
        allowed: Json = None,
    ) -> None:
        super().__init__(f"{text} ({code})")
        self.code = code
        """What went wrong. A code never changes its meaning."""
        self.text = text
        """The same as a sentence."""
        self.retry = retry
        """Trying again, with the same token, can help."""
        self.field = field
        """REST: the field of the request that is wrong."""
        self.allowed = allowed
        """REST: the values or limits that are accepted there."""


class ConnectionLost(BotarenaError):
    """The server cannot be reached, or no longer."""


class BadBot(BotarenaError):
    """A bot cannot be loaded, or its options are wrong."""


class BotGone(BotarenaError):
    """A bot that is a program of its own has ended in the middle of a match, as was logged."""
