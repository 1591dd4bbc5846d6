"""What a Cookoff bot's own look at the world costs: thousands of `get_map` and `get_tile` calls a
turn, on the SDK's mirror.

    python benchmarks/kitchen.py [--calls 5000] [--turns 40] [--json-file FILE]

Half of the calls are `get_map`, and of each map three tiles are read; the other half are
`get_tile`. A turn is measured from the view to the list of commands, by the wall clock; the median
and the slowest turn are shown, in ms. The contest gives 500 ms."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from client_sdk.api.cookoff import Bot, RobotController  # noqa: E402
from client_sdk.bot import house, play_headless  # noqa: E402
from games.cookoff import GAME  # noqa: E402
from games.core import maps  # noqa: E402
from games.core.match import Match  # noqa: E402


class Looks(Bot):
    """Asks and asks, and does nothing."""

    def __init__(self, calls: int) -> None:
        self.calls = calls
        self.turns: list[float] = []

    def play_turn(self, controller: RobotController) -> None:
        teams = (controller.get_team(), controller.get_enemy_team())
        for number in range(self.calls // 2):
            kitchen = controller.get_map(teams[number % 2])
            assert kitchen is not None
            x, y = number % kitchen.width, number % kitchen.height
            for column in (x, x - 1, 0):
                assert kitchen.tiles[column][y].tile_name
            tile = controller.get_tile(teams[number % 2], x, y)
            assert tile is not None
            tile.item = None

    def decide(self, view: object) -> list[object]:
        begun = perf_counter()
        commands = list(super().decide(view))
        self.turns.append((perf_counter() - begun) * 1000)
        return commands


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--calls", type=int, default=5_000)
    parser.add_argument("--turns", type=int, default=40)
    parser.add_argument("--json-file", type=Path)
    asked = parser.parse_args()
    measured = {}
    for name in maps.names("cookoff"):
        bot = Looks(asked.calls)
        match = Match.begin(GAME, {"total_turns": asked.turns}, 1, maps.text("cookoff", name))
        play_headless(match, [bot, house("cookoff", "greedy")])
        kitchen = match.view(None)["map"]
        measured[name] = {
            "median_ms": round(median(bot.turns), 1),
            "slowest_ms": round(max(bot.turns), 1),
        }
        size = f"{kitchen['width']}x{kitchen['height']}"
        print(
            f"{name:<10} {size:>6}  {measured[name]['median_ms']:6.1f} ms a turn, slowest "
            f"{measured[name]['slowest_ms']:6.1f}"
        )
    if asked.json_file is not None:
        asked.json_file.write_text(
            json.dumps({"calls": asked.calls, "maps": measured}, indent=1) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
