"""BotStack 01: two seats, one shotgun, live and blank bullets in an unknown order. `GAME` is the
whole game (RULES.md).

rules     every number                  state     what a moment is
commands  what a bot may ask            advance   the phases A to G, setup and default choices
view      who may see what              outcome   the endings and what they book
legal     the commands of a moment      scratch   a board to search on
json_types  views and commands as types, for the published schemas
"""

from __future__ import annotations

from games.botstack import json_types
from games.botstack.advance import advance, setup
from games.botstack.board import parse_board
from games.botstack.commands import Command, apply, is_out_of_turn, parse
from games.botstack.legal import legal
from games.botstack.outcome import forfeit, no_result, outcome
from games.botstack.rules import CONFIG_ERRORS, RULE_SETS, Rules, check_rules, pacing, seats
from games.botstack.state import State, awaited, decision
from games.botstack.view import view
from games.core.contract import Game

GAME: Game[Rules, None, State, Command] = Game(
    name="botstack",
    title="BotStack 01",
    rules_version=1,
    roles=("player 1", "player 2"),
    over_code="match_over",
    rules=Rules,
    setting_names={
        "N_ROUNDS": "rounds_per_match",
        "N_GUN_LOADS": "gun_loads",
        "MAX_HEALTH": "start_health",
        "dBULLETS": "max_bullets",
    },
    bundles={"rules": RULE_SETS},
    config_errors=CONFIG_ERRORS,
    check_rules=check_rules,
    parse_board=parse_board,
    seats=seats,
    pacing=pacing,
    setup=setup,
    quick_setup=True,
    turn=decision,
    awaited=awaited,
    parse=parse,
    apply=apply,
    advance=advance,
    view=view,
    outcome=outcome,
    legal=legal,
    forfeit=forfeit,
    no_result=no_result,
    is_out_of_turn=is_out_of_turn,
    contest={"matches_per_pairing": 10, "forfeit_score": (2, 0)},
    view_type=json_types.View,
    command_type=json_types.Command,
)
