"""The gateways by game. A gateway is added with a function and an entry of `GATEWAYS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from socket import socket
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:  # a server reads the ports, and takes no seats itself
    from client_sdk.gateway.seats import SeatSource


class Gateway(Protocol):
    """A gateway that serves clients in threads of its own."""

    def close(self, why: str) -> None:
        """Accept no more clients, and end the conversation with each: with this reason, where its
        protocol has a message for it. Returns after a few seconds at most."""
        ...


@dataclass(frozen=True, slots=True)
class GatewayKind:
    """A protocol of foreign clients."""

    protocol: str
    """Its name."""
    ports: tuple[int, ...]
    """The ports that its clients expect. With another first port the others keep their distance."""
    open: Callable[[Sequence[socket], SeatSource], Gateway]
    """Serve clients at these listening sockets, one for each port."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Variables by which a client finds the gateway; {host} and {port} are filled in."""
    defaults: Mapping[str, str] = field(default_factory=dict)
    """Variables that a client needs besides, unless they are set; {guid} is filled in."""


def _cadre(listeners: Sequence[socket], seats: SeatSource) -> Gateway:
    from client_sdk.gateway.cadre.front import CadreGateway

    return CadreGateway(listeners, seats)


def _signalr(listeners: Sequence[socket], seats: SeatSource) -> Gateway:
    from client_sdk.gateway.signalr.front import opened

    return opened(listeners, seats)


GATEWAYS: Final[Mapping[str, GatewayKind]] = {
    "catastrophe": GatewayKind("Cadre", (3000, 3088), _cadre),
    "zooscape": GatewayKind(
        "SignalR",
        (5000,),
        _signalr,
        {"RUNNER_IPV4": "{host}", "RUNNER_PORT": "{port}"},
        {"Token": "{guid}", "BOT_NICKNAME": "bot"},
    ),
}
