"""What one viewer saw in a match, from its journal, while the match runs and after: a seat with
what it said, for the bot's author, or the spectators, for those that come late.

JSON lines like a replay's, not chained, and without what only the release tells. Kinds (`k`):

    seat     header: format, match, game, rules_version, config, seats, commitment, its own `seat`
    history  the same for the spectators, without a seat
    view     a whole view (`view`) of that viewer: turn n is open
    delta    a view as a change (`delta`) of the frame before (`client_sdk.wire.delta`)
    command  what the seat said in turn n: command c, verdict v, code r, for a refusal the sentence
             `why`, stamps t of its clock
    event    the public events, and what the referee noted of the seat: seat s, name e, data d
    info     what the seat said for the spectators; to these, what all seats did: data d, any JSON
    end      the outcome

Of a turn nothing is written before it is closed but the view with which it opened.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from client_sdk.replay import Frames, public_seats
from games.core.contract import SPECTATOR, AnyGame, Json, Viewer
from games.core.journal import FORMAT, Line, encode
from games.core.match import Match
from games.core.rerun import Rerun

PUBLIC_EVENTS: Final = frozenset(
    {"timeout", "silent", "away", "back", "not_ready", "stall", "resumed"}
)
"""The events of other seats that every seat gets."""
WHY: Final[Mapping[str, str]] = {
    "not_started": "the first turn was not open yet",
    "no_turn": "the frame named no turn",
    "future_turn": "the turn was not open yet",
    "stale_turn": "the turn was closed",
    "too_many": "too many useless commands for this turn",
}
"""Texts of the server's own codes; the game supplies those of its codes."""


class Sight:
    """One viewer's record, grown line by line. `lines` is all that may be published so far, each
    with its line end. `hashes`: whether the states are compared with the journal's."""

    __slots__ = ("_frames", "_open", "_rerun", "_viewer", "lines")

    def __init__(
        self, games: Mapping[str, AnyGame], viewer: Viewer, *, hashes: bool = True
    ) -> None:
        self.lines: list[str] = []
        self._open: list[str] = []
        """Of the turn that is not closed yet."""
        self._viewer = viewer
        self._rerun = Rerun(games, hashes=hashes)
        self._frames = Frames(viewer)

    def take(self, line: Line) -> None:
        """The journal's next line. Raises Differs, or LookupError if the match has no such seat."""
        fields = line.fields
        self._rerun.take(line)
        match = self._rerun.match
        assert match is not None
        kind = fields["k"]
        if kind == "match":
            self._header(fields, match)
        elif kind == "command" and fields["s"] == self._viewer:
            self._write(self._open, "command", **self._command(fields, match))
        elif kind == "event":
            self._event(fields)
        elif kind == "info" and self._viewer in (SPECTATOR, fields["s"]):
            self._write(self._open, "info", n=fields["n"], s=fields["s"], d=fields["d"])
        frames = self._frames.take(match, last=kind == "end")
        if frames or kind == "end":
            self.lines += self._open
            self._open.clear()
        for frame in frames:
            self._write(self.lines, **frame)
        if kind == "end":
            self._write(self.lines, "end", outcome=fields["outcome"])

    def _header(self, journal: Mapping[str, Json], match: Match) -> None:
        seat = self._viewer
        if seat is not None and not 0 <= seat < match.seats:
            why = f"there is no seat {seat}; the match has seats 0 to {match.seats - 1}"
            raise LookupError(why)
        header = {
            key: journal[key] for key in ("match", "game", "rules_version", "config", "commitment")
        }
        header |= {"format": FORMAT, "seats": public_seats(journal, match)}
        if seat is None:
            self._write(self.lines, "history", **header)
        else:
            self._write(self.lines, "seat", **header, seat=seat)

    def _command(self, fields: Mapping[str, Json], match: Match) -> dict[str, Json]:
        """A rejected command changed nothing, so the game can explain it once more."""
        record = {"n": fields["n"], "c": fields["c"], "v": fields["v"], "r": fields["r"]}
        if fields["v"] != "ok":
            reply = self._rerun.reply
            if fields["v"] == "rejected" and fields["r"] not in WHY:
                reply = match.fate(fields["s"], fields["c"])
            known = reply is not None and reply.code == fields["r"] and reply.why
            record["why"] = known or WHY.get(fields["r"], "")
        return record | ({"t": fields["t"]} if "t" in fields else {})

    def _event(self, fields: Mapping[str, Json]) -> None:
        event, data = fields["e"], fields["d"]
        if self._viewer is SPECTATOR or fields["s"] != self._viewer:
            if event not in PUBLIC_EVENTS:
                return
            data = (
                {key: value for key, value in data.items() if key != "clock"}
                if isinstance(data, dict)
                else data
            )
        self._write(self._open, "event", n=fields["n"], e=event, s=fields["s"], d=data)

    def _write(self, lines: list[str], kind: str, **fields: Json) -> None:
        lines.append(encode({"k": kind, **fields}) + "\n")
