"""The headless driver, over one game of each pacing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from games.core.contract import AnyGame, Json, Reply
from games.core.match import Match
from games.core.play import play, play_turn
from games.core.rerun import verify
from tests.core.records import begun
from tests.core.throw_in import DUEL, END_TURN, RACE, THROW_IN, WALK


@dataclass
class Says:
    """Answers every view with the same commands."""

    commands: Iterable[Json] = ()
    seen: list[Json] = field(default_factory=list)
    heard: list[list[str]] = field(default_factory=list)

    def decide(self, view: Json) -> Iterable[Json]:
        self.seen.append(view)
        return self.commands

    def on_results(self, results: Sequence[Reply]) -> None:
        self.heard.append([result.code for result in results])


STEP = {"do": "step", "by": 1}


@pytest.mark.parametrize(
    ("game", "players", "reason", "winner"),
    [
        (
            RACE,
            [Says([{"action": "run"}]), Says([{"action": "walk"}]), Says(), Says(["?"])],
            "finish",
            0,
        ),
        (WALK, [Says([STEP, END_TURN]), Says([STEP, STEP, END_TURN])], "max_turns", 1),
        (DUEL, [Says([0]), Says([9])], "rounds", 1),
    ],
    ids=["realtime", "many commands", "simultaneous"],
)
def test_play_supports_every_pacing(
    game: AnyGame, players: list[Says], reason: str, winner: int
) -> None:
    match, written = begun(game)
    play(match, players)

    assert match.outcome is not None
    assert (match.outcome.reason, match.outcome.winner) == (reason, winner)
    assert verify("".join(written), THROW_IN).kind == "ok"


def test_all_views_of_a_turn_are_taken_before_its_first_command() -> None:
    match = Match.begin(DUEL, {"rounds": 1}, 1)
    players = [Says([3]), Says([4])]
    play(match, players)

    assert [player.seen[0]["bid"] for player in players] == [None, None]


def test_in_realtime_every_bot_sees_every_tick() -> None:
    players = [Says(), Says([{"action": "walk"}])]
    play(Match.begin(RACE, {"seats": 2, "max_ticks": 5}, 1), players)

    assert [[view["tick"] for view in player.seen] for player in players] == [[0, 1, 2, 3, 4]] * 2


def test_commands_beyond_a_ticks_limit_wait_for_the_next() -> None:
    match = Match.begin(RACE, {"seats": 1}, 1)
    play_turn(match, [Says([{"action": "run"}, {"action": "walk"}])])
    assert match.state.places == (2,)

    play_turn(match, [Says()])
    assert match.state.places == (3,)


@pytest.mark.parametrize(
    ("game", "config", "after"),
    [
        (WALK, {}, lambda state: state.failed == (1, 0)),
        (DUEL, {}, lambda state: state.round == 1 and state.shown is not None),
        (RACE, {}, lambda state: state.places == (0, 0, 0, 0)),
    ],
    ids=["a failed turn", "a bid of nothing", "no one moves"],
)
def test_the_game_defines_silence(
    game: AnyGame, config: dict[str, Json], after: Callable[[object], bool]
) -> None:
    match = Match.begin(game, config, 1)
    play_turn(match, [Says()] * match.seats)

    assert match.turn == 1
    assert after(match.state)


def test_after_commands_without_an_end_the_turn_is_closed_by_silence() -> None:
    match = Match.begin(WALK, {}, 1)
    play_turn(match, [Says([STEP, STEP]), Says()])

    assert match.state.places == (2, 0)
    assert match.state.failed == (1, 0)


def test_commands_after_the_end_of_a_turn_do_not_count_for_the_next() -> None:
    match, written = begun(WALK)
    play_turn(match, [Says([STEP, END_TURN, STEP, END_TURN]), Says()])

    assert match.turn == 1
    assert match.state.places == (1, 0)
    assert len(written) == len(["header", "step", "end_turn", "turn"])


def test_commands_after_the_end_are_not_read() -> None:
    asked = []

    class Counts(Says):
        def decide(self, view: Json) -> Iterator[Json]:
            for command in (END_TURN, STEP):
                asked.append(command)
                yield command

    match = Match.begin(WALK, {"turns": 1}, 1)
    play(match, [Counts(), Says()])

    assert match.state.places == (0, 0)
    assert asked == [END_TURN, STEP]


def test_the_match_is_shown_at_the_start_and_after_every_turn() -> None:
    shown: list[int] = []
    play(
        Match.begin(DUEL, {"rounds": 3}, 1),
        [Says([1]), Says([2])],
        lambda match: shown.append(match.turn),
    )

    assert shown == [0, 1, 2, 3]


def test_play_continues_a_match_from_its_current_state() -> None:
    match = Match.begin(DUEL, {"rounds": 2}, 1)
    match.apply(1, 9)
    players = [Says([0]), Says([0])]
    play_turn(match, players)

    assert [len(player.seen) for player in players] == [1, 0]
    assert match.turn == 1


def test_a_player_gets_results_up_to_the_command_that_closed_the_turn() -> None:
    red = Says([STEP, {"do": "step", "by": 9}, END_TURN, STEP])

    play(Match.begin(WALK, {"turns": 1}, 1), [red, Says()])

    assert red.heard == [["ok", "too_far", "ok"]]
