"""`botarena replay`: a match, turn by turn, as a clip, or a moment of it as a test."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from client_sdk.cli.lost_moment import moment_at, write_test
from client_sdk.console import UserError, amount, out, say, show
from client_sdk.local.lookup import known_game
from client_sdk.local.records import read_replay
from games.core.turns import turn_number, turn_title

if TYPE_CHECKING:
    from client_sdk.moment import Moment
    from client_sdk.replay import Replay


CLIPPED = 200
"""Turns of a clip at most."""
KEYS = "Enter next · p previous · number jumps there · play · q leave"


def replay(
    file: Annotated[Path, typer.Argument(help="A replay, or a journal.", show_default=False)],
    at: Annotated[str | None, typer.Option(metavar="N", help="Show this turn and leave.")] = None,
    seat: Annotated[
        int | None, typer.Option(help="--at: what this seat saw, from the journal.")
    ] = None,
    test: Annotated[
        Path | None,
        typer.Option(
            metavar="OUT.py",
            help="--at, --seat: write a test that fails while the bot decides as it did.",
        ),
    ] = None,
    bot: Annotated[
        str | None, typer.Option(help="--test: the bot, a house bot or a .py file.")
    ] = None,
    clip: Annotated[
        Path | None,
        typer.Option(metavar="OUT.gif", help="Draw the turns as a moving picture."),
    ] = None,
    turns: Annotated[
        str | None,
        typer.Option(metavar="A:B", help="--clip: from turn A to turn B.", show_default="all"),
    ] = None,
    pace: Annotated[
        int, typer.Option(min=0, metavar="MS", help="How long `play` and --clip show a turn.")
    ] = 200,
    as_json: Annotated[
        bool, typer.Option("--json", help="Views as JSON, one line each, instead of the picture.")
    ] = False,
) -> None:
    """Step through a match with the arrow keys.

    In a pipe every turn is one line. With --at, --seat and --test a lost moment becomes a test of
    the bot that played it. --clip draws a file that chats and browsers show: it takes the extra
    `clip`.

    \b
    botarena replay replays/pyrat-7-1.replay.jsonl
    botarena replay replays/pyrat-7-1.replay.jsonl --at 12
    botarena replay replays/pyrat-7-1.replay.jsonl --clip lost.gif --turns 100:120
    botarena replay pyrat-7-1.journal.jsonl --at 12 --seat 0 --bot mybot.py --test test_turn_12.py
    """
    if test is not None:
        if at is None or seat is None:
            raise UserError("--test needs --at N and --seat S: which moment, and whose decision")
        write_test(file, at, seat, test, bot)
    elif seat is not None:
        if at is None:
            raise UserError("--seat needs --at N")
        _show_moment(moment_at(file, at, seat), as_json=as_json)
    else:
        record = read_replay(file)
        if not record.frames:
            raise UserError(f"{file}: the record was cut before the first turn")
        with _drawn(file):
            if clip is not None:
                _write_clip(record, clip, turns, pace)
            else:
                _look(record, at, pace, as_json=as_json)


@contextmanager
def _drawn(file: Path) -> Iterator[None]:
    """The views of a replay may hold anything, and their changes fit nothing. Raises UserError."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as fault:
        why = f"{type(fault).__name__}: {fault}"
        text = "a view is none of its game; `botarena verify` finds what was changed"
        raise UserError(f"{file}: {text} ({why[:200]})") from None


def _look(record: Replay, at: str | None, pace_ms: int, *, as_json: bool) -> None:
    if as_json:
        from games.core.journal import encode

        for index in range(len(record.frames)) if at is None else [_index(record, at)]:
            say(encode(record.view(index)))
    elif at is not None:
        _show(record, _index(record, at))
    elif out().is_terminal:
        _step_through(record, pace_ms)
    else:
        for number in range(len(record.frames)):
            say(_line(record, number))
        _say_end(record)


def _write_clip(record: Replay, file: Path, turns: str | None, pace_ms: int) -> None:
    from client_sdk.clip import SUFFIXES, Drawer

    if file.suffix not in SUFFIXES:
        raise UserError(f"--clip {file}: expected a name that ends in {', '.join(SUFFIXES)}")
    first, last = 0, len(record.frames) - 1
    if turns is not None:
        begin, colon, end = turns.partition(":")
        if not colon:
            raise UserError(f"--turns: expected A:B, such as 100:120, got {turns!r}")
        first, last = _index(record, begin), _index(record, end)
    if not 0 < last - first + 1 <= CLIPPED:
        shown = f"{max(0, last - first + 1)}"
        raise UserError(f"--turns: a clip has 1 to {CLIPPED} turns, these are {shown}")
    header = record.header
    drawer = Drawer(header.game, record.names, record.view(0))
    pictures = [
        drawer.picture(record.view(index), _caption(record, index))
        for index in range(first, last + 1)
    ]
    try:
        drawer.save(pictures, file, pace_ms)
    except OSError as fault:
        raise UserError(f"--clip {file}: {fault.strerror or fault}") from None
    say(f"{file}: {amount(len(pictures), 'turn')}, {file.stat().st_size / 1000:.0f} KB")


def _caption(record: Replay, index: int) -> str:
    """The turn, and how the match ended."""
    from client_sdk.local.results import ending

    if index == len(record.frames) - 1 and record.outcome is not None:
        return ending(record.names, record.outcome)
    game = known_game(record.header.game)
    return f"turn {turn_title(game, record.frames[index].turn)}"


def _index(record: Replay, turn: str) -> int:
    try:
        return record.index(turn_number(known_game(record.header.game), turn))
    except (LookupError, ValueError) as fault:
        raise UserError(str(fault)) from None


def _show_moment(moment: Moment, *, as_json: bool) -> None:
    """What one seat saw."""
    from client_sdk.api import terminal
    from games.core.journal import encode

    if as_json:
        say(encode(moment.view))
        return
    start = moment.start
    memory = terminal.Memory(start.game)
    memory.whole(start.view)
    shown = turn_title(known_game(start.game), moment.turn)
    say(f"turn {shown} as {start.names[start.seat]} ({start.role}) saw it")
    show(terminal.draw(start.game, memory.whole(moment.view), start.names))
    say(f"  its commands: {encode(moment.choice)}")


def _line(record: Replay, index: int) -> str:
    from client_sdk.api import terminal

    return terminal.line(record.header.game, record.view(index), record.names)


def _show(record: Replay, index: int) -> None:
    from client_sdk.api import terminal
    from games.core.journal import encode

    turn = record.frames[index].turn
    memory = terminal.Memory(record.header.game)
    memory.whole(record.view(0))
    shown = turn_title(known_game(record.header.game), turn)
    say(f"turn {shown} of match {record.header.match}, {index + 1} of {len(record.frames)}")
    show(terminal.draw(record.header.game, memory.whole(record.view(index)), record.names))
    for event in record.events:
        if event.n == turn:
            who = "" if event.s is None else f", {_name(record, event.s)}"
            say(f"  {event.e}{who}{'' if event.d is None else f': {encode(event.d)}'}")
    for info in record.infos:
        if info.n == turn:
            say(f"  info, {_name(record, info.s)}: {encode(info.d)}")
    if index == len(record.frames) - 1:
        _say_end(record)


def _name(record: Replay, seat: int) -> str:
    return record.names[seat] if 0 <= seat < len(record.names) else f"seat {seat}"


def _say_end(record: Replay) -> None:
    from client_sdk.local.results import ending

    say(
        "the record was cut here"
        if record.outcome is None
        else ending(record.names, record.outcome)
    )


def _step_through(record: Replay, pace_ms: int) -> None:
    last = len(record.frames) - 1
    index = 0
    _show(record, index)
    for typed in _typed():
        if typed == "play":
            index = _play(record, index, pace_ms)
        elif (turn := _turn(record, typed)) is not None:
            index = record.index(min(record.turns(), key=lambda there: abs(there - turn)))
        elif typed in ("", "n", "p"):
            index = max(0, index - 1) if typed == "p" else min(last, index + 1)
        elif typed in ("first", "last"):
            index = 0 if typed == "first" else last
        else:
            say(KEYS)
            continue
        _show(record, index)


def _typed() -> Iterator[str]:
    """What is typed, until it says to leave. Without a terminal for it, line by line."""
    if sys.stdin.isatty():
        from client_sdk.cli.keys import stepping

        yield from stepping()
        return
    while True:
        try:
            typed = input(f"[{KEYS}] ").strip().lower()
        except EOFError:
            return
        if typed == "q":
            return
        yield typed


def _play(record: Replay, index: int, pace_ms: int) -> int:
    from client_sdk.cli.screen import showing

    with showing() as frame:
        for number in range(index, len(record.frames)):
            frame(record.header.game, record.view(number), record.names)
            time.sleep(pace_ms / 1000)
    return len(record.frames) - 1


def _turn(record: Replay, text: str) -> int | None:
    """None: that is no turn."""
    try:
        return turn_number(known_game(record.header.game), text)
    except ValueError:
        return None
