"""The limits of a match: the game's own, with what a lobby has chosen."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from client_sdk.bounds import LONGEST_MS
from games.core.contract import Json, Pacing
from server.errors import Refusal

LONGEST_DELAY_S = 1_800
"""Of spectators. What they have not seen yet is kept in memory."""
STRIKES: Mapping[str, int] = {"default": 0, "strikes": 3, "forfeit": 1}
"""`faults` of a lobby: which timed-out turn of a seat forfeits."""
WORDS: Mapping[str, tuple[str, ...]] = {
    "late_ready": ("plays", "forfeits"),
    "absence": ("plays", "misses", "waits", "limited", "forfeits"),
}


def paced(pacing: Pacing, faults: str | None, clock: Mapping[str, Json]) -> Pacing:
    """The game's limits with a lobby's own. Raises Refusal."""
    if faults is not None and faults not in STRIKES:
        allowed = sorted(STRIKES)
        text = f"faults: expected one of {', '.join(allowed)}, got {faults!r}"
        raise Refusal(422, "bad_faults", text, field="faults", allowed=allowed)
    changed: dict[str, Json] = {} if faults is None else {"strikes": STRIKES[faults]}
    fixed = {"lockstep"} | ({"tick_ms"} if pacing.tick_ms is None else set())
    known = [f.name for f in dataclasses.fields(pacing) if f.name not in fixed]
    for name, value in clock.items():
        field = f"clock.{name}"
        if name not in known:
            text = f"no limit is called {name!r}"
            raise Refusal(422, "unknown_limit", text, field=field, allowed=known)
        if name in WORDS:
            if value not in WORDS[name]:
                text, words = f"{field}: got {value!r}", list(WORDS[name])
                raise Refusal(422, "bad_limit", text, field=field, allowed=words)
        else:
            low = 1 if name in ("tick_ms", "startup_ms") else 0
            whole = isinstance(value, int) and not isinstance(value, bool)
            if not whole or not low <= value <= LONGEST_MS:
                text = f"{field}: expected a whole number, {low} to {LONGEST_MS}, got {value!r}"
                bounds = {"type": "integer", "minimum": low, "maximum": LONGEST_MS}
                raise Refusal(422, "bad_limit", text, field=field, allowed=bounds)
        changed[name] = value
    return dataclasses.replace(pacing, **changed)
