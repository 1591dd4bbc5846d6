"""A seat's record from a journal, for every game."""

from __future__ import annotations

import json

import pytest

from client_sdk.bot import house, play_headless
from client_sdk.bots import HOUSE
from client_sdk.sight import Sight
from client_sdk.wire.delta import patch
from games import GAMES
from games.core.journal import Journal, lines
from games.core.match import Match
from tests.e2e.arena import QUICK


@pytest.mark.parametrize("game", HOUSE)
def test_a_seats_record_has_its_own_view_and_its_own_messages(game):
    written: list[str] = []
    journal = Journal(written.append)
    config = dict(QUICK.get(game, {}))
    match = Match.begin(GAMES[game], config, 5, None)
    seats = [{"seat": seat, "name": f"bot {seat}", "kind": "bot"} for seat in range(match.seats)]
    journal.header(GAMES[game], match="m", config=config, seed=5, map_text=None, seats=seats)
    match.journal = journal
    play_headless(match, [house(game, next(iter(HOUSE[game]))) for _ in seats])
    record = "".join(written)
    again = Match.begin(GAMES[game], config, 5, None)
    while not again.awaited:
        again.advance()
    first = again.view(1)

    sight = Sight(GAMES, 1)
    for line in lines(record):
        sight.take(line)
    records = [json.loads(line) for line in sight.lines]
    seen = []
    for line in records:
        if line["k"] in ("view", "delta"):
            seen.append(line["view"] if line["k"] == "view" else patch(seen[-1], line["delta"]))

    assert [line["k"] for line in records][:2] == ["seat", "view"]
    assert records[-1]["k"] == "end"
    assert seen[0] == json.loads(json.dumps(first))
    assert seen[-1] == json.loads(json.dumps(match.view(1)))
    own = [(line["n"], line["c"]) for line in records if line["k"] == "command"]
    assert own == [
        (line.fields["n"], line.fields["c"])
        for line in lines(record)
        if line.fields["k"] == "command" and line.fields["s"] == 1
    ]
