"""A board to search on: answers are given and taken back, several times faster than in the match.

The rules are the match's own; no events are kept. What the rules draw comes from the dice of the
caller: a decision that is made again after it was taken back draws the same."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial

from games.botstack.advance import Phases
from games.botstack.outcome import outcome
from games.botstack.rules import Rules
from games.botstack.state import (
    BLANK,
    DECISION,
    ENDING,
    LIVE,
    PHASE,
    ROUND,
    Phase,
    Position,
    State,
    acting_in,
    position_of,
    state_of,
)
from games.core.contract import Json, Outcome, Rejected, Seat
from games.core.dice import Seeded, Source, Stream


class Scratch:
    """The rules, the dice, and the position in play. `make` returns what `unmake` takes; undo in
    reverse order."""

    __slots__ = ("_phases", "dice", "now", "rules")

    def __init__(self, rules: Rules, now: Position, dice: Source) -> None:
        self.rules = rules
        self.now = now
        """The position. `make` replaces it and never writes into the old one."""
        self.dice = dice
        """Asked for the draws of each decision: `dice.at(decision + 1)`, as in a match."""
        self._phases = Phases(rules, dice)

    @classmethod
    def of(cls, state: State, dice: Source | None = None) -> Scratch:
        """A board in the position of a state."""
        return cls(state.rules, position_of(state), dice or Seeded(0))

    @classmethod
    def from_view(cls, rules: Rules, view: Json, dice: Source | None = None) -> Scratch:
        """A board in the position that a seat sees, its decision or not.

        The order of the bullets is drawn from the dice, all orders of those that are announced
        alike; a bullet that the seat knows comes first. No item counts as used in this action, and
        the finished rounds are only counted. Raises ValueError for a match that is over."""
        if view["phase"] == "finished":
            raise ValueError("expected the view of a match that goes on")
        gun, known, seat = view["gun"], view["known_next"], view["seat"]
        dice = dice or Seeded(0)
        now = [
            0,
            (),
            view["round"],
            view["starter"],
            view["turn"],
            view["phase"],
            dice.at(0).draw("order", partial(_order, gun["live"], gun["blank"], known)),
            view["load"],
            view["draws"],
            known,
            0,
            None,
        ]
        for side in ("you", "opponent") if seat == 0 else ("opponent", "you"):
            one = view[side]
            now += [one["health"], tuple(one["items"]), one["rounds_won"]]
            now += [one["skip_pending"], one["can_abstain"]]
        return cls(rules, now, dice)

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The seat that answers next; empty: the match is over."""
        seat = acting_in(self.now)
        return () if seat is None else (seat,)

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.now[ENDING] is not None

    def legal(self, seat: Seat) -> range:
        """The answers that this seat has now; empty if it is not asked."""
        if seat not in self.acting:
            return range(0)
        return range(self.rules.item_slots + 1 if self.now[PHASE] == "item" else 2)

    def make(self, answer: int) -> Position:
        """Close the open decision with this answer. Returns the undo token.

        Raises Rejected, and changes nothing, if it is not one of `legal`."""
        undo = self.now
        phase = undo[PHASE]
        if phase == "finished":
            raise Rejected("match_over", "the match is over")
        most = self.rules.item_slots if phase == "item" else 1
        if not 0 <= answer <= most:
            raise _rejected(phase, f"expected a whole number, 0 to {most}, got {answer}")
        now = self.now = undo.copy()
        self._phases.drawn = self.dice.at(now[DECISION] + 1)
        self._phases.decide(now, answer)
        return undo

    def unmake(self, undo: Position) -> None:
        """Take the last answer back, and all that followed from it."""
        self.now = undo

    @property
    def key(self) -> Hashable:
        """What decides how the match goes on, but for the dice. Equal positions have equal keys."""
        return tuple(self.now[ROUND:])

    def copy(self) -> Scratch:
        """A second board in this position. Its dice are the same."""
        return Scratch(self.rules, self.now, self.dice)

    def freeze(self) -> State:
        """A state in this position, without events."""
        return state_of(self.rules, self.now)

    def outcome(self) -> Outcome | None:
        """Who won and why; None while the match goes on."""
        return outcome(self.freeze())


def _rejected(phase: Phase, why: str) -> Rejected:
    if phase == "item":
        return Rejected("bad_slot", why)
    return Rejected("bad_target", why) if phase == "shoot" else Rejected("bad_value", why)


def _order(live: int, blank: int, known: str | None, stream: Stream) -> str:
    """An order of the bullets in the gun; the one that is known comes first."""
    first = {"live": LIVE, "blank": BLANK, None: ""}[known]
    bullets = [LIVE] * (live - (first == LIVE)) + [BLANK] * (blank - (first == BLANK))
    stream.shuffle(bullets)
    return first + "".join(bullets)
