"""One moment of a recorded match, as one seat saw it: what a test of a bot's decision is made of
(`botarena replay --test`)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from client_sdk.answers import commands_of
from client_sdk.bot import Bot, Start, start_of
from games.core.contract import Json
from games.core.turns import turn_number, turn_text

if TYPE_CHECKING:
    from games.core.contract import AnyGame


WIDTH = 120
"""Columns of a moment's text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One turn of a recorded match, as one seat saw it, to test a bot's decision with. `botarena
    replay --test` writes one.

    `before` has the earlier views of the seat, each with whether it was asked to answer.
    """

    turn: int
    """The turn that is open."""
    start: Start
    """What the bot got before the first turn."""
    view: Json
    """What the seat saw."""
    choice: list[Json]
    """The commands that the seat sent."""
    before: list[tuple[bool, Json]]
    """Earlier views, each `[asked, view]`, for a bot that remembers them."""

    @classmethod
    def read(cls, text: str) -> Moment:
        """The moment that `written` has encoded."""
        plain = json.loads(text)
        same = {name: plain["start"]["view"][name] for name in plain.pop("unchanged", ())}
        plain["view"] |= same
        plain["before"] = [(asked, view | same) for asked, view in plain["before"]]
        return msgspec.convert(plain, cls)

    def written(self) -> str:
        """The moment as JSON text. Fields that are the same in all views are in that of the start
        only; `unchanged` names them."""
        views = [self.view, *(view for _, view in self.before)]
        same = [
            name
            for name, value in self.start.view.items()
            if all(view.get(name) == value for view in views)
        ]

        def short(view: Json) -> Json:
            return {name: value for name, value in view.items() if name not in same}

        plain = {
            "turn": self.turn,
            "choice": self.choice,
            "view": short(self.view),
            "unchanged": same,
            "start": asdict(self.start)
            | {
                "seats": msgspec.to_builtins(self.start.seats),
                "clock": msgspec.to_builtins(self.start.clock),
            },
            "before": [(asked, short(view)) for asked, view in self.before],
        }
        return _spread(plain)

    def answer(self, bot: Bot) -> list[Json]:
        """The commands of this bot, after the start and the earlier views."""
        bot.on_start(self.start)
        for asked, view in self.before:
            if asked:
                commands_of(bot.decide(view))
            else:
                bot.on_view(view)
        return commands_of(bot.decide(self.view))

    def forgetful(self) -> Moment:
        """The moment without the earlier views."""
        return replace(self, before=[])


def _spread(value: Json, indent: str = "") -> str:
    """JSON that people can read: what fits stays on one line, lists of short things fill theirs."""
    short = json.dumps(value)
    if len(indent) + len(short) <= WIDTH or not isinstance(value, dict | list | tuple) or not value:
        return short
    deeper = f"{indent} "
    if isinstance(value, dict):
        parts = ",\n".join(
            f"{deeper}{json.dumps(key)}: {_spread(part, deeper)}" for key, part in value.items()
        )
        return f"{{\n{parts}\n{indent}}}"
    rows: list[str] = []
    for part in (_spread(part, deeper) for part in value):
        if rows and "\n" not in part and len(rows[-1]) + len(part) < WIDTH:
            rows[-1] += f", {part}"
        else:
            rows.append(f"{deeper}{part}")
    return "[\n" + ",\n".join(rows) + f"\n{indent}]"


def moment_of(journal: str, turn: int | str, seat: int, games: Mapping[str, AnyGame]) -> Moment:
    """The moment with everything before it. `turn`: its number in the journal, or as people read
    it. Raises LookupError if the seat was not asked in that turn, ValueError for what is no turn,
    BrokenLine, Differs."""
    from games.core.journal import lines
    from games.core.rerun import Rerun

    rerun = Rerun(games)
    start: Start | None = None
    seen: list[tuple[int, bool, Json]] = []
    choice: list[Json] = []
    for line in lines(journal):
        rerun.take(line)
        match, fields = rerun.match, line.fields
        assert match is not None
        if isinstance(turn, str):
            turn = turn_number(match.game, turn)
        if fields["k"] == "command" and fields["n"] == turn and fields["s"] == seat:
            choice.append(fields["c"])
        if start is None:
            if not 0 <= seat < match.seats:
                why = f"there is no seat {seat}; the match has seats 0 to {match.seats - 1}"
                raise LookupError(why)
            start = start_of(match, seat, _names(fields["seats"]))
        if (not seen or seen[-1][0] != match.turn) and match.turn <= turn:
            seen.append((match.turn, seat in match.awaited, match.view(seat)))
    if start is None or not seen or seen[-1][0] != turn:
        game = None if rerun.match is None else rerun.match.game
        asked_for = turn if isinstance(turn, str) else turn_text(game, turn)
        last = None if rerun.turn is None else turn_text(game, rerun.turn)
        raise LookupError(f"the journal has no turn {asked_for}; it goes up to {last}")
    if not seen[-1][1]:
        assert rerun.match is not None
        game = rerun.match.game
        asked = [turn_text(game, number) for number, awaited, _ in seen if awaited]
        raise LookupError(
            f"seat {seat} was not asked in turn {turn_text(game, seen[-1][0])}; the last time "
            f"before that was turn {asked[-1] if asked else 'none'}"
        )
    before = [(asked, view) for _, asked, view in seen[:-1]]
    return Moment(turn=seen[-1][0], start=start, view=seen[-1][2], choice=choice, before=before)


def _names(seats: Iterable[Mapping[str, Json]]) -> list[str]:
    return [str(seat.get("name", "")) for seat in seats]
