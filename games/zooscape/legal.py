"""The commands that a seat may send now."""

from __future__ import annotations

from games.core.contract import Json, Seat
from games.zooscape.commands import ACTIONS, queue_limit
from games.zooscape.state import SKIP, State


def legal(state: State, seat: Seat) -> list[Json]:
    """The six actions by name; only `skip` while the seat's queue is full. A step into a wall and
    the use of no item are legal."""
    full = len(state.queues[seat]) >= queue_limit(state.rules)
    return [{"action": name} for name, action in ACTIONS.items() if action == SKIP or not full]
