"""Three tiny games, one of each pacing, for the tests only: together they use the whole contract.

RACE: realtime; a queue per seat, one command taken per tick. WALK: alternating turns of many
commands, answered at once, with a budget that refusals spend too. DUEL: simultaneous and sealed,
with hidden cards, dice and presets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter

from games.core.contract import (
    OK,
    AnyGame,
    BadSetup,
    Game,
    Json,
    Outcome,
    Pacing,
    Rejected,
    Reply,
    Seat,
    SeatOutcome,
    Viewer,
    refused,
)
from games.core.dice import Dice
from games.core.parameters import choice, flag, whole


def booked(
    scores: tuple[int, ...],
    reason: str,
    kind: str | None = None,
    out: frozenset[Seat] = frozenset(),
) -> Outcome:
    """The best score wins; equal ones draw; a seat that is out loses to one that is not."""
    ranked = [(-1 if seat in out else score) for seat, score in enumerate(scores)]
    best = [seat for seat, rank in enumerate(ranked) if rank == max(ranked)]
    winner = best[0] if len(best) == 1 and best[0] not in out else None
    seats = tuple(
        SeatOutcome(
            seat,
            scores[seat],
            1 + sum(other > rank for other in ranked),
            "draw" if winner is None and seat in best else "win" if seat == winner else "loss",
        )
        for seat, rank in enumerate(ranked)
    )
    return Outcome(kind or ("draw" if winner is None else "win"), winner, reason, seats)


def places_forfeit(state: RaceState | WalkState, seats: frozenset[Seat], reason: str) -> Outcome:
    return booked(state.places, reason, "forfeit", seats)


def two_seats(rules: object) -> int:
    return 2


def no_board(text: str) -> None:
    raise BadSetup("no_maps", "this game has no maps")


# --- RACE: the clock calls advance ----------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceRules:
    seats: int = whole(4, "animals", low=1, high=4)
    length: int = whole(20, "cells to run", low=1, high=100)
    max_ticks: int = whole(30, "ticks", low=1, high=1000)
    tick_ms: int = whole(200, "ms between ticks; 0: in step with the bots", low=0, high=10_000)
    queue: int = whole(3, "commands that may wait", low=1, high=100)


@dataclass(frozen=True, slots=True)
class RaceState:
    length: int
    max_ticks: int
    queue: int
    lock: bool
    places: tuple[int, ...]
    queues: tuple[tuple[tuple[int, int], ...], ...]
    """Per seat: (number, stride) in order of arrival."""
    number: int = 0
    """Of the last command that arrived; refused ones are numbered too."""
    answered: tuple[Seat, ...] = ()
    tick: int = 0


STRIDES = {"walk": 1, "run": 2}


def race_parse(raw: Json) -> int:
    if not isinstance(raw, dict) or not isinstance(raw.get("action"), str):
        raise Rejected("bad_command", "expected an object with an action")
    if raw["action"] not in STRIDES:
        raise Rejected("unknown_action", f"expected one of {', '.join(STRIDES)}")
    return STRIDES[raw["action"]]


def race_apply(state: RaceState, seat: Seat, stride: int, dice: Dice) -> tuple[RaceState, Reply]:
    number = state.number + 1
    if len(state.queues[seat]) == state.queue:
        return replace(state, number=number), refused("queue_full", "it was numbered all the same")
    queues = changed(state.queues, seat, (*state.queues[seat], (number, stride)))
    answered = tuple(sorted({*state.answered, seat}))
    return replace(state, number=number, queues=queues, answered=answered), OK


def race_advance(state: RaceState, dice: Dice) -> RaceState:
    heads = sorted((queue[0], seat) for seat, queue in enumerate(state.queues) if queue)
    places = list(state.places)
    for (_, stride), seat in heads:
        places[seat] += stride
    return replace(
        state,
        places=tuple(places),
        queues=tuple(queue[1:] for queue in state.queues),
        answered=(),
        tick=state.tick + 1,
    )


def race_view(state: RaceState, viewer: Viewer) -> Json:
    return {"tick": state.tick, "places": list(state.places)} | (
        {} if viewer is None else race_private_fields(state, viewer)
    )


def race_private_fields(state: RaceState, seat: Seat) -> dict[str, Json]:
    return {"waiting": len(state.queues[seat])}


def race_pacing(rules: RaceRules) -> Pacing:
    if rules.tick_ms:
        return Pacing(tick_ms=rules.tick_ms, absence="plays")
    return Pacing(lockstep=True, turn_ms=1_000, grace_ms=0, absence="misses")


def race_setup(rules: RaceRules, board: None, dice: Dice) -> RaceState:
    return RaceState(
        rules.length,
        rules.max_ticks,
        rules.queue,
        rules.tick_ms == 0,
        (0,) * rules.seats,
        ((),) * rules.seats,
    )


def race_awaited(state: RaceState) -> frozenset[Seat]:
    return frozenset(range(len(state.places))) - (
        frozenset(state.answered) if state.lock else frozenset()
    )


def race_outcome(state: RaceState) -> Outcome | None:
    if max(state.places) >= state.length:
        return booked(state.places, "finish")
    return booked(state.places, "max_ticks") if state.tick == state.max_ticks else None


RACE: AnyGame = Game(
    name="race",
    title="Race",
    rules_version=1,
    roles=("animal",) * 4,
    over_code="game_not_running",
    malformed_first=True,
    rules=RaceRules,
    parse_board=no_board,
    seats=attrgetter("seats"),
    pacing=race_pacing,
    setup=race_setup,
    quick_setup=True,
    turn=attrgetter("tick"),
    awaited=race_awaited,
    parse=race_parse,
    apply=race_apply,
    advance=race_advance,
    view=race_view,
    private_fields=race_private_fields,
    outcome=race_outcome,
    forfeit=places_forfeit,
)


# --- WALK: one seat's turn is many commands -------------------------------------------------------

END_TURN = {"do": "end_turn"}


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkRules:
    budget: int = whole(3, "steps a turn", low=1, high=10)
    most: int = whole(8, "commands a turn, malformed ones too", low=1, high=1000)
    turns: int = whole(12, "turns of both together", low=1, high=1000)
    fails: int = whole(2, "failed turns that lose", low=1, high=10)


@dataclass(frozen=True, slots=True)
class WalkState:
    rules: WalkRules
    places: tuple[int, int] = (0, 0)
    budget: int = 0
    counted: int = 0
    failed: tuple[int, int] = (0, 0)
    turn: int = 0

    @property
    def acting(self) -> Seat:
        return self.turn % 2


@dataclass(frozen=True, slots=True)
class Malformed:
    """Read all the same: this game counts malformed commands, and asks whose turn it is before it
    looks at them."""

    why: str


def walk_parse(raw: Json) -> int | str | Malformed:
    if not isinstance(raw, dict):
        return Malformed("expected an object")
    if raw.get("do") in ("end_turn", "ask", "give_up"):
        return str(raw["do"])
    if (
        raw.get("do") != "step"
        or isinstance(raw.get("by"), bool)
        or not isinstance(raw.get("by"), int)
    ):
        return Malformed("expected end_turn, ask, or step by a whole number")
    return int(raw["by"])


def walk_apply(
    state: WalkState, seat: Seat, command: int | str | Malformed, dice: Dice
) -> tuple[WalkState, Reply]:
    if seat != state.acting:
        raise Rejected("not_your_turn", f"it is the turn of seat {state.acting}")
    if command == "end_turn":
        return walk_closed(state), OK
    if command == "give_up":
        return walk_failed(state), OK
    state = replace(state, counted=state.counted + 1)
    if isinstance(command, Malformed):
        return state, refused("bad_command", command.why)
    if state.counted > state.rules.most:
        return state, refused("too_many_commands")
    if command == "ask":
        return state, Reply(changes={"place": state.places[seat]})
    if state.budget == 0:
        return state, refused("no_budget")
    state = replace(state, budget=state.budget - 1)
    if command not in (-1, 1):
        return state, refused("too_far", "the budget is spent all the same")
    assert isinstance(command, int)
    places = changed(state.places, seat, state.places[seat] + command)
    return replace(state, places=places), Reply(changes={"place": places[seat]})


def walk_closed(state: WalkState) -> WalkState:
    return replace(state, turn=state.turn + 1, budget=state.rules.budget, counted=0)


def walk_advance(state: WalkState, dice: Dice) -> WalkState:
    """Silence."""
    return walk_failed(state)


def walk_failed(state: WalkState) -> WalkState:
    """What was done stays done, the turn has failed."""
    failed = changed(state.failed, state.acting, state.failed[state.acting] + 1)
    return walk_closed(replace(state, failed=failed))


def walk_pacing(rules: WalkRules) -> Pacing:
    return Pacing(turn_ms=500, bank_ms=60_000, increment_ms=1000, absence="forfeits")


def walk_setup(rules: WalkRules, board: None, dice: Dice) -> WalkState:
    return WalkState(rules, budget=rules.budget)


def walk_awaited(state: WalkState) -> frozenset[Seat]:
    return frozenset((state.acting,))


def walk_view(state: WalkState, viewer: Viewer) -> Json:
    return {
        "turn": state.turn,
        "acting": state.acting,
        "places": list(state.places),
        "budget": state.budget,
    }


def walk_outcome(state: WalkState) -> Outcome | None:
    out = frozenset(seat for seat in (0, 1) if state.failed[seat] == state.rules.fails)
    if out:
        return booked(state.places, "failed", None, out)
    return booked(state.places, "max_turns") if state.turn == state.rules.turns else None


WALK: AnyGame = Game(
    name="walk",
    title="Walk",
    rules_version=1,
    roles=("red", "blue"),
    over_code="game_over",
    rules=WalkRules,
    parse_board=no_board,
    seats=two_seats,
    pacing=walk_pacing,
    setup=walk_setup,
    quick_setup=True,
    turn=attrgetter("turn"),
    awaited=walk_awaited,
    parse=walk_parse,
    apply=walk_apply,
    advance=walk_advance,
    view=walk_view,
    outcome=walk_outcome,
    forfeit=places_forfeit,
    end_turn=END_TURN,
)


# --- DUEL: both at once, sealed -------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelRules:
    preset: str | None = choice(None, "named values", ("short", "long"), code="unknown_preset")
    rounds: int = whole(5, "rounds", low=1, high=100)
    highest: int = whole(9, "highest card and bid", low=1, high=100)
    coins: bool = flag(True, "a coin decides equal bids; else no one scores")


@dataclass(frozen=True, slots=True)
class DuelState:
    rounds: int
    highest: int
    coins: bool
    cards: tuple[int, int]
    bids: tuple[int | None, int | None] = (None, None)
    """This round's, sealed until it is closed."""
    shown: tuple[int, int] | None = None
    """The last round's bids, card added."""
    won: tuple[int, int] = (0, 0)
    round: int = 0


def card(dice: Dice, highest: int) -> int:
    return dice.draw("card", lambda stream: stream.below(highest) + 1)


def duel_parse(raw: Json) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int) or raw < 0:
        raise Rejected("bad_bid", "expected a whole number, 0 or more")
    return raw


def duel_apply(state: DuelState, seat: Seat, bid: int, dice: Dice) -> tuple[DuelState, Reply]:
    if state.bids[seat] is not None:
        raise Rejected("already_bid", "the first bid of a round is final")
    if bid > state.highest:
        raise Rejected("too_high", f"expected at most {state.highest}, got {bid}")
    return replace(state, bids=changed(state.bids, seat, bid)), OK


def duel_advance(state: DuelState, dice: Dice) -> DuelState:
    first, second = ((bid or 0) + held for bid, held in zip(state.bids, state.cards, strict=True))
    won = state.won
    if first != second or state.coins:
        ahead = (
            dice.draw("coin", lambda stream: stream.below(2))
            if first == second
            else int(second > first)
        )
        won = changed(won, ahead, won[ahead] + 1)
    cards = card(dice, state.highest), card(dice, state.highest)
    return replace(
        state, cards=cards, bids=(None, None), shown=(first, second), won=won, round=state.round + 1
    )


def duel_view(state: DuelState, viewer: Viewer) -> Json:
    own = {} if viewer is None else {"card": state.cards[viewer], "bid": state.bids[viewer]}
    shown = None if state.shown is None else list(state.shown)
    return {
        "round": state.round,
        "highest": state.highest,
        "shown": shown,
        "won": list(state.won),
    } | own


def duel_pacing(rules: DuelRules) -> Pacing:
    return Pacing()


def duel_setup(rules: DuelRules, board: None, dice: Dice) -> DuelState:
    return DuelState(
        rules.rounds,
        rules.highest,
        rules.coins,
        (card(dice, rules.highest), card(dice, rules.highest)),
    )


def duel_awaited(state: DuelState) -> frozenset[Seat]:
    return frozenset(seat for seat in (0, 1) if state.bids[seat] is None)


def duel_outcome(state: DuelState) -> Outcome | None:
    return booked(state.won, "rounds") if state.round == state.rounds else None


def duel_legal(state: DuelState, seat: Seat) -> list[Json]:
    return [*range(state.highest + 1)] if state.bids[seat] is None else []


def duel_forfeit(state: DuelState, seats: frozenset[Seat], reason: str) -> Outcome:
    return booked(state.won, reason, "forfeit", seats)


DUEL: AnyGame = Game(
    name="duel",
    title="Duel",
    rules_version=3,
    roles=("left", "right"),
    over_code="over",
    rules=DuelRules,
    bundles={"preset": {"short": {"rounds": 2}, "long": {"rounds": 50, "coins": False}}},
    config_errors=("unknown_preset", "unknown_option", "bad_flag", "bad_number"),
    parse_board=no_board,
    seats=two_seats,
    pacing=duel_pacing,
    setup=duel_setup,
    quick_setup=True,
    turn=attrgetter("round"),
    awaited=duel_awaited,
    parse=duel_parse,
    apply=duel_apply,
    advance=duel_advance,
    view=duel_view,
    outcome=duel_outcome,
    legal=duel_legal,
    forfeit=duel_forfeit,
)


def duel_twins(state: DuelState, viewer: Viewer) -> Iterator[DuelState]:
    """States that differ from this one only in what the viewer may not see."""
    for seat in (0, 1):
        if seat != viewer:
            yield replace(
                state, cards=changed(state.cards, seat, state.highest + 1 - state.cards[seat])
            )
            for bid in {None, 0, state.highest} - {state.bids[seat]}:
                yield replace(state, bids=changed(state.bids, seat, bid))


def changed(values: tuple, place: int, value: object) -> tuple:
    """The values with one of them replaced."""
    return (*values[:place], value, *values[place + 1 :])


THROW_IN: Mapping[str, AnyGame] = {game.name: game for game in (RACE, WALK, DUEL)}
