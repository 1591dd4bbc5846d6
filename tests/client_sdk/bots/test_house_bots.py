"""House bots finish their matches, do the same thing twice, and the decent one beats the trivial
one."""

import pytest

from client_sdk.api.pyrat import Bot, Direction
from client_sdk.bot import house, play_headless
from client_sdk.bots import HOUSE
from client_sdk.bots.pyrat.greedy import Greedy
from games import GAMES
from games.core.match import Match

CONFIG = {
    "pyrat": {"preset": "tiny"},
    "zooscape": {"seats": 2, "map_size": 15, "max_ticks": 100},
    "catastrophe": {"map_width": 16, "map_height": 12, "max_turns": 200},
    "cookoff": {"total_turns": 150},
}
TRIVIAL = {game: next(iter(bots)) for game, bots in HOUSE.items()}


def fates(match):
    """The match, and its commands with their results."""
    replies, apply = [], match.apply

    class Watched:
        def __getattr__(self, name):
            return getattr(match, name)

        def apply(self, seat, raw):
            reply = apply(seat, raw)
            replies.append((match.turn, seat, raw, reply.code))
            return reply

    return Watched(), replies


@pytest.mark.parametrize(
    ("game", "name"), [(game, name) for game, bots in HOUSE.items() for name in bots]
)
def test_a_house_bot_plays_without_a_refused_command_and_the_same_way_again(game, name):
    def record(opponent, seed):
        match, replies = fates(Match.begin(GAMES[game], CONFIG.get(game, {}), seed))
        play_headless(match, [house(game, name), house(game, opponent)])

        assert match.outcome is not None
        assert {"ok"} == {code for _, _, _, code in replies}
        return replies

    assert record(name, 0) == record(name, 0)
    record(TRIVIAL[game], 17)


@pytest.mark.soak
@pytest.mark.parametrize("game", sorted(HOUSE))
def test_greedy_wins_four_of_five_decided_matches_against_the_trivial_one(game):
    won = []
    for seed in range(100):
        match, replies = fates(Match.begin(GAMES[game], CONFIG.get(game, {}), seed))
        seat = seed % 2
        bots = [house(game, "greedy" if place == seat else TRIVIAL[game]) for place in (0, 1)]
        play_headless(match, bots)
        assert {"ok"} == {code for _, _, _, code in replies}
        if match.outcome.winner is not None:
            won.append(match.outcome.winner == seat)
    assert len(won) >= 40
    assert sum(won) >= 0.8 * len(won)


class Afresh(Bot):
    """Greedy as its rule is worded: it calculates every path again each turn."""

    def think(self, state, ctx):
        mine, theirs = (
            state.distances_from(state.my_position),
            state.distances_from(state.opponent_position),
        )

        def worth(cell):
            opponent = theirs[cell] + state.opponent_mud_turns if cell in theirs else 10**6
            return opponent < mine[cell], mine[cell], -opponent

        reachable = [cell for cell in state.cheese if cell in mine]
        if not reachable:
            return Direction.STAY
        way = state.shortest_path(state.my_position, min(reachable, key=worth))
        return way.first_moves[0] if way.first_moves else Direction.STAY


class InAHurry(Greedy):
    """Greedy that has no time before turn 1."""

    def preprocess(self, state, ctx):
        ctx.should_stop = lambda: True
        super().preprocess(state, ctx)


@pytest.mark.parametrize("kind", [Greedy, InAHurry])
@pytest.mark.parametrize(
    "config",
    [
        {},
        {"preset": "swamp", "mud_timing": "plus_one"},
        {"preset": "asymmetric", "start_positions": "random"},
        {"connected": False, "wall_density": 0.9, "width": 9, "height": 9, "cheese_count": 21},
    ],
)
def test_greedy_in_pyrat_decides_as_if_it_recalculated_every_path(kind, config):
    for seed in range(2):
        records = []
        for bot in (kind, Afresh):
            match, replies = fates(Match.begin(GAMES["pyrat"], config | {"max_turns": 150}, seed))
            play_headless(match, [bot(), bot()])
            records.append(replies)

        assert records[0] == records[1]
