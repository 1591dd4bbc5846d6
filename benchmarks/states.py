"""What a Zooscape state costs to build and to encode, as the server sends it and as a list of cell
objects with `json.dumps`.

    python -m benchmarks.states [--rounds 9] [--seconds 0.3] [--json-file FILE]

The state is one in the middle of a match on the standard 51x51 board, with four animals that have
walked about and four zookeepers. Time is the process's own CPU time; rounds are interleaved;
medians are shown. The peer builds its list once a tick for all receivers, without a private part
and without a frame around it, so it does less than we do."""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time

import msgspec

from client_sdk.wire.messages import View
from games import GAMES
from games.core.contract import SPECTATOR
from games.core.match import Match
from server.matches.snapshot import Snapshot
from server.net.transport import framed

SEED = 20261127
DIRECTIONS = ("up", "down", "left", "right")
HELD = 8
"""Ticks that a random direction is held, so that the animals get about."""
TICKS = 1_000
"""By then the fourth zookeeper is there."""

GAME = GAMES["zooscape"]


def mid_game() -> Match:
    """A match after TICKS ticks of random walks."""
    dice = random.Random(SEED)
    match = Match.begin(GAME, {}, SEED)
    while match.turn < TICKS:
        for seat in range(match.seats):
            if dice.randrange(HELD) == 0:
                match.apply(seat, {"action": dice.choice(DIRECTIONS)})
        match.advance()
    return match


class Sender:
    """A match's pictures as the server makes them, each time of a new moment."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.start_only = GAME.start_only(match.rules)
        self.constant_fields: list[dict[str, msgspec.Raw]] = [{} for _ in range(match.seats + 1)]

    def picture(self, seat: int | None, public: Snapshot | None = None) -> Snapshot:
        match = self.match
        fixed = self.constant_fields[-1 if seat is None else seat]
        return Snapshot(GAME, match.state, seat, match.turn, match.turn, fixed, public=public)

    def state(self) -> bytes:
        """Build and encode the public view: once a tick."""
        return bytes(self.picture(SPECTATOR).body(self.start_only))

    def frames(self) -> list[bytes]:
        """A tick for all seats: the state once, each seat's own part, and the frames around
        them."""
        turn = self.match.turn
        public = self.picture(SPECTATOR)
        bodies = [
            self.picture(seat, public).body(self.start_only) for seat in range(self.match.seats)
        ]
        return [framed(View(turn, turn, body, act=True)) for body in bodies]


class Cells:
    """The same view with an object for every cell of its map."""

    def __init__(self, match: Match) -> None:
        self.match = match

    def state(self) -> str:
        state = self.match.state
        width = state.maze.width
        cells = [
            {"x": number % width, "y": number // width, "content": content - 48}
            for number, content in enumerate(state.cells)
        ]
        return json.dumps(self.match.view(SPECTATOR) | {"map": cells}, separators=(",", ":"))


def measured(work: Callable[[], object], seconds: float) -> float:
    """µs of CPU time that it takes."""
    times, begun = 0, process_time()
    while process_time() - begun < seconds:
        work()
        times += 1
    return (process_time() - begun) / times * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.3, help="CPU time per figure and round")
    parser.add_argument("--json-file", type=Path, help="also write the figures here")
    asked = parser.parse_args()
    match = mid_game()
    sender, cells = Sender(match), Cells(match)
    works: dict[str, Callable[[], object]] = {
        "the state, cell objects and json.dumps": cells.state,
        "the state": sender.state,
        "four seats' frames": sender.frames,
    }
    rounds: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(asked.rounds):
        for name, work in works.items():
            rounds[name].append(measured(work, asked.seconds))
    theirs, *_ = rounds.values()
    ratios = {
        name: median(their / our for their, our in zip(theirs, values, strict=True))
        for name, values in rounds.items()
    }
    frames = sender.frames()
    sizes = {
        "zookeepers": len(match.state.zookeepers),
        "tick": match.turn,
        "state_bytes": len(sender.state()),
        "frame_bytes": max(map(len, frames)),
        "cell_objects_bytes": len(cells.state()),
    }
    print(f"µs of CPU time, median of {asked.rounds} rounds (lowest to highest)")
    for name, values in rounds.items():
        print(
            f"{name:<40} {median(values):>8.1f}  ({min(values):.1f} to {max(values):.1f}) "
            f"{ratios[name]:>7.1f}x"
        )
    print(
        f"at tick {sizes['tick']} with {sizes['zookeepers']} zookeepers: state "
        f"{sizes['state_bytes']:,} bytes,"
        f" a view frame {sizes['frame_bytes']:,}, with cell objects {sizes['cell_objects_bytes']:,}"
    )
    figures = {
        "benchmark": "states",
        "us": {name: round(median(values), 2) for name, values in rounds.items()},
        "ratio": {name: round(ratio, 1) for name, ratio in ratios.items()},
        **sizes,
    }
    print(json.dumps(figures))
    if asked.json_file is not None:
        asked.json_file.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
