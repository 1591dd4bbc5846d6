"""One match: a game, its state and its dice. No socket, no clock, no await; live, headless and
rerun drive this one class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.core.contract import (
    AnyGame,
    Json,
    Outcome,
    Pacing,
    Rejected,
    Reply,
    Seat,
    Viewer,
    others_win,
)
from games.core.dice import Seeded, Source
from games.core.journal import Journal, shortened
from games.core.parameters import configure, described
from games.core.text import text_of


class Match:
    """One match: a game, its state and its dice. Only `apply`, `advance`, `forfeit` and `abort`
    change it; each adds a line to the journal."""

    __slots__ = (
        "_awaited",
        "_config",
        "_source",
        "broken_off",
        "game",
        "journal",
        "outcome",
        "rules",
        "seats",
        "state",
        "step",
        "turn",
    )

    def __init__(
        self,
        game: AnyGame,
        rules: Any,
        state: Any,
        source: Source,
        config: dict[str, Json] | None = None,
    ) -> None:
        self.game = game
        """The game."""
        self.rules = rules
        """The parameters of the match."""
        self.seats = game.seats(rules)
        """The number of seats."""
        self.state = state
        """The present state."""
        self.journal: Journal | None = None
        """The record, if one is kept."""
        self.step = 1
        """The number of the next state change."""
        self.turn: int = game.turn(state)
        """The number of the turn that is open."""
        self.outcome: Outcome | None = game.outcome(state)
        """Who won and why; None while the match goes on."""
        self.broken_off: tuple[str, tuple[Seat, ...] | None] | None = None
        """If broken off: the reason, and the seats that forfeited, or None for an abort."""
        self._source = source
        self._config = config
        self._awaited: frozenset[Seat] | None = None
        """Of the present state, once it was asked for."""

    @classmethod
    def begin(
        cls, game: AnyGame, config: Mapping[str, Json], seed: int, map_text: str | None = None
    ) -> Match:
        """Begin a match.

        Arguments:
            game: a game of `GAMES`, or another one.
            config: parameters of the rules; those that are left out have their defaults.
            seed: 0 to 2**63 - 1.
            map_text: the text of a map; None: the game makes its own board.

        Raises BadSetup if no match can be made of the arguments.
        """
        rules = configure(game, config, seed)
        board = None if map_text is None else game.parse_board(text_of(map_text))
        source = Seeded(seed)
        return cls(game, rules, game.setup(rules, board, source.at(0)), source)

    @property
    def config(self) -> dict[str, Json]:
        """The rules' parameters as plain JSON. They are computed once, because a large board has
        many walls."""
        if self._config is None:
            self._config = described(self.rules)
        return self._config

    @property
    def pacing(self) -> Pacing:
        """The limits of the match, and who calls `advance`."""
        return self.game.pacing(self.rules)

    @property
    def awaited(self) -> frozenset[Seat]:
        """The seats that are to answer in this turn. It is empty when the match is over, and while
        the game waits for `advance`."""
        if self._awaited is None:
            over = self.outcome is not None
            self._awaited = frozenset() if over else self.game.awaited(self.state)
        return self._awaited

    def view(self, viewer: Viewer) -> Json:
        """What a seat, or a spectator (None), may see now, as plain JSON."""
        return self.game.view(self.state, viewer)

    def legal(self, seat: Seat) -> list[Json] | None:
        """The commands that a seat may send now (`Game.legal`), none when the match is over; None:
        the game does not list them."""
        if self.game.legal is None:
            return None
        return self.game.legal(self.state, seat) if self.outcome is None else []

    def apply(self, seat: Seat, raw: Json, stamps: Json = None) -> Reply:
        """Apply one command, as JSON, from any seat. Returns the game's reply; a wrong command is
        rejected and never raises."""
        turn, outcome, state, step = self.turn, self.outcome, self.state, self.step
        after, reply = self._considered(seat, raw)
        if after is not state:
            self._become(after)
        if self.journal is not None:
            if reply.verdict == "refused":
                raw = self._briefly(state, step, seat, raw, reply)
            self.journal.command(turn, seat, raw, reply, stamps)
            self._record(turn, outcome)
        return reply

    def advance(self, stamps: Json = None) -> None:
        """Let the game's own time pass: a tick, the end of a simultaneous turn, or the defaults of
        silent seats. Raises RuntimeError if the match is over."""
        if self.outcome is not None:
            raise RuntimeError("the match is over; nothing is left to advance")
        was = self.turn, self.outcome
        self._become(self.game.advance(self.state, self._source.at(self.step)))
        if self.journal is not None:
            self.journal.advance(was[0], stamps)
            self._record(*was)

    def forfeit(self, seats: frozenset[Seat], reason: str) -> Outcome:
        """End the match because these seats forfeit. The game decides what the others get."""
        forfeit = self.game.forfeit
        booked = (
            others_win(self.seats, seats, reason)
            if forfeit is None
            else forfeit(self.state, seats, reason)
        )
        return self._break_off(booked, sorted(seats), reason)

    def abort(self, reason: str) -> Outcome:
        """End the match without a result."""
        return self._break_off(self.game.no_result(self.state, self.seats, reason), None, reason)

    def fate(self, seat: Seat, raw: Json) -> Reply:
        """The reply that this command would get. The match is not changed."""
        return self._considered(seat, raw)[1]

    def put_away(self) -> None:
        """Release the state of a match that is over or never begins. The journal can rebuild it,
        and a board is large."""
        self.state = None

    def _considered(self, seat: Seat, raw: Json) -> tuple[Any, Reply]:
        """The state that follows, and the command's fate."""
        if self.outcome is not None and not self.game.malformed_first:
            return self.state, self._too_late()
        try:
            command = self.game.parse(raw)
            if self.outcome is not None:
                return self.state, self._too_late()
            return self.game.apply(self.state, seat, command, self._source.at(self.step))
        except Rejected as fault:
            return self.state, Reply("rejected", fault.code, fault.why)

    def _too_late(self) -> Reply:
        return Reply("rejected", self.game.over_code, "the match is over")

    def _briefly(self, state: Any, step: int, seat: Seat, raw: Json, reply: Reply) -> Json:
        """A long command that was refused for its form, as short as a rejected one is kept, if that
        has the same fate: what a bot may send without end must not fill a disk."""
        brief = shortened(raw)
        if brief is raw:
            return raw
        try:
            fate = self.game.apply(state, seat, self.game.parse(brief), self._source.at(step))
        except Rejected:
            return raw
        same = (fate[1].verdict, fate[1].code) == (reply.verdict, reply.code)
        return brief if same and fate[0] == self.state else raw

    def _become(self, state: Any) -> None:
        self.state = state
        self.step += 1
        self.turn = self.game.turn(state)
        self.outcome = self.game.outcome(state)
        self._awaited = None

    def _break_off(self, outcome: Outcome, seats: list[Seat] | None, reason: str) -> Outcome:
        if self.outcome is not None:
            raise RuntimeError("the match is over already")
        self.outcome = outcome
        self._awaited = None
        self.broken_off = reason, None if seats is None else tuple(seats)
        if self.journal is not None:
            self.journal.broken_off(self.turn, seats, reason)
            self.journal.end(outcome, self.state)
        return outcome

    def _record(self, turn: int, outcome: Outcome | None) -> None:
        """The lines that follow from a change: a turn was closed, the match is over."""
        assert self.journal is not None
        ended = self.outcome is not outcome and self.outcome is not None
        if self.turn == turn and not ended:
            return
        if self.turn != turn:
            self.journal.turn(turn, self.state)
        if self.outcome is not None and ended:
            self.journal.end(self.outcome, self.state)
