"""What the every-game suite must know of each game: commands to try, and what each viewer may not see. One entry per game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any

from games import GAMES
from games.core.contract import AnyGame, Json, Seat, Viewer
from tests.core.throw_in import DUEL, END_TURN, RACE, WALK, changed, duel_twins

Twins = Callable[[Any, Viewer], Iterator[Any]]


@dataclass(frozen=True, slots=True)
class Entry:
    """`longest` bounds the steps of a match of the first configuration; small ones come first, for they are played often."""

    game: AnyGame
    command: Callable[[Random], Json]
    """Well-formed and often in order."""
    longest: int
    twins: Twins | None = None
    """States that differ from this one only in what the viewer may not see; None: the game hides nothing."""
    configs: tuple[Mapping[str, Json], ...] = ({},)


def one_of(*commands: Json) -> Callable[[Random], Json]:
    return lambda chance: chance.choice(commands)


def botstack_twins(state: Any, viewer: Viewer) -> Iterator[Any]:
    """The order of the bullets, but for the next one of a seat that paid to see it; what only others saw or were told."""
    peeked = viewer is not None and viewer == state.acting and state.known_next is not None
    seen, unseen = state.magazine[:peeked], state.magazine[peeked:]
    for order in {unseen[::-1], "".join(sorted(unseen)), "".join(sorted(unseen, reverse=True))} - {unseen}:
        yield replace(state, magazine=seen + order)
    if state.known_next is not None and not peeked:
        yield replace(state, known_next=None)
    private = [event for event in state.events if event.only not in (None, viewer)]
    if private:
        yield replace(state, events=tuple(event for event in state.events if event not in private))


def sealed_moves(field: str, moves: tuple[Any, ...], state: Any, viewer: Viewer) -> Iterator[Any]:
    """What others have answered in the open turn, and whether they have."""
    moved = getattr(state, field)
    for seat in range(len(moved)):
        if seat != viewer:
            for move in moves:
                if move != moved[seat]:
                    yield with_field(state, field, changed(moved, seat, move))


def with_field(state: Any, field: str, value: Any) -> Any:
    return state._replace(**{field: value}) if isinstance(state, tuple) else replace(state, **{field: value})


def race_twins(state: Any, viewer: Viewer) -> Iterator[Any]:
    for seat, queue in enumerate(state.queues):
        if seat != viewer and queue:
            yield replace(state, queues=changed(state.queues, seat, queue[1:]), number=state.number + 1)


KNOWN: tuple[Entry, ...] = (
    Entry(
        RACE,
        one_of({"action": "walk"}, {"action": "run"}),
        400,
        race_twins,
        ({"length": 12}, {"seats": 2, "tick_ms": 0, "queue": 1}, {"seats": 1}),
    ),
    Entry(WALK, one_of({"do": "step", "by": 1}, {"do": "step", "by": 9}, {"do": "ask"}, "no command", END_TURN), 400),
    Entry(DUEL, lambda chance: chance.randrange(12), 100, duel_twins, ({"preset": "short"}, {"coins": False, "highest": 1})),
)

BY_NAME: Mapping[str, Callable[[AnyGame], Entry]] = {
    "botstack": lambda game: Entry(
        game,
        one_of(
            *({"type": "abstain", "value": value} for value in (True, False)),
            *({"type": "item", "slot": slot} for slot in (0, 1, 2)),
            *({"type": "shoot", "target": target} for target in ("self", "opponent", "opponent")),
        ),
        2_000,
        botstack_twins,
        (
            {},
            {
                "item_slots": 4,
                "start_items": 4,
                "items_per_action": 3,
                "reload_item_deals_items": True,
                "declined_abstain_passes_turn": False,
            },
            {"rounds_per_match": 1, "item_slots": 0, "start_items": 0, "items_per_reload": 0},
        ),
    ),
    "pyrat": lambda game: Entry(
        game,
        one_of("UP", "RIGHT", "DOWN", "LEFT", "STAY"),
        2_000,
        partial(sealed_moves, "sealed", (None, 0, 1, 2, 3, 4)),
        (
            {"preset": "tiny", "max_turns": 40},
            {"preset": "swamp", "max_turns": 30, "mud_timing": "plus_one"},
            {"preset": "asymmetric", "max_turns": 20},
        ),
    ),
}

ENTRIES: Mapping[str, Entry] = {entry.game.name: entry for entry in KNOWN} | {
    name: BY_NAME[name](game) for name, game in GAMES.items() if name in BY_NAME
}


def some_seats(chance: Random, seats: int) -> frozenset[Seat]:
    """At least one of them."""
    return frozenset(chance.sample(range(seats), chance.randint(1, seats)))
