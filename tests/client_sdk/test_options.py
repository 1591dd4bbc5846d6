"""Settings that a bot declares, set as text."""

import pytest

from client_sdk.errors import BadBot
from client_sdk.options import Check, Combo, Spin, Str, options, set_options


class Mine:
    depth = Spin(3, min=1, max=9)
    bold = Check(False)
    style = Combo("calm", choices=("calm", "wild"))
    motto = Str("")


class Heir(Mine):
    depth = Spin(5, min=1, max=5)


def test_a_bot_without_options_has_the_defaults():
    bot = Mine()

    assert (bot.depth, bot.bold, bot.style, bot.motto) == (3, False, "calm", "")


def test_options_are_parsed_and_set_for_this_bot_only():
    bot, other = Mine(), Mine()

    set_options(bot, {"depth": "9", "bold": "TRUE", "style": "wild", "motto": "on"})

    assert (bot.depth, bot.bold, bot.style, bot.motto) == (9, True, "wild", "on")
    assert other.depth == 3


def test_a_subclass_has_its_own_and_inherited_options():
    assert list(options(Heir())) == ["depth", "bold", "style", "motto"]
    assert Heir().depth == 5


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("depth", "10", "a whole number, 1 to 9"),
        ("depth", "deep", "a whole number, 1 to 9"),
        ("bold", "yes", "true or false"),
        ("style", "mild", "one of calm, wild"),
        ("width", "1", "no option is called 'width'; this bot has depth, bold, style, motto"),
    ],
)
def test_a_wrong_value_is_refused_with_the_expected_type(name, text, message):
    with pytest.raises(BadBot) as refused:
        set_options(Mine(), {name: text})

    assert message in str(refused.value)
