"""`botarena verify`: proves what a match leaves behind."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from client_sdk.console import UserError, amount, good, note, say
from client_sdk.local.records import verify as check

if TYPE_CHECKING:
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
            found_here = (
                file
                for suffix in (JOURNAL_SUFFIX, REPLAY_SUFFIX)
                for file in path.rglob(f"*{suffix}")
                if file.is_file()
            )
            inside = sorted(found_here, key=_natural)
            if not inside:
                raise UserError(f"{path}: no *{JOURNAL_SUFFIX} or *{REPLAY_SUFFIX} in this folder")
            found += inside
        else:
            found.append(path)
    return found


def _natural(file: Path) -> list[list[str | int]]:
    """Orders files by name, and numbers in names by value: -9 comes before -10."""
    return [
        [int(word) if at % 2 else word for at, word in enumerate(re.split("([0-9]+)", part))]
        for part in file.parts
    ]


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
