"""What a bot may ask, and the checks in their order (RULES §6)."""

from __future__ import annotations

from dataclasses import dataclass

from games.botstack.advance import TARGETS, decide, resign
from games.botstack.state import Phase, State
from games.core.contract import OK, Json, Rejected, Reply, Seat
from games.core.dice import Dice
from games.core.text import quoted

ABSTAIN, ITEM, SHOOT, RESIGN = "abstain", "item", "shoot", "resign"

ARGUMENTS = {ABSTAIN: "value", ITEM: "slot", SHOOT: "target", RESIGN: None}
"""The key that each command is about; a resignation is about nothing."""

PHASES: dict[str, tuple[Phase, ...]] = {
    ABSTAIN: ("abstain_request", "abstain_reply"),
    ITEM: ("item",),
    SHOOT: ("shoot",),
}
"""Where each command is legal; a resignation is everywhere."""


@dataclass(frozen=True, slots=True)
class Command:
    """One of the four. `argument` is what stands under its key, as sent: whose turn it is and the
    phase are checked before it."""

    kind: str
    argument: Json = None


def parse(raw: Json) -> Command:
    """Read a command. Raises Rejected: malformed, unknown_command."""
    if not isinstance(raw, dict) or "type" not in raw:
        raise Rejected("malformed", f"expected an object with a type, got {quoted(raw)}")
    kind = raw["type"]
    if not isinstance(kind, str) or kind not in ARGUMENTS:
        why = f"expected one of {', '.join(ARGUMENTS)}, got {quoted(kind)}"
        raise Rejected("unknown_command", why)
    return Command(kind, raw.get(ARGUMENTS[kind]))


def is_out_of_turn(raw: Json) -> bool:
    """A resignation answers no decision and is never late."""
    return isinstance(raw, dict) and raw.get("type") == RESIGN


def apply(state: State, seat: Seat, command: Command, dice: Dice) -> tuple[State, Reply]:
    """Carry a command out at once.

    Raises Rejected: not_your_turn, wrong_phase, bad_value, bad_slot, bad_target. A resignation is
    always in order."""
    if command.kind == RESIGN:
        return resign(state, seat, dice), OK
    if seat != state.acting:
        why = f"expected seat {state.acting} to decide, got a command of seat {seat}"
        raise Rejected("not_your_turn", why)
    if state.phase not in PHASES[command.kind]:
        why = f"expected a command for the phase {state.phase}, got {command.kind}"
        raise Rejected("wrong_phase", why)
    _judge(state, command)
    return decide(state, command.argument, dice), OK


def _judge(state: State, command: Command) -> None:
    argument, slots = command.argument, state.rules.item_slots
    if command.kind == ABSTAIN and not isinstance(argument, bool):
        raise Rejected("bad_value", f"value: expected true or false, got {quoted(argument)}")
    if command.kind == ITEM and not (type(argument) is int and 0 <= argument <= slots):
        why = f"slot: expected a whole number, 0 to {slots}, got {quoted(argument)}"
        raise Rejected("bad_slot", why)
    if command.kind == SHOOT and argument not in TARGETS:
        raise Rejected("bad_target", f"target: expected self or opponent, got {quoted(argument)}")
