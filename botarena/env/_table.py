"""BotStack 01 as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from botarena.env._encoding import ArrayObservation, FixedActions, vector
from games.botstack.state import EMPTY, ITEMS
from games.core.contract import Json, Seat

PHASES: Final = ("abstain_request", "abstain_reply", "item", "shoot")


class BotStack(FixedActions):
    """`numbers` (23 + 12 S, S slots): live and blank bullets, the next one known to be live, known
    to be blank, reloads left, round, draws; the phase as one of four; whether the decision is the
    seat's, and whether the opponent asks for abstention; then of the seat and of its opponent
    health, rounds won, skip pending, can abstain, the number of items, and each slot as one of six.
    All 0 when the match is over. Actions: abstain no and yes, item 0 to S, shoot self and
    opponent."""

    def __init__(self, views: list[Json]) -> None:
        slots = len(views[0]["you"]["items"])
        super().__init__(
            [
                *({"type": "abstain", "value": value} for value in (False, True)),
                *({"type": "item", "slot": slot} for slot in range(slots + 1)),
                *({"type": "shoot", "target": target} for target in ("self", "opponent")),
            ]
        )
        self.shapes: Mapping[str, tuple[int, ...]] = {"numbers": (23 + 12 * slots,)}

    def observe(self, view: Json, seat: Seat) -> ArrayObservation:
        if "result" in view:
            return {"numbers": np.zeros(self.shapes["numbers"], np.float32)}
        gun, known = view["gun"], view["known_next"]
        numbers = (
            *(gun["live"], gun["blank"], known == "live", known == "blank"),
            *(view["reloads_left"], view["round"], view["draws"]),
            *(view["phase"] == phase for phase in PHASES),
            *(view["your_decision"], view["opponent_request"]),
            *_player(view["you"]),
            *_player(view["opponent"]),
        )
        return {"numbers": vector(numbers)}


def _player(player: Json) -> Iterator[float]:
    yield player["health"]
    yield player["rounds_won"]
    yield player["skip_pending"]
    yield player["can_abstain"]
    yield sum(item != EMPTY for item in player["items"])
    for item in player["items"]:
        yield from (item == kind for kind in (EMPTY, *ITEMS))
