"""In the other team's kitchen: clear it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from client_sdk.api.cookoff import Cooker, Pan, RobotController, SinkTable, Tile
from client_sdk.bots.cookoff.hand import Hand
from client_sdk.bots.cookoff.ways import Cell

WORTH_GOING: Final = 30
"""Turns that must be left of the window."""


def pays(controller: RobotController) -> bool:
    """Behind, and time enough to do harm."""
    info = controller.get_switch_info()
    mine = controller.get_team_money() or 0
    theirs = controller.get_team_money(controller.get_enemy_team()) or 0
    left = info["window_end_turn"] - info["turn"]
    return mine < theirs and left >= WORTH_GOING and controller.can_switch_maps()


def clear(hand: Hand) -> None:
    """Take what is nearest and throw it away; an empty plate stays in hand, where it is of no use
    to the others."""
    if hand.holding is not None:
        if hand.kind == "Food" or hand.holding["food"]:
            hand.empty_out()
        return
    prey: dict[Cell, Callable[..., bool]] = {}
    for name in ("COOKER", "COUNTER", "SINKTABLE"):
        for cell in hand.ways.stations(name):
            tile = hand.tile(cell)
            take = None if tile is None else _taking(hand.controller, tile)
            if take is not None:
                prey[cell] = take
    nearest = hand.ways.nearest(hand.here, prey)
    if nearest is not None:
        hand.do(nearest, prey[nearest])


def _taking(controller: RobotController, tile: Tile) -> Callable[..., bool] | None:
    """How to take what is on this tile; None: there is nothing."""
    if isinstance(tile, Cooker):
        full = isinstance(tile.item, Pan) and tile.item.food is not None
        return controller.take_from_pan if full else None
    if isinstance(tile, SinkTable):
        return controller.take_clean_plate if tile.num_clean_plates else None
    return None if tile.item is None else controller.pickup
