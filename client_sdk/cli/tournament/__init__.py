"""`botarena tournament`: a contest on one machine, and what its organiser can do. All that is known
is in a folder (`folder`)."""

from __future__ import annotations

from typing import Final

import typer

from client_sdk.cli.tournament import decisions, online
from client_sdk.cli.tournament.run import run
from client_sdk.cli.tournament.show import show

ABOUT: Final = """\
A contest: round robins, a bracket, records, the organiser's decisions; `online`: on a server.

\b
botarena tournament run spring.toml
botarena tournament run spring.toml --resume
botarena tournament show spring
botarena tournament override spring QF1-1 --places 2,1 --by ann --why "wrong map"
"""

tournament = typer.Typer(
    help=ABOUT, no_args_is_help=True, context_settings={"help_option_names": ["-h", "--help"]}
)
for _verb in (
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
    tournament.command(_verb.__name__)(_verb)
tournament.add_typer(online.group(), name="online")
