"""What one process of a server has, whatever it is used for."""

from __future__ import annotations

from typing import Final

import structlog

from client_sdk.running import Pause
from client_sdk.version import installed
from server.health import Health
from server.matches.clock import MS
from server.matches.stalls import Stalls
from server.metrics import Metrics
from server.net.descriptors import Descriptors
from server.offload import Offload
from server.settings import Settings
from server.webhook import Webhook

READ_S: Final = 20.0
"""What it may take to read what was written elsewhere: bots that are handed in, plans of
tournaments."""


class ProcessParts:
    def __init__(self, settings: Settings) -> None:
        self.version = installed()
        self.name = "botarena" if self.version is None else f"botarena/{self.version}"
        """The name that the server gives itself."""
        self.settings = settings
        self.health = Health()
        self.metrics = Metrics()
        self.descriptors = Descriptors()
        self.stalls = Stalls(settings.recovery_ms, on_lag=self.metrics.lag, on_pause=self._paused)
        self.offload = Offload()
        self.reader = Offload(READ_S)
        """A second child, so that no other work waits for a file that is slow to read."""
        webhook = settings.webhook_url
        self.webhook = Webhook(None if webhook is None else webhook.get_secret_value())

    def _paused(self, pause: Pause) -> None:
        ms = (pause.ended - pause.begun) // MS
        self.metrics.paused(ms)
        structlog.get_logger().warning("the process was paused; no seat pays for that", ms=ms)
