"""The driver of the Python SDK: plays cases of sdk/conformance as their README says.

Reads a case per line, plays all of them at the same time, and writes a report per line."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from typing import Any

from client_sdk.address import socket_url
from client_sdk.base import Bot
from client_sdk.connection import Connection
from client_sdk.conversation import Conversation
from client_sdk.errors import ConnectionLost, ServerRefused
from client_sdk.program import LOST, OVER, REFUSED, run
from client_sdk.start import Start
from client_sdk.wire.messages import End, Event, MatchStart, View
from games.core.contract import Json, Reply

POLL_S = 0.001


class Driven(Bot):
    """Does what a case says, and keeps what it was called with."""

    def __init__(self, client: dict[str, Any], orders: dict[str, Any]) -> None:
        self.name = client.get("name", "driver")
        self.start_only = tuple(client.get("once", ()))  # type: ignore[misc]
        self.wants_changes = client.get("changes", False)  # type: ignore[misc]
        self._orders = orders
        self._decisions = list(orders.get("decide", ()))
        self.calls: list[list[Any]] = []

    def on_start(self, start: Start) -> None:
        self._called(
            "start",
            {
                "match": start.match,
                "game": start.game,
                "seat": start.seat,
                "names": [*start.names],
                "config": start.config,
                "turn": start.turn,
                "view": start.view,
                "within_ms": start.within_ms,
                "startup_ms": start.clock.startup_ms,
            },
        )

    def decide(self, view: Json) -> Iterable[Json]:
        self.calls.append(["decide", view])
        return self._obey(self._decisions.pop(0) if self._decisions else [], view)

    def on_view(self, view: Json) -> None:
        self._called("view", view)

    def on_results(self, results: Sequence[Reply]) -> None:
        self._called("results", replies(results))

    def on_event(self, event: dict[str, Json]) -> None:
        if event["e"] == "mark":
            self.link.info({"mark": event["data"]})
        else:
            fields = {name: event[name] for name in ("turn", "seat", "data")}
            self._called("event", {"event": event["e"]} | fields)

    def on_end(self, outcome: dict[str, Json]) -> None:
        self._called("end", outcome)

    def _called(self, hook: str, value: Json) -> None:
        self.calls.append([hook, value])
        self._obey(self._orders.get(hook, ()), value)

    def _obey(self, orders: Iterable[list[Any]], view: Json) -> list[Json]:
        answer: list[Json] = []
        for verb, *given in orders:
            match verb:
                case "answer":
                    answer = given[0]
                case "repeat":
                    answer = given[:1] * given[1]
                case "echo":
                    answer = [view]
                case "provisional":
                    self.link.provisional(given[0])
                case "info":
                    self.link.info(given[0])
                case "early":
                    self.calls.append(["early", self.link.send_early(given[0])])
                case "out_of_turn":
                    self.link.send_out_of_turn(given[0])
                case "fresh":
                    self.calls.append(["fresh", self.link.fresh_view()])
                case "await_results":
                    found: list[list[Reply]] = []
                    while not (found := found + self.link.pending_results()):
                        time.sleep(POLL_S)
                    self.calls.append(["early_results", [*map(replies, found)]])
                case "await_stop":
                    while not self.link.stopped():
                        time.sleep(POLL_S)
                case "compute":
                    while not self.link.stopped():
                        pass
                case "await_turn":
                    conversation = self.link._connection.conversation  # type: ignore[attr-defined]
                    while conversation.turn != given[0]:
                        time.sleep(POLL_S)
                case "clock":
                    deadline = self.link.deadline(0.0, None) is not None  # type: ignore[arg-type]
                    bank_s = self.link.bank_s()
                    bank_ms = None if bank_s is None else round(bank_s * 1000)
                    self.calls.append(["clock", {"deadline": deadline, "bank_ms": bank_ms}])
                case "banks":
                    banks_s = self.link.banks_s()
                    banks = banks_s and [bank and round(bank * 1000) for bank in banks_s]
                    self.calls.append(["banks", banks])
                case "stopped":
                    self.calls.append(["stopped", self.link.stopped()])
                case "raise":
                    raise RuntimeError("as the case says")
                case _:
                    raise SystemExit(f"no order of this format: {verb}")
        return answer


def replies(results: Sequence[Reply]) -> list[dict[str, Json]]:
    return [{"code": reply.code, "why": reply.why, "changes": reply.changes} for reply in results]


def watch(url: str, client: dict[str, Any], calls: list[list[Any]]) -> int:
    conversation = Conversation(
        token=client.get("token"),
        match=client["match"],
        deltas=client.get("deltas", True),
        heartbeat_s=client.get("heartbeat_ms", 5000) / 1000,
    )
    try:
        with Connection(socket_url(url, "watch"), conversation) as connection:
            while True:
                match connection.next():
                    case MatchStart() as start:
                        calls.append(["start", {"turn": start.turn, "view": start.view}])
                    case View() as view:
                        calls.append(["view", view.view])
                    case Event(event=kind, turn=turn, seat=seat, data=data):
                        fields = {"event": kind, "turn": turn, "seat": seat, "data": data}
                        calls.append(["event", fields])
                    case End(outcome=outcome):
                        calls.append(["end", outcome])
                        return OVER
    except ServerRefused:
        return REFUSED
    except ConnectionLost:
        return LOST


def play(url: str, case: dict[str, Any]) -> None:
    client = case.get("client", {})
    if client.get("match"):
        calls: list[list[Any]] = []
        code = watch(url, client, calls)
    else:
        bot = Driven(client, case.get("bot", {}))
        code = run(bot, url, client.get("token", "s_1"))
        calls = bot.calls
    report = json.dumps({"name": case["name"], "calls": calls, "exit": code})
    sys.stdout.write(f"{report}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    for line in sys.stdin:
        given = json.loads(line)
        threading.Thread(target=play, args=(given["url"], given["case"])).start()
