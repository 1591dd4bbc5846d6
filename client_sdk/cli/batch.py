"""`botarena batch`: is one bot better than another? Mirrored pairs of games until it is decided."""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import typer

from client_sdk.cli.arguments import (
    ConfigOption,
    GameArgument,
    JobsOption,
    MapOption,
    QuietOption,
    ReplayDirOption,
    SetOption,
    TimeLimitOption,
    first_seed,
    make_folder,
    parameters_of,
)
from client_sdk.console import UserError, amount, note, say, status
from client_sdk.local.lookup import game_called, map_text
from client_sdk.local.players import KINDS, PlayerSpec, placed, player_specs

if TYPE_CHECKING:
    from client_sdk.local.games import Task, TaskResult
    from client_sdk.local.pool import Pool
    from games.contest.sprt import Hypotheses, SprtStatus


AHEAD: Final = 2
"""Games queued per process, so that no process is idle."""
LOST: Final = 5
"""The run ends when this many games have broken off without a bot's fault."""
APART: Final = "with --isolate every file plays in a process of its own"
NOT_BETTER, UNDECIDED, INTERRUPTED = 1, 2, 130
"""Exit statuses. What cannot be played is undecided too."""


class ScoredGame(NamedTuple):
    """A game as the first bot counts it: its score, 0 to 1; the failed turns of each of the two."""

    score: float
    failed: tuple[int, int]


@dataclass(slots=True)
class _Comparison:
    """What was played so far, and where the test stands."""

    trials: Counter[float]
    failed: tuple[int, int]
    standing: SprtStatus
    interrupted: bool = False


def batch(
    game: GameArgument,
    bot: Annotated[
        str,
        typer.Argument(help=f"The bot that may be better. {KINDS}", show_default=False),
    ],
    other: Annotated[
        str, typer.Argument(help="The bot that it is compared with.", show_default=False)
    ],
    pairs: Annotated[
        int, typer.Option(min=1, help="Maximum number of pairs: one seed, both seatings.")
    ] = 500,
    sprt: Annotated[bool, typer.Option("--sprt", help="Stop as soon as it is decided.")] = False,
    elo0: Annotated[
        float,
        typer.Option(help="Elo difference up to which the first bot does not count as better."),
    ] = 0.0,
    elo1: Annotated[
        float, typer.Option(help="Elo difference from which on it has to pass.")
    ] = 30.0,
    alpha: Annotated[
        float, typer.Option(help="How often a bot that is not better may pass, at most.")
    ] = 0.05,
    beta: Annotated[
        float, typer.Option(help="How often a bot that is better may fail, at most.")
    ] = 0.05,
    jobs: JobsOption = None,
    seed: Annotated[
        int | None,
        typer.Option(help="Of the first pair; the others count on.", show_default="random"),
    ] = None,
    map_: MapOption = None,
    set_: SetOption = None,
    config: ConfigOption = None,
    time_limit: TimeLimitOption = None,
    isolate: Annotated[
        bool, typer.Option("--isolate", help="Every file in a process of its own.")
    ] = False,
    replay_dir: ReplayDirOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="The result as JSON.")] = False,
    quiet: QuietOption = False,
) -> None:
    """Compare two bots: pairs of games with one seed and swapped seats, counted as one.

    The answer depends on the seeds alone, however many games are played at a time. With --sprt the
    run ends when it is decided; else, and if the pairs run out, it says how many more would be
    needed. Ctrl-C ends it with what was played so far. Exit status 0: better, 1: not better, 2:
    undecided, or nothing could be played.

    \b
    botarena batch pyrat mybot.py greedy --sprt
    botarena batch botstack new.py old.py --sprt --elo0 0 --elo1 20 --pairs 2000
    """
    from client_sdk.local.games import server_for
    from games.contest.format import DUEL, for_seats, plays_with

    test = _hypotheses(elo0, elo1, alpha, beta)
    players = placed(player_specs(game, [bot, other]))
    first = first_seed(seed, pairs)
    chosen = game_called(game)
    parameters = parameters_of(set_, config)
    if not plays_with(chosen, parameters, DUEL):
        why = f"{chosen.name} is not played by two with these parameters"
        raise UserError(f"{why}; botarena tournament compares more")
    board = None if map_ is None else map_text(chosen.name, map_)
    if replay_dir is not None:
        make_folder(replay_dir, "--replay-dir")
    with (
        tempfile.TemporaryDirectory(prefix="botarena-batch-") as folder,
        server_for(players) as server,
    ):

        def task(number: int, swapped: bool) -> Task:
            from client_sdk.local.games import Task

            return Task(
                record=f"{chosen.name}-{first + number}-{'b' if swapped else 'a'}",
                game=chosen.name,
                config=for_seats(chosen, parameters, DUEL),
                map_text=board,
                seed=first + number,
                players=tuple(players[::-1] if swapped else players),
                limit_s=None if time_limit is None else time_limit / 1000,
                games=replay_dir,
                logs=Path(folder),
                apart=isolate or None,
                server=server,
            )

        played = _compared(task, pairs, test, jobs or os.cpu_count() or 1, stops=sprt)
    trials, failed, standing = played.trials, played.failed, played.standing
    for player, turns in zip(players, failed, strict=True):
        if turns:
            note(f"{player.label} failed on {amount(turns, 'turn')}: botarena play tells why")
    _report(players, trials, failed, standing, test, first, as_json=as_json)
    if played.interrupted:
        note("interrupted")
        raise typer.Exit(INTERRUPTED)
    if standing.decision != "better":
        raise typer.Exit(UNDECIDED if standing.decision is None else NOT_BETTER)


def _hypotheses(elo0: float, elo1: float, alpha: float, beta: float) -> Hypotheses:
    from games.contest.sprt import Hypotheses

    try:
        return Hypotheses(elo0, elo1, alpha, beta)
    except ValueError as fault:
        raise UserError(str(fault)) from None


def _compared(
    task: Callable[[int, bool], Task], pairs: int, test: Hypotheses, jobs: int, *, stops: bool
) -> _Comparison:
    """Play and count, in the order of the seeds: a pair that ends early does not count before its
    turn, so that quick games weigh no more than long ones. Ctrl-C ends it."""
    from client_sdk.local.pool import Pool
    from games.contest.sprt import judge

    done = _Comparison(Counter(), (0, 0), judge({}, test))
    with Pool(jobs) as pool, status("playing") as show:
        try:
            for one, other in _games(pool, task, pairs, AHEAD * jobs):
                done.trials[(one.score + other.score) / 2] += 1
                mine, its = zip(done.failed, one.failed, other.failed, strict=True)
                done.failed = (sum(mine), sum(its))
                done.standing = judge(done.trials, test)
                show(f"{done.standing.trials} of {pairs} pairs, {_summary(done.standing)}")
                if stops and done.standing.decision is not None:
                    break
        except KeyboardInterrupt:
            done.interrupted = True
    return done


def _games(
    pool: Pool, task: Callable[[int, bool], Task], pairs: int, ahead: int
) -> Iterator[tuple[ScoredGame, ScoredGame]]:
    """The two games of each pair, in order."""
    flying: deque[tuple[Task, Any]] = deque()
    schedule = ((number, swapped) for number in range(pairs) for swapped in (False, True))
    games: list[ScoredGame] = []
    lost = 0
    while True:
        for number, swapped in islice(schedule, ahead - len(flying)):
            game = task(number, swapped)
            flying.append((game, pool.submit(game)))
        if not flying:
            return
        lost += _took(pool, flying, games, lost)
        if len(games) == 2:
            yield games[0], games[1]
            games.clear()


def _took(pool: Pool, flying: deque[tuple[Task, Any]], games: list[ScoredGame], lost: int) -> int:
    """Wait for the oldest game; how often it broke off. Raises UserError."""
    task, future = flying.popleft()
    again = 0
    while (done := pool.result(future)).outcome is None:
        again += 1
        if done.absent or lost + again >= LOST:
            way = "" if done.absent or task.apart else f"\n{APART}"
            raise UserError(f"seed {task.seed} could not be played\n{done.why.rstrip()}{way}")
        future = pool.submit(task)
    mine = len(games)
    games.append(ScoredGame(_score(done, mine), (done.failed[mine], done.failed[1 - mine])))
    return again


def _score(done: TaskResult, mine: int) -> float:
    from games.contest.sprt import score_of

    assert done.outcome is not None
    return score_of(done.outcome, mine)


def _summary(standing: SprtStatus) -> str:
    if isfinite(standing.elo) and isfinite(standing.error):
        difference = f"{standing.elo:+.0f} ± {standing.error:.0f} Elo"
    elif standing.trials:
        difference = f"all {'won' if standing.elo > 0 else 'lost'}, so Elo is unknown"
    else:
        difference = "Elo is unknown"
    return f"{difference}, log likelihood ratio {standing.ratio:+.2f}"


def _report(
    players: list[PlayerSpec],
    trials: Counter[float],
    failed: tuple[int, int],
    standing: SprtStatus,
    test: Hypotheses,
    seed: int,
    *,
    as_json: bool,
) -> None:
    if as_json:
        result = {
            "bots": [player.label for player in players],
            "seed": seed,
            "pairs": standing.trials,
            "scores": {str(score): trials[score] for score in sorted(trials)},
            "failed": list(failed),
            "elo": standing.elo if isfinite(standing.elo) else None,
            "error": standing.error if isfinite(standing.error) else None,
            "ratio": round(standing.ratio, 3),
            "bounds": [round(test.low, 3), round(test.high, 3)],
            "decision": standing.decision,
            "needed": standing.needed,
        }
        say(json.dumps(result))
        return
    one, other = (player.label for player in players)
    won, split, lost = (
        sum(n for score, n in trials.items() if (score > 0.5) - (score < 0.5) == sign)
        for sign in (1, 0, -1)
    )
    counts = f"{won} won, {split} even, {lost} lost"
    say(f"{one} against {other}: {amount(standing.trials, 'pair')} from seed {seed}, {counts}")
    bounds = f"bounds {test.low:.2f} and {test.high:.2f}"
    say(f"{_summary(standing)}, {bounds} for {test.elo0:g} against {test.elo1:g} Elo")
    if standing.decision == "better":
        say(f"{one} is better")
    elif standing.decision == "not_better":
        say(f"{one} is not better by {test.elo1:g} Elo")
    else:
        more = "no number of" if standing.needed is None else f"about {standing.needed} more"
        note(f"undecided: {more} pairs like these would decide it")
