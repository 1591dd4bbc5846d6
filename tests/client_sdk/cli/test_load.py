"""`botarena load`: many matches at once on a server."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

import pytest

from client_sdk.load.levels import Generator, is_within, knee
from client_sdk.load.target import BotarenaTarget, Load, SeatedMatches
from client_sdk.rest import RestClient
from games import GAMES
from games.core.contract import Json
from games.every import OURS
from tests.client_sdk.cli.conftest import ROOT, Ran
from tests.e2e.arena import QUICK

MATCHES = 3
NOWHERE = "ws://127.0.0.1:1/ws/play"


def settings(game: str) -> list[str]:
    config = {"max_turns": 20} if game == "pyrat" else QUICK[game]
    if game == "zooscape":
        config = {**config, "max_ticks": 20}
    return [word for name, value in config.items() for word in ("--set", f"{name}={value}")]


def loads(server: str, game: str) -> dict[str, Json]:
    """The generator's matches of this game that the server has."""
    with RestClient(server) as rest:
        found = rest.matches(game)
    return {one["match"]: one for one in found if one["players"][0]["name"] == "load 1"}


@pytest.mark.parametrize("game", OURS)
def test_matches_are_played_from_lobby_to_record(
    cli: Callable[..., Ran], server: str, game: str
) -> None:
    before = loads(server, game)
    ran = cli(
        *("load", server, "--game", game, "--matches", f"1,{MATCHES}", "--json"),
        *("--viewers", 4, "--idle", 2, "--think", 1, "--bound", 60_000, *settings(game)),
    )

    assert ran.status == 0
    assert f"Knee: {MATCHES} matches at once or more." in ran.err.splitlines()
    found = json.loads(ran.out)
    assert (found["game"], found["knee"], found["bound_ms"]) == (game, MATCHES, 60_000)
    one, three = found["levels"]
    assert (one["matches"], three["matches"]) == (1, MATCHES)
    for level in (one, three):
        assert (level["failed"], level["failures"], level["time_losses"]) == (0, {}, 0)
        assert level["turns"] >= 20 * level["matches"] or game == "botstack"
        realtime = GAMES[game].pacing(GAMES[game].rules()).tick_ms is not None
        measured, absent = ("late_ms", "turn_ms") if realtime else ("turn_ms", "late_ms")
        assert level[absent] is None
        for spread in (level[measured], level["fan_out_ms"]):
            assert 0 <= spread["p50"] <= spread["p99"] <= spread["max"]
    records = [record for match, record in loads(server, game).items() if match not in before]
    assert [record["state"] for record in records] == ["over"] * (1 + MATCHES)


def test_the_document_lists_the_fields_of_the_figures(cli: Callable[..., Ran], server: str) -> None:
    words = ("--game", "botstack", "--matches", "2", "--processes", 2, "--json")
    found = json.loads(cli("load", server, *words).out)
    text = (ROOT / "docs/hosting.md").read_text(encoding="utf-8")
    section = text[text.index("`--json` prints what was asked") :].partition("\n## ")[0]
    prose, _, table = section.partition("| field | |")
    rows = [line.partition(" | ")[0] for line in table.splitlines() if line.startswith("| `")]
    words = re.compile(r"`(\w+)`")

    assert {*words.findall(prose)} == found.keys()
    (level,) = found["levels"]
    assert {word for row in rows for word in words.findall(row)} == level.keys()
    assert level["generator"]["processes"] == 2
    assert all(f"`{name}`" in table for name in level["generator"])


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--game", "nim"], "--game: expected one of pyrat, zooscape, .*, got 'nim'"),
        (["--game", "pyrat", "--matches", "0,3"], "--matches: expected whole numbers above 0 .*"),
        (["--game", "pyrat", "--matches", "many"], "--matches: expected whole numbers .*'many'"),
        (["--game", "pyrat", "--matches", "1", "--set", "max_turn=3"], ".*max_turn.*"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    cli: Callable[..., Ran], server: str, words: Sequence[str], problem: str
) -> None:
    ran = cli("load", server, *words)

    assert (ran.status in (2, 3), ran.out) == (True, "")
    assert re.fullmatch(f"botarena: {problem}\n", ran.err)


def test_a_server_that_does_not_answer_is_lost(cli: Callable[..., Ran]) -> None:
    ran = cli("load", "127.0.0.1:1", "--game", "pyrat", "--matches", "1")

    assert (ran.status, ran.out) == (4, "")
    assert "cannot be reached" in ran.err


# --- what fails


class Nowhere:
    """A target whose seats cannot be reached."""

    def seat(self, load: Load, matches: int) -> SeatedMatches:
        seats = [[(NOWHERE, b"{}"), (NOWHERE, b"{}")] for _ in range(matches)]
        return SeatedMatches([f"m{number}" for number in range(matches)], seats)

    def lost(self, seated: SeatedMatches, outcomes: Sequence[Json]) -> Sequence[str]:
        return ["no record of the match" for outcome in outcomes if outcome is not None]


def test_matches_that_cannot_be_played_count_as_failed() -> None:
    with Generator(Nowhere(), Load("pyrat")) as generator:
        level = generator.level(2)

    assert (level["failed"], level["turns"], level["turn_ms"]) == (2, 0, None)
    assert [*level["failures"].values()] == [2]
    assert not is_within(level, 1e9)


class Record(RestClient):
    """A server that has one record."""

    def __init__(self, outcome: Json) -> None:
        super().__init__("127.0.0.1:1")
        self._outcome = outcome

    def match(self, match: str, token: str | None = None) -> dict[str, Json]:
        return {"state": "over", "outcome": self._outcome}


@pytest.mark.parametrize(
    ("outcome", "problems"),
    [
        ({"winner": 0}, []),
        ({"winner": 1}, ["the record has another result than the seats got"]),
        (None, []),
    ],
)
def test_a_record_with_another_result_is_found(outcome: Json, problems: Sequence[str]) -> None:
    with Record({"winner": 0}) as rest:
        assert BotarenaTarget(rest).lost(SeatedMatches(["m"]), [outcome]) == problems


# --- the knee


def level(matches: int, p99: float, *, failed: int = 0, losses: int = 0) -> Json:
    spread = {"p50": 0.1, "p99": p99, "max": p99}
    return {
        "matches": matches,
        "turn_ms": spread,
        "late_ms": None,
        "failed": failed,
        "time_losses": losses,
    }


@pytest.mark.parametrize(
    ("levels", "found"),
    [
        ([level(1, 5), level(10, 9), level(100, 11)], 10),
        ([level(1, 5), level(10, 11), level(100, 9)], 1),
        ([level(1, 11)], None),
        ([level(1, 5), level(10, 5, failed=1)], 1),
        ([level(1, 5), level(10, 5, losses=1)], 1),
    ],
)
def test_the_knee_is_the_last_number_before_one_beyond_the_bound(
    levels: Sequence[Json], found: int | None
) -> None:
    assert knee(levels, 10.0) == found
