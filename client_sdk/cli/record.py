"""`botarena record`: the record of a match on a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from client_sdk import private
from client_sdk.cli.arguments import make_folder
from client_sdk.cli.online import (
    KeyOption,
    MatchArgument,
    MatchOption,
    TokenOption,
    match_at,
    rest_of,
)
from client_sdk.console import note, say


def record(
    url: MatchArgument,
    match: MatchOption = None,
    folder: Annotated[
        Path, typer.Option("--dir", metavar="DIR", help="Where the files go.")
    ] = Path(),
    token: TokenOption = None,
    key: KeyOption = None,
) -> None:
    """Fetch journal and replay of a match on a server, for `replay`, `verify` and `play --from`.

    The server releases them when the match and all others with the same seed are over.

    \b
    botarena record http://127.0.0.1:8000/match/p7k2abcdefgh
    botarena record 127.0.0.1:8000 --match p7k2abcdefgh --dir replays
    """
    from client_sdk.errors import ServerRefused
    from client_sdk.replay import JOURNAL_SUFFIX, REPLAY_SUFFIX

    server, found = match_at(url, match)
    with rest_of(server, key) as rest:
        texts = {REPLAY_SUFFIX: rest.replay(found, token)}
        try:
            texts[JOURNAL_SUFFIX] = rest.journal(found, token)
        except ServerRefused as fault:
            note(f"no journal: {fault}")
    make_folder(folder, "--dir")
    for suffix, text in texts.items():
        file = folder / f"{found}{suffix}"
        with private.opened(file, "wb") as stream:
            stream.write(text.encode("utf-8", "surrogateescape"))
        say(str(file))
