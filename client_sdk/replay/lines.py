"""The lines of a replay."""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

from games.core.contract import Json

KEYFRAME_EVERY: Final = 50
"""Frames from one whole view to the next: a seek applies at most this many deltas less one."""

JOURNAL_SUFFIX: Final = ".journal.jsonl"
REPLAY_SUFFIX: Final = ".replay.jsonl"


class PublicSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """What of a seat is public; its token's hash is not."""

    name: str = ""
    role: str = ""
    kind: str = ""


class HeaderLine(msgspec.Struct, frozen=True, tag_field="k", tag="replay"):
    match: str
    game: str
    rules_version: int
    config: dict[str, Json]
    seats: tuple[PublicSeat, ...]
    commitment: str
    seed: int
    salt: str
    journal: str
    """The chain value of the journal's last line."""


class ViewLine(msgspec.Struct, frozen=True, tag_field="k", tag="view"):
    n: int
    view: Json


class DeltaLine(msgspec.Struct, frozen=True, tag_field="k", tag="delta"):
    n: int
    delta: Json


class EventLine(msgspec.Struct, frozen=True, tag_field="k", tag="event"):
    n: int
    """The turn that was open."""
    e: str
    s: int | None = None
    d: Json = None


class InfoLine(msgspec.Struct, frozen=True, tag_field="k", tag="info"):
    n: int
    """The turn that was open."""
    s: int
    d: Json = None


class EndLine(msgspec.Struct, frozen=True, tag_field="k", tag="end"):
    outcome: dict[str, Json]


ReplayLine: TypeAlias = HeaderLine | ViewLine | DeltaLine | EventLine | InfoLine | EndLine
