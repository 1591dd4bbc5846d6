"""The verbs: those of this package, and of others the entry-point group `botarena.verbs`.

A verb is a function, or a group of them: a Typer app in a module of its own. It is imported when it
is asked for. What the list of all verbs says about one is its first sentence: it stands here, and
that of another package is read from its source, a group's from its module. A verb that lacks its
packages says what to install."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from client_sdk.console import UserError

if TYPE_CHECKING:
    import typer

GROUP: Final = "botarena.verbs"
PLAY, SERVER, RECORDS, BOTS = "Play here", "Play on a server", "Look back", "Write a bot"

OURS: Final = (
    ("play", PLAY, "play:play", "Play matches on this machine and print who won."),
    (
        "batch",
        PLAY,
        "batch:batch",
        "Compare two bots: pairs of games with one seed and swapped seats, counted as one.",
    ),
    (
        "human",
        PLAY,
        "human:human",
        "Play a seat yourself: you are asked, you type, Enter sends.",
    ),
    ("games", PLAY, "catalogue:games", "List the games, or one game's parameters."),
    ("maps", PLAY, "catalogue:maps", "List maps, show one, or check a map file of your own."),
    (
        "tournament",
        PLAY,
        "tournament:tournament",
        "A contest: round robins, a bracket, records, the organiser's decisions; `online`: on a "
        "server.",
    ),
    (
        "demo",
        SERVER,
        "demo:demo",
        "Start a server, play one match of each game live with house bots, prove the records, "
        "stop.",
    ),
    ("join", SERVER, "online:join", "Play one match on a server with a bot of any kind."),
    (
        "start",
        SERVER,
        "online:start",
        "Start the match of a lobby that you own; house bots take the free seats.",
    ),
    (
        "watch",
        SERVER,
        "online:watch",
        "Watch a match: redrawn in place on a terminal, one line a turn in a pipe.",
    ),
    (
        "play-for",
        SERVER,
        "play_for:play_for",
        "Play the games that a server calls your bot to, in tournaments and on ladders.",
    ),
    (
        "bridge",
        SERVER,
        "bridge:bridge",
        "Let clients that were written for another contest's server play on this one, until "
        "Ctrl-C.",
    ),
    (
        "submit",
        SERVER,
        "submit:submit",
        "Hand in a bot: the server builds it, checks it with a match, and plays it from then on.",
    ),
    (
        "submissions",
        SERVER,
        "submit:submissions",
        "See what became of the bots that you have handed in.",
    ),
    (
        "ladder",
        SERVER,
        "ladder:ladder",
        "See how strong the bots of a server are and who meets whom; challenge them.",
    ),
    (
        "load",
        SERVER,
        "load:load",
        "Play many matches at once on a server, and measure how long a turn takes.",
    ),
    ("replay", RECORDS, "replay:replay", "Step through a match with the arrow keys."),
    (
        "verify",
        RECORDS,
        "records:verify",
        "Prove records: play every journal again, compare every replay with its journal.",
    ),
    (
        "record",
        RECORDS,
        "record:record",
        "Fetch journal and replay of a match on a server, for `replay`, `verify` and "
        "`play --from`.",
    ),
    (
        "clock",
        RECORDS,
        "clock:clock",
        "Where the time of a match went: what each seat was charged, and what became of the rest.",
    ),
    ("new-bot", BOTS, "scaffold:new_bot", "Make a bot to start from: it plays at once."),
    (
        "check-bot",
        BOTS,
        "check:check_bot",
        "Play one short match with a bot and grade each phase: pass, warn or fail.",
    ),
)
"""Name, panel of the help, place in `client_sdk.cli`, first sentence; in the order of the help."""


def add(app: typer.Typer, words: Sequence[str]) -> None:
    """Add the verb that is asked for if it is ours; else all verbs, of the others name and first
    sentence."""
    asked = next((word for word in words if not word.startswith("-")), None)
    for name, panel, place, about in OURS:
        if name == asked:
            entry = EntryPoint(name, f"{__package__}.{place}", GROUP)
            _add(app, name, panel, about, entry.load())
            return
    for name, panel, _, about in OURS:
        _add(app, name, panel, about, None)
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        try:
            verb = entry.load() if entry.name == asked else None
        except ImportError as missing:
            _add_absent(app, entry, missing)
        else:
            _add(app, entry.name, SERVER, _about(entry), verb)


def _add(app: typer.Typer, name: str, panel: str, about: str, verb: Any) -> None:
    """`verb`: None if another one is asked for."""
    if verb is None:
        app.command(name, rich_help_panel=panel, help=about)(_listed)
    elif callable(getattr(verb, "add_typer", None)):
        own = verb.info.help if isinstance(verb.info.help, str) else about
        for group in (verb, *(one.typer_instance for one in verb.registered_groups)):
            for command in group.registered_commands:
                command.help = command.help or _flowing(command.callback)
        app.add_typer(verb, name=name, rich_help_panel=panel, help=own, no_args_is_help=True)
    else:
        app.command(name, rich_help_panel=panel, help=_flowing(verb))(verb)


def _flowing(verb: Any) -> str:
    """A verb's docstring, a line for each paragraph: the help breaks them at the terminal's width,
    and would keep the breaks of the source. Examples (`\\b`) keep theirs."""
    paragraphs = cleandoc(verb.__doc__ or "").split("\n\n")
    return "\n\n".join(
        text if text.startswith("\b") else text.replace("\n", " ") for text in paragraphs
    )


def _add_absent(app: typer.Typer, entry: EntryPoint, missing: ImportError) -> None:
    def absent() -> None:
        what = missing.name or missing
        raise UserError(
            f"{entry.name} needs packages that are not installed ({what}): pip install "
            f"'botarena[{_extra(entry)}]'"
        )

    anything = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}
    app.command(entry.name, rich_help_panel=SERVER, context_settings=anything)(absent)


def _listed() -> None:
    """Stands for a verb that is not asked for."""


def _about(entry: EntryPoint) -> str:
    """The first line of the verb's docstring, without importing what it needs."""
    try:
        spec = find_spec(entry.module)
        tree = (
            ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
            if spec and spec.origin
            else ast.Module([], [])
        )
    except (ImportError, OSError, SyntaxError):
        return f"Needs pip install 'botarena[{_extra(entry)}]'."
    verbs = [
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == entry.attr
    ]
    said = ast.get_docstring(verbs[0] if verbs else tree)
    return said.partition("\n")[0] if said else ""


def _extra(entry: EntryPoint) -> str:
    return entry.value.partition(".")[0]
