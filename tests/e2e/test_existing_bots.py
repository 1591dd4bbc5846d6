"""Existing bots, each in a process of its own, over the real server."""

from __future__ import annotations

from pathlib import Path

import pytest

from client_sdk.process import BotProcess, python_bot
from games import GAMES
from games.core.rerun import verify
from tests.client_sdk.files import FILES
from tests.e2e.arena import PATIENCE_S, Arena


@pytest.mark.parametrize("kind", sorted(FILES))
def test_a_bot_of_every_kind_plays_a_whole_match_on_a_server(
    kind: str, arena: Arena, tmp_path: Path
) -> None:
    game, text = FILES[kind]
    file = tmp_path / "mybot.py"
    file.write_text(text, encoding="utf-8")
    lobby = arena.rest.create(game)["lobby"]
    mine, house = (arena.rest.join(lobby, game, name) for name in ("mine", "house"))
    with (
        BotProcess(python_bot(file), url=mine["url"], token=mine["token"], game=game) as one,
        BotProcess(
            python_bot(f"{game}/greedy"), url=house["url"], token=house["token"], game=game
        ) as other,
    ):
        assert (one.wait(PATIENCE_S), other.wait(PATIENCE_S)) == (0, 0), one.output + other.output
    outcome = arena.over(lobby)["outcome"]

    assert outcome["outcome"] in {"win", "draw", "both_lost"}
    assert [seat["timeouts"] for seat in outcome["seats"]] == [0, 0], one.output
    for word in ("refused", "failed", "expected", "not carried out"):
        assert word not in one.output
    assert verify(arena.record(lobby, "journal"), GAMES).kind == "ok"
