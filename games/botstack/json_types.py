"""The view and the commands as plain JSON (RULES §6, §7): the published schemas are made of it."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

from games.botstack.state import Bullet, Item, Phase
from games.core.contract import Json

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
    """A request to abstain from the round, or the answer to one."""

    type: Literal["abstain"]
    """The kind of the command."""
    value: bool
    """Whether to ask or to agree."""


class UseItem(TypedDict):
    """The item to use before a shot."""

    type: Literal["item"]
    """The kind of the command."""
    slot: int
    """The slot of the item, from 1; 0: none."""


class Shoot(TypedDict):
    """A shot."""

    type: Literal["shoot"]
    """The kind of the command."""
    target: Literal["self", "opponent"]
    """Whom to shoot."""


class Resign(TypedDict):
    """Gives up the match, at any time."""

    type: Literal["resign"]
    """The kind of the command."""


Command: TypeAlias = Abstain | UseItem | Shoot | Resign


class Player(TypedDict):
    """A player, as both players see it."""

    health: int
    """Its lives."""
    items: list[Item]
    """Its items, by slot."""
    rounds_won: int
    """The rounds that it has won."""
    skip_pending: bool
    """Its next turn is skipped."""
    can_abstain: bool
    """It may ask to abstain from the round."""


class Gun(TypedDict):
    """What both players know of the gun. The order of the bullets is secret."""

    total: int
    """The bullets that are left."""
    live: int
    """The live bullets that are left."""
    blank: int
    """The blank bullets that are left."""


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
    viewer `acting` and `players`. After the match a seat has `result` instead of the table."""

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
