"""Counts the bullets as `odds` does, and heals itself whenever it can."""

from client_sdk.api.botstack import ITEM_HEALTH_KIT, Gun, Player
from client_sdk.bots.botstack.odds import Odds


class Medic(Odds):
    name = "medic"

    def item(self, me: Player, other: Player, gun: Gun) -> int:
        # Health has no upper limit, so a kit is never wasted.
        if ITEM_HEALTH_KIT in me.items:
            return me.items.index(ITEM_HEALTH_KIT) + 1
        return super().item(me, other, gun)


if __name__ == "__main__":
    Medic().run()
