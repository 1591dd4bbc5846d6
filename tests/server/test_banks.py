"""The banks of all seats, as the seats of a match see them."""

from __future__ import annotations

import pytest

from tests.server.live_server import LiveServer, eventually

BANK = {"turn_ms": 0, "bank_ms": 60_000, "increment_ms": 1_000, "absence": "plays"}


def test_every_view_has_what_is_left_of_all_banks(live_server: LiveServer):
    lobby, taken = live_server.seated("walk", config={"turns": 2}, clock=BANK)
    red, blue = (live_server.seat(one) for one in taken)
    assert red.expect("start")["banks_ms"] == blue.expect("start")["banks_ms"] == [60_000, 60_000]
    view, other = red.expect("view"), blue.expect("view")
    assert (view["act"], other["act"]) == (True, False)
    assert 59_000 < view["banks_ms"][0] == view["bank_ms"] <= 60_000
    assert view["banks_ms"][1] == other["banks_ms"][1] == 60_000
    red.answer(0, end_turn=True)

    mine, shown = blue.until("view", turn=1), red.until("view", turn=1)

    assert shown["bank_ms"] is None
    assert mine["bank_ms"] == mine["banks_ms"][1]
    (charged,) = (
        line["t"]["charged"] for line in live_server.journal(lobby) if line["k"] == "command"
    )
    assert mine["banks_ms"][0] == shown["banks_ms"][0] == pytest.approx(60_000 - charged, abs=1)
    assert 60_500 < shown["banks_ms"][1] <= 61_000
    blue.answer(1, end_turn=True)
    last = red.until("view", turn=2)["banks_ms"]
    result = live_server.over(lobby)["seats"]
    assert last == pytest.approx([seat["bank_ms"] for seat in result], abs=1)


def test_a_seat_that_comes_back_sees_how_much_the_other_has_left_now(live_server: LiveServer):
    _, taken = live_server.seated("walk", clock=BANK)
    red, blue = (live_server.seat(one) for one in taken)
    before = red.until("view")["bank_ms"]
    assert blue.until("view")["act"] is False

    def less() -> bool:
        left, own = live_server.seat(taken[1]).expect("start")["banks_ms"]
        assert own == 60_000
        return bool(left < before)

    assert eventually(less)


def test_who_has_answered_an_open_turn_cannot_be_seen_from_the_banks(live_server: LiveServer):
    _, taken = live_server.seated("duel", clock=BANK | {"increment_ms": 0})
    left, right = (live_server.seat(one) for one in taken)
    opened = right.until("view", turn=0)["banks_ms"]
    left.until("view", turn=0)
    left.say("commands", turn=0, commands=[1])
    left.until("results")

    def less() -> bool:
        right.say("resync")
        start, view = right.until("start"), right.until("view")
        assert start["banks_ms"][0] == view["banks_ms"][0] == opened[0]
        assert view["banks_ms"][1] == view["bank_ms"]
        return bool(view["bank_ms"] < opened[1])

    assert eventually(less)


def test_a_person_among_bots_has_no_bank(live_server: LiveServer):
    lobby = live_server.create("walk", clock=BANK)["lobby"]
    bot, _ = [
        live_server.seat(live_server.join(lobby, kind, kind=kind)) for kind in ("bot", "human")
    ]

    assert bot.expect("start")["banks_ms"] == [60_000, None]


def test_a_match_without_banks_does_not_speak_of_them(live_server: LiveServer):
    _, (red, blue) = live_server.started("walk", clock={"bank_ms": 0, "increment_ms": 0})

    for message in (red.expect("view"), blue.expect("view")):
        assert "banks_ms" not in message
