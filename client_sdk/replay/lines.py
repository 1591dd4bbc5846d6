"""The lines of a replay."""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

from games.core.contract import Json

KEYFRAME_EVERY: Final = 50
"""Frames from one whole view to the next: a seek applies at most this many deltas less one."""

JOURNAL_SUFFIX: Final = ".journal.jsonl"
REPLAY_SUFFIX: Final = ".replay.jsonl"


class Seat(msgspec.Struct, frozen=True, omit_defaults=True):
    """What of a seat is public; its token's hash is not."""

    name: str = ""
    role: str = ""
    kind: str = ""


class Header(msgspec.Struct, frozen=True, tag_field="k", tag="replay"):
    match: str
    game: str
    rules_version: int
    config: dict[str, Json]
    seats: tuple[Seat, ...]
    commitment: str
    seed: int
    salt: str
    journal: str
    """The chain value of the journal's last line."""


class View(msgspec.Struct, frozen=True, tag_field="k", tag="view"):
    n: int
    view: Json


class Delta(msgspec.Struct, frozen=True, tag_field="k", tag="delta"):
    n: int
    delta: Json


class Event(msgspec.Struct, frozen=True, tag_field="k", tag="event"):
    n: int
    """The turn that was open."""
    e: str
    s: int | None = None
    d: Json = None


class Info(msgspec.Struct, frozen=True, tag_field="k", tag="info"):
    n: int
    """The turn that was open."""
    s: int
    d: Json = None


class End(msgspec.Struct, frozen=True, tag_field="k", tag="end"):
    outcome: dict[str, Json]


Entry: TypeAlias = Header | View | Delta | Event | Info | End
