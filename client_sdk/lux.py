"""A bot that is a program in the form of the Lux contests: one JSON line in for each step, one with
an action back.

    {"step": 4, "obs": VIEW, "remainingOverageTime": 60, "player": 0, "info": {}}
    {"action": ["UP"]}
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from client_sdk.lines import NOT_READY, LinesAnswer, LinesBot, NotUnderstood
from client_sdk.start import Start
from games.core.contract import Json, Reply


class LuxBot(LinesBot):
    """Plays what the program answers. The program gets no other lines, so no errors either."""

    _answered = False
    """Whether it has answered a step. Its form has no other word for being ready."""

    def on_results(self, results: Sequence[Reply]) -> None:
        pass

    def on_end(self, outcome: dict[str, Json]) -> None:
        pass

    def _begin(self, start: Start) -> None:
        """The first step brings the configuration."""
        self._info: dict[str, Json] = {"env_cfg": start.config}

    def _late(self) -> str:
        return super()._late() if self._answered else NOT_READY

    def _view_message(self, view: Json, within_s: float | None) -> Any:
        assert self._start is not None
        info, self._info = self._info, {}
        return {
            "step": self._turn,
            "obs": view,
            "remainingOverageTime": self._bank_s() or 0.0,
            "player": self._start.seat,
            "info": info,
        }

    def _read(self, value: Json) -> LinesAnswer:
        if not isinstance(value, dict) or "action" not in value:
            raise NotUnderstood('a line without an action; expected {"action": …}')
        self._answered = True
        action = value["action"]
        return LinesAnswer(action if isinstance(action, list) else [action])

    def _refuse(self, code: str, text: str) -> None:
        pass
