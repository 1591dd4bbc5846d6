"""Make a replay of a journal, or the frames of one viewer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from client_sdk.replay.lines import KEYFRAME_EVERY
from client_sdk.wire.delta import diff
from games.core.contract import SPECTATOR, AnyGame, Json, Viewer
from games.core.journal import FORMAT, Chain, lines
from games.core.match import Match
from games.core.rerun import Differs, Rerun
from games.core.text import text_of


def from_journal(journal: bytes | str, games: Mapping[str, AnyGame]) -> str:
    """The replay of a journal, which is played again on the way. A cut journal gives a cut replay.

    Raises BrokenLine or Differs if the journal does not hold.
    """
    record = list(lines(text_of(journal, exact=True)))
    if not record:
        raise Differs("unreadable", "no whole line")
    rerun = Rerun(games)
    written: list[str] = []
    writer = _Writer(written)
    for line in record:
        rerun.take(line)
        assert rerun.match is not None
        writer.take(line.fields, rerun.match, record[-1].chain)
    return "".join(written)


class _Writer:
    """Turns a journal's lines, and the match as it stands after each, into a replay's."""

    __slots__ = ("_chain", "_frames")

    def __init__(self, written: list[str]) -> None:
        self._chain = Chain(written.append)
        self._frames = Frames(SPECTATOR)

    def take(self, fields: Mapping[str, Json], match: Match, head: str) -> None:
        kind = fields["k"]
        if kind == "match":
            self._header(fields, match, head)
        elif kind == "event":
            self._chain.line("event", n=fields["n"], e=fields["e"], s=fields["s"], d=fields["d"])
        elif kind == "info":
            self._chain.line("info", n=fields["n"], s=fields["s"], d=fields["d"])
        for frame in self._frames.take(match, last=kind == "end"):
            self._chain.line(**frame)
        if kind == "end":
            self._chain.line("end", outcome=fields["outcome"])

    def _header(self, journal: Mapping[str, Json], match: Match, head: str) -> None:
        same = ("match", "game", "rules_version", "config", "commitment", "seed", "salt")
        seats = public_seats(journal, match)
        self._chain.line(
            "replay",
            format=FORMAT,
            **{key: journal[key] for key in same},
            seats=seats,
            journal=head,
        )


def public_seats(journal: Mapping[str, Json], match: Match) -> list[dict[str, str]]:
    """Name, role and kind of each seat, from a journal's header."""
    roles = match.game.roles
    return [
        {
            "name": str(seat.get("name") or roles[number]),
            "role": roles[number],
            "kind": str(seat.get("kind") or "bot"),
        }
        for number, seat in enumerate(journal["seats"])
    ]


class Frames:
    """What one viewer sees of a match, as the lines of a record: whole views, and changes from one
    to the next."""

    __slots__ = ("_count", "_opening", "_state", "_turn", "_view", "_viewer")

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._count = 0
        self._state: Any = None
        self._turn = -1
        self._view: Json = None
        self._opening: tuple[int, Any, Json] | None = None
        """A turn in which no seat can play yet, its state and view: the game may still open it, or
        pass it by."""

    def take(self, match: Match, *, last: bool = False) -> list[dict[str, Json]]:
        """The frames that come of the journal's line that was just taken: each turn as those who
        play find it. After the `last` line what is there then, if there is something new to see."""
        found = []
        if self._opening is not None and self._opening[0] != match.turn:
            found.append(self._frame(*self._opening))
        if match.turn == self._turn and not last:
            return found
        if not match.awaited and match.outcome is None:
            if self._opening is None or self._opening[1] is not match.state:
                self._opening = match.turn, match.state, match.view(self._viewer)
        elif match.state is not self._state:
            view = match.view(self._viewer)
            if match.turn != self._turn or view != self._view:
                found.append(self._frame(match.turn, match.state, view))
        return found

    def _frame(self, turn: int, state: Any, view: Json) -> dict[str, Json]:
        whole = self._count % KEYFRAME_EVERY == 0
        body = {"view": view} if whole else {"delta": diff(self._view, view)}
        self._count += 1
        self._opening = None
        self._state, self._turn, self._view = state, turn, view
        return {"kind": "view" if whole else "delta", "n": turn, **body}
