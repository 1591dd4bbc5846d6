"""Goes for the nearest pellet on a way where it is ahead of every zookeeper, step by step."""

from client_sdk.api.zooscape import Action, Bot, GameState, Position
from client_sdk.bots.zooscape.forager import FOOD

FEAR = 12
"""Steps to the farthest zookeeper that it minds."""


class Wary(Bot):
    name = "wary"

    def on_state(self, state: GameState) -> Action | None:
        me = state.me
        if me.queue_length:  # a slow tick has left a command there: let it go first
            return None
        threat = state.zookeeper_steps(FEAR)
        if me.held_power_up is not None and threat.get(me.position, FEAR) <= 3:
            return Action.USE_ITEM  # a cloak hides it, and it moves on as well
        action = self._to_food(state, threat) or self._away(state, threat)
        # A direction holds until another one comes.
        return action if action != me.direction else None

    def _to_food(self, state: GameState, threat: dict[Position, int]) -> Action | None:
        """A breadth-first search that enters a cell only where no zookeeper can be sooner."""
        first: dict[Position, Action | None] = {state.me.position: None}
        layer, steps = [state.me.position], 0
        while layer:
            steps += 1
            following = []
            for here in layer:
                for action, there in state.neighbours(here):
                    if there in first or threat.get(there, FEAR + steps) <= steps:
                        continue
                    first[there] = first[here] or action
                    if state.content(*there) in FOOD:
                        return first[there]
                    following.append(there)
            layer = following
        return None

    def _away(self, state: GameState, threat: dict[Position, int]) -> Action | None:
        """The step that is farthest from them."""
        steps = {action: threat.get(cell, FEAR + 1) for action, cell in state.neighbours()}
        return max(steps, key=lambda action: steps[action], default=None)


if __name__ == "__main__":
    Wary().run()
