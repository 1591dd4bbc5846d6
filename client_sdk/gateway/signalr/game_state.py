"""The contest's GameState, written from a view of Zooscape.

Of each tick one text is written, with gaps for the ids of the animals: each bot knows itself by the
token that it registered with, and may not see those of others."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from client_sdk.api.zooscape_values import PowerUpType, contest_id
from client_sdk.gateway.signalr.protocol import END, INVOCATION
from games.core.contract import Seat
from games.zooscape.json_types import ActivePowerUp, Animal, View, Zookeeper

GAP: Final = "\x00"
"""Stands for an id. A JSON text never holds it: control characters are escaped."""


class StateText:
    """The message with the state after one tick, for any viewer."""

    def __init__(self, match: str, view: View, names: Sequence[str], at: datetime.datetime) -> None:
        """`names`: of the players, by seat. `at`: the time in UTC."""
        self.tick = view["tick"]
        self._ids = [_json(contest_id(match, "animal", seat)) for seat in range(len(names))]
        animals = [_animal(animal, names[animal["seat"]]) for animal in view["animals"]]
        zookeepers = [
            _zookeeper(one, contest_id(match, "zookeeper", one["id"])) for one in view["zookeepers"]
        ]
        about = {"timeStamp": at.isoformat(timespec="microseconds").replace("+00:00", "Z")}
        state = (
            f'{_json(about)[:-1]},"tick":{self.tick},"cells":[{_cells(view["map"])}],'
            f'"animals":[{",".join(animals)}],"zookeepers":{_json(zookeepers)}}}'
        )
        message = f'{{"type":{INVOCATION},"target":"GameState","arguments":[{state}]}}{END}'
        self._parts = message.split(GAP)

    def seen_by(self, own: Mapping[Seat, str]) -> str:
        """The message for a viewer. `own`: the ids that it knows its own animals by."""
        parts = [self._parts[0]]
        for seat, part in enumerate(self._parts[1:]):
            parts += (_json(own[seat]) if seat in own else self._ids[seat], part)
        return "".join(parts)


def _cells(rows: Sequence[str]) -> str:
    """All cells, column by column."""
    return ",".join(
        f'{{"x":{x},"y":{y},"content":{row[x]}}}'
        for x in range(len(rows[0]))
        for y, row in enumerate(rows)
    )


def _animal(animal: Animal, name: str) -> str:
    held, active = animal["held_power_up"], animal["active_power_up"]
    rest = {
        "nickname": name,
        "x": animal["x"],
        "y": animal["y"],
        "spawnX": animal["spawn_x"],
        "spawnY": animal["spawn_y"],
        "score": int(animal["score"]),
        "capturedCounter": animal["captured_count"],
        "distanceCovered": animal["distance_covered"],
        "isViable": animal["is_viable"],
        "heldPowerUp": None if held is None else PowerUpType[held.upper()],
        "activePowerUp": None if active is None else _active(active),
    }
    return f'{{"id":{GAP},{_json(rest)[1:]}'


def _active(active: ActivePowerUp) -> dict[str, Any]:
    return {
        "value": active["value"],
        "ticksRemaining": active["ticks_remaining"],
        "type": PowerUpType[active["kind"].upper()],
    }


def _zookeeper(zookeeper: Zookeeper, id_: str) -> dict[str, Any]:
    return {
        "id": id_,
        "nickname": zookeeper["name"],
        "x": zookeeper["x"],
        "y": zookeeper["y"],
        "spawnX": zookeeper["spawn_x"],
        "spawnY": zookeeper["spawn_y"],
    }


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
