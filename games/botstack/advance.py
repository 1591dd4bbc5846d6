"""The turn, phase by phase in rulebook order (RULES §5); what is dealt and loaded (RULES §4).

Every function takes a state and returns the one that follows. A decision closes in `decide`; chance
comes in through `setup`, `_loaded` and `_dealt`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal

from games.botstack.outcome import ending_of_round
from games.botstack.rules import SEATS, Rules, live_limits
from games.botstack.state import (
    BLANK,
    EMPTY,
    ITEMS,
    LIVE,
    Bullet,
    Ending,
    Item,
    Phase,
    Player,
    Round,
    RoundKind,
    RoundReason,
    State,
    opponent,
    with_event,
    with_player,
)
from games.core.contract import Json, Seat
from games.core.dice import Dice, Stream

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
    player = Player(
        health=rules.start_health, items=(), rounds_won=0, skip_pending=False, can_abstain=False
    )
    empty = State(
        rules=rules,
        round=1,
        starter=starter,
        turn=starter,
        acting=starter,
        phase="item",
        players=(player, player),
        magazine="",
        load=1,
        draws=0,
        pending_request=None,
        known_next=None,
    )
    return _begin_round(empty, 1, starter, dice)


def decide(state: State, answer: Json, dice: Dice) -> State:
    """Close the open decision with a legal answer: a boolean, a slot or a target, by phase."""
    closed = replace(state, decision=state.decision + 1, events=())
    return STEPS[state.phase](closed, answer, dice)


def advance(state: State, dice: Dice) -> State:
    """Close the open decision with the default choice, for a seat that did not answer."""
    return decide(state, DEFAULTS[state.phase], dice)


def resign(state: State, seat: Seat) -> State:
    """End the match at once; the round in play has no result and nothing is drawn (RULES §6)."""
    closed = replace(state, decision=state.decision + 1, events=())
    return _end_match(closed, Ending("forfeit", opponent(seat), "resignation"))


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


def _begin_action(state: State) -> State:
    """A: the seat whose turn it is acts; it is asked about abstaining while its window is open."""
    state = replace(state, acting=state.turn, known_next=None, items_used=0)
    if state.players[state.turn].can_abstain:
        return replace(state, phase="abstain_request")
    return _item_step(state)


def _item_step(state: State) -> State:
    """The item question, as long as this action has an item left; then the shot."""
    return replace(
        state, phase="item" if state.items_used < state.rules.items_per_action else "shoot"
    )


def _request(state: State, wants: bool, dice: Dice) -> State:
    """B: a request is put to the opponent."""
    requester = state.turn
    state = with_player(state, requester, can_abstain=False)
    if not wants:
        return _item_step(state)
    state = with_event(state, "request", seat=requester)
    return replace(
        state, phase="abstain_reply", acting=opponent(requester), pending_request=requester
    )


def _reply(state: State, accepted: bool, dice: Dice) -> State:
    """C: an accepted request ends the round; a declined one ends the requester's turn."""
    replier = opponent(state.turn)
    if state.rules.reply_closes_own_window:
        state = with_player(state, replier, can_abstain=False)
    state = replace(
        with_event(state, "reply", seat=replier, accepted=accepted), pending_request=None
    )
    if accepted:
        return _end_round(state, "draw", None, "abstention", dice)
    if state.rules.declined_abstain_passes_turn:
        state = _end_turn(state)
    return _begin_action(state)


def _item(state: State, slot: int, dice: Dice) -> State:
    """D: slot 0 closes the item step; any other is emptied, and what it held takes effect."""
    if slot == 0:
        return replace(state, phase="shoot")
    seat = state.turn
    held = state.players[seat].items
    item = held[slot - 1]
    state = with_player(state, seat, items=_placed(held, slot, EMPTY))
    state = with_event(
        replace(state, items_used=state.items_used + 1), "item", seat=seat, slot=slot, item=item
    )
    return EFFECTS[item](state, dice)


def _nothing(state: State, dice: Dice) -> State:
    """D: an empty slot is a legal choice without effect."""
    return _item_step(state)


def _peek(state: State, dice: Dice) -> State:
    """D.1: only the seat that peeks learns what fires next."""
    seat, bullet = state.turn, _next_bullet(state)
    state = replace(state, known_next=bullet)
    return _item_step(with_event(state, "peek", only=seat, seat=seat, bullet=bullet))


def _eject(state: State, dice: Dice) -> State:
    """D.2: the next bullet leaves the gun unfired, for all to see. An empty gun is reloaded first,
    or ends the round."""
    state = with_event(state, "eject", seat=state.turn, bullet=_next_bullet(state))
    state = replace(state, magazine=state.magazine[1:], known_next=None)
    if not state.magazine:
        if state.reloads_left == 0:
            return _end_round(state, "none", None, "out_of_bullets", dice)
        state = _counted_reload(state, dice)
    return _item_step(state)


def _skip(state: State, dice: Dice) -> State:
    """D.3: one extra turn; a second one while one is pending is wasted."""
    return _item_step(with_player(state, state.turn, skip_pending=True))


def _heal(state: State, dice: Dice) -> State:
    """D.4: one health more, unless the cap is reached."""
    health, cap = state.players[state.turn].health, state.rules.health_cap
    if cap is None or health < cap:
        state = with_player(state, state.turn, health=health + 1)
    return _item_step(state)


def _reload(state: State, dice: Dice) -> State:
    """D.5: a new magazine, which is no load; whether it deals and reopens is an option."""
    state = _loaded(replace(state, known_next=None), "reload_item", dice)
    if state.rules.reload_item_deals_items:
        state = _dealt(state, state.rules.items_per_reload, dice)
    if state.rules.reload_item_reopens_abstention:
        state = _windows(state, True)
    return _item_step(state)


def _shoot(state: State, target: str, dice: Dice) -> State:
    """E: death comes first, then whose turn it is, then the empty gun."""
    shooter = state.turn
    victim = shooter if target == "self" else opponent(shooter)
    bullet = _next_bullet(state)
    state = with_event(state, "shot", seat=shooter, target=victim, bullet=bullet)
    state = replace(state, magazine=state.magazine[1:])
    if bullet == "live":
        health = state.players[victim].health - 1
        state = with_player(state, victim, health=health)
        if health == 0:
            return _end_round(state, "win", opponent(victim), "death", dice)
    if bullet == "live" or victim != shooter:
        state = _end_turn(state)
    if not state.magazine:
        if state.reloads_left == 0:
            return _end_round(state, "none", None, "out_of_bullets", dice)
        state = _counted_reload(state, dice)
    return _begin_action(state)


def _end_turn(state: State) -> State:
    """The turn passes on, unless the seat has an extra turn pending, which is used up instead."""
    if state.players[state.turn].skip_pending:
        return with_player(state, state.turn, skip_pending=False)
    return replace(state, turn=opponent(state.turn))


def _counted_reload(state: State, dice: Dice) -> State:
    """F: the next load, both windows open, items for empty slots. Turn, health and skips stay."""
    state = _loaded(replace(state, load=state.load + 1), "dry", dice)
    return _dealt(_windows(state, True), state.rules.items_per_reload, dice)


def _end_round(
    state: State, result: RoundKind, winner: Seat | None, reason: RoundReason, dice: Dice
) -> State:
    """G: count the credit; then the match ends, or the other seat starts the next round."""
    finished = Round(state.round, state.starter, result, winner, reason)
    state = replace(state, rounds=(*state.rounds, finished), draws=state.draws + (result == "draw"))
    if winner is not None:
        state = with_player(state, winner, rounds_won=state.players[winner].rounds_won + 1)
    state = with_event(
        state, "round_end", round=state.round, result=result, winner=winner, reason=reason
    )
    ending = ending_of_round(state)
    if ending is not None:
        return _end_match(state, ending)
    return _begin_round(state, state.round + 1, opponent(state.starter), dice)


def _begin_round(state: State, number: int, starter: Seat, dice: Dice) -> State:
    """What lasts a round is reset: items are dealt, then the gun is loaded (RULES §4)."""
    rules = state.rules
    state = replace(
        state, round=number, starter=starter, turn=starter, load=1, pending_request=None
    )
    health, items = rules.start_health, (EMPTY,) * rules.item_slots
    for seat in range(SEATS):
        state = with_player(state, seat, health=health, items=items, skip_pending=False)
    state = _windows(state, rules.abstain_on_first_load)
    state = with_event(state, "round_start", round=number, starter=starter)
    return _begin_action(_loaded(_dealt(state, rules.start_items, dice), "round_start", dice))


def _end_match(state: State, ending: Ending) -> State:
    state = replace(
        state, phase="finished", acting=None, pending_request=None, known_next=None, ending=ending
    )
    return with_event(
        state, "match_end", outcome=ending.kind, winner=ending.winner, reason=ending.reason
    )


def _windows(state: State, opened: bool) -> State:
    for seat in range(SEATS):
        state = with_player(state, seat, can_abstain=opened)
    return state


def _loaded(state: State, cause: Literal["round_start", "dry", "reload_item"], dice: Dice) -> State:
    """A new magazine; what is announced is what it holds."""
    state = replace(state, magazine=dice.draw("magazine", partial(draw_magazine, state.rules)))
    return with_event(
        state, "load", load=state.load, cause=cause, total=state.total, live=state.live
    )


def _dealt(state: State, each: int, dice: Dice) -> State:
    """Items for seat 0, then seat 1, into their first empty slots. Full slots draw nothing."""
    for seat in range(SEATS):
        for _ in range(each):
            held = state.players[seat].items
            if EMPTY not in held:
                break
            slot = held.index(EMPTY) + 1
            item = dice.draw(f"item/{seat}", draw_item)
            state = with_player(state, seat, items=_placed(held, slot, item))
            state = with_event(state, "deal", seat=seat, slot=slot, item=item)
    return state


def _placed(held: tuple[Item, ...], slot: int, item: Item) -> tuple[Item, ...]:
    return (*held[: slot - 1], item, *held[slot:])


def _next_bullet(state: State) -> Bullet:
    return "live" if state.magazine[0] == LIVE else "blank"


STEPS: dict[Phase, Callable[[State, Json, Dice], State]] = {
    "abstain_request": _request,
    "abstain_reply": _reply,
    "item": _item,
    "shoot": _shoot,
}

EFFECTS: dict[Item, Callable[[State, Dice], State]] = {
    "empty": _nothing,
    "peek_current": _peek,
    "eject_current": _eject,
    "skip_enemy": _skip,
    "health_kit": _heal,
    "reload_gun": _reload,
}
