"""The organiser's decisions in a tournament on this machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from client_sdk.cli.tournament.shared import (
    BothLost,
    Dir,
    EntrantArgument,
    FactNumber,
    FixtureArgument,
    PlacesOption,
    ScoresOption,
    WhyOption,
    entry_of,
    numbers,
    state_words,
)
from client_sdk.console import UserError, say

if TYPE_CHECKING:
    from games.contest.facts import Fact
    from games.contest.result import GameResult
    from games.contest.tournament import Tournament

By = Annotated[
    str, typer.Option("--by", metavar="NAME", help="Who decides this.", show_default=False)
]


def begin(folder: Dir, by: By = "", why: WhyOption = "") -> None:
    """Let the bracket begin, where the format says that it waits.

    \b
    botarena tournament begin spring --by ann
    """
    from games.contest import verbs

    _decide(folder, lambda tournament: verbs.begin(tournament, by, why))


def override(
    folder: Dir,
    game: FixtureArgument,
    places: PlacesOption = None,
    scores: ScoresOption = None,
    both_lost: BothLost = False,
    by: By = "",
    why: WhyOption = "",
) -> None:
    """Set the result of a game, played or not; what depends on it is derived again.

    \b
    botarena tournament override spring QF1-1 --places 2,1 --scores 0,2 --by ann --why "wrong map"
    """
    from games.contest import verbs

    def decide(tournament: Tournament) -> Fact:
        result = _result(tournament, game, places, scores, both_lost)
        return verbs.override(tournament, game, result, by, why)

    _decide(folder, decide)


def _result(
    tournament: Tournament, game: str, places: str | None, scores: str | None, both_lost: bool
) -> GameResult:
    """Raises UserError."""
    from games.contest.result import BadResult, given

    fixture = tournament.fixture(game)
    if fixture is None:
        ids = "botarena tournament show … --log has their ids"
        raise UserError(f"there is no game {game!r} now; {ids}")
    if (places is None) is not both_lost:
        raise UserError("expected one of --places and --both-lost")
    seats, forfeit = len(fixture.entrants), tournament.format.forfeit_score
    placement, score = numbers("--places", places), numbers("--scores", scores)
    try:
        return given(
            placement, score, None, both_lost=both_lost, seats=seats, forfeit_score=forfeit
        )
    except BadResult as fault:
        raise UserError(f"{game}: {fault}") from None


def replay(folder: Dir, game: FixtureArgument, by: By = "", why: WhyOption = "") -> None:
    """Have a game played again, by the next `run --resume`; its result counts no more.

    \b
    botarena tournament replay spring rr-12 --by ann --why "the machine was asleep"
    """
    from games.contest import verbs

    _decide(folder, lambda tournament: verbs.replay(tournament, game, by, why))


def undo(
    folder: Dir,
    number: FactNumber,
    by: By = "",
    why: WhyOption = "",
) -> None:
    """Take a fact back: a decision, or a game's result; what depends on it is derived again.

    \b
    botarena tournament undo spring 57 --by ann --why "wrong game"
    """
    from games.contest import verbs

    _decide(folder, lambda tournament: verbs.undo(tournament, number, by, why))


def withdraw(folder: Dir, bot: EntrantArgument, by: By = "", why: WhyOption = "") -> None:
    """A bot leaves the tournament.

    \b
    botarena tournament withdraw spring "My Bot" --by ann --why "asked to"
    """
    from games.contest import verbs

    _decide(folder, lambda it: verbs.withdraw(it, entry_of(it, bot), by, why))


def disqualify(folder: Dir, bot: EntrantArgument, by: By = "", why: WhyOption = "") -> None:
    """A bot is sent away: in stage 1 its results are annulled.

    \b
    botarena tournament disqualify spring "My Bot" --by ann --why "two accounts"
    """
    from games.contest import verbs

    _decide(folder, lambda it: verbs.disqualify(it, entry_of(it, bot), by, why))


def cancel(folder: Dir, by: By = "", why: WhyOption = "") -> None:
    """Break the tournament off.

    \b
    botarena tournament cancel spring --by ann --why "fire alarm"
    """
    from games.contest import verbs

    _decide(folder, lambda tournament: verbs.cancel(tournament, by, why))


def _decide(where: Path, verb: Callable[[Tournament], Fact]) -> None:
    """Write the decision down and tell what follows from it."""
    from client_sdk.local.tournament import folder as folders
    from client_sdk.local.tournament import playing, tables
    from games.contest import as_json

    with folders.opened(where) as folder:
        playing.organise(folder, verb)
        say(tables.decision(as_json.audit(folder.tournament)[-1], folder.tournament).strip())
        state = state_words(folder.tournament.state)
        due = len(folder.tournament.due)
        say(f"{state}; games to play: {due}" + (", by run … --resume" if due else ""))
