"""`botarena load`: what a turn takes on a server under load."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Final

import typer

from client_sdk.cli.arguments import ConfigOption, GameOption, MapOption, SetOption, parameters_of
from client_sdk.cli.online import KeyOption, ServerArgument, rest_of
from client_sdk.console import UserError, note, say
from client_sdk.local.lookup import map_text
from client_sdk.version import installed
from games.core.contract import Json

if TYPE_CHECKING:
    from client_sdk.load.levels import Generator

SERIES: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Numbers of matches, until one is beyond the bound."""
HEAD: Final = (
    f"{'matches':>7} {'turns/s':>9} {'p50 ms':>8} {'p99 ms':>8} {'max ms':>9} "
    f"{'timeouts':>8} {'lost on time':>12} {'failed':>6}  generator"
)


def load(
    url: ServerArgument,
    game: GameOption,
    matches: Annotated[
        str | None,
        typer.Option(
            help="How many at once; several numbers with commas are played one after the other.",
            show_default="1,2,5,10,… until one is beyond the bound",
        ),
    ] = None,
    bound: Annotated[
        float | None,
        typer.Option(
            metavar="MS",
            min=0,
            help="What p99 may be: of a turn, or of the lateness of a tick.",
            show_default="100; of ticks 10",
        ),
    ] = None,
    think: Annotated[
        float, typer.Option(metavar="MS", min=0, help="How long a seat waits before it answers.")
    ] = 0.0,
    viewers: Annotated[int, typer.Option(min=0, help="Viewers of all matches together.")] = 0,
    idle: Annotated[int, typer.Option(min=0, help="Connections in which nothing happens.")] = 0,
    processes: Annotated[int, typer.Option(min=1, max=64, help="Of the generator.")] = 1,
    map_: MapOption = None,
    set_: SetOption = None,
    config: ConfigOption = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Of the first match.", show_default="random")
    ] = None,
    key: KeyOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="The figures as JSON; the table goes to standard error.")
    ] = False,
) -> None:
    """Play many matches at once on a server, and measure how long a turn takes.

    Seats answer each view at once with a cheap, valid command. The status is 1 if a match failed.

    \b
    botarena load http://127.0.0.1:8000 --game pyrat
    botarena load arena.example --game zooscape --matches 50,100 --set max_ticks=150
    botarena load 127.0.0.1:8000 --game cookoff --matches 20 --think 100 --viewers 500
    """
    from client_sdk.bots.cheap import CHEAP
    from client_sdk.load.levels import Generator, is_within, knee
    from client_sdk.load.target import BotarenaTarget, Load

    if game not in CHEAP:
        raise UserError(f"--game: expected one of {', '.join(CHEAP)}, got {game!r}")
    numbers = _numbers(matches)
    asked = Load(
        game,
        parameters_of(set_, config),
        None if map_ is None else map_text(game, map_),
        seed,
        viewers,
        idle,
        think / 1000,
        processes,
    )
    tell = note if as_json else say
    levels: list[Json] = []
    with rest_of(url, key) as rest, Generator(BotarenaTarget(rest), asked) as generator:
        for level in _played(generator, numbers):
            if not levels:
                tell(HEAD)
            levels.append(level)
            _show(level, tell)
            if matches is None and not is_within(level, bound):
                break
    found = knee(levels, bound)
    limited = any(level["generator"]["limit"] for level in levels)
    tell(_sentence(found, numbers[: len(levels)]))
    if limited:
        tell(
            "The generator was the limit: the server can do more than this shows. Use --processes, "
            "or another machine."
        )
    if as_json:
        figures = {
            "url": url,
            "game": game,
            "config": dict(asked.config),
            "bound_ms": bound,
            "think_ms": think,
            "viewers": viewers,
            "idle": idle,
            "botarena": installed(),
            "python": platform.python_version(),
            "knee": found,
            "generator_was_the_limit": limited,
            "levels": levels,
        }
        say(json.dumps(figures))
    if any(level["failed"] for level in levels):
        raise typer.Exit(1)


def _numbers(matches: str | None) -> list[int]:
    """Raises UserError."""
    if matches is None:
        return [*SERIES]
    parts = matches.split(",")
    if not all(part.isascii() and part.isdigit() and int(part) > 0 for part in parts):
        raise UserError(
            f"--matches: expected whole numbers above 0 with commas between, got {matches!r}"
        )
    return sorted({int(part) for part in parts})


def _played(generator: Generator, numbers: list[int]) -> Iterator[Json]:
    """The figures of each number of matches. A refusal after the first ends the series."""
    from client_sdk.errors import ServerRefused

    for number in numbers:
        try:
            yield generator.level(number)
        except ServerRefused as refused:
            if number == numbers[0]:
                raise
            note(f"{number} matches: {refused.text} ({refused.code})")
            return


def _show(level: Json, tell: Callable[[str], None]) -> None:
    spread = level["late_ms"] or level["turn_ms"] or dict.fromkeys(("p50", "p99", "max"), 0.0)
    generator = level["generator"]
    tell(
        f"{level['matches']:>7} {level['turns_per_second']:>9.1f} {spread['p50']:>8.2f} "
        f"{spread['p99']:>8.2f} {spread['max']:>9.2f} {level['timeouts']:>8} "
        f"{level['time_losses']:>12} {level['failed']:>6}  "
        f"{generator['share']:.0%}{', the limit' if generator['limit'] else ''}"
    )
    for why, count in level["failures"].items():
        note(f"{count} failed: {why}")
    if waves := level["fan_out_ms"]:
        note(f"viewers had each view within {waves['p50']} ms, p99 {waves['p99']} ms")


def _sentence(found: int | None, numbers: list[int]) -> str:
    if found is None:
        return "Knee: none of these numbers stayed within the bound."
    if found == numbers[-1]:
        return f"Knee: {found} matches at once or more."
    more = numbers[numbers.index(found) + 1]
    return f"Knee: {found} matches at once; {more} did not stay within the bound."
