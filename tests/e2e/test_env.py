"""Matches of `botarena.env` are those of a server: the same actions give the same hashes."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path

import pytest

from client_sdk.process import BotProcess, python_bot
from games import GAMES
from games.core.rerun import verify
from tests.botarena.episodes import SMALL, hashes, random_episode
from tests.e2e.arena import PATIENCE_S, Arena

CONFIGS = SMALL | {"zooscape": SMALL["zooscape"] | {"seats": 1}}
"""Zooscape numbers the commands as they arrive, and on a server any of two seats can be first."""

SCRIPTED = """
import json
from pathlib import Path

import botarena

ANSWERS = iter(json.loads(Path(__file__).with_suffix(".json").read_text()))


class Scripted(botarena.Bot):
    game = {game!r}

    def decide(self, view):
        return next(ANSWERS)
"""


@pytest.mark.parametrize(
    ("game", "seeds"),
    [
        *(pytest.param(game, [3], id=game) for game in ("botstack", "pyrat")),
        *(
            pytest.param(game, range(10), id=f"{game}-long", marks=pytest.mark.soak)
            for game in sorted(SMALL)
        ),
    ],
)
def test_recorded_actions_give_the_hashes_of_a_served_match(
    game: str, seeds: list[int], arena: Arena, tmp_path: Path
) -> None:
    for seed in seeds:
        env, answers = random_episode(game, seed, CONFIGS[game])
        lobby = arena.rest.create(game, config=CONFIGS[game], seed=seed)["lobby"]
        with ExitStack() as stack:
            processes = []
            for seat, each in enumerate(answers):
                file = tmp_path / f"scripted_{seed}_{seat}.py"
                file.write_text(SCRIPTED.format(game=game), encoding="utf-8")
                file.with_suffix(".json").write_text(json.dumps(each), encoding="utf-8")
                at = arena.rest.join(lobby, game, f"seat {seat}")
                process = BotProcess(python_bot(file), url=at["url"], token=at["token"], game=game)
                processes.append(stack.enter_context(process))
            assert [process.wait(PATIENCE_S) for process in processes] == [0] * env.seats, [
                process.output for process in processes
            ]
        arena.over(lobby)
        record = arena.record(lobby, "journal")

        assert verify(record, GAMES).kind == "ok"
        assert hashes(record.decode()) == hashes(env.journal)
        assert len(hashes(env.journal)) > 10
