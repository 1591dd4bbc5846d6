"""Files of Cookoff's contest over the real server: they play the same as on the engine, turn by
turn."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from client_sdk import botfile
from client_sdk.api.cookoff import Map, RobotController
from client_sdk.api.cookoff.map import Layout
from client_sdk.process import BotProcess, python_bot
from games import GAMES
from games.core.contract import Json
from games.core.journal import Journal, lines
from games.core.match import Match
from games.core.play import play
from games.core.rerun import verify
from tests.client_sdk.cookoff_bots import BOTS, KITCHEN
from tests.e2e.arena import PATIENCE_S, Arena

SEED = 5
CONFIG = {"rules": "awap2026", "total_turns": 110, "starting_money": 400, "turn_time_ms": 20_000}


class OnTheEngine(RobotController):
    """A controller without a mirror: every call is carried out by the match itself."""

    def __init__(self, match: Match, seat: int) -> None:
        super().__init__(Layout(match.state.plan), seat, match.state)
        self._match = match

    def _done(self, kind: str, **arguments: Any) -> bool:
        raw = {"type": kind} | {
            name: value for name, value in arguments.items() if value is not None
        }
        reply = self._match.apply(self._seat, raw)
        self._state = self._match.state
        return reply.ok


class Direct:
    """A contest bot that only this test asks."""

    def __init__(self, match: Match, seat: int, file: Path) -> None:
        self._controller = OnTheEngine(match, seat)
        self._match = match
        kitchen = Map(
            Layout(match.state.plan), match.state.kitchens[seat], self._controller.get_team()
        )
        self._player = botfile.read(file, "cookoff").BotPlayer(kitchen)

    def decide(self, view: Json) -> list[Json]:
        self._controller.begin(self._match.state)
        self._player.play_turn(self._controller)
        return [{"type": "end_turn"}]

    def on_results(self, results: object) -> None:
        pass


def events_of(journal: str) -> list[Json]:
    """Every command with its result, and the hash of the state after every part of a turn."""
    wanted = {"command": ("n", "s", "c", "r"), "turn": ("n", "h")}
    return [
        [line.fields.get(key) for key in wanted[line.fields["k"]]]
        for line in lines(journal)
        if line.fields["k"] in wanted
    ]


@pytest.mark.parametrize(
    "names", list(pairwise([*BOTS, *BOTS][: len(BOTS) + 1])), ids=" against ".join
)
def test_a_file_plays_the_same_over_a_socket_and_headless(
    names: tuple[str, str], arena: Arena, tmp_path: Path
) -> None:
    files = []
    for name in names:
        files.append(tmp_path / f"{name}.py")
        files[-1].write_text(BOTS[name], encoding="utf-8")
    lobby = arena.rest.create("cookoff", config=CONFIG, map_text=KITCHEN, seed=SEED)["lobby"]
    with ExitStack() as stack:
        seats = [arena.rest.join(lobby, "cookoff", name) for name in names]
        processes = [
            stack.enter_context(
                BotProcess(python_bot(file), url=seat["url"], token=seat["token"], game="cookoff")
            )
            for file, seat in zip(files, seats, strict=True)
        ]
        assert [process.wait(PATIENCE_S) for process in processes] == [0, 0], [
            process.output for process in processes
        ]
    outcome = arena.over(lobby)["outcome"]
    record = arena.record(lobby, "journal")

    written: list[str] = []
    match = Match.begin(GAMES["cookoff"], CONFIG, SEED, KITCHEN)
    match.journal = Journal(written.append)
    match.journal.header(
        GAMES["cookoff"], match="m", config=CONFIG, seed=SEED, map_text=KITCHEN, seats=[]
    )
    play(match, [Direct(match, seat, file) for seat, file in enumerate(files)])

    assert outcome["reason"] == "max_turns", [process.output for process in processes]
    assert events_of(record.decode()) == events_of("".join(written))
    assert [seat["score"] for seat in outcome["seats"]] == list(match.state.money)
    assert verify(record, GAMES).kind == "ok"
    for process in processes:
        assert "here, but" not in process.output
        assert "failed" not in process.output
