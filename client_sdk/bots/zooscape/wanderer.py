"""Keeps going while it can, turns at random where it cannot, and uses every item at once."""

from random import Random

from client_sdk.api.zooscape import Action, Bot, GameState


class Wanderer(Bot):
    name = "wanderer"

    def prepare(self, state: GameState) -> None:
        # Its own dice, seeded by what it sees: it walks the same way in the same match.
        self.random = Random(f"{state.map} {state.me.seat}")  # noqa: S311  no secret

    def on_state(self, state: GameState) -> Action | None:
        if state.me.queue_length:
            return None
        if state.me.held_power_up is not None:
            return Action.USE_ITEM
        open_ = [action for action, _ in state.neighbours()]
        return None if state.me.direction in open_ or not open_ else self.random.choice(open_)


if __name__ == "__main__":
    Wanderer().run()
