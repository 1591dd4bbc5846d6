"""One moment of a recorded match, as one seat saw it: what a test of a bot's decision is made of
(`botarena replay --test`)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from client_sdk.bot import Bot, Start, start_of
from games.core.contract import Json

if TYPE_CHECKING:
    from games.core.contract import AnyGame


WIDTH = 120
"""Columns of a moment's text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Turn `turn` is open for the seat of `start`; `choice` is what was answered then.

    `before`: earlier turns, each `[asked, view]`, for a bot that decides by what it remembers.
    """

    turn: int
    start: Start
    view: Json
    choice: list[Json]
    before: list[tuple[bool, Json]]

    @classmethod
    def read(cls, text: str) -> Moment:
        """From what `written` gave."""
        return msgspec.json.decode(text, type=cls)

    def written(self) -> str:
        """As JSON text that `read` takes."""
        plain = {
            "turn": self.turn,
            "choice": self.choice,
            "view": self.view,
            "start": asdict(self.start)
            | {
                "seats": msgspec.to_builtins(self.start.seats),
                "clock": msgspec.to_builtins(self.start.clock),
            },
            "before": self.before,
        }
        return _spread(plain)

    def answer(self, bot: Bot) -> list[Json]:
        """What this bot answers after the start and the earlier turns."""
        bot.on_start(self.start)
        for asked, view in self.before:
            if asked:
                list(bot.decide(view))
            else:
                bot.on_view(view)
        return list(bot.decide(self.view))

    def forgetful(self) -> Moment:
        """The same without the earlier turns."""
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


def moment_of(journal: str, turn: int, seat: int, games: Mapping[str, AnyGame]) -> Moment:
    """The moment with everything before it. Raises LookupError if the seat was not asked in that
    turn, BrokenLine, Differs."""
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
        if fields["k"] == "command" and fields["n"] == turn and fields["s"] == seat:
            choice.append(fields["c"])
        if start is None:
            if not 0 <= seat < match.seats:
                raise LookupError(
                    f"there is no seat {seat}; the match has seats 0 to {match.seats - 1}"
                )
            start = start_of(match, seat, _names(fields["seats"]))
        if (not seen or seen[-1][0] != match.turn) and match.turn <= turn:
            seen.append((match.turn, seat in match.awaited, match.view(seat)))
    if start is None or not seen or seen[-1][0] != turn:
        raise LookupError(f"the journal has no turn {turn}; it goes up to {rerun.turn}")
    if not seen[-1][1]:
        asked = [number for number, awaited, _ in seen if awaited]
        raise LookupError(
            f"seat {seat} was not asked in turn {turn}; the last time before that was turn "
            f"{asked[-1] if asked else 'none'}"
        )
    before = [(asked, view) for _, asked, view in seen[:-1]]
    return Moment(turn=turn, start=start, view=seen[-1][2], choice=choice, before=before)


def _names(seats: Iterable[Mapping[str, Json]]) -> list[str]:
    return [str(seat.get("name", "")) for seat in seats]
