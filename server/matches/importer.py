"""Journals of this data directory whose matches the database does not know, or not their ends."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec
import structlog

from client_sdk.replay import JOURNAL_SUFFIX
from games.core.contract import AnyGame, BadSetup, aborted, outcome_json
from games.core.parameters import configure, described
from server.accounts.authentication import token_role
from server.accounts.scopes import TokenRole
from server.blame import verdict
from server.folder import MATCHES, record_files
from server.match_record import MatchEnded, MatchRecord, TokenDigests
from server.matches.record import ending, is_held
from server.matches.writer import MatchWriter
from server.store import matches
from server.store.store import Store
from server.store.tournaments import Behind
from server.wall_clock import wall_ms

RESULT = ".result.json"
"""What early versions wrote beside a journal, with these fields of the record."""
EARLY = ("config", "created_ms", "started_ms", "ended_ms", "outcome")
BATCH = 500

_NO_RECORD = (
    OSError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    RecursionError,
    msgspec.MsgspecError,
)
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class UnfinishedMatch:
    """A match that is not over, as the database knows it. `name`: the lobby's, if it is public."""

    id: str
    path: Path
    digests: TokenDigests
    name: str | None
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when it is resumed, or cannot be."""

    def role(self, token: str | None) -> TokenRole | None:
        """What this token opens here."""
        _, doors, salt = self.digests
        return token_role(doors, salt, token)


class Importer:
    """`node`: the name of the data directory."""

    def __init__(
        self, data: Path, node: str, games: Mapping[str, AnyGame], store: Store, writer: MatchWriter
    ) -> None:
        self._data = data
        self._node = node
        self._games = games
        self._store = store
        self._writer = writer

    async def open(self, is_home: Callable[[str], bool]) -> int:
        """Import what the database does not know, without the matches that belong to other
        processes; how many that were. Raises OSError, SQLAlchemyError."""
        journals = await asyncio.to_thread(record_files, self._data, JOURNAL_SUFFIX)
        paths = [path for path in journals if is_home(path.name.removesuffix(JOURNAL_SUFFIX))]
        async with self._store.read() as db:
            known = await matches.states(db, self._node)
        found = await asyncio.to_thread(self._unknown, paths, known)
        for start in range(0, len(found), BATCH):
            await self._import(found[start : start + BATCH])
        return len(found)

    async def hides(self, left: UnfinishedMatch) -> bool:
        """Whether this match is over, and viewers may not know that yet."""
        try:
            return await asyncio.to_thread(_is_hidden, left.path)
        except _NO_RECORD:
            return False

    async def import_end(self, left: UnfinishedMatch) -> bool:
        """Whether the journal of this match has its end; the database knows it then. Raises
        SQLAlchemyError."""
        try:
            found = await asyncio.to_thread(self._read, left.path, left.id)
        except _NO_RECORD:
            return False
        if not isinstance(found, MatchEnded):
            return False
        await self._import([found])
        self._writer.stored(found)
        return True

    async def give_up(self, id_: str) -> None:
        """This match was interrupted and cannot go on. Raises SQLAlchemyError."""
        async with self._store.write() as db:
            outcome = outcome_json(aborted(await matches.seats_of(db, id_), "interrupted"))
            await matches.give_up(db, id_, outcome, wall_ms())

    async def interrupted(self) -> list[UnfinishedMatch]:
        """Matches of this place that are not over, oldest first. Raises SQLAlchemyError."""
        async with self._store.read() as db:
            running = await matches.unfinished(db, self._node)
        return [
            UnfinishedMatch(
                row.id,
                self._data / row.journal,
                (row.id, row.doors, row.salt),
                None if row.private else row.name,
            )
            for row in running
            if row.id not in self._writer.unstored
        ]

    async def newest(self, limit: int) -> list[TokenDigests]:
        """The tokens of the matches of this place that ended last. Raises SQLAlchemyError."""
        async with self._store.read() as db:
            return await matches.doors(db, self._node, limit)

    async def _import(self, found: Sequence[MatchEnded | MatchRecord]) -> None:
        """In one transaction; if that fails one by one, so that a record that no database takes
        hinders no other."""
        try:
            async with self._store.write() as db:
                for one in found:
                    if isinstance(one, MatchEnded):
                        await self._writer.store(db, one)
                    else:
                        await matches.begin(db, one, self._node, one.started_ms)
        except Behind:
            await self._import(found)
        except Exception as fault:  # noqa: BLE001  there may be anything in a file
            if len(found) == 1:
                record = found[0].record if isinstance(found[0], MatchEnded) else found[0]
                _log.warning("a record that no database takes", match=record.id, why=str(fault))
                return
            for one in found:
                await self._import([one])

    def _unknown(
        self, paths: Sequence[Path], known: Mapping[str, str]
    ) -> list[MatchEnded | MatchRecord]:
        """The journals that are ahead of the database. `known`: the states of matches in it."""
        found = []
        for path in paths:
            id_ = path.name.removesuffix(JOURNAL_SUFFIX)
            if known.get(id_) == "over":
                continue
            try:
                one = self._read(path, id_)
                if isinstance(one, MatchEnded) or (id_ not in known and not is_held(path)):
                    found.append(one)
            except _NO_RECORD as fault:
                _log.warning("a record that cannot be read", file=path.name, why=str(fault))
        return found

    def _read(self, path: Path, id_: str) -> MatchEnded | MatchRecord:
        """A match from its journal, with the defaults of the rules in its config; without an end,
        or with one that viewers may not know yet, it is still running.

        Raises OSError, or what comes of a file that is no journal. Blocks: not for the loop.
        """
        with path.open("rb") as file:
            header = json.loads(file.readline())
        end = None if _is_hidden(path, header) else ending(path)
        record = MatchRecord.from_journal(id_, f"{MATCHES}/{path.name}", header, end)
        record = self._configured(record)
        if end is None:
            return record
        if (result := path.with_name(f"{id_}{RESULT}")).exists():
            early = msgspec.json.decode(result.read_bytes(), type=dict[str, Any])
            record = replace(record, **{name: early[name] for name in EARLY})
        missing = () if end.broken is None else end.broken.missing
        return MatchEnded(record, verdict(end.broken, len(record.players)), missing)

    def _configured(self, record: MatchRecord) -> MatchRecord:
        game = self._games.get(record.game)
        if game is None or game.rules_version != record.rules_version:
            return record
        try:
            return replace(record, config=described(configure(game, record.config, record.seed)))
        except BadSetup:
            return record


def _is_hidden(path: Path, header: Mapping[str, Any] | None = None) -> bool:
    """Whether the spectator delay of a match that is over has not passed. Blocks. Raises as
    `_read`."""
    if header is None:
        with path.open("rb") as file:
            header = json.loads(file.readline())
    delay_ms = 1000 * header.get("spectator_delay", 0)
    end = ending(path) if delay_ms else None
    return end is not None and wall_ms() < end.ended_ms + delay_ms
