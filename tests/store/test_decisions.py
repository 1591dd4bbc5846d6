"""Several processes decide at the same moment: each decides on what there is when it counts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from games import GAMES
from server.errors import Refusal
from server.store import challenges as stored
from server.store import ladders, submissions, teams, tournaments
from server.store.accounts import Account, Accounts, hold
from server.store.challenges import Challenge, ChallengeRule
from server.store.store import Store
from server.store.tables import challenges as table
from server.tournaments import service
from server.tournaments.cache import TournamentCache
from server.tournaments.challenges import Challenges
from server.tournaments.entries import with_version
from server.tournaments.plan import TournamentRequest
from server.tournaments.rating_fits import RatingFit
from tests.store.test_submissions import versions_of

PYRAT = GAMES["pyrat"]


async def meanwhile(
    store: Store,
    decided: Callable[[AsyncConnection], Awaitable[Any]],
    then: Coroutine[Any, Any, Any],
) -> Any:
    """What `then` gives or raises, which begins between a decision and its commit."""
    async with store.write() as db:
        await decided(db)
        late = asyncio.create_task(then)
        await asyncio.wait([late], timeout=0.1)
    (answer,) = await asyncio.gather(late, return_exceptions=True)
    return answer


def code(answer: Any) -> str:
    assert isinstance(answer, Refusal), answer
    return answer.code


async def one(*_: Any) -> RatingFit:
    return RatingFit(0, {})


@pytest.fixture
def desk(store: Store) -> Challenges:
    bots, webhook = SimpleNamespace(names=lambda game: ()), SimpleNamespace(post=lambda *a, **k: 0)
    ratings: Any = SimpleNamespace(standing=one)
    return Challenges(store, bots, ratings, ("pyrat",), webhook)  # type: ignore[arg-type]


@pytest.fixture
async def climbing(store: Store) -> list[Account]:
    """Two whose bots are on a ladder."""
    made = [(await Accounts(store).create(name, "bot"))[0] for name in ("Ada", "Bob")]
    async with store.write() as db:
        for account in made:
            await ladders.join(db, "pyrat", account, 1)
    return made


async def test_a_bot_of_a_mate_who_leaves_the_team_is_not_entered(store: Store):
    (version,) = await versions_of(store, 1)
    mate, _, _ = await Accounts(store).create("mate", "bot")
    async with store.write() as db:
        await submissions.change(db, version.id, {"state": "active"})
        for account in ("author", mate.id):
            await teams.join(db, "red", account)

    async def enter() -> Any:
        async with store.write() as db:
            return await with_version(db, "pyrat", "mine", mate.id)

    answer = await meanwhile(store, lambda db: teams.leave(db, "author"), enter())

    assert code(answer) == "no_active_version"


async def test_a_challenge_to_a_bot_that_leaves_its_ladder_is_refused(
    store: Store, desk: Challenges, climbing: list[Account]
):
    sent = desk.send(PYRAT, climbing[0], "Bob", None)
    answer = await meanwhile(store, lambda db: ladders.leave(db, "pyrat", climbing[1].id), sent)

    assert code(answer) == "no_such_opponent"


async def test_who_accepts_no_more_challenges_refuses_the_one_that_is_sent_at_that_moment(
    store: Store, desk: Challenges, climbing: list[Account]
):
    ada, bob = (account.id for account in climbing)
    sent = Challenge(
        id="c1",
        game="pyrat",
        challenger=ada,
        challenged=bob,
        bot=None,
        rated=True,
        state="open",
        created_ms=1,
    )

    async def send(db: AsyncConnection) -> None:
        await hold(db, [ada, bob])
        await stored.add(db, sent)

    rule = ChallengeRule(accepts="never")
    await meanwhile(store, send, desk.set_rule("pyrat", climbing[1], rule))

    async with store.read() as db:
        assert (await db.execute(select(table.c.state))).scalar_one() == "refused"


async def test_the_same_list_of_accounts_is_imported_once(store: Store):
    wanted = [teams.Member("Ada", "red"), teams.Member("Bob", None)]
    there = await asyncio.gather(
        *(teams.create_all(store, wanted, lambda keys: None) for _ in range(4))
    )

    assert sorted(there) == [0, 2, 2, 2]


def contests(store: Store) -> service.TournamentService:
    async def answer(work: Callable[..., Any], *arguments: Any) -> Any:
        return work(*arguments)

    bots, changes = SimpleNamespace(check_names=lambda *a: None), SimpleNamespace(notify=lambda: 0)
    parts: Any = bots, TournamentCache(), changes, SimpleNamespace(answer=answer), None
    return service.TournamentService(store, *parts)


async def test_tournaments_that_are_made_at_the_same_time_are_limited(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(service, "RUNNING", 2)
    request = TournamentRequest(name="Spring", game=PYRAT, config={"preset": "tiny"})
    made = (contests(store).create(request, [], None, "Ada") for _ in range(6))
    answers = await asyncio.gather(*made, return_exceptions=True)

    assert [code(a) for a in answers if not isinstance(a, str)] == ["too_many_tournaments"] * 4


async def test_the_reports_of_two_screens_both_count(store: Store):
    request = TournamentRequest(name="Spring", game=PYRAT, config={"preset": "tiny"})
    id_ = await contests(store).create(request, [], None, "Ada")

    async def report(shown: str) -> None:
        async with store.write() as db:
            await tournaments.report_screen(db, id_, shown, 1)

    await asyncio.gather(*map(report, ("a", "b", "c", "d")))

    async with store.read() as db:
        row = await tournaments.get(db, id_)
    assert row is not None
    assert {*(row.screened or ())} == {"a", "b", "c", "d"}
