"""The public record: a spectator's view at every turn, proven by the journal."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

import pytest

from client_sdk.bot import house
from client_sdk.replay import (
    KEYFRAME_EVERY,
    EventLine,
    InfoLine,
    from_journal,
    read,
    reading,
    verify_replay,
)
from client_sdk.wire.delta import patch
from games import GAMES
from games.core.contract import SPECTATOR, outcome_json
from games.core.journal import BrokenLine, Chain, Journal, lines
from games.core.match import Match
from games.core.play import play, play_turn
from games.core.rerun import Differs
from tests.e2e.arena import QUICK


@dataclass(frozen=True)
class Recorded:
    """A match that was played: its records, and what a spectator saw with each turn."""

    game: str
    journal: str
    replay: str
    seen: tuple[tuple[int, str], ...]
    outcome: dict


def recorded(
    game: str, bots: tuple[str, str], config: dict, seed: int, break_off_at: int | None = None
) -> Recorded:
    written: list[str] = []
    match = Match.begin(GAMES[game], config, seed)
    match.journal = Journal(written.append)
    seats = [{"name": name, "kind": "bot", "token": f"hash-of-{name}"} for name in bots]
    match.journal.header(
        GAMES[game], match="m1", config=config, seed=seed, map_text=None, seats=seats
    )
    seen: list[tuple[int, str]] = []

    def shown(now: Match) -> None:
        if seen and seen[-1][0] == now.turn:
            seen.pop()
        seen.append((now.turn, json.dumps(now.view(SPECTATOR))))
        if now.turn == 3 and now.outcome is None:
            now.journal.info(3, 0, {"message": "ü"})
            now.journal.event(3, 1, "away")

    players = [house(game, name) for name in bots]
    from client_sdk.bot import start_of

    for seat, player in enumerate(players):
        player.on_start(start_of(match, seat, bots))
    if break_off_at is None:
        play(match, players, shown)
    else:
        shown(match)
        while match.turn < break_off_at:
            play_turn(match, players)
            shown(match)
        match.forfeit(frozenset({0}), "timeout")
    journal = "".join(written)
    return Recorded(
        game, journal, from_journal(journal, GAMES), tuple(seen), outcome_json(match.outcome)
    )


@pytest.fixture(scope="module")
def pyrat() -> Recorded:
    """Long enough for several whole views."""
    return recorded("pyrat", ("random", "random"), {"preset": "tiny"}, 3)


@pytest.fixture(scope="module")
def botstack() -> Recorded:
    return recorded("botstack", ("greedy", "trivial"), {}, 3)


@pytest.fixture(scope="module")
def cookoff() -> Recorded:
    """Between two turns no seat can play until the game has opened the next one."""
    return recorded("cookoff", ("noodles", "noodles"), QUICK["cookoff"], 3)


@pytest.fixture(params=["pyrat", "botstack"])
def match(request) -> Recorded:
    return request.getfixturevalue(request.param)


def rechained(text: str, change) -> str:
    """The record with changed lines and a chain that fits them."""
    written: list[str] = []
    chain = Chain(written.append)
    for line in lines(text):
        fields = {key: value for key, value in line.fields.items() if key != "chain"}
        kind = fields.pop("k")
        for changed in change(line.number, kind, fields):
            chain.line(changed[0], **changed[1])
    return "".join(written)


# --- what it shows


def test_every_turn_shows_the_spectators_view(match):
    opened = read(match.replay)

    assert match.seen == tuple((turn, json.dumps(opened.seek(turn))) for turn in opened.turns())


def test_a_turn_is_shown_as_its_players_find_it(cookoff):
    opened = read(cookoff.replay)

    assert cookoff.seen == tuple((turn, json.dumps(opened.seek(turn))) for turn in opened.turns())
    assert all(opened.seek(turn)["acting"] for turn in opened.turns()[:-1])


def test_a_seek_applies_few_deltas(pyrat, monkeypatch):
    opened = read(pyrat.replay)
    applied = []
    monkeypatch.setattr(
        reading, "patch", lambda view, delta: (applied.append(1), patch(view, delta))[1]
    )
    assert len(opened.frames) > 2 * KEYFRAME_EVERY

    for turn in opened.turns():
        applied.clear()
        opened.seek(turn)
        assert len(applied) == turn % KEYFRAME_EVERY


def test_names_roles_outcome_and_seed_are_public_and_token_hashes_are_not(match):
    opened = read(match.replay)

    assert opened.names == (
        ("random", "random") if match.game == "pyrat" else ("greedy", "trivial")
    )
    assert tuple(seat.role for seat in opened.header.seats) == GAMES[match.game].roles
    assert match.outcome == opened.outcome
    assert opened.header.seed == 3
    assert "hash-of" in match.journal
    assert "hash-of" not in match.replay


def test_infos_belong_to_the_turn_in_which_they_were_sent(match):
    opened = read(match.replay)

    assert [InfoLine(3, 0, {"message": "ü"})] == opened.infos
    assert [EventLine(3, "away", 1)] == opened.events


def test_an_aborted_match_keeps_its_last_view_once():
    broken = recorded("pyrat", ("greedy", "random"), {"preset": "tiny"}, 5, break_off_at=4)
    opened = read(broken.replay)

    assert [frame.turn for frame in opened.frames] == [0, 1, 2, 3, 4]
    assert opened.outcome["outcome"] == "forfeit"
    assert verify_replay(broken.replay, broken.journal, GAMES).kind == "ok"


def test_a_resignation_within_a_turn_adds_a_last_view():
    written: list[str] = []
    match = Match.begin(GAMES["botstack"], {}, 1)
    match.journal = Journal(written.append)
    match.journal.header(
        GAMES["botstack"],
        match="m2",
        config={},
        seed=1,
        map_text=None,
        seats=[{"name": "a"}, {"name": "b"}],
    )
    match.apply(1, {"type": "resign"})

    opened = read(from_journal("".join(written), GAMES))

    assert opened.view(len(opened.frames) - 1)["phase"] == "finished"


def test_an_unknown_turn_is_reported_with_the_range(botstack):
    with pytest.raises(LookupError, match="no turn 999 in this replay; it has turns 0 to"):
        read(botstack.replay).seek(999)


# --- cut and wrong files


def test_a_replay_cut_after_any_line_can_be_opened(match):
    whole = read(match.replay)
    kept = match.replay.splitlines(keepends=True)
    for count in range(1, len(kept)):
        opened = read("".join(kept[:count]))
        assert opened.cut
        assert whole.frames[: len(opened.frames)] == opened.frames
        if opened.frames:
            assert whole.view(len(opened.frames) - 1) == opened.view(len(opened.frames) - 1)
        journal = match.journal if count % 25 == 0 else None
        assert verify_replay("".join(kept[:count]), journal, GAMES).kind == "cut"


def test_an_incomplete_last_line_is_ignored(botstack):
    for torn in (1, 20, 90):
        assert len(read(botstack.replay[:-torn]).frames) == len(read(botstack.replay).frames)


def test_a_cut_journal_gives_a_cut_replay(botstack):
    cut = "".join(botstack.journal.splitlines(keepends=True)[:30])
    made = from_journal(cut, GAMES)

    assert read(made).cut
    assert verify_replay(made, cut, GAMES).kind == "cut"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no whole line"),
        ("{}", "no whole line"),
    ],
)
def test_an_empty_file_is_not_a_replay(text, why):
    with pytest.raises(Differs, match=why):
        read(text)


def test_a_journal_is_not_a_replay(botstack):
    with pytest.raises(Differs, match="expected the header of a replay first"):
        read(botstack.journal)


def test_another_format_is_named(botstack):
    other = rechained(
        botstack.replay,
        lambda number, kind, fields: [(kind, fields | ({"format": 3} if number == 1 else {}))],
    )

    with pytest.raises(Differs, match="format 3; this program reads formats 1 and 2"):
        read(other)
    verdict = verify_replay(other, botstack.journal, GAMES)
    assert (verdict.kind, verdict.line) == ("unreadable", 1)


def test_a_replay_of_other_rules_opens_and_does_not_count_as_changed(botstack):
    newer = {"botstack": replace(GAMES["botstack"], rules_version=99)}

    assert read(botstack.replay).outcome == botstack.outcome
    assert verify_replay(botstack.replay, botstack.journal, newer).kind == "other_rules"


# --- proof


def test_an_unchanged_pair_verifies(match):
    verdict = verify_replay(match.replay.encode(), match.journal.encode(), GAMES)

    assert ("ok", len(match.replay.splitlines())) == (verdict.kind, verdict.line)
    assert "journal" in verdict.why
    assert verify_replay(match.replay, None, GAMES).kind == "ok"


def test_a_changed_byte_is_reported_with_its_line(match):
    data = match.replay.encode()
    for number, place in enumerate(range(0, len(data), max(1, len(data) // 250))):
        flipped = bytearray(data)
        flipped[place] ^= 1 << number % 8
        verdict = verify_replay(bytes(flipped), None, GAMES)
        assert verdict.kind not in ("ok", "cut"), place
        assert verdict.line == data[:place].count(b"\n") + 1


def test_a_changed_line_end_is_found(botstack):
    data = botstack.replay.encode()
    for place in [place for place, byte in enumerate(data) if byte == ord("\n")]:
        assert verify_replay(data[:place] + b"\r" + data[place + 1 :], None, GAMES).kind not in (
            "ok",
            "cut",
        )


def test_a_changed_byte_in_the_journal_is_attributed_to_the_journal(botstack):
    data = botstack.journal.encode()
    for place in range(0, len(data), 499):
        flipped = bytearray(data)
        flipped[place] ^= 1
        verdict = verify_replay(botstack.replay, bytes(flipped), GAMES)
        assert verdict.kind not in ("ok", "cut"), place
        assert "journal does not hold" in verdict.why


def test_a_forged_view_with_a_valid_chain_is_found(botstack):
    def richer(number, kind, fields):
        if number == 2:
            fields["view"]["players"][1]["health"] = 9
        return [(kind, fields)]

    verdict = verify_replay(rechained(botstack.replay, richer), botstack.journal, GAMES)

    assert (verdict.kind, verdict.line, verdict.turn) == ("differs", 2, 0)
    assert "view.view.players[1].health: the replay says 9, the journal gives 3" in verdict.why


@pytest.mark.parametrize(
    ("what", "change"),
    [
        (
            "outcome",
            lambda kind, fields: [
                (kind, fields | ({"outcome": {"winner": 1}} if kind == "end" else {}))
            ],
        ),
        (
            "header",
            lambda kind, fields: [
                (kind, fields | ({"config": {"gun_loads": 9}} if kind == "replay" else {}))
            ],
        ),
        ("event", lambda kind, fields: [] if kind == "event" else [(kind, fields)]),
        (
            "event",
            lambda kind, fields: (
                [(kind, fields), (kind, fields)] if kind == "event" else [(kind, fields)]
            ),
        ),
        ("seed", lambda kind, fields: [(kind, fields | ({"seed": 4} if kind == "replay" else {}))]),
        (
            "end",
            lambda kind, fields: (
                [(kind, fields), (kind, fields)] if kind == "end" else [(kind, fields)]
            ),
        ),
        (
            "change",
            lambda kind, fields: [
                (kind, fields | ({"delta": [7, 7, []]} if kind == "delta" else {}))
            ],
        ),
        (
            "header",
            lambda kind, fields: (
                [(kind, fields), (kind, fields | {"format": 1})]
                if kind == "replay"
                else [(kind, fields)]
            ),
        ),
        (
            "replay",
            lambda kind, fields: [("surprise", {})] if kind == "event" else [(kind, fields)],
        ),
        ("replay", lambda kind, fields: [(kind, {})] if kind == "view" else [(kind, fields)]),
        (
            "replay",
            lambda kind, fields: [(kind, fields | ({"\ud800": 1} if kind == "view" else {}))],
        ),
        (
            "outcome",
            lambda kind, fields: [
                (kind, fields | ({"outcome": {"\ud800": 1}} if kind == "end" else {}))
            ],
        ),
        (
            "seed",
            lambda kind, fields: [
                (kind, fields | ({"salt": "\ud800"} if kind == "replay" else {}))
            ],
        ),
    ],
)
def test_every_forgery_gets_a_verdict_other_than_verified(botstack, what, change):
    forged = rechained(botstack.replay, lambda number, kind, fields: change(kind, fields))
    verdict = verify_replay(forged, botstack.journal, GAMES)

    assert verdict.kind in ("differs", "unreadable")
    assert what in verdict.why


def test_true_is_not_one(botstack):
    """Equal to a language, different as JSON."""

    def blurred(number, kind, fields):
        if number == 2:
            fields["view"]["round"] = True
        return [(kind, fields)]

    assert (
        verify_replay(rechained(botstack.replay, blurred), botstack.journal, GAMES).kind
        == "differs"
    )


def test_the_journal_of_another_match_proves_nothing(botstack):
    other = recorded("botstack", ("greedy", "trivial"), {}, 4)
    verdict = verify_replay(botstack.replay, other.journal, GAMES)

    assert (verdict.kind, verdict.line) == ("differs", 1)


def test_a_broken_journal_gives_no_replay(botstack):
    with pytest.raises(BrokenLine):
        from_journal(botstack.journal.replace("shoot", "shott", 1), GAMES)
