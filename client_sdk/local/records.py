"""The records of matches on the disk: read them and check what they are worth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from client_sdk.console import UserError
from client_sdk.local import lookup

if TYPE_CHECKING:
    from client_sdk.replay import Replay
    from games.core.rerun import Verdict


def verify(file: str | Path, head: str | None = None) -> Verdict:
    """Check a journal by replaying it, or a replay by comparing it with the journal beside it.

    Arguments:
        file: a journal or a replay.
        head: the `journal` of the match's result, if it is known. A record that was rewritten from
            its first line on then differs.

    Returns a verdict. Its `kind` is "ok", "cut", "broken", "differs", "other_rules" or
    "unreadable", and it names the first line and turn with a difference. Raises UserError, a
    `BotarenaError`, if the file cannot be read.
    """
    from client_sdk.replay import read, verify_replay
    from games import GAMES
    from games.core.rerun import Verdict
    from games.core.rerun import verify as verify_journal

    file = Path(file)
    record = read_bytes(file)
    if is_replay(file, record):
        beside = sibling(file)
        verdict = verify_replay(record, read_bytes(beside) if beside else None, GAMES)
        found = read(record).header.journal if verdict.kind == "ok" else ""
    else:
        verdict = verify_journal(record, GAMES)
        found = verdict.head
    if verdict.kind == "ok" and head not in (None, found):
        return Verdict(
            "differs",
            f"another record: its journal's head is {found}, expected {head}",
            verdict.line,
            verdict.turn,
        )
    return verdict


def read_bytes(file: Path) -> bytes:
    """A record as it is on the disk. Raises UserError."""
    try:
        return lookup.read_bytes(file, lookup.FILE_BYTES)
    except IsADirectoryError:
        raise UserError(f"{file}: a folder; name one of the records in it") from None
    except OSError as fault:
        raise UserError(f"{file}: {fault.strerror or fault}") from None


def is_replay(file: Path, record: bytes) -> bool:
    """By its first words; a file without them by its name."""
    from client_sdk.replay import REPLAY_SUFFIX
    from games.core.text import text_of

    first = text_of(record[:32], exact=True)
    if first.startswith(('{"k":"replay"', '{"k":"match"')):
        return first.startswith('{"k":"replay"')
    return file.name.endswith(REPLAY_SUFFIX)


def sibling(file: Path) -> Path | None:
    """The match's other record beside this one, if there is one."""
    from client_sdk.replay import JOURNAL_SUFFIX, REPLAY_SUFFIX

    for mine, other in ((JOURNAL_SUFFIX, REPLAY_SUFFIX), (REPLAY_SUFFIX, JOURNAL_SUFFIX)):
        if file.name.endswith(mine):
            found = file.with_name(file.name.removesuffix(mine) + other)
            return found if found.is_file() else None
    return None


def journal_text(file: Path) -> str:
    """A journal, or the one that belongs to a replay. Raises UserError."""
    from games.core.text import text_of

    record = read_bytes(file)
    if is_replay(file, record):
        beside = sibling(file)
        if beside is None:
            raise UserError(f"{file} is a replay; this needs its journal, which is not beside it")
        record = read_bytes(beside)
    return text_of(record, exact=True)


def read_replay(file: Path) -> Replay:
    """A replay, or what a journal gives. Raises UserError."""
    from client_sdk.replay import from_journal, read
    from games import GAMES
    from games.core.journal import BrokenLine
    from games.core.rerun import Differs

    record = read_bytes(file)
    try:
        return read(record if is_replay(file, record) else from_journal(record, GAMES))
    except (BrokenLine, Differs) as fault:
        raise UserError(f"{file}: {fault}") from None
