"""PyRat: a Rat and a Python collect cheese in a maze, both moving at once. `GAME` is the whole game
(RULES.md).

rules     every number                  state     the maze, which never changes, and all that does
board     cells, maps, their faults     generate  boards from chance, and the first state
commands  what a bot may ask            scratch   a board to play on and take back
advance   one turn                      view      who may see what
outcome   the endings                   paths     distances and shortest ways, for bots
json_types  views and commands as types, for the published schemas
"""

from __future__ import annotations

from games.core.contract import Game
from games.pyrat import json_types
from games.pyrat.advance import advance
from games.pyrat.board import Board, Move, board
from games.pyrat.commands import apply, awaited, parse, spoken
from games.pyrat.generate import setup
from games.pyrat.outcome import forfeit, no_result, outcome
from games.pyrat.rules import FAULTS, FIXED, PRESETS, TIME_CONTROLS, Rules, check, once, pacing
from games.pyrat.state import ROLES, TURN, State
from games.pyrat.view import view


def _seats(rules: Rules) -> int:
    return len(ROLES)


def _turn(state: State) -> int:
    return state.now[TURN]


GAME: Game[Rules, Board, State, Move] = Game(
    name="pyrat",
    title="PyRat",
    rules_version=1,
    roles=ROLES,
    over="game_over",
    rules=Rules,
    bundles={"preset": PRESETS, "time_control": TIME_CONTROLS},
    faults=FAULTS,
    check=check,
    board=board,
    seats=_seats,
    pacing=pacing,
    setup=setup,
    turn=_turn,
    awaited=awaited,
    parse=parse,
    apply=apply,
    advance=advance,
    view=view,
    fixed=FIXED,
    once=once,
    outcome=outcome,
    forfeit=forfeit,
    no_result=no_result,
    spoken=spoken,
    view_type=json_types.View,
    command_type=json_types.Command,
)
