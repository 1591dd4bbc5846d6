"""BotStack's three questions (RULES §10)."""

import pytest

import client_sdk.api.botstack as api
from client_sdk.api.botstack import Bot, Gun, Player
from client_sdk.bot import house, play_headless
from games import GAMES
from games.core.match import Match

PLAYER = {
    "health": 3,
    "items": ["peek_current", "empty"],
    "rounds_won": 1,
    "skip_pending": False,
    "can_abstain": True,
}
VIEW = {
    "game": "botstack",
    "seat": 0,
    "phase": "shoot",
    "your_decision": True,
    "round": 1,
    "starter": 0,
    "turn": 0,
    "load": 1,
    "reloads_left": 2,
    "draws": 1,
    "you": PLAYER,
    "opponent": PLAYER | {"health": 2, "items": ["reload_gun", "health_kit"]},
    "gun": {"total": 4, "live": 1, "blank": 3},
    "known_next": None,
    "opponent_request": False,
    "events": [],
}


class Fixed(Bot):
    """Gives the answer it was made with to every question, and keeps what it was asked."""

    def __init__(self, answer):
        self.answer = answer
        self.asked = []
        self.news = []

    def abstain(self, *about):
        self.asked.append(about)
        return self.answer

    item = action = abstain

    def on_event(self, event):
        self.news.append(event)

    def on_round_start(self, number, starter):
        self.news.append((number, starter))


def decided(answer, **fields):
    (command,) = Fixed(answer).decide(VIEW | fields)
    return command


@pytest.mark.parametrize(
    ("phase", "answer", "command"),
    [
        ("abstain_request", True, {"type": "abstain", "value": True}),
        ("abstain_request", 0, {"type": "abstain", "value": False}),
        ("abstain_reply", 1, {"type": "abstain", "value": True}),
        ("item", api.ACTION_NO_ITEM, {"type": "item", "slot": 0}),
        ("item", api.ACTION_Item2, {"type": "item", "slot": 2}),
        ("shoot", api.SHOOT_SELF, {"type": "shoot", "target": "self"}),
        ("shoot", api.ACTION_ShootOther, {"type": "shoot", "target": "opponent"}),
    ],
)
def test_an_answer_becomes_its_command(phase, answer, command):
    expected = decided(answer, phase=phase)

    assert command == expected
    assert [type(value) for value in command.values()] == [
        type(value) for value in expected.values()
    ]


@pytest.mark.parametrize("answer", [None, -1, 7, "1", 1.0, [1]])
@pytest.mark.parametrize(
    ("phase", "harmless"),
    [
        ("abstain_request", {"type": "abstain", "value": False}),
        ("abstain_reply", {"type": "abstain", "value": False}),
        ("item", {"type": "item", "slot": 0}),
        ("shoot", {"type": "shoot", "target": "opponent"}),
    ],
)
def test_an_invalid_answer_is_replaced_by_a_harmless_one_with_a_warning(
    phase, answer, harmless, caplog
):
    assert harmless == decided(answer, phase=phase)
    assert repr(answer) in caplog.text


@pytest.mark.parametrize("phase", ["item", "shoot"])
def test_true_is_not_a_number(phase, caplog):
    decided(True, phase=phase)

    assert "got True" in caplog.text


def test_an_exception_is_replaced_by_a_harmless_answer_with_its_traceback(caplog):
    class Failing(Bot):
        def action(self, me, other, gun, next_bullet):
            raise RuntimeError("no idea")

    assert list(Failing().decide(VIEW)) == [{"type": "shoot", "target": "opponent"}]
    assert "no idea" in caplog.text


def test_by_default_a_bot_neither_abstains_nor_uses_items():
    class Mine(Bot):
        def action(self, me, other, gun, next_bullet):
            return 1

    assert list(Mine().decide(VIEW | {"phase": "abstain_reply"})) == [
        {"type": "abstain", "value": False}
    ]
    assert list(Mine().decide(VIEW | {"phase": "item"})) == [{"type": "item", "slot": 0}]


@pytest.mark.parametrize(
    ("known", "bullet"),
    [(None, api.BULLET_Unknown), ("live", api.BULLET_Live), ("blank", api.BULLET_Blank)],
)
def test_a_question_comes_with_both_players_the_gun_and_peeked_bullets(known, bullet):
    bot = Fixed(1)
    bot.decide(VIEW | {"known_next": known})

    me, other, gun, next_bullet = bot.asked[0]
    assert Player(1, 3, (api.ITEM_PeekCurrent, api.ITEM_Empty), 1, False, True) == me
    assert (2, api.ITEM_ResetGun, api.ITEM_HealthKit) == (other.lives, other.item1, other.item2)
    assert (gun.bullets, gun.live, gun.blank) == (4, 1, 3)
    assert bullet == next_bullet


def test_a_bot_learns_of_its_opponents_request():
    bot = Fixed(1)
    bot.decide(VIEW | {"phase": "abstain_reply", "opponent_request": True})

    assert bot.asked[0][3] is True


def test_the_competitors_names_mean_the_same():
    gun = Gun(5, 2)

    assert (
        gun.currentBullets,
        gun.currentLiveBullets,
        gun.current_bullets,
        gun.current_live_bullets,
    ) == (5, 2, 5, 2)
    assert [
        getattr(api, f"ITEM_{name}")
        for name in ("Empty", "PeekCurrent", "EjectCurrent", "SkipEnemy", "HealthKit", "ResetGun")
    ] == [0, 1, 2, 3, 4, 5]
    assert [api.BULLET_Blank, api.BULLET_Live, api.BULLET_Unknown] == [0, 1, 2]


def test_events_are_delivered_before_the_question_and_between_turns():
    events = [
        {"e": "round_start", "round": 2, "starter": 1},
        {"e": "shot", "seat": 1, "target": 0, "bullet": "live"},
    ]
    bot = Fixed(1)

    bot.on_view(VIEW | {"events": events})
    bot.decide(VIEW | {"events": events[1:]})

    assert [events[0], (2, 1), events[1], events[1]] == bot.news


def test_a_failing_hook_does_not_cost_the_answer(caplog):
    class Failing(Fixed):
        def on_event(self, event):
            raise RuntimeError("no idea")

    assert Failing(0).decide(VIEW | {"events": [{"e": "peek"}]}) == [
        {"type": "shoot", "target": "self"}
    ]
    assert "no idea" in caplog.text


def test_headless_resigning_waits_for_the_next_decision():
    bot = Fixed(1)
    bot.resign()

    assert list(bot.decide(VIEW)) == [{"type": "resign"}]


def test_resigning_during_a_question_counts():
    class Tired(Fixed):
        def action(self, *about):
            self.resign()
            return 1

    assert list(Tired(1).decide(VIEW)) == [{"type": "resign"}]


def test_on_a_server_resigning_is_sent_at_once():
    class Server:
        sent = ()

        def send_out_of_turn(self, commands):
            self.sent = commands
            return True

    bot = Fixed(1)
    bot.link = Server()
    bot.resign()

    assert bot.link.sent == [{"type": "resign"}]
    assert list(bot.decide(VIEW)) == [{"type": "shoot", "target": "opponent"}]


def test_a_bot_gets_every_event_once():
    class Diary(Fixed):
        def abstain(self, *about):
            return 0

        def item(self, *about):
            return 0

        def action(self, *about):
            return 1

    match, bots = Match.begin(GAMES["botstack"], {}, seed=11), [Diary(0), Diary(0)]
    play_headless(match, bots)

    kinds = [[event["e"] for event in bot.news if isinstance(event, dict)] for bot in bots]
    assert kinds[0] == kinds[1]
    rounds = len(match.state.rounds)
    assert rounds == kinds[0].count("round_start") == kinds[0].count("round_end")
    assert kinds[0].count("match_end") == 1
    assert rounds == sum(isinstance(news, tuple) for news in bots[0].news)


def test_house_bots_are_never_refused():
    match = Match.begin(GAMES["botstack"], {"item_slots": 3}, seed=3)
    play_headless(match, [house("botstack", "greedy"), house("botstack", "greedy")])

    assert match.outcome is not None
