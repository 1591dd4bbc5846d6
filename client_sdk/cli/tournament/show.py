"""`botarena tournament show`: how a tournament on this machine stands."""

from __future__ import annotations

from client_sdk.cli.tournament.shared import (
    AsCsv,
    AsHtml,
    AsJson,
    AsLog,
    Dir,
    GamesOf,
    check_one,
    show_as,
)
from client_sdk.console import say


def show(
    folder: Dir,
    json_: AsJson = False,
    csv_: AsCsv = False,
    html: AsHtml = False,
    log: AsLog = False,
    games_of: GamesOf = None,
) -> None:
    """Show how a tournament stands, also during play: table, crosstable, bracket, final list.

    \b
    botarena tournament show spring
    botarena tournament show spring --csv > standings.csv
    botarena tournament show spring --html > results.html
    botarena tournament show spring --log
    botarena tournament show spring --games-of ada
    """
    import json

    from client_sdk.local.tournament import folder as folders
    from client_sdk.local.tournament import tables

    check_one(json_, csv_, html, log, games_of is not None)
    plan, tournament = folders.read(folder)
    if json_:
        say(json.dumps(tables.whole(plan, tournament), indent=2))
    else:
        show_as(plan, tournament, csv_=csv_, html=html, log=log, games_of=games_of)
