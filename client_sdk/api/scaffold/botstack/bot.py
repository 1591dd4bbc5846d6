"""My BotStack bot: counts the bullets."""

from botarena.botstack import (
    ACTION_NO_ITEM,
    BULLET_LIVE,
    BULLET_UNKNOWN,
    ITEM_HEALTH_KIT,
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
        if ITEM_HEALTH_KIT in me.items:
            return me.items.index(ITEM_HEALTH_KIT) + 1
        return ACTION_NO_ITEM

    def action(self, me: Player, other: Player, gun: Gun, next_bullet: int) -> int:
        if next_bullet == BULLET_UNKNOWN:
            return SHOOT_OPPONENT if 2 * gun.live >= gun.bullets else SHOOT_SELF
        return SHOOT_OPPONENT if next_bullet == BULLET_LIVE else SHOOT_SELF


if __name__ == "__main__":
    MyBot().run()
