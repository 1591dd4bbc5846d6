"""What the every-game suite must know of each game: commands to try, and what each viewer may not
see. One entry per game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from random import Random
from typing import Any

from games import GAMES
from games.core.contract import AnyGame, Json, Seat, Viewer
from tests.core.throw_in import DUEL, END_TURN, RACE, WALK, changed, duel_twins

Twins = Callable[[Any, Viewer], Iterator[Any]]


@dataclass(frozen=True, slots=True)
class Entry:
    """`longest` bounds the steps of a match of the first configuration; small ones come first, for
    they are played often."""

    game: AnyGame
    command: Callable[[Random], Json]
    """Well-formed and often in order."""
    longest: int
    twins: Twins | None = None
    """States that differ from this one only in what the viewer may not see; None: the game hides
    nothing."""
    configs: tuple[Mapping[str, Json], ...] = ({},)
    every: Callable[[Any, Seat], Iterable[Json]] | None = None
    """All commands that the list of legal ones may have, and more; None: the game has no list."""


def one_of(*commands: Json) -> Callable[[Random], Json]:
    return lambda chance: chance.choice(commands)


def botstack_twins(state: Any, viewer: Viewer) -> Iterator[Any]:
    """The order of the bullets, but for the next one of a seat that paid to see it; what only
    others have seen."""
    peeked = viewer is not None and viewer == state.acting and state.known_next is not None
    seen, unseen = state.magazine[:peeked], state.magazine[peeked:]
    for order in {unseen[::-1], "".join(sorted(unseen)), "".join(sorted(unseen, reverse=True))} - {
        unseen
    }:
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
    return (
        state._replace(**{field: value})
        if isinstance(state, tuple)
        else replace(state, **{field: value})
    )


SMALL_CATASTROPHE = {
    "map_width": 8,
    "map_height": 6,
    "min_food_chance": 0.3,
    "max_food_chance": 0.5,
    "structure_chance": 0.3,
}


def catastrophe_command(chance: Random) -> Json:
    """Mostly moves and turn ends, so that a random match lasts."""
    cmd = chance.choice(
        (
            "end_turn",
            "end_turn",
            "move",
            "move",
            "attack",
            "change_job",
            "construct",
            "convert",
            "deconstruct",
        )
    )
    if cmd == "move":
        cmd = chance.choice(("move", "move", "harvest", "rest", "drop", "pickup"))
    return {
        "cmd": cmd,
        "unit": chance.randint(1, 24),
        "x": chance.randint(-1, 8),
        "y": chance.randint(-1, 6),
        "job": chance.choice(("soldier", "gatherer", "builder", "missionary")),
        "type": chance.choice(("wall", "shelter", "monument")),
        "resource": chance.choice(("food", "materials")),
        "amount": chance.randint(0, 3),
    }


def race_twins(state: Any, viewer: Viewer) -> Iterator[Any]:
    for seat, queue in enumerate(state.queues):
        if seat != viewer and queue:
            yield replace(
                state, queues=changed(state.queues, seat, queue[1:]), number=state.number + 1
            )


KNOWN: tuple[Entry, ...] = (
    Entry(
        RACE,
        one_of({"action": "walk"}, {"action": "run"}),
        400,
        race_twins,
        ({"length": 12}, {"seats": 2, "tick_ms": 0, "queue": 1}, {"seats": 1}),
    ),
    Entry(
        WALK,
        one_of(
            {"do": "step", "by": 1}, {"do": "step", "by": 9}, {"do": "ask"}, "no command", END_TURN
        ),
        400,
    ),
    Entry(
        DUEL,
        lambda chance: chance.randrange(12),
        100,
        duel_twins,
        ({"preset": "short"}, {"coins": False, "highest": 1}),
        lambda state, seat: range(state.highest + 3),
    ),
)


def cookoff_command(chance: Random) -> Json:
    """Steps, deeds around a bot, questions; now and then what ends a part."""
    bot_id, dx, dy = chance.randrange(4), chance.randint(-1, 1), chance.randint(-1, 1)
    kind = chance.choice(COOKOFF_COMMANDS)
    command = {
        "type": kind,
        "bot_id": bot_id,
        "dx": dx,
        "dy": dy,
        "item": chance.choice(("PLATE", "EGG", "ONIONS", "BREAD")),
    }
    if chance.random() < 0.2:
        command |= {"x": chance.randrange(12), "y": chance.randrange(10)}
    return command


COOKOFF_ACTIONS = (
    "pickup",
    "place",
    "trash",
    "chop",
    "start_cook",
    "take_from_pan",
    "take_clean_plate",
    "put_dirty_plate_in_sink",
    "wash_sink",
    "add_food_to_plate",
    "submit",
)

COOKOFF_COMMANDS = (
    *("move",) * 6,
    *COOKOFF_ACTIONS,
    *("buy", "switch_maps", "can_move", "can_buy", "can_submit", "can_switch_maps"),
    *("end_turn",) * 6,
)


def cookoff_twins(state: Any, viewer: Viewer) -> Iterator[Any]:
    """What the orders that are not active want and pay, and what has become of them."""
    for seat in (0, 1):
        for place, (order, fate) in enumerate(
            zip(state.orders[seat], state.fates[seat], strict=True)
        ):
            if order.created_turn > state.turn or order.expires_turn < state.turn:
                orders = changed(
                    state.orders[seat],
                    place,
                    order._replace(required=("EGG",), reward=order.reward + 1),
                )
                fates = changed(
                    state.fates[seat], place, fate._replace(penalized=not fate.penalized)
                )
                yield state._replace(
                    orders=changed(state.orders, seat, orders),
                    fates=changed(state.fates, seat, fates),
                )
                break


def zooscape_twins(state: Any, viewer: Viewer) -> Iterator[Any]:
    """Timers, pellets to come, whom zookeepers chase; what waits in the queues of others, and their
    counters."""
    yield state._replace(power_up_timer=7, zookeeper_timer=1, next_seq=state.next_seq + 5)
    yield state._replace(
        respawns=tuple(respawn + state.maze.area for respawn in state.respawns[1:])
    )
    yield state._replace(
        zookeepers=tuple(
            each._replace(direction=1, target=0, retarget_due=True) for each in state.zookeepers
        )
    )
    for seat, animal in enumerate(state.animals):
        if seat != viewer:
            other = replace(
                animal,
                direction=(animal.direction + 1) % 5,
                streak_multiplier=2.5,
                streak_missed=1,
                ticks_on_spawn=animal.ticks_on_spawn + 1,
                power_ups_used=9,
                last_command=(1, 1),
                used_nothing=not animal.used_nothing,
            )
            yield state._replace(
                animals=changed(state.animals, seat, other),
                queues=changed(state.queues, seat, (*state.queues[seat], (2, 2))[-1:]),
                first_command_seqs=changed(state.first_command_seqs, seat, 3),
            )


def every_botstack(state: Any, seat: Seat) -> Iterator[Json]:
    yield from ({"type": "abstain", "value": value} for value in (True, False))
    yield from ({"type": "item", "slot": slot} for slot in range(-1, 10))
    yield from ({"type": "shoot", "target": target} for target in ("self", "opponent", 0))


def every_catastrophe(state: Any, seat: Seat) -> Iterator[Json]:
    """Of all units and tiles, and a column and a row outside. A unit that carries nothing may drop
    it, which is not listed."""
    yield {"cmd": "end_turn"}
    ground = state.ground
    for number, unit in state.units.items():
        about = {"unit": number}
        yield {"cmd": "rest"} | about
        yield from (
            {"cmd": "change_job"} | about | {"job": job} for job in (*ground.jobs, "no such job")
        )
        for x, y in product(range(-1, ground.width), range(-1, ground.height)):
            there = about | {"x": x, "y": y}
            for name in ("move", "attack", "convert", "deconstruct", "harvest"):
                yield {"cmd": name} | there
            for kind in ("wall", "shelter", "monument", "neutral"):
                yield {"cmd": "construct"} | there | {"type": kind}
            for resource in ("food", "materials"):
                yield {"cmd": "pickup"} | there | {"resource": resource}
                if getattr(unit, resource):
                    yield {"cmd": "drop"} | there | {"resource": resource}


def every_cookoff(state: Any, seat: Seat) -> Iterator[Json]:
    """Of all bots and of the tiles up to two steps away, and places outside."""
    yield from ({"type": kind} for kind in ("end_turn", "switch_maps"))
    for bot_id in range(len(state.bots) + 1):
        bot_x, bot_y = state.plan.xy(state.bots[bot_id % len(state.bots)].cell)
        about = {"bot_id": bot_id}
        for dx, dy in product(range(-2, 3), repeat=2):
            yield {"type": "move"} | about | {"dx": dx, "dy": dy}
        for x, y in product(range(bot_x - 2, bot_x + 3), range(bot_y - 2, bot_y + 3)):
            for kind in COOKOFF_ACTIONS:
                yield {"type": kind} | about | {"x": x, "y": y}
            for item in ("PLATE", "PAN", "EGG", "ONIONS", "MEAT", "NOODLES", "SAUCE", "BREAD"):
                yield {"type": "buy"} | about | {"x": x, "y": y, "item": item}


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
            {"rules": "document", "rounds_per_match": 1},
        ),
        every_botstack,
    ),
    "catastrophe": lambda game: Entry(
        game,
        catastrophe_command,
        200,
        None,
        (
            SMALL_CATASTROPHE | {"max_turns": 30},
            SMALL_CATASTROPHE
            | {"upkeep_phase": "turn_end", "own_tile_counts": False, "max_commands_per_turn": 1},
            {"harvest_requires_gatherer": False, "starting_food": 0, "max_turns": 40},
            SMALL_CATASTROPHE | {"rules": "document", "max_turns": 40},
        ),
        every_catastrophe,
    ),
    "cookoff": lambda game: Entry(
        game,
        cookoff_command,
        2_000,
        cookoff_twins,
        (
            {
                "total_turns": 25,
                "failure_policy": "skip",
                "switch_turn": 5,
                "switch_duration": 8,
                "starting_money": 1000,
            },
            {
                "total_turns": 12,
                "rules": "awap2026",
                "orders_visible": "active",
                "first_team": "RED",
                "bots_per_team": 3,
            },
            {
                "total_turns": 10,
                "bots_per_team": 1,
                "max_commands_per_turn": 2,
                "failure_policy": "skip",
                "max_skips": 2,
            },
            {"rules": "document", "total_turns": 10},
        ),
        every_cookoff,
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
        lambda state, seat: ("UP", "RIGHT", "DOWN", "LEFT", "STAY", "UPWARDS"),
    ),
    "zooscape": lambda game: Entry(
        game,
        one_of(
            *(
                {"action": action}
                for action in ("up", "DOWN", "Left", "right", "use_item", "skip", 2, 4, 5)
            )
        ),
        600,
        zooscape_twins,
        (
            {
                "map_size": 9,
                "max_ticks": 25,
                "zookeeper_interval": {"mean": 5, "std_dev": 2, "min": 1, "max": 9},
            },
            {
                "seats": 2,
                "tick_ms": 0,
                "map_size": 13,
                "max_ticks": 25,
                "command_queue_size": 1,
                "power_up_interval": {"mean": 3, "std_dev": 1, "min": 0, "max": 5},
                "power_up_distance_from_animals": 2,
                "power_up_distance_from_power_ups": 1,
                "pellet_respawn_interval": {"mean": 2, "std_dev": 2, "min": 0, "max": 5},
                "respawn_blocked_pellets": True,
            },
            {
                "seats": 1,
                "map_size": 11,
                "max_ticks": 40,
                "rules_profile": "reference",
                "power_up_interval": {"mean": 3, "std_dev": 1, "min": 0, "max": 5},
                "power_up_distance_from_animals": 1,
                "power_up_distance_from_power_ups": 0,
            },
            {"rules": "document", "map_size": 9, "max_ticks": 25},
            {"rules": "2025.0", "map_size": 11, "max_ticks": 15},
        ),
        lambda state, seat: (
            {"action": action}
            for action in ("up", "down", "left", "right", "use_item", "skip", "idle")
        ),
    ),
}

ENTRIES: Mapping[str, Entry] = {entry.game.name: entry for entry in KNOWN} | {
    name: BY_NAME[name](game) for name, game in GAMES.items() if name in BY_NAME
}


def some_seats(chance: Random, seats: int) -> frozenset[Seat]:
    """At least one of them."""
    return frozenset(chance.sample(range(seats), chance.randint(1, seats)))
