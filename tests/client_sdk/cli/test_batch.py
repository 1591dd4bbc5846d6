"""Whether one bot is better: decided by pairs, whatever the number of processes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from client_sdk.cli.batch import APART, _score
from client_sdk.local.games import Task, TaskResult, play
from client_sdk.local.players import player_specs
from client_sdk.local.pool import ENDED, Pool
from tests.client_sdk.cli.conftest import Ran, botarena

BATCH = ("batch", "botstack", "greedy", "trivial", "--sprt", "--seed", "1", "--elo1", "200")


def done(winner: int | None, *placements: int) -> TaskResult:
    return TaskResult(
        outcome={"winner": winner, "seats": [{"placement": place} for place in placements]}
    )


def test_a_better_bot_is_recognised_and_the_run_stops(
    tmp_path: Path, cli: Callable[..., Ran]
) -> None:
    ran = botarena(*BATCH, "--replay-dir", tmp_path, "--json")
    result = json.loads(ran.out)

    assert (ran.status, result["decision"], result["needed"]) == (0, "better", 0), ran.err
    assert result["pairs"] == sum(result["scores"].values()) < 100
    assert 2 * result["pairs"] <= len(list(tmp_path.glob("*.journal.jsonl")))
    assert cli("verify", tmp_path).status == 0


def test_the_answer_does_not_depend_on_the_number_of_parallel_games() -> None:
    one, three = (json.loads(botarena(*BATCH, "--jobs", jobs, "--json").out) for jobs in (1, 3))

    assert one == three


def test_an_undecided_run_reports_the_games_that_are_missing(
    cli: Callable[..., Ran],
) -> None:
    ran = cli("batch", "botstack", "greedy", "greedy", "--sprt", "--pairs", "4", "--seed", "1")

    assert ran.status == 2
    assert "greedy 1 against greedy 2: 4 pairs from seed 1, 0 won, 4 even, 0 lost" in ran.out
    assert "undecided: about" in ran.err
    assert "more pairs like these would decide it" in ran.err


def test_a_bot_that_is_not_better_is_reported(cli: Callable[..., Ran]) -> None:
    ran = cli("batch", "botstack", "trivial", "greedy", "--sprt", "--seed", "1", "--elo1", "200")

    assert ran.status == 1
    assert "trivial is not better by 200 Elo" in ran.out


def test_an_interrupted_run_reports_what_was_played(
    cli: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    results = iter([done(0, 1, 2), done(1, 2, 1)])

    def result(pool: Pool, future: object) -> TaskResult:
        try:
            return replace(next(results), failed=(0, 0))
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr(Pool, "submit", lambda pool, task: None)
    monkeypatch.setattr(Pool, "result", result)
    ran = cli("batch", "botstack", "greedy", "trivial", "--seed", "1")

    assert ran.status == 130
    assert "greedy against trivial: 1 pair from seed 1, 1 won, 0 even, 0 lost" in ran.out
    assert "all won, so Elo is unknown, log likelihood ratio" in ran.out
    assert "inf" not in ran.out
    assert ran.err.endswith("interrupted\n")


def test_a_file_that_hangs_within_a_process_of_the_run_ends_its_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("client_sdk.local.seated.HANGS_S", 0.2)
    text = "def action(me, other, gun, next_bullet):\n    while True:\n        pass\n"
    (tmp_path / "hangs.py").write_text(text)
    players = player_specs("botstack", [str(tmp_path / "hangs.py"), "trivial"])
    task = Task(
        record="one",
        game="botstack",
        config={"time_bank_ms": 0, "decision_timeout_ms": 50},
        map_text=None,
        seed=1,
        players=tuple(players),
        limit_s=None,
        games=None,
        logs=tmp_path,
        apart=None,
    )
    ended = play(task)

    assert (ended.outcome, ended.absent) == (None, (0,))
    assert "hangs has not returned from decide" in ended.why
    assert "hangs.py, line " in ended.why


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("botstack", "greedy", "trivial", "--elo0", "30", "--elo1", "30"), "elo0 below elo1"),
        (("botstack", "greedy", "trivial", "--seed", "-1"), "--seed"),
        (("botstack", "greedy", "unknown"), "no house bot of botstack"),
    ],
)
def test_a_comparison_that_is_impossible_is_reported_before_a_game(
    words: tuple[str, ...], message: str, cli: Callable[..., Ran]
) -> None:
    ran = cli("batch", *words)

    assert ran.status == 2
    assert message in ran.err


def test_a_bot_that_cannot_be_loaded_ends_the_run_with_the_reason(
    tmp_path: Path, cli: Callable[..., Ran]
) -> None:
    (tmp_path / "broken.py").write_text("raise RuntimeError('not today')")
    ran = cli("batch", "botstack", "greedy", tmp_path / "broken.py", "--pairs", "3")

    assert ran.status == 2
    assert "could not be played" in ran.err
    assert "not today" in ran.err


def test_a_bot_that_crashes_its_process_ends_the_run_with_the_way_on(
    bot_file: Callable[[str], Path], cli: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("client_sdk.cli.batch.LOST", 1)
    crashing = bot_file("import os\nos.abort()")
    ran = cli("batch", "botstack", "greedy", crashing, "--pairs", "1", "--jobs", "1")

    assert ran.status == 2
    assert f"could not be played\n{ENDED}\n{APART}\n" in ran.err


def test_a_failing_bot_is_reported(tmp_path: Path) -> None:
    bot = (
        "from client_sdk.api.pyrat import Bot\n\n\nclass Failing(Bot):\n    def think(self, state, "
        "ctx):\n        return 1 // 0\n"
    )
    (tmp_path / "failing.py").write_text(bot)
    tiny = ("--set", "preset=tiny", "--set", "max_turns=5", "--pairs", "2", "--seed", "1")
    ran = botarena("batch", "pyrat", tmp_path / "failing.py", "random", *tiny)

    assert "failing failed on 20 turns" in ran.err
    assert "random failed" not in ran.err


def test_a_game_without_a_winner_counts_by_places() -> None:
    assert (_score(done(0, 1, 2), mine=0), _score(done(0, 1, 2), mine=1)) == (1.0, 0.0)
    assert _score(done(None, 1, 1), mine=0) == 0.5
    assert (_score(done(None, 1, 2), mine=0), _score(done(None, 2, 1), mine=0)) == (1.0, 0.0)
