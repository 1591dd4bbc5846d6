"""BotStack 01 as its competitors know it: three questions, two players, one gun (RULES §10).

    class Mine(Bot):
        def action(self, me, other, gun, next_bullet):
            return SHOOT_SELF if gun.live * 2 < gun.bullets else SHOOT_OPPONENT

An answer that is no choice is sent as the harmless one, with a warning in the log: no abstention,
no item, the opponent."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypedDict, cast

import client_sdk.base
from client_sdk.start import Start
from games.botstack.json_types import Gun as GunView
from games.botstack.json_types import Player as PlayerView
from games.core.contract import Json

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
    "Start",
    "View",
]


log = logging.getLogger("botarena")

ITEM_EMPTY: Final = 0
ITEM_PEEK_CURRENT: Final = 1
ITEM_EJECT_CURRENT: Final = 2
ITEM_SKIP_ENEMY: Final = 3
ITEM_HEALTH_KIT: Final = 4
ITEM_RESET_GUN: Final = 5

BULLET_BLANK: Final = 0
BULLET_LIVE: Final = 1
BULLET_UNKNOWN: Final = 2

ACTION_NO_ITEM: Final = 0
ACTION_ITEM1: Final = 1
ACTION_ITEM2: Final = 2

ACTION_SHOOT_SELF: Final = 0
ACTION_SHOOT_OTHER: Final = 1
SHOOT_SELF: Final = ACTION_SHOOT_SELF
SHOOT_OPPONENT: Final = ACTION_SHOOT_OTHER

ITEM_Empty: Final = ITEM_EMPTY
ITEM_PeekCurrent: Final = ITEM_PEEK_CURRENT
ITEM_EjectCurrent: Final = ITEM_EJECT_CURRENT
ITEM_SkipEnemy: Final = ITEM_SKIP_ENEMY
ITEM_HealthKit: Final = ITEM_HEALTH_KIT
ITEM_ResetGun: Final = ITEM_RESET_GUN
BULLET_Blank: Final = BULLET_BLANK
BULLET_Live: Final = BULLET_LIVE
BULLET_Unknown: Final = BULLET_UNKNOWN
ACTION_NoItem: Final = ACTION_NO_ITEM
ACTION_Item1: Final = ACTION_ITEM1
ACTION_Item2: Final = ACTION_ITEM2
ACTION_ShootSelf: Final = ACTION_SHOOT_SELF
ACTION_ShootOther: Final = ACTION_SHOOT_OTHER

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
    """A seat's view while the match goes on (RULES §7). A key per field of the JSON, hence their
    number."""

    game: str
    seat: int
    phase: Literal["abstain_request", "abstain_reply", "item", "shoot"]
    your_decision: bool
    round: int
    starter: int
    turn: int
    load: int
    reloads_left: int
    draws: int
    you: PlayerView
    opponent: PlayerView
    gun: GunView
    known_next: Literal["live", "blank"] | None
    opponent_request: bool
    events: list[dict[str, Json]]


@dataclass(frozen=True, slots=True)
class Player:
    """One player. Items are ITEM_ codes."""

    rounds: int
    """Rounds won."""
    lives: int
    items: tuple[int, ...]
    """By slot; slot 1 comes first."""
    draws: int
    """Draw credits; both players always share them."""
    skip_pending: bool
    can_abstain: bool

    @property
    def item1(self) -> int:
        return self.items[0] if self.items else ITEM_EMPTY

    @property
    def item2(self) -> int:
        return self.items[1] if len(self.items) > 1 else ITEM_EMPTY


@dataclass(frozen=True, slots=True)
class Gun:
    """What both players know of the gun."""

    bullets: int
    live: int

    @property
    def blank(self) -> int:
        return self.bullets - self.live

    @property
    def current_bullets(self) -> int:
        return self.bullets

    @property
    def current_live_bullets(self) -> int:
        return self.live

    currentBullets = current_bullets  # noqa: N815  the names competitors know
    currentLiveBullets = current_live_bullets  # noqa: N815


class Bot(client_sdk.base.Bot):
    """Answers the three questions. What it keeps in itself stays for the whole match."""

    game = "botstack"

    view: View
    """The view that the present question is about."""
    _resigned: bool = False

    def abstain(self, me: Player, other: Player, gun: Gun, opponent_request: bool) -> bool:
        """Propose to abandon the round or, on the opponent's request, agree to it."""
        return False

    def item(self, me: Player, other: Player, gun: Gun) -> int:
        """Which item to use before this shot: 0 none, 1 the one in slot 1, 2 the one in slot 2."""
        return ACTION_NO_ITEM

    def action(self, me: Player, other: Player, gun: Gun, next_bullet: int) -> int:
        """Whom to shoot: 0 oneself, 1 the opponent. `next_bullet` is known after a peek in this
        action only."""
        raise NotImplementedError(
            f"{type(self).__name__} does not say whom it shoots: define action"
        )

    def on_round_start(self, round: int, starter: int) -> None:  # noqa: A002  the name competitors know
        """A round begins."""

    def resign(self) -> None:
        """Give the match up: at once on a server, else with the next decision."""
        if not self.link.now([{"type": "resign"}]):
            self._resigned = True

    def decide(self, view: Json) -> Iterable[Json]:
        self.view = cast(View, view)
        self._tell(view)
        if not self._resigned:
            answer = self._answer(self.view)
        return [{"type": "resign"}] if self._resigned else [answer]

    def on_view(self, view: Json) -> None:
        self._tell(view)

    def _tell(self, view: Json) -> None:
        """Hand on what happened since the last view. A hook that fails costs nothing but its own
        news."""
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
                "%s: expected one of %s, got %r; %r is played", question, choices, answer, harmless
            )
            return harmless
        return int(answer)


def _player(seen: PlayerView, draws: int) -> Player:
    items = tuple(ITEM_CODES[item] for item in seen["items"])
    return Player(
        seen["rounds_won"], seen["health"], items, draws, seen["skip_pending"], seen["can_abstain"]
    )
