"""What a turn costs without sockets, clocks and bots, by game: views, rules, record.

    python -m benchmarks.engines [GAME ...] [--rounds 7] [--json-file FILE]

House bots play one match of each game; then their commands are played again, with the views that
were asked for and the journal, without the journal, and without either. Processor time of the
process, rounds interleaved, the lowest of each. Prints a table in µs per turn (Zooscape: per tick)
and a line of JSON. The last column is the journal's chain value at the end: while it stays the
same, every state and every line has stayed the same."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import process_time
from typing import Any, TypeAlias

from client_sdk.bot import house, play_headless
from games import GAMES
from games.core.contract import Json, Reply
from games.core.journal import Journal
from games.core.match import Match

SEED = 5
MATCHES: dict[str, tuple[dict[str, Json], tuple[str, ...]]] = {
    "pyrat": ({}, ("greedy", "tour")),
    "zooscape": ({"max_ticks": 1_000}, ("greedy", "wary", "forager", "hunter")),
    "catastrophe": ({}, ("greedy", "gatherers")),
    "cookoff": ({}, ("greedy", "ready")),
    "botstack": ({}, ("greedy", "odds")),
}
"""The configuration and the bots of each game's match."""

Step: TypeAlias = tuple[str, Any, Any]
"""What is called, and its arguments."""


class Noted(Match):
    """A match that notes what is asked of it."""

    __slots__ = ("steps",)
    steps: list[Step]

    def view(self, viewer: int | None) -> Json:
        self.steps.append(("view", viewer, None))
        return super().view(viewer)

    def apply(self, seat: int, raw: Json, stamps: Json = None) -> Reply:
        self.steps.append(("apply", seat, raw))
        return super().apply(seat, raw, stamps)

    def advance(self, stamps: Json = None) -> None:
        self.steps.append(("advance", None, None))
        super().advance(stamps)


def noted(game: str) -> list[Step]:
    """The steps of a match of house bots."""
    config, bots = MATCHES[game]
    match = Noted.begin(GAMES[game], config, SEED)
    assert isinstance(match, Noted)
    match.steps = []
    play_headless(match, [house(game, bot) for bot in bots])
    return match.steps


def again(game: str, steps: list[Step], *, views: bool, record: bool) -> tuple[float, Match]:
    """Processor time in µs per turn, and the match at its end."""
    match = Match.begin(GAMES[game], MATCHES[game][0], SEED)
    if record:
        match.journal = Journal(len)
    view, apply, advance = match.view, match.apply, match.advance
    begun = process_time()
    for what, who, raw in steps:
        if what == "apply":
            apply(who, raw)
        elif what == "advance":
            advance()
        elif views:
            view(who)
    return (process_time() - begun) / match.turn * 1e6, match


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", metavar="GAME", default=[*MATCHES])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json-file", type=Path, help="also write the figures here")
    asked = parser.parse_args()
    found: dict[str, dict[str, Any]] = {}
    for game in asked.games:
        steps = noted(game)
        whole, silent, bare = [], [], []
        for _ in range(asked.rounds):
            time, match = again(game, steps, views=True, record=True)
            assert match.journal is not None
            whole.append(time)
            silent.append(again(game, steps, views=True, record=False)[0])
            bare.append(again(game, steps, views=False, record=False)[0])
        found[game] = {
            "turns": match.turn,
            "all": round(min(whole), 1),
            "record": round(min(whole) - min(silent), 1),
            "views": round(min(silent) - min(bare), 1),
            "rules": round(min(bare), 1),
            "chain": match.journal.head,
        }
    print(f"{'µs per turn':<12}{'turns':>7}{'all':>9}{'record':>9}{'views':>9}{'rules':>9}  chain")
    for game, row in found.items():
        numbers = "".join(f"{row[name]:>9}" for name in ("all", "record", "views", "rules"))
        print(f"{game:<12}{row['turns']:>7}{numbers}  {row['chain']}")
    line = json.dumps({"benchmark": "engines", "us_per_turn": found})
    print(line)
    if asked.json_file is not None:
        asked.json_file.write_text(line + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
