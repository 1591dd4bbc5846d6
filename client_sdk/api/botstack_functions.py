"""BotStack bots that are plain functions (RULES §10): `abstain`, `item`, `action`, or the same as
`player1_abstain` and so on.

The constants and what the functions get are those of `client_sdk.api.botstack`; what has no
function answers as its `Bot` does."""

from __future__ import annotations

from types import ModuleType
from typing import Any, ClassVar

from client_sdk.api.botstack import Bot, Gun, Player, Start
from games.core.contract import Json


class Plain(Bot):
    """Asks the functions of a module, looked up for each question: the module may replace them."""

    prefix: ClassVar[str] = ""

    def __init__(self, module: ModuleType) -> None:
        self._functions = vars(module)

    def abstain(self, me: Player, other: Player, gun: Gun, opponent_request: bool) -> bool:
        abstain = self._functions.get(f"{self.prefix}abstain", super().abstain)
        answer: bool = abstain(me, other, gun, opponent_request)
        return answer

    def item(self, me: Player, other: Player, gun: Gun) -> int:
        item = self._functions.get(f"{self.prefix}item", super().item)
        answer: int = item(me, other, gun)
        return answer

    def action(self, me: Player, other: Player, gun: Gun, next_bullet: int) -> int:
        answer: int = self._functions[f"{self.prefix}action"](me, other, gun, next_bullet)
        return answer

    def on_start(self, start: Start) -> None:
        super().on_start(start)
        self._hook("on_start", start)

    def on_round_start(self, round: int, starter: int) -> None:  # noqa: A002  the name competitors know
        self._hook("on_round_start", round, starter)

    def on_event(self, event: dict[str, Json]) -> None:
        self._hook("on_event", event)

    def on_end(self, outcome: dict[str, Json]) -> None:
        self._hook("on_end", outcome)

    def _hook(self, name: str, *about: Any) -> None:
        if name in self._functions:
            self._functions[name](*about)


class Player1(Plain):
    """The spelling of bots that were written in C."""

    prefix = "player1_"
