"""Goes for the nearest cheese that the opponent does not reach first (RULES §13)."""

from math import inf

from client_sdk.api.pyrat import Bot, Cell, Context, Direction, GameState


class Greedy(Bot):
    name = "greedy"

    _ways: dict[Cell, dict[Cell, int]]
    """Per cheese the distance of every cell from which it can be reached."""

    def preprocess(self, state: GameState, ctx: Context) -> None:
        self._ways = {}
        for cheese in state.cheese:
            if ctx.should_stop():
                break
            self._ways[cheese] = state.distances_from(cheese)

    def think(self, state: GameState, ctx: Context) -> Direction:
        here = state.my_position
        mine, theirs = self._distances(state, here), self._distances(state, state.opponent_position)
        late = state.opponent_mud_turns

        def worth(cell: Cell) -> tuple[bool, int, float]:
            opponent = theirs[cell] + late if cell in theirs else inf
            return opponent < mine[cell], mine[cell], -opponent

        reachable = [cell for cell in state.cheese if cell in mine]
        return self._step(state, here, min(reachable, key=worth)) if reachable else Direction.STAY

    def _distances(self, state: GameState, here: Cell) -> dict[Cell, int]:
        """To every cheese that can be reached from here."""
        ways = self._ways
        if any(
            cheese not in ways for cheese in state.cheese
        ):  # a board too large for the time before turn 1
            return state.distances_from(here)
        return {cheese: ways[cheese][here] for cheese in state.cheese if here in ways[cheese]}

    def _step(self, state: GameState, here: Cell, target: Cell) -> Direction:
        """The first move of a shortest way, of several the first in the order of the directions."""
        left = self._ways[target] if target in self._ways else state.distances_from(target)
        for direction in state.effective_moves(here):
            if (state.move_cost(direction, here) or 0) + left[direction.apply_to(here)] == left[
                here
            ]:
                return direction
        return Direction.STAY


if __name__ == "__main__":
    Greedy().run()
