"""A server's metrics: all of them are documented and correct, and no label identifies a client."""

from __future__ import annotations

from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from server.app.arena import create_app
from server.settings import Settings
from tests.server.live_server import LiveServer, eventually, hosted
from tests.server.numbers import number
from tests.server.test_limits import quoted, rows
from tests.server.test_stalls import hold_up

LONG = {"turn_ms": 20_000}


@pytest.fixture
def own_server(tmp_path: Path):
    """Counted from 0 on."""
    with hosted(tmp_path) as running:
        yield running


def families(live_server: LiveServer) -> dict[str, list]:
    text = live_server.http.get("/metrics").text
    suffix = {"counter": "_total"}
    return {
        family.name + suffix.get(family.type, ""): family.samples
        for family in text_string_to_metric_families(text)
        if not family.name.endswith("_created")
    }


def test_every_metric_is_documented_and_every_documented_one_exists(
    own_server: LiveServer,
):
    documented = {quoted(row[0])[0] for row in rows("Watching the server")} - {"process_…"}

    assert {name for name in families(own_server) if not name.startswith("process_")} == documented


def test_a_match_is_counted_while_it_runs_and_when_it_is_over(own_server: LiveServer):
    live_server = own_server
    lobby, (left, right) = live_server.started("duel", config={"rounds": 1}, clock=LONG)
    viewer = live_server.viewer(lobby)
    assert number(live_server, "botarena_matches", game="duel", state="running") == 1
    assert number(live_server, "botarena_seats_connected") == 2
    assert number(live_server, "botarena_viewers") == 1
    sent = number(live_server, "botarena_frames_sent_total")
    for client in (left, right):
        client.answer(0, 1)
    viewer.rest()
    left.rest()
    right.rest()
    live_server.over(lobby)

    assert number(live_server, "botarena_matches") == 0
    assert number(live_server, "botarena_matches_over_total", game="duel") == 1
    eventually(lambda: number(live_server, "botarena_connections_closed_total", code="done") == 3)
    assert number(live_server, "botarena_connections_closed_total", role="watch", code="done") == 1
    assert (
        number(live_server, "botarena_connections")
        == number(live_server, "botarena_seats_connected")
        == 0
    )
    assert number(live_server, "botarena_frames_sent_total") > sent
    assert number(live_server, "botarena_frames_received_total") >= 5


def test_a_match_lost_by_time_is_a_time_loss_and_a_late_turn_a_timeout(own_server: LiveServer):
    lobby, (left, _) = own_server.started(
        "duel", config={"rounds": 3}, clock={"turn_ms": 50}, faults="forfeit"
    )
    left.until("view")
    left.answer(0, 1)
    own_server.over(lobby)

    assert number(own_server, "botarena_time_losses_total", game="duel") == 1
    assert number(own_server, "botarena_timeouts_total", game="duel") == 1


def test_refused_commands_count_by_code(own_server: LiveServer):
    _, (left, _) = own_server.started("duel", clock=LONG)
    left.until("view")
    codes = left.answer(0, "nonsense") + left.answer(7, 1) + left.answer(None, 1)

    assert len(set(codes)) == 3
    for code in codes:
        assert number(own_server, "botarena_commands_refused_total", game="duel", code=code) == 1


def test_thinking_beyond_the_limit_and_bad_frames_are_counted(tmp_path):
    with hosted(tmp_path, infos_per_turn=2) as live_server:
        _, (left, _) = live_server.started("duel", clock=LONG)
        left.until("view")
        for number_ in range(5):
            left.say("info", data=number_)
        left.raw("nonsense")
        left.until("error")

        eventually(lambda: number(live_server, "botarena_infos_dropped_total", game="duel") == 3)
        assert number(live_server, "botarena_bad_frames_total", role="play") == 1


def test_ticks_and_the_event_loop_are_measured(own_server: LiveServer):
    lobby, _ = own_server.started("zooscape", config={"seats": 2, "tick_ms": 20, "max_ticks": 10})
    own_server.over(lobby)

    assert number(own_server, "botarena_tick_lateness_seconds_count") >= 10
    eventually(lambda: number(own_server, "botarena_loop_lag_seconds_count") > 10)
    assert number(own_server, "botarena_tasks") > 3


def test_requests_are_counted_by_method_and_status_and_refusals_by_code(own_server: LiveServer):
    own_server.http.get("/api/v1/lobbies/unknown")
    own_server.http.request("PROPFIND", "/api/v1/lobbies")

    eventually(
        lambda: number(own_server, "botarena_requests_total", method="GET", status="404") == 1
    )
    eventually(lambda: number(own_server, "botarena_requests_total", method="other") == 1)
    assert number(own_server, "botarena_requests_refused_total", code="no_such_lobby") == 1


def test_no_label_is_a_name_an_id_or_a_token(own_server: LiveServer):
    """However many play, under whatever names, the metrics have as many lines as before."""
    lobby, (left, right) = own_server.started(
        "duel", config={"rounds": 1}, clock=LONG, name="the canary's nest"
    )
    for client in (left, right):
        client.until("view")
        assert client.answer(0, "canary") != ["ok"]
        assert client.answer(0, 1) == ["ok"]
    left.rest()
    own_server.http.get(f"/api/v1/lobbies/{lobby}", params={"canary": "canary"})
    text = own_server.http.get("/metrics").text

    assert "canary" not in text
    assert lobby not in text
    assert "player 0" not in text


def test_two_servers_in_one_process_count_separately(tmp_path):
    with hosted(tmp_path / "one") as one, hosted(tmp_path / "two") as two:
        one.create()

        assert number(one, "botarena_matches", game="duel") == 1
        assert number(two, "botarena_matches", game="duel") == 0


# --- who may look


def test_without_a_token_metrics_are_open_to_this_machine_only_and_not_through_a_proxy(
    own_server: LiveServer,
):
    through = own_server.http.get("/metrics", headers={"X-Forwarded-For": "127.0.0.1"})

    assert own_server.http.get("/metrics").status_code == 200
    assert (through.status_code, through.json()["code"]) == (403, "not_here")


def test_only_the_metrics_token_opens_the_metrics(tmp_path):
    with hosted(tmp_path, metrics_token="open sesame") as live_server:
        answers = [
            live_server.http.get("/metrics", headers={"Authorization": f"Bearer {it}".encode()})
            for it in ("open sesame", "ö", "s_x")
        ]
        answers.append(live_server.http.get("/metrics"))

        assert [answer.status_code for answer in answers] == [200, 403, 403, 403]
        assert "open sesame" not in repr(live_server.arena.process.settings)


# --- ready or not


def test_a_healthy_server_is_ready(own_server: LiveServer):
    answer = own_server.http.get("/readyz")

    assert (answer.status_code, answer.json()) == (200, {"status": "ready", "reasons": {}})


def test_each_unhealthy_part_is_a_reason_until_it_recovers(own_server: LiveServer):
    health = own_server.arena.process.health
    health.report("draining", "by an organiser")
    answer = own_server.http.get("/readyz")

    assert (answer.status_code, answer.json()) == (
        503,
        {"status": "not ready", "reasons": {"draining": "by an organiser"}},
    )
    assert own_server.http.get("/healthz").status_code == 200
    assert number(own_server, "botarena_ready") == 0
    health.report("draining", None)
    assert own_server.http.get("/readyz").status_code == 200


def test_too_little_disk_space_is_a_reason(tmp_path):
    with hosted(tmp_path, min_free_bytes=1 << 60) as live_server:
        eventually(lambda: "disk" in live_server.http.get("/readyz").json()["reasons"])

        assert live_server.http.get("/readyz").json()["reasons"]["disk"].startswith("no_space: ")


def test_a_stalled_event_loop_is_a_reason(own_server: LiveServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("server.watch.HELD_UP_MS", 500)
    monkeypatch.setattr("server.watch.HELD_UP_WITHIN_MS", 60_000)
    lobby, _ = own_server.started("duel", clock=LONG)
    hold_up(own_server, lobby, 0.6)
    eventually(lambda: "loop" in own_server.http.get("/readyz").json()["reasons"])
    monkeypatch.setattr("server.watch.HELD_UP_WITHIN_MS", 1)
    eventually(lambda: own_server.http.get("/readyz").status_code == 200)


async def test_a_server_that_shuts_down_is_not_ready(tmp_path):
    arena = create_app(Settings(data_dir=tmp_path, drain_ms=0))
    await arena.stop()

    assert "draining" in arena.process.health.problems
