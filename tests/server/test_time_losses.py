"""A match that a seat lost by running out of time says so, and is counted once, however that was
decided."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.accounts.people import person
from tests.server.live_server import LiveServer, SocketClient, eventually, hosted
from tests.server.numbers import number

PYRAT = {"preset": "tiny", "move_timeout_ms": 40, "network_grace_ms": 0}
PREPARED = {"preprocessing_timeout_ms": 0}
COOKOFF = {"turn_time_ms": 40, "init_time_ms": 0}
ZOOSCAPE = {"seats": 2, "map_size": 15, "max_ticks": 20}


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with hosted(tmp_path_factory.mktemp("losses")) as running:
        yield running


def losses(live_server: LiveServer, game: str) -> float:
    return number(live_server, "botarena_time_losses_total", game=game)


def ended(live_server: LiveServer, lobby: str) -> dict[str, Any]:
    """The outcome, with a sound record of it."""
    outcome = live_server.over(lobby)
    assert live_server.verified(lobby).kind == "ok"
    return outcome


def silent(live_server: LiveServer, game: str, **options: Any) -> dict[str, Any]:
    """How a match ends in which no seat sends anything after its hello."""
    lobby, _ = live_server.started(game, **options)
    return ended(live_server, lobby)


@pytest.mark.parametrize(
    ("reason", "game", "options"),
    [
        pytest.param(
            "timeout", "pyrat", {"config": PYRAT | PREPARED, "faults": "forfeit"}, id="both at once"
        ),
        pytest.param(
            "timeout",
            "pyrat",
            {"config": PYRAT | PREPARED, "faults": "strikes"},
            id="both, by strikes",
        ),
        pytest.param(
            "not_ready",
            "pyrat",
            {"config": PYRAT | {"preprocessing_timeout_ms": 40, "fault_policy": "strict"}},
            id="both not ready",
        ),
        pytest.param(
            "timeout",
            "botstack",
            {"config": {"decision_timeout_ms": 20, "time_bank_ms": 20}},
            id="strikes",
        ),
        pytest.param("timeout", "catastrophe", {"config": {"time_bank_s": 0.1}}, id="bank"),
        pytest.param(
            "timeout",
            "catastrophe",
            {"config": {"time_bank_s": 0.1}, "faults": "default"},
            id="by the rules alone",
        ),
        pytest.param("both_failed", "cookoff", {"config": COOKOFF}, id="both teams fail"),
        pytest.param(
            "both_failed",
            "cookoff",
            {"config": COOKOFF | {"failure_policy": "skip", "max_skips": 2}},
            id="too many skipped turns",
        ),
        pytest.param(
            "both_failed", "cookoff", {"config": {"init_time_ms": 40}}, id="neither has started"
        ),
        pytest.param(
            "timeout",
            "cookoff",
            {"config": COOKOFF, "faults": "forfeit"},
            id="before the rules say so",
        ),
        pytest.param(
            "timeout",
            "zooscape",
            {"config": ZOOSCAPE | {"tick_ms": 0}, "clock": {"turn_ms": 40}, "faults": "forfeit"},
            id="in step",
        ),
    ],
)
def test_silence_that_loses_by_time_is_one_time_loss_with_its_reason(
    own_server: LiveServer, reason: str, game: str, options: dict[str, Any]
):
    before = losses(own_server, game)

    outcome = silent(own_server, game, **options)

    assert outcome["reason"] == reason
    assert losses(own_server, game) - before == 1


def test_the_scores_decide_if_both_run_out_of_time_after_a_turn(own_server: LiveServer):
    config = (
        PYRAT
        | PREPARED
        | {"width": 3, "height": 2, "cheese": [[1, 0], [2, 1]], "rat_start": [0, 0]}
    )
    config |= {"python_start": [0, 1], "walls": [], "mud": [], "move_timeout_ms": 1_000}
    config.pop("preset")
    lobby, (rat, python) = own_server.started("pyrat", config=config, faults="forfeit")
    for seat, move in ((rat, "RIGHT"), (python, "STAY")):
        seat.until("view")
        assert seat.answer(0, move) == ["ok"]

    outcome = ended(own_server, lobby)

    assert (outcome["outcome"], outcome["winner"], outcome["reason"]) == ("win", 0, "timeout")
    assert [seat["timeouts"] for seat in outcome["seats"]] == [1, 1]


def test_one_team_that_fails_by_time_is_a_time_loss(own_server: LiveServer):
    before = losses(own_server, "cookoff")
    lobby, clients = own_server.started("cookoff", config=COOKOFF | {"turn_time_ms": 1_000})
    red = clients[0]
    view = red.until("view", act=True)
    red.answer(view["turn"], end_turn=True)

    assert ended(own_server, lobby)["reason"] == "timeout"
    assert losses(own_server, "cookoff") - before == 1


def gone(clients: list[SocketClient]) -> None:
    for client in clients:
        client.vanish()


def test_an_absence_is_not_a_time_loss(own_server: LiveServer):
    before = losses(own_server, "cookoff") + losses(own_server, "catastrophe")
    lobby, clients = own_server.started("cookoff", config=COOKOFF | {"turn_time_ms": 60_000})
    gone(clients[:1])
    clients[1].answer(clients[1].until("view", act=True)["turn"], end_turn=True)

    assert ended(own_server, lobby)["reason"] == "disconnected"

    lobby, clients = own_server.started("catastrophe", config={"reconnect_grace_ms": 50})
    gone(clients[:1])

    assert ended(own_server, lobby)["reason"] == "disconnect"
    assert losses(own_server, "cookoff") + losses(own_server, "catastrophe") == before


def test_a_match_without_a_loss_by_time_counts_none(own_server: LiveServer):
    before = losses(own_server, "pyrat") + losses(own_server, "zooscape")

    slow = silent(own_server, "pyrat", config=PYRAT | PREPARED | {"max_turns": 3})
    silent(own_server, "zooscape", config=ZOOSCAPE | {"tick_ms": 20})

    assert [seat["timeouts"] for seat in slow["seats"]] == [3, 3]
    assert losses(own_server, "pyrat") + losses(own_server, "zooscape") == before


def test_an_organisers_reason_is_not_a_time_loss(own_server: LiveServer):
    before = losses(own_server, "duel")
    lobby, _ = own_server.started("duel", clock={"turn_ms": 60_000})
    key = person(own_server.data, "organiser", "ann").key
    own_server.post(f"/admin/matches/{lobby}/abort", {"reason": "timeout"}, key)

    assert own_server.over(lobby)["reason"] == "timeout"
    assert losses(own_server, "duel") == before


def test_a_time_loss_after_a_restart_is_counted_by_the_current_server(tmp_path: Path):
    config = PYRAT | PREPARED | {"move_timeout_ms": 2_000}
    with hosted(tmp_path) as live_server:
        lobby, taken = live_server.seated("pyrat", config=config, faults="forfeit")
        for seat in [live_server.seat(one) for one in taken]:
            seat.until("view")
    with hosted(tmp_path) as live_server:
        for seat in [live_server.seat(one) for one in taken]:
            seat.until("view")

        assert live_server.over(lobby)["reason"] == "timeout"
        assert eventually(lambda: losses(live_server, "pyrat")) == 1
        assert number(live_server, "botarena_timeouts_total", game="pyrat") == 2
