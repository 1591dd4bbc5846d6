"""The loop that has the games of tournaments played when they are due."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

import structlog
from sqlalchemy.exc import SQLAlchemyError

from client_sdk.bots import default_opponent
from games.contest import verbs
from games.contest.format import check_seats, for_seats
from games.contest.result import Entry
from games.contest.tournament import Fixture, Tournament
from server.cluster.leader import Leader
from server.errors import Refusal
from server.lobbies.bots import HouseBots
from server.lobbies.lobbies import Lobbies
from server.lobbies.requests import LobbyRequest
from server.store.tournaments import Behind, EntryPlayer, StoredTournament
from server.tournaments.attempts import Attempts
from server.tournaments.changes import Changes
from server.tournaments.delegated import DelegatedGames
from server.tournaments.matchmaker import Matchmaker, Participant
from server.tournaments.screen import ScreenWait
from server.tournaments.service import TournamentService

LOOK_S = 5.0
"""How often the loop looks at the database: another process may have appended a fact."""
STORE_RETRY_S = 1.0
SCREEN_S = 1.0
"""How often the loop looks whether a game still waits for the big screen."""

_log = structlog.get_logger()


class Scheduler:
    """`delegated`: the games that are played outside of this process."""

    def __init__(
        self,
        lobbies: Lobbies,
        bots: HouseBots,
        leader: Leader,
        matchmaker: Matchmaker,
        service: TournamentService,
        attempts: Attempts,
        delegated: DelegatedGames,
        changes: Changes,
    ) -> None:
        self._lobbies = lobbies
        self._bots = bots
        self._leader = leader
        self._led = False
        self._matchmaker = matchmaker
        self._service = service
        self._attempts = attempts
        self._delegated = delegated
        self._changes = changes
        self._screen = ScreenWait(time.monotonic_ns)
        self._waiting: Counter[tuple[str, ...]] = Counter()
        """Games that the last round found waiting, by game and reason."""
        self._outstanding_s: Mapping[tuple[str, ...], float] = {}
        self._loop: asyncio.Task[None] | None = None
        self._closing = False

    async def open(self) -> None:
        """Take up what was left before a restart. The matches have been resumed already."""
        await self._attempts.settle()
        self._loop = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        """No further game begins; a transaction that has begun ends."""
        self._closing = True
        self._changes.notify()
        if self._loop is not None:
            await self._loop

    @property
    def waiting(self) -> Counter[tuple[str, ...]]:
        """Games that are due and not played, by game and reason: `paused`, `faults` (it broke off,
        and is tried again later), `busy` (a bot plays as many as it may, or the server does),
        `workers` (given to them long ago), `screen` (it has not shown the game before), `called`
        (not all of its bots have come). Of several processes each reports its own `called`, and the
        one that leads all the rest."""
        called: Counter[tuple[str, ...]] = Counter(
            (lobby.game.name, "called") for lobby in self._attempts.lobbies
        )
        return called + self._waiting if self._leader.leads else called

    @property
    def outstanding_s(self) -> Mapping[tuple[str, ...], float]:
        """Seconds of play that workers have to do, by game: of all games that are due, wait for
        them or are played by them. The process that leads knows it."""
        return self._outstanding_s if self._leader.leads else {}

    async def _run(self) -> None:
        while not self._closing:
            try:
                wait_s = await self._round()
            except Behind:
                continue
            except (SQLAlchemyError, OSError) as fault:
                _log.warning("tournaments wait for the database", why=type(fault).__name__)
                wait_s = STORE_RETRY_S
            except Exception:  # noqa: BLE001  the loop goes on
                _log.exception("the loop of the tournaments failed")
                wait_s = LOOK_S
            if not self._closing:
                await self._changes.wait(wait_s)

    async def _round(self) -> float:
        """Look at all tournaments once, or at this process's own games if another one leads.
        Returns how long to wait, s."""
        begun = time.monotonic()
        await self._attempts.settle()
        if not self._leader.leads:
            if self._led:
                self._attempts.hand_over()
                self._led = False
            return LOOK_S
        if not self._led:
            await self._delegated.take_over()
            self._led = True
        await self._delegated.look()
        await self._matchmaker.look_elsewhere()
        soonest, waiting = LOOK_S, Counter[tuple[str, ...]]()
        rows = await self._service.running()
        self._screen.forget([row.id for row in rows])
        for row in rows:
            tournament, players, running = await self._service.under_way(row)
            taken = {(game.fixture, game.seats) for game in running}
            left = [fixture for fixture in tournament.open if fixture.key not in taken]
            waiting[row.game, "workers"] += sum(map(self._delegated.is_late, running))
            if tournament.paused:
                waiting[row.game, "paused"] += len(left)
                continue
            playing, held = {game.fixture for game in running}, len(left)
            left = [one for one in left if self._screen.lets(row, tournament, one, playing)]
            if held := held - len(left):
                soonest = min(soonest, SCREEN_S)
                waiting[row.game, "screen"] += held
            here, away = list[Fixture](), list[Fixture]()
            for fixture in left:
                (away if self._delegated.plays(fixture, players) else here).append(fixture)
            for reason, count in (await self._delegated.give(row, away, players, running)).items():
                waiting[row.game, reason] += count
            for number, fixture in enumerate(here):
                if self._closing:
                    return 0
                if (delay := self._attempts.results.delay_s(row.id, fixture.id)) > 0:
                    soonest = min(soonest, delay)
                    waiting[row.game, "faults"] += 1
                elif fixture.stage != "check" and self._matchmaker.is_full:
                    waiting[row.game, "busy"] += len(here) - number
                    break
                elif (why := await self._begin(row, tournament, fixture, players)) is not None:
                    waiting[row.game, why] += 1
        self._waiting = waiting
        self._outstanding_s = self._delegated.outstanding_s
        return min(soonest, self._delegated.wait_s(LOOK_S, time.monotonic() - begun))

    # --- one game

    async def _begin(
        self,
        row: StoredTournament,
        tournament: Tournament,
        fixture: Fixture,
        players: Mapping[Entry, EntryPlayer],
    ) -> str | None:
        """Take a game and have it played. Returns the reason if it has to wait."""
        bots = self._bots.names(row.game)
        called = [_participant(tournament, players[entry]) for entry in fixture.entrants]
        if fixture.stage == "check":
            entry = fixture.entrants[0]
            if called[0].bot is not None or players[entry].submitted is not None or not bots:
                why = "there is no house bot to play with"
                if called[0].bot is not None:
                    why = "a house bot"
                elif players[entry].submitted is not None:
                    why = "its version was checked when it was handed in"
                passed = partial(verbs.check, entry=entry, ok=True, why=why)
                await self._service.decide(row.id, passed, None)
                return None
            seats = check_seats(self._lobbies.game(row.game), row.config, tournament.format)
            usual = default_opponent(bots)
            called += [Participant(f"house {usual}", bot=usual)] * (seats - 1)
        match = self._lobbies.new_id()
        if not self._matchmaker.book(match, called):
            return "busy"
        try:
            return await self._begin_booked(match, row, tournament, fixture, called)
        finally:
            self._matchmaker.release(match)

    async def _begin_booked(
        self,
        match: str,
        row: StoredTournament,
        tournament: Tournament,
        fixture: Fixture,
        called: Sequence[Participant],
    ) -> str | None:
        """Take a game that is booked, and begin it. Returns the reason if it has to wait."""
        taken = await self._attempts.take_here(row, fixture, match)
        if taken is None:
            return None
        request = LobbyRequest(
            game=row.game,
            name=f"{row.name[:50]}: {fixture.id}",
            config=for_seats(self._lobbies.game(row.game), row.config, len(called)),
            map=row.map,
            map_text=row.map_text,
            seed=fixture.seed,
            private=not tournament.format.public(fixture.stage),
            clock=row.clock,
            spectator_delay=tournament.format.delay(fixture.stage),
        )
        about = {"tournament": row.id, "fixture": fixture.id}
        try:
            await self._matchmaker.start(match, request, about)
        except Refusal as no:
            _log.warning("a game cannot begin", tournament=row.id, game=fixture.id, why=str(no))
            await self._attempts.drop(taken)
            return "faults"
        return None


def _participant(tournament: Tournament, player: EntryPlayer) -> Participant:
    name = tournament.names[player.entry]
    return Participant(name, player.bot, player.account, player.concurrency)
