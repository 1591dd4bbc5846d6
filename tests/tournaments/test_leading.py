"""What organisers and entrants do over REST. Nothing is played here: the organiser sets every
result."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from games.contest import as_json
from games.core import maps
from games.core.journal import commitment
from tests.tournaments.stage import SHORT, Stage, rebuilt, staged

TABLE = {"format": "round-robin", "matches_per_pairing": 1, "check": False}


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with (
        pytest.MonkeyPatch.context() as monkeypatch,
        staged(
            tmp_path_factory.mktemp("leading"),
            monkeypatch,
            games_at_once=0,
            sign_ups_per_minute=100,
        ) as stage,
    ):
        yield stage


def override(stage: Stage, id_: str, **winners: int) -> None:
    """The organiser sets the winning seat of these games."""
    for game, winner in winners.items():
        placement = [2, 2]
        placement[winner] = 1
        stage.done(
            f"/tournaments/{id_}/games/{game.replace('_', '-')}/override",
            {"placement": placement, "why": "seen"},
        )


def ranked(stage: Stage, id_: str) -> list[str]:
    return [row["id"] for row in stage.get(id_)["standings"] if row["rank"]]


def test_a_file_creates_the_same_tournament_as_the_equal_request(stage):
    toml = """
        name = "Spring"
        game = "pyrat"
        seed = 7
        config = {preset = "tiny", max_turns = 4}
        clock = {turn_ms = 500}
        [format]
        format = "swiss"
        [limits]
        memory_mb = 100
        [[bots]]
        house = "greedy"
        name = "G"
    """
    bots = [{"house": "greedy", "name": "G"}]
    asked = {
        "name": "Spring",
        "seed": 7,
        "clock": {"turn_ms": 500},
        "format": {"format": "swiss"},
        "bots": bots,
    }

    one = stage.done("/tournaments/toml", {"toml": toml}, status=201)
    other = stage.done("/tournaments", SHORT | asked, status=201)

    own = ("tournament", "created_ms", "commitment", "log")
    assert {key: value for key, value in one.items() if key not in own} == {
        key: value for key, value in other.items() if key not in own
    }
    assert one["parameters"]["format"] == "swiss"
    assert [entrant["id"] for entrant in one["entrants"]] == ["G"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"game": "chess"}, (404, "unknown_game", "game")),
        ({"config": {"max_turns": "many"}}, (422, "bad_max_turns", "config.max_turns")),
        ({"format": {"best_of": 2}}, (422, "bad_format", "format.best_of")),
        ({"format": {"colour": 1}}, (422, "unknown_option", "format.colour")),
        ({"clock": {"lunch_ms": 1}}, (422, "unknown_limit", "clock.lunch_ms")),
        ({"bots": [{"house": "unknown"}]}, (404, "unknown_bot", "bots")),
        ({"bots": [{"house": "greedy"}, {"house": "greedy"}]}, (409, "name_taken", None)),
        ({"bots": [{"file": "mybot.py"}]}, (422, "missing", "bots.0.house")),
        ({"map": "nowhere"}, (404, "unknown_map", "map")),
        ({"seed": -1}, (422, "bad_seed", "seed")),
        ({"name": " "}, (422, "bad_name", "name")),
    ],
)
def test_an_impossible_tournament_is_refused_with_the_field(stage, fields, expected):
    before = stage.live_server.get("/tournaments").json()

    assert stage.refused("/tournaments", {"name": "Spring"} | SHORT | fields) == expected
    assert stage.live_server.get("/tournaments").json() == before


def test_names_of_entrants_are_visible_and_distinct(stage):
    id_ = stage.made(format=TABLE)
    for name in ("\u3164", "\u2800", "Ada\u200b"):
        assert stage.refused("/tournaments", {"name": name} | SHORT) == (422, "bad_name", "name")
        assert stage.refused(f"/tournaments/{id_}/entrants", {"name": name, "bot": "greedy"}) == (
            422,
            "bad_name",
            "name",
        )
        bots = [{"house": "greedy", "name": name}]
        assert stage.refused("/tournaments", {"name": "x", "bots": bots} | SHORT) == (
            422,
            "bad_name",
            "name",
        )
    stage.done(f"/tournaments/{id_}/entrants", {"name": "Zo\xeb L", "bot": "greedy"}, status=201)
    for name in (" Zo\xeb L", "Zo\xeb L\u3000", "Zoe\u0308 L", "Zo\xeb  L", "\uff3ao\xeb L"):
        assert stage.refused(f"/tournaments/{id_}/entrants", {"name": name, "bot": "greedy"})[
            :2
        ] == (409, "name_taken")
    stage.done(f"/tournaments/{id_}/withdraw", {"entrant": "Zoe\u0308 L"})


def test_a_plan_and_a_map_can_begin_with_a_byte_order_mark(stage):
    text = maps.text("pyrat", "learning")
    plan = f"name = 'x'\ngame = 'pyrat'\nmap_text = {json.dumps(chr(0xFEFF) + text)}"
    made = stage.done("/tournaments/toml", {"toml": "\ufeff" + plan}, status=201)

    assert made["name"] == "x"


def test_a_file_that_is_not_toml_is_refused(stage):
    for text in (
        "name =",
        "name = 1979-05-27",
        f"seed = {'1' * 5_000}",
        f"config = {'[' * 5_000}",
        f"config{'.a' * 5_000} = 1",
    ):
        refused = stage.refused("/tournaments/toml", {"toml": text})
        assert refused == (422, "bad_toml", "toml"), text[:20]
    assert stage.refused("/tournaments/toml", {"toml": 'name = "x"'}) == (422, "missing", "game")


@pytest.mark.parametrize("padding", [0, 70_000])
def test_a_tournament_that_is_nested_too_deep_is_refused(stage, padding):
    """Too deep for a record, and too deep to be sent to another process."""
    for depth in (40, 450, 900):
        nested: object = 1
        for _ in range(depth):
            nested = [nested]
        fields = {"name": "x", "config": {"max_turns": nested}, "map_text": " " * padding}
        assert stage.refused("/tournaments", SHORT | fields) == (400, "malformed", None)
        toml = (
            f"name = 'x'\ngame = 'pyrat'\nmap_text='{' ' * padding}'\n[config]\na{'.a' * depth}=1"
        )
        assert stage.refused("/tournaments/toml", {"toml": toml})[0] in (400, 422)


def test_a_file_that_is_slow_to_read_holds_up_no_other_request(stage):
    """Each key below a long header takes as long as that has parts."""
    slow = f"[config{'.a' * 3_000}]\n" + "".join(f"b{n} = 1\n" for n in range(600))
    answers = 0
    with ThreadPoolExecutor(1) as aside:
        refused = aside.submit(stage.refused, "/tournaments/toml", {"toml": slow})
        while not refused.done():
            stage.live_server.get("/lobbies")
            answers += 1
    assert refused.result()[:2] == (422, "bad_toml")
    assert answers > 10


def test_a_contest_of_too_many_games_does_not_start(stage):
    id_ = stage.made(*["greedy"] * 11, format=TABLE | {"matches_per_pairing": 1000})

    assert stage.refused(f"/tournaments/{id_}/start") == (
        422,
        "too_many_games",
        "format.matches_per_pairing",
    )
    assert stage.get(id_)["state"] == "entries_open"


def test_an_account_enters_once_and_not_after_the_start(stage):
    id_, guest, late = stage.made("greedy", format=TABLE), stage.guest("Ada"), stage.guest("Bob")

    entered = guest.enter(id_)
    assert (entered["entry"], entered["account"]) == (2, guest.person.id)
    assert stage.refused(f"/tournaments/{id_}/entrants", {"name": "again"}, guest.person.key)[
        :2
    ] == (409, "entered_already")
    assert stage.refused(f"/tournaments/{id_}/entrants", {"name": "Ada"}, late.person.key)[:2] == (
        409,
        "name_taken",
    )
    assert stage.refused(f"/tournaments/{id_}/entrants", {"bot": "greedy"}, late.person.key)[
        :2
    ] == (403, "forbidden")
    stage.led(id_, "start")
    assert stage.refused(f"/tournaments/{id_}/entrants", {}, late.person.key)[:2] == (
        409,
        "entries_closed",
    )
    assert [one["id"] for one in stage.get(id_)["entrants"]] == ["greedy 1", "Ada"]


def test_a_bot_can_withdraw_only_itself(stage):
    id_, guest = stage.made("greedy", "random", format=TABLE), stage.guest("Ada")
    guest.enter(id_)
    stage.led(id_, "start")

    assert stage.refused(f"/tournaments/{id_}/withdraw", {"entrant": 1}, guest.person.key)[:2] == (
        403,
        "forbidden",
    )
    stage.done(f"/tournaments/{id_}/withdraw", {"entrant": "Ada", "why": "ill"}, guest.person.key)

    fact = stage.get(id_)["log"][-1]
    assert (fact["kind"], fact["by"], fact["why"], fact["account"]) == (
        "withdrawn",
        "Ada",
        "ill",
        guest.person.id,
    )


def test_every_fact_has_its_account_and_time(stage):
    id_ = stage.made("greedy", format=TABLE)
    stage.led(id_, "start", why="it is nine")

    fact = stage.get(id_)["log"][-1]

    assert (fact["number"], fact["kind"], fact["by"], fact["why"]) == (
        2,
        "closed",
        "ann",
        "it is nine",
    )
    assert fact["account"] == stage.organiser.id
    assert abs(fact["at_ms"] - stage.get(id_)["created_ms"]) < 60_000


def test_an_override_counts_until_it_is_undone(stage):
    id_ = stage.made("greedy", "greedy", "greedy", format=TABLE)
    stage.led(id_, "start")
    override(stage, id_, rr_1=0, rr_2=0)
    before = stage.get(id_)
    number = len(before["log"]) + 1

    override(stage, id_, rr_3=1)
    assert stage.get(id_)["state"] == "finished"
    stage.led(id_, "undo", fact=number, why="misread")

    after = stage.get(id_)
    assert (after["state"], after["standings"]) == (before["state"], before["standings"])
    assert [line["void"] for line in after["log"][-2:]] == [True, False]


def test_undoing_a_first_round_gives_the_bracket_of_the_other_result(stage):
    knock_out = {"format": "knock-out", "best_of_final": 1, "check": False}
    bots = ["greedy"] * 4
    one, other = (stage.made(*bots, format=knock_out, seed=3) for _ in range(2))
    for id_ in (one, other):
        stage.led(id_, "start")
    override(stage, one, SF1_1=0, SF2_1=0, F_1=1)
    stage.led(one, "undo", fact=6)
    override(stage, one, SF1_1=1)
    override(stage, other, SF2_1=0, SF1_1=1)

    assert stage.get(one)["bracket"] == stage.get(other)["bracket"]


def test_everything_published_follows_from_the_published_log(stage):
    id_ = stage.made("greedy", "greedy", "greedy", format=TABLE)
    stage.led(id_, "start")
    override(stage, id_, rr_2=1)
    stage.led(id_, "disqualify", entrant="greedy 3")
    shown = stage.get(id_)

    follows = as_json.tournament(rebuilt(shown))

    for key in ("state", "provisional", "standings", "crosstable", "seeds", "placings", "open"):
        assert shown[key] == follows[key], key


def test_a_paused_tournament_continues_when_resumed_but_not_when_cancelled(stage):
    id_ = stage.made("greedy", "greedy", format=TABLE)
    stage.led(id_, "start")

    assert stage.led(id_, "pause")["paused"]
    assert stage.refused(f"/tournaments/{id_}/pause")[:2] == (409, "not_running")
    assert not stage.led(id_, "resume")["paused"]
    assert stage.led(id_, "cancel")["state"] == "cancelled"
    assert stage.refused(f"/tournaments/{id_}/resume")[:2] == (409, "not_paused")
    assert stage.refused(f"/tournaments/{id_}/games/rr-1/override", {"placement": [1, 2]})[:2] == (
        409,
        "no_such_game",
    )


@pytest.mark.parametrize(
    ("result", "field"),
    [
        ({"placement": [1]}, "placement"),
        ({"placement": [3, 1]}, "placement"),
        ({"placement": [1, 2], "both_lost": True}, "placement"),
        ({"placement": [1, 2], "score": [1]}, "placement"),
    ],
)
def test_no_game_ends_with_an_impossible_result(stage, result, field):
    id_ = stage.made("greedy", "greedy", format=TABLE)
    stage.led(id_, "start")

    assert stage.refused(f"/tournaments/{id_}/games/rr-1/override", result) == (
        422,
        "bad_result",
        field,
    )
    assert len(stage.get(id_)["log"]) == 3


def test_the_seed_is_published_after_the_end_and_matches_its_commitment(stage):
    id_ = stage.made(
        "greedy",
        "greedy",
        "greedy",
        "greedy",
        format=TABLE | {"format": "contest", "bracket_size": 2, "best_of_final": 1},
    )
    stage.led(id_, "start")
    override(stage, id_, **{f"rr_{number}": 0 for number in range(1, 7)})
    now = stage.get(id_)
    assert seeds_in(now) == [None]

    override(stage, id_, F_1=0)

    over = stage.get(id_)
    assert over["commitment"] == now["commitment"] == commitment(over["seed"], over["salt"])


def seeds_in(known: Any) -> list[Any]:
    """Everything that is called a seed, however deep."""
    if isinstance(known, dict):
        return [value for key, value in known.items() if key == "seed"] + [
            one for value in known.values() for one in seeds_in(value)
        ]
    return [one for value in known for one in seeds_in(value)] if isinstance(known, list) else []


def test_the_table_is_available_as_csv_and_the_page_as_html(stage):
    id_ = stage.made("greedy", "random", format=TABLE, name="Spring <1>")
    stage.led(id_, "start")
    override(stage, id_, rr_1=1)

    table = stage.live_server.get(f"/tournaments/{id_}/standings.csv")
    page = stage.live_server.get(f"/tournaments/{id_}/page")

    assert table.text.splitlines()[1].startswith("1,random 2,2,active,1,1,")
    assert page.headers["content-type"].startswith("text/html")
    assert "<h1>Spring &lt;1&gt;</h1>" in page.text


def test_no_cell_of_the_table_is_a_formula_and_numbers_stay_numbers(stage):
    names = ["=1+1", "+1", "-1", "@SUM(A1)", "\uff1d1", "a=1"]
    bots = [{"house": "greedy", "name": name} for name in names]
    id_ = stage.done(
        "/tournaments", SHORT | {"name": "Spring", "format": TABLE, "bots": bots}, status=201
    )["tournament"]
    stage.led(id_, "start")
    lost = {"placement": [1, 2], "score": [1, -2.5]}
    stage.led(id_, "games/rr-1/override", **lost)

    table = stage.live_server.get(f"/tournaments/{id_}/standings.csv").text
    rows = list(csv.DictReader(io.StringIO(table.removeprefix("\ufeff"))))

    assert {row["id"] for row in rows} == {"'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\uff1d1", "a=1"}
    assert "-2.5" in {row["score_for"] for row in rows}


def test_pages_of_the_list_follow_one_another(stage):
    made = [stage.made("greedy") for _ in range(3)]

    first = stage.live_server.get("/tournaments?limit=2").json()
    then = stage.live_server.get(f"/tournaments?limit=1&before={first[-1]['tournament']}").json()

    assert [one["tournament"] for one in first + then] == made[::-1]


def test_organisers_actions_are_in_their_log(stage):
    id_ = stage.made("greedy", "greedy", format=TABLE)
    stage.led(id_, "start")
    stage.led(id_, "withdraw", entrant=1)

    done = stage.live_server.get("/admin/actions?limit=3", stage.organiser.key).json()

    verbs = ("tournament_withdraw", "tournament_start", "tournament_create")
    assert [(one["verb"], one["target"]) for one in done] == [(verb, id_) for verb in verbs]
    assert done[0]["details"] == {"entrant": 1}
