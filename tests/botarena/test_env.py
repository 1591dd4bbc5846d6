"""`botarena.env`: the same matches as without it, arrays that say what the views say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import botarena
from botarena.env import AECEnv, ArrayEnv, BatchEnv, Env, GymEnv, ParallelEnv
from client_sdk.link import HeadlessLink
from client_sdk.start import start_of
from games import GAMES
from games.core.contract import BadSetup
from games.core.play import play
from games.core.rerun import verify
from tests.botarena.episodes import SMALL, Scripted, hashes, history, random_episode
from tests.core.records import begun
from tests.core.throw_in import DUEL, WALK

every_game = pytest.mark.parametrize("game", sorted(SMALL))


@every_game
@pytest.mark.parametrize(
    "seeds", [pytest.param(3, id="short"), pytest.param(1_000, id="long", marks=pytest.mark.soak)]
)
def test_recorded_actions_give_the_same_record_as_a_match_without_the_environment(game, seeds):
    for seed in range(seeds):
        env, answers = random_episode(game, seed, SMALL[game])
        match, written = begun(GAMES[game], SMALL[game], seed)
        play(match, [Scripted(each) for each in answers])
        expected = history("".join(written))

        assert history(env.journal) == expected
        assert expected[-1][0] is not None
        assert verify(env.journal.encode(), GAMES).kind == "ok"


@every_game
def test_an_action_stands_for_each_legal_command_and_for_no_other(game):
    env = ArrayEnv(game, config=SMALL[game])
    for seed in range(2):
        env.reset(seed)
        chance = np.random.default_rng(seed)
        while not env.done:
            actions = {}
            for seat in range(env.seats):
                legal, numbers = env.legal(seat), np.flatnonzero(env.action_mask(seat))
                found = [env.command(seat, number) for number in numbers]
                assert sorted(map(str, found)) == sorted(map(str, legal))
                if seat in env.awaited:
                    actions[seat] = int(chance.choice(numbers))
            assert all(replies[0].ok for replies in env.act(actions).replies.values())


@every_game
def test_an_illegal_action_is_not_accepted(game):
    env = ArrayEnv(game, config=SMALL[game] | ({"max_turns": 2} if game == "catastrophe" else {}))
    env.reset(1)
    seat = min(env.awaited)
    illegal = np.flatnonzero(env.action_mask(seat) == 0)
    for action in illegal[:: len(illegal) // 40 + 1]:
        env.reset(1)
        command = env.command(seat, int(action))
        (reply,) = env.step({seat: command}).replies[seat]
        dropped = game == "catastrophe" and command is not None and command["cmd"] == "drop"
        assert not reply.ok or dropped, "only the drop of nothing is accepted and not listed"


@every_game
def test_arrays_have_their_shapes_and_depend_on_the_view_alone(game):
    env, twin = (ArrayEnv(game, config=SMALL[game]) for _ in range(2))
    for seed in (1, 2):
        env.reset(seed)
        twin.reset(seed)
        for seat in range(env.seats):
            seen, again = env.arrays(seat), twin.arrays(seat)
            assert {name: array.shape for name, array in seen.items()} == dict(env.shapes)
            for name, array in seen.items():
                assert array.dtype == np.float32
                assert np.array_equal(array, again[name])
        assert any(
            not np.array_equal(array, env.arrays(env.seats - 1)[name])
            for name, array in env.arrays(0).items()
        )


def test_the_board_of_pyrat_is_the_maze_of_the_view():
    env = ArrayEnv("pyrat", config={"preset": "swamp"})
    env.reset(5)
    view, board = env.observe(1), env.arrays(1)["board"]
    (x, y), cheese = view["python"]["position"], view["cheese"]

    assert [*map(list, np.argwhere(board[4]))] == sorted(cheese)
    assert [*map(list, np.argwhere(board[5]))] == [[x, y]]
    assert [*map(list, np.argwhere(board[6]))] == [view["rat"]["position"]]
    assert {
        move for plane, move in enumerate(("UP", "RIGHT", "DOWN", "LEFT")) if board[plane, x, y]
    } == set(view["moves"])
    assert board[:4].max() == max(cost for _, _, cost in view["maze"]["mud"])


def test_the_kitchen_and_the_land_are_those_of_the_view():
    env = ArrayEnv("cookoff", config=SMALL["cookoff"], map="galley")
    env.reset(1)
    view, seen = env.observe(0), env.arrays(0)
    rows = view["map"]["rows"]
    assert seen["kitchens"].shape[2:] == (len(rows[0]), len(rows))
    shops = [
        (x, len(rows) - 1 - y)
        for y, row in enumerate(rows)
        for x, kind in enumerate(row)
        if kind == "$"
    ]
    assert sorted(map(tuple, np.argwhere(seen["kitchens"][0, 9]))) == sorted(shops)
    assert [[bot["x"], bot["y"]] for bot in view["bots"] if bot["team"] == "RED"] == seen["bots"][
        :, :2
    ].tolist()

    env = ArrayEnv("catastrophe", config=SMALL["catastrophe"])
    env.reset(1)
    own = [(unit["y"], unit["x"]) for unit in env.observe(1)["units"] if unit["owner"] == 1]
    assert sorted(map(tuple, np.argwhere(env.arrays(1)["board"][:6].sum(axis=0)))) == sorted(own)


@every_game
def test_a_seat_against_a_bot_plays_the_match_that_bots_play(game):
    """The learner answers what `greedy` would: the match is that of greedy against greedy."""
    outer = GymEnv(game, "greedy", seat=1, config=SMALL[game], record=True)
    _, info = outer.reset(seed=4)
    env, bot = outer.env, botarena.house_bot(game, "greedy")
    bot.link = HeadlessLink(env.match)
    bot.on_start(start_of(env.match, 1, ["one", "other"]))
    turn, answer = -1, iter(())
    while not env.done:
        if env.match.turn != turn:
            turn, answer = env.match.turn, iter(bot.decide(env.observe(1)))
        wanted = env.game.parse(next(answer))
        (action,) = (
            action
            for action in np.flatnonzero(info["action_mask"])
            if env.game.parse(env.command(1, action)) == wanted
        )
        _, _, done, cut, info = outer.step(action)
        assert (info["accepted"], done, cut) == (True, env.done, False)
    played = botarena.play(game, "greedy", "greedy", seed=4, config=SMALL[game])

    assert hashes(env.journal) == hashes(played.journal)
    assert len(hashes(env.journal)) == env.match.turn + 1, "one for each turn and one for the end"


@pytest.mark.parametrize(
    ("game", "config"),
    [
        ("pyrat", SMALL["pyrat"]),
        ("pyrat", {"preset": "swamp", "max_turns": 90}),
        ("pyrat", {"preset": "tiny", "mud_timing": "plus_one", "mud_density": 0.9}),
        ("botstack", {"rounds_per_match": 1}),
    ],
)
def test_a_batch_is_the_matches_one_by_one(game: str, config: dict[str, Any]):
    batch = BatchEnv(game, 3, config=config)
    singles = [ArrayEnv(game, config=config) for _ in range(3)]
    seen, seeds = batch.reset(10), [10, 11, 12]
    for env, seed in zip(singles, seeds, strict=True):
        env.reset(seed)
    chance = np.random.default_rng(1)
    for _ in range(150):
        for number, env in enumerate(singles):
            assert seen.done[number] == env.done
            assert [*np.flatnonzero(seen.awaited[number])] == sorted(env.awaited)
            for seat in (0, 1):
                assert np.array_equal(seen.action_mask[number, seat], env.action_mask(seat))
                for name, array in env.arrays(seat).items():
                    assert np.array_equal(seen.observations[name][number, seat], array)
        likely = chance.random(seen.action_mask.shape) * seen.action_mask
        actions = likely.argmax(axis=2)
        done, seen = seen.done, batch.step(actions)
        for number, env in enumerate(singles):
            if done[number]:
                seeds[number] += 3
                env.reset(seeds[number])
                assert not seen.rewards[number].any()
            else:
                step = env.act({seat: actions[number, seat] for seat in env.awaited})
                assert seen.rewards[number].tolist() == list(step.rewards)
    assert min(seeds) > 12, "every match was over at least once"


def test_a_batch_needs_a_seed_for_each_match():
    batch = BatchEnv("pyrat", 2)
    with pytest.raises(ValueError, match="expected 2 seeds, got 3"):
        batch.reset([1, 2, 3])
    with pytest.raises(ValueError, match="no match has begun: call reset"):
        batch.step(np.zeros((2, 2), int))


@pytest.mark.parametrize("game", ["pyrat", "botstack"])
def test_a_batch_needs_an_action_for_each_seat_of_each_match(game):
    batch = BatchEnv(game, 3)
    batch.reset(1)
    for shape in ((3,), (2, 2), (3, 3), (3, 2, 5)):
        with pytest.raises(ValueError, match=r"expected actions of the shape \(3, 2\), got \("):
            batch.step(np.zeros(shape, int))


def test_the_reward_is_the_result_and_what_progress_gains():
    env = Env("pyrat", config=SMALL["pyrat"], progress=lambda view: view[view["you"]]["score"])
    env.reset(2)
    total = [0.0, 0.0]
    while not env.done:
        step = env.step({seat: env.legal(seat)[env.match.turn % 5] for seat in env.awaited})
        total = [now + gain for now, gain in zip(total, step.rewards, strict=True)]
    result = {"win": 1, "loss": -1, "draw": 0}
    assert total == [result[one.outcome] + one.score for one in env.match.outcome.seats]


def test_silence_is_what_the_rules_say():
    env = Env("botstack")
    env.reset(1)
    turn = env.match.turn
    step = env.step({})
    assert (env.match.turn, step.replies) == (turn + 1, {})
    assert not env.step({min(env.awaited): "no command"}).done

    env = Env("catastrophe")
    assert env.step({min(env.awaited): {"cmd": "rest", "unit": 0}}).done is False
    assert env.match.turn == 0, "a refused command leaves the turn open"


def test_a_wrong_call_says_what_is_expected():
    env = Env("pyrat", config=SMALL["pyrat"])
    with pytest.raises(ValueError, match="expected seats 0 to 1, got \\[2\\]"):
        env.step({2: "UP"})
    with pytest.raises(BadSetup, match="no game is called 'chess'"):
        Env("chess")
    with pytest.raises(ValueError, match="walk does not list its legal commands"):
        Env(WALK).legal(0)
    with pytest.raises(ValueError, match=r"duel has no arrays, only botstack, .*: use Env"):
        ArrayEnv(DUEL)
    with pytest.raises(ValueError, match="expected a seat, 0 to 1, got 2"):
        GymEnv("pyrat", seat=2)
    with pytest.raises(ValueError, match="botstack is played in turns: use AECEnv"):
        ParallelEnv("botstack")
    with pytest.raises(ValueError, match="all seats of pyrat answer at once: use ParallelEnv"):
        AECEnv("pyrat")
    while not env.done:
        env.step({})
    with pytest.raises(ValueError, match="the match is over: call reset"):
        env.step({})


WITHOUT = """
import sys
for name in ("numpy", "gymnasium", "pettingzoo"):
    sys.modules[name] = None
import botarena.env
env = botarena.env.Env("pyrat", config={"preset": "tiny"})
env.reset(1)
while not env.done:
    env.step({seat: env.legal(seat)[0] for seat in env.awaited})
try:
    botarena.env.GymEnv
except ImportError as fault:
    print(fault)
"""


def test_the_plain_environment_needs_no_package_and_the_others_name_theirs(tmp_path: Path):
    done: Any = subprocess.run(
        [sys.executable, "-c", WITHOUT], capture_output=True, text=True, timeout=60
    )

    assert done.stdout == (
        "GymEnv needs gymnasium, which is not installed: pip install 'botarena[env]'\n"
    ), done.stderr
