"""Walks at random, never into a wall."""

from random import Random

from client_sdk.api.pyrat import Bot, Context, Direction, GameState


class RandomWalk(Bot):
    name = "random"

    def preprocess(self, state: GameState, ctx: Context) -> None:
        # Its own dice, cast from what it sees: the same match is walked the same way again.
        self.random = Random(f"{state.state_hash} {state.my_player}")  # noqa: S311  no secret

    def think(self, state: GameState, ctx: Context) -> Direction:
        moves = state.effective_moves()
        return self.random.choice(moves) if moves else Direction.STAY


if __name__ == "__main__":
    RandomWalk().run()
