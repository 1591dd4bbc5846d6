"""My PyRat bot: goes for the nearest cheese."""

from botarena.pyrat import Bot, Context, Direction, GameState


class MyBot(Bot):
    name = "mybot"

    def preprocess(self, state: GameState, ctx: Context) -> None:
        """Once, before the first turn: time to look at the maze."""

    def think(self, state: GameState, ctx: Context) -> Direction:
        nearest = state.nearest_cheese()
        if nearest is None or not nearest.first_moves:
            return Direction.STAY
        return nearest.first_moves[0]


if __name__ == "__main__":
    MyBot().run()
