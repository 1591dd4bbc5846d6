"""A viewer's record from a journal, for every game."""

from __future__ import annotations

import json
from typing import Any

import pytest

from client_sdk.bot import house, play_headless
from client_sdk.bots import HOUSE
from client_sdk.sight import Sight
from client_sdk.wire.delta import patch
from games import GAMES
from games.core.contract import SPECTATOR
from games.core.journal import Journal, lines
from games.core.match import Match
from games.core.rerun import Differs, Rerun
from tests.e2e.arena import QUICK

SEED = 5_318_008


def played(game: str) -> tuple[Match, str]:
    """A match between house bots whose clients say something, with its journal."""
    written: list[str] = []
    journal = Journal(written.append)
    config = dict(QUICK.get(game, {}))
    match = Match.begin(GAMES[game], config, SEED, None)
    seats = [
        {"seat": seat, "name": f"bot {seat}", "kind": "bot", "token": "hashcanary"}
        for seat in range(match.seats)
    ]
    journal.header(
        GAMES[game],
        match="m",
        config=config,
        seed=SEED,
        map_text=None,
        seats=seats,
        salt="saltcanary",
        about={"doors": ["doorcanary"]},
    )
    match.journal = journal
    journal.event(match.turn, 1, "missing", {"note": "notecanary"})
    journal.event(match.turn, 1, "timeout", {"timeouts": 1, "clock": {"clockcanary": 2}})
    journal.info(match.turn, 1, "what bot 1 thinks")
    play_headless(match, [house(game, next(iter(HOUSE[game]))) for _ in seats])
    return match, "".join(written)


def views(records: list[dict[str, Any]]) -> list[tuple[int, Any]]:
    seen: list[tuple[int, Any]] = []
    for line in records:
        if line["k"] in ("view", "delta"):
            whole = line["k"] == "view"
            seen.append((line["n"], line["view"] if whole else patch(seen[-1][1], line["delta"])))
    return seen


@pytest.mark.parametrize("game", HOUSE)
def test_the_history_for_spectators_has_their_views_and_nothing_private(game):
    match, record = played(game)
    again = Rerun(GAMES)
    sight = Sight(GAMES, SPECTATOR)
    public: dict[int, list[Any]] = {}
    for line in lines(record):
        sight.take(line)
        again.take(line)
        assert again.match is not None
        view = json.loads(json.dumps(again.match.view(SPECTATOR)))
        public.setdefault(again.match.turn, []).append(view)
    text = "".join(sight.lines)
    records = [json.loads(line) for line in sight.lines]

    assert records[0]["k"] == "history"
    assert records[-1]["k"] == "end"
    seen = views(records)
    turns = [turn for turn, _ in seen]
    assert turns == sorted(turns)
    assert len(set(turns)) > 5
    for turn, view in seen:
        assert view in public[turn]
    assert seen[-1][1] == json.loads(json.dumps(match.view(SPECTATOR)))
    assert [line["e"] for line in records if line["k"] == "event"] == ["timeout"]
    assert [line["d"] for line in records if line["k"] == "info"] == ["what bot 1 thinks"]
    assert {line["k"] for line in records} <= {"history", "view", "delta", "event", "info", "end"}
    assert "canary" not in text
    assert str(SEED) not in text


@pytest.mark.parametrize("game", HOUSE)
def test_a_seats_record_has_its_own_view_and_its_own_messages(game):
    match, record = played(game)
    again = Match.begin(GAMES[game], dict(QUICK.get(game, {})), SEED, None)
    while not again.awaited:
        again.advance()
    first = again.view(1)

    sight = Sight(GAMES, 1)
    for line in lines(record):
        sight.take(line)
    records = [json.loads(line) for line in sight.lines]
    seen = [view for _, view in views(records)]

    assert records[0]["k"] == "seat"
    assert records[-1]["k"] == "end"
    assert seen[0] == json.loads(json.dumps(first))
    assert seen[-1] == json.loads(json.dumps(match.view(1)))
    own = [(line["n"], line["c"]) for line in records if line["k"] == "command"]
    assert own == [
        (line.fields["n"], line.fields["c"])
        for line in lines(record)
        if line.fields["k"] == "command" and line.fields["s"] == 1
    ]


def test_states_are_compared_with_the_journals_hashes_unless_they_are_trusted():
    _, record = played("pyrat")
    (first, *_) = (line for line in lines(record) if line.fields["k"] == "turn")
    first.fields["h"] = "0" * 64
    whole, trusting = Sight(GAMES, SPECTATOR), Sight(GAMES, SPECTATOR, hashes=False)

    def read(sight: Sight) -> None:
        for line in lines(record):
            wrong = line.number == first.number
            sight.take(first if wrong else line)

    with pytest.raises(Differs, match="state after turn"):
        read(whole)
    read(trusting)
    assert json.loads(trusting.lines[-1])["k"] == "end"
