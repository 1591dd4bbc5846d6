"""What a moment of a match is (RULES §3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from games.botstack.rules import Rules
from games.core.contract import Json, Seat

Phase = Literal["abstain_request", "abstain_reply", "item", "shoot", "finished"]
Item = Literal["empty", "peek_current", "eject_current", "skip_enemy", "health_kit", "reload_gun"]
Bullet = Literal["live", "blank"]
RoundKind = Literal["win", "draw", "none"]
RoundReason = Literal["death", "abstention", "out_of_bullets"]
EndingKind = Literal["win", "draw", "both_lost", "forfeit"]

EMPTY: Item = "empty"
ITEMS: tuple[Item, ...] = (
    "peek_current",
    "eject_current",
    "skip_enemy",
    "health_kit",
    "reload_gun",
)
"""The items that can be dealt."""

LIVE, BLANK = "L", "B"
"""The letters of a magazine."""


@dataclass(frozen=True, slots=True)
class Player:
    health: int
    items: tuple[Item, ...]
    """One per slot; slot 1 comes first."""
    rounds_won: int
    skip_pending: bool
    can_abstain: bool
    """This player's abstention window is open."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in the last step (RULES §7)."""

    name: str
    about: tuple[tuple[str, Json], ...]
    only: Seat | None = None
    """The one seat that learns of it; None: every viewer does."""


@dataclass(frozen=True, slots=True)
class Round:
    """A finished round."""

    round: int
    starter: Seat
    result: RoundKind
    winner: Seat | None
    reason: RoundReason


@dataclass(frozen=True, slots=True)
class Ending:
    """How the match ended, by the rules or by a resignation."""

    kind: EndingKind
    winner: Seat | None
    reason: Literal["two_wins", "two_draws", "three_rounds", "resignation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One moment. What is announced about the gun is always counted from the magazine."""

    rules: Rules = field(repr=False)
    decision: int = 0
    """The number of the open decision, from 0; every closed decision adds one."""
    round: int
    starter: Seat
    turn: Seat
    """Whose turn it is; a request is answered by the other seat."""
    acting: Seat | None
    """Who owns the open decision; None: the match is over."""
    phase: Phase
    players: tuple[Player, Player]
    magazine: str
    """`L` and `B`, the next bullet first. Secret from every viewer."""
    load: int
    """The counted load now in the gun, from 1."""
    draws: int
    """Draw credits of the match; both players always share them."""
    pending_request: Seat | None
    known_next: Bullet | None
    """What the acting seat learned by a peek in this action. Secret from the other seat."""
    items_used: int = 0
    """Slots chosen in this action."""
    events: tuple[Event, ...] = ()
    """The last step, in processing order."""
    rounds: tuple[Round, ...] = ()
    ending: Ending | None = None

    @property
    def total(self) -> int:
        return len(self.magazine)

    @property
    def live(self) -> int:
        return self.magazine.count(LIVE)

    @property
    def reloads_left(self) -> int:
        return self.rules.gun_loads - self.load


def opponent(seat: Seat) -> Seat:
    return 1 - seat


Position: TypeAlias = list[Any]
"""All that changes, in the order of the names below, for the rules to write into; a player's five
stand at its place."""

(
    DECISION,
    ROUNDS,
    ROUND,
    STARTER,
    TURN,
    PHASE,
    MAGAZINE,
    LOAD,
    DRAWS,
    KNOWN_NEXT,
    ITEMS_USED,
    ENDING,
) = range(12)
PLAYERS: Final = (12, 17)
"""The place of each seat's player."""
HEALTH, HELD, ROUNDS_WON, SKIP_PENDING, CAN_ABSTAIN = range(5)
"""The places of a player's fields, from its own."""


def position_of(state: State) -> Position:
    """The position of a state, without events."""
    now = [
        state.decision,
        state.rounds,
        state.round,
        state.starter,
        state.turn,
        state.phase,
        state.magazine,
        state.load,
        state.draws,
        state.known_next,
        state.items_used,
        state.ending,
    ]
    for one in state.players:
        now += [one.health, one.items, one.rounds_won, one.skip_pending, one.can_abstain]
    return now


def acting_in(now: Position) -> Seat | None:
    """Who owns the open decision; None: the match is over."""
    turn: Seat = now[TURN]
    if now[PHASE] == "abstain_reply":
        return opponent(turn)
    return None if now[PHASE] == "finished" else turn


def state_of(rules: Rules, now: Position, events: tuple[Event, ...] = ()) -> State:
    """A state in this position."""
    return State(
        rules=rules,
        decision=now[DECISION],
        round=now[ROUND],
        starter=now[STARTER],
        turn=now[TURN],
        acting=acting_in(now),
        phase=now[PHASE],
        players=(Player(*now[PLAYERS[0] : PLAYERS[1]]), Player(*now[PLAYERS[1] :])),
        magazine=now[MAGAZINE],
        load=now[LOAD],
        draws=now[DRAWS],
        pending_request=now[TURN] if now[PHASE] == "abstain_reply" else None,
        known_next=now[KNOWN_NEXT],
        items_used=now[ITEMS_USED],
        events=events,
        rounds=now[ROUNDS],
        ending=now[ENDING],
    )


def awaited(state: State) -> frozenset[Seat]:
    """The one seat that owns the open decision."""
    return frozenset() if state.acting is None else frozenset({state.acting})


def decision(state: State) -> int:
    return state.decision
