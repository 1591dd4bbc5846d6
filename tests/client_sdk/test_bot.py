"""Loading bots, and what they receive with and without sockets."""

import sys
from itertools import cycle, islice
from pathlib import Path

import pytest

from client_sdk.bot import Bot, Start, house, load, play_headless, start_of
from client_sdk.bots import HOUSE, default_opponent
from client_sdk.errors import BadBot
from client_sdk.wire.messages import Clock, SeatInfo
from games import GAMES
from games.core.match import Match

ONE = """
from botarena import Bot
class Mine(Bot):
    game = "pyrat"
    def decide(self, view):
        return ["STAY"]
"""


@pytest.fixture
def written(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])

    def write(text, name="mybot.py"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def test_the_only_bot_of_a_file_is_created(written):
    bot = load(written(ONE), "pyrat")

    assert isinstance(bot, Bot)
    assert list(bot.decide({})) == ["STAY"]


def test_a_bot_without_a_name_is_named_after_its_file(written):
    assert load(written(ONE)).name == "mybot"


def test_a_bot_runs_only_when_its_file_is_the_program(written):
    load(written(ONE + "\nif __name__ == '__main__':\n    Mine().run()\n"))


def test_a_base_class_in_the_same_file_is_not_a_second_bot(written):
    text = ONE + "class Better(Mine):\n    name = 'better'\n"

    assert load(written(text)).name == "better"


def test_an_imported_bot_is_not_the_files_own(written):
    text = (
        "from client_sdk.bots.pyrat.greedy import Greedy\nclass Mine(Greedy):\n    name = 'mine'\n"
    )

    assert load(written(text)).name == "mine"


def test_two_seats_with_one_file_share_no_state(written):
    path = written(ONE + "seen = []\n")
    one, other = load(path), load(path)

    sys.modules[type(one).__module__].seen.append(1)

    assert sys.modules[type(other).__module__].seen == []


def test_a_bot_can_have_modules_of_its_own(written):
    written("ANSWER = 'UP'\n", "mine_helper_module.py")
    text = "import mine_helper_module\n" + ONE.replace('"STAY"', "mine_helper_module.ANSWER")

    assert list(load(written(text)).decide({})) == ["UP"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x = 1\n", "no bot in this file"),
        (ONE + ONE.replace("Mine", "Other"), "2 bots in this file (Mine, Other)"),
        ("\n\nimport nothing_of_that_name\n", "mybot.py, line 3: ModuleNotFoundError"),
        ("\ndef f(:\n    pass\n", "mybot.py, line 2"),
        (
            ONE + "    def __init__(self):\n        self.x = 1 / 0\n",
            "mybot.py, line 8: ZeroDivisionError",
        ),
        ("raise SystemExit(1)\n", "leaves the program while it is loaded"),
        (ONE.replace("pyrat", "botstack"), "this bot plays botstack, not pyrat"),
    ],
)
def test_a_fault_in_a_file_is_reported_with_its_line(written, text, why):
    with pytest.raises(BadBot) as refused:
        load(written(text), "pyrat")

    assert why in str(refused.value)


def test_a_missing_file_is_reported():
    with pytest.raises(BadBot, match="there is no such file"):
        load(Path("nowhere.py"))


@pytest.mark.parametrize(
    ("game", "name"), [(game, name) for game, bots in HOUSE.items() for name in bots]
)
def test_every_house_bot_can_be_created_and_knows_its_game_and_name(game, name):
    bot = house(game, name)

    assert (game, name) == (bot.game, bot.name)


def test_every_game_has_house_bots():
    assert set(GAMES) == set(HOUSE)


def test_an_unknown_house_bot_is_refused_with_the_known_names():
    with pytest.raises(BadBot, match="there are random, straight, greedy, tour, search"):
        house("pyrat", "unknown")
    with pytest.raises(BadBot, match="pyrat, botstack"):
        house("chess", "greedy")


def test_a_headless_start_equals_a_servers():
    match = Match.begin(GAMES["pyrat"], {"preset": "tiny"}, seed=3)

    start = start_of(match, 1, ["mine"])

    assert (start.game, start.seat, start.role, start.names) == (
        "pyrat",
        1,
        "python",
        ("mine", "python"),
    )
    assert start.view == match.view(1)
    assert start.config["width"] == 11
    assert (start.clock.turn_ms, start.within_ms) == (1000, 10_000)
    assert SeatInfo(0, "rat", "mine", "bot") == start.seats[0]


def test_the_clock_in_start_has_every_limit_of_the_messages():
    clock = start_of(Match.begin(GAMES["botstack"], {}, seed=3), 0).clock

    assert isinstance(clock, Clock)
    assert clock.bank_ms == 10_000


class Diary(Bot):
    def __init__(self, inner):
        self.inner = inner
        self.calls = []
        self.views = []

    def on_start(self, start):
        assert isinstance(start, Start)
        self.calls.append("start")
        self.inner.on_start(start)

    def decide(self, view):
        self.views.append(view)
        return self.inner.decide(view)

    def on_view(self, view):
        self.views.append(view)
        self.inner.on_view(view)

    def on_end(self, outcome):
        self.calls.append("end")
        self.outcome = outcome


@pytest.mark.parametrize("game", sorted(HOUSE))
def test_a_headless_match_gives_every_bot_start_turns_and_end(game):
    """A turn that ends the match may keep its number (Catastrophe), so the shown turns are
    counted."""
    match = Match.begin(GAMES[game], {}, seed=5)
    names = islice(cycle([default_opponent(HOUSE[game]), *HOUSE[game]]), match.seats)
    bots = [Diary(house(game, name)) for name in names]
    turns = set()

    play_headless(match, bots, shown=lambda match: turns.add((match.turn, match.outcome is None)))

    for bot in bots:
        assert bot.calls == ["start", "end"]
        assert len(turns) == len(bot.views)
        assert match.outcome.kind == bot.outcome["outcome"]


def test_a_bot_without_decide_is_refused():
    with pytest.raises(NotImplementedError, match="define decide"):
        Bot().decide({})
