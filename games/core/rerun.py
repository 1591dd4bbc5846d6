"""The third driver: a match played again from its journal, and what `verify` says of one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from games.core.contract import AnyGame, BadSetup, Json, outcome_json
from games.core.journal import FORMAT, Broken, Line, commitment, encode, lines
from games.core.match import Match, fingerprint


@dataclass(frozen=True, slots=True)
class Verdict:
    """What `verify` found. Anything but `ok` and `cut` says where: the line, the turn if known, and in words."""

    kind: Literal["ok", "cut", "broken", "differs", "other_rules", "unreadable"]
    why: str
    line: int
    turn: int | None = None
    head: str = ""

    @property
    def sound(self) -> bool:
        """Everything that is there is true; a cut record is sound up to the cut."""
        return self.kind in ("ok", "cut")


def verify(text: str, games: Mapping[str, AnyGame]) -> Verdict:
    """Play a journal again and compare: every line's chain, every command's fate, every turn's hash, the outcome."""
    if not text:
        return Verdict("unreadable", "the file is empty", 1)
    rerun = Rerun(games)
    head, number = "", 0
    try:
        for line in lines(text):
            rerun.take(line)
            head, number = line.chain, line.number
    except Broken as fault:
        return Verdict("broken", fault.why, fault.number, rerun.turn, head)
    except Differs as difference:
        return Verdict(difference.kind, difference.why, number + 1, rerun.turn, head)
    if number == 0:
        return Verdict("unreadable", "no whole line", 1)
    if not rerun.ended or not text.endswith("\n"):
        return Verdict("cut", "the record stops before the end of the match", number, rerun.turn, head)
    return Verdict("ok", "every line, every turn and the outcome agree", number, rerun.turn, head)


class Differs(Exception):
    """The record and the rules disagree."""

    def __init__(self, kind: Literal["differs", "other_rules", "unreadable"], why: str) -> None:
        super().__init__(why)
        self.kind = kind
        self.why = why


class Rerun:
    """A match played from its record, one line at a time."""

    __slots__ = ("_games", "ended", "header", "match")

    def __init__(self, games: Mapping[str, AnyGame]) -> None:
        self._games = games
        self.header: dict[str, Any] | None = None
        self.match: Match | None = None
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
        match = self.match
        if kind == "command":
            if fields["v"] != "rejected":
                reply = match.apply(fields["s"], fields["c"])
                _same("fate of the command", fields["r"], reply.code)
        elif kind == "advance":
            if match.outcome is not None:
                raise Differs("differs", "the record advances a match that is over")
            match.advance()
        elif kind == "turn":
            _same(f"state after turn {fields['n']}", fields["h"], fingerprint(match.state))
        elif kind == "break":
            if match.outcome is not None:
                raise Differs("differs", "the record breaks off a match that is over")
            if fields["s"] is None:
                match.abort(fields["r"])
            else:
                match.forfeit(frozenset(fields["s"]), fields["r"])
        elif kind == "end":
            found = None if match.outcome is None else json.loads(encode(outcome_json(match.outcome)))
            _same("outcome", fields["outcome"], found)
            self.ended = True
        elif kind != "event":
            raise Differs("unreadable", f"unknown kind of line {kind!r}")

    def _begun(self, header: dict[str, Any]) -> Match:
        self.header = header
        if header["format"] != FORMAT:
            raise Differs("unreadable", f"format {header['format']}; this program reads format {FORMAT}")
        game = self._games.get(header["game"])
        if game is None:
            raise Differs("unreadable", f"no game is called {header['game']!r} here")
        if header["rules_version"] != game.rules_version:
            recorded, here = header["rules_version"], game.rules_version
            raise Differs("other_rules", f"played under rules version {recorded} of {game.name}; here is version {here}")
        try:
            match = Match.begin(game, header["config"], header["seed"], header["map"])
        except BadSetup as fault:
            raise Differs("differs", f"the header sets no match up: {fault}") from None
        if commitment(header["seed"], header["salt"]) != header["commitment"]:
            raise Differs("differs", "the seed is not the one that was committed to")
        return match


def _same(what: str, recorded: Json, found: Json) -> None:
    if recorded != found:
        raise Differs("differs", f"{what}: recorded {recorded}, played again {found}")
