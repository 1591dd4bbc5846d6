"""What plays Zooscape bots of the contest (RULES §10): a class with `process_state`."""

from __future__ import annotations

from collections.abc import Mapping

from client_sdk.api.zooscape import Action, Bot, GameState

_NAMES = {action.name.replace("_", ""): action for action in Action}


class OfService(Bot):
    """A `BotService`: it gets its id, then every state, and answers with a command, an object with
    an `action`, or with None.

    The id is the seat. Methods may be spelled `process_state` or `ProcessState`. Actions count by
    their numbers, so those of another package will do; a name is taken as well."""

    def __init__(self, cls: type) -> None:
        self._service = cls()
        self.name = cls.__name__
        self._process = getattr(self._service, "process_state", None) or self._service.ProcessState

    def prepare(self, state: GameState) -> None:
        for name in ("set_bot_id", "SetBotId"):
            if hasattr(self._service, name):
                getattr(self._service, name)(state.me.id)
                return

    def on_state(self, state: GameState) -> Action | None:
        answer: Action | None = self._process(state)
        return answer

    def meant(self, answer: object) -> Action | None:
        if isinstance(answer, Mapping):
            answer = answer.get("action", answer)
        elif answer is not None:
            answer = getattr(answer, "action", getattr(answer, "Action", answer))
        number = getattr(answer, "value", answer)
        if isinstance(number, str):
            number = _NAMES.get(number.replace("_", "").upper(), answer)
        return super().meant(number)
