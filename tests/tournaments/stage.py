"""A server with an organiser, on which tournaments are played by bots in threads of the test's own
process."""

from __future__ import annotations

import contextlib
import itertools
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from client_sdk.bot import house as house_bot
from client_sdk.errors import ConnectionLost, ServerRefused
from client_sdk.live import play
from games.contest import facts
from games.contest import format as formats
from games.contest.tournament import Tournament
from server.tournaments.ladder import Ladder
from tests.accounts.people import Person, person
from tests.server.live_server import LiveServer, eventually, hosted

SHORT: Mapping[str, Any] = {"game": "pyrat", "config": {"preset": "tiny", "max_turns": 4}}
"""Games that are over at once."""


class Threaded:
    """A house bot's process, as a thread."""

    pids = itertools.count(1)

    def __init__(self, command: Sequence[str], *, url: str, token: str, game: str) -> None:
        self.pid = next(self.pids)
        self.thread = threading.Thread(
            target=played, args=(game, command[-1], url, token), daemon=True
        )
        self.thread.start()

    def end(self) -> None:
        """Its match is over."""


def played(game: str, bot: str, url: str, token: str) -> None:
    with contextlib.suppress(ConnectionLost, ServerRefused):
        play(house_bot(game, bot), url, token)


@dataclass
class Guest:
    """A remote bot: an account, and a client that plays the games to which it is invited."""

    stage: Stage
    name: str
    person: Person
    concurrency: int = 1
    after: int = 0
    seen: list[dict[str, Any]] = field(default_factory=list)
    playing: list[threading.Thread] = field(default_factory=list)
    most: int = 0
    """Games that it played at a time, at most."""
    stopped: threading.Event = field(default_factory=threading.Event)

    def enter(self, tournament: str) -> dict[str, Any]:
        body = {"name": self.name, "concurrency": self.concurrency}
        return self.stage.done(f"/tournaments/{tournament}/entrants", body, self.person.key, 201)

    def asked(self, wait_s: float = 0) -> list[dict[str, Any]]:
        """New invitations."""
        query = f"?after={self.after}&wait_s={wait_s}"
        found: list[dict[str, Any]] = self.stage.live_server.get(
            f"/bots/me/invitations{query}", self.person.key
        ).json()
        self.after = max([self.after, *(one["number"] for one in found)])
        self.seen += found
        return found

    def plays(self, bot: str = "greedy") -> None:
        """Play every game until the stage is left."""

        def plays() -> None:
            while not self.stopped.is_set():
                for one in self.asked(wait_s=0.2):
                    thread = threading.Thread(
                        target=played,
                        args=(one["game"], bot, one["url"], one["token"]),
                        daemon=True,
                    )
                    thread.start()
                    self.playing = [*(other for other in self.playing if other.is_alive()), thread]
                    self.most = max(self.most, len(self.playing))

        caller = threading.Thread(target=plays)
        caller.start()
        self.stage.leave.callback(caller.join)
        self.stage.leave.callback(self.stopped.set)


@dataclass
class Stage:
    live_server: LiveServer
    organiser: Person
    leave: contextlib.ExitStack

    def done(
        self, path: str, body: Any = None, key: str | None = None, status: int = 200
    ) -> dict[str, Any]:
        """The answer to an accepted request; an organiser's, unless another key is given."""
        answer = self.live_server.post(path, body or {}, key or self.organiser.key)
        assert answer.status_code == status, answer.text
        return answer.json()

    def refused(
        self, path: str, body: Any = None, key: str | None = None
    ) -> tuple[int, str, str | None]:
        """Status, code and field of a refusal."""
        answer = self.live_server.post(path, body or {}, key or self.organiser.key)
        assert answer.is_error, answer.text
        return answer.status_code, answer.json()["code"], answer.json()["field"]

    def made(self, *bots: str, **options: Any) -> str:
        """A tournament with house bots, called `greedy`, `greedy 2` …"""
        named = [
            {"house": bot, "name": f"{bot} {number}"} for number, bot in enumerate(bots, start=1)
        ]
        whole = {"name": "Spring", "format": {}} | SHORT | {"bots": named} | options
        return self.done("/tournaments", whole, status=201)["tournament"]

    def led(self, tournament: str, verb: str, **fields: Any) -> dict[str, Any]:
        return self.done(f"/tournaments/{tournament}/{verb}", fields)

    def get(self, tournament: str) -> dict[str, Any]:
        return self.live_server.get(f"/tournaments/{tournament}").json()

    def until(self, tournament: str, state: str) -> dict[str, Any]:
        """The tournament, once it is in this state."""
        return eventually(lambda: now if (now := self.get(tournament))["state"] == state else None)

    def guest(self, name: str, **about: Any) -> Guest:
        return Guest(self, name, person(self.live_server.data, "bot", name), **about)


LOOKS: Counter[Ladder] = Counter()
"""How often each ladder has searched for players."""


def counted(
    look: Callable[[Ladder, Any], Awaitable[None]],
) -> Callable[[Ladder, Any], Awaitable[None]]:
    async def looks(ladder: Ladder, game: Any) -> None:
        await look(ladder, game)
        LOOKS[ladder] += 1

    return looks


def rounds(stage: Stage, count: int = 10) -> None:
    """Wait until the ladder has searched for players this number of times."""
    end = LOOKS[stage.live_server.arena.tournaments.ladder] + count
    eventually(lambda: LOOKS[stage.live_server.arena.tournaments.ladder] >= end)


def rebuilt(published: Mapping[str, Any]) -> Tournament:
    """The tournament that follows from a server's published log."""
    extra = ("number", "void", "at_ms", "account")
    log = tuple(
        facts.read({key: value for key, value in line.items() if key not in extra})
        for line in published["log"]
    )
    return Tournament(formats.read(published["parameters"]), published["seed"] or 0, log)


@contextlib.contextmanager
def staged(data: Path, monkeypatch: pytest.MonkeyPatch, **settings: Any) -> Iterator[Stage]:
    monkeypatch.setattr("server.lobbies.bots.BotProcess", Threaded)
    with hosted(data, **settings) as live_server, contextlib.ExitStack() as leave:
        yield Stage(live_server, person(data, "organiser", "ann"), leave)
