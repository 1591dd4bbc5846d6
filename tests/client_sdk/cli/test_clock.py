"""`botarena clock`: where the time of a match went."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games import GAMES
from games.core.contract import OK
from games.core.journal import Journal
from tests.client_sdk.cli.conftest import botarena

SEATS = [{"name": "swift", "kind": "bot"}, {"name": "far [away]", "kind": "bot"}]


def stamps(handed: float, end: str, wall: float, **parts: float) -> dict[str, float]:
    return {"handed": handed, end: handed + wall} | parts


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Two turns: seat 1 is far away, lets the second one pass, and the server was held up in it."""
    lines: list[str] = []
    record = Journal(lines.append)
    record.header(GAMES["pyrat"], match="m1", config={}, seed=1, map_text=None, seats=SEATS)
    record.command(0, 0, "UP", OK, stamps(10, "received", 5, charged=4.5, lag=0.5))
    record.command(0, 1, "UP", OK, stamps(10, "received", 100, charged=19, lag=80, stalled=1))
    record.command(0, 1, "UP", OK, {"handed": 10, "received": 111})
    record.advance(0)
    record.command(1, 0, "UP", OK, stamps(200, "received", 7, charged=6.5, lag=0.5))
    record.event(1, None, "stall", {"ms": 300.0})
    gone = stamps(200, "closed", 1_430, charged=1_000, lag=80, grace=50, stalled=300)
    record.event(1, 1, "timeout", {"timeouts": 1, "strikes": 0, "clock": gone})
    file = tmp_path / "m1.journal.jsonl"
    file.write_text("".join(lines))
    return file


def shown_json(cli: Any, *words: object) -> dict[str, Any]:
    ran = cli("clock", *words, "--json")
    assert ran.status == 0, ran
    return json.loads(ran.out)


def test_each_seats_parts_sum_to_the_elapsed_time(cli, journal):
    account = shown_json(cli, journal)

    swift, far = account["seats"]
    assert tuple(swift[name] for name in ("turns", "charged_ms", "lag_ms", "longest_ms")) == (
        2,
        11.0,
        1.0,
        6.5,
    )
    assert tuple(far[f"{name}_ms"] for name in ("charged", "lag", "grace", "stalled")) == (
        1019,
        160,
        50,
        301,
    )
    assert [seat["timeouts"] for seat in account["seats"]] == [0, 1]
    assert account["stalls"] == [{"turn": 1, "ms": 300.0}]
    assert (account["sums"], account["off_ms"]) == (True, 0.0)
    assert "turns" not in account


def test_clocks_can_be_shown_by_turn_for_one_seat(cli, journal):
    account = shown_json(cli, journal, "--seat", 1, "--turns")

    assert [seat["name"] for seat in account["seats"]] == ["far [away]"]
    assert [
        (turn["turn"], turn["charged_ms"], turn["wall_ms"], turn["timeout"])
        for turn in account["turns"]
    ] == [
        (0, 19, 100, False),
        (1, 1000, 1430, True),
    ]


def test_clocks_can_be_shown_as_a_table(journal):
    ran = botarena("clock", journal, "--turns")

    assert (ran.status, ran.err) == (0, "")
    assert "match m1, pyrat" in ran.out
    assert "far [away]" in ran.out
    assert "timeout" in ran.out
    assert "the server was held up for 300.0 ms in all, charged to no seat" in ran.out
    assert "✔ 4 turns; the sum of the parts is at most 0.000 ms off what passed" in ran.out


def test_parts_that_do_not_sum_are_named_and_exit_with_1(cli, tmp_path):
    lines: list[str] = []
    record = Journal(lines.append)
    record.header(GAMES["pyrat"], match="m1", config={}, seed=1, map_text=None, seats=SEATS)
    record.command(0, 0, "UP", OK, stamps(10, "received", 50, charged=20))
    file = tmp_path / "m1.journal.jsonl"
    file.write_text("".join(lines))
    ran = cli("clock", file)

    assert ran.status == 1
    assert "30.000 ms off" in ran.out


def test_a_match_without_clocks_is_reported(cli, games):
    for file in (games / "pyrat-1-1.journal.jsonl", games / "pyrat-1-1.replay.jsonl"):
        ran = cli("clock", file)

        assert ran.status == 2
        assert "no clocks ran in this match" in ran.err


def test_an_invalid_journal_or_seat_is_refused(cli, journal, tmp_path):
    broken = tmp_path / "broken.journal.jsonl"
    broken.write_text(journal.read_text().replace("1630", "1631"))
    for words in ([broken], [tmp_path / "none"], [journal, "--seat", 2]):
        ran = cli("clock", *words)

        assert (ran.status, ran.err.count("\n")) == (2, 1), ran
