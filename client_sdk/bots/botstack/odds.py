"""Counts the bullets, shoots at itself while a blank is likely, and peeks when it can."""

from client_sdk.api.botstack import (
    ACTION_NO_ITEM,
    BULLET_BLANK,
    BULLET_UNKNOWN,
    ITEM_PEEK_CURRENT,
    SHOOT_OPPONENT,
    SHOOT_SELF,
    Bot,
    Gun,
    Player,
)

WORTH_A_SHOT = 0.3
"""From this chance of a live bullet on it shoots the opponent."""


class Odds(Bot):
    name = "odds"

    def item(self, me: Player, other: Player, gun: Gun) -> int:
        # A peek at a gun whose bullets are all alike tells nothing.
        if 0 < gun.live < gun.bullets and ITEM_PEEK_CURRENT in me.items:
            return me.items.index(ITEM_PEEK_CURRENT) + 1
        return ACTION_NO_ITEM

    def action(self, me: Player, other: Player, gun: Gun, next_bullet: int) -> int:
        # A blank at oneself costs nothing and wins one more action with one blank less in the gun.
        if next_bullet == BULLET_UNKNOWN:
            likely = gun.live >= gun.bullets * WORTH_A_SHOT
            return SHOOT_OPPONENT if likely else SHOOT_SELF
        return SHOOT_SELF if next_bullet == BULLET_BLANK else SHOOT_OPPONENT


if __name__ == "__main__":
    Odds().run()
