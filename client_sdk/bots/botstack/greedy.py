"""Counts bullets and takes what is best for the next shot alone (RULES §13)."""

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


class Greedy(Bot):
    name = "greedy"

    def abstain(self, me: Player, other: Player, gun: Gun, opponent_request: bool) -> bool:
        # Asking costs the turn; agreeing pays when the round or the match is going the other way.
        return opponent_request and (me.lives < other.lives or me.rounds < other.rounds)

    def item(self, me: Player, other: Player, gun: Gun) -> int:
        live = gun.live / gun.bullets
        wanted = (
            (ITEM_HEALTH_KIT, me.lives <= 2 or live < 0.5),
            (ITEM_PEEK_CURRENT, 0 < live < 1),
            (ITEM_SKIP_ENEMY, live >= 0.5 and gun.live >= 2 and not me.skip_pending),
            (ITEM_RESET_GUN, gun.bullets <= 2 and 0 < live <= 0.5),
            (ITEM_EJECT_CURRENT, live == 0.5),
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
        return SHOOT_OPPONENT if gun.live * 2 >= gun.bullets else SHOOT_SELF


if __name__ == "__main__":
    Greedy().run()
