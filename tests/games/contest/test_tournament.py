"""A tournament follows from its log: any order of games, undoing, leaving, attempts, and what is
refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.contest import as_json, facts, verbs
from games.contest.facts import BadFact, Fact
from games.contest.log import SAME_SEED
from games.contest.tournament import Tournament
from games.contest.verbs import Refused
from tests.games.contest.events import (
    BOTH_LOST,
    DRAWN,
    LOST,
    SEED,
    WON,
    ends,
    favourites,
    one_more,
    opened,
    until,
)

FORMATS = [
    pytest.param(format_, id=" ".join(map(str, format_.values())) or "contest")
    for format_ in (
        {"matches_per_pairing": 1},
        {"format": "round-robin", "matches_per_pairing": 2},
        {"format": "gauntlet", "challengers": 2, "matches_per_pairing": 1},
        {"format": "swiss", "matches_per_pairing": 1},
        {"format": "knock-out"},
        {"seats_per_match": 4, "bracket_seats": 4, "matches_per_pairing": 1},
        {"seats_per_match": 4, "matches_per_pairing": 1},
    )
]
by_format = pytest.mark.parametrize("format_", FORMATS)
examples = settings(max_examples=3, deadline=None)


def follows(tournament: Tournament) -> dict:
    """All that follows, but for who decided it and how often a game was played."""
    games = {
        id_: (one.entrants, tournament.result(id_)) for id_, one in tournament.fixtures.items()
    }
    return as_json.tournament(tournament) | {"games": games}


# --- from the first entry to the final list -------------------------------------------------------


@by_format
@pytest.mark.parametrize("entrants", [0, 1, 2, 3, 5, 8, 11])
def test_every_format_ends_with_a_ranking_of_all(format_, entrants):
    ended = until(opened(entrants, **format_), ended=ends(3))

    assert ended.state == "finished"
    assert sorted(ended.places) == list(range(1, entrants + 1))
    assert not ended.provisional
    assert not ended.due


@by_format
def test_a_bot_that_always_wins_is_first(format_):
    ended = until(opened(6, **format_))

    assert ended.places[0] == 1
    if format_.get("format") not in (
        "swiss",
        "gauntlet",
        "knock-out",
    ):  # there not all bots meet
        assert ended.places == (1, 2, 3, 4, 5, 6)


@by_format
@examples
@given(luck=st.integers(0, 50), order=st.randoms(use_true_random=False), entrants=st.integers(2, 9))
def test_the_order_in_which_games_end_does_not_matter(format_, luck, order, entrants):
    one = until(opened(entrants, **format_), ended=ends(luck))
    other = until(opened(entrants, **format_), ended=ends(luck), order=order)

    assert as_json.tournament(one) == as_json.tournament(other)


@by_format
@examples
@given(luck=st.integers(0, 50), order=st.randoms(use_true_random=False), steps=st.integers(0, 40))
def test_a_log_read_from_json_gives_the_same_tournament(format_, luck, order, steps):
    begun = opened(6, **format_)
    for _ in range(steps):
        if begun.due:
            begun = one_more(begun, ends(luck), order.choice(begun.due))
    lines = [json.dumps(facts.to_json(fact)) for fact in begun.facts]

    again = Tournament(begun.format, SEED, tuple(facts.read(json.loads(line)) for line in lines))

    assert begun == again
    assert as_json.tournament(begun) == as_json.tournament(again)
    assert begun.due == again.due
    assert json.loads(json.dumps(as_json.tournament(again))) == as_json.tournament(again)


def test_after_entries_close_bots_that_fail_their_check_are_left_out():
    tournament = opened(["a", "b", "c"], check=True, matches_per_pairing=1)

    assert tournament.state == "checking"
    assert [fixture.id for fixture in tournament.due] == ["check-1", "check-2", "check-3"]
    tournament = tournament.add(verbs.check(tournament, 1, True)).add(
        verbs.check(tournament, 2, False, "it never connected")
    )
    assert [fixture.id for fixture in tournament.due] == ["check-3"]
    tournament = tournament.add(verbs.check(tournament, 3, True))

    assert tournament.state == "round_robin"
    assert tournament.field == (1, 3)
    assert [one.status for one in tournament.entrants] == ["active", "left_out", "active"]
    assert tournament.entrants[1].why == "it never connected"
    assert until(tournament).places == (1, 3)


def test_the_states_have_their_order():
    tournament = Tournament(opened(0, matches_per_pairing=1).format, SEED)
    seen = [tournament.state]
    for name in "abc":
        tournament = tournament.add(verbs.enter(tournament, name))
    tournament = tournament.add(verbs.close(tournament))
    while tournament.due:
        seen.append(tournament.state)
        tournament = one_more(tournament, favourites, tournament.due[0])
    seen.append(tournament.state)

    assert list(dict.fromkeys(seen)) == [
        "entries_open",
        "round_robin",
        "seeded",
        "bracket",
        "finished",
    ]


def test_a_bracket_that_waits_starts_on_command():
    tournament = until(opened(4, bracket_waits=True, matches_per_pairing=1), "seeded")

    assert tournament.state == "seeded"
    assert tournament.seeds == (1, 2, 3, 4)
    assert not tournament.due
    assert [fixture.id for fixture in tournament.add(verbs.begin(tournament)).due] == [
        "SF1-1",
        "SF2-1",
    ]


def test_third_place_is_played_before_the_final():
    tournament = until(opened(4, format="knock-out"), ended=favourites)
    games = [fact.game for fact in tournament.facts if fact.kind == "result"]

    assert games == ["SF1-1", "SF2-1", "P3-1", "P3-2", "F-1", "F-2"]


def test_a_pause_starts_no_games_and_counts_running_ones():
    tournament = opened(3, matches_per_pairing=1)
    under_way = tournament.due[0]
    tournament = tournament.add(verbs.pause(tournament, "ann", "lunch"))

    assert not tournament.due
    tournament = one_more(tournament, favourites, under_way).add(verbs.resume(tournament, "ann"))
    assert under_way.id not in [fixture.id for fixture in tournament.due]
    assert len(tournament.due) == 2


# --- undoing --------------------------------------------------------------------------------------


@by_format
@examples
@given(
    luck=st.integers(0, 50),
    other=st.integers(51, 99),
    which=st.integers(0, 99),
    order=st.randoms(use_true_random=False),
)
def test_undoing_a_first_round_result_equals_a_new_tournament_with_the_other_result(
    format_, luck, other, which, order
):
    def mended(fixture):
        return ends(other if fixture.id == changed.id else luck)(fixture)

    begun = opened(6, **format_)
    changed = begun.due[which % len(begun.due)]
    old = until(begun, ended=ends(luck), order=order)
    number = next(
        number for number, fact in enumerate(old.facts, start=1) if fact.game == changed.id
    )

    old = old.add(verbs.undo(old, number, by="ann", why="wrong map"))
    assert changed.id in [fixture.id for fixture in old.due]
    undone = until(old, ended=mended)
    fresh = until(begun, ended=mended)

    assert as_json.tournament(fresh) == as_json.tournament(undone)


@by_format
@examples
@given(luck=st.integers(0, 50), other=st.integers(51, 99), which=st.integers(0, 99))
def test_overriding_equals_a_new_tournament_with_that_result(format_, luck, other, which):
    def mended(fixture):
        return ends(other if fixture.id == changed.id else luck)(fixture)

    begun = opened(6, **format_)
    changed = begun.due[which % len(begun.due)]
    old = until(begun, ended=ends(luck))

    overridden = until(
        old.add(verbs.override(old, changed.id, ends(other)(changed), "ann", "protest upheld")),
        ended=mended,
    )

    assert overridden.how(changed.id) == "override"
    assert as_json.tournament(until(begun, ended=mended)) == as_json.tournament(overridden)


def test_undoing_a_mistake_restores_the_played_games():
    before = until(opened(4, matches_per_pairing=1))
    after = before.add(verbs.override(before, "rr-1", DRAWN, "ann"))
    assert follows(before) != follows(after)

    after = after.add(verbs.undo(after, len(after.facts), "ann", "wrong game"))
    assert follows(before) == follows(after)
    again = after.add(verbs.undo(after, len(after.facts), "ann", "it was right"))

    assert again.result("rr-1") == DRAWN
    assert [line["void"] for line in as_json.audit(again) if line["kind"] == "undone"] == [
        True,
        False,
    ]
    assert as_json.audit(again)[-1]["by"] == "ann"
    assert as_json.audit(again)[-1]["why"] == "it was right"


def test_a_recalculated_bracket_drops_games_of_bots_no_longer_in_them():
    tournament = until(opened(8, format="knock-out"))
    assert tournament.fixtures["SF1-1"].entrants == (1, 4)

    tournament = tournament.add(verbs.override(tournament, "QF1-1", LOST, "ann"))

    assert tournament.fixtures["SF1-1"].entrants == (4, 8)
    assert tournament.result("SF1-1") is None
    assert tournament.result("SF2-1") is not None
    assert [fixture.id for fixture in tournament.due] == ["SF1-1"]
    back = tournament.add(verbs.undo(tournament, len(tournament.facts)))
    assert back.state == "finished"


def test_a_replayed_game_counts_by_its_last_attempt():
    tournament = until(opened(3, matches_per_pairing=1), "seeded")
    tournament = tournament.add(verbs.replay(tournament, "rr-1", "ann", "the table fell over"))
    (fixture,) = tournament.due

    assert (fixture.id, fixture.attempt) == ("rr-1", 2)
    tournament = tournament.add(verbs.report(tournament, "rr-1", DRAWN, 2))
    assert tournament.result("rr-1") == DRAWN


def test_the_closing_of_entries_cannot_be_undone():
    tournament = opened(3)

    for number in range(1, 5):
        with pytest.raises(Refused, match="lasting"):
            verbs.undo(tournament, number)


def test_a_check_can_be_undone_until_the_first_game():
    tournament = opened(["a", "b"], check=True, matches_per_pairing=1)
    tournament = tournament.add(verbs.check(tournament, 1, False, "no network")).add(
        verbs.check(tournament, 2, True)
    )
    tournament = tournament.add(verbs.undo(tournament, 4, "ann", "ours"))
    assert [fixture.id for fixture in tournament.due] == ["check-1"]
    tournament = tournament.add(verbs.check(tournament, 1, True))
    tournament = one_more(tournament, favourites, tournament.due[0])

    for number in (5, 6, 7):
        with pytest.raises(Refused, match="lasting"):
            verbs.undo(tournament, number)


# --- attempts -------------------------------------------------------------------------------------


def test_an_aborted_game_is_repeated_three_times_with_its_seed_then_with_a_new_one():
    tournament = opened(2, matches_per_pairing=1)
    seeds = []
    for attempt in range(1, 2 * SAME_SEED + 2):
        (fixture,) = tournament.due
        assert attempt == fixture.attempt
        seeds.append(fixture.seed)
        tournament = tournament.add(verbs.report(tournament, fixture.id, None, attempt))

    assert [seeds.count(seed) for seed in dict.fromkeys(seeds)] == [4, 4, 1]
    assert [row.played for row in tournament.rows] == [0, 0]


def test_an_aborted_game_does_not_change_the_outcome():
    def breaks_first(fixture):
        return None if fixture.attempt == 1 else ends(5)(fixture)

    assert as_json.tournament(until(opened(5), ended=ends(5))) == as_json.tournament(
        until(opened(5), ended=breaks_first)
    )


def test_no_game_is_counted_twice():
    tournament = opened(3, matches_per_pairing=1)
    tournament = tournament.add(verbs.report(tournament, "rr-1", WON, 1))

    with pytest.raises(Refused, match="not_due"):
        verbs.report(tournament, "rr-1", WON, 1)
    tournament = tournament.add(verbs.replay(tournament, "rr-1"))
    with pytest.raises(Refused, match="stale_attempt"):
        verbs.report(tournament, "rr-1", LOST, 1)


# --- leaving --------------------------------------------------------------------------------------


def left_after(games: int, verb: str, entry: int = 5):
    """Five bots, each of four games; one leaves after this number of its own."""
    tournament = opened(5, matches_per_pairing=1)
    own = [fixture for fixture in tournament.due if entry in fixture.entrants]
    for fixture in own[:games]:
        tournament = one_more(tournament, favourites, fixture)
    return until(tournament.add(getattr(verbs, verb)(tournament, entry, "ann", "asked to")))


@by_format
@examples
@given(
    luck=st.integers(0, 50),
    order=st.randoms(use_true_random=False),
    moments=st.lists(st.integers(0, 12), max_size=5),
)
def test_a_withdrawal_removes_no_played_game(format_, luck, order, moments):
    tournament = opened(7, **format_)
    for games in moments:
        for _ in range(games):
            if tournament.due:
                tournament = one_more(tournament, ends(luck), order.choice(tournament.due))
        entry = order.randint(1, 7)
        if tournament.state != "finished" and all(
            one.status == "active" for one in tournament.entrants if one.entry == entry
        ):
            left = tournament.add(
                order.choice((verbs.withdraw, verbs.disqualify))(tournament, entry)
            )
            played = {
                id_: result
                for id_ in tournament.fixtures
                if (result := tournament.result(id_)) is not None
            }
            assert played == {id_: left.result(id_) for id_ in played}
            if not tournament.provisional:
                assert (tournament.seeds, tournament.rows) == (
                    left.seeds,
                    left.rows,
                ) or not left.format.bracketed
            tournament = left


@pytest.mark.parametrize(("games", "annulled"), [(0, True), (1, True), (2, False), (3, False)])
def test_a_withdrawal_before_half_of_the_games_annuls_them(games, annulled):
    """T8"""
    tournament = left_after(games, "withdraw")
    row = next(row for row in tournament.rows if row.entry == 5)

    assert annulled == (row.rank is None)
    assert {3 if annulled else 4} == {row.played for row in tournament.rows if row.entry != 5}
    if not annulled:
        assert (4, 4 - games) == (row.played, row.forfeits)
    assert 5 not in tournament.seeds


@pytest.mark.parametrize("games", [0, 2, 4])
def test_a_disqualification_in_stage_1_annuls_all_games(games):
    """T8"""
    tournament = left_after(games, "disqualify")

    assert [row.entry for row in tournament.rows if row.rank is None] == [5]
    assert tournament.places == (1, 2, 3, 4)


def test_a_late_withdrawal_keeps_its_rank_and_the_next_bot_qualifies():
    tournament = opened(5, matches_per_pairing=1, bracket_size=2)
    own = [fixture for fixture in tournament.due if 2 in fixture.entrants]
    for fixture in own[:3]:
        tournament = one_more(tournament, favourites, fixture)
    tournament = until(tournament.add(verbs.withdraw(tournament, 2)))

    assert [row.entry for row in tournament.rows if row.rank is not None] == [1, 2, 3, 4, 5]
    assert tournament.seeds == (1, 3)
    assert tournament.places == (1, 3, 2, 4, 5)


def test_a_withdrawal_after_the_seeding_is_a_walkover_for_the_opponent():
    """T8"""
    tournament = until(opened(8, matches_per_pairing=1), "seeded")
    tournament = tournament.add(verbs.disqualify(tournament, 1, "ann", "two accounts"))
    matches = {match.id: match for match in tournament.matches}

    assert (matches["QF1"].decided_by, matches["QF1"].winner, matches["QF1"].loser) == (
        "walkover",
        8,
        1,
    )
    ended = until(tournament)
    assert 1 not in ended.places
    assert len(ended.places) == 7


def test_a_match_without_both_bots_is_void_and_the_next_opponent_has_a_walkover():
    """T8"""
    tournament = until(opened(8, format="knock-out"), "seeded")
    for entry in (1, 8):
        tournament = tournament.add(verbs.withdraw(tournament, entry))
    ended = until(tournament)
    matches = {match.id: match for match in ended.matches}

    assert (matches["QF1"].decided_by, matches["QF1"].winner) == ("void", None)
    assert (matches["SF1"].decided_by, matches["SF1"].winner) == ("walkover", 4)
    assert (matches["P3"].decided_by, matches["P3"].winner) == ("walkover", 3)
    assert ended.places == (2, 4, 3, 5, 6, 7)


def test_a_bot_that_advanced_by_walkover_and_leaves_later_changes_no_earlier_result():
    """T8: no bot is promoted."""
    tournament = until(opened(8, format="knock-out"), "seeded")
    tournament = tournament.add(verbs.withdraw(tournament, 8))
    while not any(fixture.match == "SF1" for fixture in tournament.due):
        tournament = one_more(tournament, favourites, tournament.due[0])
    semi = next(fixture for fixture in tournament.due if fixture.match == "SF1")
    tournament = one_more(tournament, favourites, semi)
    left = tournament.add(verbs.withdraw(tournament, 1))
    matches = {match.id: match for match in left.matches}

    assert tournament.result(semi.id) == left.result(semi.id)
    assert (matches["QF1"].decided_by, matches["QF1"].winner) == ("walkover", 1)
    assert (matches["SF1"].winner, matches["SF1"].loser) == (1, 4)


def test_a_disqualification_after_the_end_is_skipped_in_the_ranking():
    ended = until(opened(4, matches_per_pairing=1))
    ended = ended.add(verbs.disqualify(ended, 1, "ann", "found out"))

    assert ended.state == "finished"
    assert ended.places == (2, 3, 4)


def test_a_heat_is_played_by_the_remaining_bots():
    tournament = opened(6, seats_per_match=4, bracket_seats=4, matches_per_pairing=2)
    own = [fixture for fixture in tournament.due if 6 in fixture.entrants]
    for fixture in own[: len(own) // 2 + 1]:
        tournament = one_more(tournament, favourites, fixture)
    tournament = tournament.add(verbs.withdraw(tournament, 6))

    assert tournament.due
    assert all(6 not in fixture.entrants for fixture in tournament.due)
    assert {3} == {
        len(fixture.entrants) for fixture in tournament.due if fixture.id in {one.id for one in own}
    }
    ended = until(tournament)
    row = next(row for row in ended.rows if row.entry == 6)
    assert row.status == "withdrawn"
    assert row.forfeits > 0
    assert 6 not in ended.seeds


def test_a_withdrawal_from_the_bracket_does_not_change_the_table_before_it():
    """T8: a game that was won because the other left stays won."""
    tournament = opened(4, matches_per_pairing=2)
    while (own := [fixture for fixture in tournament.due if 4 in fixture.entrants]) and len(
        own
    ) > 2:
        tournament = one_more(tournament, favourites, own[0])
    seeded = until(tournament.add(verbs.withdraw(tournament, 4)), "seeded")

    for entry in seeded.field:
        for leave in (verbs.withdraw, verbs.disqualify):
            if entry != 4 or leave is verbs.disqualify:
                left = seeded.add(leave(seeded, entry))
                assert (seeded.rows, seeded.seeds) == (left.rows, left.seeds)
                assert entry not in (until(left).places or ())


def test_a_heat_played_without_some_bots_counts_after_further_withdrawals():
    for stage in ("round_robin", "bracket"):
        tournament = opened(4, seats_per_match=4, bracket_seats=4, matches_per_pairing=2)
        if stage == "bracket":
            tournament = until(tournament, "seeded")
        tournament = tournament.add(verbs.withdraw(tournament, 4))
        tournament = one_more(tournament, favourites, tournament.due[0])
        played = tournament.facts[-1].game
        assert played is not None
        left = tournament.add(verbs.withdraw(tournament, 3))

        assert tournament.result(played) == left.result(played)
        assert played not in [fixture.id for fixture in left.due]


def test_a_repeated_heat_counts_by_its_last_attempt():
    tournament = opened(4, seats_per_match=4, bracket_seats=4, matches_per_pairing=1)
    game = tournament.due[0].id
    tournament = tournament.add(verbs.withdraw(tournament, 4))
    gone = len(tournament.facts)
    tournament = one_more(tournament, favourites, tournament.due[0])
    tournament = tournament.add(verbs.undo(tournament, gone))
    tournament = one_more(tournament, favourites, tournament.due[0])
    tournament = tournament.add(verbs.withdraw(tournament, 4))
    tournament = tournament.add(verbs.replay(tournament, game))

    assert [game] == [fixture.id for fixture in tournament.due]


def test_a_finalist_that_leaves_between_the_final_heats_has_no_place():
    tournament = until(
        opened(4, seats_per_match=4, bracket_seats=4, matches_per_pairing=1), "seeded"
    )
    first = tournament.due[0]
    tournament = one_more(tournament, favourites, first)
    tournament = tournament.add(verbs.disqualify(tournament, 1))

    assert {3} == {len(fixture.entrants) for fixture in tournament.due}
    assert until(tournament).places == (2, 3, 4)


def test_in_a_swiss_a_withdrawn_bot_is_not_paired_and_paired_rounds_stay():
    tournament = opened(6, format="swiss", matches_per_pairing=1)
    first = {fixture.id: fixture.entrants for fixture in tournament.due}
    tournament = one_more(tournament, favourites, tournament.due[0])
    gone = tournament.due[0].entrants[0]
    tournament = until(tournament.add(verbs.withdraw(tournament, gone)))

    assert first == {id_: tournament.fixtures[id_].entrants for id_ in first}
    assert all(
        gone not in one.entrants for id_, one in tournament.fixtures.items() if id_ not in first
    )


def test_in_a_swiss_a_later_withdrawal_keeps_paired_games():
    tournament = opened(8, format="swiss", matches_per_pairing=1, rounds=3)
    absent = tournament.due[0]
    tournament = tournament.add(verbs.withdraw(tournament, absent.entrants[0]))
    while tournament.fixtures.keys() == {
        fixture.id for fixture in tournament.fixtures.values() if fixture.round == 1
    }:
        tournament = one_more(tournament, favourites, tournament.due[0])
    tournament = one_more(tournament, favourites, tournament.due[0])
    second = {fixture.id: fixture.entrants for fixture in tournament.fixtures.values()}
    tournament = tournament.add(verbs.withdraw(tournament, absent.entrants[1]))

    assert second == {id_: tournament.fixtures[id_].entrants for id_ in second}


# --- what is refused ------------------------------------------------------------------------------


def refused(tournament: Tournament, verb: str, *args: object) -> str:
    with pytest.raises(Refused) as no:
        getattr(verbs, verb)(tournament, *args)
    return no.value.code


def test_an_impossible_fact_is_refused_with_a_code():
    open_ = Tournament(opened(0).format, SEED)
    for name in "ab":
        open_ = open_.add(verbs.enter(open_, name))
    running = open_.add(verbs.close(open_))
    ended = until(running)

    for tournament, code, verb, *args in (
        (open_, "name_taken", "enter", "a"),
        (open_, "bad_name", "enter", " "),
        (open_, "bad_name", "enter", "x" * 65),
        (open_, "not_due", "report", "rr-1", WON, 1),
        (open_, "not_due", "check", 1, True),
        (open_, "no_such_game", "override", "rr-1", WON),
        (running, "entries_closed", "enter", "c"),
        (running, "entries_closed", "close"),
        (running, "no_such_game", "replay", "rr-9"),
        (running, "not_played", "replay", "rr-1"),
        (running, "not_seated", "forfeit", "rr-1", [3]),
        (running, "no_such_entrant", "withdraw", 3),
        (running, "no_such_fact", "undo", 9),
        (running, "not_paused", "resume"),
        (running, "not_due", "begin"),
        (ended, "over", "withdraw", 1),
        (ended, "over", "cancel"),
        (ended, "not_running", "pause"),
        (ended.add(verbs.disqualify(ended, 1)), "gone", "disqualify", 1),
    ):
        assert code == refused(tournament, verb, *args), (verb, args)


def test_a_result_for_another_number_of_seats_is_refused():
    running = opened(4, seats_per_match=4, bracket_seats=4)

    assert refused(running, "report", "heat-1", WON, 1) == "bad_result"
    assert refused(running, "override", "heat-1", WON) == "bad_result"


def test_a_cancelled_tournament_starts_no_games():
    running = opened(4)
    running = running.add(verbs.cancel(running, "ann", "fire alarm"))

    assert (running.state, running.due) == ("cancelled", ())
    assert refused(running, "report", "rr-1", WON, 1) == "not_due"


def test_a_game_without_players_is_recorded_unplayed():
    running = opened(2, matches_per_pairing=2, forfeit_score=[2, 0])
    running = running.add(verbs.forfeit(running, "rr-1", [2], "ann", "did not come"))
    running = running.add(verbs.forfeit(running, "rr-2", [1, 2], "ann", "no show"))
    first, second = running.rows

    assert (first.entry, second.entry, [first.score_for, second.score_for]) == (1, 2, [2, 0])
    assert [first.both_lost, second.both_lost] == [1, 1]
    assert [first.forfeits, second.forfeits] == [1, 2]


# --- facts as JSON --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        None,
        [],
        {},
        {"kind": "won"},
        {"kind": "entered", "entry": 1},
        {"kind": "entered", "entry": 0, "name": "a"},
        {"kind": "entered", "entry": 1, "name": "a", "more": 1},
        {"kind": "result", "game": "rr-1", "seats": [], "attempt": 1},
        {"kind": "result", "game": "rr-1", "seats": [1, 2], "attempt": True},
        {"kind": "override", "game": "rr-1", "seats": [1, 2]},
        {
            "kind": "override",
            "game": "rr-1",
            "seats": [1, 2],
            "result": {"placement": [1], "score": [0]},
        },
        {
            "kind": "override",
            "game": "rr-1",
            "seats": [1, 2],
            "result": {"placement": [2, 2], "score": [0, 0]},
        },
        {
            "kind": "override",
            "game": "rr-1",
            "seats": [1, 2],
            "result": {"placement": [1, 2], "score": ["1", 0]},
        },
        {
            "kind": "override",
            "game": "rr-1",
            "seats": [1, 2],
            "result": {"placement": [1, 2], "score": [1, 0], "both_lost": True},
        },
        {"kind": "withdrawn", "entry": 1, "stage": "lunch"},
        {"kind": "undone"},
    ],
)
def test_an_invalid_fact_is_reported(line):
    with pytest.raises(BadFact):
        facts.read(line)


def test_a_fact_as_json_leaves_out_empty_fields():
    fact = Fact(kind="override", game="rr-1", seats=(1, 2), result=BOTH_LOST, by="ann")

    assert facts.to_json(fact) == {
        "kind": "override",
        "game": "rr-1",
        "seats": [1, 2],
        "result": {
            "placement": [1, 1],
            "score": [0, 0],
            "forfeit": [False, False],
            "both_lost": True,
        },
        "by": "ann",
    }
    assert fact == facts.read(facts.to_json(fact))


def test_nothing_public_contains_the_tournaments_seed():
    tournament = until(
        Tournament(opened(0).format, 123456789012345).add(Fact(kind="entered", entry=1, name="a"))
    )

    assert "123456789012345" not in json.dumps(
        [as_json.tournament(tournament), as_json.audit(tournament)]
    )


def test_the_final_ranking_has_the_names():
    tournament = until(opened(["ada", "bob", "cyd"], matches_per_pairing=1))

    assert as_json.tournament(tournament)["placings"] == ["ada", "bob", "cyd"]
    assert [row["id"] for row in as_json.tournament(tournament)["standings"]] == [
        "ada",
        "bob",
        "cyd",
    ]
