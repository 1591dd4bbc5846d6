"""The commands that a seat may send now."""

from __future__ import annotations

from games.core.contract import Json, Seat
from games.pyrat.board import MOVES
from games.pyrat.state import State


def legal(state: State, seat: Seat) -> list[Json]:
    """The five moves, or none once the seat has sealed one. A move into a wall acts as STAY, and in
    mud every move is ignored: they are legal all the same."""
    return [*MOVES] if state.sealed[seat] is None else []
