"""The facts of a tournament: the log from which everything else follows.

A fact is plain JSON: a line of a file or a row of a table. Nothing is ever taken out of the log;
`undone` names a fact that counts no more. Kinds, with what they need:

    entered       entry, name                   in the order of registration
    closed                                      entries are closed; the field is fixed
    checked       entry, ok, why                the check game against a house bot
    result        game, seats, attempt, result  null: the game broke off without a bot's fault, and
                                                is played again
    forfeit       game, seats, result           decided without playing: a player did not come
    withdrawn     entry, stage, round, match    round: of a swiss tournament; match: of the bracket,
                                                the first that it is missing in
    disqualified  entry, stage, round, match
    override      game, seats, result           the organiser's result, instead of what was played
    replay        game, seats                   the result counts no more; the game is played again
    begun                                       the bracket begins, where it waits for that
    paused, resumed, cancelled
    undone        fact                          the number of the fact, from 1
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, TypeAlias, get_args

from games.contest import result as results
from games.contest.result import BadResult, Entry, GameResult
from games.core.contract import Json
from games.core.errors import BotarenaError

FactKind: TypeAlias = Literal[
    "entered",
    "closed",
    "checked",
    "result",
    "forfeit",
    "withdrawn",
    "disqualified",
    "override",
    "replay",
    "begun",
    "paused",
    "resumed",
    "cancelled",
    "undone",
]
Stage: TypeAlias = Literal["entries", "check", "round_robin", "bracket"]

NEEDED: Final[dict[str, tuple[str, ...]]] = {
    "entered": ("entry", "name"),
    "checked": ("entry", "ok"),
    "result": ("game", "seats", "attempt"),
    "forfeit": ("game", "seats", "result"),
    "withdrawn": ("entry", "stage"),
    "disqualified": ("entry", "stage"),
    "override": ("game", "seats", "result"),
    "replay": ("game", "seats"),
    "undone": ("fact",),
}


class BadFact(BotarenaError, ValueError):
    """This is no fact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One line of the log. `by`: who decided it. `at` and `about` are the host's."""

    kind: FactKind
    entry: Entry | None = None
    name: str | None = None
    ok: bool | None = None
    game: str | None = None
    seats: tuple[Entry, ...] | None = None
    attempt: int | None = None
    result: GameResult | None = None
    stage: Stage | None = None
    round: int | None = None
    match: str | None = None
    fact: int | None = None
    by: str = ""
    why: str = ""
    at: str = ""
    about: Json = None


def to_json(fact: Fact) -> dict[str, Json]:
    """As plain JSON, without what is empty; `read` is the way back."""
    line = {
        field.name: value
        for field in fields(Fact)
        if (value := getattr(fact, field.name)) not in (None, "")
    }
    if fact.seats is not None:
        line["seats"] = list(fact.seats)
    if fact.result is not None:
        line["result"] = results.to_json(fact.result)
    return line


def read(given: Json) -> Fact:
    """A fact from plain JSON. Raises BadFact."""
    if not isinstance(given, Mapping) or given.get("kind") not in get_args(FactKind):
        raise BadFact(f"kind: expected one of {', '.join(get_args(FactKind))}")
    if surplus := sorted(given.keys() - TYPES.keys() - {"kind"}):
        raise BadFact(f"a fact has no {surplus[0]!r}")
    for name, check in TYPES.items():
        if name in given and not check(given[name]):
            why = f"{name}: expected something else in a {given['kind']}, got {given[name]!r}"
            raise BadFact(why)
    for name in NEEDED.get(given["kind"], ()):
        if name not in given:
            raise BadFact(f"{name}: needed in a {given['kind']}")
    values: dict[str, Any] = dict(given)
    if "seats" in given:
        values["seats"] = tuple(given["seats"])
    if "result" in given:
        try:
            values["result"] = results.read(given["result"], len(given["seats"]))
        except BadResult as fault:
            raise BadFact(f"result: {fault}") from None
    return Fact(**values)


def _is_number(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _is_text(value: Json) -> bool:
    return isinstance(value, str)


def _are_seats(value: Json) -> bool:
    return isinstance(value, list) and len(value) > 0 and all(map(_is_number, value))


TYPES: Final[dict[str, Callable[[Json], bool]]] = {
    "entry": _is_number,
    "name": _is_text,
    "ok": lambda value: isinstance(value, bool),
    "game": _is_text,
    "seats": _are_seats,
    "attempt": _is_number,
    "result": lambda value: isinstance(value, Mapping),
    "stage": lambda value: value in get_args(Stage),
    "round": _is_number,
    "match": _is_text,
    "fact": _is_number,
    "by": _is_text,
    "why": _is_text,
    "at": _is_text,
    "about": lambda value: True,
}
