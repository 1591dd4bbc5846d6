"""The methods of the hub and their arguments, in all forms in which clients send them."""

from __future__ import annotations

from typing import Any

import pytest

from client_sdk.api.zooscape_values import Action
from client_sdk.gateway.signalr.calls import (
    BadCall,
    BotCommand,
    Register,
    RegisterVisualiser,
    call_of,
)
from client_sdk.gateway.signalr.protocol import Invocation

GUID = "6f9619ff-8b86-d011-b42d-00cf4fc964ff"


def called(target: str, *arguments: Any) -> Any:
    return call_of(Invocation(target, arguments))


@pytest.mark.parametrize(
    ("command", "action"),
    [
        ({"action": 1}, Action.UP),
        ({"Action": 5}, Action.USE_ITEM),
        ({"ACTION": 3, "BotId": GUID, "extra": None}, Action.LEFT),
        ({"action": 4.0}, Action.RIGHT),
        ({"action": "UP"}, Action.UP),
        ({"action": "USE_ITEM"}, Action.USE_ITEM),
        ({"Action": "UseItem"}, Action.USE_ITEM),
        ({"action": 0}, None),
        ({"action": 6}, None),
        ({"action": -1}, None),
        ({"action": 1.5}, None),
        ({"action": 1e400}, None),
        ({"action": True}, None),
        ({"action": None}, None),
        ({"action": [1]}, None),
        ({"action": {"value": 1}}, None),
        ({"action": "JUMP"}, None),
        ({}, None),
        ([], None),
        (1, None),
        (None, None),
    ],
)
def test_an_action_is_a_number_an_integral_float_or_a_name_and_others_are_ignored(
    command: Any, action: Action | None
) -> None:
    assert called("BotCommand", command) == BotCommand(action)


@pytest.mark.parametrize("target", ["Register", "register", "REGISTER"])
def test_names_of_methods_count_without_regard_to_case(target: str) -> None:
    assert called(target, GUID, "Baloo") == Register(GUID, "Baloo")
    assert called("registerVisualiser") == RegisterVisualiser()
    assert called("botCommand", {"action": 2}) == BotCommand(Action.DOWN)


@pytest.mark.parametrize(
    "token",
    [GUID, GUID.upper(), GUID.replace("-", ""), f"{{{GUID}}}", f"({GUID})"],
)
def test_a_guid_is_kept_as_it_was_sent_and_is_the_same_in_every_spelling(token: str) -> None:
    call = called("Register", token, "Baloo")

    assert call.token == token
    assert call.key == GUID.replace("-", "")
    assert not call.grants_seat


@pytest.mark.parametrize("token", ["s_" + "a" * 32, "s_" + "-_" * 16 + "~node.1"])
def test_the_token_of_a_seat_is_taken_too(token: str) -> None:
    call = called("Register", token, "Baloo")

    assert call.grants_seat
    assert call.key == token


def test_a_bot_without_a_token_sends_null_or_nothing() -> None:
    assert called("Register", None, None) == Register(None, None)
    assert called("Register", "", "Baloo") == Register(None, "Baloo")
    assert Register(None, None).key is None


@pytest.mark.parametrize(
    "token",
    ["Baloo", GUID[:-1], GUID + "0", f"{GUID[:8]}\n{GUID[9:]}", 's_"', "k_" + "a" * 32, 7, []],
)
def test_a_token_that_is_no_guid_is_an_error(token: Any) -> None:
    with pytest.raises(BadCall):
        called("Register", token, "Baloo")


@pytest.mark.parametrize(
    ("target", "arguments"),
    [
        ("Register", [GUID]),
        ("Register", [GUID, "Baloo", 1]),
        ("Register", [GUID, 7]),
        ("BotCommand", []),
        ("RegisterVisualiser", [1]),
        ("Jump", []),
    ],
)
def test_another_method_or_other_arguments_are_an_error(target: str, arguments: list[Any]) -> None:
    with pytest.raises(BadCall):
        called(target, *arguments)
