"""Play a tournament's games, as many at a time as there are processes, until nothing is due."""

from __future__ import annotations

import contextlib
import secrets
import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from client_sdk.bot_files import copied, copy_files
from client_sdk.bots import HOUSE, default_opponent
from client_sdk.console import UserError
from client_sdk.local import games
from client_sdk.local.games import Task, TaskResult
from client_sdk.local.players import PlayerSpec
from client_sdk.local.pool import Pool
from client_sdk.local.tournament import entries
from client_sdk.local.tournament.folder import BOTS, Folder, record
from games.contest import faults, verbs
from games.contest.facts import Fact
from games.contest.format import check_seats, for_seats
from games.contest.log import Entrant
from games.contest.result import result_of
from games.contest.tournament import Fixture, Tournament
from games.contest.verbs import Refused

PATIENCE: Final = 8
"""The run is given up after a game has broken off this often, none of its bots being at fault."""

ShowTournament = Callable[[Tournament, int], object]
"""Called with the tournament whenever games have ended, and with how many this run has played."""


@dataclass(slots=True)
class Summary:
    """What one run did."""

    games: int = 0
    seconds: float = 0.0
    faults: dict[str, str] = field(default_factory=dict)
    """Why a game was not played, by its id: the last time."""


def enter(folder: Folder) -> None:
    """Every bot of the plan enters, and entries close: once. House bots need no check.

    A bot's files are copied: what its author changes from now on plays in the next contest.
    """
    for entry, bot in enumerate(folder.plan.bots, start=1):
        if entry not in folder.tournament.names:
            folder.add(verbs.enter(folder.tournament, bot.label, _copied(folder, entry, bot)))
    if folder.tournament.state == "entries_open":
        folder.add(verbs.close(folder.tournament, about={"salt": secrets.token_hex(16)}))
    for fixture in folder.tournament.due:
        if fixture.stage == "check" and folder.plan.bots[fixture.entrants[0] - 1].kind == "house":
            folder.add(verbs.check(folder.tournament, fixture.entrants[0], True, "a house bot"))


def _copied(folder: Folder, entry: int, bot: PlayerSpec) -> dict[str, str] | None:
    """The copy of a bot's files as the log has it: of a file that file, of a command the folder
    where it starts."""
    if bot.kind == "house":
        return None
    to, home, own = folder.path / BOTS / str(entry), Path(bot.home), [*map(Path, bot.own)]
    to.mkdir(mode=0o700, parents=True, exist_ok=True)
    if bot.kind == "file":
        return {
            "file": copied(home / Path(bot.spec).name, to, own).relative_to(folder.path).as_posix()
        }
    copy_files(home, to / "files", own)
    (to / "files" / "tmp").mkdir(mode=0o700, exist_ok=True)
    return {"folder": (to / "files").relative_to(folder.path).as_posix()}


def run(folder: Folder, jobs: int, shown: ShowTournament, trusted: Collection[str] = ()) -> Summary:
    """Play until nothing is due; what was played before is not played again. `trusted`: the names
    of bots that play without a sandbox. Raises UserError."""
    bots = [replace(bot, trusted=bot.label in trusted) for bot in folder.plan.bots]
    enter(folder)
    summary = Summary()
    begun = time.monotonic()
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(games.server_for(bots))
        players = Players(folder, server, bots)
        pool = stack.enter_context(Pool(jobs))
        flying: dict[Future[TaskResult], Fixture] = {}
        broke_off: Counter[str] = Counter()
        shown(folder.tournament, 0)
        while True:
            taken = {fixture.id for fixture in flying.values()}
            for fixture in folder.tournament.due:
                if fixture.id in taken:
                    continue
                if len(flying) >= jobs:
                    break
                flying[pool.submit(players.task(fixture))] = fixture
            if not flying:
                break
            ended, _ = wait(flying, return_when=FIRST_COMPLETED)
            for future in ended:
                fixture = flying.pop(future)
                done = pool.result(future)
                broken = done.outcome is None and not done.absent
                if not (broken and fixture.stage == "check"):
                    folder.add(_fact(folder.tournament, fixture, done))
                if fixture.stage != "check":
                    summary.games += done.outcome is not None
                    if done.outcome is None:
                        summary.faults[fixture.id] = done.why
                if broken:
                    broke_off[fixture.id] += 1
                    if broke_off[fixture.id] == PATIENCE:
                        raise UserError(
                            f"{fixture.id} broke off {PATIENCE} times; --resume tries "
                            f"again\n{done.why.rstrip()}"
                        )
            summary.seconds = time.monotonic() - begun
            shown(folder.tournament, summary.games)
    return summary


def _fact(tournament: Tournament, fixture: Fixture, done: TaskResult) -> Fact:
    if fixture.stage == "check":
        why = games.passed(done, 0)
        return verbs.check(tournament, fixture.entrants[0], why is None, why or "")
    if done.absent:
        return verbs.forfeit(
            tournament, fixture.id, [fixture.entrants[seat] for seat in done.absent], why=done.why
        )
    result = (
        None if done.outcome is None else result_of(done.outcome, tournament.format.forfeit_score)
    )
    if done.outcome is None:
        return verbs.report(tournament, fixture.id, None, fixture.attempt, {"why": done.why})
    about = {
        "record": record(fixture),
        "reason": done.outcome["reason"],
        "turns": done.turns,
        "seconds": round(done.seconds, 3),
        **faults.noted(done.counts),
    }
    return verbs.report(tournament, fixture.id, result, fixture.attempt, about)


class Players:
    """Makes tasks of fixtures."""

    def __init__(
        self,
        folder: Folder,
        server: tuple[str, Path] | None,
        bots: Sequence[PlayerSpec] | None = None,
    ) -> None:
        """`bots`: those of the plan, with whether they are trusted."""
        self._folder = folder
        self._plays = folder.plan.bots if bots is None else bots
        self._server = server
        self._map_text = folder.plan.map_text
        self._bots = {one.entry: self._bot(one) for one in folder.tournament.entrants}

    def _bot(self, one: Entrant) -> PlayerSpec:
        """A bot as it plays: of a file, the copy; a command that is trusted plays where it is."""
        bot = self._plays[one.entry - 1]
        if bot.kind == "file":
            file = self._folder.path / one.about["file"]
            return replace(bot, spec=str(file), home=str(file.parent), own=(str(file.parent),))
        if bot.is_program and not bot.trusted:
            return replace(
                bot, spec=entries.moved(bot), home=str(self._folder.path / one.about["folder"])
            )
        return bot

    def task(self, fixture: Fixture) -> Task:
        plan = self._folder.plan
        players = [self._bots[entry] for entry in fixture.entrants]
        if fixture.stage == "check":
            players += [self._opponent(players[0])] * (
                check_seats(plan.game, plan.config, plan.format) - 1
            )
        return Task(
            record=record(fixture),
            game=plan.game.name,
            config=for_seats(plan.game, plan.config, len(players)),
            map_text=self._map_text,
            seed=fixture.seed,
            players=tuple(players),
            limit_s=None if plan.turn_ms is None else plan.turn_ms / 1000,
            games=None if fixture.stage == "check" else self._folder.games,
            logs=self._folder.logs,
            limits=plan.limits,
            server=self._server if any(player.connects for player in players) else None,
        )

    def _opponent(self, bot: PlayerSpec) -> PlayerSpec:
        """The game's usual house bot; where it has none, the bot meets itself."""
        names = HOUSE.get(self._folder.plan.game.name)
        if not names:
            return bot
        name = default_opponent(names)
        return PlayerSpec(f"house {name}", name, "house")


def organise(folder: Folder, verb: Callable[[Tournament], Fact]) -> None:
    """One thing that the organiser decides. Raises UserError."""
    try:
        folder.add(verb(folder.tournament))
    except Refused as no:
        raise UserError(f"{no.why} ({no.code})") from None
