"""What every game must be, as checks that raise AssertionError: pure, repeatable, finite, plain
JSON, tight, sturdy."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

from games.core.contract import (
    SPECTATOR,
    AnyGame,
    Json,
    Outcome,
    Rejected,
    Reply,
    Viewer,
    outcome_json,
)
from games.core.dice import Seeded
from games.core.journal import fingerprint
from games.core.match import Match
from games.core.rerun import verify
from tests.core.records import begun
from tests.games.entries import Entry, some_seats

MOST_COMMANDS = 3
"""A seat's commands in one random turn."""


def plain(value: Json) -> str:
    """JSON that any reader takes."""
    return json.dumps(value, allow_nan=False)


def viewers(match: Match) -> list[Viewer]:
    return [SPECTATOR, *range(match.seats)]


def random_play(
    entry: Entry, match: Match, chance: Random, bound: int | None = None
) -> Iterator[Match]:
    """Play at random, some turns in silence; the match after each change and each try, to the end
    or for `bound` steps."""
    yield match
    while match.outcome is None and match.step < (bound or entry.longest):
        turn = match.turn
        for seat in sorted(match.awaited):
            for _ in range(chance.randint(0, MOST_COMMANDS)):
                if match.turn == turn:
                    match.apply(seat, entry.command(chance))
                    yield match
        if (
            match.outcome is None
            and match.turn == turn
            and (not match.awaited or chance.random() < 0.5 or match.pacing.tick_ms)
        ):
            match.advance()
            yield match


def begin(entry: Entry, seed: int, game: AnyGame | None = None) -> tuple[Match, Random]:
    chance = Random(seed)
    return Match.begin(game or entry.game, chance.choice(entry.configs), seed), chance


def check_pure(entry: Entry, seed: int) -> None:
    """No verb and no question changes the state it is given."""
    match, chance = begin(entry, seed, watched(entry.game))
    for shown in random_play(entry, match, chance):
        for viewer in viewers(shown):
            shown.view(viewer)
        for seat in range(shown.seats):
            shown.legal(seat)


def watched(game: AnyGame) -> AnyGame:
    """The game, looking at its state before and after each of its functions: before, at what it
    was when it was given to one of them for the first time."""
    seen: list[Any] = []

    def keeps(what: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def kept(state: Any, *rest: Any) -> Any:
            if not seen or seen[0] is not state:
                seen[:] = state, pickle.dumps(state), repr(state)
            before = seen[1:]
            try:
                return function(state, *rest)
            finally:
                assert before == [pickle.dumps(state), repr(state)], (
                    f"{game.name}: {what} changed the state it was given"
                )

        return kept

    names = ["turn", "awaited", "apply", "advance", "view", "outcome", "forfeit"]
    if game.legal is not None:
        names.append("legal")
    return replace(game, **{name: keeps(name, getattr(game, name)) for name in names})


def history(entry: Entry, seed: int) -> list[str]:
    """All there is to see of a random match: every state's hash, every view, the outcome."""
    match, chance = begin(entry, seed)
    seen = []
    for shown in random_play(entry, match, chance):
        seen.append(fingerprint(shown.state))
        seen.append(fingerprint([plain(shown.view(viewer)) for viewer in viewers(shown)]))
    return [*seen, plain(match.outcome and outcome_json(match.outcome))]


def printed_in_every_process(program: str) -> str:
    """What this program prints, which has to be the same however a process hashes its words."""
    first, *others = [
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).parents[2],
            env=os.environ | {"PYTHONHASHSEED": hashing},
        ).stdout
        for hashing in ("0", "1", "4242")
    ]
    for other in others:
        pairs = zip_longest(first.splitlines(), other.splitlines())
        assert [pair for pair in pairs if pair[0] != pair[1]][:1] == []
    return first


def check_ends(entry: Entry, seed: int) -> None:
    """Within the bound, at random and in silence; turns count one by one; a seat that is awaited is
    one of the seats."""
    for silent in (False, True):
        match, chance = begin(entry, seed)
        turn = match.turn
        for shown in random_play(
            replace(entry, command=lambda chance: None) if silent else entry, match, chance
        ):
            assert shown.turn in (turn, turn + 1), f"turn {turn} is followed by turn {shown.turn}"
            assert shown.awaited <= frozenset(range(shown.seats))
            turn = shown.turn
        assert match.outcome is not None, f"{entry.game.name} is not over after {match.step} steps"
        check_outcome(match.outcome, match.seats)


def check_outcome(outcome: Outcome, seats: int) -> None:
    """One line per seat; the winner won and stands first; it is plain JSON."""
    assert [one.seat for one in outcome.seats] == list(range(seats))
    assert json.loads(plain(outcome_json(outcome))) == outcome_json(outcome)
    assert outcome.reason
    if outcome.winner is not None:
        assert (outcome.seats[outcome.winner].outcome, outcome.seats[outcome.winner].placement) == (
            "win",
            1,
        )
    assert [one.seat for one in outcome.seats if one.outcome == "win"] == (
        [] if outcome.winner is None else [outcome.winner]
    )


def check_forfeits(entry: Entry, seed: int) -> None:
    """A seat that is out at any moment does not win while others are left; with no seat left, each
    game has its own rule.

    A match that is aborted has no winner.
    """
    match, chance = begin(entry, seed)
    for shown in random_play(entry, match, chance):
        if shown.outcome is None:
            out = some_seats(chance, shown.seats)
            found = paused(shown).forfeit(out, "timeout")
            check_outcome(found, shown.seats)
            if len(out) < shown.seats:
                assert (found.kind, found.reason) == ("forfeit", "timeout")
                assert found.winner not in out, "who is out wins"
            ended = paused(shown).abort("platform")
            check_outcome(ended, shown.seats)
            assert (ended.kind, ended.winner, ended.reason) == ("aborted", None, "platform")


def paused(match: Match) -> Match:
    """Another match at the same moment, which may be broken off."""
    return Match(match.game, match.rules, match.state, Seeded(1))


def check_views(entry: Entry, seed: int) -> None:
    """Every view is the same before and after its conversion to JSON, and changing one affects no
    other."""
    match, chance = begin(entry, seed)
    for shown in random_play(entry, match, chance):
        views = {viewer: shown.view(viewer) for viewer in viewers(shown)}
        before = {viewer: plain(view) for viewer, view in views.items()}
        for viewer, view in views.items():
            if entry.game.read_only_view is not None:
                assert before[viewer] == plain(entry.game.read_only_view(shown.state, viewer)), (
                    "a read-only view is another one"
                )
            assert json.loads(before[viewer]) == view, "a view changes on its way through JSON"
            if entry.game.private_fields is not None and viewer is not None:
                own = dict(entry.game.private_fields(shown.state, viewer))
                assert own, "a seat has nothing of its own"
                assert before[viewer] == plain(views[SPECTATOR] | own), (
                    "a seat's view is not a spectator's with its private fields"
                )
    for viewer in viewers(match):
        wreck(match.view(viewer))
        for other in viewers(match)[viewers(match).index(viewer) + 1 :]:
            assert plain(match.view(other)) == before[other], (
                "a view shares parts with another one or with the state"
            )


def wreck(value: Json) -> None:
    """Empty everything that can be emptied."""
    for inner in (
        list(value.values())
        if isinstance(value, dict)
        else value
        if isinstance(value, list)
        else ()
    ):
        wreck(inner)
    if isinstance(value, dict | list):
        value.clear()


def check_tight(entry: Entry, seed: int) -> int:
    """States that differ only in what a viewer may not see look alike to it and answer it alike.
    How many were compared."""
    assert entry.twins is not None
    match, chance = begin(entry, seed)
    compared = 0
    for shown in random_play(entry, match, chance):
        for viewer in viewers(shown):
            looks = plain(shown.view(viewer))
            command, reply = entry.command(chance), None
            if viewer is not None and shown.outcome is None:
                reply = answer(shown, shown.state, viewer, command)
            for twin in entry.twins(shown.state, viewer):
                assert plain(entry.game.view(twin, viewer)) == looks, (
                    f"{viewer} sees what is hidden from it"
                )
                compared += 1
                if reply is not None:
                    assert answer(shown, twin, viewer, command) == reply, (
                        f"{viewer} gets what is hidden from it"
                    )
    return compared


def check_legal(entry: Entry, seed: int) -> None:
    """Each command that is listed is accepted and, at some moments, no other one of the game is;
    the list tells nothing that is hidden. The match is played with listed commands mostly."""
    match, chance = begin(entry, seed)
    for _ in range(250):
        if match.outcome is not None:
            break
        if chance.random() < 0.2:
            for seat in range(match.seats):
                check_list(entry, match, seat, whole=chance.random() < 0.1)
        seat, turn = chance.choice([*match.awaited] or [0]), match.turn
        listed = match.legal(seat)
        match.apply(seat, a_kind(listed, chance) if listed else entry.command(chance))
        waits = match.awaited if entry.game.end_turn is None else None
        if (
            match.outcome is None
            and match.turn == turn
            and (not match.awaited or (waits and chance.random() < 0.3))
        ):
            match.advance()
    if match.outcome is not None:
        assert [match.legal(seat) for seat in range(match.seats)] == [[]] * match.seats


def a_kind(commands: list[Json], chance: Random) -> Json:
    """One of the commands: each kind is as likely as any other."""
    kinds: dict[str, list[Json]] = {}
    for command in commands:
        name = plain(next(iter(command.values()))) if isinstance(command, dict) else ""
        kinds.setdefault(name, []).append(command)
    return chance.choice(chance.choice([*kinds.values()]))


def check_list(entry: Entry, match: Match, seat: int, *, whole: bool) -> None:
    listed = match.legal(seat)
    assert listed is not None
    spelt = {plain(command) for command in listed}
    assert len(spelt) == len(listed), "a command is listed twice"
    for command in listed:
        assert match.fate(seat, command).ok, f"{command} is listed and not accepted"
    if whole:
        assert entry.every is not None
        every = {plain(command): command for command in entry.every(match.state, seat)}
        assert spelt <= every.keys()
        for text in every.keys() - spelt:
            assert not match.fate(seat, every[text]).ok, f"{text} is accepted and not listed"
    for twin in () if entry.twins is None else entry.twins(match.state, seat):
        assert entry.game.legal(twin, seat) == listed, "the list tells what is hidden"


def answer(match: Match, state: Any, seat: int, command: Json) -> Reply:
    """The reply that this seat would get in that state."""
    return Match(match.game, match.rules, state, Seeded(0)).apply(seat, command)


def check_sturdy(entry: Entry, seed: int, raw: Json) -> None:
    """Any JSON from any seat at any moment has one result; rejected, it leaves the state unchanged;
    nothing raises."""
    match, chance = begin(entry, seed)
    written: list[tuple[Any, ...]] = []

    class Book:
        def command(
            self, turn: int, seat: int, raw: Json, reply: Reply, stamps: Json = None
        ) -> None:
            written.append((turn, seat, reply))

        def __getattr__(self, name: str) -> Callable[..., None]:
            return lambda *rest: None

    match.journal = Book()
    moment = chance.randrange(60)
    for _, _ in zip(range(moment), random_play(entry, match, chance), strict=False):
        pass
    entry.game.is_out_of_turn(raw)
    for seat in range(match.seats):
        written.clear()
        state, turn = match.state, match.turn
        reply = match.apply(seat, raw)
        assert written == [(turn, seat, reply)]
        assert reply.verdict in ("ok", "refused", "rejected")
        assert (reply.code == "ok") is (reply.verdict == "ok")
        plain(reply.changes)
        if reply.verdict == "rejected":
            assert reply.why, "a rejected command must say why"
            assert match.state is state, "a rejected command changed the state"


def check_spoken(game: AnyGame, raw: Json) -> None:
    """What a frame may say instead of a command never breaks anything."""
    with contextlib.suppress(Rejected):
        game.from_shorthand(raw)


def check_recorded(entry: Entry, seed: int) -> None:
    """The record of random play verifies, broken off or not, and is sound wherever it is cut."""
    chance = Random(seed)
    match, written = begun(entry.game, chance.choice(entry.configs), seed)
    stop = chance.randrange(2 * entry.longest)
    for _ in random_play(entry, match, chance, stop):
        pass
    if match.outcome is None:
        if chance.random() < 0.5:
            match.abort("platform")
        else:
            match.forfeit(some_seats(chance, match.seats), "timeout")
    record = "".join(written)
    found = verify(record.encode(), {entry.game.name: entry.game})
    assert found.kind == "ok", found
    assert verify(
        record[: chance.randrange(len(written[0]), len(record))], {entry.game.name: entry.game}
    ).sound
