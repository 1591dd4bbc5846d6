"""The tables of a tournament a page at a time, and what many readers ask for at once."""

from __future__ import annotations

import asyncio

import pytest

from games.contest import verbs
from games.contest.facts import Fact
from games.contest.format import read
from games.contest.tournament import Tournament
from server.offload import Offload
from server.tournaments import pages
from server.tournaments.mirror import Mirror
from server.tournaments.shared_answers import SharedAnswers
from tests.games.contest.events import ends, opened, until


def of_every_page(t, table, limit, search=""):
    """All lines, and the totals that the pages say."""
    rows, totals = [], set()
    while True:
        page = table(t, len(rows), limit, search)
        totals.add(page["total"])
        rows += page["rows"]
        if not page["rows"]:
            return rows, totals


@pytest.mark.parametrize("format_", ["contest", "swiss", "knock-out"])
def test_pages_of_a_table_add_up_to_the_whole(format_):
    t = until(opened(9, format=format_, matches_per_pairing=1), ended=ends(2))

    for table, whole in (
        (pages.standings, [row.entry for row in t.rows]),
        (pages.entrants, [*t.names]),
        (pages.games, [*t.fixtures][::-1]),
        (pages.log, [*range(len(t.facts), 0, -1)]),
    ):
        rows, totals = of_every_page(t, table, 4)
        assert totals == {len(whole)}
        key = {pages.games: "game", pages.log: "number"}.get(table, "entry")
        assert {pages.games: sorted}.get(table, list)([row[key] for row in rows]) == (
            sorted(whole) if table is pages.games else whole
        )


def test_a_search_finds_the_lines_of_the_entrants_with_this_in_their_names():
    t = until(opened(["Zoë", "adazo", "bob"], matches_per_pairing=1), "seeded")

    assert [row["id"] for row in pages.entrants(t, 0, 9, "ZO")["rows"]] == ["Zoë", "adazo"]
    assert {row["id"] for row in pages.standings(t, 0, 9, "zo")["rows"]} == {"Zoë", "adazo"}
    assert all("bob" in row["seats"] for row in pages.games(t, 0, 9, "bob")["rows"])
    assert pages.games(t, 0, 9, "bob")["total"] >= 2
    assert [row["kind"] for row in pages.log(t, 0, 9, "BOB")["rows"]][-1] == "entered"
    assert pages.standings(t, 0, 9, "xyz")["rows"] == []


def test_an_overview_of_a_large_field_has_the_last_rounds_and_no_seed():
    t = until(opened(40, format="knock-out"), ended=ends(1))
    found = pages.overview(t)

    assert [match["match"] for match in found["bracket"]][:2] == ["R1", "R2"]
    assert found["bracket"][-1]["match"] == "F"
    assert "seed" not in str(found["bracket"]).replace("'seed ", "").replace("by_seed", "")
    assert (found["entrants"], found["games"], found["played"]) == (
        40,
        len(t.fixtures),
        len(t.fixtures),
    )
    assert found["placings"][0] == t.names[t.places[0]]


async def test_readers_of_one_state_share_one_answer():
    answers, made = SharedAnswers(), []
    going = asyncio.Event()

    async def make() -> bytes:
        made.append(1)
        await going.wait()
        return b"table"

    readers = [asyncio.ensure_future(answers.get("table", 1, make)) for _ in range(200)]
    await asyncio.sleep(0)
    going.set()

    assert {*await asyncio.gather(*readers)} == {b"table"}
    assert len(made) == 1
    assert await answers.get("table", 1, make) == b"table"
    await answers.get("table", 2, make)
    assert len(made) == 2


async def test_a_fault_reaches_every_reader_and_is_not_kept():
    answers = SharedAnswers()

    async def fails() -> bytes:
        raise OSError("gone")

    async def works() -> bytes:
        return b"here"

    found = await asyncio.gather(
        *(answers.get("table", 1, fails) for _ in range(3)), return_exceptions=True
    )
    assert [type(one) for one in found] == [OSError] * 3
    assert await answers.get("table", 1, works) == b"here"


async def test_the_child_answers_from_the_facts_it_was_sent_and_gets_all_after_its_death():
    t = Tournament(read({"check": False, "format": "swiss", "matches_per_pairing": 1}), 7)
    for number in range(1, 1_203):
        t = t.add(Fact(kind="entered", entry=number, name=f"bot {number}"))
    offload = Offload()
    try:
        mirror = Mirror(offload)
        assert (await mirror.answer("a", t, pages.entrants, 0, 1, ""))["total"] == 1_202
        then = t.add(verbs.close(t))
        found = await mirror.answer("a", then, pages.games, 0, 1, "")
        assert found["total"] == 601
        offload._kill()
        later = then.add(verbs.withdraw(then, 1))
        assert (await mirror.answer("a", later, pages.log, 0, 1, ""))["total"] == 1_204
        assert (await mirror.answer("a", t, pages.log, 0, 1, ""))["total"] == 1_202
    finally:
        await offload.close()
