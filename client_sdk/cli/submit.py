"""`botarena submit` and `botarena submissions`: hand in a bot, and see what became of it."""

from __future__ import annotations

import contextlib
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from client_sdk.cli.arguments import GameOfBotOption, game_of
from client_sdk.cli.check import say_grade
from client_sdk.cli.online import (
    KeyOption,
    MatchArgument,
    MatchOption,
    ServerArgument,
    match_at,
    rest_of,
)
from client_sdk.console import UserError, note, say, show_table, status

if TYPE_CHECKING:
    from client_sdk.rest import RestClient

OVER: Final = ("active", "testing", "failed", "refused", "replaced", "set_aside")
TURNS: Final = {"": "before the first turn", "end": "after the last turn"}
LOOK_S: Final = 1.0
"""How often it is looked what became of a version."""

SubmissionArgument = Annotated[
    str, typer.Argument(help="Its id, as list shows it.", show_default=False)
]

submissions = typer.Typer(add_completion=False, no_args_is_help=True)


def submit(
    url: ServerArgument,
    bot: Annotated[
        Path,
        typer.Argument(
            help="A file, a folder, or an archive (.zip, .tar, .tar.gz).", show_default=False
        ),
    ],
    game: GameOfBotOption = None,
    name: Annotated[
        str | None,
        typer.Option(help="The bot's, the same for all versions.", show_default="the file's"),
    ] = None,
    language: Annotated[
        str | None, typer.Option(help="What it is written in.", show_default="by its files")
    ] = None,
    entry: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|COMMAND",
            help="What is played, as with play: lines:./mybot.",
            show_default="botarena.toml's, or by its files",
        ),
    ] = None,
    enter: Annotated[
        str | None,
        typer.Option(metavar="ID", help="The tournament that it enters, once it is active."),
    ] = None,
    ladder: Annotated[
        bool, typer.Option("--ladder", help="It joins the game's ladder, once it is active.")
    ] = False,
    trial: Annotated[
        bool,
        typer.Option(
            "--trial",
            help="It plays against your active version first, and replaces it if it is stronger.",
        ),
    ] = False,
    wait: Annotated[
        bool, typer.Option(help="Wait until it is checked; exit status 1: it has failed.")
    ] = True,
    key: KeyOption = None,
) -> None:
    """Hand in a bot: the server builds it, checks it with a match, and plays it from then on.

    \b
    botarena submit http://127.0.0.1:8000 mybot.py
    botarena submit http://127.0.0.1:8000 mybot/ --game pyrat --name crusher
    botarena submit http://127.0.0.1:8000 bot.zip --game botstack --entry lines:./bot
    botarena submit http://127.0.0.1:8000 mybot.py --enter p7k2abcdefgh
    botarena submit http://127.0.0.1:8000 mybot.py --ladder
    botarena submit http://127.0.0.1:8000 mybot.py --trial
    """
    if (enter is not None or ladder) and not wait:
        option = "--ladder" if enter is None else "--enter"
        raise UserError(f"{option} waits until the bot is active: leave out --no-wait")
    file, content = _file(bot)
    if game is None and (entry is not None or bot.suffix != ".py"):
        raise UserError(f"{bot}: add --game: only a .py file that is the bot says what it plays")
    if game is not None and entry is None and bot.suffix == ".py":
        _check_game(bot, game)
    game = game_of(str(bot), game)
    name = name or bot.resolve().name.partition(".")[0]
    with rest_of(url, key) as rest:
        made = rest.hand_in(
            content,
            game=game,
            name=name,
            file=file,
            language=language,
            entry=entry,
            trial="true" if trial else None,
        )
        say(f"{name} is handed in as version {made['version']}: {made['submission']}")
        if not wait:
            return
        found = _waited(rest, made["submission"], name)
        _show(found)
        if found["state"] == "failed":
            raise typer.Exit(1)
        if enter is not None:
            entered = rest.enter(enter, submitted=name)
            say(f"{entered['name']} has entered as number {entered['entry']}")
        if ladder:
            rest.climb(game, submitted=name)
            say(f"{name} is on the ladder of {game}")


@submissions.command("list")
def list_(
    url: ServerArgument,
    as_json: Annotated[bool, typer.Option("--json", help="All of it as JSON.")] = False,
    key: KeyOption = None,
) -> None:
    """Your versions and those of your team, newest first."""
    with rest_of(url, key) as rest:
        found = rest.submissions()
    if as_json:
        say(json.dumps(found))
        return
    if found["why"]:
        note(found["why"])
    rows = [
        (one["submission"], one["game"], one["name"], str(one["version"]), one["state"], _why(one))
        for one in found["submissions"]
    ]
    show_table(("submission", "game", "bot", "version", "state", ""), rows)


@submissions.command("show")
def show_(
    url: ServerArgument,
    submission: SubmissionArgument,
    key: KeyOption = None,
) -> None:
    """One version: what its build has said, and the grades of its check."""
    with rest_of(url, key) as rest:
        _show(rest.submission(submission))


@submissions.command()
def activate(
    url: ServerArgument,
    submission: SubmissionArgument,
    key: KeyOption = None,
) -> None:
    """Let a version that was set aside play again."""
    with rest_of(url, key) as rest:
        found = rest.activate(submission)
    say(f"{found['name']}, version {found['version']}: {found['state']}")


@submissions.command()
def log(
    url: MatchArgument,
    match: MatchOption = None,
    seat: Annotated[int | None, typer.Option(min=0, help="The seat.", show_default="yours")] = None,
    key: KeyOption = None,
) -> None:
    """What your bot has written in a match that the server has played, turn by turn."""
    from client_sdk.errors import ServerRefused

    server, found = match_at(url, match)
    with rest_of(server, key) as rest:
        seats = range(len(rest.match(found)["players"])) if seat is None else [seat]
        for number, at in enumerate(seats, start=1):
            try:
                turns = rest.seat_log(found, at)
            except ServerRefused as fault:
                if fault.code == "no_such_log" and number < len(seats):
                    continue
                raise
            for one in turns:
                say(f"--- {TURNS.get(one['turn'], 'turn ' + one['turn'])} ---")
                say((one["text"] or one["fault"] or "").rstrip("\n"))
            return


def _check_game(bot: Path, game: str) -> None:
    """Raises UserError: the file says that it plays another one. One that cannot be loaded here,
    perhaps for want of a module, the server judges."""
    from client_sdk.errors import BadBot
    from client_sdk.loading import own_game

    with contextlib.suppress(BadBot):
        if (own := own_game(str(bot))) not in ("", game):
            raise UserError(f"{bot} plays {own}, not {game}: leave out --game")


def _file(bot: Path) -> tuple[str, bytes]:
    """What is sent of a bot, and what it is called. Raises UserError."""
    from client_sdk.bot_files import bot_files
    from client_sdk.local.lookup import FILE_BYTES, read_bytes
    from client_sdk.packing import pack

    try:
        if bot.is_dir():
            folder = bot.resolve()
            return f"{folder.name[:60] or 'bot'}.tar.gz", pack(folder, bot_files(folder))
        return bot.name, read_bytes(bot, FILE_BYTES)
    except OSError as fault:
        raise UserError(f"{bot}: {fault.strerror or fault}") from None


def _waited(rest: RestClient, id_: str, name: str) -> dict[str, Any]:
    with status(f"checking {name}") as progress:
        while (found := rest.submission(id_))["state"] not in OVER:
            progress(f"{found['state']}: {name}, version {found['version']}")
            time.sleep(LOOK_S)
    return found


def _show(found: dict[str, Any]) -> None:
    for phase in found["check"] or ():
        say_grade(**phase)
    if found["build_log"]:
        say(f"the build said:\n{found['build_log'].rstrip()}")
    why = f": {_why(found)}" if _why(found) else ""
    say(f"{found['name']}, version {found['version']}: {found['state']}{why}")


def _why(found: dict[str, Any]) -> str:
    """Why it is in its state, or how its trial goes, and whether it could play again."""
    trial = found["trial"]
    if trial is None:
        gone = "its file has been deleted" if found["file_deleted"] else None
        return "; ".join(filter(None, (found["reason"], gone)))
    played = f"{trial['pairs']} of at most {trial['most_pairs']} pairs, score {trial['score']:g}"
    bounds = f"bounds {trial['low']:.2f} and {trial['high']:.2f}"
    return f"{played}, log likelihood ratio {trial['ratio']:+.2f}, {bounds}"
