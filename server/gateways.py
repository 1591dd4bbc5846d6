"""Gateways of this server: a process for each, which clients of another contest's server connect to
(`client_sdk.gateway`). They are started with the server, restarted when they end, and end with
it."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from client_sdk.gateway.kinds import GATEWAYS
from server.cluster.supervisor import SupervisedProcess, Supervisor
from server.settings import Settings

ENDING_S: Final = 30.0
"""A gateway that has not ended by then is killed: the server waits for it."""
PORTS: Final[Mapping[str, tuple[str, ...]]] = {
    "catastrophe": ("cadre_port", "cadre_websocket_port"),
    "zooscape": ("signalr_port",),
}
"""By game, the settings with the gateway's ports; it runs if the first is set. One that is not set
keeps its distance from the first."""


class GatewaySockets:
    """The listening sockets of all gateways, by game; a context manager."""

    def __init__(self, settings: Settings) -> None:
        """Raises OSError."""
        if os.name != "posix" and any(_ports(settings, game) for game in PORTS):
            why = "this system hands no sockets to gateways; use botarena bridge"
            raise OSError(errno.ENOTSUP, why, "gateways")
        self._sockets: dict[str, list[socket.socket]] = {}
        self._open = contextlib.ExitStack()
        with contextlib.ExitStack() as opened:
            for game in PORTS:
                self._sockets[game] = [
                    opened.enter_context(_listening(settings.host, port))
                    for port in _ports(settings, game)
                ]
            self._open = opened.pop_all()

    def __enter__(self) -> GatewaySockets:
        return self

    def __exit__(self, *exc: object) -> None:
        self._open.close()

    @property
    def all(self) -> list[socket.socket]:
        return [one for sockets in self._sockets.values() for one in sockets]

    def processes(self, settings: Settings) -> list[SupervisedProcess]:
        """The gateways to start. `settings` have the server's port."""
        return [
            _process(game, settings, [one.fileno() for one in sockets])
            for game, sockets in self._sockets.items()
            if sockets
        ]


@contextlib.contextmanager
def supervised(processes: Sequence[SupervisedProcess]) -> Iterator[None]:
    """They run for as long as the context lasts."""
    supervisor = Supervisor([], processes)
    thread = threading.Thread(target=supervisor.watch, name="gateways")
    thread.start()
    try:
        yield
    finally:
        supervisor.end()
        thread.join()


def _ports(settings: Settings, game: str) -> list[int]:
    """The ports of a gateway, 0 for a free one; empty: it does not run."""
    first, *others = (getattr(settings, name) for name in PORTS[game])
    if first is None:
        return []
    expected = GATEWAYS[game].ports
    kept = (first + port - expected[0] if first else 0 for port in expected[1:])
    pairs = zip(others, kept, strict=True)
    return [first, *(port if own is None else own for own, port in pairs)]


def _listening(host: str, port: int) -> socket.socket:
    """Raises OSError that names the address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=128)
    except (OSError, OverflowError) as fault:
        number = getattr(fault, "errno", None) or errno.EINVAL
        raise OSError(number, os.strerror(number), f"{host}:{port}") from None
    listener.set_inheritable(True)
    return listener


def gateway_secret(settings: Settings) -> dict[str, str]:
    """What a gateway proves itself with, as a variable of the environment."""
    secret = settings.gateway_secret
    return {} if secret is None else {"BOTARENA_GATEWAY_SECRET": secret.get_secret_value()}


def _process(game: str, settings: Settings, files: Sequence[int]) -> SupervisedProcess:
    command = [sys.executable, "-P", "-m", "client_sdk.cli", "bridge", game, settings.local_url]
    command += ["--inherited", ",".join(map(str, files))]
    # A seat or a key in the environment is not for the clients.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BOTARENA_")}
    return SupervisedProcess(game, command, kept | gateway_secret(settings), files, ENDING_S)
