"""The view and the commands as plain JSON (RULES §6, §7): the published schemas are made of it."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

from games.core.contract import Json

Phase: TypeAlias = Literal["abstain_request", "abstain_reply", "item", "shoot", "finished"]
Item: TypeAlias = Literal[
    "empty", "peek_current", "eject_current", "skip_enemy", "health_kit", "reload_gun"
]
Bullet: TypeAlias = Literal["live", "blank"]
EventName: TypeAlias = Literal[
    "request",
    "reply",
    "item",
    "peek",
    "eject",
    "shot",
    "load",
    "deal",
    "round_start",
    "round_end",
    "match_end",
]


class Abstain(TypedDict):
    """Asks for a draw of the round, or answers such a request."""

    type: Literal["abstain"]
    value: bool


class UseItem(TypedDict):
    """Uses the item in a slot, from 1; 0: none."""

    type: Literal["item"]
    slot: int


class Shoot(TypedDict):
    """Pulls the trigger."""

    type: Literal["shoot"]
    target: Literal["self", "opponent"]


class Resign(TypedDict):
    """Loses the match, at any time."""

    type: Literal["resign"]


Command: TypeAlias = Abstain | UseItem | Shoot | Resign


class Player(TypedDict):
    """A player as both see it."""

    health: int
    items: list[Item]
    rounds_won: int
    skip_pending: bool
    can_abstain: bool


class Gun(TypedDict):
    """How many bullets are left, and of which kinds; their order is secret."""

    total: int
    live: int
    blank: int


class Event(TypedDict):
    """Something of the last step. `e` says what, and so which fields stand beside it (RULES §7)."""

    e: EventName
    seat: NotRequired[int]
    accepted: NotRequired[bool]
    slot: NotRequired[int]
    item: NotRequired[Item]
    bullet: NotRequired[Bullet]
    target: NotRequired[int]
    round: NotRequired[int]
    result: NotRequired[str]
    winner: NotRequired[int | None]
    reason: NotRequired[str]
    starter: NotRequired[int]
    outcome: NotRequired[str]
    load: NotRequired[int]
    cause: NotRequired[str]
    total: NotRequired[int]
    live: NotRequired[int]


class View(TypedDict):
    """What a seat or a viewer sees. A seat has `your_decision`, `you` and what goes with them, a
    viewer `acting` and `players`. A seat whose match is finished has `result` in place of the
    table."""

    game: Literal["botstack"]
    seat: int | None
    phase: Phase
    events: list[Event]
    result: NotRequired[dict[str, Json]]
    round: NotRequired[int]
    starter: NotRequired[int]
    turn: NotRequired[int]
    load: NotRequired[int]
    reloads_left: NotRequired[int]
    draws: NotRequired[int]
    gun: NotRequired[Gun]
    your_decision: NotRequired[bool]
    you: NotRequired[Player]
    opponent: NotRequired[Player]
    known_next: NotRequired[Bullet | None]
    opponent_request: NotRequired[bool]
    acting: NotRequired[int | None]
    players: NotRequired[list[Player]]
