"""House bots finish their matches, do the same thing twice, and the decent one beats the trivial one."""

import pytest

from client_sdk.bot import house, play_headless
from client_sdk.bots import HOUSE
from games import GAMES
from games.core.match import Match

CONFIG = {"pyrat": {"preset": "tiny"}, "botstack": {}}
TRIVIAL = {"pyrat": "random", "botstack": "trivial"}


def fates(match):
    """The match, its commands recorded with what became of them."""
    told, apply = [], match.apply

    class Watched:
        def __getattr__(self, name):
            return getattr(match, name)

        def apply(self, seat, raw):
            reply = apply(seat, raw)
            told.append((match.turn, seat, raw, reply.code))
            return reply

    return Watched(), told


@pytest.mark.parametrize(("game", "name"), [(game, name) for game, bots in HOUSE.items() for name in bots])
def test_a_house_bot_plays_whole_matches_without_a_refused_command(game, name):
    for seed in range(5):
        match, told = fates(Match.begin(GAMES[game], CONFIG[game], seed))
        play_headless(match, [house(game, name), house(game, name)])

        assert match.outcome is not None
        assert {"ok"} == {code for _, _, _, code in told}


@pytest.mark.parametrize(("game", "name"), [(game, name) for game, bots in HOUSE.items() for name in bots])
def test_the_same_match_is_played_the_same_way_again(game, name):
    def record():
        match, told = fates(Match.begin(GAMES[game], CONFIG[game], seed=17))
        play_headless(match, [house(game, name), house(game, TRIVIAL[game])])
        return told

    assert record() == record()


@pytest.mark.parametrize("game", sorted(HOUSE))
def test_greedy_wins_four_of_five_decided_matches_against_the_trivial_one(game):
    won = []
    for seed in range(100):
        match, seat = Match.begin(GAMES[game], CONFIG[game], seed), seed % 2
        bots = [house(game, "greedy" if place == seat else TRIVIAL[game]) for place in (0, 1)]
        play_headless(match, bots)
        if match.outcome.winner is not None:
            won.append(match.outcome.winner == seat)

    assert len(won) >= 40
    assert sum(won) >= 0.8 * len(won)
