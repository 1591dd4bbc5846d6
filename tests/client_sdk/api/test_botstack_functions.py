"""BotStack bots made of functions (RULES §10)."""

from __future__ import annotations

from types import ModuleType

import pytest

from client_sdk.api import botstack as api
from client_sdk.api.botstack_functions import Plain, Player1
from client_sdk.bot import house, play_headless
from games import GAMES
from games.core.match import Match
from tests.client_sdk.api.test_botstack import VIEW
from tests.client_sdk.files import BOTSTACK_FUNCTIONS


def module(**functions):
    made = ModuleType("mine")
    vars(made).update(functions)
    return made


@pytest.mark.parametrize(("kind", "prefix"), [(Plain, ""), (Player1, "player1_")])
@pytest.mark.parametrize(
    ("phase", "question", "answer", "command"),
    [
        ("abstain_request", "abstain", 1, {"type": "abstain", "value": True}),
        ("abstain_reply", "abstain", 0, {"type": "abstain", "value": False}),
        ("item", "item", api.ACTION_NoItem, {"type": "item", "slot": 0}),
        ("item", "item", api.ACTION_Item1, {"type": "item", "slot": 1}),
        ("item", "item", api.ACTION_Item2, {"type": "item", "slot": 2}),
        ("shoot", "action", api.ACTION_ShootSelf, {"type": "shoot", "target": "self"}),
        ("shoot", "action", api.ACTION_ShootOther, {"type": "shoot", "target": "opponent"}),
    ],
)
def test_an_answer_in_the_reference_spelling_becomes_its_command(
    kind, prefix, phase, question, answer, command
):
    bot = kind(module(**{prefix + question: lambda *_: answer}))

    assert [command] == list(bot.decide(VIEW | {"phase": phase}))


def test_the_functions_get_what_the_methods_get():
    asked = []
    bot = Plain(
        module(
            abstain=lambda *about: asked.append(about), action=lambda *about: asked.append(about)
        )
    )
    bot.decide(VIEW | {"phase": "abstain_reply", "opponent_request": True})
    bot.decide(VIEW | {"known_next": "live"})

    (me, other, gun, request), (*_, bullet) = asked
    assert (1, 3, api.ITEM_PeekCurrent, api.ITEM_Empty) == (me.rounds, me.lives, me.item1, me.item2)
    assert (other.lives, gun.currentBullets, gun.currentLiveBullets) == (2, 4, 1)
    assert (True, api.BULLET_Live) == (request, bullet)


def test_a_failing_function_gives_the_harmless_answer_with_its_traceback(caplog):
    bot = Plain(module(action=lambda *_: 1 / 0))

    assert list(bot.decide(VIEW)) == [{"type": "shoot", "target": "opponent"}]
    assert "ZeroDivisionError" in caplog.text


def test_globals_last_for_the_whole_match_and_hooks_are_called():
    mine = ModuleType("mine")
    exec(BOTSTACK_FUNCTIONS, vars(mine))  # as a file is executed
    match = Match.begin(GAMES["botstack"], {}, seed=11)
    play_headless(match, [Plain(mine), house("botstack", "greedy")])

    rounds = len(match.state.rounds)
    assert ["start", *["round"] * rounds, match.outcome.kind] == mine.news
    assert mine.asked > rounds
