"""The calls of a bot (`run`) as commands of the match.

Arguments are converted as the contest's server converted them; what cannot be converted is null,
and the rules refuse it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from client_sdk.gateway.cadre.messages import BadMessage
from client_sdk.gateway.cadre.objects import JOB_ORDER, ObjectIds, WireId
from client_sdk.gateway.cadre.requests import clean
from games.catastrophe.state import Ground
from games.core.contract import Json
from games.core.text import quoted

LONGEST_LOG: Final = 1_000
"""Characters of a logged message."""


@dataclass(frozen=True, slots=True)
class LogCall:
    """`log` of any object: it changes nothing in the match."""

    id: WireId
    message: str


@dataclass(frozen=True, slots=True)
class UnitCall:
    """A command of the match."""

    command: dict[str, Json]


def read_call(ids: ObjectIds, ground: Ground, data: Json) -> UnitCall | LogCall:
    """Read the data of `run`. Raises BadMessage for a call that no bot can mean."""
    if not isinstance(data, dict):
        raise BadMessage("run: expected an object with caller, functionName and args")
    id_, function = _id(data.get("caller")), data.get("functionName")
    found = None if id_ is None else ids.find(id_)
    if id_ is None or found is None:
        raise BadMessage("run: caller: expected the id of a game object")
    given = data.get("args")
    if not (given is None or isinstance(given, dict)):
        raise BadMessage("run: args: expected an object, null or nothing")
    args: Mapping[str, Json] = given or {}
    if function == "log":
        return LogCall(id_, _text(args.get("message"))[:LONGEST_LOG])
    if not isinstance(function, str) or function not in FUNCTIONS:
        known = ", ".join([*FUNCTIONS, "log"])
        raise BadMessage(f"run: functionName: expected one of {known}, got {quoted(function)}")
    if found.kind != "Thing":
        raise BadMessage(f"run: {function}: expected a unit as its caller")
    command, parameters = FUNCTIONS[function]
    fields: dict[str, Json] = {"cmd": command, "unit": found.number}
    for name in parameters:
        value = args.get(name)
        if name == "tile":
            fields |= _tile(ids, ground, value)
        elif name == "amount":
            fields[name] = _whole(value)
        else:
            fields[name] = _job(ids, value) if name == "job" else _text(value)
    return UnitCall(fields)


FUNCTIONS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "attack": ("attack", ("tile",)),
    "changeJob": ("change_job", ("job",)),
    "construct": ("construct", ("tile", "type")),
    "convert": ("convert", ("tile",)),
    "deconstruct": ("deconstruct", ("tile",)),
    "drop": ("drop", ("tile", "resource", "amount")),
    "harvest": ("harvest", ("tile",)),
    "move": ("move", ("tile",)),
    "pickup": ("pickup", ("tile", "resource", "amount")),
    "rest": ("rest", ()),
}
"""The functions of a unit: the command and the parameters of each."""


def _id(value: Json) -> str | None:
    id_ = value.get("id") if isinstance(value, dict) else None
    return id_ if isinstance(id_, str) else None


def _tile(ids: ObjectIds, ground: Ground, value: Json) -> dict[str, Json]:
    id_ = _id(value)
    found = None if id_ is None else ids.find(id_)
    if found is None or found.kind != "Tile":
        return {"x": None, "y": None}
    x, y = ground.xy[found.number]
    return {"x": x, "y": y}


def _job(ids: ObjectIds, value: Json) -> str:
    """A title, or the title of a job that is referred to."""
    id_ = _id(value)
    found = None if id_ is None else ids.find(id_)
    return JOB_ORDER[found.number] if found and found.kind == "Job" else _text(value)


def _text(value: Json) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else clean(value)


def _whole(value: Json) -> int:
    """Numbers and texts of numbers are cut to whole ones; anything else is 0."""
    if isinstance(value, bool):
        return 0
    converters: tuple[Callable[[Json], Json], ...] = (int, float)
    for convert in converters if isinstance(value, str | int | float) else ():
        with contextlib.suppress(ValueError, OverflowError):
            return int(convert(value))
    return 0
