"""House bots: smoke tests, opponents, examples. `HOUSE` is the whole list, for each game from the
weakest to the strongest; a bot's module is imported when it plays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class HouseBot:
    """Where a house bot is, and what it does in one line."""

    module: str
    cls: str
    about: str


HOUSE: Final[dict[str, dict[str, HouseBot]]] = {
    "pyrat": {
        "random": HouseBot(
            "client_sdk.bots.pyrat.random_walk", "RandomWalk", "walks at random, never into a wall"
        ),
        "straight": HouseBot(
            "client_sdk.bots.pyrat.straight",
            "Straight",
            "goes for the cheese that is nearest in a straight line",
        ),
        "greedy": HouseBot(
            "client_sdk.bots.pyrat.greedy",
            "Greedy",
            "goes for the cheese that is nearest and not lost already",
        ),
        "tour": HouseBot(
            "client_sdk.bots.pyrat.tour",
            "Tour",
            "plans its next cheeses as one tour, ahead of the opponent",
        ),
        "search": HouseBot(
            "client_sdk.bots.pyrat.search",
            "Search",
            "searches both players' next cheeses, with alpha and beta",
        ),
    },
    "botstack": {
        "trivial": HouseBot(
            "client_sdk.bots.botstack.trivial",
            "Trivial",
            "always shoots the opponent, uses no items",
        ),
        "odds": HouseBot("client_sdk.bots.botstack.odds", "Odds", "counts bullets and peeks"),
        "medic": HouseBot(
            "client_sdk.bots.botstack.medic",
            "Medic",
            "counts bullets, peeks and heals itself",
        ),
        "greedy": HouseBot(
            "client_sdk.bots.botstack.greedy",
            "Greedy",
            "counts bullets, uses items where they help",
        ),
        "solver": HouseBot(
            "client_sdk.bots.botstack.solver",
            "Solver",
            "solves the load in the gun, with the items of both players",
        ),
    },
    "zooscape": {
        "wanderer": HouseBot(
            "client_sdk.bots.zooscape.wanderer",
            "Wanderer",
            "keeps going, turns at random where it has to",
        ),
        "forager": HouseBot(
            "client_sdk.bots.zooscape.forager", "Forager", "goes for the nearest pellet"
        ),
        "wary": HouseBot(
            "client_sdk.bots.zooscape.wary",
            "Wary",
            "goes for the nearest pellet, ahead of every zookeeper",
        ),
        "greedy": HouseBot(
            "client_sdk.bots.zooscape.greedy",
            "Greedy",
            "eats what lies ahead, keeps out of zookeepers' reach",
        ),
        "hunter": HouseBot(
            "client_sdk.bots.zooscape.hunter",
            "Hunter",
            "eats like greedy, and draws near to the power-ups that it reaches first",
        ),
    },
    "catastrophe": {
        "gatherers": HouseBot(
            "client_sdk.bots.catastrophe.gatherers", "Gatherers", "gathers food and nothing else"
        ),
        "missionaries": HouseBot(
            "client_sdk.bots.catastrophe.missionaries",
            "Missionaries",
            "converts humans and feeds them, never fights",
        ),
        "greedy": HouseBot(
            "client_sdk.bots.catastrophe.greedy",
            "Greedy",
            "gathers, converts, then marches on the overlord",
        ),
        "rush": HouseBot(
            "client_sdk.bots.catastrophe.rush",
            "Rush",
            "attacks the overlord at once, with all humans",
        ),
        "counter": HouseBot(
            "client_sdk.bots.catastrophe.counter",
            "Counter",
            "attacks as rush does, and stops such attacks",
        ),
    },
    "cookoff": {
        "noodles": HouseBot(
            "client_sdk.bots.cookoff.noodles",
            "Noodles",
            "one bot serves noodles and sauce, the rest stands still",
        ),
        "solo": HouseBot(
            "client_sdk.bots.cookoff.solo", "Solo", "cooks what pays best, with one bot"
        ),
        "fifo": HouseBot(
            "client_sdk.bots.cookoff.fifo",
            "Fifo",
            "cooks with all bots what expires first, on new plates",
        ),
        "greedy": HouseBot(
            "client_sdk.bots.cookoff.greedy",
            "Greedy",
            "cooks what pays best for its time, plates and washes",
        ),
        "ready": HouseBot(
            "client_sdk.bots.cookoff.ready",
            "Ready",
            "cooks as greedy does, and prepares for the next order",
        ),
    },
}


def default_opponent(names: Iterable[str]) -> str:
    """The house bot that plays where none is named: `greedy`, which is decent and quick in every
    game. Where there is none, the last of `names`, which has at least one."""
    names = [*names]
    return "greedy" if "greedy" in names else names[-1]
