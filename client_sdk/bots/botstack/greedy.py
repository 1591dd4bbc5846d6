"""Counts bullets, uses an item whenever one helps, and shoots the opponent unless a blank is far
more likely (RULES §13)."""

from client_sdk.api.botstack import (
    ACTION_NO_ITEM,
    BULLET_BLANK,
    BULLET_LIVE,
    ITEM_EJECT_CURRENT,
    ITEM_HEALTH_KIT,
    ITEM_PEEK_CURRENT,
    ITEM_RESET_GUN,
    ITEM_SKIP_ENEMY,
    SHOOT_OPPONENT,
    SHOOT_SELF,
    Bot,
    Gun,
    Player,
)

WORTH_A_SHOT = 0.25
"""From this chance of a live bullet on the opponent is the better target: a blank at oneself wins
one more action, a live one costs a third of the health."""


class Greedy(Bot):
    name = "greedy"

    def abstain(self, me: Player, other: Player, gun: Gun, opponent_request: bool) -> bool:
        # Asking costs the turn; agreeing pays when the round or the match is going the other way.
        return opponent_request and (me.lives < other.lives or me.rounds < other.rounds)

    def item(self, me: Player, other: Player, gun: Gun) -> int:
        live = gun.live / gun.bullets
        wanted = (
            (ITEM_HEALTH_KIT, True),
            (ITEM_PEEK_CURRENT, 0 < live < 1),
            (ITEM_SKIP_ENEMY, live >= 0.5 and not me.skip_pending),
            (ITEM_RESET_GUN, 0 < live < 0.5),
            (ITEM_EJECT_CURRENT, live <= 0.5),
        )
        for item, helps in wanted:
            if helps and item in me.items:
                return me.items.index(item) + 1
        return ACTION_NO_ITEM

    def action(self, me: Player, other: Player, gun: Gun, next_bullet: int) -> int:
        if next_bullet == BULLET_LIVE:
            return SHOOT_OPPONENT
        if next_bullet == BULLET_BLANK:
            return SHOOT_SELF
        return SHOOT_OPPONENT if gun.live >= gun.bullets * WORTH_A_SHOT else SHOOT_SELF


if __name__ == "__main__":
    Greedy().run()
