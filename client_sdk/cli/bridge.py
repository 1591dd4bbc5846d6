"""`botarena bridge`: a gateway beside a bot that was written for another contest's server."""

from __future__ import annotations

from typing import Annotated

import typer

from client_sdk.address import LOCAL
from client_sdk.cli.online import KeyOption
from client_sdk.console import UserError, log_to_stderr


def bridge(
    game: Annotated[
        str,
        typer.Argument(
            help="catastrophe: clients of the Cadre protocol; zooscape: of the SignalR hub.",
            show_default=False,
        ),
    ],
    url: Annotated[
        str, typer.Argument(help="The server.", envvar="BOTARENA_URL", show_default=LOCAL)
    ] = LOCAL,
    listen: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT",
            help="Where clients connect, such as 127.0.0.2:3000; port 0: free ones.",
            show_default="127.0.0.1 and the contest's port",
        ),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            help="The seat of clients that bring no token (better: the variable).",
            envvar="BOTARENA_TOKEN",
            show_default=False,
        ),
    ] = None,
    lobby: Annotated[
        str,
        typer.Option(
            help="For clients that name none: a lobby's id or name, * for any open one, new for a "
            "new one."
        ),
    ] = "*",
    name: Annotated[
        str | None, typer.Option(help="What the others see.", show_default="the client's own name")
    ] = None,
    key: KeyOption = None,
    command: Annotated[
        str | None,
        typer.Option(
            "--run",
            metavar="COMMAND",
            help="Start this client, and end with it.",
            show_default=False,
        ),
    ] = None,
    secret: Annotated[
        str | None, typer.Option(hidden=True, envvar="BOTARENA_GATEWAY_SECRET")
    ] = None,
    inherited: Annotated[str | None, typer.Option(hidden=True)] = None,
) -> None:
    """Let clients that were written for another contest's server play on this one, until Ctrl-C.

    \b
    botarena bridge catastrophe http://127.0.0.1:8000
    botarena bridge catastrophe arena.example:8000 --listen 127.0.0.2:3000 --lobby cup-7
    botarena bridge zooscape arena.example:8000 --run "dotnet run"
    """
    from client_sdk.gateway import running
    from client_sdk.gateway.kinds import GATEWAYS
    from client_sdk.gateway.seats import SeatSource

    kind = GATEWAYS.get(game)
    if kind is None:
        raise UserError(f"no gateway for {game!r}: expected {' or '.join(GATEWAYS)}")
    log_to_stderr()
    try:
        seats = SeatSource(url, token=token, lobby=lobby, name=name, key=key, secret=secret)
    except ValueError as fault:
        raise UserError(str(fault)) from None
    if inherited is not None:
        listeners = running.inherited(inherited)
    else:
        if token is None:
            with seats.rest("") as rest:
                rest.health()  # a server that is not there is reported at once
        listeners = running.listeners_at(kind, listen)
    if status := running.run(kind, listeners, seats, command):
        raise typer.Exit(status)
