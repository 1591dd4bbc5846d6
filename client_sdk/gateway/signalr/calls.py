"""What clients of the contest call: the methods of the hub and their arguments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from client_sdk.api.zooscape_values import Action
from client_sdk.gateway.signalr.protocol import Invocation
from games.core.contract import Json

_GUID: Final = re.compile(r"[{(]?([0-9a-fA-F]{8}(?:-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12})[)}]?")
_SEAT_TOKEN: Final = re.compile(r"s_[A-Za-z0-9_~.-]{32,80}")
_NAMES: Final = {action.name.replace("_", ""): action for action in Action}


class BadCall(Exception):
    """An invocation that is completed with an error; its text says why."""


@dataclass(frozen=True, slots=True)
class Register:
    """A bot wants a seat."""

    token: str | None
    """As the bot sent it; None: it has none."""
    nickname: str | None

    @property
    def grants_seat(self) -> bool:
        """The token is that of a seat on the server."""
        return self.token is not None and _SEAT_TOKEN.fullmatch(self.token) is not None

    @property
    def key(self) -> str | None:
        """The token, the same for every spelling of a GUID. Raises ValueError if it is neither a
        GUID nor a seat's."""
        if self.token is None or self.grants_seat:
            return self.token
        if (guid := _GUID.fullmatch(self.token)) is None:
            raise ValueError("expected a GUID or null as the token")
        return guid[1].replace("-", "").lower()


@dataclass(frozen=True, slots=True)
class RegisterVisualiser:
    """A visualiser is there."""


@dataclass(frozen=True, slots=True)
class BotCommand:
    """A bot acts."""

    action: Action | None
    """None: it is none of the game's, and is ignored."""


HubCall: TypeAlias = Register | RegisterVisualiser | BotCommand


def call_of(invocation: Invocation) -> HubCall:
    """Read an invocation. Names count without regard to case. Raises BadCall."""
    match (invocation.target.lower(), *invocation.arguments):
        case ("register", token, nickname):
            return _register(token, nickname)
        case ("registervisualiser",):
            return RegisterVisualiser()
        case ("botcommand", command):
            return BotCommand(_action(command))
        case ("register" | "registervisualiser" | "botcommand", *arguments):
            raise BadCall(f"{invocation.target} does not take {len(arguments)} arguments")
    known = "Register, BotCommand, RegisterVisualiser"
    raise BadCall(f"unknown method {invocation.target[:80]!r}; the hub has {known}")


def _register(token: Json, nickname: Json) -> Register:
    if not isinstance(nickname, str | None):
        raise BadCall("the nickname is no text")
    if not isinstance(token, str | None):
        raise BadCall("the token is no text")
    call = Register(token or None, nickname)
    try:
        _ = call.key
    except ValueError as fault:
        raise BadCall(str(fault)) from None
    return call


def _action(command: Json) -> Action | None:
    """Numbers 1 to 5, also as floats, or the name in any spelling."""
    if not isinstance(command, dict):
        return None
    found = next((value for name, value in command.items() if name.lower() == "action"), None)
    if isinstance(found, str):
        return _NAMES.get(found.replace("_", "").upper())
    if isinstance(found, bool) or not isinstance(found, int | float) or found not in tuple(Action):
        return None
    return Action(int(found))
