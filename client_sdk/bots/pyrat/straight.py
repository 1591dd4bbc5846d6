"""Goes for the cheese that is nearest in a straight line, by a shortest way through the maze."""

from client_sdk.api.pyrat import Bot, Cell, Context, Direction, GameState


class Straight(Bot):
    name = "straight"

    target: Cell | None = None
    """It keeps its target as long as there is cheese: it would walk to and fro where, beside a
    wall, now one and now another looks nearer."""

    def think(self, state: GameState, ctx: Context) -> Direction:
        here = state.my_position

        def steps(cell: Cell) -> int:
            """As if there were no walls: a cheese behind a wall looks near and may be far."""
            return abs(cell.x - here.x) + abs(cell.y - here.y)

        if self.target not in state.cheese:
            self.target = min(state.cheese, key=steps)
        way = state.shortest_path(here, self.target)
        return way.first_moves[0] if way and way.first_moves else Direction.STAY


if __name__ == "__main__":
    Straight().run()
