"""What a contest costs without its games: null games (null_games.py) through the server, PostgreSQL
and procrastinate.

    python -m benchmarks.contest results [--games 5000] [--workers 2]
    python -m benchmarks.contest leader [--workers 2000] [--seconds 60] [--game-seconds 30]
    python -m benchmarks.contest kills [--games 5000] [--workers 3] [--every 3]
    each with [--database URL] [--json-file FILE]

`results`: results per second from the first one to the last, by workers with one job each, and the
CPU time of each process. Bar: 300 a second.

`leader`: pretended workers, some processes of which each plays hundreds of games at a time; a game
takes a worker 30 s. CPU of the server, which leads, in percent of a core, once all workers have a
game. Bar: 20.

`kills`: at random moments a worker, the server, or one of their database sessions is killed, and
started again. Each game has to count once, and no game that a worker has begun may take longer than
10 s to its result, or to the moment when another worker begins it.

A schema is made in the database and dropped. The exit status is 1 if a bar is missed."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, create_engine, func, select, text

from benchmarks.seats import SEED
from benchmarks.workers import address, schema
from client_sdk.rest import RestClient
from server.store.store import known_url
from server.store.tables import facts, matches, pairings

RESULTS_PER_SECOND = 300
LEADER_PERCENT = 20
WAIT_S = 10
BOTS = 10
PAIRS = BOTS * (BOTS - 1) // 2
LOOK_S = 0.2
PROCESSES = 4
"""Among which pretended workers are divided."""
PATIENCE_S = 600
PLAYS: dict[str, Any] = {
    "game": "pyrat",
    "config": {"preset": "tiny", "max_turns": 1},
    "bots": [{"house": "greedy", "name": f"bot {number}"} for number in range(BOTS)],
    "seed": SEED,
}
TICKS = os.sysconf("SC_CLK_TCK")


class Contest:
    """A server with a tournament of null games, and its workers: processes on one database."""

    def __init__(self, url: str, folder: str, stack: ExitStack, name: str) -> None:
        self.url = url
        self.name = name
        self._folder = folder
        self._environment = os.environ | {
            "BOTARENA_DATABASE_URL": url,
            "BOTARENA_HOUSE_GAMES": "workers",
            "BOTARENA_DATA_DIR": f"{folder}/data",
            "BOTARENA_PORT": "0",
        }
        self._stack = stack
        self.workers: list[subprocess.Popen[str]] = []
        self.server = self._started("client_sdk.cli", "serve", "--log-level", "warning")
        self.address = address(self.server)
        self.engine = create_engine(known_url(url))
        stack.callback(self.engine.dispose)

    def _started(self, *words: str) -> subprocess.Popen[str]:
        with Path(self._folder, "log").open("a") as log:
            made = subprocess.Popen(
                [sys.executable, "-m", *words],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=self._environment,
            )
        self._stack.callback(made.wait)
        self._stack.callback(made.terminate)
        return made

    def begin(self, games: int) -> int:
        """A round robin of about this many games. Returns how many there are."""
        key = subprocess.run(
            [
                sys.executable,
                "-m",
                "client_sdk.cli",
                "account",
                "create",
                "b",
                "--kind",
                "organiser",
            ],
            env=self._environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        each = max(1, round(games / PAIRS))
        format_ = {"format": "round-robin", "matches_per_pairing": each, "check": False}
        with RestClient(self.address, key=key) as rest:
            id_ = rest.create_tournament("bench", **PLAYS, format=format_)["tournament"]
            rest.lead(id_, "start")
        return each * PAIRS

    def worker(self, *options: str) -> None:
        self.workers.append(self._started("benchmarks.null_games", *options))

    def restart_server(self) -> None:
        self.server.kill()
        self.server.wait()
        self.server = self._started("client_sdk.cli", "serve", "--log-level", "warning")

    def over(self, db: Connection) -> int:
        count = select(func.count()).where(pairings.c.state == "over")
        return db.execute(count).scalar_one()

    def until(self, done: Callable[[Connection], bool], each: Callable[[], object]) -> None:
        """Wait, and call `each` meanwhile. Exits if it takes too long."""
        end = time.monotonic() + PATIENCE_S
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
            while not done(db):
                if time.monotonic() > end:
                    raise SystemExit(f"not done after {PATIENCE_S} s, see the log:\n{self.log()}")
                each()
                time.sleep(LOOK_S)

    def log(self) -> str:
        return Path(self._folder, "log").read_text()[-4000:]


@contextlib.contextmanager
def contest(database: str) -> Iterator[Contest]:
    with tempfile.TemporaryDirectory() as folder, schema(database) as url, ExitStack() as stack:
        name = f"bench-{os.getpid()}"
        yield Contest(f"{url}&application_name={name}", folder, stack, name)


def cpu_s(pid: int) -> float:
    """CPU time of a process, seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


# --- results --------------------------------------------------------------------------------------


def results(database: str, games: int, workers: int) -> tuple[dict[str, Any], bool]:
    with contest(database) as running:
        for _ in range(workers):
            running.worker()
        count = running.begin(games)
        running.until(lambda db: running.over(db) == count, lambda: None)
        with running.engine.connect() as db:
            ended = func.min(pairings.c.ended_ms), func.max(pairings.c.ended_ms)
            first, last = db.execute(select(*ended)).one()
        spent = {"server": cpu_s(running.server.pid)}
        spent |= {f"worker {at}": cpu_s(one.pid) for at, one in enumerate(running.workers, 1)}
    rate = count / ((last - first) / 1000)
    print(f"{count} null games by {workers} workers: {rate:.0f} results a second")
    for name, seconds in spent.items():
        print(f"  {name}: {seconds:.1f} s of CPU, {seconds / count * 1000:.2f} ms a game")
    figures = {"games": count, "per_second": rate, "cpu_s": spent}
    return figures, rate >= RESULTS_PER_SECOND


# --- leader ---------------------------------------------------------------------------------------


def leader(
    database: str, workers: int, seconds: float, game_s: float
) -> tuple[dict[str, Any], bool]:
    with contest(database) as running:
        begun = time.monotonic()
        for _ in range(PROCESSES):
            each = str(workers // PROCESSES)
            running.worker("--jobs", each, "--seconds", str(game_s))
        running.begin(min(19_900, round(workers * (2 + seconds / game_s) + workers)))
        busy = text("select count(*) from procrastinate_jobs where status = 'doing'")
        most = 0

        def all_busy(db: Connection) -> bool:
            nonlocal most
            most = max(most, db.execute(busy).scalar_one())
            return most >= workers // PROCESSES * PROCESSES * 0.95

        running.until(all_busy, lambda: None)
        ramp_s = time.monotonic() - begun
        before, since = cpu_s(running.server.pid), time.monotonic()
        with running.engine.connect() as db:
            had = running.over(db)
        time.sleep(seconds)
        took = time.monotonic() - since
        percent = (cpu_s(running.server.pid) - before) / took * 100
        with running.engine.connect() as db:
            rate = (running.over(db) - had) / took
        for one in (*running.workers, running.server):
            one.kill()
    print(
        f"{workers} pretended workers, games of {game_s:.0f} s: all had one after {ramp_s:.0f} s; "
        f"{rate:.0f} results a second; the leader takes {percent:.1f} % of a core"
    )
    figures = {"workers": workers, "per_second": rate, "percent": percent, "ramp_s": ramp_s}
    return figures, percent <= LEADER_PERCENT


# --- kills ----------------------------------------------------------------------------------------

PHASES = text(
    """select p.id, j.status::text as status, concat(j.job, ' ', j.attempts) as try_
    from pairings p left join
    (select jsonb_array_elements_text(args -> 'ids') as id, id as job, status, attempts
     from procrastinate_jobs where status in ('todo', 'doing')) j on j.id = p.id
    where p.state = 'running'"""
)
"""The games that are taken: whether their batch waits, is played or is lost, and which try it is of
the batch."""


class Waits:
    """How long a game takes from the moment when a worker begins its batch, or when it is lost, to
    its result or to the moment when another worker begins it."""

    def __init__(self) -> None:
        self.longest_s = 0.0
        self._since: dict[str, tuple[str, float]] = {}

    def look(self, db: Connection) -> None:
        now = time.monotonic()
        rows = {row.id: row for row in db.execute(PHASES)}
        for id_, row in rows.items():
            if row.status == "todo" or self._since.get(id_, ("", now))[0] == row.try_:
                continue
            self._over(id_, now)
            self._since[id_] = row.try_, now
        for id_ in self._since.keys() - rows.keys():
            self._over(id_, now)

    def _over(self, id_: str, now: float) -> None:
        _, since = self._since.pop(id_, ("", now))
        self.longest_s = max(self.longest_s, now - since)


def kills(database: str, games: int, workers: int, every_s: float) -> tuple[dict[str, Any], bool]:
    chance = random.Random(SEED)
    with contest(database) as running:
        options = ("--seconds", "0.01")
        for _ in range(workers):
            running.worker(*options)
        count = running.begin(games)
        killed: Counter[str] = Counter()
        waits, next_kill = Waits(), time.monotonic() + every_s

        def kill(db: Connection) -> None:
            what = chance.choice(("worker", "worker", "session", "session", "server"))
            killed[what] += 1
            if what == "worker":
                victim = running.workers.pop(chance.randrange(len(running.workers)))
                victim.kill()
                victim.wait()
                running.worker(*options)
            elif what == "server":
                running.restart_server()
            else:
                ours = {"name": running.name}
                mine = "application_name = :name and pid <> pg_backend_pid()"
                found = db.execute(
                    text(f"select pid from pg_stat_activity where {mine}"), ours
                ).scalars()
                if sessions := sorted(found):
                    kill = {"pid": chance.choice(sessions)}
                    db.execute(text("select pg_terminate_backend(:pid)"), kill)

        def look(db: Connection) -> bool:
            nonlocal next_kill
            waits.look(db)
            if running.over(db) == count:
                return True
            if time.monotonic() >= next_kill:
                kill(db)
                next_kill = time.monotonic() + chance.uniform(0.5, 1.5) * every_s
            return False

        running.until(look, lambda: None)
        with running.engine.connect() as db:
            ended = Counter(
                db.execute(select(pairings.c.fixture).where(pairings.c.state == "over")).scalars()
            )
            said = Counter(
                fact["game"]
                for fact in db.execute(select(facts.c.fact)).scalars()
                if fact.get("result") is not None
            )
            stored = db.execute(select(func.count()).select_from(matches)).scalar_one()
    once = set(ended.values()) == set(said.values()) == {1}
    once = once and len(said) == len(ended) == stored == count
    shown = ", ".join(f"{number} x {what}" for what, number in sorted(killed.items()))
    print(f"{count} null games by {workers} workers; killed: {shown or 'nothing'}")
    print(f"  each counted once: {'yes' if once else 'NO'} ({stored} matches, {len(said)} results)")
    print(
        "  the longest from a worker's begin of a batch to its result or to the next worker: "
        f"{waits.longest_s:.1f} s"
    )
    figures = {"games": count, "killed": dict(killed), "once": once, "longest_s": waits.longest_s}
    return figures, once and waits.longest_s <= WAIT_S and bool(killed)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("results", "leader", "kills"))
    parser.add_argument(
        "--database",
        default=os.environ.get(
            "BOTARENA_TEST_POSTGRES_URL", "postgresql://postgres@127.0.0.1:5432/test"
        ),
    )
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--seconds", type=float, default=60, help="of `leader`")
    parser.add_argument("--game-seconds", type=float, default=30, help="of `leader`")
    parser.add_argument("--every", type=float, default=3, help="seconds between kills")
    parser.add_argument("--json-file", type=Path, help="also write the figures here")
    asked = parser.parse_args()
    if asked.what == "results":
        figures, met = results(asked.database, asked.games, asked.workers or 2)
    elif asked.what == "leader":
        figures, met = leader(
            asked.database, asked.workers or 2000, asked.seconds, asked.game_seconds
        )
    else:
        figures, met = kills(asked.database, asked.games, asked.workers or 3, asked.every)
    if asked.json_file:
        asked.json_file.write_text(json.dumps(figures | {"met": met}, indent=2) + "\n")
    print("the bar is met" if met else "the bar is MISSED")
    raise SystemExit(0 if met else 1)


if __name__ == "__main__":
    main()
