"""A server in a thread of the test's own process, so that it can host the throw-in games, and its
clients."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import httpx
import structlog
import uvicorn
import websockets.sync.client as ws
from websockets.exceptions import ConnectionClosed

from games import GAMES
from games.core.contract import AnyGame
from games.core.journal import lines
from games.core.match import Match
from games.core.rerun import Rerun, Verdict, verify
from server import watch
from server.app.arena import Arena, create_app
from server.cli import ArenaServer
from server.net.listening import listening
from server.settings import Settings
from server.store.store import FILE
from tests import waiting
from tests.conformance import Conforming
from tests.core.throw_in import THROW_IN
from tests.forked_process import fork_children
from tests.stores import tables_in

T = TypeVar("T")
PATIENCE_S = 20.0
"""Much longer than anything takes, and shorter than the limits of the server that would end it."""

watch.HELD_UP_MS = 600_000
"""A busy machine is no reason not to be ready; the test of that reason says when it is one."""

PLAYED: Mapping[str, AnyGame] = dict(GAMES) | dict(THROW_IN)


def eventually(found: Callable[[], T | bool | None], within_s: float = PATIENCE_S) -> T:
    """`waiting.eventually` with the patience for a server in this process."""
    return waiting.eventually(found, within_s)


class Quiet(ArenaServer):
    """Prints nothing on stdout."""

    async def startup(self, sockets: Any = None) -> None:
        self.loop = asyncio.get_running_loop()
        await uvicorn.Server.startup(self, sockets)


@dataclass
class LiveServer:
    url: str
    data: Path
    arena: Arena
    http: httpx.Client
    games: Mapping[str, AnyGame]
    sockets: contextlib.ExitStack
    """Closed when the test is over."""
    loop: asyncio.AbstractEventLoop
    """The server's own."""

    def get(self, path: str, token: str | None = None) -> httpx.Response:
        return self.http.get(f"/api/v1{path}", headers=bearer(token))

    def post(
        self, path: str, body: Any = None, token: str | None = None, **headers: str
    ) -> httpx.Response:
        return self.http.post(f"/api/v1{path}", json=body, headers=bearer(token) | headers)

    def create(self, game: str = "duel", **options: Any) -> dict[str, Any]:
        response = self.post("/lobbies", {"game": game} | options)
        assert response.status_code == 201, response.text
        return response.json()

    def join(self, lobby: str, name: str = "someone", **who: Any) -> dict[str, Any]:
        response = self.post(f"/lobbies/{lobby}/join", {"name": name} | who)
        assert response.status_code == 201, response.text
        return response.json()

    def lobby(self, id_: str) -> dict[str, Any]:
        return self.get(f"/lobbies/{id_}").json()

    def over(self, id_: str) -> dict[str, Any]:
        """The outcome, once there is one."""
        return eventually(lambda: self.lobby(id_)["outcome"])

    def socket(self, role: str = "play", **options: Any) -> SocketClient:
        url = f"ws{self.url.removeprefix('http')}/ws/{role}"
        connecting = ws.connect(
            url, compression=None, proxy=None, max_size=None, close_timeout=1, **options
        )
        return SocketClient(self.sockets.enter_context(connecting))

    def seat(self, taken: dict[str, Any], **hello: Any) -> SocketClient:
        """A seat's connection after its hello."""
        client = self.socket()
        client.say("hello", protocol=1, token=taken["token"], **hello)
        client.expect("hello")
        return client

    def viewer(self, id_: str, **hello: Any) -> SocketClient:
        client = self.socket("watch")
        client.say("hello", protocol=1, match=id_, **hello)
        client.expect("hello")
        return client

    def seated(self, game: str = "duel", **options: Any) -> tuple[str, list[dict[str, Any]]]:
        """A lobby with all seats taken."""
        made = self.create(game, **options)
        return made["lobby"], [
            self.join(made["lobby"], f"player {seat['seat']}") for seat in made["seats"]
        ]

    def started(self, game: str = "duel", **options: Any) -> tuple[str, list[SocketClient]]:
        """A match whose seats have all got the start message."""
        lobby, taken = self.seated(game, **options)
        clients = [self.seat(one) for one in taken]
        for client in clients:
            client.expect("start")
        return lobby, clients

    def journal(self, id_: str) -> list[dict[str, Any]]:
        """The lines of a match's journal as they are on the disk now."""
        return [json.loads(line) for line in self.journal_text(id_).splitlines()]

    def journal_text(self, id_: str) -> str:
        return (self.data / "matches" / f"{id_}.journal.jsonl").read_text()

    def played_again(self, id_: str) -> Match:
        """A match as its journal leads to it now."""
        rerun = Rerun(self.games)
        for line in lines(self.journal_text(id_)):
            rerun.take(line)
        assert rerun.match is not None
        return rerun.match

    def row(self, id_: str) -> dict[str, Any]:
        """What the database says of a match that is over, once it says so."""
        query = "select * from matches where id = ? and state = 'over'"
        with contextlib.closing(sqlite3.connect(self.data / FILE)) as database:
            database.row_factory = sqlite3.Row
            return dict(eventually(lambda: database.execute(query, [id_]).fetchone()))

    def verified(self, id_: str) -> Verdict:
        """What `verify` says of a match that is over."""
        self.over(id_)
        return verify(self.journal_text(id_), self.games)


@dataclass
class SocketClient:
    """One websocket of a client. Heartbeats and stalls are left out."""

    socket: ws.Connection
    viewed: bool = False
    """It has got a view."""

    def say(self, type_: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"type": type_} | fields))

    def answer(self, turn: int | None, *commands: Any, **fields: Any) -> list[str]:
        """Send commands as a bot does, which has got a view before; the codes of their results."""
        if not self.viewed:
            self.until("view")
        return self.answer_unasked(turn, *commands, **fields)

    def answer_unasked(self, turn: int | None, *commands: Any, **fields: Any) -> list[str]:
        """Send commands now; the codes of their results."""
        self.say("commands", turn=turn, commands=list(commands), **fields)
        return [result["code"] for result in self.until("results")["results"]]

    def raw(self, frame: str | bytes, times: int = 1) -> None:
        """Send what is no message, perhaps many of it, as long as the server listens."""
        with contextlib.suppress(ConnectionClosed):
            for _ in range(times):
                self.socket.send(frame)

    def next(self, timeout: float = PATIENCE_S) -> dict[str, Any]:
        while True:
            message = json.loads(self.socket.recv(timeout))
            self.viewed |= message["type"] == "view"
            if message["type"] != "ping" and message.get("event") != "stall":
                return message

    def expect(self, *types: str) -> dict[str, Any]:
        """The next message, which has to be of one of these types."""
        message = self.next()
        assert message["type"] in types, f"expected {' or '.join(types)}, got {message}"
        return message

    def until(self, *types: str, **fields: Any) -> dict[str, Any]:
        """The next message of one of these types with these fields; others are passed over."""
        while True:
            message = self.next()
            if message["type"] in types and all(
                message.get(name) == value for name, value in fields.items()
            ):
                return message

    def rest(self) -> list[dict[str, Any]]:
        """Everything until the server closes."""
        heard = []
        with contextlib.suppress(ConnectionClosed):
            while True:
                heard.append(self.next())
        return heard

    @property
    def close_code(self) -> int | None:
        return self.socket.protocol.close_code

    def refused(self) -> tuple[int | None, str, bool]:
        """How the server closes: status, the error's code, and whether coming back can help."""
        last = [message for message in self.rest() if message["type"] == "error"][-1]
        return self.close_code, last["code"], last["retry"]

    def silent_for(self, seconds: float) -> bool:
        """Whether nothing is received for this time."""
        try:
            self.next(seconds)
        except TimeoutError:
            return True
        return False

    def vanish(self) -> None:
        """Disconnect without a close frame."""
        self.socket.socket.close()
        self.socket.close()

    def close(self) -> None:
        self.socket.close()


def bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}


@contextlib.contextmanager
def hosted(
    data: Path,
    games: Mapping[str, AnyGame] = PLAYED,
    catalogue: Any = None,
    *,
    resumed: bool = True,
    **settings: Any,
) -> Iterator[LiveServer]:
    """A server for as long as the context lasts. Its log stays out of what other tests of this
    process capture. `resumed`: all matches that an earlier server left are resumed when this is
    entered."""
    structlog.configure(
        # without the values of local variables: to print a match took longer than tests wait
        processors=[
            structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR),
        logger_factory=structlog.WriteLoggerFactory(sys.__stderr__),
    )
    chosen = Settings(
        data_dir=data,
        **({"port": 0, "drain_ms": 0, "empty_lobbies": 0, "recovery_ms": 500} | settings),
    )
    fork_children()
    if chosen.database_url is None:
        tables_in(data)
    listener = listening("127.0.0.1", chosen.port, chosen.send_buffer)
    port = listener.getsockname()[1]
    arena = create_app(chosen.model_copy(update={"port": port}), games, catalogue)
    server = Quiet(arena)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        eventually(lambda: server.started)
        if resumed:
            eventually(lambda: "resuming" not in arena.process.health.problems)
        url = f"http://127.0.0.1:{port}"
        with (
            httpx.Client(
                base_url=url, timeout=PATIENCE_S, trust_env=False, transport=Conforming()
            ) as http,
            contextlib.ExitStack() as sockets,
        ):
            yield LiveServer(url, data, arena, http, games, sockets, server.loop)
    finally:
        server.should_exit = True
        thread.join(PATIENCE_S)
        listener.close()
        assert not thread.is_alive(), "the server does not end"
