"""Arguments that several verbs take, and how they are read."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from client_sdk import private
from client_sdk.bounds import LONGEST_MS
from client_sdk.console import UserError, be_quiet
from client_sdk.local.lookup import config_of, document
from client_sdk.local.players import KINDS, is_file, is_prefixed
from games.core.contract import Json

GameArgument = Annotated[
    str, typer.Argument(help="Which game; botarena games lists them.", show_default=False)
]
GameOption = Annotated[str, typer.Option("--game", help="Which game.", show_default=False)]
GameOfBotOption = Annotated[
    str | None, typer.Option("--game", help="Which game.", show_default="the one of the bot's file")
]
BotArgument = Annotated[
    str,
    typer.Argument(help=KINDS, show_default=False),
]
MapOption = Annotated[
    str | None,
    typer.Option("--map", metavar="NAME|FILE", help="A map instead of a generated board."),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="A parameter of the game; may be repeated."),
]
TimeLimitOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=LONGEST_MS,
        metavar="MS",
        help="A slower answer is not played.",
        show_default="the game's",
    ),
]
ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="Parameters of the game, as JSON or TOML; --set wins.",
        show_default=False,
    ),
]
QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="Show no progress.", callback=be_quiet)
]
JobsOption = Annotated[
    int | None, typer.Option(min=1, help="Games at a time.", show_default="as many as processors")
]
ReplayDirOption = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Write journal and replay of every game there."),
]


def parameters_of(pairs: Sequence[str] | None, file: Path | None = None) -> dict[str, Json]:
    """The parameters of a file, and `key=value` pairs; a value that is no JSON is the text itself.
    Raises UserError."""
    config = {} if file is None else config_of(file)
    for pair in pairs or ():
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise UserError(f"--set: expected KEY=VALUE, got {pair!r}")
        try:
            config[key] = document(value)
        except ValueError:
            config[key] = value
    return config


def game_of(bot: str, named: str | None) -> str:
    """The game that was named, else the one that the bot's file says it plays. Raises UserError,
    BadBot."""
    from client_sdk.api.adapters import FILES
    from client_sdk.loading import own_game
    from games import GAMES

    if named is not None:
        return named
    is_bot_file = bot.endswith(FILES) and not is_prefixed(bot) and (is_file(bot) or " " not in bot)
    if is_bot_file and (own := own_game(bot)):
        return own
    raise UserError(
        f"{bot} does not say which game it plays: add --game, such as {', '.join(GAMES)}"
    )


def make_folder(folder: Path, option: str) -> None:
    """Make the folder of an option before the first game is played. Raises UserError."""
    try:
        private.folder(folder)
    except OSError as fault:
        raise UserError(f"{option}: {folder}: {fault.strerror or fault}") from None


def first_seed(seed: int | None, count: int) -> int:
    """The first of `count` seeds in a row, by default a random one. Raises UserError."""
    from games.core.parameters import MAX_SEED

    first = secrets.randbelow(10**9) if seed is None else seed
    if not 0 <= first <= MAX_SEED - count:
        raise UserError(f"--seed: expected a whole number, 0 to {MAX_SEED - count}, got {first}")
    return first
