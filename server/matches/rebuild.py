"""A SQLite database that is gone or damaged is made again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from games import GAMES
from server.health import Health
from server.match_record import EndHandlers
from server.matches.importer import Importer
from server.matches.record import named
from server.matches.writer import MatchWriter
from server.metrics import Metrics
from server.store import sqlite_file
from server.store.store import Store, StoreProblem
from server.store.store_health import StoreHealth


@dataclass(frozen=True, slots=True)
class Rebuilt:
    sound: bool
    """The database was not touched."""
    aside: Path | None
    """Where the damaged file is now."""
    backup: Path | None
    """What the database was made from; None: from nothing."""
    matches: int
    """Matches imported from journals on top of that."""


async def rebuild(store: Store, data: Path) -> Rebuilt:
    """No server may run. Raises OSError, SQLAlchemyError, StoreProblem."""
    if store.file is None:
        how = "restore a dump of it; servers import their journals when they start"
        raise StoreProblem(f"this is no SQLite database: {how}")
    path, aside, backup = store.file.path, None, None
    sound = sqlite_file.readable(path) and sqlite_file.damage(path) is None
    if not sound:
        aside, backup = sqlite_file.set_aside(path), sqlite_file.put_back(path)
        if backup is None:
            path.touch(0o600)
    await store.open()
    try:
        node, health = named(data), StoreHealth(store, Health(), data)
        writer = MatchWriter(store, node, EndHandlers(), health, Metrics())
        imported = await Importer(data, node, GAMES, store, writer).open(lambda match: True)
        return Rebuilt(sound, aside, backup, imported)
    finally:
        await store.close()
