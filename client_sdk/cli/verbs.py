"""Verbs of other packages: the entry-point group `botarena.verbs`.

A verb is a function, or a group of them: a Typer app in a module of its own. It is imported when it
is asked for; for the list of all verbs its first sentence is read from its source, a group's from
its module. One that lacks its packages says what to install."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from client_sdk.console import UserError

if TYPE_CHECKING:
    import typer

GROUP: Final = "botarena.verbs"


def add(app: typer.Typer, arguments: Sequence[str], panel: str) -> None:
    """Add the installed verbs: the one that is asked for, of the others name and first sentence."""
    asked = next((word for word in arguments if not word.startswith("-")), None)
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        if asked == entry.name:
            _add(app, entry, panel)
        else:
            app.command(entry.name, rich_help_panel=panel, help=_about(entry))(listed)


def _add(app: typer.Typer, entry: EntryPoint, panel: str) -> None:
    try:
        verb = entry.load()
        if callable(getattr(verb, "add_typer", None)):
            app.add_typer(
                verb,
                name=entry.name,
                rich_help_panel=panel,
                help=_about(entry),
                no_args_is_help=True,
            )
        else:
            app.command(entry.name, rich_help_panel=panel)(verb)
    except ImportError as missing:
        anything = {
            "ignore_unknown_options": True,
            "allow_extra_args": True,
            "help_option_names": [],
        }
        app.command(entry.name, rich_help_panel=panel, context_settings=anything)(
            _absent(entry, missing)
        )


def _absent(entry: EntryPoint, missing: ImportError) -> Callable[[], Any]:
    def absent() -> None:
        what = missing.name or missing
        raise UserError(
            f"{entry.name} needs packages that are not installed ({what}): pip install "
            f"'botarena[{_extra(entry)}]'"
        )

    return absent


def listed() -> None:
    """Stands for a verb that another command line asks for."""


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
