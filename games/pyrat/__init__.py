"""PyRat: a Rat and a Python collect cheese in a maze, both at once. `GAME` is all of it (RULES.md).

rules     every number                  state     the maze, which never changes, and all that does
board     cells, maps, their faults     generate  boards from chance, and the first state
commands  what a bot may ask            scratch   a board to play on and take back
advance   one turn                      view      who may see what
outcome   the endings                   paths     distances and shortest ways, for bots
legal     the commands of a moment
json_types  views and commands as types, for the published schemas
"""

from __future__ import annotations

from games.core.contract import Game
from games.pyrat import json_types
from games.pyrat.advance import advance
from games.pyrat.board import Board, Move, parse_board
from games.pyrat.commands import apply, awaited, from_shorthand, parse
from games.pyrat.generate import setup
from games.pyrat.legal import legal
from games.pyrat.outcome import forfeit, no_result, outcome
from games.pyrat.rules import (
    CONFIG_ERRORS,
    CONSTANT_FIELDS,
    PRESETS,
    RULE_SETS,
    TIME_CONTROLS,
    Rules,
    check_rules,
    pacing,
    start_only,
)
from games.pyrat.state import ROLES, TURN, State
from games.pyrat.view import private_fields, read_only_view, view


def _seats(rules: Rules) -> int:
    return len(ROLES)


def _turn(state: State) -> int:
    return state.now[TURN]


GAME: Game[Rules, Board, State, Move] = Game(
    name="pyrat",
    title="PyRat",
    rules_version=1,
    roles=ROLES,
    over_code="game_over",
    rules=Rules,
    bundles={"rules": RULE_SETS, "preset": PRESETS, "time_control": TIME_CONTROLS},
    config_errors=CONFIG_ERRORS,
    check_rules=check_rules,
    parse_board=parse_board,
    seats=_seats,
    pacing=pacing,
    setup=setup,
    turn=_turn,
    awaited=awaited,
    parse=parse,
    apply=apply,
    advance=advance,
    view=view,
    read_only_view=read_only_view,
    private_fields=private_fields,
    constant_fields=CONSTANT_FIELDS,
    start_only=start_only,
    outcome=outcome,
    legal=legal,
    forfeit=forfeit,
    no_result=no_result,
    from_shorthand=from_shorthand,
    short={"preset": "tiny"},
    view_type=json_types.View,
    command_type=json_types.Command,
)
