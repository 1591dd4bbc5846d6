"""The third driver: a match played again from its journal, and what `verify` says of one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from games.core.contract import AnyGame, BadSetup, Json, Reply, Seat, outcome_json
from games.core.errors import BotarenaError
from games.core.journal import FORMATS, BrokenLine, Line, commitment, encode, fingerprint, lines
from games.core.match import Match
from games.core.text import text_of


@dataclass(frozen=True, slots=True)
class Verdict:
    """What `verify` found in a record."""

    kind: Literal["ok", "cut", "broken", "differs", "other_rules", "unreadable"]
    """`ok`, or what is wrong; `docs/errors.md` explains the kinds."""
    why: str
    """The same as a sentence."""
    line: int
    """The number of the line, from 1."""
    turn: int | None = None
    """The turn, if it is known."""
    head: str = ""
    """The last digest of the journal's chain."""

    @property
    def sound(self) -> bool:
        """Everything in the record agrees with the rules. A cut record is sound up to the cut."""
        return self.kind in ("ok", "cut")


def verify(record: bytes | str, games: Mapping[str, AnyGame]) -> Verdict:
    """Play a journal again and compare: every line's chain, every command's fate, every turn's
    hash, the outcome.

    Give a file's bytes, not its text: reading text may repair a line end that was changed. Whatever
    is in it, the answer is a verdict."""
    text = text_of(record, exact=True)
    if not text:
        return Verdict("unreadable", "the file is empty", 1)
    rerun = Rerun(games)
    head, number = "", 0
    try:
        for line in lines(text):
            rerun.take(line)
            head, number = line.chain, line.number
    except BrokenLine as fault:
        return Verdict("broken", fault.why, fault.number, rerun.turn, head)
    except Differs as difference:
        return Verdict(difference.kind, difference.why, number + 1, rerun.turn, head)
    except RecursionError:
        return Verdict("unreadable", "nested too deeply", number + 1, rerun.turn, head)
    if number == 0:
        return Verdict("unreadable", "no whole line", 1)
    if not rerun.ended:
        return Verdict(
            "cut", "the record stops before the end of the match", number, rerun.turn, head
        )
    if not text.endswith("\n"):
        return Verdict("differs", "text after the end", number + 1, rerun.turn, head)
    return Verdict("ok", "every line, every turn and the outcome agree", number, rerun.turn, head)


class Differs(BotarenaError):
    """The record and the rules disagree, or the record says what no journal says."""

    def __init__(self, kind: Literal["differs", "other_rules", "unreadable"], why: str) -> None:
        super().__init__(why)
        self.kind = kind
        self.why = why


class Rerun:
    """A match played from its record, one line at a time. Without `hashes` the states are not
    compared: for a record that this program is just writing."""

    __slots__ = ("_games", "_hashes", "closed", "ended", "header", "match", "reply")

    def __init__(self, games: Mapping[str, AnyGame], *, hashes: bool = True) -> None:
        self._games = games
        self._hashes = hashes
        self.closed: int | None = None
        """The turn that the last line closed."""
        self.header: dict[str, Any] | None = None
        self.match: Match | None = None
        self.reply: Reply | None = None
        """The fate of the command that was taken last; what was rejected has no words any more."""
        self.ended = False

    @property
    def turn(self) -> int | None:
        return None if self.match is None else self.match.turn

    def take(self, line: Line) -> None:
        """Do what the line says and compare what comes of it. Raises Differs."""
        fields = line.fields
        kind = fields["k"]
        if self.match is None:
            if kind != "match":
                raise Differs("unreadable", f"expected the header first, got {kind!r}")
            self.match = self._begun(fields)
            return
        if self.ended:
            raise Differs("differs", "a line after the end")
        match, turn = self.match, self.match.turn
        if kind == "turn":
            _same("turn that was closed", _whole(fields, "n"), self.closed)
            self._same_state(f"state after turn {self.closed}", match, fields)
        elif kind == "end":
            found = (
                None if match.outcome is None else json.loads(encode(outcome_json(match.outcome)))
            )
            _same("outcome", _given(fields, "outcome"), found)
            self._same_state("state at the end", match, fields)
            self.ended = True
        elif match.outcome is not None:
            why = f"expected the end, for the match is over; got a line of kind {kind!r}"
            raise Differs("differs", why)
        elif kind == "command":
            self._command(match, fields)
        elif kind == "advance":
            _same("turn", _whole(fields, "n"), turn)
            match.advance()
        elif kind == "break":
            _same("turn", _whole(fields, "n"), turn)
            self._break_off(match, fields)
        elif kind in ("event", "info"):
            self._note(match, fields)
        else:
            raise Differs("unreadable", f"unknown kind of line {kind!r}")
        self.closed = turn if match.turn != turn else None

    def _same_state(self, what: str, match: Match, fields: Mapping[str, Json]) -> None:
        recorded = _given(fields, "h")
        if self._hashes:
            _same(what, recorded, fingerprint(match.state))

    def _command(self, match: Match, fields: Mapping[str, Json]) -> None:
        """A rejected command changed nothing, and a long one was cut, so it is not tried again."""
        _same("turn", _whole(fields, "n"), match.turn)
        seat, raw = _seat(_given(fields, "s"), match), _given(fields, "c")
        fate = _text(fields, "v"), _text(fields, "r")
        self.reply = Reply("rejected", fate[1])
        if fate[0] != "rejected":
            self.reply = match.apply(seat, raw)
            _same("fate of the command", fate, (self.reply.verdict, self.reply.code))

    def _note(self, match: Match, fields: Mapping[str, Json]) -> None:
        """Check the shape of an event or an info, on which other readers rely. It changes nothing;
        its data may be anything."""
        _whole(fields, "n")
        _given(fields, "d")
        if fields["k"] == "event":
            _text(fields, "e")
        if fields["k"] == "info" or _given(fields, "s") is not None:
            _seat(_given(fields, "s"), match)

    def _break_off(self, match: Match, fields: Mapping[str, Json]) -> None:
        reason, seats = _text(fields, "r"), _given(fields, "s")
        if seats is None:
            match.abort(reason)
        elif isinstance(seats, list) and seats:
            match.forfeit(frozenset(_seat(seat, match) for seat in seats), reason)
        else:
            raise Differs("unreadable", f"s: expected null or a list of seats, got {seats!r}")

    def _begun(self, header: dict[str, Any]) -> Match:
        self.header = header
        if _whole(header, "format") not in FORMATS:
            raise Differs("unreadable", unknown_format(header["format"]))
        game = self._games.get(_text(header, "game"))
        if game is None:
            raise Differs("unreadable", f"no game is called {header['game']!r} here")
        if _whole(header, "rules_version") != game.rules_version:
            recorded, here = header["rules_version"], game.rules_version
            why = f"played under rules version {recorded} of {game.name}; here is version {here}"
            raise Differs("other_rules", why)
        board = None if _given(header, "map") is None else _text(header, "map")
        try:
            match = Match.begin(game, _given(header, "config"), _given(header, "seed"), board)
        except BadSetup as fault:
            raise Differs("differs", f"the header sets no match up: {fault}") from None
        if commitment(header["seed"], _text(header, "salt")) != _text(header, "commitment"):
            raise Differs("differs", "the seed is not the one that was committed to")
        _text(header, "match")
        seats = _given(header, "seats")
        if not isinstance(seats, list) or [type(seat) for seat in seats] != [dict] * match.seats:
            why = f"seats: expected an object for each of {match.seats} seats"
            raise Differs("unreadable", why)
        return match


def unknown_format(found: Json) -> str:
    """What is said of a record in a format that only another program reads."""
    return f"format {found}; this program reads formats {' and '.join(map(str, FORMATS))}"


def _given(fields: Mapping[str, Json], name: str) -> Json:
    if name not in fields:
        raise Differs("unreadable", f"a line of kind {fields['k']!r} without {name}")
    return fields[name]


def _text(fields: Mapping[str, Json], name: str) -> str:
    value = _given(fields, name)
    if not isinstance(value, str):
        raise Differs("unreadable", f"{name}: expected text, got {value!r}")
    return value


def _whole(fields: Mapping[str, Json], name: str) -> int:
    value = _given(fields, name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise Differs("unreadable", f"{name}: expected a whole number, got {value!r}")
    return value


def _seat(value: Json, match: Match) -> Seat:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < match.seats:
        raise Differs("unreadable", f"s: expected a seat, 0 to {match.seats - 1}, got {value!r}")
    return value


def _same(what: str, recorded: Json, found: Json) -> None:
    """Compare as JSON: true is not 1, nor is 1.0."""
    if type(recorded) is type(found) and isinstance(found, (str, int)) and recorded == found:
        return
    if json.dumps(recorded, sort_keys=True) != json.dumps(found, sort_keys=True):
        raise Differs("differs", f"{what}: recorded {recorded}, played again {found}")
