"""Games with one fault each, which show that each check can fail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from games.core.contract import OK, AnyGame, Json, Reply, Viewer
from games.core.dice import Dice
from tests.core.throw_in import (
    DUEL,
    RACE,
    WALK,
    DuelState,
    RaceState,
    duel_view,
    race_apply,
    race_view,
    walk_apply,
)
from tests.games.entries import ENTRIES, Entry


def faulty(game: AnyGame, **changes: Any) -> Entry:
    return replace(ENTRIES[game.name], game=replace(game, **changes))


class Bag(list):
    """Something inside a state that can be changed in place."""


def with_bag(rules: Any, board: Any, dice: Dice) -> DuelState:
    return replace(DUEL.setup(rules, board, dice), won=Bag((0, 1)))


def apply_in_place(state: DuelState, seat: int, bid: int, dice: Dice) -> tuple[DuelState, Reply]:
    state.won[seat] += 0 if bid else 1
    return DUEL.apply(state, seat, bid, dice)


def advance_in_place(state: DuelState, dice: Dice) -> DuelState:
    won = Bag(DUEL.advance(replace(state, won=tuple(state.won)), dice).won)
    state.won[0] += 1
    return replace(DUEL.advance(replace(state, won=(0, 0)), dice), won=won)


def view_in_place(state: DuelState, viewer: Viewer) -> Json:
    list.reverse(state.won)
    return duel_view(state, viewer)


def ordered_by_a_set(state: RaceState, viewer: Viewer) -> Json:
    return race_view(state, viewer) | {"names": list({"ant", "bee", "cat", "dog", "eel", "fox"})}


def shows_the_other_card(state: DuelState, viewer: Viewer) -> Json:
    return duel_view(state, viewer) | {"sum": sum(state.cards)}


def shows_the_spectator_a_card(state: DuelState, viewer: Viewer) -> Json:
    return duel_view(state, viewer) | ({"card": state.cards[0]} if viewer is None else {})


def shows_who_has_bid(state: DuelState, viewer: Viewer) -> Json:
    return duel_view(state, viewer) | {"open": state.bids.count(None)}


def tells_the_sum(state: DuelState, seat: int, bid: int, dice: Dice) -> tuple[DuelState, Reply]:
    found, reply = DUEL.apply(state, seat, bid, dice)
    return found, reply._replace(changes={"sum": sum(state.cards)})


def shares_its_list(state: DuelState, viewer: Viewer) -> Json:
    return duel_view(state, viewer) | {"won": state.won}


def counts_by_two(state: Any) -> int:
    return 2 * int(state.turn)


def raises_on_text(raw: Json) -> Any:
    return WALK.parse(raw) if not isinstance(raw, str) else int(raw)


def changes_and_rejects(
    state: RaceState, seat: int, stride: int, dice: Dice
) -> tuple[RaceState, Reply]:
    found, reply = race_apply(state, seat, stride, dice)
    if reply.code == "queue_full":
        reply = Reply("rejected", "full", "it is full")
    return found, reply


CALLS = [0]


def remembers(state: Any, seat: int, command: Any, dice: Dice) -> tuple[Any, Reply]:
    CALLS[0] += 1
    if CALLS[0] % 7 == 0:
        return replace(state, places=(state.places[0] + 1, state.places[1])), OK
    return walk_apply(state, seat, command, dice)


def legal_after_the_bid(state: DuelState, seat: int) -> list[Json]:
    return [*range(state.highest + 1)]


def legal_but_for_the_highest(state: DuelState, seat: int) -> list[Json]:
    return DUEL.legal(state, seat)[:-1]


def legal_by_the_other_card(state: DuelState, seat: int) -> list[Json]:
    return sorted(DUEL.legal(state, seat), reverse=state.cards[1 - seat] > 4)


FAULTY: Mapping[str, Entry] = {
    "applies_in_place": faulty(DUEL, setup=with_bag, apply=apply_in_place),
    "advances_in_place": faulty(DUEL, setup=with_bag, advance=advance_in_place),
    "looks_in_place": faulty(DUEL, setup=with_bag, view=view_in_place),
    "ordered_by_a_set": faulty(RACE, view=ordered_by_a_set),
    "shows_the_other_card": faulty(DUEL, view=shows_the_other_card),
    "shows_the_spectator_a_card": faulty(DUEL, view=shows_the_spectator_a_card),
    "shows_who_has_bid": faulty(DUEL, view=shows_who_has_bid),
    "tells_the_sum": faulty(DUEL, apply=tells_the_sum),
    "tuple_in_a_view": faulty(DUEL, view=lambda state, viewer: {"won": state.won}),
    "nan_in_a_view": faulty(DUEL, view=lambda state, viewer: {"won": float("nan")}),
    "shares_its_list": faulty(DUEL, setup=with_bag, view=shares_its_list),
    "shows_less_when_read_only": faulty(DUEL, read_only_view=lambda state, viewer: {}),
    "endless": faulty(DUEL, outcome=lambda state: None),
    "counts_by_two": faulty(WALK, turn=counts_by_two),
    "raises": faulty(WALK, parse=raises_on_text),
    "changes_and_rejects": faulty(RACE, apply=changes_and_rejects),
    "remembers": faulty(WALK, apply=remembers),
    "legal_after_the_bid": faulty(DUEL, legal=legal_after_the_bid),
    "legal_but_for_the_highest": faulty(DUEL, legal=legal_but_for_the_highest),
    "legal_by_the_other_card": faulty(DUEL, legal=legal_by_the_other_card),
    "the_loser_wins": faulty(
        DUEL,
        forfeit=lambda state, seats, reason: DUEL.forfeit(state, frozenset({0, 1}) - seats, reason),
    ),
}
