"""Bots in the form of Kaggle's contests: which function is the agent, and how it is called."""

from __future__ import annotations

import pytest

from client_sdk.api.agents import fields
from client_sdk.bot import house, load, play_headless
from client_sdk.errors import BadBot
from games import GAMES
from games.core.match import Match

CALLS = """
calls = []

def helper(value):
    return value
"""


def played(path, game="pyrat", other="random", **config):
    bot = load(path, game)
    match = Match.begin(GAMES[game], config, 1)
    play_headless(match, [bot, house(game, other)])
    return bot._function.__globals__.get("calls"), match


@pytest.fixture
def written(tmp_path):
    def write(text):
        (tmp_path / "mine.py").write_text(CALLS + text, encoding="utf-8")
        return tmp_path / "mine.py"

    return write


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        ("observation, configuration", 2),
        ("observation", 1),
        ("", 0),
        ("*given", 2),
        ("obs, config=None, verbose=False", 2),
    ],
)
def test_the_last_function_is_called_with_as_many_arguments_as_it_takes(written, arguments, given):
    path = written(
        f"def my_agent({arguments}):\n    calls.append({{**locals()}})\n    return 'UP'\n"
    )
    calls, match = played(path, preset="tiny", max_turns=3)

    assert match.outcome.reason == "max_turns"
    assert len(calls) == 3
    found = calls[0].get("given", [value for value in calls[0].values() if value])
    assert len(found) == given


def test_observation_and_configuration_have_attributes_and_items(written):
    path = written(
        "def act(obs, config):\n"
        "    calls.append((obs.rat.position == obs['rat']['position'], config.preset))\n"
        "    return ['UP']\n"
    )
    calls, _ = played(path, preset="tiny", max_turns=2)

    assert calls == [(True, "tiny")] * 2


def test_a_field_goes_before_a_method_of_a_dict():
    found = fields({"you": {"items": ["saw"]}, "keys": 1})

    assert (found.you.items, found.keys, list(found.values())) == (["saw"], 1, [found.you, 1])
    assert not hasattr(found, "none")


def test_an_async_agent_is_refused_with_its_line(written):
    with pytest.raises(BadBot, match=r"mine.py, line 7: agent: expected def, got async def"):
        load(written("\nasync def agent(obs): return 'UP'\n"), "pyrat")


def test_an_agent_before_another_function_is_refused_with_both_names(written):
    with pytest.raises(BadBot, match=r"line 6: my_agent is followed by last; the agent has to be"):
        load(written("def my_agent(obs): pass\n\ndef last(value): pass\n"), "pyrat")


def test_its_answer_ends_a_turn_of_many_commands(written):
    path = written("def agent(obs):\n    return None\n")
    _, match = played(path, "catastrophe", "gatherers", max_turns=6)

    assert match.outcome.reason != "timeout"


def test_a_last_function_that_is_no_agent_is_no_bot(written):
    with pytest.raises(BadBot, match=r"no bot in this file; .* or a last function agent\("):
        load(written("def last(value): pass\n"), "pyrat")


def test_other_kinds_of_bots_in_the_file_go_before_it(written):
    path = written(
        "from botarena.pyrat import Bot\n"
        "class Mine(Bot):\n    def think(self, state, ctx): return None\n"
        "def agent(obs): pass\n"
    )
    assert type(load(path, "pyrat")).__name__ == "Mine"


def test_an_agent_with_other_arguments_is_refused_with_its_line(written):
    with pytest.raises(BadBot, match=r"mine.py, line 7: agent: expected agent\(observation, "):
        load(written("\ndef agent(obs, config, *, depth): pass\n"), "pyrat")


def test_a_contest_function_with_other_arguments_is_refused_with_its_line(written):
    with pytest.raises(BadBot, match=r"mine.py, line 7: turn: expected turn\("):
        load(written("\ndef turn(maze): pass\n"), "pyrat")
