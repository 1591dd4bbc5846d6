"""Valid commands that cost a client almost nothing, for load on a server (`client_sdk.load`). They
are found in a view's text, which is not parsed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, TypeAlias

CheapAnswer: TypeAlias = Callable[[bytes, Random], bytes]
"""From the text of a view message: the value of `commands`, and what follows it in the message."""

DIRECTIONS: Final = [
    f'[{{"action":"{direction}"}}]'.encode() for direction in ("up", "down", "left", "right")
]
DECISIONS: Final = {
    b"abstain_request": b'[{"type":"abstain","value":false}]',
    b"abstain_reply": b'[{"type":"abstain","value":false}]',
    b"item": b'[{"type":"item","slot":0}]',
    b"shoot": b'[{"type":"shoot","target":"opponent"}]',
}


def step_of_moves(view: bytes, dice: Random) -> bytes:
    """PyRat: one of the moves that the view lists."""
    begin = view.index(b'"moves":[') + 9
    moves = view[begin : view.index(b"]", begin)].split(b",")
    return b"[%b]" % dice.choice(moves)


def any_direction(view: bytes, dice: Random) -> bytes:
    """Zooscape: any direction, on every tick."""
    return dice.choice(DIRECTIONS)


def decision_of_phase(view: bytes, dice: Random) -> bytes:
    """BotStack: no items, and always at the opponent."""
    begin = view.index(b'"phase":"') + 9
    return DECISIONS[view[begin : view.index(b'"', begin)]]


def end_of_turn(view: bytes, dice: Random) -> bytes:
    """Catastrophe and Cookoff: nothing but the end of the turn."""
    return b'[],"end_turn":true'


CHEAP: Final[dict[str, CheapAnswer]] = {
    "pyrat": step_of_moves,
    "zooscape": any_direction,
    "botstack": decision_of_phase,
    "catastrophe": end_of_turn,
    "cookoff": end_of_turn,
}
"""By game."""
