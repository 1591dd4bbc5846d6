"""`botarena tournament`: a contest on one machine, and what its organiser can do. All that is known
is in a folder (`folder`)."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from client_sdk.cli.tournament.shared import Bot, Game, Why, check_one, numbers, printed, show_as
from client_sdk.cli.verbs import listed
from client_sdk.console import UserError, amount, err, note, say

if TYPE_CHECKING:
    from client_sdk.local.tournament.plan import Plan
    from games.contest.facts import Fact
    from games.contest.result import Result
    from games.contest.tournament import Tournament

REDRAWN_S: Final = 0.25
"""How often the live table is redrawn at most."""
STOPPED: Final = 130
"""Exit status after an interrupt."""

Dir = Annotated[
    Path, typer.Argument(metavar="DIR", help="The tournament's folder.", show_default=False)
]
By = Annotated[
    str, typer.Option("--by", metavar="NAME", help="Who decides this.", show_default=False)
]

ABOUT: Final = """\
A contest: round robins and a bracket, standings, records, the organiser's decisions. `online`: on a server.

\b
botarena tournament run spring.toml
botarena tournament run spring.toml --resume
botarena tournament show spring
botarena tournament override spring QF1-1 --places 2,1 --by ann --why "wrong map"
"""


def add(app: typer.Typer, arguments: Sequence[str], panel: str) -> None:
    """The group of verbs, if it is asked for; of another command line only its name and what it
    is."""
    if "tournament" in arguments[:1]:
        app.add_typer(group(), name="tournament", rich_help_panel=panel)
    else:
        app.command("tournament", rich_help_panel=panel, help=ABOUT)(listed)


def group() -> typer.Typer:
    """The verbs below `botarena tournament`."""
    from client_sdk.cli.tournament import online

    made = typer.Typer(
        help=ABOUT, no_args_is_help=True, context_settings={"help_option_names": ["-h", "--help"]}
    )
    for name, verb in (
        ("run", run),
        ("show", show),
        ("begin", begin),
        ("override", override),
        ("replay", replay),
        ("undo", undo),
        ("withdraw", withdraw),
        ("disqualify", disqualify),
        ("cancel", cancel),
    ):
        made.command(name)(verb)
    made.add_typer(online.group(), name="online")
    return made


# --- playing --------------------------------------------------------------------------------------


def run(
    file: Annotated[
        Path, typer.Argument(metavar="FILE.toml", help="What is to be played.", show_default=False)
    ],
    out_: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="The tournament's folder.",
            show_default="named as the file",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, help="Games at a time.", show_default="as many as processors"),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a tournament that was stopped or killed.")
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(help="Instead of the file's.", show_default="the file's, or random"),
    ] = None,
    trust_bots: Annotated[
        bool,
        typer.Option(
            "--trust-bots",
            help="Play every bot without a wall: they are yours, or you trust their authors.",
        ),
    ] = False,
    save_as: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the file with every default there (- prints it), and play nothing.",
        ),
    ] = None,
) -> None:
    """Play a tournament, and print its results.

    Every game is recorded: a journal and a replay, below games/ in the folder. Killed at any moment
    it goes on with --resume, and comes to the same results.

    \b
    botarena tournament run spring.toml
    botarena tournament run spring.toml --out results --jobs 2 --seed 7
    botarena tournament run spring.toml --save-as full.toml
    """
    from client_sdk.local.tournament import entries
    from client_sdk.local.tournament import folder as folders
    from client_sdk.local.tournament import plan as plans

    plan = plans.with_seed(plans.read(file), seed)
    if save_as is not None:
        if save_as == Path("-"):
            say(plans.written(plan).rstrip())
        else:
            plans.write(plan, save_as)
        return
    if not plan.bots:
        raise UserError(f"{file}: bots: expected at least one [[bots]] table")
    where = out_ or Path(file.stem)
    trusted = [bot.label for bot in plan.bots if bot.trusted or trust_bots]
    entries.check_wall(
        [bot for bot in plan.bots if bot.kind != "house"],
        trusted,
        plan.limits,
        [where, file.resolve().parent],
    )
    if resume and (where / folders.PLAN).exists():
        _same(plan, plans.read(where / folders.PLAN), where)
    else:
        folders.create(where, plan.seeded())
    _play(where, jobs or os.cpu_count() or 1, trusted)


def _same(asked: Plan, begun: Plan, where: Path) -> None:
    """A tournament goes on as it began. Raises UserError with the first field that differs."""
    from dataclasses import fields

    for field in fields(asked):
        mine, its = getattr(asked, field.name), getattr(begun, field.name)
        if mine != its and not (field.name == "seed" and mine is None):
            raise UserError(
                f"{where}: this tournament was begun with another {field.name}; --out names "
                "another folder"
            )


def _play(where: Path, jobs: int, trusted: Collection[str]) -> None:
    from client_sdk.local.tournament import folder as folders
    from client_sdk.local.tournament import playing

    with folders.opened(where) as folder:
        try:
            with _live(folder.plan) as shown:
                summary = playing.run(folder, jobs, shown, trusted)
        except KeyboardInterrupt:
            note(f"stopped; botarena tournament run … --out {where} --resume goes on")
            raise typer.Exit(STOPPED) from None
        for game, why in summary.faults.items():
            note(f"{game}: {why.rstrip()}")
        printed(folder.plan, folder.tournament)
        rate = (
            f", {summary.games / summary.seconds:.1f} games/s"
            if summary.games and summary.seconds
            else ""
        )
        say(
            f"{amount(summary.games, 'game')} in {summary.seconds:.1f} s{rate}, {jobs} at a "
            f"time; records in {folder.games}"
        )


@contextmanager
def _live(plan: Plan) -> Iterator[Callable[[Tournament, int], object]]:
    """A bar and the table, redrawn in place on a terminal; nothing anywhere else."""
    if not err().is_terminal:
        yield lambda tournament, played: None
        return
    import time

    from rich.console import Group
    from rich.live import Live
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    from client_sdk.local.tournament import tables

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=err(),
    )
    task = bar.add_task(plan.name, total=None)
    drawn = 0.0
    with Live(console=err(), auto_refresh=False, transient=True, vertical_overflow="crop") as live:

        def shown(tournament: Tournament, played: int) -> None:
            nonlocal drawn
            if time.monotonic() - drawn < REDRAWN_S:
                return
            drawn = time.monotonic()
            known = tournament.fixtures
            over = sum(tournament.result(game) is not None for game in known)
            bar.update(
                task,
                description=f"{plan.name}: {tournament.state.replace('_', ' ')}",
                total=len(known),
                completed=over,
            )
            lines = tables.bracket(tournament) if tournament.seeds else []
            live.update(Group(bar, tables.table(tournament), *lines), refresh=True)

        yield shown


# --- looking --------------------------------------------------------------------------------------


def show(
    folder: Dir,
    json_: Annotated[bool, typer.Option("--json", help="Everything, for programs.")] = False,
    csv_: Annotated[bool, typer.Option("--csv", help="The table, for spreadsheets.")] = False,
    html: Annotated[bool, typer.Option("--html", help="One page, to print.")] = False,
    log: Annotated[
        bool, typer.Option("--log", help="Every fact, with its number and who decided it.")
    ] = False,
) -> None:
    """Show how a tournament stands: table, crosstable, bracket, final list. Also while it is
    played.

    \b
    botarena tournament show spring
    botarena tournament show spring --csv > standings.csv
    botarena tournament show spring --html > results.html
    botarena tournament show spring --log
    """
    import json

    from client_sdk.local.tournament import folder as folders
    from client_sdk.local.tournament import tables

    check_one(json_, csv_, html, log)
    plan, tournament = folders.read(folder)
    if json_:
        say(json.dumps(tables.whole(plan, tournament), indent=2))
    else:
        show_as(plan, tournament, csv_=csv_, html=html, log=log)


# --- deciding -------------------------------------------------------------------------------------


def begin(folder: Dir, by: By = "", why: Why = "") -> None:
    """Let the bracket begin, where the format says that it waits.

    \b
    botarena tournament begin spring --by ann
    """
    from games.contest import verbs

    _decide(folder, lambda tournament: verbs.begin(tournament, by, why))


def override(
    folder: Dir,
    game: Game,
    places: Annotated[
        str | None,
        typer.Option(
            metavar="1,2",
            help="The place of each seat; equal places are a draw.",
            show_default=False,
        ),
    ] = None,
    scores: Annotated[
        str | None,
        typer.Option(metavar="2,0", help="The score of each seat.", show_default="as a forfeit"),
    ] = None,
    both_lost: Annotated[
        bool, typer.Option("--both-lost", help="Instead of places: no side wins.")
    ] = False,
    by: By = "",
    why: Why = "",
) -> None:
    """Set the result of a game, played or not; what depends on it is derived again.

    \b
    botarena tournament override spring QF1-1 --places 2,1 --scores 0,2 --by ann --why "wrong map"
    """
    from games.contest import verbs

    _decide(
        folder,
        lambda t: verbs.override(t, game, _result(t, game, places, scores, both_lost), by, why),
    )


def _result(
    tournament: Tournament, game: str, places: str | None, scores: str | None, both_lost: bool
) -> Result:
    """Raises UserError."""
    from games.contest.result import BadResult, given

    if game not in tournament.fixtures:
        raise UserError(
            f"there is no game {game!r} now; botarena tournament show … --log has their ids"
        )
    if (places is None) is not both_lost:
        raise UserError("expected one of --places and --both-lost")
    seats, format_ = len(tournament.fixtures[game].entrants), tournament.format
    placement, score = numbers("--places", places), numbers("--scores", scores)
    try:
        return given(
            placement,
            score,
            None,
            both_lost=both_lost,
            seats=seats,
            forfeit_score=format_.forfeit_score,
        )
    except BadResult as fault:
        raise UserError(f"{game}: {fault}") from None


def replay(folder: Dir, game: Game, by: By = "", why: Why = "") -> None:
    """Have a game played again, by the next `run --resume`; its result counts no more.

    \b
    botarena tournament replay spring rr-12 --by ann --why "the machine was asleep"
    """
    from games.contest import verbs

    _decide(folder, lambda tournament: verbs.replay(tournament, game, by, why))


def undo(
    folder: Dir,
    number: Annotated[
        int,
        typer.Argument(
            metavar="NUMBER", help="Of the fact; show --log has it.", show_default=False
        ),
    ],
    by: By = "",
    why: Why = "",
) -> None:
    """Take a fact back: a decision, or a game's result; what depends on it is derived again.

    \b
    botarena tournament undo spring 57 --by ann --why "wrong game"
    """
    from games.contest import verbs

    _decide(folder, lambda tournament: verbs.undo(tournament, number, by, why))


def withdraw(folder: Dir, bot: Bot, by: By = "", why: Why = "") -> None:
    """A bot leaves the tournament.

    \b
    botarena tournament withdraw spring "My Bot" --by ann --why "asked to"
    """
    from games.contest import verbs

    _decide(folder, lambda tournament: verbs.withdraw(tournament, _entry(tournament, bot), by, why))


def disqualify(folder: Dir, bot: Bot, by: By = "", why: Why = "") -> None:
    """A bot is sent away: in stage 1 its results are annulled.

    \b
    botarena tournament disqualify spring "My Bot" --by ann --why "two accounts"
    """
    from games.contest import verbs

    _decide(
        folder, lambda tournament: verbs.disqualify(tournament, _entry(tournament, bot), by, why)
    )


def cancel(folder: Dir, by: By = "", why: Why = "") -> None:
    """Break the tournament off.

    \b
    botarena tournament cancel spring --by ann --why "fire alarm"
    """
    from games.contest import verbs

    _decide(folder, lambda tournament: verbs.cancel(tournament, by, why))


def _entry(tournament: Tournament, bot: str) -> int:
    """By name, or by number where no bot has that name. Raises UserError."""
    if (entry := tournament.entry_of(bot)) is not None:
        return entry
    if bot.isdecimal() and int(bot) in tournament.names:
        return int(bot)
    raise UserError(f"no bot is called {bot!r}; there are {', '.join(tournament.names.values())}")


def _decide(where: Path, verb: Callable[[Tournament], Fact]) -> None:
    """Write the decision down and tell what follows from it."""
    from client_sdk.local.tournament import folder as folders
    from client_sdk.local.tournament import playing, tables
    from games.contest import as_json

    with folders.opened(where) as folder:
        playing.organise(folder, verb)
        say(tables.decision(as_json.audit(folder.tournament)[-1], folder.tournament).strip())
        state = folder.tournament.state.replace("_", " ")
        due = len(folder.tournament.due)
        say(f"{state}; games to play: {due}" + (", by run … --resume" if due else ""))
