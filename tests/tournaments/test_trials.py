"""Versions that are tested against the one that plays: which take its place, and which do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import client_sdk.cli
from games.contest.sprt import Hypotheses
from games.core.contract import AnyGame
from server.store.tournaments import LOCAL_POOL
from server.webhook import Webhook
from tests.server.live_server import eventually
from tests.stores import written
from tests.tournaments.stage import Stage, staged
from tests.tournaments.test_ladder_batches import Threads, url_of
from tests.tournaments.versions import EATS, FALLS, STAYS, version

TINY = {"preset": "tiny", "max_turns": 40}
OTHER = f"{STAYS}# other\n"
"""Plays as STAYS does."""
DECIDED_S = 120.0
SCORES = "select score from ladder_games"
Posted = list[tuple[str, Any]]


def tiny(game: AnyGame, config: dict[str, Any], seats: int) -> dict[str, Any]:
    return config | TINY


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few pairs decide a trial."""
    for module in ("submissions", "tournaments"):
        monkeypatch.setattr(f"server.{module}.trials.TEST", Hypotheses(elo1=300))
    monkeypatch.setattr("server.tournaments.trials.LOOK_S", 0.02)
    monkeypatch.setattr("server.workers.due.for_seats", tiny)
    monkeypatch.setattr("server.workers.here.Pool", Threads)
    monkeypatch.setattr("server.workers.here.missing", lambda: None)


@pytest.fixture
def posted(monkeypatch: pytest.MonkeyPatch) -> Posted:
    """Events of the webhook, with their versions."""
    found: Posted = []

    def post(_: Webhook, event: str, text: str, **about: Any) -> None:
        found.append((event, about.get("version")))

    monkeypatch.setattr(Webhook, "post", post)
    return found


Stages = Callable[..., Stage]


@pytest.fixture
def stage_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stages]:
    """A server with these settings; a second one takes the place of the first."""
    opened: list[Any] = []

    def open_(**settings: Any) -> Stage:
        while opened:
            opened.pop().__exit__(None, None, None)
        about = {"games_at_once": 0, "submissions": True, "trial_games_per_hour": 0} | settings
        opened.append(staged(tmp_path, monkeypatch, **about))
        return opened[-1].__enter__()

    yield open_
    while opened:
        opened.pop().__exit__(None, None, None)


def seen(stage: Stage, key: str, id_: str) -> dict[str, Any]:
    found: dict[str, Any] = stage.live_server.get(f"/submissions/{id_}", key).json()
    return found


def decided(stage: Stage, key: str, id_: str) -> dict[str, Any]:
    return eventually(
        lambda: now if (now := seen(stage, key, id_))["state"] != "testing" else None, DECIDED_S
    )


def test_a_version_that_is_stronger_takes_the_place_of_the_one_that_plays(
    stage_with: Stages, posted: Posted
):
    stage = stage_with(ladder="pyrat", ladder_pace_ms=1_000_000)
    ada = stage.guest("Ada").person
    first = version(url_of(stage), ada.id)
    second = version(url_of(stage), ada.id, text=EATS, trial=True)

    found = decided(stage, ada.key, second)
    assert (found["state"], found["trial"]) == ("active", None)
    assert "stronger than version 1" in found["reason"]
    assert "log likelihood ratio +" in found["reason"]
    assert seen(stage, ada.key, first)["state"] == "replaced"
    assert ("version_promoted", 2) in posted
    assert stage.live_server.get("/ladders/pyrat/games").json() == []
    played = stage.live_server.get("/matches").json()
    assert {tuple(one["version"] for one in match["players"]) for match in played} == {
        (1, 2),
        (2, 1),
    }
    assert not any(match["rated"] for match in played)
    assert not any("ladder_game" in event for event, _ in posted)


def test_a_version_that_is_weaker_is_refused_and_the_other_one_plays_on(
    stage_with: Stages, posted: Posted
):
    stage = stage_with()
    ada = stage.guest("Ada").person
    first = version(url_of(stage), ada.id, text=EATS)
    second = version(url_of(stage), ada.id, trial=True)

    found = decided(stage, ada.key, second)
    assert found["state"] == "refused"
    assert "not stronger than version 1 by 300 Elo" in found["reason"]
    assert seen(stage, ada.key, first)["state"] == "active"
    assert ("version_refused", 2) in posted


def test_a_version_that_is_as_strong_is_refused_after_the_last_pair(stage_with: Stages):
    stage = stage_with(trial_pairs=2)
    ada = stage.guest("Ada").person
    version(url_of(stage), ada.id)
    second = version(url_of(stage), ada.id, text=OTHER, trial=True)

    found = decided(stage, ada.key, second)
    assert found["state"] == "refused"
    assert "not shown to be stronger than version 1 in 2 pairs" in found["reason"]
    assert len(written(stage.live_server.data, "select match from ladder_games")) == 4


def test_a_version_that_does_not_come_to_its_trial_is_refused(stage_with: Stages):
    stage = stage_with(ladder_failures=2)
    ada = stage.guest("Ada").person
    version(url_of(stage), ada.id)
    second = version(url_of(stage), ada.id, text=FALLS, trial=True)

    found = decided(stage, ada.key, second)
    assert found["state"] == "refused"
    assert "did not come to 2 games in a row of its trial" in found["reason"]
    assert [score for (score,) in written(stage.live_server.data, SCORES)] == [0.0, 0.0]


def test_a_trial_has_no_more_games_within_an_hour_than_the_operator_allows(
    stage_with: Stages, capsys
):
    stage = stage_with(trial_games_per_hour=3)
    ada = stage.guest("Ada").person
    version(url_of(stage), ada.id)
    second = version(url_of(stage), ada.id, text=OTHER, trial=True)

    def trial(pairs: int) -> dict[str, Any] | None:
        now = seen(stage, ada.key, second)["trial"]
        return now if now["pairs"] >= pairs else None

    found = eventually(lambda: trial(1))
    assert (found["most_pairs"], found["low"], found["high"]) == (200, -2.996, 2.996)
    assert 0 <= found["score"] <= 2
    there = [stage.live_server.url, second, "--key", ada.key]
    assert client_sdk.cli.run(["submissions", "show", *there]) == 0
    assert "version 2: testing: 1 of at most 200 pairs, score" in capsys.readouterr().out
    data = stage.live_server.data
    written(data, "update ladder_games set begun_ms = begun_ms - 3600000")
    eventually(lambda: trial(2))
    assert len(written(data, "select match from ladder_games")) == 4


def test_a_trial_goes_on_with_the_games_that_are_stored_after_a_restart(stage_with: Stages):
    stage = stage_with(trial_games_per_hour=2)
    ada = stage.guest("Ada").person
    version(url_of(stage), ada.id)
    second = version(url_of(stage), ada.id, text=OTHER, trial=True)
    eventually(lambda: (seen(stage, ada.key, second)["trial"]["pairs"]) == 1)
    data = stage.live_server.data
    before = written(data, "select match, score from ladder_games order by match")
    # a pair of which one game was played when the server ended
    (match, _), *_ = before
    written(
        data,
        "update ladder_games set score = null, taken_by = ? where match = ?",
        LOCAL_POOL,
        match,
    )
    for table in ("seats", "records", "attempts"):
        written(data, f"delete from {table} where match = ?", match)
    written(data, "delete from matches where id = ?", match)

    stage = stage_with(trial_games_per_hour=0, trial_pairs=2)
    found = decided(stage, ada.key, second)
    assert "in 2 pairs" in found["reason"]
    after = written(data, "select match from ladder_games")
    assert len(after) == 4
    assert {one for one, _ in before} < {one for (one,) in after}


def test_a_version_that_passes_its_check_later_ends_the_trial_of_the_one_before(
    stage_with: Stages,
):
    stage = stage_with(trial_games_per_hour=2)
    ada = stage.guest("Ada").person
    first = version(url_of(stage), ada.id)
    second = version(url_of(stage), ada.id, text=OTHER, trial=True)
    third = version(url_of(stage), ada.id, text=EATS, trial=True)
    states = [seen(stage, ada.key, id_)["state"] for id_ in (first, second, third)]
    assert states == ["active", "refused", "testing"]
    assert "version 3 was handed in" in seen(stage, ada.key, second)["reason"]
    version(url_of(stage), ada.id, text=STAYS)
    states = [seen(stage, ada.key, id_)["state"] for id_ in (first, second, third)]
    assert states == ["replaced", "refused", "refused"]


def test_without_a_version_that_plays_there_is_no_trial(stage_with: Stages):
    stage = stage_with()
    ada = stage.guest("Ada").person
    only = seen(stage, ada.key, version(url_of(stage), ada.id, trial=True))
    assert only["state"] == "active"
    assert "no version to play against" in only["reason"]


def test_what_a_trial_counts_is_kept_until_it_is_decided(stage_with: Stages):
    stage = stage_with(trial_games_per_hour=2)
    data = stage.live_server.data
    prune = ["store", "prune", "--older-than", "0h", "--data-dir", str(data)]
    ada = stage.guest("Ada").person
    version(url_of(stage), ada.id)
    second = version(url_of(stage), ada.id, text=OTHER, trial=True)
    eventually(lambda: len([one for (one,) in written(data, SCORES) if one is not None]) == 2)
    assert client_sdk.cli.run(prune) == 0
    assert len(stage.live_server.get("/matches").json()) == 2

    stage = stage_with(trial_pairs=1)
    assert "in 1 pairs" in decided(stage, ada.key, second)["reason"]
    assert client_sdk.cli.run(prune) == 0
    assert stage.live_server.get("/matches").json() == []
    assert written(data, "select * from records") == []
