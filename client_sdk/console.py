"""Where the command speaks: results to stdout, everything about them to stderr. Colour and width as
the terminal allows."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from games.core.errors import BotarenaError

if TYPE_CHECKING:
    from rich.console import Console

PIPE_WIDTH: Final = 160
"""Columns where the width is unknown: tables in a pipe are not folded."""
PIPE_S: Final = 10.0
"""How often a command whose output is a pipe tells how far it is."""


class UserError(BotarenaError):
    """Something on the command line cannot be done; reported in one line."""


@cache
def out() -> Console:
    return _console(stderr=False)


@cache
def err() -> Console:
    return _console(stderr=True)


def say(text: str = "") -> None:
    """One line of result, as it is."""
    out().print(text, markup=False, highlight=False, soft_wrap=True)


def show(picture: Any) -> None:
    """A picture, not folded where it is wider than the terminal."""
    out().print(picture, soft_wrap=True)


def show_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table without lines; its cells are text as it is."""
    from rich.table import Table
    from rich.text import Text

    table = Table(*head, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*map(Text, row))
    show(table)


def note(text: str) -> None:
    """One line about the result, to stderr; while a picture is redrawn in place, above it: `rich`
    takes the stream then."""
    sys.stderr.write(f"{text}\n")


def log_to_stderr() -> None:
    """What a bot's program logs, unless the program has handlers of its own."""
    import logging

    log = logging.getLogger("botarena")
    if not log.hasHandlers():
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("botarena: %(message)s"))
        log.addHandler(handler)
        log.setLevel(logging.INFO)


def amount(number: int, one: str, many: str = "") -> str:
    """`1 turn`, `2 turns`; `many`: where it is not the one with an s."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def good(yes: bool) -> str:
    """✔ or ✘, or words where the terminal cannot show them."""
    if "utf" in (sys.stdout.encoding or "").lower():
        return "✔" if yes else "✘"
    return "ok  " if yes else "FAIL"


quiet = False
"""Whether progress is not shown."""


def be_quiet(wanted: bool) -> bool:
    """Show no progress, or show it again."""
    global quiet  # noqa: PLW0603  one for the process
    quiet = wanted
    return wanted


@contextmanager
def progress(games: int) -> Iterator[Callable[[], object]]:
    """A bar on stderr for runs of many games, where there is a terminal to show it."""
    if quiet or games < 5 or not err().is_terminal:
        yield lambda: None
        return
    from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

    with Progress(
        *Progress.get_default_columns()[:2],
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=err(),
        transient=True,
    ) as bar:
        task = bar.add_task("games", total=games)
        yield lambda: bar.advance(task)


@contextmanager
def status(text: str) -> Iterator[Callable[[str], object]]:
    """What is going on, on stderr: a line that is redrawn on a terminal, elsewhere a line at most
    every `PIPE_S` seconds. The function that is yielded takes the newest text."""
    if quiet:
        yield lambda newest: None
        return
    if err().is_terminal:
        with err().status(text) as shown:
            yield shown.update
        return
    last = time.monotonic()

    def update(newest: str) -> None:
        nonlocal last
        if time.monotonic() - last >= PIPE_S:
            last = time.monotonic()
            note(newest)

    yield update


def _console(*, stderr: bool) -> Console:
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, highlight=False, width=None if stream.isatty() else PIPE_WIDTH)
