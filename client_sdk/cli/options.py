"""What the command itself can be asked, without a verb."""

from __future__ import annotations

from typing import Annotated

import typer

from client_sdk.console import say
from client_sdk.version import installed


def _say_version(asked: bool) -> None:
    if asked:
        say(f"botarena {installed() or '(not installed)'}")
        raise typer.Exit


def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_say_version, is_eager=True, help="Say which Botarena this is."
        ),
    ] = False,
) -> None:
    """Before any verb."""
