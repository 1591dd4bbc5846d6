"""How strong the house bots of a game are: a round robin of pairs of matches, each with one seed
and swapped seats, and the Elo ratings of all results together.

    python -m benchmarks.house_ladder [GAME ...] [--pairs 20] [--seed 1] [--bots A,B] [--check]

Matches have two seats and what `LADDER` says, otherwise the game's default configuration; they have
no clock, run in one process and depend on the seed alone. `greedy` is the anchor, with 1000.
`--check` fails if a bot is not at least 100 above the one below it in `HOUSE`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from itertools import combinations, pairwise
from pathlib import Path
from time import process_time
from typing import Any

from client_sdk.bot import house, play_headless
from client_sdk.bots import HOUSE
from client_sdk.local.lookup import map_text
from games import GAMES
from games.contest.format import DUEL, for_seats
from games.contest.ratings import Ratings, Record, fit
from games.core.match import Match

LADDER: Mapping[str, Mapping[str, Any]] = {
    "botstack": {"rounds_per_match": 25, "wins_to_win": 10, "draws_to_draw": 25},
}
"""Parameters that differ from the default. Three rounds of BotStack are mostly luck."""
MAPS: Mapping[str, tuple[str, ...]] = {
    "cookoff": ("canteen", "galley", "island", "pantry", "rush_hour", "tandem", "terrace")
}
"""The maps of games without other chance: a pair of matches on each, in place of the seeds."""
ANCHOR = "greedy"
STEP = 100
"""Elo points that a bot is to be above the next."""


class TimedBot:
    """A bot with the CPU time of its decisions, in seconds."""

    def __init__(self, bot: Any) -> None:
        self._bot = bot
        self.spent: list[float] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._bot, name)

    def decide(self, view: Any) -> list[Any]:
        begun = process_time()
        commands = list(self._bot.decide(view))
        self.spent.append(process_time() - begun)
        return commands


def played(
    game: str,
    names: tuple[str, str],
    seed: int,
    config: Mapping[str, Any],
    spent: dict[str, list[float]] | None = None,
) -> float:
    """What the first of two bots scores in one match: 1, 0 or a half."""
    bots = [TimedBot(house(game, name)) for name in names]
    maps = MAPS.get(game)
    board = None if maps is None else map_text(game, maps[seed % len(maps)])
    match = Match.begin(GAMES[game], for_seats(GAMES[game], config, DUEL), seed, board)
    play_headless(match, bots)
    for name, bot in zip(names, bots, strict=True):
        if spent is not None:
            spent[name].extend(bot.spent)
    assert match.outcome is not None
    winner = match.outcome.winner
    return 0.5 if winner is None else float(winner == 0)


def record(game: str, one: str, other: str, seeds: range, spent: dict[str, list[float]]) -> Record:
    """The results of all seeds, each in both seatings."""
    scores, config = [], LADDER.get(game, {})
    for seed in seeds:
        scores.append(played(game, (one, other), seed, config, spent))
        scores.append(1 - played(game, (other, one), seed, config, spent))
    return Record(one, other, scores.count(1), scores.count(0), scores.count(0.5))


def table(ratings: Ratings, records: list[Record], spent: dict[str, list[float]]) -> list[str]:
    """The strongest first, as a table in Markdown."""
    names = [rating.player for rating in ratings.table]
    lines = ["| bot | Elo | 95 % interval | above the next | score | ms a turn | slowest turn |"]
    lines.append("|---|---|---|---|---|---|---|")
    for name, below in zip(names, [*names[1:], None], strict=True):
        low, high = ratings.interval(name)
        lead, score = "", ""
        if below is not None:
            lead = f"{ratings[name].elo - ratings[below].elo:.0f}"
            score = result(records, name, below)
        mean, longest = sum(spent[name]) / len(spent[name]), max(spent[name])
        lines.append(
            f"| `{name}` | {ratings[name].elo:.0f} | {low:.0f} to {high:.0f} | {lead} | {score} "
            f"| {mean * 1000:.2f} | {longest * 1000:.1f} |"
        )
    return lines


def result(records: list[Record], name: str, other: str) -> str:
    """`wins-draws-losses` of one bot against another."""
    for one in records:
        if (one.first, one.second) == (name, other):
            return f"{one.wins}-{one.draws}-{one.losses}"
        if (one.first, one.second) == (other, name):
            return f"{one.losses}-{one.draws}-{one.wins}"
    return ""


def too_close(ratings: Ratings, order: list[str]) -> list[str]:
    """Pairs of neighbours in the list of house bots that are less than a step apart."""
    pairs = pairwise(order)
    leads = ((low, high, ratings[high].elo - ratings[low].elo) for low, high in pairs)
    return [f"{high} is {lead:.0f} above {low}" for low, high, lead in leads if lead < STEP]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help="by default all")
    parser.add_argument("--pairs", type=int, default=20, help="of matches, for each two bots")
    parser.add_argument("--seed", type=int, default=1, help="of the first pair")
    parser.add_argument("--bots", help="only these, with commas")
    parser.add_argument("--check", action="store_true", help=f"fail if a step is below {STEP}")
    parser.add_argument("--json-file", type=Path, help="also write the results here")
    asked = parser.parse_args()
    figures, close = {}, []
    for game in asked.games or HOUSE:
        names = [name for name in HOUSE[game] if not asked.bots or name in asked.bots.split(",")]
        spent: dict[str, list[float]] = {name: [] for name in names}
        pairs = min(asked.pairs, len(MAPS.get(game, range(asked.pairs))))
        seeds = range(asked.seed, asked.seed + pairs)
        begun, records = process_time(), []
        for one, other in combinations(names, 2):
            records.append(record(game, one, other, seeds, spent))
            print(f"{game}: {one} {result(records, one, other)} {other}", flush=True)
        ratings = fit(records, anchor=ANCHOR if ANCHOR in names else names[0])
        print(f"\n{game}, {2 * pairs} matches a pair, {process_time() - begun:.0f} s of CPU\n")
        print("\n".join(table(ratings, records, spent)), end="\n\n")
        figures[game] = {
            rating.player: [round(rating.elo), *map(round, ratings.interval(rating.player))]
            for rating in ratings.table
        }
        close += [f"{game}: {pair}" for pair in too_close(ratings, names)]
    if asked.json_file is not None:
        asked.json_file.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if close:
        print("less than a step: " + "; ".join(close))
        raise SystemExit(1 if asked.check else 0)


if __name__ == "__main__":
    main()
