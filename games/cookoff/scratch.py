"""A board to search on: commands are played and taken back, several times faster than in the match.

The rules are the match's own. Nothing is drawn in this game. A board that was made from a view
knows the orders that the view shows, and plays on as if there were no others."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeAlias

from games.cookoff.actions import Command
from games.cookoff.advance import begin
from games.cookoff.commands import Malformed, carry_out, parse
from games.cookoff.legal import legal
from games.cookoff.mirror import from_view, plan_of
from games.cookoff.outcome import outcome
from games.cookoff.position import ACTING, BOTS, FAILED, ORDERS, PLAN, TURN, Position, state_of
from games.cookoff.rules import Rules
from games.cookoff.state import NO_TEAM, State
from games.core.contract import Json, Outcome, Rejected, Seat

Move: TypeAlias = Command | Malformed
"""A command, as `commands.parse` reads it from JSON."""


class Scratch:
    """The position in play. `make` returns what `unmake` takes; undo in reverse order."""

    __slots__ = ("now", "refused")

    def __init__(self, now: Position) -> None:
        self.now = now
        """The position. `make` replaces it and never writes into the old one."""
        self.refused: str | None = None
        """Why the last command did nothing, or only spent a budget; None: it worked."""

    @classmethod
    def of(cls, state: State) -> Scratch:
        """A board in the position of a state. Where no team is awaited the next turn begins."""
        scratch = cls([*state])
        scratch.now[BOTS] = tuple(map(tuple, state.bots))
        if state.acting == NO_TEAM and not scratch.over:
            begin(scratch.now)
        return scratch

    @classmethod
    def from_view(cls, rules: Rules, view: Json) -> Scratch:
        """A board in the position that a whole view shows."""
        return cls.of(from_view(plan_of(view, rules), view))

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The team that gives the next command; empty: the match is over."""
        return () if self.now[ACTING] == NO_TEAM else (self.now[ACTING],)

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        now = self.now
        if now[ACTING] != NO_TEAM:
            return False
        last: bool = now[TURN] >= now[PLAN].rules.total_turns
        return last or now[FAILED] != (None, None)

    def legal(self, seat: Seat) -> Sequence[Move]:
        """The commands of this team that work now, as `games.cookoff.legal` lists them; empty if it
        is not its part of the turn. This takes as long as in a match."""
        return [parse(command) for command in legal(self.freeze(), seat)]

    def make(self, command: Move) -> Position:
        """Carry out a command of the team whose part of the turn it is; after the end of the second
        part the next turn begins. Returns the undo token, and sets `refused`.

        Raises Rejected if the match is over."""
        undo = self.now
        if undo[ACTING] == NO_TEAM:
            raise Rejected("game_over", "the match is over")
        now = self.now = undo.copy()
        self.refused = carry_out(now, command)
        if now[ACTING] == NO_TEAM and not self.over:
            begin(now)
        return undo

    def unmake(self, undo: Position) -> None:
        """Take the last command back, and all that followed from it."""
        self.now = undo

    @property
    def key(self) -> Hashable:
        """What decides how the match goes on. Equal positions have equal keys."""
        return tuple(self.now[ORDERS + 1 :])

    def copy(self) -> Scratch:
        """A second board in this position."""
        return Scratch(self.now)

    def freeze(self) -> State:
        """A state in this position."""
        return state_of(self.now)

    def outcome(self) -> Outcome | None:
        """Who won and why; None while the match goes on."""
        return outcome(self.freeze())
