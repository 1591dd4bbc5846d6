"""A step of a vector, played again on the game's board to search on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from games.core.contract import AnyGame, Json, Rejected, Seat
from games.core.dice import Scripted
from games.pyrat.board import STAY
from games.zooscape.state import SKIP
from tests.games.boards import BOARDS

DEFAULTS = {"abstain_request": 0, "abstain_reply": 0, "item": 0, "shoot": 1}
"""What a silent seat of BotStack answers."""


class Step(NamedTuple):
    """What a match was asked: a seat's command, or to let time pass; and what came of it."""

    game: AnyGame
    before: Any
    after: Any
    seat: Seat | None
    raw: Json
    code: str | None
    """Of a command that did not work."""
    draws: Sequence[tuple[str, Any]]


def follow(step: Step) -> bool:
    """Whether the board can be asked the same. Then it must come to the same."""
    moves = moves_of(step)
    if moves is None:
        return False
    game, board, before = step.game, BOARDS[step.game.name], step.before
    dice = Scripted(draws_of(step))
    scratch = board.scratch.of(before, dice) if board.chance else board.scratch.of(before)
    shown, undo = scratch.freeze(), None
    try:
        undo = scratch.make(*moves)
        code = getattr(scratch, "refused", None)
    except Rejected as fault:
        code = fault.code
    dice.finish()
    after = step.after
    if game.name == "cookoff" and not (game.awaited(after) or game.outcome(after)):
        after = game.advance(after, dice)
    assert (code, scratch.freeze()) == (step.code, board.kept(after))
    if undo is not None:
        scratch.unmake(undo)
    assert repr(scratch.freeze()) == repr(shown)
    return True


def moves_of(step: Step) -> tuple[Any, ...] | None:
    """What the board is asked; None: it is never asked such a thing."""
    game, before, seat = step.game, step.before, step.seat
    if game.outcome(before) is not None:
        return None
    if game.name == "pyrat":
        return None if seat is not None else tuple(STAY if m is None else m for m in before.sealed)
    if game.name == "zooscape":
        return None if seat is not None else (SKIP,) * len(before.animals)
    if game.name == "botstack":
        return answer_of(step)
    return (game.parse(step.raw),) if seat in game.awaited(before) else None


def answer_of(step: Step) -> tuple[Any, ...] | None:
    """The answer of a decision of BotStack. A board knows neither resignations nor commands that
    answer something else."""
    if step.seat is None:
        return (DEFAULTS[step.before.phase],)
    if step.code not in (None, "bad_value", "bad_slot", "bad_target"):
        return None
    kind = step.raw["type"]
    if kind == "resign":
        return None
    if kind == "shoot":
        return ({"self": 0, "opponent": 1}.get(str(step.raw.get("target")), -1),)
    given = step.raw.get("slot" if kind == "item" else "value")
    return (int(given) if type(given) is (int if kind == "item" else bool) else -1,)


def draws_of(step: Step) -> list[tuple[str, Any]]:
    """The draws of the vector in the engine's words."""
    if step.game.name != "zooscape":
        return [*step.draws]
    maze = step.before.maze
    return [
        (purpose, maze.cell(*value) if purpose == "power_up_cell" and value else value)
        for purpose, value in step.draws
    ]
