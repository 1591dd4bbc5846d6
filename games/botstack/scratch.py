"""A board to search on: answers are given and taken back, a dozen times faster than in the match.

It tells no events. What the rules draw comes from the dice of the caller: a decision that is made
again after it was taken back draws the same."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import Any, Final, TypeAlias

from games.botstack.advance import draw_item, draw_magazine
from games.botstack.outcome import outcome
from games.botstack.rules import SEATS, Rules
from games.botstack.state import (
    BLANK,
    EMPTY,
    LIVE,
    Ending,
    Phase,
    Player,
    Round,
    RoundKind,
    RoundReason,
    State,
)
from games.core.contract import Json, Outcome, Rejected, Seat
from games.core.dice import Dice, Seeded, Source, Stream

NO, YES = range(2)
"""The answers about an abstention."""
SELF, OPPONENT = range(2)
"""The answers to whom a seat shoots. That to the item is a slot; 0: none."""

Position: TypeAlias = list[Any]
"""All that changes, in the order of the names below; a player's five stand at its place."""

(
    DECISION,
    ROUNDS,
    ROUND,
    STARTER,
    TURN,
    PHASE,
    MAGAZINE,
    LOAD,
    DRAWS,
    KNOWN_NEXT,
    ITEMS_USED,
    ENDING,
) = range(12)
PLAYERS: Final = (12, 17)
"""The place of each seat's player."""
HEALTH, ITEMS, ROUNDS_WON, SKIP_PENDING, CAN_ABSTAIN = range(5)
"""The places of a player's fields, from its own."""


class Scratch:
    """The rules, the dice, and the position in play. `make` returns what `unmake` takes; undo in
    reverse order."""

    __slots__ = ("_drawn", "dice", "now", "rules")

    def __init__(self, rules: Rules, now: Position, dice: Source) -> None:
        self.rules = rules
        self.now = now
        """The position. `make` replaces it and never writes into the old one."""
        self.dice = dice
        """Asked for the draws of each decision: `dice.at(decision + 1)`, as in a match."""
        self._drawn: Dice = dice

    @classmethod
    def of(cls, state: State, dice: Source | None = None) -> Scratch:
        """A board in the position of a state."""
        now = [
            state.decision,
            state.rounds,
            state.round,
            state.starter,
            state.turn,
            state.phase,
            state.magazine,
            state.load,
            state.draws,
            state.known_next,
            state.items_used,
            state.ending,
        ]
        for one in state.players:
            now += [one.health, one.items, one.rounds_won, one.skip_pending, one.can_abstain]
        return cls(state.rules, now, dice or Seeded(0))

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
        now = self.now
        if now[PHASE] == "finished":
            return ()
        return (1 - now[TURN] if now[PHASE] == "abstain_reply" else now[TURN],)

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
        now[DECISION] += 1
        self._drawn = self.dice.at(now[DECISION])
        if phase == "shoot":
            self._shoot(now, answer)
        elif phase == "item":
            self._item(now, answer)
        elif phase == "abstain_request":
            now[PLAYERS[now[TURN]] + CAN_ABSTAIN] = False
            if answer:
                now[PHASE] = "abstain_reply"
            else:
                self._ask_for_item(now)
        else:
            self._reply(now, answer)
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
        now = self.now
        acting = self.acting[0] if self.acting else None
        return State(
            rules=self.rules,
            decision=now[DECISION],
            round=now[ROUND],
            starter=now[STARTER],
            turn=now[TURN],
            acting=acting,
            phase=now[PHASE],
            players=(Player(*now[PLAYERS[0] : PLAYERS[1]]), Player(*now[PLAYERS[1] :])),
            magazine=now[MAGAZINE],
            load=now[LOAD],
            draws=now[DRAWS],
            pending_request=now[TURN] if now[PHASE] == "abstain_reply" else None,
            known_next=now[KNOWN_NEXT],
            items_used=now[ITEMS_USED],
            rounds=now[ROUNDS],
            ending=now[ENDING],
        )

    def outcome(self) -> Outcome | None:
        """Who won and why; None while the match goes on."""
        return outcome(self.freeze())

    # --- the phases, as in `advance` --------------------------------------------------------------

    def _begin_action(self, now: Position) -> None:
        now[KNOWN_NEXT] = None
        now[ITEMS_USED] = 0
        if now[PLAYERS[now[TURN]] + CAN_ABSTAIN]:
            now[PHASE] = "abstain_request"
        else:
            self._ask_for_item(now)

    def _ask_for_item(self, now: Position) -> None:
        now[PHASE] = "item" if now[ITEMS_USED] < self.rules.items_per_action else "shoot"

    def _reply(self, now: Position, accepted: int) -> None:
        if self.rules.reply_closes_own_window:
            now[PLAYERS[1 - now[TURN]] + CAN_ABSTAIN] = False
        if accepted:
            self._end_round(now, "draw", None, "abstention")
            return
        if self.rules.declined_abstain_passes_turn:
            _end_turn(now)
        self._begin_action(now)

    def _item(self, now: Position, slot: int) -> None:
        if slot == 0:
            now[PHASE] = "shoot"
            return
        player = PLAYERS[now[TURN]]
        held = now[player + ITEMS]
        item = held[slot - 1]
        now[player + ITEMS] = (*held[: slot - 1], EMPTY, *held[slot:])
        now[ITEMS_USED] += 1
        if item == "peek_current":
            now[KNOWN_NEXT] = "live" if now[MAGAZINE][0] == LIVE else "blank"
        elif item == "eject_current":
            now[MAGAZINE] = now[MAGAZINE][1:]
            now[KNOWN_NEXT] = None
            if not now[MAGAZINE] and not self._reloaded(now):
                return
        elif item == "skip_enemy":
            now[player + SKIP_PENDING] = True
        elif item == "health_kit":
            cap = self.rules.health_cap
            if cap is None or now[player + HEALTH] < cap:
                now[player + HEALTH] += 1
        elif item == "reload_gun":
            now[KNOWN_NEXT] = None
            self._load(now)
            if self.rules.reload_item_deals_items:
                self._deal(now, self.rules.items_per_reload)
            if self.rules.reload_item_reopens_abstention:
                _set_windows(now, True)
        self._ask_for_item(now)

    def _shoot(self, now: Position, target: int) -> None:
        victim = now[TURN] if target == SELF else 1 - now[TURN]
        live = now[MAGAZINE][0] == LIVE
        now[MAGAZINE] = now[MAGAZINE][1:]
        if live:
            now[PLAYERS[victim] + HEALTH] -= 1
            if not now[PLAYERS[victim] + HEALTH]:
                self._end_round(now, "win", 1 - victim, "death")
                return
        if live or target == OPPONENT:
            _end_turn(now)
        if now[MAGAZINE] or self._reloaded(now):
            self._begin_action(now)

    def _reloaded(self, now: Position) -> bool:
        """The next load is in the empty gun; False: there is none, and the round is over."""
        if now[LOAD] == self.rules.gun_loads:
            self._end_round(now, "none", None, "out_of_bullets")
            return False
        now[LOAD] += 1
        self._load(now)
        _set_windows(now, True)
        self._deal(now, self.rules.items_per_reload)
        return True

    def _end_round(
        self, now: Position, result: RoundKind, winner: Seat | None, reason: RoundReason
    ) -> None:
        rules = self.rules
        now[ROUNDS] = (*now[ROUNDS], Round(now[ROUND], now[STARTER], result, winner, reason))
        if winner is not None:
            now[PLAYERS[winner] + ROUNDS_WON] += 1
        now[DRAWS] += result == "draw"
        for seat, player in enumerate(PLAYERS):
            if now[player + ROUNDS_WON] >= rules.wins_to_win:
                _end_match(now, Ending("win", seat, "two_wins"))
                return
        if now[DRAWS] >= rules.draws_to_draw:
            _end_match(now, Ending("draw", None, "two_draws"))
        elif now[ROUND] >= rules.rounds_per_match:
            _end_match(now, Ending("both_lost", None, "three_rounds"))
        else:
            self._begin_round(now)

    def _begin_round(self, now: Position) -> None:
        rules = self.rules
        now[ROUND] += 1
        now[STARTER] = now[TURN] = 1 - now[STARTER]
        now[LOAD] = 1
        for player in PLAYERS:
            now[player + HEALTH] = rules.start_health
            now[player + ITEMS] = (EMPTY,) * rules.item_slots
            now[player + SKIP_PENDING] = False
        _set_windows(now, rules.abstain_on_first_load)
        self._deal(now, rules.start_items)
        self._load(now)
        self._begin_action(now)

    def _load(self, now: Position) -> None:
        now[MAGAZINE] = self._drawn.draw("magazine", partial(draw_magazine, self.rules))

    def _deal(self, now: Position, each: int) -> None:
        for seat in range(SEATS):
            player = PLAYERS[seat]
            for _ in range(each):
                held = now[player + ITEMS]
                if EMPTY not in held:
                    break
                place = held.index(EMPTY)
                item = self._drawn.draw(f"item/{seat}", draw_item)
                now[player + ITEMS] = (*held[:place], item, *held[place + 1 :])


def _rejected(phase: Phase, why: str) -> Rejected:
    if phase == "item":
        return Rejected("bad_slot", why)
    return Rejected("bad_target", why) if phase == "shoot" else Rejected("bad_value", why)


def _end_turn(now: Position) -> None:
    player = PLAYERS[now[TURN]]
    if now[player + SKIP_PENDING]:
        now[player + SKIP_PENDING] = False
    else:
        now[TURN] = 1 - now[TURN]


def _end_match(now: Position, ending: Ending) -> None:
    phase: Phase = "finished"
    now[PHASE], now[KNOWN_NEXT], now[ENDING] = phase, None, ending


def _set_windows(now: Position, opened: bool) -> None:
    for player in PLAYERS:
        now[player + CAN_ABSTAIN] = opened


def _order(live: int, blank: int, known: str | None, stream: Stream) -> str:
    """An order of the bullets in the gun; the one that is known comes first."""
    first = {"live": LIVE, "blank": BLANK, None: ""}[known]
    bullets = [LIVE] * (live - (first == LIVE)) + [BLANK] * (blank - (first == BLANK))
    stream.shuffle(bullets)
    return first + "".join(bullets)
