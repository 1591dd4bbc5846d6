"""Short words for moments of a match and what is done in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from games.botstack import GAME
from games.botstack.advance import advance
from games.botstack.commands import apply, parse
from games.botstack.rules import Rules
from games.botstack.state import Player, State
from games.core.contract import Json, Seat
from games.core.dice import Scripted, Seeded
from games.core.match import Match
from games.core.parameters import configure

NO: Json = {"type": "abstain", "value": False}
YES: Json = {"type": "abstain", "value": True}
AT_SELF: Json = {"type": "shoot", "target": "self"}
AT_OPPONENT: Json = {"type": "shoot", "target": "opponent"}
RESIGN: Json = {"type": "resign"}

ITEMS = [
    ("item/0", "peek_current"),
    ("item/0", "peek_current"),
    ("item/1", "peek_current"),
    ("item/1", "peek_current"),
]
NEW_ROUND = [*ITEMS, ("magazine", "LBB")]
"""What a round start draws."""


def slot(number: int) -> Json:
    return {"type": "item", "slot": number}


def rules(**config: Json) -> Rules:
    return configure(GAME, config)


def table(
    magazine: str,
    *,
    phase: str = "shoot",
    turn: Seat = 0,
    items: tuple[tuple[str, str], tuple[str, str]] = (("empty", "empty"), ("empty", "empty")),
    health: tuple[int, int] = (3, 3),
    rounds_won: tuple[int, int] = (0, 0),
    skips: tuple[bool, bool] = (False, False),
    windows: tuple[bool, bool] = (False, False),
    config: Mapping[str, Json] | None = None,
    **fields: Any,
) -> State:
    """A moment in round 1 that seat 0 started; `turn` owns the decision, except in a reply."""
    words: dict[str, Any] = {
        "round": 1,
        "starter": 0,
        "load": 1,
        "draws": 0,
        "pending_request": None,
        "known_next": None,
    }
    state = GAME.setup(rules(**(config or {})), None, Seeded(0).at(0))
    state = type(state)(
        **{name: getattr(state, name) for name in ("rules", "players")},
        **(words | fields),
        turn=turn,
        acting=1 - turn if phase == "abstain_reply" else turn,
        phase=phase,
        magazine=magazine,
    )
    first, second = (
        Player(health[seat], items[seat], rounds_won[seat], skips[seat], windows[seat])
        for seat in (0, 1)
    )
    return replace(state, players=(first, second))


def after(state: State, command: Json, *draws: tuple[str, Any], seat: Seat | None = None) -> State:
    """The state that follows a legal command of the acting seat; exactly these draws are made."""
    sender = state.acting if seat is None else seat
    assert sender is not None
    dice = Scripted(draws)
    state, reply = apply(state, sender, parse(command), dice)
    dice.finish()
    assert reply.ok
    return state


def silent(state: State, *draws: tuple[str, Any]) -> State:
    """The state that follows when the acting seat did not answer."""
    dice = Scripted(draws)
    state = advance(state, dice)
    dice.finish()
    return state


def events(state: State, *names: str) -> list[dict[str, Json]]:
    """What happened in the last step, all of it, or the events of these names."""
    return [
        {"e": event.name, **dict(event.about)}
        for event in state.events
        if not names or event.name in names
    ]


def random_match(seed: int, *, silence: float = 0.0, **config: Json) -> list[State]:
    """All states of a match between two random bots, the last one included."""
    match = Match.begin(GAME, config, seed)
    random = Random(seed)
    states = [match.state]
    while match.outcome is None:
        if random.random() < silence:
            match.advance()
        else:
            match.apply(match.state.acting, random.choice(match.legal(match.state.acting)))
        states.append(match.state)
    return states
