"""Carnegie Cookoff: two teams cook in equal kitchens, and may change over once for sabotage. `GAME`
is the whole game (RULES.md).

rules     every number              state     the floor plan, which never changes, and all that does
board     maps and their faults     opening   the first state
commands  what a bot may ask        actions   what its bots do: the checks and the effect of each
moves     where its bots go         advance   the turn
view      who may see what          outcome   the endings
legal     the commands of a moment  mirror    a state made again from a view, for bots
scratch   a board to search on      position  a state that is written into
json_types  views and commands as types, for the schemas
"""

from __future__ import annotations

from games.cookoff import json_types
from games.cookoff.actions import Command
from games.cookoff.advance import advance
from games.cookoff.board import Board, check_upload, parse_board
from games.cookoff.commands import (
    END_TURN,
    Malformed,
    apply,
    awaited,
    command_for_silence,
    from_shorthand,
    parse,
)
from games.cookoff.legal import legal
from games.cookoff.opening import setup
from games.cookoff.outcome import forfeit, no_result, outcome
from games.cookoff.rules import CONFIG_ERRORS, RULE_SETS, TEAMS, Rules, pacing, seats
from games.cookoff.state import State
from games.cookoff.view import CONSTANT_FIELDS, private_fields, view
from games.core.contract import Game


def _turn(state: State) -> int:
    return state.parts


GAME: Game[Rules, Board, State, Command | Malformed] = Game(
    name="cookoff",
    title="Carnegie Cookoff",
    rules_version=1,
    roles=TEAMS,
    over_code="game_over",
    rules=Rules,
    setting_names={
        "turns": "total_turns",
        "timeout": "turn_time_ms",
        "MIDGAME_SWITCH_TURN": "switch_turn",
        "MIDGAME_SWITCH_DURATION": "switch_duration",
    },
    bundles={"rules": RULE_SETS},
    config_errors=CONFIG_ERRORS,
    parse_board=parse_board,
    check_upload=check_upload,
    seats=seats,
    pacing=pacing,
    setup=setup,
    quick_setup=True,
    turn=_turn,
    turn_parts=len(TEAMS),
    awaited=awaited,
    parse=parse,
    apply=apply,
    advance=advance,
    view=view,
    private_fields=private_fields,
    constant_fields=CONSTANT_FIELDS,
    outcome=outcome,
    legal=legal,
    forfeit=forfeit,
    no_result=no_result,
    end_turn=END_TURN,
    command_for_silence=command_for_silence,
    from_shorthand=from_shorthand,
    short={"total_turns": 60},
    view_type=json_types.View,
    command_type=json_types.Command,
)
