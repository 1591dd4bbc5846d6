"""What a call costs a Catastrophe bot: on the SDK's mirror, one by one over the socket, and as
lists of ten.

    python -m benchmarks.rpc [--rounds 5] [--turns 40] [--json-file FILE]

Up to eight humans a side step to and fro, four steps each, so a turn is some thirty calls that all
work. `calls` are calls of the SDK's objects until they have returned, which is all that a bot waits
for; `settled` the same until the server's results for all of them and for the end of the turn have
come and are compared. `singles` is a bare websockets client that sends one command and waits for
its result, `tens` the same with ten commands a frame; for these two the end of the turn is left
aside. One server, a process of its own; the three clients take turns. Then the sizes of what is
seen in a match of `greedy` and `gatherers`, and what that match costs without sockets, its journal
on.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Final

import msgspec
from websockets.sync.client import Connection, connect

from benchmarks.load.servers import pin, serve_command, started
from client_sdk.api.catastrophe import AI, Unit
from client_sdk.bot import house, play_headless
from client_sdk.live import play
from client_sdk.rest import RestClient
from client_sdk.wire.delta import diff, patch
from games import GAMES
from games.core.contract import SPECTATOR, Json, Reply
from games.core.journal import Journal
from games.core.match import Match

SEED: Final = 3
END: Final = {"cmd": "end_turn"}
STEPS: Final = 4
"""Of every human, each turn."""

TIMED: Final = ("calls", "settled", "tens")


class Calls(AI):
    """Steps to and fro; times how long it is from the view to the last result."""

    def __init__(self) -> None:
        self.rates: list[float] = []
        self.called: list[float] = []
        """The same, until the calls have returned."""

    def run_turn(self) -> bool:
        begun = perf_counter()
        count = 0
        for unit in self.player.units:
            if unit != self.player.cat:
                count += self.walk(unit)
        self.called.append(count / (perf_counter() - begun))
        self.begun, self.count = begun, count
        return True

    def walk(self, unit: Unit) -> int:
        here = unit.tile
        assert here is not None
        there = next((tile for tile in here.get_neighbors() if tile.is_pathable()), None)
        if there is None:
            return 0
        for number in range(STEPS):
            worked = unit.move(here if number % 2 else there)
            assert worked
        return STEPS

    def on_results(self, results: Sequence[Reply]) -> None:
        super().on_results(results)
        self.rates.append(self.count / (perf_counter() - self.begun))


def steps(view: Json, seat: int) -> list[Json]:
    """The same commands from a view."""
    blocked = {(one["x"], one["y"]) for one in view["units"]}
    blocked |= {(one["x"], one["y"]) for one in view["structures"] if one["type"] != "shelter"}
    commands = []
    for unit in view["units"]:
        if unit["owner"] == seat and unit["job"] != "cat overlord":
            x, y = unit["x"], unit["y"]
            around = ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))
            free = [
                place
                for place in around
                if place not in blocked and 0 <= place[0] < 26 and 0 <= place[1] < 18
            ]
            for to in [free[0], (x, y)] * (STEPS // 2) if free else ():
                commands += [{"cmd": "move", "unit": unit["id"], "x": to[0], "y": to[1]}]
    return commands


def bare(url: str, token: str, seat: int, size: int) -> list[float]:
    """Play a match with `size` commands a frame; return the commands per second of each turn. Size
    0: only end the turns."""
    rates = []
    encode, decode = msgspec.json.encode, msgspec.json.decode
    with connect(url, compression=None, proxy=None, max_size=None) as socket:
        socket.send(json.dumps({"type": "hello", "protocol": 1, "token": token}))
        while (message := decode(socket.recv()))["type"] != "end":
            if message["type"] != "view" or not message["act"]:
                continue
            turn = message["turn"]
            commands = steps(message["view"], seat) if size else []
            begun = perf_counter()
            for first in range(0, len(commands), max(1, size)):
                _asked(
                    socket,
                    encode(
                        {
                            "type": "commands",
                            "turn": turn,
                            "commands": commands[first : first + size],
                        }
                    ),
                    decode,
                )
            rates.append(len(commands) / (perf_counter() - begun))
            _asked(socket, encode({"type": "commands", "turn": turn, "commands": [END]}), decode)
    return rates


def _asked(socket: Connection, frame: bytes, decode: Callable[[str | bytes], Json]) -> None:
    socket.send(frame, text=True)
    while (answer := decode(socket.recv()))["type"] != "results":
        pass
    assert all(result["code"] == "ok" for result in answer["results"]), answer


def calls(url: str, token: str) -> tuple[list[float], list[float]]:
    bot = Calls()
    play(bot, url, token)
    return bot.rates, bot.called


def matched(server: str, turns: int, one: Callable[[str, str], Any]) -> Any:
    """What `one` measures in a match against an opponent that only ends turns."""
    config = {"starting_humans": 8, "max_turns": 2 * turns, "time_bank_s": 600}
    with RestClient(server) as rest:
        lobby = rest.create("catastrophe", config=config, seed=SEED)["lobby"]
        seats = [rest.join(lobby, "catastrophe", name) for name in ("measured", "idle")]
    idle = threading.Thread(
        target=bare, args=(seats[1]["url"], seats[1]["token"], 1, 0), daemon=True
    )
    idle.start()
    found = one(seats[0]["url"], seats[0]["token"])
    idle.join()
    return found


def measured(server: str, rounds: int, turns: int) -> dict[str, Any]:
    rows: list[dict[str, float]] = []
    for number in range(-1, rounds):
        settled, called = matched(server, turns, calls)
        tens = matched(server, turns, lambda url, token: bare(url, token, 0, 10))
        singles = matched(server, turns, lambda url, token: bare(url, token, 0, 1))
        if number < 0:
            continue  # warm-up
        found = {"calls": called, "settled": settled, "tens": tens, "singles": singles}
        row = {name: statistics.median(rates) for name, rates in found.items()}
        rows.append(row)
        figures = "".join(f" {figure:>10,.0f}" for figure in row.values())
        print(
            f"{number + 1:>5}{figures}  "
            + "".join(f" {row[name] / row['singles']:>7.1f}" for name in TIMED)
        )
    return {
        "rounds": rows,
        "ratios": {
            name: round(statistics.median(row[name] / row["singles"] for row in rows), 2)
            for name in TIMED
        },
    }


def seen() -> dict[str, Any]:
    """A whole match of `greedy` on either seat: what a spectator gets, bytes, and the CPU time,
    seconds."""
    wholes: list[int] = []
    deltas: list[int] = []
    held: Json = None
    seconds = 0.0
    for names in (("gatherers", "greedy"), ("greedy", "gatherers")):
        bots = [house("catastrophe", name) for name in names]
        match = Match.begin(GAMES["catastrophe"], {}, SEED)
        match.journal = Journal([].append)
        begun = process_time()
        play_headless(match, bots)
        seconds = max(seconds, process_time() - begun)
        held = None

        def shown(match: Match) -> None:
            nonlocal held
            view = json.loads(json.dumps(match.view(SPECTATOR)))
            if held is not None:
                change = diff(held, view)
                deltas.append(len(msgspec.json.encode(change)))
                assert patch(held, change) == view
            wholes.append(len(msgspec.json.encode(view)))
            held = view

        again = Match.begin(GAMES["catastrophe"], {}, SEED)
        play_headless(again, [house("catastrophe", name) for name in names], shown=shown)
    return {
        "whole_median": statistics.median(wholes),
        "whole_largest": max(wholes),
        "delta_median": statistics.median(deltas),
        "delta_largest": max(deltas),
        "match_cpu_s": round(seconds, 2),
    }


def main(argv: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--turns", type=int, default=40, help="of the measured seat, in each match")
    parser.add_argument("--json-file", type=Path, help="write the figures there too")
    asked = parser.parse_args(None if argv is None else [*argv])
    pin(0, 1)
    os.environ["BOTARENA_FRAMES_PER_SECOND"] = (
        "1000000"  # the single-command frames exceed the default rate limit
    )
    with tempfile.TemporaryDirectory() as folder:
        server, url = started(serve_command(folder), folder)
        try:
            print("commands per second, median of the turns; then how many times the singles")
            print(
                "round"
                + "".join(f" {name:>10}" for name in (*TIMED, "singles"))
                + "  "
                + "".join(f" {n:>7}" for n in TIMED)
            )
            figures = measured(url, asked.rounds, asked.turns)
        finally:
            server.terminate()
            server.wait(10)
    print(f"times the singles, median of {asked.rounds} rounds: {figures['ratios']}")
    sizes = seen()
    print(
        f"a spectator's view: {sizes['whole_median']:,.0f} bytes, {sizes['whole_largest']:,} at "
        "most; "
        f"a turn as a delta: {sizes['delta_median']:,.0f}, {sizes['delta_largest']:,} at most"
    )
    print(f"a whole match of the house bots, journal on: {sizes['match_cpu_s']} s of CPU")
    figures = {"benchmark": "rpc"} | figures | sizes
    print(json.dumps(figures))
    if asked.json_file is not None:
        asked.json_file.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
