"""What plays Zooscape bots of the contest (RULES §10): a class with `process_state`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from client_sdk.api.adapters import PROCESS_STATE, SET_BOT_ID
from client_sdk.api.zooscape import Action, Bot, GameState
from client_sdk.api.zooscape_values import contest_id
from client_sdk.start import Start

BOT_ID: Final = ("bot_id", "BotId", "botId")
"""An attribute that holds the id of a bot without a method that sets it."""

_NAMES: Final = {action.name.replace("_", ""): action for action in Action}


class OfService(Bot):
    """A `BotService`: it gets its id, then every state, and answers with an action, with something
    that has an `action`, or with None.

    Ids are GUIDs that depend on the match and the seat. Methods, attributes and items may be
    spelled in snake case, camel case or Pascal case. Actions count by their numbers, so those of
    another package will do; a name is taken as well."""

    def __init__(self, cls: type) -> None:
        self._service = cls()
        self.name = cls.__name__
        self._process = _first(self._service, PROCESS_STATE)

    def on_start(self, start: Start) -> None:
        self._id_of = partial(contest_id, start.match)
        super().on_start(start)

    def prepare(self, state: GameState) -> None:
        set_bot_id = _first(self._service, SET_BOT_ID)
        if set_bot_id is not None:
            set_bot_id(state.me.id)
            return
        for name in BOT_ID:
            if hasattr(self._service, name):
                setattr(self._service, name, state.me.id)

    def on_state(self, state: GameState) -> Action | None:
        answer: Action | None = self._process(state)
        return answer

    def meant(self, answer: object) -> Action | None:
        if isinstance(answer, Mapping):
            answer = answer.get("action", answer.get("Action", answer))
        elif answer is not None:
            answer = getattr(answer, "action", getattr(answer, "Action", answer))
        number = getattr(answer, "value", answer)
        if isinstance(number, str):
            number = _NAMES.get(number.replace("_", "").upper(), answer)
        return super().meant(number)


def _first(service: object, names: tuple[str, ...]) -> Any:
    """The first of these attributes that it has; None if it has none."""
    return next((getattr(service, name) for name in names if hasattr(service, name)), None)
