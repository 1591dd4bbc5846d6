"""A bot of the contest, as its Python starter.

DROP_AT: its connection breaks at this state. Once it is back, it leaves after some states."""

from __future__ import annotations

import faulthandler
import json
import os
import sys
import threading
from typing import Any

if os.environ.get("SIGNALRCORE"):
    sys.path.insert(0, os.environ["SIGNALRCORE"])

from signalrcore.hub_connection_builder import HubConnectionBuilder

over = threading.Event()
seen: dict[str, Any] = {
    "states": 0,
    "back": 0,
    "registered": [],
    "connect": [],
    "ticks": [],
    "botId": None,
}
ids: set[str] = set()

connection = (
    HubConnectionBuilder()
    .with_url(f"http://{os.environ['RUNNER_IPV4']}:{os.environ['RUNNER_PORT']}/bothub")
    .with_automatic_reconnect({"type": "raw", "keep_alive_interval": 10, "reconnect_interval": 1})
    .build()
)


def on_registered(arguments: list[Any]) -> None:
    seen["botId"] = arguments[0]
    seen["registered"].append(arguments[0])


def on_state(arguments: list[Any]) -> None:
    state = seen["last"] = arguments[0]
    seen["states"] += 1
    seen["ticks"].append(state["tick"])
    ids.update(animal["id"] for animal in state["animals"])
    back = len(seen["connect"]) > 1
    if not back and os.environ.get("DROP_AT") == str(seen["states"]):
        drop()
    elif back and seen["botId"] in {animal["id"] for animal in state["animals"]}:
        seen["back"] += 1
        if seen["back"] == 5:
            over.set()
    elif seen["botId"] is not None:
        connection.send("BotCommand", [{"Action": 1 + state["tick"] % 5}])


def drop() -> None:
    """The network breaks."""
    transport = connection.transport
    socket = getattr(transport, "_ws", None) or transport._client
    (getattr(socket, "sock", None) or socket).close()


def on_disconnect(arguments: list[Any]) -> None:
    seen["reason"] = arguments[0]
    over.set()


def on_open() -> None:
    if seen["botId"] is None:
        token = os.environ.get("Token")  # noqa: SIM112  its name in the contest
        connection.send("Register", [token, os.environ["BOT_NICKNAME"]])


connection.on("Connect", lambda arguments: seen["connect"].append(arguments[0]))
connection.on("Registered", on_registered)
connection.on("GameState", on_state)
connection.on("Disconnect", on_disconnect)
connection.on_open(on_open)
faulthandler.dump_traceback_later(90, exit=True)  # the library may wait for ever
connection.start()
in_time = over.wait(80)
print(json.dumps(seen | {"ids": sorted(ids)}), flush=True)
os._exit(0 if in_time else 1)  # its threads come back to the hub for ever
