"""What a bot may ask: four directions, use of an item, and nothing at all (RULES §6)."""

from __future__ import annotations

from typing import Final

from games.core.contract import OK, Json, Rejected, Reply, Seat, refused
from games.core.dice import Dice
from games.core.text import quoted
from games.zooscape.maze import DOWN, LEFT, RIGHT, UP
from games.zooscape.rules import Rules
from games.zooscape.state import QUEUES, SKIP, USE_ITEM, Action, State, as_state
from games.zooscape.tick import PROFILES

ACTIONS: Final[dict[str, Action]] = {
    "up": UP,
    "down": DOWN,
    "left": LEFT,
    "right": RIGHT,
    "use_item": USE_ITEM,
    "skip": SKIP,
}
"""The actions by name, without regard to case."""

_ALIASES: Final = ACTIONS | {"useitem": USE_ITEM}
_NUMBERS: Final = (UP, DOWN, LEFT, RIGHT, USE_ITEM)

_FULL: Final = refused("queue_full", "as many commands wait already as the queue holds")
_ACCEPTED: Final = tuple(Reply(changes={"queue_length": length}) for length in range(102))
"""The reply to a command, by the length of the queue with it; 101 is the longest of any rules."""

_ALL: Final = tuple(frozenset(range(seats)) for seats in range(5))


def parse(raw: Json) -> Action:
    """Read {"action": name or number}. Raises Rejected: bad_command, unknown_action."""
    if not isinstance(raw, dict) or "action" not in raw:
        raise Rejected("bad_command", f"expected an object with an action, got {quoted(raw)}")
    action = raw["action"]
    if isinstance(action, str):
        if (found := _ALIASES.get(action.lower())) is not None:
            return found
    elif isinstance(action, bool) or not isinstance(action, int):
        why = f"action: expected a name or a whole number, got {quoted(action)}"
        raise Rejected("bad_command", why)
    elif action in _NUMBERS:
        return action
    why = f"action: expected one of {', '.join(ACTIONS)}, or 1 to 5, got {quoted(action)}"
    raise Rejected("unknown_action", why)


def apply(state: State, seat: Seat, action: Action, dice: Dice) -> tuple[State, Reply]:
    """Put a command at the end of the seat's queue. One that finds no room has taken its seq all
    the same (RULES §3)."""
    rules, answered, seq = state.rules, state.answered, state.next_seq
    if not rules.tick_ms and seat not in answered:
        answered = tuple(sorted((*answered, seat)))
    if action == SKIP:
        return (state if answered is state.answered else state._replace(answered=answered)), OK
    queues, firsts = state.queues, state.first_command_seqs
    queue = queues[seat]
    if len(queue) >= queue_limit(rules):
        return state._replace(next_seq=seq + 1, answered=answered), _FULL
    queues = (*queues[:seat], (*queue, (action, seq)), *queues[seat + 1 :])
    if firsts[seat] is None:
        firsts = (*firsts[:seat], seq, *firsts[seat + 1 :])
    after = (*state[:QUEUES], queues, firsts, seq + 1, answered, state.texts)
    return as_state(after), _ACCEPTED[len(queue) + 1]


def queue_limit(rules: Rules) -> int:
    """The number of commands that may wait in the queue of a seat."""
    return rules.command_queue_size + PROFILES[rules.rules_profile].spare_places


def awaited(state: State) -> frozenset[Seat]:
    """All seats at all times; without a clock, those that have sent nothing since the last tick."""
    seats = _ALL[len(state.animals)]
    return seats.difference(state.answered) if state.answered else seats
