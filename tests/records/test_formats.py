"""What was written in any format opens for ever: every file of every folder here, each folder a
format."""

from __future__ import annotations

from pathlib import Path

import pytest

from client_sdk.replay import from_journal, read, verify_replay
from games import GAMES
from games.core.journal import FORMAT, lines
from games.core.rerun import Verdict, verify

FOLDERS = sorted(Path(__file__).parent.glob("format*"))
FILES = [file for folder in FOLDERS for file in sorted(folder.iterdir())]


def named(file: Path) -> str:
    return f"{file.parent.name}/{file.name}"


def other_file(file: Path) -> Path:
    """The match's other record."""
    game, kind, end = file.name.split(".")
    return file.with_name(f"{game}.{'replay' if kind == 'journal' else 'journal'}.{end}")


def sound(verdict: Verdict, rules_version: int, game: str) -> bool:
    """Rules may change, and then the verdict says that and nothing else."""
    same = rules_version == GAMES[game].rules_version
    return verdict.kind == ("ok" if same else "other_rules")


def test_every_format_has_a_journal_and_a_replay_of_every_game() -> None:
    assert f"format{FORMAT}" in [folder.name for folder in FOLDERS]
    newest = Path(__file__).parent / f"format{FORMAT}"
    assert {f"{game}.{kind}.jsonl" for game in GAMES for kind in ("journal", "replay")} <= {
        file.name for file in newest.iterdir()
    }


@pytest.mark.parametrize("file", FILES, ids=named)
def test_a_byte_order_mark_before_a_record_is_ignored(file: Path) -> None:
    marked = b"\xef\xbb\xbf" + file.read_bytes()
    other = b"\xef\xbb\xbf" + other_file(file).read_bytes()
    replay, journal = (marked, other) if ".replay." in file.name else (other, marked)

    assert verify_replay(replay, journal, GAMES) == verify_replay(replay[3:], journal[3:], GAMES)
    assert verify(journal, GAMES) == verify(journal[3:], GAMES)
    assert read(replay) == read(replay[3:])


@pytest.mark.parametrize("file", FILES, ids=named)
def test_a_record_of_any_format_can_be_opened(file: Path) -> None:
    record = file.read_bytes()
    header = next(lines(record.decode())).fields
    assert file.parent.name == f"format{header['format']}"
    if header["k"] == "replay":
        replay = read(record)
        assert sound(
            verify_replay(record, other_file(file).read_bytes(), GAMES),
            header["rules_version"],
            header["game"],
        )
        assert verify_replay(record, None, GAMES).kind == "ok"
    else:
        assert sound(verify(record, GAMES), header["rules_version"], header["game"])
        if header["rules_version"] != GAMES[header["game"]].rules_version:
            return
        replay = read(from_journal(record, GAMES))
    assert replay.outcome is not None
    for turn in replay.turns():
        assert replay.seek(turn)


@pytest.mark.parametrize("record", ["format1/pyrat-info", "format2/pyrat", "format2/zooscape"])
def test_a_seats_infos_are_read_alike_in_every_format(record: str) -> None:
    """In format 1 it was an event named info."""
    folder = Path(__file__).parent
    journal, kept = (
        (folder / f"{record}.{kind}.jsonl").read_bytes() for kind in ("journal", "replay")
    )
    assert (b'"e":"info"' in journal, b'"k":"info"' in journal) == (
        ("format1" in record),
        ("format2" in record),
    )
    for replay in read(kept), read(from_journal(journal, GAMES)):
        assert [1] in [info.d for info in replay.infos]
        assert {info.s for info in replay.infos} == {0}
        assert {event.e for event in replay.events} <= {"away", "back", "resumed", "stall"}
