"""`botarena tournament`: a contest on one machine, and what its organiser can do. All that is known
is in a folder (`folder`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import typer

from client_sdk.cli.verbs import listed

ABOUT: Final = """\
A contest: round robins, a bracket, records, the organiser's decisions; `online`: on a server.

\b
botarena tournament run spring.toml
botarena tournament run spring.toml --resume
botarena tournament show spring
botarena tournament override spring QF1-1 --places 2,1 --by ann --why "wrong map"
"""


def add(app: typer.Typer, arguments: Sequence[str], panel: str) -> None:
    """The group of verbs if it is asked for; else its name and first sentence only."""
    if "tournament" in arguments[:1]:
        app.add_typer(group(), name="tournament", rich_help_panel=panel)
    else:
        app.command("tournament", rich_help_panel=panel, help=ABOUT)(listed)


def group() -> typer.Typer:
    """The verbs below `botarena tournament`."""
    from client_sdk.cli.tournament import decisions, online
    from client_sdk.cli.tournament.run import run
    from client_sdk.cli.tournament.show import show

    made = typer.Typer(
        help=ABOUT, no_args_is_help=True, context_settings={"help_option_names": ["-h", "--help"]}
    )
    for verb in (
        run,
        show,
        decisions.begin,
        decisions.override,
        decisions.replay,
        decisions.undo,
        decisions.withdraw,
        decisions.disqualify,
        decisions.cancel,
    ):
        made.command(verb.__name__)(verb)
    made.add_typer(online.group(), name="online")
    return made
