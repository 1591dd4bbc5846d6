"""The help of `botarena` itself: every verb with one line, by panel.

Typer would draw the same with `rich`: importing that takes longer than all else that help does."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any

import typer
from typer.core import TyperGroup


class Overview(TyperGroup):
    """The verbs of the command line."""

    def format_help(self, ctx: typer.Context, formatter: Any) -> None:  # type: ignore[override]
        """Print it, as Typer's own does."""
        about = (self.help or "").replace("\b\n", "")
        lines = [f" {line}".rstrip() for line in ("", self.get_usage(ctx), "", *about.splitlines())]
        records = (parameter.get_help_record(ctx) for parameter in self.get_params(ctx))
        options = [record for record in records if record is not None]
        column = max(len(names) for names, _ in options)
        lines += ["", *_panel("Options", options, column, formatter.width)]
        panels: dict[str, list[tuple[str, str]]] = {}
        for name, command in self.commands.items():
            row = name, (command.help or "").partition("\n\n")[0]
            panels.setdefault(getattr(command, "rich_help_panel", ""), []).append(row)
        for title, rows in panels.items():
            lines += _panel(title, rows, max(map(len, self.commands)), formatter.width)
        typer.echo("\n".join(lines), color=ctx.color)


def _panel(title: str, rows: Sequence[tuple[str, str]], column: int, width: int) -> Iterator[str]:
    """Lines of this width, the names in a column of that width."""
    round_ = "utf" in (sys.stdout.encoding or "").lower()
    left, right, side, line, bottom_left, bottom_right = "╭╮│─╰╯" if round_ else "++|-++"

    def dim(text: str) -> str:
        return typer.style(text, dim=True)

    yield dim(f"{left}{line} {title} {line * (width - len(title) - 5)}{right}")
    for name, about in rows:
        first = typer.style(name.ljust(column), fg="cyan", bold=True)
        room = width - column - 6
        for text in wrap(about, room) or [""]:
            yield f"{dim(side)} {first}  {text.ljust(room)} {dim(side)}"
            first = " " * column
    yield dim(f"{bottom_left}{line * (width - 2)}{bottom_right}")
