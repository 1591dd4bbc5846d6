"""A server that was killed: its matches resume from their journals at the next start."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from games.core.journal import Chain
from tests.core.records import chained, fields_of
from tests.core.throw_in import WALK
from tests.server.live_server import PLAYED, LiveServer, eventually, hosted

LONG = {"turn_ms": 60_000, "absence": "plays"}
STEP = {"do": "step", "by": 1}


def give_up(reason: str) -> dict[str, str]:
    return {"do": "give_up", "why": reason}


SPEAKING = {
    **PLAYED,
    "spoken_for": replace(WALK, name="spoken_for", command_for_silence=give_up),
}


@contextmanager
def after_a_crash(
    data: Path, lobby: str, journal: bytes, **settings: object
) -> Iterator[LiveServer]:
    """A server that finds what was on the disk when the one before it died."""
    shutil.rmtree(data)
    (data / "matches").mkdir(parents=True)
    (data / "matches" / f"{lobby}.journal.jsonl").write_bytes(journal)
    with hosted(data, **settings) as live_server:
        yield live_server


def on_disk(live_server: LiveServer, lobby: str) -> bytes:
    return (live_server.data / "matches" / f"{lobby}.journal.jsonl").read_bytes()


def test_a_match_resumes_with_its_exact_state_and_verifies(tmp_path):
    with hosted(tmp_path) as live_server:
        lobby, taken = live_server.seated("walk", clock=LONG, config={"turns": 3})
        red, blue = (live_server.seat(one) for one in taken)
        red.until("view")
        red.answer(0, STEP, end_turn=True)
        blue.until("view", act=True)
        blue.answer(1, STEP)
        journal = on_disk(live_server, lobby)
    with after_a_crash(tmp_path, lobby, journal) as live_server:
        assert live_server.lobby(lobby)["state"] == "running"
        red, blue = (live_server.seat(one) for one in taken)
        assert blue.expect("start")["view"] == {
            "turn": 1,
            "acting": 1,
            "places": [1, 1],
            "budget": 2,
        }
        assert blue.until("view", act=True)["turn"] == 1
        assert blue.answer(1, STEP, STEP, STEP) == ["ok", "ok", "no_budget"]
        blue.answer(1, end_turn=True)
        red.until("view", act=True, turn=2)
        red.answer(2, end_turn=True)

        assert red.until("end")["outcome"]["winner"] == 1
        assert on_disk(live_server, lobby).startswith(journal)
        assert live_server.verified(lobby).kind == "ok"
        assert live_server.get(f"/matches/{lobby}").json()["outcome"]["reason"] == "max_turns"


def test_a_client_of_a_match_that_ended_before_a_restart_gets_its_end(tmp_path):
    with hosted(tmp_path) as live_server:
        made = live_server.create("duel", clock=LONG, config={"rounds": 1}, private=True)
        taken = [
            live_server.join(made["lobby"], "someone", invite=made["invite"]) for _ in made["seats"]
        ]
        left, right = (live_server.seat(one) for one in taken)
        left.until("view")
        left.answer(0, 1)
        right.answer(0, 2)
        end = left.until("end")
        live_server.row(made["lobby"])
        before = [live_server.socket(), live_server.socket()]
        for client, token in zip(before, (taken[1]["token"], made["owner_token"]), strict=True):
            client.say("hello", protocol=1, token=token)
        expected = [client.rest() for client in before]
    with hosted(tmp_path) as live_server:
        late, owner, unknown = live_server.socket(), live_server.socket(), live_server.socket()
        late.say("hello", protocol=1, token=taken[1]["token"])
        owner.say("hello", protocol=1, token=made["owner_token"])
        unknown.say("hello", protocol=1, token=taken[1]["token"][:-1])

        assert [late.rest(), owner.rest()] == expected
        assert [expected[0][0], late.close_code, owner.close_code] == [end, 4410, 4403]
        assert unknown.refused() == (4401, "bad_token", False)


@pytest.mark.parametrize(("cut", "mark"), [(1, b""), (40, b""), (150, b""), (40, b"\xef\xbb\xbf")])
def test_an_incomplete_line_is_discarded(tmp_path, cut, mark):
    """Nor does it matter that an editor put a byte order mark in front."""
    with hosted(tmp_path) as live_server:
        lobby, taken = live_server.seated("duel", clock=LONG, config={"rounds": 2})
        left, right = (live_server.seat(one) for one in taken)
        left.until("view")
        right.until("view")
        left.answer(0, 3)
        right.answer(0, 4)
        left.until("view", turn=1)
        left.answer(1, 9)
        journal = on_disk(live_server, lobby)
    with after_a_crash(tmp_path, lobby, mark + journal[:-cut]) as live_server:
        left, right = (live_server.seat(one) for one in taken)
        assert left.until("view", act=True)["turn"] == 1
        assert left.answer(1, 9) == ["ok"]
        right.answer(1, 0)

        assert left.until("end")["outcome"]["reason"] == "rounds"
        assert live_server.verified(lobby).kind == "ok"


def test_the_consequences_of_the_last_line_are_written_first(tmp_path):
    """The server died between a turn's last command and the line that closes the turn, or that
    tells the end."""
    with hosted(tmp_path) as live_server:
        lobby, taken = live_server.seated("walk", clock=LONG, config={"turns": 1})
        red, _ = live_server.seat(taken[0]), live_server.seat(taken[1])
        red.until("view")
        red.answer(0, end_turn=True)
        live_server.over(lobby)
        whole = on_disk(live_server, lobby)
    lines = whole.splitlines(keepends=True)
    last = max(number for number, line in enumerate(lines) if json.loads(line)["k"] == "command")
    with after_a_crash(tmp_path, lobby, b"".join(lines[: last + 1])) as live_server:
        assert live_server.over(lobby)["reason"] == "max_turns"
        kinds = [line["k"] for line in live_server.journal(lobby)]
        assert kinds.count("turn") == kinds.count("end") == 1
        assert live_server.verified(lobby).kind == "ok"


def test_realtime_resumes_when_the_seats_are_back(tmp_path):
    with hosted(tmp_path) as live_server:
        lobby, taken = live_server.seated(
            "race", config={"seats": 2, "tick_ms": 20, "length": 100, "max_ticks": 1000}
        )
        one, two = (live_server.seat(seat) for seat in taken)
        two.until("view", turn=3)
        journal = on_disk(live_server, lobby)
    ticks = sum(line.startswith(b'{"k":"advance"') for line in journal.splitlines())
    with after_a_crash(tmp_path, lobby, journal) as live_server:
        watcher = live_server.viewer(lobby)
        assert watcher.expect("start")["turn"] == ticks
        one, two = (live_server.seat(seat) for seat in taken)
        assert one.until("view")["turn"] == ticks
        one.say("commands", commands=[{"action": "walk"}])
        assert one.until("results")["results"] == [{"code": "ok"}]
        two.close()
        live_server.post(f"/lobbies/{lobby}/leave", token=taken[0]["token"])

        assert live_server.over(lobby)["reason"] == "resignation"
        assert live_server.verified(lobby).kind == "ok"


@pytest.mark.parametrize(
    ("game", "config", "first"), [("walk", {}, 0), ("cookoff", {"init_time_ms": 0}, 1)]
)
def test_banks_keep_their_values(tmp_path, game, config, first):
    """Also where a turn opens a line after the one before was closed, as in Cookoff."""
    clock = {"turn_ms": 0, "bank_ms": 20_000, "increment_ms": 1_000, "absence": "plays"}
    with hosted(tmp_path) as live_server:
        lobby, taken = live_server.seated(game, config=config, clock=clock)
        seats = [live_server.seat(one) for one in taken]
        one, other = seats[first], seats[1 - first]
        one.until("view", act=True)
        assert one.silent_for(0.3)
        one.answer(0, end_turn=True)
        assert other.until("view", act=True)["bank_ms"] > 20_900
        other.answer(1, end_turn=True)
        before = one.until("view", act=True)["bank_ms"]
        journal = on_disk(live_server, lobby)
        lines = live_server.journal(lobby)
    charged = [
        line["t"]["charged"] for line in lines if line["k"] == "command" and line["s"] == first
    ]
    bank = 20_000 + 1_000 - charged[-1]
    assert before <= bank  # less by the time between making the view and handing it over
    with after_a_crash(tmp_path, lobby, journal) as live_server:
        seats = [live_server.seat(one) for one in taken]
        assert bank - 50 <= seats[first].until("view", act=True)["bank_ms"] <= bank
        seats[1 - first].close()


def test_a_returning_seat_gets_the_grace_of_the_others(tmp_path):
    with hosted(tmp_path) as live_server:
        lobby, taken = live_server.seated("duel", clock=LONG | {"startup_ms": 5_000})
        for client in [live_server.seat(one) for one in taken]:
            client.until("view")
        journal = on_disk(live_server, lobby)
    with after_a_crash(tmp_path, lobby, journal) as live_server:
        watcher, left = live_server.viewer(lobby), live_server.seat(taken[0])
        for client in (watcher, left):
            assert client.expect("start")["turn"] == 0
            grace = client.expect("event")
            assert (grace["event"], grace["seat"]) == ("resumed", None)
            assert 0 < grace["data"]["within_ms"] <= 5_000
        assert [line["d"] for line in live_server.journal(lobby) if line.get("e") == "resumed"] == [
            {"within_ms": 5_000}
        ]
        live_server.seat(taken[1])
        assert left.until("view", act=True)["turn"] == 0


def test_used_absence_is_not_reset(tmp_path):
    with hosted(tmp_path) as live_server:
        lobby, taken = live_server.seated(
            "duel", clock={"turn_ms": 60_000, "absence": "limited", "absence_ms": 30_000}
        )
        left, right = (live_server.seat(one) for one in taken)
        left.until("view")
        right.vanish()
        assert left.until("event", event="away")["data"] == {"within_ms": 30_000}
        assert left.silent_for(0.2)
        right = live_server.seat(taken[1])
        remains = left.until("event", event="back")["data"]["within_ms"]
        assert 29_000 < remains <= 29_800
        journal = on_disk(live_server, lobby)
    with after_a_crash(tmp_path, lobby, journal) as live_server:
        left, right = (live_server.seat(one) for one in taken)
        left.until("view")
        right.vanish()
        assert left.until("event", event="away")["data"] == {"within_ms": remains}
        live_server.post(f"/lobbies/{lobby}/leave", token=taken[0]["token"])
        assert live_server.over(lobby)["seats"][1]["absences"] == 2


def test_the_counts_of_the_result_are_kept(tmp_path):
    """A timed-out turn counts when it is closed, and not when it begins again."""
    clock = {"turn_ms": 300, "grace_ms": 0, "absence": "plays"}
    with hosted(tmp_path) as live_server:
        lobby, taken = live_server.seated("duel", clock=clock, config={"rounds": 3})
        left, right = (live_server.seat(one) for one in taken)
        left.until("view")
        assert left.answer(0, -1, 3) == ["bad_bid", "ok"]
        left.until("view", turn=1)
        assert left.answer(0, 3) == ["stale_turn"]
        eventually(
            lambda: [
                line
                for line in live_server.journal(lobby)
                if line.get("e") == "timeout" and line["n"] == 1
            ]
        )
        lines = on_disk(live_server, lobby).splitlines(keepends=True)
    seen = max(
        number
        for number, line in enumerate(lines)
        if line.startswith(b'{"k":"event","n":1') and b'"timeout"' in line
    )
    journal = b"".join(lines[: seen + 1])
    with after_a_crash(tmp_path, lobby, journal) as live_server:
        left, right = (live_server.seat(one) for one in taken)
        right.until("view", act=True, turn=1)
        right.answer(1, 3)
        seats = live_server.over(lobby)["seats"]

        assert (seats[0]["rejects"], seats[0]["late"]) == (1, 1)
        assert [seat["timeouts"] for seat in seats] == [2, 2]
        assert live_server.verified(lobby).kind == "ok"


def test_commands_repeated_after_a_crash_are_not_applied_again(tmp_path):
    """A frame without results is sent once more. What was written down of it stands; the rest is
    carried out now."""
    twice = {"turn": 0, "commands": [STEP, {"do": "step", "by": 7}, STEP], "id": "twice"}
    with hosted(tmp_path) as live_server:
        lobby, taken = live_server.seated("walk", clock=LONG)
        red, _ = live_server.seat(taken[0]), live_server.seat(taken[1])
        red.until("view", act=True)
        red.say("commands", turn=0, commands=[STEP], id=1)
        first = red.until("results", id=1)
        red.say("commands", **twice)
        whole = red.until("results", id="twice")
        journal = on_disk(live_server, lobby)
    for kept in (3, 2, 1, 0):
        lines = journal.splitlines(keepends=True)
        lines = lines[: len(lines) - 3 + kept]
        with after_a_crash(tmp_path, lobby, b"".join(lines)) as live_server:
            red, _ = live_server.seat(taken[0]), live_server.seat(taken[1])
            red.until("view", act=True)
            red.say("commands", turn=0, commands=[STEP], id=1)
            assert red.until("results", id=1) == first
            red.say("commands", **twice)
            again = red.until("results", id="twice")["results"]
            assert [one["code"] for one in again] == [one["code"] for one in whole["results"]]
            assert [one.get("changes") for one in again] == [
                one.get("changes") for one in whole["results"]
            ]
            commands = [line for line in live_server.journal(lobby) if line["k"] == "command"]
            assert [line["c"] for line in commands] == [STEP, *twice["commands"]]


def test_a_view_is_recorded_before_it_is_shown(tmp_path):
    """So that no seat has seen a turn that a crash takes back."""
    with hosted(tmp_path) as live_server:
        walk, taken = live_server.seated(
            "duel", clock={"turn_ms": 20, "grace_ms": 0, "absence": "plays"}, config={"rounds": 9}
        )
        race, others = live_server.seated(
            "race", config={"seats": 2, "tick_ms": 5, "max_ticks": 30}
        )
        for lobby, seats in ((walk, taken), (race, others)):
            one, _ = live_server.seat(seats[0]), live_server.seat(seats[1])
            for turn in range(1, 9):
                one.until("view", turn=turn)
                assert live_server.played_again(lobby).turn >= turn


def test_a_match_to_which_no_seat_returns_ends_with_that_reason(tmp_path):
    with hosted(tmp_path) as live_server:
        lobby, _ = live_server.started("duel", clock=LONG | {"startup_ms": 300})
        journal = on_disk(live_server, lobby)
    with after_a_crash(tmp_path, lobby, journal) as live_server:
        outcome = live_server.over(lobby)
        assert (outcome["outcome"], outcome["reason"]) == ("aborted", "interrupted")
        assert live_server.verified(lobby).kind == "ok"
        assert live_server.get(f"/matches/{lobby}").json()["released"]


def test_a_single_seat_that_does_not_return_is_absent_from_then_on(tmp_path):
    with hosted(tmp_path) as live_server:
        lobby, taken = live_server.seated(
            "duel", clock={"turn_ms": 60_000, "startup_ms": 400, "absence": "forfeits"}
        )
        left, right = (live_server.seat(one) for one in taken)
        left.until("view")
        right.until("view")
        journal = on_disk(live_server, lobby)
    with after_a_crash(tmp_path, lobby, journal) as live_server:
        left = live_server.seat(taken[0])

        outcome = left.until("end")["outcome"]
        assert (outcome["reason"], outcome["winner"]) == ("disconnect", 0)


def test_a_resumed_private_match_opens_to_its_owner_only(tmp_path):
    with hosted(tmp_path) as live_server:
        made = live_server.create("duel", private=True, clock=LONG)
        lobby = made["lobby"]
        taken = [live_server.join(lobby, invite=made["invite"]) for _ in range(2)]
        left, right = (live_server.seat(one) for one in taken)
        left.until("view")
        right.until("view")
        journal = on_disk(live_server, lobby)
    with after_a_crash(tmp_path, lobby, journal) as live_server:
        assert live_server.get(f"/lobbies/{lobby}").status_code == 403
        for token in (made["owner_token"], made["invite"], taken[0]["token"]):
            assert live_server.get(f"/lobbies/{lobby}", token).json()["state"] == "running"
        stranger = live_server.socket()
        stranger.say("hello", protocol=1, token=made["owner_token"])
        assert stranger.refused()[1] == "wrong_role"


def test_an_invalid_record_is_left_unchanged(tmp_path):
    with hosted(tmp_path) as live_server:
        lobby, (left, _) = live_server.started("duel", clock=LONG)
        left.expect("view")
        left.answer(0, 3)
        journal = on_disk(live_server, lobby)
    spoilt = journal.replace(b'"c":3', b'"c":4')
    with after_a_crash(tmp_path, lobby, spoilt) as live_server:
        record = live_server.get(f"/matches/{lobby}").json()
        assert (record["outcome"]["outcome"], record["outcome"]["reason"]) == (
            "aborted",
            "interrupted",
        )
        assert not record["released"]
        assert on_disk(live_server, lobby) == spoilt


def test_a_seat_that_was_preparing_at_the_crash_gets_its_time_again(tmp_path):
    clock = LONG | {"preprocessing_ms": 60_000, "late_ready": "forfeits"}
    with hosted(tmp_path, SPEAKING) as live_server:
        lobby, taken = live_server.seated("spoken_for", clock=clock)
        for client in [live_server.seat(one) for one in taken]:
            client.until("start")
        journal = on_disk(live_server, lobby)
    with after_a_crash(tmp_path, lobby, journal, games=SPEAKING) as live_server:
        red, blue = (live_server.seat(one) for one in taken)
        assert red.until("view", act=True)["turn"] == 0
        assert red.answer(0, STEP, end_turn=True) == ["ok"]
        assert blue.until("view", act=True)["turn"] == 1


@pytest.mark.parametrize(
    "change",
    [
        {"seats": []},
        {"seats": [{"name": 3, "kind": "bot", "bot": None, "token": ""}] * 2},
        {"doors": 7},
        {"clock": 3},
        {"clock": {"turn_ms": "long"}},
        {"faults": []},
        {"started": "now"},
        {"lobby": 3},
    ],
)
def test_an_unplayable_record_does_not_stop_the_server(tmp_path, change):
    with hosted(tmp_path) as live_server:
        lobby, (left, _) = live_server.started("duel", clock=LONG)
        left.expect("view")
        header = json.loads(on_disk(live_server, lobby).splitlines()[0])
    text: list[str] = []
    Chain(text.append).line(
        header.pop("k"),
        **({key: value for key, value in header.items() if key != "chain"} | change),
    )
    with after_a_crash(tmp_path, lobby, "".join(text).encode()) as live_server:
        assert live_server.create("duel")["state"] == "open"
        assert live_server.lobby(lobby).get("state") != "running"


def in_format_1(journal: bytes) -> bytes:
    """The same in format 1, in which a seat's info was an event of that name."""
    header, *rest = fields_of(journal.decode())
    old = [
        line
        if line["k"] != "info"
        else {"k": "event", "n": line["n"], "s": line["s"], "e": "info", "d": line["d"]}
        for line in rest
    ]
    return chained([header | {"format": 1}, *old]).encode()


def test_a_match_of_an_older_format_continues_in_that_format(
    tmp_path,
):
    with hosted(tmp_path) as live_server:
        clock = {"turn_ms": 0, "bank_ms": 60_000, "absence": "plays"}
        lobby, taken = live_server.seated("duel", clock=clock, config={"rounds": 2})
        left, right = (live_server.seat(one) for one in taken)
        left.until("view")
        right.until("view")
        left.answer(0, 3)
        for words in ("hello", {"clock": {"charged": 59_000}}, {"within_ms": "x"}):
            left.say("info", data=words)
        left.answer(7, 3)
        journal = in_format_1(on_disk(live_server, lobby))
    assert b'"e":"info"' in journal
    with after_a_crash(tmp_path, lobby, journal) as live_server:
        left, right = (live_server.seat(one) for one in taken)
        right.until("view", act=True)
        right.answer(0, 4)
        assert left.until("view", turn=1)["bank_ms"] > 30_000
        left.say("info", data="and on")
        left.answer(1, 3)
        right.answer(1, 4)

        assert live_server.over(lobby)["reason"] == "rounds"
        assert live_server.verified(lobby).kind == "ok"
        assert [line["d"] for line in live_server.journal(lobby) if line.get("e") == "info"][
            -1
        ] == "and on"
