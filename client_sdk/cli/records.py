"""`botarena replay` and `botarena verify`: what a match leaves behind."""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from client_sdk.console import UserError, amount, good, note, out, say, show
from client_sdk.local.lookup import game_called, known_game
from client_sdk.local.records import journal_text, read_replay
from client_sdk.local.records import verify as check
from games.core.turns import turn_number, turn_text

if TYPE_CHECKING:
    from client_sdk.moment import Moment
    from client_sdk.replay import Replay
    from games.core.rerun import Verdict


VERIFIED = "verified"
WORTH: Final = {
    "ok": VERIFIED,
    "cut": "cut",
    "broken": "false",
    "differs": "false",
    "other_rules": "of other rules",
    "unreadable": "unreadable",
}
"""What a verdict is called where many are counted."""
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
    pace: Annotated[
        int, typer.Option(min=0, metavar="MS", help="How long `play` shows a turn.")
    ] = 200,
    as_json: Annotated[
        bool, typer.Option("--json", help="Views as JSON, one line each, instead of the picture.")
    ] = False,
) -> None:
    """Step through a match with the arrow keys.

    In a pipe every turn is one line. With --at, --seat and --test a lost moment becomes a test of
    the bot that played it.

    \b
    botarena replay replays/pyrat-7-1.replay.jsonl
    botarena replay replays/pyrat-7-1.replay.jsonl --at 12
    botarena replay pyrat-7-1.journal.jsonl --at 12 --seat 0 --bot mybot.py --test test_turn_12.py
    """
    if test is not None:
        if at is None or seat is None:
            raise UserError("--test needs --at N and --seat S: which moment, and whose decision")
        _write_test(file, at, seat, test, bot)
    elif seat is not None:
        if at is None:
            raise UserError("--seat needs --at N")
        _show_moment(_moment(file, at, seat), as_json=as_json)
    else:
        record = read_replay(file)
        if not record.frames:
            raise UserError(f"{file}: the record was cut before the first turn")
        _look(record, at, pace, as_json=as_json)


def verify(
    files: Annotated[
        list[Path],
        typer.Argument(help="Journals, replays, or folders of them.", show_default=False),
    ],
    head: Annotated[
        str | None, typer.Option(metavar="HEX", help="The `journal` of the match's result.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each file.")] = False,
) -> None:
    """Prove records: play every journal again, compare every replay with its journal.

    The other file of a match is found by its name. One line a file, and for several a sum on
    stderr; exit status 1 if any of them fails. With --head a record that was rewritten from its
    first line on is distinguished from the one that the server kept.

    \b
    botarena verify replays/pyrat-7-1.replay.jsonl
    botarena verify data/demo
    """
    found: Counter[str] = Counter()
    for file in _files(files):
        verdict = check(file, head)
        say(_verdict_json(file, verdict) if as_json else verdict_line(file, verdict))
        found[WORTH[verdict.kind]] += 1
    if found.total() > 1:
        counts = [
            f"{found[word]} {word}"
            for word in dict.fromkeys(WORTH.values())
            if found[word] or word == VERIFIED
        ]
        note(f"{amount(found.total(), 'record')}: {', '.join(counts)}")
    if found[VERIFIED] < found.total():
        raise typer.Exit(1)


def _files(paths: list[Path]) -> list[Path]:
    from client_sdk.replay import JOURNAL_SUFFIX, REPLAY_SUFFIX

    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(
                file
                for suffix in (JOURNAL_SUFFIX, REPLAY_SUFFIX)
                for file in path.rglob(f"*{suffix}")
            )
            if not inside:
                raise UserError(f"{path}: no *{JOURNAL_SUFFIX} or *{REPLAY_SUFFIX} in this folder")
            found += inside
        else:
            found.append(path)
    return found


def _verdict_json(file: Path, verdict: Verdict) -> str:
    found = {"verdict": verdict.kind, "line": verdict.line, "turn": verdict.turn}
    return json.dumps({"file": str(file), **found, "why": verdict.why})


def verdict_line(file: Path, verdict: Verdict) -> str:
    """✔ or ✘, the file, and what was found."""
    if verdict.kind == "ok":
        lines = amount(verdict.line, "line")
        return f"{good(True)} {file}  {lines}, {amount(verdict.turn or 0, 'turn')}: {verdict.why}"
    turn = "" if verdict.turn is None else f", turn {verdict.turn}"
    return (
        f"{good(False)} {file}  line {verdict.line}{turn}: {verdict.kind.replace('_', ' ')}: "
        f"{verdict.why}"
    )


# --- looking --------------------------------------------------------------------------------------


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
    shown = turn_text(known_game(start.game), moment.turn)
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
    shown = turn_text(known_game(record.header.game), turn)
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


# --- a moment as a test ---------------------------------------------------------------------------


def _moment(file: Path, turn: str, seat: int) -> Moment:
    from client_sdk.moment import moment_of
    from games import GAMES
    from games.core.journal import BrokenLine
    from games.core.rerun import Differs

    try:
        return moment_of(journal_text(file), turn, seat, GAMES)
    except (BrokenLine, Differs, LookupError, ValueError) as fault:
        raise UserError(f"{file}: {fault}") from None


def _write_test(file: Path, turn: str, seat: int, test: Path, spec: str | None) -> None:
    from client_sdk.bots import HOUSE
    from client_sdk.local.players import is_compiled, opened, player_spec

    moment = _moment(file, turn, seat)
    game, name = moment.start.game, moment.start.names[seat]
    if spec is None and name not in HOUSE.get(game, {}):  # a record may not name a file to load
        raise UserError(f"{name!r} is no house bot of {game}: name the bot with --bot")
    player = player_spec(game, spec or name)
    if player.kind not in ("house", "file") or is_compiled(player):
        raise UserError(
            f"--bot {player.spec}: a test calls the bot's own decide, so it has to be a .py file "
            "or a house bot"
        )

    def answer(moment: Moment) -> object:
        with opened(game_called(game), player, apart=False) as bot:
            return moment.answer(bot)

    kept = moment.forgetful()
    if answer(kept) != moment.choice:
        kept = moment
        found = answer(kept)
        if found != moment.choice:
            note(
                f"{player.label} answers {found} here, not {moment.choice} as recorded: the test "
                "holds already, or by chance"
            )
    try:
        test.write_text(
            _TEST.format(**_words(kept, player.kind, player.spec, test)), encoding="utf-8"
        )
    except OSError as fault:
        raise UserError(f"{test}: {fault.strerror or fault}") from None
    say(
        f"{test}: fails while {player.label} answers {moment.choice} in turn {turn}. Run it: "
        f"pytest {test}"
    )


def _words(moment: Moment, kind: str, spec: str, test: Path) -> dict[str, str]:
    start = moment.start
    if kind == "house":
        load, make = (
            "from botarena import Moment, house_bot",
            f"house_bot({start.game!r}, {spec!r})",
        )
    else:
        load = "from pathlib import Path\n\nfrom botarena import Moment, load_bot"
        make = (
            f"load_bot(Path(__file__).parent / {_relative(Path(spec), test.parent)!r}, "
            f"{start.game!r})"
        )
    about = f"Turn {moment.turn} of {' against '.join(start.names)}, as the {start.role} saw it."
    return {
        "turn": str(moment.turn),
        "about": repr(about)[1:-1].replace('"', '\\"'),  # its names come from the players
        "load": load,
        "make": make,
        "moment": moment.written(),
    }


def _relative(file: Path, folder: Path) -> str:
    """The way from the test to the bot; on Windows there may be none, from one drive to another."""
    try:
        return Path(os.path.relpath(file.resolve(), folder.resolve())).as_posix()
    except ValueError:
        return file.resolve().as_posix()


_TEST = '''"""{about}

The test fails while the bot decides as it did then."""

{load}

MOMENT = Moment.read(r"""
{moment}
""")


def test_turn_{turn}_is_played_differently():
    bot = {make}

    assert MOMENT.answer(bot) != MOMENT.choice
'''
