"""Which node has which lobby, kept in the database, with a sign of life of each node.

A server without a name (`BOTARENA_NODE`) is alone: then nothing of this is written or asked.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Collection, Coroutine, Sequence
from hashlib import sha256
from typing import Any

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from server.matches.archive import named
from server.matches.record import wall_ms
from server.matches.room import Room
from server.settings import Settings
from server.store import nodes
from server.store.matches import NOWHERE
from server.store.nodes import Node, Place
from server.store.store import Store, StoreProblem
from server.tokens import new_id

Json = Any
Row = dict[str, Json]

BEAT_MS = 2_000
"""A sign of life this often."""
NEW_BEAT_MS = 250
NEW_S = 5.0
"""More often at first: processes that start together know each other soon."""
DEAD_MS = 10_000
"""Without one for so long a node is gone."""
CALLS = "calls"
"""What the node is chosen for that calls bots to games."""
WRITE_MS = 50
"""What changed is written together, this often at most."""

_log = structlog.get_logger()


class Directory:
    def __init__(self, store: Store, settings: Settings, url: str, lost: Callable[[str], None]) -> None:
        """`url`: where the other nodes reach this one. `lost` is called with the id of a match that was ours and that another
        node has taken up."""
        self.name = settings.node or ""
        self.data = ""
        self._store = store
        self._settings = settings
        self._url = url
        self._secret = secrets.token_urlsafe(32)
        self._life = new_id()
        """Stands in the row of each lobby that is ours, so that whoever was held up sees what others have claimed meanwhile."""
        self._named = False
        """Nobody else goes by our name."""
        self._beaten_ms = 0
        self._living: dict[str, Node] = {}
        self._here: dict[str, Callable[[], Row]] = {}
        """What this node has, as it is written."""
        self._changed: set[str] = set()
        self._gone: set[str] = set()
        self._lost = lost
        self._wake = asyncio.Event()
        self._writing = asyncio.Lock()

    @property
    def alone(self) -> bool:
        return not self.name

    @property
    def others(self) -> list[Node]:
        """The living ones, as known since the last sign of life, by name."""
        return [node for name, node in self._living.items() if name != self.name]

    # --- life

    @property
    def chores(self) -> Sequence[Callable[[], Coroutine[Any, Any, None]]]:
        """What is done again and again as long as the server lives."""
        return () if self.alone else (self.live, self.write)

    async def open(self) -> None:
        """Arrive. Raises OSError, SQLAlchemyError, StoreProblem if another one goes by our name."""
        self.data = await asyncio.to_thread(named, self._settings.data_dir)
        if self.alone:
            await self._clean_up()
            return
        async with self._store.write() as db:
            await nodes.depart(db, self.name, self.data)
            await nodes.sweep(db, wall_ms() - DEAD_MS)
        await self._arrive()
        await self._look_around()

    async def close(self) -> None:
        if not self.alone:
            async with self._store.write() as db:
                await nodes.depart(db, self.name, self.data)

    async def live(self) -> None:
        """Signs of life, again and again, and a look at who else gives some."""
        begun = time.monotonic()
        while not self.alone:
            new = time.monotonic() - begun < NEW_S
            await asyncio.sleep((NEW_BEAT_MS if new else BEAT_MS) / 1000)
            try:
                await self.beat()
            except StoreProblem as fault:
                _log.error("this node has lost its name", why=str(fault))
            except Exception as fault:  # noqa: BLE001  it is tried again
                _log.warning("no sign of life can be given", why=type(fault).__name__)

    async def beat(self) -> None:
        """A sign of life, and what has come of us in the eyes of others: whoever was held up has this done at once when it wakes.
        Raises SQLAlchemyError, StoreProblem."""
        at = wall_ms()
        async with self._store.write() as db:
            self._named = await nodes.beat(db, self.name, self._secret, at)
            await nodes.sweep(db, at - DEAD_MS)
            lost = await nodes.lost(db, [id_ for id_, row in self._here.items() if row()["state"] == "running"], self._life)
        self._lose(lost)
        forgotten = not self._named or at - self._beaten_ms > DEAD_MS
        if not self._named:
            await self._arrive()
        self._beaten_ms = at
        if forgotten:  # we counted as gone: what is still ours is told anew
            self._changed.update(self._here)
            self._wake.set()
        await self._look_around()

    def _lose(self, ids: Collection[str]) -> None:
        for id_ in ids:
            _log.warning("another process has taken up this match", match=id_)
            self._here.pop(id_, None)
            self._lost(id_)

    async def write(self) -> None:
        """What changed, again and again."""
        while not self.alone:
            await self._wake.wait()
            try:
                await self._write()
            except Exception as fault:  # noqa: BLE001  it is tried again
                _log.warning("the directory cannot be written", why=type(fault).__name__)
                self._wake.set()
            await asyncio.sleep(WRITE_MS / 1000)

    async def _clean_up(self) -> None:
        """What was written when this server was not alone."""
        async with self._store.read() as db:
            if not await nodes.any_there(db):
                return
        async with self._store.write() as db:
            await db.run_sync(nodes.nobody_writes, self.data)
            await nodes.sweep(db, wall_ms() - DEAD_MS)

    async def _arrive(self) -> None:
        at = wall_ms()
        me = Node(name=self.name, data=self.data, url=self._url, secret=self._secret, started_ms=at, beat_ms=at)
        async with self._store.write() as db:
            if not await nodes.arrive(db, me, at - DEAD_MS):
                raise StoreProblem(f"another server goes by the name {self.name!r}: BOTARENA_NODE has to differ")
        self._named, self._beaten_ms = True, at

    async def _look_around(self) -> None:
        async with self._store.read() as db:
            self._living = {node.name: node for node in await nodes.living(db, wall_ms() - DEAD_MS)}

    # --- what is here

    async def told(self, room: Room) -> None:
        """Everybody knows of this lobby when this returns. Raises SQLAlchemyError."""
        if not self.alone:
            self._note(room)
            await self._write()

    def changed(self, room: Room) -> None:
        """Everybody will know in a moment."""
        if not self.alone:
            self._note(room)
            self._wake.set()

    def _note(self, room: Room) -> None:
        self._here[room.id] = lambda: self._row(room)
        self._changed.add(room.id)

    def gone(self, id_: str) -> None:
        """This lobby cannot be looked at any more."""
        if not self.alone:
            self._here.pop(id_, None)
            self._gone.add(id_)
            self._wake.set()

    async def reserve(self, seed: int) -> str:
        """Everybody knows of a game that will be played here with this seed, until what comes back is `gone`. Raises
        SQLAlchemyError."""
        row = self._bare(new_id(), "open") | {"seed": seed, "locked": True}
        if not self.alone:
            async with self._store.write() as db:
                await nodes.put(db, [row])
            self._here[row["id"]] = lambda: row
        return str(row["id"])

    def _bare(self, id_: str, state: str) -> Row:
        """A lobby of which nobody has to know more."""
        return {
            "id": id_,
            "node": self.name,
            "life": self._life,
            "game": "",
            "name": None,
            "private": True,
            "locked": False,
            "state": state,
            "free": 0,
            "seed": -1,
            "created_ms": wall_ms(),
        }

    async def _write(self) -> None:
        async with self._writing:
            self._wake.clear()
            if not self._named or not (self._changed or self._gone):
                return
            changed, gone = self._changed, self._gone
            self._changed, self._gone = set(), set()
            try:
                async with self._store.write() as db:
                    lost = await nodes.put(db, [self._here[id_]() for id_ in changed if id_ in self._here])
                    if gone:
                        await nodes.drop(db, gone, self._life)
            except BaseException:
                self._changed |= changed
                self._gone |= gone
                raise
            self._lose(lost)

    def _row(self, room: Room) -> Row:
        setup = room.setup
        return self._bare(room.id, room.state) | {
            "game": room.game.name,
            "name": setup.name,
            "private": setup.private,
            "locked": room.access.locked,
            "free": len(room.free),
            "seed": setup.seed,
            "created_ms": room.created_ms,
        }

    # --- who has what

    async def elsewhere(self) -> set[str]:
        """The lobbies that other living nodes have."""
        if not self.others:
            return set()
        async with self._store.read() as db:
            return await nodes.held(db, [node.name for node in self.others])

    async def playing_elsewhere(self) -> list[tuple[str, str]]:
        """Each seat that an account has in a running match of another living node: match and account. Raises SQLAlchemyError."""
        if not self.others:
            return []
        async with self._store.read() as db:
            return await nodes.playing(db, [node.name for node in self.others])

    async def claim(self, match: str, *, own: bool = False) -> bool:
        """Take up a match that is running in its journal here, whose journal we hold; False: somebody else has it. `own`: not
        what another node left either."""
        if self.alone:
            return True
        async with self._store.write() as db:
            alive = None if own else [node.name for node in await nodes.living(db, wall_ms() - DEAD_MS)]
            return await nodes.claim(db, self._bare(match, "running"), alive)

    async def holds(self, db: AsyncConnection, match: str) -> bool:
        """Whether no other node has taken up this match, which was played here."""
        return self.alone or not await nodes.lost(db, [match], self._life)

    async def place(self, lobby: str, game: str | None = None) -> Place | None:
        async with self._store.read() as db:
            return await nodes.place(db, lobby, game)

    async def node_of(self, lobby: str) -> Node | None:
        """Another living node that has this lobby. Raises SQLAlchemyError."""
        place = None if self.alone else await self.place(lobby)
        return None if place is None or place.node == self.name else await self.host(place.node)

    async def host(self, name: str) -> Node | None:
        """A living node, also one that has come since we looked."""
        if name not in self._living:
            await self._look_around()
        return self._living.get(name)

    async def keeps(self, match: str) -> bool:
        """Whether this match's files, if there are any, are in this data directory or in the database."""
        async with self._store.read() as db:
            return await nodes.data_of(db, match) in (None, NOWHERE, self.data)

    async def keeper(self, match: str) -> Node | None:
        """Another living node whose data directory has this match's files."""
        async with self._store.read() as db:
            data = await nodes.data_of(db, match)
        return next((node for node in self.others if node.data == data), None)

    async def open_ones(self, game: str) -> list[tuple[str, Node]]:
        """Lobbies of other living nodes that anybody may join, oldest first."""
        if not self.others:
            return []
        async with self._store.read() as db:
            places = await nodes.open_ones(db, game, [node.name for node in self.others])
        return [(place.lobby, self._living[place.node]) for place in places if place.node in self._living]

    async def idlest(self) -> Node | None:
        """The node that has the fewest lobbies; None: this one."""
        if not self.others:
            return None
        async with self._store.read() as db:
            loads = await nodes.loads(db)
        best = min(self.others, key=lambda node: (loads.get(node.name, 0), node.name))
        return best if loads.get(best.name, 0) < loads.get(self.name, 0) else None

    def chosen(self, what: str) -> Node | None:
        """The one node that decides about this, the same one for all that ask; None: this one."""
        others: Sequence[Node] = self.others
        best = max([self.name, *(node.name for node in others)], key=lambda name: sha256(f"{what}\0{name}".encode()).digest())
        return None if best == self.name else self._living[best]

    @property
    def calls(self) -> bool:
        """Whether it is this node that calls bots to games: one does, so that a bot has to ask nowhere else."""
        return self.alone or self.chosen(CALLS) is None

    def is_ours(self, secret: str) -> bool:
        """Whether this is what the other nodes show us."""
        return not self.alone and secrets.compare_digest(secret.encode(), self._secret.encode())
