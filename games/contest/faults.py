"""What bots did wrong in the games of a tournament, as its facts say.

`about` of a result may have `faults`: by kind a list of how often, by seat, such as
`{"late": [0, 2]}`; kinds that did not happen are left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from games.contest.facts import Fact
from games.contest.result import Entry
from games.core.contract import Json

KINDS: Final = ("late", "crashed", "illegal", "no_show")
"""Turns with no answer in time, turns on which the bot failed, answers that are not valid, and
games that it did not come to."""
FaultCounts: TypeAlias = tuple[int, ...]
"""How often, by kind."""
NONE: Final[FaultCounts] = (0,) * len(KINDS)


def of(fact: Fact) -> dict[Entry, FaultCounts]:
    """The faults of a game's entrants, without those that have none."""
    about: Mapping[str, Json] = fact.about if isinstance(fact.about, Mapping) else {}
    noted = about.get("faults")
    noted = noted if isinstance(noted, Mapping) else {}
    absent = fact.kind == "forfeit" or about.get("reason") == "no_show"
    found = {}
    for seat, entry in enumerate(fact.seats or ()):
        counts = [_count(noted.get(kind), seat) for kind in KINDS]
        if absent and fact.result is not None:
            counts[-1] = int(fact.result.forfeit[seat])
        if any(counts):
            found[entry] = tuple(counts)
    return found


def _count(counts: Json, seat: int) -> int:
    if not isinstance(counts, list) or seat >= len(counts) or type(counts[seat]) is not int:
        return 0
    count: int = counts[seat]
    return max(0, count)


def added(one: FaultCounts, other: FaultCounts) -> FaultCounts:
    return tuple(mine + more for mine, more in zip(one, other, strict=True))


def noted(counts: Mapping[str, tuple[int, ...]]) -> dict[str, Json]:
    """The part of `about`, of counts by kind and seat."""
    shown = {kind: list(by_seat) for kind, by_seat in counts.items() if any(by_seat)}
    return {"faults": shown} if shown else {}


def to_json(counts: FaultCounts) -> dict[str, int]:
    """By kind, 0 too."""
    return dict(zip(KINDS, counts, strict=True))


def text(counts: FaultCounts) -> str:
    """`2 late, 1 no show`; empty: none."""
    named = zip(counts, KINDS, strict=True)
    return ", ".join(f"{count} {kind.replace('_', ' ')}" for count, kind in named if count)
