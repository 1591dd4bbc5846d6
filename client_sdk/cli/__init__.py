"""The command `botarena`. `verbs` lists the verbs, a module per family has them. The module is
imported when one of its verbs is asked for, and what a verb needs when it runs: help comes at
once."""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TextIO

if TYPE_CHECKING:
    import typer

USAGE: Final = 2
"""Exit code: nothing was done; the reason is on stderr."""
REFUSED, LOST = 3, 4
"""Exit codes: the server refused it, or cannot be reached."""

WAYS: Final = {
    "no_such_lobby": "--lobby * takes any open lobby, --lobby new makes one",
    "no_such_match": "The server's page lists its matches",
    "lobby_full": "--lobby new makes another one",
    "password": "--password gives the lobby's password",
    "private": "--invite gives the lobby's invite",
    "key_needed": "BOTARENA_KEY is the variable for an account's key",
}
"""What to do, by the code of a server's answer."""

ABOUT = """\
Botarena: bots play programming-contest games.

\b
botarena new-bot pyrat                      a bot that runs, to start from
botarena play pyrat mybot.py greedy         one match, here and now
botarena play pyrat mybot.py greedy --games 100 --swap
botarena demo                               a server and a match of each game
"""


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line and leave the program."""
    for stream in (sys.stdout, sys.stderr):
        _never_fails(stream)
    arguments = list(sys.argv[1:] if argv is None else argv)
    status = run(arguments)
    if "client_sdk.loading" in sys.modules:  # there may have been bots in this process
        from client_sdk.leaving import end_soon

        end_soon(status)
    sys.exit(status)


def run(arguments: list[str]) -> int:
    from client_sdk.console import note

    try:
        _imported(arguments)(arguments, prog_name="botarena", standalone_mode=True)
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else int(left.code is not None)
    except BrokenPipeError:
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), 1
        )  # the reader of stdout has gone; discard the rest
        return 0
    except _expected() as fault:
        note(f"botarena: {_sentence(fault)}")
        return _status(fault)
    except OSError as fault:
        if fault.filename is None:
            raise
        note(
            f"botarena: {fault.filename}: {fault.strerror}"
        )  # a file or folder of the user's that cannot be had
        return USAGE
    return 0


def app(arguments: Sequence[str] = ()) -> typer.Typer:
    """The verb that is asked for if it is ours; else all verbs (`verbs`)."""
    import typer

    from client_sdk.cli import options, verbs
    from client_sdk.cli.overview import Overview

    made = typer.Typer(
        cls=Overview,
        help=ABOUT,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 102},
    )
    made.callback()(options.options)
    verbs.add(made, arguments or _completed())
    return made


def _completed() -> list[str]:
    """The words that a shell wants to have completed."""
    typed = os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS") or ""
    return typed.split()[1:]


def _imported(arguments: Sequence[str]) -> typer.Typer:
    """`app`. Nothing imported for it is garbage: collecting takes a tenth of a server's start."""
    gc.disable()
    try:
        return app(arguments)
    finally:
        gc.enable()


def _status(fault: Exception) -> int:
    """The exit code, that of a bot's own program."""
    from client_sdk.errors import ConnectionLost, ServerRefused

    return {ServerRefused: REFUSED, ConnectionLost: LOST}.get(type(fault), USAGE)


def _sentence(fault: Exception) -> str:
    """What went wrong, the code of it, and what to do."""
    from client_sdk.errors import ConnectionLost, ServerRefused
    from client_sdk.local.players import close_to
    from games.core.contract import BadSetup

    if isinstance(fault, ConnectionLost):
        return f"{fault}. Does a server run there? botarena serve starts one"
    if not isinstance(fault, BadSetup | ServerRefused):
        return str(fault)
    text = fault.why if isinstance(fault, BadSetup) else fault.text
    hint = ""
    if isinstance(fault.allowed, list) and "Did you mean" not in text:
        *_, value = ["", *re.findall(r"'([^']*)'", text)]
        hint = close_to(value, map(str, fault.allowed))
    way = f". {WAYS[fault.code]}" if fault.code in WAYS else hint
    return f"{text}{way} ({fault.code})"


def _expected() -> tuple[type[Exception], ...]:
    """Errors of the user, or of the server; any other exception is our bug and propagates."""
    from client_sdk.console import UserError
    from client_sdk.errors import BadBot, ConnectionLost, ServerRefused
    from games.core.contract import BadSetup

    return (UserError, BadBot, BadSetup, ServerRefused, ConnectionLost)


def _never_fails(stream: TextIO | None) -> None:
    """Characters that a terminal does not know are replaced, never an error."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
