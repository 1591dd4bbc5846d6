"""The games in a terminal: what a picture shows, and what a person may type."""

from __future__ import annotations

import pytest

from client_sdk.api import terminal
from client_sdk.api.terminal import botstack, pyrat
from games import GAMES
from games.core.contract import SPECTATOR
from games.core.match import Match

BOARD = {
    "width": 3,
    "height": 2,
    "walls": [[[0, 0], [1, 0]], [[2, 0], [2, 1]]],
    "mud": [[[1, 0], [1, 1], 3], [[1, 1], [2, 1], 2]],
}


def at(x: int, y: int, mud: int = 0, score: float = 0.0) -> dict:
    return {"position": [x, y], "mud_turns": mud, "score": score}


def view(rat: dict, python: dict, **more) -> dict:
    table = {
        "turn": 4,
        "max_turns": 9,
        "total_cheese": 3,
        "cheese": [[1, 1]],
        "maze": BOARD,
        "rat": rat,
        "python": python,
    }
    return table | {"you": "rat", "moves": ["UP", "LEFT"]} | more


def test_pyrat_draws_walls_mud_cheese_and_players():
    """The top row comes first; UP is up."""
    drawn = pyrat.draw(view(at(2, 1, score=1.5), at(0, 0, mud=2)), ("ann", "bob")).plain

    assert drawn.splitlines() == [
        "turn 4 of 9  R ann 1.5  P bob 0  1 of 3 cheese left",
        "  +---+---+---+",
        "1 |     o 2 R |",
        "  +   + 3 +---+",
        "0 | P2|       |",
        "  +---+---+---+",
        "    0   1   2",
    ]


def test_pyrat_draws_two_players_on_one_cell():
    assert "| RP|" in pyrat.draw(view(at(0, 0), at(0, 0)), ("a", "b")).plain


def test_pyrat_remembers_the_maze_from_the_first_view():
    memory = terminal.Memory("pyrat")
    memory.whole(view(at(2, 1), at(0, 0)))
    later = view(at(2, 1), at(0, 0), turn=5)
    del later["maze"]

    assert memory.whole(later)["maze"] == BOARD


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("w", "UP"),
        ("UP", "UP"),
        ("d", "RIGHT"),
        ("s", "DOWN"),
        ("a", "LEFT"),
        ("", "STAY"),
        (".", "STAY"),
        ("\x1b[A", "UP"),
        ("\x1b[D", "LEFT"),
    ],
)
def test_pyrat_accepts_letters_words_and_arrow_keys(typed, move):
    assert move == pyrat.question(view(at(2, 1), at(0, 0))).answer(typed)


def test_pyrat_asks_for_no_move_in_mud():
    question = pyrat.question(view(at(2, 1, mud=2), at(0, 0)))

    assert "in mud for 2 more turns" in question.text
    assert [choice.command for choice in question.choices] == ["STAY"]


def test_invalid_input_is_not_an_answer():
    assert pyrat.question(view(at(2, 1), at(0, 0))).answer("north") is None


def seated(phase: str, seat: int = 0, **more) -> dict:
    player = {
        "health": 3,
        "items": ["empty", "peek_current"],
        "rounds_won": 1,
        "skip_pending": False,
        "can_abstain": False,
    }
    table = {
        "seat": seat,
        "phase": phase,
        "round": 2,
        "starter": 0,
        "turn": seat,
        "load": 1,
        "reloads_left": 2,
        "draws": 0,
    }
    gun = {"total": 4, "live": 1, "blank": 3}
    opponent = player | {"health": 2, "skip_pending": True}
    return (
        table
        | {"you": player, "opponent": opponent, "gun": gun, "known_next": None, "events": []}
        | more
    )


def test_botstack_draws_both_sides_from_either_seat():
    for seat in (0, 1):
        ann, bob = botstack.draw(seated("shoot", seat), ("ann", "bob")).plain.splitlines()[1:3]
        mine, theirs = (ann, bob) if seat == 0 else (bob, ann)
        assert "♥♥♥ " in mine
        assert mine.startswith("> ")
        assert "–, peek" in mine
        assert "♥♥  " in theirs
        assert "skip pending" in theirs


def test_botstack_shows_every_kind_of_event():
    """All that a match of many rounds can give, and none of them as a bare word."""
    seen = set()
    from client_sdk.bot import house, start_of
    from games.core.play import play

    for seed in range(12):
        match = Match.begin(GAMES["botstack"], {}, seed)
        bots = [house("botstack", "greedy"), house("botstack", "trivial")]
        for seat, bot in enumerate(bots):
            bot.on_start(start_of(match, seat))

        def shown(now: Match) -> None:
            for who in (SPECTATOR, 0, 1):
                events = now.view(who)["events"]
                rendered = botstack.sentences({"events": events}, ("ann", "bob"))
                assert all(" " in sentence for sentence in rendered)
                seen.update(event["e"] for event in events)

        play(match, bots, shown)
    assert {"round_start", "deal", "load", "item", "peek", "shot", "round_end", "match_end"} <= seen


@pytest.mark.parametrize(
    ("phase", "typed", "command"),
    [
        ("abstain_request", "y", {"type": "abstain", "value": True}),
        ("abstain_reply", "no", {"type": "abstain", "value": False}),
        ("item", "0", {"type": "item", "slot": 0}),
        ("item", "2", {"type": "item", "slot": 2}),
        ("item", "peek", {"type": "item", "slot": 2}),
        ("item", "1", None),
        ("shoot", "S", {"type": "shoot", "target": "self"}),
        ("shoot", "opponent", {"type": "shoot", "target": "opponent"}),
        ("shoot", "resign", {"type": "resign"}),
        ("shoot", "1", None),
    ],
)
def test_botstack_asks_the_question_of_the_phase(phase, typed, command):
    """An empty slot is not offered."""
    assert command == botstack.question(seated(phase)).answer(typed)


def test_botstack_shows_what_a_peek_revealed():
    assert (
        "You know the next bullet: live."
        in botstack.question(seated("shoot", known_next="live")).text
    )


def test_every_game_has_a_screen_that_draws_its_first_view():
    for name, game in GAMES.items():
        match = Match.begin(game, {}, 1)
        assert name in terminal.SCREENS
        for viewer in (SPECTATOR, 0, 1):
            assert terminal.draw(name, match.view(viewer), ("ann", "bob")).plain
            assert "\n" not in terminal.line(name, match.view(viewer), ("ann", "bob"))


def test_a_game_without_a_screen_is_shown_as_json():
    assert terminal.line("chess", {"a": 1}, ()) == '{"a": 1}'
    assert terminal.draw("chess", {"a": 1}, ()).plain == '{\n "a": 1\n}'


def test_deep_mud_is_shown_by_its_turns_as_far_as_they_fit():
    for cost, shown in ((12, "o12 R |"), (255, "o~~ R |")):
        maze = BOARD | {"mud": [[[1, 1], [2, 1], cost], [[1, 0], [1, 1], cost]]}
        drawn = pyrat.draw(view(at(2, 1), at(0, 0), maze=maze), ("a", "b")).plain

        assert shown in drawn
        assert str(cost) in drawn.splitlines()[3]


@pytest.mark.parametrize("item", [item for item in botstack.ITEMS if item != "empty"])
def test_botstack_says_abstain_and_what_every_item_does(item):
    you = {"health": 3, "items": [item, "empty"], "rounds_won": 0, "skip_pending": False}
    asked = botstack.question({"phase": "item", "you": you})

    assert botstack.DOES[item] in asked.choices[1].words
    assert "abstain" in botstack.question({"phase": "abstain_request"}).text
