"""Goes for the nearest pellet, whatever is in the way."""

from client_sdk.api.zooscape import Action, Bot, CellContent, GameState

FOOD = (CellContent.PELLET, CellContent.POWER_PELLET)


class Forager(Bot):
    name = "forager"

    def on_state(self, state: GameState) -> Action | None:
        if state.me.queue_length:  # a slow tick has left a command there: let it go first
            return None
        way = state.way_to(FOOD)
        # A direction holds until another one comes.
        return way.action if way and way.action != state.me.direction else None


if __name__ == "__main__":
    Forager().run()
