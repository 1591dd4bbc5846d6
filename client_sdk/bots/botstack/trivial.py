"""Shoots the opponent, always. Needs no chance and no memory."""

from client_sdk.api.botstack import SHOOT_OPPONENT, Bot, Gun, Player


class Trivial(Bot):
    name = "trivial"

    def action(self, me: Player, other: Player, gun: Gun, next_bullet: int) -> int:
        return SHOOT_OPPONENT


if __name__ == "__main__":
    Trivial().run()
