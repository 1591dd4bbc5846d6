"""Goes for the nearest cheese that the opponent does not reach first (RULES §13)."""

from client_sdk.api.pyrat import Bot, Cell, Context, Direction, GameState


class Greedy(Bot):
    name = "greedy"

    def think(self, state: GameState, ctx: Context) -> Direction:
        mine = state.distances_from(state.my_position)
        theirs = state.distances_from(state.opponent_position)
        late = state.opponent_mud_turns

        def worth(cell: Cell) -> tuple[bool, int, int]:
            opponent = theirs[cell] + late if cell in theirs else len(mine) * 255
            return opponent < mine[cell], mine[cell], -opponent

        reachable = [cell for cell in state.cheese if cell in mine]
        if not reachable:
            return Direction.STAY
        way = state.shortest_path(state.my_position, min(reachable, key=worth))
        return way.first_moves[0] if way and way.first_moves else Direction.STAY


if __name__ == "__main__":
    Greedy().run()
