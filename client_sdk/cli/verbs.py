"""Verbs of other packages: the entry-point group `botarena.verbs`, the one registry that is scanned.

A verb is imported when it is asked for, or for the list of all verbs. One that lacks its packages says what to install.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, Final

from client_sdk.cli.console import UserError

if TYPE_CHECKING:
    import typer

GROUP: Final = "botarena.verbs"


def add(app: typer.Typer, arguments: Sequence[str], panel: str) -> None:
    """Add what the command line needs of the installed verbs."""
    asked = next((word for word in arguments if not word.startswith("-")), None)
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        if asked in (None, entry.name):
            _add(app, entry, panel)


def _add(app: typer.Typer, entry: EntryPoint, panel: str) -> None:
    try:
        app.command(entry.name, rich_help_panel=panel)(entry.load())
    except ImportError as missing:
        anything = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}
        app.command(entry.name, rich_help_panel=panel, context_settings=anything)(_absent(entry, missing))


def _absent(entry: EntryPoint, missing: ImportError) -> Callable[[], Any]:
    package = entry.value.partition(".")[0]
    hint = f"pip install 'botarena[{package}]'"

    def absent() -> None:
        raise UserError(f"{entry.name} needs packages that are not installed ({missing.name or missing}): {hint}")

    absent.__doc__ = f"Not installed: {hint}"
    return absent
