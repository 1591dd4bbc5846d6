"""How a game's board to search on is asked what its match is asked. One entry per game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from games import GAMES
from games.botstack.scratch import Scratch as BotstackScratch
from games.catastrophe.scratch import Scratch as CatastropheScratch
from games.cookoff.scratch import Scratch as CookoffScratch
from games.core.contract import Json, Rejected
from games.core.dice import Dice
from games.core.match import Match
from games.pyrat.scratch import Scratch as PyratScratch
from games.pyrat.state import State as PyratState
from games.zooscape.scratch import Scratch as ZooscapeScratch
from games.zooscape.state import SKIP
from tests.games.cookoff.test_mirror import littered, near
from tests.games.entries import SMALL_CATASTROPHE, catastrophe_command, cookoff_command
from tests.games.pyrat.table import ODD_CONFIGS


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """How a game's board is asked what its match is asked."""

    scratch: Any
    moves: Callable[[Random, Any], tuple[Any, ...]]
    """What `make` may be asked, in order or not."""
    play: Callable[[Any, tuple[Any, ...], Dice], tuple[Any, str | None]]
    """The match's state after these moves, and the code of a refusal."""
    step: Callable[[Any], int]
    """The number of the step that follows a state, as the board asks its dice for it."""
    begin: Callable[[Match, Random], None] = lambda match, chance: None
    """Makes more of the first state than there is."""
    kept: Callable[[Any], Any] = lambda state: state
    """A state without what boards do not keep."""
    chance: bool = True
    """Whether it takes dice."""
    shown: tuple[str, ...] = ()
    """The fields of a view that a board made from it does not show in the same way."""
    configs: tuple[Mapping[str, Json], ...] = ()
    """More configurations than the entry has."""


def pyrat_played(state: Any, moves: tuple[Any, ...], dice: Dice) -> tuple[Any, str | None]:
    game = GAMES["pyrat"]
    for seat, move in enumerate(moves):
        state, _ = game.apply(state, seat, move, dice)
    return game.advance(state, dice), None


def zooscape_played(state: Any, moves: tuple[Any, ...], dice: Dice) -> tuple[Any, str | None]:
    game = GAMES["zooscape"]
    for seat, action in enumerate(moves):
        state, _ = game.apply(state, seat, action, dice)
    return game.advance(state, dice), None


def cookoff_played(state: Any, moves: tuple[Any, ...], dice: Dice) -> tuple[Any, str | None]:
    game, (command,) = GAMES["cookoff"], moves
    state, reply = game.apply(state, state.acting, command, dice)
    if not game.awaited(state) and game.outcome(state) is None:
        state = game.advance(state, dice)
    return state, None if reply.ok else reply.code


def cookoff_moves(chance: Random, state: Any) -> tuple[Any, ...]:
    """Half of them work, and they are seldom the end of a part."""
    game = GAMES["cookoff"]
    command: Json = near(state, cookoff_command(chance), chance)
    if chance.random() < 0.02:
        command = chance.choice(({"type": "team_failed", "reason": "bot_error"}, {"type": "fly"}))
    elif chance.random() < 0.5:
        assert game.legal is not None
        command = chance.choice(game.legal(state, state.acting))
    return (game.parse(command),)


def cookoff_begun(match: Match, chance: Random) -> None:
    littered(match, chance)
    match.advance()


def catastrophe_played(state: Any, moves: tuple[Any, ...], dice: Dice) -> tuple[Any, str | None]:
    game, (command,) = GAMES["catastrophe"], moves
    state, reply = game.apply(state, state.current_player, command, dice)
    return state, None if reply.ok else reply.code


def catastrophe_moves(chance: Random, state: Any) -> tuple[Any, ...]:
    game = GAMES["catastrophe"]
    command: Json = catastrophe_command(chance) if chance.random() < 0.97 else {"cmd": "fly"}
    if chance.random() < 0.6:
        assert game.legal is not None
        command = chance.choice(game.legal(state, state.current_player))
    return (game.parse(command),)


def botstack_played(state: Any, moves: tuple[Any, ...], dice: Dice) -> tuple[Any, str | None]:
    game, (answer,) = GAMES["botstack"], moves
    command: Json = {"type": "abstain", "value": {0: False, 1: True}.get(answer)}
    if state.phase == "item":
        command = {"type": "item", "slot": answer}
    elif state.phase == "shoot":
        command = {"type": "shoot", "target": {0: "self", 1: "opponent"}.get(answer)}
    try:
        return game.apply(state, state.acting, game.parse(command), dice)[0], None
    except Rejected as fault:
        return state, fault.code


BUSY_ZOO = {
    "map_size": 15,
    "max_ticks": 150,
    "zookeeper_interval": {"mean": 15, "std_dev": 5, "min": 1, "max": 30},
    "pellet_respawn_interval": {"mean": 10, "std_dev": 5, "min": 0, "max": 20},
    "power_up_interval": {"mean": 5, "std_dev": 3, "min": 0, "max": 10},
    "power_up_distance_from_animals": 1,
    "power_up_distance_from_power_ups": 1,
}

BOARDS: Mapping[str, Board] = {
    "pyrat": Board(
        scratch=PyratScratch,
        moves=lambda chance, state: (chance.randrange(5), chance.randrange(5)),
        play=pyrat_played,
        step=lambda state: 0,
        kept=lambda state: PyratState(state.maze, state.now),
        chance=False,
        shown=("outcomes", "collected", "timeouts"),
        configs=ODD_CONFIGS,
    ),
    "zooscape": Board(
        scratch=ZooscapeScratch,
        moves=lambda chance, state: tuple(
            chance.choice((1, 2, 3, 4, 5, SKIP, SKIP, SKIP)) for _ in state.animals
        ),
        play=zooscape_played,
        step=lambda state: state.tick + 1,
        kept=lambda state: state._replace(answered=()),
        shown=("you",),
        configs=(
            BUSY_ZOO,
            BUSY_ZOO | {"rules": "contest"},
            BUSY_ZOO | {"rules": "document"},
            BUSY_ZOO | {"captures": "tick_end", "seats": 2, "respawn_blocked_pellets": True},
        ),
    ),
    "cookoff": Board(
        scratch=CookoffScratch,
        moves=cookoff_moves,
        play=cookoff_played,
        step=lambda state: 0,
        begin=cookoff_begun,
        chance=False,
        configs=({"total_turns": 40, "max_commands_per_turn": 9, "failure_policy": "skip"},),
    ),
    "catastrophe": Board(
        scratch=CatastropheScratch,
        moves=catastrophe_moves,
        play=catastrophe_played,
        step=lambda state: state.turn,
        configs=(
            SMALL_CATASTROPHE | {"max_turns": 60, "starting_food": 5},
            SMALL_CATASTROPHE | {"rules": "contest", "max_commands_per_turn": 4},
        ),
    ),
    "botstack": Board(
        scratch=BotstackScratch,
        moves=lambda chance, state: (chance.randrange(-1, state.rules.item_slots + 2),),
        play=botstack_played,
        step=lambda state: state.decision + 1,
        kept=lambda state: replace(state, events=()),
        shown=("events",),
    ),
}


def without(view: dict[str, Json], fields: tuple[str, ...]) -> dict[str, Json]:
    return {name: value for name, value in view.items() if name not in fields}
