"""What a match's record counts for, what a format may be, and how a bracket match is decided."""

from __future__ import annotations

import json

import pytest

from games import GAMES
from games.contest import format as formats
from games.contest import result as results
from games.contest.bracket import bracket, slots
from games.contest.final import heat_bracket
from games.contest.pairings import match_seed
from games.contest.result import GameResult, result_of
from games.contest.standings import standings
from games.core.contract import BadSetup, aborted, outcome_json
from games.core.match import Match
from tests.games.contest.events import BOTH_LOST, DRAWN, LOST, WON

POINTS = {"win": 3, "draw": 1, "loss": 0, "both_lost": -1}


def outcome_of(kind, placement, score=(0, 0), winner=None, **more):
    lines = [
        {"seat": seat, "score": points, "placement": place, "outcome": None}
        | {key: values[seat] for key, values in more.items()}
        for seat, (place, points) in enumerate(zip(placement, score, strict=True))
    ]
    return {"outcome": kind, "winner": winner, "reason": "", "seats": lines}


# --- results --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_forfeit_of_every_game_gets_the_forfeit_score(game):
    config = formats.for_seats(GAMES[game], {}, 2)
    for out, expected in (({0}, (0, 1)), ({1}, (1, 0))):
        match = Match.begin(GAMES[game], config, 1)
        match.forfeit(out, "left")
        assert match.outcome is not None
        record = json.loads(json.dumps(outcome_json(match.outcome)))
        result = result_of(record, (1, 0))

        assert result is not None
        assert result.score == expected
        assert [seat in out for seat in (0, 1)] == list(result.forfeit)
        assert tuple(result.way(seat, 1 - seat) for seat in (*out, *({0, 1} - out))) == (
            "loss",
            "win",
        )


def test_an_aborted_match_has_no_result():
    assert result_of(outcome_json(aborted(2, "server fault")), (1, 0)) is None
    assert result_of(outcome_of("draw", (1, None)), (1, 0)) is None


def test_both_lost_is_no_win_at_any_place():
    result = result_of(outcome_of("both_lost", (2, 2), (1, 1)), (2, 0))

    assert GameResult((1, 1), (1, 1), (False, False), both_lost=True) == result
    assert (result.way(0, 1), result.winner) == ("both_lost", None)


def test_a_game_without_a_winner_is_decided_by_its_places():
    """T7"""
    assert result_of(outcome_of("draw", (2, 1), (3, 4)), (1, 0)).winner == 1
    assert result_of(outcome_of("draw", (1, 1), (3, 4)), (1, 0)).winner is None


def test_a_double_forfeit_is_both_lost_without_a_score():
    """T4"""
    result = result_of(outcome_of("forfeit", (1, 1), (9, 9)), (2, 0))

    assert (result.score, result.forfeit, result.way(0, 1)) == ((0, 0), (True, True), "both_lost")


def test_a_forfeit_in_a_heat_loses_against_all_who_played():
    """T8, T11"""
    result = GameResult((1, 1, 1), (5, 5, 5), (True, False, True))

    assert [result.way(0, 1), result.way(0, 2)] == ["loss", "both_lost"]
    assert result.winner == 1


def test_two_forfeits_in_a_heat_are_both_lost_between_them():
    """T8, T11: the two others drew with each other, and each won against both."""
    match = Match.begin(GAMES["zooscape"], formats.for_seats(GAMES["zooscape"], {}, 4), 1)
    match.forfeit(frozenset({1, 3}), "disconnect")
    assert match.outcome is not None
    result = result_of(json.loads(json.dumps(outcome_json(match.outcome))), (1, 0), guilty=[1, 3])
    assert result is not None

    rows = standings([1, 2, 3, 4], [((1, 2, 3, 4), result)], POINTS)

    counted = {
        row.entry: (row.wins, row.draws, row.losses, row.both_lost, row.forfeits, row.points)
        for row in rows
    }
    assert counted[1] == counted[3] == (2, 1, 0, 0, 0, 7)
    assert counted[2] == counted[4] == (0, 0, 2, 1, 3, -1)


def test_two_forfeits_in_a_heat_of_the_final_are_both_lost_between_them():
    """T11"""
    heat = GameResult((1, 2, 3, 3), (9, 8, 0, 0), (False, False, True, True))

    def lookup(id_, seats):
        turn = seats.index(1)
        return GameResult(
            *[
                tuple(line[(place - turn) % 4] for place in range(4))
                for line in (heat.placement, heat.score, heat.forfeit)
            ]
        )

    found = heat_bracket([1, 2, 3, 4], lookup, [], POINTS)

    assert found.table is not None
    assert [(row.entry, row.points) for row in found.table] == [(1, 27), (2, 18), (3, -3), (4, -3)]


@pytest.mark.parametrize(
    "result",
    [WON, LOST, DRAWN, BOTH_LOST, GameResult((2, 1, 2), (0.5, 1, 0), (True, False, False))],
)
def test_a_result_can_be_stored_as_json(result):
    assert result == results.read(
        json.loads(json.dumps(results.to_json(result))), len(result.placement)
    )


# --- formats --------------------------------------------------------------------------------------


def test_a_tournament_has_the_defaults_of_the_rules():
    """T1"""
    found = formats.read({})

    assert dict(found.points) == {"win": 3, "draw": 1, "loss": 0, "both_lost": -1}
    assert (found.bracket_size, found.best_of, found.best_of_final) == (8, 1, 3)
    assert (found.max_extra_games, found.seats_per_match) == (4, 2)
    assert (found.round_robin_public, found.bracket_public) == (False, True)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("format_", formats.FORMATS)
def test_every_game_has_every_format_which_can_be_stored_as_json(game, format_):
    found = formats.read({"format": format_}, GAMES[game])
    stored = json.loads(json.dumps(formats.to_json(found)))

    assert found == formats.read({key: value for key, value in stored.items() if value is not None})
    assert (found.matches_per_pairing, found.forfeit_score) == (
        (10, (2, 0)) if game == "botstack" else (4, (1, 0))
    )
    assert found.bracket_seats == 2
    assert (
        4 if game == "zooscape" and format_ not in formats.PAIRED else 2
    ) == found.seats_per_match


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"mode": 1}, "mode"),
        ({"format": "league"}, "format"),
        ({"matches_per_pairing": 0}, "matches_per_pairing"),
        ({"matches_per_pairing": True}, "matches_per_pairing"),
        ({"bracket_size": 3}, "bracket_size"),
        ({"best_of": 2}, "best_of"),
        ({"best_of_final": 4}, "best_of_final"),
        ({"points": [3, 1, 0]}, "points"),
        ({"points": {"won": 3}}, "points"),
        ({"points": {"win": True}}, "points"),
        ({"forfeit_score": [2, "0"]}, "forfeit_score"),
        ({"forfeit_score": 2}, "forfeit_score"),
        ({"bracket_seats": 3}, "bracket_seats"),
        ({"bracket_seats": 4, "bracket_size": 16}, "bracket_size"),
        ({"format": "swiss", "seats_per_match": 4}, "seats_per_match"),
        ({"format": "gauntlet", "seats_per_match": 3}, "seats_per_match"),
    ],
)
def test_a_fault_in_a_format_is_reported_with_its_field(given, field):
    with pytest.raises(BadSetup) as bad:
        formats.read(given)

    assert field == bad.value.field
    assert field in bad.value.why


@pytest.mark.parametrize("given", [None, 3, [], "contest"])
def test_an_unknown_format_is_refused(given):
    with pytest.raises(BadSetup):
        formats.read(given)


# --- brackets -------------------------------------------------------------------------------------


def test_the_first_two_seeds_can_meet_only_in_the_final():
    """T6"""
    assert slots(8) == [1, 8, 4, 5, 2, 7, 3, 6]
    for size in (2, 4, 8, 16, 32):
        order = slots(size)
        assert sorted(order) == list(range(1, size + 1))
        assert (order.index(1) < size // 2) != (order.index(2) < size // 2)


def plan(entrants):
    """The matches in the order of play, each with the seeds that are known."""
    matches = bracket(range(1, entrants + 1), lambda id_, seats: None, {}, formats.read({})).matches
    return {match.id: match.players for match in matches}


def test_a_bracket_of_16_is_played_from_r1_to_the_third_place_and_the_final():
    """T6"""
    matches = plan(16)

    assert [*matches] == [
        *[f"R{number}" for number in range(1, 9)],
        *[f"QF{number}" for number in range(1, 5)],
        *["SF1", "SF2", "P3", "F"],
    ]
    assert [matches[f"R{number}"] for number in range(1, 9)] == [
        *[(1, 16), (8, 9), (4, 13), (5, 12)],
        *[(2, 15), (7, 10), (3, 14), (6, 11)],
    ]


@pytest.mark.parametrize(
    ("entrants", "byes", "first"),
    [
        (2, [], {"F": (1, 2)}),
        (3, [1], {"SF2": (2, 3)}),
        (4, [], {"SF1": (1, 4), "SF2": (2, 3)}),
        (5, [1, 2, 3], {"QF2": (4, 5)}),
        (6, [1, 2], {"QF2": (4, 5), "QF4": (3, 6)}),
        (7, [1], {"QF2": (4, 5), "QF3": (2, 7), "QF4": (3, 6)}),
    ],
)
def test_missing_seeds_are_byes_of_the_first_ones_and_keep_their_match(entrants, byes, first):
    """T6"""
    matches = bracket(range(1, entrants + 1), lambda id_, seats: None, {}, formats.read({})).matches
    passed = [match for match in matches if match.decided_by == "bye"]

    assert sorted(match.winner for match in passed) == byes
    assert all(None in match.players and not match.games for match in passed)
    assert first.items() <= plan(entrants).items()
    assert ("P3" in plan(entrants)) is (entrants > 3)


def test_the_higher_seed_has_seat_0_in_odd_games_and_each_game_its_own_seed():
    """T7"""
    seen = []

    def lookup(game, seats):
        seen.append((game, seats))
        return DRAWN if len(seen) < 4 else None

    bracket([5, 3], lookup, {}, formats.read({"best_of_final": 3}))

    assert seen == [("F-1", (5, 3)), ("F-2", (3, 5)), ("F-3", (5, 3)), ("F-4", (3, 5))]
    assert len({match_seed(7, "ko", "F", number) for number in range(4)}) == 4


def decided(*games, best_of=1, extra=2):
    """The final of two, of these results by seed."""
    format_ = formats.read({"best_of_final": best_of, "max_extra_games": extra})

    def lookup(game, seats):
        number = int(game.partition("-")[2])
        if number > len(games):
            return None
        one = games[number - 1]
        turned = seats != (1, 2)
        return (
            GameResult(one.placement[::-1], one.score[::-1], one.forfeit[::-1], one.both_lost)
            if turned
            else one
        )

    (match,) = bracket([1, 2], lookup, {}, format_).matches
    return match.winner, match.decided_by, len(match.games)


NARROW = GameResult((1, 1), (2, 3), (False, False))


@pytest.mark.parametrize(
    ("games", "best_of", "expected"),
    [
        ((WON,), 1, (1, "wins", 1)),
        ((LOST, WON), 1, (2, "wins", 1)),
        ((DRAWN, BOTH_LOST, LOST), 1, (2, "wins", 3)),
        ((DRAWN, DRAWN), 1, (None, None, 2)),
        ((DRAWN, DRAWN, DRAWN), 1, (1, "seed", 3)),
        ((DRAWN, NARROW, DRAWN), 1, (2, "score", 3)),
        ((WON, LOST, WON), 3, (1, "wins", 3)),
        ((WON, WON, LOST), 3, (1, "wins", 2)),
        ((LOST, DRAWN, DRAWN, DRAWN, DRAWN), 3, (2, "more_wins", 5)),
        ((LOST, WON, DRAWN, NARROW, DRAWN), 3, (2, "score", 5)),
        ((), 1, (None, None, 0)),
    ],
)
def test_draws_are_replayed_up_to_the_cap_then_wins_then_scores_then_the_higher_seed_decide(
    games, best_of, expected
):
    """T7"""
    assert expected == decided(*games, best_of=best_of)


def test_a_walkover_remains_with_the_one_who_left_before_a_later_match_only():
    """T8, T13"""
    matches = bracket(
        [1, 2, 3, 4],
        lambda id_, seats: None,
        {1: "SF1", 4: "F", 2: "SF2", 3: "SF2"},
        formats.read({}),
    ).matches

    assert [(m.decided_by, m.winner) for m in matches] == [
        ("walkover", 4),
        ("void", None),
        ("void", None),
        ("void", None),
    ]


def test_half_point_scores_add_up_in_any_order():
    games = [
        ((1, 2), GameResult((1, 2), (0.1 * number, 0.3), (False, False))) for number in range(1, 10)
    ]

    assert standings([1, 2], games, POINTS) == standings([1, 2], games[::-1], POINTS)


def test_a_heat_bracket_of_five_has_a_semi_final_of_two():
    """T11: missing seeds are left out."""
    found = heat_bracket([1, 2, 3, 4, 5], lambda heat, seats: None, [], POINTS)

    assert [(heat.id, heat.seats) for heat in found.heats[:2]] == [
        ("SH1", (1, 4, 5)),
        ("SH2", (2, 3)),
    ]
    assert all(heat.waits for heat in found.heats[2:])
