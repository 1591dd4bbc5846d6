"""Zooscape: up to four animals eat pellets in a maze while zookeepers chase them. `GAME` is the
whole game (RULES.md).

rules     every number                  board     cells, maps, their faults
generate  boards from chance            maze      what never changes in a match
state     what does                     setup     the first state
chance    the questions to the dice     commands  what a bot may ask
tick      what animals do in one        advance   one tick
paths     the ways of zookeepers        view      who may see what
outcome   the endings                   legal     the commands of a moment
respawns  the pellets that will come back, in a tick, and their text
scratch, scratch_tick   a board to search on, a tick on it
json_types  views and commands as types, for the published schemas
"""

from __future__ import annotations

from games.core.contract import Game
from games.zooscape import json_types
from games.zooscape.advance import advance
from games.zooscape.board import Board, parse_board
from games.zooscape.commands import apply, awaited, parse
from games.zooscape.legal import legal
from games.zooscape.outcome import forfeit, no_result, outcome
from games.zooscape.rules import CONFIG_ERRORS, RULE_SETS, Rules, check_rules, pacing, seats
from games.zooscape.setup import setup
from games.zooscape.state import ROLES, Action, State
from games.zooscape.view import CONSTANT_FIELDS, private_fields, start_only, view


def _turn(state: State) -> int:
    return state.tick


GAME: Game[Rules, Board, State, Action] = Game(
    name="zooscape",
    title="Zooscape",
    rules_version=1,
    roles=ROLES,
    over_code="game_not_running",
    malformed_first=True,
    rules=Rules,
    setting_names={"TickDuration": "tick_ms", "ResetGrace": "streak_reset_ticks"},
    bundles={"rules": RULE_SETS},
    config_errors=CONFIG_ERRORS,
    check_rules=check_rules,
    parse_board=parse_board,
    seats=seats,
    pacing=pacing,
    setup=setup,
    turn=_turn,
    awaited=awaited,
    parse=parse,
    apply=apply,
    advance=advance,
    view=view,
    private_fields=private_fields,
    constant_fields=CONSTANT_FIELDS,
    start_only=start_only,
    outcome=outcome,
    legal=legal,
    forfeit=forfeit,
    no_result=no_result,
    short={"map_size": 21, "max_ticks": 75, "tick_ms": 0},
    view_type=json_types.View,
    command_type=json_types.Command,
)
