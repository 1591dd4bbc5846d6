"""A tournament's folder: nothing but what is in it says how far the tournament is.

    tournament.toml   the plan, with every default and its seed
    facts.jsonl       the log (games.contest.facts), a line per fact, written before it takes effect
    bots/             the files that play, as they were when entries closed
    games/            a journal and a replay of every game that was played
    logs/             what bots printed

A program that was killed leaves at most a line that is not whole and records that no fact names;
both are cut off when the folder is opened for writing."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, Final

from client_sdk import private
from client_sdk.bot_files import LOG_OF_FACTS, PLAN_FILE
from client_sdk.console import UserError
from client_sdk.local.tournament import plan as plans
from client_sdk.local.tournament.plan import TournamentPlan
from client_sdk.locks import Taken, lock
from client_sdk.replay import JOURNAL_SUFFIX, REPLAY_SUFFIX
from games.contest import facts
from games.contest.facts import BadFact, Fact
from games.contest.tournament import Fixture, Tournament

PLAN: Final = PLAN_FILE
FACTS: Final = LOG_OF_FACTS
BOTS: Final = "bots"
GAMES: Final = "games"
LOGS: Final = "logs"
LOCK: Final = "lock"


def record(fixture: Fixture) -> str:
    """What the records of an attempt at a game are called: no two have the same name."""
    return f"{fixture.id}_{'v'.join(map(str, fixture.entrants))}_{fixture.attempt}"


def read(folder: Path) -> tuple[TournamentPlan, Tournament]:
    """The tournament as far as its facts are whole. Raises UserError."""
    plan, tournament, _ = _read(folder)
    return plan, tournament


def _read(folder: Path) -> tuple[TournamentPlan, Tournament, int]:
    """And how many bytes of the log are whole."""
    if not (folder / PLAN).is_file():
        raise UserError(f"{folder}: there is no tournament here (no {PLAN})")
    plan = plans.read(folder / PLAN)
    if plan.seed is None:
        raise UserError(f"{folder / PLAN}: seed: expected a whole number, got nothing")
    try:
        log = (folder / FACTS).read_bytes()
    except FileNotFoundError:
        log = b""
    whole = log.rfind(b"\n") + 1
    found: list[Fact] = []
    for number, line in enumerate(log[:whole].splitlines(), start=1):
        try:
            found.append(facts.read(json.loads(line)))
        except (ValueError, BadFact) as fault:
            raise UserError(f"{folder / FACTS}, line {number}: {fault}") from None
    return plan, Tournament(plan.format, plan.seed, tuple(found)), whole


@dataclass(slots=True)
class Folder:
    """An open folder: the one who may write."""

    path: Path
    plan: TournamentPlan
    tournament: Tournament
    _log: IO[bytes]

    def add(self, *facts_: Fact) -> None:
        """Facts become true: they are on the disk when this returns."""
        stamped = [replace(fact, at=moment(time.time())) for fact in facts_]
        self._log.write(
            b"".join(
                json.dumps(facts.to_json(fact), separators=(",", ":")).encode() + b"\n"
                for fact in stamped
            )
        )
        self._log.flush()
        os.fsync(self._log.fileno())
        for fact in stamped:
            self.tournament = self.tournament.add(fact)

    @property
    def games(self) -> Path:
        return self.path / GAMES

    @property
    def logs(self) -> Path:
        return self.path / LOGS


def create(path: Path, plan: TournamentPlan) -> None:
    """A folder for a new tournament. Raises UserError if there is one already."""
    if (path / PLAN).exists():
        raise UserError(
            f"{path}: there is a tournament here already; --resume goes on with it, --out names "
            "another folder"
        )
    private.folder(path)
    plans.write(plan, path / PLAN)


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Folder]:
    """Open a folder for writing, exclusively. Raises UserError."""
    if not (path / PLAN).is_file():
        raise UserError(f"{path}: there is no tournament here (no {PLAN})")
    with _locked(path):
        plan, tournament, whole = _read(path)
        with private.opened(path / FACTS, "ab") as log:
            log.truncate(whole)
            for folder in (GAMES, LOGS):
                private.folder(path / folder)
            _sweep(path / GAMES, tournament)
            yield Folder(path, plan, tournament, log)


def _sweep(games: Path, tournament: Tournament) -> None:
    """Remove the records that no fact names: a process was killed before the game counted."""
    named = {
        fact.about["record"]
        for fact in tournament.facts
        if isinstance(fact.about, dict) and "record" in fact.about
    }
    for file in games.iterdir():
        stem = (
            file.name.removesuffix(".part").removesuffix(JOURNAL_SUFFIX).removesuffix(REPLAY_SUFFIX)
        )
        if stem not in named or file.name.endswith(".part"):
            file.unlink()


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    with private.opened(path / LOCK, "wb") as file:
        try:
            lock(file.fileno())
        except Taken:
            raise UserError(f"{path}: another process is using this tournament") from None
        yield


def moment(at_s: float) -> str:
    """A time since 1970 for the audit: it decides nothing."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at_s))


def about(fact: Fact) -> dict[str, Any]:
    """What a run noted beside a fact."""
    return fact.about if isinstance(fact.about, dict) else {}
