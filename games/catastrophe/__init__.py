"""Catastrophe: two cat overlords and their humans, who gather, build, convert and fight. `GAME` is
the whole game (RULES.md).

rules     every number                  state     the ground, which never changes, and all that does
board     maps, their faults            entries   the entries of a map
generate  maps from chance, and the first moment
commands  what a bot may ask            actions   what units do
combat    the attack                    advance   the end of a turn
draft     a moment to work on           view      what is seen
scratch   a board to search on           legal     the commands of a moment
outcome   the endings and what they book
json_types  views and commands as types, for the published schemas
"""

from __future__ import annotations

from games.catastrophe import json_types
from games.catastrophe.advance import advance
from games.catastrophe.board import Board, parse_board
from games.catastrophe.commands import END_TURN, Command, apply, parse
from games.catastrophe.generate import setup
from games.catastrophe.legal import legal
from games.catastrophe.outcome import forfeit, no_result, outcome
from games.catastrophe.rules import (
    CONFIG_ERRORS,
    RULE_SETS,
    SEATS,
    Rules,
    check_rules,
    pacing,
    seats,
)
from games.catastrophe.state import State, awaited, turn
from games.catastrophe.view import CONSTANT_FIELDS, start_only, view
from games.core.contract import Game

GAME: Game[Rules, Board, State, Command] = Game(
    name="catastrophe",
    title="Catastrophe",
    rules_version=1,
    roles=("west", "east"),
    over_code="game_over",
    rules=Rules,
    setting_names={
        "harvestCooldown": "turns_between_harvests",
        "startTime": "time_bank_s",
        "turnTimeAdded": "time_added_per_turn_s",
        "playerStartingTime": "time_bank_s",
        "timeAddedPerTurn": "time_added_per_turn_s",
    },
    bundles={"rules": RULE_SETS},
    config_errors=CONFIG_ERRORS,
    check_rules=check_rules,
    parse_board=parse_board,
    seats=seats,
    pacing=pacing,
    setup=setup,
    quick_setup=True,
    turn=turn,
    rounds=("day", SEATS),
    awaited=awaited,
    parse=parse,
    apply=apply,
    advance=advance,
    view=view,
    constant_fields=CONSTANT_FIELDS,
    start_only=start_only,
    outcome=outcome,
    legal=legal,
    forfeit=forfeit,
    no_result=no_result,
    end_turn=END_TURN,
    short={"map_width": 12, "map_height": 8, "max_turns": 80},
    view_type=json_types.View,
    command_type=json_types.Command,
)
