"""What the verbs for a tournament of this machine and those for one on a server have in common."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from client_sdk.console import UserError, out, say

if TYPE_CHECKING:
    from client_sdk.local.tournament.plan import TournamentPlan
    from games.contest.tournament import Tournament


WhyOption = Annotated[
    str,
    typer.Option(
        "--why", metavar="TEXT", help="Why; it is shown with the results.", show_default=False
    ),
]
EntrantArgument = Annotated[
    str, typer.Argument(metavar="BOT", help="Its name, or its entry number.", show_default=False)
]
FixtureArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="The game's id, such as rr-12 or QF1-1.", show_default=False
    ),
]
Dir = Annotated[
    Path, typer.Argument(metavar="DIR", help="The tournament's folder.", show_default=False)
]
FactNumber = Annotated[
    int,
    typer.Argument(metavar="NUMBER", help="Of the fact; show --log has it.", show_default=False),
]
PlacesOption = Annotated[
    str | None,
    typer.Option(
        metavar="1,2", help="The place of each seat; equal places are a draw.", show_default=False
    ),
]
ScoresOption = Annotated[
    str | None,
    typer.Option(metavar="2,0", help="The score of each seat.", show_default="as a forfeit"),
]
BothLost = Annotated[bool, typer.Option("--both-lost", help="Instead of places: no side wins.")]
AsJson = Annotated[bool, typer.Option("--json", help="Everything, for programs.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="The table, for spreadsheets.")]
AsHtml = Annotated[bool, typer.Option("--html", help="One page, to print.")]
AsLog = Annotated[
    bool, typer.Option("--log", help="Every fact, with its number and who decided it.")
]


GamesOf = Annotated[
    str | None,
    typer.Option(
        metavar="BOT", help="The games of one bot, with their records.", show_default=False
    ),
]


def check_one(*forms: bool) -> None:
    """Raises UserError."""
    if sum(forms) > 1:
        raise UserError("expected one of --json, --csv, --html, --log, --games-of")


def entry_of(tournament: Tournament, bot: str) -> int:
    """By name, or by number where no bot has that name. Raises UserError."""
    from client_sdk.local.players import known

    if (entry := tournament.log.entry_of(bot)) is not None:
        return entry
    if bot.isdecimal() and int(bot) in tournament.names:
        return int(bot)
    known("bot", bot, tournament.names.values())
    raise AssertionError("a name that is known has an entry")


def show_as(
    plan: TournamentPlan,
    tournament: Tournament,
    *,
    csv_: bool,
    html: bool,
    log: bool,
    games_of: str | None = None,
) -> None:
    """Print it in the form that is asked for."""
    from client_sdk.local.tournament import page, tables

    if csv_:
        _write(tables.as_csv(tournament))
    elif html:
        _write(page.page(plan, tournament))
    elif games_of is not None:
        for line in tables.games_of(tournament, entry_of(tournament, games_of)):
            say(line)
    elif log:
        for line in tables.log(tournament):
            say(line)
    else:
        printed(plan, tournament)


def _write(text: str) -> None:
    """To stdout as UTF-8, whatever the terminal's encoding is."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(text)


def state_words(state: str) -> str:
    """As the documents say it: what is played in stage 1 depends on the format."""
    return "stage 1" if state == "round_robin" else state.replace("_", " ")


def printed(plan: TournamentPlan, tournament: Tournament) -> None:
    """All there is to tell, on the terminal."""
    from client_sdk.local.tournament import tables

    paused = ", paused" if tournament.paused else ""
    state = state_words(tournament.state) + paused
    say(f"{plan.name}: {plan.game.title}, {len(tournament.entrants)} bots, {state}")
    if (commitment := tables.committed(tournament)) is not None:
        over = tournament.state == "finished"
        seed = f"seed {tournament.seed}, committed to as" if over else "committed to the seed as"
        say(f"{seed} {commitment}")
    for one in tournament.entrants:
        if one.status == "left_out" and tournament.places is None:
            say(f"{one.name} is left out: {one.why}")
    if tournament.rows:
        out().print(tables.table(tournament))
        out().print(tables.crosstable(tournament))
    for title, lines in (
        ("bracket", tables.bracket(tournament)),
        ("decisions", tables.decisions(tournament)),
        ("results", tables.listing(tournament)),
    ):
        if lines:
            out().print(title, style="bold")
            for line in lines:
                say(line)
    if tournament.state == "seeded" and tournament.format.bracket_waits and not tournament.due:
        say("the bracket waits; botarena tournament begin lets it begin")


def numbers(option: str, text: str | None) -> list[Any] | None:
    """None if the option is not given. Raises UserError."""
    if text is None:
        return None
    try:
        return [_number(part) for part in text.split(",")]
    except ValueError:
        why = f"expected numbers with commas between them, got {text!r}"
        raise UserError(f"{option}: {why}") from None


def _number(text: str) -> int | float:
    return int(text) if text.strip().lstrip("-").isdecimal() else float(text)
