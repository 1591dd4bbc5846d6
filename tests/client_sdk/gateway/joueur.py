"""A client of the Cadre protocol as strict as all of the contest's clients together: whatever ends
one of them is an error here.

`Model` is the client's copy of the match, `Joueur` the client around it."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import websockets.sync.client

from tests.waiting import PATIENCE_S

FIELDS: dict[str, dict[str, str]] = {
    "Game": {
        "catEnergyMult": "float",
        "currentPlayer": "ref",
        "currentTurn": "int",
        "gameObjects": "objects",
        "harvestCooldown": "int",
        "jobs": "refs",
        "lowerHarvestAmount": "int",
        "mapHeight": "int",
        "mapWidth": "int",
        "maxTurns": "int",
        "monumentCostMult": "float",
        "monumentMaterials": "int",
        "neutralMaterials": "int",
        "players": "refs",
        "session": "str",
        "shelterMaterials": "int",
        "starvingEnergyMult": "float",
        "structures": "refs",
        "tiles": "refs",
        "turnsBetweenHarvests": "int",
        "turnsToCreateHuman": "int",
        "turnsToLowerHarvest": "int",
        "units": "refs",
        "wallMaterials": "int",
    },
    "Player": {
        "cat": "ref",
        "clientType": "str",
        "food": "int",
        "lost": "bool",
        "name": "str",
        "opponent": "ref",
        "reasonLost": "str",
        "reasonWon": "str",
        "structures": "refs",
        "timeRemaining": "float",
        "units": "refs",
        "upkeep": "int",
        "won": "bool",
    },
    "Job": {
        "actionCost": "float",
        "carryLimit": "int",
        "moves": "int",
        "regenRate": "float",
        "title": "str",
        "upkeep": "int",
    },
    "Structure": {
        "effectRadius": "int",
        "materials": "int",
        "owner": "ref?",
        "tile": "ref?",
        "type": "str",
    },
    "Tile": {
        "food": "int",
        "harvestRate": "int",
        "materials": "int",
        "structure": "ref?",
        "tileEast": "ref?",
        "tileNorth": "ref?",
        "tileSouth": "ref?",
        "tileWest": "ref?",
        "turnsToHarvest": "int",
        "unit": "ref?",
        "x": "int",
        "y": "int",
    },
    "Unit": {
        "acted": "bool",
        "energy": "float",
        "food": "int",
        "job": "ref",
        "materials": "int",
        "movementTarget": "ref?",
        "moves": "int",
        "owner": "ref?",
        "squad": "refs",
        "starving": "bool",
        "tile": "ref?",
        "turnsToDie": "int",
    },
}
"""The fields of each class and their types; `?`: may be null."""
OF_EVERY_OBJECT = {"gameObjectName": "str", "id": "str", "logs": "texts"}
EVENTS = {
    "named",
    "lobbied",
    "delta",
    "start",
    "order",
    "invalid",
    "ran",
    "over",
    "fatal",
}
ORDERED_LISTS = ("units", "structures")


class Dies(AssertionError):
    """A message that ends one of the contest's clients."""


def check(holds: bool, why: str) -> None:
    if not holds:
        raise Dies(why)


class Model:
    """The match as a client merges it from deltas."""

    def __init__(self) -> None:
        self.game: dict[str, Any] = {}
        self.objects: dict[str, dict[str, Any]] = {}

    def merge(self, delta: Any) -> None:
        check(isinstance(delta, dict), "a delta is an object")
        first = not self.game
        objects = delta.get("gameObjects", {})
        for id_, fields in objects.items():  # clients create new objects before they merge
            if id_ not in self.objects:
                self._create(id_, fields)
        for id_, fields in objects.items():
            self._merge_object(id_, fields)
        if first:
            check(set(delta) == set(FIELDS["Game"]), "the first delta has every field of the game")
        for name, value in delta.items():
            if name != "gameObjects":
                check(name in FIELDS["Game"], f"the game has no field {name}")
                self.game[name] = self._value(FIELDS["Game"][name], self.game.get(name), value)
        self._check_references()

    def _create(self, id_: str, fields: Any) -> None:
        name = fields.get("gameObjectName")
        check(name in FIELDS and name != "Game", f"object {id_} has no known class")
        every = {*FIELDS[name], *OF_EVERY_OBJECT}
        check(set(fields) == every, f"new object {id_}: {set(fields) ^ every}")
        check(fields["id"] == id_, f"object {id_} stands under its id")
        self.objects[id_] = {"gameObjectName": name, "id": id_}

    def _merge_object(self, id_: str, fields: Any) -> None:
        known = self.objects[id_]
        new = len(known) == 2
        check(new or "gameObjectName" not in fields, "an update never repeats gameObjectName")
        check(bool(fields) and list(fields) != ["id"], "an update with only its id is a reference")
        types = FIELDS[known["gameObjectName"]] | OF_EVERY_OBJECT
        for name, value in fields.items():
            check(name in types, f"{known['gameObjectName']} has no field {name}")
            known[name] = self._value(types[name], known.get(name), value)

    def _value(self, type_: str, known: Any, value: Any) -> Any:
        check(not isinstance(value, list), "there is no JSON array in a delta")
        match type_:
            case "int":
                check(type(value) is int, f"expected an int, got {value!r}")
            case "float":
                check(type(value) in (int, float), f"expected a number, got {value!r}")
                check(type(value) is int or not value.is_integer(), "100.0 is written as 100")
            case "bool" | "str":
                check(type(value).__name__ == type_, f"expected {type_}, got {value!r}")
            case "ref" | "ref?":
                if value is None and type_ == "ref?":
                    return None
                return self._reference(value)
            case "refs" | "texts":
                return self._list(type_, known, value)
        return value

    def _reference(self, value: Any) -> str:
        check(
            isinstance(value, dict) and list(value) == ["id"] and isinstance(value["id"], str),
            f"expected a reference, got {value!r}",
        )
        return value["id"]

    def _list(self, type_: str, known: list[Any] | None, value: Any) -> list[Any]:
        check(isinstance(value, dict) and "&LEN" in value, f"expected a list, got {value!r}")
        length = value["&LEN"]
        check(type(length) is int and length >= 0, "&LEN is a number")
        merged = (known or [])[:length]
        merged += [None] * (length - len(merged))
        for index, element in value.items():
            if index == "&LEN" or element == "&RM":
                continue
            check(index.isdecimal() and int(index) < length, f"index {index} of {length}")
            if type_ == "texts":
                check(isinstance(element, str), f"expected a text, got {element!r}")
            merged[int(index)] = self._reference(element) if type_ == "refs" else element
        check(None not in merged, "every element of a list is set")
        return merged

    def _check_references(self) -> None:
        for fields in [{"gameObjectName": "Game"} | self.game, *self.objects.values()]:
            for name, type_ in FIELDS[fields["gameObjectName"]].items():
                if not type_.startswith("ref"):
                    continue
                value = fields[name]
                for id_ in value if isinstance(value, list) else [value]:
                    check(id_ is None or id_ in self.objects, f"{name} refers to unknown {id_}")


class Line(Protocol):
    def send(self, text: str) -> None: ...
    def receive(self) -> str | None: ...
    def close(self) -> None: ...


class Tcp:
    """`style`: how the clients of a language write."""

    def __init__(
        self, host: str, port: int, style: str = "Python", source: str = "127.0.0.1"
    ) -> None:
        self.socket = socket.create_connection((host, port), PATIENCE_S, (source, 0))
        self.style = style
        self._sent = 0
        self._rest = b""

    def send(self, text: str) -> None:
        whole = text.encode() + b"\x04"
        if self.style == "Java":  # a line break after each message
            whole = (b"\n" if self._sent else b"") + whole
        self._sent += 1
        if self.style == "c++":  # two writes, without TCP_NODELAY
            cut = len(whole) - 20
            for part in (whole[:cut], whole[cut:]):
                self.socket.sendall(part)
        else:
            self.socket.sendall(whole)

    def receive(self) -> str | None:
        while b"\x04" not in self._rest:
            chunk = self.socket.recv(65536)
            if not chunk:
                check(not self._rest, "the stream ends within a message")
                return None
            self._rest += chunk
        message, self._rest = self._rest.split(b"\x04", 1)
        check(message.isascii(), "C# reads ASCII only")
        return message.decode()

    def close(self) -> None:
        self.socket.close()


class Websocket:
    def __init__(self, host: str, port: int) -> None:
        connecting = websockets.sync.client.connect(f"ws://{host}:{port}", proxy=None)
        self.socket = connecting.__enter__()

    def send(self, text: str) -> None:
        self.socket.send(text)

    def receive(self) -> str | None:
        try:
            message = self.socket.recv(PATIENCE_S)
        except websockets.exceptions.ConnectionClosed:
            return None
        check(isinstance(message, str) and "\x04" not in message, "one object in a text frame")
        assert isinstance(message, str)
        return message

    def close(self) -> None:
        self.socket.close()


class Ended(Exception):
    """The server has sent `over` or `fatal`."""


class Joueur:
    """`turn` is the bot: called with this client for each order; its result is returned."""

    def __init__(
        self, line: Line, turn: Callable[[Joueur], Any] = lambda client: True, **play: Any
    ) -> None:
        self.line = line
        self.turn = turn
        self.play_data = {
            "gameName": "Catastrophe",
            "playerName": "Miaow",
            "clientType": "Python",
            "requestedSession": "*",
            "playerIndex": None,
            "password": None,
            "gameSettings": None,
        } | play
        self.model = Model()
        self.events: list[str] = []
        self.player = ""
        self.invalid: list[str] = []
        self.orders: list[int] = []
        self.end: tuple[str, Any] = ("", None)
        self.token = self.play_data["password"]

    # --- talking

    def say(self, event: str, data: Any, **junk: Any) -> None:
        message = {"event": event, "data": data, "sentTime": time.time()} | junk
        self.line.send(json.dumps(message))

    def hear(self, *expected: str) -> tuple[str, Any]:
        """The next message, which is one of these events."""
        text = self.line.receive()
        check(text is not None, "the connection was closed without over or fatal")
        assert text is not None
        message = json.loads(text)
        check(set(message) <= {"event", "data"}, f"fields of a message: {set(message)}")
        event, data = message["event"], message.get("data")
        check(event in EVENTS, f"Python, Lua, C# and Java die of event {event}")
        self.events.append(event)
        if event == "delta":
            self.model.merge(data)
        elif event in ("over", "fatal"):
            check(isinstance(data, dict), f"{event} without data")
            check(all(isinstance(value, str) for value in data.values()), f"{event} has texts only")
            check(event == "over" or "message" in data, "fatal says why")
            self.end = (event, data)
            raise Ended
        elif event == "invalid":
            self.invalid.append(data["message"])
        check(event in expected, f"expected {expected}, got {event} {data!r}")
        return event, data

    # --- a match

    def join(self) -> None:
        self.say("alias", "catastrophe")
        check(self.hear("named")[1] == "Catastrophe", "the name of a module")
        self.say("play", self.play_data)
        self.lobby = self.hear("lobbied")[1]
        check(self.lobby["gameName"] == "Catastrophe", "gameName")
        check(
            self.lobby["gameVersion"]
            == "ede84ab86376b00287c09558f05e8f2a61b92109d93aad9ebd3379ff4215fb53",
            "gameVersion",
        )
        check(
            self.lobby["constants"] == {"DELTA_REMOVED": "&RM", "DELTA_LIST_LENGTH": "&LEN"},
            "constants",
        )

    def begin(self) -> None:
        self.hear("delta")
        self.player = self.hear("start")[1]["playerID"]

    def run(self) -> tuple[str, Any]:
        """Play a whole match; returns the last message. Leaves at once, as clients do."""
        try:
            self.join()
            self.begin()
            while True:
                self.await_order()
                self.finish(self.turn(self))
        except Ended:
            return self.end
        finally:
            self.line.close()

    def ending(self, *passed: str) -> tuple[str, Any]:
        """The last message; deltas and messages of these events are passed over."""
        try:
            while True:
                self.hear("delta", *passed)
        except Ended:
            return self.end

    def await_order(self) -> None:
        """Wait until it is one's turn."""
        while True:
            event, data = self.hear("delta", "order")
            if event == "order":
                self._ordered(data)
                return

    def _ordered(self, order: Any) -> None:
        check(order["name"] == "runTurn" and order["args"] == [], f"order {order}")
        check(not self.orders or order["index"] > self.orders[-1], "orders count up")
        self.orders.append(order["index"])

    def finish(self, returned: Any) -> None:
        self.say("finished", {"orderIndex": self.orders[-1], "returned": returned})

    def call(self, caller: str, function: str, **args: Any) -> Any:
        """A call of a game object; returns what it returns. The four lists stand still."""
        before = self.lists()
        self.say("run", {"caller": {"id": caller}, "functionName": function, "args": args})
        event, data, refused = "", None, False
        while event != "ran":  # a view of the match may come before the answer
            event, data = self.hear("invalid", "delta", "ran")
            refused = refused or event == "invalid"
        check(self.lists() == before, "the lists change between turns only")
        check(not refused or data is False, "what is invalid returns false")
        return data

    def lists(self) -> list[list[str]]:
        players = [self.model.objects[id_] for id_ in self.model.game["players"]]
        return [[*one[name]] for one in (self.model.game, *players) for name in ORDERED_LISTS]

    # --- what a bot sees

    @property
    def me(self) -> dict[str, Any]:
        return self.model.objects[self.player]

    def object(self, id_: str) -> dict[str, Any]:
        return self.model.objects[id_]

    def units(self) -> Iterator[dict[str, Any]]:
        """One's own, by the list; it must not change meanwhile."""
        return (self.model.objects[id_] for id_ in self.me["units"])

    def around(self, tile: dict[str, Any]) -> Iterator[dict[str, Any]]:
        for way in ("tileNorth", "tileEast", "tileSouth", "tileWest"):
            if tile[way] is not None:
                yield self.model.objects[tile[way]]


def ref(id_: str) -> dict[str, str]:
    return {"id": id_}
