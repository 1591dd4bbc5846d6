"""Finished matches: their results, and when their journals and replays may be seen.

A match is released when every match that shares its seed has ended: until then its record would tell what is hidden there.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable, Mapping, Set
from pathlib import Path
from typing import Any

import msgspec
import structlog

from games.core.contract import AnyGame, aborted, outcome_json
from server.errors import Refusal
from server.matches.record import JOURNAL, REPLAY, RESULT, write_result, write_whole
from server.matches.room import Room
from server.tokens import digest

Json = Any
Record = dict[str, Json]

_SECRET = ("seed", "salt", "doors")
_LAST_LINES = 64 * 1024
"""Bytes at a journal's end that hold its last line, if that is the outcome."""
_log = structlog.get_logger()


class Archive:
    """`in_play()`: the seeds of the matches that have not ended yet."""

    def __init__(self, folder: Path, games: Mapping[str, AnyGame], in_play: Callable[[], Set[int]], remembered: int) -> None:
        """Raises OSError if the folder cannot be used."""
        self.folder = folder
        self._games = games
        self._in_play = in_play
        self._remembered = remembered
        self._records: OrderedDict[str, Record] = OrderedDict()
        self._storing: dict[str, asyncio.Task[None]] = {}
        self._making: dict[str, asyncio.Task[None]] = {}
        folder.mkdir(parents=True, exist_ok=True)
        self._load()

    # --- in

    def store(self, room: Room) -> None:
        """Keep a match that is over: listed at once, on the disk a moment later."""
        record = room.record()
        self._remember(record)
        self._storing[room.id] = asyncio.get_running_loop().create_task(self._store(room, record))

    async def settle(self) -> None:
        """Until everything that is over is on the disk."""
        while waiting := [*self._storing.values(), *self._making.values()]:
            await asyncio.gather(*waiting, return_exceptions=True)

    def release(self, seed: int) -> None:
        """A match with this seed ended, or was cancelled: make the replays that nobody could have before."""
        if seed in self._in_play():
            return
        for id_, record in self._records.items():
            if record["seed"] == seed and record["journal"] is not None:
                self._make(id_)

    async def _store(self, room: Room, record: Record) -> None:
        file = room.file
        try:
            if file is not None:
                await asyncio.to_thread(file.sync)
            await asyncio.to_thread(write_result, self.folder, room.id, record)
        except OSError:
            _log.exception("a result could not be written", match=room.id)
        finally:
            if file is not None:
                file.close()
            del self._storing[room.id]
        self.release(record["seed"])

    def interrupted(self) -> list[tuple[str, Path]]:
        """Matches whose journals have no end, with those, oldest first."""
        return [(id_, self.folder / f"{id_}{JOURNAL}") for id_, record in self._records.items() if record["journal"] is None]

    def forget(self, id_: str) -> None:
        """This one goes on."""
        del self._records[id_]

    # --- out

    def public(self, game: str | None = None) -> list[Record]:
        """Newest first, without the private ones."""
        playing = self._in_play()
        records = reversed(self._records.values())
        return [_shown(record, playing) for record in records if not record["private"] and game in (None, record["game"])]

    def get(self, id_: str, token: str | None) -> Record:
        """Raises Refusal."""
        return _shown(self._record(id_, token), self._in_play())

    def has(self, id_: str) -> bool:
        return id_ in self._records

    async def journal(self, id_: str, token: str | None) -> Path:
        """The journal's file, after the release. Raises Refusal."""
        self._released(id_, token)
        if id_ in self._storing:
            await asyncio.wait([self._storing[id_]])
        return self._file(id_, JOURNAL)

    async def replay(self, id_: str, token: str | None) -> Path:
        """The replay's file, after the release. Raises Refusal."""
        self._released(id_, token)
        if id_ in self._storing:
            await asyncio.wait([self._storing[id_]])
        if not (self.folder / f"{id_}{REPLAY}").exists():
            await asyncio.wait([self._make(id_)])
        return self._file(id_, REPLAY)

    def replays(self) -> list[Record]:
        return [record for record in self.public() if record["released"]]

    def _file(self, id_: str, kind: str) -> Path:
        path = self.folder / f"{id_}{kind}"
        if not path.exists():
            raise Refusal(404, "no_such_record", "this match has no such record")
        return path

    def _released(self, id_: str, token: str | None) -> None:
        record = self._record(id_, token)
        if record["journal"] is None:
            raise Refusal(409, "not_released", "this match was interrupted: its record has no end, and does not come out")
        if record["seed"] in self._in_play():
            text = "a match that shares this one's seed has not ended yet; the record comes out when it has"
            raise Refusal(409, "not_released", text)

    def _record(self, id_: str, token: str | None) -> Record:
        record = self._records.get(id_)
        if record is None:
            raise Refusal(404, "no_such_match", "there is no such match here", field="match")
        if record["private"] and (token is None or digest(token, record["salt"]) not in record["doors"]):
            raise Refusal(403, "private", "this match is private: its owner's, a seat's or the invite's token opens it")
        return record

    # --- replays

    def _make(self, id_: str) -> asyncio.Task[None]:
        task = self._making.get(id_)
        if task is None:
            task = self._making[id_] = asyncio.get_running_loop().create_task(self._made(id_))
        return task

    async def _made(self, id_: str) -> None:
        try:
            await asyncio.to_thread(self._write_replay, id_)
        except Exception:  # noqa: BLE001  a record that does not hold is told of, and hurts no other match
            _log.exception("no replay could be made", match=id_)
        finally:
            del self._making[id_]

    def _write_replay(self, id_: str) -> None:
        from client_sdk.replay import from_journal

        path = self.folder / f"{id_}{REPLAY}"
        if not path.exists():
            text = (self.folder / f"{id_}{JOURNAL}").read_text(encoding="utf-8")
            write_whole(path, from_journal(text, self._games).encode())

    # --- after a start

    def _load(self) -> None:
        """List what is on the disk; nothing is ever deleted. A journal without a result is of a match that was interrupted, or
        that ended in the last moment before a crash: then its own last line is the result, without the house's counts."""
        found = []
        for path in self.folder.glob(f"*{JOURNAL}"):
            id_ = path.name.removesuffix(JOURNAL)
            try:
                found.append(self._read(path, id_))
            except (OSError, ValueError, LookupError, TypeError, AttributeError, msgspec.MsgspecError) as fault:
                _log.warning("a record that cannot be read", file=path.name, why=str(fault))
        for record in sorted(found, key=lambda record: record["ended_ms"] or record["started_ms"] or 0):
            self._remember(record)

    def _read(self, journal: Path, id_: str) -> Record:
        result = self.folder / f"{id_}{RESULT}"
        if result.exists():
            record: Record = msgspec.json.decode(result.read_bytes(), type=dict[str, Any])
            return record | {"match": id_, "seed": record["seed"], "journal": record["journal"], "private": record["private"]}
        with journal.open("rb") as file:
            header = json.loads(file.readline())
        end = _end(journal)
        seats = header["seats"]
        return {
            "match": id_,
            "name": header.get("lobby"),
            "game": header["game"],
            "rules_version": header["rules_version"],
            "state": "over",
            "private": header.get("private", True),
            "players": [{key: seat.get(key) for key in ("seat", "role", "name", "kind", "bot")} for seat in seats],
            "config": header["config"],
            "map": None,
            "faults": header.get("faults"),
            "seed": header["seed"],
            "salt": header["salt"],
            "doors": [*header.get("doors", ()), *(seat.get("token") for seat in seats)],
            "commitment": header["commitment"],
            "created_ms": header.get("started"),
            "started_ms": header.get("started"),
            "ended_ms": None,
            "journal": None if end is None else end["chain"],
            "outcome": outcome_json(aborted(len(seats), "interrupted")) if end is None else end["outcome"],
        }

    def _remember(self, record: Record) -> None:
        self._records[record["match"]] = record
        while len(self._records) > self._remembered:
            self._records.popitem(last=False)


def _shown(record: Record, playing: Set[int]) -> Record:
    """What is public of a result; with the seed after the release."""
    released = record["journal"] is not None and record["seed"] not in playing
    shown = {key: value for key, value in record.items() if key not in _SECRET}
    return shown | {"released": released} | ({"seed": record["seed"]} if released else {})


def _end(journal: Path) -> Record | None:
    """The line that tells the outcome; None: the journal was cut before it. Raises OSError."""
    with journal.open("rb") as file:
        file.seek(max(0, journal.stat().st_size - _LAST_LINES))
        *_, last, rest = file.read().split(b"\n")
    line: Record = json.loads(last) if not rest and last.startswith(b'{"k":"end"') else {}
    return line or None
