"""What a bot may ask (RULES §6): the commands, their arguments, and the checks before their own."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

from games.cookoff.actions import ACTIONS, Command, answer
from games.cookoff.advance import fail, finish
from games.cookoff.moves import may_switch, move, switch
from games.cookoff.position import ACTING, BOTS, COUNTED, PLAN, Cook, Position, state_of
from games.cookoff.rules import SEATS, TEAMS
from games.cookoff.state import NO_TEAM, OWN_REASONS, REASONS, SILENCES, State
from games.core.contract import OK, Json, Rejected, Reply, Seat, refused
from games.core.dice import Dice

END_TURN: Final = {"type": "end_turn"}
TEAM_FAILED: Final = "team_failed"
BAD_COMMAND: Final = "bad_command"
TOO_MANY: Final = "too_many_commands"

Arguments: TypeAlias = dict[str, type]
"""Names and their JSON type; a boolean is no whole number."""

BOT: Final[Arguments] = {"bot_id": int}
STEP: Final[Arguments] = {"dx": int, "dy": int}
TARGET: Final[Arguments] = {"x": int, "y": int}
ITEM: Final[Arguments] = {"item": str}
REASON: Final[Arguments] = {"reason": str}

NEEDS: Final[dict[str, Arguments]] = {
    "end_turn": {},
    TEAM_FAILED: REASON,
    "switch_maps": {},
    "can_switch_maps": {},
    "move": BOT | STEP,
    "can_move": BOT | STEP,
    "can_buy": BOT | ITEM,
    "can_start_cook": BOT,
    "can_submit": BOT,
    **{action: BOT | ITEM if action == "buy" else BOT for action in ACTIONS},
}
"""The arguments that each command must have."""

MAY_HAVE: Final[dict[str, Arguments]] = dict.fromkeys(
    (*ACTIONS, "can_buy", "can_start_cook", "can_submit"), TARGET
)
"""The arguments that it may have besides."""

_ARGUMENTS: Final[dict[str, tuple[tuple[str, type, bool], ...]]] = {
    kind: (
        *((name, type_, True) for name, type_ in needed.items()),
        *((name, type_, False) for name, type_ in MAY_HAVE.get(kind, {}).items()),
    )
    for kind, needed in NEEDS.items()
}
"""Both, in the order in which they are read, and whether each must be there."""

_WHYS: Final = {
    "no": "the answer to the question",
    TOO_MANY: "the turn has had all its commands",
    "unknown_bot": "there is no bot with this id",
    "not_your_bot": "the bot is the other team's",
    "move_used": "the bot has had its move of this turn",
    "action_used": "the bot has had its action of this turn",
    "move_after_action": "a bot that has acted moves no more this turn",
    "bad_step": "expected dx and dy of -1, 0 or 1, not both 0",
    "blocked": "the cell is off the map, not walkable or taken",
    "hands_full": "the bot holds something",
    "hands_empty": "the bot holds nothing",
    "out_of_range": "the target is more than one cell away",
    "out_of_bounds": "the target is off the map",
    "nothing_there": "there is nothing of the kind",
    "not_placeable": "this cannot be put there",
    "cooker_busy": "the pan on the cooker holds food",
    "no_pan": "there is no pan on the cooker",
    "pan_full": "the pan holds food",
    "not_cookable": "the bot holds no food that can be cooked",
    "not_chopped": "the food must be chopped first",
    "box_mismatch": "the box holds something else",
    "tile_occupied": "something lies there",
    "wrong_tile": "this is not done on such a tile",
    "unknown_item": "the shop does not sell this",
    "no_money": "the team cannot pay this",
    "not_choppable": "this food cannot be chopped",
    "no_dirty_plate": "the bot holds no dirty plate",
    "plate_dirty": "the plate is dirty",
    "box_stack": "the box holds more than one plate",
    "bad_combination": "this needs a plate and a food, one in hand and one on the tile",
    "no_clean_plate": "the bot holds no clean plate",
    "no_matching_order": "no active order of this kitchen wants this dish",
    "switch_not_allowed": "the window is closed, or the team has switched before",
}
_REFUSED: Final = {code: refused(code, why) for code, why in _WHYS.items()}
"""The answers that say no."""


_AWAITED: Final[dict[Seat, frozenset[Seat]]] = {NO_TEAM: frozenset()} | {
    seat: frozenset({seat}) for seat in SEATS
}


class Malformed(NamedTuple):
    """Read all the same: it counts among the turn's commands, and whose turn it is comes first."""

    why: str


def parse(raw: Json) -> Command | Malformed:
    """Read a command; null is as good as missing, other keys say nothing."""
    if not isinstance(raw, dict):
        return Malformed("expected an object with a type")
    kind = raw.get("type")
    if not isinstance(kind, str) or kind not in NEEDS:
        return Malformed(f"type: expected one of {', '.join(NEEDS)}")
    said: dict[str, Any] = {}
    for name, type_, needed in _ARGUMENTS[kind]:
        value = raw.get(name)
        if type(value) is type_:
            said[name] = value
        elif needed or value is not None:
            return Malformed(f"{name}: expected a {'whole number' if type_ is int else 'text'}")
    if kind == TEAM_FAILED and said["reason"] not in REASONS:
        return Malformed(f"reason: expected one of {', '.join(OWN_REASONS)}")
    return Command(kind, **said)


def apply(
    state: State, seat: Seat, command: Command | Malformed, dice: Dice
) -> tuple[State, Reply]:
    """Carry a command out at once. Raises Rejected: not_your_turn. What is refused may have spent a
    budget all the same."""
    if seat != state.acting:
        whose = "no team's" if state.acting == NO_TEAM else f"{TEAMS[state.acting]}'s"
        raise Rejected("not_your_turn", f"it is {whose} part of the turn")
    now = [*state]
    code = carry_out(now, command)
    if code is None:
        return state_of(now), OK
    if code == TOO_MANY:
        return state, _REFUSED[code]
    if isinstance(command, Malformed):
        return state_of(now), refused("bad_command", command.why)
    return state_of(now), _REFUSED[code]


def carry_out(now: Position, command: Command | Malformed) -> str | None:
    """What a command of the acting team does to a position; the code if it is refused."""
    kind = command.kind if isinstance(command, Command) else None
    if kind == "end_turn":
        finish(now)
        return None
    if kind == TEAM_FAILED:
        fail(now, command.reason)  # type: ignore[union-attr,arg-type]
        return None
    if now[COUNTED] >= now[PLAN].rules.max_commands_per_turn:
        return TOO_MANY
    now[COUNTED] += 1
    return BAD_COMMAND if isinstance(command, Malformed) else _do(now, now[ACTING], command)


def perform(state: State, seat: Seat, command: Command) -> tuple[State, str | None]:
    """What the team's command does, and the code if it is refused; neither the turn's count nor
    whose turn it is matters here."""
    now = [*state]
    code = _do(now, seat, command)
    return state_of(now), code


def _do(now: Position, seat: Seat, command: Command) -> str | None:
    kind, bot_id, bots = command.kind, command.bot_id, now[BOTS]
    action = ACTIONS.get(kind)
    if action is None and kind != "move":
        if kind != "switch_maps":
            return None if answer(state_of(now), seat, command) else "no"
        if not may_switch(now, seat):
            return "switch_not_allowed"
        switch(now, seat)
        return None
    if not 0 <= bot_id < len(bots):
        return "unknown_bot"
    bot: Cook = bots[bot_id]
    team, kitchen, cell, hand, moved, acted = bot
    if team != seat:
        return "not_your_bot"
    if action is None:
        if moved:
            return "move_used"
        if acted and now[PLAN].rules.move_order == "move_first":
            return "move_after_action"
        cell, code = move(now, bot, command.dx, command.dy)
        moved = True
    else:
        if acted:
            return "action_used"
        code, hand = action(now, bot, command)
        acted = True
    after = (team, kitchen, cell, hand, moved, acted)
    now[BOTS] = (*bots[:bot_id], after, *bots[bot_id + 1 :])
    return code


def from_shorthand(raw: Json) -> Json:
    """Drops a reason that only the referee may give: that a team was late or absent (RULES §9)."""
    own = (
        not isinstance(raw, dict)
        or raw.get("type") != TEAM_FAILED
        or raw.get("reason") in OWN_REASONS
    )
    return raw if own else raw | {"reason": ""}


def command_for_silence(reason: str) -> Json:
    """The command for a seat that is silent: its team has failed in this turn (RULES §9)."""
    return {"type": TEAM_FAILED, "reason": SILENCES.get(reason, "timeout")}


def awaited(state: State) -> frozenset[Seat]:
    """The team whose part of the turn is open; empty between two turns."""
    return _AWAITED[state.acting]
