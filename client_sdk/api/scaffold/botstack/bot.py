"""My BotStack bot: counts the bullets, and uses the items that help at once."""

from botarena.botstack import (
    ACTION_NO_ITEM,
    BULLET_LIVE,
    BULLET_UNKNOWN,
    ITEM_HEALTH_KIT,
    ITEM_PEEK_CURRENT,
    ITEM_SKIP_ENEMY,
    SHOOT_OPPONENT,
    SHOOT_SELF,
    Bot,
    Gun,
    Player,
)


class MyBot(Bot):
    name = "mybot"

    def abstain(self, me: Player, other: Player, gun: Gun, opponent_request: bool) -> bool:
        return False

    def item(self, me: Player, other: Player, gun: Gun) -> int:
        for item in (ITEM_HEALTH_KIT, ITEM_SKIP_ENEMY, ITEM_PEEK_CURRENT):
            if item in me.items:
                return me.items.index(item) + 1
        return ACTION_NO_ITEM

    def action(self, me: Player, other: Player, gun: Gun, next_bullet: int) -> int:
        # A blank shot at yourself wins another action, but a live one costs a life: take the risk
        # only if a live bullet is unlikely.
        if next_bullet == BULLET_UNKNOWN:
            return SHOOT_OPPONENT if 4 * gun.live >= gun.bullets else SHOOT_SELF
        return SHOOT_OPPONENT if next_bullet == BULLET_LIVE else SHOOT_SELF


if __name__ == "__main__":
    MyBot().run()
