"""Who returns to the hub."""

from __future__ import annotations

import pytest

from client_sdk.gateway.seats import ClientSeat
from client_sdk.gateway.signalr import visitors
from client_sdk.gateway.signalr.visitors import HubSeat, Visitors


def test_the_cookie_and_newest_ids_of_a_bot_with_a_seat_are_remembered_whatever_others_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(visitors, "MAX_NAMES", 10)
    found = Visitors()
    bot_id, bot = found.negotiate(None, None)
    _, other = found.negotiate(None, None)
    bot.seat = HubSeat(ClientSeat("ws://server", "s_1", "127.0.0.1"), "id", "key")
    for _ in range(100):
        found.negotiate(None, None)

    assert found.negotiate(None, bot.cookie)[1] is bot
    assert found.negotiate(bot_id, None)[1] is bot
    assert found.negotiate(None, other.cookie)[1] is not other
    assert len(found._named) <= 14
