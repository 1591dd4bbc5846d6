"""RULES §6: move."""

from __future__ import annotations

import pytest

from games.cookoff.rules import BLUE, RED
from tests.games.cookoff.scene import bot, cell, done, refusal, scene

STEPS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


@pytest.mark.parametrize(("dx", "dy"), STEPS)
def test_a_bot_moves_in_eight_directions_and_y_grows_upwards(dx: int, dy: int) -> None:
    state = done(scene(bot(1, 1), room="...\n...\n..."), "move", dx=dx, dy=dy)

    assert cell(state, 0) == (1 + dx, 1 + dy)


@pytest.mark.parametrize(("dx", "dy"), [(0, 0), (2, 0), (0, -2), (10**30, 0)])
def test_other_steps_are_refused(dx: int, dy: int) -> None:
    assert refusal(scene(bot(2, 3)), "move", dx=dx, dy=dy) == "bad_step"


@pytest.mark.parametrize("room", ["b.", "..#", "..C", "..$", "..B", "..K", "..S", "..T", "..R"])
def test_a_bot_cannot_leave_the_map_or_enter_unwalkable_tiles(room: str) -> None:
    assert refusal(scene(bot(1, 0), room=room.replace("b", ".")), "move", dx=1, dy=0) == "blocked"


def test_a_submit_tile_is_walkable() -> None:
    assert cell(done(scene(bot(1, 0), room="..U"), "move", dx=1, dy=0), 0) == (2, 0)


def test_corners_do_not_block_a_diagonal() -> None:
    assert cell(done(scene(bot(0, 0), room="#.\n.#"), "move", dx=1, dy=1), 0) == (1, 1)


def test_any_bot_in_the_same_kitchen_blocks() -> None:
    for team in (RED, BLUE):
        state = scene(bot(2, 3), bot(3, 3, team=team, kitchen=RED))
        assert refusal(state, "move", dx=1, dy=0) == "blocked"


def test_a_bot_in_the_other_kitchen_does_not_block() -> None:
    state = scene(bot(2, 3), bot(3, 3, team=BLUE))

    assert cell(done(state, "move", dx=1, dy=0), 0) == (3, 3)
