"""`botarena tournament run`: play a tournament on this machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from client_sdk.cli.arguments import JobsOption
from client_sdk.cli.tournament.shared import printed
from client_sdk.console import UserError, amount, err, note, out, say

if TYPE_CHECKING:
    from client_sdk.local.tournament.plan import TournamentPlan
    from games.contest.tournament import Tournament

REDRAWN_S: Final = 0.25
"""How often the live table is redrawn at most."""
STOPPED: Final = 130
"""Exit status after an interrupt."""


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
    jobs: JobsOption = None,
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
            help="Play every bot without a sandbox: they are yours, or you trust their authors.",
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
    programs = [bot for bot in plan.bots if bot.kind != "house"]
    entries.check_sandbox(programs, trusted, plan.limits, [where, file.resolve().parent])
    if resume and (where / folders.PLAN).exists():
        _same(plan, plans.read(where / folders.PLAN), where)
    else:
        folders.create(where, plan.seeded())
    _play(where, jobs or os.cpu_count() or 1, trusted)


def _same(asked: TournamentPlan, begun: TournamentPlan, where: Path) -> None:
    """A tournament goes on as it began. Raises UserError with the first field that differs."""
    from dataclasses import fields

    for field in fields(asked):
        mine, its = getattr(asked, field.name), getattr(begun, field.name)
        if mine != its and not (field.name == "seed" and mine is None):
            why = f"this tournament was begun with another {field.name}"
            raise UserError(f"{where}: {why}; --out names another folder")


def _play(where: Path, jobs: int, trusted: Collection[str]) -> None:
    from client_sdk.local.tournament import folder as folders
    from client_sdk.local.tournament import playing

    with folders.opened(where) as folder:
        try:
            tell = _lines(folder.tournament)
            with _live(folder.plan) as drawn:

                def shown(tournament: Tournament, played: int) -> None:
                    tell(tournament)
                    drawn(tournament, played)

                summary = playing.run(folder, jobs, shown, trusted)
        except KeyboardInterrupt:
            note(f"stopped; botarena tournament run … --out {where} --resume goes on")
            raise typer.Exit(STOPPED) from None
        for game, why in summary.faults.items():
            note(f"{game}: {why.rstrip()}")
        printed(folder.plan, folder.tournament)
        games, seconds = summary.games, summary.seconds
        rate = f", {games / seconds:.1f} games/s" if games and seconds else ""
        pace = f"{amount(games, 'game')} in {seconds:.1f} s{rate}, {jobs} at a time"
        say(f"{pace}; records in {folder.games}")


def _lines(begun: Tournament) -> Callable[[Tournament], object]:
    """A line for each game as it ends, if stdout is no terminal: a file can be followed."""
    from client_sdk.local.tournament import tables
    from games.contest import as_json

    seen = len(begun.facts)

    def tell(tournament: Tournament) -> None:
        nonlocal seen
        for number in range(seen + 1, len(tournament.facts) + 1):
            line = as_json.fact(tournament, number)
            if line["kind"] in ("result", "forfeit") or line.get("ok") is False:
                say(tables.fact(line, tournament))
        seen = len(tournament.facts)
        sys.stdout.flush()

    return (lambda _: None) if out().is_terminal else tell


@contextmanager
def _live(plan: TournamentPlan) -> Iterator[Callable[[Tournament, int], object]]:
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

    text = TextColumn("{task.description}")
    bar = Progress(text, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=err())
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
            what = f"{plan.name}: {tournament.state.replace('_', ' ')}"
            bar.update(task, description=what, total=len(known), completed=over)
            lines = tables.bracket(tournament) if tournament.seeds else []
            live.update(Group(bar, tables.table(tournament), *lines), refresh=True)

        yield shown
