"""BotStack players in C: compiled, loaded and called in a process of their own."""

from __future__ import annotations

import shutil

import pytest

import botarena
from client_sdk.api import botstack_c
from client_sdk.bot import house
from client_sdk.errors import BadBot
from client_sdk.isolated import Isolated
from client_sdk.local.headless import Setting, play_one
from client_sdk.start import start_of
from games import GAMES
from games.core.match import Match

GAME = GAMES["botstack"]
pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, botstack_c.COMPILERS)), reason="no C compiler is installed"
)

COUNTER = """
#include "header.h"
#include <stdio.h>
static int calls;
int player1_abstain(Player self, Player other, Gun state, int opponentRequest) {
    printf("abstain %d\\n", ++calls);
    return 0;
}
ItemAction player1_item(Player self, Player other, Gun state) {
    printf("item %d\\n", ++calls);
    return ACTION_NoItem;
}
TurnAction player1_action(Player self, Player other, Gun state, Bullet nextBullet) {
    printf("action %d\\n", ++calls);
    return ACTION_ShootOther;
}
"""

ECHO = """
#include "header.h"
#include <stdio.h>
static void show(const char *what, Player a, Player b, Gun g, int about) {
    printf("%s %d %d %d %d  %d %d %d %d  %d %d  %d\\n", what, a.rounds, a.lives, a.item1, a.item2,
           b.rounds, b.lives, b.item1, b.item2, g.currentBullets, g.currentLiveBullets, about);
}
int player1_abstain(Player self, Player other, Gun state, int opponentRequest) {
    show("abstain", self, other, state, opponentRequest);
    return opponentRequest ? -7 : 0;
}
ItemAction player1_item(Player self, Player other, Gun state) {
    show("item", self, other, state, 9);
    return self.item2 == ITEM_HealthKit ? ACTION_Item2 : 77;
}
TurnAction player1_action(Player self, Player other, Gun state, Bullet nextBullet) {
    show("action", self, other, state, nextBullet);
    return nextBullet == BULLET_Blank ? ACTION_ShootSelf : -3;
}
"""

ITEM = """
#include "header.h"
ItemAction player1_item(Player self, Player other, Gun state) {{ {item} }}
TurnAction player1_action(Player self, Player other, Gun state, Bullet nextBullet) {{
    return ACTION_ShootOther;
}}
"""


@pytest.fixture
def bot(tmp_path):
    """Writes a C file and starts it; all that were started are ended."""
    started = []

    def start(text, name="player", **limits):
        file = tmp_path / "bots" / f"{name}.c"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        started.append(Isolated(file, GAME, tmp_path / f"{name}.log", **limits))
        return started[-1]

    yield start
    for one in started:
        one.close()


def outcome(bot, seat=0, faults=None):
    """Of a match against a house bot, as the commands play it. `faults`: gets what was wrong."""
    found = [] if faults is None else faults
    bots = [bot, house("botstack", "trivial")]
    setting = Setting(game=GAME, config={}, names=["it", "trivial"])
    done = play_one(
        setting,
        1,
        3,
        (0, 1),
        bots if seat == 0 else bots[::-1],
        tell=lambda seat, where, fault, match: found.append(str(fault)),
    )
    return done.outcome


def view(**over):
    """What a seat sees: `over` replaces fields."""
    seen = Match.begin(GAME, {}, 1).view(0)
    return {**seen, "events": [], **over}


def begun(bot):
    bot.on_start(start_of(Match.begin(GAME, {}, 1), 0, ["it", "other"]))
    return bot


def printed(tmp_path, name="player"):
    return (tmp_path / f"{name}.log").read_text().splitlines()


def test_globals_last_for_the_whole_match_and_what_is_printed_goes_to_the_log(bot, tmp_path):
    mine = bot(COUNTER)
    assert outcome(mine)["outcome"] in ("win", "draw", "both_lost")
    mine.close()

    said = printed(tmp_path)
    assert [int(line.split()[1]) for line in said] == [*range(1, len(said) + 1)]
    assert {line.split()[0] for line in said} == {"abstain", "item", "action"}


def test_each_match_starts_with_fresh_globals(bot, tmp_path):
    for name in ("first", "second"):
        mine = bot(COUNTER, name)
        outcome(mine)
        mine.close()
        assert printed(tmp_path, name)[0].endswith(" 1")


def test_structs_arrive_by_value_and_answers_out_of_range_are_mapped(bot, tmp_path):
    mine = begun(bot(ECHO))
    you = view()["you"] | {"rounds_won": 1, "health": 5, "items": ["peek_current", "health_kit"]}
    opponent = you | {"rounds_won": 0, "health": 2, "items": ["reload_gun", "empty"]}
    both = {"you": you, "opponent": opponent, "gun": {"total": 6, "live": 2}}
    asked = [
        {"phase": "abstain_request", "opponent_request": False},
        {"phase": "abstain_reply", "opponent_request": True},
        {"phase": "item"},
        {"phase": "item", "you": you | {"items": ["skip_enemy", "empty"]}},
        {"phase": "shoot", "known_next": None},
        {"phase": "shoot", "known_next": "blank"},
        {"phase": "shoot", "known_next": "live"},
    ]
    answers = [mine.decide(view(**both | one))[0] for one in asked]
    mine.close()

    assert [[*answer.values()][1] for answer in answers] == [
        False, True, 2, 0, "opponent", "self", "opponent",
    ]  # fmt: skip
    players, gun = "1 5 1 4  0 2 5 0", "6 2"
    assert printed(tmp_path) == [
        f"abstain {players}  {gun}  0",
        f"abstain {players}  {gun}  1",
        f"item {players}  {gun}  9",
        f"item 1 5 3 0  0 2 5 0  {gun}  9",
        f"action {players}  {gun}  2",
        f"action {players}  {gun}  0",
        f"action {players}  {gun}  1",
    ]


def test_a_file_of_the_second_player_plays_at_either_seat(bot):
    text = COUNTER.replace("player1_", "player2_")
    assert outcome(bot(text, "first"))["outcome"] != "forfeit"
    assert outcome(bot(text, "second"), seat=1)["outcome"] != "forfeit"


def test_an_item_function_may_fall_off_its_end(bot):
    mine, faults = bot(ITEM.format(item="if (self.lives = 9) state.currentBullets = 0;")), []
    assert outcome(mine, faults=faults)["outcome"] != "forfeit"
    assert faults == []


def test_an_exit_in_the_bot_ends_only_its_process(bot):
    result = outcome(bot("#include <stdlib.h>\n" + ITEM.format(item="exit(0);")))
    assert (result["outcome"], result["reason"], result["winner"]) == ("forfeit", "disconnect", 1)


def test_a_crash_forfeits(bot, tmp_path):
    item, faults = 'puts("last words"); *(volatile int *)0 = 1;', []
    result = outcome(bot("#include <stdio.h>\n" + ITEM.format(item=item)), faults=faults)

    assert (result["outcome"], result["reason"], result["winner"]) == ("forfeit", "disconnect", 1)
    assert "the process was ended by SIGSEGV" in faults[0]
    assert printed(tmp_path) == ["last words"]


def test_an_endless_loop_forfeits_by_time(bot):
    faults = []
    result = outcome(bot(ITEM.format(item="for (;;) ;"), limit_s=0.3), faults=faults)
    assert (result["outcome"], result["reason"], result["winner"]) == ("forfeit", "timeout", 1)
    assert "no answer within 300 ms" in faults[0]


def test_the_bot_reads_no_keyboard(bot, tmp_path):
    mine = bot(
        "#include <stdio.h>\n"
        + ITEM.format(item='printf("%d\\n", getchar()); return ACTION_NoItem;')
    )
    outcome(mine)
    mine.close()
    assert set(printed(tmp_path)) == {"-1"}


def test_its_own_header_goes_before_ours_and_needs_no_guard(bot, tmp_path):
    (tmp_path / "bots").mkdir()
    ours = (botstack_c.HEADER / "header.h").read_text()
    lines = [line for line in ours.splitlines() if "_HEADER_H" not in line and line != "#endif"]
    (tmp_path / "bots" / "header.h").write_text("\n".join([*lines, "#define MINE 2\n"]))
    mine = begun(bot(ITEM.format(item="return MINE;")))
    assert mine.decide(view(phase="item"))[0]["slot"] == 2


def test_every_name_of_the_contests_header_is_in_ours(bot):
    text = """
    const char *first = "x";
    int sizes[] = {N_ROUNDS, N_GUN_LOADS, MAX_HEALTH, MIN_BULLETS, MAX_BULLETS, dBULLETS,
                   ITEM_COUNT};
    Item item = GENERATE_ITEM;
    first = ItemToString(item);
    _Static_assert(sizeof(Player) == 16 && sizeof(Gun) == 8 && sizeof(Item) == 4, "layout");
    return item >= 1 && item <= 5 && first[0] && sizes[5] == 5 ? ACTION_Item1 : ACTION_Item2;
    """
    mine = begun(bot(ITEM.format(item=text)))
    assert mine.decide(view(phase="item"))[0]["slot"] == 1


def test_a_function_of_the_bot_goes_before_one_of_the_c_library_with_its_name(bot):
    text = "int atoi(const char *text) { return 1; }\n" + ITEM.format(item='return atoi("2");')
    assert begun(bot(text)).decide(view(phase="item"))[0]["slot"] == 1


def test_only_the_action_is_required(bot):
    text = ITEM.format(item="return 0;").replace("player1_item", "unused")
    assert outcome(bot(text))["outcome"] != "forfeit"


def test_random_numbers_differ_between_matches(bot, tmp_path):
    text = "#include <stdio.h>\n#include <stdlib.h>\n" + ITEM.format(
        item='printf("%d\\n", rand()); return 0;'
    )
    first = set()
    for name in ("one", "two"):
        mine = bot(text, name)
        outcome(mine)
        mine.close()
        first.add(printed(tmp_path, name)[0])
    assert len(first) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('#include "header.h"\nint x = ;', "line 2: expected expression before ';' token"),
        ('#include "nowhere.h"', "line 1: nowhere.h: No such file or directory"),
        (
            ITEM.format(item="return elsewhere(1);"),
            "line 3: undefined reference to `elsewhere'",
        ),
        ("int main(void) { return 0; }", "no player in this file; a player is the functions"),
    ],
    ids=["syntax", "include", "undefined", "no player"],
)
def test_a_file_that_cannot_play_says_why_and_in_which_line(bot, tmp_path, text, expected):
    with pytest.raises(BadBot) as caught:
        bot(text)
    said = str(caught.value)
    assert said.startswith(str(tmp_path / "bots" / "player.c"))
    assert expected in said
    assert "\n" not in said


def test_without_a_compiler_it_says_so(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    file = tmp_path / "player.c"
    file.write_text(COUNTER)
    with pytest.raises(BadBot, match=r"player\.c: a bot in C needs a C compiler, and none of cc"):
        botstack_c.CPlayer(file)


def test_a_c_file_plays_no_other_game(tmp_path):
    file = tmp_path / "player.c"
    file.write_text(COUNTER)
    with pytest.raises(BadBot, match="this bot plays botstack, not pyrat"):
        Isolated(file, GAMES["pyrat"], tmp_path / "log")


def test_a_call_from_python_survives_a_crash(tmp_path):
    file = tmp_path / "crash.c"
    file.write_text(ITEM.format(item="*(volatile int *)0 = 1;"))
    result = botarena.play("botstack", file, "trivial", seed=1)
    assert (result.names[0], result.outcome["reason"], result.winner) == ("crash", "disconnect", 1)
    assert any("SIGSEGV" in fault for fault in result.faults)


def test_a_python_bot_whose_process_has_ended_forfeits_too(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("import os\ndef action(me, other, gun, next_bullet): os._exit(1)\n")
    with Isolated(file, GAME, tmp_path / "log") as mine:
        assert outcome(mine)["reason"] == "disconnect"
