"""The turn, phase by phase in rulebook order (RULES §5); what is dealt and loaded (RULES §4).

The match and the board that bots search on play by the same `Phases`. Chance comes in through
`setup`, `Phases.load` and `Phases.deal`."""

from __future__ import annotations

from functools import partial
from typing import Literal

from games.botstack.outcome import ending_of_round
from games.botstack.rules import SEATS, Rules, live_limits
from games.botstack.state import (
    BLANK,
    CAN_ABSTAIN,
    DECISION,
    DRAWS,
    EMPTY,
    ENDING,
    HEALTH,
    HELD,
    ITEMS,
    ITEMS_USED,
    KNOWN_NEXT,
    LIVE,
    LOAD,
    MAGAZINE,
    PHASE,
    PLAYERS,
    ROUND,
    ROUNDS,
    ROUNDS_WON,
    SKIP_PENDING,
    STARTER,
    TURN,
    Bullet,
    Ending,
    Event,
    Item,
    Phase,
    Position,
    Round,
    RoundKind,
    RoundReason,
    State,
    opponent,
    position_of,
    state_of,
)
from games.core.contract import Json, Seat
from games.core.dice import Dice, Stream

TARGETS = ("self", "opponent")
"""Whom a seat shoots."""

DEFAULTS: dict[Phase, Json] = {
    "abstain_request": False,
    "abstain_reply": False,
    "item": 0,
    "shoot": "opponent",
}
"""What a silent seat is taken to have answered: the shot always ends the turn, so no seat holds the
gun by silence (RULES §6)."""


def setup(rules: Rules, board: None, dice: Dice) -> State:
    """Draw who starts, then begin round 1."""
    starter = dice.draw("starter", draw_starter)
    player = [rules.start_health, (), 0, False, False]
    before = opponent(starter)
    now = [0, (), 0, before, before, "item", "", 1, 0, None, 0, None, *player, *player]
    events: list[Event] = []
    Phases(rules, dice, events).begin_round(now)
    return state_of(rules, now, tuple(events))


def decide(state: State, answer: Json, dice: Dice) -> State:
    """Close the open decision with a legal answer: a boolean, a slot or a target, by phase."""
    now, events = position_of(state), list[Event]()
    phases = Phases(state.rules, dice, events)
    phases.decide(now, TARGETS.index(answer) if state.phase == "shoot" else int(answer))
    return state_of(state.rules, now, tuple(events))


def advance(state: State, dice: Dice) -> State:
    """Close the open decision with the default choice, for a seat that did not answer."""
    return decide(state, DEFAULTS[state.phase], dice)


def resign(state: State, seat: Seat, dice: Dice) -> State:
    """End the match at once; the round in play has no result and nothing is drawn (RULES §6)."""
    now, events = position_of(state), list[Event]()
    now[DECISION] += 1
    Phases(state.rules, dice, events).end_match(
        now, Ending("forfeit", opponent(seat), "resignation")
    )
    return state_of(state.rules, now, tuple(events))


def draw_starter(stream: Stream) -> Seat:
    return stream.below(SEATS)


def draw_item(stream: Stream) -> Item:
    return ITEMS[stream.below(len(ITEMS))]


def draw_magazine(rules: Rules, stream: Stream) -> str:
    """A size, then a number of live bullets, then an order, each uniform over what it may be."""
    size = rules.min_bullets + stream.below(rules.max_bullets - rules.min_bullets + 1)
    least, most = live_limits(rules, size)
    live = least + stream.below(most - least + 1)
    bullets = [LIVE] * live + [BLANK] * (size - live)
    stream.shuffle(bullets)
    return "".join(bullets)


class Phases:
    """What a decision does to a position, which is written into."""

    __slots__ = ("drawn", "events", "rules")

    def __init__(self, rules: Rules, drawn: Dice, events: list[Event] | None = None) -> None:
        self.rules = rules
        self.drawn = drawn
        """Asked for the draws of this decision."""
        self.events = events
        """What has happened, in processing order; None: that is not kept."""

    def decide(self, now: Position, answer: int) -> None:
        """Close the open decision with a legal answer: no or yes (0, 1), a slot, or the place of a
        target in `TARGETS`, by phase."""
        now[DECISION] += 1
        phase = now[PHASE]
        if phase == "shoot":
            self._shoot(now, answer)
        elif phase == "item":
            self._item(now, answer)
        elif phase == "abstain_request":
            self._request(now, answer)
        else:
            self._reply(now, answer)

    def _begin_action(self, now: Position) -> None:
        """A: the seat whose turn it is acts; it is asked about abstaining while its window is
        open."""
        now[KNOWN_NEXT] = None
        now[ITEMS_USED] = 0
        if now[PLAYERS[now[TURN]] + CAN_ABSTAIN]:
            now[PHASE] = "abstain_request"
        else:
            self._ask_for_item(now)

    def _ask_for_item(self, now: Position) -> None:
        """The item question, as long as this action has an item left; then the shot."""
        now[PHASE] = "item" if now[ITEMS_USED] < self.rules.items_per_action else "shoot"

    def _request(self, now: Position, wants: int) -> None:
        """B: a request is put to the opponent."""
        now[PLAYERS[now[TURN]] + CAN_ABSTAIN] = False
        if wants:
            if self.events is not None:
                self.events.append(_event("request", seat=now[TURN]))
            now[PHASE] = "abstain_reply"
        else:
            self._ask_for_item(now)

    def _reply(self, now: Position, accepted: int) -> None:
        """C: an accepted request ends the round; a declined one ends the requester's turn."""
        replier = opponent(now[TURN])
        if self.rules.reply_closes_own_window:
            now[PLAYERS[replier] + CAN_ABSTAIN] = False
        if self.events is not None:
            self.events.append(_event("reply", seat=replier, accepted=bool(accepted)))
        if accepted:
            self._end_round(now, "draw", None, "abstention")
            return
        if self.rules.declined_abstain_passes_turn:
            _end_turn(now)
        self._begin_action(now)

    def _item(self, now: Position, slot: int) -> None:
        """D: slot 0 closes the item step; any other is emptied, and what it held takes effect. An
        empty one is a legal choice without effect."""
        if slot == 0:
            now[PHASE] = "shoot"
            return
        seat, player = now[TURN], PLAYERS[now[TURN]]
        held = now[player + HELD]
        item = held[slot - 1]
        now[player + HELD] = (*held[: slot - 1], EMPTY, *held[slot:])
        now[ITEMS_USED] += 1
        if self.events is not None:
            self.events.append(_event("item", seat=seat, slot=slot, item=item))
        if item == "peek_current":  # D.1: only the seat that peeks learns what fires next
            now[KNOWN_NEXT] = _next_bullet(now)
            if self.events is not None:
                self.events.append(_event("peek", only=seat, seat=seat, bullet=now[KNOWN_NEXT]))
        elif item == "eject_current":
            # D.2: the next bullet leaves the gun unfired, for all to see; an empty gun is reloaded
            # first, or ends the round
            if self.events is not None:
                self.events.append(_event("eject", seat=seat, bullet=_next_bullet(now)))
            now[MAGAZINE] = now[MAGAZINE][1:]
            now[KNOWN_NEXT] = None
            if not now[MAGAZINE] and not self._reloaded(now):
                return
        elif item == "skip_enemy":
            # D.3: one extra turn; a second one while one is pending is wasted
            now[player + SKIP_PENDING] = True
        elif item == "health_kit":  # D.4: one health more, unless the cap is reached
            cap = self.rules.health_cap
            if cap is None or now[player + HEALTH] < cap:
                now[player + HEALTH] += 1
        elif item == "reload_gun":
            # D.5: a new magazine, which is no load; whether it deals and reopens is an option
            now[KNOWN_NEXT] = None
            self.load(now, "reload_item")
            if self.rules.reload_item_deals_items:
                self.deal(now, self.rules.items_per_reload)
            if self.rules.reload_item_reopens_abstention:
                _set_windows(now, True)
        self._ask_for_item(now)

    def _shoot(self, now: Position, target: int) -> None:
        """E: death comes first, then whose turn it is, then the empty gun."""
        shooter, live = now[TURN], now[MAGAZINE][0] == LIVE
        victim = 1 - shooter if target else shooter
        if self.events is not None:
            self.events.append(
                _event("shot", seat=shooter, target=victim, bullet=_next_bullet(now))
            )
        now[MAGAZINE] = now[MAGAZINE][1:]
        if live:
            now[PLAYERS[victim] + HEALTH] -= 1
            if not now[PLAYERS[victim] + HEALTH]:
                self._end_round(now, "win", opponent(victim), "death")
                return
        if live or victim != shooter:
            _end_turn(now)
        if now[MAGAZINE] or self._reloaded(now):
            self._begin_action(now)

    def _reloaded(self, now: Position) -> bool:
        """F: the next load is in the empty gun, both windows open, items in empty slots. Turn,
        health and skips stay. False: there is no load left, and the round is over."""
        if now[LOAD] == self.rules.gun_loads:
            self._end_round(now, "none", None, "out_of_bullets")
            return False
        now[LOAD] += 1
        self.load(now, "dry")
        _set_windows(now, True)
        self.deal(now, self.rules.items_per_reload)
        return True

    def _end_round(
        self, now: Position, result: RoundKind, winner: Seat | None, reason: RoundReason
    ) -> None:
        """G: count the credit; then the match ends, or the other seat starts the next round."""
        number = now[ROUND]
        now[ROUNDS] = (*now[ROUNDS], Round(number, now[STARTER], result, winner, reason))
        now[DRAWS] += result == "draw"
        if winner is not None:
            now[PLAYERS[winner] + ROUNDS_WON] += 1
        if self.events is not None:
            self.events.append(
                _event("round_end", round=number, result=result, winner=winner, reason=reason)
            )
        won = [now[player + ROUNDS_WON] for player in PLAYERS]
        ending = ending_of_round(self.rules, number, won, now[DRAWS])
        if ending is None:
            self.begin_round(now)
        else:
            self.end_match(now, ending)

    def begin_round(self, now: Position) -> None:
        """What lasts a round is reset: items are dealt, then the gun is loaded (RULES §4)."""
        rules = self.rules
        now[ROUND] += 1
        now[STARTER] = now[TURN] = opponent(now[STARTER])
        now[LOAD] = 1
        for player in PLAYERS:
            now[player + HEALTH] = rules.start_health
            now[player + HELD] = (EMPTY,) * rules.item_slots
            now[player + SKIP_PENDING] = False
        _set_windows(now, rules.abstain_on_first_load)
        if self.events is not None:
            self.events.append(_event("round_start", round=now[ROUND], starter=now[STARTER]))
        self.deal(now, rules.start_items)
        self.load(now, "round_start")
        self._begin_action(now)

    def end_match(self, now: Position, ending: Ending) -> None:
        """No further decision is open."""
        now[PHASE], now[KNOWN_NEXT], now[ENDING] = "finished", None, ending
        if self.events is not None:
            kind, winner, reason = ending.kind, ending.winner, ending.reason
            self.events.append(_event("match_end", outcome=kind, winner=winner, reason=reason))

    def load(self, now: Position, cause: Literal["round_start", "dry", "reload_item"]) -> None:
        """A new magazine; what is announced is what it holds."""
        magazine = self.drawn.draw("magazine", partial(draw_magazine, self.rules))
        now[MAGAZINE] = magazine
        if self.events is not None:
            total, live = len(magazine), magazine.count(LIVE)
            self.events.append(_event("load", load=now[LOAD], cause=cause, total=total, live=live))

    def deal(self, now: Position, each: int) -> None:
        """Items for seat 0, then seat 1, into their first empty slots. Full slots draw nothing."""
        for seat, player in enumerate(PLAYERS):
            for _ in range(each):
                held = now[player + HELD]
                if EMPTY not in held:
                    break
                place = held.index(EMPTY)
                item = self.drawn.draw(f"item/{seat}", draw_item)
                now[player + HELD] = (*held[:place], item, *held[place + 1 :])
                if self.events is not None:
                    self.events.append(_event("deal", seat=seat, slot=place + 1, item=item))


def _end_turn(now: Position) -> None:
    """The turn passes on, unless the seat has an extra turn pending, which is used up instead."""
    player = PLAYERS[now[TURN]]
    if now[player + SKIP_PENDING]:
        now[player + SKIP_PENDING] = False
    else:
        now[TURN] = 1 - now[TURN]


def _set_windows(now: Position, opened: bool) -> None:
    for player in PLAYERS:
        now[player + CAN_ABSTAIN] = opened


def _event(name: str, *, only: Seat | None = None, **about: Json) -> Event:
    return Event(name, tuple(about.items()), only)


def _next_bullet(now: Position) -> Bullet:
    return "live" if now[MAGAZINE][0] == LIVE else "blank"
