"""BotStack 01 for bots in Python, as in its contest: three questions, two players, one gun.

    class Mine(Bot):
        def action(self, me, other, gun, next_bullet):
            return SHOOT_SELF if gun.live * 2 < gun.bullets else SHOOT_OPPONENT

An answer that is not a choice is replaced by a harmless one, with a warning in the log: no
abstention, no item, the opponent.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypedDict, cast

import client_sdk.base
from client_sdk.answers import shown
from client_sdk.start import Start
from games.botstack import GAME
from games.botstack.json_types import Gun as GunView
from games.botstack.json_types import Player as PlayerView
from games.botstack.rules import Rules
from games.botstack.scratch import Scratch
from games.core.contract import Json
from games.core.dice import Source
from games.core.parameters import configure

__all__ = [
    "ACTION_ITEM1",
    "ACTION_ITEM2",
    "ACTION_NO_ITEM",
    "ACTION_SHOOT_OTHER",
    "ACTION_SHOOT_SELF",
    "BULLET_BLANK",
    "BULLET_LIVE",
    "BULLET_UNKNOWN",
    "ITEM_EJECT_CURRENT",
    "ITEM_EMPTY",
    "ITEM_HEALTH_KIT",
    "ITEM_PEEK_CURRENT",
    "ITEM_RESET_GUN",
    "ITEM_SKIP_ENEMY",
    "SHOOT_OPPONENT",
    "SHOOT_SELF",
    "ACTION_Item1",
    "ACTION_Item2",
    "ACTION_NoItem",
    "ACTION_ShootOther",
    "ACTION_ShootSelf",
    "BULLET_Blank",
    "BULLET_Live",
    "BULLET_Unknown",
    "Bot",
    "Gun",
    "GunView",
    "ITEM_EjectCurrent",
    "ITEM_Empty",
    "ITEM_HealthKit",
    "ITEM_PeekCurrent",
    "ITEM_ResetGun",
    "ITEM_SkipEnemy",
    "Player",
    "PlayerView",
    "Scratch",
    "Start",
    "View",
]


log = logging.getLogger("botarena")

ITEM_EMPTY: Final = 0
"""An empty slot."""
ITEM_PEEK_CURRENT: Final = 1
"""Shows the next bullet to the player."""
ITEM_EJECT_CURRENT: Final = 2
"""Ejects the next bullet."""
ITEM_SKIP_ENEMY: Final = 3
"""Skips the opponent's next turn."""
ITEM_HEALTH_KIT: Final = 4
"""Gives one life."""
ITEM_RESET_GUN: Final = 5
"""Loads the gun again."""

BULLET_BLANK: Final = 0
"""The next bullet is blank."""
BULLET_LIVE: Final = 1
"""The next bullet is live."""
BULLET_UNKNOWN: Final = 2
"""The next bullet is not known."""

ACTION_NO_ITEM: Final = 0
"""Use no item."""
ACTION_ITEM1: Final = 1
"""Use the item in slot 1."""
ACTION_ITEM2: Final = 2
"""Use the item in slot 2."""

ACTION_SHOOT_SELF: Final = 0
"""Shoot yourself."""
ACTION_SHOOT_OTHER: Final = 1
"""Shoot the opponent."""
SHOOT_SELF: Final = ACTION_SHOOT_SELF
"""Shoot yourself."""
SHOOT_OPPONENT: Final = ACTION_SHOOT_OTHER
"""Shoot the opponent."""

ITEM_Empty: Final = ITEM_EMPTY
"""`ITEM_EMPTY`."""
ITEM_PeekCurrent: Final = ITEM_PEEK_CURRENT
"""`ITEM_PEEK_CURRENT`."""
ITEM_EjectCurrent: Final = ITEM_EJECT_CURRENT
"""`ITEM_EJECT_CURRENT`."""
ITEM_SkipEnemy: Final = ITEM_SKIP_ENEMY
"""`ITEM_SKIP_ENEMY`."""
ITEM_HealthKit: Final = ITEM_HEALTH_KIT
"""`ITEM_HEALTH_KIT`."""
ITEM_ResetGun: Final = ITEM_RESET_GUN
"""`ITEM_RESET_GUN`."""
BULLET_Blank: Final = BULLET_BLANK
"""`BULLET_BLANK`."""
BULLET_Live: Final = BULLET_LIVE
"""`BULLET_LIVE`."""
BULLET_Unknown: Final = BULLET_UNKNOWN
"""`BULLET_UNKNOWN`."""
ACTION_NoItem: Final = ACTION_NO_ITEM
"""`ACTION_NO_ITEM`."""
ACTION_Item1: Final = ACTION_ITEM1
"""`ACTION_ITEM1`."""
ACTION_Item2: Final = ACTION_ITEM2
"""`ACTION_ITEM2`."""
ACTION_ShootSelf: Final = ACTION_SHOOT_SELF
"""`ACTION_SHOOT_SELF`."""
ACTION_ShootOther: Final = ACTION_SHOOT_OTHER
"""`ACTION_SHOOT_OTHER`."""

ITEM_CODES: Final[dict[str, int]] = {
    "empty": ITEM_EMPTY,
    "peek_current": ITEM_PEEK_CURRENT,
    "eject_current": ITEM_EJECT_CURRENT,
    "skip_enemy": ITEM_SKIP_ENEMY,
    "health_kit": ITEM_HEALTH_KIT,
    "reload_gun": ITEM_RESET_GUN,
}
_BULLETS: Final[dict[str | None, int]] = {
    "blank": BULLET_BLANK,
    "live": BULLET_LIVE,
    None: BULLET_UNKNOWN,
}
_TARGETS: Final = ("self", "opponent")


class View(TypedDict):
    """What a seat sees while the match goes on (RULES §7). It has a key for each field of the JSON,
    hence their number."""

    game: str
    """Always `botstack`."""
    seat: int
    """The number of the seat."""
    phase: Literal["abstain_request", "abstain_reply", "item", "shoot"]
    """The question that is open."""
    your_decision: bool
    """The seat is to answer it."""
    round: int
    """The present round, from 1."""
    starter: int
    """The seat that began the round."""
    turn: int
    """The seat whose turn it is."""
    load: int
    """The load in the gun, from 1."""
    reloads_left: int
    """The loads that are left."""
    draws: int
    """Draw credits, which both players share."""
    you: PlayerView
    """The seat's player."""
    opponent: PlayerView
    """The other player."""
    gun: GunView
    """What both players know of the gun."""
    known_next: Literal["live", "blank"] | None
    """The next bullet, after a peek in this action."""
    opponent_request: bool
    """The opponent asks to abstain from the round."""
    events: list[dict[str, Json]]
    """What happened in the last step."""


@dataclass(frozen=True, slots=True)
class Player:
    """One of the two players. Items are `ITEM_` codes."""

    rounds: int
    """The rounds that it has won."""
    lives: int
    """Its lives."""
    items: tuple[int, ...]
    """Its items by slot; slot 1 comes first."""
    draws: int
    """Draw credits, which both players share."""
    skip_pending: bool
    """Its next turn is skipped."""
    can_abstain: bool
    """It may ask to abstain from the round."""

    @property
    def item1(self) -> int:
        """The item in slot 1."""
        return self.items[0] if self.items else ITEM_EMPTY

    @property
    def item2(self) -> int:
        """The item in slot 2."""
        return self.items[1] if len(self.items) > 1 else ITEM_EMPTY


@dataclass(frozen=True, slots=True)
class Gun:
    """What both players know of the gun."""

    bullets: int
    """The bullets that are left."""
    live: int
    """The live bullets that are left."""

    @property
    def blank(self) -> int:
        """The blank bullets that are left."""
        return self.bullets - self.live

    @property
    def current_bullets(self) -> int:
        """`bullets`."""
        return self.bullets

    @property
    def current_live_bullets(self) -> int:
        """`live`."""
        return self.live

    currentBullets = current_bullets  # noqa: N815  the names competitors know
    """`bullets`."""
    currentLiveBullets = current_live_bullets  # noqa: N815
    """`live`."""


class Bot(client_sdk.base.Bot):
    """The base class of a bot, which answers three questions. An instance plays the whole match."""

    game = "botstack"
    _required = "action"

    view: View
    """The view that the present question is about."""
    _rules: Rules | None = None
    _resigned: bool = False

    def abstain(self, me: Player, other: Player, gun: Gun, opponent_request: bool) -> bool:
        """Whether to ask to abstain from the round or, with `opponent_request`, to agree to it."""
        return False

    def item(self, me: Player, other: Player, gun: Gun) -> int:
        """The item to use before this shot: 0 none, 1 that in slot 1, 2 that in slot 2."""
        return ACTION_NO_ITEM

    def action(self, me: Player, other: Player, gun: Gun, next_bullet: int) -> int:
        """Whom to shoot: 0 oneself, 1 the opponent. `next_bullet` is known after a peek only."""
        why = f"{type(self).__name__} does not say whom it shoots: define action"
        raise NotImplementedError(why)

    def on_round_start(self, round: int, starter: int) -> None:  # noqa: A002  the name competitors know
        """Called when a round begins."""

    def scratch(self, dice: Source | None = None) -> Scratch:
        """The engine's board to search on, in the position of the present question. The order of
        the bullets and what is loaded and dealt later are drawn from `dice`."""
        if self._rules is None:
            raise RuntimeError(
                "Bot.on_start comes before the first board: call it in your on_start"
            )
        return Scratch.from_view(self._rules, self.view, dice)

    def on_start(self, start: Start) -> None:
        """Keeps the rules for `scratch`."""
        self._rules = configure(GAME, start.config)

    def resign(self) -> None:
        """Give up the match: on a server at once, otherwise with the next decision."""
        if not self.link.send_out_of_turn([{"type": "resign"}]):
            self._resigned = True

    def decide(self, view: Json) -> Iterable[Json]:
        """Calls `abstain`, `item` or `action`."""
        self.view = cast(View, view)
        self._tell(view)
        if not self._resigned:
            answer = self._answer(self.view)
        return [{"type": "resign"}] if self._resigned else [answer]

    def on_view(self, view: Json) -> None:
        """Calls `on_event` and `on_round_start`."""
        self._tell(view)

    def _tell(self, view: Json) -> None:
        """Hand on what happened since the last view. A hook that fails loses only its own event."""
        for event in view["events"]:
            try:
                self.on_event(event)
                if event["e"] == "round_start":
                    self.on_round_start(event["round"], event["starter"])
            except Exception:
                log.exception("the bot failed to take in %s", event)

    def _answer(self, view: View) -> Json:
        me = _player(view["you"], view["draws"])
        other = _player(view["opponent"], view["draws"])
        gun = Gun(view["gun"]["total"], view["gun"]["live"])
        phase = view["phase"]
        if phase in ("abstain_request", "abstain_reply"):
            value = self._asked(
                "abstain", (False, True), False, me, other, gun, view["opponent_request"]
            )
            return {"type": "abstain", "value": bool(value)}
        if phase == "item":
            slots = tuple(range(len(me.items) + 1))
            return {
                "type": "item",
                "slot": self._asked("item", slots, ACTION_NO_ITEM, me, other, gun),
            }
        target = self._asked(
            "action", (0, 1), ACTION_SHOOT_OTHER, me, other, gun, _BULLETS[view["known_next"]]
        )
        return {"type": "shoot", "target": _TARGETS[target]}

    def _asked(self, question: str, choices: tuple[int, ...], harmless: int, *about: object) -> int:
        try:
            answer = getattr(self, question)(*about)
        except Exception:
            log.exception("the bot failed in %s; %r is played", question, harmless)
            return harmless
        whole = isinstance(answer, int) and (not isinstance(answer, bool) or question == "abstain")
        if not whole or answer not in choices:
            log.warning(
                "%s: expected one of %s, got %s; %r is played",
                question,
                choices,
                shown(answer),
                harmless,
            )
            return harmless
        return int(answer)


def _player(seen: PlayerView, draws: int) -> Player:
    items = tuple(ITEM_CODES[item] for item in seen["items"])
    return Player(
        seen["rounds_won"], seen["health"], items, draws, seen["skip_pending"], seen["can_abstain"]
    )
