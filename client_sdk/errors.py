"""What goes wrong between a bot and a server, and whose fault it was."""

from __future__ import annotations

from games.core.contract import Json
from games.core.errors import BotarenaError


class ServerRefused(BotarenaError):
    """The server said no: over REST or as the last word on a socket. `retry`: coming back with the
    same token can help."""

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
        self.text = text
        self.retry = retry
        self.field = field
        """REST: the field of the request that is wrong."""
        self.allowed = allowed
        """REST: what may stand there."""


class ConnectionLost(BotarenaError):
    """The server cannot be reached, or not any more."""


class BadBot(BotarenaError):
    """A bot that cannot be loaded or set up."""
