"""What a client asks for when it joins (`play`)."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qsl

from client_sdk.gateway.cadre.messages import GAME, BadMessage, is_game
from client_sdk.gateway.seats import ANY
from games.core.contract import Json
from games.core.parameters import MAX_SEED

LONGEST_NAME: Final = 79
"""Characters of a name: clients show no longer ones."""
NO_NAME: Final = "a Cadre client"
NANOSECONDS: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class PlayRequest:
    """A wish to play, with the client's own words turned into ours."""

    name: str
    client_type: str
    session: str
    """A lobby's name or id, `*` for any open one, `new`."""
    seat: int | None
    """None: any."""
    token: str | None = field(repr=False)
    """The password: of a seat; None: the client asks for one."""
    seed: int | None
    config: dict[str, Json]
    """Parameters of the match."""


def play_request(data: Json) -> PlayRequest:
    """Read the data of `play`. Raises BadMessage."""
    if not isinstance(data, dict):
        raise BadMessage("play: expected an object with gameName, playerName, ...")
    if not is_game(data.get("gameName")):
        raise BadMessage(f"gameName: expected {GAME}")
    if data.get("spectating") is True:
        raise BadMessage("spectating: watch on the server's page, or with botarena watch")
    seed, config = settings(data.get("gameSettings"))
    return PlayRequest(
        shown_name(data.get("playerName")) or NO_NAME,
        shown_name(data.get("clientType")) or "unknown",
        clean(data.get("requestedSession")) or ANY,
        _seat(data.get("playerIndex")),
        clean(data.get("password")) or None,
        seed,
        config,
    )


def settings(query: Json) -> tuple[int | None, dict[str, Json]]:
    """`gameSettings` as the seed and the parameters of a lobby; the first value of a key counts.

    Raises BadMessage for an unknown key and for what is no number."""
    seed: int | None = None
    config: dict[str, Json] = {}
    for key, value in reversed(parse_qsl(clean(query), keep_blank_values=True)):
        if key in IGNORED:
            continue
        if key == SEED:
            seed = _seed(value)
            continue
        if key not in SETTINGS:
            known = ", ".join([SEED, *SETTINGS, *IGNORED])
            raise BadMessage(f"gameSettings: unknown key {key[:40]!r}; known are {known}")
        parameter, number = SETTINGS[key]
        try:
            config[parameter] = number(value)
        except (ValueError, OverflowError):
            raise BadMessage(
                f"gameSettings: {key}: expected a number, got {value[:40]!r}"
            ) from None
    return seed, config


def _finite(value: str) -> float:
    found = float(value)
    if not math.isfinite(found):
        raise ValueError
    return found


def _seconds(value: str) -> float:
    return _finite(value) / NANOSECONDS


SEED: Final = "randomSeed"
IGNORED: Final = ("playerNames[]", "playerNames")
"""Accepted without effect: each client names itself."""
SETTINGS: Final[Mapping[str, tuple[str, Callable[[str], Any]]]] = {
    "maxTurns": ("max_turns", int),
    "mapWidth": ("map_width", int),
    "mapHeight": ("map_height", int),
    "startingFood": ("starting_food", int),
    "catEnergyMult": ("cat_energy_mult", _finite),
    "starvingEnergyMult": ("starving_energy_mult", _finite),
    "monumentCostMult": ("monument_cost_mult", _finite),
    "harvestCooldown": ("turns_between_harvests", int),
    "turnsBetweenHarvests": ("turns_between_harvests", int),
    "turnsToCreateHuman": ("turns_to_create_human", int),
    "turnsToLowerHarvest": ("turns_to_lower_harvest", int),
    "lowerHarvestAmount": ("lower_harvest_amount", int),
    "wallMaterials": ("wall_materials", int),
    "shelterMaterials": ("shelter_materials", int),
    "monumentMaterials": ("monument_materials", int),
    "neutralMaterials": ("neutral_materials", int),
    "startTime": ("time_bank_s", _finite),
    "turnTimeAdded": ("time_added_per_turn_s", _finite),
    "playerStartingTime": ("time_bank_s", _seconds),
    "timeAddedPerTurn": ("time_added_per_turn_s", _seconds),
}
"""The keys of `gameSettings`: the parameter that each sets, and how its value is read. The 2017
names of the clock are in seconds, those of 2018 in nanoseconds."""


def shown_name(name: Json) -> str:
    """A name that every client can show: without invisible characters, and not too long."""
    visible = (one for one in clean(name) if unicodedata.category(one)[0] != "C")
    return unicodedata.normalize("NFC", "".join(visible)).strip()[:LONGEST_NAME].strip()


def clean(text: Json) -> str:
    """A text without outer spaces and without what no encoding can hold; empty: it is none."""
    if not isinstance(text, str):
        return ""
    return text.encode("utf-8", "replace").decode().strip()


def _seat(index: Json) -> int | None:
    """The seat that a `playerIndex` means; None: any. Raises BadMessage."""
    if index is None or index == "":
        return None
    try:
        seat = int(index) if isinstance(index, str | float) else index
    except (ValueError, OverflowError):
        seat = None
    if type(seat) is not int or not -1 <= seat <= 1:
        raise BadMessage("playerIndex: expected 0 or 1, or -1 for any")
    return None if seat == -1 else seat


def _seed(value: str) -> int:
    """A number as it is; other texts, which the contest allowed too, become one."""
    if value.isascii() and value.isdecimal() and len(value) < 20 and int(value) <= MAX_SEED:
        return int(value)
    return int.from_bytes(value.encode()[:256], "big") % MAX_SEED
